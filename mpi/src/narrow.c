/* narrow.c - large-count calls in a process whose MPI has none.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* MPI_ROOT of MPICH and of Open MPI; neither is another's rank or MPI_PROC_NULL. */
static bool is_root_side(int root, int rank, bool inter)
{
    return inter ? root == -3 || root == -4 : root == rank;
}

int mpi_missing(void)
{
    return 16; /* MPI_ERR_OTHER or MPI_ERR_INTERN, as the family counts */
}

mpi_narrow mpi_narrow_begin(intptr_t comm, int root, bool local, bool nonblocking)
{
    typedef int ask_fn(intptr_t, int *);
    ask_fn *size_of = (ask_fn *)mpi_symbol("PMPI_Comm_size");
    ask_fn *remote_size_of = (ask_fn *)mpi_symbol("PMPI_Comm_remote_size");
    ask_fn *rank_of = (ask_fn *)mpi_symbol("PMPI_Comm_rank");
    ask_fn *is_inter = (ask_fn *)mpi_symbol("PMPI_Comm_test_inter");
    int size = 0, rank = 0, inter = 0;
    mpi_narrow narrow = {.kept = nonblocking,
                         .failed = !size_of || !remote_size_of || !rank_of || !is_inter};
    if (narrow.failed)
        return narrow;
    rank_of(comm, &rank);
    is_inter(comm, &inter);
    (inter && !local ? remote_size_of : size_of)(comm, &size);
    if (root == NARROW_NO_ROOT || is_root_side(root, rank, inter))
        narrow.length = size;
    return narrow;
}

/* ---- arrays of nonblocking calls: read-only, never freed, equal ones once ---- */

#define BUCKETS 1024

typedef struct kept_array {
    struct kept_array *next;
    size_t length;
    int values[];
} kept_array;

static kept_array *buckets[BUCKETS];
static pthread_mutex_t buckets_lock = PTHREAD_MUTEX_INITIALIZER;

static const int *keep(const int *values, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned)values[i]) * UINT64_C(0x9E3779B97F4A7C15);
    kept_array **bucket = &buckets[hash >> 54];
    pthread_mutex_lock(&buckets_lock);
    kept_array *array = *bucket;
    while (array && (array->length != length ||
                     memcmp(array->values, values, length * sizeof *values) != 0))
        array = array->next;
    if (!array && (array = malloc(sizeof *array + length * sizeof *values))) {
        array->length = length;
        memcpy(array->values, values, length * sizeof *values);
        array->next = *bucket;
        *bucket = array;
    }
    pthread_mutex_unlock(&buckets_lock);
    return array ? array->values : NULL;
}

const int *mpi_narrow_array(mpi_narrow *narrow, const void *values)
{
    if (!values || !narrow->length || narrow->failed)
        return values; /* not read by MPI */
    int *array = malloc((size_t)narrow->length * sizeof *array);
    narrow->failed = !array;
    for (int i = 0; array && i < narrow->length; i++) {
        const int64_t value = ((const int64_t *)values)[i];
        narrow->failed |= !mpi_fits_int(value);
        array[i] = (int)value;
    }
    if (array)
        narrow->arrays[narrow->count++] = array;
    if (!narrow->kept || narrow->failed)
        return array;
    const int *kept = keep(array, (size_t)narrow->length);
    narrow->failed = !kept;
    return kept;
}

void mpi_narrow_end(mpi_narrow *narrow)
{
    for (int i = 0; i < narrow->count; i++)
        free(narrow->arrays[i]);
}
