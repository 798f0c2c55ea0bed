/* test_replay.c - from event words to the call table.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/replay.h>
#include <scope/results.h>

#include "recording_writer.h"

static recording_writer *writer;
static scope_calls *calls;

/* A process session with two regions and the main thread in stream 0. */
static void start(void)
{
    writer = recording_writer_new();
    writer_session(writer, 1, true, 100, 100, "a run");
    writer_name(writer, SCOPE_NAME_REGION, 0, "(unregistered)");
    writer_name(writer, SCOPE_NAME_REGION, 1, "outer");
    writer_name(writer, SCOPE_NAME_REGION, 2, "inner");
    writer_thread(writer, 0, "main", 100, SCOPE_THREAD_MAIN | SCOPE_THREAD_START_EXACT);
    writer_stream(writer, 0);
    writer_event(writer, 100, SCOPE_EVENT_THREAD, 0);
}

static void ev(uint64_t ticks, scope_event_kind kind, uint64_t id)
{
    writer_event(writer, ticks, kind, id);
}

static void replay(void)
{
    CU_ASSERT_EQUAL_FATAL(scope_replay(writer_finish(writer), 0, &calls), SCOPE_OK);
}

static void stop(void)
{
    scope_calls_free(calls);
    calls = NULL;
    recording_writer_free(writer);
}

static int is(scope_string text, const char *expected)
{
    return text.length_bytes == strlen(expected) &&
           memcmp(text.bytes, expected, strlen(expected)) == 0 &&
           text.bytes[text.length_bytes] == '\0';
}

static void two_nested_calls_become_two_rows(void)
{
    start();
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(1100, SCOPE_EVENT_BEGIN, 2);
    ev(1150, SCOPE_EVENT_END, 2);
    ev(1500, SCOPE_EVENT_END, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL_FATAL(calls->pair_count, 2);
    CU_ASSERT_EQUAL_FATAL(calls->region_count, 2); /* (unregistered) has no call */
    CU_ASSERT_TRUE(is(calls->regions[0].name, "outer"));
    CU_ASSERT_TRUE(is(calls->regions[1].name, "inner"));
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 500);
    CU_ASSERT_EQUAL(calls->start_ns[1], 1100);
    CU_ASSERT_EQUAL(calls->duration_ns[1], 50);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->call_ids);
    CU_ASSERT_EQUAL(calls->call_ids[0], 0);
    CU_ASSERT_EQUAL(calls->parent_ids[0], -1);
    CU_ASSERT_EQUAL(calls->parent_ids[1], 0);
    CU_ASSERT_EQUAL(calls->thread_ids[0], 0);
    CU_ASSERT_EQUAL(calls->pairs[0].exclusive_ns, 450);
    CU_ASSERT_EQUAL(calls->pairs[1].exclusive_ns, 50);
    CU_ASSERT_TRUE(is(calls->pairs[0].tags, "[]"));
    CU_ASSERT_PTR_NULL(calls->task_ids);
    CU_ASSERT_PTR_NULL(calls->await_ns);
    CU_ASSERT_PTR_NULL(calls->flags);
    CU_ASSERT_PTR_NULL(calls->mpi_bytes);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_EQUAL(calls->rank_count, 1);
    CU_ASSERT_EQUAL(calls->start_time_ns, 100);
    CU_ASSERT_EQUAL(calls->end_time_ns, 1500);
    const scope_metadata_row *label = scope_calls_metadata(calls, "label");
    CU_ASSERT_PTR_NOT_NULL_FATAL(label);
    CU_ASSERT_TRUE(is(label->text, "a run"));
    stop();
}

static void an_empty_recording_is_an_empty_table(void)
{
    start();
    replay();
    CU_ASSERT_EQUAL(calls->count, 0);
    CU_ASSERT_EQUAL(calls->pair_count, 0);
    CU_ASSERT_EQUAL(calls->thread_count, 1);
    CU_ASSERT_EQUAL(calls->rank_row_count, 1);
    stop();
}

static void no_process_session_is_missing(void)
{
    recording_writer *none = recording_writer_new();
    CU_ASSERT_EQUAL(scope_replay(writer_finish(none), 0, &calls), SCOPE_ERR_MISSING);
    recording_writer_free(none);
}

static void session_zero_is_the_process_session_started_last(void)
{
    start();
    ev(200, SCOPE_EVENT_BEGIN, 1);
    ev(201, SCOPE_EVENT_END, 1);
    writer_session(writer, 2, true, 300, 300, "second");
    writer_session(writer, 3, false, 310, 310, "explicit");
    writer_stream_of(writer, 2, 1);
    ev(400, SCOPE_EVENT_BEGIN, 2);
    ev(405, SCOPE_EVENT_END, 2);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->start_ns[0], 400);
    scope_calls_free(calls);
    CU_ASSERT_EQUAL_FATAL(scope_replay(writer_finish(writer), 1, &calls), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->start_ns[0], 200);
    stop();
}

static void rows_of_a_region_lie_thread_after_thread(void)
{
    start();
    writer_thread(writer, 1, "worker", 150, SCOPE_THREAD_START_EXACT);
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    ev(1001, SCOPE_EVENT_END, 1);
    ev(3000, SCOPE_EVENT_BEGIN, 1);
    ev(3001, SCOPE_EVENT_END, 1);
    writer_stream(writer, 1);
    ev(150, SCOPE_EVENT_THREAD, 1);
    ev(2000, SCOPE_EVENT_BEGIN, 1);
    ev(2001, SCOPE_EVENT_END, 1);
    const uint64_t cpu = 77;
    writer_values(writer, 2100, SCOPE_EVENT_THREAD_END, 1, &cpu, 1);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->start_ns[1], 3000);
    CU_ASSERT_EQUAL(calls->start_ns[2], 2000);
    CU_ASSERT_EQUAL(calls->thread_ids[2], 1);
    CU_ASSERT_EQUAL(calls->call_ids[0], 0);
    CU_ASSERT_EQUAL(calls->call_ids[1], 2);
    CU_ASSERT_EQUAL(calls->call_ids[2], 1);
    CU_ASSERT_EQUAL(calls->parent_ids[1], -1);
    CU_ASSERT_EQUAL_FATAL(calls->thread_count, 2);
    CU_ASSERT_EQUAL(calls->threads[0].end_ns, -1);
    CU_ASSERT_EQUAL(calls->threads[0].flags & SCOPE_THREAD_MAIN, SCOPE_THREAD_MAIN);
    CU_ASSERT_EQUAL(calls->threads[1].start_ns, 150);
    CU_ASSERT_EQUAL(calls->threads[1].end_ns, 2100);
    CU_ASSERT_EQUAL(calls->threads[1].cpu_ns, 77);
    CU_ASSERT_TRUE(is(calls->threads[1].name, "worker"));
    stop();
}

static void a_stream_goes_from_thread_to_thread(void)
{
    start();
    const uint64_t cpu = 5;
    for (uint64_t thread = 1; thread <= 50; thread++) {
        writer_thread(writer, (int64_t)thread, "w", thread * 1000, SCOPE_THREAD_START_EXACT);
        ev(thread * 1000, SCOPE_EVENT_THREAD, thread);
        ev(thread * 1000 + 10, SCOPE_EVENT_BEGIN, 1);
        ev(thread * 1000 + 20, SCOPE_EVENT_END, 1);
        writer_values(writer, thread * 1000 + 30, SCOPE_EVENT_THREAD_END, thread, &cpu, 1);
        ev(thread * 1000 + 40, SCOPE_EVENT_BEGIN, 2); /* a destructor that runs after ours */
        ev(thread * 1000 + 50, SCOPE_EVENT_END, 2);
    }
    replay();
    CU_ASSERT_EQUAL(calls->count, 100);
    CU_ASSERT_EQUAL_FATAL(calls->thread_count, 51);
    for (size_t i = 1; i <= 50; i++) {
        CU_ASSERT_EQUAL(calls->threads[i].end_ns, (int64_t)i * 1000 + 50);
        CU_ASSERT_EQUAL(calls->thread_ids[i - 1], (int64_t)i);
    }
    stop();
}

static void cpu_time_of_a_thread_alive_comes_from_its_state(void)
{
    start();
    writer_thread_state(writer, 0, 1234, "0-3");
    replay();
    CU_ASSERT_EQUAL(calls->threads[0].cpu_ns, 1234);
    CU_ASSERT_EQUAL(calls->threads[0].end_ns, -1);
    CU_ASSERT_EQUAL(calls->threads[0].last_cpu, 3);
    CU_ASSERT_TRUE(is(calls->threads[0].binding, "0-3"));
    stop();
}

static void calls_of_a_task_are_on_its_own_lane(void)
{
    start();
    writer_name(writer, SCOPE_NAME_TASK, 1, "fetch-1");
    writer_name(writer, SCOPE_NAME_TASK, 2, "module.Class.fetch");
    const uint64_t names = (uint64_t)SCOPE_TASK_KIND_GREENLET << 56 | 1 << 28 | 2;
    ev(1000, SCOPE_EVENT_BEGIN, 1);
    writer_values(writer, 1010, SCOPE_EVENT_TASK_NEW, 0, &names, 1);
    ev(1100, SCOPE_EVENT_RESUME, 0);
    ev(1110, SCOPE_EVENT_BEGIN, 2);
    ev(1200, SCOPE_EVENT_SUSPEND, 0);
    ev(1250, SCOPE_EVENT_END, 1); /* the thread's call ends inside the task's */
    ev(1500, SCOPE_EVENT_RESUME, 0);
    ev(1600, SCOPE_EVENT_END, 2);
    ev(1650, SCOPE_EVENT_SUSPEND, 0);
    ev(1660, SCOPE_EVENT_TASK_DONE, 0);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->task_ids);
    CU_ASSERT_EQUAL(calls->task_ids[0], -1);
    CU_ASSERT_EQUAL(calls->task_ids[1], 0);
    CU_ASSERT_EQUAL(calls->await_ns[0], 0);
    CU_ASSERT_EQUAL(calls->await_ns[1], 300);
    CU_ASSERT_EQUAL(calls->parent_ids[1], -1);
    CU_ASSERT_EQUAL_FATAL(calls->task_count, 1);
    const scope_task_row *task = calls->tasks;
    CU_ASSERT_EQUAL(task->created_ns, 1010);
    CU_ASSERT_EQUAL(task->done_ns, 1660);
    CU_ASSERT_EQUAL(task->steps, 2);
    CU_ASSERT_EQUAL(task->running_ns, 250);
    CU_ASSERT_EQUAL(task->suspended_ns, 300); /* neither before the first nor after the last step */
    CU_ASSERT_EQUAL(task->thread_index, 0);
    CU_ASSERT_TRUE(is(task->kind, "greenlet"));
    char label[64];
    scope_lane_label(calls, 0, 0, label, sizeof label);
    CU_ASSERT_STRING_EQUAL(label, "fetch-1 (fetch) on main");
    scope_lane_label(calls, 0, -2, label, sizeof label);
    CU_ASSERT_STRING_EQUAL(label, "main");
    scope_lane_label(calls, 0, -1, label, sizeof label);
    CU_ASSERT_STRING_EQUAL(label, "unknown lane");
    scope_lane_label(calls, 0, -9, label, sizeof label);
    CU_ASSERT_STRING_EQUAL(label, "thread 7");
    scope_lane_label(calls, 0, 12, label, sizeof label);
    CU_ASSERT_STRING_EQUAL(label, "task 12");
    stop();
}

static void a_task_that_moves_between_threads_sees_its_events_in_order(void)
{
    start();
    /* hops between two streams, written one stream after the other */
    enum { HOPS = 200 };
    const uint64_t names = 0;
    writer_values(writer, 1000, SCOPE_EVENT_TASK_NEW, 4, &names, 1);
    for (int pass = 0; pass < 2; pass++) {
        writer_stream(writer, (uint32_t)pass);
        if (pass == 1) {
            writer_thread(writer, 1, "b", 900, 0);
            ev(900, SCOPE_EVENT_THREAD, 1);
        }
        for (int hop = pass; hop < HOPS; hop += 2) {
            const uint64_t at = 2000 + (uint64_t)hop * 100;
            ev(at, SCOPE_EVENT_RESUME, 4);
            ev(at + 10, hop % 3 == 0 ? SCOPE_EVENT_BEGIN : SCOPE_EVENT_MARK, 1);
            if (hop % 3 == 2)
                ev(at + 20, SCOPE_EVENT_END, 1);
            ev(at + 30, SCOPE_EVENT_SUSPEND, 4);
        }
    }
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, HOPS / 3 + 1);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    size_t open = 0;
    for (uint64_t row = 0; row < calls->count; row++) {
        if (calls->flags && calls->flags[row]) {
            open++;
            continue;
        }
        CU_ASSERT_EQUAL(calls->duration_ns[row], 210);
        CU_ASSERT_EQUAL(calls->await_ns[row], 140);
        CU_ASSERT_EQUAL(calls->task_ids[row], 0);
        CU_ASSERT_EQUAL(calls->thread_ids[row], (calls->start_ns[row] - 2010) / 100 % 2);
    }
    CU_ASSERT_EQUAL(open, 1);
    CU_ASSERT_EQUAL(calls->tasks[0].steps, HOPS);
    CU_ASSERT_EQUAL(calls->tasks[0].running_ns, HOPS * 30);
    CU_ASSERT_EQUAL(calls->tasks[0].suspended_ns, (HOPS - 1) * 70);
    stop();
}

/* A thread's own events and then a RESUME: the RESUME may be later than the task's
 * steps on another thread that started after those events. */
static void a_long_run_does_not_run_ahead_of_the_task(void)
{
    start();
    writer_thread(writer, 1, "b", 900, 0);
    ev(1000, SCOPE_EVENT_RESUME, 4);
    ev(1010, SCOPE_EVENT_BEGIN, 1);
    ev(1020, SCOPE_EVENT_SUSPEND, 4);
    ev(1100, SCOPE_EVENT_BEGIN, 2); /* the run of this thread from here ... */
    ev(1900, SCOPE_EVENT_END, 2);
    ev(2000, SCOPE_EVENT_RESUME, 4); /* ... to here */
    ev(2010, SCOPE_EVENT_END, 1);
    ev(2020, SCOPE_EVENT_SUSPEND, 4);
    ev(2030, SCOPE_EVENT_TASK_DONE, 4);
    writer_stream(writer, 1);
    ev(900, SCOPE_EVENT_THREAD, 1);
    ev(1200, SCOPE_EVENT_BEGIN, 2);
    ev(1300, SCOPE_EVENT_RESUME, 4);
    ev(1310, SCOPE_EVENT_BEGIN, 2);
    ev(1320, SCOPE_EVENT_END, 2);
    ev(1330, SCOPE_EVENT_SUSPEND, 4);
    ev(1400, SCOPE_EVENT_END, 2);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 4);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1010);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->await_ns[0], 280 + 670);
    for (uint64_t row = 1; row < 4; row++)
        if (calls->task_ids[row] == 0)
            CU_ASSERT_EQUAL(calls->parent_ids[row], calls->call_ids[0]);
    CU_ASSERT_EQUAL(calls->tasks[0].suspended_ns, 950);
    stop();
}

static void resumes_nest(void)
{
    start();
    ev(1000, SCOPE_EVENT_RESUME, 1);
    ev(1010, SCOPE_EVENT_BEGIN, 1);
    ev(1020, SCOPE_EVENT_RESUME, 2);
    ev(1030, SCOPE_EVENT_BEGIN, 2);
    ev(1040, SCOPE_EVENT_END, 2);
    ev(1050, SCOPE_EVENT_SUSPEND, 2);
    ev(1060, SCOPE_EVENT_END, 1);
    ev(1070, SCOPE_EVENT_SUSPEND, 9); /* does not run here: ignored */
    ev(1080, SCOPE_EVENT_SUSPEND, 1);
    ev(1090, SCOPE_EVENT_BEGIN, 2);
    ev(1095, SCOPE_EVENT_END, 2);
    replay();
    CU_ASSERT_EQUAL_FATAL(calls->count, 3);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_EQUAL(calls->task_ids[0], 0);
    CU_ASSERT_EQUAL(calls->task_ids[1], 1);
    CU_ASSERT_EQUAL(calls->task_ids[2], -1);
    stop();
}

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
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("replay", NULL, NULL);
    CU_ADD_TEST(suite, two_nested_calls_become_two_rows);
    CU_ADD_TEST(suite, an_empty_recording_is_an_empty_table);
    CU_ADD_TEST(suite, no_process_session_is_missing);
    CU_ADD_TEST(suite, session_zero_is_the_process_session_started_last);
    CU_ADD_TEST(suite, rows_of_a_region_lie_thread_after_thread);
    CU_ADD_TEST(suite, a_stream_goes_from_thread_to_thread);
    CU_ADD_TEST(suite, cpu_time_of_a_thread_alive_comes_from_its_state);
    CU_ADD_TEST(suite, calls_of_a_task_are_on_its_own_lane);
    CU_ADD_TEST(suite, a_task_that_moves_between_threads_sees_its_events_in_order);
    CU_ADD_TEST(suite, a_long_run_does_not_run_ahead_of_the_task);
    CU_ADD_TEST(suite, resumes_nest);
    CU_ADD_TEST(suite, open_calls_are_rows_that_end_at_the_last_time);
    CU_ADD_TEST(suite, open_calls_of_a_dead_thread_end_with_it);
    CU_ADD_TEST(suite, misuse_is_flagged_and_counted_per_region);
    CU_ADD_TEST(suite, crossing_calls_keep_their_times_and_lose_ids);
    CU_ADD_TEST(suite, messages_belong_to_the_call_that_is_open);
    CU_ADD_TEST(suite, several_messages_of_a_call_are_listed);
    CU_ADD_TEST(suite, completions_are_listed_alone);
    CU_ADD_TEST(suite, marks_and_counters_are_points);
    CU_ADD_TEST(suite, calls_with_times_of_their_own_are_rows);
    CU_ADD_TEST(suite, ids_beyond_20_bits_are_escaped);
    CU_ADD_TEST(suite, names_are_bytes);
    CU_ADD_TEST(suite, a_long_call_crosses_many_epochs);
    CU_ADD_TEST(suite, time_does_not_go_back);
    CU_ADD_TEST(suite, holes_are_counted_and_passed);
    CU_ADD_TEST(suite, what_lies_behind_a_chunk_in_the_middle_is_read);
    CU_ADD_TEST(suite, what_lies_behind_the_first_chunk_is_read);
    CU_ADD_TEST(suite, what_lay_beside_a_file_is_counted_as_not_read);
    CU_ADD_TEST(suite, of_two_chunks_in_one_place_the_newer_counts);
    CU_ADD_TEST(suite, ticks_are_mapped_by_calibration_points);
    CU_ADD_TEST(suite, metadata_entries_reach_the_table);
    CU_ADD_TEST(suite, a_pause_excuses_ends_without_begin);
    CU_ADD_TEST(suite, open_events_carry_calls_over_a_cut);
    CU_ADD_TEST(suite, many_open_calls_are_no_trouble);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
