/* recording_reader.h - a second, small reader of recordings, for tests of the first.
 *
 * Written from runtime/RECORDING.md alone; knows nothing of lanes and clocks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RECORDING_READER_H
#define RECORDING_READER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <scope/event.h>
#include <scope/recording.h>

typedef struct read_event {
    scope_event_kind kind;
    uint64_t id, ticks;
    int64_t thread; /* whose stream it is at that place */
    uint32_t stream;
    unsigned value_count;
    uint64_t values[8];
} read_event;

typedef struct read_summed { /* calls that are a SUM: of one region on one thread */
    uint32_t region;
    int64_t thread, task; /* task -1: none */
    uint64_t count, total, exclusive, minimum, maximum, first, last, in_buckets;
} read_summed;

typedef struct read_events {
    read_event *items;
    size_t count, capacity;
    read_summed *sums; /* in order */
    size_t sum_count;
    uint64_t spent;    /* ticks of all SPENT */
    size_t holes, missing; /* zero words before others; streams with a gap */
    size_t chunks;
} read_events;

static int by_stream(const void *a, const void *b)
{
    const scope_chunk_header *x = *(scope_chunk_header *const *)a;
    const scope_chunk_header *y = *(scope_chunk_header *const *)b;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return x->generation > y->generation ? -1 : x->generation < y->generation;
}

/* Of chunks for one place the first in this order counts; others lie in one that stands for
 * them, too. */
static size_t keep_valid(const scope_chunk_header **chunks, size_t count)
{
    size_t kept = count > 0;
    for (size_t i = 1; i < count; i++) {
        const scope_chunk_header *last = chunks[kept - 1];
        const bool covered = chunks[i]->stream == last->stream &&
                             chunks[i]->kind == SCOPE_CHUNK_EVENTS &&
                             (chunks[i]->sequence == last->sequence ||
                              (chunks[i]->sequence <= scope_chunk_last(last) &&
                               chunks[i]->generation < last->generation));
        if (!covered)
            chunks[kept++] = chunks[i];
    }
    return kept;
}

/* All valid chunks of a kind and session, sorted; malloc'd. */
static const scope_chunk_header **read_chunks(const scope_recording *recording, unsigned kind,
                                              unsigned session, size_t *count)
{
    size_t capacity = 64;
    const scope_chunk_header **chunks = malloc(capacity * sizeof *chunks);
    *count = 0;
    for (size_t s = 0; s < recording->segment_count; s++) {
        const unsigned char *bytes = recording->segments[s].bytes;
        const uint64_t length = recording->segments[s].length_bytes;
        for (uint64_t at = SCOPE_CHUNK_UNIT_BYTES; at + sizeof(scope_chunk_header) <= length;) {
            const scope_chunk_header *chunk = (const scope_chunk_header *)(bytes + at);
            if (!__atomic_load_n(&chunk->generation, __ATOMIC_ACQUIRE) ||
                chunk->magic != SCOPE_CHUNK_MAGIC || !chunk->size_bytes) {
                at += SCOPE_CHUNK_UNIT_BYTES;
                continue;
            }
            if (chunk->kind == kind && chunk->session == session) {
                if (*count == capacity)
                    chunks = realloc(chunks, (capacity *= 2) * sizeof *chunks);
                chunks[(*count)++] = chunk;
            }
            at += chunk->size_bytes;
        }
    }
    qsort(chunks, *count, sizeof *chunks, by_stream);
    *count = keep_valid(chunks, *count);
    return chunks;
}

/* The sums that are in force for a stream; NULL none. */
static const scope_sums_header *read_sums(const scope_recording *recording, unsigned session,
                                          uint32_t stream)
{
    size_t count;
    const scope_sums_header *best = NULL;
    const scope_chunk_header **chunks =
        read_chunks(recording, SCOPE_CHUNK_SUMS, session, &count);
    for (size_t i = 0; i < count; i++) {
        const scope_sums_header *sums = (const scope_sums_header *)(chunks[i] + 1);
        if (chunks[i]->stream == stream && sums->version && (!best || sums->version > best->version))
            best = sums;
    }
    free(chunks);
    return best;
}

/* The writer may be at it still. */
static uint64_t read_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void read_sum(read_events *events, const uint64_t *payload, size_t count, int64_t thread,
                     int64_t task)
{
    read_summed sum = {.region = (uint32_t)scope_word_value(payload[0]),
                       .thread = thread,
                       .task = task,
                       .count = scope_word_value(payload[1]),
                       .total = scope_word_value(payload[2]),
                       .exclusive = scope_word_value(payload[3]),
                       .minimum = scope_word_value(payload[4]),
                       .maximum = scope_word_value(payload[5]),
                       .first = scope_word_value(payload[6]),
                       .last = scope_word_value(payload[7])};
    for (size_t i = 8; i < count; i++)
        sum.in_buckets += scope_word_value(payload[i]) & ((UINT64_C(1) << 54) - 1);
    events->sums = realloc(events->sums, (events->sum_count + 1) * sizeof *events->sums);
    events->sums[events->sum_count++] = sum;
}

static void read_chunk(read_events *events, const scope_chunk_header *chunk)
{
    const uint64_t *words = (const uint64_t *)chunk;
    const size_t end = chunk->size_bytes / 8;
    uint64_t epoch = chunk->ticks >> SCOPE_TICK_BITS;
    int64_t thread = chunk->thread, tasks[64] = {chunk->task};
    size_t zeros = 0, depth = chunk->task >= 0;
    for (size_t i = 8; i < end; i++) {
        const uint64_t word = read_word(&words[i]);
        if (!word) {
            zeros++;
            continue;
        }
        events->holes += zeros;
        zeros = 0;
        read_event event = {.kind = scope_word_kind(word), .id = scope_word_id(word)};
        const size_t payload = i + 1;
        bool escaped = event.id == SCOPE_ID_ESCAPE && event.kind != SCOPE_EVENT_EXTENDED;
        while (i + 1 < end && scope_word_kind(read_word(&words[i + 1])) == SCOPE_EVENT_PAYLOAD) {
            const uint64_t value = scope_word_value(read_word(&words[++i]));
            if (escaped)
                event.id = value;
            else if (event.value_count < 8)
                event.values[event.value_count++] = value;
            escaped = false;
        }
        if (event.kind == SCOPE_EVENT_EXTENDED) {
            if (event.id == SCOPE_EXTENDED_EPOCH)
                epoch = event.values[0];
            else if (event.id == SCOPE_EXTENDED_SPENT)
                events->spent += event.values[0];
            else if (event.id == SCOPE_EXTENDED_SUM)
                read_sum(events, &words[payload], i + 1 - payload, thread,
                         depth ? tasks[depth - 1] : -1);
            continue;
        }
        if (event.kind == SCOPE_EVENT_THREAD) {
            thread = (int64_t)event.id;
            depth = 0;
        } else if (event.kind == SCOPE_EVENT_RESUME && depth < 64) {
            tasks[depth++] = (int64_t)event.id;
        } else if (event.kind == SCOPE_EVENT_SUSPEND && depth) {
            depth--;
        }
        event.ticks = epoch << SCOPE_TICK_BITS | scope_word_ticks(word);
        event.thread = thread;
        event.stream = chunk->stream;
        if (events->count == events->capacity) {
            events->capacity = events->capacity ? 2 * events->capacity : 1024;
            events->items = realloc(events->items, events->capacity * sizeof *events->items);
        }
        events->items[events->count++] = event;
    }
}

/* Every event of a session, stream after stream, from the first that is not folded. */
static read_events read_all_events(const scope_recording *recording, unsigned session)
{
    read_events events = {0};
    size_t count;
    const scope_chunk_header **chunks =
        read_chunks(recording, SCOPE_CHUNK_EVENTS, session, &count);
    uint32_t stream = UINT32_MAX, sequence = 0;
    for (size_t i = 0; i < count; i++) {
        if (chunks[i]->stream != stream) {
            stream = chunks[i]->stream;
            const scope_sums_header *sums = read_sums(recording, session, stream);
            sequence = sums ? sums->first_unfolded : 0;
        }
        if (chunks[i]->sequence < sequence)
            continue;
        events.missing += chunks[i]->sequence != sequence;
        sequence = scope_chunk_last(chunks[i]) + 1;
        if (i + 1 < count && chunks[i + 1]->stream == stream && chunks[i + 1]->sequence < sequence)
            sequence = chunks[i + 1]->sequence; /* `further` is damaged */
        events.chunks++;
        read_chunk(&events, chunks[i]);
    }
    free(chunks);
    return events;
}

/* Definition entry after `before` (NULL: the first) of a kind; NULL: no more. */
static const scope_definition *read_definition(const scope_recording *recording, unsigned kind,
                                               const scope_definition *before)
{
    size_t count;
    bool seen = !before;
    const scope_definition *found = NULL;
    const scope_chunk_header **chunks =
        read_chunks(recording, SCOPE_CHUNK_DEFINITIONS, 0, &count);
    for (size_t i = 0; i < count && !found; i++) {
        const char *at = (const char *)(chunks[i] + 1);
        const char *end = (const char *)chunks[i] + chunks[i]->size_bytes;
        while (at + sizeof(scope_definition) <= end && !found) {
            const scope_definition *entry = (const scope_definition *)at;
            if (!entry->size_bytes)
                break;
            if (seen && entry->kind == kind)
                found = entry;
            seen = seen || entry == before;
            at += entry->size_bytes;
        }
    }
    free(chunks);
    return found;
}

static size_t count_definitions(const scope_recording *recording, unsigned kind)
{
    size_t n = 0, count;
    const scope_chunk_header **chunks =
        read_chunks(recording, SCOPE_CHUNK_DEFINITIONS, 0, &count);
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)(chunks[i] + 1);
        const char *end = (const char *)chunks[i] + chunks[i]->size_bytes;
        while (at + sizeof(scope_definition) <= end) {
            const scope_definition *entry = (const scope_definition *)at;
            if (!entry->size_bytes)
                break;
            n += entry->kind == kind;
            at += entry->size_bytes;
        }
    }
    free(chunks);
    return n;
}

static size_t count_events(const read_events *events, scope_event_kind kind, int64_t id)
{
    size_t n = 0;
    for (size_t i = 0; i < events->count; i++)
        n += events->items[i].kind == kind && (id < 0 || events->items[i].id == (uint64_t)id);
    return n;
}

/* Calls of a region that are in SUMs. */
static uint64_t count_summed(const read_events *events, uint32_t region)
{
    uint64_t count = 0;
    for (size_t i = 0; i < events->sum_count; i++)
        count += events->sums[i].region == region ? events->sums[i].count : 0;
    return count;
}

/* Keep the compiler quiet about what one test does not use. */
static inline void reader_unused(void)
{
    (void)read_all_events;
    (void)read_definition;
    (void)count_definitions;
    (void)count_events;
    (void)read_sums;
    (void)count_summed;
}

#endif
