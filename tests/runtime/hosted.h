/* hosted.h - sessions of a language runtime, recorded and looked at.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HOSTED_H
#define HOSTED_H

#include <scope/host.h>

#include "recorded.h"

static const scope_host_options hosted_in_memory = {
    .size_bytes = sizeof hosted_in_memory, .memory_only = 1, .lanes = SCOPE_HOST_TASKS};

static inline scope_session *hosted_create(void)
{
    scope_session *session = NULL;
    CU_ASSERT_EQUAL(scope_host_create(&hosted_in_memory, &session), SCOPE_OK);
    return session;
}

static inline void hosted_start(void)
{
    int adopted = -1;
    CU_ASSERT_EQUAL(scope_host_start(&hosted_in_memory, &adopted), SCOPE_OK);
    CU_ASSERT_EQUAL(adopted, 0);
}

static inline read_events hosted_events(scope_session *session)
{
    scope_recording view;
    uint16_t number;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    return number ? read_all_events(&view, number) : (read_events){0};
}

static inline void hosted_record(scope_session *session, scope_region region, int count)
{
    for (int i = 0; i < count; i++) {
        scope_session_begin(session, region);
        scope_session_end(session, region);
    }
}

static inline scope_region hosted_region(const char *name)
{
    scope_region region = -1;
    CU_ASSERT_EQUAL(scope_region_register(name, &region), SCOPE_OK);
    return region;
}

/* A thread that makes calls of region 1 inside one of region 9, until it is told. */
typedef struct hosted_busy {
    scope_session *session;
    _Atomic int stop;
    _Atomic long calls;
} hosted_busy;

static inline void *hosted_record_until_told(void *argument)
{
    hosted_busy *state = argument;
    scope_session_begin(state->session, 9); /* open all the time */
    while (!atomic_load(&state->stop) && state->calls < 1000000) {
        hosted_record(state->session, 1, 1000);
        state->calls += 1000;
    }
    scope_session_end(state->session, 9);
    return NULL;
}

#endif
