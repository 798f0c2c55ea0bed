/* test_replay_gaps.c - replay of what is missing or twice there, and of times.
 *
 * SPDX-License-Identifier: MIT
 */
#include "replayed.h"

static void a_long_call_crosses_many_epochs(void)
{
    start();
    const uint64_t epoch = UINT64_C(1) << SCOPE_TICK_BITS;
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(epoch - 1, SCOPE_EVENT_BEGIN, 2);
    ev(epoch + 5, SCOPE_EVENT_END, 2);
    ev(5 * epoch + 7, SCOPE_EVENT_END, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->duration_ns[0], (int64_t)(5 * epoch + 7 - 1000));
    CU_ASSERT_EQUAL(calls->duration_ns[1], 6);
    stop();
}

static void time_does_not_go_back(void)
{
    start();
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(900, SCOPE_EVENT_BEGIN, 2); /* a handler came between claim and store */
    ev(1100, SCOPE_EVENT_END, 2);
    ev(1200, SCOPE_EVENT_END, 1);
    replay();
    CU_ASSERT_EQUAL(calls->start_ns[1], 1000);
    CU_ASSERT_PTR_NOT_NULL(calls->call_ids);
    stop();
}

static void holes_are_counted_and_passed(void)
{
    start();
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    writer_word(writer, 0);
    writer_word(writer, 0);
    writer_word(writer, scope_payload(12));                          /* its head was not stored */
    writer_word(writer, scope_event(1010, 3, SCOPE_EVENT_COUNTER));  /* no payload */
    writer_word(writer, scope_event(1020, 3, SCOPE_EVENT_FREE));
    ev(1100, SCOPE_EVENT_END, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 100);
    CU_ASSERT_EQUAL(calls->ranks[0].holes, 4);
    stop();
}

/* Calls in it are gone; one around it keeps its times, and nothing of it is misuse. */
static void what_lies_behind_a_missing_chunk_is_read(uint32_t gone)
{
    start();
    if (gone)
        ev(999, SCOPE_EVENT_BEGIN, 2);
    for (uint64_t i = 0; i < 10000; i++) {
        ev(1000 + i * 10, SCOPE_EVENT_BEGIN, 1);
        ev(1005 + i * 10, SCOPE_EVENT_END, 1);
    }
    ev(200000, SCOPE_EVENT_END, 2);
    const scope_recording *recording = writer_finish(writer);
    unsigned char *bytes = (unsigned char *)(uintptr_t)recording->segments[0].bytes;
    for (size_t at = SCOPE_CHUNK_UNIT_BYTES; at < recording->segments[0].length_bytes;
         at += SCOPE_CHUNK_UNIT_BYTES) {
        scope_chunk_header *header = (scope_chunk_header *)(void *)(bytes + at);
        if (header->kind == SCOPE_CHUNK_EVENTS && header->sequence == gone)
            header->generation = 0;
    }
    replay();
    CU_ASSERT_TRUE(calls->count > 8900 && calls->count < 9100);
    for (uint64_t row = 0; row < calls->count; row++)
        if (calls->start_ns[row] == 999)
            CU_ASSERT_EQUAL(calls->duration_ns[row], 199001);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_TRUE(calls->ranks[0].holes > 0);
    stop();
}

static void what_lies_behind_a_chunk_in_the_middle_is_read(void)
{
    what_lies_behind_a_missing_chunk_is_read(2);
}

static void what_lies_behind_the_first_chunk_is_read(void)
{
    what_lies_behind_a_missing_chunk_is_read(0);
}

/* A spool whose disk was full says how much of it lay in memory. */
static void what_lay_beside_a_file_is_counted_as_not_read(void)
{
    start();
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(1005, SCOPE_EVENT_END, 1);
    scope_recording recording = *writer_finish(writer);
    scope_recording_header header = *recording.header;
    header.beside_events = 77;
    recording.header = &header;
    for (recording.in_process = 0; recording.in_process < 2; recording.in_process++) {
        calls = NULL;
        CU_ASSERT_EQUAL_FATAL(scope_replay(&recording, 0, &calls), SCOPE_OK);
        CU_ASSERT_EQUAL(calls->count, 1);
        CU_ASSERT_EQUAL(calls->ranks[0].holes, recording.in_process ? 0 : 77);
        scope_calls_free(calls);
    }
    calls = NULL;
    stop();
}

static void of_two_chunks_in_one_place_the_newer_counts(void)
{
    start();
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(1001, SCOPE_EVENT_END, 1);
    writer_chunk(writer, 2000, 2000);
    writer_chunk_header(writer)->sequence = 0;
    writer_chunk_header(writer)->generation = 2;
    writer_chunk_header(writer)->thread = 0;
    ev(2000, SCOPE_EVENT_BEGIN, 2);
    ev(2009, SCOPE_EVENT_END, 2);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 9);
    stop();
}

static void ticks_are_mapped_by_calibration_points(void)
{
    start();
    scope_recording_header *header = writer_header(writer);
    header->clock_kind = SCOPE_CLOCK_TSC;
    header->ticks_per_second = 2000000000;
    stop();
    /* 2 ticks a nanosecond; session start and end are points */
    writer = recording_writer_new();
    *writer_header(writer) = (scope_recording_header){
        .magic = SCOPE_RECORDING_MAGIC, .version = 1, .header_bytes = SCOPE_HEADER_BYTES,
        .clock_kind = SCOPE_CLOCK_TSC, .ticks_per_second = 2000000000,
        .end_kind = SCOPE_END_FINISHED, .rank = 2, .size = 4,
        .start_ticks = 1000000, .start_monotonic_ns = 500000};
    writer_session(writer, 1, true, 1000000, 500000, "");
    writer_session_end(writer, 1, 1000000 + 4000000000u, 500000 + 2000000000);
    writer_name(writer, SCOPE_NAME_REGION, 1, "outer");
    writer_stream(writer, 0);
    writer_chunk(writer, 1000000, 500000);
    ev(2000000, SCOPE_EVENT_THREAD, 0);
    ev(1000000 + 2000, SCOPE_EVENT_BEGIN, 1);
    ev(1000000 + 3000, SCOPE_EVENT_END, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000000); /* raised to the THREAD before it */
    CU_ASSERT_EQUAL(calls->ranks[0].rank, 2);
    CU_ASSERT_EQUAL(calls->rank_count, 4);
    CU_ASSERT_EQUAL(calls->end_time_ns, 500000 + 2000000000);
    stop();
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(a_long_call_crosses_many_epochs),
        UNIT(time_does_not_go_back),
        UNIT(holes_are_counted_and_passed),
        UNIT(what_lies_behind_a_chunk_in_the_middle_is_read),
        UNIT(what_lies_behind_the_first_chunk_is_read),
        UNIT(what_lay_beside_a_file_is_counted_as_not_read),
        UNIT(of_two_chunks_in_one_place_the_newer_counts),
        UNIT(ticks_are_mapped_by_calibration_points),
        {0},
    };
    return unit_run("replay gaps", tests);
}
