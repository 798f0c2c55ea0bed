/* next.h - the MPI below us: functions and data found at first use.
 *
 * This library is not linked to libmpi. A symbol is looked up as the next one
 * after ours in the chain (another tool may be there), else in the libmpi that
 * the process has loaded, even privately (mpi4py loads it RTLD_LOCAL).
 *
 * Threads    any; a lookup is cached, looking up twice is harmless.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_NEXT_H
#define SCOPE_MPI_NEXT_H

#include <stdbool.h>

/* The next `name` after this library, loading libmpi where the linker left it out of
 * the program; NULL: there is none. For calls that the program makes itself. */
void *mpi_next(const char *name);

/* The PMPI_ function or the data symbol `name` of the loaded libmpi; NULL: none. */
void *mpi_symbol(const char *name);

/* The MPI of this process is of the family that this library was built for.
 * Where it is another's, one line says so, once, and every wrapper stands aside:
 * it forwards and records nothing. */
bool mpi_is_ours(void);

/* The same without a word; false also where there is no MPI (yet). */
bool mpi_fits(void);

#endif
