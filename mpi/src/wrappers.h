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
DECLARE(MPI_Request_get_status, (wide_Request request, int *flag, MPI_Status *status));
DECLARE(MPI_Buffer_attach, (void *buffer, int size));
DECLARE(MPI_Buffer_detach, (void *buffer_addr, int *size));
DECLARE(MPI_Comm_dup, (wide_Comm comm, MPI_Comm *newcomm));
DECLARE(MPI_Comm_dup_with_info, (wide_Comm comm, wide_Info info, MPI_Comm *newcomm));
DECLARE(MPI_Comm_idup, (wide_Comm comm, MPI_Comm *newcomm, MPI_Request *request));
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
DECLARE(MPI_Comm_spawn, (const char *command, char *argv[], int maxprocs, wide_Info info, int root,
                         wide_Comm comm, MPI_Comm *newcomm, int array_of_errcodes[]));
DECLARE(MPI_Comm_spawn_multiple, (int count, char *array_of_commands[], char **array_of_argv[],
                                  const int array_of_maxprocs[], const MPI_Info array_of_info[],
                                  int root, wide_Comm comm, MPI_Comm *newcomm,
                                  int array_of_errcodes[]));
DECLARE(MPI_Comm_accept, (const char *port_name, wide_Info info, int root, wide_Comm comm,
                          MPI_Comm *newcomm));
DECLARE(MPI_Comm_connect, (const char *port_name, wide_Info info, int root, wide_Comm comm,
                           MPI_Comm *newcomm));
DECLARE(MPI_Comm_join, (int fd, MPI_Comm *newcomm));
DECLARE(MPI_Open_port, (wide_Info info, char *port_name));
DECLARE(MPI_Close_port, (const char *port_name));
DECLARE(MPI_Publish_name, (const char *service_name, wide_Info info, const char *port_name));
DECLARE(MPI_Unpublish_name, (const char *service_name, wide_Info info, const char *port_name));
DECLARE(MPI_Lookup_name, (const char *service_name, wide_Info info, char *port_name));
DECLARE(MPI_Comm_set_info, (wide_Comm comm, wide_Info info));
DECLARE(MPI_Comm_free, (MPI_Comm *comm));
DECLARE(MPI_Comm_disconnect, (MPI_Comm *comm));
DECLARE(MPI_Comm_set_name, (wide_Comm comm, const char *comm_name));
DECLARE(MPI_Neighbor_allgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                 void *recvbuf, int recvcount, wide_Datatype recvtype,
                                 wide_Comm comm));
DECLARE(MPI_Ineighbor_allgather, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                  void *recvbuf, int recvcount, wide_Datatype recvtype,
                                  wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Neighbor_allgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                  void *recvbuf, const int recvcounts[], const int displs[],
                                  wide_Datatype recvtype, wide_Comm comm));
DECLARE(MPI_Ineighbor_allgatherv, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                   void *recvbuf, const int recvcounts[], const int displs[],
                                   wide_Datatype recvtype, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Neighbor_alltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                void *recvbuf, int recvcount, wide_Datatype recvtype,
                                wide_Comm comm));
DECLARE(MPI_Ineighbor_alltoall, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                 void *recvbuf, int recvcount, wide_Datatype recvtype,
                                 wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Neighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], wide_Datatype recvtype, wide_Comm comm));
DECLARE(MPI_Ineighbor_alltoallv, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                                  wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                  const int rdispls[], wide_Datatype recvtype, wide_Comm comm,
                                  MPI_Request *request));
DECLARE(MPI_Neighbor_alltoallw, (const void *sendbuf, const int sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], wide_Comm comm));
DECLARE(MPI_Ineighbor_alltoallw, (const void *sendbuf, const int sendcounts[],
                                  const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                  void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                  const MPI_Datatype recvtypes[], wide_Comm comm,
                                  MPI_Request *request));
DECLARE(MPI_Win_create, (void *base, MPI_Aint size, int disp_unit, wide_Info info, wide_Comm comm,
                         MPI_Win *win));
DECLARE(MPI_Win_allocate, (MPI_Aint size, int disp_unit, wide_Info info, wide_Comm comm,
                           void *baseptr, MPI_Win *win));
DECLARE(MPI_Win_allocate_shared, (MPI_Aint size, int disp_unit, wide_Info info, wide_Comm comm,
                                  void *baseptr, MPI_Win *win));
DECLARE(MPI_Win_create_dynamic, (wide_Info info, wide_Comm comm, MPI_Win *win));
DECLARE(MPI_Win_free, (MPI_Win *win));
DECLARE(MPI_Win_set_info, (wide_Win win, wide_Info info));
DECLARE(MPI_Win_fence, (int assert, wide_Win win));
DECLARE(MPI_Win_post, (wide_Group group, int assert, wide_Win win));
DECLARE(MPI_Win_start, (wide_Group group, int assert, wide_Win win));
DECLARE(MPI_Win_complete, (wide_Win win));
DECLARE(MPI_Win_wait, (wide_Win win));
DECLARE(MPI_Win_test, (wide_Win win, int *flag));
DECLARE(MPI_Win_lock, (int lock_type, int rank, int assert, wide_Win win));
DECLARE(MPI_Win_unlock, (int rank, wide_Win win));
DECLARE(MPI_Win_lock_all, (int assert, wide_Win win));
DECLARE(MPI_Win_unlock_all, (wide_Win win));
DECLARE(MPI_Win_flush, (int rank, wide_Win win));
DECLARE(MPI_Win_flush_all, (wide_Win win));
DECLARE(MPI_Win_flush_local, (int rank, wide_Win win));
DECLARE(MPI_Win_flush_local_all, (wide_Win win));
DECLARE(MPI_Win_sync, (wide_Win win));
DECLARE(MPI_Put, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                  int target_rank, MPI_Aint target_disp, int target_count,
                  wide_Datatype target_datatype, wide_Win win));
DECLARE(MPI_Get, (void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                  int target_rank, MPI_Aint target_disp, int target_count,
                  wide_Datatype target_datatype, wide_Win win));
DECLARE(MPI_Accumulate, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                         int target_rank, MPI_Aint target_disp, int target_count,
                         wide_Datatype target_datatype, wide_Op op, wide_Win win));
DECLARE(MPI_Get_accumulate, (const void *origin_addr, int origin_count,
                             wide_Datatype origin_datatype, void *result_addr, int result_count,
                             wide_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                             int target_count, wide_Datatype target_datatype, wide_Op op,
                             wide_Win win));
DECLARE(MPI_Fetch_and_op, (const void *origin_addr, void *result_addr, wide_Datatype datatype,
                           int target_rank, MPI_Aint target_disp, wide_Op op, wide_Win win));
DECLARE(MPI_Compare_and_swap, (const void *origin_addr, const void *compare_addr, void *result_addr,
                               wide_Datatype datatype, int target_rank, MPI_Aint target_disp,
                               wide_Win win));
DECLARE(MPI_Rput, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                   int target_rank, MPI_Aint target_disp, int target_count,
                   wide_Datatype target_datatype, wide_Win win, MPI_Request *request));
DECLARE(MPI_Rget, (void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                   int target_rank, MPI_Aint target_disp, int target_count,
                   wide_Datatype target_datatype, wide_Win win, MPI_Request *request));
DECLARE(MPI_Raccumulate, (const void *origin_addr, int origin_count, wide_Datatype origin_datatype,
                          int target_rank, MPI_Aint target_disp, int target_count,
                          wide_Datatype target_datatype, wide_Op op, wide_Win win,
                          MPI_Request *request));
DECLARE(MPI_Rget_accumulate, (const void *origin_addr, int origin_count,
                              wide_Datatype origin_datatype, void *result_addr, int result_count,
                              wide_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                              int target_count, wide_Datatype target_datatype, wide_Op op,
                              wide_Win win, MPI_Request *request));
DECLARE(MPI_File_open, (wide_Comm comm, const char *filename, int amode, wide_Info info,
                        MPI_File *fh));
DECLARE(MPI_File_close, (MPI_File *fh));
DECLARE(MPI_File_delete, (const char *filename, wide_Info info));
DECLARE(MPI_File_sync, (MPI_File fh));
DECLARE(MPI_File_set_size, (MPI_File fh, MPI_Offset size));
DECLARE(MPI_File_preallocate, (MPI_File fh, MPI_Offset size));
DECLARE(MPI_File_set_info, (MPI_File fh, wide_Info info));
DECLARE(MPI_File_set_view, (MPI_File fh, MPI_Offset disp, wide_Datatype etype,
                            wide_Datatype filetype, const char *datarep, wide_Info info));
DECLARE(MPI_File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence));
DECLARE(MPI_File_set_atomicity, (MPI_File fh, int flag));
DECLARE(MPI_File_read, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                        MPI_Status *status));
DECLARE(MPI_File_iread, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                         MPI_Request *request));
DECLARE(MPI_File_write, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                         MPI_Status *status));
DECLARE(MPI_File_iwrite, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                          MPI_Request *request));
DECLARE(MPI_File_read_at, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                           wide_Datatype datatype, MPI_Status *status));
DECLARE(MPI_File_iread_at, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                            wide_Datatype datatype, MPI_Request *request));
DECLARE(MPI_File_write_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                            wide_Datatype datatype, MPI_Status *status));
DECLARE(MPI_File_iwrite_at, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                             wide_Datatype datatype, MPI_Request *request));
DECLARE(MPI_File_read_shared, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                               MPI_Status *status));
DECLARE(MPI_File_iread_shared, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                                MPI_Request *request));
DECLARE(MPI_File_write_shared, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                                MPI_Status *status));
DECLARE(MPI_File_iwrite_shared, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                                 MPI_Request *request));
DECLARE(MPI_File_read_all, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                            MPI_Status *status));
DECLARE(MPI_File_iread_all, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                             MPI_Request *request));
DECLARE(MPI_File_read_all_begin, (MPI_File fh, void *buf, int count, wide_Datatype datatype));
DECLARE(MPI_File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status));
DECLARE(MPI_File_write_all, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                             MPI_Status *status));
DECLARE(MPI_File_iwrite_all, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                              MPI_Request *request));
DECLARE(MPI_File_write_all_begin, (MPI_File fh, const void *buf, int count,
                                   wide_Datatype datatype));
DECLARE(MPI_File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status));
DECLARE(MPI_File_read_at_all, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                               wide_Datatype datatype, MPI_Status *status));
DECLARE(MPI_File_iread_at_all, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                                wide_Datatype datatype, MPI_Request *request));
DECLARE(MPI_File_read_at_all_begin, (MPI_File fh, MPI_Offset offset, void *buf, int count,
                                     wide_Datatype datatype));
DECLARE(MPI_File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status));
DECLARE(MPI_File_write_at_all, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                                wide_Datatype datatype, MPI_Status *status));
DECLARE(MPI_File_iwrite_at_all, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                                 wide_Datatype datatype, MPI_Request *request));
DECLARE(MPI_File_write_at_all_begin, (MPI_File fh, MPI_Offset offset, const void *buf, int count,
                                      wide_Datatype datatype));
DECLARE(MPI_File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status));
DECLARE(MPI_File_read_ordered, (MPI_File fh, void *buf, int count, wide_Datatype datatype,
                                MPI_Status *status));
DECLARE(MPI_File_read_ordered_begin, (MPI_File fh, void *buf, int count, wide_Datatype datatype));
DECLARE(MPI_File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status));
DECLARE(MPI_File_write_ordered, (MPI_File fh, const void *buf, int count, wide_Datatype datatype,
                                 MPI_Status *status));
DECLARE(MPI_File_write_ordered_begin, (MPI_File fh, const void *buf, int count,
                                       wide_Datatype datatype));
DECLARE(MPI_File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status));

#if MPI_VERSION >= 4
DECLARE(MPI_Isendrecv, (const void *sendbuf, int sendcount, wide_Datatype sendtype, int dest,
                        int sendtag, void *recvbuf, int recvcount, wide_Datatype recvtype,
                        int source, int recvtag, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Isendrecv_replace, (void *buf, int count, wide_Datatype datatype, int dest, int sendtag,
                                int source, int recvtag, wide_Comm comm, MPI_Request *request));
DECLARE(MPI_Psend_init, (const void *buf, int partitions, MPI_Count count, wide_Datatype datatype,
                         int dest, int tag, wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Precv_init, (void *buf, int partitions, MPI_Count count, wide_Datatype datatype,
                         int source, int tag, wide_Comm comm, wide_Info info,
                         MPI_Request *request));
DECLARE(MPI_Pready, (int partition, wide_Request request));
DECLARE(MPI_Pready_range, (int partition_low, int partition_high, wide_Request request));
DECLARE(MPI_Pready_list, (int length, const int array_of_partitions[], wide_Request request));
DECLARE(MPI_Parrived, (wide_Request request, int partition, int *flag));
DECLARE(MPI_Barrier_init, (wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Bcast_init, (void *buffer, int count, wide_Datatype datatype, int root, wide_Comm comm,
                         wide_Info info, MPI_Request *request));
DECLARE(MPI_Gather_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype, void *recvbuf,
                          int recvcount, wide_Datatype recvtype, int root, wide_Comm comm,
                          wide_Info info, MPI_Request *request));
DECLARE(MPI_Gatherv_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                           void *recvbuf, const int recvcounts[], const int displs[],
                           wide_Datatype recvtype, int root, wide_Comm comm, wide_Info info,
                           MPI_Request *request));
DECLARE(MPI_Scatter_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                           void *recvbuf, int recvcount, wide_Datatype recvtype, int root,
                           wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Scatterv_init, (const void *sendbuf, const int sendcounts[], const int displs[],
                            wide_Datatype sendtype, void *recvbuf, int recvcount,
                            wide_Datatype recvtype, int root, wide_Comm comm, wide_Info info,
                            MPI_Request *request));
DECLARE(MPI_Allgather_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                             void *recvbuf, int recvcount, wide_Datatype recvtype, wide_Comm comm,
                             wide_Info info, MPI_Request *request));
DECLARE(MPI_Allgatherv_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                              void *recvbuf, const int recvcounts[], const int displs[],
                              wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                              MPI_Request *request));
DECLARE(MPI_Alltoall_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                            void *recvbuf, int recvcount, wide_Datatype recvtype, wide_Comm comm,
                            wide_Info info, MPI_Request *request));
DECLARE(MPI_Alltoallv_init, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                             wide_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], wide_Datatype recvtype, wide_Comm comm,
                             wide_Info info, MPI_Request *request));
DECLARE(MPI_Alltoallw_init, (const void *sendbuf, const int sendcounts[], const int sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                             const int rdispls[], const MPI_Datatype recvtypes[], wide_Comm comm,
                             wide_Info info, MPI_Request *request));
DECLARE(MPI_Reduce_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                          wide_Op op, int root, wide_Comm comm, wide_Info info,
                          MPI_Request *request));
DECLARE(MPI_Allreduce_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                             wide_Op op, wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Reduce_scatter_init, (const void *sendbuf, void *recvbuf, const int recvcounts[],
                                  wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                  wide_Info info, MPI_Request *request));
DECLARE(MPI_Reduce_scatter_block_init, (const void *sendbuf, void *recvbuf, int recvcount,
                                        wide_Datatype datatype, wide_Op op, wide_Comm comm,
                                        wide_Info info, MPI_Request *request));
DECLARE(MPI_Scan_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                        wide_Op op, wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Exscan_init, (const void *sendbuf, void *recvbuf, int count, wide_Datatype datatype,
                          wide_Op op, wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Comm_idup_with_info, (wide_Comm comm, wide_Info info, MPI_Comm *newcomm,
                                  MPI_Request *request));
DECLARE(MPI_Intercomm_create_from_groups, (wide_Group local_group, int local_leader,
                                           wide_Group remote_group, int remote_leader,
                                           const char *stringtag, wide_Info info,
                                           wide_Errhandler errhandler, MPI_Comm *newcomm));
DECLARE(MPI_Comm_create_from_group, (wide_Group group, const char *stringtag, wide_Info info,
                                     wide_Errhandler errhandler, MPI_Comm *newcomm));
DECLARE(MPI_Neighbor_allgather_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                      void *recvbuf, int recvcount, wide_Datatype recvtype,
                                      wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Neighbor_allgatherv_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                       void *recvbuf, const int recvcounts[], const int displs[],
                                       wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                       MPI_Request *request));
DECLARE(MPI_Neighbor_alltoall_init, (const void *sendbuf, int sendcount, wide_Datatype sendtype,
                                     void *recvbuf, int recvcount, wide_Datatype recvtype,
                                     wide_Comm comm, wide_Info info, MPI_Request *request));
DECLARE(MPI_Neighbor_alltoallv_init, (const void *sendbuf, const int sendcounts[],
                                      const int sdispls[], wide_Datatype sendtype, void *recvbuf,
                                      const int recvcounts[], const int rdispls[],
                                      wide_Datatype recvtype, wide_Comm comm, wide_Info info,
                                      MPI_Request *request));
DECLARE(MPI_Neighbor_alltoallw_init, (const void *sendbuf, const int sendcounts[],
                                      const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                      void *recvbuf, const int recvcounts[],
                                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                      wide_Comm comm, wide_Info info, MPI_Request *request));
#endif

#endif
