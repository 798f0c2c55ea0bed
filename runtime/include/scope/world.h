/* world.h - the port to the other ranks.
 *
 * runtime owns this struct; `mpi` fills it in, scope_world_serial is the world
 * of one process. hdf5io gathers and writes through it and knows no MPI.
 *
 * Every function is collective over all ranks: each rank calls it, in the same
 * order, whatever went wrong before; a rank that failed takes part with nothing.
 * A function that returns an error has returned an error on every rank.
 *
 * For our own folders and plug-ins: plain functions behind pointers, so that a
 * plug-in links neither libscope nor MPI.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_WORLD_H
#define SCOPE_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include <scope/status.h>

/* Byte strings, one after the other: string i is bytes[ends[i-1] .. ends[i]). */
typedef struct scope_strings {
    char *bytes;
    uint64_t *ends;
    size_t count;
} scope_strings;

typedef struct scope_world scope_world;

struct scope_world {
    size_t size_bytes; /* sizeof(scope_world) of the writer */
    int32_t rank, size;
    void *state;

    /* This rank's clock against rank 0's: t0 = t + offset_ns + drift * (t - at_ns).
     * bound_ns: how wrong the offset can be; -1 unknown. */
    int64_t clock_offset_ns, clock_bound_ns, clock_at_ns;
    double clock_drift;

    /* The worst (most negative) status of all ranks. */
    scope_status (*worst)(scope_world *, scope_status mine);

    /* For each of `count` values: the sum over lower ranks, and over all. Three arrays
     * that do not overlap; none is NULL. */
    scope_status (*sums)(scope_world *, const int64_t *mine, int64_t *before, int64_t *total,
                         size_t count);

    /* Rank 0's bytes to all; the same length everywhere. */
    scope_status (*broadcast)(scope_world *, void *bytes, size_t length_bytes);

    /* Everybody's bytes to rank 0, in rank order. There *all is malloc'd (the
     * caller frees it) and ends[r] is where rank r's part ends; elsewhere NULL.
     * `ends` has room for `size` values on rank 0. */
    scope_status (*gather)(scope_world *, const void *mine, size_t length_bytes, void **all,
                           uint64_t *ends);

    /* One numbering for all ranks' names: ids[i] is the number of my string i.
     * Order: first appearance over ranks 0, 1, 2 ... Rank 0 gets them all (malloc'd);
     * elsewhere `all` holds only the count. What rank 0's `all` has already (an earlier
     * unify's) keeps its numbers, new names come after. O(log size) messages. */
    scope_status (*unify)(scope_world *, const scope_strings *mine, scope_strings *all,
                          uint32_t *ids);

    /* Bytes of one rank at a time to rank 0, which takes them piece by piece:
     * `take(context, rank, bytes, length)` is called there in rank order. For
     * what must not be held at once. */
    scope_status (*relay)(scope_world *, const void *mine, size_t length_bytes,
                          scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                               size_t length_bytes),
                          void *context);

    /* For each of `count` values: the greatest of all ranks', on every rank. */
    scope_status (*most)(scope_world *, const int64_t *mine, int64_t *most, size_t count);

    /* clock_bound_ns holds from this time of mine on, while clocks run steadily; before it
     * grows by clock_drift_bound per nanosecond. */
    int64_t clock_since_ns;
    double clock_drift_bound;

    /* Nodes are numbered in the order of their lowest ranks, the ranks of a node likewise: both
     * from 0. node_count 0: nobody knows. */
    int32_t node, node_count, node_rank;

    /* The ranks of this rank's node, in rank order, as a world of their own, and back. Both
     * are collective over this world. */
    scope_status (*open_node)(scope_world *, scope_world **node);
    void (*close_node)(scope_world *, scope_world *node);

    /* For a writer that uses MPI-IO: the family ("ompi", "mpich", "abi"; NULL: no MPI), and the
     * ranks as an MPI_Comm of it. no_mpi_io: why it must not be used now, NULL: it may be. */
    const char *mpi_family;
    void *mpi_comm; /* MPI_Comm * */
    const char *no_mpi_io;
};

/* The world of one process: every function is the identity. */
SCOPE_API const scope_world *scope_world_serial(void);

#endif
