/* place.h - where this install is, and what it holds.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PLACE_H
#define SCOPE_PLACE_H

#include <stdbool.h>

/* The folder that has bin/ and lib/: from where this program lies, else SCOPE_ROOT.
 * NULL: no install there. Static text. */
const char *place_prefix(void);

/* The path of a library of ours ("scope", "scope_mpi_ompi"); false: not installed.
 * `path` has PATH_MAX bytes. */
bool place_library(const char *name, char *path);

/* A file in lib/scope/ ("libscope_hdf5_writer.so"). */
bool place_plugin(const char *name, char *path);

/* MPI families in the order in which they are preloaded, ended by NULL. */
extern const char *const place_families[];

#endif
