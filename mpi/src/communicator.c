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
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup);
    const int rc = FORWARD(MPI_Comm_idup)(comm, newcomm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_idup(on, &moved, newcomm, false, *request);
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
    mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_idup_with_info);
    const int rc = FORWARD_OR(MPI_Comm_idup_with_info, mpi_missing)(comm, info, newcomm, request);
    if (rc == MPI_SUCCESS)
        mpi_track_idup(on, &moved, newcomm, false, *request);
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

#if MPI_VERSION >= 4

WRAPPER(MPI_Intercomm_create_from_groups, (wide_Group local_group, int local_leader,
                                           wide_Group remote_group, int remote_leader,
                                           const char *stringtag, wide_Info info,
                                           wide_Errhandler errhandler, MPI_Comm *newcomm))
{
    if (!mpi_enter()) {
        const int rc = FORWARD_OR(MPI_Intercomm_create_from_groups, mpi_missing)(
            local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler,
            newcomm);
        mpi_making(rc, newcomm);
        return rc;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Intercomm_create_from_groups);
    const int rc = FORWARD_OR(MPI_Intercomm_create_from_groups, mpi_missing)(
        local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler,
        newcomm);
    mpi_making(rc, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, -1);
    return rc;
}

#endif

#if MPI_VERSION >= 4

WRAPPER(MPI_Comm_create_from_group, (wide_Group group, const char *stringtag, wide_Info info,
                                     wide_Errhandler errhandler, MPI_Comm *newcomm))
{
    if (!mpi_enter()) {
        const int rc = FORWARD_OR(MPI_Comm_create_from_group, mpi_missing)(
            group, stringtag, info, errhandler, newcomm);
        mpi_making(rc, newcomm);
        return rc;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Comm_create_from_group);
    const int rc = FORWARD_OR(MPI_Comm_create_from_group, mpi_missing)(
        group, stringtag, info, errhandler, newcomm);
    mpi_making(rc, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, -1);
    return rc;
}

#endif

WRAPPER(MPI_Comm_spawn, (const char *command, char *argv[], int maxprocs, wide_Info info, int root,
                         wide_Comm comm, MPI_Comm *newcomm, int array_of_errcodes[]))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_spawn)(command, argv, maxprocs, info, root, comm, newcomm,
                                       array_of_errcodes);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_spawn spawn;
    info = mpi_spawn_tell(&spawn, on, root, info);
    const mpi_message moved = mpi_collecting(on, 0, root);
    mpi_begin(CALL_MPI_Comm_spawn);
    const int rc = FORWARD(MPI_Comm_spawn)(command, argv, maxprocs, info, root, comm, newcomm,
                                           array_of_errcodes);
    mpi_leave(&moved);
    mpi_spawn_end(&spawn);
    if (rc == MPI_SUCCESS)
        mpi_comm_spawned(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_spawn_multiple, (int count, char *array_of_commands[], char **array_of_argv[],
                                  const int array_of_maxprocs[], const MPI_Info array_of_info[],
                                  int root, wide_Comm comm, MPI_Comm *newcomm,
                                  int array_of_errcodes[]))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_spawn_multiple)(count, array_of_commands, array_of_argv,
                                                array_of_maxprocs, array_of_info, root, comm,
                                                newcomm, array_of_errcodes);
    const mpi_comm *on = mpi_comm_of(comm);
    mpi_spawn spawn;
    array_of_info = mpi_spawn_tell_each(&spawn, on, root, count, array_of_info);
    const mpi_message moved = mpi_collecting(on, 0, root);
    mpi_begin(CALL_MPI_Comm_spawn_multiple);
    const int rc = FORWARD(MPI_Comm_spawn_multiple)(count, array_of_commands, array_of_argv,
                                                    array_of_maxprocs, array_of_info, root, comm,
                                                    newcomm, array_of_errcodes);
    mpi_leave(&moved);
    mpi_spawn_end(&spawn);
    if (rc == MPI_SUCCESS)
        mpi_comm_spawned(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_accept, (const char *port_name, wide_Info info, int root, wide_Comm comm,
                          MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_accept)(port_name, info, root, comm, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, root);
    mpi_begin(CALL_MPI_Comm_accept);
    const int rc = FORWARD(MPI_Comm_accept)(port_name, info, root, comm, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_connect, (const char *port_name, wide_Info info, int root, wide_Comm comm,
                           MPI_Comm *newcomm))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_connect)(port_name, info, root, comm, newcomm);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, root);
    mpi_begin(CALL_MPI_Comm_connect);
    const int rc = FORWARD(MPI_Comm_connect)(port_name, info, root, comm, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, moved.communicator);
    return rc;
}

WRAPPER(MPI_Comm_join, (int fd, MPI_Comm *newcomm))
{
    if (!mpi_enter()) {
        const int rc = FORWARD(MPI_Comm_join)(fd, newcomm);
        mpi_making(rc, newcomm);
        return rc;
    }
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Comm_join);
    const int rc = FORWARD(MPI_Comm_join)(fd, newcomm);
    mpi_making(rc, newcomm);
    mpi_leave(&moved);
    if (rc == MPI_SUCCESS)
        mpi_comm_created(*newcomm, -1);
    return rc;
}

WRAPPER(MPI_Open_port, (wide_Info info, char *port_name))
{
    if (!mpi_enter())
        return FORWARD(MPI_Open_port)(info, port_name);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Open_port);
    const int rc = FORWARD(MPI_Open_port)(info, port_name);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Close_port, (const char *port_name))
{
    if (!mpi_enter())
        return FORWARD(MPI_Close_port)(port_name);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Close_port);
    const int rc = FORWARD(MPI_Close_port)(port_name);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Publish_name, (const char *service_name, wide_Info info, const char *port_name))
{
    if (!mpi_enter())
        return FORWARD(MPI_Publish_name)(service_name, info, port_name);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Publish_name);
    const int rc = FORWARD(MPI_Publish_name)(service_name, info, port_name);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Unpublish_name, (const char *service_name, wide_Info info, const char *port_name))
{
    if (!mpi_enter())
        return FORWARD(MPI_Unpublish_name)(service_name, info, port_name);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Unpublish_name);
    const int rc = FORWARD(MPI_Unpublish_name)(service_name, info, port_name);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Lookup_name, (const char *service_name, wide_Info info, char *port_name))
{
    if (!mpi_enter())
        return FORWARD(MPI_Lookup_name)(service_name, info, port_name);
    const mpi_message moved = MPI_MESSAGE_NONE;
    mpi_begin(CALL_MPI_Lookup_name);
    const int rc = FORWARD(MPI_Lookup_name)(service_name, info, port_name);
    mpi_leave(&moved);
    return rc;
}

WRAPPER(MPI_Comm_set_info, (wide_Comm comm, wide_Info info))
{
    if (!mpi_enter())
        return FORWARD(MPI_Comm_set_info)(comm, info);
    const mpi_comm *on = mpi_comm_of(comm);
    const mpi_message moved = mpi_collecting(on, 0, MPI_PROC_NULL);
    mpi_begin(CALL_MPI_Comm_set_info);
    const int rc = FORWARD(MPI_Comm_set_info)(comm, info);
    mpi_leave(&moved);
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
