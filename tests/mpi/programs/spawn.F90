! spawn.F90 - rank 1 starts a copy of itself with an environment of its own, and one without.
!
! SPDX-License-Identifier: MIT
program spawns
    use BINDING
    implicit none
#ifdef F08
    type(MPI_Comm) :: parent, other
    type(MPI_Info) :: infos(2)
#else
    integer :: parent, other, infos(2)
#endif
    integer :: rank, ierr, codes(2)
    logical :: there
    character(len=512) :: itself, commands(2)
    character(len=64) :: value
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_get_parent(parent, ierr)
    if (parent == MPI_COMM_NULL) then
        call get_command_argument(0, itself)
        commands = itself
        infos = MPI_INFO_NULL
        call MPI_Info_create(infos(1), ierr)
        call MPI_Info_set(infos(1), 'env', 'OF_THE_PROGRAM=kept', ierr)
        call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, [1, 1], infos, 1, &
                                     MPI_COMM_WORLD, other, codes, ierr)
        call MPI_Info_get(infos(1), 'env', len(value), value, there, ierr)
        print '(a,i0,a,a)', 'parent', rank, ':', trim(value)
    else
        other = parent
        call get_environment_variable('OF_THE_PROGRAM', value)
        print '(a,i0,a,a)', 'child', rank, ':', trim(value)
    end if
    call MPI_Comm_disconnect(other, ierr)
    call MPI_Finalize(ierr)
end program
