/* test_thread.c - thread lanes: exact starts and ends, CPU time, names, many of them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include "intercept.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define SEES_STARTS (!scope_under_tsan)

static void *silent(void *argument)
{
    return argument;
}

static const scope_define_thread *definition_of(const scope_recording *view, int64_t thread)
{
    const scope_define_thread *found = NULL, *entry = NULL;
    while ((entry = (const void *)read_definition(view, SCOPE_DEFINE_THREAD, (const void *)entry)))
        if (entry->thread == thread)
            found = entry; /* the last one counts */
    return found;
}

static const scope_define_thread_state *state_of(const scope_recording *view, int64_t thread)
{
    const scope_define_thread_state *found = NULL, *entry = NULL;
    while ((entry = (const void *)read_definition(view, SCOPE_DEFINE_THREAD_STATE,
                                                  (const void *)entry)))
        if (entry->thread == thread)
            found = entry;
    return found;
}

static void the_first_thread_is_the_main_one(void)
{
    recorded_start(NULL);
    scope_region_begin(1);
    scope_region_end(1);
    const scope_recording view = recorded_stop();
    const scope_define_thread *main_thread = definition_of(&view, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(main_thread);
    CU_ASSERT_TRUE(main_thread->flags & SCOPE_THREAD_MAIN);
    CU_ASSERT_EQUAL(main_thread->native_id, getpid());
    CU_ASSERT_TRUE(main_thread->name_bytes > 0);
    const scope_define_thread_state *state = state_of(&view, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(state);
    CU_ASSERT_EQUAL(state->alive, 1);
    CU_ASSERT_TRUE(state->cpu_ns >= 0);
    CU_ASSERT_TRUE(state->last_cpu >= 0);
    CU_ASSERT_TRUE(state->binding_bytes > 0);
    recorded_end(NULL);
}

static void starts_before_the_first_event_are_kept(void)
{
    pthread_t thread;
    recorded_start(NULL);
    for (int i = 0; i < 5; i++) {
        pthread_create(&thread, NULL, silent, NULL);
        pthread_join(thread, NULL);
    }
    CU_ASSERT_FALSE(scope_store.is_open); /* no spool because of threads alone */
    scope_region_begin(1);
    scope_region_end(1);
    const scope_recording view = recorded_stop();
    read_events events = read_all_events(&view, scope_process_session.number);
    const size_t expected = SEES_STARTS ? 5 : 0;
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, -1), expected);
    for (int64_t id = 1; id <= (int64_t)expected; id++) {
        const scope_define_thread *definition = definition_of(&view, id);
        CU_ASSERT_PTR_NOT_NULL_FATAL(definition);
        CU_ASSERT_TRUE(definition->flags & SCOPE_THREAD_START_EXACT);
        for (size_t i = 0; i < events.count; i++)
            if (events.items[i].kind == SCOPE_EVENT_THREAD_END && events.items[i].id == (uint64_t)id)
                CU_ASSERT_TRUE(events.items[i].ticks >= definition->start_ticks);
    }
    recorded_end(&events);
}

static int64_t usage_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000 +
           ((int64_t)usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

static int64_t last_usage_ns;

static void *busy(void *argument)
{
    const struct timespec pause = {0, 1000000};
    scope_region_begin(3);
    while (usage_ns() < 20000000)
        ;
    nanosleep(&pause, NULL);
    scope_region_end(3);
    prctl(PR_SET_NAME, "renamed");
    last_usage_ns = usage_ns();
    return argument;
}

static void a_thread_that_ends_says_when_and_its_cpu_time(void)
{
    pthread_t thread;
    recorded_start(NULL);
    scope_region_begin(1);
    pthread_create(&thread, NULL, busy, NULL);
    pthread_join(thread, NULL);
    scope_region_end(1);
    const scope_recording view = recorded_stop();
    read_events events = read_all_events(&view, scope_process_session.number);
    const read_event *end = NULL, *started = NULL;
    for (size_t i = 0; i < events.count; i++) {
        if (events.items[i].kind == SCOPE_EVENT_THREAD && events.items[i].id == 1)
            started = &events.items[i];
        if (events.items[i].kind == SCOPE_EVENT_THREAD_END)
            end = &events.items[i];
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    CU_ASSERT_PTR_NOT_NULL_FATAL(started);
    CU_ASSERT_EQUAL(end->id, 1);
    CU_ASSERT_TRUE(SEES_STARTS ? (int64_t)end->values[0] >= last_usage_ns - 1000000 : 1);
    const scope_define_thread *definition = definition_of(&view, 1);
    const double seconds = (double)(end->ticks - definition->start_ticks) /
                           (double)scope_store.header->ticks_per_second;
    CU_ASSERT_TRUE((double)end->values[0] / 1e9 <= seconds * 1.001 + 1e-4);
    CU_ASSERT_EQUAL(definition->name_bytes, 7);
    CU_ASSERT_NSTRING_EQUAL(definition->name, "renamed", 7);
    CU_ASSERT_EQUAL(state_of(&view, 1)->alive, 0);
    recorded_end(&events);
}

static int c11_thread(void *argument)
{
    scope_region_begin(4);
    scope_region_end(4);
    return argument ? 1 : 0;
}

static void c11_threads_are_lanes_too(void)
{
    thrd_t thread;
    int result = -1, argument;
    if (scope_under_tsan)
        return; /* it does not know such threads */
    recorded_start(NULL);
    scope_region_begin(1);
    CU_ASSERT_EQUAL(thrd_create(&thread, c11_thread, &argument), thrd_success);
    thrd_join(thread, &result);
    CU_ASSERT_EQUAL(result, 1);
    scope_region_end(1);
    const scope_recording view = recorded_stop();
    read_events events = read_all_events(&view, scope_process_session.number);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, 1), 1);
    CU_ASSERT_TRUE(!SEES_STARTS || definition_of(&view, 1)->flags & SCOPE_THREAD_START_EXACT);
    recorded_end(&events);
}

static pthread_key_t late_key;

static void late_destructor(void *value)
{
    scope_region_begin(5);
    scope_region_end(5);
    if ((intptr_t)value < 3 - scope_under_tsan)
        pthread_setspecific(late_key, (void *)((intptr_t)value + 1));
}

static void *with_destructor(void *argument)
{
    pthread_setspecific(late_key, (void *)1);
    scope_region_begin(6);
    scope_region_end(6);
    return argument;
}

static void destructors_that_record_are_on_the_thread_still(void)
{
    pthread_t thread;
    pthread_key_create(&late_key, late_destructor);
    recorded_start(NULL);
    pthread_create(&thread, NULL, with_destructor, NULL);
    pthread_join(thread, NULL);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 5), (size_t)(3 - scope_under_tsan));
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 5), (size_t)(3 - scope_under_tsan));
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD, -1), 1);
    CU_ASSERT_EQUAL(events.items[events.count - 1].kind, SCOPE_EVENT_THREAD_END);
    recorded_end(&events);
    pthread_key_delete(late_key);
}

static void *cancelled(void *argument)
{
    scope_region_begin(7);
    for (;;)
        pause();
    return argument;
}

static void a_cancelled_thread_ends_like_any_other(void)
{
    pthread_t thread;
    recorded_start(NULL);
    scope_region_begin(1);
    pthread_create(&thread, NULL, cancelled, NULL);
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, 1), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 7), 1);
    recorded_end(&events);
}

static pthread_barrier_t barrier;

static void *waits(void *argument)
{
    scope_region_begin(2);
    while (usage_ns() < 3000000)
        ;
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    scope_region_end(2);
    return argument;
}

static void threads_alive_at_the_end_have_cpu_time(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    recorded_start(NULL);
    scope_region_begin(1);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_barrier_wait(&barrier);
    const scope_recording view = recorded_stop();
    const scope_define_thread_state *state = state_of(&view, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(state);
    CU_ASSERT_EQUAL(state->alive, 1);
    CU_ASSERT_TRUE(!SEES_STARTS || state->cpu_ns >= 2900000);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    recorded_end(NULL);
}

static void *one_call(void *argument)
{
    scope_region_begin(1);
    scope_region_end(1);
    return argument;
}

static void many_short_threads_take_what_few_take(void)
{
    enum { THREADS = 20000 };
    recorded_start(NULL);
    for (int i = 0; i < THREADS; i += 4) {
        pthread_t threads[4];
        for (int k = 0; k < 4; k++)
            pthread_create(&threads[k], NULL, one_call, NULL);
        for (int k = 0; k < 4; k++)
            pthread_join(threads[k], NULL);
    }
    const scope_recording view = recorded_stop();
    read_events events = read_all_events(&view, scope_process_session.number);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, -1), THREADS);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), THREADS);
    CU_ASSERT_TRUE(scope_store.stream_count <= 8);
    CU_ASSERT_TRUE(scope_store.used_bytes < THREADS * 5 * 8 * 3);
    recorded_end(&events);
}

static void a_second_session_counts_cpu_time_from_its_start(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL); /* 3 ms of CPU before the session */
    pthread_barrier_wait(&barrier);
    recorded_start(NULL);
    scope_region_begin(1);
    const scope_recording view = recorded_stop();
    const scope_define_thread_state *state = state_of(&view, 1);
    const scope_define_thread *definition = definition_of(&view, 1);
    if (SEES_STARTS) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(state);
        CU_ASSERT_TRUE(state->cpu_ns < 2000000);
        CU_ASSERT_TRUE(definition->start_ticks >= (uint64_t)scope_store.header->start_ticks);
    }
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    recorded_end(NULL);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(the_first_thread_is_the_main_one),
        UNIT(starts_before_the_first_event_are_kept),
        UNIT(a_thread_that_ends_says_when_and_its_cpu_time),
        UNIT(c11_threads_are_lanes_too),
        UNIT(destructors_that_record_are_on_the_thread_still),
        UNIT(a_cancelled_thread_ends_like_any_other),
        UNIT(threads_alive_at_the_end_have_cpu_time),
        UNIT(many_short_threads_take_what_few_take),
        UNIT(a_second_session_counts_cpu_time_from_its_start),
        {0},
    };
    return unit_run("thread", tests);
}
