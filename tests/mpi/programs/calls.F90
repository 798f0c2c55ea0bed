! calls.F90 - every recorded call of a Fortran program, and what its row must say.
!
! As calls.c; see rows.F90 and fortran.h. 3 ranks. What is not here is in every.F90 and
! processes.F90.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"

program calls
    use rows
    use all_to_all
    implicit none
    call MPI_Init(ierr)
    call start()
    call expect('Init', 0, -1)
    call point_to_point()
    call completions()
    call persistent()
    call collectives()
    call nonblocking()
    call sections()
    call communicators()
    call finish()

contains

    subroutine point_to_point()
        integer :: out(8), in(8)
        integer(k) :: bytes
        integer, save :: room(1000)
#ifdef USE_F08
        type(c_ptr) :: detached
#else
        integer :: detached(1000)
#endif
        logical :: flag
        STATUS_T(status)
        REQUEST_T :: waiting(3), request
        MESSAGE_T :: message

        call fill(out)
        in = 0
        call MPI_Buffer_attach(room, 4000_k, ierr)
        call expect('Buffer_attach', 0, -1)
        call MPI_Irecv(in(1), 1_k, MPI_INTEGER, left, 1, MPI_COMM_WORLD, waiting(1), ierr)
        call expect('Irecv', 0, left)
        call MPI_Irecv(in(2), 2_k, MPI_INTEGER, left, 2, MPI_COMM_WORLD, waiting(2), ierr)
        call expect('Irecv', 0, left)
        call MPI_Irecv(in(4), 5_k, MPI_INTEGER, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, waiting(3), ierr)
        call expect('Irecv', 0, -1)
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
        call expect('Barrier', 0, -1)
        call MPI_Bsend(out, 1_k, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
        call expect('Bsend', 4, right)
        call MPI_Rsend(out, 2_k, MPI_INTEGER, right, 2, MPI_COMM_WORLD, ierr)
        call expect('Rsend', 8, right)
        call MPI_Ssend(out, 3_k, MPI_INTEGER, right, 3, MPI_COMM_WORLD, ierr)
        call expect('Ssend', 12, right)
        call MPI_Waitall(3, waiting, MPI_STATUSES_IGNORE, ierr)
        call expect('Waitall', 24, left)
        call show('ring', in)

        call MPI_Isend(out, 5_k, MPI_INTEGER, right, 0, MPI_COMM_WORLD, waiting(1), ierr)
        call expect('Isend', 20, right)
        call MPI_Ibsend(out, 1_k, MPI_INTEGER, right, 0, MPI_COMM_WORLD, waiting(2), ierr)
        call expect('Ibsend', 4, right)
        call MPI_Issend(out, 2_k, MPI_INTEGER, right, 2, MPI_COMM_WORLD, waiting(3), ierr)
        call expect('Issend', 8, right)
        call MPI_Recv(in, 8_k, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call expect('Recv', 20, left)
        call MPI_Recv(in, 8_k, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
        call expect('Recv', 4, left)
        call MPI_Irecv(in, 8_k, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, request, ierr)
        call expect('Irecv', 0, -1)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 8, left)
        call MPI_Waitall(3, waiting, MPI_STATUSES_IGNORE, ierr)
        call expect('Waitall', 0, -1)
        call show('in', in)
        call MPI_Irecv(in, 8_k, MPI_INTEGER, left, 4, MPI_COMM_WORLD, request, ierr)
        call expect('Irecv', 0, left)
        call MPI_Barrier(MPI_COMM_WORLD, ierr)
        call expect('Barrier', 0, -1)
        call MPI_Irsend(out, 3_k, MPI_INTEGER, right, 4, MPI_COMM_WORLD, waiting(1), ierr)
        call expect('Irsend', 12, right)
        call MPI_Wait(waiting(1), status, ierr)
        call expect('Wait', 0, -1)
        call MPI_Wait(request, status, ierr)
        call expect('Wait', 12, left)
        call MPI_Send(out, 8_k, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, ierr)
        call expect('Send', 0, -1)

        call MPI_Sendrecv(out, 6_k, MPI_INTEGER, right, 0, in, 8_k, MPI_INTEGER, left, 0, MPI_COMM_WORLD, &
                          MPI_STATUS_IGNORE, ierr)
        call expect('Sendrecv', 24, right)
        call MPI_Sendrecv_replace(in, 6_k, MPI_INTEGER, right, 0, left, 0, MPI_COMM_WORLD, status, ierr)
        call expect('Sendrecv_replace', 24, right)
        call show('sendrecv', in)

        call MPI_Isend(out, 3_k, MPI_INTEGER, right, 5, MPI_COMM_WORLD, request, ierr)
        call expect('Isend', 12, right)
        call MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, status, ierr)
        call expect('Probe', 0, left)
        call MPI_Iprobe(left, 5, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE, ierr)
        call expect('Iprobe', 0, left)
        call MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, message, status, ierr)
        call expect('Mprobe', 0, left)
        call MPI_Mrecv(in, 8_k, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierr)
        call expect('Mrecv', 12, left)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 0, -1)
        call MPI_Isend(out, 2_k, MPI_INTEGER, right, 6, MPI_COMM_WORLD, waiting(1), ierr)
        call expect('Isend', 8, right)
        flag = .false.
        do while (.not. flag)
            call MPI_Improbe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, flag, message, status, ierr)
            call expect('Improbe', 0, merge(left, -1, flag))
        end do
        call MPI_Imrecv(in, 8_k, MPI_INTEGER, message, request, ierr)
        call expect('Imrecv', 0, left)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 8, left)
        call MPI_Wait(waiting(1), MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 0, -1)
        call show('probed', in)
        call MPI_Buffer_detach(detached, bytes, ierr)
        call expect('Buffer_detach', 0, -1)
    end subroutine

    subroutine completions()
        integer, parameter :: n = 10
        integer :: out(4), in(4, n), indices(n), at, done, left_over, i, round, count, off
        logical :: flag
        REQUEST_T :: request(n), sends(n)
        STATUSES_T(statuses, n)
        STATUS_T(status)

        call fill(out)
        in = 0
        ! mpi_f08 of MPICH 4.0 counts these indices from 0.
        call MPI_Irecv(in, 1_k, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request(1), ierr)
        call expect('Irecv', 0, -1)
        call MPI_Waitany(1, request, at, MPI_STATUS_IGNORE, ierr)
        call expect('Waitany', 0, -1)
        off = 1 - at
        do round = 0, 6
            count = merge(1, n, round < 2)
            do i = 1, count
                call MPI_Irecv(in(1, i), 4_k, MPI_INTEGER, left, i, MPI_COMM_WORLD, request(i), ierr)
                call expect('Irecv', 0, left)
            end do
            do i = 1, count
                call MPI_Isend(out, int(bytes_of(i) / 4, k), MPI_INTEGER, right, i, MPI_COMM_WORLD, sends(i), ierr)
                call expect('Isend', bytes_of(i), right)
            end do
            flag = .false.
            left_over = n
            select case (round)
            case (0)
                do while (.not. flag)
                    call MPI_Test(request(1), flag, MPI_STATUS_IGNORE, ierr)
                    call expect('Test', merge(4, 0, flag), merge(left, -1, flag))
                end do
            case (1)
                do while (.not. flag)
                    call MPI_Test(request(1), flag, status, ierr)
                    call expect('Test', merge(4, 0, flag), merge(left, -1, flag))
                end do
            case (2)
                do while (.not. flag)
                    call MPI_Testall(n, request, flag, MPI_STATUSES_IGNORE, ierr)
                    call expect('Testall', merge(92, 0, flag), merge(left, -1, flag))
                end do
            case (3)
                do i = 1, n
                    call MPI_Waitany(n, request, at, MPI_STATUS_IGNORE, ierr)
                    call expect('Waitany', bytes_of(at + off), left)
                end do
                call MPI_Waitany(n, request, at, status, ierr)
                call expect('Waitany', 0, -1)
            case (4)
                do while (left_over > 0)
                    call MPI_Waitsome(n, request, done, indices, MPI_STATUSES_IGNORE, ierr)
                    call expect('Waitsome', sum([(bytes_of(indices(i) + off), i=1, done)]), &
                                merge(left, -1, done > 0))
                    left_over = left_over - done
                end do
            case (5)
                do while (left_over > 0)
                    call MPI_Testany(n, request, at, flag, status, ierr)
                    if (flag) then
                        call expect('Testany', bytes_of(at + off), left)
                        left_over = left_over - 1
                    else
                        call expect('Testany', 0, -1)
                    end if
                end do
            case (6)
                do while (left_over > 0)
                    call MPI_Testsome(n, request, done, indices, statuses, ierr)
                    call expect('Testsome', sum([(bytes_of(indices(i) + off), i=1, done)]), &
                                merge(left, -1, done > 0))
                    left_over = left_over - done
                end do
            end select
            call MPI_Waitall(count, sends, MPI_STATUSES_IGNORE, ierr)
            call expect('Waitall', 0, -1)
        end do
        call show('completed', reshape(in, [4 * n]))
        call MPI_Irecv(in(1, 1), 4_k, MPI_INTEGER, left, 99, MPI_COMM_WORLD, request(1), ierr)
        call expect('Irecv', 0, left)
        call MPI_Cancel(request(1), ierr)
        call expect('Cancel', 0, -1)
        call MPI_Wait(request(1), status, ierr)
        call expect('Wait', 0, left)
    end subroutine

    pure integer function bytes_of(i)
        integer, intent(in) :: i
        bytes_of = 4 * (1 + modulo(i - 1, 4))
    end function

    subroutine persistent()
        integer :: out(4), in(4, 2), i
        REQUEST_T :: request(6)
        call fill(out)
        in = 0
        call MPI_Send_init(out, 3_k, MPI_INTEGER, right, 0, MPI_COMM_WORLD, request(1), ierr)
        call expect('Send_init', 0, right)
        call MPI_Recv_init(in(1, 1), 4_k, MPI_INTEGER, left, 0, MPI_COMM_WORLD, request(2), ierr)
        call expect('Recv_init', 0, left)
        call MPI_Ssend_init(out, 2_k, MPI_INTEGER, right, 1, MPI_COMM_WORLD, request(3), ierr)
        call expect('Ssend_init', 0, right)
        call MPI_Recv_init(in(1, 2), 4_k, MPI_INTEGER, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, request(4), ierr)
        call expect('Recv_init', 0, -1)
        do i = 1, 3
            call MPI_Startall(2, request, ierr)
            call expect('Startall', 12, right)
            call MPI_Waitall(2, request, MPI_STATUSES_IGNORE, ierr)
            call expect('Waitall', 12, left)
            call MPI_Start(request(4), ierr)
            call expect('Start', 0, -1)
            call MPI_Start(request(3), ierr)
            call expect('Start', 8, right)
            call MPI_Wait(request(3), MPI_STATUS_IGNORE, ierr)
            call expect('Wait', 0, -1)
            call MPI_Wait(request(4), MPI_STATUS_IGNORE, ierr)
            call expect('Wait', 8, left)
        end do
        call MPI_Bsend_init(out, 1_k, MPI_INTEGER, right, 2, MPI_COMM_WORLD, request(5), ierr)
        call expect('Bsend_init', 0, right)
        call MPI_Rsend_init(out, 1_k, MPI_INTEGER, right, 3, MPI_COMM_WORLD, request(6), ierr)
        call expect('Rsend_init', 0, right)
        do i = 1, 6
            call MPI_Request_free(request(i), ierr)
            call expect('Request_free', 0, -1)
        end do
        call show('persistent', reshape(in, [8]))
    end subroutine

    ! Array sections that are not contiguous, an absolute address, an empty message.
    subroutine sections()
        double precision, save :: matrix(5, 4)
        TYPE_T :: there
        integer(kind=MPI_ADDRESS_KIND) :: address(1)
        integer :: i, one(1)
        matrix = reshape([(20d0 * rank + i, i=1, 20)], [5, 4])
        call MPI_Sendrecv(matrix(2, :), 4_k, MPI_DOUBLE_PRECISION, right, 0, matrix(5, :), 4_k, &
                          MPI_DOUBLE_PRECISION, left, 0, W, MPI_STATUS_IGNORE, ierr)
        call expect('Sendrecv', 32, right)
        call MPI_Bcast(matrix(1:5:2, 1:4:2), 6_k, MPI_DOUBLE_PRECISION, 2, W, ierr)
        call expect('Bcast', 48, 2)
        call MPI_Allreduce(MPI_IN_PLACE, matrix(2:4, 3), 3_k, MPI_DOUBLE_PRECISION, MPI_MAX, W, ierr)
        call expect('Allreduce', 24, -1)
        call MPI_Get_address(matrix(1, 4), address(1), ierr)
        one = 3
        call MPI_Type_create_hindexed(1, one, address, MPI_DOUBLE_PRECISION, there, ierr)
        call MPI_Type_commit(there, ierr)
        call MPI_Bcast(MPI_BOTTOM, 1_k, there, 1, W, ierr)
        call expect('Bcast', 24, 1)
        call MPI_Sendrecv(MPI_BOTTOM, 1_k, there, right, 1, matrix, 3_k, MPI_DOUBLE_PRECISION, left, 1, W, &
                          MPI_STATUS_IGNORE, ierr)
        call expect('Sendrecv', 24, right)
        call MPI_Type_free(there, ierr)
        call MPI_Bcast(matrix, 0_k, MPI_DOUBLE_PRECISION, 0, W, ierr)
        call expect('Bcast', 0, 0)
        write (received, '(a,*(1x,f0.3))') 'matrix', matrix
    end subroutine

    subroutine communicators()
        COMM_T :: copy, half, made, grid, line, graph, dist, inter, merged, shared
        GROUP_T :: group, part
        REQUEST_T :: request
        integer :: value, got, i
        character(len=MPI_MAX_OBJECT_NAME) :: name
        integer :: length

        value = rank
        got = -1
        call MPI_Comm_dup(W, copy, ierr)
        call expect('Comm_dup', 0, -1)
        call MPI_Comm_set_name(copy, 'a copy', ierr)
        call expect('Comm_set_name', 0, -1)
        call MPI_Comm_get_name(copy, name, length, ierr)
        write (received, '(a,i0)') name(1:length), length
        call MPI_Comm_idup(W, made, request, ierr)
        call expect('Comm_idup', 0, -1)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 0, -1)
        call MPI_Comm_free(made, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, made, ierr)
        call expect('Comm_dup_with_info', 0, -1)
        call MPI_Comm_disconnect(made, ierr)
        call expect('Comm_disconnect', 0, -1)

        do i = 1, 20
            call MPI_Comm_split(W, 0, merge(-rank, rank, modulo(i, 2) == 0), half, ierr)
            call expect('Comm_split', 0, -1)
            call MPI_Bcast(value, 1_k, I4, 0, half, ierr)
            call expect('Bcast', 4, merge(2, 0, modulo(i, 2) == 0))
            call MPI_Comm_free(half, ierr)
            call expect('Comm_free', 0, -1)
        end do
        call MPI_Comm_split(W, 0, -rank, half, ierr)
        call expect('Comm_split', 0, -1)
        call MPI_Irecv(got, 1_k, I4, MPI_ANY_SOURCE, 0, half, request, ierr)
        call expect('Irecv', 0, -1)
        call MPI_Send(value, 1_k, I4, modulo(2 - rank + 1, 3), 0, half, ierr)
        call expect('Send', 4, left)
        call MPI_Comm_free(half, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
        call expect('Wait', 4, right)
        call MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, shared, ierr)
        call expect('Comm_split_type', 0, -1)
        call MPI_Comm_free(shared, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Comm_group(W, group, ierr)
        call MPI_Group_incl(group, 2, [2, 1], part, ierr)
        call MPI_Comm_create(W, part, made, ierr)
        call expect('Comm_create', 0, -1)
        if (rank > 0) then
            call MPI_Bcast(value, 1_k, I4, 1, made, ierr)
            call expect('Bcast', 4, 1)
            call MPI_Comm_free(made, ierr)
            call expect('Comm_free', 0, -1)
            call MPI_Comm_create_group(W, part, 7, made, ierr)
            call expect('Comm_create_group', 0, -1)
            call MPI_Comm_free(made, ierr)
            call expect('Comm_free', 0, -1)
        end if
        call MPI_Cart_create(W, 2, [3, 1], [.true., .false.], .false., grid, ierr)
        call expect('Cart_create', 0, -1)
        call MPI_Cart_sub(grid, [.true., .false.], line, ierr)
        call expect('Cart_sub', 0, -1)
        call MPI_Comm_free(line, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Comm_free(grid, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Graph_create(W, 3, [1, 2, 3], [1, 2, 0], .false., graph, ierr)
        call expect('Graph_create', 0, -1)
        call MPI_Comm_free(graph, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Dist_graph_create(W, 1, [rank], [1], [right], [1], MPI_INFO_NULL, .false., dist, ierr)
        call expect('Dist_graph_create', 0, -1)
        call MPI_Comm_free(dist, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Dist_graph_create_adjacent(W, 1, [left], [1], 1, [right], [1], MPI_INFO_NULL, .false., &
                                            dist, ierr)
        call expect('Dist_graph_create_adjacent', 0, -1)
        call MPI_Comm_free(dist, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Comm_split(copy, merge(1, 0, rank > 0), rank, half, ierr)
        call expect('Comm_split', 0, -1)
        call MPI_Intercomm_create(half, 0, W, merge(0, 1, rank > 0), 3, inter, ierr)
        call expect('Intercomm_create', 0, -1)
        if (rank == 0) then
            call MPI_Bcast(value, 1_k, I4, 1, inter, ierr)
            call expect('Bcast', 4, 2)
        else
            call MPI_Bcast(value, 1_k, I4, merge(MPI_ROOT, MPI_PROC_NULL, rank == 2), inter, ierr)
            call expect('Bcast', merge(4, 0, rank == 2), -1)
        end if
        call MPI_Intercomm_merge(inter, rank > 0, merged, ierr)
        call expect('Intercomm_merge', 0, -1)
        call MPI_Comm_free(merged, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Comm_free(inter, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Comm_free(half, ierr)
        call expect('Comm_free', 0, -1)
        call MPI_Bcast(value, 1_k, I4, 0, MPI_COMM_SELF, ierr)
        call expect('Bcast', 4, rank)
#ifdef USE_F08
        call MPI_Comm_free(copy) ! ierror is optional
#else
        call MPI_Comm_free(copy, ierr)
#endif
        call expect('Comm_free', 0, -1)
        write (received, '(a,2(1x,i0))') 'values', value, got

        call MPI_Pcontrol(0)
        call MPI_Barrier(W, ierr)
        call MPI_Pcontrol(1)
        call MPI_Barrier(W, ierr)
        call expect('Barrier', 0, -1)
    end subroutine
end program
