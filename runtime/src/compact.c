/* compact.c - the words of chunks with tiny calls as fewer words.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compact.h"

#include <string.h>

#define PAYLOAD_MASK ((UINT64_C(1) << SCOPE_PAYLOAD_BITS) - 1)

/* ---- histogram ---- */

#define SHORT_TICKS 4096u /* their buckets are looked up */

static struct bucket_table {
    uint64_t ticks_per_second; /* 0: not filled */
    uint8_t of[SHORT_TICKS];
} buckets;

static unsigned bucket_of(uint64_t ticks, uint64_t ticks_per_second)
{
    const uint64_t rate = ticks_per_second ? ticks_per_second : 1;
    const uint64_t ns = (uint64_t)((unsigned __int128)ticks * 1000000000u / rate);
    return ns ? 63u - (unsigned)__builtin_clzll(ns) : 0;
}

unsigned scope_compact_bucket(uint64_t ticks, uint64_t ticks_per_second)
{
    if (buckets.ticks_per_second != ticks_per_second) {
        for (uint32_t i = 0; i < SHORT_TICKS; i++)
            buckets.of[i] = (uint8_t)bucket_of(i, ticks_per_second);
        buckets.ticks_per_second = ticks_per_second;
    }
    return ticks < SHORT_TICKS ? buckets.of[ticks] : bucket_of(ticks, ticks_per_second);
}

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

static void put_sum(scope_compact *compact, const scope_compact_sum *sum)
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
    values[SCOPE_SUM_TOTAL] = scope_payload(sum->total);
    values[SCOPE_SUM_EXCLUSIVE] = scope_payload(sum->exclusive);
    values[SCOPE_SUM_MINIMUM] = scope_payload(sum->minimum);
    values[SCOPE_SUM_MAXIMUM] = scope_payload(sum->maximum);
    values[SCOPE_SUM_FIRST] = scope_payload(sum->first);
    values[SCOPE_SUM_LAST] = scope_payload(sum->last);
    put(compact, words, 1 + SCOPE_SUM_VALUES + used);
}

/* ---- sums ---- */

static scope_compact_sum *sum_of(scope_compact *compact, uint32_t region)
{
    uint32_t i = 0;
    while (i < compact->sum_count && compact->sums[i].region != region)
        i++;
    if (i == compact->sum_count) {
        if (i == SCOPE_COMPACT_SUMS)
            return NULL;
        memset(&compact->sums[i], 0, sizeof compact->sums[i]);
        compact->sums[i].region = region;
        compact->sums[i].minimum = UINT64_MAX;
        compact->sums[i].first = UINT64_MAX;
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
        if (compact->sums[i].count)
            put_sum(compact, &compact->sums[i]);
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

static void add_call(scope_compact *compact, scope_compact_sum *sum, uint64_t begin, uint64_t end,
                     uint64_t inner)
{
    const uint64_t duration = end - begin;
    sum->count++;
    sum->total += duration;
    sum->exclusive += duration > inner ? duration - inner : 0;
    sum->minimum = duration < sum->minimum ? duration : sum->minimum;
    sum->maximum = duration > sum->maximum ? duration : sum->maximum;
    sum->first = begin < sum->first ? begin : sum->first;
    sum->last = end > sum->last ? end : sum->last;
    sum->histogram[scope_compact_bucket(duration, compact->ticks_per_second)]++;
}

/* ---- in ---- */

/* The ordinary case: calls of one region, one behind the other, in one epoch. Stops at the
 * first word that is anything else. */
static void take_plain_calls(scope_compact *compact, scope_compact_sum *sum)
{
    decoder *in = &compact->decoder;
    const uint64_t begin = scope_event(0, sum->region, SCOPE_EVENT_BEGIN);
    const uint64_t end = scope_event(0, sum->region, SCOPE_EVENT_END);
    const uint64_t mask = (UINT64_C(1) << SCOPE_TICK_SHIFT) - 1;
    const uint64_t epoch = in->epoch << SCOPE_TICK_BITS;
    uint64_t last = in->last_ticks, calls = 0, total = 0;
    uint64_t minimum = sum->minimum, maximum = sum->maximum;
    size_t at = in->position;
    if (sum->region >= SCOPE_ID_ESCAPE)
        return;
    while (at + 2 <= in->count) {
        const uint64_t first = in->words[at], second = in->words[at + 1];
        const uint64_t from = epoch | scope_word_ticks(first);
        const uint64_t to = epoch | scope_word_ticks(second);
        const uint64_t duration = to - from;
        if ((first & mask) != begin || (second & mask) != end || from < last || to < from ||
            duration > compact->longest || duration >= SHORT_TICKS)
            break;
        sum->histogram[buckets.of[duration]]++;
        total += duration;
        minimum = duration < minimum ? duration : minimum;
        maximum = duration > maximum ? duration : maximum;
        if (from < sum->first)
            sum->first = from;
        last = to;
        at += 2;
        calls++;
    }
    if (!calls)
        return;
    sum->count += calls;
    sum->total += total;
    sum->exclusive += total;
    sum->minimum = minimum;
    sum->maximum = maximum;
    sum->last = last > sum->last ? last : sum->last;
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
        end_stays(compact, sum->region);
        sum->kept = true;
    } else {
        add_call(compact, sum, begin, event->ticks, compact->spent[compact->depth]);
        compact->spent[compact->depth--] = 0;
        add_spent(compact, event->ticks, event->ticks - begin);
        compact->summed(compact->context, sum->region, 1);
    }
    take_plain_calls(compact, sum);
}

/* Sums of an earlier time; 0: no room for them. */
static bool take_sum(scope_compact *compact, const decoded_event *event)
{
    const uint64_t *values = event->values;
    const uint64_t high = event->ticks & ~PAYLOAD_MASK;
    scope_compact_sum *sum = sum_of(compact, (uint32_t)values[SCOPE_SUM_REGION]);
    if (!sum)
        return false;
    const uint64_t first = high | values[SCOPE_SUM_FIRST], last = high | values[SCOPE_SUM_LAST];
    sum->count += values[SCOPE_SUM_COUNT];
    sum->total += values[SCOPE_SUM_TOTAL];
    sum->exclusive += values[SCOPE_SUM_EXCLUSIVE];
    if (values[SCOPE_SUM_MINIMUM] < sum->minimum)
        sum->minimum = values[SCOPE_SUM_MINIMUM];
    if (values[SCOPE_SUM_MAXIMUM] > sum->maximum)
        sum->maximum = values[SCOPE_SUM_MAXIMUM];
    if (first < sum->first)
        sum->first = first;
    if (last > sum->last)
        sum->last = last;
    const uint64_t count = values[SCOPE_SUM_REGION] >> 32;
    for (uint64_t i = 0; i < count && count <= SCOPE_SUM_BUCKETS_MAX; i++) {
        const uint64_t word = values[SCOPE_SUM_VALUES + i];
        sum->histogram[word >> SCOPE_SUM_BUCKET_SHIFT & (SCOPE_HISTOGRAM_BUCKETS - 1)] +=
            word & ((UINT64_C(1) << SCOPE_SUM_BUCKET_SHIFT) - 1);
    }
    return true;
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
    scope_compact_bucket(0, compact->ticks_per_second);
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
