/* test_sums_reader.c - a replay that starts behind what was folded.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/replay.h>
#include <scope/session.h>

#include "recording_writer.h"

enum { OUTER = 1, INNER, TASK = 5 };

static recording_writer *writer;

static void put_bytes(const void *bytes, size_t length_bytes)
{
    for (size_t at = 0; at < length_bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, (const char *)bytes + at, sizeof word);
        writer_word(writer, word);
    }
}

/* A stream of thread 0 whose first chunk is folded, up to `last_ticks`; the next is open. */
static void start_behind(const scope_sums_lane *lane, const scope_sums_open *open, uint32_t count,
                         uint64_t last_ticks)
{
    const scope_sums_header head = {.version = 1,
                                    .first_unfolded = 1,
                                    .lane_count = 1,
                                    .open_count = count,
                                    .policy = SCOPE_POLICY_FOLD,
                                    .last_ticks = last_ticks};
    writer = recording_writer_new();
    writer_header(writer)->end_kind = SCOPE_END_OPEN;
    writer_session(writer, 1, true, 100, 100, "");
    writer_name(writer, SCOPE_NAME_REGION, OUTER, "outer");
    writer_name(writer, SCOPE_NAME_REGION, INNER, "inner");
    writer_thread(writer, 0, "main", 100, 0);
    writer_stream(writer, 0);
    writer_chunk(writer, last_ticks, (int64_t)last_ticks);
    writer_chunk_header(writer)->kind = SCOPE_CHUNK_SUMS;
    writer_chunk_header(writer)->sequence = 0;
    put_bytes(&head, sizeof head);
    put_bytes(lane, sizeof *lane);
    put_bytes(open, count * sizeof *open);
    writer_chunk(writer, last_ticks, (int64_t)last_ticks);
    writer_chunk_header(writer)->sequence = 1;
    writer_chunk_header(writer)->thread = 0;
}

static scope_calls *replay(void)
{
    scope_cursor *cursor;
    scope_calls *calls;
    const scope_recording *recording = writer_finish(writer);
    CU_ASSERT_EQUAL_FATAL(scope_cursor_new(recording, 1, &cursor), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_cursor_advance(cursor, recording), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_cursor_calls(cursor, 0, &calls), SCOPE_OK);
    scope_cursor_free(cursor);
    return calls;
}

static void stop(scope_calls *calls)
{
    scope_calls_free(calls);
    recording_writer_free(writer);
}

/* Ticks that do not move between two events: a coarse clock, or one raised to its predecessor. */
static void a_task_s_call_begun_at_the_last_folded_tick_is_there_in_time(void)
{
    const scope_sums_lane lane = {.lane = TASK, .first_ticks = 900, .last_ticks = 1000,
                                  .cpu_ns = -1, .begun = 1, .created_thread = -1, .steps = 1,
                                  .suspended_since = UINT64_MAX};
    const scope_sums_open open[] = {
        {.lane = TASK, .region = OUTER, .kind = SCOPE_SUMS_OPEN, .begin_ticks = 1000, .peer = -1,
         .communicator = -1},
        {.lane = TASK, .kind = SCOPE_SUMS_RESUMED, .peer = -1, .communicator = -1}};
    start_behind(&lane, open, 2, 1000);
    writer_event(writer, 1000, SCOPE_EVENT_MARK, OUTER);
    writer_event(writer, 1010, SCOPE_EVENT_END, OUTER);
    scope_calls *calls = replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 10);
    CU_ASSERT_PTR_NULL(calls->flags);
    stop(calls);
}

static void of_calls_closed_before_the_cut_the_innermost_ends_first(void)
{
    const scope_sums_lane lane = {.lane = -2, .first_ticks = 200, .last_ticks = 900, .cpu_ns = -1,
                                  .begun = 2, .created_thread = -1, .suspended_since = UINT64_MAX};
    const scope_sums_open open[] = { /* as one END closed them: the inner one is the older */
        {.lane = -2, .region = INNER, .kind = SCOPE_SUMS_PENDING, .begin_ticks = 500,
         .end_ticks = 900, .order = 1, .peer = -1, .communicator = -1},
        {.lane = -2, .region = INNER, .kind = SCOPE_SUMS_PENDING, .begin_ticks = 300,
         .end_ticks = 900, .order = 0, .inner_ticks = 400, .peer = -1, .communicator = -1}};
    int64_t longest = 0, shortest = INT64_MAX;
    start_behind(&lane, open, 2, 900);
    writer_event(writer, 1000, SCOPE_EVENT_END, INNER);
    writer_event(writer, 1100, SCOPE_EVENT_BEGIN, INNER); /* settles the other one */
    writer_event(writer, 1110, SCOPE_EVENT_END, INNER);
    scope_calls *calls = replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    for (int i = 0; i < 2; i++) {
        longest = calls->duration_ns[i] > longest ? calls->duration_ns[i] : longest;
        shortest = calls->duration_ns[i] < shortest ? calls->duration_ns[i] : shortest;
    }
    CU_ASSERT_EQUAL(longest, 600);
    CU_ASSERT_EQUAL(shortest, 500);
    stop(calls);
}

static void a_task_that_others_run_inside_runs_on(void)
{
    const scope_sums_lane lane = {.lane = TASK, .first_ticks = 500, .last_ticks = 600,
                                  .cpu_ns = -1, .created_thread = -1, .steps = 1,
                                  .suspended_since = UINT64_MAX};
    const scope_sums_open open = {
        .lane = TASK, .kind = SCOPE_SUMS_RESUMED, .peer = -1, .communicator = -1};
    start_behind(&lane, &open, 1, 1000);
    writer_event(writer, 1100, SCOPE_EVENT_SUSPEND, TASK);
    scope_calls *calls = replay();
    CU_ASSERT_EQUAL_FATAL(calls->task_count, 1);
    CU_ASSERT_EQUAL(calls->tasks[0].running_ns, 600);
    stop(calls);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("sums_reader", NULL, NULL);
    CU_ADD_TEST(suite, a_task_s_call_begun_at_the_last_folded_tick_is_there_in_time);
    CU_ADD_TEST(suite, of_calls_closed_before_the_cut_the_innermost_ends_first);
    CU_ADD_TEST(suite, a_task_that_others_run_inside_runs_on);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
