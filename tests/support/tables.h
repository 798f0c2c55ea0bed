/* tables.h - call tables made up for tests, with everything in them.
 *
 * Ownership  the caller frees a table.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TEST_TABLES_H
#define SCOPE_TEST_TABLES_H

#include <scope/calls.h>

#define TABLE_START_NS INT64_C(1000000000000)

/* what a made-up table has beside calls */
enum {
    TABLE_THREADS = 1,
    TABLE_TASKS = 2,
    TABLE_MPI = 4,
    TABLE_POINTS = 8,
    TABLE_MISUSE = 16,
    TABLE_FOLDED = 32,
    TABLE_OPEN = 64,
    TABLE_LONG_TEXT = 128, /* event_metadata of more than 256 bytes */
    TABLE_ALL = 255,
    TABLE_SOURCE = 256, /* source texts */
    TABLE_GPU = 512,
};

/* A table of one rank: `regions` regions of `calls` nested calls each, everything
 * derived from the numbers. */
scope_calls *table_make(int32_t rank, int32_t rank_count, uint32_t regions, uint64_t calls,
                        unsigned with);

/* Give a region another name, any bytes. */
void table_rename(scope_calls *calls, uint32_t region, const char *bytes, uint64_t length_bytes);

/* NULL if both say the same, else what differs; static text. Metadata is compared
 * one way: what `left` has, `right` has. */
const char *table_difference(const scope_calls *left, const scope_calls *right);

#endif
