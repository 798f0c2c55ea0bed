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

mpi_narrow mpi_narrow_neighbours(intptr_t comm, bool nonblocking)
{
    typedef int ask_fn(intptr_t, int *);
    ask_fn *topology_of = (ask_fn *)mpi_symbol("PMPI_Topo_test");
    ask_fn *dimensions_of = (ask_fn *)mpi_symbol("PMPI_Cartdim_get");
    ask_fn *rank_of = (ask_fn *)mpi_symbol("PMPI_Comm_rank");
    int (*graph_of)(intptr_t, int, int *) =
        (int (*)(intptr_t, int, int *))mpi_symbol("PMPI_Graph_neighbors_count");
    int (*dist_graph_of)(intptr_t, int *, int *, int *) =
        (int (*)(intptr_t, int *, int *, int *))mpi_symbol("PMPI_Dist_graph_neighbors_count");
    mpi_narrow narrow = {.kept = nonblocking,
                         .failed = !topology_of || !dimensions_of || !rank_of || !graph_of ||
                                   !dist_graph_of};
    if (narrow.failed)
        return narrow;
    const int cart = mpi_symbol("ompi_mpi_comm_world") ? 1 : 2, graph = 3 - cart; /* else MPICH's */
    int topology = 0, rank = 0, dimensions = 0, weighted;
    topology_of(comm, &topology);
    if (topology == cart) {
        dimensions_of(comm, &dimensions);
        narrow.length = narrow.targets = 2 * dimensions;
    } else if (topology == graph) {
        rank_of(comm, &rank);
        graph_of(comm, rank, &narrow.length);
        narrow.targets = narrow.length;
    } else {
        dist_graph_of(comm, &narrow.length, &narrow.targets, &weighted);
    }
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

static const int *narrowed(mpi_narrow *narrow, const void *values, int length)
{
    if (!values || !length || narrow->failed)
        return values; /* not read by MPI */
    int *array = malloc((size_t)length * sizeof *array);
    narrow->failed = !array;
    for (int i = 0; array && i < length; i++) {
        const int64_t value = ((const int64_t *)values)[i];
        narrow->failed |= !mpi_fits_int(value);
        array[i] = (int)value;
    }
    if (array)
        narrow->arrays[narrow->count++] = array;
    if (!narrow->kept || narrow->failed)
        return array;
    const int *kept = keep(array, (size_t)length);
    narrow->failed = !kept;
    return kept;
}

const int *mpi_narrow_array(mpi_narrow *narrow, const void *values)
{
    return narrowed(narrow, values, narrow->length);
}

const int *mpi_narrow_targets(mpi_narrow *narrow, const void *values)
{
    return narrowed(narrow, values, narrow->targets);
}

void mpi_narrow_end(mpi_narrow *narrow)
{
    for (int i = 0; i < narrow->count; i++)
        free(narrow->arrays[i]);
}
