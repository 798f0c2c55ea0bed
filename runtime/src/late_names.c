/* late_names.c - regions whose ids were given before the rank was known, and that the filter
 * excludes since.
 *
 * SPDX-License-Identifier: MIT
 */
#include "late_names.h"

#include <stdatomic.h>
#include <stddef.h>

#include "pool.h"

#define FIRST_WORDS 64u

typedef struct block {
    uint32_t words;          /* room */
    _Atomic(uint32_t) count; /* ids that have a bit; 0: none is late */
    _Atomic(uint64_t) bits[];
} block;

static block *_Atomic present;

/* The block with room for so many words; NULL without memory. */
static block *roomy_block(uint32_t words)
{
    block *old = atomic_load_explicit(&present, memory_order_relaxed);
    if (old && old->words >= words)
        return old;
    uint32_t more = old ? old->words : FIRST_WORDS;
    while (more < words)
        more *= 2;
    block *larger = scope_pool_alloc(sizeof *larger + more * sizeof larger->bits[0]);
    if (larger)
        larger->words = more;
    return larger;
}

bool scope_late_names_take(uint32_t count, bool (*is_late)(void *context, uint32_t id),
                           void *context)
{
    block *to = roomy_block(count / 64 + 1);
    bool any = false;
    if (!to) {
        scope_late_names_clear();
        return false;
    }
    for (uint32_t first = 0; first < count; first += 64) {
        uint64_t word = 0;
        for (uint32_t i = 0; i < 64 && first + i < count; i++)
            word |= (uint64_t)is_late(context, first + i) << i;
        atomic_store_explicit(&to->bits[first / 64], word, memory_order_relaxed);
        any = any || word;
    }
    atomic_store_explicit(&to->count, any ? count : 0, memory_order_release);
    atomic_store_explicit(&present, to, memory_order_release);
    return true;
}

void scope_late_names_clear(void)
{
    block *at = atomic_load_explicit(&present, memory_order_relaxed);
    if (at)
        atomic_store_explicit(&at->count, 0, memory_order_release);
}

bool scope_late_names_any(void)
{
    const block *at = atomic_load_explicit(&present, memory_order_acquire);
    return at && atomic_load_explicit(&at->count, memory_order_acquire);
}

bool scope_late_names_has(uint32_t id)
{
    const block *at = atomic_load_explicit(&present, memory_order_acquire);
    return at && id < atomic_load_explicit(&at->count, memory_order_acquire) &&
           (atomic_load_explicit(&at->bits[id / 64], memory_order_relaxed) >> id % 64 & 1);
}
