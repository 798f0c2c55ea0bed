/* deaths.c - an MPI program whose rank 1 ends as argv[1] says, while the others wait for it.
 *
 * Each rank has 1000 "work" calls, done before rank 1 dies, and an open "main loop". Of
 * rank 1 who has no memory left also 500 "after" calls, recorded when malloc fails.
 * argv[2]: a folder; ready.<rank> is there when a rank waits.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void record(const char *name, int count)
{
    scope_region region;
    scope_region_register(name, &region);
    for (int i = 0; i < count; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
}

/* malloc fails from here on, for everybody in this process. */
static void use_all_memory(int resource)
{
    struct rlimit limit = {1, 1};
    if (setrlimit(resource, &limit))
        exit(3);
    for (size_t size = 1 << 20; size >= 16; size /= 2)
        while (malloc(size))
            continue;
}

static void die(const char *how)
{
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "segv"))
        raise(SIGSEGV);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "_exit"))
        _exit(3);
    if (!strcmp(how, "quick_exit"))
        quick_exit(3);
    if (!strcmp(how, "mpi_abort"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (!strcmp(how, "address space") || !strcmp(how, "data")) {
        use_all_memory(*how == 'a' ? RLIMIT_AS : RLIMIT_DATA);
        record("after", 500);
        abort();
    }
    if (!strcmp(how, "memory"))
        for (;;) { /* the kernel kills us for it */
            char *block =
                mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (block != MAP_FAILED)
                memset(block, 1, 1 << 24);
        }
    for (;;) /* "hang" */
        pause();
}

int main(int argc, char **argv)
{
    int rank;
    char path[4096], byte;
    if (argc < 3)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    scope_region_begin_name("main loop");
    record("work", 1000);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(path, sizeof path, "%s/ready.%d", argv[2], rank);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    if (rank == 1)
        die(argv[1]);
    MPI_Recv(&byte, 1, MPI_CHAR, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
