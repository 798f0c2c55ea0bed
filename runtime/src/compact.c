/* compact.c - the words of chunks with tiny calls as fewer words.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compact.h"

#include <string.h>

#include "histogram.h"

/* ---- out ---- */

static void put(scope_compact *compact, const uint64_t *words, size_t count)
{
    if (compact->full || compact->capacity - compact->count < count) {
        compact->full = true;
        return;
    }
    memcpy(compact->out + compact->count, words, count * sizeof *words);
    compact->count += count;
}

/* Copied from a chunk that a thread may have been in not long ago. */
static void put_from(scope_compact *compact, size_t from, size_t to)
{
    if (to > from)
        put(compact, compact->decoder.words + from, to - from);
}

static void put_spent(scope_compact *compact, uint64_t at, uint64_t spent)
{
    const uint64_t words[2] = {
        scope_event(at, SCOPE_EXTENDED_SPENT, SCOPE_EVENT_EXTENDED), scope_payload(spent)};
    put(compact, words, 2);
}

static void put_sum(scope_compact *compact, const scope_sum *sum)
{
    uint64_t words[1 + SCOPE_SUM_VALUES + SCOPE_SUM_BUCKETS_MAX];
    uint64_t *values = words + 1, used = 0;
    for (unsigned b = 0; b < SCOPE_HISTOGRAM_BUCKETS; b++)
        if (sum->histogram[b])
            values[SCOPE_SUM_VALUES + used++] =
                scope_payload((uint64_t)b << SCOPE_SUM_BUCKET_SHIFT | sum->histogram[b]);
    words[0] = scope_event(compact->decoder.last_ticks, SCOPE_EXTENDED_SUM, SCOPE_EVENT_EXTENDED);
    values[SCOPE_SUM_REGION] = scope_payload(used << 32 | sum->region);
    values[SCOPE_SUM_COUNT] = scope_payload(sum->count);
    values[SCOPE_SUM_TOTAL] = scope_payload(sum->sum_ticks);
    values[SCOPE_SUM_EXCLUSIVE] = scope_payload(sum->exclusive_ticks);
    values[SCOPE_SUM_MINIMUM] = scope_payload(sum->minimum_ticks);
    values[SCOPE_SUM_MAXIMUM] = scope_payload(sum->maximum_ticks);
    values[SCOPE_SUM_FIRST] = scope_payload(sum->first_ticks);
    values[SCOPE_SUM_LAST] = scope_payload(sum->last_end_ticks);
    put(compact, words, 1 + SCOPE_SUM_VALUES + used);
}

/* ---- sums ---- */

static scope_compact_sum *sum_of(scope_compact *compact, uint32_t region)
{
    uint32_t i = 0;
    while (i < compact->sum_count && compact->sums[i].sum.region != region)
        i++;
    if (i == compact->sum_count) {
        if (i == SCOPE_COMPACT_SUMS)
            return NULL;
        compact->sums[i] = (scope_compact_sum){
            .sum = {.region = region, .minimum_ticks = UINT64_MAX, .first_ticks = UINT64_MAX}};
        compact->sum_count++;
    }
    return &compact->sums[i];
}

static void begin_stays(scope_compact *compact, uint32_t region)
{
    if (compact->open_count == SCOPE_COMPACT_OPEN)
        compact->open_count = 0; /* their ENDs are taken as if they implied others */
    compact->open[compact->open_count++] = region;
}

/* Where it is not the innermost one's, calls inside may be closed by implication, and wait
 * for an END: the next BEGIN of their regions settles them, and must stay for that. */
static void end_stays(scope_compact *compact, uint32_t region)
{
    if (compact->open_count && compact->open[compact->open_count - 1] == region) {
        compact->open_count--;
        return;
    }
    while (compact->open_count && compact->open[compact->open_count - 1] != region)
        compact->open_count--;
    compact->open_count -= compact->open_count > 0;
    for (uint32_t i = 0; i < compact->sum_count; i++)
        compact->sums[i].kept = false;
}

/* The lane changes, or the words end. */
static void put_sums(scope_compact *compact)
{
    for (uint32_t i = 0; i < compact->sum_count; i++)
        if (compact->sums[i].sum.count)
            put_sum(compact, &compact->sums[i].sum);
    compact->sum_count = 0;
    compact->open_count = 0;
}

/* What is held is not to become a sum. */
static void let_go(scope_compact *compact)
{
    for (uint32_t i = 0; i <= compact->depth; i++) {
        if (compact->spent[i])
            put_spent(compact, compact->spent_at[i], compact->spent[i]);
        compact->spent[i] = 0;
        if (i == compact->depth)
            break;
        put(compact, compact->held[i].words, compact->held[i].word_count);
        begin_stays(compact, compact->held[i].region);
    }
    compact->depth = 0;
}

static void add_spent(scope_compact *compact, uint64_t at, uint64_t spent)
{
    compact->spent[compact->depth] += spent;
    compact->spent_at[compact->depth] = at;
}

static void count_in(uint32_t *bucket)
{
    *bucket += *bucket != UINT32_MAX;
}

static void add_call(scope_compact *compact, scope_sum *sum, uint64_t begin, uint64_t end,
                     uint64_t inner)
{
    const uint64_t duration = end - begin;
    sum->count++;
    sum->sum_ticks += duration;
    sum->exclusive_ticks += duration > inner ? duration - inner : 0;
    sum->minimum_ticks = duration < sum->minimum_ticks ? duration : sum->minimum_ticks;
    sum->maximum_ticks = duration > sum->maximum_ticks ? duration : sum->maximum_ticks;
    sum->first_ticks = begin < sum->first_ticks ? begin : sum->first_ticks;
    sum->last_end_ticks = end > sum->last_end_ticks ? end : sum->last_end_ticks;
    count_in(&sum->histogram[scope_histogram_bucket(duration, compact->ticks_per_second)]);
}

/* ---- in ---- */

/* The ordinary case: calls of one region, one behind the other, in one epoch. Stops at the
 * first word that is anything else. */
static void take_plain_calls(scope_compact *compact, scope_sum *sum)
{
    decoder *in = &compact->decoder;
    const uint64_t begin = scope_event(0, sum->region, SCOPE_EVENT_BEGIN);
    const uint64_t end = scope_event(0, sum->region, SCOPE_EVENT_END);
    const uint64_t mask = (UINT64_C(1) << SCOPE_TICK_SHIFT) - 1;
    const uint64_t epoch = in->epoch << SCOPE_TICK_BITS;
    uint64_t last = in->last_ticks, calls = 0, total = 0;
    uint64_t minimum = sum->minimum_ticks, maximum = sum->maximum_ticks;
    size_t at = in->position;
    if (sum->region >= SCOPE_ID_ESCAPE)
        return;
    while (at + 2 <= in->count) {
        const uint64_t first = in->words[at], second = in->words[at + 1];
        const uint64_t from = epoch | scope_word_ticks(first);
        const uint64_t to = epoch | scope_word_ticks(second);
        const uint64_t duration = to - from;
        if ((first & mask) != begin || (second & mask) != end || from < last || to < from ||
            duration > compact->longest || duration >= SCOPE_HISTOGRAM_SHORT)
            break;
        count_in(&sum->histogram[compact->buckets[duration]]);
        total += duration;
        minimum = duration < minimum ? duration : minimum;
        maximum = duration > maximum ? duration : maximum;
        if (from < sum->first_ticks)
            sum->first_ticks = from;
        last = to;
        at += 2;
        calls++;
    }
    if (!calls)
        return;
    sum->count += calls;
    sum->sum_ticks += total;
    sum->exclusive_ticks += total;
    sum->minimum_ticks = minimum;
    sum->maximum_ticks = maximum;
    sum->last_end_ticks = last > sum->last_end_ticks ? last : sum->last_end_ticks;
    in->position = at;
    in->last_ticks = last;
    add_spent(compact, last, total);
    compact->summed(compact->context, sum->region, calls);
}

static void take_begin(scope_compact *compact, const decoded_event *event, size_t own)
{
    const uint32_t region = (uint32_t)event->id;
    const bool holds = event->id <= INT32_MAX && compact->is_tiny(compact->context, region) &&
                       sum_of(compact, region);
    if (!holds || compact->depth == SCOPE_COMPACT_HELD)
        let_go(compact);
    if (!holds) {
        put_from(compact, own, compact->decoder.position);
        begin_stays(compact, region);
        return;
    }
    scope_compact_held *held = &compact->held[compact->depth++];
    held->region = region;
    held->ticks = event->ticks;
    held->word_count = (uint32_t)(compact->decoder.position - own);
    memcpy(held->words, compact->decoder.words + own, held->word_count * sizeof *held->words);
    compact->spent[compact->depth] = 0;
}

static void take_end(scope_compact *compact, const decoded_event *event, size_t own)
{
    const scope_compact_held *held =
        compact->depth ? &compact->held[compact->depth - 1] : NULL;
    if (!held || held->region != event->id) {
        let_go(compact);
        put_from(compact, own, compact->decoder.position);
        end_stays(compact, (uint32_t)event->id);
        return;
    }
    scope_compact_sum *sum = sum_of(compact, held->region);
    const uint64_t begin = held->ticks;
    if (!sum->kept || event->ticks - begin > compact->longest) {
        let_go(compact);
        put_from(compact, own, compact->decoder.position);
        end_stays(compact, sum->sum.region);
        sum->kept = true;
    } else {
        add_call(compact, &sum->sum, begin, event->ticks, compact->spent[compact->depth]);
        compact->spent[compact->depth--] = 0;
        add_spent(compact, event->ticks, event->ticks - begin);
        compact->summed(compact->context, sum->sum.region, 1);
    }
    take_plain_calls(compact, &sum->sum);
}

/* Sums of an earlier time; false: no room for them. */
static bool take_sum(scope_compact *compact, const decoded_event *event)
{
    scope_sum from;
    decoded_sum(event, &from);
    scope_compact_sum *to = sum_of(compact, from.region);
    if (to)
        scope_sum_add(&to->sum, &from);
    return to != NULL;
}

static bool changes_lane(const decoded_event *event)
{
    return event->kind == SCOPE_EVENT_RESUME || event->kind == SCOPE_EVENT_SUSPEND ||
           event->kind == SCOPE_EVENT_THREAD || event->kind == SCOPE_EVENT_THREAD_END;
}

/* `own`: where the event's words start. */
static void take_event(scope_compact *compact, const decoded_event *event, size_t own)
{
    if (event->kind == SCOPE_EVENT_BEGIN) {
        take_begin(compact, event, own);
        return;
    }
    if (event->kind == SCOPE_EVENT_END) {
        take_end(compact, event, own);
        return;
    }
    if (event->kind == SCOPE_EVENT_EXTENDED && event->sub_kind == SCOPE_EXTENDED_SPENT) {
        add_spent(compact, event->ticks, event->values[0]);
        return;
    }
    if (event->kind == SCOPE_EVENT_EXTENDED && event->sub_kind == SCOPE_EXTENDED_SUM &&
        take_sum(compact, event))
        return;
    let_go(compact);
    if (changes_lane(event))
        put_sums(compact);
    put_from(compact, own, compact->decoder.position);
}

/* How many words the event is, whose last one was just read. */
static size_t words_of(const decoder *in, size_t from)
{
    size_t head = in->position - 1;
    while (head > from && scope_word_kind(in->words[head]) == SCOPE_EVENT_PAYLOAD)
        head--;
    return in->position - head;
}

void scope_compact_start(scope_compact *compact)
{
    compact->count = 0;
    compact->full = false;
    memset(&compact->decoder, 0, sizeof compact->decoder);
    compact->started = false;
    compact->depth = 0;
    compact->spent[0] = 0;
    compact->open_count = 0;
    compact->sum_count = 0;
    compact->buckets = scope_histogram_short(compact->ticks_per_second);
}

void scope_compact_chunk(scope_compact *compact, const scope_chunk_header *chunk)
{
    decoder *in = &compact->decoder;
    const uint64_t epoch = in->epoch;
    decoded_event event;
    decoder_enter(in, chunk->ticks);
    decoder_words(in, (const uint64_t *)(chunk + 1),
                  (chunk->size_bytes - sizeof *chunk) / sizeof(uint64_t));
    if (compact->started && in->epoch != epoch) { /* a header said so, which will not be there */
        const uint64_t words[2] = {
            scope_event(in->epoch << SCOPE_TICK_BITS, SCOPE_EXTENDED_EPOCH, SCOPE_EVENT_EXTENDED),
            scope_payload(in->epoch)};
        let_go(compact);
        put(compact, words, 2);
    }
    compact->started = true;
    size_t from = in->position;
    for (; !compact->full && decoder_next(in, &event); from = in->position) {
        const size_t own = in->position - words_of(in, from);
        if (own > from) { /* EPOCH, PAD */
            let_go(compact);
            put_from(compact, from, own);
        }
        take_event(compact, &event, own);
    }
    if (in->position > from) { /* an EPOCH without an event */
        let_go(compact);
        put_from(compact, from, in->position);
    }
}

bool scope_compact_finish(scope_compact *compact)
{
    let_go(compact);
    put_sums(compact);
    return !compact->full && !compact->decoder.holes;
}
