/* test_host_many.c - many sessions at once, opened and closed under threads that record.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hosted.h"

#include <pthread.h>
#include <stdlib.h>

#include "session_list.h"

static void a_thousand_sessions_live_side_by_side(void)
{
    enum { COUNT = 1200 };
    static scope_session *sessions[COUNT];
    for (int i = 0; i < COUNT; i++)
        sessions[i] = hosted_create();
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k <= i % 3; k++) {
            scope_session_begin(sessions[i], 1);
            scope_session_end(sessions[i], 1);
        }
    for (int i = 0; i < COUNT; i += 111) {
        read_events events = hosted_events(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 1 + (size_t)i % 3);
        free(events.items);
    }
    for (int i = 0; i < COUNT; i++)
        scope_host_close(sessions[i]);
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void *record_in_all(void *argument)
{
    scope_session **sessions = argument;
    for (int i = 0; i < 100; i++) {
        scope_session_begin(sessions[i], 1);
        scope_session_end(sessions[i], 1);
    }
    return NULL;
}

static void a_place_is_used_again_and_again(void)
{
    scope_session *sessions[100];
    for (int round = 0; round < 50; round++) {
        pthread_t threads[2];
        for (int i = 0; i < 100; i++)
            sessions[i] = hosted_create();
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, record_in_all, sessions);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < 100; i += 9) {
            read_events events = hosted_events(sessions[i]);
            CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 2);
            CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, -1), 2);
            free(events.items);
        }
        for (int i = 99; i >= 0; i--)
            scope_host_close(sessions[i]);
    }
    CU_ASSERT_TRUE(scope_session_last_index() <= 1300);
}

typedef struct shared {
    _Atomic(scope_session *) sessions[8];
    _Atomic int stop;
} shared;

static void *record_anywhere(void *argument)
{
    shared *all = argument;
    for (unsigned i = 0; !atomic_load(&all->stop); i++) {
        scope_session *session = atomic_load(&all->sessions[i % 8]);
        scope_session_begin(session, 1);
        if (i % 64 == 0) {
            int64_t index;
            scope_host_thread(session, "any", 3, i % 3, 0, 0, &index);
            scope_host_task_resume(
                session, scope_host_task_new(session, SCOPE_TASK_KIND_TASK, "t", 1, NULL, 0));
            scope_host_pause(session);
            scope_session_begin(session, 2);
            scope_host_resume(session);
            scope_session_end(session, 2);
        }
        scope_session_end(session, 1);
    }
    scope_host_thread_end();
    return NULL;
}

static void sessions_may_close_under_threads_that_record(void)
{
    shared all = {.stop = 0};
    pthread_t threads[3];
    for (int i = 0; i < 8; i++)
        atomic_store(&all.sessions[i], hosted_create());
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, record_anywhere, &all);
    for (int i = 0; i < 2000; i++) {
        scope_session *old = atomic_load(&all.sessions[i % 8]);
        atomic_store(&all.sessions[i % 8], hosted_create());
        if (i % 16 == 3)
            scope_host_bound(old);
        scope_host_close(old); /* some of the threads still record there */
        scope_session_begin(old, 1);
    }
    atomic_store(&all.stop, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 8; i++)
        scope_host_close(atomic_load(&all.sessions[i]));
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void numbers_of_sessions_do_not_come_twice_in_a_recording(void)
{
    scope_session *first = hosted_create(), *session = NULL;
    scope_status status = SCOPE_OK;
    scope_session_begin(first, 1);
    int count = 1;
    while (count < 70000 && status == SCOPE_OK) {
        status = scope_host_create(&hosted_in_memory, &session);
        if (status != SCOPE_OK)
            break;
        scope_session_begin(session, 1);
        scope_host_close(session);
        count++;
    }
    CU_ASSERT_EQUAL(count, UINT16_MAX);
    CU_ASSERT_EQUAL(status, SCOPE_ERR_STATE);
    scope_session_end(first, 1);
    read_events events = hosted_events(first);
    CU_ASSERT_EQUAL(events.count, 3);
    free(events.items);
    scope_host_close(first); /* the recording ends, too: numbers start anew */
    session = hosted_create();
    scope_session_begin(session, 1);
    scope_host_close(session);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(a_thousand_sessions_live_side_by_side),
        UNIT(a_place_is_used_again_and_again),
        UNIT(sessions_may_close_under_threads_that_record),
        UNIT(numbers_of_sessions_do_not_come_twice_in_a_recording),
        {0},
    };
    return unit_run("host_many", tests);
}
