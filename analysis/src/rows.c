/* rows.c - calls as replay finds them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

#include <stdlib.h>

int rows_reserve(rows *rows)
{
    if (rows->count < (uint64_t)rows->block_count << ROWS_BLOCK_BITS)
        return 1;
    if (rows->block_count == rows->block_capacity) {
        const size_t capacity = rows->block_capacity ? rows->block_capacity * 2 : 16;
        call_row **blocks = realloc(rows->blocks, capacity * sizeof(*blocks));
        if (blocks)
            rows->blocks = blocks;
        call_extra **extras = realloc(rows->extras, capacity * sizeof(*extras));
        if (extras)
            rows->extras = extras;
        if (!blocks || !extras)
            return 0;
        rows->block_capacity = capacity;
    }
    call_row *block = malloc(ROWS_BLOCK * sizeof *block);
    if (!block)
        return 0;
    rows->blocks[rows->block_count] = block;
    rows->extras[rows->block_count] = NULL;
    rows->block_count++;
    return 1;
}

void rows_free(rows *rows)
{
    for (size_t i = 0; i < rows->block_count; i++) {
        free(rows->blocks[i]);
        free(rows->extras[i]);
    }
    free(rows->blocks);
    free(rows->extras);
    *rows = (struct rows){0};
}

void rows_forget_before(rows *rows, uint64_t row)
{
    const size_t block = (size_t)(row >> ROWS_BLOCK_BITS);
    if (!block || !rows->blocks[block - 1])
        return;
    free(rows->blocks[block - 1]);
    free(rows->extras[block - 1]);
    rows->blocks[block - 1] = NULL;
    rows->extras[block - 1] = NULL;
}

call_extra *rows_make_extra(rows *rows, uint64_t row)
{
    call_extra **block = &rows->extras[row >> ROWS_BLOCK_BITS];
    if (!*block) {
        *block = malloc(ROWS_BLOCK * sizeof **block);
        if (!*block)
            return NULL;
        for (uint64_t i = 0; i < ROWS_BLOCK; i++)
            (*block)[i] = (call_extra){.moved = SCOPE_MESSAGE_NONE};
    }
    return &(*block)[row & (ROWS_BLOCK - 1)];
}
