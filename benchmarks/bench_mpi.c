/* bench_mpi.c - what does recording add to one MPI call, against two clock reads?
 *
 * Each call is made through its wrapper and below it (PMPI_), in turn; the
 * difference is printed as a multiple of a pair of clock reads. One rank: run it
 * by itself or with mpirun -n 1.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdlib.h>

#include <scope/scope.h>

#include "harness.h"

static volatile uint64_t sink;
static MPI_Comm copy;
static scope_region region;
static double value;

static void clock_pair(void *context, long count)
{
    (void)context;
    for (long i = 0; i < count; i++) {
        sink = bench_ticks();
        sink = bench_ticks();
    }
}

static void region_pair(void *context, long count)
{
    (void)context;
    for (long i = 0; i < count; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
}

/* `name` with and without the P, `count` times. */
#define BOTH(label, setup, name, arguments)                                                        \
    static void label##_plain(void *context, long count)                                           \
    {                                                                                              \
        setup;                                                                                     \
        (void)context;                                                                             \
        for (long i = 0; i < count; i++)                                                           \
            P##name arguments;                                                                     \
    }                                                                                              \
    static void label##_wrapped(void *context, long count)                                         \
    {                                                                                              \
        setup;                                                                                     \
        (void)context;                                                                             \
        for (long i = 0; i < count; i++)                                                           \
            name arguments;                                                                        \
    }

BOTH(send, (void)0, MPI_Send, (&value, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD))
BOTH(receive, (void)0, MPI_Recv,
     (&value, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
BOTH(iprobe, int flag, MPI_Iprobe, (0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE))
BOTH(allreduce, double a = 1; double b, MPI_Allreduce,
     (&a, &b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF))
BOTH(allreduce_copy, double a = 1; double b, MPI_Allreduce,
     (&a, &b, 1, MPI_DOUBLE, MPI_SUM, copy))
BOTH(wait, MPI_Request request = MPI_REQUEST_NULL, MPI_Wait, (&request, MPI_STATUS_IGNORE))

/* A message from this rank to itself: MPI_Irecv, MPI_Isend and its part of an MPI_Waitall for
 * EXCHANGED of them, of which each receive is a message of that call. */
#define EXCHANGED 16
#define EXCHANGE(label, prefix)                                                                    \
    static void label(void *context, long count)                                                   \
    {                                                                                              \
        MPI_Request requests[2 * EXCHANGED];                                                       \
        double in[EXCHANGED];                                                                      \
        (void)context;                                                                             \
        for (long i = 0; i < count; i += EXCHANGED) {                                              \
            for (int j = 0; j < EXCHANGED; j++)                                                    \
                prefix##MPI_Irecv(&in[j], 1, MPI_DOUBLE, 0, j, MPI_COMM_SELF, &requests[j]);       \
            for (int j = 0; j < EXCHANGED; j++)                                                    \
                prefix##MPI_Isend(&value, 1, MPI_DOUBLE, 0, j, MPI_COMM_SELF,                      \
                                  &requests[EXCHANGED + j]);                                       \
            prefix##MPI_Waitall(2 * EXCHANGED, requests, MPI_STATUSES_IGNORE);                     \
        }                                                                                          \
    }

EXCHANGE(exchange_plain, P)
EXCHANGE(exchange_wrapped, )

#define VARIANTS(label) {.name = #label " below", .run = label##_plain}, \
                        {.name = #label, .run = label##_wrapped}

int main(int argc, char **argv)
{
    setenv("SCOPE_OUTPUT", "", 1); /* in memory, and nothing is left */
    setenv("SCOPE_SPOOL", "0", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    scope_region_register("bench", &region);
    bench_variant variants[] = {
        {.name = "clock pair", .run = clock_pair},
        {.name = "region pair", .run = region_pair},
        VARIANTS(send), VARIANTS(receive), VARIANTS(iprobe),
        VARIANTS(allreduce), VARIANTS(allreduce_copy), VARIANTS(wait), VARIANTS(exchange),
    };
    const int count = sizeof variants / sizeof *variants;
    bench_run(variants, count, 200, 2000);
    const double unit_ns = variants[0].minimum_ns;
    bench_title("x clock");
    for (int i = 0; i < count; i++)
        bench_print(&variants[i], unit_ns);
    printf("\n%-28s %9s %9s %9s\n", "added by recording", "ns", "", "x clock");
    for (int i = 2; i < count; i += 2) {
        const double added_ns = variants[i + 1].minimum_ns - variants[i].minimum_ns;
        printf("%-28s %9.2f %9s %9.3f\n", variants[i + 1].name, added_ns, "", added_ns / unit_ns);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
