/* test_host_session.c - what a host sees of its session while it goes on.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/replay.h>

#include "recording_writer.h"

enum { OUTER = 1, INNER = 2, THIRD = 3 };

static recording_writer *writer;
static scope_cursor *cursor;
static scope_calls *calls;

static void ev(uint64_t ticks, scope_event_kind kind, uint64_t id)
{
    writer_event(writer, ticks, kind, id);
}

static void begin(uint64_t ticks, uint64_t region)
{
    ev(ticks, SCOPE_EVENT_BEGIN, region);
}

static void end(uint64_t ticks, uint64_t region)
{
    ev(ticks, SCOPE_EVENT_END, region);
}

/* A host's session; thread 0 is the host's main thread, in stream 0. */
static void start(int untracked)
{
    writer = recording_writer_new();
    writer_header(writer)->end_kind = SCOPE_END_OPEN;
    writer_host_session(writer, 1, untracked ? 1 : 2, 100);
    writer_name(writer, SCOPE_NAME_REGION, OUTER, "outer");
    writer_name(writer, SCOPE_NAME_REGION, INNER, "inner");
    writer_name(writer, SCOPE_NAME_REGION, THIRD, "third");
    writer_thread(writer, 0, "MainThread", 100, SCOPE_THREAD_MAIN | SCOPE_THREAD_HOST);
    writer_stream(writer, 0);
    ev(100, SCOPE_EVENT_THREAD, 0);
    const scope_cursor_options options = {
        .size_bytes = sizeof options, .host = 1, .untracked = untracked};
    CU_ASSERT_EQUAL_FATAL(scope_cursor_new_with(writer_finish(writer), 1, &options, &cursor),
                          SCOPE_OK);
}

static void thread(uint32_t stream, uint64_t ticks, uint32_t flags)
{
    char name[16];
    strcpy(name, "worker 0");
    name[7] = (char)('0' + stream);
    writer_thread(writer, stream, name, ticks, flags);
    writer_stream(writer, stream);
    ev(ticks, SCOPE_EVENT_THREAD, stream);
}

static void look(void)
{
    CU_ASSERT_EQUAL_FATAL(scope_cursor_advance(cursor, writer_finish(writer)), SCOPE_OK);
}

static scope_status table_with(const scope_table_options *options)
{
    scope_calls_free(calls);
    calls = NULL;
    look();
    const scope_status status = scope_cursor_table(cursor, options, &calls);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls);
    return status;
}

static scope_status table(void)
{
    return table_with(NULL);
}

static void stop(void)
{
    scope_calls_free(calls);
    calls = NULL;
    scope_cursor_free(cursor);
    cursor = NULL;
    recording_writer_free(writer);
}

static int is(scope_string text, const char *expected)
{
    return text.length_bytes == strlen(expected) &&
           memcmp(text.bytes, expected, strlen(expected)) == 0;
}

static const char *name_of_pair(size_t i)
{
    return calls->regions[calls->pairs[i].region].name.bytes;
}

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

/* ---- a model of both ---- */

enum { THREADS = 4, REGIONS = 3, MODEL_CALLS = 3000 };

typedef struct model_call {
    int64_t start, end; /* 0: open */
    uint32_t region;
    int thread, reported;
} model_call;

static model_call model[MODEL_CALLS];
static size_t model_count;

static void model_end(uint32_t region, int thread, int64_t at, int one_stack)
{
    for (int any = 0; any <= one_stack; any++)
        for (size_t i = model_count; i-- > 0;)
            if (!model[i].end && model[i].region == region && (any || model[i].thread == thread)) {
                model[i].end = at;
                return;
            }
}

static void compare_regions(void)
{
    for (uint32_t region = 1; region <= REGIONS; region++) {
        int64_t *starts, *ends;
        size_t count, at = 0;
        CU_ASSERT_EQUAL_FATAL(scope_cursor_region(cursor, region, &starts, &ends, &count),
                              SCOPE_OK);
        for (size_t i = 0; i < model_count; i++) {
            if (model[i].reported || model[i].region != region)
                continue;
            CU_ASSERT_FATAL(at < count);
            CU_ASSERT_EQUAL(starts[at], model[i].start);
            CU_ASSERT_EQUAL(ends[at], model[i].end);
            at++;
        }
        CU_ASSERT_EQUAL(at, count);
        free(starts);
        free(ends);
    }
}

static void compare_table(void)
{
    size_t expected = 0;
    int64_t sum = 0, found = 0;
    table();
    for (size_t i = 0; i < model_count; i++)
        if (!model[i].reported && model[i].end) {
            expected++;
            sum += (model[i].end - model[i].start) * (int64_t)model[i].region;
        }
    CU_ASSERT_EQUAL_FATAL(calls->count, expected);
    for (size_t p = 0; p < calls->pair_count; p++)
        for (uint64_t i = 0; i < calls->pairs[p].count; i++)
            found += calls->duration_ns[calls->pairs[p].first + i] *
                     (name_of_pair(p)[0] == 'o'   ? OUTER
                      : name_of_pair(p)[0] == 'i' ? INNER
                                                  : THIRD);
    CU_ASSERT_EQUAL(found, sum);
}

static void run_model(int one_stack, unsigned seed)
{
    start(one_stack);
    srand(seed);
    model_count = 0;
    for (uint32_t t = 1; t < THREADS; t++)
        thread(t, 100 + t, SCOPE_THREAD_HOST);
    for (int64_t at = 1000; model_count < MODEL_CALLS; at++) {
        const int on = rand() % THREADS;
        const uint32_t region = 1 + (uint32_t)rand() % REGIONS;
        writer_stream(writer, (uint32_t)on);
        if (rand() % 2) {
            begin((uint64_t)at, region);
            model[model_count++] = (model_call){at, 0, region, on, 0};
        } else {
            end((uint64_t)at, region);
            model_end(region, on, at, one_stack);
        }
        if (rand() % 300)
            continue;
        look();
        if (rand() % 2)
            compare_regions();
        if (rand() % 3 == 0) {
            compare_table();
            CU_ASSERT_EQUAL_FATAL(scope_cursor_cut(cursor), SCOPE_OK);
            for (size_t i = 0; i < model_count; i++)
                model[i].reported |= model[i].end != 0;
            compare_regions();
        }
    }
    look();
    compare_regions();
    compare_table();
    stop();
}

static void cuts_and_looks_agree_with_a_model(void)
{
    for (unsigned seed = 1; seed < 9; seed++) {
        run_model(0, seed);
        run_model(1, seed);
    }
}

/* ---- killed ---- */

static void killed_after(int written)
{
    scope_define_cut_stream *positions;
    size_t count;
    look();
    CU_ASSERT_EQUAL_FATAL(scope_cursor_positions(cursor, &positions, &count), SCOPE_OK);
    writer_cut(writer, 0, 7, positions, count);
    if (written)
        writer_checkpoint(writer, 0, "/tmp/part.h5");
    CU_ASSERT_EQUAL_FATAL(scope_cursor_cut(cursor), SCOPE_OK);
    free(positions);
}

static void recover(void)
{
    scope_calls_free(calls);
    calls = NULL;
    CU_ASSERT_EQUAL_FATAL(scope_replay(writer_finish(writer), 1, &calls), SCOPE_OK);
}

static void recovery_begins_at_the_last_written_cut(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, INNER);
    end(1210, THIRD);
    killed_after(1);
    begin(1300, INNER);
    end(1350, INNER);
    end(1400, OUTER);
    begin(1500, THIRD);
    recover();
    CU_ASSERT_EQUAL_FATAL(calls->count, 3); /* the one that was open last, too */
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 400);
    CU_ASSERT_EQUAL(calls->call_ids[0], 7);
    CU_ASSERT_EQUAL(calls->parent_ids[1], 7);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->flags);
    CU_ASSERT_EQUAL(calls->flags[2], 4);
    stop();
}

static void a_cut_without_a_checkpoint_is_none(void)
{
    start(0);
    begin(1000, OUTER);
    end(1200, OUTER);
    killed_after(0);
    begin(1300, INNER);
    end(1350, INNER);
    recover();
    CU_ASSERT_EQUAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->call_ids[0], 0);
    stop();
}

static void chunks_before_a_written_cut_may_be_gone(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, INNER);
    scope_chunk_header *first = writer_chunk_header(writer);
    writer_chunk(writer, 1250, 1250);
    writer_chunk_header(writer)->thread = 0;
    const uint64_t open[] = {OUTER, 0, 1000};
    writer_values(writer, 1250, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_OPEN, open, 3);
    begin(1260, THIRD);
    end(1270, THIRD);
    killed_after(1);
    first->generation = 0;
    begin(1300, INNER);
    end(1350, INNER);
    end(1400, OUTER);
    CU_ASSERT_EQUAL(table(), SCOPE_OK); /* who read them goes on */
    CU_ASSERT_EQUAL(calls->count, 2);
    recover();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 400);
    CU_ASSERT_EQUAL(calls->parent_ids[1], calls->call_ids[0]);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_EQUAL(calls->ranks[0].holes, 0);
    stop();
}

static void a_killed_session_on_one_stack_is_read_as_its_host_reads_it(void)
{
    start(1);
    begin(1000, OUTER);
    thread(1, 500, SCOPE_THREAD_HOST);
    end(1100, OUTER);
    recover();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 100);
    CU_ASSERT_PTR_NULL(calls->thread_ids);
    CU_ASSERT_PTR_NULL(calls->flags);
    stop();
}

static void recovery_gives_what_the_host_would_have_given(void)
{
    for (unsigned seed = 1; seed < 13; seed++) {
        const int one_stack = seed % 2;
        start(one_stack);
        srand(seed);
        for (uint32_t t = 1; t < THREADS; t++)
            thread(t, 100 + t, SCOPE_THREAD_HOST);
        for (uint64_t at = 1000; at < 6000; at++) {
            writer_stream(writer, (uint32_t)rand() % THREADS);
            ev(at, rand() % 2 ? SCOPE_EVENT_BEGIN : SCOPE_EVENT_END,
               1 + (uint64_t)rand() % REGIONS);
            if (rand() % 1000 == 0)
                killed_after(1);
        }
        const scope_table_options options = {.size_bytes = sizeof options, .end = 1};
        table_with(&options);
        scope_calls *live = calls;
        calls = NULL;
        recover();
        CU_ASSERT_EQUAL_FATAL(calls->count, live->count);
        for (uint64_t row = 0; row < live->count; row++) {
            CU_ASSERT_EQUAL(calls->start_ns[row], live->start_ns[row]);
            CU_ASSERT_EQUAL(calls->duration_ns[row], live->duration_ns[row]);
        }
        CU_ASSERT_EQUAL(calls->misuse_count, live->misuse_count);
        scope_calls_free(live);
        stop();
    }
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("host session", NULL, NULL);
    CU_ADD_TEST(suite, region_rows_are_in_order_of_entry_and_open_ones_have_end_zero);
    CU_ADD_TEST(suite, a_table_leaves_the_cursor_as_it_is);
    CU_ADD_TEST(suite, regions_come_in_the_order_that_is_wanted);
    CU_ADD_TEST(suite, a_cut_hands_open_calls_on);
    CU_ADD_TEST(suite, calls_with_times_of_their_own_are_given_back_exactly);
    CU_ADD_TEST(suite, crossing_calls_keep_their_times_and_take_the_ids);
    CU_ADD_TEST(suite, an_end_closes_nothing_but_its_own_region);
    CU_ADD_TEST(suite, threads_without_events_that_are_not_the_hosts_are_left_out);
    CU_ADD_TEST(suite, the_cpu_time_of_a_hosts_thread_is_what_the_definitions_say);
    CU_ADD_TEST(suite, the_last_name_of_a_task_counts);
    CU_ADD_TEST(suite, a_task_goes_on_over_a_cut);
    CU_ADD_TEST(suite, an_end_on_another_thread_closes_the_latest_open_call);
    CU_ADD_TEST(suite, overlap_of_two_threads_leaves_one_stack_without_ids);
    CU_ADD_TEST(suite, threads_of_c_keep_their_lanes_beside_one_stack);
    CU_ADD_TEST(suite, cuts_and_looks_agree_with_a_model);
    CU_ADD_TEST(suite, recovery_begins_at_the_last_written_cut);
    CU_ADD_TEST(suite, a_cut_without_a_checkpoint_is_none);
    CU_ADD_TEST(suite, chunks_before_a_written_cut_may_be_gone);
    CU_ADD_TEST(suite, a_killed_session_on_one_stack_is_read_as_its_host_reads_it);
    CU_ADD_TEST(suite, recovery_gives_what_the_host_would_have_given);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
