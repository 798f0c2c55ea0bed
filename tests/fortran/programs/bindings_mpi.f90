!> bindings_mpi.f90 - regions and MPI calls through the module mpi.
!> SPDX-License-Identifier: MIT
program bindings
    use mpi
    use scope
    implicit none
    integer :: rank, ranks, total, i, ierr
    integer :: world

    call MPI_Init(ierr)
    world = MPI_COMM_WORLD
    call MPI_Comm_rank(world, rank, ierr)
    call MPI_Comm_size(world, ranks, ierr)
    do i = 1, 5
        call scope_region_begin('round')
        call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, world, ierr)
        call scope_region_end('round')
        if (total /= ranks*(ranks - 1)/2) error stop 1
    end do
    if (rank == 1) call scope_region_begin('only on rank 1')
    if (rank == 1) call scope_region_end('only on rank 1')
    call scope_finalize(ierr)
    if (ierr /= SCOPE_OK) error stop 2
    call MPI_Finalize(ierr)
end program
