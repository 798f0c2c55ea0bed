! fortran.h - what differs between the bindings: -DMPIFH, -DUSE_MPI or -DUSE_F08.
! SPDX-License-Identifier: MIT
#ifdef USE_F08
#define COMM_T type(MPI_Comm)
#define REQUEST_T type(MPI_Request)
#define TYPE_T type(MPI_Datatype)
#define MESSAGE_T type(MPI_Message)
#define GROUP_T type(MPI_Group)
#define INFO_T type(MPI_Info)
#define WIN_T type(MPI_Win)
#define FILE_T type(MPI_File)
#define SESSION_T type(MPI_Session)
#define STATUS_T(n) type(MPI_Status) :: n
#define STATUSES_T(n, count) type(MPI_Status) :: n(count)
#define SOURCE_OF(status) status%MPI_SOURCE
#else
#define COMM_T integer
#define REQUEST_T integer
#define TYPE_T integer
#define MESSAGE_T integer
#define GROUP_T integer
#define INFO_T integer
#define WIN_T integer
#define FILE_T integer
#define SESSION_T integer
#define STATUS_T(n) integer :: n(MPI_STATUS_SIZE)
#define STATUSES_T(n, count) integer :: n(MPI_STATUS_SIZE, count)
#define SOURCE_OF(status) status(MPI_SOURCE)
#endif
#define I4 MPI_INTEGER
#define W MPI_COMM_WORLD
