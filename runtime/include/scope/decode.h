/* decode.h - the words of a stream's chunk to events.
 *
 * Resolves escaped ids, payloads and the epoch in force; a time earlier than the
 * one before is raised to it. What is not whole is passed over and counted: a
 * zero word before other words, a head without its payload. Replay and fold use this
 * one object; it is not installed.
 *
 * Threads    none; the words may be those of a thread that still stores.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_DECODE_H
#define SCOPE_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include <scope/event.h>
#include <scope/recording.h>

typedef struct decoded_event {
    uint32_t kind;     /* scope_event_kind; EXTENDED: sub_kind says which */
    uint32_t sub_kind; /* scope_extended_kind */
    uint64_t id;
    uint64_t ticks;    /* in full */
    uint64_t values[SCOPE_SUM_VALUES + SCOPE_SUM_BUCKETS_MAX];
} decoded_event;

typedef struct decoder {
    const uint64_t *words;
    size_t count;    /* of words that may be read: the last one is not zero */
    size_t position; /* of the next word */
    uint64_t epoch;  /* ticks >> SCOPE_TICK_BITS */
    uint64_t last_ticks;
    uint64_t holes;  /* so far */
} decoder;

/* Go on in a new chunk of the same stream, whose header has these ticks. */
void decoder_enter(decoder *decoder, uint64_t header_ticks);

/* The words of the chunk, from its first one: new or more of them. */
void decoder_words(decoder *decoder, const uint64_t *words, size_t count);

/* As decoder_next, for whatever is at the position. */
int decoder_next_any(decoder *decoder, decoded_event *event);

/* A word that its thread may be storing right now. */
static inline uint64_t decoder_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/* The next event; 0: no more in this chunk. EPOCH and PAD are not given out. */
static inline int decoder_next(decoder *decoder, decoded_event *event)
{
    if (decoder->position >= decoder->count)
        return 0;
    const uint64_t word = decoder_word(&decoder->words[decoder->position]);
    const uint32_t kind = scope_word_kind(word), id = scope_word_id(word);
    const uint64_t ticks = decoder->epoch << SCOPE_TICK_BITS | scope_word_ticks(word);
    if ((kind != SCOPE_EVENT_BEGIN && kind != SCOPE_EVENT_END) || id == SCOPE_ID_ESCAPE ||
        ticks < decoder->last_ticks)
        return decoder_next_any(decoder, event);
    decoder->position++;
    decoder->last_ticks = ticks;
    event->kind = kind;
    event->sub_kind = 0;
    event->id = id;
    event->ticks = ticks;
    return 1;
}

/* What a SUM says; its lane is the running one. */
void decoded_sum(const decoded_event *event, scope_sum *sum);

/* Add all but lane and region. */
void scope_sum_add(scope_sum *to, const scope_sum *from);

static inline double decoded_double(const uint64_t *values)
{
    union {
        uint64_t bits;
        double value;
    } both = {.bits = values[0] << 32 | (values[1] & UINT32_MAX)};
    return both.value;
}

#endif
