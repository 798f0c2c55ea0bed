/* export.c - a call table in another format: options, ranks, the file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/export.h>

#include <stdio.h>
#include <stdlib.h>

#include "export_names.h"
#include "export_parts.h"
#include "ranks.h"

void export_titled(export_file *file, const export_job *job)
{
    char left[256], *text = NULL;
    if (!scope_export_left_text(&job->thin.left, left, sizeof left)) {
        export_string(file, job->name);
    } else if (asprintf(&text, "%.*s (%s)", (int)job->name.length_bytes, job->name.bytes, left) <
               0) {
        file->status = SCOPE_ERR_MEMORY;
    } else {
        export_string_of(file, text);
        free(text);
    }
}

static scope_status check_ranks(const scope_calls *calls, const scope_export_options *options)
{
    int64_t known = calls->rank_count;
    for (size_t i = 0; i < calls->pair_count; i++)
        known = calls->pairs[i].rank >= known ? (int64_t)calls->pairs[i].rank + 1 : known;
    for (size_t i = 0; i < options->rank_count; i++)
        if (options->ranks[i] < 0 || options->ranks[i] >= known)
            return SCOPE_ERR_ARGUMENT;
    return SCOPE_OK;
}

/* Ranks that have rows, or rank 0; malloc'd. A file may claim 2^24 ranks and have one. */
static scope_status find_ranks(const scope_calls *calls, int32_t **ranks, size_t *count)
{
    scope_calls *const parts[] = {(scope_calls *)(uintptr_t)calls}; /* only read */
    rank_part *rows = NULL;
    scope_collision none;
    size_t row_count = 0;
    scope_status status = ranks_list(parts, 1, &rows, &row_count, &none);
    *count = 0;
    *ranks = status == SCOPE_OK ? calloc(row_count + 1, sizeof **ranks) : NULL;
    if (status == SCOPE_OK && !*ranks)
        status = SCOPE_ERR_MEMORY;
    for (size_t i = 0; status == SCOPE_OK && i < row_count; i++)
        if (rows[i].rank >= 0)
            (*ranks)[(*count)++] = rows[i].rank;
    if (status == SCOPE_OK && !*count && calls->rank_count)
        *count = 1;
    free(rows);
    return status;
}

static scope_string text_or(const char *text, scope_string otherwise)
{
    return text ? (scope_string){text, strlen(text)} : otherwise;
}

int scope_export_format_of(const char *name, scope_export_format *format)
{
    static const struct {
        const char *name;
        scope_export_format format;
    } names[] = {{"speedscope", SCOPE_EXPORT_SPEEDSCOPE},
                 {"chrome-trace", SCOPE_EXPORT_CHROME},
                 {"chrome", SCOPE_EXPORT_CHROME},
                 {"prof", SCOPE_EXPORT_PROF},
                 {"json", SCOPE_EXPORT_JSON}};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i].name) == 0) {
            *format = names[i].format;
            return 1;
        }
    return 0;
}

scope_status scope_export(const scope_calls *calls, scope_export_format format, const char *path,
                          const scope_export_options *options)
{
    static scope_status (*const formats[])(const export_job *) = {
        [SCOPE_EXPORT_SPEEDSCOPE] = export_speedscope,
        [SCOPE_EXPORT_CHROME] = export_chrome,
        [SCOPE_EXPORT_PROF] = export_prof,
        [SCOPE_EXPORT_JSON] = export_json,
    };
    static const char exporter[] = "scope-profiler@" SCOPE_VERSION;
    scope_export_options chosen = {.indent = -1, .call_paths = 1};
    if (options && options->size_bytes) /* a caller of another version may know fewer */
        memcpy(&chosen, options,
               options->size_bytes < sizeof chosen ? options->size_bytes : sizeof chosen);
    if (!calls || !path || (unsigned)format >= sizeof formats / sizeof *formats)
        return SCOPE_ERR_ARGUMENT;
    const scope_metadata_row *label = scope_calls_metadata(calls, "label");
    export_file file;
    int64_t backward = 0;
    export_job job = {.calls = calls,
                      .file = &file,
                      .ranks = chosen.ranks,
                      .rank_count = chosen.rank_count,
                      .all_ranks = !chosen.ranks,
                      .name = text_or(chosen.name, label && label->kind == SCOPE_VALUE_TEXT
                                                       ? label->text
                                                       : (scope_string){"", 0}),
                      .exporter =
                          text_or(chosen.exporter, (scope_string){exporter, sizeof exporter - 1}),
                      .indent = chosen.indent > 64 ? 64 : chosen.indent,
                      .call_paths = chosen.call_paths,
                      .arrows = !chosen.without_arrows,
                      .backward = &backward};
    if (chosen.ranks && check_ranks(calls, &chosen) != SCOPE_OK)
        return SCOPE_ERR_ARGUMENT;
    const size_t claimed = chosen.ranks ? chosen.rank_count : (size_t)calls->rank_count;
    if (format == SCOPE_EXPORT_PROF && (claimed != 1 || chosen.gzip))
        return SCOPE_ERR_ARGUMENT;
    int32_t *found = NULL;
    export_names names;
    scope_calls renamed = *calls;
    scope_status status = export_names_make(calls, &names);
    if (status == SCOPE_OK && names.regions) {
        renamed.regions = names.regions;
        job.calls = &renamed;
    }
    if (status == SCOPE_OK && !chosen.ranks) {
        status = find_ranks(calls, &found, &job.rank_count);
        job.ranks = found;
    }
    if (status == SCOPE_OK) {
        const int may_thin = format == SCOPE_EXPORT_SPEEDSCOPE || format == SCOPE_EXPORT_CHROME;
        status = export_thin_choose(calls, job.ranks, job.rank_count,
                                    may_thin ? chosen.max_calls : 0, &job.thin);
        if (status == SCOPE_OK) {
            status = export_open(&file, path, chosen.gzip);
            if (status == SCOPE_OK)
                status = formats[format](&job);
            status = export_close(&file, status);
        }
        if (status == SCOPE_OK && chosen.left) {
            *chosen.left = job.thin.left;
            chosen.left->arrows = (uint64_t)backward;
        }
        export_thin_free(&job.thin);
    }
    export_names_free(calls, &names);
    free(found);
    return status;
}
