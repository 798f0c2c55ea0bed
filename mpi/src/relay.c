/* relay.c - bytes of one rank after the other to rank 0, which holds one piece at a time.
 *
 *     rank 0                                  rank r, which has something
 *     go (or: only tell me who follows) ->
 *                                          <- how much, who follows
 *     go, to that one ->
 *                                          <- pieces
 *
 * SPDX-License-Identifier: MIT
 */
#include "relay.h"

#include <stdbool.h>
#include <stdlib.h>

#include "gather.h"

enum { TAG_FOLLOWS = 41, TAG_GO, TAG_HEAD };

typedef scope_status take_fn(void *context, int32_t rank, const void *bytes, size_t length_bytes);

typedef struct head {
    uint64_t length_bytes; /* 0: not wanted any more */
    int64_t next;          /* -1: none */
} head;

/* The rank after me that has something; -1: I am the last. Called by all. */
static scope_status find_next(const mpi_tree *tree, bool has, int64_t last, int64_t *next)
{
    int64_t before;
    scope_status status = mpi_tree_before(tree, has ? tree->rank : -1, &before);
    *next = -1;
    if (status != SCOPE_OK || !has)
        return status;
    MPI_Request request;
    const int64_t own = tree->rank;
    if (own != last)
        status = mpi_status_of(
            PMPI(Irecv)(next, 1, MPI_INT64_T, MPI_ANY_SOURCE, TAG_FOLLOWS, tree->comm, &request));
    if (before >= 0)
        status = mpi_worse(status, mpi_status_of(PMPI(Send)(&own, 1, MPI_INT64_T, (int)before,
                                                            TAG_FOLLOWS, tree->comm)));
    if (own != last)
        status = mpi_worse(status, mpi_status_of(PMPI(Wait)(&request, MPI_STATUS_IGNORE)));
    return status;
}

static scope_status take_pieces(const void *bytes, size_t length_bytes, int rank, take_fn *take,
                                void *context)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < length_bytes && status == SCOPE_OK; at += MPI_PIECE_BYTES) {
        const size_t left = length_bytes - at;
        status = take(context, rank, (const char *)bytes + at,
                      left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES);
    }
    return status;
}

static scope_status send_to_root(const mpi_tree *tree, const void *mine, size_t length_bytes,
                                 int64_t next)
{
    int32_t go = 0;
    scope_status status =
        mpi_status_of(PMPI(Recv)(&go, 1, MPI_INT32_T, 0, TAG_GO, tree->comm, MPI_STATUS_IGNORE));
    const head own = {go ? length_bytes : 0, next};
    status = mpi_worse(
        status, mpi_status_of(PMPI(Send)(&own, sizeof own, MPI_BYTE, 0, TAG_HEAD, tree->comm)));
    return mpi_worse(status, mpi_send_pieces(tree->comm, mine, (size_t)own.length_bytes, 0));
}

/* Rank 0: `from` and all that follow. */
static scope_status receive_all(const mpi_tree *tree, int64_t from, char *piece, take_fn *take,
                                void *context)
{
    scope_status status = SCOPE_OK;
    int32_t go = 1;
    if (from > 0)
        status = mpi_status_of(PMPI(Send)(&go, 1, MPI_INT32_T, (int)from, TAG_GO, tree->comm));
    while (from > 0) {
        head theirs = {0, -1};
        status =
            mpi_worse(status, mpi_status_of(PMPI(Recv)(&theirs, sizeof theirs, MPI_BYTE, (int)from,
                                                       TAG_HEAD, tree->comm, MPI_STATUS_IGNORE)));
        go = status == SCOPE_OK;
        if (theirs.next > 0)
            status =
                mpi_worse(status, mpi_status_of(PMPI(Send)(&go, 1, MPI_INT32_T, (int)theirs.next,
                                                           TAG_GO, tree->comm)));
        for (uint64_t at = 0; at < theirs.length_bytes; at += MPI_PIECE_BYTES) {
            const uint64_t left = theirs.length_bytes - at;
            const size_t part = left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES;
            status = mpi_worse(status, mpi_receive_pieces(tree->comm, piece, part, (int)from));
            if (status == SCOPE_OK) /* after a failure the rest still comes in */
                status = take(context, (int32_t)from, piece, part);
        }
        from = theirs.next;
    }
    return status;
}

scope_status mpi_relay(const mpi_tree *tree, const void *mine, size_t length_bytes, take_fn *take,
                       void *context)
{
    const bool has = length_bytes > 0, is_root = tree->rank == 0;
    char *piece = is_root ? malloc(MPI_PIECE_BYTES) : NULL;
    const int64_t own[3] = {is_root && !piece ? SCOPE_ERR_MEMORY : SCOPE_OK,
                            has ? tree->rank : INT64_MAX, has ? -tree->rank : 1};
    int64_t least[3]; /* status, first, minus last */
    scope_status status =
        mpi_agree(tree->comm,
                  mpi_status_of(PMPI(Allreduce)(own, least, 3, MPI_INT64_T, MPI_MIN, tree->comm)));
    if (status == SCOPE_OK)
        status = (scope_status)least[0];
    if (status == SCOPE_OK && least[2] <= 0) { /* somebody has something */
        int64_t next;
        status = mpi_agree(tree->comm, find_next(tree, has, -least[2], &next));
        if (status == SCOPE_OK && is_root) {
            status = take_pieces(mine, length_bytes, 0, take, context);
            const scope_status others =
                receive_all(tree, has ? next : least[1], piece, take, context);
            status = mpi_worse(status, others);
        } else if (status == SCOPE_OK && has) {
            status = send_to_root(tree, mine, length_bytes, next);
        }
        status = mpi_agree(tree->comm, status);
    }
    free(piece);
    return status;
}
