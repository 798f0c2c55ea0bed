/* test_host_session.c - what a host sees of its session while it goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host_session.h"

/* ---- a session on one thread ---- */

static void region_rows_are_in_order_of_entry_and_open_ones_have_end_zero(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, INNER);
    begin(1300, INNER);
    look();
    int64_t *starts, *ends;
    size_t count;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_region(cursor, INNER, &starts, &ends, &count), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(count, 2);
    CU_ASSERT_EQUAL(starts[0], 1100);
    CU_ASSERT_EQUAL(ends[0], 1200);
    CU_ASSERT_EQUAL(starts[1], 1300);
    CU_ASSERT_EQUAL(ends[1], 0);
    free(starts);
    free(ends);
    CU_ASSERT_EQUAL_FATAL(scope_cursor_region(cursor, 77, &starts, &ends, &count), SCOPE_OK);
    CU_ASSERT_EQUAL(count, 0);
    free(starts);
    free(ends);
    CU_ASSERT_EQUAL(scope_cursor_open_count(cursor, UINT32_MAX), 2);
    CU_ASSERT_EQUAL(scope_cursor_open_count(cursor, OUTER), 1);
    CU_ASSERT_EQUAL(scope_cursor_open_count(cursor, 77), 2);
    stop();
}

static void a_table_leaves_the_cursor_as_it_is(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, INNER);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(table(), SCOPE_OK);
        CU_ASSERT_EQUAL_FATAL(calls->count, 1);
        CU_ASSERT_EQUAL(calls->start_ns[0], 1100);
        CU_ASSERT_EQUAL(calls->parent_ids[0], -1); /* what is around it is not in the table */
    }
    const scope_table_options open = {.size_bytes = sizeof open, .end = 1};
    CU_ASSERT_EQUAL(table_with(&open), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->count, 2);
    stop();
}

static void regions_come_in_the_order_that_is_wanted(void)
{
    start(0);
    for (uint32_t region = OUTER; region <= THIRD; region++) {
        begin(1000 + region * 10, region);
        end(1005 + region * 10, region);
    }
    const uint32_t order[] = {THIRD, 99, OUTER, THIRD};
    const scope_table_options options = {
        .size_bytes = sizeof options, .order = order, .order_count = 4, .first_call_id = 40};
    CU_ASSERT_EQUAL(table_with(&options), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->pair_count, 3);
    CU_ASSERT_STRING_EQUAL(name_of_pair(0), "third");
    CU_ASSERT_STRING_EQUAL(name_of_pair(1), "outer");
    CU_ASSERT_STRING_EQUAL(name_of_pair(2), "inner");
    CU_ASSERT_EQUAL(calls->call_ids[0], 42); /* ids follow the time */
    CU_ASSERT_EQUAL(calls->call_ids[1], 40);
    stop();
}

static void a_cut_hands_open_calls_on(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, INNER);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->parent_ids[0], -1);
    CU_ASSERT_EQUAL_FATAL(scope_cursor_cut(cursor), SCOPE_OK);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->count, 0);
    CU_ASSERT_EQUAL(calls->region_count, 0);
    int64_t *starts, *ends;
    size_t count;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_region(cursor, OUTER, &starts, &ends, &count), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(count, 1); /* still open: it belongs to what follows */
    CU_ASSERT_EQUAL(starts[0], 1000);
    CU_ASSERT_EQUAL(ends[0], 0);
    free(starts);
    free(ends);
    end(1500, OUTER);
    const scope_table_options options = {.size_bytes = sizeof options, .first_call_id = 1};
    CU_ASSERT_EQUAL(table_with(&options), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 500);
    CU_ASSERT_EQUAL(calls->call_ids[0], 1);
    CU_ASSERT_EQUAL(calls->pairs[0].exclusive_ns, 500); /* its child is in the table before */
    stop();
}

static void calls_with_times_of_their_own_are_given_back_exactly(void)
{
    start(0);
    const int64_t starts[] = {3, -5, INT64_C(1790000000000000001)}; /* also of time.time_ns() */
    for (int i = 0; i < 3; i++) {
        const uint64_t start_ns = (uint64_t)starts[i];
        const uint64_t values[] = {start_ns, start_ns >> 60 << 56 | 4};
        writer_values(writer, 2000, SCOPE_EVENT_CALL, INNER, values, 2);
    }
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(calls->start_ns[i], starts[i]);
        CU_ASSERT_EQUAL(calls->duration_ns[i], 4);
    }
    int64_t *begins, *ends;
    size_t count;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_region(cursor, INNER, &begins, &ends, &count), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(count, 3); /* in the order in which they were given */
    CU_ASSERT_EQUAL(begins[1], -5);
    CU_ASSERT_EQUAL(ends[1], -1);
    free(begins);
    free(ends);
    stop();
}

static void crossing_calls_keep_their_times_and_take_the_ids(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, OUTER);
    end(1300, INNER);
    CU_ASSERT_EQUAL(table(), SCOPE_ERR_NESTING);
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_PTR_NULL(calls->call_ids);
    CU_ASSERT_PTR_NULL(calls->flags);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 200);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 200);
    CU_ASSERT_EQUAL_FATAL(calls->misuse_count, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].crossed, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].implied, 0);
    stop();
}

static void an_end_closes_nothing_but_its_own_region(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    begin(1150, OUTER);
    end(1200, OUTER);
    end(1250, THIRD); /* of nothing: counted */
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1150);
    CU_ASSERT_EQUAL(scope_cursor_open_count(cursor, UINT32_MAX), 2);
    CU_ASSERT_EQUAL_FATAL(calls->misuse_count, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].orphans, 1);
    CU_ASSERT_EQUAL(scope_cursor_cut(cursor), SCOPE_OK);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    end(1300, INNER);
    end(1400, OUTER);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->count, 2);
    stop();
}

/* ---- lanes ---- */

static void threads_without_events_that_are_not_the_hosts_are_left_out(void)
{
    start(0);
    thread(1, 110, 0); /* of C, records nothing */
    thread(2, 120, SCOPE_THREAD_HOST);
    thread(3, 130, 0);
    begin(1000, OUTER);
    end(1100, OUTER);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->thread_count, 3);
    CU_ASSERT_TRUE(is(calls->threads[0].name, "MainThread"));
    CU_ASSERT_TRUE(is(calls->threads[1].name, "worker 2"));
    CU_ASSERT_TRUE(is(calls->threads[2].name, "worker 3"));
    CU_ASSERT_EQUAL(calls->threads[2].index, 2);
    CU_ASSERT_EQUAL(calls->thread_ids[0], 2);
    scope_calls_free(calls);
    calls = NULL;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_lanes(cursor, &calls), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->thread_count, 3);
    CU_ASSERT_EQUAL(calls->count, 0);
    CU_ASSERT_EQUAL(calls->pair_count, 0);
    stop();
}

static void the_cpu_time_of_a_hosts_thread_is_what_the_definitions_say(void)
{
    start(0);
    thread(1, 110, SCOPE_THREAD_HOST | SCOPE_THREAD_START_EXACT);
    writer_thread_state(writer, 1, 5000, "");
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->thread_count, 2);
    CU_ASSERT_EQUAL(calls->threads[1].cpu_ns, 5000);
    CU_ASSERT_EQUAL(calls->threads[1].end_ns, -1);
    const uint64_t cpu = 6000;
    writer_values(writer, 200, SCOPE_EVENT_THREAD_END, 1, &cpu, 1);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->threads[1].cpu_ns, 6000); /* more than it lived here: its whole life */
    CU_ASSERT_EQUAL(calls->threads[1].end_ns, 200);
    stop();
}

static void the_last_name_of_a_task_counts(void)
{
    start(0);
    writer_name(writer, SCOPE_NAME_TASK, 1, "Task-1");
    writer_name(writer, SCOPE_NAME_TASK, 2, "fetcher");
    uint64_t value = UINT64_C(1) << 28;
    writer_values(writer, 200, SCOPE_EVENT_TASK_NEW, 0, &value, 1);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->task_count, 1);
    CU_ASSERT_TRUE(is(calls->tasks[0].name, "Task-1"));
    const uint64_t values[] = {0, UINT64_C(2) << 28 | 1};
    writer_values(writer, 300, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_TASK, values, 2);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->task_count, 1);
    CU_ASSERT_TRUE(is(calls->tasks[0].name, "fetcher"));
    CU_ASSERT_TRUE(is(calls->tasks[0].coro_name, "Task-1"));
    stop();
}

static void a_task_goes_on_over_a_cut(void)
{
    start(0);
    uint64_t value = 0;
    writer_values(writer, 200, SCOPE_EVENT_TASK_NEW, 0, &value, 1);
    ev(300, SCOPE_EVENT_RESUME, 0);
    begin(310, OUTER);
    ev(400, SCOPE_EVENT_SUSPEND, 0);
    look();
    CU_ASSERT_EQUAL_FATAL(scope_cursor_cut(cursor), SCOPE_OK);
    thread(1, 450, SCOPE_THREAD_HOST);
    ev(500, SCOPE_EVENT_RESUME, 0);
    end(600, OUTER);
    ev(610, SCOPE_EVENT_SUSPEND, 0);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 290);
    CU_ASSERT_EQUAL(calls->await_ns[0], 100);
    CU_ASSERT_EQUAL(calls->task_ids[0], 0);
    CU_ASSERT_EQUAL(calls->thread_ids[0], 0);
    CU_ASSERT_EQUAL(calls->tasks[0].steps, 2);
    stop();
}

/* ---- one stack ---- */

static void an_end_on_another_thread_closes_the_latest_open_call(void)
{
    start(1);
    begin(1000, OUTER);
    thread(1, 500, SCOPE_THREAD_HOST);
    begin(1100, OUTER);
    end(1300, INNER); /* nowhere open */
    writer_stream(writer, 0);
    begin(1200, INNER);
    end(1250, INNER);
    thread(2, 600, 0); /* it ends calls, and has none of its own: no lane */
    end(1400, OUTER);
    end(1500, OUTER);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    CU_ASSERT_PTR_NULL(calls->thread_ids);
    CU_ASSERT_PTR_NULL(calls->task_ids);
    CU_ASSERT_EQUAL(calls->thread_count, 0);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 500);
    CU_ASSERT_EQUAL(calls->start_ns[1], 1100);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 300);
    CU_ASSERT_EQUAL(calls->parent_ids[2], calls->call_ids[1]); /* over the threads */
    CU_ASSERT_EQUAL_FATAL(calls->misuse_count, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].orphans, 1);
    stop();
}

static void overlap_of_two_threads_leaves_one_stack_without_ids(void)
{
    start(1);
    begin(1000, OUTER);
    end(1200, OUTER);
    thread(1, 500, SCOPE_THREAD_HOST);
    begin(1100, INNER);
    end(1300, INNER);
    CU_ASSERT_EQUAL(table(), SCOPE_ERR_NESTING);
    CU_ASSERT_EQUAL(calls->count, 2);
    CU_ASSERT_PTR_NULL(calls->call_ids);
    stop();
}

static void threads_of_c_keep_their_lanes_beside_one_stack(void)
{
    start(1);
    begin(1000, OUTER);
    end(1200, OUTER);
    thread(1, 500, 0);
    begin(1100, INNER);
    end(1300, INNER);
    thread(2, 600, SCOPE_THREAD_HOST);
    begin(1110, INNER);
    end(1120, INNER);
    CU_ASSERT_EQUAL(table(), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    CU_ASSERT_EQUAL_FATAL(calls->thread_count, 1);
    CU_ASSERT_TRUE(is(calls->threads[0].name, "worker 1"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->thread_ids);
    CU_ASSERT_EQUAL(calls->thread_ids[0], -1);
    CU_ASSERT_EQUAL(calls->start_ns[1], 1110);
    CU_ASSERT_EQUAL(calls->thread_ids[1], -1);
    CU_ASSERT_EQUAL(calls->thread_ids[2], 0);
    CU_ASSERT_EQUAL(calls->parent_ids[1], calls->call_ids[0]);
    CU_ASSERT_EQUAL(calls->parent_ids[2], -1);
    stop();
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(region_rows_are_in_order_of_entry_and_open_ones_have_end_zero),
        UNIT(a_table_leaves_the_cursor_as_it_is),
        UNIT(regions_come_in_the_order_that_is_wanted),
        UNIT(a_cut_hands_open_calls_on),
        UNIT(calls_with_times_of_their_own_are_given_back_exactly),
        UNIT(crossing_calls_keep_their_times_and_take_the_ids),
        UNIT(an_end_closes_nothing_but_its_own_region),
        UNIT(threads_without_events_that_are_not_the_hosts_are_left_out),
        UNIT(the_cpu_time_of_a_hosts_thread_is_what_the_definitions_say),
        UNIT(the_last_name_of_a_task_counts),
        UNIT(a_task_goes_on_over_a_cut),
        UNIT(an_end_on_another_thread_closes_the_latest_open_call),
        UNIT(overlap_of_two_threads_leaves_one_stack_without_ids),
        UNIT(threads_of_c_keep_their_lanes_beside_one_stack),
        {0},
    };
    return unit_run("host session", tests);
}
