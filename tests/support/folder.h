/* folder.h - a folder that a test may fill, removed at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TEST_FOLDER_H
#define SCOPE_TEST_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static inline int folder_make(void)
{
    strcpy(folder, "/tmp/scope-test-XXXXXX");
    return mkdtemp(folder) ? 0 : 1;
}

/* The path of a name in the folder; static text, four at a time. */
static inline const char *folder_path(const char *name)
{
    static char paths[4][384];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline int folder_count(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (directory)
        closedir(directory);
    return count;
}

static inline int folder_remove(void)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.' || (entry->d_name[1] && entry->d_name[1] != '.'))
            unlink(folder_path(entry->d_name));
    if (directory)
        closedir(directory);
    return rmdir(folder);
}

#endif
