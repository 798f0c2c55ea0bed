/* after_end.c - everything that may be called after the end, argv[1] times; with MPI under -DWITH_MPI.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static void *thread(void *unused)
{
    SCOPE_REGION("after");
    return unused;
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? atoi(argv[1]) : 1000;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    scope_region_begin_name("recorded"), scope_region_end_name("recorded");
    MPI_Finalize();
#else
    scope_init(NULL);
    scope_region_begin_name("recorded"), scope_region_end_name("recorded");
    scope_finalize();
#endif
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "after %d", i);
        scope_region_begin_name(name);
        pthread_t id;
        if (pthread_create(&id, NULL, thread, NULL))
            return 2;
        pthread_join(id, NULL);
        scope_region_end_name(name);
        if (i % 20 == 0) {
            const pid_t child = fork();
            if (child == 0)
                _exit(0);
            waitpid(child, NULL, 0);
        }
        scope_mark(name);
        scope_flush();
        scope_finalize();
    }
    puts("done");
    return 0;
}
