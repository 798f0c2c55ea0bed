/* test_tables.c - the call table: memory, metadata, clock, merge, statistics.
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/check.h>
#include <scope/fields.h>
#include <scope/results.h>

#include "select.h"
#include "string_is.h"

/* One rank with two regions on two threads:
 *     thread 0   outer [0, 100): inner [10, 20), inner [30, 60)
 *     thread 1   outer [50, 90) */
static scope_calls *rank_table(int32_t rank, const char *first, const char *second, int64_t scale)
{
    scope_calls *calls;
    if (scope_calls_new(&calls) != SCOPE_OK)
        abort();
    static const int64_t starts[4] = {0, 50, 10, 30}, durations[4] = {100, 40, 10, 30};
    static const int64_t threads[4] = {0, 1, 0, 0};
    calls->rank_count = rank + 1;
    calls->start_time_ns = 1000 + rank;
    calls->end_time_ns = 1000 + 100 * scale;
    calls->count = 4;
    calls->start_ns = scope_calls_alloc(calls, 4, sizeof(int64_t));
    calls->duration_ns = scope_calls_alloc(calls, 4, sizeof(int64_t));
    calls->thread_ids = scope_calls_alloc(calls, 4, sizeof(int64_t));
    for (int i = 0; i < 4; i++) {
        calls->start_ns[i] = 1000 + rank + starts[i] * scale;
        calls->duration_ns[i] = durations[i] * scale;
        calls->thread_ids[i] = threads[i];
    }
    calls->regions = scope_calls_alloc(calls, 2, sizeof *calls->regions);
    calls->region_count = 2;
    calls->regions[0].name = scope_calls_string(calls, first, strlen(first));
    calls->regions[1].name = scope_calls_string(calls, second, strlen(second));
    calls->pairs = scope_calls_alloc(calls, 2, sizeof *calls->pairs);
    calls->pair_count = 2;
    for (uint32_t i = 0; i < 2; i++)
        calls->pairs[i] = (scope_pair){.rank = rank,
                                       .region = i,
                                       .first = i * 2,
                                       .count = 2,
                                       .source_line = -1,
                                       .source_file = {"", 0},
                                       .tags = {"[]", 2}};
    calls->threads = scope_calls_alloc(calls, 2, sizeof *calls->threads);
    calls->thread_count = 2;
    for (int i = 0; i < 2; i++)
        calls->threads[i] = (scope_thread_row){.rank = rank,
                                               .index = i,
                                               .start_ns = 1000,
                                               .end_ns = i ? 2000 : -1,
                                               .name = {i ? "worker" : "main", i ? 6 : 4},
                                               .binding = {"", 0}};
    calls->ranks = scope_calls_alloc(calls, 1, sizeof *calls->ranks);
    calls->rank_row_count = 1;
    calls->ranks[0] =
        (scope_rank_row){.rank = rank, .host = {"node", 4}, .program = {"a.out", 5}};
    calls->communicators = scope_calls_alloc(calls, 1, sizeof *calls->communicators);
    calls->communicator_count = 1;
    calls->communicators[0] =
        (scope_communicator_row){.rank = rank, .parent = -1, .name = {"world", 5}};
    if (scope_calls_nest(calls, 0, NULL) != SCOPE_OK)
        abort();
    return calls;
}

static void strings_end_with_a_nul_and_stay(void)
{
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_calls_new(&calls), SCOPE_OK);
    scope_string strings[2000];
    for (int i = 0; i < 2000; i++) {
        char text[64];
        const int length = snprintf(text, sizeof text, "string %d", i);
        strings[i] = scope_calls_string(calls, text, (uint64_t)length);
        char *memory = scope_calls_alloc(calls, (size_t)i + 1, 40);
        CU_ASSERT_PTR_NOT_NULL_FATAL(memory);
        for (int k = 0; k < (i + 1) * 40; k += 39)
            if (memory[k])
                CU_FAIL("not zeroed");
        memset(memory, 0xff, ((size_t)i + 1) * 40);
    }
    for (int i = 0; i < 2000; i++) {
        char text[64];
        snprintf(text, sizeof text, "string %d", i);
        CU_ASSERT_STRING_EQUAL(strings[i].bytes, text);
    }
    CU_ASSERT_PTR_NULL(scope_calls_alloc(calls, SIZE_MAX / 2, 8));
    scope_calls_free(calls);
    scope_calls_free(NULL);
}

static void metadata_is_set_and_replaced(void)
{
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_calls_new(&calls), SCOPE_OK);
    char key[16];
    for (int i = 0; i < 100; i++) {
        snprintf(key, sizeof key, "key %d", i % 50);
        CU_ASSERT_EQUAL(scope_calls_set_integer(calls, key, i), SCOPE_OK);
    }
    CU_ASSERT_EQUAL(calls->metadata_count, 50);
    CU_ASSERT_EQUAL(scope_calls_metadata(calls, "key 7")->integer, 57);
    CU_ASSERT_EQUAL(scope_calls_set_text(calls, "key 7", "text", -1), SCOPE_OK);
    CU_ASSERT_TRUE(is(scope_calls_metadata(calls, "key 7")->text, "text"));
    CU_ASSERT_PTR_NULL(scope_calls_metadata(calls, "key"));
    /* rows that a reader put there itself are kept */
    scope_metadata_row own = {.key = {"own", 3}, .kind = SCOPE_VALUE_INTEGER, .integer = 4};
    calls->metadata = &own;
    calls->metadata_count = 1;
    CU_ASSERT_EQUAL(scope_calls_set_integer(calls, "more", 5), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->metadata_count, 2);
    CU_ASSERT_EQUAL(scope_calls_metadata(calls, "own")->integer, 4);
    scope_calls_free(calls);
}

static void mapping_the_clock_keeps_nesting(void)
{
    srand(12);
    for (int round = 0; round < 300; round++) {
        scope_calls *calls = rank_table(0, "outer", "inner", 1 + rand() % 5);
        for (int i = 0; i < 4; i++)
            calls->start_ns[i] += INT64_C(4000000000000000000);
        const double drift = (rand() % 2001 - 1000) * 1e-7;
        const int64_t offset = (int64_t)rand() * 1000003 - INT64_C(1000000000000);
        scope_calls_map_clock(calls, offset, drift, INT64_C(3999999999000000000));
        CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_OK);
        CU_ASSERT_EQUAL(calls->parent_ids[2], calls->call_ids[0]);
        CU_ASSERT_EQUAL(calls->parent_ids[3], calls->call_ids[0]);
        CU_ASSERT_EQUAL(calls->ranks[0].offset_ns, offset);
        scope_calls_free(calls);
    }
}

static void mapping_the_clock_maps_all_times(void)
{
    scope_calls *calls = rank_table(0, "outer", "inner", 1);
    scope_calls_map_clock(calls, 500, 0.001, 1000);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1500);
    CU_ASSERT_EQUAL(calls->threads[0].start_ns, 1500);
    CU_ASSERT_EQUAL(calls->threads[0].end_ns, -1);
    CU_ASSERT_EQUAL(calls->threads[1].end_ns, 2501);
    CU_ASSERT_EQUAL(calls->start_time_ns, 1500);
    CU_ASSERT_EQUAL(calls->ranks[0].drift, 0.001);
    scope_calls_free(calls);
    calls = rank_table(0, "outer", "inner", 1);
    scope_calls_map_clock(calls, 0, NAN, 1000);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    scope_calls_free(calls);
}

static void ranks_are_merged_in_order_and_names_unified(void)
{
    scope_calls *parts[3] = {rank_table(2, "outer", "inner", 3), rank_table(0, "outer", "inner", 1),
                             rank_table(1, "inner", "other", 2)};
    parts[2]->flags = scope_calls_alloc(parts[2], 4, 1);
    parts[2]->flags[3] = 2;
    parts[0]->mpi_comms = scope_calls_alloc(parts[0], 4, sizeof(int32_t));
    parts[1]->mpi_comms = scope_calls_alloc(parts[1], 4, sizeof(int32_t));
    parts[1]->mpi_comms[1] = -1;
    scope_calls *merged;
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(parts, 3, &merged), SCOPE_OK);
    for (int i = 0; i < 3; i++)
        scope_calls_free(parts[i]); /* nothing is shared */
    CU_ASSERT_EQUAL(merged->count, 12);
    CU_ASSERT_EQUAL(merged->rank_count, 3);
    CU_ASSERT_EQUAL_FATAL(merged->pair_count, 6);
    CU_ASSERT_EQUAL_FATAL(merged->region_count, 3);
    uint64_t rows = 0;
    for (int i = 0; i < 6; i++) {
        CU_ASSERT_EQUAL(merged->pairs[i].rank, i / 2);
        CU_ASSERT_EQUAL(merged->pairs[i].first, rows);
        rows += merged->pairs[i].count;
    }
    CU_ASSERT_TRUE(is(merged->regions[merged->pairs[0].region].name, "outer"));
    CU_ASSERT_TRUE(is(merged->regions[merged->pairs[2].region].name, "inner"));
    CU_ASSERT_TRUE(is(merged->regions[merged->pairs[3].region].name, "other"));
    CU_ASSERT_EQUAL(merged->pairs[2].region, merged->pairs[1].region);
    CU_ASSERT_EQUAL(merged->start_ns[4], 1001);
    CU_ASSERT_PTR_NOT_NULL_FATAL(merged->flags);
    CU_ASSERT_EQUAL(merged->flags[3], 0);
    CU_ASSERT_EQUAL(merged->flags[7], 2);
    CU_ASSERT_EQUAL(merged->mpi_comms[0], 1); /* the part's own row 0 is row 1 now */
    CU_ASSERT_EQUAL(merged->mpi_comms[1], -1);
    CU_ASSERT_EQUAL(merged->mpi_comms[4], -1);
    CU_ASSERT_EQUAL(merged->mpi_comms[8], 0);
    CU_ASSERT_EQUAL(merged->thread_count, 6);
    CU_ASSERT_EQUAL(merged->threads[2].rank, 1);
    CU_ASSERT_EQUAL(merged->ranks[0].rank, 0);
    CU_ASSERT_TRUE(is(merged->ranks[0].host, "node"));
    CU_ASSERT_EQUAL(merged->start_time_ns, 1000);
    CU_ASSERT_EQUAL(scope_calls_nest(merged, 0, NULL), SCOPE_OK);
    scope_calls_free(merged);
}

static void the_same_rank_twice_is_refused(void)
{
    scope_calls *parts[2] = {rank_table(1, "a", "b", 1), rank_table(1, "a", "b", 1)}, *merged;
    CU_ASSERT_EQUAL(scope_calls_merge(parts, 2, &merged), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(scope_calls_merge(parts, 0, &merged), SCOPE_ERR_ARGUMENT);
    scope_calls_free(parts[0]);
    scope_calls_free(parts[1]);
}

static void statistics_per_region_rank_and_lane(void)
{
    scope_calls *parts[2] = {rank_table(0, "outer", "inner", 1), rank_table(1, "outer", "inner", 3)};
    scope_calls *calls;
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(parts, 2, &calls), SCOPE_OK);
    scope_summaries all;
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, SCOPE_BY_REGION, &all), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(all.count, 2);
    const scope_summary *outer = &all.rows[0];
    CU_ASSERT_EQUAL(outer->rank, -1);
    CU_ASSERT_EQUAL(outer->lane, INT64_MIN);
    CU_ASSERT_EQUAL(outer->rank_count, 2);
    CU_ASSERT_EQUAL(outer->call_count, 4);
    CU_ASSERT_EQUAL(outer->total_ns, 140 + 420);
    CU_ASSERT_EQUAL(outer->exclusive_ns, 100 + 300);
    CU_ASSERT_EQUAL(outer->minimum_ns, 40);
    CU_ASSERT_EQUAL(outer->maximum_ns, 300);
    CU_ASSERT_EQUAL(outer->first_ns, 100);
    CU_ASSERT_EQUAL(outer->last_ns, 120);
    CU_ASSERT_EQUAL(outer->mean_ns, 140.0);
    CU_ASSERT_DOUBLE_EQUAL(outer->deviation_ns, 96.953597, 1e-5);
    CU_ASSERT_EQUAL(outer->p50_ns, 110.0); /* of 40 100 120 300 */
    CU_ASSERT_DOUBLE_EQUAL(outer->p95_ns, 273.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(outer->p99_ns, 294.6, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(outer->share, 400.0 / 560.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(outer->imbalance, 1.5, 1e-12);
    scope_summaries_free(&all);
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, SCOPE_BY_RANK, &all), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(all.count, 4);
    CU_ASSERT_EQUAL(all.rows[1].rank, 0);
    CU_ASSERT_EQUAL(all.rows[1].total_ns, 40);
    CU_ASSERT_DOUBLE_EQUAL(all.rows[1].share, 40.0 / 140.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(all.rows[1].imbalance, 1.5, 1e-12);
    scope_summaries_free(&all);
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, SCOPE_BY_LANE, &all), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(all.count, 6);
    CU_ASSERT_EQUAL(all.rows[0].lane, -2);
    CU_ASSERT_EQUAL(all.rows[0].exclusive_ns, 60);
    CU_ASSERT_EQUAL(all.rows[1].lane, -3);
    CU_ASSERT_EQUAL(all.rows[1].exclusive_ns, 40);
    scope_summaries_free(&all);
    scope_calls_free(calls);
    scope_calls_free(parts[0]);
    scope_calls_free(parts[1]);
}

static void one_rank_has_no_imbalance(void)
{
    scope_calls *calls = rank_table(0, "outer", "inner", 1);
    scope_summaries all;
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, SCOPE_BY_REGION, &all), SCOPE_OK);
    CU_ASSERT_EQUAL(all.rows[0].imbalance, 0.0);
    CU_ASSERT_EQUAL(all.rows[0].p50_ns, 70.0);
    scope_summaries_free(&all);
    scope_calls_free(calls);
}

static void folded_sums_are_added(void)
{
    scope_calls *calls = rank_table(0, "outer", "inner", 1);
    scope_sum_row sums[2] = {{.rank = 0, .region = 1, .lane = -2, .count = 10, .total_ns = 1000,
                              .minimum_ns = 5, .maximum_ns = 200, .exclusive_ns = 900,
                              .first_ns = 7, .bytes = 3},
                             {.rank = 0, .region = 1, .lane = 4, .count = 1, .total_ns = 6,
                              .minimum_ns = 6, .maximum_ns = 6, .exclusive_ns = 6}};
    calls->sums = sums;
    calls->sum_count = 2;
    scope_summaries all;
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, SCOPE_BY_RANK, &all), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(all.count, 2);
    CU_ASSERT_EQUAL(all.rows[1].call_count, 13);
    CU_ASSERT_EQUAL(all.rows[1].folded_count, 11);
    CU_ASSERT_EQUAL(all.rows[1].total_ns, 1046);
    CU_ASSERT_EQUAL(all.rows[1].exclusive_ns, 946);
    CU_ASSERT_EQUAL(all.rows[1].minimum_ns, 5);
    CU_ASSERT_EQUAL(all.rows[1].maximum_ns, 200);
    CU_ASSERT_EQUAL(all.rows[1].mpi_bytes, 3);
    CU_ASSERT_DOUBLE_EQUAL(all.rows[1].mean_ns, 1046.0 / 13, 1e-9);
    CU_ASSERT_EQUAL(all.rows[1].p50_ns, 20.0); /* of the detailed ones */
    scope_summaries_free(&all);
    CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, SCOPE_BY_LANE, &all), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(all.count, 4);
    CU_ASSERT_EQUAL(all.rows[3].lane, 4);
    CU_ASSERT_EQUAL(all.rows[3].call_count, 1);
    scope_summaries_free(&all);
    scope_calls_free(calls);
}

static void an_empty_table_has_no_statistics(void)
{
    scope_calls *calls;
    scope_summaries all;
    CU_ASSERT_EQUAL_FATAL(scope_calls_new(&calls), SCOPE_OK);
    for (int by = SCOPE_BY_REGION; by <= SCOPE_BY_LANE; by++) {
        CU_ASSERT_EQUAL_FATAL(scope_summarize(calls, (scope_summary_by)by, &all), SCOPE_OK);
        CU_ASSERT_EQUAL(all.count, 0);
        scope_summaries_free(&all);
    }
    scope_calls_free(calls);
}

static void labels_fit_into_what_there_is(void)
{
    scope_calls *calls = rank_table(0, "outer", "inner", 1);
    char text[4] = "xxx";
    CU_ASSERT_EQUAL(scope_lane_label(calls, 0, -3, text, sizeof text), 6);
    CU_ASSERT_STRING_EQUAL(text, "wor");
    CU_ASSERT_EQUAL(scope_lane_label(calls, 0, -3, NULL, 0), 6);
    CU_ASSERT_EQUAL(scope_lane_label(calls, 5, -3, text, sizeof text), 8); /* thread 1 */
    CU_ASSERT_EQUAL(scope_lane_label(calls, 0, INT64_MIN, NULL, 0) > 0, 1);
    scope_calls_free(calls);
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void selecting_is_as_good_as_sorting(void)
{
    srand(6);
    for (int round = 0; round < 300; round++) {
        int64_t values[500], sorted[500];
        const uint64_t count = 1 + (uint64_t)rand() % 500;
        const int range = 1 + rand() % 1000;
        for (uint64_t i = 0; i < count; i++)
            values[i] = sorted[i] = round % 3 ? rand() % range : (int64_t)i;
        qsort(sorted, count, sizeof *sorted, by_value);
        for (int k = 0; k < 10; k++) {
            const uint64_t n = (uint64_t)rand() % count;
            CU_ASSERT_EQUAL(select_nth(values, count, n), sorted[n]);
        }
    }
}

static const char *wrong(const scope_calls *calls)
{
    static char why[SCOPE_WHY_BYTES];
    snprintf(why, sizeof why, "nothing");
    CU_ASSERT_EQUAL(scope_calls_check(calls, why), strcmp(why, "nothing") ? SCOPE_ERR_CORRUPT
                                                                          : SCOPE_OK);
    return why;
}

static void what_is_no_table_is_refused_and_says_why(void)
{
    scope_calls *calls = rank_table(0, "outer", "inner", 1);
    CU_ASSERT_STRING_EQUAL(wrong(calls), "nothing");
    calls->pairs[1].region = 0;
    CU_ASSERT_STRING_EQUAL(wrong(calls), "region 'outer' is there twice for rank 0");
    calls->pairs[1].region = 2;
    CU_ASSERT_STRING_EQUAL(wrong(calls), "a row of the index is of a region that is not there");
    calls->pairs[1].region = 1;
    calls->pairs[1].first--;
    CU_ASSERT_STRING_EQUAL(wrong(calls), "two rows of the index have calls in common");
    calls->pairs[1].first += 2;
    CU_ASSERT_STRING_EQUAL(wrong(calls), "a row of the index reaches beyond the columns");
    calls->pairs[1].first--;
    calls->pairs[1].rank = -1;
    CU_ASSERT_STRING_EQUAL(wrong(calls), "a row is of an impossible rank");
    calls->pairs[1].rank = 0;
    scope_message_row messages[2] = {{.row = 3, .communicator = -1}, {.row = 2, .communicator = -1}};
    calls->messages = messages;
    calls->message_count = 2;
    CU_ASSERT_STRING_EQUAL(wrong(calls), "messages must be in the order of their rows");
    messages[1] = (scope_message_row){.row = 3, .communicator = 99};
    CU_ASSERT_STRING_EQUAL(wrong(calls), "a message is of a communicator that is not there");
    messages[1].row = 4;
    CU_ASSERT_STRING_EQUAL(wrong(calls), "a message is of a call that is not there");
    char why[SCOPE_WHY_BYTES];
    CU_ASSERT_EQUAL(scope_calls_check_times(calls, why), SCOPE_OK);
    calls->duration_ns[3] = SCOPE_TIME_MAX_NS + 1;
    CU_ASSERT_EQUAL(scope_calls_check_times(calls, why), SCOPE_ERR_CORRUPT);
    CU_ASSERT_STRING_EQUAL(why, "a call has an impossible time");
    scope_calls_free(calls);
}

/* The second pair is of an earlier rank, and the first row of none. */
static void pairs_are_put_in_order_with_rows_and_messages(void)
{
    scope_calls *calls = rank_table(1, "outer", "inner", 1);
    scope_message_row messages[4];
    const int64_t start_of_row_1 = calls->start_ns[1], start_of_row_2 = calls->start_ns[2];
    for (int i = 0; i < 4; i++)
        messages[i] = (scope_message_row){.row = (uint64_t)i, .bytes = i, .communicator = -1};
    calls->messages = messages;
    calls->message_count = 4;
    calls->pairs[0].first = calls->pairs[0].count = 1;
    calls->pairs[1].rank = 0;
    CU_ASSERT_EQUAL(scope_calls_order(calls), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->count, 3);
    CU_ASSERT_EQUAL(calls->pairs[0].rank, 0);
    CU_ASSERT_EQUAL(calls->pairs[0].first, 0);
    CU_ASSERT_EQUAL(calls->pairs[1].first, 2);
    CU_ASSERT_EQUAL(calls->start_ns[0], start_of_row_2);
    CU_ASSERT_EQUAL(calls->start_ns[2], start_of_row_1);
    CU_ASSERT_EQUAL(calls->message_count, 3);
    for (uint64_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(calls->messages[i].row, i);
        CU_ASSERT_EQUAL(calls->messages[i].bytes, i < 2 ? (int64_t)i + 2 : 1);
    }
    scope_calls_free(calls);
}

/* What a row begins with, and the bytes between its fields: padding is less than a value's. */
static void every_member_of_a_row_is_described(void)
{
    for (size_t t = 0; t < SCOPE_ROW_TABLES; t++) {
        const scope_row_kind *kind = &scope_row_tables[t].kind;
        char covered[1024] = {0};
        CU_ASSERT(kind->row_bytes <= sizeof covered);
        for (size_t f = 0; f < kind->field_count; f++)
            memset(covered + kind->fields[f].offset, 1,
                   scope_cell_memory_bytes(kind->fields[f].cell));
        for (size_t at = 0; at + 8 <= kind->row_bytes; at += 8) {
            const int padded = !memchr(covered + at, 0, 4) && !memchr(covered + at + 4, 1, 4);
            CU_ASSERT(padded || !memchr(covered + at, 0, 8));
        }
        CU_ASSERT_EQUAL(kind->fields[0].meaning, SCOPE_IS_RANK);
        CU_ASSERT_EQUAL(kind->fields[0].cell, SCOPE_CELL_I32);
    }
}

static void a_row_of_which_nothing_is_known_says_so(void)
{
    scope_thread_row thread;
    scope_sum_row sum;
    memset(&thread, 0x55, sizeof thread);
    memset(&sum, 0x55, sizeof sum);
    scope_row_clear(&scope_row_tables[SCOPE_ROWS_THREADS].kind, &thread);
    scope_row_clear(&scope_row_tables[SCOPE_ROWS_SUMS].kind, &sum);
    CU_ASSERT_EQUAL(thread.rank, 0);
    CU_ASSERT_EQUAL(thread.native_id, -1);
    CU_ASSERT_EQUAL(thread.end_ns, -1);
    CU_ASSERT(is(thread.name, ""));
    CU_ASSERT_EQUAL(sum.exclusive_ns, -1);
    CU_ASSERT_EQUAL(sum.count, 0);
    CU_ASSERT_EQUAL(sum.histogram[63], 0);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("tables", NULL, NULL);
    CU_ADD_TEST(suite, strings_end_with_a_nul_and_stay);
    CU_ADD_TEST(suite, metadata_is_set_and_replaced);
    CU_ADD_TEST(suite, mapping_the_clock_keeps_nesting);
    CU_ADD_TEST(suite, mapping_the_clock_maps_all_times);
    CU_ADD_TEST(suite, ranks_are_merged_in_order_and_names_unified);
    CU_ADD_TEST(suite, the_same_rank_twice_is_refused);
    CU_ADD_TEST(suite, statistics_per_region_rank_and_lane);
    CU_ADD_TEST(suite, one_rank_has_no_imbalance);
    CU_ADD_TEST(suite, folded_sums_are_added);
    CU_ADD_TEST(suite, an_empty_table_has_no_statistics);
    CU_ADD_TEST(suite, labels_fit_into_what_there_is);
    CU_ADD_TEST(suite, selecting_is_as_good_as_sorting);
    CU_ADD_TEST(suite, what_is_no_table_is_refused_and_says_why);
    CU_ADD_TEST(suite, pairs_are_put_in_order_with_rows_and_messages);
    CU_ADD_TEST(suite, every_member_of_a_row_is_described);
    CU_ADD_TEST(suite, a_row_of_which_nothing_is_known_says_so);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
