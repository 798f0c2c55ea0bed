/* test_replay.c - from event words to the call table: rows, threads, tasks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "replayed.h"

#include <scope/results.h>

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

int main(void)
{
    const unit_test tests[] = {
        UNIT(two_nested_calls_become_two_rows),
        UNIT(an_empty_recording_is_an_empty_table),
        UNIT(no_process_session_is_missing),
        UNIT(session_zero_is_the_process_session_started_last),
        UNIT(rows_of_a_region_lie_thread_after_thread),
        UNIT(a_stream_goes_from_thread_to_thread),
        UNIT(cpu_time_of_a_thread_alive_comes_from_its_state),
        UNIT(calls_of_a_task_are_on_its_own_lane),
        UNIT(a_task_that_moves_between_threads_sees_its_events_in_order),
        UNIT(a_long_run_does_not_run_ahead_of_the_task),
        UNIT(resumes_nest),
        {0},
    };
    return unit_run("replay", tests);
}
