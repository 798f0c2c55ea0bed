! rows.F90 - a program of the tests says what it calls, and what it gets. As rows.h.
!
! Each rank writes `name bytes peer kind` to expected.<rank>, in the order of the calls,
! and what it received to received.<rank>. Who uses this has the binding, too. With -DLARGE
! counts are of kind `k` and displacements of kind `d` that choose the large-count forms.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"

module rows
    use, intrinsic :: iso_c_binding
#ifdef USE_F08
    use mpi_f08
#endif
#ifdef USE_MPI
    use mpi
#endif
    implicit none
#ifdef MPIFH
    include 'mpif.h'
#endif
#ifdef LARGE
    integer, parameter :: k = MPI_COUNT_KIND, d = MPI_ADDRESS_KIND
#else
    integer, parameter :: k = kind(0), d = kind(0)
#endif
    integer, parameter :: a = MPI_ADDRESS_KIND, expected = 20, received = 21, p = 3
    integer :: rank = -1, ranks, left, right, ierr
    integer, save, asynchronous :: out(4 * p), in(4 * p)

contains

    subroutine start()
        character(len=16) :: suffix
        call MPI_Comm_rank(W, rank, ierr)
        call MPI_Comm_size(W, ranks, ierr)
        left = modulo(rank - 1, ranks)
        right = modulo(rank + 1, ranks)
        write (suffix, '(a,i0)') '.', rank
        open (expected, file='expected' // trim(suffix))
        open (received, file='received' // trim(suffix))
    end subroutine

    subroutine finish()
        call expect('Finalize', 0, -1, '-')
        close (expected)
        close (received)
        call MPI_Finalize(ierr)
    end subroutine

    ! kind: as in event.h, in lower case; '-' for OTHER; absent if nobody looks at it
    subroutine expect(name, bytes, peer, kind)
        character(len=*), intent(in) :: name
        integer, intent(in) :: bytes, peer
        character(len=*), intent(in), optional :: kind
        write (expected, '(a,a,i0,a,i0)', advance='no') 'MPI_', name // ' ', bytes, ' ', peer
        if (present(kind)) write (expected, '(a,a)', advance='no') ' ', kind
        write (expected, *)
    end subroutine

    subroutine collective(name)
        character(len=*), intent(in) :: name
        call expect(name, 0, -1, 'collective')
    end subroutine

    ! Neither bytes nor a peer.
    subroutine other(name)
        character(len=*), intent(in) :: name
        call expect(name, 0, -1, '-')
    end subroutine

    subroutine show(what, values)
        character(len=*), intent(in) :: what
        integer, intent(in) :: values(:)
        write (received, '(a,*(1x,i0))') what, values
    end subroutine

    subroutine fill(values)
        integer, intent(out) :: values(:)
        integer :: i
        values = [(100 * rank + i, i=1, size(values))]
    end subroutine

    subroutine fresh()
        call fill(out)
        in = 0
    end subroutine

    subroutine barrier()
        call MPI_Barrier(W, ierr)
        call collective('Barrier')
    end subroutine

    ! For a request that receives nothing.
    subroutine wait_for(request)
        REQUEST_T, intent(inout) :: request
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call other('Wait')
    end subroutine

    ! A persistent collective; what it moves stands at its starts.
    subroutine run(name, bytes, peer, starts, request)
        character(len=*), intent(in) :: name
        integer, intent(in) :: bytes, peer, starts
        REQUEST_T, intent(inout) :: request
        integer :: i
        call expect(name, 0, peer, '-')
        do i = 1, starts
            call MPI_Start(request, ierr)
            call expect('Start', bytes, peer, 'collective')
            call wait_for(request)
        end do
        call MPI_Request_free(request, ierr)
        call other('Request_free')
        call show(name, in)
        call fresh()
    end subroutine

    subroutine free(comm)
        COMM_T, intent(inout) :: comm
        call MPI_Comm_free(comm, ierr)
        call collective('Comm_free')
    end subroutine
end module
