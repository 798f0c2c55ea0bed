/* test_limits.c - long lives: what a process does for ever costs no more than once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <pthread.h>
#include <scope/session.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 64 };

static atomic_int over;

static scope_options no_file(void)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.no_output = 1;
    return options;
}

static void *call_until_over(void *argument)
{
    (void)argument;
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        for (int i = 0; i < 100; i++) {
            scope_region_begin(1);
            scope_region_end(1);
        }
    }
    return NULL;
}

/* What is dropped is counted in a header that goes away at any time. */
static void threads_that_drop_may_outlive_the_recording(void)
{
    pthread_t threads[THREADS];
    atomic_store(&over, 0);
    for (int i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, call_until_over, NULL), 0);
    for (int i = 0; i < 40; i++) {
        scope_options options = no_file();
        options.max_bytes = 1 << 20;
        options.policy = SCOPE_POLICY_STOP;
        options.no_spool = i % 2;
        CU_ASSERT_EQUAL(scope_init(&options), SCOPE_OK);
        for (int k = 0; k < 200 && !atomic_load(&scope_process_session.dropped_events); k++)
            usleep(1000);
        usleep(1000);
        CU_ASSERT_EQUAL(scope_finalize(), SCOPE_OK);
    }
    atomic_store(&over, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* ---- explicit sessions, opened and closed beside threads that live on ---- */

static scope_session *_Atomic current;
static pthread_barrier_t turn;

static void *record_each_turn(void *argument)
{
    (void)argument;
    for (;;) {
        pthread_barrier_wait(&turn);
        if (atomic_load(&over))
            return NULL;
        scope_session_begin(atomic_load(&current), 1);
        scope_session_end(atomic_load(&current), 1);
        pthread_barrier_wait(&turn);
    }
}

static size_t count_maps(void)
{
    size_t lines = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    for (int c; maps && (c = fgetc(maps)) != EOF;)
        lines += c == '\n';
    if (maps)
        fclose(maps);
    return lines;
}

static void sessions_beside_live_threads_give_all_back(void)
{
    enum { LIVE = 8, TURNS = 600, FIRST = 50 };
    pthread_t threads[LIVE];
    uint64_t bytes = 0;
    size_t maps = 0;
    recorded_start(NULL);
    scope_region_begin(1); /* the recording stays open all the time */
    atomic_store(&over, 0);
    pthread_barrier_init(&turn, NULL, LIVE + 1);
    for (int i = 0; i < LIVE; i++)
        CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, record_each_turn, NULL), 0);
    for (int i = 0; i < TURNS; i++) {
        scope_session *session = NULL;
        scope_options options = no_file();
        CU_ASSERT_EQUAL(scope_session_create(&options, &session), SCOPE_OK);
        atomic_store(&current, session);
        pthread_barrier_wait(&turn);
        pthread_barrier_wait(&turn);
        CU_ASSERT_EQUAL(scope_session_close(session), SCOPE_OK);
        if (i == FIRST) {
            bytes = scope_store.used_bytes;
            maps = count_maps();
        }
    }
    CU_ASSERT_TRUE(scope_store.used_bytes <= bytes);
    CU_ASSERT_TRUE(count_maps() <= maps + 6); /* definitions of the sessions */
    atomic_store(&over, 1);
    pthread_barrier_wait(&turn);
    for (int i = 0; i < LIVE; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&turn);
    scope_region_end(1);
    recorded_end(NULL);
}

static void what_a_pause_left_out_is_forgotten_by_the_next_session(void)
{
    recorded_start(NULL);
    scope_region_begin(2); /* opens the recording */
    scope_pause();
    scope_region_begin(1);
    recorded_end(NULL);
    recorded_start(NULL);
    for (int i = 0; i < 3; i++) {
        scope_region_begin(1);
        scope_region_end(1);
    }
    scope_region_end(1); /* without a begin in this session */
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 1), 3);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 4);
    recorded_end(&events);
}

/* ---- more threads, tasks and definitions than there is room for ---- */

static void *call_once(void *argument)
{
    (void)argument;
    scope_region_begin(1);
    scope_region_end(1);
    return NULL;
}

static void threads_beyond_the_limit_share_a_lane(void)
{
    enum { SHORT = 500, LIMIT = 20 };
    setenv("SCOPE_MAX_LANES", "20", 1);
    recorded_start(NULL);
    unsetenv("SCOPE_MAX_LANES");
    scope_region_begin(2);
    for (int i = 0; i < SHORT; i++) {
        pthread_t thread;
        CU_ASSERT_EQUAL(pthread_create(&thread, NULL, call_once, NULL), 0);
        pthread_join(thread, NULL);
    }
    scope_region_end(2);
    read_events events = recorded_events();
    const scope_recording view = recorded_stop();
    int64_t last = -1;
    for (size_t i = 0; i < events.count; i++)
        last = events.items[i].thread > last ? events.items[i].thread : last;
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 1), SHORT);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), SHORT);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, LIMIT), SHORT - LIMIT + 1);
    CU_ASSERT_EQUAL(last, LIMIT); /* one after the other: they share one stream */
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_THREAD), LIMIT + 1);
    CU_ASSERT_EQUAL(scope_process_session.other_threads, SHORT - LIMIT + 1);
    recorded_end(&events);
}

static void tasks_beyond_the_limit_take_the_ids_of_done_ones(void)
{
    enum { TASKS = 500, LIMIT = 20 };
    scope_task last = -1;
    setenv("SCOPE_MAX_LANES", "20", 1);
    recorded_start(NULL);
    unsetenv("SCOPE_MAX_LANES");
    for (int i = 0; i < TASKS; i++) {
        const scope_task pair[2] = {scope_task_new("a", NULL), scope_task_new("b", "c")};
        for (int k = 0; k < 2; k++) {
            scope_task_resume(pair[k]);
            scope_region_begin(1);
            scope_region_end(1);
            scope_task_suspend(pair[k]);
            last = pair[k] > last ? pair[k] : last;
        }
        CU_ASSERT_NOT_EQUAL(pair[0], pair[1]);
        scope_task_done(pair[0]);
        scope_task_done(pair[1]);
    }
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(last, LIMIT + 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_NEW, -1), LIMIT + 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 1), 2 * TASKS);
    CU_ASSERT_EQUAL(atomic_load(&scope_process_session.other_tasks), 2 * TASKS - LIMIT);
    recorded_end(&events);
}

static void definitions_stay_within_their_share_of_the_budget(void)
{
    enum { BUDGET = 4 << 20 };
    char tag[64];
    scope_options options = SCOPE_OPTIONS_INIT;
    options.max_bytes = BUDGET;
    recorded_start(&options);
    scope_region_begin(1);
    CU_ASSERT_EQUAL(scope_region_tag(1, "again"), SCOPE_OK);
    const uint64_t before = scope_store.other_bytes;
    for (int i = 0; i < 100000; i++)
        CU_ASSERT_EQUAL(scope_region_tag(1, "again"), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_store.other_bytes, before);
    int refused = 0;
    for (int i = 0; i < 100000; i++) {
        snprintf(tag, sizeof tag, "tag %d", i);
        refused += scope_region_tag(1, tag) == SCOPE_ERR_MEMORY;
    }
    CU_ASSERT_TRUE(refused > 0);
    CU_ASSERT_TRUE(scope_store.other_bytes <= BUDGET / 4 + (2 << 20)); /* whole chunks */
    for (int i = 0; i < 50000; i++)
        scope_runtime_communicator((uint32_t)i, 1, 0, 0, "communicator", 0, 0);
    CU_ASSERT_TRUE(scope_store.other_bytes <= BUDGET / 4 + (2 << 20));
    scope_region_end(1);
    read_events events = recorded_events();
    const scope_recording view = recorded_stop();
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_SESSION_END), 1);
    CU_ASSERT_TRUE(view.header->lost_bytes > 0);
    recorded_end(&events);
}

static void many_flushes_write_the_state_of_a_thread_once(void)
{
    recorded_start(NULL);
    scope_region_begin(1);
    scope_region_end(1);
    for (int i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(scope_flush(), SCOPE_OK);
    const scope_recording view = recorded_stop();
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_THREAD_STATE), 1);
    recorded_end(NULL);
}

/* Every thread that ends leaves sums; they must not be kept one by one for ever. */
static void sums_of_ended_lanes_become_one_and_stay_exact(void)
{
    enum { SHORT = 3000, CALLS = 40, BUDGET = 1 << 20 };
    scope_options options = no_file();
    options.max_bytes = BUDGET;
    recorded_start(&options);
    scope_region_begin(2); /* of a lane that lives: its sums stay its own */
    for (int i = 0; i < SHORT; i++) {
        const scope_task task = scope_task_new("short", NULL);
        scope_task_resume(task);
        for (int k = 0; k < CALLS; k++) {
            scope_region_begin(1);
            scope_region_end(1);
        }
        scope_task_suspend(task);
        scope_task_done(task);
        scope_region_begin(3);
        scope_region_end(3);
    }
    scope_region_end(2);
    read_events events = recorded_events();
    const scope_recording view = recorded_stop();
    const scope_sums_header *sums = read_sums(&view, scope_process_session.number, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    const scope_sum *rows = (const scope_sum *)(sums + 1);
    uint64_t calls = 0, own = 0, shared = 0;
    for (uint32_t i = 0; i < sums->row_count; i++) {
        calls += rows[i].region == 1 ? rows[i].count : 0;
        own += rows[i].region == 3 && rows[i].lane == -2 ? rows[i].count : 0;
        shared += rows[i].region == 1 && rows[i].lane < 0 ? rows[i].count : 0;
    }
    CU_ASSERT_TRUE(scope_process_session.other_lanes > SHORT / 2);
    CU_ASSERT_EQUAL(shared, (uint64_t)scope_process_session.other_lanes * CALLS);
    CU_ASSERT_EQUAL(calls + count_events(&events, SCOPE_EVENT_END, 1), SHORT * CALLS);
    CU_ASSERT_EQUAL(own + count_events(&events, SCOPE_EVENT_END, 3), SHORT);
    CU_ASSERT_EQUAL(view.header->dropped_events, 0);
    CU_ASSERT_TRUE(sums->row_count * sizeof(scope_sum) < 128 << 10);
    recorded_end(&events);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(threads_that_drop_may_outlive_the_recording),
        UNIT(sessions_beside_live_threads_give_all_back),
        UNIT(what_a_pause_left_out_is_forgotten_by_the_next_session),
        UNIT(threads_beyond_the_limit_share_a_lane),
        UNIT(tasks_beyond_the_limit_take_the_ids_of_done_ones),
        UNIT(definitions_stay_within_their_share_of_the_budget),
        UNIT(sums_of_ended_lanes_become_one_and_stay_exact),
        UNIT(many_flushes_write_the_state_of_a_thread_once),
        {0},
    };
    return unit_run("limits", tests);
}
