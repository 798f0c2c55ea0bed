/* clock_offset.c - every rank's clock against rank 0's.
 *
 * A parent and a child exchange a few messages; of the fastest round trip,
 * (sent, remote, received) on the child, remote was read somewhere between sent
 * and received, so the offset is remote - (sent + received) / 2 and is wrong by
 * at most half the trip.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clock_offset.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gather.h"

#define ROUND_TRIPS 24 /* per child; the first ones also warm the path up */

enum { TAG_ASK = 11, TAG_ANSWER, TAG_RESULT };

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

mpi_clock mpi_clock_unknown(void)
{
    return (mpi_clock){.at_ns = now_ns(), .bound_ns = -1};
}

/* What names the clock of this process: host, boot, time namespace. */
static void clock_key(uint64_t key[2])
{
    char text[512] = "";
    size_t used = 0;
    if (gethostname(text, 255) == 0)
        used = strnlen(text, 255);
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file) {
        used += fread(text + used, 1, 64, file);
        fclose(file);
    }
    struct stat namespace;
    if (stat("/proc/self/ns/time", &namespace) == 0) {
        memcpy(text + used, &namespace.st_ino, sizeof namespace.st_ino);
        used += sizeof namespace.st_ino;
    }
    key[0] = UINT64_C(0x9E3779B97F4A7C15);
    key[1] = UINT64_C(0xC2B2AE3D27D4EB4F);
    for (size_t i = 0; i < used; i++) {
        key[0] = (key[0] ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
        key[1] = (key[1] + (unsigned char)text[i]) * UINT64_C(0xFF51AFD7ED558CCD);
        key[1] ^= key[1] >> 33;
    }
}

/* true on every rank of `comm`, or on none: all have the same key. */
static bool all_same(MPI_Comm comm, const uint64_t key[2])
{
    const int64_t both[4] = {(int64_t)key[0], (int64_t)key[1], ~(int64_t)key[0], ~(int64_t)key[1]};
    int64_t most[4];
    return PMPI(Allreduce)(both, most, 4, MPI_INT64_T, MPI_MAX, comm) == MPI_SUCCESS &&
           most[0] == ~most[2] && most[1] == ~most[3];
}

/* The ranks of one clock, in rank order; alone if two keys meet in one colour. */
static scope_status split_nodes(MPI_Comm comm, int rank, const uint64_t key[2], MPI_Comm *node)
{
    if (PMPI(Comm_split)(comm, (int)((key[0] ^ key[0] >> 32) & 0x7FFFFFFF), rank, node) !=
        MPI_SUCCESS)
        return SCOPE_ERR_RANK;
    if (all_same(*node, key))
        return SCOPE_OK;
    PMPI(Comm_free)(node);
    return PMPI(Comm_split)(MPI_COMM_SELF, 0, 0, node) == MPI_SUCCESS ? SCOPE_OK : SCOPE_ERR_RANK;
}

static void answer(MPI_Comm comm, int child)
{
    int64_t time;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        PMPI(Recv)(&time, 1, MPI_INT64_T, child, TAG_ASK, comm, MPI_STATUS_IGNORE);
        time = now_ns();
        PMPI(Send)(&time, 1, MPI_INT64_T, child, TAG_ANSWER, comm);
    }
}

static void ask(MPI_Comm comm, int parent, mpi_clock *clock)
{
    int64_t best = INT64_MAX;
    for (int i = 0; i < ROUND_TRIPS; i++) {
        int64_t remote = 0;
        const int64_t sent = now_ns();
        PMPI(Send)(&sent, 1, MPI_INT64_T, parent, TAG_ASK, comm);
        PMPI(Recv)(&remote, 1, MPI_INT64_T, parent, TAG_ANSWER, comm, MPI_STATUS_IGNORE);
        const int64_t received = now_ns();
        if (received - sent >= best)
            continue;
        best = received - sent;
        clock->at_ns = sent + best / 2;
        clock->offset_ns = remote - clock->at_ns;
        clock->bound_ns = best / 2 + 1;
    }
}

/* One round per level; then each node's place against node 0 comes down. */
static void measure_tree(MPI_Comm leaders, mpi_clock *clock)
{
    int rank = 0, size = 1;
    PMPI(Comm_rank)(leaders, &rank);
    PMPI(Comm_size)(leaders, &size);
    int64_t mask = 1;
    for (; mask < size; mask <<= 1) {
        if (rank & mask) {
            ask(leaders, (int)(rank - mask), clock);
            break;
        }
        if (rank + mask < size)
            answer(leaders, (int)(rank + mask));
    }
    int64_t above[2] = {0, 0}; /* the parent's offset and bound against rank 0 */
    if (rank) {
        PMPI(Recv)(above, 2, MPI_INT64_T, (int)(rank - mask), TAG_RESULT, leaders,
                   MPI_STATUS_IGNORE);
        clock->offset_ns += above[0];
        clock->bound_ns += above[1];
    }
    const int64_t mine[2] = {clock->offset_ns, clock->bound_ns};
    for (mask >>= 1; mask; mask >>= 1)
        if (rank + mask < size)
            PMPI(Send)(mine, 2, MPI_INT64_T, (int)(rank + mask), TAG_RESULT, leaders);
}

scope_status mpi_clock_measure(MPI_Comm comm, mpi_clock *clock)
{
    *clock = (mpi_clock){.at_ns = now_ns(), .shared = true};
    uint64_t key[2];
    clock_key(key);
    if (all_same(comm, key))
        return SCOPE_OK;

    int rank = 0, node_rank = 0;
    PMPI(Comm_rank)(comm, &rank);
    MPI_Comm node, leaders;
    scope_status status = mpi_agree(comm, split_nodes(comm, rank, key, &node));
    if (status != SCOPE_OK)
        goto failed;
    PMPI(Comm_rank)(node, &node_rank);
    if (PMPI(Comm_split)(comm, node_rank ? MPI_UNDEFINED : 0, rank, &leaders) != MPI_SUCCESS)
        status = SCOPE_ERR_RANK;
    status = mpi_agree(comm, status);
    if (status != SCOPE_OK)
        goto failed;
    int64_t values[4] = {0, 0, 0, 0}; /* offset, bound, at, whether it is rank 0's clock */
    if (node_rank == 0) {
        measure_tree(leaders, clock);
        values[0] = clock->offset_ns;
        values[1] = clock->bound_ns;
        values[2] = clock->at_ns;
        values[3] = rank == 0;
        PMPI(Comm_free)(&leaders);
    }
    if (PMPI(Bcast)(values, 4, MPI_INT64_T, 0, node) != MPI_SUCCESS)
        status = SCOPE_ERR_RANK;
    PMPI(Comm_free)(&node);
    if (status == SCOPE_OK) {
        *clock = (mpi_clock){values[0], values[2], values[1], values[3] != 0};
        return SCOPE_OK;
    }
failed:
    *clock = mpi_clock_unknown();
    return status;
}
