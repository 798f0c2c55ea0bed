/* gather.c - everybody's names and bytes to rank 0, in O(log size) messages.
 *
 * What climbs the tree is always a table of strings: for gather one string per
 * rank of the subtree, in rank order; for unify each name once, in order of first
 * appearance. A child sends a header, waits for "go" (its parent may lack the
 * memory), then the ends, then the bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gather.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

enum { TAG_HEADER = 1, TAG_GO, TAG_DATA, TAG_IDS };

#define CHILDREN_MAX 32 /* a rank is an int: no tree is deeper */

typedef struct table_header {
    int64_t status;
    uint64_t count, length_bytes;
} table_header;

static scope_status status_of(int rc)
{
    return rc == MPI_SUCCESS ? SCOPE_OK : SCOPE_ERR_RANK;
}

static scope_status worse(scope_status a, scope_status b)
{
    return a < b ? a : b;
}

scope_status mpi_agree(MPI_Comm comm, scope_status mine)
{
    int32_t status = mine, worst = 0;
    const int rc = PMPI(Allreduce)(&status, &worst, 1, MPI_INT32_T, MPI_MIN, comm);
    return worse(mine, worse((scope_status)worst, status_of(rc)));
}

/* ---- pieces ---- */

scope_status mpi_send_pieces(MPI_Comm comm, const void *bytes, size_t length_bytes, int to)
{
    scope_status status = SCOPE_OK;
    for (size_t at = 0; at < length_bytes; at += MPI_PIECE_BYTES) {
        const size_t left = length_bytes - at;
        const int piece = (int)(left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES);
        const int rc = PMPI(Send)((const char *)bytes + at, piece, MPI_BYTE, to, TAG_DATA, comm);
        status = worse(status, status_of(rc));
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
        status = worse(status, status_of(rc));
    }
    return status;
}

/* ---- tables ---- */

static uint64_t table_bytes(const scope_strings *table)
{
    return table->count ? table->ends[table->count - 1] : 0;
}

static void table_free(scope_strings *table)
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
    table_free(table);
    return false;
}

/* The parent learns of `mine`; a rank that failed sends an empty table. */
static scope_status table_send(MPI_Comm comm, const scope_strings *table, scope_status mine, int to)
{
    table_header header = {.status = mine};
    if (mine == SCOPE_OK) {
        header.count = table->count;
        header.length_bytes = table_bytes(table);
    }
    int32_t go = 0;
    scope_status status =
        status_of(PMPI(Send)(&header, sizeof header, MPI_BYTE, to, TAG_HEADER, comm));
    if (status == SCOPE_OK)
        status = status_of(PMPI(Recv)(&go, 1, MPI_INT32_T, to, TAG_GO, comm, MPI_STATUS_IGNORE));
    if (status != SCOPE_OK || !go)
        return worse(mine, status);
    status = mpi_send_pieces(comm, table->ends, header.count * sizeof *table->ends, to);
    return worse(status, mpi_send_pieces(comm, table->bytes, header.length_bytes, to));
}

/* On success the caller owns *table; otherwise it is empty. */
static scope_status table_receive(MPI_Comm comm, scope_strings *table, int from)
{
    *table = (scope_strings){0};
    table_header header = {0};
    scope_status status = status_of(PMPI(Recv)(&header, sizeof header, MPI_BYTE, from, TAG_HEADER,
                                               comm, MPI_STATUS_IGNORE));
    if (status != SCOPE_OK)
        return status;
    status = (scope_status)header.status;
    if (status == SCOPE_OK && !table_allocate(table, header.count, header.length_bytes))
        status = SCOPE_ERR_MEMORY;
    const int32_t go = status == SCOPE_OK;
    status = worse(status, status_of(PMPI(Send)(&go, 1, MPI_INT32_T, from, TAG_GO, comm)));
    if (status == SCOPE_OK)
        status = mpi_receive_pieces(comm, table->ends, header.count * sizeof *table->ends, from);
    if (status == SCOPE_OK)
        status = mpi_receive_pieces(comm, table->bytes, header.length_bytes, from);
    if (status != SCOPE_OK)
        table_free(table);
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

scope_status mpi_gather(MPI_Comm comm, const void *mine, size_t length_bytes, void **all,
                        uint64_t *ends)
{
    int rank = 0, size = 1;
    PMPI(Comm_rank)(comm, &rank);
    PMPI(Comm_size)(comm, &size);
    *all = NULL;

    scope_strings table;
    scope_status status = table_allocate(&table, 1, length_bytes) ? SCOPE_OK : SCOPE_ERR_MEMORY;
    if (status == SCOPE_OK) {
        if (length_bytes)
            memcpy(table.bytes, mine, length_bytes);
        table.ends[0] = length_bytes;
    }
    for (int64_t mask = 1; mask < size; mask <<= 1) {
        if (rank & mask) {
            status = worse(status, table_send(comm, &table, status, (int)(rank - mask)));
            break;
        }
        if (rank + mask >= size)
            continue;
        scope_strings child;
        scope_status got = table_receive(comm, &child, (int)(rank + mask));
        if (got == SCOPE_OK && status == SCOPE_OK && !table_append(&table, &child))
            got = SCOPE_ERR_MEMORY;
        status = worse(status, got);
        table_free(&child);
    }
    status = mpi_agree(comm, status);
    if (status == SCOPE_OK && rank == 0) {
        memcpy(ends, table.ends, (size_t)size * sizeof *ends);
        *all = table.bytes;
        table.bytes = NULL;
    }
    table_free(&table);
    return status;
}

/* ---- unify ---- */

/* 1: all ranks have the same names in the same order; 0: not; negative: failed. */
static int all_agree(MPI_Comm comm, const mpi_names *names, scope_status mine)
{
    uint64_t hash[2] = {0, 0};
    if (mine == SCOPE_OK)
        mpi_names_hash(names, hash);
    const int64_t values[3] = {(int64_t)hash[0], (int64_t)hash[1],
                               mine == SCOPE_OK ? (int64_t)mpi_names_count(names) : -1};
    int64_t both[6], most[6];
    for (int i = 0; i < 3; i++) {
        both[i] = values[i];
        both[3 + i] = ~values[i]; /* the greatest of these is the least value, inverted */
    }
    if (PMPI(Allreduce)(both, most, 6, MPI_INT64_T, MPI_MAX, comm) != MPI_SUCCESS)
        return SCOPE_ERR_RANK;
    for (int i = 0; i < 3; i++)
        if (most[i] != ~most[3 + i])
            return 0;
    return values[2] >= 0 ? 1 : SCOPE_ERR_RANK;
}

/* What a rank took in from a child: the place here of each of its names. */
typedef struct child_map {
    int rank;
    size_t count;
    uint32_t *places;
} child_map;

static scope_status merge_child(mpi_names *names, const scope_strings *table, child_map *child)
{
    child->count = table->count;
    child->places = malloc((table->count + 1) * sizeof *child->places);
    if (!child->places)
        return SCOPE_ERR_MEMORY;
    uint64_t start = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (!mpi_names_add(names, table->bytes + start, table->ends[i] - start, &child->places[i]))
            return SCOPE_ERR_MEMORY;
        start = table->ends[i];
    }
    return SCOPE_OK;
}

/* Names up the tree; each rank keeps what its children's names became here. */
static scope_status names_up(MPI_Comm comm, int rank, int size, mpi_names *names,
                             scope_status status, child_map *children, int *child_count)
{
    for (int64_t mask = 1; mask < size; mask <<= 1) {
        if (rank & mask) {
            const scope_strings table = mpi_names_strings(names);
            return worse(status, table_send(comm, &table, status, (int)(rank - mask)));
        }
        if (rank + mask >= size)
            continue;
        child_map *child = &children[(*child_count)++];
        child->rank = (int)(rank + mask);
        scope_strings table;
        scope_status got = table_receive(comm, &table, child->rank);
        if (got == SCOPE_OK && status == SCOPE_OK)
            got = merge_child(names, &table, child);
        status = worse(status, got);
        table_free(&table);
    }
    return status;
}

/* Numbers down the tree: numbers[place] of the names here, from the parent. */
static scope_status numbers_down(MPI_Comm comm, int rank, uint32_t *numbers, size_t count,
                                 child_map *children, int child_count)
{
    scope_status status = SCOPE_OK;
    if (rank == 0)
        for (size_t i = 0; i < count; i++)
            numbers[i] = (uint32_t)i;
    else /* the parent is the rank without its lowest bit */
        status = mpi_receive_pieces(comm, numbers, count * sizeof *numbers, rank & (rank - 1));
    while (child_count-- > 0) { /* the largest subtree first */
        child_map *child = &children[child_count];
        for (size_t i = 0; i < child->count; i++)
            child->places[i] = numbers[child->places[i]];
        status = worse(status, mpi_send_pieces(comm, child->places,
                                               child->count * sizeof *child->places, child->rank));
    }
    return status;
}

scope_status mpi_unify(MPI_Comm comm, const scope_strings *mine, scope_strings *all, uint32_t *ids)
{
    int rank = 0, size = 1;
    PMPI(Comm_rank)(comm, &rank);
    PMPI(Comm_size)(comm, &size);
    *all = (scope_strings){0};
    child_map children[CHILDREN_MAX] = {{0}};
    int child_count = 0;
    uint32_t *numbers = NULL;

    /* ids[i] is first the place of my string i among my own names */
    mpi_names *names = mpi_names_new();
    scope_status status = names ? SCOPE_OK : SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < mine->count && status == SCOPE_OK; i++) {
        const uint64_t start = i ? mine->ends[i - 1] : 0;
        if (!mpi_names_add(names, mine->bytes + start, mine->ends[i] - start, &ids[i]))
            status = SCOPE_ERR_MEMORY;
    }

    const int agreed = all_agree(comm, names, status);
    if (agreed < 0)
        status = worse(status, (scope_status)agreed);
    else if (!agreed) {
        status = names_up(comm, rank, size, names, status, children, &child_count);
        if (status == SCOPE_OK) {
            numbers = malloc((mpi_names_count(names) + 1) * sizeof *numbers);
            if (!numbers)
                status = SCOPE_ERR_MEMORY;
        }
        status = mpi_agree(comm, status);
        if (status == SCOPE_OK)
            status = numbers_down(comm, rank, numbers, mpi_names_count(names), children,
                                  child_count);
        for (size_t i = 0; i < mine->count && status == SCOPE_OK; i++)
            ids[i] = numbers[ids[i]];
    }

    uint64_t total = status == SCOPE_OK && rank == 0 ? mpi_names_count(names) : 0;
    if (PMPI(Bcast)(&total, 1, MPI_UINT64_T, 0, comm) != MPI_SUCCESS)
        status = worse(status, SCOPE_ERR_RANK);
    status = mpi_agree(comm, status);
    if (status == SCOPE_OK) {
        all->count = total;
        if (rank == 0)
            *all = mpi_names_take(names);
    }
    for (int i = 0; i < child_count; i++)
        free(children[i].places);
    free(numbers);
    mpi_names_free(names);
    return status;
}

/* ---- relay ---- */

static scope_status take_pieces(const void *bytes, size_t length_bytes, int rank,
                                scope_status (*take)(void *, int32_t, const void *, size_t),
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

scope_status mpi_relay(MPI_Comm comm, const void *mine, size_t length_bytes,
                       scope_status (*take)(void *context, int32_t rank, const void *bytes,
                                            size_t length_bytes),
                       void *context)
{
    int rank = 0, size = 1;
    PMPI(Comm_rank)(comm, &rank);
    PMPI(Comm_size)(comm, &size);
    uint64_t *lengths = NULL;
    char *piece = NULL;
    scope_status status = SCOPE_OK;
    if (rank == 0) {
        lengths = malloc((size_t)size * sizeof *lengths);
        piece = malloc(MPI_PIECE_BYTES);
        if (!lengths || !piece)
            status = SCOPE_ERR_MEMORY;
    }
    status = mpi_agree(comm, status);
    if (status != SCOPE_OK)
        goto done;
    const uint64_t length = length_bytes;
    if (PMPI(Gather)(&length, 1, MPI_UINT64_T, lengths, 1, MPI_UINT64_T, 0, comm) != MPI_SUCCESS)
        status = SCOPE_ERR_RANK;
    status = mpi_agree(comm, status);
    if (status != SCOPE_OK)
        goto done;
    if (rank) {
        status = mpi_send_pieces(comm, mine, length_bytes, 0);
    } else {
        status = take_pieces(mine, length_bytes, 0, take, context);
        for (int from = 1; from < size; from++) {
            for (uint64_t at = 0; at < lengths[from]; at += MPI_PIECE_BYTES) {
                const uint64_t left = lengths[from] - at;
                const size_t part = left < MPI_PIECE_BYTES ? left : MPI_PIECE_BYTES;
                status = worse(status, mpi_receive_pieces(comm, piece, part, from));
                if (status == SCOPE_OK) /* after a failure the rest still comes in */
                    status = take(context, from, piece, part);
            }
        }
    }
    status = mpi_agree(comm, status);
done:
    free(piece);
    free(lengths);
    return status;
}
