! openmp.f90 - begin and end inside an OpenMP parallel region, by name and by handle.
! SPDX-License-Identifier: MIT
program openmp
    use omp_lib
    use scope
    implicit none
    type(scope_region) :: handle
    integer :: round, i, threads
    real(8) :: total
    call scope_init()
    handle = scope_region('by handle')
    threads = 0
    total = 0
    do round = 1, 20
        !$omp parallel reduction(+:total)
        call scope_region_begin('parallel')
        !$omp single
        threads = omp_get_num_threads()
        !$omp end single
        !$omp do
        do i = 1, 64
            call scope_region_begin(handle)
            total = total + sqrt(real(i, 8))
            call scope_region_end(handle)
        end do
        !$omp end do
        call scope_region_end('parallel')
        !$omp end parallel
    end do
    call scope_finalize()
    print '(a,i0)', 'threads ', threads
    if (total < 0) error stop 1
end program
