! every.F90 - with calls.F90 and processes.F90 every recorded call of a Fortran program.
!
! 3 ranks. The binding is chosen in fortran.h. -DMPI4 and -DFILES: the MPI has the calls
! of MPI 4, and MPI-IO; with -DLARGE: with large counts, too, as the others.
!
! SPDX-License-Identifier: MIT
#include "fortran.h"

program every
    use rows
    use windows
    use neighbours
    use communicators
#ifdef FILES
    use files
#endif
#ifdef MPI4
    use persistent
#endif
    implicit none
    call MPI_Init(ierr)
    call start()
    call other('Init')
    call one_sided()
    call topologies()
    call asked()
    call made()
#ifdef FILES
    call input_output()
#endif
#ifdef MPI4
    call started()
    call partitioned()
#endif
    call finish()
end program
