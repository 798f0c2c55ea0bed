/* test_export.c - call tables as JSON and back, in the viewers' formats, and native traces.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/draft.h>
#include <scope/export.h>

#include <CUnit/Basic.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "folder.h"
#include "tables.h"

static scope_export_options plain(void)
{
    return (scope_export_options){
        .size_bytes = sizeof(scope_export_options), .indent = -1, .call_paths = 1};
}

typedef struct text {
    char *bytes;
    size_t length;
} text;

static text content(const char *path)
{
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, 0, SEEK_END);
    text text = {NULL, (size_t)ftell(file)};
    rewind(file);
    text.bytes = calloc(1, text.length + 1);
    CU_ASSERT_EQUAL(fread(text.bytes, 1, text.length, file), text.length);
    fclose(file);
    return text;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static text exported(const scope_calls *calls, scope_export_format format,
                     const scope_export_options *options)
{
    const char *path = folder_path("out");
    CU_ASSERT_EQUAL_FATAL(scope_export(calls, format, path, options), SCOPE_OK);
    CU_ASSERT_EQUAL(folder_count(), 1);
    const text text = content(path);
    unlink(path);
    return text;
}

/* ---- json ---- */

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

/* ---- viewers ---- */

static void speedscope_is_balanced_and_never_goes_back(void)
{
    scope_calls *table = table_make(0, 1, 5, 40, TABLE_THREADS);
    for (uint64_t i = 0; i < table->count; i++)
        table->thread_ids[i] = (int64_t)i % 3;
    const text text = exported(table, SCOPE_EXPORT_SPEEDSCOPE, NULL);
    CU_ASSERT_EQUAL(count_of(text.bytes, "\"type\": \"O\""), 200);
    CU_ASSERT_EQUAL(count_of(text.bytes, "\"type\": \"C\""), 200);
    CU_ASSERT_EQUAL(count_of(text.bytes, "\"type\": \"evented\""), 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"name\": \"rank 0 - MainThread\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text.bytes, "\"name\": \"rank 0 - worker-1\""));
    double last = 0;
    for (const char *at = text.bytes; (at = strstr(at, "\"at\": ")); at += 6) {
        const char *profile = strstr(at, "\"evented\""), *next = strstr(at + 6, "\"at\": ");
        const double time = strtod(at + 6, NULL);
        CU_ASSERT(time >= last);
        last = profile && next && profile < next ? 0 : time;
    }
    free(text.bytes);
    scope_calls_free(table);
}

/* A recovered run does not know all of a thread. */
static void chrome_leaves_out_what_is_not_known(void)
{
    scope_calls *table = table_make(0, 1, 1, 1, TABLE_THREADS);
    table->thread_ids[0] = 0;
    table->threads[0].native_id = table->threads[0].ident = table->threads[0].cpu_ns = 0;
    text chrome = exported(table, SCOPE_EXPORT_CHROME, NULL);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(chrome.bytes, "\"native_id\":0,\"ident\":0,\"cpu_time_s\":0.0}}"));
    free(chrome.bytes);
    table->threads[0].native_id = table->threads[0].ident = table->threads[0].cpu_ns = -1;
    chrome = exported(table, SCOPE_EXPORT_CHROME, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(chrome.bytes, "\"thread_index\":0}}"));
    free(chrome.bytes);
    scope_calls_free(table);
}

static void seconds_in_texts_are_exact(void)
{
    scope_calls *table = table_make(0, 1, 2, 1, 0);
    table->start_ns[0] = 1;
    table->duration_ns[0] = INT64_C(9007199254740993); /* no double holds it */
    table->start_ns[1] = 101;
    table->duration_ns[1] = 1000000000;
    table->start_time_ns = 1;
    const text speedscope = exported(table, SCOPE_EXPORT_SPEEDSCOPE, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(speedscope.bytes, "\"at\": 0.0}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(speedscope.bytes, "\"at\": 0.0000001}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(speedscope.bytes, "\"at\": 1.0000001}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(speedscope.bytes, "\"at\": 9007199.254740993}"));
    free(speedscope.bytes);
    const text chrome = exported(table, SCOPE_EXPORT_CHROME, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(chrome.bytes, "\"ts\":0.1,\"dur\":1000000.0,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(chrome.bytes, "\"dur\":9007199254740.993,"));
    free(chrome.bytes);
    scope_calls_free(table);
}

static scope_calls *overlapping(void)
{
    scope_calls *table = table_make(0, 1, 2, 1, 0);
    table->start_ns[1] = table->start_ns[0] + 1;
    table->duration_ns[1] = table->duration_ns[0] + 5;
    table->call_ids = table->parent_ids = NULL;
    return table;
}

static void calls_that_overlap_are_no_stack_but_have_times(void)
{
    scope_calls *table = overlapping();
    const char *path = folder_path("old");
    FILE *file = fopen(path, "wb");
    fputs("old", file);
    fclose(file);
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_SPEEDSCOPE, path, NULL), SCOPE_ERR_NESTING);
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_PROF, path, NULL), SCOPE_ERR_NESTING);
    const text kept = content(path);
    CU_ASSERT_STRING_EQUAL(kept.bytes, "old");
    CU_ASSERT_EQUAL(folder_count(), 1); /* nothing half written */
    free(kept.bytes);
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_CHROME, path, NULL), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_JSON, path, NULL), SCOPE_OK);
    scope_calls_free(table);
    unlink(path);
}

static scope_status export_to(const char *path)
{
    scope_calls *table = table_make(0, 1, 2, 5, 0);
    const scope_status status = scope_export(table, SCOPE_EXPORT_JSON, path, NULL);
    scope_calls_free(table);
    return status;
}

static void an_export_goes_where_ones_own_link_leads(void)
{
    struct stat status;
    CU_ASSERT_EQUAL(symlink("real.json", folder_path("link.json")), 0);
    CU_ASSERT_EQUAL(export_to(folder_path("link.json")), SCOPE_OK);
    CU_ASSERT(lstat(folder_path("link.json"), &status) == 0 && S_ISLNK(status.st_mode));
    CU_ASSERT(lstat(folder_path("real.json"), &status) == 0 && S_ISREG(status.st_mode));
    unlink(folder_path("link.json"));
    CU_ASSERT_EQUAL(symlink("real.json", folder_path("link.json")), 0);
    const bool planted = lchown(folder_path("link.json"), 65534, 65534) == 0;
    if (planted) {
        CU_ASSERT_EQUAL(truncate(folder_path("real.json"), 0), 0);
        CU_ASSERT_EQUAL(export_to(folder_path("link.json")), SCOPE_OK);
        CU_ASSERT(lstat(folder_path("link.json"), &status) == 0 && S_ISREG(status.st_mode));
        CU_ASSERT(stat(folder_path("real.json"), &status) == 0 && status.st_size == 0);
    }
    unlink(folder_path("link.json"));
    unlink(folder_path("real.json"));
    CU_ASSERT_EQUAL(folder_count(), 0);
}

static void an_export_takes_away_what_a_killed_one_left(void)
{
    const struct timespec past[2] = {{1000, 0}, {1000, 0}};
    const char *path = folder_path("d.json");
    scope_draft draft;
    CU_ASSERT_EQUAL(scope_draft_open(path, &draft), 0);
    CU_ASSERT_EQUAL(utimensat(AT_FDCWD, draft.temporary, past, 0), 0);
    CU_ASSERT_EQUAL(export_to(path), SCOPE_OK);
    CU_ASSERT_EQUAL(folder_count(), 2); /* it lives */
    close(draft.fd);
    draft.fd = -1;
    CU_ASSERT_EQUAL(export_to(path), SCOPE_OK);
    CU_ASSERT_EQUAL(folder_count(), 1);
    scope_draft_discard(&draft);
    unlink(path);
}

static void only_ranks_that_there_are_can_be_exported(void)
{
    const int32_t ranks[] = {2, 0}, wrong[] = {3}, negative[] = {-1};
    scope_calls *table = table_make(2, 3, 2, 3, TABLE_THREADS);
    scope_export_options options = plain();
    options.ranks = ranks;
    options.rank_count = 2;
    const text text = exported(table, SCOPE_EXPORT_CHROME, &options);
    CU_ASSERT_EQUAL(count_of(text.bytes, "process_name"), 2);
    free(text.bytes);
    const char *path = folder_path("x");
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_PROF, path, &options), SCOPE_ERR_ARGUMENT);
    options.rank_count = 1;
    options.ranks = wrong;
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_JSON, path, &options), SCOPE_ERR_ARGUMENT);
    options.ranks = negative;
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_JSON, path, &options), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(folder_count(), 0);
    CU_ASSERT_EQUAL(scope_export(table, SCOPE_EXPORT_JSON, folder_path("no/x"), NULL),
                    SCOPE_ERR_MISSING);
    scope_calls_free(table);
}

/* What a damaged file claims costs nothing. */
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

static void json_keeps_a_line_without_its_file(void)
{
    scope_calls *table = table_make(0, 1, 3, 7, TABLE_ALL);
    table->pairs[1].source_file = (scope_string){"", 0};
    table->pairs[1].source_line = 42;
    check_json(table, NULL);
}

static void gzip_has_the_same_bytes_each_time(void)
{
    scope_calls *table = table_make(0, 1, 3, 500, TABLE_ALL);
    scope_export_options options = plain();
    options.gzip = 1;
    const text first = exported(table, SCOPE_EXPORT_JSON, &options);
    sleep(1);
    const text second = exported(table, SCOPE_EXPORT_JSON, &options);
    CU_ASSERT_EQUAL_FATAL(first.length, second.length);
    CU_ASSERT_EQUAL(memcmp(first.bytes, second.bytes, first.length), 0);
    CU_ASSERT_EQUAL(memcmp(first.bytes, "\x1f\x8b\x08\0\0\0\0\0", 8), 0); /* no name, no time */
    free(first.bytes);
    free(second.bytes);
    scope_calls_free(table);
}

static void a_stack_of_many_calls_is_exported(void)
{
    scope_calls *table = table_make(0, 1, 1, 20000, 0); /* a recursion 20000 deep */
    for (uint64_t i = 0; i < table->count; i++) {
        table->start_ns[i] = TABLE_START_NS + (int64_t)i;
        table->duration_ns[i] = 100000 - 2 * (int64_t)i;
    }
    for (int format = SCOPE_EXPORT_SPEEDSCOPE; format <= SCOPE_EXPORT_JSON; format++) {
        const text text = exported(table, (scope_export_format)format, NULL);
        CU_ASSERT(text.length < 200000000);
        free(text.bytes);
    }
    scope_calls_free(table);
}

/* ---- native traces ---- */

typedef struct bytes {
    unsigned char at[512];
    size_t length;
    int swapped;
} bytes;

static void put(bytes *to, int64_t value, size_t width)
{
    for (size_t i = 0; i < width; i++)
        to->at[to->length + (to->swapped ? width - 1 - i : i)] =
            (unsigned char)((uint64_t)value >> 8 * i);
    to->length += width;
}

static void put_text(bytes *to, const char *text)
{
    put(to, (int64_t)strlen(text), 4);
    memcpy(to->at + to->length, text, strlen(text));
    to->length += strlen(text);
}

static bytes trace_of(int version, int swapped)
{
    bytes trace = {.swapped = swapped};
    memcpy(trace.at, "SCOPEPRF", 8);
    trace.length = 8;
    put(&trace, version, 4);
    put(&trace, 3, 4); /* rank */
    put(&trace, 2, 8); /* regions */
    for (int r = 0; r < 2; r++) {
        put_text(&trace, r ? "io \xc3\xa4" : "solve");
        if (version == 2) {
            put_text(&trace, r ? "" : "main.c");
            put(&trace, r ? -1 : 17, 4);
        }
        put(&trace, 2 - r, 8);
        for (int i = 0; i < 2 - r; i++)
            put(&trace, 1000 + r * 10 + i * 100, 8);
        for (int i = 0; i < 2 - r; i++)
            put(&trace, 1050 + r + i * 100, 8);
    }
    return trace;
}

static scope_status read_trace(const bytes *trace, size_t length, scope_calls **calls,
                               char message[512])
{
    FILE *file = fopen(folder_path("t.spt"), "wb");
    fwrite(trace->at, 1, length, file);
    fclose(file);
    const scope_status status = scope_import_trace(folder_path("t.spt"), calls, message);
    unlink(folder_path("t.spt"));
    return status;
}

static void traces_of_both_versions_and_byte_orders_are_read(void)
{
    for (int version = 1; version <= 2; version++)
        for (int swapped = 0; swapped < 2; swapped++) {
            char message[512];
            scope_calls *calls = NULL;
            const bytes trace = trace_of(version, swapped);
            CU_ASSERT_EQUAL_FATAL(read_trace(&trace, trace.length, &calls, message), SCOPE_OK);
            CU_ASSERT_EQUAL(calls->rank_count, 4);
            CU_ASSERT_EQUAL_FATAL(calls->pair_count, 2);
            CU_ASSERT_EQUAL_FATAL(calls->count, 3);
            CU_ASSERT_EQUAL(calls->pairs[1].rank, 3);
            CU_ASSERT_EQUAL(calls->start_ns[1], 1100);
            CU_ASSERT_EQUAL(calls->duration_ns[1], 50);
            CU_ASSERT_EQUAL(calls->start_ns[2], 1010);
            CU_ASSERT_EQUAL(calls->duration_ns[2], 41);
            CU_ASSERT_EQUAL(calls->start_time_ns, 1000);
            CU_ASSERT_STRING_EQUAL(calls->regions[1].name.bytes, "io \xc3\xa4");
            CU_ASSERT_STRING_EQUAL(calls->pairs[0].source_file.bytes, version == 2 ? "main.c" : "");
            CU_ASSERT_EQUAL(calls->pairs[0].source_line, version == 2 ? 17 : -1);
            CU_ASSERT_EQUAL(calls->pairs[0].statistics.total, 100);
            CU_ASSERT_PTR_NULL(calls->call_ids);
            scope_calls_free(calls);
        }
}

static void check_refused(const bytes *trace, size_t length, const char *words)
{
    char message[512] = "";
    scope_calls *calls = NULL;
    CU_ASSERT_EQUAL(read_trace(trace, length, &calls, message), SCOPE_ERR_CORRUPT);
    if (!strstr(message, words))
        printf("\n%s: %s\n", words, message);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, words));
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "t.spt: "));
}

static void bad_traces_are_refused_with_a_sentence(void)
{
    for (int version = 1; version <= 2; version++) {
        bytes trace = trace_of(version, 0);
        for (size_t length = 0; length < trace.length; length++)
            check_refused(&trace, length, length < 24 ? "too short" : "cut off");
        trace.at[trace.length] = 0;
        check_refused(&trace, trace.length + 1, "follows");
        trace.at[0] = 'X';
        check_refused(&trace, trace.length, "SCOPEPRF");
        trace = trace_of(version, 0);
        trace.at[8] = 9;
        check_refused(&trace, trace.length, "version 9");
        trace = trace_of(version, 0);
        trace.at[15] = 0x80;
        check_refused(&trace, trace.length, "rank");
        trace = trace_of(version, 0);
        memset(trace.at + 16, 0xff, 8);
        check_refused(&trace, trace.length, "cut off");
        for (size_t at = 24; at < trace.length; at++) { /* never a crash */
            char message[512];
            scope_calls *calls = NULL;
            trace = trace_of(version, 0);
            trace.at[at] ^= 0xff;
            if (read_trace(&trace, trace.length, &calls, message) == SCOPE_OK)
                scope_calls_free(calls);
        }
    }
    char message[512];
    scope_calls *calls;
    CU_ASSERT_EQUAL(scope_import_trace(folder_path("none.spt"), &calls, message),
                    SCOPE_ERR_MISSING);
    CU_ASSERT_EQUAL(scope_import_trace(folder_path("."), &calls, message), SCOPE_ERR_IO);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("export", folder_make, folder_remove);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(json_keeps_everything);
    TEST(json_is_the_same_indented_and_compressed);
    TEST(json_keeps_sums);
    TEST(json_of_several_ranks_keeps_them_apart);
    TEST(names_of_any_bytes_are_valid_json);
    TEST(metadata_of_calls_that_is_not_json_is_left_out);
    TEST(bad_json_is_refused_with_a_sentence);
    TEST(json_nested_too_deeply_is_refused);
    TEST(what_other_writers_put_into_json_is_read);
    TEST(damaged_json_never_crashes);
    TEST(speedscope_is_balanced_and_never_goes_back);
    TEST(chrome_leaves_out_what_is_not_known);
    TEST(seconds_in_texts_are_exact);
    TEST(calls_that_overlap_are_no_stack_but_have_times);
    TEST(an_export_goes_where_ones_own_link_leads);
    TEST(an_export_takes_away_what_a_killed_one_left);
    TEST(only_ranks_that_there_are_can_be_exported);
    TEST(ranks_without_rows_are_not_walked_over);
    TEST(json_keeps_a_line_without_its_file);
    TEST(gzip_has_the_same_bytes_each_time);
    TEST(a_stack_of_many_calls_is_exported);
    TEST(traces_of_both_versions_and_byte_orders_are_read);
    TEST(bad_traces_are_refused_with_a_sentence);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
