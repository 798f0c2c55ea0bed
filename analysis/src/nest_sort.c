/* nest_sort.c - rows of one rank in the order of call ids, part after part.
 *
 *     word   [ (start - earliest of the part) >> shift | place ]
 *
 * SPDX-License-Identifier: MIT
 */
#include "nest_sort.h"

#include <stdlib.h>
#include <string.h>

#define RUNS_MAX NEST_RUNS_MAX
#define WINDOW_ROWS 16384u   /* of all runs together, at first */
#define PART_ROWS 4096u      /* what radix aims at */
#define DIGIT_BITS 11
#define SHORT_DIGIT_BITS 8   /* where so few words hardly fill the counters */
#define FEW_WORDS 1024u
#define TOP_BITS_MAX 10
#define GROUP_SMALL 24

typedef struct sorter {
    const nest_rows *rows;
    nest_take *take;
    void *context;
    unsigned place_bits;
    uint64_t place_mask;
} sorter;

static unsigned bits_of(uint64_t value)
{
    return value ? 64u - (unsigned)__builtin_clzll(value) : 0;
}

static inline int64_t start_of(const sorter *sort, uint64_t place)
{
    return sort->rows->start_ns[nest_row(sort->rows, place)];
}

/* How far keys of this range must be shifted to fit above the place. */
static unsigned shift_for(const sorter *sort, uint64_t range)
{
    const unsigned bits = bits_of(range), room = 64 - sort->place_bits;
    return bits > room ? bits - room : 0;
}

/* ---- what the words do not say ---- */

/* 1: a comes before b. Places are distinct, so this is a total order. */
static int before(const sorter *sort, uint64_t a, uint64_t b)
{
    const nest_rows *rows = sort->rows;
    a &= sort->place_mask;
    b &= sort->place_mask;
    const uint64_t x = nest_row(rows, a), y = nest_row(rows, b);
    if (rows->start_ns[x] != rows->start_ns[y])
        return rows->start_ns[x] < rows->start_ns[y];
    const int64_t x_end = nest_end(rows->start_ns[x], rows->duration_ns[x]);
    const int64_t y_end = nest_end(rows->start_ns[y], rows->duration_ns[y]);
    if (x_end != y_end)
        return x_end > y_end;
    return a < b;
}

static int compare(const void *a, const void *b, void *context)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return before(context, x, y) ? -1 : x != y;
}

/* Words sorted by key: put equal keys right, and give the places out. */
static scope_status give(sorter *sort, uint64_t *words, uint64_t count)
{
    const uint64_t key_mask = ~sort->place_mask;
    for (uint64_t first = 0; first + 1 < count;) {
        uint64_t end = first + 1;
        while (end < count && ((words[end] ^ words[first]) & key_mask) == 0)
            end++;
        if (end - first > GROUP_SMALL) {
            qsort_r(words + first, end - first, sizeof *words, compare, sort);
        } else {
            for (uint64_t i = first + 1; i < end; i++) {
                const uint64_t word = words[i];
                uint64_t k = i;
                for (; k > first && before(sort, word, words[k - 1]); k--)
                    words[k] = words[k - 1];
                words[k] = word;
            }
        }
        first = end;
    }
    for (uint64_t i = 0; i < count; i++)
        words[i] &= sort->place_mask;
    return count ? sort->take(sort->context, words, count) : SCOPE_OK;
}

/* ---- words that fit into the caches ---- */

static void insertion(uint64_t *words, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        const uint64_t word = words[i];
        uint64_t k = i;
        for (; k > 0 && word < words[k - 1]; k--)
            words[k] = words[k - 1];
        words[k] = word;
    }
}

/* By the bits [low_bit, low_bit + key_bits), least significant first; stable.
 * Returns where the result lies. */
static uint64_t *radix_low(uint64_t *from, uint64_t *to, uint64_t count, unsigned low_bit,
                           unsigned key_bits)
{
    const unsigned digit_bits = count < FEW_WORDS ? SHORT_DIGIT_BITS : DIGIT_BITS;
    const uint64_t mask = (UINT64_C(1) << digit_bits) - 1;
    for (unsigned done = 0; done < key_bits; done += digit_bits) {
        uint32_t starts[1u << DIGIT_BITS];
        const unsigned shift = low_bit + done;
        memset(starts, 0, (mask + 1) * sizeof *starts);
        for (uint64_t i = 0; i < count; i++)
            starts[from[i] >> shift & mask]++;
        uint32_t sum = 0;
        for (uint64_t digit = 0; digit <= mask; digit++) {
            const uint32_t here = starts[digit];
            starts[digit] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < count; i++)
            to[starts[from[i] >> shift & mask]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* ---- few runs: merge windows ---- */

typedef nest_run run;

/* Words differ in their places at least, so there are no ties. */
static void merge_two(const uint64_t *a, const uint64_t *a_end, const uint64_t *b,
                      const uint64_t *b_end, uint64_t *to)
{
    while (a < a_end && b < b_end) { /* without a branch: which one is next is anybody's guess */
        const uint64_t x = *a, y = *b;
        const int take_a = x < y;
        *to++ = take_a ? x : y;
        a += take_a;
        b += !take_a;
    }
    if (a < a_end)
        memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
    if (b < b_end)
        memcpy(to, b, (size_t)(b_end - b) * sizeof *b);
}

/* Merge neighbours until one is left; ends[i] is where segment i ends. */
static uint64_t *merge_all(uint64_t *words, uint64_t *scratch, size_t *ends, size_t count)
{
    while (count > 1) {
        size_t start = 0, merged = 0;
        for (size_t i = 0; i < count; i += 2) {
            const size_t middle = ends[i], end = i + 1 < count ? ends[i + 1] : middle;
            merge_two(words + start, words + middle, words + middle, words + end,
                      scratch + start);
            ends[merged++] = end;
            start = end;
        }
        count = merged;
        uint64_t *swap = words;
        words = scratch;
        scratch = swap;
    }
    return words;
}

/* Sorted segments of words to one: merged, or by their keys where that takes fewer passes. */
static uint64_t *join_segments(const sorter *sort, uint64_t *words, uint64_t *scratch,
                               size_t *ends, size_t segments, unsigned key_bits)
{
    const size_t count = ends[segments - 1];
    const unsigned passes = (key_bits + DIGIT_BITS - 1) / DIGIT_BITS;
    if (count >= FEW_WORDS && count < UINT32_MAX && passes < bits_of(segments - 1))
        return radix_low(words, scratch, count, sort->place_bits, key_bits);
    return merge_all(words, scratch, ends, segments);
}

/* The first place of [next, end) whose start is not before `limit`. */
static uint64_t places_before(const sorter *sort, uint64_t next, uint64_t end, int64_t limit)
{
    while (next < end) {
        const uint64_t middle = next + (end - next) / 2;
        if (start_of(sort, middle) < limit)
            next = middle + 1;
        else
            end = middle;
    }
    return next;
}

/* All rows that start before what lies beyond any run's window. */
static scope_status merge_window(sorter *sort, run *runs, size_t run_count, uint64_t window,
                                 uint64_t *words, uint64_t *scratch, uint64_t *given)
{
    int64_t limit = INT64_MAX, first = INT64_MAX, last = INT64_MIN;
    int limited = 0;
    for (size_t r = 0; r < run_count; r++) {
        if (runs[r].next == runs[r].end)
            continue;
        const int64_t start = start_of(sort, runs[r].next);
        first = start < first ? start : first;
        if (runs[r].end - runs[r].next > window) {
            const int64_t beyond = start_of(sort, runs[r].next + window);
            limit = beyond < limit ? beyond : limit;
            limited = 1;
        }
    }
    size_t ends[RUNS_MAX], segments = 0, count = 0;
    uint64_t stops[RUNS_MAX];
    for (size_t r = 0; r < run_count; r++) {
        const uint64_t left = runs[r].end - runs[r].next;
        const uint64_t end = runs[r].next + (left < window ? left : window);
        stops[r] = limited ? places_before(sort, runs[r].next, end, limit) : end;
        if (stops[r] > runs[r].next) {
            const int64_t start = start_of(sort, stops[r] - 1);
            last = start > last ? start : last;
        }
    }
    const unsigned shift =
        last >= first ? shift_for(sort, (uint64_t)last - (uint64_t)first) : 0;
    for (size_t r = 0; r < run_count; r++) {
        if (stops[r] == runs[r].next)
            continue;
        for (uint64_t place = runs[r].next; place < stops[r]; place++)
            words[count++] = ((uint64_t)start_of(sort, place) - (uint64_t)first) >> shift
                                                                                        << sort->place_bits |
                             place;
        runs[r].next = stops[r];
        ends[segments++] = count;
    }
    *given = count;
    if (segments > 1)
        words = join_segments(sort, words, scratch, ends, segments,
                              bits_of(last >= first ? ((uint64_t)last - (uint64_t)first) >> shift
                                                    : 0));
    return give(sort, words, count);
}

static scope_status merge_runs(sorter *sort, run *runs, size_t run_count)
{
    uint64_t window = WINDOW_ROWS / run_count, left = sort->rows->count;
    uint64_t *words = NULL, *scratch = NULL;
    scope_status status = SCOPE_OK;
    while (left && status == SCOPE_OK) {
        if (!words) {
            words = malloc(window * run_count * sizeof *words);
            scratch = malloc(window * run_count * sizeof *scratch);
            if (!words || !scratch) {
                status = SCOPE_ERR_MEMORY;
                break;
            }
        }
        uint64_t given;
        status = merge_window(sort, runs, run_count, window, words, scratch, &given);
        left -= given;
        if (!given) { /* more calls than that start at one time */
            free(words);
            free(scratch);
            words = scratch = NULL;
            window *= 4;
        }
    }
    free(words);
    free(scratch);
    return status;
}

/* ---- many runs: radix ---- */

/* Into parts by the highest bits until a part fits into the caches; each part is
 * given out as soon as it is sorted. */
static scope_status radix(sorter *sort, uint64_t *words, uint64_t *scratch, uint64_t count,
                          unsigned key_bits)
{
    if (count <= GROUP_SMALL) {
        insertion(words, count);
        return give(sort, words, count);
    }
    if (count <= 2 * PART_ROWS || (key_bits <= DIGIT_BITS && count < UINT32_MAX))
        return give(sort, radix_low(words, scratch, count, sort->place_bits, key_bits), count);
    unsigned top = bits_of(count / PART_ROWS);
    top = top > TOP_BITS_MAX ? TOP_BITS_MAX : top;
    top = top > key_bits ? key_bits : top;
    const unsigned shift = sort->place_bits + key_bits - top;
    const uint64_t mask = (UINT64_C(1) << top) - 1;
    uint64_t starts[(1u << TOP_BITS_MAX) + 1] = {0}, next[1u << TOP_BITS_MAX];
    for (uint64_t i = 0; i < count; i++)
        starts[(words[i] >> shift & mask) + 1]++;
    for (uint64_t digit = 0; digit <= mask; digit++) {
        starts[digit + 1] += starts[digit];
        next[digit] = starts[digit];
    }
    for (uint64_t i = 0; i < count; i++)
        scratch[next[words[i] >> shift & mask]++] = words[i];
    scope_status status = SCOPE_OK;
    for (uint64_t digit = 0; digit <= mask && status == SCOPE_OK; digit++)
        status = radix(sort, scratch + starts[digit], words + starts[digit],
                       starts[digit + 1] - starts[digit], key_bits - top);
    return status;
}

static scope_status radix_all(sorter *sort, int64_t earliest, int64_t latest)
{
    const uint64_t count = sort->rows->count, range = (uint64_t)latest - (uint64_t)earliest;
    const unsigned shift = shift_for(sort, range);
    uint64_t *words = malloc(count * sizeof *words), *scratch = malloc(count * sizeof *scratch);
    scope_status status = SCOPE_ERR_MEMORY;
    if (words && scratch) {
        for (uint64_t place = 0; place < count; place++)
            words[place] = ((uint64_t)start_of(sort, place) - (uint64_t)earliest) >> shift
                                                                                         << sort->place_bits |
                           place;
        status = radix(sort, words, scratch, count, bits_of(range >> shift));
    }
    free(words);
    free(scratch);
    return status;
}

void nest_scan_rows(const nest_rows *rows, nest_scan *scan)
{
    int64_t previous = INT64_MIN, earliest = INT64_MAX, latest = INT64_MIN;
    size_t run_count = 0;
    for (uint64_t place = 0; place < rows->count; place++) {
        const int64_t start = rows->start_ns[nest_row(rows, place)];
        if (start < previous) {
            if (run_count < NEST_RUNS_MAX)
                scan->runs[run_count].end = place;
            run_count++;
            if (run_count < NEST_RUNS_MAX)
                scan->runs[run_count].next = place;
        }
        previous = start;
        earliest = start < earliest ? start : earliest;
        latest = start > latest ? start : latest;
    }
    if (run_count < NEST_RUNS_MAX)
        scan->runs[run_count].end = rows->count;
    scan->runs[0].next = 0;
    scan->run_count = run_count + 1;
    scan->earliest = earliest;
    scan->latest = latest;
}

scope_status nest_sort(const nest_rows *rows, nest_scan *scan, nest_take *take, void *context)
{
    if (!rows->count)
        return SCOPE_OK;
    sorter sort = {.rows = rows, .take = take, .context = context};
    sort.place_bits = bits_of(rows->count - 1) ? bits_of(rows->count - 1) : 1;
    sort.place_mask = (UINT64_C(1) << sort.place_bits) - 1;
    return scan->run_count <= RUNS_MAX ? merge_runs(&sort, scan->runs, scan->run_count)
                                   : radix_all(&sort, scan->earliest, scan->latest);
}
