!> openmp.f90 - regions inside parallel regions: by handle, by name, one name per thread.
!> SPDX-License-Identifier: MIT
program openmp
    use omp_lib
    use scope
    implicit none
    integer, parameter :: threads = 6, rounds = 500
    type(scope_region) :: handle
    character(len=40) :: own
    integer :: i

    call scope_init()
    handle = scope_region('handle')
    call scope_region_begin('all')
    !$omp parallel num_threads(threads) private(own, i)
    write (own, '(a,i0)') 'thread ', omp_get_thread_num()
    call scope_region_begin(own)
    do i = 1, rounds
        call scope_region_begin(handle)
        call scope_region_begin('name')
        call scope_region_end('name ')
        call scope_region_end(handle)
        call scope_counter('i', i)
    end do
    call scope_region_end(own)
    !$omp end parallel
    !$omp parallel do num_threads(4) schedule(dynamic, 1)
    do i = 1, 100
        call scope_region_begin('iteration')
        call scope_mark('here')
        call scope_region_end('iteration')
    end do
    !$omp end parallel do
    call scope_region_end('all')
    call scope_finalize()
end program
