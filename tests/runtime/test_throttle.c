/* test_throttle.c - the recorder sums up tiny regions, and nothing else changes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "throttle.h"

enum { TINY = 3, OUTER = 2, OTHER = 4, INSIDE = 1000 };

/* So that neither a slow machine nor a long pause of it makes a difference. */
static void throttle_soon(void)
{
    setenv("SCOPE_THROTTLE", "2000:1000000", 1);
}

static void make_calls(long outers)
{
    for (long i = 0; i < outers; i++) {
        scope_region_begin(OUTER);
        for (int k = 0; k < INSIDE; k++) {
            scope_region_begin(TINY);
            scope_region_end(TINY);
        }
        scope_region_begin(OTHER);
        scope_region_end_message(OTHER, &(scope_message){1, 0, 0, -1, SCOPE_MESSAGE_SENT});
        scope_region_end(OUTER);
    }
}

/* Whether they say so many calls, whole. */
static void check_calls(const read_events *events, long outers)
{
    const size_t tiny = count_events(events, SCOPE_EVENT_BEGIN, TINY);
    CU_ASSERT_EQUAL(events->missing, 0);
    CU_ASSERT_EQUAL(events->holes, 0);
    CU_ASSERT_EQUAL(tiny, count_events(events, SCOPE_EVENT_END, TINY));
    CU_ASSERT_EQUAL(tiny + count_summed(events, TINY), (size_t)outers * INSIDE);
    CU_ASSERT_EQUAL(count_events(events, SCOPE_EVENT_BEGIN, OUTER), (size_t)outers);
    CU_ASSERT_EQUAL(count_events(events, SCOPE_EVENT_END, OUTER), (size_t)outers);
    CU_ASSERT_EQUAL(count_events(events, SCOPE_EVENT_MESSAGE, -1), (size_t)outers);
    CU_ASSERT_EQUAL(count_summed(events, OUTER), 0);
    for (size_t i = 0; i < events->sum_count; i++) {
        const read_summed *sum = &events->sums[i];
        CU_ASSERT_EQUAL(sum->in_buckets, sum->count);
        CU_ASSERT_EQUAL(sum->exclusive, sum->total);
        CU_ASSERT_TRUE(sum->minimum * sum->count <= sum->total &&
                       sum->total <= sum->maximum * sum->count);
        CU_ASSERT_TRUE(sum->first < sum->last && sum->last - sum->first >= sum->total);
    }
}

static uint64_t total_summed(const read_events *events)
{
    uint64_t total = 0;
    for (size_t i = 0; i < events->sum_count; i++)
        total += events->sums[i].total;
    return total;
}

static void a_tiny_region_becomes_sums_and_others_stay(void)
{
    uint32_t region = 0;
    throttle_soon();
    recorded_start(NULL);
    make_calls(2000);
    read_events events = recorded_events();
    check_calls(&events, 2000);
    CU_ASSERT_TRUE(count_summed(&events, TINY) > 1500 * INSIDE);
    CU_ASSERT_EQUAL(events.spent, total_summed(&events)); /* all of it in calls of OUTER */
    CU_ASSERT_EQUAL(scope_throttle_most(&scope_process_session, &region),
                    count_summed(&events, TINY));
    CU_ASSERT_EQUAL(region, TINY);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    recorded_end(&events);
}

static void it_can_be_switched_off_and_needs_many_short_calls(void)
{
    static const char *const values[] = {"0", "100000000:1000000", "2000:1"};
    for (int i = 0; i < 3; i++) {
        setenv("SCOPE_THROTTLE", values[i], 1);
        recorded_start(NULL);
        make_calls(300);
        read_events events = recorded_events();
        check_calls(&events, 300);
        CU_ASSERT_EQUAL(events.sum_count, 0);
        recorded_end(&events);
    }
}

/* Of 8 MiB an eighth is 65536 calls. */
static void what_fits_stays_where_the_budget_decides(void)
{
    static const long outers[] = {60, 1000};
    scope_options options = SCOPE_OPTIONS_INIT;
    options.max_bytes = 8 << 20;
    for (int i = 0; i < 2; i++) {
        setenv("SCOPE_THROTTLE", "auto", 1);
        recorded_start(&options);
        CU_ASSERT_EQUAL(scope_process_session.config.throttle_ns, 500);
        scope_process_session.config.throttle_ns = 1000000; /* as in throttle_soon */
        make_calls(outers[i]);
        read_events events = recorded_events();
        check_calls(&events, outers[i]);
        CU_ASSERT_EQUAL(events.sum_count > 0, i == 1);
        CU_ASSERT_TRUE(count_events(&events, SCOPE_EVENT_BEGIN, TINY) >= 60000);
        recorded_end(&events);
    }
}

static void nor_with_other_policies(void)
{
    const scope_policy policies[] = {SCOPE_POLICY_STOP, SCOPE_POLICY_RING};
    for (int i = 0; i < 2; i++) {
        scope_options options = SCOPE_OPTIONS_INIT;
        options.policy = policies[i];
        throttle_soon();
        recorded_start(&options);
        make_calls(300);
        read_events events = recorded_events();
        check_calls(&events, 300);
        CU_ASSERT_EQUAL(events.sum_count, 0);
        recorded_end(&events);
    }
}

/* Other regions' detail outlives ten times as many tiny calls as the budget holds. */
static void a_small_budget_keeps_the_others(void)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.max_bytes = 2 << 20;
    throttle_soon();
    recorded_start(&options);
    make_calls(3000);
    const scope_recording view = recorded_stop();
    read_events events = read_all_events(&view, scope_process_session.number);
    check_calls(&events, 3000);
    CU_ASSERT_TRUE(scope_store.used_bytes + scope_store.other_bytes <= 2 << 20);
    for (uint32_t s = 0; s < scope_store.stream_count; s++)
        CU_ASSERT_PTR_NULL(read_sums(&view, scope_process_session.number, s)); /* none folded */
    recorded_end(&events);
}

static void *thread_calls(void *argument)
{
    make_calls(*(long *)argument);
    return NULL;
}

static void threads_throttle_beside_each_other(void)
{
    enum { THREADS = 4 };
    long outers = 400;
    throttle_soon();
    recorded_start(NULL);
    for (int round = 0; round < 3; round++) { /* a stream goes from thread to thread */
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, thread_calls, &outers);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    read_events events = recorded_events();
    check_calls(&events, 3 * THREADS * outers);
    CU_ASSERT_TRUE(events.sum_count > 0);
    int64_t seen = 0;
    for (int64_t thread = 0; thread < 3 * THREADS + 1; thread++) { /* each on its own lane */
        size_t count = 0;
        for (size_t i = 0; i < events.count; i++)
            count += events.items[i].kind == SCOPE_EVENT_BEGIN && events.items[i].id == TINY &&
                     events.items[i].thread == thread;
        for (size_t i = 0; i < events.sum_count; i++)
            count += events.sums[i].thread == thread ? events.sums[i].count : 0;
        CU_ASSERT_TRUE(count == 0 || count == (size_t)outers * INSIDE);
        seen += count > 0;
    }
    CU_ASSERT_EQUAL(seen, 3 * THREADS);
    recorded_end(&events);
}

static void a_budget_that_is_used_up_folds_the_sums(void)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.max_bytes = 128 << 10;
    throttle_soon();
    recorded_start(&options);
    for (int i = 0; i < 200; i++) {
        make_calls(20);
        for (int k = 0; k < 500; k++) { /* detail that the budget cannot hold */
            scope_region_begin(5);
            scope_region_begin(6);
            scope_region_begin(7);
            scope_region_end(7);
            scope_region_end(6);
            scope_region_end(5);
            scope_mark("so that they stay");
        }
    }
    const scope_recording view = recorded_stop();
    read_events events = read_all_events(&view, scope_process_session.number);
    uint64_t folded = 0, folded_outer = 0;
    const scope_sums_header *sums = read_sums(&view, scope_process_session.number, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    const scope_sum *rows = (const void *)(sums + 1);
    for (uint32_t i = 0; i < sums->row_count; i++) {
        uint64_t in_buckets = 0;
        for (int b = 0; b < SCOPE_HISTOGRAM_BUCKETS; b++)
            in_buckets += rows[i].histogram[b];
        CU_ASSERT_EQUAL(in_buckets, rows[i].count);
        folded += rows[i].region == TINY ? rows[i].count : 0;
        folded_outer += rows[i].region == OUTER ? rows[i].count : 0;
    }
    CU_ASSERT_TRUE(folded > 1000 * INSIDE);
    CU_ASSERT_EQUAL(events.missing, 0);
    CU_ASSERT_EQUAL(folded + count_summed(&events, TINY) +
                        count_events(&events, SCOPE_EVENT_END, TINY),
                    4000 * INSIDE);
    CU_ASSERT_EQUAL(folded_outer + count_events(&events, SCOPE_EVENT_END, OUTER), 4000);
    recorded_end(&events);
}

/* ---- kills ---- */

typedef struct spool_view {
    scope_recording recording;
    scope_recording_segment segments[64];
    unsigned char *bytes;
    size_t size_bytes;
} spool_view;

static void open_spool(const char *folder, spool_view *view)
{
    char command[256], path[512] = "";
    snprintf(command, sizeof command, "ls %s/scope-*/*.spool", folder);
    FILE *list = popen(command, "r");
    if (list && fgets(path, sizeof path, list))
        path[strcspn(path, "\n")] = 0;
    if (list)
        pclose(list);
    const int fd = open(path, O_RDONLY);
    struct stat info;
    CU_ASSERT_TRUE_FATAL(fd >= 0 && fstat(fd, &info) == 0);
    memset(view, 0, sizeof *view);
    view->size_bytes = (size_t)info.st_size;
    view->bytes = mmap(NULL, view->size_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    CU_ASSERT_TRUE_FATAL(view->bytes != MAP_FAILED);
    view->recording.header = (const void *)view->bytes;
    view->recording.segments = view->segments;
    for (uint64_t at = SCOPE_HEADER_BYTES;
         at + sizeof(scope_segment_header) <= view->size_bytes &&
         view->recording.segment_count < 64;) {
        const scope_segment_header *segment = (const void *)(view->bytes + at);
        if (segment->magic != SCOPE_SEGMENT_MAGIC)
            break;
        view->segments[view->recording.segment_count++] =
            (scope_recording_segment){view->bytes + at, segment->length_bytes};
        at += segment->length_bytes;
    }
}

static void a_kill_at_any_moment_loses_no_call(void)
{
    enum { SEEDS = 20 };
    uint64_t summed = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        int64_t *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        char folder[] = "/tmp/scope-test-XXXXXX", command[64];
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
        throttle_soon();
        const pid_t child = fork();
        if (!child) {
            scope_options options = SCOPE_OPTIONS_INIT;
            options.spool_dir = folder;
            options.max_bytes = 1 << 20; /* small chunks: it is at it all the time */
            options.no_output = 1;
            scope_init(&options);
            for (;;) {
                scope_region_begin(TINY);
                scope_region_end(TINY);
                __atomic_fetch_add(done, 1, __ATOMIC_SEQ_CST);
            }
        }
        while (__atomic_load_n(done, __ATOMIC_RELAXED) < 30000 + 7919 * seed)
            usleep(100);
        usleep((useconds_t)(seed * 137));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        spool_view view;
        open_spool(folder, &view);
        read_events events = read_all_events(&view.recording, 1);
        const int64_t seen = (int64_t)(count_events(&events, SCOPE_EVENT_END, TINY) +
                                       count_summed(&events, TINY));
        CU_ASSERT_EQUAL(events.missing, 0);
        CU_ASSERT_TRUE(seen - *done >= 0 && seen - *done <= 1);
        summed += count_summed(&events, TINY);
        free(events.items);
        free(events.sums);
        munmap(view.bytes, view.size_bytes);
        munmap(done, 4096);
        snprintf(command, sizeof command, "rm -rf %s", folder);
        CU_ASSERT_EQUAL(system(command), 0);
    }
    CU_ASSERT_TRUE(summed > 20 * 10000);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(a_tiny_region_becomes_sums_and_others_stay),
        UNIT(it_can_be_switched_off_and_needs_many_short_calls),
        UNIT(what_fits_stays_where_the_budget_decides),
        UNIT(nor_with_other_policies),
        UNIT(a_small_budget_keeps_the_others),
        UNIT(threads_throttle_beside_each_other),
        UNIT(a_budget_that_is_used_up_folds_the_sums),
        UNIT(a_kill_at_any_moment_loses_no_call),
        {0},
    };
    return unit_run("throttle", tests);
}
