/* open_file.c - a program that leaves an HDF5 file of its own open when it returns from main.
 * argv[1]: "before" or "after", whether HDF5 starts before us or after.
 * SPDX-License-Identifier: MIT */
#include <hdf5.h>
#include <scope/scope.h>
#include <string.h>

int main(int argc, char **argv)
{
    const int before = argc > 1 && !strcmp(argv[1], "before");
    if (before)
        H5open();
    scope_init(NULL);
    scope_region_begin_name("write");
    const hid_t file = H5Fcreate("own.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t data =
        H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const int value = 42;
    const int failed = H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0;
    scope_region_end_name("write");
    return failed; /* file, space and data set are open */
}
