/* left.c - the run that would have written a file that is missing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "left.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "runs.h"
#include "text.h"

/* The folder of `path`, resolved; false: it is missing. */
static bool folder_of(const char *path, char folder[PATH_MAX])
{
    char *copy = strdup(path);
    char *slash = copy ? strrchr(copy, '/') : NULL;
    if (slash)
        *(slash == copy ? slash + 1 : slash) = '\0';
    const bool there = copy && realpath(slash ? copy : ".", folder);
    free(copy);
    return there;
}

/* This run was to write that file. */
static bool fits(const run *run, const char *path, const char *folder)
{
    char own[PATH_MAX];
    char *output = run_output(run);
    bool same = output && folder_of(output, own) && strcmp(own, folder) == 0;
    if (same) {
        const char *a = strrchr(output, '/'), *b = strrchr(path, '/');
        same = strcmp(a ? a + 1 : output, b ? b + 1 : path) == 0;
    }
    free(output);
    return same;
}

static bool is_left(const run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (!spools_is_written(run->items[i]))
            return true;
    return false;
}

static bool is_alive(const run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->items[i]->alive)
            return true;
    return false;
}

static void say(const char *command, const run *run, const char *path)
{
    const scope_recording_header *first = run->items[0]->header;
    char id[SCOPE_RUN_ID_TEXT_BYTES];
    char *program = text_name(first->program, strlen(first->program));
    run_item_id(run->items[0], id);
    command_say(command, "a run of %s that %s left its recording: scope recover --run=%s -o %s",
                program ? program : "a program",
                is_alive(run) ? "has not ended" : "was killed, or could not write,", id, path);
    free(program);
}

void left_hint(const char *command, const char *path)
{
    char folder[PATH_MAX];
    if (access(path, F_OK) == 0 || errno != ENOENT || !folder_of(path, folder))
        return;
    spools found = {0};
    spools_add_default(&found, NULL);
    spools_drop_unasked(&found);
    spools_sort(&found);
    size_t count = 0;
    run *runs = runs_find(&found, &count);
    const run *last = NULL;
    for (size_t i = 0; runs && i < count; i++)
        if (is_left(&runs[i]) && fits(&runs[i], path, folder) &&
            (!last || run_start(&runs[i]) > run_start(last)))
            last = &runs[i];
    if (last)
        say(command, last, path);
    runs_free(runs, count);
    spools_free(&found);
}
