/* test_cursor.c - a replay that goes on where it stopped.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/replay.h>

#include "recording_writer.h"

static recording_writer *writer;

static void start(void)
{
    writer = recording_writer_new();
    writer_header(writer)->end_kind = SCOPE_END_OPEN;
    writer_session(writer, 1, true, 100, 100, "");
    writer_name(writer, SCOPE_NAME_REGION, 1, "outer");
    writer_name(writer, SCOPE_NAME_REGION, 2, "inner");
    writer_stream(writer, 0);
    writer_event(writer, 100, SCOPE_EVENT_THREAD, 0);
}

static scope_cursor *look(scope_cursor *cursor)
{
    const scope_recording *recording = writer_finish(writer);
    if (!cursor)
        CU_ASSERT_EQUAL_FATAL(scope_cursor_new(recording, 1, &cursor), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_cursor_advance(cursor, recording), SCOPE_OK);
    return cursor;
}

static scope_calls *table(const scope_cursor *cursor, int end)
{
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_calls(cursor, end, &calls), SCOPE_OK);
    return calls;
}

static void open_calls_wait_for_their_end(void)
{
    start();
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    writer_event(writer, 1100, SCOPE_EVENT_BEGIN, 2);
    writer_event(writer, 1200, SCOPE_EVENT_END, 2);
    scope_cursor *cursor = look(NULL);
    scope_calls *calls = table(cursor, 0);
    CU_ASSERT_EQUAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->region_count, 1);
    scope_calls_free(calls);
    calls = table(cursor, 1);
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 200);
    CU_ASSERT_EQUAL(calls->flags[0], 4);
    scope_calls_free(calls);
    writer_event(writer, 1300, SCOPE_EVENT_END, 1);
    look(cursor);
    calls = table(cursor, 0);
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 300);
    CU_ASSERT_PTR_NULL(calls->flags);
    CU_ASSERT_EQUAL(calls->parent_ids[1], 0);
    scope_calls_free(calls);
    scope_cursor_free(cursor);
    recording_writer_free(writer);
}

static void pending_ends_are_provisional(void)
{
    start();
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    writer_event(writer, 1100, SCOPE_EVENT_BEGIN, 2);
    writer_event(writer, 1200, SCOPE_EVENT_END, 1);
    scope_cursor *cursor = look(NULL);
    scope_calls *calls = table(cursor, 0);
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->flags[1], 1);
    CU_ASSERT_EQUAL(calls->misuse[0].implied, 1);
    scope_calls_free(calls);
    writer_event(writer, 1300, SCOPE_EVENT_END, 2);
    look(cursor);
    calls = table(cursor, 0);
    CU_ASSERT_EQUAL(calls->flags[1], 2);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 200);
    CU_ASSERT_EQUAL(calls->misuse[0].implied, 0);
    CU_ASSERT_EQUAL(calls->misuse[0].crossed, 1);
    scope_calls_free(calls);
    scope_cursor_free(cursor);
    recording_writer_free(writer);
}

static int same_calls(const scope_calls *a, const scope_calls *b)
{
    if (a->count != b->count || a->pair_count != b->pair_count ||
        a->thread_count != b->thread_count || a->task_count != b->task_count)
        return 0;
    for (uint64_t row = 0; row < a->count; row++)
        if (a->start_ns[row] != b->start_ns[row] || a->duration_ns[row] != b->duration_ns[row] ||
            a->thread_ids[row] != b->thread_ids[row] ||
            (a->task_ids && a->task_ids[row] != b->task_ids[row]) ||
            (a->await_ns && a->await_ns[row] != b->await_ns[row]) ||
            (a->flags != NULL) != (b->flags != NULL) ||
            (a->flags && a->flags[row] != b->flags[row]))
            return 0;
    return 1;
}

/* However often it looks in between, the end is the same as of one replay. */
static void many_looks_see_what_one_sees(void)
{
    for (int every = 1; every < 4000; every = every * 3 + 1) {
        start();
        scope_cursor *cursor = look(NULL);
        srand(8);
        uint64_t at = 1000;
        for (int i = 0; i < 6000; i++, at += 1 + (uint64_t)rand() % 50) {
            const uint32_t stream = (uint32_t)rand() % 3;
            writer_stream(writer, stream);
            if (i < 3) {
                writer_stream(writer, (uint32_t)i);
                writer_event(writer, at, SCOPE_EVENT_THREAD, (uint64_t)i);
                continue;
            }
            const uint64_t region = 1 + (uint64_t)rand() % 5;
            writer_event(writer, at, rand() % 2 ? SCOPE_EVENT_BEGIN : SCOPE_EVENT_END, region);
            if (rand() % 20 == 0) { /* a step of a task, on whatever thread */
                writer_event(writer, at + 1, SCOPE_EVENT_RESUME, 7);
                writer_event(writer, at + 2, rand() % 2 ? SCOPE_EVENT_BEGIN : SCOPE_EVENT_END,
                             region);
                writer_event(writer, at + 3, SCOPE_EVENT_SUSPEND, 7);
                at += 4;
            }
            if (i % every == 0)
                look(cursor);
        }
        look(cursor);
        scope_calls *calls = table(cursor, 1), *whole;
        CU_ASSERT_EQUAL_FATAL(scope_replay(writer_finish(writer), 1, &whole), SCOPE_OK);
        CU_ASSERT_TRUE(same_calls(calls, whole));
        scope_calls_free(calls);
        scope_calls_free(whole);
        scope_cursor_free(cursor);
        recording_writer_free(writer);
    }
}

static void a_word_that_is_not_stored_yet_may_still_come(void)
{
    start();
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    uint64_t *hole = (uint64_t *)(void *)((char *)writer_chunk_header(writer) +
                                          sizeof(scope_chunk_header) + 2 * sizeof(uint64_t));
    writer_word(writer, 0);
    writer_event(writer, 1200, SCOPE_EVENT_BEGIN, 2);
    scope_cursor *cursor = look(NULL);
    *hole = scope_event(1100, 1, SCOPE_EVENT_END);
    look(cursor);
    writer_event(writer, 1300, SCOPE_EVENT_END, 2);
    look(cursor);
    scope_calls *calls = table(cursor, 0);
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 100);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 100);
    CU_ASSERT_EQUAL(calls->ranks[0].holes, 0);
    scope_calls_free(calls);
    scope_cursor_free(cursor);
    recording_writer_free(writer);
}

static void names_may_come_later(void)
{
    start();
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 9);
    writer_event(writer, 1001, SCOPE_EVENT_END, 9);
    scope_cursor *cursor = look(NULL);
    writer_name(writer, SCOPE_NAME_REGION, 9, "late");
    look(cursor);
    scope_calls *calls = table(cursor, 0);
    CU_ASSERT_EQUAL_FATAL(calls->region_count, 1);
    CU_ASSERT_EQUAL(memcmp(calls->regions[0].name.bytes, "late", 4), 0);
    scope_calls_free(calls);
    scope_cursor_free(cursor);
    recording_writer_free(writer);
}

static void inside_the_process_it_stops_at_the_last_point(void)
{
    start();
    scope_recording_header *header = writer_header(writer);
    header->clock_kind = SCOPE_CLOCK_TSC;
    header->ticks_per_second = 1000000000;
    header->start_ticks = 100;
    header->start_monotonic_ns = 100;
    writer_calibration(writer, 10000000, 10000000);
    writer_event(writer, 5000000, SCOPE_EVENT_BEGIN, 1);
    writer_event(writer, 5000100, SCOPE_EVENT_END, 1);
    writer_event(writer, 20000000, SCOPE_EVENT_BEGIN, 2); /* no point behind it yet */
    writer_event(writer, 20000050, SCOPE_EVENT_END, 2);
    scope_recording recording = *writer_finish(writer);
    recording.in_process = 1;
    scope_cursor *cursor;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_new(&recording, 1, &cursor), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_cursor_advance(cursor, &recording), SCOPE_OK);
    scope_calls *calls = table(cursor, 1);
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 100);
    scope_calls_free(calls);
    writer_calibration(writer, 40000000, 40000000);
    recording = *writer_finish(writer);
    recording.in_process = 1;
    CU_ASSERT_EQUAL_FATAL(scope_cursor_advance(cursor, &recording), SCOPE_OK);
    calls = table(cursor, 1);
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    scope_calls_free(calls);
    scope_cursor_free(cursor);
    recording_writer_free(writer);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("cursor", NULL, NULL);
    CU_ADD_TEST(suite, open_calls_wait_for_their_end);
    CU_ADD_TEST(suite, pending_ends_are_provisional);
    CU_ADD_TEST(suite, many_looks_see_what_one_sees);
    CU_ADD_TEST(suite, a_word_that_is_not_stored_yet_may_still_come);
    CU_ADD_TEST(suite, names_may_come_later);
    CU_ADD_TEST(suite, inside_the_process_it_stops_at_the_last_point);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
