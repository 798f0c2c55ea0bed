/* test_import_trace.c - native traces of scope-profiler 0.7.5.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/export.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "unit.h"

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
    const unit_test tests[] = {
        UNIT(traces_of_both_versions_and_byte_orders_are_read),
        UNIT(bad_traces_are_refused_with_a_sentence),
        {0},
    };
    return unit_run_in("import trace", tests, folder_make, folder_remove);
}
