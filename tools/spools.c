/* spools.c - find spool files, and tell which belong to one run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spools.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "config.h"
#include "run_id.h"

/* ---- sessions ---- */

bool spools_is_written(const spool_found *found)
{
    struct stat status;
    const char *name = found->main ? found->main->written : NULL;
    return name && *name && stat(name, &status) == 0;
}

bool spools_is_pending(const spool_found *found, const scope_session_row *session)
{
    const bool wanted = !session->output || *session->output;
    return session != found->main && wanted && !session->written;
}

size_t spools_pending(const spool_found *found)
{
    size_t count = 0;
    for (size_t i = 0; i < found->sessions.count; i++)
        count += spools_is_pending(found, &found->sessions.rows[i]);
    return count;
}

static scope_status find_sessions(spool_found *found)
{
    const scope_status status =
        scope_recording_sessions(scope_spool_recording(found->spool), &found->sessions);
    for (size_t i = 0; i < found->sessions.count; i++)
        if (found->sessions.rows[i].number == found->sessions.main)
            found->main = &found->sessions.rows[i];
    return status;
}

/* ---- finding ---- */

static void release(spool_found *found)
{
    for (spool_copy *copy = found->copies, *next; copy; copy = next) {
        next = copy->next;
        free(copy);
    }
    scope_sessions_free(&found->sessions);
    scope_spool_close(found->spool);
    free(found->path);
}

/* `trusted`: whose spools are asked for, beside one's own and root's; ANYBODY. */
#define ANYBODY ((uid_t)-1)

static bool add_file(spools *spools, const char *command, const char *path, uid_t trusted)
{
    struct stat status;
    if (spools->count == spools->room) {
        const size_t room = spools->room ? 2 * spools->room : 16;
        spool_found *items = realloc(spools->items, room * sizeof *items);
        if (!items)
            return false;
        spools->items = items;
        spools->room = room;
    }
    spool_found *found = &spools->items[spools->count];
    *found = (spool_found){.path = strdup(path)};
    scope_status opened = scope_spool_open(path, &found->spool);
    if (opened == SCOPE_OK && spools->running_only && !scope_spool_was_alive(found->spool)) {
        release(found);
        return false;
    }
    if (opened == SCOPE_OK)
        opened = found->path ? find_sessions(found) : SCOPE_ERR_MEMORY;
    if (opened != SCOPE_OK) {
        const char *why = opened == SCOPE_ERR_CORRUPT
                              ? "is not a spool file, or is damaged at its start"
                          : opened == SCOPE_ERR_IO ? strerror(errno ? errno : EIO)
                                                   : scope_status_text(opened);
        if (command)
            command_say(command, "%s: %s", path, why);
        release(found);
        return false;
    }
    found->header = scope_spool_recording(found->spool)->header;
    found->alive = scope_spool_was_alive(found->spool);
    found->size_bytes = stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
    found->owner = scope_spool_owner(found->spool);
    found->foreign = found->owner != geteuid() && found->owner != 0;
    found->unasked = found->foreign && trusted != ANYBODY && trusted != found->owner;
    spools->count++;
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The spools of a folder, and, at the first level, those of its scope-* folders. Links are
 * not followed: who names one himself means it. */
static size_t add_folder(spools *spools, const char *command, const char *path, bool deeper,
                         uid_t trusted)
{
    DIR *folder = opendir(path);
    size_t added = 0;
    if (!folder)
        return 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char inside[PATH_MAX];
        struct stat status;
        if (entry->d_name[0] == '.' ||
            snprintf(inside, sizeof inside, "%s%s%s", path,
                     path[strlen(path) - 1] == '/' ? "" : "/",
                     entry->d_name) >= (int)sizeof inside ||
            lstat(inside, &status) != 0)
            continue;
        if (S_ISREG(status.st_mode) && ends_with(entry->d_name, ".spool"))
            added += add_file(spools, command, inside, trusted);
        else if (deeper && S_ISDIR(status.st_mode) && strncmp(entry->d_name, "scope-", 6) == 0 &&
                 access(inside, R_OK | X_OK) == 0)
            added += add_folder(spools, command, inside, false, trusted);
    }
    closedir(folder);
    return added;
}

bool spools_add(spools *spools, const char *command, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        command_say(command, "%s: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISDIR(status.st_mode)) {
        if (S_ISREG(status.st_mode))
            return add_file(spools, command, path, ANYBODY);
        command_say(command, "%s: is not a regular file", path);
        return false;
    }
    if (access(path, R_OK | X_OK) != 0) {
        command_say(command, "%s: %s", path, strerror(errno));
        return false;
    }
    if (add_folder(spools, command, path, true, status.st_uid))
        return true;
    command_say(command, "%s: no spool files there", path);
    return false;
}

void spools_add_default(spools *spools, const char *command)
{
    const char *const bases[] = {scope_config_value("SCOPE_SPOOL_DIR", NULL), getenv("TMPDIR"),
                                 "/tmp"};
    for (int i = 0; i < 3; i++) {
        int rank = 0, size = 1;
        char path[PATH_MAX];
        bool seen = false;
        if (!bases[i] || !*bases[i])
            continue;
        scope_config_launcher(&rank, &size);
        char *base = scope_config_expand(bases[i], rank, size);
        if (!base)
            return;
        snprintf(path, sizeof path, "%s/scope-%u", base, (unsigned)geteuid());
        free(base);
        for (int k = 0; k < i; k++)
            seen = seen || (bases[k] && strcmp(bases[k], bases[i]) == 0);
        if (!seen)
            add_folder(spools, command, path, false, geteuid());
    }
}

static bool is_host(const char *name, const char *wanted)
{
    const size_t length = strlen(wanted);
    return strncasecmp(name, wanted, length) == 0 && (!name[length] || name[length] == '.');
}

size_t spools_drop_unasked(spools *spools)
{
    const size_t before = spools->count;
    size_t kept = 0;
    for (size_t i = 0; i < before; i++) {
        if (spools->items[i].unasked)
            release(&spools->items[i]);
        else
            spools->items[kept++] = spools->items[i];
    }
    spools->count = kept;
    return before - kept;
}

size_t spools_keep_host(spools *spools, const char *host)
{
    size_t kept = 0;
    for (size_t i = 0; i < spools->count; i++) {
        if (is_host(spools->items[i].header->host, host))
            spools->items[kept++] = spools->items[i];
        else
            release(&spools->items[i]);
    }
    spools->count = kept;
    return kept;
}

/* ---- runs ---- */

bool spools_is_run(const spool_found *item, const char *digits)
{
    char id[SCOPE_RUN_ID_TEXT_BYTES];
    scope_run_id_format(item->header->run_id, id);
    return strncasecmp(id, digits, strlen(digits)) == 0;
}

size_t spools_keep_run(spools *spools, const char *digits)
{
    size_t kept = 0;
    for (size_t i = 0; i < spools->count; i++) {
        if (spools_is_run(&spools->items[i], digits))
            spools->items[kept++] = spools->items[i];
        else
            release(&spools->items[i]);
    }
    spools->count = kept;
    return kept;
}

static int compare_runs(const spool_found *a, const spool_found *b)
{
    return memcmp(a->header->run_id, b->header->run_id, sizeof a->header->run_id);
}

static int compare(const void *left, const void *right)
{
    const spool_found *a = left, *b = right;
    const int run = compare_runs(a, b);
    if (run)
        return run;
    if (a->header->rank != b->header->rank)
        return a->header->rank < b->header->rank ? -1 : 1;
    if (a->header->start_realtime_ns != b->header->start_realtime_ns)
        return a->header->start_realtime_ns < b->header->start_realtime_ns ? -1 : 1;
    if (a->header->pid != b->header->pid)
        return a->header->pid < b->header->pid ? -1 : 1;
    if (a->foreign != b->foreign)
        return a->foreign ? 1 : -1; /* whatever it says of itself */
    if (a->alive != b->alive)
        return a->alive ? -1 : 1; /* the original before its copies */
    if (a->header->is_copy != b->header->is_copy)
        return a->header->is_copy ? 1 : -1;
    return (a->size_bytes < b->size_bytes) - (a->size_bytes > b->size_bytes);
}

static bool same_recording(const spool_found *a, const spool_found *b)
{
    return compare_runs(a, b) == 0 && a->header->pid == b->header->pid &&
           a->header->start_ticks == b->header->start_ticks &&
           a->header->start_realtime_ns == b->header->start_realtime_ns &&
           strcmp(a->header->host, b->header->host) == 0;
}

static void note_copy(spool_found *kept, const char *path)
{
    spool_copy *copy = malloc(sizeof *copy + strlen(path) + 1);
    if (!copy)
        return; /* it stays where it is */
    strcpy(copy->path, path);
    copy->next = kept->copies;
    kept->copies = copy;
}

void spools_sort(spools *spools)
{
    size_t kept = 0;
    if (!spools->count)
        return;
    qsort(spools->items, spools->count, sizeof *spools->items, compare);
    for (size_t i = 1; i < spools->count; i++) {
        if (same_recording(&spools->items[kept], &spools->items[i])) {
            note_copy(&spools->items[kept], spools->items[i].path);
            release(&spools->items[i]);
        } else {
            spools->items[++kept] = spools->items[i];
        }
    }
    spools->count = kept + 1;
}

size_t spools_run_end(const spools *spools, size_t at)
{
    size_t end = at + 1;
    while (end < spools->count && compare_runs(&spools->items[at], &spools->items[end]) == 0)
        end++;
    return end;
}

void spools_free(spools *spools)
{
    for (size_t i = 0; i < spools->count; i++)
        release(&spools->items[i]);
    free(spools->items);
    *spools = (struct spools){0};
}
