/* test_host_fork.c - a host's sessions in a forked child.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hosted.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void in_a_child_sessions_with_lanes_start_anew(void)
{
    hosted_start();
    scope_session *session = hosted_create();
    scope_session_begin(session, 1);
    scope_region_begin(1);
    const uint32_t before = scope_host_generation(session);
    const uint32_t process_before = scope_host_generation(scope_host_process());
    const pid_t child = fork();
    if (!child) {
        int64_t index = -1;
        scope_recording view;
        uint16_t number = 7;
        bool good = scope_host_generation(session) != before &&
                    scope_host_generation(scope_host_process()) != process_before;
        good = good && scope_host_view(session, &view, &number) == SCOPE_OK && number == 0;
        scope_session_end(session, 1); /* of a call that is not there */
        good = good && scope_host_thread(session, "m", 1, 1, 0, 0, &index) == SCOPE_OK && !index;
        scope_host_task_suspend(session, 0);
        scope_host_thread_end();
        scope_host_checkpoint(session, NULL, 0, 0, "/o");
        scope_host_close(session);
        session = hosted_create();
        scope_session_begin(session, 2);
        read_events events = hosted_events(session);
        good = good && count_events(&events, SCOPE_EVENT_BEGIN, 2) == 1;
        hosted_start();
        scope_region_begin(3);
        events = hosted_events(scope_host_process());
        good = good && count_events(&events, SCOPE_EVENT_BEGIN, -1) == 1;
        scope_host_close(session);
        scope_host_close(scope_host_process());
        _exit(good && !scope_store.is_open ? 0 : 1);
    }
    CU_ASSERT_EQUAL(recorded_exit_code(child), 0);
    CU_ASSERT_EQUAL(scope_host_generation(session), before);
    scope_session_end(session, 1);
    read_events events = hosted_events(session);
    CU_ASSERT_EQUAL(events.count, 3);
    free(events.items);
    scope_host_close(session);
    scope_host_close(scope_host_process());
}

/* Calls of before the fork and of the child; those of the parent after it are not there. */
static int look_in_child(scope_session *session, uint32_t generation, size_t least)
{
    const size_t others = 1000;
    hosted_record(session, 3, (int)others);
    for (int i = 0; i < 3; i++) {
        read_events events = hosted_events(session);
        const size_t mine = count_events(&events, SCOPE_EVENT_END, 3);
        const size_t inherited = count_events(&events, SCOPE_EVENT_END, 2);
        const size_t open = count_events(&events, SCOPE_EVENT_BEGIN, 8);
        const size_t later = count_events(&events, SCOPE_EVENT_END, 8);
        if (mine != others || inherited != least || open != 1 || later != (size_t)(i > 0) ||
            events.missing || scope_host_generation(session) != generation)
            return 1 + i;
        free(events.items);
        if (!i)
            scope_session_end(session, 8); /* the call that was open at the fork */
        usleep(2000);
    }
    scope_host_close(session);
    return scope_store.is_open ? 9 : 0;
}

static void a_child_goes_on(int32_t memory_only)
{
    enum { CALLS = 70000, CHILDREN = 4 };
    const scope_host_options untracked = {
        .size_bytes = sizeof untracked, .memory_only = memory_only, .output = "/tmp/no.h5"};
    pthread_t thread;
    scope_session *session = NULL;
    pid_t children[CHILDREN];
    CU_ASSERT_EQUAL(scope_host_create(&untracked, &session), SCOPE_OK);
    hosted_busy state = {.session = session};
    pthread_create(&thread, NULL, hosted_record_until_told, &state);
    hosted_record(session, 2, CALLS);
    scope_session_begin(session, 8);
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (!children[i])
            _exit(look_in_child(session, scope_host_generation(session), CALLS));
    }
    scope_session_end(session, 8);
    hosted_record(session, 2, CALLS);
    for (int i = 0; i < CHILDREN; i++)
        CU_ASSERT_EQUAL(recorded_exit_code(children[i]), 0);
    atomic_store(&state.stop, 1);
    pthread_join(thread, NULL);
    read_events events = hosted_events(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 2), 2 * CALLS);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), (size_t)state.calls);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 3), 0);
    free(events.items);
    scope_host_close(session);
}

static void a_child_goes_on_in_a_copy_of_a_session_in_memory(void)
{
    a_child_goes_on(1);
}

static void a_child_goes_on_in_a_copy_of_a_session_in_a_file(void)
{
    a_child_goes_on(0);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(in_a_child_sessions_with_lanes_start_anew),
        UNIT(a_child_goes_on_in_a_copy_of_a_session_in_memory),
        UNIT(a_child_goes_on_in_a_copy_of_a_session_in_a_file),
        {0},
    };
    return unit_run("host_fork", tests);
}
