/* test_export_json.c - call tables as JSON, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "exported.h"

#include "tables.h"

static void check_json(scope_calls *table, const scope_export_options *options)
{
    char message[512] = "";
    scope_calls *read = NULL;
    const char *path = folder_path("a.json");
    CU_ASSERT_EQUAL_FATAL(scope_export(table, SCOPE_EXPORT_JSON, path, options), SCOPE_OK);
    const scope_status status = scope_import_json(path, &read, message);
    if (status != SCOPE_OK)
        printf("\n%s\n", message);
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    const char *difference = table_difference(table, read);
    if (difference)
        printf("\n%s\n", difference);
    CU_ASSERT_PTR_NULL(difference);
    scope_calls_free(read);
    scope_calls_free(table);
    unlink(path);
}

static void json_keeps_everything(void)
{
    const scope_export_options options = plain();
    for (unsigned with = 1; with <= TABLE_GPU; with *= 2)
        check_json(table_make(0, 1, 3, 7, with), &options);
    check_json(table_make(0, 1, 4, 20, TABLE_ALL | TABLE_SOURCE | TABLE_GPU), &options);
    check_json(table_make(3, 5, 4, 20, TABLE_ALL), &options);
    scope_calls *empty = table_make(0, 1, 0, 0, 0);
    empty->call_ids = empty->parent_ids = NULL; /* no region says that it has them */
    check_json(empty, NULL);
}

static void json_is_the_same_indented_and_compressed(void)
{
    scope_export_options options = plain();
    options.indent = 2;
    check_json(table_make(0, 1, 3, 7, TABLE_ALL), &options);
    options.indent = 0;
    options.gzip = 1;
    check_json(table_make(0, 1, 3, 5000, TABLE_ALL), &options);
}

static void json_keeps_sums(void)
{
    for (int per_lane = 0; per_lane < 2; per_lane++) {
        scope_calls *table = table_make(0, 1, 4, 20, TABLE_ALL & ~TABLE_FOLDED), *sums = NULL;
        CU_ASSERT_EQUAL_FATAL(scope_calls_aggregate(table, per_lane, &sums), SCOPE_OK);
        scope_calls_free(table);
        for (size_t i = 0; i < sums->pair_count; i++) /* how calls spread is not in sums */
            sums->pairs[i].statistics.m2 = sums->pairs[i].statistics.first =
                sums->pairs[i].statistics.last = 0;
        const scope_export_options options = plain();
        check_json(sums, &options);
    }
}

static void json_of_several_ranks_keeps_them_apart(void)
{
    scope_calls *parts[3], *whole = NULL;
    for (int r = 0; r < 3; r++)
        parts[r] = table_make(r, 3, 3, 5, TABLE_ALL);
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(parts, 3, &whole), SCOPE_OK);
    for (int r = 0; r < 3; r++)
        scope_calls_free(parts[r]);
    const scope_export_options options = plain();
    check_json(whole, &options);
}

/* Rows are others where the ranks before are left out. */
static void json_of_some_ranks_has_their_messages(void)
{
    static const int32_t ranks[] = {2, 1};
    scope_calls *parts[3], *whole = NULL, *read = NULL;
    char message[512];
    for (int r = 0; r < 3; r++)
        parts[r] = table_make(r, 3, 3, 5, TABLE_ALL);
    CU_ASSERT_EQUAL_FATAL(scope_calls_merge(parts, 3, &whole), SCOPE_OK);
    for (int r = 0; r < 3; r++)
        scope_calls_free(parts[r]);
    scope_export_options options = plain();
    options.ranks = ranks;
    options.rank_count = 2;
    const char *path = folder_path("some.json");
    CU_ASSERT_EQUAL_FATAL(scope_export(whole, SCOPE_EXPORT_JSON, path, &options), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_import_json(path, &read, message), SCOPE_OK);
    size_t seen = 0;
    for (size_t i = 0; i < whole->message_count; i++) {
        const scope_message_row *row = &whole->messages[i], *now = &read->messages[seen];
        if (row->rank == 0)
            continue;
        CU_ASSERT_FATAL(seen++ < read->message_count);
        CU_ASSERT_EQUAL(now->rank, row->rank);
        CU_ASSERT_EQUAL(now->bytes, row->bytes);
        CU_ASSERT_EQUAL(read->start_ns[now->row], whole->start_ns[row->row]);
    }
    CU_ASSERT(seen > 0);
    CU_ASSERT_EQUAL(seen, read->message_count);
    scope_calls_free(whole);
    scope_calls_free(read);
    unlink(path);
}

static void names_of_any_bytes_are_valid_json(void)
{
    scope_export_options options = plain();
    for (int control = 1; control < 0x20; control++) {
        scope_calls *table = table_make(0, 1, 1, 1, 0);
        const char name[3] = {'"', (char)control, '\\'};
        table_rename(table, 0, name, 3);
        check_json(table, &options);
    }
    scope_calls *table = table_make(0, 1, 3, 1, 0);
    static char longest[200000];
    memset(longest, 'x', sizeof longest);
    table_rename(table, 0, "nul\0inside", 10);
    table_rename(table, 1, longest, sizeof longest);
    table_rename(table, 2, "\xf0\x9f\x94\xa5 \xc3\xa4", 7);
    check_json(table, &options);
    table = table_make(0, 1, 1, 1, 0);
    table_rename(table, 0, "bad\xff", 4); /* not UTF-8: shown as in the files */
    const text text = exported(table, SCOPE_EXPORT_JSON, &options);
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"bad\\\\xff\""));
    free(text.bytes);
    scope_calls_free(table);
}

static void metadata_of_calls_that_is_not_json_is_left_out(void)
{
    const char *texts[] = {"[{\"a\": 1}]", "[{\"a\": NaN}]", "[{\"a\": 1}", "not json",
                           "{}",           "[\"\xff\"]"};
    const char *expected[] = {"[{\"a\": 1}]", "[{\"a\": null}]", NULL, NULL, NULL, NULL};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scope_calls *table = table_make(0, 1, 1, 1, 0);
        table->event_metadata = scope_calls_alloc(table, 1, sizeof(scope_string));
        table->event_metadata[0] = (scope_string){texts[i], strlen(texts[i])};
        const text text = exported(table, SCOPE_EXPORT_JSON, NULL);
        const char *found = strstr(text.bytes, "\"event_metadata\": ");
        CU_ASSERT_EQUAL(!found, !expected[i]);
        if (found && expected[i])
            CU_ASSERT_EQUAL(strncmp(found + 18, expected[i], strlen(expected[i])), 0);
        free(text.bytes);
        scope_calls_free(table);
    }
}

static scope_status import_text(const char *json, size_t length, char message[512])
{
    scope_calls *calls = NULL;
    const char *path = folder_path("in.json");
    FILE *file = fopen(path, "wb");
    fwrite(json, 1, length, file);
    fclose(file);
    const scope_status status = scope_import_json(path, &calls, message);
    scope_calls_free(status == SCOPE_OK ? calls : NULL);
    unlink(path);
    return status;
}

#define HEAD "{\"format\": \"scope-profiler-profile\", \"format_version\": 1, "

static void bad_json_is_refused_with_a_sentence(void)
{
    static const struct {
        const char *json, *words;
        scope_status status;
    } cases[] = {
        {"", "an object, not the end of the file", SCOPE_ERR_CORRUPT},
        {"{", "a string, not the end", SCOPE_ERR_CORRUPT},
        {"[1]", "not a scope-profiler JSON profile", SCOPE_ERR_CORRUPT},
        {"{\"a\": 1}", "not a scope-profiler JSON profile", SCOPE_ERR_CORRUPT},
        {"{\"format\": \"other\"}", "not a scope-profiler JSON profile", SCOPE_ERR_CORRUPT},
        {"{\"format\": \"scope-profiler-profile\", \"format_version\": 2}", "upgrade",
         SCOPE_ERR_VERSION},
        {HEAD "\"regions\": 5}", "an array", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{}]}", "no name", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"rank\": -1}]}", "not a rank", SCOPE_ERR_CORRUPT},
        {HEAD
         "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [1, 2], \"end_times_ns\": [3]}]}",
         "2 start times and 1 end times", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [1.5], \"end_times_ns\": [3]}]}",
         "an integer", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [99999999999999999999], "
              "\"end_times_ns\": [3]}]}",
         "too large", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [-9223372036854775808], "
              "\"end_times_ns\": [3]}]}",
         "impossible", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [01], \"end_times_ns\": [3]}]}",
         "0", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}", "twice", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [1], \"end_times_ns\": [3], "
              "\"call_ids\": []}]}",
         "0 values of call_ids", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [1], \"end_times_ns\": [3], "
              "\"mpi_peers\": [4294967301]}]}",
         "4294967301 is out of range", SCOPE_ERR_CORRUPT},
        {HEAD "\"regions\": [{\"name\": \"a\", \"start_times_ns\": [1], \"end_times_ns\": [3], "
              "\"flags\": [257]}]}",
         "257 is out of range", SCOPE_ERR_CORRUPT},
        {HEAD "\"scope\": {\"ranks\": [{\"rank\": 0, \"end_kind\": -2147483649}]}}", "out of range",
         SCOPE_ERR_CORRUPT},
        {HEAD "\"scope\": {\"folded\": [{\"rank\": 0, \"histogram\": [1, -1]}]}}", "out of range",
         SCOPE_ERR_CORRUPT},
        {HEAD "\"threads\": {\"x\": []}}", "not a rank", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": [1,]}", "a value", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": tru}", "true", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": \"\x01\"}", "control character", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": \"\xff\"}", "UTF-8", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": \"\\q\"}", "escape", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": \"\\u12g4\"}", "hexadecimal", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": 1.}", "a digit", SCOPE_ERR_CORRUPT},
        {HEAD "\"x\": 1} 2", "the end", SCOPE_ERR_CORRUPT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[512] = "";
        const scope_status status = import_text(cases[i].json, strlen(cases[i].json), message);
        if (status != cases[i].status || !strstr(message, cases[i].words))
            printf("\n%s\n  -> %d %s\n", cases[i].json, (int)status, message);
        CU_ASSERT_EQUAL(status, cases[i].status);
        CU_ASSERT_PTR_NOT_NULL(strstr(message, cases[i].words));
        CU_ASSERT_PTR_NOT_NULL(strstr(message, "in.json: "));
    }
    char message[512];
    scope_calls *calls;
    CU_ASSERT_EQUAL(scope_import_json(folder_path("none.json"), &calls, message),
                    SCOPE_ERR_MISSING);
    CU_ASSERT_EQUAL(scope_import_json(folder_path("."), &calls, message), SCOPE_ERR_IO);
}

static void json_nested_too_deeply_is_refused(void)
{
    static char deep[100000];
    char message[512];
    const int head = snprintf(deep, sizeof deep, HEAD "\"x\": ");
    memset(deep + head, '[', sizeof deep - (size_t)head);
    CU_ASSERT_EQUAL(import_text(deep, sizeof deep, message), SCOPE_ERR_CORRUPT);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "too deeply"));
}

static void what_other_writers_put_into_json_is_read(void)
{
    char message[512] = "";
    static const char json[] =
        HEAD "\"num_ranks\": 7, \"metadata\": {\"n\": null, \"f\": 1.5, \"t\": true, \"i\": -5, "
             "\"nan\": NaN, \"least\": -9223372036854775808, \"large\": 9999999999999999999,"
             " \"l\": [\"a\", 2], \"e\": []}, \"unknown\": [{\"x\": [NaN, -Infinity, 1e5, "
             "\"\\ud83d\\ude00\"]}],"
             " \"regions\": [{\"name\": \"\\udcff\\u00e9\\ud800x\", \"rank\": 2, \"source_file\": "
             "null, \"tags\": null,"
             " \"start_times_ns\": [ 1 , 5 ], \"end_times_ns\": [3,\n6], \"call_ids\": null},"
             " {\"name\": \"b\", \"rank\": 1, \"start_times_ns\": [], \"end_times_ns\": []}], "
             "\"tasks\": null}\n";
    scope_calls *calls = NULL;
    FILE *file = fopen(folder_path("o.json"), "wb");
    fputs(json, file);
    fclose(file);
    const scope_status status = scope_import_json(folder_path("o.json"), &calls, message);
    if (status != SCOPE_OK)
        printf("\n%s\n", message);
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    CU_ASSERT_EQUAL(calls->rank_count, 7);
    CU_ASSERT_EQUAL_FATAL(calls->pair_count, 2);
    CU_ASSERT_EQUAL(calls->pairs[0].rank, 1); /* ranks ascend in a table */
    const scope_string name = calls->regions[calls->pairs[1].region].name;
    CU_ASSERT_EQUAL(name.length_bytes, 7);
    CU_ASSERT_EQUAL(memcmp(name.bytes, "\xff\xc3\xa9\xef\xbf\xbdx", 7), 0);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 2);
    CU_ASSERT_PTR_NULL(calls->call_ids);
    CU_ASSERT_EQUAL(scope_calls_metadata(calls, "i")->integer, -5);
    CU_ASSERT_EQUAL(scope_calls_metadata(calls, "least")->integer, INT64_MIN);
    CU_ASSERT_STRING_EQUAL(scope_calls_metadata(calls, "large")->text.bytes, "9999999999999999999");
    CU_ASSERT_STRING_EQUAL(scope_calls_metadata(calls, "f")->text.bytes, "1.5");
    CU_ASSERT_EQUAL(scope_calls_metadata(calls, "l")->kind, SCOPE_VALUE_TEXTS);
    CU_ASSERT_EQUAL(scope_calls_metadata(calls, "l")->text.length_bytes, 4);
    CU_ASSERT_EQUAL(scope_calls_metadata(calls, "e")->kind, SCOPE_VALUE_TEXTS);
    scope_calls_free(calls);
    unlink(folder_path("o.json"));
}

/* Any byte of a good document changed, and any end of it cut off: read or refused. */
static void damaged_json_never_crashes(void)
{
    scope_calls *table = table_make(0, 1, 3, 4, TABLE_ALL);
    scope_export_options options = plain();
    for (int gzip = 0; gzip < 2; gzip++) {
        options.gzip = gzip;
        const text good = exported(table, SCOPE_EXPORT_JSON, &options);
        unsigned seed = 1;
        char message[512];
        for (size_t length = 0; length < good.length; length += 1 + good.length / 300)
            CU_ASSERT_NOT_EQUAL(import_text(good.bytes, length, message), SCOPE_OK);
        for (int i = 0; i < 3000; i++) {
            char *bad = malloc(good.length);
            memcpy(bad, good.bytes, good.length);
            for (int k = 0; k <= i % 4; k++) {
                seed = seed * 1103515245u + 12345u;
                bad[(seed >> 8) % good.length] = "{}[]\",:0-9xe\\ \xff"[(seed >> 3) % 15];
            }
            const scope_status status = import_text(bad, good.length, message);
            CU_ASSERT(status == SCOPE_OK || message[0]);
            free(bad);
        }
        free(good.bytes);
    }
    scope_calls_free(table);
}

static void json_keeps_a_line_without_its_file(void)
{
    scope_calls *table = table_make(0, 1, 3, 7, TABLE_ALL);
    table->pairs[1].source_file = (scope_string){"", 0};
    table->pairs[1].source_line = 42;
    check_json(table, NULL);
}

static void ranks_without_rows_are_not_walked_over(void)
{
    scope_calls *table = table_make(2, 3, 2, 3, TABLE_THREADS);
    table->rank_count = 1 << 24;
    const text text = exported(table, SCOPE_EXPORT_CHROME, NULL);
    CU_ASSERT_EQUAL(count_of(text.bytes, "process_name"), 1);
    free(text.bytes);
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_PROF, folder_path("p"), NULL),
                    SCOPE_ERR_ARGUMENT);
    check_json(table, NULL);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(json_keeps_everything),
        UNIT(json_is_the_same_indented_and_compressed),
        UNIT(json_keeps_sums),
        UNIT(json_of_several_ranks_keeps_them_apart),
        UNIT(json_of_some_ranks_has_their_messages),
        UNIT(names_of_any_bytes_are_valid_json),
        UNIT(metadata_of_calls_that_is_not_json_is_left_out),
        UNIT(bad_json_is_refused_with_a_sentence),
        UNIT(json_nested_too_deeply_is_refused),
        UNIT(what_other_writers_put_into_json_is_read),
        UNIT(damaged_json_never_crashes),
        UNIT(json_keeps_a_line_without_its_file),
        UNIT(ranks_without_rows_are_not_walked_over),
        {0},
    };
    return unit_run_in("export json", tests, folder_make, folder_remove);
}
