/* test_file.c - what is written is what is read.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>

#include <CUnit/Basic.h>

#include "folder.h"
#include "tables.h"

static const scope_file_options quick = {.compression = "none", .no_sync = 1};

/* Write, read, compare; frees the table. */
static void check_round_trip(scope_calls *table, const scope_file_options *options)
{
    const char *path = folder_path("a.h5");
    scope_file *file = NULL;
    scope_status status = scope_file_write(path, table, options);
    if (status != SCOPE_OK)
        printf("\n%s\n", scope_file_message());
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    status = scope_file_open(path, &file);
    if (status != SCOPE_OK)
        printf("\n%s\n", scope_file_message());
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    const char *difference = table_difference(table, scope_file_calls(file));
    if (difference)
        printf("\n%s\n", difference);
    CU_ASSERT_PTR_NULL(difference);
    CU_ASSERT_EQUAL(folder_count(), 1);
    scope_file_close(file);
    scope_calls_free(table);
    unlink(path);
}

static void a_table_with_everything_comes_back(void)
{
    check_round_trip(table_make(0, 1, 5, 20, TABLE_ALL), &quick);
}

static void every_optional_part_comes_back_alone(void)
{
    for (unsigned with = 1; with <= TABLE_LONG_TEXT; with *= 2)
        check_round_trip(table_make(0, 1, 3, 7, with), &quick);
    check_round_trip(table_make(0, 1, 3, 7, 0), &quick);
}

static void empty_tables_come_back(void)
{
    check_round_trip(table_make(0, 1, 0, 0, 0), &quick);
    check_round_trip(table_make(0, 1, 0, 0, TABLE_ALL), &quick);
    check_round_trip(table_make(0, 1, 2, 0, TABLE_THREADS), &quick);
}

static void a_rank_of_a_larger_job_keeps_its_number(void)
{
    check_round_trip(table_make(3, 4, 2, 5, TABLE_ALL), &quick);
}

static void compressed_columns_come_back(void)
{
    const scope_file_options gzip = {.compression = "gzip", .compression_level = 6, .no_sync = 1},
                             automatic = {.compression = "auto", .no_sync = 1};
    check_round_trip(table_make(0, 1, 3, 11, TABLE_ALL), &gzip);
    check_round_trip(table_make(0, 1, 2, 65536, TABLE_ALL), &gzip);
    check_round_trip(table_make(0, 1, 3, 50000, TABLE_THREADS), &automatic);
    check_round_trip(table_make(0, 1, 0, 0, 0), &gzip);
}

static void more_than_a_slab_of_calls_comes_back(void)
{
    check_round_trip(table_make(0, 1, 2, 700000, TABLE_THREADS | TABLE_OPEN), &quick);
}

static void names_of_any_bytes_come_back(void)
{
    static char longest[10000];
    scope_calls *table = table_make(0, 1, 8, 2, TABLE_MISUSE);
    memset(longest, 'x', sizeof longest);
    table_rename(table, 0, "a/b/c", 5);
    table_rename(table, 1, "two\nlines", 9);
    table_rename(table, 2, "\xe6\x97\xa5\xe6\x9c\xac", 6);
    table_rename(table, 3, "bad\xff", 4);
    table_rename(table, 4, "bad\\xff", 7);
    table_rename(table, 5, "nul\0inside", 10);
    table_rename(table, 6, longest, sizeof longest);
    table_rename(table, 7, "", 0);
    check_round_trip(table, &quick);
}

static void many_regions_come_back(void)
{
    check_round_trip(table_make(0, 1, 100000, 1, 0), &quick);
}

static void text_that_is_not_utf8_is_escaped(void)
{
    scope_calls *table = table_make(0, 1, 1, 1, TABLE_THREADS);
    scope_file *file = NULL;
    table->threads[1].name = scope_calls_string(table, "w\xff\0z", 4);
    CU_ASSERT_EQUAL_FATAL(scope_file_write(folder_path("t.h5"), table, &quick), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_file_open(folder_path("t.h5"), &file), SCOPE_OK);
    CU_ASSERT_STRING_EQUAL(scope_file_calls(file)->threads[1].name.bytes, "w\\xff\\x00z");
    scope_file_close(file);
    scope_calls_free(table);
    unlink(folder_path("t.h5"));
}

static void pairs_in_any_order_and_with_gaps_are_put_in_order(void)
{
    scope_calls *table = table_make(0, 1, 3, 4, TABLE_THREADS);
    scope_file *file = NULL;
    const scope_pair first = table->pairs[0];
    table->pairs[0] = table->pairs[2]; /* region 2, 0; a gap where region 1 was */
    table->pairs[1] = first;
    table->pair_count = 2;
    CU_ASSERT_EQUAL_FATAL(scope_file_write(folder_path("g.h5"), table, &quick), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_file_open(folder_path("g.h5"), &file), SCOPE_OK);
    const scope_calls *read = scope_file_calls(file);
    CU_ASSERT_EQUAL(read->count, 8);
    CU_ASSERT_EQUAL(read->pair_count, 2);
    for (uint64_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(read->start_ns[i], table->start_ns[8 + i]);
        CU_ASSERT_EQUAL(read->start_ns[4 + i], table->start_ns[i]);
        CU_ASSERT_EQUAL(read->call_ids[i], table->call_ids[8 + i]);
    }
    scope_file_close(file);
    scope_calls_free(table);
    unlink(folder_path("g.h5"));
}

static void regions_without_a_row_keep_their_names(void)
{
    scope_calls *table = table_make(0, 1, 4, 3, TABLE_MISUSE | TABLE_FOLDED);
    table->pair_count = 2; /* regions 2 and 3 have no row any more */
    table->count = 6;
    table->misuse[0].region = 3;
    table->sums[0].region = 2;
    check_round_trip(table, &quick);
}

static void a_table_that_contradicts_itself_is_refused(void)
{
    scope_calls *table = table_make(0, 1, 2, 3, 0);
    table->pairs[1].count = 4;
    CU_ASSERT_EQUAL(scope_file_write(folder_path("x.h5"), table, &quick), SCOPE_ERR_ARGUMENT);
    table->pairs[1].count = 3;
    table->pairs[1].region = 2;
    CU_ASSERT_EQUAL(scope_file_write(folder_path("x.h5"), table, &quick), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(folder_count(), 0);
    scope_calls_free(table);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("file", folder_make, folder_remove);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(a_table_with_everything_comes_back);
    TEST(every_optional_part_comes_back_alone);
    TEST(empty_tables_come_back);
    TEST(a_rank_of_a_larger_job_keeps_its_number);
    TEST(compressed_columns_come_back);
    TEST(more_than_a_slab_of_calls_comes_back);
    TEST(names_of_any_bytes_come_back);
    TEST(many_regions_come_back);
    TEST(text_that_is_not_utf8_is_escaped);
    TEST(pairs_in_any_order_and_with_gaps_are_put_in_order);
    TEST(regions_without_a_row_keep_their_names);
    TEST(a_table_that_contradicts_itself_is_refused);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
