! more.F90 - one-sided, file and neighbourhood calls of Fortran, and what their rows must say.
!
! As rma.c, io.c and neighbour.c: each form of argument list is there. 3 ranks. The binding
! is chosen by -DMPIFH, -DUSE_MPI or -DUSE_F08.
!
! SPDX-License-Identifier: MIT
#ifdef USE_F08
#define COMM_T type(MPI_Comm)
#define REQUEST_T type(MPI_Request)
#define WIN_T type(MPI_Win)
#define FILE_T type(MPI_File)
#define GROUP_T type(MPI_Group)
#define STATUS_T(n) type(MPI_Status) :: n
#else
#define COMM_T integer
#define REQUEST_T integer
#define WIN_T integer
#define FILE_T integer
#define GROUP_T integer
#define STATUS_T(n) integer :: n(MPI_STATUS_SIZE)
#endif
#define I4 MPI_INTEGER
#define W MPI_COMM_WORLD

module rows
    implicit none
    integer :: rank = -1, ranks, left, right
    integer, parameter :: expected = 20, received = 21
contains
    subroutine expect(name, bytes, peer, kind)
        character(len=*), intent(in) :: name, kind
        integer, intent(in) :: bytes, peer
        write (expected, '(a,a,i0,a,i0,a,a)') 'MPI_', name // ' ', bytes, ' ', peer, ' ', kind
    end subroutine

    subroutine show(what, values)
        character(len=*), intent(in) :: what
        integer, intent(in) :: values(:)
        write (received, '(a,*(1x,i0))') what, values
    end subroutine
end module

program more
    use rows
    use, intrinsic :: iso_c_binding
#ifdef USE_F08
    use mpi_f08
#endif
#ifdef USE_MPI
    use mpi
#endif
    implicit none
#ifdef MPIFH
    include 'mpif.h'
#endif
    integer :: ierr
    integer, save, asynchronous :: memory(8)
    character(len=16) :: suffix

    call MPI_Init(ierr)
    call MPI_Comm_rank(W, rank, ierr)
    call MPI_Comm_size(W, ranks, ierr)
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    write (suffix, '(a,i0)') '.', rank
    open (expected, file='expected' // trim(suffix))
    open (received, file='received' // trim(suffix))
    call expect('Init', 0, -1, '-')
    call one_sided()
    call files()
    call neighbours()
    call expect('Finalize', 0, -1, '-')
    close (expected)
    close (received)
    call MPI_Finalize(ierr)

contains

    subroutine barrier()
        call MPI_Barrier(W, ierr)
        call expect('Barrier', 0, -1, 'collective')
    end subroutine

    subroutine wait_for(request)
        REQUEST_T, intent(inout) :: request
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 0, -1, '-')
    end subroutine

    subroutine one_sided()
        WIN_T :: window
        REQUEST_T :: request
        GROUP_T :: world, to, from
        integer, asynchronous :: mine(4), got(4), old, nothing
        integer :: i
        logical :: flag
        integer(MPI_ADDRESS_KIND) :: bytes, at
        mine = [(100 * rank + i, i=1, 4)]
        got = 0
        memory = 0
        nothing = 0
        bytes = 32
        at = 0
        call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, W, window, ierr)
        call expect('Win_create', 0, -1, 'collective')
        call MPI_Win_fence(0, window, ierr)
        call expect('Win_fence', 0, -1, 'collective')
        call MPI_Put(mine, 4, I4, right, at, 4, I4, window, ierr)
        call expect('Put', 16, right, 'remote')
        call MPI_Win_fence(0, window, ierr)
        call expect('Win_fence', 0, -1, 'collective')
        call MPI_Accumulate(mine, 2, I4, right, at, 2, I4, MPI_SUM, window, ierr)
        call expect('Accumulate', 8, right, 'remote')
        call MPI_Win_fence(0, window, ierr)
        call expect('Win_fence', 0, -1, 'collective')
        call MPI_Get(got, 3, I4, right, at, 3, I4, window, ierr)
        call expect('Get', 12, right, 'remote')
        call MPI_Win_fence(0, window, ierr)
        call expect('Win_fence', 0, -1, 'collective')
        call show('got', got)
        call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window, ierr)
        call expect('Win_lock', 0, right, '-')
        at = 4
        call MPI_Put(mine, 1, I4, right, at, 1, I4, window, ierr)
        call expect('Put', 4, right, 'remote')
        call MPI_Win_flush(right, window, ierr)
        call expect('Win_flush', 0, right, '-')
        call MPI_Win_unlock(right, window, ierr)
        call expect('Win_unlock', 0, right, '-')
        call barrier()
        call MPI_Win_lock_all(0, window, ierr)
        call expect('Win_lock_all', 0, -1, '-')
        call MPI_Get_accumulate(mine, 1, I4, got, 1, I4, right, at, 1, I4, MPI_SUM, window, ierr)
        call expect('Get_accumulate', 4, right, 'remote')
        call MPI_Win_flush_all(window, ierr)
        call expect('Win_flush_all', 0, -1, '-')
        at = 5
        call MPI_Fetch_and_op(mine, old, I4, right, at, MPI_SUM, window, ierr)
        call expect('Fetch_and_op', 4, right, 'remote')
        call MPI_Win_flush_all(window, ierr)
        call expect('Win_flush_all', 0, -1, '-')
        at = 6
        call MPI_Compare_and_swap(mine(2), nothing, old, I4, right, at, window, ierr)
        call expect('Compare_and_swap', 4, right, 'remote')
        call MPI_Win_flush_all(window, ierr)
        call expect('Win_flush_all', 0, -1, '-')
        at = 7
        call MPI_Rput(mine, 1, I4, right, at, 1, I4, window, request, ierr)
        call expect('Rput', 4, right, 'remote')
        call wait_for(request)
        call MPI_Win_flush_all(window, ierr)
        call expect('Win_flush_all', 0, -1, '-')
        call MPI_Rget(got, 1, I4, right, at, 1, I4, window, request, ierr)
        call expect('Rget', 4, right, 'remote')
        call wait_for(request)
        call MPI_Win_unlock_all(window, ierr)
        call expect('Win_unlock_all', 0, -1, '-')
        call barrier()
        call show('got', got)
        call MPI_Comm_group(W, world, ierr)
        call MPI_Group_incl(world, 1, [right], to, ierr)
        call MPI_Group_incl(world, 1, [left], from, ierr)
        call MPI_Win_post(from, 0, window, ierr)
        call expect('Win_post', 0, -1, '-')
        call MPI_Win_start(to, 0, window, ierr)
        call expect('Win_start', 0, -1, '-')
        at = 0
        call MPI_Put(mine, 4, I4, right, at, 4, I4, window, ierr)
        call expect('Put', 16, right, 'remote')
        call MPI_Win_complete(window, ierr)
        call expect('Win_complete', 0, -1, '-')
        flag = .false.
        do while (.not. flag)
            call MPI_Win_test(window, flag, ierr)
            call expect('Win_test', 0, -1, '-')
        end do
        call barrier()
        call show('memory', memory)
        call MPI_Win_free(window, ierr)
        call expect('Win_free', 0, -1, 'collective')
    end subroutine

    subroutine files()
        FILE_T :: file
        STATUS_T(status)
        REQUEST_T :: request
        integer, asynchronous :: out(4), in(4)
        integer :: i
        integer(MPI_OFFSET_KIND) :: at, zero
        out = [(100 * rank + i, i=1, 4)]
        in = 0
        zero = 0
        call MPI_File_open(W, 'data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierr)
        call expect('File_open', 0, -1, 'collective')
        at = 48
        call MPI_File_set_size(file, at, ierr)
        call expect('File_set_size', 0, -1, 'collective')
        call MPI_File_set_view(file, zero, I4, I4, 'native', MPI_INFO_NULL, ierr)
        call expect('File_set_view', 0, -1, 'collective')
        at = 4 * rank
        call MPI_File_write_at(file, at, out, 4, I4, MPI_STATUS_IGNORE, ierr)
        call expect('File_write_at', 16, -1, 'written')
        call MPI_File_sync(file, ierr)
        call expect('File_sync', 0, -1, 'collective')
        call MPI_File_read_at(file, at, in, 4, I4, MPI_STATUS_IGNORE, ierr)
        call expect('File_read_at', 16, -1, 'read')
        call show('read_at', in)
        call MPI_File_write_at_all(file, at, out, 4, I4, status, ierr)
        call expect('File_write_at_all', 16, -1, 'written')
        call MPI_File_read_at_all(file, at, in, 4, I4, status, ierr)
        call expect('File_read_at_all', 16, -1, 'read')
        call MPI_File_iwrite_at(file, at, out, 4, I4, request, ierr)
        call expect('File_iwrite_at', 16, -1, 'written')
        call wait_for(request)
        call MPI_File_seek(file, at, MPI_SEEK_SET, ierr)
        call MPI_File_read(file, in, 4, I4, status, ierr)
        call expect('File_read', 16, -1, 'read')
        call MPI_File_seek(file, at, MPI_SEEK_SET, ierr)
        call MPI_File_write_all(file, out, 4, I4, MPI_STATUS_IGNORE, ierr)
        call expect('File_write_all', 16, -1, 'written')
        call MPI_File_seek(file, at, MPI_SEEK_SET, ierr)
        call MPI_File_read_all_begin(file, in, 4, I4, ierr)
        call expect('File_read_all_begin', 0, -1, '-')
        call MPI_File_read_all_end(file, in, MPI_STATUS_IGNORE, ierr)
        call expect('File_read_all_end', 16, -1, 'read')
        call show('split', in)
        call MPI_File_sync(file, ierr)
        call expect('File_sync', 0, -1, 'collective')
        call barrier()
        call MPI_File_seek_shared(file, zero, MPI_SEEK_SET, ierr)
        call expect('File_seek_shared', 0, -1, 'collective')
        call barrier()
        call MPI_File_write_ordered(file, out, 4, I4, MPI_STATUS_IGNORE, ierr)
        call expect('File_write_ordered', 16, -1, 'written')
        call MPI_File_close(file, ierr)
        call expect('File_close', 0, -1, 'collective')
        if (rank == 0) then
            call MPI_File_delete('data', MPI_INFO_NULL, ierr)
            call expect('File_delete', 0, -1, '-')
        end if
    end subroutine

    subroutine neighbours()
        COMM_T :: grid, copy
        REQUEST_T :: request
        integer :: out(4), in(4), i
        integer, parameter :: counts(2) = [2, 2], displs(2) = [0, 2]
        integer(MPI_ADDRESS_KIND) :: addresses(2)
#ifdef USE_F08
        type(MPI_Datatype) :: types(2)
#else
        integer :: types(2)
#endif
        out = [(100 * rank + i, i=1, 4)]
        in = 0
        addresses = [0, 8]
        types = [I4, I4]
        call MPI_Dist_graph_create_adjacent(W, 2, [left, right], MPI_UNWEIGHTED, 2, [left, right], &
                                            MPI_UNWEIGHTED, MPI_INFO_NULL, .false., grid, ierr)
        call expect('Dist_graph_create_adjacent', 0, -1, 'collective')
        call MPI_Neighbor_allgather(out, 2, I4, in, 2, I4, grid, ierr)
        call expect('Neighbor_allgather', 8, -1, 'collective')
        call show('allgather', in)
        call MPI_Neighbor_alltoall(out, 2, I4, in, 2, I4, grid, ierr)
        call expect('Neighbor_alltoall', 16, -1, 'collective')
        call show('alltoall', in)
        call MPI_Neighbor_alltoallv(out, counts, displs, I4, in, counts, displs, I4, grid, ierr)
        call expect('Neighbor_alltoallv', 16, -1, 'collective')
        call show('alltoallv', in)
        call MPI_Neighbor_alltoallw(out, counts, addresses, types, in, counts, addresses, types, grid, ierr)
        call expect('Neighbor_alltoallw', 16, -1, 'collective')
        call show('alltoallw', in)
        call MPI_Ineighbor_allgatherv(out, 2, I4, in, counts, displs, I4, grid, request, ierr)
        call expect('Ineighbor_allgatherv', 8, -1, 'collective')
        call wait_for(request)
        call show('allgatherv', in)
        call MPI_Comm_idup(grid, copy, request, ierr)
        call expect('Comm_idup', 0, -1, 'collective')
        call wait_for(request)
        call MPI_Barrier(copy, ierr)
        call expect('Barrier', 0, -1, 'collective')
        call MPI_Comm_free(copy, ierr)
        call expect('Comm_free', 0, -1, 'collective')
        call MPI_Comm_free(grid, ierr)
        call expect('Comm_free', 0, -1, 'collective')
    end subroutine
end program
