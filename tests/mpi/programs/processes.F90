! processes.F90 - processes started and met from Fortran, and what the rows must say.
!
! 3 ranks; spawned ones do nothing. An MPI that cannot do something returns an error, which
! is a result as any other.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"

module processes
    use rows
    implicit none
    interface
        integer(c_int) function socket(domain, kind, protocol) bind(c)
            import :: c_int
            integer(c_int), value :: domain, kind, protocol
        end function
        integer(c_int) function bind_to(fd, address, length) bind(c, name='bind')
            import :: c_int, c_char
            integer(c_int), value :: fd, length
            character(kind=c_char), intent(in) :: address(*)
        end function
        integer(c_int) function connect(fd, address, length) bind(c)
            import :: c_int, c_char
            integer(c_int), value :: fd, length
            character(kind=c_char), intent(in) :: address(*)
        end function
        integer(c_int) function listen(fd, waiting) bind(c)
            import :: c_int
            integer(c_int), value :: fd, waiting
        end function
        integer(c_int) function accept(fd, address, length) bind(c)
            import :: c_int, c_ptr
            integer(c_int), value :: fd
            type(c_ptr), value :: address, length
        end function
    end interface

contains

    subroutine told(what)
        character(len=*), intent(in) :: what
        integer :: class, error
        call MPI_Error_class(ierr, class, error)
        call show(what, [class])
    end subroutine

    subroutine leave(comm, what)
        COMM_T, intent(inout) :: comm
        character(len=*), intent(in) :: what
        integer :: error
        call told(what)
        if (ierr /= MPI_SUCCESS) return
        call MPI_Comm_disconnect(comm, error)
        call collective('Comm_disconnect')
    end subroutine

    subroutine spawns()
        COMM_T :: children
        INFO_T :: infos(2)
        integer :: codes(2)
        character(len=512) :: itself, commands(2)
        call get_command_argument(0, itself)
        commands = itself
        infos = MPI_INFO_NULL
        call MPI_Comm_spawn(itself, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 1, W, children, codes, ierr)
        call expect('Comm_spawn', 0, 1, 'collective')
        call leave(children, 'spawn')
        call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, [1, 1], infos, 1, W, children, &
                                     MPI_ERRCODES_IGNORE, ierr)
        call expect('Comm_spawn_multiple', 0, 1, 'collective')
        call leave(children, 'spawn_multiple')
    end subroutine

    ! Rank 0 opens a port, under a name; rank 1 finds it.
    subroutine meets()
        COMM_T :: there
        character(len=MPI_MAX_PORT_NAME) :: port
        port = ' '
        if (rank == 0) then
            call MPI_Open_port(MPI_INFO_NULL, port, ierr)
            call other('Open_port')
            call told('open_port')
            if (ierr /= MPI_SUCCESS) port = ' '
            call MPI_Publish_name('a test of scope', MPI_INFO_NULL, port, ierr)
            call other('Publish_name')
            call told('publish_name')
        end if
        call barrier()
        if (rank == 1) then
            call MPI_Lookup_name('a test of scope', MPI_INFO_NULL, port, ierr)
            call other('Lookup_name')
            call told('lookup_name')
        end if
        call MPI_Bcast(port, int(len(port), k), MPI_CHARACTER, 1, W, ierr)
        call expect('Bcast', len(port), 1, 'collective')
        if (rank == 0) then
            call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, there, ierr)
            call expect('Comm_accept', 0, rank, 'collective')
            call leave(there, 'accept')
            call MPI_Unpublish_name('a test of scope', MPI_INFO_NULL, port, ierr)
            call other('Unpublish_name')
            call told('unpublish_name')
            call MPI_Close_port(port, ierr)
            call other('Close_port')
            call told('close_port')
        else if (rank == 1) then
            call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, there, ierr)
            call expect('Comm_connect', 0, rank, 'collective')
            call leave(there, 'connect')
        end if
    end subroutine

    ! Ranks 0 and 1 over a socket of theirs.
    subroutine joins()
        COMM_T :: joined
        integer(c_int) :: fd, listening
        character(len=8), parameter :: path = 'a_socket'
        character(kind=c_char) :: address(11)
        address = [transfer(1_c_int16_t, 'a', 2), transfer(path, 'a', 8), c_null_char]
        fd = socket(1, 1, 0)
        if (rank == 0) then
            listening = fd
            fd = bind_to(listening, address, 11) + listen(listening, 1)
        end if
        call barrier()
        if (rank == 0) fd = accept(listening, c_null_ptr, c_null_ptr)
        if (rank == 1) call show('socket', [connect(fd, address, 11)])
        if (rank < 2) then
            call MPI_Comm_join(fd, joined, ierr)
            call other('Comm_join')
            call leave(joined, 'join')
        end if
    end subroutine
end module

program starts
    use processes
    implicit none
    COMM_T :: parent
    integer :: provided
    call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
    call MPI_Comm_get_parent(parent, ierr)
    if (parent == MPI_COMM_NULL) then
        call start()
        call other('Init_thread')
        call MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN, ierr)
        call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierr)
        call meets()
        call barrier()
        call joins()
        call barrier()
        call spawns()
        call finish()
    else
        call MPI_Comm_disconnect(parent, ierr)
        call MPI_Finalize(ierr)
    end if
end program
