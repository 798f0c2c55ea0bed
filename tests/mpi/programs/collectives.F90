! collectives.F90 - every collective of Fortran, blocking and not, and what its row must say.
!
! Each with buffers of its own and, where it may be, in place.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"
#define NOTHING MPI_DATATYPE_NULL
! In a macro's text the name of a parameter is replaced in strings, too.
#define FINISH(what, name, size, peer) call expect(name, size, peer); call MPI_Wait(request, MPI_STATUS_IGNORE, ierr); call expect('Wait', 0, -1); call show(what, in); call renew(out, in)

module all_to_all
    use rows
    implicit none
    private
    public :: collectives, nonblocking

contains

    subroutine renew(out, in)
        integer, intent(out) :: out(12), in(12)
        call fill(out)
        in = 0
        call fill(in(1:4))
    end subroutine

    subroutine collectives()
        integer, parameter :: p = 3, root = 1
        integer :: out(4 * p), in(4 * p)
        integer(k) :: counts(p), mine(p), square(p), dummy(1)
        integer(d) :: displs(p), bytes(p), mine_displs(p), mine_bytes(p), square_displs(p), square_bytes(p), &
                      nowhere(1)
        TYPE_T :: types(p)
        counts = [1, 2, 3]
        displs = [0, 1, 3]
        bytes = 4 * displs
        mine = rank + 1
        mine_displs = [0, rank + 1, 2 * (rank + 1)]
        mine_bytes = 4 * mine_displs
        square = 2
        square_displs = [0, 2, 4]
        square_bytes = 4 * square_displs
        types = MPI_INTEGER
        dummy = -1
        nowhere = -1

        call renew(out, in)
        call MPI_Bcast(out, 4_k, I4, root, W, ierr)
        call expect('Bcast', 16, root)
        call show('bcast', out)
        call renew(out, in)
        call MPI_Gather(out, 2_k, I4, in, 2_k, I4, root, W, ierr)
        call expect('Gather', 8, root)
        call show('gather', in)
        call renew(out, in)
        if (rank == root) then
            call MPI_Gather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, root, W, ierr)
            call expect('Gather', 24, root)
        else
            call MPI_Gather(out, 2_k, I4, in, -1_k, NOTHING, root, W, ierr)
            call expect('Gather', 8, root)
        end if
        call show('gather in place', in)
        call renew(out, in)
        call MPI_Gatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, root, W, ierr)
        call expect('Gatherv', 4 * (rank + 1), root)
        call show('gatherv', in)
        call renew(out, in)
        if (rank == root) then
            call MPI_Gatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, root, W, ierr)
            call expect('Gatherv', 24, root)
        else
            call MPI_Gatherv(out, int(rank + 1, k), I4, in, dummy, nowhere, NOTHING, root, W, ierr)
            call expect('Gatherv', 4 * (rank + 1), root)
        end if
        call show('gatherv in place', in)
        call renew(out, in)
        call MPI_Scatter(out, 2_k, I4, in, 2_k, I4, root, W, ierr)
        call expect('Scatter', merge(24, 8, rank == root), root)
        call show('scatter', in)
        call renew(out, in)
        if (rank == root) then
            call MPI_Scatter(out, 2_k, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, ierr)
        else
            call MPI_Scatter(out, -1_k, NOTHING, in, 2_k, I4, root, W, ierr)
        end if
        call expect('Scatter', merge(24, 8, rank == root), root)
        call show('scatter in place', in)
        call renew(out, in)
        call MPI_Scatterv(out, counts, displs, I4, in, int(rank + 1, k), I4, root, W, ierr)
        call expect('Scatterv', merge(24, 4 * (rank + 1), rank == root), root)
        call show('scatterv', in)
        call renew(out, in)
        if (rank == root) then
            call MPI_Scatterv(out, counts, displs, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, ierr)
        else
            call MPI_Scatterv(out, dummy, nowhere, NOTHING, in, int(rank + 1, k), I4, root, W, ierr)
        end if
        call expect('Scatterv', merge(24, 4 * (rank + 1), rank == root), root)
        call show('scatterv in place', in)
        call renew(out, in)
        call MPI_Allgather(out, 2_k, I4, in, 2_k, I4, W, ierr)
        call expect('Allgather', 8, -1)
        call show('allgather', in)
        call renew(out, in)
        call MPI_Allgather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, ierr)
        call expect('Allgather', 24, -1)
        call show('allgather in place', in)
        call renew(out, in)
        call MPI_Allgatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, W, ierr)
        call expect('Allgatherv', 4 * (rank + 1), -1)
        call show('allgatherv', in)
        call renew(out, in)
        call MPI_Allgatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, W, ierr)
        call expect('Allgatherv', 24, -1)
        call show('allgatherv in place', in)
        call renew(out, in)
        call MPI_Alltoall(out, 2_k, I4, in, 2_k, I4, W, ierr)
        call expect('Alltoall', 24, -1)
        call show('alltoall', in)
        call renew(out, in)
        call MPI_Alltoall(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, ierr)
        call expect('Alltoall', 24, -1)
        call show('alltoall in place', in)
        call renew(out, in)
        call MPI_Alltoallv(out, counts, displs, I4, in, mine, mine_displs, I4, W, ierr)
        call expect('Alltoallv', 24, -1)
        call show('alltoallv', in)
        call renew(out, in)
        call MPI_Alltoallv(MPI_IN_PLACE, dummy, nowhere, NOTHING, in, square, square_displs, I4, W, ierr)
        call expect('Alltoallv', 24, -1)
        call show('alltoallv in place', in)
        call renew(out, in)
        call MPI_Alltoallw(out, counts, bytes, types, in, mine, mine_bytes, types, W, ierr)
        call expect('Alltoallw', 24, -1)
        call show('alltoallw', in)
        call renew(out, in)
        call MPI_Alltoallw(MPI_IN_PLACE, dummy, nowhere, types, in, square, square_bytes, types, W, ierr)
        call expect('Alltoallw', 24, -1)
        call show('alltoallw in place', in)
        call renew(out, in)
        call MPI_Reduce(out, in, 4_k, I4, MPI_SUM, root, W, ierr)
        call expect('Reduce', 16, root)
        call show('reduce', in)
        call renew(out, in)
        if (rank == root) then
            call MPI_Reduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, root, W, ierr)
        else
            call MPI_Reduce(out, in, 4_k, I4, MPI_SUM, root, W, ierr)
        end if
        call expect('Reduce', 16, root)
        call show('reduce in place', in)
        call renew(out, in)
        call MPI_Allreduce(out, in, 4_k, I4, MPI_SUM, W, ierr)
        call expect('Allreduce', 16, -1)
        call show('allreduce', in)
        call renew(out, in)
        call MPI_Allreduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, ierr)
        call expect('Allreduce', 16, -1)
        call show('allreduce in place', in)
        call renew(out, in)
        call MPI_Reduce_scatter(out, in, counts, I4, MPI_SUM, W, ierr)
        call expect('Reduce_scatter', 24, -1)
        call show('reduce_scatter', in)
        call renew(out, in)
        call MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, I4, MPI_SUM, W, ierr)
        call expect('Reduce_scatter', 24, -1)
        call show('reduce_scatter in place', in)
        call renew(out, in)
        call MPI_Reduce_scatter_block(out, in, 2_k, I4, MPI_SUM, W, ierr)
        call expect('Reduce_scatter_block', 24, -1)
        call show('reduce_scatter_block', in)
        call renew(out, in)
        call MPI_Reduce_scatter_block(MPI_IN_PLACE, in, 2_k, I4, MPI_SUM, W, ierr)
        call expect('Reduce_scatter_block', 24, -1)
        call show('reduce_scatter_block in place', in)
        call renew(out, in)
        call MPI_Scan(out, in, 4_k, I4, MPI_SUM, W, ierr)
        call expect('Scan', 16, -1)
        call show('scan', in)
        call renew(out, in)
        call MPI_Scan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, ierr)
        call expect('Scan', 16, -1)
        call show('scan in place', in)
        call renew(out, in)
        call MPI_Exscan(out, in, 4_k, I4, MPI_SUM, W, ierr)
        call expect('Exscan', 16, -1)
        call show('exscan', in)
        call renew(out, in)
        call MPI_Exscan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, ierr)
        call expect('Exscan', 16, -1)
        call show('exscan in place', in)
    end subroutine

    subroutine nonblocking()
        integer, parameter :: p = 3, root = 1
        integer, asynchronous, save :: out(4 * p), in(4 * p)
        integer(k), asynchronous, save :: counts(p), mine(p), square(p), dummy(p)
        integer(d), asynchronous, save :: displs(p), bytes(p), mine_displs(p), mine_bytes(p), square_displs(p), &
                                          square_bytes(p), nowhere(p)
        TYPE_T, asynchronous, save :: types(p)
        REQUEST_T :: request
        counts = [1, 2, 3]
        displs = [0, 1, 3]
        bytes = 4 * displs
        mine = rank + 1
        mine_displs = [0, rank + 1, 2 * (rank + 1)]
        mine_bytes = 4 * mine_displs
        square = 2
        square_displs = [0, 2, 4]
        square_bytes = 4 * square_displs
        dummy = -1
        nowhere = -1
        types = MPI_INTEGER

        call renew(out, in)
        call MPI_Ibarrier(W, request, ierr)
        FINISH('ibarrier', 'Ibarrier', 0, -1)
        call MPI_Ibcast(in, 4_k, I4, root, W, request, ierr)
        FINISH('ibcast', 'Ibcast', 16, root)
        call MPI_Igather(out, 2_k, I4, in, 2_k, I4, root, W, request, ierr)
        FINISH('igather', 'Igather', 8, root)
        if (rank == root) then
            call MPI_Igather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, root, W, request, ierr)
        else
            call MPI_Igather(out, 2_k, I4, in, -1_k, NOTHING, root, W, request, ierr)
        end if
        FINISH('igather in place', 'Igather', merge(24, 8, rank == root), root)
        call MPI_Igatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, root, W, request, ierr)
        FINISH('igatherv', 'Igatherv', 4 * (rank + 1), root)
        if (rank == root) then
            call MPI_Igatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, root, W, request, ierr)
        else
            call MPI_Igatherv(out, int(rank + 1, k), I4, in, dummy, nowhere, NOTHING, root, W, request, ierr)
        end if
        FINISH('igatherv in place', 'Igatherv', merge(24, 4 * (rank + 1), rank == root), root)
        call MPI_Iscatter(out, 2_k, I4, in, 2_k, I4, root, W, request, ierr)
        FINISH('iscatter', 'Iscatter', merge(24, 8, rank == root), root)
        if (rank == root) then
            call MPI_Iscatter(out, 2_k, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, request, ierr)
        else
            call MPI_Iscatter(out, -1_k, NOTHING, in, 2_k, I4, root, W, request, ierr)
        end if
        FINISH('iscatter in place', 'Iscatter', merge(24, 8, rank == root), root)
        call MPI_Iscatterv(out, counts, displs, I4, in, int(rank + 1, k), I4, root, W, request, ierr)
        FINISH('iscatterv', 'Iscatterv', merge(24, 4 * (rank + 1), rank == root), root)
        if (rank == root) then
            call MPI_Iscatterv(out, counts, displs, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, request, ierr)
        else
            call MPI_Iscatterv(out, dummy, nowhere, NOTHING, in, int(rank + 1, k), I4, root, W, request, ierr)
        end if
        FINISH('iscatterv in place', 'Iscatterv', merge(24, 4 * (rank + 1), rank == root), root)
        call MPI_Iallgather(out, 2_k, I4, in, 2_k, I4, W, request, ierr)
        FINISH('iallgather', 'Iallgather', 8, -1)
        call MPI_Iallgather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, request, ierr)
        FINISH('iallgather in place', 'Iallgather', 24, -1)
        call MPI_Iallgatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, W, request, ierr)
        FINISH('iallgatherv', 'Iallgatherv', 4 * (rank + 1), -1)
        call MPI_Iallgatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, W, request, ierr)
        FINISH('iallgatherv in place', 'Iallgatherv', 24, -1)
        call MPI_Ialltoall(out, 2_k, I4, in, 2_k, I4, W, request, ierr)
        FINISH('ialltoall', 'Ialltoall', 24, -1)
        call MPI_Ialltoall(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, request, ierr)
        FINISH('ialltoall in place', 'Ialltoall', 24, -1)
        call MPI_Ialltoallv(out, counts, displs, I4, in, mine, mine_displs, I4, W, request, ierr)
        FINISH('ialltoallv', 'Ialltoallv', 24, -1)
        call MPI_Ialltoallv(MPI_IN_PLACE, dummy, nowhere, NOTHING, in, square, square_displs, I4, W, request, ierr)
        FINISH('ialltoallv in place', 'Ialltoallv', 24, -1)
        call MPI_Ialltoallw(out, counts, bytes, types, in, mine, mine_bytes, types, W, request, ierr)
        FINISH('ialltoallw', 'Ialltoallw', 24, -1)
        call MPI_Ialltoallw(MPI_IN_PLACE, dummy, nowhere, types, in, square, square_bytes, types, W, request, ierr)
        FINISH('ialltoallw in place', 'Ialltoallw', 24, -1)
        call MPI_Ireduce(out, in, 4_k, I4, MPI_SUM, root, W, request, ierr)
        FINISH('ireduce', 'Ireduce', 16, root)
        if (rank == root) then
            call MPI_Ireduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, root, W, request, ierr)
        else
            call MPI_Ireduce(out, in, 4_k, I4, MPI_SUM, root, W, request, ierr)
        end if
        FINISH('ireduce in place', 'Ireduce', 16, root)
        call MPI_Iallreduce(out, in, 4_k, I4, MPI_SUM, W, request, ierr)
        FINISH('iallreduce', 'Iallreduce', 16, -1)
        call MPI_Iallreduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, request, ierr)
        FINISH('iallreduce in place', 'Iallreduce', 16, -1)
        call MPI_Ireduce_scatter(out, in, counts, I4, MPI_SUM, W, request, ierr)
        FINISH('ireduce_scatter', 'Ireduce_scatter', 24, -1)
        call MPI_Ireduce_scatter(MPI_IN_PLACE, in, counts, I4, MPI_SUM, W, request, ierr)
        FINISH('ireduce_scatter in place', 'Ireduce_scatter', 24, -1)
        call MPI_Ireduce_scatter_block(out, in, 2_k, I4, MPI_SUM, W, request, ierr)
        FINISH('ireduce_scatter_block', 'Ireduce_scatter_block', 24, -1)
        call MPI_Ireduce_scatter_block(MPI_IN_PLACE, in, 2_k, I4, MPI_SUM, W, request, ierr)
        FINISH('ireduce_scatter_block in place', 'Ireduce_scatter_block', 24, -1)
        call MPI_Iscan(out, in, 4_k, I4, MPI_SUM, W, request, ierr)
        FINISH('iscan', 'Iscan', 16, -1)
        call MPI_Iscan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, request, ierr)
        FINISH('iscan in place', 'Iscan', 16, -1)
        call MPI_Iexscan(out, in, 4_k, I4, MPI_SUM, W, request, ierr)
        FINISH('iexscan', 'Iexscan', 16, -1)
        call MPI_Iexscan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, request, ierr)
        FINISH('iexscan in place', 'Iexscan', 16, -1)
    end subroutine
end module
