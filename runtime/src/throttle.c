/* throttle.c - a region called without end for next to nothing must not drown the rest.
 *
 * SPDX-License-Identifier: MIT
 */
#include "throttle.h"

#include <string.h>

#include "compact.h"
#include "engine.h"
#include "pool.h"
#include "spool_chunk.h"

#define UNIT SCOPE_CHUNK_UNIT_BYTES
#define SLOTS 64u /* regions that are watched */
#define PROBES 4u
#define WINDOWS 8u /* of a chunk, evenly spread */
#define WINDOW_WORDS 64u
#define NESTED 8u
#define SHARE 8u /* of the budget: what a region may take under auto */
#define LONG_FACTOR 64u /* a call that takes so many times what is tiny stays */
#define SCRATCH_WORDS ((1u << 20) / 2 / sizeof(uint64_t))

typedef struct watched { /* a region; numbers are estimates from samples, but for the last two */
    uint32_t region;
    bool used;
    bool is_tiny;   /* as of the last sample that saw it */
    uint32_t words; /* of its calls, in the sample at hand */
    uint64_t calls, ticks;
    uint64_t pending; /* summed up in the chunk at hand */
    uint64_t summed;
} watched;

typedef struct scope_throttle { /* of one stream */
    watched slots[SLOTS];
    uint64_t mean_below;         /* what tiny means; in ticks */
    struct scope_throttle *next; /* spare ones */
} scope_throttle;

static scope_throttle *spare_throttles;
static uint64_t *scratch;
static scope_compact compact; /* too large for a stack */

static bool applies(const scope_session *session)
{
    return session->config.throttle_calls && session->config.policy != SCOPE_POLICY_STOP &&
           session->config.policy != SCOPE_POLICY_RING && !session->host &&
           !session->cut_count && !session->has_written && !session->bounded;
}

static scope_throttle *throttle_of(scope_stream *stream)
{
    const scope_session *session = stream->session;
    const scope_config *config = &session->config;
    if (stream->throttle)
        return stream->throttle;
    scope_throttle *throttle = spare_throttles;
    if (throttle)
        spare_throttles = throttle->next;
    else
        throttle = scope_pool_alloc(sizeof *throttle);
    if (!throttle)
        return NULL;
    memset(throttle, 0, sizeof *throttle);
    throttle->mean_below =
        (uint64_t)((double)config->throttle_ns * (double)scope_clock_ticks_per_second() / 1e9);
    stream->throttle = throttle;
    return throttle;
}

void scope_throttle_free(scope_stream *stream)
{
    if (!stream->throttle)
        return;
    stream->throttle->next = spare_throttles;
    spare_throttles = stream->throttle;
    stream->throttle = NULL;
}

/* ---- which regions are tiny ---- */

/* The index of the region's place; SLOTS: it has none. */
static uint32_t find(const scope_throttle *throttle, uint32_t region)
{
    const uint32_t first = region * UINT32_C(0x9E3779B1) >> 26;
    for (uint32_t i = 0; i < PROBES; i++) {
        const watched *slot = &throttle->slots[(first + i) % SLOTS];
        if (slot->used && slot->region == region)
            return (first + i) % SLOTS;
    }
    return SLOTS;
}

/* The region's place; of others the one that is seen least goes. NULL: all are tiny. */
static watched *place_of(scope_throttle *throttle, uint32_t region)
{
    const uint32_t first = region * UINT32_C(0x9E3779B1) >> 26, found = find(throttle, region);
    watched *least = NULL;
    if (found < SLOTS)
        return &throttle->slots[found];
    for (uint32_t i = 0; i < PROBES; i++) {
        watched *slot = &throttle->slots[(first + i) % SLOTS];
        if (!slot->used) {
            least = slot;
            break;
        }
        if (!slot->summed && !slot->is_tiny && (!least || slot->calls < least->calls))
            least = slot;
    }
    if (least)
        *least = (watched){.region = region, .used = true};
    return least;
}

static bool is_tiny(const void *context, uint32_t region)
{
    const scope_throttle *throttle = context;
    const uint32_t found = find(throttle, region);
    return found < SLOTS && throttle->slots[found].is_tiny;
}

static void summed(void *context, uint32_t region, uint64_t calls)
{
    scope_throttle *throttle = context;
    const uint32_t found = find(throttle, region);
    if (found < SLOTS)
        throttle->slots[found].pending += calls;
}

/* ---- samples ---- */

typedef struct sampled_call {
    uint32_t region;
    uint64_t ticks;
} sampled_call;

/* A call that lies in the window as a whole. */
static void note(scope_throttle *throttle, uint32_t region, uint64_t ticks, uint64_t weight)
{
    watched *slot = place_of(throttle, region);
    if (!slot)
        return;
    slot->calls += weight;
    slot->ticks += ticks * weight;
    slot->words += region >= SCOPE_ID_ESCAPE ? 4 : 2;
}

static void sample_window(scope_throttle *throttle, const uint64_t *words, uint64_t weight)
{
    sampled_call open[NESTED];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < WINDOW_WORDS; i++) {
        const uint64_t word = words[i];
        const uint32_t kind = scope_word_kind(word);
        uint64_t id = scope_word_id(word);
        if (id == SCOPE_ID_ESCAPE && i + 1 < WINDOW_WORDS &&
            scope_word_kind(words[i + 1]) == SCOPE_EVENT_PAYLOAD)
            id = scope_word_value(words[++i]);
        if (kind == SCOPE_EVENT_BEGIN) {
            if (depth == NESTED)
                depth = 0;
            open[depth++] = (sampled_call){(uint32_t)id, scope_word_ticks(word)};
        } else if (kind == SCOPE_EVENT_END && depth && open[depth - 1].region == id) {
            const uint64_t ticks =
                (scope_word_ticks(word) - open[--depth].ticks) & SCOPE_TICK_MASK;
            note(throttle, (uint32_t)id, ticks, weight);
        } else if (kind != SCOPE_EVENT_PAYLOAD) {
            depth = 0;
        }
    }
}

/* Was the region called so often that its calls become sums? Under auto what its calls take
 * on all threads decides, and only while that much is in use: what fits stays. */
static bool is_many(const scope_stream *stream, const watched *slot)
{
    const scope_session *session = stream->session;
    if (session->config.throttle_calls != SCOPE_THROTTLE_AUTO)
        return slot->calls > session->config.throttle_calls;
    const uint64_t share_bytes = scope_store.max_bytes / SHARE;
    if (slot->is_tiny || scope_store.used_bytes < share_bytes)
        return slot->is_tiny;
    uint64_t calls = 0;
    for (const scope_stream *at = session->streams; at; at = at->next_of_session) {
        const uint32_t found = at->throttle ? find(at->throttle, slot->region) : SLOTS;
        calls += found < SLOTS ? at->throttle->slots[found].calls : 0;
    }
    return calls > share_bytes / (2 * sizeof(uint64_t));
}

static size_t limit_words(const scope_chunk_header *chunk)
{
    return (chunk->size_bytes - sizeof *chunk) / sizeof(uint64_t) - SCOPE_CHUNK_ROOM_WORDS;
}

/* Is it for the most part tiny calls? */
static bool sample(const scope_stream *stream, const scope_chunk_header *chunk)
{
    scope_throttle *throttle = stream->throttle;
    const uint64_t *words = (const uint64_t *)(chunk + 1);
    const size_t count = limit_words(chunk);
    const uint64_t weight = count / (WINDOWS * WINDOW_WORDS);
    uint64_t tiny_words = 0;
    for (size_t i = 0; i < WINDOWS; i++)
        sample_window(throttle, words + i * (count / WINDOWS), weight);
    for (watched *slot = throttle->slots; slot < throttle->slots + SLOTS; slot++) {
        if (!slot->words)
            continue;
        slot->is_tiny = slot->ticks / slot->calls < throttle->mean_below && is_many(stream, slot);
        tiny_words += slot->is_tiny ? slot->words : 0;
        slot->words = 0;
    }
    return 2 * tiny_words >= WINDOWS * WINDOW_WORDS;
}

/* Up to its limit: a claim that waits to be stored shows as a hole, which scope_compact
 * finds, but for the last one. */
static bool is_filled(const scope_chunk_header *chunk)
{
    const uint64_t *words = (const uint64_t *)(chunk + 1);
    return words[limit_words(chunk) - 1] != 0;
}

/* ---- the chunk anew ---- */

static scope_chunk_header *take_chunk(size_t size_bytes)
{
    scope_chunk_header *chunk = scope_spool_take(SCOPE_CHUNK_EVENTS, (uint32_t)size_bytes, false);
    if (!chunk && !scope_store.full) /* what it replaces is given back at once */
        chunk = scope_spool_take(SCOPE_CHUNK_EVENTS, (uint32_t)size_bytes, true);
    if (chunk && chunk->size_bytes < size_bytes) {
        scope_spool_give(chunk);
        chunk = NULL;
    }
    return chunk;
}

static void settle(scope_throttle *throttle, bool done)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        throttle->slots[i].summed += done ? throttle->slots[i].pending : 0;
        throttle->slots[i].pending = 0;
    }
}

/* [first, last], one or two that follow each other, become one chunk of at most max_bytes. */
static bool replace(scope_stream *stream, scope_chunk_ref *first, scope_chunk_ref *last,
                    size_t max_bytes)
{
    scope_throttle *throttle = stream->throttle;
    compact.out = scratch;
    compact.capacity = (max_bytes - sizeof(scope_chunk_header)) / sizeof(uint64_t);
    compact.longest = LONG_FACTOR * throttle->mean_below;
    compact.ticks_per_second = scope_store.header->ticks_per_second;
    compact.is_tiny = is_tiny;
    compact.summed = summed;
    compact.context = throttle;
    scope_compact_start(&compact);
    scope_compact_chunk(&compact, first->chunk);
    if (last != first)
        scope_compact_chunk(&compact, last->chunk);
    const bool fits = scope_compact_finish(&compact);
    const size_t size_bytes = sizeof(scope_chunk_header) + compact.count * sizeof(uint64_t);
    scope_chunk_header *chunk = fits ? take_chunk((size_bytes + UNIT - 1) / UNIT * UNIT) : NULL;
    settle(throttle, chunk != NULL);
    if (!chunk)
        return false;
    const scope_chunk_header *from = first->chunk;
    chunk->session = from->session;
    chunk->stream = from->stream;
    chunk->sequence = from->sequence;
    chunk->further = scope_chunk_last(last->chunk) - from->sequence;
    chunk->thread = from->thread;
    chunk->task = from->task;
    chunk->ticks = from->ticks;
    chunk->monotonic_ns = from->monotonic_ns;
    memcpy(chunk + 1, scratch, compact.count * sizeof(uint64_t));
    scope_spool_publish(chunk);
    /* from here on readers leave the old ones alone */
    scope_spool_give(first->chunk);
    first->chunk = chunk;
    if (last != first) {
        scope_spool_give(last->chunk);
        scope_stream_take_out(stream, last);
    }
    return true;
}

void scope_throttle_look(scope_stream *stream)
{
    scope_chunk_ref *ref = stream->newest ? stream->newest->previous : NULL;
    if (!ref || !applies(stream->session) || !throttle_of(stream) ||
        !sample(stream, ref->chunk) || !is_filled(ref->chunk))
        return;
    if (!scratch)
        scratch = scope_map_alloc(SCRATCH_WORDS * sizeof *scratch);
    if (!scratch)
        return;
    scope_chunk_ref *before = ref->previous;
    if (before && before->chunk->size_bytes == UNIT &&
        scope_chunk_last(before->chunk) + 1 == ref->chunk->sequence &&
        replace(stream, before, ref, UNIT))
        return;
    const size_t half_bytes = ref->chunk->size_bytes / 2 / UNIT * UNIT;
    if (half_bytes)
        replace(stream, ref, ref,
                half_bytes < SCRATCH_WORDS * sizeof *scratch ? half_bytes
                                                             : SCRATCH_WORDS * sizeof *scratch);
}

uint64_t scope_throttle_most(const scope_session *session, uint32_t *region)
{
    uint64_t most = 0, total = 0;
    if (!scope_enter())
        return 0;
    scope_engine_lock();
    for (const scope_stream *at = session->streams; at; at = at->next_of_session)
        for (uint32_t i = 0; at->throttle && i < SLOTS; i++)
            if (at->throttle->slots[i].summed > most) {
                most = at->throttle->slots[i].summed;
                *region = at->throttle->slots[i].region;
            }
    for (const scope_stream *at = session->streams; most && at; at = at->next_of_session) {
        const uint32_t found = at->throttle ? find(at->throttle, *region) : SLOTS;
        total += found < SLOTS ? at->throttle->slots[found].summed : 0;
    }
    scope_engine_unlock();
    scope_leave();
    return total;
}
