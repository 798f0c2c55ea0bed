/* bytes.c - what a rank passes as data argument: counts times sizes of types.
 *
 * A cached type is one word, at the place its handle hashes to:
 *
 *     63                 16 15        0
 *     [ handle              | size + 1 ]   0 empty; all ones: derived, ask MPI
 *
 * Whether a handle is predefined never changes: those of derived types are
 * never equal to one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bytes.h"

#include <stdatomic.h>

#include "fortran.h"

#define CACHE_BITS 9
#define DERIVED 0xFFFFu

static _Atomic uint64_t cache[1 << CACHE_BITS];

static int64_t ask(MPI_Datatype datatype)
{
    MPI_Count size = 0;
    if (PMPI(Type_size_x)(datatype, &size) != MPI_SUCCESS || size < 0)
        size = 0;
    return (int64_t)size;
}

static bool is_predefined(MPI_Datatype datatype)
{
    int integers, addresses, types, combiner = MPI_COMBINER_DUP;
    return PMPI(Type_get_envelope)(datatype, &integers, &addresses, &types, &combiner) ==
               MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

/* `word` is what the cache has at `place`: not its size. */
__attribute__((noinline)) static int64_t look_up(MPI_Datatype datatype, uint64_t handle,
                                                 _Atomic uint64_t *place, uint64_t word)
{
    if (word == (handle << 16 | DERIVED))
        return ask(datatype);
    if (!datatype || datatype == MPI_DATATYPE_NULL)
        return 0;
    const int64_t size = ask(datatype);
    const bool fixed = size < DERIVED - 1 && is_predefined(datatype);
    const uint64_t code = fixed ? (uint64_t)size + 1 : DERIVED;
    atomic_store_explicit(place, handle << 16 | code, memory_order_relaxed);
    return size;
}

int64_t mpi_type_bytes(MPI_Datatype datatype)
{
    const uint64_t handle = (uint64_t)(uintptr_t)datatype & (UINT64_MAX >> 16);
    _Atomic uint64_t *place = &cache[handle * UINT64_C(0x9E3779B97F4A7C15) >> (64 - CACHE_BITS)];
    const uint64_t word = atomic_load_explicit(place, memory_order_relaxed);
    const uint64_t code = word & 0xFFFF;
    if (__builtin_expect(word >> 16 == handle && code && code != DERIVED, 1))
        return (int64_t)code - 1;
    return look_up(datatype, handle, place, word);
}

static int64_t count_at(mpi_counts counts, int i)
{
    return counts.large ? ((const int64_t *)counts.values)[i] : ((const int *)counts.values)[i];
}

static int64_t sum_bytes(mpi_counts counts, int count, MPI_Datatype datatype)
{
    int64_t sum = 0;
    if (!counts.values)
        return 0; /* an error, which the MPI tells the program */
    for (int i = 0; i < count; i++)
        sum += count_at(counts, i);
    return mpi_bytes(sum, datatype);
}

static int64_t sum_bytes_w(mpi_counts counts, int count, mpi_types types)
{
    int64_t sum = 0;
    if (!counts.values || !types.values)
        return 0;
    for (int i = 0; i < count; i++) {
        const int64_t elements = count_at(counts, i);
        if (elements > 0)
            sum += mpi_bytes(elements, types.fortran ? f_type((const MPI_Fint *)types.values + i)
                                                     : ((const MPI_Datatype *)types.values)[i]);
    }
    return sum;
}

/* Does this rank hold the root's side? In an intercommunicator MPI_ROOT says so. */
static bool is_root(const mpi_comm *on, int root)
{
    return on->inter ? root == MPI_ROOT : root == on->rank;
}

int64_t mpi_gather_bytes(const mpi_comm *on, int root, bool in_place, int64_t send_count,
                         MPI_Datatype send_type, int64_t receive_count, MPI_Datatype receive_type)
{
    if (root == MPI_PROC_NULL)
        return 0;
    if (in_place || root == MPI_ROOT)
        return mpi_bytes(receive_count, receive_type) * on->size;
    return mpi_bytes(send_count, send_type);
}

int64_t mpi_gatherv_bytes(const mpi_comm *on, int root, bool in_place, int64_t send_count,
                          MPI_Datatype send_type, mpi_counts receive_counts,
                          MPI_Datatype receive_type)
{
    if (root == MPI_PROC_NULL)
        return 0;
    if (in_place || root == MPI_ROOT)
        return sum_bytes(receive_counts, on->size, receive_type);
    return mpi_bytes(send_count, send_type);
}

int64_t mpi_scatter_bytes(const mpi_comm *on, int root, int64_t send_count, MPI_Datatype send_type,
                          int64_t receive_count, MPI_Datatype receive_type)
{
    if (root == MPI_PROC_NULL)
        return 0;
    return is_root(on, root) ? mpi_bytes(send_count, send_type) * on->size
                             : mpi_bytes(receive_count, receive_type);
}

int64_t mpi_scatterv_bytes(const mpi_comm *on, int root, mpi_counts send_counts,
                           MPI_Datatype send_type, int64_t receive_count, MPI_Datatype receive_type)
{
    if (root == MPI_PROC_NULL)
        return 0;
    return is_root(on, root) ? sum_bytes(send_counts, on->size, send_type)
                             : mpi_bytes(receive_count, receive_type);
}

int64_t mpi_allgather_bytes(const mpi_comm *on, bool in_place, int64_t send_count,
                            MPI_Datatype send_type, int64_t receive_count,
                            MPI_Datatype receive_type)
{
    return in_place ? mpi_bytes(receive_count, receive_type) * on->size
                    : mpi_bytes(send_count, send_type);
}

int64_t mpi_allgatherv_bytes(const mpi_comm *on, bool in_place, int64_t send_count,
                             MPI_Datatype send_type, mpi_counts receive_counts,
                             MPI_Datatype receive_type)
{
    return in_place ? sum_bytes(receive_counts, on->size, receive_type)
                    : mpi_bytes(send_count, send_type);
}

int64_t mpi_alltoall_bytes(const mpi_comm *on, bool in_place, int64_t send_count,
                           MPI_Datatype send_type, int64_t receive_count, MPI_Datatype receive_type)
{
    return (in_place ? mpi_bytes(receive_count, receive_type) : mpi_bytes(send_count, send_type)) *
           on->size;
}

int64_t mpi_alltoallv_bytes(const mpi_comm *on, bool in_place, mpi_counts send_counts,
                            MPI_Datatype send_type, mpi_counts receive_counts,
                            MPI_Datatype receive_type)
{
    return in_place ? sum_bytes(receive_counts, on->size, receive_type)
                    : sum_bytes(send_counts, on->size, send_type);
}

int64_t mpi_alltoallw_bytes(const mpi_comm *on, bool in_place, mpi_counts send_counts,
                            mpi_types send_types, mpi_counts receive_counts,
                            mpi_types receive_types)
{
    return in_place ? sum_bytes_w(receive_counts, on->size, receive_types)
                    : sum_bytes_w(send_counts, on->size, send_types);
}

int64_t mpi_reduce_scatter_bytes(const mpi_comm *on, mpi_counts receive_counts,
                                 MPI_Datatype datatype)
{
    return sum_bytes(receive_counts, on->local_size, datatype);
}

int64_t mpi_neighbour_bytes(const mpi_comm *on, mpi_counts send_counts, MPI_Datatype send_type)
{
    return sum_bytes(send_counts, mpi_targets(on), send_type);
}

int64_t mpi_neighbour_w_bytes(const mpi_comm *on, mpi_counts send_counts, mpi_types send_types)
{
    return sum_bytes_w(send_counts, mpi_targets(on), send_types);
}
