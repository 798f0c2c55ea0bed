/* test_live.c - a host reads, writes and cuts its session while other threads record.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/host.h>
#include <scope/region.h>
#include <scope/replay.h>

enum { THREADS = 3, ROUNDS = 60000 };

static scope_session *session;
static scope_region outer, inner;
static atomic_int running;

/* ROUNDS outer calls with two inner ones each, and one open call at the end. */
static void *work(void *unused)
{
    (void)unused;
    scope_host_thread(session, "worker", 6, 7, 0, 1, &(int64_t){0});
    for (int i = 0; i < ROUNDS; i++) {
        scope_session_begin(session, outer);
        for (int k = 0; k < 2; k++) {
            scope_session_begin(session, inner);
            scope_session_end(session, inner);
        }
        scope_session_end(session, outer);
    }
    scope_session_begin(session, outer);
    scope_session_end(session, outer);
    scope_host_thread_end();
    atomic_fetch_sub(&running, 1);
    return NULL;
}

static scope_cursor *cursor;

static int advance(void)
{
    scope_recording view;
    uint16_t number;
    CU_ASSERT_EQUAL_FATAL(scope_host_view(session, &view, &number), SCOPE_OK);
    if (!number)
        return 0;
    if (!cursor) {
        const scope_cursor_options options = {.size_bytes = sizeof options, .host = 1};
        CU_ASSERT_EQUAL_FATAL(scope_cursor_new_with(&view, number, &options, &cursor), SCOPE_OK);
    }
    CU_ASSERT_EQUAL_FATAL(scope_cursor_advance(cursor, &view), SCOPE_OK);
    return 1;
}

static uint64_t take(int64_t *next_call_id, int checkpoint)
{
    scope_calls *calls = NULL;
    scope_define_cut_stream *positions;
    size_t count;
    if (!advance())
        return 0;
    const scope_table_options options = {.size_bytes = sizeof options,
                                         .first_call_id = *next_call_id};
    CU_ASSERT_EQUAL_FATAL(scope_cursor_table(cursor, &options, &calls), SCOPE_OK);
    for (uint64_t row = 0; row < calls->count; row++)
        CU_ASSERT_FATAL(calls->call_ids[row] >= *next_call_id &&
                        calls->parent_ids[row] < calls->call_ids[row]);
    const uint64_t rows = calls->count;
    scope_calls_free(calls);
    *next_call_id += (int64_t)rows;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_positions(cursor, &positions, &count), SCOPE_OK);
    if (checkpoint)
        CU_ASSERT_EQUAL(
            scope_host_checkpoint(session, positions, count, *next_call_id, "/tmp/x.h5"), SCOPE_OK);
    free(positions);
    CU_ASSERT_EQUAL(scope_cursor_cut(cursor), SCOPE_OK);
    return rows;
}

static void run(int checkpoint)
{
    const scope_host_options options = {
        .size_bytes = sizeof options, .memory_only = 1, .lanes = SCOPE_HOST_TASKS};
    pthread_t threads[THREADS];
    int64_t next = 0;
    uint64_t rows = 0;
    CU_ASSERT_EQUAL_FATAL(scope_host_create(&options, &session), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_region_register("outer", &outer), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_region_register("inner", &inner), SCOPE_OK);
    atomic_store(&running, THREADS);
    for (int i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, NULL), 0);
    while (atomic_load(&running))
        rows += take(&next, checkpoint);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    rows += take(&next, checkpoint);
    CU_ASSERT_EQUAL(rows, THREADS * (3 * ROUNDS + 1));
    CU_ASSERT_EQUAL(scope_cursor_open_count(cursor, UINT32_MAX), 0);
    scope_calls *lanes;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_lanes(cursor, &lanes), SCOPE_OK);
    CU_ASSERT_EQUAL(lanes->thread_count, THREADS);
    for (size_t i = 0; i < lanes->thread_count; i++)
        CU_ASSERT_TRUE(lanes->threads[i].end_ns > 0);
    scope_calls_free(lanes);
    scope_cursor_free(cursor);
    cursor = NULL;
    scope_host_close(session);
}

static void every_call_is_in_one_table(void)
{
    run(0);
}

static void every_call_is_in_one_file(void)
{
    run(1);
}

static int64_t cpu_of_main(void)
{
    scope_calls *lanes;
    CU_ASSERT_TRUE_FATAL(advance());
    CU_ASSERT_EQUAL_FATAL(scope_cursor_lanes(cursor, &lanes), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(lanes->thread_count, 1);
    const int64_t cpu_ns = lanes->threads[0].cpu_ns;
    CU_ASSERT_EQUAL(lanes->threads[0].end_ns, -1);
    scope_calls_free(lanes);
    return cpu_ns;
}

static void cpu_time_of_a_living_thread_goes_on(void)
{
    const scope_host_options options = {
        .size_bytes = sizeof options, .memory_only = 1, .lanes = SCOPE_HOST_THREADS};
    int64_t index;
    CU_ASSERT_EQUAL_FATAL(scope_host_create(&options, &session), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_host_thread(session, "main", 4, 1, 0, 0, &index), SCOPE_OK);
    int64_t before = cpu_of_main();
    for (int i = 0; i < 3; i++) {
        for (volatile long work = 0; work < 5000000; work++)
            ;
        const int64_t after = cpu_of_main();
        CU_ASSERT_TRUE(before >= 0 && after > before);
        before = after;
    }
    scope_cursor_free(cursor);
    cursor = NULL;
    scope_host_close(session);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("live", NULL, NULL);
    CU_ADD_TEST(suite, cpu_time_of_a_living_thread_goes_on);
    CU_ADD_TEST(suite, every_call_is_in_one_table);
    CU_ADD_TEST(suite, every_call_is_in_one_file);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
