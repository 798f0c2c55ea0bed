/* test_export.c - call tables in the viewers' formats, and files that are replaced whole.
 *
 * SPDX-License-Identifier: MIT
 */
#include "exported.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include <scope/draft.h>

#include "tables.h"

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

int main(void)
{
    const unit_test tests[] = {
        UNIT(speedscope_is_balanced_and_never_goes_back),
        UNIT(chrome_leaves_out_what_is_not_known),
        UNIT(seconds_in_texts_are_exact),
        UNIT(calls_that_overlap_are_no_stack_but_have_times),
        UNIT(an_export_goes_where_ones_own_link_leads),
        UNIT(an_export_takes_away_what_a_killed_one_left),
        UNIT(only_ranks_that_there_are_can_be_exported),
        UNIT(gzip_has_the_same_bytes_each_time),
        UNIT(a_stack_of_many_calls_is_exported),
        {0},
    };
    return unit_run_in("export", tests, folder_make, folder_remove);
}
