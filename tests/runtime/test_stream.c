/* test_stream.c - chunks, budgets, many threads, many ids, signal handlers, stop.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static void a_long_stream_has_no_gap_and_no_hole(void)
{
    enum { CALLS = 300000 };
    recorded_start(NULL);
    for (int i = 0; i < CALLS; i++) {
        scope_region_begin(1);
        scope_region_end(1);
    }
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 1), CALLS);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), CALLS);
    CU_ASSERT_EQUAL(events.holes, 0);
    CU_ASSERT_EQUAL(events.missing, 0);
    CU_ASSERT_TRUE(events.chunks > 5);
    recorded_end(&events);
}

static void events_of_several_words_never_cross_a_chunk(void)
{
    enum { CALLS = 50000 };
    recorded_start(NULL);
    for (int i = 0; i < CALLS; i++) {
        scope_region_begin(1);
        scope_region_end_message(1, &(scope_message){i, i, i, i, SCOPE_MESSAGE_SENT});
        if (i % 3 == 0)
            scope_counter("c", i);
    }
    read_events events = recorded_events();
    int64_t next = 0, bad = 0;
    for (size_t i = 0; i < events.count; i++)
        if (events.items[i].kind == SCOPE_EVENT_MESSAGE)
            bad += events.items[i].value_count != 2 || events.items[i].id != (uint64_t)next ||
                   events.items[i].values[0] != (uint64_t)next ||
                   events.items[i + 1].kind != SCOPE_EVENT_END || (next++, 0);
    CU_ASSERT_EQUAL(next, CALLS);
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(events.holes, 0);
    recorded_end(&events);
}

static void *record_calls(void *argument)
{
    const int depth = *(int *)argument;
    for (int i = 0; i < depth; i++)
        scope_region_begin(i % 7 + 1);
    for (int i = depth; i-- > 0;)
        scope_region_end(i % 7 + 1);
    for (int i = 0; i < 10000; i++) {
        scope_region_begin(9);
        scope_region_end(9);
    }
    return NULL;
}

static void sixty_four_threads_a_thousand_deep(void)
{
    enum { THREADS = 64, DEPTH = 1000 };
    pthread_t threads[THREADS];
    int depth = DEPTH;
    recorded_start(NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, record_calls, &depth);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), THREADS * (DEPTH + 10000));
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, -1), THREADS * (DEPTH + 10000));
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, -1), THREADS);
    CU_ASSERT_EQUAL(events.holes, 0);
    CU_ASSERT_EQUAL(events.missing, 0);
    recorded_end(&events);
}

static void ids_beyond_twenty_bits_use_the_escape(void)
{
    const scope_region ids[] = {0xFFFFE, 0xFFFFF, 0x100000, INT32_MAX};
    recorded_start(NULL);
    for (int i = 0; i < 4; i++) {
        scope_region_begin(ids[i]);
        scope_region_end(ids[i]);
        scope_region_begin(ids[i]);
        scope_region_end_message(ids[i], &(scope_message){5, 6, 7, 8, SCOPE_MESSAGE_SENT});
    }
    read_events events = recorded_events();
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, ids[i]), 2);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, ids[i]), 2);
    }
    CU_ASSERT_EQUAL(events.holes, 0);
    recorded_end(&events);
}

static void more_than_a_million_regions_have_ids_of_their_own(void)
{
    enum { NAMES = (1 << 20) + 5 };
    char name[32];
    scope_region region = -1, first = -1, last = -1;
    recorded_start(NULL);
    for (int i = 0; i < NAMES; i++) {
        const int length = snprintf(name, sizeof name, "many %d", i);
        if (scope_region_register_bytes(name, (size_t)length, &region) != SCOPE_OK)
            break;
        if (!i)
            first = region;
        last = region;
    }
    CU_ASSERT_EQUAL(last - first, NAMES - 1);
    scope_region_begin(first);
    scope_region_begin(last);
    scope_region_end(last);
    scope_region_end(first);
    const scope_recording view = recorded_stop();
    read_events events = read_all_events(&view, scope_process_session.number);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, last), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, first), 1);
    CU_ASSERT_TRUE(count_definitions(&view, SCOPE_DEFINE_NAME) >= NAMES);
    recorded_end(&events);
}

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
    (void)number;
    scope_region_begin(2);
    scope_region_end(2);
    handled++;
}

static void a_storm_of_signal_handlers_loses_nothing_uncounted(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    const struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    struct timespec start, now;
    long calls = 0;
    recorded_start(NULL);
    handled = 0;
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &often, NULL);
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        for (int i = 0; i < 10000; i++, calls++) {
            scope_region_begin(1);
            scope_region_end(1);
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((calls < 1000000 || handled < 1000) && now.tv_sec - start.tv_sec < 5);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    read_events events = recorded_events();
    const size_t seen = count_events(&events, SCOPE_EVENT_BEGIN, 2) +
                        count_events(&events, SCOPE_EVENT_END, 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 1), (size_t)calls);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), (size_t)calls);
    CU_ASSERT_EQUAL(seen + scope_store.header->dropped_handler_events, 2 * (size_t)handled);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    recorded_end(&events);
}

static _Atomic int go_on;
static _Atomic long recorded_calls;

static void *record_until_told(void *argument)
{
    (void)argument;
    long calls = 0;
    while (atomic_load_explicit(&go_on, memory_order_relaxed)) {
        scope_region_begin(1);
        scope_region_end(1);
        calls++;
    }
    atomic_fetch_add(&recorded_calls, calls);
    return NULL;
}

static void threads_that_go_on_are_stopped_from_outside(void)
{
    for (int round = 0; round < 10; round++) {
        pthread_t threads[4];
        recorded_start(NULL);
        atomic_store(&go_on, 1);
        atomic_store(&recorded_calls, 0);
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, record_until_told, NULL);
        usleep(5000);
        read_events events = recorded_events();
        usleep(1000);
        const scope_recording view = recorded_stop();
        read_events later = read_all_events(&view, scope_process_session.number);
        /* At most the word that each thread had claimed before is new. */
        CU_ASSERT_TRUE(later.count - events.count <= 4 && later.count >= events.count);
        free(later.items);
        const size_t ends = count_events(&events, SCOPE_EVENT_END, 1);
        recorded_end(&events); /* the recording is closed while they run */
        usleep(1000);
        atomic_store(&go_on, 0);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        CU_ASSERT_TRUE((size_t)atomic_load(&recorded_calls) + 4 >= ends);
    }
}

static void policy_stop_counts_what_does_not_fit(void)
{
    enum { CALLS = 200000 };
    scope_options options = SCOPE_OPTIONS_INIT;
    options.policy = SCOPE_POLICY_STOP;
    options.max_bytes = 512 << 10;
    recorded_start(&options);
    for (int i = 0; i < CALLS; i++) {
        scope_region_begin(1);
        scope_region_end(1);
    }
    read_events events = recorded_events();
    CU_ASSERT_TRUE(events.count > 10000);
    CU_ASSERT_TRUE(scope_store.used_bytes <= (512 << 10) + 2 * SCOPE_CHUNK_UNIT_BYTES);
    CU_ASSERT_EQUAL(events.count - 1 + scope_store.header->dropped_events, 2 * CALLS);
    recorded_end(&events);
}

static void a_second_start_changes_nothing_and_one_after_the_end_is_new(void)
{
    recorded_start(NULL);
    scope_region_begin(1);
    scope_options other = SCOPE_OPTIONS_INIT;
    other.disable = 1;
    CU_ASSERT_EQUAL(scope_init(&other), SCOPE_OK);
    scope_region_end(1);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 3);
    recorded_end(&events);
    CU_ASSERT_FALSE(scope_store.is_open);
    recorded_start(NULL);
    scope_region_begin(1);
    events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 2);
    recorded_end(&events);
}

static void disabled_means_off(void)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.disable = 1;
    recorded_start(&options);
    CU_ASSERT_FALSE(scope_is_active());
    scope_region_begin(1);
    CU_ASSERT_FALSE(scope_store.is_open);
    recorded_end(NULL);
}

static void explicit_sessions_record_side_by_side(void)
{
    scope_session *one, *two;
    scope_options options = SCOPE_OPTIONS_INIT;
    options.no_output = 1;
    recorded_start(NULL);
    CU_ASSERT_EQUAL_FATAL(scope_session_create(&options, &one), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_session_create(&options, &two), SCOPE_OK);
    scope_session_begin(one, 1);
    scope_region_begin(2);
    scope_session_begin(two, 3);
    scope_session_end(two, 3);
    scope_region_end(2);
    scope_session_end(one, 1);
    scope_session_begin(one, 0x100000);
    scope_session_end(one, 0x100000);
    scope_session_begin(NULL, 1);
    scope_recording view;
    scope_spool_view(&view);
    read_events of_one = read_all_events(&view, one->number);
    read_events of_two = read_all_events(&view, two->number);
    CU_ASSERT_EQUAL(of_one.count, 5);
    CU_ASSERT_EQUAL(of_two.count, 3);
    CU_ASSERT_NOT_EQUAL(one->number, two->number);
    CU_ASSERT_EQUAL(scope_session_close(one), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_session_close(NULL), SCOPE_OK);
    scope_session_end(one, 1); /* closed: nothing happens */
    scope_session_begin(two, 4);
    free(of_two.items);
    of_two = read_all_events(&view, two->number);
    CU_ASSERT_EQUAL(of_two.count, 4);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 3);
    recorded_end(&events);
    CU_ASSERT_TRUE(scope_store.is_open); /* session two still records */
    CU_ASSERT_EQUAL(scope_session_close(two), SCOPE_OK);
    CU_ASSERT_FALSE(scope_store.is_open);
    free(of_one.items);
    free(of_two.items);
}

/* ---- a handler ends the session between a claim and its store ---- */

static uint64_t wanted_words;

static void records_and_ends(int number)
{
    (void)number;
    for (uint64_t i = 0; i < wanted_words; i++)
        scope_region_begin(1);
    scope_finalize();
}

/* In the claim's own chunk, and with the handler far away in another segment. */
static void a_claim_outlives_its_session(void)
{
    scope_slot *slot = &scope_this_thread.slot;
    signal(SIGUSR1, records_and_ends);
    for (wanted_words = 0; wanted_words <= 1u << 20; wanted_words += 1u << 20) {
        recorded_start(NULL);
        scope_region_begin(1);
        const uintptr_t claimed = scope_claim(&slot->next, sizeof(uint64_t));
        const scope_chunk_header *chunk = slot->stream->chunk;
        raise(SIGUSR1);
        CU_ASSERT_FALSE(scope_store.is_open);
        scope_store_word(claimed, 1); /* faults where nothing is mapped */
        CU_ASSERT_TRUE(claimed > (uintptr_t)chunk);
    }
    for (int i = 0; i < 3; i++) { /* what was kept for it is given back */
        recorded_start(NULL);
        scope_region_begin(1);
        scope_finalize();
    }
    signal(SIGUSR1, SIG_DFL);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(a_long_stream_has_no_gap_and_no_hole),
        UNIT(events_of_several_words_never_cross_a_chunk),
        UNIT(sixty_four_threads_a_thousand_deep),
        UNIT(ids_beyond_twenty_bits_use_the_escape),
        UNIT(more_than_a_million_regions_have_ids_of_their_own),
        UNIT(a_storm_of_signal_handlers_loses_nothing_uncounted),
        UNIT(threads_that_go_on_are_stopped_from_outside),
        UNIT(policy_stop_counts_what_does_not_fit),
        UNIT(a_second_start_changes_nothing_and_one_after_the_end_is_new),
        UNIT(disabled_means_off),
        UNIT(explicit_sessions_record_side_by_side),
        UNIT(a_claim_outlives_its_session),
        {0},
    };
    return unit_run("stream", tests);
}
