! neighbours.F90 - collectives among neighbours in Fortran, and what their rows must say.
!
! As neighbour.c. Blocking, nonblocking, and with -DMPI4 persistent.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"
! A name in a macro's text is one of its parameters, in strings, too.
#define DONE(call_name, size) call expect(call_name, size, -1, 'collective'); call show(call_name, in); call fresh()
#define BEGUN(call_name, size) call expect(call_name, size, -1, 'collective'); call wait_for(request); call show(call_name, in); call fresh()

module neighbours
    use rows
    implicit none
    private
    public :: topologies
    integer(k), asynchronous, save :: counts(2)
    integer(d), asynchronous, save :: displs(2)
    integer(a), asynchronous, save :: addresses(2)
    TYPE_T, asynchronous, save :: types(2)
#if defined(USE_F08) && defined(MPI4)
    logical, parameter :: w_of_any = .false. ! MPICH 4.0 looks for a distributed graph
#else
    logical, parameter :: w_of_any = .true.
#endif

contains

    subroutine topologies()
        COMM_T :: comm
        counts = 2
        displs = [0, 2]
        addresses = [0, 8]
        types = I4
        call MPI_Cart_create(W, 1, [3], [.true.], .false., comm, ierr)
        call collective('Cart_create')
        call exchange(comm, 2, w_of_any)
        call free(comm)
        call MPI_Graph_create(W, 3, [1, 2, 4], [2, 2, 0, 1], .false., comm, ierr)
        call collective('Graph_create')
        call exchange(comm, merge(2, 1, rank == 2), w_of_any)
        call free(comm)
        ! Rank 0 sends to both others, which send to it.
        if (rank == 0) then
            call MPI_Dist_graph_create_adjacent(W, 2, [1, 2], MPI_UNWEIGHTED, 2, [1, 2], MPI_UNWEIGHTED, &
                                                MPI_INFO_NULL, .false., comm, ierr)
        else
            call MPI_Dist_graph_create_adjacent(W, 1, [0], MPI_UNWEIGHTED, 1, [0], MPI_UNWEIGHTED, &
                                                MPI_INFO_NULL, .false., comm, ierr)
        end if
        call collective('Dist_graph_create_adjacent')
        call exchange(comm, merge(2, 1, rank == 0), .true.)
        call free(comm)
    end subroutine

    ! Each rank has `targets` neighbours that it sends to.
    subroutine exchange(comm, targets, w_too)
        COMM_T, intent(in) :: comm
        integer, intent(in) :: targets
        logical, intent(in) :: w_too
        call blocking(comm, targets, w_too)
        call nonblocking(comm, targets, w_too)
#ifdef MPI4
        call persistent(comm, targets, w_too)
#endif
    end subroutine

    subroutine blocking(comm, targets, w_too)
        COMM_T, intent(in) :: comm
        integer, intent(in) :: targets
        logical, intent(in) :: w_too
        call fresh()
        call MPI_Neighbor_allgather(out, 2_k, I4, in, 2_k, I4, comm, ierr)
        DONE('Neighbor_allgather', 8)
        call MPI_Neighbor_allgatherv(out, 2_k, I4, in, counts, displs, I4, comm, ierr)
        DONE('Neighbor_allgatherv', 8)
        call MPI_Neighbor_alltoall(out, 2_k, I4, in, 2_k, I4, comm, ierr)
        DONE('Neighbor_alltoall', 8 * targets)
        call MPI_Neighbor_alltoallv(out, counts, displs, I4, in, counts, displs, I4, comm, ierr)
        DONE('Neighbor_alltoallv', 8 * targets)
        if (.not. w_too) return
        call MPI_Neighbor_alltoallw(out, counts, addresses, types, in, counts, addresses, types, comm, ierr)
        DONE('Neighbor_alltoallw', 8 * targets)
    end subroutine

    subroutine nonblocking(comm, targets, w_too)
        COMM_T, intent(in) :: comm
        integer, intent(in) :: targets
        logical, intent(in) :: w_too
        REQUEST_T :: request
        call fresh()
        call MPI_Ineighbor_allgather(out, 2_k, I4, in, 2_k, I4, comm, request, ierr)
        BEGUN('Ineighbor_allgather', 8)
        call MPI_Ineighbor_allgatherv(out, 2_k, I4, in, counts, displs, I4, comm, request, ierr)
        BEGUN('Ineighbor_allgatherv', 8)
        call MPI_Ineighbor_alltoall(out, 2_k, I4, in, 2_k, I4, comm, request, ierr)
        BEGUN('Ineighbor_alltoall', 8 * targets)
        call MPI_Ineighbor_alltoallv(out, counts, displs, I4, in, counts, displs, I4, comm, request, ierr)
        BEGUN('Ineighbor_alltoallv', 8 * targets)
        if (.not. w_too) return
        call MPI_Ineighbor_alltoallw(out, counts, addresses, types, in, counts, addresses, types, comm, request, ierr)
        BEGUN('Ineighbor_alltoallw', 8 * targets)
    end subroutine

#ifdef MPI4
    subroutine persistent(comm, targets, w_too)
        COMM_T, intent(in) :: comm
        integer, intent(in) :: targets
        logical, intent(in) :: w_too
        REQUEST_T :: request
        INFO_T :: info
        info = MPI_INFO_NULL
        call fresh()
        call MPI_Neighbor_allgather_init(out, 2_k, I4, in, 2_k, I4, comm, info, request, ierr)
        call run('Neighbor_allgather_init', 8, -1, 2, request)
        call MPI_Neighbor_allgatherv_init(out, 2_k, I4, in, counts, displs, I4, comm, info, request, ierr)
        call run('Neighbor_allgatherv_init', 8, -1, 2, request)
        call MPI_Neighbor_alltoall_init(out, 2_k, I4, in, 2_k, I4, comm, info, request, ierr)
        call run('Neighbor_alltoall_init', 8 * targets, -1, 2, request)
        call MPI_Neighbor_alltoallv_init(out, counts, displs, I4, in, counts, displs, I4, comm, info, request, ierr)
        call run('Neighbor_alltoallv_init', 8 * targets, -1, 2, request)
        if (.not. w_too) return
        call MPI_Neighbor_alltoallw_init(out, counts, addresses, types, in, counts, addresses, types, comm, info, &
                                         request, ierr)
        call run('Neighbor_alltoallw_init', 8 * targets, -1, 2, request)
    end subroutine
#endif
end module
