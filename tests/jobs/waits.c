/* waits.c - an MPI program that knows who waits for whom, and how long: it measures that itself.
 *
 *     waits [ms]     4 ranks; each scene makes one kind of waiting of about `ms` (10)
 *
 * Each rank notes by MPI_Wtime when it enters a call and when it returns; the recording is
 * paused while they tell each other. Rank 0 prints a line per scene and rank that waited: scene,
 * rank, call, kind, late rank, its region, seconds, and how much of them the late rank was in
 * that region. The clocks of all ranks must be one: they
 * run on one node.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <scope/scope.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANKS = 4, LONG_BYTES = 1 << 23, SLOW_RANK = 3 };

static int rank;
static double unit;         /* seconds */
static double origin;       /* MPI_Wtime of each process may begin at its own zero */
static double begun, ended; /* of the last work */
static char *big;

static double now(void)
{
    return MPI_Wtime() + origin;
}

static void know_origin(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    origin = (double)time.tv_sec + 1e-9 * (double)time.tv_nsec - MPI_Wtime();
}

static void work(const char *name, double units)
{
    const double end = now() + units * unit;
    struct timespec nap = {0, 200000};
    scope_region_begin_name(name);
    begun = now();
    while (now() < end)
        nanosleep(&nap, NULL);
    ended = now();
    scope_region_end_name(name);
}

/* All ranks' numbers, on rank 0; not recorded. */
static void gather(double mine, double all[RANKS])
{
    MPI_Pcontrol(0);
    MPI_Allgather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Pcontrol(1);
}

static void quiet_barrier(void)
{
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* When each rank entered its call, until when that may have waited, and when it worked. */
typedef struct scene {
    const char *name, *call, *kind, *region;
    double entered[RANKS], returned[RANKS], begun[RANKS], ended[RANKS];
} scene;

static scene scene_of(const char *name, const char *call, const char *kind, const char *region,
                      double entered, double returned)
{
    scene made = {.name = name, .call = call, .kind = kind, .region = region};
    gather(entered, made.entered);
    gather(returned, made.returned);
    gather(begun, made.begun);
    gather(ended, made.ended);
    return made;
}

/* `who` waited until `late` came at that time. */
static void say(const scene *of, int who, int late, double came)
{
    const double start = of->entered[who], until = lesser(came, of->returned[who]);
    const double working = lesser(until, of->ended[late]) - greater(start, of->begun[late]);
    if (rank == 0 && until - start > 0.05 * unit)
        printf("%s,%d,%s,%s,%d,%s,%.9f,%.9f\n", of->name, who, of->call, of->kind, late, of->region,
               until - start, greater(working, 0));
}

/* ---- collectives ---- */

typedef void collective_call(void);

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void alltoall(void)
{
    int to[RANKS] = {0}, from[RANKS];
    MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
}

static void bcast(void)
{
    MPI_Bcast(big, 1000, MPI_CHAR, SLOW_RANK, MPI_COMM_WORLD);
}

static void reduce(void)
{
    int one = 1, sum;
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
}

static void scan(void)
{
    int one = 1, sum;
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Rank r works units[r]. `last_of[r]`: it needs all ranks up to that one; -1: it does not wait. */
static void collective(const char *name, const char *mpi_name, const char *kind,
                       collective_call *call, const int units[RANKS], const int last_of[RANKS])
{
    char inner[64];
    snprintf(inner, sizeof inner, "inner %s", name);
    quiet_barrier();
    scope_region_begin_name(name);
    work(inner, units[rank]); /* nested: what others wait for is the inner one */
    const double enter = now();
    call();
    const double end = now();
    scope_region_end_name(name);
    const scene of = scene_of(name, mpi_name, kind, inner, enter, end);
    for (int r = 0; r < RANKS; r++) {
        int last = r;
        for (int i = 0; i <= last_of[r]; i++)
            last = of.entered[i] > of.entered[last] ? i : last;
        if (strcmp(kind, "one to all") == 0)
            last = r == SLOW_RANK ? r : SLOW_RANK;
        say(&of, r, last, of.entered[last]);
    }
}

/* ---- messages ---- */

/* Rank 0 receives what rank 1 sends 5 units later. */
static void late_sender(void)
{
    double enter, end;
    quiet_barrier();
    if (rank == 1)
        work("before send", 5);
    enter = now();
    if (rank == 0)
        MPI_Recv(big, 100, MPI_CHAR, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(big, 100, MPI_CHAR, 0, 7, MPI_COMM_WORLD);
    end = now();
    const scene of = scene_of("late sender", "MPI_Recv", "late sender", "before send", enter, end);
    say(&of, 0, 1, of.entered[1]);
}

/* Rank 2 sends more than MPI takes in advance to rank 3, which receives it 5 units later. */
static void late_receiver(void)
{
    double enter, end;
    quiet_barrier();
    if (rank == 3)
        work("before receive", 5);
    enter = now();
    if (rank == 2)
        MPI_Send(big, LONG_BYTES, MPI_CHAR, 3, 8, MPI_COMM_WORLD);
    if (rank == 3)
        MPI_Recv(big, LONG_BYTES, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    end = now();
    const scene of =
        scene_of("late receiver", "MPI_Send", "late receiver", "before receive", enter, end);
    say(&of, 2, 3, of.entered[3]);
}

/* The same with a message that is short enough: nobody waits. */
static void eager(void)
{
    quiet_barrier();
    if (rank == 3)
        work("before short receive", 5);
    if (rank == 2)
        MPI_Send(big, 8, MPI_CHAR, 3, 9, MPI_COMM_WORLD);
    if (rank == 3)
        MPI_Recv(big, 8, MPI_CHAR, 2, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    quiet_barrier();
}

/* As late_receiver, with a send that is waited for later; again and again is the same request. */
static void late_receiver_later(int again)
{
    MPI_Request request;
    double enter, end;
    quiet_barrier();
    if (rank == 3)
        work("before receive", 5);
    if (rank == 2 && again) {
        MPI_Send_init(big, LONG_BYTES, MPI_CHAR, 3, 10, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
    } else if (rank == 2) {
        MPI_Isend(big, LONG_BYTES, MPI_CHAR, 3, 10, MPI_COMM_WORLD, &request);
    }
    enter = now();
    if (rank == 2)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 3)
        MPI_Recv(big, LONG_BYTES, MPI_CHAR, 2, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end = now();
    if (rank == 2 && again)
        MPI_Request_free(&request);
    const scene of = scene_of(again ? "late receiver again" : "late receiver later", "MPI_Wait",
                              "late receiver", "before receive", enter, end);
    say(&of, 2, 3, of.entered[3]);
}

/* Each rank begins it as it comes, and waits for its end at once. */
static void ibarrier(void)
{
    MPI_Request request;
    quiet_barrier();
    work("before ibarrier", rank);
    const double began = now();
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    const double enter = now();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    const double end = now();
    double came[RANKS];
    gather(began, came);
    const scene of = scene_of("ibarrier", "MPI_Wait", "all to all", "before ibarrier", enter, end);
    for (int r = 0, last = 0; r < RANKS; r++) {
        for (int i = 0; i < RANKS; i++)
            last = came[i] > came[last] ? i : last;
        if (r != last)
            say(&of, r, last, came[last]);
    }
}

/* Each rank waits for both neighbours at once: for the later of them. */
static void halo(void)
{
    const int left = (rank + RANKS - 1) % RANKS, right = (rank + 1) % RANKS;
    MPI_Request requests[4];
    quiet_barrier();
    MPI_Irecv(big, 100, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(big + 100, 100, MPI_CHAR, right, 2, MPI_COMM_WORLD, &requests[1]);
    work("cells", rank * 2);
    double both[2];
    MPI_Isend(big + 200, 100, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[2]);
    both[0] = now();
    MPI_Isend(big + 200, 100, MPI_CHAR, left, 2, MPI_COMM_WORLD, &requests[3]);
    both[1] = now();
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    const double end = now();
    double sent[RANKS];
    gather(both[0], sent); /* both sends begin within a microsecond */
    const scene of = scene_of("halo", "MPI_Waitall", "late sender", "cells", both[1], end);
    for (int r = 0; r < RANKS; r++) {
        const int a = (r + RANKS - 1) % RANKS, b = (r + 1) % RANKS;
        const int late = sent[a] > sent[b] ? a : b;
        say(&of, r, late, sent[late]);
    }
}

int main(int argc, char **argv)
{
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unit = (argc > 1 ? atof(argv[1]) : 10) / 1000;
    big = calloc(1, LONG_BYTES);
    if (!big || size != RANKS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    know_origin();
    const int up[RANKS] = {0, 1, 2, 3}, down[RANKS] = {3, 2, 1, 0};
    const int all[RANKS] = {3, 3, 3, 3}, root[RANKS] = {-1, 3, -1, -1};
    collective("barrier", "MPI_Barrier", "all to all", barrier, up, all);
    collective("alltoall", "MPI_Alltoall", "all to all", alltoall, up, all);
    collective("bcast", "MPI_Bcast", "one to all", bcast, up, all);
    collective("reduce", "MPI_Reduce", "all to one", reduce, up, root);
    collective("scan", "MPI_Scan", "prefix", scan, down, up);
    late_sender();
    late_receiver();
    late_receiver_later(0);
    late_receiver_later(1);
    ibarrier();
    eager();
    halo();
    free(big);
    MPI_Finalize();
    return 0;
}
