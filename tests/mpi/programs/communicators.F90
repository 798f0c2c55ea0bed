! communicators.F90 - what makes communicators beside those in calls.F90, and a few others.
!
! With -DMPI4 also the calls of MPI 4: from groups, sessions, MPI_Isendrecv.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"

module communicators
    use rows
    implicit none
    private
    public :: asked, made

contains

    ! Whether a request is done, without completing it.
    subroutine asked()
        REQUEST_T :: request
        STATUS_T(status)
        logical :: flag
        call fresh()
        call MPI_Isend(out, 1_k, I4, right, 3, W, request, ierr)
        call expect('Isend', 4, right, 'sent')
        flag = .false.
        do while (.not. flag)
            call MPI_Request_get_status(request, flag, status, ierr) ! ignored: Open MPI 4 says never
            call other('Request_get_status')
            if (flag) exit
            call MPI_Iprobe(left, 3, W, flag, MPI_STATUS_IGNORE, ierr)
            call expect('Iprobe', 0, left, '-')
            flag = .false.
        end do
        call MPI_Recv(in, 1_k, I4, left, 3, W, MPI_STATUS_IGNORE, ierr)
        call expect('Recv', 4, left, 'received')
        call wait_for(request)
#ifdef MPI4
        call MPI_Isendrecv(out, 3_k, I4, right, 4, in, 3_k, I4, left, 4, W, request, ierr)
        call expect('Isendrecv', 12, right, 'sent')
        call received_by_wait()
        call MPI_Isendrecv_replace(out, 2_k, I4, right, 5, left, 5, W, request, ierr)
        call expect('Isendrecv_replace', 8, right, 'sent')
        call received_by_wait()
        call show('replaced', out)
#endif
        call show('asked', in)
    contains
        ! MPICH 4.0 leaves the status as it was: what it says is what a row can say.
        subroutine received_by_wait()
            integer :: bytes
            call MPI_Wait(request, status, ierr)
            call MPI_Get_count(status, MPI_BYTE, bytes, ierr)
            call expect('Wait', bytes, SOURCE_OF(status), 'received')
        end subroutine
    end subroutine

    subroutine made()
        COMM_T :: copy(2), used
        REQUEST_T :: both(2)
        INFO_T :: info
        integer :: i
        call MPI_Info_create(info, ierr)
        call MPI_Comm_set_info(W, info, ierr)
        call collective('Comm_set_info')
        ! Two at once: they are told apart by the order in which they were begun.
        call MPI_Comm_idup(W, copy(1), both(1), ierr)
        call collective('Comm_idup')
#ifdef MPI4
        call MPI_Comm_idup_with_info(W, info, copy(2), both(2), ierr)
        call collective('Comm_idup_with_info')
#else
        call MPI_Comm_idup(W, copy(2), both(2), ierr)
        call collective('Comm_idup')
#endif
        call wait_both()
        do i = 1, 2 ! first used in another order on each rank
            used = copy(1 + modulo(rank + i, 2))
            call MPI_Ibarrier(used, both(i), ierr)
            call collective('Ibarrier')
        end do
        call wait_both()
        call free(copy(1))
        call free(copy(2))
        call MPI_Info_free(info, ierr)
#ifdef MPI4
        call from_groups()
#endif
    contains
        subroutine wait_both()
            call MPI_Waitall(2, both, MPI_STATUSES_IGNORE, ierr)
            call other('Waitall')
        end subroutine
    end subroutine

#ifdef MPI4
    subroutine from_groups()
        SESSION_T :: session
        GROUP_T :: world, low, high
        COMM_T :: comm
        integer :: total
        total = 0
        call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, ierr)
        call other('Session_init')
        call MPI_Group_from_session_pset(session, 'mpi://WORLD', world, ierr)
        call MPI_Comm_create_from_group(world, 'all', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm, ierr)
        call other('Comm_create_from_group')
        call MPI_Allreduce(rank, total, 1_k, I4, MPI_SUM, comm, ierr)
        call expect('Allreduce', 4, -1, 'collective')
        call show('of a session', [total])
        call free(comm)
        call MPI_Group_incl(world, 2, [0, 2], low, ierr)
        call MPI_Group_incl(world, 1, [1], high, ierr)
        if (rank == 1) then
            call MPI_Intercomm_create_from_groups(high, 0, low, 0, 'both', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &
                                                  comm, ierr)
        else
            call MPI_Intercomm_create_from_groups(low, 0, high, 0, 'both', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &
                                                  comm, ierr)
        end if
        call other('Intercomm_create_from_groups')
        call MPI_Allreduce(rank, total, 1_k, I4, MPI_SUM, comm, ierr)
        call expect('Allreduce', 4, -1, 'collective')
        call show('of the others', [total])
        call free(comm)
        call MPI_Group_free(low, ierr)
        call MPI_Group_free(high, ierr)
        call MPI_Group_free(world, ierr)
        call MPI_Session_finalize(session, ierr)
        call other('Session_finalize')
    end subroutine
#endif
end module
