/* test_host.c - what a language runtime asks of libscope: views, pauses, tasks, threads, names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hosted.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The last entry of a kind that says `id` in its first 64 bits after the fixed words
 * at `offset`; NULL: none. */
static const scope_definition *last_of(scope_session *session, unsigned kind, size_t offset,
                                       int64_t id)
{
    scope_recording view;
    uint16_t number;
    const scope_definition *found = NULL, *at = NULL;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    while ((at = read_definition(&view, kind, at))) {
        int64_t value;
        memcpy(&value, (const char *)at + offset, sizeof value);
        if (at->session == number && value == id)
            found = at;
    }
    return found;
}

static const scope_define_thread *thread_of(scope_session *session, int64_t thread)
{
    return (const scope_define_thread *)last_of(session, SCOPE_DEFINE_THREAD,
                                                offsetof(scope_define_thread, thread), thread);
}

static uint64_t first_start_of(scope_session *session, int64_t thread)
{
    scope_recording view;
    uint16_t number;
    const scope_definition *at = NULL;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    while ((at = read_definition(&view, SCOPE_DEFINE_THREAD, at)))
        if (at->session == number && ((const scope_define_thread *)at)->thread == thread)
            return ((const scope_define_thread *)at)->start_ticks;
    return 0;
}

static const scope_define_thread_state *state_of(scope_session *session, int64_t thread)
{
    return (const scope_define_thread_state *)last_of(
        session, SCOPE_DEFINE_THREAD_STATE, offsetof(scope_define_thread_state, thread), thread);
}

static void nothing_recorded_means_an_empty_view(void)
{
    scope_recording view;
    uint16_t number = 7;
    scope_session *session = hosted_create();
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    CU_ASSERT_EQUAL(number, 0);
    CU_ASSERT_EQUAL(view.segment_count, 0);
    CU_ASSERT_NOT_EQUAL(scope_host_generation(session), 0);
    CU_ASSERT_FALSE(scope_store.is_open);
    scope_host_close(session);
    CU_ASSERT_EQUAL(scope_host_generation(session), 0);
    scope_host_close(NULL);
}

static void calls_of_any_session_are_read_while_it_goes_on(void)
{
    const scope_region region = hosted_region("any");
    hosted_start();
    scope_session *sessions[2] = {scope_host_process(), hosted_create()};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3 + i; k++) {
            scope_session_begin(sessions[i], region);
            scope_session_end(sessions[i], region);
        }
    for (int i = 0; i < 2; i++) {
        read_events events = hosted_events(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, region), 3 + (size_t)i);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, region), 3 + (size_t)i);
        free(events.items);
        scope_session_begin(sessions[i], region);
        events = hosted_events(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, region), 4 + (size_t)i);
        free(events.items);
    }
    scope_host_close(sessions[1]);
    scope_host_close(sessions[0]);
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void a_call_with_times_of_its_own_keeps_them(void)
{
    scope_session *session = hosted_create();
    CU_ASSERT_EQUAL(scope_host_call(session, 3, 12345678901234567, 89), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_call(session, 3, -1, 89), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(scope_host_call(session, -1, 1, 89), SCOPE_OK);
    read_events events = hosted_events(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_CALL, -1), 1);
    for (size_t i = 0; i < events.count; i++)
        if (events.items[i].kind == SCOPE_EVENT_CALL) {
            CU_ASSERT_EQUAL(events.items[i].values[0], 12345678901234567);
            CU_ASSERT_EQUAL(events.items[i].values[1], 89);
        }
    free(events.items);
    scope_host_close(session);
    CU_ASSERT_EQUAL(scope_host_call(session, 3, 1, 2), SCOPE_ERR_STATE);
}

static void a_pause_of_one_session_is_not_another_s(void)
{
    scope_session *paused = hosted_create(), *other = hosted_create();
    scope_session_begin(paused, 1);
    scope_session_begin(other, 1);
    scope_host_pause(paused);
    scope_session_begin(paused, 2); /* falls into the pause */
    scope_session_begin(other, 2);
    scope_session_end(paused, 1); /* closes a call that was recorded open */
    scope_host_resume(paused);
    scope_session_end(paused, 2); /* its begin is not there */
    scope_session_end(other, 2);
    scope_session_begin(paused, 2);
    scope_session_end(paused, 2);
    read_events events = hosted_events(paused);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 2), 1);
    free(events.items);
    events = hosted_events(other);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 2), 1);
    free(events.items);
    scope_host_close(paused);
    scope_host_close(other);
}

static void a_begin_that_one_task_skipped_is_not_another_s(void)
{
    scope_session *session = hosted_create();
    const scope_task a = scope_host_task_new(session, SCOPE_TASK_KIND_TASK, "a", 1, NULL, 0);
    const scope_task b = scope_host_task_new(session, SCOPE_TASK_KIND_TASK, "b", 1, NULL, 0);
    scope_host_task_resume(session, b);
    scope_session_begin(session, 5);
    scope_host_task_suspend(session, b);
    scope_host_pause(session);
    scope_host_task_resume(session, a);
    scope_session_begin(session, 5); /* skipped, on a */
    scope_host_task_suspend(session, a);
    scope_host_resume(session);
    scope_host_task_resume(session, b);
    scope_session_end(session, 5); /* recorded, on b */
    scope_host_task_suspend(session, b);
    scope_host_task_resume(session, a);
    scope_session_end(session, 5); /* not recorded */
    scope_host_task_suspend(session, a);
    read_events events = hosted_events(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 5), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 5), 1);
    uint64_t task = UINT64_MAX;
    for (size_t i = 0; i < events.count; i++) {
        if (events.items[i].kind == SCOPE_EVENT_RESUME)
            task = events.items[i].id;
        if (events.items[i].kind == SCOPE_EVENT_END)
            CU_ASSERT_EQUAL(task, (uint64_t)b);
    }
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_RESUME, -1), 4);
    free(events.items);
    scope_host_close(session);
}

static void tasks_are_numbered_per_session(void)
{
    scope_session *one = hosted_create(), *two = hosted_create();
    CU_ASSERT_EQUAL(scope_host_task_new(one, SCOPE_TASK_KIND_TASK, "a", 1, NULL, 0), 0);
    CU_ASSERT_EQUAL(scope_host_task_new(one, SCOPE_TASK_KIND_TASK, "b", 1, NULL, 0), 1);
    CU_ASSERT_EQUAL(scope_host_task_new(two, SCOPE_TASK_KIND_GREENLET, "c", 1, "code", 4), 0);
    scope_host_task_suspend(one, 0); /* does not run: counted */
    scope_host_task_describe(one, 1, SCOPE_TASK_KIND_TASK, "named", 5, NULL, 0);
    scope_host_task_done(one, 1);
    read_events events = hosted_events(one);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_NEW, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_SUSPEND, -1), 0);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_DONE, 1), 1);
    free(events.items);
    scope_host_close(one);
    CU_ASSERT_EQUAL(scope_host_task_new(one, SCOPE_TASK_KIND_TASK, "a", 1, NULL, 0), -1);
    scope_host_close(two);
}

/* ---- threads ---- */

typedef struct named {
    scope_session *session;
    int64_t index, again, without;
} named;

static void *be_named(void *argument)
{
    named *thread = argument;
    thread->without = scope_host_thread_index(thread->session);
    scope_host_thread(thread->session, "Thread-1", 8, 4711, 1, 1, &thread->index);
    scope_host_thread(thread->session, "worker", 6, 4711, 1, 1, &thread->again);
    scope_session_begin(thread->session, 1);
    scope_session_end(thread->session, 1);
    scope_host_thread_end();
    return NULL;
}

static void a_thread_has_the_name_that_its_host_said_last(void)
{
    scope_session *sessions[2];
    hosted_start();
    sessions[0] = scope_host_process();
    sessions[1] = hosted_create();
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        named state = {.session = sessions[i], .index = -1, .again = -1};
        scope_session_begin(sessions[i], 2); /* this thread is number 0 */
        CU_ASSERT_EQUAL(scope_host_thread_index(sessions[i]), 0);
        pthread_create(&thread, NULL, be_named, &state);
        pthread_join(thread, NULL);
        CU_ASSERT_EQUAL(state.without, -1);
        CU_ASSERT_EQUAL(state.index, 1);
        CU_ASSERT_EQUAL(state.again, 1);
        const scope_define_thread *entry = thread_of(sessions[i], 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
        CU_ASSERT_EQUAL(entry->name_bytes, 6);
        CU_ASSERT_NSTRING_EQUAL(entry->name, "worker", 6);
        CU_ASSERT_EQUAL(entry->ident, 4711);
        const uint64_t first = first_start_of(sessions[i], 1);
        CU_ASSERT_EQUAL(entry->start_ticks, first); /* a name changes nothing else */
        CU_ASSERT_EQUAL(entry->flags,
                        SCOPE_THREAD_HOST | SCOPE_THREAD_DAEMON | SCOPE_THREAD_START_EXACT);
        read_events events = hosted_events(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD, 1), 1);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, 1), 1);
        free(events.items);
    }
    scope_host_close(sessions[1]);
    scope_host_close(sessions[0]);
}

static void *end_and_record(void *argument)
{
    scope_session *session = argument;
    int64_t index;
    scope_host_thread(session, "t", 1, 1, 0, 1, &index);
    scope_host_thread_end();
    scope_session_begin(session, 1);
    scope_session_end(session, 1);
    return NULL;
}

static void what_a_thread_records_after_its_end_moves_it(void)
{
    pthread_t thread;
    scope_session *session = hosted_create();
    pthread_create(&thread, NULL, end_and_record, session);
    pthread_join(thread, NULL);
    read_events events = hosted_events(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD, 0), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 1), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, 0), 2);
    CU_ASSERT_EQUAL(events.items[events.count - 1].kind, SCOPE_EVENT_THREAD_END);
    free(events.items);
    scope_host_close(session);
}

static pthread_barrier_t barrier;

static void *wait_without_recording(void *argument)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return argument;
}

static void threads_that_record_nothing_are_no_lanes_of_a_host(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    hosted_start();
    pthread_create(&thread, NULL, wait_without_recording, NULL);
    pthread_barrier_wait(&barrier);
    scope_region_begin(1);
    scope_region_end(1);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, wait_without_recording, NULL); /* while it records */
    pthread_barrier_wait(&barrier);
    CU_ASSERT_PTR_NOT_NULL(thread_of(scope_host_process(), 0));
    CU_ASSERT_PTR_NULL(thread_of(scope_host_process(), 1));
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    CU_ASSERT_PTR_NULL(thread_of(scope_host_process(), 1));
    scope_host_close(scope_host_process());
    pthread_barrier_destroy(&barrier);
}

static int64_t burn(int64_t until_ns)
{
    struct timespec now;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while (now.tv_sec * INT64_C(1000000000) + now.tv_nsec < until_ns);
    return until_ns;
}

static void *burn_and_wait(void *argument)
{
    burn(20000000);
    scope_session_begin(argument, 1);
    scope_session_end(argument, 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void cpu_time_counts_from_the_start_of_the_thread(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    scope_session *session = hosted_create();
    pthread_create(&thread, NULL, burn_and_wait, session);
    pthread_barrier_wait(&barrier);
    const scope_define_thread_state *state = state_of(session, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(state);
    CU_ASSERT_TRUE(state->cpu_ns >= 20000000);
    CU_ASSERT_EQUAL(state->alive, 1);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    read_events events = hosted_events(session);
    CU_ASSERT_TRUE(events.items[events.count - 1].values[0] >= 20000000);
    free(events.items);
    scope_host_close(session);
    pthread_barrier_destroy(&barrier);
}

/* ---- definitions ---- */

static void tags_and_places_are_the_session_s_own(void)
{
    scope_session *one = hosted_create(), *two = hosted_create();
    CU_ASSERT_EQUAL(scope_host_tag(one, 3, "io", 2), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_source(one, 3, "a.py", 4, 17), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_metadata(two, "key", 3, "value", 5), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_tag(one, 3, "", 0), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(scope_host_tag(one, -1, "io", 2), SCOPE_OK);
    scope_recording view;
    uint16_t number;
    scope_host_view(one, &view, &number);
    const scope_definition *tag = read_definition(&view, SCOPE_DEFINE_TAG, NULL);
    const scope_definition *source = read_definition(&view, SCOPE_DEFINE_SOURCE, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    CU_ASSERT_EQUAL(tag->session, number);
    CU_ASSERT_EQUAL(source->session, number);
    CU_ASSERT_EQUAL(((const scope_define_source *)source)->line, 17);
    scope_host_close(one);
    CU_ASSERT_EQUAL(scope_host_tag(one, 3, "io", 2), SCOPE_ERR_STATE);
    scope_host_close(two);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(nothing_recorded_means_an_empty_view),
        UNIT(calls_of_any_session_are_read_while_it_goes_on),
        UNIT(a_call_with_times_of_its_own_keeps_them),
        UNIT(a_pause_of_one_session_is_not_another_s),
        UNIT(a_begin_that_one_task_skipped_is_not_another_s),
        UNIT(tasks_are_numbered_per_session),
        UNIT(a_thread_has_the_name_that_its_host_said_last),
        UNIT(what_a_thread_records_after_its_end_moves_it),
        UNIT(threads_that_record_nothing_are_no_lanes_of_a_host),
        UNIT(cpu_time_counts_from_the_start_of_the_thread),
        UNIT(tags_and_places_are_the_session_s_own),
        {0},
    };
    return unit_run("host", tests);
}
