/* mpi_calls.c - what kind of call each recorded MPI call is.
 *
 * Written by mpi/src/generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#include "mpi_calls.h"

#include <stdlib.h>
#include <string.h>

static const scope_mpi_call calls[] = { /* sorted */
    {"MPI_Abort", SCOPE_MPI_OTHER, true},
    {"MPI_Allgather", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Allgatherv", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Allreduce", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Alltoall", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Alltoallv", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Alltoallw", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Barrier", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Bcast", SCOPE_MPI_ONE_TO_ALL, true},
    {"MPI_Bsend", SCOPE_MPI_SEND, true},
    {"MPI_Bsend_init", SCOPE_MPI_OTHER, true},
    {"MPI_Cancel", SCOPE_MPI_OTHER, true},
    {"MPI_Cart_create", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Cart_sub", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Comm_create", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Comm_create_group", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Comm_disconnect", SCOPE_MPI_OTHER, true},
    {"MPI_Comm_dup", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Comm_dup_with_info", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Comm_free", SCOPE_MPI_OTHER, true},
    {"MPI_Comm_idup", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Comm_idup_with_info", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Comm_set_name", SCOPE_MPI_OTHER, true},
    {"MPI_Comm_split", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Comm_split_type", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Dist_graph_create", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Dist_graph_create_adjacent", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Exscan", SCOPE_MPI_PREFIX, true},
    {"MPI_Finalize", SCOPE_MPI_OTHER, true},
    {"MPI_Gather", SCOPE_MPI_ALL_TO_ONE, true},
    {"MPI_Gatherv", SCOPE_MPI_ALL_TO_ONE, true},
    {"MPI_Graph_create", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Iallgather", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Iallgatherv", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Iallreduce", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Ialltoall", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Ialltoallv", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Ialltoallw", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Ibarrier", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Ibcast", SCOPE_MPI_ONE_TO_ALL, false},
    {"MPI_Ibsend", SCOPE_MPI_SEND, false},
    {"MPI_Iexscan", SCOPE_MPI_PREFIX, false},
    {"MPI_Igather", SCOPE_MPI_ALL_TO_ONE, false},
    {"MPI_Igatherv", SCOPE_MPI_ALL_TO_ONE, false},
    {"MPI_Improbe", SCOPE_MPI_PROBE, false},
    {"MPI_Imrecv", SCOPE_MPI_RECEIVE, false},
    {"MPI_Init", SCOPE_MPI_OTHER, true},
    {"MPI_Init_thread", SCOPE_MPI_OTHER, true},
    {"MPI_Intercomm_create", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Intercomm_merge", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Iprobe", SCOPE_MPI_PROBE, false},
    {"MPI_Irecv", SCOPE_MPI_RECEIVE, false},
    {"MPI_Ireduce", SCOPE_MPI_ALL_TO_ONE, false},
    {"MPI_Ireduce_scatter", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Ireduce_scatter_block", SCOPE_MPI_ALL_TO_ALL, false},
    {"MPI_Irsend", SCOPE_MPI_SEND, false},
    {"MPI_Iscan", SCOPE_MPI_PREFIX, false},
    {"MPI_Iscatter", SCOPE_MPI_ONE_TO_ALL, false},
    {"MPI_Iscatterv", SCOPE_MPI_ONE_TO_ALL, false},
    {"MPI_Isend", SCOPE_MPI_SEND, false},
    {"MPI_Isendrecv", SCOPE_MPI_SENDRECV, false},
    {"MPI_Isendrecv_replace", SCOPE_MPI_SENDRECV, false},
    {"MPI_Issend", SCOPE_MPI_SEND, false},
    {"MPI_Mprobe", SCOPE_MPI_PROBE, true},
    {"MPI_Mrecv", SCOPE_MPI_RECEIVE, true},
    {"MPI_Probe", SCOPE_MPI_PROBE, true},
    {"MPI_Recv", SCOPE_MPI_RECEIVE, true},
    {"MPI_Recv_init", SCOPE_MPI_OTHER, true},
    {"MPI_Reduce", SCOPE_MPI_ALL_TO_ONE, true},
    {"MPI_Reduce_scatter", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Reduce_scatter_block", SCOPE_MPI_ALL_TO_ALL, true},
    {"MPI_Request_free", SCOPE_MPI_OTHER, true},
    {"MPI_Rsend", SCOPE_MPI_SEND, true},
    {"MPI_Rsend_init", SCOPE_MPI_OTHER, true},
    {"MPI_Scan", SCOPE_MPI_PREFIX, true},
    {"MPI_Scatter", SCOPE_MPI_ONE_TO_ALL, true},
    {"MPI_Scatterv", SCOPE_MPI_ONE_TO_ALL, true},
    {"MPI_Send", SCOPE_MPI_SEND, true},
    {"MPI_Send_init", SCOPE_MPI_OTHER, true},
    {"MPI_Sendrecv", SCOPE_MPI_SENDRECV, true},
    {"MPI_Sendrecv_replace", SCOPE_MPI_SENDRECV, true},
    {"MPI_Ssend", SCOPE_MPI_SEND, true},
    {"MPI_Ssend_init", SCOPE_MPI_OTHER, true},
    {"MPI_Start", SCOPE_MPI_START, false},
    {"MPI_Startall", SCOPE_MPI_START, false},
    {"MPI_Test", SCOPE_MPI_WAIT, false},
    {"MPI_Testall", SCOPE_MPI_WAIT, false},
    {"MPI_Testany", SCOPE_MPI_WAIT, false},
    {"MPI_Testsome", SCOPE_MPI_WAIT, false},
    {"MPI_Wait", SCOPE_MPI_WAIT, true},
    {"MPI_Waitall", SCOPE_MPI_WAIT, true},
    {"MPI_Waitany", SCOPE_MPI_WAIT, true},
    {"MPI_Waitsome", SCOPE_MPI_WAIT, true},
};

static int by_name(const void *name, const void *call)
{
    return strcmp(name, ((const scope_mpi_call *)call)->name);
}

const scope_mpi_call *scope_mpi_call_of(const char *name)
{
    return bsearch(name, calls, sizeof calls / sizeof *calls, sizeof *calls, by_name);
}
