!> fortran_loops.f90 - the Fortran side of bench_fortran.c.
!>
!> SPDX-License-Identifier: MIT
subroutine fortran_handle(region, count) bind(c)
    use, intrinsic :: iso_c_binding, only: c_long
    use scope
    implicit none
    type(scope_region), intent(in) :: region
    integer(c_long), value :: count
    integer(c_long) :: i

    do i = 1, count
        call scope_region_begin(region)
        call scope_region_end(region)
    end do
end subroutine

subroutine fortran_name(unused, count) bind(c)
    use, intrinsic :: iso_c_binding, only: c_long, c_ptr
    use scope
    implicit none
    type(c_ptr), value :: unused
    integer(c_long), value :: count
    integer(c_long) :: i

    do i = 1, count
        call scope_region_begin('solve the equation')
        call scope_region_end('solve the equation')
    end do
end subroutine
