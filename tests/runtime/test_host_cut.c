/* test_host_cut.c - what lies before a host's checkpoint: used again, summed up, never given out twice.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hosted.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

/* The place behind the last word of every stream. */
static size_t positions_of(scope_session *session, scope_define_cut_stream *positions)
{
    scope_recording view;
    uint16_t number;
    size_t count, streams = 0;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    CU_ASSERT_TRUE(scope_enter());
    scope_engine_lock(); /* this reader copies nothing: no chunk may be used again meanwhile */
    const scope_chunk_header **chunks = read_chunks(&view, SCOPE_CHUNK_EVENTS, number, &count);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && chunks[i + 1]->stream == chunks[i]->stream)
            continue;
        const uint64_t *words = (const uint64_t *)(chunks[i] + 1);
        uint64_t end = 0;
        while (read_word(&words[end]))
            end++;
        positions[streams++] =
            (scope_define_cut_stream){chunks[i]->stream, chunks[i]->sequence, end};
    }
    scope_engine_unlock();
    scope_leave();
    free(chunks);
    return streams;
}

static void chunks_before_a_cut_are_used_again(void)
{
    scope_define_cut_stream positions[4];
    scope_session *session = hosted_create();
    scope_session_begin(session, 7); /* open over every cut */
    uint64_t used_bytes = 0;
    for (int i = 0; i < 40; i++) {
        hosted_record(session, 1, 100000);
        CU_ASSERT_EQUAL(
            scope_host_checkpoint(session, positions, positions_of(session, positions), i, "/o"),
            SCOPE_OK);
        if (i == 3)
            used_bytes = scope_store.used_bytes;
    }
    CU_ASSERT_TRUE(used_bytes > 0 && scope_store.used_bytes <= used_bytes + (2 << 20));
    scope_recording view;
    uint16_t number;
    scope_host_view(session, &view, &number);
    const scope_sums_header *sums = read_sums(&view, number, positions[0].stream);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    CU_ASSERT_TRUE(sums->first_unfolded <= positions[0].sequence);
    CU_ASSERT_EQUAL(sums->row_count, 0);
    CU_ASSERT_EQUAL(sums->dropped_events, 0);
    CU_ASSERT_EQUAL(sums->open_count, 1);
    const scope_sums_open *open =
        (const scope_sums_open *)((const scope_sums_lane *)(sums + 1) + sums->lane_count);
    CU_ASSERT_EQUAL(open->region, 7);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    scope_session_end(session, 7);
    read_events events = hosted_events(session);
    CU_ASSERT_EQUAL(events.missing, 0);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 7), 1);
    free(events.items);
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_CUT), 40);
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_CHECKPOINT), 40);
    scope_host_close(session);
}

static void sums_of_before_a_cut_are_not_given_out_again(void)
{
    scope_define_cut_stream positions[4];
    scope_session *session = hosted_create();
    scope_host_bound(session);
    hosted_record(session, 1, 200000);
    scope_session_begin(session, 1); /* one call over the cut */
    CU_ASSERT_EQUAL(
        scope_host_checkpoint(session, positions, positions_of(session, positions), 0, "/o"),
        SCOPE_OK);
    scope_session_end(session, 1);
    hosted_record(session, 1, 99999);
    scope_recording view;
    uint16_t number;
    scope_host_view(session, &view, &number);
    const scope_sums_header *sums = read_sums(&view, number, positions[0].stream);
    read_events events = read_all_events(&view, number);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    CU_ASSERT_EQUAL(sums->folded_calls + count_events(&events, SCOPE_EVENT_END, 1), 100000);
    CU_ASSERT_TRUE(scope_store.used_bytes <= 5 * (64 << 10));
    free(events.items);
    scope_host_close(session);
}

/* What a reader that knows the cut and the sums would count is what was recorded. */
static void checkpoints_lose_nothing_of_threads_that_go_on(void)
{
    enum { THREADS = 3 };
    hosted_busy states[THREADS];
    pthread_t threads[THREADS];
    scope_define_cut_stream positions[THREADS + 1];
    scope_session *session = hosted_create();
    for (int i = 0; i < THREADS; i++) {
        states[i] = (hosted_busy){.session = session};
        pthread_create(&threads[i], NULL, hosted_record_until_told, &states[i]);
    }
    for (int i = 0; i < THREADS; i++) /* before, there is no recording to cut */
        while (!atomic_load(&states[i].calls))
            usleep(100);
    for (int i = 0; i < 20; i++) {
        struct timespec pause = {0, 5000000};
        nanosleep(&pause, NULL);
        CU_ASSERT_EQUAL(
            scope_host_checkpoint(session, positions, positions_of(session, positions), i, "/o"),
            SCOPE_OK);
    }
    for (int i = 0; i < THREADS; i++)
        atomic_store(&states[i].stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    read_events events = hosted_events(session);
    CU_ASSERT_EQUAL(events.missing, 0);
    CU_ASSERT_EQUAL(events.holes, 0);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 9), THREADS);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    free(events.items);
    scope_host_close(session);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(chunks_before_a_cut_are_used_again),
        UNIT(sums_of_before_a_cut_are_not_given_out_again),
        UNIT(checkpoints_lose_nothing_of_threads_that_go_on),
        {0},
    };
    return unit_run("host_cut", tests);
}
