/* held_errors.h - errors of MPI-IO are held back from HDF5 while all ranks write together.
 *
 * HDF5 leaves a collective call early where MPI-IO has failed on one rank; the other ranks then
 * wait for that one in the next step, for ever. So its calls of MPI-IO come by here meanwhile:
 * an error is kept, HDF5 hears of success and goes on on all ranks alike. Afterwards the ranks
 * agree on what was kept and throw the file away together.
 *
 * HDF5 reaches us by its own table of functions (the entries that the loader fills in, one
 * for each function of another library). Symbols cannot do that: which MPI_File_write_at HDF5
 * meets depends on how the program was linked, and who loaded MPI for whom.
 *
 * Threads    none beside the one that writes; files that others open pass untouched.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_HELD_ERRORS_H
#define SCOPE_HDF5_HELD_ERRORS_H

#include <stdbool.h>

/* From here on, for the next file that HDF5 opens by MPI-IO. false: HDF5's calls cannot be
 * reached, nothing was changed. */
bool scope_hold_errors(void);

/* An error beside those of MPI-IO. */
void scope_hold_error(const char *text);

/* The first error that was held since then; NULL: there is none. */
const char *scope_held_error(void);

/* HDF5 is as it was before. scope_held_error() stays. */
void scope_release_errors(void);

/* An error of before has left MPI-IO in a state in which it cannot be trusted. */
bool scope_errors_last(void);

#endif
