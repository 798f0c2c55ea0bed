/* crash.c - what the programs of test_crash.py share: their own account, and the death.
 *
 * A library, preloaded, so that its PMPI_ functions come before libmpi's. Each rank notes
 * every call that has ended in a mapped file, account.<rank>: how many, how many PMPI_ calls
 * since crash_arm, then one byte per call. The kernel keeps that whatever happens.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST (4L << 20)

void crash_open(const char *folder, int rank, long calls, int loosely, long points);
void crash_ended(int kind);
void crash_arm(void);

static struct account {
    atomic_long ended, points;
    char kinds[];
} * account;
static long die_at_call, die_at_point;
static int is_loose, armed;

static void die(void)
{
    kill(getpid(), SIGKILL);
}

/* At any instruction of the others, once so many calls have ended. */
static void *killer(void *unused)
{
    while (atomic_load(&account->ended) < die_at_call)
        sched_yield();
    die();
    return unused;
}

/* Die after `calls` calls (loosely: some instructions later) or before the `points`-th
 * PMPI_ call after crash_arm; 0: not so. */
void crash_open(const char *folder, int rank, long calls, int loosely, long points)
{
    char path[4096];
    pthread_t thread;
    snprintf(path, sizeof path, "%s/account.%d", folder, rank);
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, MOST))
        abort();
    account = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (account == MAP_FAILED)
        abort();
    die_at_call = calls;
    die_at_point = points;
    is_loose = loosely;
    if (calls && loosely && pthread_create(&thread, NULL, killer, NULL))
        abort();
}

void crash_ended(int kind)
{
    const long at = atomic_load(&account->ended);
    account->kinds[at] = (char)kind;
    atomic_store(&account->ended, at + 1);
    if (at + 1 == die_at_call && !is_loose)
        die();
}

void crash_arm(void)
{
    armed = 1;
}

/* ---- MPI calls of the profiler itself ---- */

static int find(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    if (slash && !strncmp(slash, "/libmpi", 7) && !strstr(slash, "fort"))
        snprintf(found, 4096, "%s", info->dlpi_name);
    return 0;
}

/* In libmpi, which Python has loaded privately. */
static void *next(const char *name)
{
    char path[4096] = "";
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        dl_iterate_phdr(find, path);
        void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
        function = library ? dlsym(library, name) : NULL;
    }
    if (!function)
        abort();
    return function;
}

static void point(void)
{
    if (armed && atomic_fetch_add(&account->points, 1) + 1 == die_at_point)
        die();
}

#define COUNTED(name, parameters, arguments)                                                       \
    int PMPI_##name parameters                                                                     \
    {                                                                                              \
        static int(*_Atomic function) parameters;                                                  \
        if (!function)                                                                             \
            function = (int(*) parameters)next("PMPI_" #name);                                     \
        point();                                                                                   \
        return function arguments;                                                                 \
    }

COUNTED(Send, (const void *a, int b, MPI_Datatype c, int d, int e, MPI_Comm f), (a, b, c, d, e, f))
COUNTED(Recv, (void *a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Status *g),
        (a, b, c, d, e, f, g))
COUNTED(Irecv, (void *a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request *g),
        (a, b, c, d, e, f, g))
COUNTED(Bcast, (void *a, int b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e))
COUNTED(Allreduce, (const void *a, void *b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f),
        (a, b, c, d, e, f))
COUNTED(Exscan, (const void *a, void *b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f),
        (a, b, c, d, e, f))
COUNTED(Gather,
        (const void *a, int b, MPI_Datatype c, void *d, int e, MPI_Datatype f, int g, MPI_Comm h),
        (a, b, c, d, e, f, g, h))
COUNTED(Ibarrier, (MPI_Comm a, MPI_Request *b), (a, b))
COUNTED(Comm_split, (MPI_Comm a, int b, int c, MPI_Comm *d), (a, b, c, d))
COUNTED(Comm_free, (MPI_Comm * a), (a))
