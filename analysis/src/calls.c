/* calls.c - the call table and the memory that lives as long as it.
 *
 *     arena: large blocks, newest first; an allocation above a quarter of a block
 *            gets a block of its own, so columns are never copied
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/calls.h>

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_BYTES ((size_t)64 << 10)

typedef struct arena_block {
    struct arena_block *next;
    size_t used_bytes, size_bytes;
    alignas(max_align_t) unsigned char bytes[];
} arena_block;

struct scope_arena {
    arena_block *blocks; /* the first one is filled, the others are done */
    const scope_metadata_row *metadata; /* rows with this much room, when they are ours */
    size_t metadata_capacity;
};

/* calloc: the pages of a large column are not touched before they are used */
static arena_block *new_block(size_t size_bytes)
{
    if (size_bytes > SIZE_MAX - sizeof(arena_block))
        return NULL;
    arena_block *block = calloc(1, sizeof *block + size_bytes);
    if (block)
        block->size_bytes = size_bytes;
    return block;
}

static void *arena_take(struct scope_arena *arena, size_t size_bytes, size_t align)
{
    arena_block *block = arena->blocks;
    if (block) {
        const size_t start = (block->used_bytes + align - 1) / align * align;
        if (start <= block->size_bytes && size_bytes <= block->size_bytes - start) {
            block->used_bytes = start + size_bytes;
            return block->bytes + start;
        }
    }
    const int alone = size_bytes > ARENA_BLOCK_BYTES / 4;
    arena_block *fresh = new_block(alone ? size_bytes : ARENA_BLOCK_BYTES);
    if (!fresh)
        return NULL;
    fresh->used_bytes = size_bytes;
    if (alone && block) { /* keep filling the one before */
        fresh->next = block->next;
        block->next = fresh;
    } else {
        fresh->next = block;
        arena->blocks = fresh;
    }
    return fresh->bytes;
}

scope_status scope_calls_new(scope_calls **calls)
{
    scope_calls *table = calloc(1, sizeof *table);
    if (!table)
        return SCOPE_ERR_MEMORY;
    table->arena = calloc(1, sizeof *table->arena);
    if (!table->arena) {
        free(table);
        return SCOPE_ERR_MEMORY;
    }
    table->topology = (scope_string){"", 0};
    *calls = table;
    return SCOPE_OK;
}

void scope_calls_free(scope_calls *calls)
{
    if (!calls)
        return;
    if (calls->arena) {
        arena_block *next;
        for (arena_block *block = calls->arena->blocks; block; block = next) {
            next = block->next;
            free(block);
        }
        free(calls->arena);
    }
    free(calls);
}

void *scope_calls_alloc(scope_calls *calls, size_t count, size_t size_bytes)
{
    size_t total;
    if (__builtin_mul_overflow(count, size_bytes, &total))
        return NULL;
    return arena_take(calls->arena, total ? total : 1, alignof(max_align_t));
}

scope_string scope_calls_string(scope_calls *calls, const char *bytes, uint64_t length_bytes)
{
    if (length_bytes == 0 || length_bytes >= SIZE_MAX)
        return (scope_string){"", 0};
    char *copy = arena_take(calls->arena, (size_t)length_bytes + 1, 1);
    if (!copy)
        return (scope_string){"", 0};
    memcpy(copy, bytes, (size_t)length_bytes);
    copy[length_bytes] = '\0';
    return (scope_string){copy, length_bytes};
}

/* The row of `key`, a new one at the end if there is none; NULL without memory. */
static scope_metadata_row *metadata_row(scope_calls *calls, const char *key)
{
    const size_t length = strlen(key);
    for (size_t i = 0; i < calls->metadata_count; i++) {
        scope_metadata_row *row = &calls->metadata[i];
        if (row->key.length_bytes == length && memcmp(row->key.bytes, key, length) == 0)
            return row;
    }
    if (calls->metadata != calls->arena->metadata ||
        calls->metadata_count >= calls->arena->metadata_capacity) {
        const size_t capacity = calls->metadata_count * 2 + 16;
        scope_metadata_row *rows = scope_calls_alloc(calls, capacity, sizeof *rows);
        if (!rows)
            return NULL;
        if (calls->metadata_count)
            memcpy(rows, calls->metadata, calls->metadata_count * sizeof *rows);
        calls->metadata = rows;
        calls->arena->metadata = rows;
        calls->arena->metadata_capacity = capacity;
    }
    const scope_string copy = scope_calls_string(calls, key, length);
    if (copy.length_bytes != length)
        return NULL;
    scope_metadata_row *row = &calls->metadata[calls->metadata_count++];
    *row = (scope_metadata_row){.key = copy, .text = {"", 0}};
    return row;
}

scope_status scope_calls_set_text(scope_calls *calls, const char *key, const char *text,
                                  int64_t length_bytes)
{
    const uint64_t length = length_bytes < 0 ? strlen(text) : (uint64_t)length_bytes;
    const scope_string copy = scope_calls_string(calls, text, length);
    scope_metadata_row *row = copy.length_bytes == length ? metadata_row(calls, key) : NULL;
    if (!row)
        return SCOPE_ERR_MEMORY;
    row->kind = SCOPE_VALUE_TEXT;
    row->text = copy;
    row->integer = 0;
    return SCOPE_OK;
}

scope_status scope_calls_set_integer(scope_calls *calls, const char *key, int64_t value)
{
    scope_metadata_row *row = metadata_row(calls, key);
    if (!row)
        return SCOPE_ERR_MEMORY;
    row->kind = SCOPE_VALUE_INTEGER;
    row->integer = value;
    row->text = (scope_string){"", 0};
    return SCOPE_OK;
}

const scope_metadata_row *scope_calls_metadata(const scope_calls *calls, const char *key)
{
    const size_t length = strlen(key);
    for (size_t i = 0; i < calls->metadata_count; i++) {
        const scope_metadata_row *row = &calls->metadata[i];
        if (row->key.length_bytes == length && memcmp(row->key.bytes, key, length) == 0)
            return row;
    }
    return NULL;
}

size_t scope_calls_first_message(const scope_calls *calls, uint64_t row)
{
    size_t low = 0, high = calls->message_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (calls->messages[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
