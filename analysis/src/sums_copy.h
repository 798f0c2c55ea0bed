/* sums_copy.h - what was folded of a stream, copied out of a recording that may be alive.
 *
 * Ownership  the copy owns its bytes: free(copy.bytes).
 * Threads    none of ours; the recording's may write meanwhile.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SUMS_COPY_H
#define SCOPE_SUMS_COPY_H

#include "chunks.h"

typedef struct sums_copy {
    scope_sums_header header;
    unsigned char *bytes; /* rows, lanes, open calls */
    const scope_sum *rows;
    const scope_sums_lane *lanes;
    const scope_sums_open *opens;
} sums_copy;

/* The valid copy of a stream: of two the one with the greater version; the other one if that
 * was being written. ERR_MISSING: none; ERR_CORRUPT: it changed meanwhile, or is damaged. */
scope_status sums_copy_find(const chunk_index *index, uint16_t session, uint32_t stream,
                            sums_copy *copy);

#endif
