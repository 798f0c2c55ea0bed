/* test_join.c - ranks of several profiles on one timeline, each once.
 *
 * SPDX-License-Identifier: MIT
 */
#include "join.h"

#include <CUnit/Basic.h>
#include <string.h>

/* One call of rank `rank` at `start_ns` of its own clock, which read `start_ns` when
 * CLOCK_REALTIME was `realtime_ns`. */
static scope_calls *one(int32_t rank, const char *host, int64_t start_ns, int64_t realtime_ns)
{
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_calls_new(&calls), SCOPE_OK);
    calls->count = calls->region_count = calls->pair_count = calls->rank_row_count = 1;
    calls->thread_count = 1;
    calls->start_ns = scope_calls_alloc(calls, 1, sizeof *calls->start_ns);
    calls->duration_ns = scope_calls_alloc(calls, 1, sizeof *calls->duration_ns);
    calls->regions = scope_calls_alloc(calls, 1, sizeof *calls->regions);
    calls->pairs = scope_calls_alloc(calls, 1, sizeof *calls->pairs);
    calls->ranks = scope_calls_alloc(calls, 1, sizeof *calls->ranks);
    calls->threads = scope_calls_alloc(calls, 1, sizeof *calls->threads);
    calls->start_ns[0] = start_ns;
    calls->duration_ns[0] = 7;
    calls->regions[0].name = scope_calls_string(calls, "r", 1);
    calls->pairs[0] = (scope_pair){.rank = rank, .count = 1, .source_line = -1};
    calls->ranks[0] = (scope_rank_row){.rank = rank,
                                       .start_ns = start_ns,
                                       .realtime_ns = realtime_ns,
                                       .host = scope_calls_string(calls, host, strlen(host))};
    calls->threads[0] = (scope_thread_row){.rank = rank, .start_ns = start_ns, .end_ns = -1};
    calls->start_time_ns = start_ns;
    calls->end_time_ns = start_ns + 7;
    calls->rank_count = rank + 1;
    return calls;
}

static const int64_t day_ns = INT64_C(86400000000000);

static void another_node_is_placed_by_the_clock_of_the_day(void)
{
    /* node b booted three days earlier, and this rank began 5 us later */
    join_part parts[2] = {{one(1, "b", 3 * day_ns, 1000 * day_ns + 5000), "1"},
                          {one(0, "a", 1000, 1000 * day_ns), "0"}};
    join_clocks(parts, 2);
    CU_ASSERT_EQUAL(parts[1].calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(parts[0].calls->start_ns[0], 6000);
    CU_ASSERT_EQUAL(parts[0].calls->duration_ns[0], 7);
    CU_ASSERT_EQUAL(parts[0].calls->threads[0].start_ns, 6000);
    CU_ASSERT_EQUAL(parts[0].calls->threads[0].end_ns, -1);
    CU_ASSERT_EQUAL(parts[0].calls->start_time_ns, 6000);
    CU_ASSERT_EQUAL(parts[0].calls->ranks[0].offset_ns, 6000 - 3 * day_ns);
    CU_ASSERT_EQUAL(parts[0].calls->ranks[0].bound_ns, -1);
    CU_ASSERT_EQUAL(parts[1].calls->ranks[0].bound_ns, 0);
    scope_calls_free(parts[0].calls);
    scope_calls_free(parts[1].calls);
}

static void one_boot_has_one_clock(void)
{
    /* the clock of the day was set by a second in between: it does not count */
    join_part parts[2] = {{one(0, "a", 1000, 1000 * day_ns), "0"},
                          {one(1, "a", 9000, 1000 * day_ns + 1000000000), "1"}};
    join_clocks(parts, 2);
    CU_ASSERT_EQUAL(parts[1].calls->start_ns[0], 9000);
    CU_ASSERT_EQUAL(parts[1].calls->ranks[0].offset_ns, 0);
    scope_calls_free(parts[0].calls);
    scope_calls_free(parts[1].calls);
}

static void a_host_that_booted_again_has_another_clock(void)
{
    join_part parts[2] = {{one(0, "a", 5 * day_ns, 1000 * day_ns), "0"},
                          {one(1, "a", 1000, 1000 * day_ns + 60000000000), "1"}};
    join_clocks(parts, 2);
    CU_ASSERT_EQUAL(parts[1].calls->start_ns[0], 5 * day_ns + 60000000000);
    scope_calls_free(parts[0].calls);
    scope_calls_free(parts[1].calls);
}

static void what_a_rank_knew_of_its_clock_stays(void)
{
    join_part parts[2] = {{one(0, "a", 1000, 1000 * day_ns), "0"},
                          {one(1, "b", 2000, 1000 * day_ns), "1"}};
    parts[1].calls->ranks[0].offset_ns = 50;
    parts[1].calls->ranks[0].drift = 1e-6;
    parts[1].calls->ranks[0].at_ns = 77;
    join_clocks(parts, 2);
    CU_ASSERT_EQUAL(parts[1].calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(parts[1].calls->ranks[0].offset_ns, 50 - 1000);
    CU_ASSERT_EQUAL(parts[1].calls->ranks[0].drift, 1e-6);
    CU_ASSERT_EQUAL(parts[1].calls->ranks[0].at_ns, 77);
    scope_calls_free(parts[0].calls);
    scope_calls_free(parts[1].calls);
}

static void files_without_clocks_stay_as_they_are(void)
{
    join_part parts[2] = {{one(0, "a", 1000, 0), "0"}, {one(1, "b", 9000, 0), "1"}};
    parts[1].calls->rank_row_count = 0;
    join_clocks(parts, 2);
    CU_ASSERT_EQUAL(parts[0].calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(parts[1].calls->start_ns[0], 9000);
    scope_calls_free(parts[0].calls);
    scope_calls_free(parts[1].calls);
}

static void collisions_are_found_and_renumbered_away(void)
{
    scope_collision collision = {0};
    join_part parts[3] = {
        {one(0, "a", 1000, 1), "x"}, {one(2, "a", 1000, 1), "y"}, {one(2, "a", 1000, 1), "z"}};
    CU_ASSERT_TRUE(join_distinct(parts, 2, &collision));
    CU_ASSERT_FALSE(join_distinct(parts, 3, &collision));
    CU_ASSERT_EQUAL(collision.rank, 2);
    CU_ASSERT_EQUAL(collision.first, 1);
    CU_ASSERT_EQUAL(collision.second, 2);
    join_renumber(parts, 3);
    CU_ASSERT_TRUE(join_distinct(parts, 3, &collision));
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(parts[i].calls->pairs[0].rank, i);
        CU_ASSERT_EQUAL(parts[i].calls->ranks[0].rank, i);
        CU_ASSERT_EQUAL(parts[i].calls->threads[0].rank, i);
        CU_ASSERT_EQUAL(parts[i].calls->rank_count, 3);
        scope_calls_free(parts[i].calls);
    }
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("join", NULL, NULL);
    CU_ADD_TEST(suite, another_node_is_placed_by_the_clock_of_the_day);
    CU_ADD_TEST(suite, one_boot_has_one_clock);
    CU_ADD_TEST(suite, a_host_that_booted_again_has_another_clock);
    CU_ADD_TEST(suite, what_a_rank_knew_of_its_clock_stays);
    CU_ADD_TEST(suite, files_without_clocks_stay_as_they_are);
    CU_ADD_TEST(suite, collisions_are_found_and_renumbered_away);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
