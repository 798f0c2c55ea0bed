/* others.c - sessions of a killed run beside the one that is its profile.
 *
 * SPDX-License-Identifier: MIT
 */
#include "others.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "config.h"
#include "join.h"

size_t others_count(const run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        count += spools_pending(run->items[i]);
    return count;
}

/* `name` with `text` and a number before its suffix; frees `name`. */
static char *numbered(char *name, const char *text, int number)
{
    char insert[32];
    snprintf(insert, sizeof insert, ".%s%d", text, number);
    char *longer = name ? scope_config_insert(name, insert) : NULL;
    free(name);
    return longer;
}

static void say_exists(const spool_found *item, const scope_session_row *session, const char *name)
{
    command_say("recover", "%s exists already: session %d of %s stays there; name a file with "
                "-o FILE", name, (int)session->number, item->path);
}

/* Where to: a name that is free, unless files may be replaced; else NULL, said why. */
static char *choose_name(const run *run, const spool_found *item, const scope_session_row *session,
                         const others_options *options)
{
    const scope_recording_header *header = item->header;
    const char *pattern = session->output ? session->output : header->output;
    const int rank = header->rank < 0 ? 0 : header->rank;
    char *name = NULL;
    if (options->output) {
        name = strdup(options->output);
        if (run->size > 1 || run->count > 1)
            name = numbered(name, "rank", rank);
        name = numbered(name, "session", session->number);
    } else if (*pattern && !item->foreign) { /* another user's says nothing of our files */
        name = run_own_output(run, pattern, header, rank);
        if (name && access(name, F_OK) == 0)
            name = numbered(name, "session", session->number);
    }
    if (!name) {
        command_say("recover", "%s: session %d has no name for a file: give one with -o FILE",
                    item->path, (int)session->number);
    } else if (access(name, F_OK) == 0 && !options->replace) {
        say_exists(item, session, name);
        free(name);
        name = NULL;
    }
    return name;
}

static scope_status make(const run *run, const spool_found *item, const scope_session_row *session,
                         const char *name, const others_options *options)
{
    char id[SCOPE_RUN_ID_TEXT_BYTES], end[64];
    scope_calls *calls = NULL;
    const scope_status read =
        scope_replay(scope_spool_recording(item->spool), session->number, &calls);
    if (read != SCOPE_OK) {
        command_say("recover", "%s: session %d: %s", item->path, (int)session->number,
                    scope_status_text(read));
        return read;
    }
    scope_run_id_format(item->header->run_id, id);
    run_item_end(item, end, sizeof end);
    scope_calls_set_integer(calls, "recovered", 1);
    scope_calls_set_text(calls, "recovery", end, -1);
    scope_calls_set_text(calls, "run_id", id, -1);
    if (calls->rank_count < run->size)
        calls->rank_count = run->size;
    const join_part part = {calls, item->path};
    const scope_status written =
        join_write("recover", &part, 1, name, options->compression, !options->replace);
    if (written == SCOPE_ERR_STATE && !options->replace)
        say_exists(item, session, name);
    if (written == SCOPE_OK && !options->quiet)
        printf("session %d of rank %d: %s, %llu calls\nwrote %s\n", (int)session->number,
               item->header->rank < 0 ? 0 : (int)item->header->rank, end,
               (unsigned long long)calls->count, name);
    scope_calls_free(calls);
    return written;
}

int others_recover(const run *run, const others_options *options)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < run->count; i++) {
        spool_found *item = run->items[i];
        for (size_t k = 0; k < item->sessions.count; k++) {
            const scope_session_row *session = &item->sessions.rows[k];
            if (!spools_is_pending(item, session))
                continue;
            char *name = choose_name(run, item, session, options);
            if (!name || make(run, item, session, name, options) != SCOPE_OK) {
                item->needed = true;
                code = EXIT_FAILED;
            }
            free(name);
        }
    }
    return code;
}
