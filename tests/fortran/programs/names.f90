!> names.f90 - regions named by 1, 14, 27 ... 10000 characters, by 256 bytes, with blanks.
!> The same name with other trailing blanks is the same region.
!> SPDX-License-Identifier: MIT
program names
    use scope
    implicit none
    character(len=10020) :: buffer
    character(len=:), allocatable :: bytes
    type(scope_region) :: region, same
    integer :: length, i

    call scope_init()
    do length = 1, 10000, 13
        buffer = name_of(length)
        region = scope_region(buffer)
        same = scope_region(buffer(1:length))
        if (region%id /= same%id) error stop 1
        call scope_region_begin(buffer)
        call scope_region_end(region)
        call scope_region_begin(buffer(1:length + 7))
        call scope_region_end(buffer(1:length))
    end do
    bytes = ''
    do i = 0, 255
        bytes = bytes//char(i)
    end do
    call scope_region_begin(bytes)
    call scope_region_end(bytes)
    call scope_region_begin('  in  the middle ')
    call scope_region_end('  in  the middle')
    call scope_finalize()

contains

    function name_of(length) result(name)
        integer, intent(in) :: length
        character(len=length) :: name
        integer :: i

        do i = 1, length
            name(i:i) = achar(iachar('a') + mod(i*i + length, 26))
        end do
    end function
end program
