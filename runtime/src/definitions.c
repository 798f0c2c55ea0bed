/* definitions.c - the definitions log: names, threads, communicators, cuts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "definitions.h"

#include <string.h>

#include "pool.h"
#include "spool_chunk.h"

#define LARGEST_CHUNK_BYTES (1u << 20)
#define KEPT_MAX_BYTES (4u << 20)

/* An entry that came before the recording. */
typedef struct kept {
    struct kept *next;
    scope_definition_kind kind;
    bool of_session;
    size_t fixed_bytes, length_bytes; /* of the fixed part, of the strings behind */
    unsigned char bytes[];
} kept;

static kept *first_kept, **last_kept = &first_kept;
static uint64_t kept_bytes, kept_lost;

static scope_chunk_header *chunk; /* the one that is being filled */
static unsigned char *next_entry;
static uint32_t sequence, chunk_bytes = SCOPE_CHUNK_UNIT_BYTES;
static void *last_entry;
static uint64_t log_bytes, lost_count;

static bool start_chunk(size_t entry_bytes)
{
    uint64_t size_bytes = chunk_bytes;
    if (size_bytes < entry_bytes + sizeof(scope_chunk_header))
        size_bytes = entry_bytes + sizeof(scope_chunk_header);
    if (size_bytes > UINT32_MAX - SCOPE_CHUNK_UNIT_BYTES)
        return false;
    scope_chunk_header *fresh =
        scope_spool_take(SCOPE_CHUNK_DEFINITIONS, (uint32_t)size_bytes, true);
    if (!fresh)
        return false;
    scope_spool_begin(fresh, 0, 0, sequence++, -1, -1);
    chunk = fresh;
    next_entry = (unsigned char *)(fresh + 1);
    if (chunk_bytes < LARGEST_CHUNK_BYTES)
        chunk_bytes *= 2;
    return true;
}

/* ---- limits ---- */

#define LEAST_LIMIT_BYTES (UINT64_C(256) << 10)

static uint64_t share_of_budget(unsigned parts)
{
    const uint64_t share = scope_store.max_bytes / parts;
    return share < LEAST_LIMIT_BYTES ? LEAST_LIMIT_BYTES : share;
}

bool scope_definitions_are_full(void)
{
    return log_bytes > share_of_budget(8);
}

uint64_t scope_definitions_lost(void)
{
    return lost_count;
}

/* There are few of the others, and a recording is nothing without them. */
static bool has_room(scope_definition_kind kind, size_t size_bytes)
{
    switch (kind) {
    case SCOPE_DEFINE_THREAD:
    case SCOPE_DEFINE_THREAD_STATE:
    case SCOPE_DEFINE_TAG:
    case SCOPE_DEFINE_SOURCE:
    case SCOPE_DEFINE_COMMUNICATOR:
    case SCOPE_DEFINE_GROUP:
        return log_bytes + size_bytes <= share_of_budget(4);
    case SCOPE_DEFINE_NAME:
    case SCOPE_DEFINE_CALIBRATION:
        return log_bytes + size_bytes <= share_of_budget(2);
    default:
        return true;
    }
}

void *scope_definitions_last(void)
{
    return last_entry;
}

/* What is left of the chunk at hand. */
static size_t left_bytes(void)
{
    return chunk ? (size_t)((unsigned char *)chunk + chunk->size_bytes - next_entry) : 0;
}

static bool append(scope_definition_kind kind, uint16_t session, const void *entry,
                   size_t fixed_bytes, const scope_part *parts, size_t part_count)
{
    size_t size_bytes = fixed_bytes;
    for (size_t i = 0; i < part_count; i++)
        size_bytes += parts[i].length_bytes;
    size_bytes = (size_bytes + 7) & ~(size_t)7;
    if (!has_room(kind, size_bytes) || (size_bytes > left_bytes() && !start_chunk(size_bytes))) {
        scope_store.header->lost_bytes += size_bytes;
        lost_count++;
        return false;
    }
    log_bytes += size_bytes;
    last_entry = next_entry;
    scope_definition *head = (scope_definition *)next_entry;
    memcpy(next_entry + sizeof *head, (const char *)entry + sizeof *head,
           fixed_bytes - sizeof *head);
    unsigned char *text = next_entry + fixed_bytes;
    for (size_t i = 0; i < part_count; i++) {
        if (parts[i].length_bytes)
            memcpy(text, parts[i].bytes, parts[i].length_bytes);
        text += parts[i].length_bytes;
    }
    head->kind = (uint16_t)kind;
    head->session = session;
    __atomic_store_n(&head->size_bytes, (uint32_t)size_bytes, __ATOMIC_RELEASE);
    next_entry += size_bytes;
    return true;
}

bool scope_definition_keep(scope_definition_kind kind, bool of_session, const void *entry,
                           size_t fixed_bytes, const scope_part *parts, size_t part_count)
{
    size_t length_bytes = 0;
    for (size_t i = 0; i < part_count; i++)
        length_bytes += parts[i].length_bytes;
    const size_t item_bytes = sizeof(kept) + fixed_bytes + length_bytes;
    kept *item =
        kept_bytes + item_bytes <= KEPT_MAX_BYTES ? scope_pool_alloc(item_bytes) : NULL;
    if (!item) {
        kept_lost++;
        return false;
    }
    kept_bytes += item_bytes;
    item->kind = kind;
    item->of_session = of_session;
    item->fixed_bytes = fixed_bytes;
    item->length_bytes = length_bytes;
    memcpy(item->bytes, entry, fixed_bytes);
    unsigned char *text = item->bytes + fixed_bytes;
    for (size_t i = 0; i < part_count; i++) {
        if (parts[i].length_bytes)
            memcpy(text, parts[i].bytes, parts[i].length_bytes);
        text += parts[i].length_bytes;
    }
    *last_kept = item;
    last_kept = &item->next;
    return true;
}

bool scope_define(scope_definition_kind kind, uint16_t session, void *entry, size_t fixed_bytes,
                  const scope_part *parts, size_t part_count)
{
    if (!scope_store.is_open)
        return scope_definition_keep(kind, session != 0, entry, fixed_bytes, parts, part_count);
    return append(kind, session, entry, fixed_bytes, parts, part_count);
}

bool scope_define_text(uint16_t session, const char *key, const char *value)
{
    scope_define_metadata entry = {.key_bytes = (uint32_t)strlen(key),
                                   .value_bytes = (uint32_t)strlen(value)};
    const scope_part parts[] = {{key, entry.key_bytes}, {value, entry.value_bytes}};
    return scope_define(SCOPE_DEFINE_METADATA, session, &entry,
                        offsetof(scope_define_metadata, text), parts, 2);
}

void scope_definitions_flush(uint16_t session)
{
    for (kept *item = first_kept; item; item = item->next) {
        const scope_part rest = {item->bytes + item->fixed_bytes, item->length_bytes};
        append(item->kind, item->of_session ? session : 0, item->bytes, item->fixed_bytes, &rest,
               1);
    }
    lost_count += kept_lost;
    scope_definitions_forget();
}

void scope_definitions_forget(void)
{
    kept_bytes = kept_lost = 0;
    first_kept = NULL;
    last_kept = &first_kept;
}

void scope_definitions_move(bool end)
{
    if (chunk && end)
        memset(next_entry, 0, left_bytes());
    chunk = NULL;
    next_entry = NULL;
    last_entry = NULL;
    chunk_bytes = SCOPE_CHUNK_UNIT_BYTES;
}

void scope_definitions_reset(void)
{
    chunk = NULL;
    next_entry = NULL;
    sequence = 0;
    last_entry = NULL;
    log_bytes = lost_count = 0;
    chunk_bytes = SCOPE_CHUNK_UNIT_BYTES;
}
