!> app.f90 - three calls of one region in Fortran, by name and by handle.
!> SPDX-License-Identifier: MIT
program app
    use scope
    implicit none
    type(scope_region) :: work
    integer :: ierr

    call scope_init(status=ierr)
    if (ierr /= SCOPE_OK) error stop 1
    work = scope_region('work')
    call scope_region_begin(work)
    call scope_region_end(work)
    call scope_region_begin('work')
    call scope_region_end('work ')
    call scope_region_begin('work   ')
    call scope_region_end(work)
    call scope_finalize(ierr)
    print '(a)', scope_status_text(ierr)
end program
