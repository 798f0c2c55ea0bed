/* sums_copy.c - what was folded of a stream, copied out.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sums_copy.h"

#include <stdlib.h>
#include <string.h>

CHUNK_RACE static uint32_t version_of(const chunk_entry *entry)
{
    const scope_sums_header *live = (const void *)(entry->bytes + sizeof(scope_chunk_header));
    return entry->length_bytes >= sizeof(scope_chunk_header) + sizeof *live
               ? __atomic_load_n(&live->version, __ATOMIC_ACQUIRE)
               : 0;
}

/* Copy it out; whole only if neither version nor generation changed meanwhile. */
static scope_status copy_sums(const chunk_entry *entry, sums_copy *copy)
{
    const uint32_t version = version_of(entry);
    const size_t count = chunk_word_count(entry);
    uint64_t *words = malloc((count + 1) * sizeof *words);
    if (!words)
        return SCOPE_ERR_MEMORY;
    const int whole = chunk_copy(entry, 0, count, words) && version_of(entry) == version;
    copy->bytes = (unsigned char *)words;
    memcpy(&copy->header, words, sizeof copy->header);
    const scope_sums_header *header = &copy->header;
    const uint64_t wanted = sizeof *header + header->row_count * sizeof(scope_sum) +
                            header->lane_count * sizeof(scope_sums_lane) +
                            header->open_count * sizeof(scope_sums_open);
    if (!whole || header->version != version || wanted > count * sizeof *words) {
        free(words);
        copy->bytes = NULL;
        return SCOPE_ERR_CORRUPT;
    }
    copy->rows = (const void *)(copy->bytes + sizeof *header);
    copy->lanes = (const void *)(copy->rows + header->row_count);
    copy->opens = (const void *)(copy->lanes + header->lane_count);
    return SCOPE_OK;
}

scope_status sums_copy_find(const chunk_index *index, uint16_t session, uint32_t stream,
                            sums_copy *copy)
{
    const chunk_entry *entries[2] = {NULL, NULL};
    for (uint32_t i = 0; i < 2; i++) {
        const size_t place = chunk_index_find(index, SCOPE_CHUNK_SUMS, session, stream, i);
        if (place < index->count && version_of(&index->entries[place]))
            entries[i] = &index->entries[place];
    }
    if (entries[0] && entries[1] && version_of(entries[1]) > version_of(entries[0])) {
        const chunk_entry *swap = entries[0];
        entries[0] = entries[1];
        entries[1] = swap;
    }
    for (int i = 0; i < 2; i++) {
        const scope_status status =
            entries[i] ? copy_sums(entries[i], copy) : SCOPE_ERR_MISSING;
        if (status == SCOPE_OK || status == SCOPE_ERR_MEMORY)
            return status;
    }
    return SCOPE_ERR_MISSING;
}
