/* rows.h - calls as replay finds them: one row per begin, in order of entry.
 *
 *     blocks  [ 32768 rows ] [ 32768 rows ] ...          never moved
 *     extras  [ await, MPI ]     NULL         ...        only where something is set
 *
 * A row that has no end yet has duration -1; one that an earlier table has given out
 * has the flag ROW_REPORTED.
 *
 * Units      ns of CLOCK_MONOTONIC of that node.
 * Ownership  start from zero bytes, end with rows_free.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ROWS_H
#define SCOPE_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include <scope/event.h>

#define ROWS_BLOCK_BITS 15
#define ROWS_BLOCK ((uint64_t)1 << ROWS_BLOCK_BITS)

#define ROW_REPORTED 0x100u /* beside scope_call_flags */
#define ROW_MESSAGES 0x200u /* several: they are in the cursor's list */

typedef struct call_row {
    int64_t start_ns, duration_ns;
    uint32_t region; /* slots; ID_MAP_NONE: none */
    uint32_t thread, task;
    uint32_t flags;
} call_row;

typedef struct call_extra {
    int64_t await_ns;
    scope_message moved;
} call_extra;

typedef struct rows {
    call_row **blocks;
    call_extra **extras;
    size_t block_count, block_capacity;
    uint64_t count;
} rows;

/* Make room for row `count`; 0: no memory. */
int rows_reserve(rows *rows);
void rows_free(rows *rows);

static inline call_row *rows_at(const rows *rows, uint64_t row)
{
    return &rows->blocks[row >> ROWS_BLOCK_BITS][row & (ROWS_BLOCK - 1)];
}

/* NULL: nothing set in its block. */
static inline const call_extra *rows_extra(const rows *rows, uint64_t row)
{
    const call_extra *block = rows->extras[row >> ROWS_BLOCK_BITS];
    return block ? &block[row & (ROWS_BLOCK - 1)] : NULL;
}

/* The block before the one of `row` is not needed any more. */
void rows_forget_before(rows *rows, uint64_t row);

/* To set something; NULL: no memory. */
call_extra *rows_make_extra(rows *rows, uint64_t row);

#endif
