! ends.F90 - MPI_Init, a barrier and MPI_Finalize in one of the three bindings.
! SPDX-License-Identifier: MIT
program ends
#if defined(BIND_F08)
    use mpi_f08
    implicit none
    type(MPI_Comm) :: world
#elif defined(BIND_MPI)
    use mpi
    implicit none
    integer :: world
#else
    implicit none
    include 'mpif.h'
    integer :: world
#endif
    integer :: rank, error
#if defined(THREADED)
    integer :: level
    call MPI_Init_thread(MPI_THREAD_FUNNELED, level, error)
#elif defined(BIND_F08)
    call MPI_Init()
#else
    call MPI_Init(error)
#endif
    world = MPI_COMM_WORLD
    call MPI_Comm_rank(world, rank, error)
    call MPI_Barrier(world, error)
#if defined(ABORTING)
    if (rank == 1) call MPI_Abort(world, 5, error)
    call MPI_Barrier(world, error)
#endif
#if defined(BIND_F08)
    call MPI_Finalize()
#else
    call MPI_Finalize(error)
#endif
    print '(a,i0)', 'done ', rank
end program
