/* narrow.h - large-count calls in a process whose MPI has none.
 *
 * This library offers MPI_Send_c because MPI 4 has it. A program that looks
 * whether it is there (mpi4py does, by weak symbols) finds ours, also in a
 * process of another family or of an older MPI. Then it becomes MPI_Send, as the
 * program itself would have done, or MPI_ERR_COUNT if a count is too large for it.
 * A call of MPI 4 that nothing can stand for returns an error.
 *
 * Handles are of the MPI of the process, which may be another family's: words.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_NARROW_H
#define SCOPE_MPI_NARROW_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "wrapper.h"

#if defined(SCOPE_MPI_STATIC) /* its MPI has what its headers say */
#define FORWARD_OR(name, otherwise) ((void)(otherwise), FORWARD(name))
#define PLAIN(name) FORWARD(name)
#else
/* The next `name`; without one, `otherwise`. */
#define FORWARD_OR(name, otherwise)                                                                \
    ({                                                                                             \
        static void *place;                                                                        \
        void *next = mpi_cached(&place, mpi_next, #name);                                          \
        (__typeof__(&wrap_##name))(next ? next : (void *)(otherwise));                             \
    })

/* The first MPI_ function of that name: the wrapper of the library that is right
 * for this process, if it is here too, records the call. */
#define PLAIN(name)                                                                                \
    ({                                                                                             \
        static void *place;                                                                        \
        (__typeof__(&wrap_##name))mpi_cached(&place, mpi_symbol, #name);                           \
    })
#endif

/* Returns an error: the MPI of this process has no such call. */
int mpi_missing(void);

static inline bool mpi_fits_int(int64_t count)
{
    return count >= INT_MIN && count <= INT_MAX;
}

/* MPI_IN_PLACE of any family. */
static inline bool mpi_any_in_place(const void *buffer)
{
    return (intptr_t)buffer == 1 || (intptr_t)buffer == -1;
}

#define NARROW_ARRAYS 4

typedef struct mpi_narrow {
    int length;  /* of each array; 0: not significant on this rank */
    int targets; /* of those that say what goes to neighbours */
    bool failed; /* a value is too large, or there is no memory */
    bool kept;   /* arrays outlive the call */
    int count;
    int *arrays[NARROW_ARRAYS];
} mpi_narrow;

/* Arrays with one value for each rank of `comm`. Of a rooted call with the root
 * it has; NARROW_NO_ROOT: every rank's are significant. `local`: they count the
 * ranks of our own group in an intercommunicator, too. `nonblocking`: MPI reads
 * them until the call is complete, which nobody tells us here, so they are kept
 * for good, and equal ones once: what a program passes again costs nothing. */
#define NARROW_NO_ROOT INT_MIN
mpi_narrow mpi_narrow_begin(intptr_t comm, int root, bool local, bool nonblocking);

/* Arrays with one value for each neighbour of this rank. */
mpi_narrow mpi_narrow_neighbours(intptr_t comm, bool nonblocking);
const int *mpi_narrow_targets(mpi_narrow *narrow, const void *values);

/* `values` as int, until mpi_narrow_end; NULL stays NULL. */
const int *mpi_narrow_array(mpi_narrow *narrow, const void *values);

void mpi_narrow_end(mpi_narrow *narrow);

#endif
