/* fortran_communicator.c - communicators made, named and freed, from Fortran.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"
#include "fortran_types.h"
#include "wrapper.h"

static void fortran_comm_dup(fortran_3 *next, void *comm, void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_dup);
    next(comm, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_dup_(void *comm, void *newcomm, void *ierror)
{
    fortran_comm_dup(FORWARD_FORTRAN(mpi_comm_dup_), comm, newcomm, ierror);
}

SCOPE_API void mpi_comm_dup_f08_(void *comm, void *newcomm, void *ierror)
{
    fortran_comm_dup(FORWARD_FORTRAN(mpi_comm_dup_f08_), comm, newcomm, ierror);
}

static void fortran_comm_dup_with_info(fortran_4 *next, void *comm, void *info, void *newcomm,
                                       void *ierror)
{
    if (!mpi_enter()) {
        next(comm, info, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_dup_with_info);
    next(comm, info, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_dup_with_info_(void *comm, void *info, void *newcomm, void *ierror)
{
    fortran_comm_dup_with_info(FORWARD_FORTRAN(mpi_comm_dup_with_info_), comm, info, newcomm,
                               ierror);
}

SCOPE_API void mpi_comm_dup_with_info_f08_(void *comm, void *info, void *newcomm, void *ierror)
{
    fortran_comm_dup_with_info(FORWARD_FORTRAN(mpi_comm_dup_with_info_f08_), comm, info, newcomm,
                               ierror);
}

static void fortran_comm_idup(fortran_4 *next, void *comm, void *newcomm, void *request,
                              void *ierror)
{
    if (!mpi_enter()) {
        next(comm, newcomm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup);
    next(comm, newcomm, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_comm_idup_(void *comm, void *newcomm, void *request, void *ierror)
{
    fortran_comm_idup(FORWARD_FORTRAN(mpi_comm_idup_), comm, newcomm, request, ierror);
}

SCOPE_API void mpi_comm_idup_f08_(void *comm, void *newcomm, void *request, void *ierror)
{
    fortran_comm_idup(FORWARD_FORTRAN(mpi_comm_idup_f08_), comm, newcomm, request, ierror);
}

#if MPI_VERSION >= 4

static void fortran_comm_idup_with_info(fortran_5 *next, void *comm, void *info, void *newcomm,
                                        void *request, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, info, newcomm, request, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup_with_info);
    next(comm, info, newcomm, request, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_comm_idup_with_info_(void *comm, void *info, void *newcomm, void *request,
                                        void *ierror)
{
    fortran_comm_idup_with_info(FORWARD_FORTRAN(mpi_comm_idup_with_info_), comm, info, newcomm,
                                request, ierror);
}

SCOPE_API void mpi_comm_idup_with_info_f08_(void *comm, void *info, void *newcomm, void *request,
                                            void *ierror)
{
    fortran_comm_idup_with_info(FORWARD_FORTRAN(mpi_comm_idup_with_info_f08_), comm, info, newcomm,
                                request, ierror);
}

#endif

static void fortran_comm_split(fortran_5 *next, void *comm, void *color, void *key, void *newcomm,
                               void *ierror)
{
    if (!mpi_enter()) {
        next(comm, color, key, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_split);
    next(comm, color, key, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_split_(void *comm, void *color, void *key, void *newcomm, void *ierror)
{
    fortran_comm_split(FORWARD_FORTRAN(mpi_comm_split_), comm, color, key, newcomm, ierror);
}

SCOPE_API void mpi_comm_split_f08_(void *comm, void *color, void *key, void *newcomm, void *ierror)
{
    fortran_comm_split(FORWARD_FORTRAN(mpi_comm_split_f08_), comm, color, key, newcomm, ierror);
}

static void fortran_comm_split_type(fortran_6 *next, void *comm, void *split_type, void *key,
                                    void *info, void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, split_type, key, info, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_split_type);
    next(comm, split_type, key, info, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_split_type_(void *comm, void *split_type, void *key, void *info,
                                    void *newcomm, void *ierror)
{
    fortran_comm_split_type(FORWARD_FORTRAN(mpi_comm_split_type_), comm, split_type, key, info,
                            newcomm, ierror);
}

SCOPE_API void mpi_comm_split_type_f08_(void *comm, void *split_type, void *key, void *info,
                                        void *newcomm, void *ierror)
{
    fortran_comm_split_type(FORWARD_FORTRAN(mpi_comm_split_type_f08_), comm, split_type, key, info,
                            newcomm, ierror);
}

static void fortran_comm_create(fortran_4 *next, void *comm, void *group, void *newcomm,
                                void *ierror)
{
    if (!mpi_enter()) {
        next(comm, group, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_create);
    next(comm, group, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_create_(void *comm, void *group, void *newcomm, void *ierror)
{
    fortran_comm_create(FORWARD_FORTRAN(mpi_comm_create_), comm, group, newcomm, ierror);
}

SCOPE_API void mpi_comm_create_f08_(void *comm, void *group, void *newcomm, void *ierror)
{
    fortran_comm_create(FORWARD_FORTRAN(mpi_comm_create_f08_), comm, group, newcomm, ierror);
}

static void fortran_comm_create_group(fortran_5 *next, void *comm, void *group, void *tag,
                                      void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, group, tag, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_create_group);
    next(comm, group, tag, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_create_group_(void *comm, void *group, void *tag, void *newcomm,
                                      void *ierror)
{
    fortran_comm_create_group(FORWARD_FORTRAN(mpi_comm_create_group_), comm, group, tag, newcomm,
                              ierror);
}

SCOPE_API void mpi_comm_create_group_f08_(void *comm, void *group, void *tag, void *newcomm,
                                          void *ierror)
{
    fortran_comm_create_group(FORWARD_FORTRAN(mpi_comm_create_group_f08_), comm, group, tag,
                              newcomm, ierror);
}

static void fortran_cart_create(fortran_7 *next, void *comm, void *ndims, void *dims, void *periods,
                                void *reorder, void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, ndims, dims, periods, reorder, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Cart_create);
    next(comm, ndims, dims, periods, reorder, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_cart_create_(void *comm, void *ndims, void *dims, void *periods, void *reorder,
                                void *newcomm, void *ierror)
{
    fortran_cart_create(FORWARD_FORTRAN(mpi_cart_create_), comm, ndims, dims, periods, reorder,
                        newcomm, ierror);
}

SCOPE_API void mpi_cart_create_f08_(void *comm, void *ndims, void *dims, void *periods,
                                    void *reorder, void *newcomm, void *ierror)
{
    fortran_cart_create(FORWARD_FORTRAN(mpi_cart_create_f08_), comm, ndims, dims, periods, reorder,
                        newcomm, ierror);
}

static void fortran_cart_sub(fortran_4 *next, void *comm, void *remain_dims, void *newcomm,
                             void *ierror)
{
    if (!mpi_enter()) {
        next(comm, remain_dims, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Cart_sub);
    next(comm, remain_dims, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_cart_sub_(void *comm, void *remain_dims, void *newcomm, void *ierror)
{
    fortran_cart_sub(FORWARD_FORTRAN(mpi_cart_sub_), comm, remain_dims, newcomm, ierror);
}

SCOPE_API void mpi_cart_sub_f08_(void *comm, void *remain_dims, void *newcomm, void *ierror)
{
    fortran_cart_sub(FORWARD_FORTRAN(mpi_cart_sub_f08_), comm, remain_dims, newcomm, ierror);
}

static void fortran_graph_create(fortran_7 *next, void *comm, void *nnodes, void *index,
                                 void *edges, void *reorder, void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, nnodes, index, edges, reorder, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Graph_create);
    next(comm, nnodes, index, edges, reorder, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_graph_create_(void *comm, void *nnodes, void *index, void *edges, void *reorder,
                                 void *newcomm, void *ierror)
{
    fortran_graph_create(FORWARD_FORTRAN(mpi_graph_create_), comm, nnodes, index, edges, reorder,
                         newcomm, ierror);
}

SCOPE_API void mpi_graph_create_f08_(void *comm, void *nnodes, void *index, void *edges,
                                     void *reorder, void *newcomm, void *ierror)
{
    fortran_graph_create(FORWARD_FORTRAN(mpi_graph_create_f08_), comm, nnodes, index, edges,
                         reorder, newcomm, ierror);
}

static void fortran_dist_graph_create(fortran_10 *next, void *comm, void *n, void *sources,
                                      void *degrees, void *destinations, void *weights, void *info,
                                      void *reorder, void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, n, sources, degrees, destinations, weights, info, reorder, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Dist_graph_create);
    next(comm, n, sources, degrees, destinations, weights, info, reorder, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_dist_graph_create_(void *comm, void *n, void *sources, void *degrees,
                                      void *destinations, void *weights, void *info, void *reorder,
                                      void *newcomm, void *ierror)
{
    fortran_dist_graph_create(FORWARD_FORTRAN(mpi_dist_graph_create_), comm, n, sources, degrees,
                              destinations, weights, info, reorder, newcomm, ierror);
}

SCOPE_API void mpi_dist_graph_create_f08_(void *comm, void *n, void *sources, void *degrees,
                                          void *destinations, void *weights, void *info,
                                          void *reorder, void *newcomm, void *ierror)
{
    fortran_dist_graph_create(FORWARD_FORTRAN(mpi_dist_graph_create_f08_), comm, n, sources,
                              degrees, destinations, weights, info, reorder, newcomm, ierror);
}

static void fortran_dist_graph_create_adjacent(fortran_11 *next, void *comm, void *indegree,
                                               void *sources, void *sourceweights, void *outdegree,
                                               void *destinations, void *destweights, void *info,
                                               void *reorder, void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info,
             reorder, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Dist_graph_create_adjacent);
    next(comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info,
         reorder, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_dist_graph_create_adjacent_(void *comm, void *indegree, void *sources,
                                               void *sourceweights, void *outdegree,
                                               void *destinations, void *destweights, void *info,
                                               void *reorder, void *newcomm, void *ierror)
{
    fortran_dist_graph_create_adjacent(FORWARD_FORTRAN(mpi_dist_graph_create_adjacent_), comm,
                                       indegree, sources, sourceweights, outdegree, destinations,
                                       destweights, info, reorder, newcomm, ierror);
}

SCOPE_API void mpi_dist_graph_create_adjacent_f08_(void *comm, void *indegree, void *sources,
                                                   void *sourceweights, void *outdegree,
                                                   void *destinations, void *destweights,
                                                   void *info, void *reorder, void *newcomm,
                                                   void *ierror)
{
    fortran_dist_graph_create_adjacent(FORWARD_FORTRAN(mpi_dist_graph_create_adjacent_f08_), comm,
                                       indegree, sources, sourceweights, outdegree, destinations,
                                       destweights, info, reorder, newcomm, ierror);
}

static void fortran_intercomm_create(fortran_7 *next, void *comm, void *local_leader,
                                     void *peer_comm, void *remote_leader, void *tag, void *newcomm,
                                     void *ierror)
{
    if (!mpi_enter()) {
        next(comm, local_leader, peer_comm, remote_leader, tag, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Intercomm_create);
    next(comm, local_leader, peer_comm, remote_leader, tag, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_intercomm_create_(void *comm, void *local_leader, void *peer_comm,
                                     void *remote_leader, void *tag, void *newcomm, void *ierror)
{
    fortran_intercomm_create(FORWARD_FORTRAN(mpi_intercomm_create_), comm, local_leader, peer_comm,
                             remote_leader, tag, newcomm, ierror);
}

SCOPE_API void mpi_intercomm_create_f08_(void *comm, void *local_leader, void *peer_comm,
                                         void *remote_leader, void *tag, void *newcomm,
                                         void *ierror)
{
    fortran_intercomm_create(FORWARD_FORTRAN(mpi_intercomm_create_f08_), comm, local_leader,
                             peer_comm, remote_leader, tag, newcomm, ierror);
}

static void fortran_intercomm_merge(fortran_4 *next, void *comm, void *high, void *newcomm,
                                    void *ierror)
{
    if (!mpi_enter()) {
        next(comm, high, newcomm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Intercomm_merge);
    next(comm, high, newcomm, ierror);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_intercomm_merge_(void *comm, void *high, void *newcomm, void *ierror)
{
    fortran_intercomm_merge(FORWARD_FORTRAN(mpi_intercomm_merge_), comm, high, newcomm, ierror);
}

SCOPE_API void mpi_intercomm_merge_f08_(void *comm, void *high, void *newcomm, void *ierror)
{
    fortran_intercomm_merge(FORWARD_FORTRAN(mpi_intercomm_merge_f08_), comm, high, newcomm, ierror);
}

static void fortran_comm_free(fortran_2 *next, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_free);
    next(comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_comm_free_(void *comm, void *ierror)
{
    fortran_comm_free(FORWARD_FORTRAN(mpi_comm_free_), comm, ierror);
}

SCOPE_API void mpi_comm_free_f08_(void *comm, void *ierror)
{
    fortran_comm_free(FORWARD_FORTRAN(mpi_comm_free_f08_), comm, ierror);
}

static void fortran_comm_disconnect(fortran_2 *next, void *comm, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_disconnect);
    next(comm, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_comm_disconnect_(void *comm, void *ierror)
{
    fortran_comm_disconnect(FORWARD_FORTRAN(mpi_comm_disconnect_), comm, ierror);
}

SCOPE_API void mpi_comm_disconnect_f08_(void *comm, void *ierror)
{
    fortran_comm_disconnect(FORWARD_FORTRAN(mpi_comm_disconnect_f08_), comm, ierror);
}

static void fortran_comm_set_name(fortran_4 *next, void *comm, void *comm_name, void *ierror,
                                  void *length)
{
    if (!mpi_enter()) {
        next(comm, comm_name, ierror, length);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_set_name);
    next(comm, comm_name, ierror, length);
    mpi_leave(&moved);
    mpi_comm_named(f_comm(comm));
}

SCOPE_API void mpi_comm_set_name_(void *comm, void *comm_name, void *ierror, void *length)
{
    fortran_comm_set_name(FORWARD_FORTRAN(mpi_comm_set_name_), comm, comm_name, ierror, length);
}

SCOPE_API void mpi_comm_set_name_f08_(void *comm, void *comm_name, void *ierror, void *length)
{
    fortran_comm_set_name(FORWARD_FORTRAN(mpi_comm_set_name_f08_), comm, comm_name, ierror, length);
}
