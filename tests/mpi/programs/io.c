/* io.c - every call of MPI-IO, and what its row must say. See rows.h; 3 ranks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

static MPI_File file;
static int out[4], in[4];

static void clear(void)
{
    memset(in, 0, sizeof in);
}

/* One form of writing and reading at `offset`, which the argument lists may use. */
#define WRITE(name, ...)                                                                           \
    do {                                                                                           \
        C(File_##name)(__VA_ARGS__, MPI_STATUS_IGNORE);                                            \
        expect("File_" #name, 16, -1, "written");                                                  \
    } while (0)
#define READ(name, ...)                                                                            \
    do {                                                                                           \
        MPI_Status status;                                                                         \
        clear();                                                                                   \
        C(File_##name)(__VA_ARGS__, &status);                                                      \
        expect("File_" #name, 16, -1, "read");                                                     \
        SHOW(#name, in);                                                                           \
    } while (0)
#define NONBLOCKING(name, kind, ...)                                                               \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        clear();                                                                                   \
        C(File_##name)(__VA_ARGS__, &request);                                                     \
        expect("File_" #name, 16, -1, kind);                                                       \
        wait_for(&request);                                                                        \
        SHOW(#name, in);                                                                           \
    } while (0)
#define SPLIT_WRITE(name, ...)                                                                     \
    do {                                                                                           \
        C(File_##name##_begin)(__VA_ARGS__);                                                       \
        expect("File_" #name "_begin", 16, -1, "written");                                         \
        MPI_File_##name##_end(file, out, MPI_STATUS_IGNORE);                                       \
        expect("File_" #name "_end", 0, -1, "-");                                                  \
    } while (0)
#define SPLIT_READ(name, ...)                                                                      \
    do {                                                                                           \
        clear();                                                                                   \
        C(File_##name##_begin)(__VA_ARGS__);                                                       \
        expect("File_" #name "_begin", 0, -1, "-");                                                \
        MPI_File_##name##_end(file, in, MPI_STATUS_IGNORE);                                        \
        expect("File_" #name "_end", 16, -1, "read");                                              \
        SHOW(#name, in);                                                                           \
    } while (0)

static void sync_all(void)
{
    MPI_File_sync(file);
    expect("File_sync", 0, -1, "collective");
    barrier();
}

/* Local: not recorded. */
static void to_mine(void)
{
    MPI_File_seek(file, 4 * rank, MPI_SEEK_SET);
}

static void to_start(void)
{
    sync_all();
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    expect("File_seek_shared", 0, -1, "collective");
    barrier();
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    for (int i = 0; i < 4; i++)
        out[i] = 100 * rank + i;
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    expect("File_open", 0, -1, "collective");
    MPI_File_set_size(file, 48);
    expect("File_set_size", 0, -1, "collective");
    MPI_File_preallocate(file, 48); /* more, and Open MPI 4's own I/O dies of what follows */
    expect("File_preallocate", 0, -1, "collective");
    MPI_Info info = an_info();
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    expect("File_set_info", 0, -1, "collective");
    MPI_File_set_atomicity(file, 0);
    expect("File_set_atomicity", 0, -1, "collective");
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    expect("File_set_view", 0, -1, "collective");

    const MPI_Offset at = 4 * rank;
    WRITE(write_at, file, at, out, 4, MPI_INT);
    sync_all();
    READ(read_at, file, at, in, 4, MPI_INT);
    WRITE(write_at_all, file, at, out, 4, MPI_INT);
    sync_all();
    READ(read_at_all, file, at, in, 4, MPI_INT);
    NONBLOCKING(iwrite_at, "written", file, at, out, 4, MPI_INT);
    NONBLOCKING(iread_at, "read", file, at, in, 4, MPI_INT);
    NONBLOCKING(iwrite_at_all, "written", file, at, out, 4, MPI_INT);
    NONBLOCKING(iread_at_all, "read", file, at, in, 4, MPI_INT);
    SPLIT_WRITE(write_at_all, file, at, out, 4, MPI_INT);
    SPLIT_READ(read_at_all, file, at, in, 4, MPI_INT);

    to_mine();
    WRITE(write, file, out, 4, MPI_INT);
    to_mine();
    READ(read, file, in, 4, MPI_INT);
    to_mine();
    WRITE(write_all, file, out, 4, MPI_INT);
    to_mine();
    READ(read_all, file, in, 4, MPI_INT);
    to_mine();
    NONBLOCKING(iwrite, "written", file, out, 4, MPI_INT);
    to_mine();
    NONBLOCKING(iread, "read", file, in, 4, MPI_INT);
    to_mine();
    NONBLOCKING(iwrite_all, "written", file, out, 4, MPI_INT);
    to_mine();
    NONBLOCKING(iread_all, "read", file, in, 4, MPI_INT);
    to_mine();
    SPLIT_WRITE(write_all, file, out, 4, MPI_INT);
    to_mine();
    SPLIT_READ(read_all, file, in, 4, MPI_INT);

    /* By the shared pointer all write the same, so that the order does not matter. */
    for (int i = 0; i < 4; i++)
        out[i] = i;
    to_start();
    WRITE(write_shared, file, out, 4, MPI_INT);
    to_start();
    READ(read_shared, file, in, 4, MPI_INT);
    to_start();
    NONBLOCKING(iwrite_shared, "written", file, out, 4, MPI_INT);
    to_start();
    NONBLOCKING(iread_shared, "read", file, in, 4, MPI_INT);
    to_start();
    WRITE(write_ordered, file, out, 4, MPI_INT);
    to_start();
    READ(read_ordered, file, in, 4, MPI_INT);
    to_start();
    SPLIT_WRITE(write_ordered, file, out, 4, MPI_INT);
    to_start();
    SPLIT_READ(read_ordered, file, in, 4, MPI_INT);

    /* Less than asked for: the end of the file. */
    sync_all();
    MPI_File_set_size(file, 8);
    expect("File_set_size", 0, -1, "collective");
    C(File_read_at)(file, 0, in, 4, MPI_INT, MPI_STATUS_IGNORE);
    expect("File_read_at", 8, -1, "read");
    MPI_File_close(&file);
    expect("File_close", 0, -1, "collective");
    if (rank == 0) {
        MPI_File_delete("data", MPI_INFO_NULL);
        expect("File_delete", 0, -1, "-");
    }
    finish();
    return 0;
}
