!> heat_fortran.f90 - the 2-D heat equation on a square plate: mpi_f08 between ranks, OpenMP in one.
!>
!> The plate is cut into strips of columns, one per rank. Each step the ranks exchange their
!> edge columns (the halo), then the threads sweep over the strip together.
!>
!> Recording needs no call here but the regions: linked with libscope_mpi it starts in
!> MPI_Init and writes profiling_data.h5 in MPI_Finalize.
!>
!> SPDX-License-Identifier: MIT
program heat
    use, intrinsic :: iso_fortran_env, only: real64
    use mpi_f08
    use scope
    implicit none

    integer, parameter :: n = 1536, steps = 200, check_every = 20
    integer :: provided, rank, ranks, columns, left, right, step
    real(real64) :: change, residual, mean
    real(real64), allocatable :: now(:, :), next(:, :), old(:, :)
    type(scope_region) :: one_step

    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    left = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    right = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    columns = n/ranks + merge(1, 0, rank < mod(n, ranks))

    ! columns 1..columns are ours; 0 and columns + 1 are halo or the plate's edge
    allocate (now(0:n + 1, 0:columns + 1), next(0:n + 1, 0:columns + 1), source=0.0_real64)
    if (rank == 0) now(:, 0) = 100   ! the left edge is hot, the others are cold
    if (rank == 0) next(:, 0) = 100

    one_step = scope_region('step')  ! a handle: for what is called often
    do step = 1, steps
        call scope_region_begin(one_step)
        call exchange_halo()
        call sweep()
        call move_alloc(now, old)
        call move_alloc(next, now)
        call move_alloc(old, next)
        if (mod(step, check_every) == 0) call find_residual()
        call scope_region_end(one_step)
    end do

    call find_mean()
    if (rank == 0) print '(a,i0,a,f8.6,a,f8.6)', 'after ', steps, ' steps: mean temperature ', &
        mean, ', residual ', residual
    call MPI_Finalize()

contains

    subroutine exchange_halo()
        type(MPI_Request) :: requests(4)

        call scope_region_begin('halo')
        call MPI_Irecv(now(:, 0), n + 2, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, requests(1))
        call MPI_Irecv(now(:, columns + 1), n + 2, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, &
                       requests(2))
        call MPI_Isend(now(:, 1), n + 2, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, requests(3))
        call MPI_Isend(now(:, columns), n + 2, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, &
                       requests(4))
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
        call scope_region_end('halo')
    end subroutine

    subroutine sweep()
        integer :: i, j

        change = 0
        !$omp parallel num_threads(3) private(i, j) reduction(max: change)
        call scope_region_begin('sweep')
        !$omp do
        do j = 1, columns
            do i = 1, n
                next(i, j) = (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))/4
                change = max(change, abs(next(i, j) - now(i, j)))
            end do
        end do
        !$omp end do
        call scope_region_end('sweep')
        !$omp end parallel
    end subroutine

    subroutine find_residual()
        call scope_region_begin('residual')
        call MPI_Allreduce(change, residual, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
        call scope_counter('residual', residual)
        call scope_region_end('residual')
    end subroutine

    subroutine find_mean()
        real(real64) :: mine

        call scope_region_begin('mean')
        mine = sum(now(1:n, 1:columns))
        call MPI_Allreduce(mine, mean, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
        mean = mean/(real(n, real64)*n)
        call scope_region_end('mean')
    end subroutine
end program
