! files.F90 - every call of MPI-IO in Fortran, and what its row must say. As io.c.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"
! In a macro's text the name of a parameter is replaced in strings, too.
#define WRITTEN(call_name) call expect(call_name, 16, -1, 'written')
#define WRITING(call_name) call expect(call_name, 16, -1, 'written'); call wait_for(request)
#define READS(call_name) call expect(call_name, 16, -1, 'read'); call show(call_name, got); got = 0
#define READING(call_name) call expect(call_name, 16, -1, 'read'); call wait_for(request); call show(call_name, got); got = 0
#define IGNORE MPI_STATUS_IGNORE

#ifdef FILES
module files
    use rows
    implicit none
    private
    public :: input_output
    FILE_T :: file
    REQUEST_T :: request
    integer, asynchronous, save :: mine(4), got(4)
    integer(MPI_OFFSET_KIND), parameter :: bytes = 48, zero = 0

contains

    subroutine input_output()
        INFO_T :: info
        integer :: i
        mine = [(100 * rank + i, i=1, 4)]
        got = 0
        call MPI_File_open(W, 'data', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file, ierr)
        call collective('File_open')
        call MPI_File_set_size(file, bytes, ierr)
        call collective('File_set_size')
        call MPI_File_preallocate(file, bytes, ierr)
        call collective('File_preallocate')
        call MPI_Info_create(info, ierr)
        call MPI_File_set_info(file, info, ierr)
        call collective('File_set_info')
        call MPI_Info_free(info, ierr)
        call MPI_File_set_atomicity(file, .false., ierr)
        call collective('File_set_atomicity')
        call MPI_File_set_view(file, zero, I4, I4, 'native', MPI_INFO_NULL, ierr)
        call collective('File_set_view')
        call at_offsets()
        call where_each_is()
        call by_the_shared_pointer()
        call beyond_the_end()
        call MPI_File_close(file, ierr)
        call collective('File_close')
        if (rank == 0) then
            call MPI_File_delete('data', MPI_INFO_NULL, ierr)
            call other('File_delete')
        end if
    end subroutine

    subroutine sync_all()
        call MPI_File_sync(file, ierr)
        call collective('File_sync')
        call barrier()
    end subroutine

    subroutine at_offsets()
        STATUS_T(status)
        integer(MPI_OFFSET_KIND) :: at
        at = 4 * rank
        call MPI_File_write_at(file, at, mine, 4_k, I4, IGNORE, ierr)
        WRITTEN('File_write_at')
        call sync_all()
        call MPI_File_read_at(file, at, got, 4_k, I4, IGNORE, ierr)
        READS('File_read_at')
        call MPI_File_write_at_all(file, at, mine, 4_k, I4, status, ierr)
        WRITTEN('File_write_at_all')
        call sync_all()
        call MPI_File_read_at_all(file, at, got, 4_k, I4, status, ierr)
        READS('File_read_at_all')
        call MPI_File_iwrite_at(file, at, mine, 4_k, I4, request, ierr)
        WRITING('File_iwrite_at')
        call MPI_File_iread_at(file, at, got, 4_k, I4, request, ierr)
        READING('File_iread_at')
        call MPI_File_iwrite_at_all(file, at, mine, 4_k, I4, request, ierr)
        WRITING('File_iwrite_at_all')
        call MPI_File_iread_at_all(file, at, got, 4_k, I4, request, ierr)
        READING('File_iread_at_all')
        call MPI_File_write_at_all_begin(file, at, mine, 4_k, I4, ierr)
        WRITTEN('File_write_at_all_begin')
        call MPI_File_write_at_all_end(file, mine, status, ierr)
        call other('File_write_at_all_end')
        call MPI_File_read_at_all_begin(file, at, got, 4_k, I4, ierr)
        call other('File_read_at_all_begin')
        call MPI_File_read_at_all_end(file, got, status, ierr)
        READS('File_read_at_all_end')
    end subroutine

    ! Local: not recorded.
    subroutine to_mine()
        integer(MPI_OFFSET_KIND) :: at
        at = 4 * rank
        call MPI_File_seek(file, at, MPI_SEEK_SET, ierr)
    end subroutine

    subroutine where_each_is()
        STATUS_T(status)
        call to_mine()
        call MPI_File_write(file, mine, 4_k, I4, IGNORE, ierr)
        WRITTEN('File_write')
        call to_mine()
        call MPI_File_read(file, got, 4_k, I4, IGNORE, ierr)
        READS('File_read')
        call to_mine()
        call MPI_File_write_all(file, mine, 4_k, I4, status, ierr)
        WRITTEN('File_write_all')
        call to_mine()
        call MPI_File_read_all(file, got, 4_k, I4, status, ierr)
        READS('File_read_all')
        call to_mine()
        call MPI_File_iwrite(file, mine, 4_k, I4, request, ierr)
        WRITING('File_iwrite')
        call to_mine()
        call MPI_File_iread(file, got, 4_k, I4, request, ierr)
        READING('File_iread')
        call to_mine()
        call MPI_File_iwrite_all(file, mine, 4_k, I4, request, ierr)
        WRITING('File_iwrite_all')
        call to_mine()
        call MPI_File_iread_all(file, got, 4_k, I4, request, ierr)
        READING('File_iread_all')
        call to_mine()
        call MPI_File_write_all_begin(file, mine, 4_k, I4, ierr)
        WRITTEN('File_write_all_begin')
        call MPI_File_write_all_end(file, mine, IGNORE, ierr)
        call other('File_write_all_end')
        call to_mine()
        call MPI_File_read_all_begin(file, got, 4_k, I4, ierr)
        call other('File_read_all_begin')
        call MPI_File_read_all_end(file, got, IGNORE, ierr)
        READS('File_read_all_end')
    end subroutine

    subroutine to_start()
        call sync_all()
        call MPI_File_seek_shared(file, zero, MPI_SEEK_SET, ierr)
        call collective('File_seek_shared')
        call barrier()
    end subroutine

    ! All write the same, so that the order does not matter.
    subroutine by_the_shared_pointer()
        STATUS_T(status)
        mine = [1, 2, 3, 4]
        call to_start()
        call MPI_File_write_shared(file, mine, 4_k, I4, status, ierr)
        WRITTEN('File_write_shared')
        call to_start()
        call MPI_File_read_shared(file, got, 4_k, I4, status, ierr)
        READS('File_read_shared')
        call to_start()
        call MPI_File_iwrite_shared(file, mine, 4_k, I4, request, ierr)
        WRITING('File_iwrite_shared')
        call to_start()
        call MPI_File_iread_shared(file, got, 4_k, I4, request, ierr)
        READING('File_iread_shared')
        call to_start()
        call MPI_File_write_ordered(file, mine, 4_k, I4, IGNORE, ierr)
        WRITTEN('File_write_ordered')
        call to_start()
        call MPI_File_read_ordered(file, got, 4_k, I4, IGNORE, ierr)
        READS('File_read_ordered')
        call to_start()
        call MPI_File_write_ordered_begin(file, mine, 4_k, I4, ierr)
        WRITTEN('File_write_ordered_begin')
        call MPI_File_write_ordered_end(file, mine, IGNORE, ierr)
        call other('File_write_ordered_end')
        call to_start()
        call MPI_File_read_ordered_begin(file, got, 4_k, I4, ierr)
        call other('File_read_ordered_begin')
        call MPI_File_read_ordered_end(file, got, IGNORE, ierr)
        READS('File_read_ordered_end')
    end subroutine

    ! Less than was asked for.
    subroutine beyond_the_end()
        integer(MPI_OFFSET_KIND), parameter :: less = 8
        call sync_all()
        call MPI_File_set_size(file, less, ierr)
        call collective('File_set_size')
        call MPI_File_read_at(file, zero, got, 4_k, I4, IGNORE, ierr)
        call expect('File_read_at', 8, -1, 'read')
    end subroutine
end module
#endif
