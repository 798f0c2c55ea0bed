/* test_fold.c - the budget: exact sums of what was folded, ring, full disks.
 *
 * The model: every call is made with a known region and message; what the sums and
 * the chunks that are left say together must be what was called.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <pthread.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <scope/host.h>
#include <scope/lane.h>

enum { REGIONS = 12, LANES = 70 };

typedef struct totals {
    int64_t count[REGIONS], bytes[REGIONS], orphans[REGIONS], sum[REGIONS], exclusive[REGIONS];
    int64_t folded;
} totals;

static scope_options small_budget(scope_policy policy, int64_t max_bytes)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.policy = policy;
    options.max_bytes = max_bytes;
    return options;
}

typedef struct replay_lane {
    int64_t id;
    scope_lane lane;
    scope_call stack[4096];
} replay_lane;

typedef struct replay {
    totals *totals;
    replay_lane *lanes[LANES];
    int count;
} replay;

static void add_call(void *context, const scope_call *call)
{
    totals *totals = context;
    if (call->region >= REGIONS)
        return;
    totals->count[call->region]++;
    totals->bytes[call->region] += call->moved.bytes;
    totals->sum[call->region] += call->end - call->begin;
    totals->exclusive[call->region] += call->end - call->begin - call->inner;
}

static replay_lane *lane_of(replay *replay, int64_t id)
{
    for (int i = 0; i < replay->count; i++)
        if (replay->lanes[i]->id == id)
            return replay->lanes[i];
    replay_lane *lane = calloc(1, sizeof *lane);
    lane->id = id;
    scope_lane_start(&lane->lane, lane->stack, 4096);
    replay->lanes[replay->count++] = lane;
    return lane;
}

/* Sums and open calls of every stream, then the words that are left. */
static totals replay_all(const scope_recording *view, unsigned session)
{
    totals totals = {0};
    replay replay = {.totals = &totals};
    size_t chunk_count;
    int64_t task[1024];
    int depth = 0; /* tasks resumed where the first stream goes on (one stream has tasks) */
    const scope_chunk_header **chunks =
        read_chunks(view, SCOPE_CHUNK_SUMS, session, &chunk_count);
    for (size_t c = 0; c < chunk_count; c++) {
        const scope_sums_header *sums = read_sums(view, session, chunks[c]->stream);
        if (sums != (const void *)(chunks[c] + 1))
            continue;
        const scope_sum *rows = (const void *)(sums + 1);
        const scope_sums_lane *lanes = (const void *)(rows + sums->row_count);
        const scope_sums_open *open = (const void *)(lanes + sums->lane_count);
        totals.folded += (int64_t)sums->folded_calls;
        for (uint32_t i = 0; i < sums->lane_count; i++) /* it waited before it ran */
            CU_ASSERT_TRUE(!lanes[i].steps || lanes[i].first_ticks > lanes[i].created_ticks);
        for (uint32_t i = 0; i < sums->row_count; i++) {
            if (rows[i].region >= REGIONS)
                continue;
            totals.count[rows[i].region] += (int64_t)rows[i].count;
            totals.bytes[rows[i].region] += rows[i].bytes;
            totals.orphans[rows[i].region] += rows[i].orphans;
            totals.sum[rows[i].region] += (int64_t)rows[i].sum_ticks;
            totals.exclusive[rows[i].region] += (int64_t)rows[i].exclusive_ticks;
            uint64_t buckets = 0;
            for (int b = 0; b < SCOPE_HISTOGRAM_BUCKETS; b++)
                buckets += rows[i].histogram[b];
            CU_ASSERT_EQUAL(buckets, rows[i].count);
            CU_ASSERT_TRUE(!rows[i].count || rows[i].minimum_ticks <= rows[i].maximum_ticks);
        }
        for (uint32_t i = 0; i < sums->open_count; i++) {
            if (open[i].kind == SCOPE_SUMS_RESUMED)
                task[depth++] = open[i].lane;
            if (open[i].kind != SCOPE_SUMS_OPEN)
                continue;
            scope_lane *lane = &lane_of(&replay, open[i].lane)->lane;
            scope_lane_begin(lane, open[i].region, (int64_t)open[i].begin_ticks, add_call, &totals);
            lane->stack[lane->depth - 1].inner = (int64_t)open[i].inner_ticks;
            lane->stack[lane->depth - 1].moved.bytes = open[i].bytes;
        }
    }
    free(chunks);
    read_events events = read_all_events(view, session);
    CU_ASSERT_EQUAL(events.missing, 0);
    CU_ASSERT_EQUAL(events.holes, 0);
    for (size_t i = 0; i < events.count; i++) {
        const read_event *event = &events.items[i];
        scope_lane *lane = &lane_of(&replay, depth ? task[depth - 1] : -2 - event->thread)->lane;
        if (event->kind == SCOPE_EVENT_THREAD)
            depth = 0;
        else if (event->kind == SCOPE_EVENT_RESUME)
            task[depth++] = (int64_t)event->id;
        else if (event->kind == SCOPE_EVENT_SUSPEND && depth)
            depth--;
        else if (event->kind == SCOPE_EVENT_BEGIN)
            scope_lane_begin(lane, (uint32_t)event->id, (int64_t)event->ticks, add_call, &totals);
        else if (event->kind == SCOPE_EVENT_END &&
                 !scope_lane_end(lane, (uint32_t)event->id, (int64_t)event->ticks, add_call,
                                 &totals) &&
                 event->id < REGIONS)
            totals.orphans[event->id]++;
        else if (event->kind == SCOPE_EVENT_MESSAGE)
            scope_lane_message(lane, &(scope_message){(int64_t)event->values[0], 0, 0, -1, 1});
    }
    for (int i = 0; i < replay.count; i++) {
        scope_lane_finish(&replay.lanes[i]->lane, INT64_MAX / 4, add_call, &totals);
        free(replay.lanes[i]);
    }
    free(events.items);
    return totals;
}

/* Nested calls with messages; what was called is added to `made`. */
static void make_calls(totals *made, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        const int depth = i % 5 + 1;
        for (int k = 0; k < depth; k++)
            scope_region_begin(1 + (i + k) % 7);
        for (int k = depth; k-- > 0;) {
            const int region = 1 + (i + k) % 7;
            made->count[region]++;
            if (i % 3 == 0) {
                scope_region_end_message(region, &(scope_message){i, 1, 0, -1, SCOPE_MESSAGE_SENT});
                made->bytes[region] += i;
            } else {
                scope_region_end(region);
            }
        }
        if (i % 1000 == 0) {
            scope_region_end(10);
            made->orphans[10]++;
        }
    }
}

static void folded_and_kept_calls_are_all_there(void)
{
    scope_options options = small_budget(SCOPE_POLICY_FOLD, 256 << 10);
    totals made = {0};
    recorded_start(&options);
    scope_region_begin(8); /* open across every fold */
    make_calls(&made, 100000);
    scope_region_end(8);
    made.count[8] = 1;
    const scope_recording view = recorded_stop();
    const totals seen = replay_all(&view, scope_process_session.number);
    CU_ASSERT_TRUE(seen.folded > 100000);
    for (int r = 1; r < REGIONS; r++) {
        CU_ASSERT_EQUAL(seen.count[r], made.count[r]);
        CU_ASSERT_EQUAL(seen.bytes[r], made.bytes[r]);
        CU_ASSERT_EQUAL(seen.orphans[r], made.orphans[r]);
    }
    /* All lies inside the one call of region 8: exclusive times add up to it. */
    int64_t exclusive = 0;
    for (int r = 1; r < REGIONS; r++)
        exclusive += seen.exclusive[r];
    CU_ASSERT_EQUAL(exclusive, seen.sum[8]);
    CU_ASSERT_TRUE(scope_store.used_bytes + scope_store.other_bytes <=
                   (256 << 10) + 4 * SCOPE_CHUNK_UNIT_BYTES);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    recorded_end(NULL);
}

/* Calls with times of their own: as many, and as long, as they were said to be. */
static void calls_with_times_are_summed_too(void)
{
    enum { CALLS = 100000, LENGTH_NS = 1000000 };
    scope_options options = small_budget(SCOPE_POLICY_FOLD, 256 << 10);
    recorded_start(&options);
    scope_region_begin(8);
    for (int i = 0; i < CALLS; i++)
        scope_host_call(scope_host_process(), 3, scope_now_ns() - LENGTH_NS, LENGTH_NS);
    scope_region_end(8);
    const scope_recording view = recorded_stop();
    totals seen = replay_all(&view, scope_process_session.number);
    const double ticks = (double)scope_clock_ticks_per_second() * LENGTH_NS / 1e9;
    const double mean = (double)seen.sum[3] / (double)seen.count[3];
    CU_ASSERT_TRUE(seen.folded > CALLS / 2);
    CU_ASSERT_EQUAL(seen.folded, seen.count[3]);
    CU_ASSERT_TRUE(mean > 0.995 * ticks && mean < 1.005 * ticks);
    CU_ASSERT_EQUAL(seen.exclusive[3], seen.sum[3]);
    read_events events = read_all_events(&view, scope_process_session.number);
    CU_ASSERT_EQUAL(seen.count[3] + (int64_t)count_events(&events, SCOPE_EVENT_CALL, 3), CALLS);
    free(events.items);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    recorded_end(NULL);
}

static void *thread_calls(void *argument)
{
    make_calls(argument, 20000);
    return NULL;
}

static void threads_fold_beside_each_other(void)
{
    enum { THREADS = 8, ROUNDS = 4 };
    scope_options options = small_budget(SCOPE_POLICY_FOLD, 512 << 10);
    static totals made[THREADS];
    memset(made, 0, sizeof made);
    recorded_start(&options);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, thread_calls, &made[i]);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
    const scope_recording view = recorded_stop();
    const totals seen = replay_all(&view, scope_process_session.number);
    for (int r = 1; r < REGIONS; r++) {
        int64_t count = 0, bytes = 0;
        for (int i = 0; i < THREADS; i++) {
            count += made[i].count[r];
            bytes += made[i].bytes[r];
        }
        CU_ASSERT_EQUAL(seen.count[r], count);
        CU_ASSERT_EQUAL(seen.bytes[r], bytes);
    }
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    recorded_end(NULL);
}

static void tasks_that_interleave_on_a_thread_are_summed_apart(void)
{
    enum { TASKS = 9, STEPS = 20000 };
    scope_options options = small_budget(SCOPE_POLICY_FOLD, 128 << 10);
    scope_task tasks[TASKS];
    totals made = {0};
    recorded_start(&options);
    for (int i = 0; i < TASKS; i++)
        tasks[i] = scope_task_new("t", "c");
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* the clock moves on */
    for (int step = 0; step < STEPS; step++) {
        const int i = step % TASKS;
        scope_task_resume(tasks[i]);
        if (step / TASKS % 2 == 0) {
            scope_region_begin(1 + i);
        } else {
            scope_region_end(1 + i); /* begun in the step before */
            made.count[1 + i]++;
        }
        scope_task_suspend(tasks[i]);
    }
    const scope_recording view = recorded_stop();
    const totals seen = replay_all(&view, scope_process_session.number);
    CU_ASSERT_TRUE(seen.folded > 1000);
    int64_t total = 0, expected = 0;
    for (int r = 1; r < REGIONS; r++) {
        /* Calls still open at the end count as calls, too. */
        CU_ASSERT_TRUE(seen.count[r] - made.count[r] == 0 || seen.count[r] - made.count[r] == 1);
        CU_ASSERT_EQUAL(seen.orphans[r], 0);
        total += seen.count[r];
        expected += made.count[r];
    }
    CU_ASSERT_TRUE(total - expected <= TASKS);
    recorded_end(NULL);
}

static void tasks_resumed_deep_inside_each_other_keep_their_calls(void)
{
    enum { TASKS = 150, CALLS = 20000 };
    scope_options options = small_budget(SCOPE_POLICY_FOLD, 256 << 10);
    int64_t innermost = -1;
    int resumed = 0;
    recorded_start(&options);
    for (int i = 0; i < TASKS; i++)
        scope_task_resume(scope_task_new("t", "c"));
    for (int call = 0; call < CALLS; call++) {
        scope_region_begin(1);
        scope_region_end(1);
    }
    const scope_recording view = recorded_stop();
    size_t count;
    const scope_chunk_header **chunks =
        read_chunks(&view, SCOPE_CHUNK_SUMS, scope_process_session.number, &count);
    CU_ASSERT_TRUE_FATAL(count > 0);
    const scope_sums_header *sums =
        read_sums(&view, scope_process_session.number, chunks[0]->stream);
    free(chunks);
    const scope_sum *rows = (const void *)(sums + 1);
    const scope_sums_open *open =
        (const void *)((const scope_sums_lane *)(rows + sums->row_count) + sums->lane_count);
    for (uint32_t i = 0; i < sums->open_count; i++)
        if (open[i].kind == SCOPE_SUMS_RESUMED) {
            innermost = open[i].lane;
            resumed++;
        }
    CU_ASSERT_EQUAL(resumed, TASKS);
    CU_ASSERT_EQUAL_FATAL(sums->row_count, 1);
    CU_ASSERT_EQUAL(rows[0].lane, innermost);
    recorded_end(NULL);
}

static void ring_keeps_the_newest_and_counts_the_rest(void)
{
    scope_options options = small_budget(SCOPE_POLICY_RING, 256 << 10);
    totals made = {0};
    recorded_start(&options);
    scope_region_begin(8);
    make_calls(&made, 100000);
    scope_region_end(8);
    const scope_recording view = recorded_stop();
    const totals seen = replay_all(&view, scope_process_session.number);
    const scope_sums_header *sums = read_sums(&view, scope_process_session.number, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    CU_ASSERT_EQUAL(sums->row_count, 0);
    CU_ASSERT_EQUAL(seen.folded, 0);
    CU_ASSERT_EQUAL(seen.count[8], 1); /* begun in a chunk that is gone, known all the same */
    CU_ASSERT_TRUE(seen.count[1] > 0 && seen.count[1] < made.count[1]);
    read_events events = read_all_events(&view, scope_process_session.number);
    CU_ASSERT_TRUE(sums->dropped_events > 100000);
    free(events.items);
    recorded_end(NULL);
}

/* In a child that is killed in the middle of folding: the file holds what had ended. */
static void sums_are_exact_under_a_kill(void)
{
    for (int round = 0; round < 12; round++) {
        int64_t *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        char folder[] = "/tmp/scope-test-XXXXXX";
        CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
        const pid_t child = fork();
        if (!child) {
            scope_options options = small_budget(SCOPE_POLICY_FOLD, 128 << 10);
            options.spool_dir = folder;
            options.no_output = 1;
            scope_init(&options);
            for (;;) {
                scope_region_begin(1);
                scope_region_begin(2);
                scope_region_end(2);
                scope_region_end(1);
                __atomic_fetch_add(done, 1, __ATOMIC_SEQ_CST);
            }
        }
        while (__atomic_load_n(done, __ATOMIC_RELAXED) < 20000)
            usleep(100);
        usleep((useconds_t)(round * 137));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
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
        const unsigned char *bytes =
            mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        scope_recording_segment segments[64];
        scope_recording view = {.header = (const void *)bytes, .segments = segments};
        uint64_t at = SCOPE_HEADER_BYTES;
        while (at + sizeof(scope_segment_header) <= (uint64_t)info.st_size && view.segment_count < 64) {
            const scope_segment_header *segment = (const void *)(bytes + at);
            if (segment->magic != SCOPE_SEGMENT_MAGIC)
                break;
            segments[view.segment_count++] =
                (scope_recording_segment){bytes + at, segment->length_bytes};
            at += segment->length_bytes;
        }
        const totals seen = replay_all(&view, 1);
        CU_ASSERT_TRUE(seen.folded > 1000);
        CU_ASSERT_TRUE(seen.count[1] - *done <= 1 && seen.count[1] - *done >= 0);
        CU_ASSERT_TRUE(seen.count[2] - *done <= 1 && seen.count[2] - *done >= 0);
        munmap((void *)(uintptr_t)bytes, (size_t)info.st_size);
        close(fd);
        munmap(done, 4096);
        snprintf(command, sizeof command, "rm -rf %s", folder);
        CU_ASSERT_EQUAL(system(command), 0);
    }
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(folded_and_kept_calls_are_all_there),
        UNIT(calls_with_times_are_summed_too),
        UNIT(threads_fold_beside_each_other),
        UNIT(tasks_that_interleave_on_a_thread_are_summed_apart),
        UNIT(tasks_resumed_deep_inside_each_other_keep_their_calls),
        UNIT(ring_keeps_the_newest_and_counts_the_rest),
        UNIT(sums_are_exact_under_a_kill),
        {0},
    };
    return unit_run("fold", tests);
}
