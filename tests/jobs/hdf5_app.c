/* hdf5_app.c - a program that uses HDF5 and MPI-IO itself, HDF5 from before MPI_Init (but for
 * -DLATE), and leaves ids open.
 * SPDX-License-Identifier: MIT */
#include <hdf5.h>
#include <mpi.h>
#include <scope/scope.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
#ifndef LATE
    H5open();
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS); /* before MPI_Init, never closed */
    MPI_Init(&argc, &argv);
#else
    MPI_Init(&argc, &argv);
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS); /* never closed */
#endif
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    scope_region_begin_name("write");
    H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
    const hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, list);
    const hsize_t length = (hsize_t)size;
    const hid_t space = H5Screate_simple(1, &length, NULL);
    const hid_t data = H5Dcreate2(file, "ranks", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                                  H5P_DEFAULT);
    const hsize_t offset = (hsize_t)rank, one = 1;
    const hid_t memory = H5Screate_simple(1, &one, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &offset, NULL, &one, NULL);
    const int failed = H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, &rank) < 0;
    H5Dclose(data);
    H5Fclose(file);
#ifdef LATE
    char name[512];
    const char byte = (char)('0' + rank);
    MPI_File raw;
    snprintf(name, sizeof name, "%s.raw", argv[1]);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &raw);
    MPI_File_write_at_all(raw, rank, &byte, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&raw);
#endif
    scope_region_end_name("write");
    MPI_Finalize();
    if (rank == 0)
        puts(failed ? "failed" : "done");
    return failed;
}
