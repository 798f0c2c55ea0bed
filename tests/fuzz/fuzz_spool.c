/* fuzz_spool.c - spool files: sessions, replay of each, cuts, sums; what `scope inspect` does, and `scope top`.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/replay.h>
#include <scope/watch.h>

#include <string.h>

#include "spool_input.h"

enum { MOST_SESSIONS = 3 }; /* of which each is replayed */

static void replay(const scope_recording *recording, uint16_t session)
{
    scope_calls *calls = NULL;
    if (scope_replay(recording, session, &calls) != SCOPE_OK)
        return;
    fuzz_use_table(calls);
    scope_calls_free(calls);
}

/* As a host reads: step by step, with cuts. */
static void walk(const scope_recording *recording, uint16_t session, int32_t untracked)
{
    const scope_cursor_options options = {sizeof options, 1, untracked};
    scope_cursor *cursor = NULL;
    scope_calls *calls = NULL;
    if (scope_cursor_new_with(recording, session, &options, &cursor) != SCOPE_OK)
        return;
    for (int cut = 0; cut < 2; cut++) {
        const scope_table_options table = {
            .size_bytes = sizeof table, .first_call_id = 1, .end = cut};
        scope_cursor_advance(cursor, recording);
        const scope_status status = scope_cursor_table(cursor, &table, &calls);
        if (status == SCOPE_OK || status == SCOPE_ERR_NESTING) {
            fuzz_use_table(calls);
            scope_calls_free(calls);
        }
        scope_cursor_cut(cursor);
    }
    scope_cursor_free(cursor);
}

/* As a run that goes on: twice, for what is new is taken up where the last look ended. */
static void watch(const scope_recording *recording)
{
    scope_watch *watch = NULL;
    if (scope_watch_new(&watch) != SCOPE_OK)
        return;
    for (int look = 0; look < 2; look++) {
        const scope_watch_state *state = scope_watch_now(watch);
        if (scope_watch_read(watch, recording, look == 0) != SCOPE_OK)
            break;
        for (size_t i = 0; i < state->open_count; i++)
            FUZZ_CHECK(state->opens[i].region < state->region_count &&
                       state->opens[i].communicator < (int64_t)state->communicator_count);
        for (size_t i = 0; i < state->thread_count; i++)
            FUZZ_CHECK(state->threads[i].first_open + state->threads[i].open_count <=
                       state->open_count);
    }
    scope_watch_free(watch);
}

static void check(const uint8_t *bytes, size_t length)
{
    scope_spool *spool = NULL;
    if (scope_spool_open(fuzz_path(bytes, length), &spool) != SCOPE_OK)
        return;
    const scope_recording *recording = scope_spool_recording(spool);
    FUZZ_CHECK(strlen(recording->header->program) < sizeof recording->header->program);
    scope_sessions sessions;
    replay(recording, 0);
    watch(recording);
    if (scope_recording_sessions(recording, &sessions) == SCOPE_OK) {
        for (size_t i = 0; i < sessions.count && i < MOST_SESSIONS; i++)
            replay(recording, sessions.rows[i].number);
        if (sessions.count)
            walk(recording, sessions.rows[0].number, (int32_t)(length / 8 % 2));
        scope_sessions_free(&sessions);
    }
    scope_spool_close(spool);
}

const fuzz_target fuzz = {
    .name = "spool", .check = check, .expand = spool_expand, .mutate = spool_mutate};
