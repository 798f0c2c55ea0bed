/* test_watch.c - a recording is followed while it is written: what is summed up is what was
 * recorded, whatever of it is written anew, folded or given up meanwhile.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CUnit/Basic.h>

#include <scope/host.h>
#include <scope/region.h>
#include <scope/session.h>
#include <scope/watch.h>

#include "recording_writer.h"
#include "tiny_calls.h"

static const scope_watch_region *region_of(const scope_watch_state *state, const char *name)
{
    static const scope_watch_region none;
    for (size_t i = 0; i < state->region_count; i++)
        if (state->regions[i].name.length_bytes == strlen(name) &&
            memcmp(state->regions[i].name.bytes, name, strlen(name)) == 0)
            return &state->regions[i];
    return &none;
}

/* ---- with the recorder ---- */

static const scope_watch_state *look(scope_watch *watch)
{
    scope_recording view;
    uint16_t number;
    CU_ASSERT_EQUAL_FATAL(scope_host_view(scope_host_process(), &view, &number), SCOPE_OK);
    if (number) /* something was recorded */
        CU_ASSERT_EQUAL_FATAL(scope_watch_read(watch, &view, 1), SCOPE_OK);
    return scope_watch_now(watch);
}

/* All of it, watched from the begin, and now and then by one who comes late. */
static void record(const char *throttle, const char *bytes, const char *policy, int rounds,
                   int exact)
{
    pthread_t threads[THREADS];
    scope_options options = SCOPE_OPTIONS_INIT;
    scope_watch *watch, *late;
    uint64_t before, seen = 0, looks = 0;
    options.no_output = 1;
    outers_each = rounds;
    atomic_store(&running, THREADS);
    for (int i = 0; i < THREADS; i++)
        atomic_store(&done[i], 0);
    setenv("SCOPE_THROTTLE", throttle, 1);
    setenv("SCOPE_MAX_BYTES", bytes, 1);
    setenv("SCOPE_POLICY", policy, 1);
    CU_ASSERT_EQUAL_FATAL(scope_init(&options), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_region_register("outer", &outer), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_region_register("tiny", &tiny), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    for (int i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, &done[i]), 0);
    while (atomic_load(&running)) {
        before = all_done();
        const uint64_t count = region_of(look(watch), "tiny")->call_count;
        CU_ASSERT_TRUE(count >= seen && count <= all_done() + THREADS);
        CU_ASSERT_TRUE(!exact || count >= before);
        seen = count;
        if (looks++ % 8 == 0) /* so long that more than the budget is recorded */
            nanosleep(&(struct timespec){0, 60000000}, NULL);
        if (looks % 50 == 0) {
            CU_ASSERT_EQUAL_FATAL(scope_watch_new(&late), SCOPE_OK);
            before = all_done();
            const uint64_t all = region_of(look(late), "tiny")->call_count;
            CU_ASSERT_TRUE(all <= all_done() + THREADS && (!exact || all >= before));
            scope_watch_free(late);
        }
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    const scope_watch_state *state = look(watch);
    const scope_watch_region *inner = region_of(state, "tiny"), *around = region_of(state, "outer");
    if (exact) {
        CU_ASSERT_EQUAL(inner->call_count, all_done());
        CU_ASSERT_EQUAL(around->call_count, (uint64_t)THREADS * (uint64_t)outers_each);
        CU_ASSERT_EQUAL(state->missed_chunks, 0);
        CU_ASSERT_EQUAL(state->orphan_count, 0);
        CU_ASSERT_TRUE(state->event_count >= 2 * (inner->call_count + around->call_count));
        /* what the calls of outer have for themselves, and what tiny has, is their time */
        const int64_t both = inner->total_ns + around->exclusive_ns;
        CU_ASSERT_TRUE(llabs(both - around->total_ns) < around->total_ns / 1000 + 1000);
        CU_ASSERT_TRUE(around->total_ns <= state->lane_ns);
    }
    CU_ASSERT_EQUAL(state->open_count, 0);
    scope_watch_free(watch);
    scope_finalize();
}

static void calls_that_become_sums_count_once(void)
{
    record("2000:1000000", "512M", "fold", 20000, 1);
}

static void calls_that_are_folded_count_once(void)
{
    record("0", "2M", "fold", 20000, 1);
}

static void calls_that_are_folded_and_become_sums_count_once(void)
{
    record("2000:1000000", "2M", "fold", 20000, 1);
}

static void a_ring_gives_no_more_than_there_was(void)
{
    record("0", "2M", "ring", 20000, 0);
}

/* ---- events, one by one: ticks are ns ---- */

static recording_writer *begin_recording(void)
{
    recording_writer *writer = recording_writer_new();
    writer_name(writer, SCOPE_NAME_REGION, 1, "solve");
    writer_name(writer, SCOPE_NAME_REGION, 2, "MPI_Barrier");
    writer_tag(writer, 2, "mpi");
    writer_thread(writer, 0, "main", 0, SCOPE_THREAD_MAIN);
    writer_stream(writer, 0);
    writer_event(writer, 0, SCOPE_EVENT_THREAD, 0);
    return writer;
}

static const scope_watch_state *read_on(scope_watch *watch, recording_writer *writer)
{
    CU_ASSERT_EQUAL_FATAL(scope_watch_read(watch, writer_finish(writer), 0), SCOPE_OK);
    return scope_watch_now(watch);
}

static void open_calls_have_their_time_so_far(void)
{
    recording_writer *writer = begin_recording();
    scope_watch *watch;
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    writer_event(writer, 3000, SCOPE_EVENT_BEGIN, 2);
    const scope_watch_state *state = read_on(watch, writer);
    CU_ASSERT_EQUAL_FATAL(state->thread_count, 1);
    CU_ASSERT_TRUE(state->threads[0].is_main);
    CU_ASSERT_EQUAL_FATAL(state->threads[0].open_count, 2);
    CU_ASSERT_EQUAL(state->opens[0].begin_ns, 1000);
    CU_ASSERT_EQUAL(state->opens[1].begin_ns, 3000);
    CU_ASSERT_EQUAL(state->opens[1].communicator, -1);
    CU_ASSERT_EQUAL(region_of(state, "solve")->exclusive_ns, 2000);
    CU_ASSERT_EQUAL(region_of(state, "solve")->open_count, 1);
    CU_ASSERT_TRUE(region_of(state, "MPI_Barrier")->is_mpi);
    CU_ASSERT_TRUE(region_of(state, "MPI_Barrier")->is_collective);
    CU_ASSERT_FALSE(region_of(state, "solve")->is_mpi);
    writer_event(writer, 7000, SCOPE_EVENT_END, 2);
    state = read_on(watch, writer);
    CU_ASSERT_EQUAL(state->threads[0].open_count, 1);
    CU_ASSERT_EQUAL(region_of(state, "MPI_Barrier")->call_count, 1);
    CU_ASSERT_EQUAL(region_of(state, "MPI_Barrier")->total_ns, 4000);
    CU_ASSERT_EQUAL(region_of(state, "solve")->exclusive_ns, 2000);
    writer_event(writer, 9000, SCOPE_EVENT_END, 1);
    state = read_on(watch, writer);
    CU_ASSERT_EQUAL(region_of(state, "solve")->total_ns, 8000);
    CU_ASSERT_EQUAL(region_of(state, "solve")->exclusive_ns, 4000);
    CU_ASSERT_EQUAL(state->open_count, 0);
    CU_ASSERT_EQUAL(state->lane_ns, 9000);
    scope_watch_free(watch);
    recording_writer_free(writer);
}

static void message(recording_writer *writer, uint64_t ticks, scope_message message)
{
    const uint64_t values[2] = {(uint64_t)message.bytes, scope_message_value(&message)};
    writer_values(writer, ticks, SCOPE_EVENT_MESSAGE, (uint64_t)message.communicator, values, 2);
}

static void messages_are_counted_and_name_the_communicator(void)
{
    recording_writer *writer = begin_recording();
    scope_watch *watch;
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    writer_communicator(writer, 0, 3, "MPI_COMM_WORLD");
    for (int i = 0; i < 3; i++) {
        writer_event(writer, 1000 + 100 * (uint64_t)i, SCOPE_EVENT_BEGIN, 2);
        message(writer, 1050 + 100 * (uint64_t)i,
                (scope_message){16, -1, 0, i, SCOPE_MESSAGE_COLLECTIVE});
        message(writer, 1050 + 100 * (uint64_t)i,
                (scope_message){1000, 1, 0, 0, SCOPE_MESSAGE_POSTED});
        writer_event(writer, 1050 + 100 * (uint64_t)i, SCOPE_EVENT_END, 2);
    }
    writer_event(writer, 2000, SCOPE_EVENT_BEGIN, 2);
    const scope_watch_state *state = read_on(watch, writer);
    CU_ASSERT_EQUAL(region_of(state, "MPI_Barrier")->bytes, 48);
    CU_ASSERT_EQUAL_FATAL(state->communicator_count, 1);
    CU_ASSERT_EQUAL(state->communicators[0].last_number, 2);
    CU_ASSERT_EQUAL_FATAL(state->open_count, 1);
    CU_ASSERT_EQUAL(state->opens[0].communicator, 0);
    scope_watch_free(watch);
    recording_writer_free(writer);
}

static void a_task_ends_in_another_stream_what_it_began(void)
{
    recording_writer *writer = begin_recording();
    scope_watch *watch;
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    writer_thread(writer, 1, "worker", 0, 0);
    writer_stream(writer, 1); /* the first in the file ends what the second one began */
    writer_event(writer, 0, SCOPE_EVENT_THREAD, 1);
    writer_event(writer, 5000, SCOPE_EVENT_RESUME, 7);
    writer_event(writer, 6000, SCOPE_EVENT_END, 1);
    writer_event(writer, 6000, SCOPE_EVENT_SUSPEND, 7);
    writer_stream(writer, 0);
    writer_event(writer, 1000, SCOPE_EVENT_RESUME, 7);
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    writer_event(writer, 2000, SCOPE_EVENT_SUSPEND, 7);
    const scope_watch_state *state = read_on(watch, writer);
    CU_ASSERT_EQUAL(region_of(state, "solve")->call_count, 1);
    CU_ASSERT_EQUAL(region_of(state, "solve")->total_ns, 5000);
    CU_ASSERT_EQUAL(region_of(state, "solve")->exclusive_ns, 1000); /* it waited in between */
    CU_ASSERT_EQUAL(state->orphan_count, 0);
    CU_ASSERT_EQUAL(state->thread_count, 2);
    scope_watch_free(watch);
    recording_writer_free(writer);
}

static void waiting_is_nobodys_own_time(void)
{
    recording_writer *writer = begin_recording();
    scope_watch *watch;
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    writer_name(writer, SCOPE_NAME_REGION, 3, "fetch");
    writer_event(writer, 1000, SCOPE_EVENT_RESUME, 7);
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    writer_event(writer, 1100, SCOPE_EVENT_BEGIN, 3);
    writer_event(writer, 1300, SCOPE_EVENT_SUSPEND, 7);
    writer_event(writer, 9000, SCOPE_EVENT_MARK, 1);
    const scope_watch_state *state = read_on(watch, writer);
    CU_ASSERT_EQUAL(region_of(state, "solve")->exclusive_ns, 100);
    CU_ASSERT_EQUAL(region_of(state, "fetch")->exclusive_ns, 200);
    CU_ASSERT_EQUAL(state->waiting_tasks, 1);
    CU_ASSERT_EQUAL(state->open_count, 0); /* on no thread */
    writer_event(writer, 9100, SCOPE_EVENT_RESUME, 7);
    writer_event(writer, 9200, SCOPE_EVENT_END, 3);
    writer_event(writer, 9500, SCOPE_EVENT_END, 1);
    writer_event(writer, 9500, SCOPE_EVENT_TASK_DONE, 7);
    writer_event(writer, 9500, SCOPE_EVENT_SUSPEND, 7);
    state = read_on(watch, writer);
    CU_ASSERT_EQUAL(region_of(state, "fetch")->exclusive_ns, 300);
    CU_ASSERT_EQUAL(region_of(state, "solve")->exclusive_ns, 400);
    CU_ASSERT_EQUAL(region_of(state, "solve")->total_ns, 8500);
    CU_ASSERT_EQUAL(state->waiting_tasks, 0);
    scope_watch_free(watch);
    recording_writer_free(writer);
}

static void a_thread_that_ended_is_gone_with_its_open_calls(void)
{
    recording_writer *writer = begin_recording();
    scope_watch *watch;
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    const uint64_t cpu = 0;
    writer_thread(writer, 1, "next", 0, 0);
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    writer_values(writer, 3000, SCOPE_EVENT_THREAD_END, 0, &cpu, 1);
    CU_ASSERT_EQUAL(read_on(watch, writer)->thread_count, 0);
    writer_event(writer, 5000, SCOPE_EVENT_THREAD, 1);
    writer_event(writer, 6000, SCOPE_EVENT_MARK, 1);
    const scope_watch_state *state = read_on(watch, writer);
    CU_ASSERT_EQUAL_FATAL(state->thread_count, 1);
    CU_ASSERT_EQUAL(state->threads[0].id, 1);
    CU_ASSERT_EQUAL(state->threads[0].open_count, 0);
    CU_ASSERT_EQUAL(region_of(state, "solve")->total_ns, 2000);
    CU_ASSERT_EQUAL(state->lane_ns, 4000);
    scope_watch_free(watch);
    recording_writer_free(writer);
}

static void a_host_ends_one_call_and_no_other(void)
{
    recording_writer *writer = recording_writer_new();
    scope_watch *watch;
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    writer_name(writer, SCOPE_NAME_REGION, 1, "solve");
    writer_name(writer, SCOPE_NAME_REGION, 2, "other");
    writer_host_session(writer, 1, 1, 0); /* all threads are one stack */
    writer_thread(writer, 0, "main", 0, SCOPE_THREAD_MAIN | SCOPE_THREAD_HOST);
    writer_thread(writer, 1, "second", 0, SCOPE_THREAD_HOST);
    writer_stream(writer, 0);
    writer_event(writer, 0, SCOPE_EVENT_THREAD, 0);
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    writer_event(writer, 2000, SCOPE_EVENT_BEGIN, 2);
    writer_event(writer, 4000, SCOPE_EVENT_END, 1);
    const scope_watch_state *state = read_on(watch, writer);
    CU_ASSERT_EQUAL(region_of(state, "solve")->total_ns, 3000);
    CU_ASSERT_EQUAL(region_of(state, "other")->open_count, 1);
    writer_stream(writer, 1);
    writer_event(writer, 0, SCOPE_EVENT_THREAD, 1);
    writer_event(writer, 7000, SCOPE_EVENT_END, 2); /* of a call of the other thread */
    state = read_on(watch, writer);
    CU_ASSERT_EQUAL(region_of(state, "other")->call_count, 1);
    CU_ASSERT_EQUAL(region_of(state, "other")->total_ns, 5000);
    CU_ASSERT_EQUAL(region_of(state, "other")->open_count, 0);
    scope_watch_free(watch);
    recording_writer_free(writer);
}

static void the_session_that_began_last_is_followed(void)
{
    recording_writer *writer = begin_recording();
    scope_watch *watch;
    CU_ASSERT_EQUAL_FATAL(scope_watch_new(&watch), SCOPE_OK);
    writer_event(writer, 1000, SCOPE_EVENT_BEGIN, 1);
    const uint32_t resets = read_on(watch, writer)->reset_count;
    writer_session(writer, 2, true, 5000, 5000, "");
    writer_stream_of(writer, 2, 1);
    writer_event(writer, 6000, SCOPE_EVENT_BEGIN, 2);
    writer_event(writer, 8000, SCOPE_EVENT_END, 2);
    const scope_watch_state *state = read_on(watch, writer);
    CU_ASSERT_EQUAL(state->session, 2);
    CU_ASSERT_EQUAL(state->reset_count, resets + 1);
    CU_ASSERT_EQUAL(state->start_ns, 5000);
    CU_ASSERT_EQUAL(region_of(state, "solve")->open_count, 0);
    CU_ASSERT_EQUAL(region_of(state, "MPI_Barrier")->call_count, 1);
    scope_watch_free(watch);
    recording_writer_free(writer);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("watch", NULL, NULL);
#define ADD(name) CU_add_test(suite, #name, name)
    ADD(open_calls_have_their_time_so_far);
    ADD(messages_are_counted_and_name_the_communicator);
    ADD(a_task_ends_in_another_stream_what_it_began);
    ADD(waiting_is_nobodys_own_time);
    ADD(a_thread_that_ended_is_gone_with_its_open_calls);
    ADD(a_host_ends_one_call_and_no_other);
    ADD(the_session_that_began_last_is_followed);
    ADD(calls_that_become_sums_count_once);
    ADD(calls_that_are_folded_count_once);
    ADD(calls_that_are_folded_and_become_sums_count_once);
    ADD(a_ring_gives_no_more_than_there_was);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
