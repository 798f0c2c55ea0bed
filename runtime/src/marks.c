/* marks.c - small files beside the spools, by which processes of one run know of each other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "marks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "identity.h"
#include "run_id.h"
#include "spool.h"

#define MARK_SECONDS (7 * 24 * 3600) /* then nobody of that run is left */

static void run_text(char text[SCOPE_RUN_ID_TEXT_BYTES])
{
    uint8_t run_id[16];
    scope_identity_run(run_id);
    scope_run_id_format(run_id, text);
}

/* The folder of spools that needs no option: all processes of a run agree on it. */
static bool common_folder(char *folder, size_t size_bytes)
{
    char why[160];
    const char *temporary = getenv("TMPDIR");
    if (temporary && temporary[0] == '/' &&
        scope_spool_folder(temporary, folder, size_bytes, why, sizeof why))
        return true;
    return scope_spool_folder("/tmp", folder, size_bytes, why, sizeof why);
}

static bool recorded_path(char path[PATH_MAX])
{
    char folder[1024], run[SCOPE_RUN_ID_TEXT_BYTES];
    if (!common_folder(folder, sizeof folder))
        return false;
    run_text(run);
    snprintf(path, PATH_MAX, "%s/%s.recorded", folder, run);
    return true;
}

void scope_mark_recorded(void)
{
    char path[PATH_MAX];
    if (!recorded_path(path))
        return;
    const int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
}

/* ---- claims ---- */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    while (*text)
        hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
    return hash;
}

/* Marks of runs that are long over. */
static void sweep(const char *folder)
{
    DIR *entries = opendir(folder);
    struct stat info;
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (suffix && (strcmp(suffix, ".claim") == 0 || strcmp(suffix, ".recorded") == 0) &&
            fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            info.st_mtime + MARK_SECONDS < time(NULL))
            unlinkat(dirfd(entries), entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
}

bool scope_mark_take_recorded(void)
{
    char path[PATH_MAX];
    if (!recorded_path(path) || unlink(path))
        return false;
    *strrchr(path, '/') = 0;
    sweep(path);
    return true;
}

bool scope_mark_claim(const char *output)
{
    char folder[1024], path[PATH_MAX], run[SCOPE_RUN_ID_TEXT_BYTES], text[32] = "";
    if (!common_folder(folder, sizeof folder))
        return true;
    run_text(run);
    snprintf(path, sizeof path, "%s/%s-%016llx.claim", folder, run,
             (unsigned long long)hash_text(output));
    const int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made >= 0) {
        const int length = snprintf(text, sizeof text, "%ld", (long)getpid());
        const ssize_t written = write(made, text, (size_t)length);
        (void)written;
        close(made);
        sweep(folder);
        return true;
    }
    if (errno != EEXIST)
        return true;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return true;
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    text[length > 0 ? length : 0] = 0;
    return strtol(text, NULL, 10) == (long)getpid();
}
