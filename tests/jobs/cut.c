/* cut.c - 300 calls of "work" on each rank, then the file, in one of the ways there are.
 *
 * argv[1]: exit finalize flush (and then finalize). With -DUSE_MPI: between MPI_Init and
 * MPI_Finalize. With -DLOOKS_SANITISED its plug-ins are opened without DEEPBIND.
 * SPDX-License-Identifier: MIT */
#ifdef USE_MPI
#include <mpi.h>
#endif
#include <scope/scope.h>
#include <string.h>

#ifdef LOOKS_SANITISED
void __asan_init(void);
void __asan_init(void)
{
}
#endif

static void work(int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name("work");
        scope_region_end_name("work");
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "exit";
#ifdef USE_MPI
    MPI_Init(&argc, &argv);
#else
    scope_init(NULL);
#endif
    work(200);
    if (!strcmp(how, "flush"))
        scope_flush();
    work(100);
#ifdef USE_MPI
    MPI_Finalize();
#endif
    if (strcmp(how, "exit"))
        scope_finalize();
    return 0;
}
