!> scope.f90 - record regions, marks, counters and tasks from Fortran.
!>
!>     use scope
!>     call scope_init(output='run.h5')          ! may be left out under MPI
!>     call scope_region_begin('solve')          ! by name: convenient
!>     call scope_region_end('solve')
!>
!>     type(scope_region) :: step                ! by handle: for hot loops
!>     step = scope_region('step')
!>     call scope_region_begin(step)
!>     call scope_region_end(step)
!>     call scope_finalize()
!>
!> Names      any length and any bytes; trailing blanks are not part of a name.
!> Units      integer(c_int64_t) nanoseconds of CLOCK_MONOTONIC (suffix _ns), bytes.
!> Threads    everything may be called from any thread, inside OpenMP regions too.
!> Errors     an optional `status`, SCOPE_OK or one of the SCOPE_ERR_ constants. begin
!>            and end cannot fail. Nothing here stops the program.
!>
!> No MPI module is used: programs with mpif.h, mpi and mpi_f08 link the same library.
!> A .mod file belongs to one compiler; with another one, compile this file yourself.
!>
!> SPDX-License-Identifier: MIT
module scope
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_int32_t, c_int64_t, &
        c_loc, c_null_char, c_null_ptr, c_ptr, c_size_t, c_sizeof, c_f_pointer
    implicit none
    private

    public :: scope_init, scope_finalize, scope_flush, scope_pause, scope_resume
    public :: scope_is_active, scope_now_ns, scope_status_text
    public :: scope_region, scope_region_begin, scope_region_end, scope_tag
    public :: scope_mark, scope_counter
    public :: scope_task, scope_task_new, scope_task_resume, scope_task_suspend, scope_task_done

    !> What a procedure with `status` returns; scope/status.h has the sentences.
    integer, parameter, public :: SCOPE_OK = 0
    integer, parameter, public :: SCOPE_ERR_ARGUMENT = -1
    integer, parameter, public :: SCOPE_ERR_MEMORY = -2
    integer, parameter, public :: SCOPE_ERR_IO = -3
    integer, parameter, public :: SCOPE_ERR_STATE = -4
    integer, parameter, public :: SCOPE_ERR_MISSING = -5
    integer, parameter, public :: SCOPE_ERR_CORRUPT = -6
    integer, parameter, public :: SCOPE_ERR_VERSION = -7
    integer, parameter, public :: SCOPE_ERR_SPACE = -8
    integer, parameter, public :: SCOPE_ERR_BUDGET = -9
    integer, parameter, public :: SCOPE_ERR_LIBRARY = -10
    integer, parameter, public :: SCOPE_ERR_RANK = -11
    integer, parameter, public :: SCOPE_ERR_TIMEOUT = -12
    integer, parameter, public :: SCOPE_ERR_NESTING = -13

    !> What happens when `max_bytes` is used up: the oldest calls become exact sums, later
    !> calls are only counted, the oldest calls are dropped and counted.
    integer, parameter, public :: SCOPE_POLICY_DEFAULT = 0
    integer, parameter, public :: SCOPE_POLICY_FOLD = 1
    integer, parameter, public :: SCOPE_POLICY_STOP = 2
    integer, parameter, public :: SCOPE_POLICY_RING = 3

    !> A region, named once, then timed cheaply. Equal names give equal handles. A negative
    !> id is a region that a filter excludes; begin and end ignore it. A handle that was
    !> never set is recorded as "(unregistered)". The same number as a C scope_region.
    type, bind(c) :: scope_region
        integer(c_int32_t) :: id = 0
    end type

    !> A cooperative lane: a coroutine, a fiber, a user-level thread (scope/task.h).
    type, bind(c) :: scope_task
        integer(c_int64_t) :: id = -1
    end type

    !> region = scope_region('solve'): the handle of a name.
    interface scope_region
        module procedure region_by_name
    end interface

    !> call scope_region_begin(region) on a hot path, call scope_region_begin('name') elsewhere.
    interface scope_region_begin
        subroutine begin_region(region) bind(c, name='scope_region_begin')
            import :: scope_region
            type(scope_region), value :: region
        end subroutine
        module procedure begin_name
    end interface

    !> The end of the innermost open call of that region on this thread or task.
    interface scope_region_end
        subroutine end_region(region) bind(c, name='scope_region_end')
            import :: scope_region
            type(scope_region), value :: region
        end subroutine
        module procedure end_name
    end interface

    !> call scope_counter('residual', r): a value at this point in time, real or integer.
    interface scope_counter
        module procedure counter_real64, counter_real32, counter_int32, counter_int64
    end interface

    interface
        !> Between pause and resume a begin records nothing. Two pauses need two resumes.
        subroutine scope_pause() bind(c, name='scope_pause')
        end subroutine

        subroutine scope_resume() bind(c, name='scope_resume')
        end subroutine

        !> CLOCK_MONOTONIC, the clock of every time in the file.
        function scope_now_ns() bind(c, name='scope_now_ns') result(now_ns)
            import :: c_int64_t
            integer(c_int64_t) :: now_ns
        end function

        !> The code that runs now on this thread is the task's ...
        subroutine scope_task_resume(task) bind(c, name='scope_task_resume')
            import :: scope_task
            type(scope_task), value :: task
        end subroutine

        !> ... and now again that of what ran before.
        subroutine scope_task_suspend(task) bind(c, name='scope_task_suspend')
            import :: scope_task
            type(scope_task), value :: task
        end subroutine

        !> The task has ended.
        subroutine scope_task_done(task) bind(c, name='scope_task_done')
            import :: scope_task
            type(scope_task), value :: task
        end subroutine
    end interface

    ! scope_options of scope/session.h
    type, bind(c) :: c_options
        integer(c_size_t) :: size_bytes = 0
        type(c_ptr) :: output = c_null_ptr
        type(c_ptr) :: label = c_null_ptr
        type(c_ptr) :: filter = c_null_ptr
        type(c_ptr) :: spool_dir = c_null_ptr
        integer(c_int64_t) :: max_bytes = 0
        integer(c_int) :: policy = 0
        integer(c_int32_t) :: disable = 0
        integer(c_int32_t) :: no_spool = 0
        integer(c_int32_t) :: no_output = 0
    end type

    interface
        function c_init(options) bind(c, name='scope_init') result(status)
            import :: c_int, c_options
            type(c_options), intent(in) :: options
            integer(c_int) :: status
        end function

        function c_finalize() bind(c, name='scope_finalize') result(status)
            import :: c_int
            integer(c_int) :: status
        end function

        function c_flush() bind(c, name='scope_flush') result(status)
            import :: c_int
            integer(c_int) :: status
        end function

        function c_is_active() bind(c, name='scope_is_active') result(active)
            import :: c_int
            integer(c_int) :: active
        end function

        pure function c_status_text(status) bind(c, name='scope_status_text') result(text)
            import :: c_int, c_ptr
            integer(c_int), value :: status
            type(c_ptr) :: text
        end function

        function c_register(name, length_bytes, region) &
            bind(c, name='scope_region_register_bytes') result(status)
            import :: c_char, c_int, c_size_t, scope_region
            character(kind=c_char), intent(in) :: name(*)
            integer(c_size_t), value :: length_bytes
            type(scope_region), intent(inout) :: region
            integer(c_int) :: status
        end function

        function c_register_at(name, file, line, region) &
            bind(c, name='scope_region_register_at') result(status)
            import :: c_char, c_int, scope_region
            character(kind=c_char), intent(in) :: name(*), file(*)
            integer(c_int), value :: line
            type(scope_region), intent(inout) :: region
            integer(c_int) :: status
        end function

        function c_tag(region, tag) bind(c, name='scope_region_tag') result(status)
            import :: c_char, c_int, scope_region
            type(scope_region), value :: region
            character(kind=c_char), intent(in) :: tag(*)
            integer(c_int) :: status
        end function

        subroutine c_begin(name, length_bytes) bind(c, name='scope_region_begin_bytes')
            import :: c_char, c_size_t
            character(kind=c_char), intent(in) :: name(*)
            integer(c_size_t), value :: length_bytes
        end subroutine

        subroutine c_end(name, length_bytes) bind(c, name='scope_region_end_bytes')
            import :: c_char, c_size_t
            character(kind=c_char), intent(in) :: name(*)
            integer(c_size_t), value :: length_bytes
        end subroutine

        subroutine c_mark(name, length_bytes) bind(c, name='scope_mark_bytes')
            import :: c_char, c_size_t
            character(kind=c_char), intent(in) :: name(*)
            integer(c_size_t), value :: length_bytes
        end subroutine

        subroutine c_counter(name, length_bytes, value) bind(c, name='scope_counter_bytes')
            import :: c_char, c_double, c_size_t
            character(kind=c_char), intent(in) :: name(*)
            integer(c_size_t), value :: length_bytes
            real(c_double), value :: value
        end subroutine

        function c_task_new(name, code_name) bind(c, name='scope_task_new') result(task)
            import :: c_ptr, scope_task
            type(c_ptr), value :: name, code_name
            type(scope_task) :: task
        end function

        pure function c_strlen(text) bind(c, name='strlen') result(length)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: text
            integer(c_size_t) :: length
        end function
    end interface

contains

    ! Procedures with variables of their own are `recursive`: these then stay on the stack, whatever
    ! the compiler is told (-fno-automatic, -save), and threads do not share them.

    !> Start recording. What is left out comes from its SCOPE_ variable, else the default.
    !> `output`: the letters %r %n %p %h %j %x %% are replaced; '' writes no file.
    !> `filter`: 'solve*,-solve_inner', the first match of a name decides. `max_bytes`: -1 is
    !> unlimited. `spool`: .false. keeps the recording in memory only, lost when killed.
    !> `enable`: .false. records nothing. A second call changes nothing.
    recursive subroutine scope_init(output, label, filter, spool_dir, max_bytes, policy, spool, &
                                    enable, status)
        character(len=*), intent(in), optional :: output, label, filter, spool_dir
        integer(c_int64_t), intent(in), optional :: max_bytes
        integer, intent(in), optional :: policy
        logical, intent(in), optional :: spool, enable
        integer, intent(out), optional :: status
        character(kind=c_char), allocatable, target :: c_output(:), c_label(:), c_filter(:)
        character(kind=c_char), allocatable, target :: c_spool_dir(:)
        type(c_options) :: options

        options%size_bytes = c_sizeof(options)
        call to_c(output, c_output, options%output)
        call to_c(label, c_label, options%label)
        call to_c(filter, c_filter, options%filter)
        call to_c(spool_dir, c_spool_dir, options%spool_dir)
        if (present(output)) options%no_output = flag(len_trim(output) == 0)
        if (present(max_bytes)) options%max_bytes = max_bytes
        if (present(policy)) options%policy = int(policy, c_int)
        if (present(spool)) options%no_spool = flag(.not. spool)
        if (present(enable)) options%disable = flag(.not. enable)
        call set_status(c_init(options), status)
    end subroutine

    !> End recording and write the file: at once, or inside MPI_Finalize when MPI is running.
    !> Local, never communicates. Twice is harmless.
    subroutine scope_finalize(status)
        integer, intent(out), optional :: status

        call set_status(c_finalize(), status)
    end subroutine

    !> Write what was recorded so far under this process's own name, and go on. Local.
    subroutine scope_flush(status)
        integer, intent(out), optional :: status

        call set_status(c_flush(), status)
    end subroutine

    !> .true. while recording, also while paused.
    recursive function scope_is_active() result(active)
        logical :: active

        active = c_is_active() /= 0
    end function

    !> The sentence of a status.
    recursive function scope_status_text(status) result(text)
        integer, intent(in) :: status
        character(len=c_strlen(c_status_text(int(status, c_int)))) :: text
        character(kind=c_char), pointer :: bytes(:)
        integer :: i

        call c_f_pointer(c_status_text(int(status, c_int)), bytes, [len(text)])
        do i = 1, len(text)
            text(i:i) = bytes(i)
        end do
    end function

    ! region = scope_region('solve', status, file, line). `file` and `line` say where the region
    ! is in the source (__FILE__, __LINE__ of the preprocessor); the first place given stays.
    recursive function region_by_name(name, status, file, line) result(region)
        character(len=*), intent(in) :: name
        integer, intent(out), optional :: status
        character(len=*), intent(in), optional :: file
        integer, intent(in), optional :: line
        type(scope_region) :: region
        integer :: line_or_unknown

        region%id = -1
        if (present(file) .and. index(name, c_null_char) == 0) then
            line_or_unknown = -1
            if (present(line)) line_or_unknown = line
            call set_status(c_register_at(trim(name)//c_null_char, trim(file)//c_null_char, &
                                          int(line_or_unknown, c_int), region), status)
        else
            call set_status(c_register(name, len_trim(name, c_size_t), region), status)
        end if
    end function

    subroutine begin_name(name)
        character(len=*), intent(in) :: name

        call c_begin(name, len_trim(name, c_size_t))
    end subroutine

    subroutine end_name(name)
        character(len=*), intent(in) :: name

        call c_end(name, len_trim(name, c_size_t))
    end subroutine

    !> Attach a tag to a region. SCOPE_ERR_ARGUMENT: the tag is empty.
    subroutine scope_tag(region, tag, status)
        type(scope_region), intent(in) :: region
        character(len=*), intent(in) :: tag
        integer, intent(out), optional :: status

        call set_status(c_tag(region, trim(tag)//c_null_char), status)
    end subroutine

    !> A point in time on this thread or task.
    subroutine scope_mark(name)
        character(len=*), intent(in) :: name

        call c_mark(name, len_trim(name, c_size_t))
    end subroutine

    subroutine counter_real64(name, value)
        character(len=*), intent(in) :: name
        real(c_double), intent(in) :: value

        call c_counter(name, len_trim(name, c_size_t), value)
    end subroutine

    subroutine counter_real32(name, value)
        character(len=*), intent(in) :: name
        real(c_float), intent(in) :: value

        call counter_real64(name, real(value, c_double))
    end subroutine

    subroutine counter_int32(name, value)
        character(len=*), intent(in) :: name
        integer(c_int32_t), intent(in) :: value

        call counter_real64(name, real(value, c_double))
    end subroutine

    subroutine counter_int64(name, value)
        character(len=*), intent(in) :: name
        integer(c_int64_t), intent(in) :: value

        call counter_real64(name, real(value, c_double))
    end subroutine

    !> A new task: what it is called, and what it runs. Both may be left out.
    recursive function scope_task_new(name, code_name) result(task)
        character(len=*), intent(in), optional :: name, code_name
        type(scope_task) :: task
        character(kind=c_char), allocatable, target :: c_name(:), c_code_name(:)
        type(c_ptr) :: name_address, code_name_address

        call to_c(name, c_name, name_address)
        call to_c(code_name, c_code_name, code_name_address)
        task = c_task_new(name_address, code_name_address)
    end function

    recursive function flag(true) result(number)
        logical, intent(in) :: true
        integer(c_int32_t) :: number

        number = merge(1_c_int32_t, 0_c_int32_t, true)
    end function

    ! A copy of `text` for C in `copy` and its address; a null pointer when it is not present.
    recursive subroutine to_c(text, copy, address)
        character(len=*), intent(in), optional :: text
        character(kind=c_char), allocatable, target, intent(inout) :: copy(:)
        type(c_ptr), intent(out) :: address
        integer :: i, length

        address = c_null_ptr
        if (.not. present(text)) return
        length = len_trim(text)
        allocate (copy(length + 1))
        do i = 1, length
            copy(i) = text(i:i)
        end do
        copy(length + 1) = c_null_char
        address = c_loc(copy)
    end subroutine

    subroutine set_status(c_status, status)
        integer(c_int), intent(in) :: c_status
        integer, intent(out), optional :: status

        if (present(status)) status = c_status
    end subroutine
end module
