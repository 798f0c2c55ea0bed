!> test_forwarding.f90 - every procedure of the module passes on to C what it was given.
!> Linked with fake_scope.c, which remembers its last call as text.
!>
!> SPDX-License-Identifier: MIT
program test_forwarding
    use, intrinsic :: iso_c_binding
    use scope
    implicit none

    interface
        function fake_last() bind(c) result(text)
            import :: c_ptr
            type(c_ptr) :: text
        end function
        function fake_last_length() bind(c) result(length)
            import :: c_size_t
            integer(c_size_t) :: length
        end function
    end interface

    integer :: failures = 0

    call options_arrive()
    call regions_arrive()
    call names_of_any_length_arrive()
    call points_arrive()
    call tasks_arrive()
    call the_rest_arrives()

    if (failures > 0) error stop 1
    print '(a)', 'all calls arrive'

contains

    subroutine options_arrive()
        integer :: ierr

        call scope_init()
        call expect('init 1|(null)|(null)|(null)|(null)|0|0|0|0|0')
        call scope_init('x.h5')
        call expect('init 1|x.h5|(null)|(null)|(null)|0|0|0|0|0')
        call scope_init(output='out %r.h5   ', label='a label', filter='-inner', spool_dir='/tmp', &
                        max_bytes=5000000000_c_int64_t, policy=SCOPE_POLICY_RING, spool=.false., &
                        enable=.false., status=ierr)
        call expect('init 1|out %r.h5|a label|-inner|/tmp|5000000000|3|1|1|0')
        call check(ierr == SCOPE_ERR_ARGUMENT, 'status of scope_init')
        call scope_init(output='', spool=.true., enable=.true.)
        call expect('init 1||(null)|(null)|(null)|0|0|0|0|1')
    end subroutine

    subroutine regions_arrive()
        type(scope_region) :: region, unset
        integer :: ierr

        call check(unset%id == 0, 'a handle that was never set')
        region = scope_region('solve')
        call expect('register solve')
        call check(region%id == 7, 'the handle of a name')
        call scope_region_begin(region)
        call expect('begin 7')
        call scope_region_end(region)
        call expect('end 7')
        region = scope_region('a b   ', ierr)
        call expect('register a b')
        call check(ierr == SCOPE_OK, 'status of scope_region')
        region = scope_region('here ', status=ierr, file='solve.f90', line=12)
        call expect('register_at here|solve.f90|12')
        call check(region%id == 8 .and. ierr == SCOPE_ERR_BUDGET, 'a region with a place')
        region = scope_region('here', file='solve.f90')
        call expect('register_at here|solve.f90|-1')
        region = scope_region('a'//c_null_char//'b', file='solve.f90')
        call expect('register a'//c_null_char//'b')
        call scope_region_begin('in ner  ')
        call expect('begin_bytes in ner')
        call scope_region_end('in ner')
        call expect('end_bytes in ner')
        call scope_region_begin(' leading')
        call expect('begin_bytes  leading')
        call scope_region_begin('')
        call expect('begin_bytes ')
        call scope_region_begin(scope_region(-1))
        call expect('begin -1')
        call scope_tag(scope_region(5), 'numerics ', ierr)
        call expect('tag 5|numerics')
    end subroutine

    subroutine names_of_any_length_arrive()
        character(len=:), allocatable :: name
        integer :: length, i

        do length = 1, 10000, 7
            allocate (character(len=length + mod(length, 5)) :: name)
            name = repeat(' ', len(name))
            do i = 1, length
                name(i:i) = achar(33 + mod(i + length, 90))
            end do
            call scope_region_begin(name)
            call expect('begin_bytes '//name(1:length))
            call scope_mark(name)
            call expect('mark '//name(1:length))
            deallocate (name)
        end do
        name = ''
        do i = 0, 255
            name = name//char(i)
        end do
        call scope_region_end(name)
        call expect('end_bytes '//name)
    end subroutine

    subroutine points_arrive()
        call scope_mark('here  ')
        call expect('mark here')
        call scope_counter('residual', 0.5_c_double)
        call expect('counter residual|0.5')
        call scope_counter('residual', 0.25)
        call expect('counter residual|0.25')
        call scope_counter('steps', 42)
        call expect('counter steps|42')
        call scope_counter('bytes', 8589934592_c_int64_t)
        call expect('counter bytes|8.58993e+09')
    end subroutine

    subroutine tasks_arrive()
        type(scope_task) :: task

        call check(task%id == -1, 'a task that was never made')
        task = scope_task_new()
        call expect('task_new (null)|(null)')
        task = scope_task_new('request', code_name='handle ')
        call expect('task_new request|handle')
        call check(task%id == 4294967297_c_int64_t, 'the id of a task')
        call scope_task_resume(task)
        call expect('task_resume 4294967297')
        call scope_task_suspend(task)
        call expect('task_suspend 4294967297')
        call scope_task_done(task)
        call expect('task_done 4294967297')
    end subroutine

    subroutine the_rest_arrives()
        integer :: ierr

        call scope_pause()
        call expect('pause ')
        call scope_resume()
        call expect('resume ')
        call scope_flush()
        call scope_flush(ierr)
        call expect('flush ')
        call check(ierr == SCOPE_ERR_IO, 'status of scope_flush')
        call scope_finalize()
        call scope_finalize(status=ierr)
        call expect('finalize ')
        call check(ierr == SCOPE_ERR_SPACE, 'status of scope_finalize')
        call check(scope_is_active(), 'scope_is_active')
        call check(scope_now_ns() == int(z'123456789ABCDEF', c_int64_t), 'scope_now_ns')
        call check(scope_status_text(SCOPE_ERR_RANK) == 'another rank failed', 'scope_status_text')
    end subroutine

    subroutine expect(text)
        character(len=*), intent(in) :: text
        character(kind=c_char), pointer :: bytes(:)
        logical :: same
        integer :: i

        call c_f_pointer(fake_last(), bytes, [fake_last_length()])
        same = size(bytes) == len(text)
        if (same) same = all([(bytes(i) == text(i:i), i=1, len(text))])
        if (.not. same) print *, 'expected "', text, '", got "', bytes, '"'
        if (.not. same) failures = failures + 1
    end subroutine

    subroutine check(true, what)
        logical, intent(in) :: true
        character(len=*), intent(in) :: what

        if (.not. true) print *, 'wrong: ', what
        if (.not. true) failures = failures + 1
    end subroutine
end program
