/* bench_overhead.c - how near do corrected times come to those of the bare program?
 *
 * A loop of tiny bodies, bare and with a region around each body and one around the loop, in
 * turns, on one thread and on eight. Printed: the loop's time as recorded and as corrected by
 * what the recorder says of itself, both against the bare loop. Short loops show the model
 * (the fastest of many rounds); long ones what new memory adds to it (all rounds).
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <scope/host.h>
#include <scope/overhead.h>
#include <scope/replay.h>
#include <scope/scope.h>

#include "harness.h"

enum { MAX_THREADS = 8 };

typedef struct setting {
    int threads, steps; /* steps of one body */
    long loops, count;  /* rounds, bodies in each */
} setting;

typedef struct worker {
    const setting *of;
    double bare_ns, least_bare_ns; /* of all rounds, of the fastest */
} worker;

static scope_region loop, body;
static pthread_barrier_t together;

/* Some ns that no compiler shortens; `state` makes each step wait for the one before. */
static inline uint64_t work(uint64_t state, int steps)
{
    for (int i = 0; i < steps; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        __asm__ volatile("" : "+r"(state));
    }
    return state;
}

static __attribute__((noinline)) uint64_t bare_loop(uint64_t state, const setting *of)
{
    for (long i = 0; i < of->count; i++)
        state = work(state, of->steps);
    return state;
}

static __attribute__((noinline)) uint64_t recorded_loop(uint64_t state, const setting *of)
{
    scope_region_begin(loop);
    for (long i = 0; i < of->count; i++) {
        scope_region_begin(body);
        state = work(state, of->steps);
        scope_region_end(body);
    }
    scope_region_end(loop);
    return state;
}

static void *run(void *context)
{
    worker *me = context;
    uint64_t state = 88172645463325252u;
    scope_region_begin(body); /* its stream is there before the first round */
    scope_region_end(body);
    me->least_bare_ns = 1e300;
    pthread_barrier_wait(&together);
    for (long round = 0; round < me->of->loops; round++) {
        const double start = bench_now_ns();
        state = bare_loop(state, me->of);
        const double ns = bench_now_ns() - start;
        me->bare_ns += ns;
        me->least_bare_ns = ns < me->least_bare_ns ? ns : me->least_bare_ns;
        state = recorded_loop(state, me->of);
    }
    return (void *)(uintptr_t)(state & 1);
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_overhead: %s\n", what);
    exit(1);
}

/* What was recorded, as a table. */
static scope_calls *read_back(scope_session *session)
{
    scope_recording view;
    uint16_t number;
    scope_cursor *cursor;
    scope_calls *calls;
    if (scope_host_view(session, &view, &number) != SCOPE_OK ||
        scope_cursor_new(&view, number, &cursor) != SCOPE_OK ||
        scope_cursor_advance(cursor, &view) != SCOPE_OK ||
        scope_cursor_calls(cursor, 0, &calls) != SCOPE_OK)
        fail("cannot read the recording");
    scope_cursor_free(cursor);
    return calls;
}

static void print(const setting *of, const worker *workers, const scope_calls *calls)
{
    scope_summaries rows;
    double bare_ns = 0, least_bare_ns = 1e300;
    const scope_summary *whole = NULL;
    if (scope_summarize(calls, SCOPE_BY_RANK, &rows) != SCOPE_OK ||
        scope_overhead_fill(calls, SCOPE_BY_RANK, &rows) != SCOPE_OK)
        fail("out of memory");
    for (int i = 0; i < of->threads; i++) {
        bare_ns += workers[i].bare_ns;
        if (workers[i].least_bare_ns < least_bare_ns)
            least_bare_ns = workers[i].least_bare_ns;
    }
    for (size_t i = 0; i < rows.count; i++)
        if (strcmp(calls->regions[rows.rows[i].region].name.bytes, "loop") == 0)
            whole = &rows.rows[i];
    if (!whole || whole->corrected_total_ns < 0)
        fail("the recording says nothing of its cost");
    const double calls_in_all = (double)of->loops * of->threads;
    const double taken = (double)(whole->total_ns - whole->corrected_total_ns) / calls_in_all;
    const double least = (double)whole->minimum_ns;
    printf("%7d %9ld %9.2f %9.2f | %8.2f %9.3f | %8.2f %9.3f\n", of->threads, of->count,
           least_bare_ns / (double)of->count, calls->ranks[0].overhead_pair_ns,
           least / least_bare_ns, (least - taken) / least_bare_ns,
           (double)whole->total_ns / bare_ns, (double)whole->corrected_total_ns / bare_ns);
    fflush(stdout);
    scope_summaries_free(&rows);
}

static void measure(const setting *of)
{
    pthread_t threads[MAX_THREADS];
    worker workers[MAX_THREADS] = {0};
    scope_host_options options = {.size_bytes = sizeof options};
    int adopted;
    if (scope_host_start(&options, &adopted) != SCOPE_OK)
        fail("cannot record");
    scope_region_register("loop", &loop);
    scope_region_register("body", &body);
    pthread_barrier_init(&together, NULL, (unsigned)of->threads);
    for (int i = 0; i < of->threads; i++) {
        workers[i].of = of;
        if (pthread_create(&threads[i], NULL, run, &workers[i]))
            fail("cannot start a thread");
    }
    for (int i = 0; i < of->threads; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&together);
    scope_calls *calls = read_back(scope_host_process());
    print(of, workers, calls);
    scope_calls_free(calls);
    scope_host_close(scope_host_process());
}

int main(void)
{
    static const setting settings[] = {
        {1, 4, 3000, 400},   {8, 4, 1000, 400},  {1, 20, 3000, 200},  {8, 20, 1000, 200},
        {1, 80, 2000, 100},  {8, 80, 1000, 100}, {1, 400, 2000, 25},  {8, 400, 1000, 25},
        {1, 20, 100, 30000}, {8, 20, 20, 30000}, {1, 80, 100, 30000}, {8, 80, 20, 30000},
    };
    printf("%7s %9s %9s %9s | %8s %9s | %8s %9s\n", "threads", "bodies", "body ns", "pair ns",
           "fastest", "corrected", "all", "corrected");
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        measure(&settings[i]);
    return 0;
}
