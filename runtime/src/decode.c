/* decode.c - the words of a stream's chunk to events.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/decode.h>

#include <string.h>

/* PAYLOAD words after the head and the escaped id. */
static const uint8_t value_counts[16] = {
    [SCOPE_EVENT_TASK_NEW] = 1, [SCOPE_EVENT_THREAD_END] = 1, [SCOPE_EVENT_CALL] = 2,
    [SCOPE_EVENT_COUNTER] = 2,  [SCOPE_EVENT_MESSAGE] = 2,
};

static size_t extended_value_count(uint32_t sub_kind)
{
    switch (sub_kind) {
    case SCOPE_EXTENDED_EPOCH:
    case SCOPE_EXTENDED_PAUSE:
    case SCOPE_EXTENDED_SPENT: return 1;
    case SCOPE_EXTENDED_TASK: return 2;
    case SCOPE_EXTENDED_OPEN: return 3;
    default: return 0;
    }
}

void decoder_enter(decoder *decoder, uint64_t header_ticks)
{
    decoder->words = NULL;
    decoder->count = 0;
    decoder->position = 0;
    decoder->epoch = header_ticks >> SCOPE_TICK_BITS;
}

void decoder_words(decoder *decoder, const uint64_t *words, size_t count)
{
    while (count > decoder->position && decoder_word(&words[count - 1]) == 0)
        count--; /* not written yet */
    decoder->words = words;
    decoder->count = count;
}

/* PAYLOAD words that follow the head, up to `wanted`. */
static size_t count_payloads(const decoder *decoder, size_t wanted)
{
    const size_t left = decoder->count - decoder->position - 1;
    const uint64_t *words = decoder->words + decoder->position + 1;
    size_t whole = 0;
    while (whole < wanted && whole < left &&
           scope_word_kind(decoder_word(&words[whole])) == SCOPE_EVENT_PAYLOAD)
        whole++;
    return whole;
}

/* A SUM says itself how long it is; one that lies is not whole. */
static size_t sum_value_count(const decoder *decoder)
{
    if (!count_payloads(decoder, 1))
        return SCOPE_SUM_VALUES;
    const uint64_t first =
        scope_word_value(decoder_word(&decoder->words[decoder->position + 1]));
    const uint64_t buckets = first >> 32;
    return SCOPE_SUM_VALUES + (buckets <= SCOPE_SUM_BUCKETS_MAX ? (size_t)buckets : 0);
}

/* Kinds of EXTENDED that say something to who reads events. */
static int is_given_out(uint32_t sub_kind)
{
    return sub_kind == SCOPE_EXTENDED_OPEN || sub_kind == SCOPE_EXTENDED_PAUSE ||
           sub_kind == SCOPE_EXTENDED_TASK || sub_kind == SCOPE_EXTENDED_SPENT ||
           sub_kind == SCOPE_EXTENDED_SUM;
}

/* The event at `position` is not whole, or not known: leave its head out. */
static void skip(decoder *decoder)
{
    decoder->holes++;
    decoder->position++;
}

int decoder_next_any(decoder *decoder, decoded_event *event)
{
    while (decoder->position < decoder->count) {
        const uint64_t word = decoder_word(&decoder->words[decoder->position]);
        const uint32_t kind = scope_word_kind(word);
        const uint32_t id = scope_word_id(word);
        if (word == 0 || kind == SCOPE_EVENT_NONE || kind == SCOPE_EVENT_FREE) {
            skip(decoder);
            continue;
        }
        if (kind == SCOPE_EVENT_PAYLOAD) { /* its head was not whole */
            decoder->position++;
            continue;
        }
        const int extended = kind == SCOPE_EVENT_EXTENDED;
        const int escaped = !extended && id == SCOPE_ID_ESCAPE;
        const size_t wanted = !extended                  ? value_counts[kind]
                              : id == SCOPE_EXTENDED_SUM ? sum_value_count(decoder)
                                                         : extended_value_count(id);
        const size_t payloads = wanted + (size_t)escaped;
        if (count_payloads(decoder, payloads) < payloads) {
            skip(decoder);
            continue;
        }
        const uint64_t *payload = decoder->words + decoder->position + 1;
        decoder->position += 1 + payloads;
        if (extended && id == SCOPE_EXTENDED_EPOCH)
            decoder->epoch = scope_word_value(decoder_word(payload)) & (UINT64_MAX >> SCOPE_TICK_BITS);
        uint64_t ticks = decoder->epoch << SCOPE_TICK_BITS | scope_word_ticks(word);
        if (ticks < decoder->last_ticks)
            ticks = decoder->last_ticks;
        decoder->last_ticks = ticks;
        if (extended && !is_given_out(id))
            continue;
        event->kind = kind;
        event->sub_kind = extended ? id : 0;
        event->id = escaped ? scope_word_value(decoder_word(payload)) : id;
        event->ticks = ticks;
        for (size_t i = 0; i < wanted; i++)
            event->values[i] = scope_word_value(decoder_word(&payload[(size_t)escaped + i]));
        return 1;
    }
    return 0;
}

void decoded_sum(const decoded_event *event, scope_sum *sum)
{
    const uint64_t *values = event->values;
    const uint64_t high = event->ticks >> SCOPE_PAYLOAD_BITS << SCOPE_PAYLOAD_BITS;
    const uint64_t buckets = values[SCOPE_SUM_REGION] >> 32;
    memset(sum, 0, sizeof *sum);
    sum->region = (uint32_t)values[SCOPE_SUM_REGION];
    sum->count = values[SCOPE_SUM_COUNT];
    sum->sum_ticks = values[SCOPE_SUM_TOTAL];
    sum->exclusive_ticks = values[SCOPE_SUM_EXCLUSIVE];
    sum->minimum_ticks = values[SCOPE_SUM_MINIMUM];
    sum->maximum_ticks = values[SCOPE_SUM_MAXIMUM];
    sum->first_ticks = high | values[SCOPE_SUM_FIRST];
    sum->last_end_ticks = high | values[SCOPE_SUM_LAST];
    for (uint64_t i = 0; i < buckets && buckets <= SCOPE_SUM_BUCKETS_MAX; i++) {
        const uint64_t word = values[SCOPE_SUM_VALUES + i];
        const uint64_t count = word & ((UINT64_C(1) << SCOPE_SUM_BUCKET_SHIFT) - 1);
        uint32_t *bucket = &sum->histogram[word >> SCOPE_SUM_BUCKET_SHIFT &
                                           (SCOPE_HISTOGRAM_BUCKETS - 1)];
        *bucket = count > UINT32_MAX - *bucket ? UINT32_MAX : *bucket + (uint32_t)count;
    }
}

void scope_sum_add(scope_sum *to, const scope_sum *from)
{
    to->implied += from->implied;
    to->crossed += from->crossed;
    to->orphans += from->orphans;
    to->count += from->count;
    to->sum_ticks += from->sum_ticks;
    to->exclusive_ticks += from->exclusive_ticks;
    to->await_ticks += from->await_ticks;
    to->bytes += from->bytes;
    if (from->minimum_ticks < to->minimum_ticks)
        to->minimum_ticks = from->minimum_ticks;
    if (from->maximum_ticks > to->maximum_ticks)
        to->maximum_ticks = from->maximum_ticks;
    if (from->first_ticks < to->first_ticks)
        to->first_ticks = from->first_ticks;
    if (from->last_end_ticks > to->last_end_ticks)
        to->last_end_ticks = from->last_end_ticks;
    for (unsigned b = 0; b < SCOPE_HISTOGRAM_BUCKETS; b++)
        to->histogram[b] = from->histogram[b] > UINT32_MAX - to->histogram[b]
                               ? UINT32_MAX
                               : to->histogram[b] + from->histogram[b];
}
