/* host_ends.c - who writes when a host (host.h) has the process session; argv[1] says how.
 * Each rank has 10 + rank "work" calls.
 * SPDX-License-Identifier: MIT */
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <scope/host.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int host_starts(const char *output)
{
    const scope_host_options options = {
        .size_bytes = sizeof options, .output = output, .lanes = SCOPE_HOST_THREADS};
    int adopted = 0;
    if (scope_host_start(&options, &adopted) != SCOPE_OK)
        exit(1);
    return adopted;
}

static void wrote(const char *output)
{
    if (scope_host_checkpoint(scope_host_process(), NULL, 0, 0, output) != SCOPE_OK)
        exit(1);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    const char *output = argc > 2 ? argv[2] : NULL;
    int rank = 0, adopted = 0;
    if (!strncmp(how, "started", 7))
        adopted = host_starts(output);
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#else
    scope_init(NULL);
#endif
    if (strncmp(how, "started", 7) != 0)
        adopted = host_starts(output);
    for (int i = 0; i < 10 + rank; i++) {
        SCOPE_REGION("work");
    }
    if (!strcmp(how, "all-wrote") || (!strcmp(how, "one-wrote") && rank == 1))
        wrote(output);
    if (!strcmp(how, "closed"))
        scope_host_close(scope_host_process());
    else
        scope_finalize(); /* while a host has the session: nothing */
    if (!strcmp(how, "started-killed"))
        raise(SIGKILL);
    if (!rank)
        printf("%s\n", adopted ? "adopted" : "started");
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
