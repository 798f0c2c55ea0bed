/* rows.h - a program of the tests says what it calls, and what it gets.
 *
 * Each rank writes `name bytes peer kind` to expected.<rank>, in the order of the calls,
 * and what it received to received.<rank>. With -DLARGE the large-count forms are called.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ROWS_H
#define ROWS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LARGE
#define C(name) MPI_##name##_c
typedef MPI_Count count_t;
typedef MPI_Aint displ_t;
#else
#define C(name) MPI_##name
typedef int count_t;
typedef int displ_t;
#endif

static FILE *expected, *received;
static int rank, size, left, right;

static FILE *open_mine(const char *base)
{
    char path[64];
    snprintf(path, sizeof path, "%s.%d", base, rank);
    return fopen(path, "w");
}

/* kind: as in event.h, in lower case; "-" for OTHER */
static void expect(const char *name, long bytes, int peer, const char *kind)
{
    fprintf(expected, "MPI_%s %ld %d %s\n", name, bytes, peer, kind);
}

static void show(const char *what, const int *values, int count)
{
    fprintf(received, "%s", what);
    for (int i = 0; i < count; i++)
        fprintf(received, " %d", values[i]);
    fputc('\n', received);
}
#define SHOW(what, array) show(what, array, (int)(sizeof(array) / sizeof *(array)))

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    expected = open_mine("expected");
    received = open_mine("received");
    expect("Init", 0, -1, "-");
}

static void finish(void)
{
    expect("Finalize", 0, -1, "-");
    fclose(expected);
    fclose(received);
    MPI_Finalize();
}

static inline MPI_Info an_info(void)
{
    MPI_Info info;
    MPI_Info_create(&info);
    return info;
}

static inline void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    expect("Barrier", 0, -1, "collective");
}

static inline void wait_for(MPI_Request *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    expect("Wait", 0, -1, "-");
}

#endif
