! persistent.F90 - collectives that are started, partitioned messages: of MPI 4, from Fortran.
!
! As neighbour.c.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"
#define I0 MPI_INFO_NULL

#ifdef MPI4
module persistent
    use rows
    implicit none
    private
    public :: started, partitioned
    integer, parameter :: c = MPI_COUNT_KIND
    REQUEST_T :: request

contains

    subroutine started()
        integer, parameter :: root = 1
        integer(k), asynchronous, save :: counts(p)
        integer(d), asynchronous, save :: displs(p), bytes(p)
        TYPE_T, asynchronous, save :: types(p)
        counts = 2
        displs = [0, 2, 4]
        bytes = [0, 8, 16]
        types = I4
        call fresh()
        call MPI_Barrier_init(W, I0, request, ierr)
        call run('Barrier_init', 0, -1, 2, request)
        call MPI_Bcast_init(in, 4_k, I4, root, W, I0, request, ierr)
        call run('Bcast_init', 16, root, 2, request)
        call MPI_Gather_init(out, 2_k, I4, in, 2_k, I4, root, W, I0, request, ierr)
        call run('Gather_init', 8, root, 2, request)
        call MPI_Gatherv_init(out, 2_k, I4, in, counts, displs, I4, root, W, I0, request, ierr)
        call run('Gatherv_init', 8, root, 2, request)
        ! MPICH 4.0 fails when these two are started again.
        call MPI_Scatter_init(out, 2_k, I4, in, 2_k, I4, root, W, I0, request, ierr)
        call run('Scatter_init', merge(24, 8, rank == root), root, 1, request)
        call MPI_Scatterv_init(out, counts, displs, I4, in, 2_k, I4, root, W, I0, request, ierr)
        call run('Scatterv_init', merge(24, 8, rank == root), root, 1, request)
        call MPI_Allgather_init(out, 2_k, I4, in, 2_k, I4, W, I0, request, ierr)
        call run('Allgather_init', 8, -1, 2, request)
        call MPI_Allgather_init(MPI_IN_PLACE, 2_k, I4, in, 2_k, I4, W, I0, request, ierr)
        call run('Allgather_init', 24, -1, 2, request)
        call MPI_Allgatherv_init(out, 2_k, I4, in, counts, displs, I4, W, I0, request, ierr)
        call run('Allgatherv_init', 8, -1, 2, request)
        call MPI_Alltoall_init(out, 2_k, I4, in, 2_k, I4, W, I0, request, ierr)
        call run('Alltoall_init', 24, -1, 2, request)
        call MPI_Alltoallv_init(out, counts, displs, I4, in, counts, displs, I4, W, I0, request, ierr)
        call run('Alltoallv_init', 24, -1, 2, request)
        call MPI_Alltoallw_init(out, counts, bytes, types, in, counts, bytes, types, W, I0, request, ierr)
        call run('Alltoallw_init', 24, -1, 2, request)
        call MPI_Reduce_init(out, in, 4_k, I4, MPI_SUM, root, W, I0, request, ierr)
        call run('Reduce_init', 16, root, 2, request)
        call MPI_Allreduce_init(out, in, 4_k, I4, MPI_SUM, W, I0, request, ierr)
        call run('Allreduce_init', 16, -1, 2, request)
        call MPI_Reduce_scatter_init(out, in, counts, I4, MPI_SUM, W, I0, request, ierr)
        call run('Reduce_scatter_init', 24, -1, 2, request)
        call MPI_Reduce_scatter_block_init(out, in, 2_k, I4, MPI_SUM, W, I0, request, ierr)
        call run('Reduce_scatter_block_init', 24, -1, 2, request)
        call MPI_Scan_init(out, in, 4_k, I4, MPI_SUM, W, I0, request, ierr)
        call run('Scan_init', 16, -1, 2, request)
        call MPI_Exscan_init(out, in, 4_k, I4, MPI_SUM, W, I0, request, ierr)
        call run('Exscan_init', 16, -1, 2, request)
    end subroutine

    subroutine partitioned()
        REQUEST_T :: sending, receiving
#ifdef USE_MPI
        integer :: arrived ! as the module of MPICH 4.0 has it
#else
        logical :: arrived
#endif
        call fresh()
        call MPI_Psend_init(out, 4, 2_c, I4, right, 9, W, I0, sending, ierr)
        call expect('Psend_init', 0, right, '-')
        call MPI_Precv_init(in, 4, 2_c, I4, left, 9, W, I0, receiving, ierr)
        call expect('Precv_init', 0, left, '-')
        call MPI_Start(receiving, ierr)
        call expect('Start', 0, left, 'posted')
        call MPI_Start(sending, ierr)
        call expect('Start', 32, right, 'sent')
        call MPI_Pready(0, sending, ierr)
        call other('Pready')
        call MPI_Pready_range(1, 2, sending, ierr)
        call other('Pready_range')
        call MPI_Pready_list(1, [3], sending, ierr)
        call other('Pready_list')
        do
            call MPI_Parrived(receiving, 3, arrived, ierr)
            call other('Parrived')
#ifdef USE_MPI
            if (arrived /= 0) exit
#else
            if (arrived) exit
#endif
        end do
        call wait_for(sending)
        call MPI_Wait(receiving, MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 32, left, 'received')
        call show('partitioned', in)
        call MPI_Request_free(sending, ierr)
        call other('Request_free')
        call MPI_Request_free(receiving, ierr)
        call other('Request_free')
    end subroutine
end module
#endif
