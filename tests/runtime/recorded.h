/* recorded.h - record something with runtime's own objects and look at the words.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RECORDED_H
#define RECORDED_H

#include <sys/wait.h>

#include <scope/scope.h>
#include <scope/sink.h>

#include "recording_reader.h"
#include "session_state.h"
#include "spool.h"
#include "stream.h"
#include "unit.h"

/* Start the process session without a file; `options` may be NULL. */
static inline void recorded_start(scope_options *options)
{
    scope_options none = SCOPE_OPTIONS_INIT;
    if (!options)
        options = &none;
    options->no_output = 1;
    setenv("SCOPE_THROTTLE", "0", 0); /* every call, but in the tests of that */
    CU_ASSERT_EQUAL(scope_init(options), SCOPE_OK);
}

/* Stop it; the view is good until recorded_end. */
static inline scope_recording recorded_stop(void)
{
    scope_recording view = {0};
    scope_runtime_stop();
    if (scope_store.is_open)
        scope_spool_view(&view);
    return view;
}

static inline read_events recorded_events(void)
{
    const scope_recording view = recorded_stop();
    return read_all_events(&view, scope_process_session.number);
}

static inline void recorded_end(read_events *events)
{
    if (events) {
        free(events->items);
        free(events->sums);
        events->items = NULL;
        events->sums = NULL;
    }
    CU_ASSERT_EQUAL(scope_runtime_write(NULL), SCOPE_OK);
}

/* The exit code of a child; 255: it did not exit. */
static inline int recorded_exit_code(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

#endif
