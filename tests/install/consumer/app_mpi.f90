!> app_mpi.f90 - three calls of one region between MPI_Init and MPI_Finalize.
!> SPDX-License-Identifier: MIT
program app_mpi
    use mpi
    use scope
    implicit none
    integer :: i, ierr

    call MPI_Init(ierr)
    do i = 1, 3
        call scope_region_begin('work')
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
        call scope_region_end('work')
    end do
    call MPI_Finalize(ierr)
    print '(a)', 'success'
end program
