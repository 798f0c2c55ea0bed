/* next_static.c - next.h in a program that is linked with a static MPI.
 *
 * Wrappers call PMPI_ functions by name (family.h): there is nothing to look up
 * and no other family.
 *
 * SPDX-License-Identifier: MIT
 */
#include "next.h"

#include <stddef.h>

void *mpi_next(const char *name)
{
    (void)name;
    return NULL;
}

void *mpi_symbol(const char *name)
{
    (void)name;
    return NULL;
}

bool mpi_is_ours(void)
{
    return true;
}

bool mpi_fits(void)
{
    return true;
}
