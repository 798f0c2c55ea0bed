! windows.F90 - every one-sided call of Fortran, and what its row must say. As rma.c.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"

module windows
    use rows
    implicit none
    private
    public :: one_sided
    integer, asynchronous, save :: memory(8)

contains

    subroutine one_sided()
        call fences()
        call locks()
        call requests()
        call groups()
        call allocated()
    end subroutine

    subroutine create(window)
        WIN_T, intent(out) :: window
        memory = 0
        call MPI_Win_create(memory, 32_a, 4_d, MPI_INFO_NULL, W, window, ierr)
        call collective('Win_create')
    end subroutine

    subroutine free_window(window)
        WIN_T, intent(inout) :: window
        call MPI_Win_free(window, ierr)
        call collective('Win_free')
    end subroutine

    subroutine fence(window)
        WIN_T, intent(in) :: window
        call MPI_Win_fence(0, window, ierr)
        call collective('Win_fence')
    end subroutine

    subroutine flush(window)
        WIN_T, intent(in) :: window
        call MPI_Win_flush_all(window, ierr)
        call other('Win_flush_all')
    end subroutine

    subroutine fences()
        WIN_T :: window
        INFO_T :: info
        call fresh()
        call create(window)
        call MPI_Info_create(info, ierr)
        call MPI_Win_set_info(window, info, ierr)
        call collective('Win_set_info')
        call MPI_Info_free(info, ierr)
        call fence(window)
        call MPI_Put(out, 4_k, I4, right, 0_a, 4_k, I4, window, ierr)
        call expect('Put', 16, right, 'remote')
        call MPI_Put(out, 4_k, I4, MPI_PROC_NULL, 0_a, 4_k, I4, window, ierr)
        call other('Put')
        call fence(window)
        call MPI_Accumulate(out, 2_k, I4, right, 0_a, 2_k, I4, MPI_SUM, window, ierr)
        call expect('Accumulate', 8, right, 'remote')
        call fence(window)
        call MPI_Get(in, 3_k, I4, right, 0_a, 3_k, I4, window, ierr)
        call expect('Get', 12, right, 'remote')
        call fence(window)
        call free_window(window)
        call show('put', memory)
        call show('got', in)
    end subroutine

    subroutine locks()
        WIN_T :: window
        integer, asynchronous, save :: old, nothing
        call fresh()
        nothing = 0
        call create(window)
        call barrier()
        call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window, ierr)
        call expect('Win_lock', 0, right, '-')
        call MPI_Put(out, 4_k, I4, right, 0_a, 4_k, I4, window, ierr)
        call expect('Put', 16, right, 'remote')
        call MPI_Win_flush(right, window, ierr)
        call expect('Win_flush', 0, right, '-')
        call MPI_Win_flush_local(right, window, ierr)
        call expect('Win_flush_local', 0, right, '-')
        call MPI_Win_sync(window, ierr)
        call other('Win_sync')
        call MPI_Win_unlock(right, window, ierr)
        call expect('Win_unlock', 0, right, '-')
        call barrier()
        call MPI_Win_lock_all(0, window, ierr)
        call other('Win_lock_all')
        call MPI_Get_accumulate(out, 2_k, I4, in, 2_k, I4, right, 0_a, 2_k, I4, MPI_SUM, window, ierr)
        call expect('Get_accumulate', 8, right, 'remote')
        call flush(window)
        call MPI_Win_flush_local_all(window, ierr)
        call other('Win_flush_local_all')
        call MPI_Fetch_and_op(out, old, I4, right, 5_a, MPI_SUM, window, ierr)
        call expect('Fetch_and_op', 4, right, 'remote')
        call flush(window)
        call show('old', [old])
        call MPI_Compare_and_swap(out(2), nothing, old, I4, right, 6_a, window, ierr)
        call expect('Compare_and_swap', 4, right, 'remote')
        call flush(window)
        call show('old', [old])
        call MPI_Win_unlock_all(window, ierr)
        call other('Win_unlock_all')
        call barrier()
        call show('before', in)
        call show('locked', memory)
        call free_window(window)
    end subroutine

    subroutine requests()
        WIN_T :: window
        REQUEST_T :: request
        call fresh()
        call create(window)
        call barrier()
        call MPI_Win_lock_all(0, window, ierr)
        call other('Win_lock_all')
        call MPI_Rput(out, 4_k, I4, right, 0_a, 4_k, I4, window, request, ierr)
        call expect('Rput', 16, right, 'remote')
        call wait_for(request)
        call flush(window)
        call MPI_Raccumulate(out, 2_k, I4, right, 0_a, 2_k, I4, MPI_SUM, window, request, ierr)
        call expect('Raccumulate', 8, right, 'remote')
        call wait_for(request)
        call flush(window)
        call MPI_Rget_accumulate(out, 1_k, I4, in, 1_k, I4, right, 1_a, 1_k, I4, MPI_SUM, window, request, ierr)
        call expect('Rget_accumulate', 4, right, 'remote')
        call wait_for(request)
        call flush(window)
        call MPI_Rget(in(2:3), 2_k, I4, right, 0_a, 2_k, I4, window, request, ierr)
        call expect('Rget', 8, right, 'remote')
        call wait_for(request)
        call MPI_Win_unlock_all(window, ierr)
        call other('Win_unlock_all')
        call barrier()
        call show('requested', in)
        call show('window', memory)
        call free_window(window)
    end subroutine

    ! Post, start, complete; then a wait, then a test.
    subroutine groups()
        WIN_T :: window
        GROUP_T :: world, to, from
        integer :: round
        logical :: flag
        call fresh()
        call create(window)
        call MPI_Comm_group(W, world, ierr)
        call MPI_Group_incl(world, 1, [right], to, ierr)
        call MPI_Group_incl(world, 1, [left], from, ierr)
        do round = 1, 2
            call MPI_Win_post(from, 0, window, ierr)
            call other('Win_post')
            call MPI_Win_start(to, 0, window, ierr)
            call other('Win_start')
            call MPI_Put(out, int(round, k), I4, right, 4_a, int(round, k), I4, window, ierr)
            call expect('Put', 4 * round, right, 'remote')
            call MPI_Win_complete(window, ierr)
            call other('Win_complete')
            flag = round == 1
            if (flag) then
                call MPI_Win_wait(window, ierr)
                call other('Win_wait')
            end if
            do while (.not. flag)
                call MPI_Win_test(window, flag, ierr)
                call other('Win_test')
            end do
        end do
        call show('posted', memory)
        call MPI_Group_free(world, ierr)
        call MPI_Group_free(to, ierr)
        call MPI_Group_free(from, ierr)
        call free_window(window)
    end subroutine

    ! Memory that MPI finds: its address is a C pointer, or an integer, or in the module mpi
    ! either, under symbols of their own.
    subroutine allocated()
        WIN_T :: window
        type(c_ptr) :: pointer
#ifndef USE_F08
        integer(MPI_ADDRESS_KIND) :: address
        call MPI_Win_allocate(16_a, 4_d, MPI_INFO_NULL, W, address, window, ierr)
        call collective('Win_allocate')
        call use_memory(window, transfer(address, c_null_ptr))
        call MPI_Win_allocate_shared(16_a, 4_d, MPI_INFO_NULL, W, address, window, ierr)
        call collective('Win_allocate_shared')
        call use_memory(window, transfer(address, c_null_ptr))
#endif
#ifndef MPIFH
        call MPI_Win_allocate(16_a, 4_d, MPI_INFO_NULL, W, pointer, window, ierr)
        call collective('Win_allocate')
        call use_memory(window, pointer)
        call MPI_Win_allocate_shared(16_a, 4_d, MPI_INFO_NULL, W, pointer, window, ierr)
        call collective('Win_allocate_shared')
        call use_memory(window, pointer)
#endif
        call MPI_Win_create_dynamic(MPI_INFO_NULL, W, window, ierr)
        call collective('Win_create_dynamic')
        call free_window(window)
    end subroutine

    subroutine use_memory(window, pointer)
        WIN_T, intent(inout) :: window
        type(c_ptr), intent(in) :: pointer
        integer, pointer :: values(:)
        call c_f_pointer(pointer, values, [4])
        values = 0
        call fence(window)
        call MPI_Put(out, 3_k, I4, right, 1_a, 3_k, I4, window, ierr)
        call expect('Put', 12, right, 'remote')
        call fence(window)
        call show('allocated', values)
        call free_window(window)
    end subroutine
end module
