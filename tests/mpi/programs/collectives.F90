! collectives.F90 - every collective of Fortran, blocking and not, and what its row must say.
!
! Each with buffers of its own and, where it may be, in place.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"
#define NOTHING MPI_DATATYPE_NULL

module all_to_all
    use rows
    implicit none
    private
    public :: collectives, nonblocking
    integer, parameter :: root = 1
    integer(k), asynchronous, save :: counts(p), mine(p), square(p), dummy(p)
    integer(d), asynchronous, save :: displs(p), bytes(p), mine_displs(p), mine_bytes(p), square_displs(p), &
                                      square_bytes(p), nowhere(p)
    TYPE_T, asynchronous, save :: types(p)
    REQUEST_T :: request

contains

    subroutine arrange()
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
        call renew()
    end subroutine

    ! For those in place, too.
    subroutine renew()
        call fresh()
        call fill(in(1:4))
    end subroutine

    subroutine done(what, name, size, peer)
        character(len=*), intent(in) :: what, name
        integer, intent(in) :: size, peer
        call expect(name, size, peer)
        call show(what, in)
        call renew()
    end subroutine

    subroutine completed(what, name, size, peer)
        character(len=*), intent(in) :: what, name
        integer, intent(in) :: size, peer
        call expect(name, size, peer)
        call wait_for(request)
        call show(what, in)
        call renew()
    end subroutine

    subroutine collectives()
        call arrange()
        call MPI_Bcast(in, 4_k, I4, root, W, ierr)
        call done('bcast', 'Bcast', 16, root)
        call MPI_Gather(out, 2_k, I4, in, 2_k, I4, root, W, ierr)
        call done('gather', 'Gather', 8, root)
        if (rank == root) then
            call MPI_Gather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, root, W, ierr)
        else
            call MPI_Gather(out, 2_k, I4, in, -1_k, NOTHING, root, W, ierr)
        end if
        call done('gather in place', 'Gather', merge(24, 8, rank == root), root)
        call MPI_Gatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, root, W, ierr)
        call done('gatherv', 'Gatherv', 4 * (rank + 1), root)
        if (rank == root) then
            call MPI_Gatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, root, W, ierr)
        else
            call MPI_Gatherv(out, int(rank + 1, k), I4, in, dummy, nowhere, NOTHING, root, W, ierr)
        end if
        call done('gatherv in place', 'Gatherv', merge(24, 4 * (rank + 1), rank == root), root)
        call MPI_Scatter(out, 2_k, I4, in, 2_k, I4, root, W, ierr)
        call done('scatter', 'Scatter', merge(24, 8, rank == root), root)
        if (rank == root) then
            call MPI_Scatter(out, 2_k, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, ierr)
        else
            call MPI_Scatter(out, -1_k, NOTHING, in, 2_k, I4, root, W, ierr)
        end if
        call done('scatter in place', 'Scatter', merge(24, 8, rank == root), root)
        call MPI_Scatterv(out, counts, displs, I4, in, int(rank + 1, k), I4, root, W, ierr)
        call done('scatterv', 'Scatterv', merge(24, 4 * (rank + 1), rank == root), root)
        if (rank == root) then
            call MPI_Scatterv(out, counts, displs, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, ierr)
        else
            call MPI_Scatterv(out, dummy, nowhere, NOTHING, in, int(rank + 1, k), I4, root, W, ierr)
        end if
        call done('scatterv in place', 'Scatterv', merge(24, 4 * (rank + 1), rank == root), root)
        call MPI_Allgather(out, 2_k, I4, in, 2_k, I4, W, ierr)
        call done('allgather', 'Allgather', 8, -1)
        call MPI_Allgather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, ierr)
        call done('allgather in place', 'Allgather', 24, -1)
        call MPI_Allgatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, W, ierr)
        call done('allgatherv', 'Allgatherv', 4 * (rank + 1), -1)
        call MPI_Allgatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, W, ierr)
        call done('allgatherv in place', 'Allgatherv', 24, -1)
        call MPI_Alltoall(out, 2_k, I4, in, 2_k, I4, W, ierr)
        call done('alltoall', 'Alltoall', 24, -1)
        call MPI_Alltoall(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, ierr)
        call done('alltoall in place', 'Alltoall', 24, -1)
        call MPI_Alltoallv(out, counts, displs, I4, in, mine, mine_displs, I4, W, ierr)
        call done('alltoallv', 'Alltoallv', 24, -1)
        call MPI_Alltoallv(MPI_IN_PLACE, dummy, nowhere, NOTHING, in, square, square_displs, I4, W, ierr)
        call done('alltoallv in place', 'Alltoallv', 24, -1)
        call MPI_Alltoallw(out, counts, bytes, types, in, mine, mine_bytes, types, W, ierr)
        call done('alltoallw', 'Alltoallw', 24, -1)
        call MPI_Alltoallw(MPI_IN_PLACE, dummy, nowhere, types, in, square, square_bytes, types, W, ierr)
        call done('alltoallw in place', 'Alltoallw', 24, -1)
        call MPI_Reduce(out, in, 4_k, I4, MPI_SUM, root, W, ierr)
        call done('reduce', 'Reduce', 16, root)
        if (rank == root) then
            call MPI_Reduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, root, W, ierr)
        else
            call MPI_Reduce(out, in, 4_k, I4, MPI_SUM, root, W, ierr)
        end if
        call done('reduce in place', 'Reduce', 16, root)
        call MPI_Allreduce(out, in, 4_k, I4, MPI_SUM, W, ierr)
        call done('allreduce', 'Allreduce', 16, -1)
        call MPI_Allreduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, ierr)
        call done('allreduce in place', 'Allreduce', 16, -1)
        call MPI_Reduce_scatter(out, in, counts, I4, MPI_SUM, W, ierr)
        call done('reduce_scatter', 'Reduce_scatter', 24, -1)
        call MPI_Reduce_scatter(MPI_IN_PLACE, in, counts, I4, MPI_SUM, W, ierr)
        call done('reduce_scatter in place', 'Reduce_scatter', 24, -1)
        call MPI_Reduce_scatter_block(out, in, 2_k, I4, MPI_SUM, W, ierr)
        call done('reduce_scatter_block', 'Reduce_scatter_block', 24, -1)
        call MPI_Reduce_scatter_block(MPI_IN_PLACE, in, 2_k, I4, MPI_SUM, W, ierr)
        call done('reduce_scatter_block in place', 'Reduce_scatter_block', 24, -1)
        call MPI_Scan(out, in, 4_k, I4, MPI_SUM, W, ierr)
        call done('scan', 'Scan', 16, -1)
        call MPI_Scan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, ierr)
        call done('scan in place', 'Scan', 16, -1)
        call MPI_Exscan(out, in, 4_k, I4, MPI_SUM, W, ierr)
        call done('exscan', 'Exscan', 16, -1)
        call MPI_Exscan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, ierr)
        call done('exscan in place', 'Exscan', 16, -1)
    end subroutine

    subroutine nonblocking()
        call arrange()
        call MPI_Ibarrier(W, request, ierr)
        call completed('ibarrier', 'Ibarrier', 0, -1)
        call MPI_Ibcast(in, 4_k, I4, root, W, request, ierr)
        call completed('ibcast', 'Ibcast', 16, root)
        call MPI_Igather(out, 2_k, I4, in, 2_k, I4, root, W, request, ierr)
        call completed('igather', 'Igather', 8, root)
        if (rank == root) then
            call MPI_Igather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, root, W, request, ierr)
        else
            call MPI_Igather(out, 2_k, I4, in, -1_k, NOTHING, root, W, request, ierr)
        end if
        call completed('igather in place', 'Igather', merge(24, 8, rank == root), root)
        call MPI_Igatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, root, W, request, ierr)
        call completed('igatherv', 'Igatherv', 4 * (rank + 1), root)
        if (rank == root) then
            call MPI_Igatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, root, W, request, ierr)
        else
            call MPI_Igatherv(out, int(rank + 1, k), I4, in, dummy, nowhere, NOTHING, root, W, request, ierr)
        end if
        call completed('igatherv in place', 'Igatherv', merge(24, 4 * (rank + 1), rank == root), root)
        call MPI_Iscatter(out, 2_k, I4, in, 2_k, I4, root, W, request, ierr)
        call completed('iscatter', 'Iscatter', merge(24, 8, rank == root), root)
        if (rank == root) then
            call MPI_Iscatter(out, 2_k, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, request, ierr)
        else
            call MPI_Iscatter(out, -1_k, NOTHING, in, 2_k, I4, root, W, request, ierr)
        end if
        call completed('iscatter in place', 'Iscatter', merge(24, 8, rank == root), root)
        call MPI_Iscatterv(out, counts, displs, I4, in, int(rank + 1, k), I4, root, W, request, ierr)
        call completed('iscatterv', 'Iscatterv', merge(24, 4 * (rank + 1), rank == root), root)
        if (rank == root) then
            call MPI_Iscatterv(out, counts, displs, I4, MPI_IN_PLACE, -1_k, NOTHING, root, W, request, ierr)
        else
            call MPI_Iscatterv(out, dummy, nowhere, NOTHING, in, int(rank + 1, k), I4, root, W, request, ierr)
        end if
        call completed('iscatterv in place', 'Iscatterv', merge(24, 4 * (rank + 1), rank == root), root)
        call MPI_Iallgather(out, 2_k, I4, in, 2_k, I4, W, request, ierr)
        call completed('iallgather', 'Iallgather', 8, -1)
        call MPI_Iallgather(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, request, ierr)
        call completed('iallgather in place', 'Iallgather', 24, -1)
        call MPI_Iallgatherv(out, int(rank + 1, k), I4, in, counts, displs, I4, W, request, ierr)
        call completed('iallgatherv', 'Iallgatherv', 4 * (rank + 1), -1)
        call MPI_Iallgatherv(MPI_IN_PLACE, -1_k, NOTHING, in, counts, displs, I4, W, request, ierr)
        call completed('iallgatherv in place', 'Iallgatherv', 24, -1)
        call MPI_Ialltoall(out, 2_k, I4, in, 2_k, I4, W, request, ierr)
        call completed('ialltoall', 'Ialltoall', 24, -1)
        call MPI_Ialltoall(MPI_IN_PLACE, -1_k, NOTHING, in, 2_k, I4, W, request, ierr)
        call completed('ialltoall in place', 'Ialltoall', 24, -1)
        call MPI_Ialltoallv(out, counts, displs, I4, in, mine, mine_displs, I4, W, request, ierr)
        call completed('ialltoallv', 'Ialltoallv', 24, -1)
        call MPI_Ialltoallv(MPI_IN_PLACE, dummy, nowhere, NOTHING, in, square, square_displs, I4, W, request, ierr)
        call completed('ialltoallv in place', 'Ialltoallv', 24, -1)
        call MPI_Ialltoallw(out, counts, bytes, types, in, mine, mine_bytes, types, W, request, ierr)
        call completed('ialltoallw', 'Ialltoallw', 24, -1)
        call MPI_Ialltoallw(MPI_IN_PLACE, dummy, nowhere, types, in, square, square_bytes, types, W, request, ierr)
        call completed('ialltoallw in place', 'Ialltoallw', 24, -1)
        call MPI_Ireduce(out, in, 4_k, I4, MPI_SUM, root, W, request, ierr)
        call completed('ireduce', 'Ireduce', 16, root)
        if (rank == root) then
            call MPI_Ireduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, root, W, request, ierr)
        else
            call MPI_Ireduce(out, in, 4_k, I4, MPI_SUM, root, W, request, ierr)
        end if
        call completed('ireduce in place', 'Ireduce', 16, root)
        call MPI_Iallreduce(out, in, 4_k, I4, MPI_SUM, W, request, ierr)
        call completed('iallreduce', 'Iallreduce', 16, -1)
        call MPI_Iallreduce(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, request, ierr)
        call completed('iallreduce in place', 'Iallreduce', 16, -1)
        call MPI_Ireduce_scatter(out, in, counts, I4, MPI_SUM, W, request, ierr)
        call completed('ireduce_scatter', 'Ireduce_scatter', 24, -1)
        call MPI_Ireduce_scatter(MPI_IN_PLACE, in, counts, I4, MPI_SUM, W, request, ierr)
        call completed('ireduce_scatter in place', 'Ireduce_scatter', 24, -1)
        call MPI_Ireduce_scatter_block(out, in, 2_k, I4, MPI_SUM, W, request, ierr)
        call completed('ireduce_scatter_block', 'Ireduce_scatter_block', 24, -1)
        call MPI_Ireduce_scatter_block(MPI_IN_PLACE, in, 2_k, I4, MPI_SUM, W, request, ierr)
        call completed('ireduce_scatter_block in place', 'Ireduce_scatter_block', 24, -1)
        call MPI_Iscan(out, in, 4_k, I4, MPI_SUM, W, request, ierr)
        call completed('iscan', 'Iscan', 16, -1)
        call MPI_Iscan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, request, ierr)
        call completed('iscan in place', 'Iscan', 16, -1)
        call MPI_Iexscan(out, in, 4_k, I4, MPI_SUM, W, request, ierr)
        call completed('iexscan', 'Iexscan', 16, -1)
        call MPI_Iexscan(MPI_IN_PLACE, in, 4_k, I4, MPI_SUM, W, request, ierr)
        call completed('iexscan in place', 'Iexscan', 16, -1)
    end subroutine
end module
