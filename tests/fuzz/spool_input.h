/* spool_input.h - spool files as short inputs, and how to change them with sense.
 *
 *     input   [cut u16][length u16 | bytes][length u16 | bytes] ...
 *     spool   the first piece at 0 (the header), the second at 4096 (the segment's header),
 *             each further one 16 KiB after the one before: where chunks may begin
 *
 * What is between pieces is zeros; `cut` words of 8 bytes are missing at the end. make_corpus.py
 * packs real spools so.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SPOOL_INPUT_H
#define SCOPE_SPOOL_INPUT_H

#include "fuzz.h"

uint8_t *spool_expand(const uint8_t *input, size_t length, size_t *expanded_length);

/* Pieces are copied, moved and changed; headers mostly stay valid. */
size_t spool_mutate(uint8_t *input, size_t length, size_t most, uint32_t seed,
                    size_t (*change)(uint8_t *bytes, size_t length, size_t most));

#endif
