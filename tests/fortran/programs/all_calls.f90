!> all_calls.f90 - every procedure of the module once, with its status checked.
!> The time of the region "timed" is printed, measured with scope_now_ns around and inside it.
!> SPDX-License-Identifier: MIT
program all_calls
    use, intrinsic :: iso_c_binding, only: c_int64_t
    use scope
    implicit none
    type(scope_region) :: timed, unset
    type(scope_task) :: task
    integer(c_int64_t) :: before, inside_begin, inside_end, after
    integer :: ierr

    if (scope_is_active()) error stop 1
    call scope_region_begin('before init')
    call scope_region_end('before init')
    call scope_finalize(ierr)
    call scope_init(label='from Fortran', filter='-hidden*', status=ierr)
    if (ierr /= SCOPE_OK .or. .not. scope_is_active()) error stop 2
    call scope_init(status=ierr)
    if (.not. scope_is_active()) error stop 3

    timed = scope_region('timed', ierr, 'all_calls.f90', 27)
    if (ierr /= SCOPE_OK) error stop 4
    call scope_tag(timed, 'numerics', ierr)
    if (ierr /= SCOPE_OK) error stop 5
    call scope_tag(timed, '  ', ierr)
    if (ierr /= SCOPE_ERR_ARGUMENT) error stop 6
    before = scope_now_ns()
    call scope_region_begin(timed)
    inside_begin = scope_now_ns()
    inside_end = scope_now_ns()
    call scope_region_end(timed)
    after = scope_now_ns()

    call scope_region_begin('hidden one')
    call scope_region_end('hidden one')
    call scope_region_begin(unset)
    call scope_region_end(unset)
    call scope_pause()
    call scope_region_begin('while paused')
    call scope_region_end('while paused')
    call scope_resume()
    call scope_mark('a mark')
    call scope_counter('a counter', 1.5)
    call scope_counter('a counter', -3)
    task = scope_task_new('a task', 'its code')
    call scope_task_resume(task)
    call scope_region_begin('in the task')
    call scope_task_suspend(task)
    call scope_region_begin('in the thread')
    call scope_region_end('in the thread')
    call scope_task_resume(task)
    call scope_region_end('in the task')
    call scope_task_suspend(task)
    call scope_task_done(task)
    call scope_flush(ierr)
    if (ierr /= SCOPE_OK) error stop 7
    call scope_finalize(ierr)
    if (ierr /= SCOPE_OK .or. scope_is_active()) error stop 8
    call scope_region_begin(timed)
    call scope_region_end(timed)
    call scope_finalize(ierr)
    print '(4(i0,1x))', before, inside_begin, inside_end, after
end program
