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
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup);
    next(comm, newcomm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_idup(on, &moved, newcomm, true, f_request(request));
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
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup_with_info);
    next(comm, info, newcomm, request, ierror);
    if (f_succeeded(ierror))
        mpi_track_idup(on, &moved, newcomm, true, f_request(request));
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

#if MPI_VERSION >= 4

static void fortran_intercomm_create_from_groups(fortran_10 *next, void *local_group,
                                                 void *local_leader, void *remote_group,
                                                 void *remote_leader, void *stringtag, void *info,
                                                 void *errhandler, void *newcomm, void *ierror,
                                                 void *length)
{
    if (!mpi_enter()) {
        next(local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler,
             newcomm, ierror, length);
        f_making(ierror, newcomm);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Intercomm_create_from_groups);
    next(local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler,
         newcomm, ierror, length);
    f_making(ierror, newcomm);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), -1);
}

SCOPE_API void mpi_intercomm_create_from_groups_(void *local_group, void *local_leader,
                                                 void *remote_group, void *remote_leader,
                                                 void *stringtag, void *info, void *errhandler,
                                                 void *newcomm, void *ierror, void *length)
{
    fortran_intercomm_create_from_groups(FORWARD_FORTRAN(mpi_intercomm_create_from_groups_),
                                         local_group, local_leader, remote_group, remote_leader,
                                         stringtag, info, errhandler, newcomm, ierror, length);
}

SCOPE_API void mpi_intercomm_create_from_groups_f08_(void *local_group, void *local_leader,
                                                     void *remote_group, void *remote_leader,
                                                     void *stringtag, void *info, void *errhandler,
                                                     void *newcomm, void *ierror, void *length)
{
    fortran_intercomm_create_from_groups(FORWARD_FORTRAN(mpi_intercomm_create_from_groups_f08_),
                                         local_group, local_leader, remote_group, remote_leader,
                                         stringtag, info, errhandler, newcomm, ierror, length);
}

#endif

#if MPI_VERSION >= 4

static void fortran_comm_create_from_group(fortran_7 *next, void *group, void *stringtag,
                                           void *info, void *errhandler, void *newcomm,
                                           void *ierror, void *length)
{
    if (!mpi_enter()) {
        next(group, stringtag, info, errhandler, newcomm, ierror, length);
        f_making(ierror, newcomm);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Comm_create_from_group);
    next(group, stringtag, info, errhandler, newcomm, ierror, length);
    f_making(ierror, newcomm);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), -1);
}

SCOPE_API void mpi_comm_create_from_group_(void *group, void *stringtag, void *info,
                                           void *errhandler, void *newcomm, void *ierror,
                                           void *length)
{
    fortran_comm_create_from_group(FORWARD_FORTRAN(mpi_comm_create_from_group_), group, stringtag,
                                   info, errhandler, newcomm, ierror, length);
}

SCOPE_API void mpi_comm_create_from_group_f08_(void *group, void *stringtag, void *info,
                                               void *errhandler, void *newcomm, void *ierror,
                                               void *length)
{
    fortran_comm_create_from_group(FORWARD_FORTRAN(mpi_comm_create_from_group_f08_), group,
                                   stringtag, info, errhandler, newcomm, ierror, length);
}

#endif

static void fortran_comm_spawn(fortran_11 *next, void *command, void *argv, void *maxprocs,
                               void *info, void *root, void *comm, void *newcomm,
                               void *array_of_errcodes, void *ierror, void *length, void *length1)
{
    if (!mpi_enter()) {
        next(command, argv, maxprocs, info, root, comm, newcomm, array_of_errcodes, ierror, length,
             length1);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_spawn spawn;
    info = mpi_spawn_tell_fortran(&spawn, on, f_int(root), 1, info);
    const mpi_message moved = mpi_collecting(on, 0, f_int(root));
    mpi_begin(CALL_MPI_Comm_spawn);
    next(command, argv, maxprocs, info, root, comm, newcomm, array_of_errcodes, ierror, length,
         length1);
    mpi_leave(&moved);
    mpi_spawn_end(&spawn);
    if (f_succeeded(ierror))
        mpi_comm_spawned(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_spawn_(void *command, void *argv, void *maxprocs, void *info, void *root,
                               void *comm, void *newcomm, void *array_of_errcodes, void *ierror,
                               void *length, void *length1)
{
    fortran_comm_spawn(FORWARD_FORTRAN(mpi_comm_spawn_), command, argv, maxprocs, info, root, comm,
                       newcomm, array_of_errcodes, ierror, length, length1);
}

SCOPE_API void mpi_comm_spawn_f08_(void *command, void *argv, void *maxprocs, void *info,
                                   void *root, void *comm, void *newcomm, void *array_of_errcodes,
                                   void *ierror, void *length, void *length1)
{
    fortran_comm_spawn(FORWARD_FORTRAN(mpi_comm_spawn_f08_), command, argv, maxprocs, info, root,
                       comm, newcomm, array_of_errcodes, ierror, length, length1);
}

static void fortran_comm_spawn_multiple(fortran_12 *next, void *count, void *array_of_commands,
                                        void *array_of_argv, void *array_of_maxprocs,
                                        void *array_of_info, void *root, void *comm, void *newcomm,
                                        void *array_of_errcodes, void *ierror, void *length,
                                        void *length1)
{
    if (!mpi_enter()) {
        next(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm,
             newcomm, array_of_errcodes, ierror, length, length1);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    mpi_spawn spawn;
    array_of_info = mpi_spawn_tell_fortran(&spawn, on, f_int(root), f_int(count), array_of_info);
    const mpi_message moved = mpi_collecting(on, 0, f_int(root));
    mpi_begin(CALL_MPI_Comm_spawn_multiple);
    next(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm,
         newcomm, array_of_errcodes, ierror, length, length1);
    mpi_leave(&moved);
    mpi_spawn_end(&spawn);
    if (f_succeeded(ierror))
        mpi_comm_spawned(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_spawn_multiple_(void *count, void *array_of_commands, void *array_of_argv,
                                        void *array_of_maxprocs, void *array_of_info, void *root,
                                        void *comm, void *newcomm, void *array_of_errcodes,
                                        void *ierror, void *length, void *length1)
{
    fortran_comm_spawn_multiple(FORWARD_FORTRAN(mpi_comm_spawn_multiple_), count, array_of_commands,
                                array_of_argv, array_of_maxprocs, array_of_info, root, comm,
                                newcomm, array_of_errcodes, ierror, length, length1);
}

SCOPE_API void mpi_comm_spawn_multiple_f08_(void *count, void *array_of_commands,
                                            void *array_of_argv, void *array_of_maxprocs,
                                            void *array_of_info, void *root, void *comm,
                                            void *newcomm, void *array_of_errcodes, void *ierror,
                                            void *length, void *length1)
{
    fortran_comm_spawn_multiple(FORWARD_FORTRAN(mpi_comm_spawn_multiple_f08_), count,
                                array_of_commands, array_of_argv, array_of_maxprocs, array_of_info,
                                root, comm, newcomm, array_of_errcodes, ierror, length, length1);
}

static void fortran_comm_accept(fortran_7 *next, void *port_name, void *info, void *root,
                                void *comm, void *newcomm, void *ierror, void *length)
{
    if (!mpi_enter()) {
        next(port_name, info, root, comm, newcomm, ierror, length);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, f_int(root));
    mpi_begin(CALL_MPI_Comm_accept);
    next(port_name, info, root, comm, newcomm, ierror, length);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_accept_(void *port_name, void *info, void *root, void *comm, void *newcomm,
                                void *ierror, void *length)
{
    fortran_comm_accept(FORWARD_FORTRAN(mpi_comm_accept_), port_name, info, root, comm, newcomm,
                        ierror, length);
}

SCOPE_API void mpi_comm_accept_f08_(void *port_name, void *info, void *root, void *comm,
                                    void *newcomm, void *ierror, void *length)
{
    fortran_comm_accept(FORWARD_FORTRAN(mpi_comm_accept_f08_), port_name, info, root, comm, newcomm,
                        ierror, length);
}

static void fortran_comm_connect(fortran_7 *next, void *port_name, void *info, void *root,
                                 void *comm, void *newcomm, void *ierror, void *length)
{
    if (!mpi_enter()) {
        next(port_name, info, root, comm, newcomm, ierror, length);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, f_int(root));
    mpi_begin(CALL_MPI_Comm_connect);
    next(port_name, info, root, comm, newcomm, ierror, length);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), moved.communicator);
}

SCOPE_API void mpi_comm_connect_(void *port_name, void *info, void *root, void *comm, void *newcomm,
                                 void *ierror, void *length)
{
    fortran_comm_connect(FORWARD_FORTRAN(mpi_comm_connect_), port_name, info, root, comm, newcomm,
                         ierror, length);
}

SCOPE_API void mpi_comm_connect_f08_(void *port_name, void *info, void *root, void *comm,
                                     void *newcomm, void *ierror, void *length)
{
    fortran_comm_connect(FORWARD_FORTRAN(mpi_comm_connect_f08_), port_name, info, root, comm,
                         newcomm, ierror, length);
}

static void fortran_comm_join(fortran_3 *next, void *fd, void *newcomm, void *ierror)
{
    if (!mpi_enter()) {
        next(fd, newcomm, ierror);
        f_making(ierror, newcomm);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Comm_join);
    next(fd, newcomm, ierror);
    f_making(ierror, newcomm);
    mpi_leave(&moved);
    if (f_succeeded(ierror))
        mpi_comm_created(f_comm(newcomm), -1);
}

SCOPE_API void mpi_comm_join_(void *fd, void *newcomm, void *ierror)
{
    fortran_comm_join(FORWARD_FORTRAN(mpi_comm_join_), fd, newcomm, ierror);
}

SCOPE_API void mpi_comm_join_f08_(void *fd, void *newcomm, void *ierror)
{
    fortran_comm_join(FORWARD_FORTRAN(mpi_comm_join_f08_), fd, newcomm, ierror);
}

static void fortran_open_port(fortran_4 *next, void *info, void *port_name, void *ierror,
                              void *length)
{
    if (!mpi_enter()) {
        next(info, port_name, ierror, length);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Open_port);
    next(info, port_name, ierror, length);
    mpi_leave(&moved);
}

SCOPE_API void mpi_open_port_(void *info, void *port_name, void *ierror, void *length)
{
    fortran_open_port(FORWARD_FORTRAN(mpi_open_port_), info, port_name, ierror, length);
}

SCOPE_API void mpi_open_port_f08_(void *info, void *port_name, void *ierror, void *length)
{
    fortran_open_port(FORWARD_FORTRAN(mpi_open_port_f08_), info, port_name, ierror, length);
}

static void fortran_close_port(fortran_3 *next, void *port_name, void *ierror, void *length)
{
    if (!mpi_enter()) {
        next(port_name, ierror, length);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Close_port);
    next(port_name, ierror, length);
    mpi_leave(&moved);
}

SCOPE_API void mpi_close_port_(void *port_name, void *ierror, void *length)
{
    fortran_close_port(FORWARD_FORTRAN(mpi_close_port_), port_name, ierror, length);
}

SCOPE_API void mpi_close_port_f08_(void *port_name, void *ierror, void *length)
{
    fortran_close_port(FORWARD_FORTRAN(mpi_close_port_f08_), port_name, ierror, length);
}

static void fortran_publish_name(fortran_6 *next, void *service_name, void *info, void *port_name,
                                 void *ierror, void *length, void *length1)
{
    if (!mpi_enter()) {
        next(service_name, info, port_name, ierror, length, length1);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Publish_name);
    next(service_name, info, port_name, ierror, length, length1);
    mpi_leave(&moved);
}

SCOPE_API void mpi_publish_name_(void *service_name, void *info, void *port_name, void *ierror,
                                 void *length, void *length1)
{
    fortran_publish_name(FORWARD_FORTRAN(mpi_publish_name_), service_name, info, port_name, ierror,
                         length, length1);
}

SCOPE_API void mpi_publish_name_f08_(void *service_name, void *info, void *port_name, void *ierror,
                                     void *length, void *length1)
{
    fortran_publish_name(FORWARD_FORTRAN(mpi_publish_name_f08_), service_name, info, port_name,
                         ierror, length, length1);
}

static void fortran_unpublish_name(fortran_6 *next, void *service_name, void *info, void *port_name,
                                   void *ierror, void *length, void *length1)
{
    if (!mpi_enter()) {
        next(service_name, info, port_name, ierror, length, length1);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Unpublish_name);
    next(service_name, info, port_name, ierror, length, length1);
    mpi_leave(&moved);
}

SCOPE_API void mpi_unpublish_name_(void *service_name, void *info, void *port_name, void *ierror,
                                   void *length, void *length1)
{
    fortran_unpublish_name(FORWARD_FORTRAN(mpi_unpublish_name_), service_name, info, port_name,
                           ierror, length, length1);
}

SCOPE_API void mpi_unpublish_name_f08_(void *service_name, void *info, void *port_name,
                                       void *ierror, void *length, void *length1)
{
    fortran_unpublish_name(FORWARD_FORTRAN(mpi_unpublish_name_f08_), service_name, info, port_name,
                           ierror, length, length1);
}

static void fortran_lookup_name(fortran_6 *next, void *service_name, void *info, void *port_name,
                                void *ierror, void *length, void *length1)
{
    if (!mpi_enter()) {
        next(service_name, info, port_name, ierror, length, length1);
        return;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Lookup_name);
    next(service_name, info, port_name, ierror, length, length1);
    mpi_leave(&moved);
}

SCOPE_API void mpi_lookup_name_(void *service_name, void *info, void *port_name, void *ierror,
                                void *length, void *length1)
{
    fortran_lookup_name(FORWARD_FORTRAN(mpi_lookup_name_), service_name, info, port_name, ierror,
                        length, length1);
}

SCOPE_API void mpi_lookup_name_f08_(void *service_name, void *info, void *port_name, void *ierror,
                                    void *length, void *length1)
{
    fortran_lookup_name(FORWARD_FORTRAN(mpi_lookup_name_f08_), service_name, info, port_name,
                        ierror, length, length1);
}

static void fortran_comm_set_info(fortran_3 *next, void *comm, void *info, void *ierror)
{
    if (!mpi_enter()) {
        next(comm, info, ierror);
        return;
    }
    const mpi_comm *on = mpi_comm_of(f_comm(comm));
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_set_info);
    next(comm, info, ierror);
    mpi_leave(&moved);
}

SCOPE_API void mpi_comm_set_info_(void *comm, void *info, void *ierror)
{
    fortran_comm_set_info(FORWARD_FORTRAN(mpi_comm_set_info_), comm, info, ierror);
}

SCOPE_API void mpi_comm_set_info_f08_(void *comm, void *info, void *ierror)
{
    fortran_comm_set_info(FORWARD_FORTRAN(mpi_comm_set_info_f08_), comm, info, ierror);
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
