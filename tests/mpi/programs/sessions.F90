! sessions.F90 - a program that uses MPI by a session, in module mpi or mpi_f08. MPI 4.
!
! SPDX-License-Identifier: MIT
#ifdef USE_F08
#define STATUS_T(n) type(MPI_Status) :: n
#define REQUEST_T type(MPI_Request)
#define SESSION_T type(MPI_Session)
#define GROUP_T type(MPI_Group)
#define COMM_T type(MPI_Comm)
#else
#define STATUS_T(n) integer :: n(MPI_STATUS_SIZE)
#define REQUEST_T integer
#define SESSION_T integer
#define GROUP_T integer
#define COMM_T integer
#endif
program sessions
#ifdef USE_F08
    use mpi_f08
#else
    use mpi
#endif
    implicit none
    SESSION_T :: session
    GROUP_T :: group
    COMM_T :: comm
    REQUEST_T :: requests(2)
    STATUS_T(status)
    integer :: ierr, rank, ranks, total, which, i
    integer, asynchronous :: there, back

    call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, ierr)
    call MPI_Group_from_session_pset(session, 'mpi://WORLD', group, ierr)
    call MPI_Comm_create_from_group(group, 'sessions.F90', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm, ierr)
    call MPI_Group_free(group, ierr)
    call MPI_Comm_rank(comm, rank, ierr)
    call MPI_Comm_size(comm, ranks, ierr)
    call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, comm, ierr)
    there = rank
    call MPI_Irecv(back, 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 5, comm, requests(1), ierr)
    call MPI_Isend(there, 1, MPI_INTEGER, mod(rank + 1, ranks), 5, comm, requests(2), ierr)
    do i = 1, 2
        call MPI_Waitany(2, requests, which, status, ierr)
    end do
    print '(i0,1x,i0)', total, back
    call MPI_Comm_free(comm, ierr)
    call MPI_Session_finalize(session, ierr)
end program
