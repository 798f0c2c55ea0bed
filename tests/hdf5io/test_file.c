/* test_file.c - what is written is what is read.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "folder.h"
#include "layout.h"
#include "lzf.h"
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
    const scope_file_options lzf = {.compression = "lzf", .no_sync = 1};
    check_round_trip(table_make(0, 1, 3, 11, TABLE_ALL), &lzf);
    check_round_trip(table_make(0, 1, 3, 50000, TABLE_ALL), &lzf);
}

static void lzf_brings_back_any_bytes(void)
{
    enum { MOST = 5000 };
    static uint8_t bytes[MOST], packed[MOST * 2], back[MOST];
    unsigned seed = 1;
    int is_short;
    for (int kind = 0; kind < 400; kind++) {
        const size_t length = kind < 40 ? (size_t)kind : (size_t)(kind * 131 % MOST);
        for (size_t i = 0; i < length; i++) {
            seed = seed * 1103515245u + 12345u;
            bytes[i] = (uint8_t)(seed >> 16) >> kind % 9; /* from noise to zeros */
        }
        const size_t got = scope_lzf_pack(bytes, length, packed, sizeof packed);
        CU_ASSERT(got > 0 || length == 0);
        CU_ASSERT_EQUAL(scope_lzf_unpack(packed, got, back, length, &is_short), length);
        CU_ASSERT_EQUAL(memcmp(bytes, back, length), 0);
        if (length > 1) {
            CU_ASSERT_EQUAL(scope_lzf_unpack(packed, got, back, length - 1, &is_short), 0);
            CU_ASSERT(is_short);
        }
        for (size_t i = 0; i < got; i += 1 + got / 50) { /* damaged: anything but beyond the room */
            packed[i] ^= 0x55;
            scope_lzf_unpack(packed, got, back, length, &is_short);
            packed[i] ^= 0x55;
        }
        for (size_t room = 0; room < got; room += 1 + got / 20)
            CU_ASSERT_EQUAL(scope_lzf_pack(bytes, length, packed, room), 0);
    }
}

static void columns_in_chunks_come_back(void)
{
    const int64_t sizes[] = {1, 7, 64, 1000, INT64_C(1) << 40};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scope_file_options chunked = {.no_sync = 1, .chunk_size = sizes[i]};
        check_round_trip(table_make(0, 1, 3, 21, TABLE_ALL), &chunked);
        chunked.compression = "gzip";
        check_round_trip(table_make(0, 1, 3, 21, TABLE_ALL), &chunked);
        check_round_trip(table_make(0, 1, 0, 0, TABLE_ALL), &chunked);
    }
}

static void an_unknown_compression_is_refused_with_a_reason(void)
{
    scope_calls *table = table_make(0, 1, 1, 1, 0);
    const char *path = folder_path("u.h5");
    scope_file_options options = {.compression = "bzip", .no_sync = 1};
    CU_ASSERT_EQUAL(scope_file_write(path, table, &options), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "bzip"));
    CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "gzip"));
    options.compression = "zstd"; /* where this HDF5 has it, it is used */
    if (scope_file_write(path, table, &options) != SCOPE_OK) {
        CU_ASSERT_EQUAL(scope_file_write(path, table, &options), SCOPE_ERR_ARGUMENT);
        CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "zstd"));
        CU_ASSERT_PTR_NOT_NULL(strstr(scope_file_message(), "gzip"));
        CU_ASSERT_EQUAL(folder_count(), 0);
    }
    unlink(path);
    scope_calls_free(table);
}

static void gpu_times_and_source_texts_come_back(void)
{
    scope_calls *table = table_make(0, 1, 2, 3, TABLE_THREADS | TABLE_SOURCE | TABLE_GPU);
    scope_file *file = NULL;
    CU_ASSERT_EQUAL_FATAL(scope_file_write(folder_path("s.h5"), table, &quick), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_file_open(folder_path("s.h5"), &file), SCOPE_OK);
    const scope_calls *read = scope_file_calls(file);
    CU_ASSERT_PTR_NOT_NULL_FATAL(read->gpu_ns);
    CU_ASSERT_EQUAL(memcmp(read->gpu_ns, table->gpu_ns, table->count * sizeof(int64_t)), 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(read->source_texts);
    CU_ASSERT_STRING_EQUAL(read->source_texts[1].bytes, table->source_texts[1].bytes);
    CU_ASSERT_EQUAL(read->source_texts[0].length_bytes, 0);
    scope_file_close(file);
    scope_calls_free(table);
    unlink(folder_path("s.h5"));
}

static scope_calls *sums_of(scope_calls *table, int per_lane)
{
    scope_calls *sums = NULL;
    CU_ASSERT_EQUAL_FATAL(scope_calls_aggregate(table, per_lane, &sums), SCOPE_OK);
    scope_calls_free(table);
    return sums;
}

static void sums_without_calls_come_back(void)
{
    const scope_file_options gzip = {.compression = "gzip", .no_sync = 1, .chunk_size = 100};
    for (int per_lane = 0; per_lane < 2; per_lane++) {
        check_round_trip(sums_of(table_make(0, 1, 5, 20, TABLE_ALL), per_lane), &quick);
        check_round_trip(sums_of(table_make(2, 4, 3, 7, TABLE_THREADS), per_lane), &gzip);
        check_round_trip(sums_of(table_make(0, 1, 0, 0, 0), per_lane), &quick);
    }
}

static void metadata_of_any_key_and_kind_comes_back(void)
{
    scope_calls *table = table_make(0, 1, 1, 1, 0);
    scope_calls_set_text(table, "a key/with \xc3\xa4", "value\nof two lines", -1);
    scope_calls_set_integer(table, "an integer", INT64_MIN);
    scope_calls_set_text(table, "empty", "", -1);
    scope_calls_set_text(table, "modules", "gcc/12\0\0openmpi\0", 16);
    scope_calls_set_text(table, "no modules", "", 0);
    for (size_t i = 0; i < table->metadata_count; i++)
        if (strstr(table->metadata[i].key.bytes, "modules"))
            table->metadata[i].kind = SCOPE_VALUE_TEXTS;
    check_round_trip(table, &quick);
}

static void a_host_that_says_when_it_began_is_believed(void)
{
    scope_calls *table = table_make(0, 1, 1, 3, TABLE_THREADS);
    table->start_ns[0] = 5; /* a call from long before, reported by hand */
    table->duration_ns[0] = 2;
    scope_calls_nest(table, 0, NULL);
    scope_calls_set_integer(table, "start_time_ns", table->start_time_ns);
    check_round_trip(table, &quick);
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

static int has_dataset(size_t table, size_t offset)
{
    for (size_t i = 0; i < scope_column_count; i++)
        if (scope_tables[scope_columns[i].table].rows_offset ==
                scope_row_tables[table].rows_offset &&
            scope_columns[i].table != SCOPE_TABLE_EVENTS && scope_columns[i].offset == offset)
            return 1;
    return 0;
}

static void every_member_of_a_row_has_its_dataset(void)
{
    for (size_t c = 0; c < SCOPE_CALL_COLUMNS; c++) {
        size_t i = 0;
        while (i < scope_column_count && (scope_columns[i].table != SCOPE_TABLE_EVENTS ||
                                          scope_columns[i].offset != scope_call_columns[c].offset))
            i++;
        CU_ASSERT_NOT_EQUAL(i, scope_column_count);
    }
    for (size_t t = 0; t < SCOPE_ROW_TABLES; t++)
        for (size_t f = 0; f < scope_row_tables[t].kind.field_count; f++) {
            const scope_field *field = &scope_row_tables[t].kind.fields[f];
            const int is_none = t == SCOPE_ROWS_MARKS && strcmp(field->name, "value") == 0;
            if (has_dataset(t, field->offset) == is_none)
                fprintf(stderr, "%s: %s\n", scope_row_tables[t].name, field->name);
            CU_ASSERT_EQUAL(has_dataset(t, field->offset), !is_none);
        }
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
    TEST(lzf_brings_back_any_bytes);
    TEST(columns_in_chunks_come_back);
    TEST(an_unknown_compression_is_refused_with_a_reason);
    TEST(gpu_times_and_source_texts_come_back);
    TEST(sums_without_calls_come_back);
    TEST(metadata_of_any_key_and_kind_comes_back);
    TEST(a_host_that_says_when_it_began_is_believed);
    TEST(more_than_a_slab_of_calls_comes_back);
    TEST(names_of_any_bytes_come_back);
    TEST(many_regions_come_back);
    TEST(text_that_is_not_utf8_is_escaped);
    TEST(pairs_in_any_order_and_with_gaps_are_put_in_order);
    TEST(regions_without_a_row_keep_their_names);
    TEST(a_table_that_contradicts_itself_is_refused);
    TEST(every_member_of_a_row_has_its_dataset);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
