/* names.h - a set of byte strings that keeps the order in which they came.
 *
 * Ownership  strings are copied; mpi_names_free takes NULL.
 * Threads    none.
 * Errors     false: out of memory (or more than 2^32 - 2 names), nothing changed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_NAMES_H
#define SCOPE_MPI_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/world.h>

typedef struct mpi_names mpi_names;

mpi_names *mpi_names_new(void);
void mpi_names_free(mpi_names *names);

/* The place of this name in *place, at the end if it is new. */
bool mpi_names_add(mpi_names *names, const char *bytes, size_t length_bytes, uint32_t *place);

size_t mpi_names_count(const mpi_names *names);

/* 128 bits that depend on every name and on their order. */
void mpi_names_hash(const mpi_names *names, uint64_t hash[2]);

/* All of them: a view, and the same for good (the caller frees bytes and ends;
 * the set may then only be freed). */
scope_strings mpi_names_strings(const mpi_names *names);
scope_strings mpi_names_take(mpi_names *names);

#endif
