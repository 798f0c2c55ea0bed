/* decode.c - the words of a stream's chunk to events.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/decode.h>

/* PAYLOAD words after the head and the escaped id. */
static const uint8_t value_counts[16] = {
    [SCOPE_EVENT_TASK_NEW] = 1, [SCOPE_EVENT_THREAD_END] = 1, [SCOPE_EVENT_CALL] = 2,
    [SCOPE_EVENT_COUNTER] = 2,  [SCOPE_EVENT_MESSAGE] = 2,
};

static size_t extended_value_count(uint32_t sub_kind)
{
    switch (sub_kind) {
    case SCOPE_EXTENDED_EPOCH:
    case SCOPE_EXTENDED_PAUSE: return 1;
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
        const size_t wanted = extended ? extended_value_count(id) : value_counts[kind];
        const size_t payloads = wanted + (size_t)escaped;
        const size_t left = decoder->count - decoder->position - 1;
        size_t whole = 0;
        while (whole < payloads && whole < left &&
               scope_word_kind(decoder_word(
                   &decoder->words[decoder->position + 1 + whole])) == SCOPE_EVENT_PAYLOAD)
            whole++;
        if (whole < payloads) {
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
        if (extended && id != SCOPE_EXTENDED_OPEN && id != SCOPE_EXTENDED_PAUSE &&
            id != SCOPE_EXTENDED_TASK)
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
