/* test_aggregate.c - call tables without their rows.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/results.h>

#include "tables.h"

enum { REGIONS = 5, CALLS = 40 };

static scope_calls *made(unsigned with)
{
    scope_calls *calls = table_make(0, 2, REGIONS, CALLS, with);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls);
    scope_calls_nest(calls, 0, NULL);
    return calls;
}

static scope_calls *aggregated(const scope_calls *calls, int per_lane)
{
    scope_calls *aggregate = NULL;
    CU_ASSERT_EQUAL_FATAL(scope_calls_aggregate(calls, per_lane, &aggregate), SCOPE_OK);
    CU_ASSERT_EQUAL(aggregate->is_aggregate, 1);
    CU_ASSERT_EQUAL(aggregate->count, 0);
    return aggregate;
}

/* What is known of each group of an aggregate is what is known of the rows. */
static void compare(const scope_calls *calls, const scope_calls *aggregate, scope_summary_by by)
{
    scope_summaries rows, sums;
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, by, &rows), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_summarize(aggregate, by, &sums), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(rows.count, sums.count);
    for (size_t i = 0; i < rows.count; i++) {
        const scope_summary *a = &rows.rows[i], *b = NULL;
        for (size_t k = 0; k < sums.count; k++) {
            const scope_summary *other = &sums.rows[k];
            if (other->region == a->region && other->rank == a->rank && other->lane == a->lane)
                b = other;
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(b);
        CU_ASSERT_EQUAL(a->call_count, b->call_count);
        CU_ASSERT_EQUAL(a->total_ns, b->total_ns);
        CU_ASSERT_EQUAL(a->exclusive_ns, b->exclusive_ns);
        CU_ASSERT_EQUAL(a->minimum_ns, b->minimum_ns);
        CU_ASSERT_EQUAL(a->maximum_ns, b->maximum_ns);
        CU_ASSERT_EQUAL(a->await_ns, b->await_ns);
        CU_ASSERT_EQUAL(a->mpi_bytes, b->mpi_bytes);
        CU_ASSERT_EQUAL(a->first_start_ns, b->first_start_ns);
        CU_ASSERT_EQUAL(a->rank_count, b->rank_count);
        CU_ASSERT_DOUBLE_EQUAL(a->imbalance, b->imbalance, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(a->share, b->share, 1e-9);
    }
    scope_summaries_free(&rows);
    scope_summaries_free(&sums);
}

static void sums_say_what_the_rows_say(void)
{
    const unsigned with[] = {0, TABLE_THREADS, TABLE_THREADS | TABLE_TASKS | TABLE_MPI,
                             TABLE_THREADS | TABLE_FOLDED, TABLE_ALL};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        scope_calls *calls = made(with[i]);
        scope_calls *lanes = aggregated(calls, 1), *all = aggregated(calls, 0);
        compare(calls, lanes, SCOPE_BY_LANE);
        compare(calls, lanes, SCOPE_BY_RANK);
        compare(calls, lanes, SCOPE_BY_REGION);
        compare(calls, all, SCOPE_BY_RANK);
        scope_calls *again = aggregated(lanes, 0); /* of sums the sums */
        compare(calls, again, SCOPE_BY_RANK);
        for (size_t p = 0; p < all->pair_count; p++) {
            CU_ASSERT_EQUAL(all->pairs[p].first, 0);
            CU_ASSERT_EQUAL(all->pairs[p].count, again->pairs[p].count);
            CU_ASSERT_EQUAL(all->pairs[p].exclusive_ns, again->pairs[p].exclusive_ns);
            CU_ASSERT_EQUAL(all->pairs[p].statistics.total, again->pairs[p].statistics.total);
        }
        scope_calls_free(again);
        scope_calls_free(all);
        scope_calls_free(lanes);
        scope_calls_free(calls);
    }
}

static void every_call_is_in_one_bucket(void)
{
    scope_calls *calls = made(TABLE_THREADS);
    scope_calls *lanes = aggregated(calls, 1);
    for (size_t i = 0; i < lanes->sum_count; i++) {
        int64_t count = 0;
        for (int b = 0; b < 64; b++)
            count += lanes->sums[i].histogram[b];
        CU_ASSERT_EQUAL(count, lanes->sums[i].count);
        CU_ASSERT_TRUE(lanes->sums[i].last_ns >=
                       lanes->sums[i].first_ns + lanes->sums[i].maximum_ns);
    }
    scope_calls_free(lanes);
    scope_calls_free(calls);
}

static void a_region_that_is_known_by_sums_alone_gets_a_pair(void)
{
    scope_calls *calls = made(TABLE_FOLDED);
    size_t kept = 0;
    for (size_t i = 0; i < calls->pair_count; i++)
        if (calls->pairs[i].region != calls->sums[0].region)
            calls->pairs[kept++] = calls->pairs[i];
    CU_ASSERT_EQUAL_FATAL(kept + 1, calls->pair_count);
    calls->pair_count = kept;
    scope_calls *all = aggregated(calls, 0);
    CU_ASSERT_EQUAL_FATAL(all->pair_count, kept + 1);
    const scope_pair *pair = &all->pairs[kept];
    CU_ASSERT_EQUAL(pair->count, 10);
    CU_ASSERT_EQUAL(pair->statistics.total, 100);
    CU_ASSERT_EQUAL(pair->statistics.mean, 10.0);
    CU_ASSERT_EQUAL(pair->exclusive_ns, 90);
    scope_calls_free(all);
    scope_calls_free(calls);
}

static void calls_that_do_not_nest_have_no_exclusive_time(void)
{
    scope_calls *calls = made(0);
    calls->duration_ns[0] += INT64_C(1) << 50;
    calls->duration_ns[1] += INT64_C(1) << 49;
    calls->call_ids = calls->parent_ids = NULL;
    for (size_t i = 0; i < calls->pair_count; i++)
        calls->pairs[i].exclusive_ns = -1;
    for (int per_lane = 0; per_lane < 2; per_lane++) {
        scope_calls *sums = aggregated(calls, per_lane);
        CU_ASSERT_EQUAL(sums->pairs[0].exclusive_ns, -1);
        CU_ASSERT_EQUAL(sums->sums[0].exclusive_ns, -1);
        scope_calls_free(sums);
    }
    scope_calls_free(calls);
}

static void aggregates_are_joined(void)
{
    scope_calls *parts[3] = {NULL}, *merged = NULL;
    scope_calls *first = made(TABLE_THREADS);
    scope_calls *second = table_make(1, 2, REGIONS, CALLS, TABLE_THREADS);
    scope_calls_nest(second, 0, NULL);
    parts[0] = aggregated(first, 0);
    parts[1] = aggregated(second, 0);
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(parts, 2, &merged), SCOPE_OK);
    CU_ASSERT_EQUAL(merged->is_aggregate, 1);
    CU_ASSERT_EQUAL(merged->count, 0);
    CU_ASSERT_EQUAL(merged->pair_count, first->pair_count + second->pair_count);
    CU_ASSERT_EQUAL(merged->pairs[0].count, first->pairs[0].count);
    CU_ASSERT_EQUAL(scope_calls_nest(merged, 0, NULL), SCOPE_OK);
    scope_calls_free(merged);
    scope_calls *mixed[2] = {parts[0], second}; /* the sums are folded calls beside rows */
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(mixed, 2, &merged), SCOPE_OK);
    CU_ASSERT_EQUAL(merged->is_aggregate, 0);
    CU_ASSERT_EQUAL(merged->count, second->count);
    CU_ASSERT_EQUAL(merged->pairs[0].count, 0);
    CU_ASSERT_EQUAL(scope_calls_nest(merged, 0, NULL), SCOPE_OK);
    scope_calls_free(merged);
    scope_calls_free(parts[0]);
    scope_calls_free(parts[1]);
    scope_calls_free(first);
    scope_calls_free(second);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("aggregate", NULL, NULL);
    CU_ADD_TEST(suite, sums_say_what_the_rows_say);
    CU_ADD_TEST(suite, every_call_is_in_one_bucket);
    CU_ADD_TEST(suite, a_region_that_is_known_by_sums_alone_gets_a_pair);
    CU_ADD_TEST(suite, calls_that_do_not_nest_have_no_exclusive_time);
    CU_ADD_TEST(suite, aggregates_are_joined);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
