/* static_object.cpp - C++ regions: scopes, exceptions, static objects that live longer than main.
 *
 * With MPI (-DWITH_MPI) the static region is begun before MPI_Init and ended after MPI_Finalize.
 * SPDX-License-Identifier: MIT */
#include <cstdio>
#include <scope/scope.h>
#include <stdexcept>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static scope::Region early{"static before init"};

struct Late {
    ~Late() { scope::Region region{"in static destructor"}; }
};
static Late late;

static void thrower()
{
    scope::Region region{"throws"};
    throw std::runtime_error("out");
}

int main(int argc, char **argv)
{
    scope_init(nullptr);
    static scope::Region whole{"static in main"}; /* ended by its destructor, after the end */
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
#else
    (void)argc, (void)argv;
#endif
    {
        scope::Region region{"block"};
        for (int i = 0; i < 3; i++)
            try {
                thrower();
            } catch (const std::exception &) {
            }
    }
#ifdef WITH_MPI
    MPI_Finalize();
    scope::Region after{"after finalize"};
#else
    scope_finalize();
    scope::Region after{"after finalize"};
#endif
    std::puts("done");
    return 0;
}
