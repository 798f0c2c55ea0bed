/* host_session.h - a host's session, written by hand and looked at while it goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HOST_SESSION_H
#define HOST_SESSION_H

#include <stdlib.h>
#include <string.h>

#include <scope/replay.h>

#include "recording_writer.h"
#include "string_is.h"
#include "unit.h"

enum { OUTER = 1, INNER = 2, THIRD = 3, REGIONS = 3, THREADS = 4 }; /* ids, and how many */

static recording_writer *writer;
static scope_cursor *cursor;
static scope_calls *calls;

static inline void ev(uint64_t ticks, scope_event_kind kind, uint64_t id)
{
    writer_event(writer, ticks, kind, id);
}

static inline void begin(uint64_t ticks, uint64_t region)
{
    ev(ticks, SCOPE_EVENT_BEGIN, region);
}

static inline void end(uint64_t ticks, uint64_t region)
{
    ev(ticks, SCOPE_EVENT_END, region);
}

/* A host's session; thread 0 is the host's main thread, in stream 0. */
static inline void start(int untracked)
{
    writer = recording_writer_new();
    writer_header(writer)->end_kind = SCOPE_END_OPEN;
    writer_host_session(writer, 1, untracked ? 1 : 2, 100);
    writer_name(writer, SCOPE_NAME_REGION, OUTER, "outer");
    writer_name(writer, SCOPE_NAME_REGION, INNER, "inner");
    writer_name(writer, SCOPE_NAME_REGION, THIRD, "third");
    writer_thread(writer, 0, "MainThread", 100, SCOPE_THREAD_MAIN | SCOPE_THREAD_HOST);
    writer_stream(writer, 0);
    ev(100, SCOPE_EVENT_THREAD, 0);
    const scope_cursor_options options = {
        .size_bytes = sizeof options, .host = 1, .untracked = untracked};
    CU_ASSERT_EQUAL_FATAL(scope_cursor_new_with(writer_finish(writer), 1, &options, &cursor),
                          SCOPE_OK);
}

static inline void thread(uint32_t stream, uint64_t ticks, uint32_t flags)
{
    char name[16];
    strcpy(name, "worker 0");
    name[7] = (char)('0' + stream);
    writer_thread(writer, stream, name, ticks, flags);
    writer_stream(writer, stream);
    ev(ticks, SCOPE_EVENT_THREAD, stream);
}

static inline void look(void)
{
    CU_ASSERT_EQUAL_FATAL(scope_cursor_advance(cursor, writer_finish(writer)), SCOPE_OK);
}

static inline scope_status table_with(const scope_table_options *options)
{
    scope_calls_free(calls);
    calls = NULL;
    look();
    const scope_status status = scope_cursor_table(cursor, options, &calls);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls);
    return status;
}

static inline scope_status table(void)
{
    return table_with(NULL);
}

static inline void stop(void)
{
    scope_calls_free(calls);
    calls = NULL;
    scope_cursor_free(cursor);
    cursor = NULL;
    recording_writer_free(writer);
}

static inline const char *name_of_pair(size_t i)
{
    return calls->regions[calls->pairs[i].region].name.bytes;
}

#endif
