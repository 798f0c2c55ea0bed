/* test_corrected.c - times without the recorder's part, on tables made by hand.
 *
 *     main  |-------------------------------------------------|  0 .. 100000
 *     loop       |------------------------|                      10000 .. 60000
 *     tiny         |-|  |-|  |-|                 |-|             4 of 2000
 *
 * A call costs 200 ns, 80 of them inside. Expected figures were added by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <scope/overhead.h>

#include "unit.h"

enum { MAIN, LOOP, TINY, REGIONS, MIDDLE = REGIONS };

static const int64_t times[][3] = {
    /* region, start, end */
    {MAIN, 0, 100000},    {LOOP, 10000, 60000}, {TINY, 11000, 13000},
    {TINY, 20000, 22000}, {TINY, 30000, 32000}, {TINY, 70000, 72000},
};
enum { ROWS = sizeof times / sizeof *times };

static scope_calls *table_of(int32_t ranks, size_t sum_count)
{
    static const char *const names[] = {"main", "loop", "tiny", "middle"};
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_calls_new(&calls), SCOPE_OK);
    calls->rank_count = ranks;
    calls->region_count = 4;
    calls->regions = scope_calls_alloc(calls, 4, sizeof *calls->regions);
    for (size_t i = 0; i < 4; i++)
        calls->regions[i].name = scope_calls_string(calls, names[i], strlen(names[i]));
    calls->count = (uint64_t)ranks * ROWS;
    calls->start_ns = scope_calls_alloc(calls, calls->count, sizeof(int64_t));
    calls->duration_ns = scope_calls_alloc(calls, calls->count, sizeof(int64_t));
    calls->thread_ids = scope_calls_alloc(calls, calls->count, sizeof(int64_t));
    calls->pair_count = (size_t)ranks * REGIONS;
    calls->pairs = scope_calls_alloc(calls, calls->pair_count, sizeof *calls->pairs);
    calls->rank_row_count = (size_t)ranks;
    calls->ranks = scope_calls_alloc(calls, calls->rank_row_count, sizeof *calls->ranks);
    for (uint64_t i = 0; i < calls->count; i++) {
        scope_pair *pair = &calls->pairs[i / ROWS * REGIONS + (uint64_t)times[i % ROWS][0]];
        calls->start_ns[i] = times[i % ROWS][1];
        calls->duration_ns[i] = times[i % ROWS][2] - times[i % ROWS][1];
        if (pair->count++ == 0)
            pair->first = i;
        pair->rank = (int32_t)(i / ROWS);
        pair->region = (uint32_t)times[i % ROWS][0];
    }
    for (int32_t r = 0; r < ranks; r++)
        calls->ranks[r] =
            (scope_rank_row){.rank = r, .overhead_pair_ns = 200, .overhead_inside_ns = 80};
    CU_ASSERT_EQUAL_FATAL(scope_calls_nest(calls, 7, NULL), SCOPE_OK);
    calls->sums = scope_calls_alloc(calls, sum_count, sizeof *calls->sums);
    return calls;
}

static void fold(scope_calls *calls, uint32_t region, int64_t count, int64_t total_ns,
                 int64_t exclusive_ns, int64_t first_ns, int64_t last_ns)
{
    calls->sums[calls->sum_count++] = (scope_sum_row){.region = region,
                                                      .lane = -2,
                                                      .count = count,
                                                      .total_ns = total_ns,
                                                      .exclusive_ns = exclusive_ns,
                                                      .first_ns = first_ns,
                                                      .last_ns = last_ns};
}

static scope_summaries summaries_of(const scope_calls *calls, scope_summary_by by)
{
    scope_summaries rows;
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, by, &rows), SCOPE_OK);
    for (size_t i = 0; i < rows.count; i++)
        CU_ASSERT_EQUAL(rows.rows[i].overhead_ns, -1);
    CU_ASSERT_EQUAL_FATAL(scope_overhead_fill(calls, by, &rows), SCOPE_OK);
    return rows;
}

static void expect(const scope_summaries *rows, size_t row, int64_t overhead, int64_t total,
                   int64_t exclusive, int64_t unplaced)
{
    CU_ASSERT_TRUE_FATAL(row < rows->count);
    CU_ASSERT_EQUAL(rows->rows[row].overhead_ns, overhead);
    CU_ASSERT_EQUAL(rows->rows[row].corrected_total_ns, total);
    CU_ASSERT_EQUAL(rows->rows[row].corrected_exclusive_ns, exclusive);
    CU_ASSERT_EQUAL(rows->rows[row].unplaced_count, unplaced);
}

static void what_the_recorder_took_is_taken_off(void)
{
    scope_calls *calls = table_of(1, 0);
    scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
    /* main: 5 calls inside, 2 directly; loop: 3, 3. The exclusive times add up to main's total. */
    expect(&rows, MAIN, 200, 100000 - 80 - 5 * 200, 48000 - 80 - 2 * 120, 0);
    expect(&rows, LOOP, 200, 50000 - 80 - 3 * 200, 44000 - 80 - 3 * 120, 0);
    expect(&rows, TINY, 800, 8000 - 4 * 80, 8000 - 4 * 80, 0);
    CU_ASSERT_EQUAL(rows.rows[MAIN].corrected_total_ns, rows.rows[MAIN].corrected_exclusive_ns +
                                                            rows.rows[LOOP].corrected_exclusive_ns +
                                                            rows.rows[TINY].corrected_exclusive_ns);
    CU_ASSERT_TRUE(scope_overhead_is_known(calls));
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

static void ranks_lanes_and_regions_add_up(void)
{
    scope_calls *calls = table_of(2, 0);
    calls->ranks[1].overhead_pair_ns = 400; /* another machine */
    calls->ranks[1].overhead_inside_ns = 100;
    scope_summaries rows = summaries_of(calls, SCOPE_BY_REGION);
    expect(&rows, LOOP, 600, 100000 - 80 - 600 - 100 - 1200, 88000 - 80 - 360 - 100 - 900, 0);
    scope_summaries_free(&rows);
    rows = summaries_of(calls, SCOPE_BY_LANE);
    expect(&rows, REGIONS + LOOP, 400, 50000 - 100 - 1200, 44000 - 100 - 900, 0);
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

static void nothing_gets_below_zero(void)
{
    scope_calls *calls = table_of(1, 0);
    calls->ranks[0].overhead_pair_ns = 1e6;
    calls->ranks[0].overhead_inside_ns = 9e5;
    scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MAIN, 1000000, 0, 0, 0);
    expect(&rows, TINY, 4000000, 0, 0, 0);
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

static void folded_calls_count_in_the_kept_call_around_all_of_them(void)
{
    scope_calls *calls = table_of(1, 1);
    fold(calls, TINY, 50, 5000, 5000, 40000, 59000);
    scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MAIN, 200, 100000 - 80 - 55 * 200, 48000 - 80 - 2 * 120, 0);
    expect(&rows, LOOP, 200, 50000 - 80 - 53 * 200, 44000 - 80 - 53 * 120, 0);
    expect(&rows, TINY, 54 * 200, 13000 - 54 * 80, 13000 - 54 * 80, 0);
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

static void folded_calls_inside_folded_ones_are_direct_of_nobody(void)
{
    scope_calls *calls = table_of(1, 2);
    fold(calls, MIDDLE, 10, 9000, 4000, 40000, 59000);
    fold(calls, TINY, 50, 5000, 5000, 41000, 58000);
    scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, LOOP, 200, 50000 - 80 - 63 * 200, 44000 - 80 - 3 * 120, 0);
    expect(&rows, MIDDLE, 2000, 9000 - 800, 4000 - 800, 0);
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

static void folded_calls_that_no_kept_call_spans_are_counted_as_such(void)
{
    scope_calls *calls = table_of(1, 3);
    fold(calls, TINY, 50, 5000, 5000, 59000, 61000); /* in main, but partly in loop */
    fold(calls, TINY, 30, 3000, 3000, 99000, 101000);
    calls->sums[1].lane = -3; /* a thread with no kept call */
    fold(calls, MIDDLE, 20, 3000, 3000, 99000, 101000);
    scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MAIN, 200, 100000 - 80 - 55 * 200, 48000 - 80 - 52 * 120, 0);
    expect(&rows, LOOP, 200, 50000 - 80 - 3 * 200, 44000 - 80 - 3 * 120, 0);
    CU_ASSERT_EQUAL(rows.rows[TINY].unplaced_count, 30);
    CU_ASSERT_EQUAL(rows.rows[MIDDLE].unplaced_count, 20);
    CU_ASSERT_EQUAL(rows.rows[MIDDLE].corrected_total_ns, 3000 - 20 * 80);
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

static void a_rank_that_says_nothing_makes_its_regions_unknown(void)
{
    const double wrong[] = {0, -1, 1e300, 1e-300, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scope_calls *calls = table_of(2, 0);
        calls->ranks[1].overhead_pair_ns = wrong[i];
        scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
        expect(&rows, TINY, 800, 8000 - 4 * 80, 8000 - 4 * 80, 0);
        expect(&rows, REGIONS + TINY, -1, -1, -1, 0);
        scope_summaries_free(&rows);
        rows = summaries_of(calls, SCOPE_BY_REGION);
        expect(&rows, TINY, -1, -1, -1, 0);
        scope_summaries_free(&rows);
        calls->rank_row_count = 0;
        CU_ASSERT_FALSE(scope_overhead_is_known(calls));
        rows = summaries_of(calls, SCOPE_BY_RANK);
        expect(&rows, TINY, -1, -1, -1, 0);
        scope_summaries_free(&rows);
        scope_calls_free(calls);
    }
}

/* Whatever a damaged file says of ids, the cost is known and the rest is not. */
static void ids_that_cannot_be_leave_only_the_cost(void)
{
    const int64_t wrong[][2] = {/* row, id */ {2, 8}, {2, INT64_MAX}, {2, INT64_MIN}, {2, -1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scope_calls *calls = table_of(1, 1);
        fold(calls, TINY, 50, 5000, 5000, 40000, 59000);
        calls->call_ids[wrong[i][0]] = wrong[i][1];
        scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
        expect(&rows, MAIN, 200, -1, -1, 0);
        scope_summaries_free(&rows);
        scope_calls_free(calls);
    }
    scope_calls *calls = table_of(1, 0);
    calls->parent_ids[0] = calls->call_ids[1]; /* its own child */
    scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MAIN, 200, -1, -1, 0);
    scope_summaries_free(&rows);
    calls->parent_ids[0] = INT64_MIN; /* in no table: nobody's */
    rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MAIN, 200, 100000 - 80 - 5 * 200, 48000 - 80 - 2 * 120, 0);
    scope_summaries_free(&rows);
    calls->call_ids = calls->parent_ids = NULL;
    rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MAIN, 200, -1, -1, 0);
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

static void sums_of_a_damaged_file_may_be_anything(void)
{
    scope_calls *calls = table_of(1, 4);
    fold(calls, TINY, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, INT64_MAX);
    fold(calls, TINY, INT64_MAX, INT64_MIN, -1, INT64_MAX, INT64_MIN);
    fold(calls, LOOP, -5, 0, 0, 0, 0);
    fold(calls, MIDDLE, 1, INT64_MIN, INT64_MAX, 40000, 40000);
    for (int by = SCOPE_BY_REGION; by <= SCOPE_BY_LANE; by++) {
        scope_summaries rows = summaries_of(calls, (scope_summary_by)by);
        for (size_t i = 0; i < rows.count; i++)
            CU_ASSERT_TRUE(rows.rows[i].corrected_total_ns >= -1);
        scope_summaries_free(&rows);
    }
    scope_summaries list;
    CU_ASSERT_EQUAL_FATAL(scope_overhead_list(calls, &list), SCOPE_OK);
    CU_ASSERT_EQUAL(list.count, 4);
    scope_summaries_free(&list);
    scope_calls_free(calls);
}

static void sums_alone_lose_what_lies_inside_them(void)
{
    scope_calls *calls = table_of(1, 0), *sums;
    CU_ASSERT_EQUAL_FATAL(scope_calls_aggregate(calls, 1, &sums), SCOPE_OK);
    scope_summaries rows = summaries_of(sums, SCOPE_BY_RANK);
    expect(&rows, TINY, 800, 8000 - 4 * 80, 8000 - 4 * 80, 4);
    expect(&rows, LOOP, 200, 50000 - 80, 44000 - 80, 1);
    scope_summaries_free(&rows);
    scope_calls_free(sums);
    scope_calls_free(calls);
}

/* pair 200, inside 80; of long calls 50 and -40. */
static void what_a_call_costs_depends_on_its_length(void)
{
    static const struct {
        int64_t duration, overhead, corrected;
    } expected[] = {
        {80, 160, 40}, /* looks empty: 200 - 80 / 2; and half of what it looks like is inside */
        {88, 160, 48},
        {179, 85, 179}, /* half the way from 88 to 270: (120 + 50) / 2, (0 - 40) / 2 */
        {270, 50, 270}, /* never more than was measured */
        {9000, 50, 9000},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        scope_calls *calls = table_of(1, 0);
        calls->ranks[0].overhead_long_pair_ns = 50;
        calls->ranks[0].overhead_long_inside_ns = -40;
        for (uint64_t row = calls->pairs[TINY].first; row < calls->count; row++)
            calls->duration_ns[row] = expected[i].duration;
        CU_ASSERT_EQUAL_FATAL(scope_calls_nest(calls, 7, NULL), SCOPE_OK);
        scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
        expect(&rows, TINY, 4 * expected[i].overhead, 4 * (expected[i].corrected),
               4 * expected[i].corrected, 0);
        CU_ASSERT_EQUAL(rows.rows[LOOP].corrected_total_ns, 50000 + 40 - 3 * expected[i].overhead);
        CU_ASSERT_EQUAL(rows.rows[MAIN].corrected_total_ns,
                        100000 + 40 - 4 * expected[i].overhead - 50);
        scope_summaries_free(&rows);
        scope_calls_free(calls);
    }
}

/* Nearly all of them empty, one was interrupted: the mean would make all of them long. */
static void folded_calls_count_by_their_histogram(void)
{
    scope_calls *calls = table_of(1, 1);
    calls->ranks[0].overhead_long_pair_ns = 50;
    calls->ranks[0].overhead_long_inside_ns = -40;
    fold(calls, MIDDLE, 1000, 1000 * 80 + 1000000, 1000 * 80 + 1000000, 0, 1000000);
    calls->sums[0].minimum_ns = 70;
    calls->sums[0].maximum_ns = 1000000;
    calls->sums[0].histogram[5] = 999; /* 70 at least: all at the edge of bucket 5, empty */
    calls->sums[0].histogram[19] = 1;
    scope_summaries rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MIDDLE, 999 * 160 + 50, 1080000 - 999 * 40 + 40, 1080000 - 999 * 40 + 40, 1000);
    scope_summaries_free(&rows);
    calls->sums[0].histogram[19] = 0; /* a full bucket: the fullest has the rest */
    rows = summaries_of(calls, SCOPE_BY_RANK);
    expect(&rows, MIDDLE, 1000 * 160, 1080000 - 1000 * 40, 1080000 - 1000 * 40, 1000);
    scope_summaries_free(&rows);
    scope_calls_free(calls);
}

int main(void)
{
    const unit_test tests[] = {UNIT(what_the_recorder_took_is_taken_off),
                               UNIT(ranks_lanes_and_regions_add_up),
                               UNIT(nothing_gets_below_zero),
                               UNIT(folded_calls_count_in_the_kept_call_around_all_of_them),
                               UNIT(folded_calls_count_by_their_histogram),
                               UNIT(folded_calls_inside_folded_ones_are_direct_of_nobody),
                               UNIT(folded_calls_that_no_kept_call_spans_are_counted_as_such),
                               UNIT(a_rank_that_says_nothing_makes_its_regions_unknown),
                               UNIT(ids_that_cannot_be_leave_only_the_cost),
                               UNIT(sums_of_a_damaged_file_may_be_anything),
                               UNIT(sums_alone_lose_what_lies_inside_them),
                               UNIT(what_a_call_costs_depends_on_its_length),
                               {0}};
    return unit_run("corrected", tests);
}
