/* replayed.h - a recording of a run that ended, written by hand and replayed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef REPLAYED_H
#define REPLAYED_H

#include <stdlib.h>
#include <string.h>

#include <scope/replay.h>

#include "recording_writer.h"
#include "string_is.h"
#include "unit.h"

static recording_writer *writer;
static scope_calls *calls;

/* A process session with two regions and the main thread in stream 0. */
static inline void start(void)
{
    writer = recording_writer_new();
    writer_session(writer, 1, true, 100, 100, "a run");
    writer_name(writer, SCOPE_NAME_REGION, 0, "(unregistered)");
    writer_name(writer, SCOPE_NAME_REGION, 1, "outer");
    writer_name(writer, SCOPE_NAME_REGION, 2, "inner");
    writer_thread(writer, 0, "main", 100, SCOPE_THREAD_MAIN | SCOPE_THREAD_START_EXACT);
    writer_stream(writer, 0);
    writer_event(writer, 100, SCOPE_EVENT_THREAD, 0);
}

static inline void ev(uint64_t ticks, scope_event_kind kind, uint64_t id)
{
    writer_event(writer, ticks, kind, id);
}

static inline void replay(void)
{
    CU_ASSERT_EQUAL_FATAL(scope_replay(writer_finish(writer), 0, &calls), SCOPE_OK);
}

static inline void stop(void)
{
    scope_calls_free(calls);
    calls = NULL;
    recording_writer_free(writer);
}

#endif
