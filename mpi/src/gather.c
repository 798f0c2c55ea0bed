/* gather.c - everybody's bytes to rank 0, in O(log size) messages.
 *
 * What climbs the tree is always a table of strings: for gather one string per
 * rank of the subtree, in rank order. A child sends a header, waits for "go" (its parent may lack
 * the memory), then the ends, then the bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gather.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_HEADER = 1, TAG_GO, TAG_DATA };

typedef struct table_header {
    int64_t status;
    uint64_t count, length_bytes;
} table_header;

scope_status mpi_agree(MPI_Comm comm, scope_status mine)
{
    int32_t status = mine, worst = 0;
    const int rc = PMPI(Allreduce)(&status, &worst, 1, MPI_INT32_T, MPI_MIN, comm);
    return mpi_worse(mine, mpi_worse((scope_status)worst, mpi_status_of(rc)));
}

scope_status mpi_broadcast(MPI_Comm comm, void *bytes, size_t length_bytes)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < length_bytes; at += MPI_PIECE_BYTES) {
        const size_t left = length_bytes - at;
        const int piece = (int)(left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES);
        const int rc = PMPI(Bcast)((char *)bytes + at, piece, MPI_BYTE, 0, comm);
        status = mpi_worse(status, mpi_status_of(rc));
    }
    return mpi_agree(comm, status);
}

/* ---- pieces ---- */

scope_status mpi_send_pieces(MPI_Comm comm, const void *bytes, size_t length_bytes, int to)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < length_bytes; at += MPI_PIECE_BYTES) {
        const size_t left = length_bytes - at;
        const int piece = (int)(left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES);
        const int rc = PMPI(Send)((const char *)bytes + at, piece, MPI_BYTE, to, TAG_DATA, comm);
        status = mpi_worse(status, mpi_status_of(rc));
    }
    return status;
}

scope_status mpi_receive_pieces(MPI_Comm comm, void *bytes, size_t length_bytes, int from)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < length_bytes; at += MPI_PIECE_BYTES) {
        const size_t left = length_bytes - at;
        const int piece = (int)(left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES);
        const int rc = PMPI(Recv)((char *)bytes + at, piece, MPI_BYTE, from, TAG_DATA, comm,
                                  MPI_STATUS_IGNORE);
        status = mpi_worse(status, mpi_status_of(rc));
    }
    return status;
}

/* ---- tables ---- */

static uint64_t table_bytes(const scope_strings *table)
{
    return table->count ? table->ends[table->count - 1] : 0;
}

void mpi_table_free(scope_strings *table)
{
    free(table->bytes);
    free(table->ends);
    *table = (scope_strings){0};
}

static bool table_allocate(scope_strings *table, uint64_t count, uint64_t length_bytes)
{
    *table = (scope_strings){
        .bytes = malloc(length_bytes + 1), /* never NULL when empty */
        .ends = malloc((count + 1) * sizeof *table->ends),
        .count = count,
    };
    if (table->bytes && table->ends)
        return true;
    mpi_table_free(table);
    return false;
}

scope_status mpi_table_send(MPI_Comm comm, const scope_strings *table, scope_status mine, int to)
{
    table_header header = {.status = mine};
    if (mine == SCOPE_OK) {
        header.count = table->count;
        header.length_bytes = table_bytes(table);
    }
    int32_t go = 0;
    scope_status status =
        mpi_status_of(PMPI(Send)(&header, sizeof header, MPI_BYTE, to, TAG_HEADER, comm));
    if (status == SCOPE_OK)
        status =
            mpi_status_of(PMPI(Recv)(&go, 1, MPI_INT32_T, to, TAG_GO, comm, MPI_STATUS_IGNORE));
    if (status != SCOPE_OK || !go)
        return mpi_worse(mine, status);
    status = mpi_send_pieces(comm, table->ends, header.count * sizeof *table->ends, to);
    return mpi_worse(status, mpi_send_pieces(comm, table->bytes, header.length_bytes, to));
}

scope_status mpi_table_receive(MPI_Comm comm, scope_strings *table, int from)
{
    *table = (scope_strings){0};
    table_header header = {0};
    scope_status status = mpi_status_of(
        PMPI(Recv)(&header, sizeof header, MPI_BYTE, from, TAG_HEADER, comm, MPI_STATUS_IGNORE));
    if (status != SCOPE_OK)
        return status;
    status = (scope_status)header.status;
    if (status == SCOPE_OK && !table_allocate(table, header.count, header.length_bytes))
        status = SCOPE_ERR_MEMORY;
    const int32_t go = status == SCOPE_OK;
    status = mpi_worse(status, mpi_status_of(PMPI(Send)(&go, 1, MPI_INT32_T, from, TAG_GO, comm)));
    if (status == SCOPE_OK)
        status = mpi_receive_pieces(comm, table->ends, header.count * sizeof *table->ends, from);
    if (status == SCOPE_OK)
        status = mpi_receive_pieces(comm, table->bytes, header.length_bytes, from);
    if (status != SCOPE_OK)
        mpi_table_free(table);
    return status;
}

/* Append all strings of `more`. */
static bool table_append(scope_strings *table, const scope_strings *more)
{
    const uint64_t have = table_bytes(table), add = table_bytes(more);
    char *bytes = realloc(table->bytes, have + add + 1);
    if (bytes)
        table->bytes = bytes;
    uint64_t *ends = realloc(table->ends, (table->count + more->count + 1) * sizeof *ends);
    if (ends)
        table->ends = ends;
    if (!bytes || !ends)
        return false;
    if (add)
        memcpy(bytes + have, more->bytes, add);
    for (size_t i = 0; i < more->count; i++)
        ends[table->count + i] = have + more->ends[i];
    table->count += more->count;
    return true;
}

/* ---- gather ---- */

scope_status mpi_gather(const mpi_tree *tree, const void *mine, size_t length_bytes, void **all,
                        uint64_t *ends)
{
    const mpi_links *links = &tree->ordered;
    *all = NULL;

    scope_strings table;
    scope_status status = table_allocate(&table, 1, length_bytes) ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK) {
        if (length_bytes)
            memcpy(table.bytes, mine, length_bytes);
        table.ends[0] = length_bytes;
    }
    for (int i = 0; i < links->child_count; i++) {
        scope_strings child;
        scope_status got = mpi_table_receive(tree->comm, &child, links->children[i]);
        if (got == SCOPE_OK && status == SCOPE_OK && !table_append(&table, &child))
            got = SCOPE_ERR_MEMORY;
        status = mpi_worse(status, got);
        mpi_table_free(&child);
    }
    if (links->parent >= 0)
        status = mpi_worse(status, mpi_table_send(tree->comm, &table, status, links->parent));
    status = mpi_agree(tree->comm, status);
    if (status == SCOPE_OK && tree->rank == 0) {
        memcpy(ends, table.ends, (size_t)tree->size * sizeof *ends);
        *all = table.bytes;
        table.bytes = NULL;
    }
    mpi_table_free(&table);
    return status;
}
