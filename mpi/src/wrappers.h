/* wrappers.h - all wrappers of C, for those that call others.
 *
 * Written by generate.py from calls.txt: change those.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_WRAPPERS_H
#define SCOPE_MPI_WRAPPERS_H

#include "wrapper.h"

DECLARE(MPI_Send, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                   wide_Comm comm));
DECLARE(MPI_Bsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm));
DECLARE(MPI_Ssend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm));
DECLARE(MPI_Rsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm));
DECLARE(MPI_Isend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                    wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Ibsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Issend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Irsend, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                     wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Sendrecv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, int dest,
                       int sendtag, void *recvbuf, int recvcount, wide_Datatype recvtype,
                       int source, int recvtag, wide_Comm comm, MPI_Status *status));
DECLARE(MPI_Sendrecv_replace, (void *buf, int count, wide_Datatype datatype, int dest, int sendtag,
                               int source, int recvtag, wide_Comm comm, MPI_Status *status));
DECLARE(MPI_Isendrecv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, int dest,
                        int sendtag, void *recvbuf, int recvcount, wide_Datatype recvtype,
                        int source, int recvtag, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Isendrecv_replace, (void *buf, int count, wide_Datatype datatype, int dest, int sendtag,
                                int source, int recvtag, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Recv, (void *buf, int count, wide_Datatype datatype, int source, int tag,
                   wide_Comm comm, MPI_Status *status));
DECLARE(MPI_Irecv, (void *buf, int count, wide_Datatype datatype, int source, int tag,
                    wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Probe, (int source, int tag, wide_Comm comm, MPI_Status *status));
DECLARE(MPI_Iprobe, (int source, int tag, wide_Comm comm, int *flag, MPI_Status *status));
DECLARE(MPI_Mprobe, (int source, int tag, wide_Comm comm, MPI_Message *message,
                     MPI_Status *status));
DECLARE(MPI_Improbe, (int source, int tag, wide_Comm comm, int *flag, MPI_Message *message,
                      MPI_Status *status));
DECLARE(MPI_Mrecv, (void *buf, int count, wide_Datatype datatype, MPI_Message *message,
                    MPI_Status *status));
DECLARE(MPI_Imrecv, (void *buf, int count, wide_Datatype datatype, MPI_Message *message,
                     MPI_Request *request));
DECLARE(MPI_Send_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                        wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Bsend_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                         wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Ssend_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                         wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Rsend_init, (const void *buf, int count, wide_Datatype datatype, int dest, int tag,
                         wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Recv_init, (void *buf, int count, wide_Datatype datatype, int source, int tag,
                        wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Start, (MPI_Request *request));
DECLARE(MPI_Startall, (int count, MPI_Request array_of_requests[]));
DECLARE(MPI_Barrier, (wide_Comm comm));
DECLARE(MPI_Bcast, (void *buffer, int count, wide_Datatype datatype, int root, wide_Comm comm));
DECLARE(MPI_Gather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                     int recvcount, wide_Datatype recvtype, int root, wide_Comm comm));
DECLARE(MPI_Gatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                      const int recvcounts[], const int displs[], wide_Datatype recvtype, int root,
                      wide_Comm comm));
DECLARE(MPI_Scatter, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                      int recvcount, wide_Datatype recvtype, int root, wide_Comm comm));
DECLARE(MPI_Scatterv, (const void *sendbuf, const int sendcounts[], const int displs[],
                       wide_Datatype sendtype, void *recvbuf, int recvcount, wide_Datatype recvtype,
                       int root, wide_Comm comm));
DECLARE(MPI_Allgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                        int recvcount, wide_Datatype recvtype, wide_Comm comm));
DECLARE(MPI_Allgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], wide_Datatype recvtype,
                         wide_Comm comm));
DECLARE(MPI_Alltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                       int recvcount, wide_Datatype recvtype, wide_Comm comm));
DECLARE(MPI_Alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                        wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                        const int rdispls[], wide_Datatype recvtype, wide_Comm comm));
DECLARE(MPI_Alltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                        const int rdispls[], const MPI_Datatype recvtypes[], wide_Comm comm));
DECLARE(MPI_Reduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                     wide_Op op, int root, wide_Comm comm));
DECLARE(MPI_Allreduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                        wide_Op op, wide_Comm comm));
DECLARE(MPI_Reduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[],
                             wide_Datatype datatype, wide_Op op, wide_Comm comm));
DECLARE(MPI_Reduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount,
                                   wide_Datatype datatype, wide_Op op, wide_Comm comm));
DECLARE(MPI_Scan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                   wide_Op op, wide_Comm comm));
DECLARE(MPI_Exscan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                     wide_Op op, wide_Comm comm));
DECLARE(MPI_Ibarrier, (wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Ibcast, (void *buffer, int count, wide_Datatype datatype, int root, wide_Comm comm,
                     MPI_Request *request));
DECLARE(MPI_Igather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                      int recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                      MPI_Request *request));
DECLARE(MPI_Igatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                       const int recvcounts[], const int displs[], wide_Datatype recvtype, int root,
                       wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Iscatter, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                       int recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                       MPI_Request *request));
DECLARE(MPI_Iscatterv, (const void *sendbuf, const int sendcounts[], const int displs[],
                        wide_Datatype sendtype, void *recvbuf, int recvcount,
                        wide_Datatype recvtype, int root, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Iallgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                         int recvcount, wide_Datatype recvtype, wide_Comm comm,
                         MPI_Request *request));
DECLARE(MPI_Iallgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                          const int recvcounts[], const int displs[], wide_Datatype recvtype,
                          wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Ialltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                        int recvcount, wide_Datatype recvtype, wide_Comm comm,
                        MPI_Request *request));
DECLARE(MPI_Ialltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                         wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                         const int rdispls[], wide_Datatype recvtype, wide_Comm comm,
                         MPI_Request *request));
DECLARE(MPI_Ialltoallw, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                         const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                         const int rdispls[], const MPI_Datatype recvtypes[], wide_Comm comm,
                         MPI_Request *request));
DECLARE(MPI_Ireduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                      wide_Op op, int root, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Iallreduce, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                         wide_Op op, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Ireduce_scatter, (const void *sendbuf, void *recvbuf, const int recvcounts[],
                              wide_Datatype datatype, wide_Op op, wide_Comm comm,
                              MPI_Request *request));
DECLARE(MPI_Ireduce_scatter_block, (const void *sendbuf, void *recvbuf, int recvcount,
                                    wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                    MPI_Request *request));
DECLARE(MPI_Iscan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                    wide_Op op, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Iexscan, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                      wide_Op op, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Wait, (MPI_Request *request, MPI_Status *status));
DECLARE(MPI_Waitall, (int count, MPI_Request array_of_requests[], MPI_Status array_of_statuses[]));
DECLARE(MPI_Waitany, (int count, MPI_Request array_of_requests[], int *index, MPI_Status *status));
DECLARE(MPI_Waitsome, (int incount, MPI_Request array_of_requests[], int *outcount,
                       int array_of_indices[], MPI_Status array_of_statuses[]));
DECLARE(MPI_Test, (MPI_Request *request, int *flag, MPI_Status *status));
DECLARE(MPI_Testall, (int count, MPI_Request array_of_requests[], int *flag,
                      MPI_Status array_of_statuses[]));
DECLARE(MPI_Testany, (int count, MPI_Request array_of_requests[], int *index, int *flag,
                      MPI_Status *status));
DECLARE(MPI_Testsome, (int incount, MPI_Request array_of_requests[], int *outcount,
                       int array_of_indices[], MPI_Status array_of_statuses[]));
DECLARE(MPI_Request_free, (MPI_Request *request));
DECLARE(MPI_Cancel, (MPI_Request *request));
DECLARE(MPI_Comm_dup, (wide_Comm comm, MPI_Comm *newcomm));
DECLARE(MPI_Comm_dup_with_info, (wide_Comm comm, wide_Info info, MPI_Comm *newcomm));
DECLARE(MPI_Comm_idup, (wide_Comm comm, MPI_Comm *newcomm, MPI_Request *request));
DECLARE(MPI_Comm_idup_with_info, (wide_Comm comm, wide_Info info, MPI_Comm *newcomm,
                                  MPI_Request *request));
DECLARE(MPI_Comm_split, (wide_Comm comm, int color, int key, MPI_Comm *newcomm));
DECLARE(MPI_Comm_split_type, (wide_Comm comm, int split_type, int key, wide_Info info,
                              MPI_Comm *newcomm));
DECLARE(MPI_Comm_create, (wide_Comm comm, wide_Group group, MPI_Comm *newcomm));
DECLARE(MPI_Comm_create_group, (wide_Comm comm, wide_Group group, int tag, MPI_Comm *newcomm));
DECLARE(MPI_Cart_create, (wide_Comm comm, int ndims, const int dims[], const int periods[],
                          int reorder, MPI_Comm *newcomm));
DECLARE(MPI_Cart_sub, (wide_Comm comm, const int remain_dims[], MPI_Comm *newcomm));
DECLARE(MPI_Graph_create, (wide_Comm comm, int nnodes, const int index[], const int edges[],
                           int reorder, MPI_Comm *newcomm));
DECLARE(MPI_Dist_graph_create, (wide_Comm comm, int n, const int sources[], const int degrees[],
                                const int destinations[], const int weights[], wide_Info info,
                                int reorder, MPI_Comm *newcomm));
DECLARE(MPI_Dist_graph_create_adjacent, (wide_Comm comm, int indegree, const int sources[],
                                         const int sourceweights[], int outdegree,
                                         const int destinations[], const int destweights[],
                                         wide_Info info, int reorder, MPI_Comm *newcomm));
DECLARE(MPI_Intercomm_create, (wide_Comm comm, int local_leader, wide_Comm peer_comm,
                               int remote_leader, int tag, MPI_Comm *newcomm));
DECLARE(MPI_Intercomm_merge, (wide_Comm comm, int high, MPI_Comm *newcomm));
DECLARE(MPI_Comm_free, (MPI_Comm *comm));
DECLARE(MPI_Comm_disconnect, (MPI_Comm *comm));
DECLARE(MPI_Comm_set_name, (wide_Comm comm, const char *comm_name));

#endif
