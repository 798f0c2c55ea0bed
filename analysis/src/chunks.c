/* chunks.c - find the chunks of a recording and sort them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "chunks.h"

#include <stdlib.h>
#include <string.h>

/* The header at `bytes`, read so that it is whole or refused: generation is
 * stored last and is 0 while the rest changes. */
CHUNK_RACE static int read_header(const unsigned char *bytes, scope_chunk_header *header)
{
    const scope_chunk_header *live = (const scope_chunk_header *)(const void *)bytes;
    const uint32_t generation = __atomic_load_n(&live->generation, __ATOMIC_ACQUIRE);
    if (generation == 0)
        return 0;
    uint64_t words[sizeof *header / sizeof(uint64_t)];
    const uint64_t *source = (const uint64_t *)(const void *)bytes;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = __atomic_load_n(&source[i], __ATOMIC_RELAXED);
    memcpy(header, words, sizeof *header);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&live->generation, __ATOMIC_RELAXED) == generation &&
           header->generation == generation && header->magic == SCOPE_CHUNK_MAGIC &&
           header->size_bytes >= SCOPE_CHUNK_UNIT_BYTES &&
           header->size_bytes % SCOPE_CHUNK_UNIT_BYTES == 0 &&
           header->kind >= SCOPE_CHUNK_EVENTS && header->kind <= SCOPE_CHUNK_SUMS &&
           header->sequence < UINT32_MAX; /* else what follows would be the first one again */
}

static int add(chunk_index *index, size_t *capacity, const chunk_entry *entry)
{
    if (index->count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 64;
        chunk_entry *entries = realloc(index->entries, *capacity * sizeof *entries);
        if (!entries)
            return 0;
        index->entries = entries;
    }
    index->entries[index->count++] = *entry;
    return 1;
}

static int by_place(const void *a, const void *b)
{
    const scope_chunk_header *x = &((const chunk_entry *)a)->header;
    const scope_chunk_header *y = &((const chunk_entry *)b)->header;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->session != y->session)
        return x->session < y->session ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return x->generation > y->generation ? -1 : x->generation < y->generation;
}

/* The chunk that `x` is, or one behind it in its stream whose sequence it says to stand for. */
static int reaches(const scope_chunk_header *x, const scope_chunk_header *y)
{
    return x->kind == SCOPE_CHUNK_EVENTS && y->kind == x->kind && x->session == y->session &&
           x->stream == y->stream && y->sequence >= x->sequence &&
           y->sequence <= scope_chunk_last(x);
}

/* What a chunk was made from was there before it. */
static int stands_for(const scope_chunk_header *x, const scope_chunk_header *y)
{
    return x->generation > y->generation && reaches(x, y);
}

static int same_place(const scope_chunk_header *x, const scope_chunk_header *y)
{
    return x->kind == y->kind && x->session == y->session && x->stream == y->stream &&
           x->sequence == y->sequence;
}

scope_status chunk_index_build(const scope_recording *recording, chunk_index *index)
{
    return chunk_index_build_some(recording, NULL, NULL, index);
}

scope_status chunk_index_build_some(const scope_recording *recording, chunk_wanted *wanted,
                                    const void *context, chunk_index *index)
{
    size_t capacity = 0;
    *index = (chunk_index){0};
    for (size_t s = 0; s < recording->segment_count; s++) {
        const scope_recording_segment *segment = &recording->segments[s];
        uint64_t offset = SCOPE_CHUNK_UNIT_BYTES;
        while (offset < segment->length_bytes &&
               segment->length_bytes - offset >= sizeof(scope_chunk_header)) {
            const uint64_t rest = segment->length_bytes - offset;
            chunk_entry entry = {.bytes = segment->bytes + offset};
            if (!read_header(entry.bytes, &entry.header)) {
                if (!recording->in_process) { /* else it is being written, not damaged */
                    uint64_t word;
                    memcpy(&word, entry.bytes, sizeof word);
                    index->damaged_units += word != 0;
                }
                offset += SCOPE_CHUNK_UNIT_BYTES;
                continue;
            }
            entry.length_bytes =
                entry.header.size_bytes < rest ? entry.header.size_bytes : (uint32_t)rest;
            if ((!wanted || wanted(context, &entry.header)) && !add(index, &capacity, &entry)) {
                chunk_index_free(index);
                return SCOPE_ERR_MEMORY;
            }
            offset += entry.header.size_bytes;
        }
    }
    if (!index->count)
        return SCOPE_OK;
    qsort(index->entries, index->count, sizeof *index->entries, by_place);
    size_t kept = 1;
    for (size_t i = 1; i < index->count; i++) {
        scope_chunk_header *last = &index->entries[kept - 1].header;
        const scope_chunk_header *header = &index->entries[i].header;
        if (same_place(header, last) || stands_for(last, header))
            continue;
        if (reaches(last, header)) /* damaged: what is there itself counts */
            last->further = header->sequence - 1 - last->sequence;
        index->entries[kept++] = index->entries[i];
    }
    index->count = kept;
    return SCOPE_OK;
}

void chunk_index_free(chunk_index *index)
{
    free(index->entries);
    *index = (chunk_index){0};
}

/* The first entry not before `wanted`. */
static size_t lower_bound(const chunk_index *index, const chunk_entry *wanted)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_place(&index->entries[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static chunk_entry entry_of(uint16_t kind, uint16_t session, uint32_t stream, uint32_t sequence)
{
    return (chunk_entry){.header = {.kind = kind,
                                    .session = session,
                                    .stream = stream,
                                    .sequence = sequence,
                                    .generation = UINT32_MAX}};
}

size_t chunk_index_find(const chunk_index *index, uint16_t kind, uint16_t session, uint32_t stream,
                        uint32_t sequence)
{
    const chunk_entry wanted = entry_of(kind, session, stream, sequence);
    const size_t low = lower_bound(index, &wanted);
    return low < index->count && same_place(&index->entries[low].header, &wanted.header)
               ? low
               : index->count;
}

size_t chunk_index_find_with(const chunk_index *index, uint16_t session, uint32_t stream,
                             uint32_t sequence)
{
    const chunk_entry wanted = entry_of(SCOPE_CHUNK_EVENTS, session, stream, sequence);
    const size_t low = lower_bound(index, &wanted);
    if (low < index->count && same_place(&index->entries[low].header, &wanted.header))
        return low;
    return low > 0 && reaches(&index->entries[low - 1].header, &wanted.header) ? low - 1
                                                                               : index->count;
}

size_t chunk_index_find_after(const chunk_index *index, uint16_t session, uint32_t stream,
                              uint32_t sequence)
{
    const chunk_entry wanted = entry_of(SCOPE_CHUNK_EVENTS, session, stream, sequence);
    size_t low = lower_bound(index, &wanted);
    if (low < index->count && same_place(&index->entries[low].header, &wanted.header))
        low++;
    if (low == index->count)
        return low;
    const scope_chunk_header *header = &index->entries[low].header;
    return header->kind == SCOPE_CHUNK_EVENTS && header->session == session &&
                   header->stream == stream
               ? low
               : index->count;
}

CHUNK_RACE size_t chunk_stored(const chunk_entry *entry, size_t from_word)
{
    const uint64_t *words = chunk_words(entry);
    const size_t count = chunk_word_count(entry);
    size_t end = from_word;
    while (end < count && __atomic_load_n(&words[end], __ATOMIC_ACQUIRE))
        end++;
    return end;
}

CHUNK_RACE int chunk_copy(const chunk_entry *entry, size_t from_word, size_t word_count, uint64_t *words)
{
    const scope_chunk_header *live = (const scope_chunk_header *)(const void *)entry->bytes;
    const uint64_t *source = chunk_words(entry);
    for (size_t i = from_word; i < word_count; i++)
        words[i] = __atomic_load_n(&source[i], __ATOMIC_ACQUIRE);
    return __atomic_load_n(&live->generation, __ATOMIC_ACQUIRE) == entry->header.generation;
}
