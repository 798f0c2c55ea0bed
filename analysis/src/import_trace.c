/* import_trace.c - `.spt`, the native trace of scope-profiler 0.7.5, becomes a call table.
 *
 *     "SCOPEPRF" int32 version, int32 rank, int64 regions; then for each region
 *     int32 n, name[n], (version 2: int32 m, file[m], int32 line), int64 c, int64 starts[c],
 *     int64 ends[c]; nothing between and nothing after, in the byte order of the writer.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/check.h>
#include <scope/export.h>
#include <scope/wrap.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct trace {
    const unsigned char *bytes;
    size_t length, at;
    int swapped; /* the other byte order */
    scope_calls *calls;
    char *message;
    const char *path;
} trace;

static scope_status fail(const trace *trace, scope_status status, const char *text)
{
    snprintf(trace->message, 512, "%.300s: %s", trace->path, text);
    return status;
}

static int64_t integer_at(const trace *trace, size_t at, size_t bytes)
{
    uint64_t wide;
    uint32_t narrow;
    if (bytes == 4) {
        memcpy(&narrow, trace->bytes + at, 4);
        return (int32_t)(trace->swapped ? __builtin_bswap32(narrow) : narrow);
    }
    memcpy(&wide, trace->bytes + at, 8);
    return (int64_t)(trace->swapped ? __builtin_bswap64(wide) : wide);
}

/* The next integer; 0: the file ends before. */
static int take(trace *trace, size_t bytes, int64_t *value)
{
    if (trace->length - trace->at < bytes)
        return 0;
    *value = integer_at(trace, trace->at, bytes);
    trace->at += bytes;
    return 1;
}

static int take_text(trace *trace, scope_string *text)
{
    int64_t length;
    if (!take(trace, 4, &length) || length < 0 || (uint64_t)length > trace->length - trace->at)
        return 0;
    *text = (scope_string){(const char *)trace->bytes + trace->at, (uint64_t)length};
    trace->at += (size_t)length;
    return 1;
}

static scope_string keep(const trace *trace, scope_string text)
{
    return scope_calls_string(trace->calls, text.bytes, text.length_bytes);
}

/* Names, places and numbers of calls; *total: calls. The columns come in a second walk. */
static scope_status walk(trace *trace, int64_t version, int64_t regions, uint64_t *total)
{
    scope_calls *calls = trace->calls;
    *total = 0;
    for (int64_t i = 0; i < regions; i++) {
        scope_string name, file = {"", 0};
        int64_t line = -1, count;
        if (!take_text(trace, &name) || (version == 2 && !take_text(trace, &file)) ||
            (version == 2 && !take(trace, 4, &line)) || !take(trace, 8, &count) || count < 0 ||
            (uint64_t)count > (trace->length - trace->at) / 16)
            return fail(trace, SCOPE_ERR_CORRUPT, "the trace is cut off");
        scope_pair *pair = &calls->pairs[i];
        *pair = (scope_pair){.rank = pair->rank,
                             .region = (uint32_t)i,
                             .first = *total,
                             .count = (uint64_t)count,
                             .source_line = line,
                             .source_file = keep(trace, file),
                             .tags = {"[]", 2},
                             .exclusive_ns = -1};
        calls->regions[i].name = keep(trace, name);
        if (calls->regions[i].name.length_bytes != name.length_bytes ||
            pair->source_file.length_bytes != file.length_bytes)
            return fail(trace, SCOPE_ERR_MEMORY, "out of memory");
        *total += (uint64_t)count;
        trace->at += (size_t)count * 16;
    }
    return trace->at == trace->length
               ? SCOPE_OK
               : fail(trace, SCOPE_ERR_CORRUPT, "something follows the end of the trace");
}

/* The same walk again, for the columns: all sizes are known to be right. */
static void fill_columns(trace *trace, int64_t version, size_t at)
{
    scope_calls *calls = trace->calls;
    for (size_t p = 0; p < calls->pair_count; p++) {
        const scope_pair *pair = &calls->pairs[p];
        at += 4 + calls->regions[p].name.length_bytes;
        if (version == 2)
            at += 4 + pair->source_file.length_bytes + 4;
        at += 8;
        for (uint64_t i = 0; i < pair->count; i++) {
            const int64_t start = integer_at(trace, at + i * 8, 8);
            const int64_t end = integer_at(trace, at + (pair->count + i) * 8, 8);
            calls->start_ns[pair->first + i] = start;
            calls->duration_ns[pair->first + i] = wrap_subtract(end, start);
        }
        at += pair->count * 16;
    }
}

static int compare_texts(const void *left, const void *right)
{
    const scope_string *a = *(const scope_string *const *)left;
    const scope_string *b = *(const scope_string *const *)right;
    const uint64_t shorter = a->length_bytes < b->length_bytes ? a->length_bytes : b->length_bytes;
    const int order = shorter ? memcmp(a->bytes, b->bytes, shorter) : 0;
    return order ? order
                 : (a->length_bytes > b->length_bytes) - (a->length_bytes < b->length_bytes);
}

/* Two regions of one name are something that a table cannot hold. */
static scope_status check_names(const trace *trace)
{
    const scope_calls *calls = trace->calls;
    int twins = 0;
    const scope_string **names = malloc((calls->region_count + 1) * sizeof *names);
    if (!names)
        return fail(trace, SCOPE_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < calls->region_count; i++)
        names[i] = &calls->regions[i].name;
    qsort(names, calls->region_count, sizeof *names, compare_texts);
    for (size_t i = 1; i < calls->region_count; i++)
        twins |= compare_texts(&names[i - 1], &names[i]) == 0;
    free(names);
    return twins ? fail(trace, SCOPE_ERR_CORRUPT, "two of its regions have one name") : SCOPE_OK;
}

static scope_status read_trace(trace *trace)
{
    scope_calls *calls = trace->calls;
    if (trace->length < 24)
        return fail(trace, SCOPE_ERR_CORRUPT, "too short for a trace");
    if (memcmp(trace->bytes, "SCOPEPRF", 8) != 0)
        return fail(trace, SCOPE_ERR_CORRUPT, "not a trace (it does not begin with SCOPEPRF)");
    int64_t version = integer_at(trace, 8, 4);
    if (version != 1 && version != 2) {
        trace->swapped = 1;
        version = integer_at(trace, 8, 4);
    }
    if (version != 1 && version != 2) {
        trace->swapped = 0;
        snprintf(trace->message, 512,
                 "%.300s: trace version %" PRId64 " is not known (1 and 2 are)", trace->path,
                 integer_at(trace, 8, 4));
        return SCOPE_ERR_CORRUPT;
    }
    const int64_t rank = integer_at(trace, 12, 4), regions = integer_at(trace, 16, 8);
    if (rank < 0 || rank >= SCOPE_RANKS_MAX)
        return fail(trace, SCOPE_ERR_CORRUPT, "its rank is impossible");
    /* a region takes 12 bytes at least */
    if (regions < 0 || (uint64_t)regions > (trace->length - 24) / 12)
        return fail(trace, SCOPE_ERR_CORRUPT, "the trace is cut off");
    calls->pairs = scope_calls_alloc(calls, (size_t)regions, sizeof *calls->pairs);
    calls->regions = scope_calls_alloc(calls, (size_t)regions, sizeof *calls->regions);
    if (!calls->pairs || !calls->regions)
        return fail(trace, SCOPE_ERR_MEMORY, "out of memory");
    for (int64_t i = 0; i < regions; i++)
        calls->pairs[i].rank = (int32_t)rank;
    trace->at = 24;
    scope_status status = walk(trace, version, regions, &calls->count);
    if (status != SCOPE_OK)
        return status;
    calls->pair_count = calls->region_count = (size_t)regions;
    calls->rank_count = (int32_t)rank + 1;
    calls->start_ns = scope_calls_alloc(calls, calls->count, sizeof *calls->start_ns);
    calls->duration_ns = scope_calls_alloc(calls, calls->count, sizeof *calls->duration_ns);
    if (!calls->start_ns || !calls->duration_ns)
        return fail(trace, SCOPE_ERR_MEMORY, "out of memory");
    status = check_names(trace);
    if (status != SCOPE_OK)
        return status;
    fill_columns(trace, version, 24);
    char why[SCOPE_WHY_BYTES];
    if (scope_calls_check_times(calls, why) != SCOPE_OK)
        return fail(trace, SCOPE_ERR_CORRUPT, why);
    scope_calls_span(calls, &calls->start_time_ns, &calls->end_time_ns);
    for (size_t p = 0; p < calls->pair_count; p++)
        scope_calls_statistics(calls, &calls->pairs[p]);
    return scope_calls_set_text(calls, "source", "native", -1) == SCOPE_OK &&
                   scope_calls_set_integer(calls, "trace_format_version", version) == SCOPE_OK
               ? SCOPE_OK
               : fail(trace, SCOPE_ERR_MEMORY, "out of memory");
}

scope_status scope_import_trace(const char *path, scope_calls **calls, char message[512])
{
    struct stat file;
    trace trace = {.path = path, .message = message};
    message[0] = '\0';
    if (!path || !calls)
        return SCOPE_ERR_ARGUMENT;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail(&trace, errno == ENOENT || errno == ENOTDIR ? SCOPE_ERR_MISSING : SCOPE_ERR_IO,
                    strerror(errno));
    scope_status status = SCOPE_OK;
    if (fstat(fd, &file) != 0)
        status = fail(&trace, SCOPE_ERR_IO, strerror(errno));
    else if (!S_ISREG(file.st_mode))
        status = fail(&trace, SCOPE_ERR_IO,
                      S_ISDIR(file.st_mode) ? strerror(EISDIR) : "not a regular file");
    unsigned char *bytes = NULL;
    if (status == SCOPE_OK) { /* read, not mapped: a file that shrinks meanwhile must not kill */
        bytes = malloc((size_t)file.st_size + 1);
        if (!bytes)
            status = fail(&trace, SCOPE_ERR_MEMORY, "out of memory");
    }
    while (status == SCOPE_OK && trace.length < (size_t)file.st_size) {
        const ssize_t got = read(fd, bytes + trace.length, (size_t)file.st_size - trace.length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = fail(&trace, SCOPE_ERR_IO, strerror(errno));
        if (got <= 0)
            break;
        trace.length += (size_t)got;
    }
    close(fd);
    trace.bytes = bytes;
    if (status == SCOPE_OK) {
        status = scope_calls_new(&trace.calls);
        status = status == SCOPE_OK ? read_trace(&trace)
                                    : fail(&trace, SCOPE_ERR_MEMORY, "out of memory");
    }
    free(bytes);
    if (status == SCOPE_OK)
        *calls = trace.calls;
    else
        scope_calls_free(trace.calls);
    return status;
}
