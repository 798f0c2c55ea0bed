/* test_replay_calls.c - what a call of the table says: open, crossed, messages, points, names.
 *
 * SPDX-License-Identifier: MIT
 */
#include "replayed.h"

static void open_calls_are_rows_that_end_at_the_last_time(void)
{
    start();
    writer_thread(writer, 1, "worker", 150, 0);
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(1100, SCOPE_EVENT_BEGIN, 2);
    writer_stream(writer, 1);
    ev(150, SCOPE_EVENT_THREAD, 1);
    ev(5000, SCOPE_EVENT_MARK, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->flags);
    CU_ASSERT_EQUAL(calls->flags[0], 4);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 4000);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 3900);
    CU_ASSERT_EQUAL(calls->parent_ids[1], calls->call_ids[0]);
    stop();
}

static void open_calls_of_a_dead_thread_end_with_it(void)
{
    start();
    const uint64_t cpu = 5;
    writer_thread(writer, 1, "worker", 150, SCOPE_THREAD_START_EXACT);
    ev(9000, SCOPE_EVENT_MARK, 1);
    writer_stream(writer, 1);
    ev(150, SCOPE_EVENT_THREAD, 1);
    ev(200, SCOPE_EVENT_BEGIN, 1);
    writer_values(writer, 300, SCOPE_EVENT_THREAD_END, 1, &cpu, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 100);
    stop();
}

static void misuse_is_flagged_and_counted_per_region(void)
{
    start();
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(1010, SCOPE_EVENT_BEGIN, 2);
    ev(1020, SCOPE_EVENT_END, 1);
    ev(1030, SCOPE_EVENT_BEGIN, 2); /* settles the first: implied */
    ev(1040, SCOPE_EVENT_END, 2);
    ev(1050, SCOPE_EVENT_END, 2);
    ev(1060, SCOPE_EVENT_END, 0);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    CU_ASSERT_EQUAL(calls->flags[0], 0);
    CU_ASSERT_EQUAL(calls->flags[1], 1);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 10);
    CU_ASSERT_EQUAL(calls->flags[2], 0);
    CU_ASSERT_EQUAL_FATAL(calls->misuse_count, 2);
    CU_ASSERT_EQUAL(calls->misuse[0].region, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].implied, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].crossed, 0);
    CU_ASSERT_EQUAL(calls->misuse[0].orphans, 1);
    CU_ASSERT_EQUAL_FATAL(calls->region_count, 3); /* one that was never called, but misused */
    CU_ASSERT_EQUAL(calls->misuse[1].region, 2);
    CU_ASSERT_TRUE(is(calls->regions[2].name, "(unregistered)"));
    CU_ASSERT_EQUAL(calls->misuse[1].orphans, 1);
    CU_ASSERT_EQUAL(calls->pair_count, 2);
    stop();
}

static void crossing_calls_keep_their_times_and_lose_ids(void)
{
    start();
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(1010, SCOPE_EVENT_BEGIN, 2);
    ev(1020, SCOPE_EVENT_END, 1);
    ev(1030, SCOPE_EVENT_END, 2);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->flags[1], 2);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 20);
    CU_ASSERT_PTR_NULL(calls->call_ids);
    CU_ASSERT_EQUAL(calls->pairs[0].exclusive_ns, -1);
    CU_ASSERT_EQUAL(calls->pairs[0].statistics.total, 20);
    stop();
}

static void messages_belong_to_the_call_that_is_open(void)
{
    start();
    writer_name(writer, SCOPE_NAME_REGION, 3, "MPI_Send");
    writer_tag(writer, 3, "mpi");
    writer_communicator(writer, 5, 4, "rows");
    writer_communicator(writer, 0, 8, "MPI_COMM_WORLD");
    ev(1000, SCOPE_EVENT_BEGIN, 3);
    const uint64_t values[2] = {4096, 7 + 1};
    writer_values(writer, 1100, SCOPE_EVENT_MESSAGE, 5, values, 2);
    ev(1100, SCOPE_EVENT_END, 3);
    ev(1200, SCOPE_EVENT_BEGIN, 3);
    ev(1300, SCOPE_EVENT_END, 3);
    ev(1400, SCOPE_EVENT_BEGIN, 1);
    const uint64_t none[2] = {10, 0};
    writer_values(writer, 1500, SCOPE_EVENT_MESSAGE, UINT32_MAX, none, 2);
    replay(); /* the last call is open: its message counts too */
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->mpi_bytes);
    CU_ASSERT_EQUAL_FATAL(calls->communicator_count, 2);
    CU_ASSERT_EQUAL(calls->communicators[1].id, 5);
    CU_ASSERT_EQUAL(calls->mpi_bytes[0], 10);
    CU_ASSERT_EQUAL(calls->mpi_comms[0], -1);
    CU_ASSERT_EQUAL(calls->mpi_peers[0], -1);
    CU_ASSERT_EQUAL(calls->mpi_bytes[1], 4096);
    CU_ASSERT_EQUAL(calls->mpi_peers[1], 7);
    CU_ASSERT_EQUAL(calls->mpi_comms[1], 1);
    CU_ASSERT_EQUAL(calls->mpi_bytes[2], 0);
    CU_ASSERT_EQUAL(calls->mpi_peers[2], -1);
    CU_ASSERT_TRUE(is(calls->pairs[1].tags, "[\"mpi\"]"));
    stop();
}

static uint64_t message_value(int32_t peer, int32_t tag, scope_message_kind kind)
{
    const scope_message message = {0, peer, 0, tag, kind};
    return scope_message_value(&message);
}

static void several_messages_of_a_call_are_listed(void)
{
    start();
    writer_name(writer, SCOPE_NAME_REGION, 3, "MPI_Waitall");
    writer_communicator(writer, 0, 8, "MPI_COMM_WORLD");
    for (int call = 0; call < 2; call++) {
        ev((uint64_t)(1000 + 1000 * call), SCOPE_EVENT_BEGIN, 3);
        for (int k = 0; k < 3; k++) {
            const uint64_t values[2] = {(uint64_t)(10 * k + 1),
                                        message_value(k, 1 << 30, SCOPE_MESSAGE_RECEIVED)};
            writer_values(writer, (uint64_t)(1500 + 1000 * call), SCOPE_EVENT_MESSAGE, 0, values, 2);
        }
        ev((uint64_t)(1600 + 1000 * call), SCOPE_EVENT_END, 3);
    }
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->mpi_bytes[0], 33);
    CU_ASSERT_EQUAL(calls->mpi_peers[0], -1);
    CU_ASSERT_EQUAL(calls->mpi_tags[0], 1 << 30);
    CU_ASSERT_EQUAL(calls->mpi_kinds[0], SCOPE_MESSAGE_RECEIVED);
    CU_ASSERT_EQUAL_FATAL(calls->message_count, 6);
    for (size_t i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(calls->messages[i].row, i / 3);
        CU_ASSERT_EQUAL(calls->messages[i].peer, (int32_t)(i % 3));
        CU_ASSERT_EQUAL(calls->messages[i].bytes, (int64_t)(10 * (i % 3) + 1));
        CU_ASSERT_EQUAL(calls->messages[i].tag, 1 << 30);
        CU_ASSERT_EQUAL(calls->messages[i].communicator, 0);
    }
    stop();
}

/* Beside what a call moved; its row is as without. */
static void completions_are_listed_alone(void)
{
    const scope_message first = {10, 1, 0, 5, SCOPE_MESSAGE_RECEIVED},
                        completed = {2, 3, 0, 6, SCOPE_MESSAGE_SEND_COMPLETED};
    const scope_message *const of[4][3] = {
        {&completed}, {&first}, {&completed, &first}, {&first, &completed}};
    start();
    writer_name(writer, SCOPE_NAME_REGION, 3, "MPI_Waitall");
    writer_communicator(writer, 0, 8, "MPI_COMM_WORLD");
    for (uint64_t call = 0; call < 4; call++) {
        ev(1000 + 1000 * call, SCOPE_EVENT_BEGIN, 3);
        for (int k = 0; of[call][k]; k++) {
            const uint64_t values[2] = {scope_message_bytes_value(of[call][k]),
                                        scope_message_value(of[call][k])};
            writer_values(writer, 1500 + 1000 * call, SCOPE_EVENT_MESSAGE, 0, values, 2);
        }
        ev(1600 + 1000 * call, SCOPE_EVENT_END, 3);
    }
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 4);
    CU_ASSERT_EQUAL(calls->mpi_kinds[0], SCOPE_MESSAGE_OTHER);
    CU_ASSERT_EQUAL(calls->mpi_comms[0], -1);
    for (uint64_t row = 1; row < 4; row++) {
        CU_ASSERT_EQUAL(calls->mpi_kinds[row], SCOPE_MESSAGE_RECEIVED);
        CU_ASSERT_EQUAL(calls->mpi_bytes[row], 10);
        CU_ASSERT_EQUAL(calls->mpi_tags[row], 5);
    }
    CU_ASSERT_EQUAL_FATAL(calls->message_count, 5);
    static const uint64_t rows[] = {0, 2, 2, 3, 3};
    static const int32_t tags[] = {6, 6, 5, 5, 6};
    for (size_t i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(calls->messages[i].row, rows[i]);
        CU_ASSERT_EQUAL(calls->messages[i].tag, tags[i]);
        CU_ASSERT_EQUAL(calls->messages[i].kind, tags[i] == 6 ? SCOPE_MESSAGE_SEND_COMPLETED
                                                              : SCOPE_MESSAGE_RECEIVED);
    }
    stop();
}

static void marks_and_counters_are_points(void)
{
    start();
    writer_name(writer, SCOPE_NAME_POINT, 1, "step");
    writer_name(writer, SCOPE_NAME_POINT, 2, "residual");
    const double value = -1.5e-300;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t halves[2] = {bits >> 32, bits & UINT32_MAX};
    ev(1000, SCOPE_EVENT_MARK, 1);
    writer_values(writer, 1100, SCOPE_EVENT_COUNTER, 2, halves, 2);
    ev(1200, SCOPE_EVENT_MARK, 99);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->mark_count, 2);
    CU_ASSERT_EQUAL_FATAL(calls->counter_count, 1);
    CU_ASSERT_TRUE(is(calls->marks[0].name, "step"));
    CU_ASSERT_EQUAL(calls->marks[0].time_ns, 1000);
    CU_ASSERT_EQUAL(calls->marks[0].thread, 0);
    CU_ASSERT_TRUE(is(calls->marks[1].name, "(point 99)"));
    CU_ASSERT_EQUAL(calls->counters[0].value, value);
    CU_ASSERT_TRUE(is(calls->counters[0].name, "residual"));
    stop();
}

static void calls_with_times_of_their_own_are_rows(void)
{
    start();
    const uint64_t values[2] = {500, 250};
    writer_values(writer, 1000, SCOPE_EVENT_CALL, 2, values, 2);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->start_ns[0], 500);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 250);
    stop();
}

static void ids_beyond_20_bits_are_escaped(void)
{
    start();
    const uint64_t ids[] = {0xFFFFE, 0xFFFFF, 0x100000, 0x7FFFFFFF};
    for (int i = 0; i < 4; i++) {
        writer_name(writer, SCOPE_NAME_REGION, (uint32_t)ids[i], "far");
        ev(1000 + (uint64_t)i * 10, SCOPE_EVENT_BEGIN, ids[i]);
        ev(1005 + (uint64_t)i * 10, SCOPE_EVENT_END, ids[i]);
    }
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 4);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(calls->duration_ns[i], 5);
    stop();
}

static void names_are_bytes(void)
{
    start();
    writer_name_bytes(writer, SCOPE_NAME_REGION, 3, "a\0b\n\xff", 5);
    char *longest = malloc(20000);
    memset(longest, 'x', 20000);
    writer_name_bytes(writer, SCOPE_NAME_REGION, 4, longest, 20000);
    writer_tag(writer, 3, "say \"hi\"");
    writer_tag(writer, 3, "say \"hi\"");
    writer_tag(writer, 3, "\xff\n");
    writer_source(writer, 3, "solve.c", 42);
    writer_source(writer, 3, "other.c", 43); /* the first one counts */
    for (uint64_t id = 3; id <= 5; id++) {
        ev(1000 * id, SCOPE_EVENT_BEGIN, id);
        ev(1000 * id + 1, SCOPE_EVENT_END, id);
    }
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->region_count, 3);
    CU_ASSERT_EQUAL(calls->regions[0].name.length_bytes, 5);
    CU_ASSERT_EQUAL(memcmp(calls->regions[0].name.bytes, "a\0b\n\xff", 5), 0);
    CU_ASSERT_EQUAL(calls->regions[1].name.length_bytes, 20000);
    CU_ASSERT_TRUE(is(calls->regions[2].name, "(region 5)"));
    CU_ASSERT_TRUE(is(calls->pairs[0].tags, "[\"say \\\"hi\\\"\", \"\\\\xff\\u000a\"]"));
    CU_ASSERT_TRUE(is(calls->pairs[0].source_file, "solve.c"));
    CU_ASSERT_EQUAL(calls->pairs[0].source_line, 42);
    free(longest);
    stop();
}

static void metadata_entries_reach_the_table(void)
{
    start();
    writer_metadata(writer, "answer", "42");
    writer_metadata(writer, "hostname", "other");
    replay();
    const scope_metadata_row *row = scope_calls_metadata(calls, "answer");
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    CU_ASSERT_TRUE(is(row->text, "42"));
    CU_ASSERT_TRUE(is(scope_calls_metadata(calls, "hostname")->text, "other"));
    CU_ASSERT_TRUE(is(scope_calls_metadata(calls, "program")->text, "solver"));
    stop();
}

static void a_pause_excuses_ends_without_begin(void)
{
    start();
    const uint64_t on = 1, off = 0;
    ev(1000, SCOPE_EVENT_END, 1);
    writer_values(writer, 1100, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_PAUSE, &on, 1);
    ev(1200, SCOPE_EVENT_END, 1);
    writer_values(writer, 1300, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_PAUSE, &off, 1);
    ev(1400, SCOPE_EVENT_END, 1);
    replay();
    CU_ASSERT_EQUAL(calls->misuse_count, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].orphans, 1);
    stop();
}

static void open_events_carry_calls_over_a_cut(void)
{
    start();
    const uint64_t first[3] = {1, 0, 50}, second[3] = {2, 0, 80};
    writer_values(writer, 1000, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_OPEN, first, 3);
    writer_values(writer, 1000, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_OPEN, second, 3);
    ev(1100, SCOPE_EVENT_END, 2);
    ev(1200, SCOPE_EVENT_END, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->start_ns[0], 50);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 1150);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 1020);
    CU_ASSERT_EQUAL(calls->start_time_ns, 50); /* no event is before it */
    stop();
}

static void many_open_calls_are_no_trouble(void)
{
    start();
    for (uint64_t i = 0; i < 200000; i++) {
        ev(1000 + i, SCOPE_EVENT_BEGIN, 1);
        ev(1000 + i, SCOPE_EVENT_END, 2); /* finds nothing, each time */
    }
    replay();
    CU_ASSERT_EQUAL(calls->count, 200000);
    CU_ASSERT_EQUAL(calls->misuse_count, 1);
    CU_ASSERT_EQUAL(calls->misuse[0].orphans, 200000);
    stop();
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(open_calls_are_rows_that_end_at_the_last_time),
        UNIT(open_calls_of_a_dead_thread_end_with_it),
        UNIT(misuse_is_flagged_and_counted_per_region),
        UNIT(crossing_calls_keep_their_times_and_lose_ids),
        UNIT(messages_belong_to_the_call_that_is_open),
        UNIT(several_messages_of_a_call_are_listed),
        UNIT(completions_are_listed_alone),
        UNIT(marks_and_counters_are_points),
        UNIT(calls_with_times_of_their_own_are_rows),
        UNIT(ids_beyond_20_bits_are_escaped),
        UNIT(names_are_bytes),
        UNIT(metadata_entries_reach_the_table),
        UNIT(a_pause_excuses_ends_without_begin),
        UNIT(open_events_carry_calls_over_a_cut),
        UNIT(many_open_calls_are_no_trouble),
        {0},
    };
    return unit_run("replay calls", tests);
}
