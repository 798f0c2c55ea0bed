/* communicator.c - communicators made, named and freed.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "narrow.h"

WRAPPER(MPI_Comm_dup, (wide_Comm comm, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_dup)(comm, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_dup);
    const int rc = FORWARD(MPI_Comm_dup)(comm, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_dup_with_info, (wide_Comm comm, wide_Info info, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_dup_with_info)(comm, info, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_dup_with_info);
    const int rc = FORWARD(MPI_Comm_dup_with_info)(comm, info, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_idup, (wide_Comm comm, MPI_Comm *newcomm, MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_idup)(comm, newcomm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup);
    const int rc = FORWARD(MPI_Comm_idup)(comm, newcomm, request);
    mpi_leave(&moved);
    return rc;
}

#if MPI_VERSION >= 4

WRAPPER(MPI_Comm_idup_with_info, (wide_Comm comm, wide_Info info, MPI_Comm *newcomm,
                                  MPI_Request *request))
{
    if (!mpi_enter())
        return FORWARD_OR(MPI_Comm_idup_with_info, mpi_missing)(comm, info, newcomm, request);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup_with_info);
    const int rc = FORWARD_OR(MPI_Comm_idup_with_info, mpi_missing)(comm, info, newcomm, request);
    mpi_leave(&moved);
    return rc;
}

#endif

WRAPPER(MPI_Comm_split, (wide_Comm comm, int color, int key, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_split)(comm, color, key, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_split);
    const int rc = FORWARD(MPI_Comm_split)(comm, color, key, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_split_type, (wide_Comm comm, int split_type, int key, wide_Info info,
                              MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_split_type)(comm, split_type, key, info, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_split_type);
    const int rc = FORWARD(MPI_Comm_split_type)(comm, split_type, key, info, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_create, (wide_Comm comm, wide_Group group, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_create)(comm, group, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_create);
    const int rc = FORWARD(MPI_Comm_create)(comm, group, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_create_group, (wide_Comm comm, wide_Group group, int tag, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_create_group)(comm, group, tag, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_create_group);
    const int rc = FORWARD(MPI_Comm_create_group)(comm, group, tag, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Cart_create, (wide_Comm comm, int ndims, const int dims[], const int periods[],
                          int reorder, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Cart_create)(comm, ndims, dims, periods, reorder, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Cart_create);
    const int rc = FORWARD(MPI_Cart_create)(comm, ndims, dims, periods, reorder, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Cart_sub, (wide_Comm comm, const int remain_dims[], MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Cart_sub)(comm, remain_dims, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Cart_sub);
    const int rc = FORWARD(MPI_Cart_sub)(comm, remain_dims, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Graph_create, (wide_Comm comm, int nnodes, const int index[], const int edges[],
                           int reorder, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Graph_create)(comm, nnodes, index, edges, reorder, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Graph_create);
    const int rc = FORWARD(MPI_Graph_create)(comm, nnodes, index, edges, reorder, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Dist_graph_create, (wide_Comm comm, int n, const int sources[], const int degrees[],
                                const int destinations[], const int weights[], wide_Info info,
                                int reorder, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Dist_graph_create)(comm, n, sources, degrees, destinations, weights,
                                              info, reorder, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Dist_graph_create);
    const int rc = FORWARD(MPI_Dist_graph_create)(comm, n, sources, degrees, destinations, weights,
                                                  info, reorder, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Dist_graph_create_adjacent, (wide_Comm comm, int indegree, const int sources[],
                                         const int sourceweights[], int outdegree,
                                         const int destinations[], const int destweights[],
                                         wide_Info info, int reorder, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Dist_graph_create_adjacent)(comm, indegree, sources, sourceweights,
                                                       outdegree, destinations, destweights, info,
                                                       reorder, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Dist_graph_create_adjacent);
    const int rc = FORWARD(MPI_Dist_graph_create_adjacent)(comm, indegree, sources, sourceweights,
                                                           outdegree, destinations, destweights,
                                                           info, reorder, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Intercomm_create, (wide_Comm comm, int local_leader, wide_Comm peer_comm,
                               int remote_leader, int tag, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Intercomm_create)(comm, local_leader, peer_comm, remote_leader, tag,
                                             newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Intercomm_create);
    const int rc = FORWARD(MPI_Intercomm_create)(comm, local_leader, peer_comm, remote_leader, tag,
                                                 newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Intercomm_merge, (wide_Comm comm, int high, MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Intercomm_merge)(comm, high, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Intercomm_merge);
    const int rc = FORWARD(MPI_Intercomm_merge)(comm, high, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_free, (MPI_Comm *comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_free)(comm);
    const mpi_comm *on = mpi_comm_of(*comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_free);
    const int rc = FORWARD(MPI_Comm_free)(comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Comm_disconnect, (MPI_Comm *comm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_disconnect)(comm);
    const mpi_comm *on = mpi_comm_of(*comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_disconnect);
    const int rc = FORWARD(MPI_Comm_disconnect)(comm);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Comm_set_name, (wide_Comm comm, const char *comm_name))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_set_name)(comm, comm_name);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_naming(on, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_set_name);
    const int rc = FORWARD(MPI_Comm_set_name)(comm, comm_name);
    mpi_leave(&moved);
    mpi_comm_named(comm);
    return rc;
}
