/* chunks.h - the chunks of a recording, sorted, as far as they can be trusted.
 *
 *     segment [header | chunk | chunk | not valid, 16 KiB | chunk ...]
 *          -> index sorted by (kind, session, stream, sequence)
 *
 * A chunk of a live recording may be reused while it is read: chunk_copy takes
 * it only if its generation is the same afterwards.
 *
 * Ownership  the index owns its array, not the bytes.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CHUNKS_H
#define SCOPE_CHUNKS_H

#include <stddef.h>
#include <stdint.h>

#include <scope/recording.h>
#include <scope/status.h>

/* Looks at memory that its writers may be changing, and takes nothing of it that the
 * generation does not vouch for afterwards: a race by design, which ThreadSanitizer cannot
 * know. */
#define CHUNK_RACE __attribute__((no_sanitize("thread")))

typedef struct chunk_entry {
    scope_chunk_header header;  /* a copy */
    const unsigned char *bytes; /* where the chunk lies */
    uint32_t length_bytes;      /* of it, header included: less than size_bytes in a cut file */
} chunk_entry;

typedef struct chunk_index {
    chunk_entry *entries;
    size_t count;
    uint64_t damaged_units; /* places of 16 KiB that hold something, but no valid chunk */
} chunk_index;

/* Every chunk whose header is valid. Of two that claim one place the greater
 * generation is kept; one that stands for others, too, is kept instead of them. */
scope_status chunk_index_build(const scope_recording *recording, chunk_index *index);

/* Only those that `wanted` says 1 of: what reads on again and again need not sort all. Who
 * takes a place wants whatever stands for it, too. */
typedef int chunk_wanted(const void *context, const scope_chunk_header *header);
scope_status chunk_index_build_some(const scope_recording *recording, chunk_wanted *wanted,
                                    const void *context, chunk_index *index);
void chunk_index_free(chunk_index *index);

/* The first entry of this kind, session and stream; count when there is none. */
size_t chunk_index_find(const chunk_index *index, uint16_t kind, uint16_t session, uint32_t stream,
                        uint32_t sequence);

/* The same for events: the entry that stands for this place, whatever its own is. */
size_t chunk_index_find_with(const chunk_index *index, uint16_t session, uint32_t stream,
                             uint32_t sequence);

/* The first chunk of events of the stream behind this place; index->count: none. */
size_t chunk_index_find_after(const chunk_index *index, uint16_t session, uint32_t stream,
                              uint32_t sequence);

/* Where the words from here on end: at the first that is not stored yet. */
size_t chunk_stored(const chunk_entry *entry, size_t from_word);

/* Copy words [from, count) after the header to `words`. 0: the chunk was reused
 * meanwhile, nothing in `words` counts. */
int chunk_copy(const chunk_entry *entry, size_t from_word, size_t word_count, uint64_t *words);

static inline size_t chunk_word_count(const chunk_entry *entry)
{
    return (entry->length_bytes - sizeof(scope_chunk_header)) / sizeof(uint64_t);
}

static inline const uint64_t *chunk_words(const chunk_entry *entry)
{
    return (const uint64_t *)(const void *)(entry->bytes + sizeof(scope_chunk_header));
}

/* The chunk goes on beyond the end of the file. */
static inline int chunk_is_cut(const chunk_entry *entry)
{
    return entry->length_bytes < entry->header.size_bytes;
}

#endif
