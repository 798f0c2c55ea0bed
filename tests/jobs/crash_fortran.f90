! crash_fortran.f90 - crash_c.c in Fortran.
! SPDX-License-Identifier: MIT
program crash_fortran
    use, intrinsic :: iso_c_binding
    use mpi
    use scope
    implicit none
    interface
        subroutine crash_open(folder, rank, calls, loosely, points) bind(c)
            import :: c_char, c_int, c_long
            character(kind=c_char), intent(in) :: folder(*)
            integer(c_int), value :: rank, loosely
            integer(c_long), value :: calls, points
        end subroutine
        subroutine crash_ended(kind) bind(c)
            import :: c_int
            integer(c_int), value :: kind
        end subroutine
        subroutine crash_arm() bind(c)
        end subroutine
    end interface
    type(scope_region) :: a, b
    integer :: ierr, rank, ranks, victim, k, mine, got
    integer(c_long) :: calls, loosely, points, rounds, i
    character(len=4096) :: folder
    call mpi_init(ierr)
    call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
    call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
    call get_command_argument(1, folder)
    victim = int(argument(2))
    calls = argument(3)
    loosely = argument(4)
    points = argument(5)
    rounds = argument(6)
    if (rank /= victim) then
        calls = 0
        points = 0
    end if
    call crash_open(trim(folder)//c_null_char, rank, calls, int(loosely, c_int), points)
    a = scope_region('a')
    b = scope_region('b')
    mine = rank
    do i = 0, rounds - 1
        call scope_region_begin(a)
        do k = 1, 20
            call scope_region_begin(b)
            call scope_region_end(b)
            call crash_ended(iachar('b'))
        end do
        if (mod(i, 16_c_long) == 0) then
            call mpi_sendrecv(mine, 1, MPI_INTEGER, mod(rank + 1, ranks), 0, got, 1, MPI_INTEGER, &
                mod(rank + ranks - 1, ranks), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
            call crash_ended(iachar('s'))
        end if
        call scope_region_end(a)
        call crash_ended(iachar('a'))
    end do
    call crash_arm()
    call mpi_finalize(ierr)
contains
    integer(c_long) function argument(number)
        integer, intent(in) :: number
        character(len=32) :: text
        call get_command_argument(number, text)
        read (text, *) argument
    end function
end program
