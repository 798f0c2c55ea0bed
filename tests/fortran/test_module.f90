!> test_module.f90 - the module on the real libscope: what can be seen without reading a file.
!>
!> SPDX-License-Identifier: MIT
program test_module
    use, intrinsic :: iso_c_binding, only: c_int64_t
    use scope
    implicit none
    type(scope_region) :: a, b
    type(scope_task) :: task
    integer(c_int64_t) :: earlier
    integer :: ierr, i, failures = 0
    integer :: ids(64)

    ! the constants are those of status.h
    call check(scope_status_text(SCOPE_OK) == 'success', 'SCOPE_OK')
    call check(scope_status_text(SCOPE_ERR_ARGUMENT) == 'an argument is not valid', &
               'SCOPE_ERR_ARGUMENT')
    call check(scope_status_text(SCOPE_ERR_MEMORY) == 'out of memory', 'SCOPE_ERR_MEMORY')
    call check(index(scope_status_text(SCOPE_ERR_BUDGET), 'SCOPE_MAX_BYTES') > 0, &
               'SCOPE_ERR_BUDGET')
    call check(index(scope_status_text(SCOPE_ERR_RANK), 'another rank') > 0, 'SCOPE_ERR_RANK')
    call check(index(scope_status_text(SCOPE_ERR_NESTING), 'overlap') > 0, 'SCOPE_ERR_NESTING')

    ! handles exist before the recording does
    call check(.not. scope_is_active(), 'inactive before scope_init')
    a = scope_region('a', ierr)
    call check(ierr == SCOPE_OK .and. a%id > 0, 'a handle before scope_init')
    call scope_region_begin(a)
    call scope_region_end(a)

    call scope_init(output='', spool=.false., status=ierr)
    call check(ierr == SCOPE_OK, 'scope_init without a file')
    call check(scope_is_active(), 'active after scope_init')
    b = scope_region('a    ')
    call check(a%id == b%id, 'trailing blanks are cut')
    b = scope_region(' a')
    call check(a%id /= b%id, 'leading blanks are not')
    b = scope_region('A')
    call check(a%id /= b%id, 'upper and lower case differ')

    ! one handle per name, whichever thread asks first
    !$omp parallel do num_threads(8)
    do i = 1, 64
        block
            character(len=16) :: name
            type(scope_region) :: region
            write (name, '(a,i0)') 'r', mod(i, 8)
            region = scope_region(name)
            ids(i) = region%id
            call scope_region_begin(region)
            call scope_region_end(name)
        end block
    end do
    !$omp end parallel do
    do i = 9, 64
        call check(ids(i) == ids(i - 8), 'one handle per name')
    end do

    earlier = scope_now_ns()
    call check(scope_now_ns() >= earlier .and. earlier > 0, 'the clock goes forward')
    call scope_pause()
    call check(scope_is_active(), 'active while paused')
    call scope_resume()
    task = scope_task_new()
    call check(task%id >= 0, 'a task without a name')
    call scope_task_resume(task)
    call scope_task_suspend(task)
    call scope_task_done(task)
    call scope_tag(a, '', ierr)
    call check(ierr == SCOPE_ERR_ARGUMENT, 'an empty tag')
    call scope_finalize(ierr)
    call check(ierr == SCOPE_OK, 'scope_finalize')
    call check(.not. scope_is_active(), 'inactive after scope_finalize')
    call scope_finalize()

    if (failures > 0) error stop 1

contains

    subroutine check(true, what)
        logical, intent(in) :: true
        character(len=*), intent(in) :: what

        if (.not. true) print *, 'wrong: ', what
        if (.not. true) failures = failures + 1
    end subroutine
end program
