/* comm_files.c - files and windows whose bytes are known: 4 ranks, the file is argument 1.
 *
 * Each rank writes 100 * (rank + 1) bytes at rank * 1000, all together; reads 50 of the next
 * rank's, all together, and alone asks for 5000 at 3000, where 400 are. In a communicator of the
 * ranks backward each puts 3 doubles to the next one there, gets 1 int and accumulates 2 ints.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>

static char data[5000];

int main(int argc, char **argv)
{
    int rank, me;
    MPI_File file;
    MPI_Comm backward;
    MPI_Win window;
    double numbers[8] = {0}, three[3] = {0};
    int one, two[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 1000 * rank, data, 100 * (rank + 1), MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, 1000 * ((rank + 1) % 4), data, 50, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 3000, data, 5000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backward);
    MPI_Comm_rank(backward, &me);
    const int next = (me + 1) % 4;
    MPI_Win_create(numbers, sizeof numbers, 1, MPI_INFO_NULL, backward, &window);
    MPI_Win_fence(0, window);
    MPI_Put(three, 3, MPI_DOUBLE, next, 0, 3, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Get(&one, 1, MPI_INT, next, 32, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(two, 2, MPI_INT, next, 40, 2, MPI_INT, MPI_SUM, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Comm_free(&backward);
    return MPI_Finalize();
}
