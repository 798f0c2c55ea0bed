/* job.c - a small MPI job that ends in the way that its first argument names.
 *
 * Every rank but 1 records region "common" rank + 1 times and "rank <r>" once; the
 * last one also "only on the last". Rank 1 records none of its own, but with "all".
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WITHOUT_SCOPE /* for the preloaded library alone */
static void scope_region_begin_name(const char *name) { (void)name; }
static void scope_region_end_name(const char *name) { (void)name; }
static void scope_init(const void *options) { (void)options; }
static void scope_finalize(void) {}
#else
#include <scope/scope.h>
#endif

static int rank, size, idle = 1; /* the rank that records nothing; -1: none */
static int same; /* all ranks record the same names */

static void record(void)
{
    char name[64];
    if (rank == idle)
        return;
    for (int i = 0; i <= (same ? 0 : rank); i++) {
        scope_region_begin_name("common");
        scope_region_end_name("common");
    }
    if (same)
        return;
    snprintf(name, sizeof name, "rank %d", rank);
    scope_region_begin_name(name);
    scope_region_end_name(name);
    if (rank == size - 1 && rank) {
        scope_region_begin_name("only on the last");
        scope_region_end_name("only on the last");
    }
}

static atomic_int stop;
static atomic_long made[4];

/* Records until told to stop, also while MPI_Finalize runs. */
static void *go_on(void *place)
{
    char name[64];
    const int i = (int)(size_t)place;
    snprintf(name, sizeof name, "thread %d of rank %d", i, rank);
    while (!atomic_load(&stop)) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
        atomic_fetch_add(&made[i], 1);
        usleep(50);
    }
    return NULL;
}

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "plain";
    if (!strcmp(how, "all") || !strcmp(how, "same"))
        idle = -1;
    same = !strcmp(how, "same");
    if (!strcmp(how, "no-init")) {
        const char *text = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK")
                                                          : getenv("PMI_RANK");
        rank = text ? atoi(text) : 0;
        size = 1000;
        scope_init(NULL);
        record();
        return 0;
    }
    if (!strcmp(how, "threads")) {
        int level;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
        if (level != MPI_THREAD_MULTIPLE)
            return 77;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        pthread_t threads[4];
        for (size_t i = 0; i < 4; i++)
            pthread_create(&threads[i], NULL, go_on, (void *)i);
        usleep(20000);
        for (int i = 0; i < 4; i++)
            printf("rank %d thread %d before %ld\n", rank, i, atomic_load(&made[i]));
        MPI_Finalize();
        for (int i = 0; i < 4; i++)
            printf("rank %d thread %d after %ld\n", rank, i, atomic_load(&made[i]));
        atomic_store(&stop, 1);
        for (size_t i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        return 0;
    }
    if (!strcmp(how, "init-first")) { /* the session starts before MPI does */
        scope_init(NULL);
        scope_region_begin_name("before MPI");
        scope_region_end_name("before MPI");
    }
    start(&argc, &argv);
    record();
    if (!strcmp(how, "exit") && rank == 1)
        exit(3);
    if (!strcmp(how, "abort") && rank == 1) {
        scope_region_begin_name("before the abort");
        scope_region_end_name("before the abort");
        usleep(200000); /* the others are in the barrier */
        MPI_Abort(MPI_COMM_WORLD, 5);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(how, "closed"))
        scope_finalize();
    if (!strcmp(how, "no-finalize")) {
        printf("done %d\n", rank);
        fflush(stdout);
        return 0;
    }
    MPI_Finalize();
    printf("done %d\n", rank);
    return 0;
}
