/* export.c - a call table in another format: options, ranks, the file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/export.h>

#include "export_parts.h"

static scope_status check_ranks(const export_job *job)
{
    const scope_calls *calls = job->calls;
    int64_t known = calls->rank_count;
    for (size_t i = 0; i < calls->pair_count; i++)
        known = calls->pairs[i].rank >= known ? (int64_t)calls->pairs[i].rank + 1 : known;
    for (size_t i = 0; job->ranks && i < job->rank_count; i++)
        if (job->ranks[i] < 0 || job->ranks[i] >= known)
            return SCOPE_ERR_ARGUMENT;
    return SCOPE_OK;
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
    } names[] = {{"speedscope", SCOPE_EXPORT_SPEEDSCOPE}, {"chrome-trace", SCOPE_EXPORT_CHROME},
                 {"chrome", SCOPE_EXPORT_CHROME},         {"prof", SCOPE_EXPORT_PROF},
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
    const export_job job = {
        .calls = calls,
        .file = &file,
        .ranks = chosen.ranks,
        .rank_count = chosen.ranks ? chosen.rank_count : (size_t)calls->rank_count,
        .name =
            text_or(chosen.name,
                    label && label->kind == SCOPE_VALUE_TEXT ? label->text : (scope_string){"", 0}),
        .exporter = text_or(chosen.exporter, (scope_string){exporter, sizeof exporter - 1}),
        .indent = chosen.indent > 64 ? 64 : chosen.indent,
        .call_paths = chosen.call_paths};
    if (check_ranks(&job) != SCOPE_OK ||
        (format == SCOPE_EXPORT_PROF && (job.rank_count != 1 || chosen.gzip)))
        return SCOPE_ERR_ARGUMENT;
    scope_status status = export_open(&file, path, chosen.gzip);
    if (status == SCOPE_OK)
        status = formats[format](&job);
    return export_close(&file, status);
}
