/* import_json.c - `json` of scope-profiler, ours or 0.7.5's, becomes a call table.
 *
 *     regions[i] -> parsed_region: name, rank, columns as they are read
 *     all read   -> import_join.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "import_json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/export.h>

void import_fail_memory(parser *from)
{
    if (from->json.status == SCOPE_OK)
        snprintf(from->json.message, sizeof from->json.message, "out of memory");
    from->json.status = SCOPE_ERR_MEMORY;
}

void import_fail(parser *from, scope_status status, const char *format, ...)
{
    va_list arguments;
    if (from->json.status != SCOPE_OK)
        return;
    va_start(arguments, format);
    vsnprintf(from->json.message, sizeof from->json.message, format, arguments);
    va_end(arguments);
    from->json.status = status;
}

scope_string import_keep(parser *from, const reader_text *text)
{
    if (from->json.status != SCOPE_OK || !text->length)
        return (scope_string){"", 0};
    const scope_string kept = scope_calls_string(from->calls, text->bytes, text->length);
    if (kept.length_bytes != text->length)
        import_fail_memory(from);
    return kept;
}

scope_string import_text(parser *from)
{
    reader_string(&from->json);
    return import_keep(from, &from->json.text);
}

int import_skip_null(parser *from)
{
    if (reader_peek(&from->json) != 'n')
        return 0;
    reader_skip(&from->json);
    return 1;
}

/* ---- regions by name ---- */

static size_t hash(const char *bytes, size_t length)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return (size_t)(value ^ value >> 32);
}

static int grow_names(parser *from)
{
    names *names = &from->names;
    const size_t count = names->slot_count ? names->slot_count * 2 : 64;
    uint32_t *slots = malloc(count * sizeof *slots);
    if (!slots)
        return 0;
    memset(slots, 0xff, count * sizeof *slots);
    for (size_t i = 0; i < from->calls->region_count; i++) {
        const scope_string name = from->calls->regions[i].name;
        size_t at = hash(name.bytes, name.length_bytes) & (count - 1);
        while (slots[at] != UINT32_MAX)
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t)i;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = count;
    return 1;
}

uint32_t import_region_row(parser *from, const reader_text *name)
{
    scope_calls *calls = from->calls;
    if (from->json.status != SCOPE_OK)
        return 0;
    if (calls->region_count * 2 >= from->names.slot_count && !grow_names(from)) {
        import_fail_memory(from);
        return 0;
    }
    size_t at = hash(name->bytes, name->length) & (from->names.slot_count - 1);
    for (; from->names.slots[at] != UINT32_MAX; at = (at + 1) & (from->names.slot_count - 1)) {
        const scope_string known = calls->regions[from->names.slots[at]].name;
        if (known.length_bytes == name->length &&
            memcmp(known.bytes, name->bytes, name->length) == 0)
            return from->names.slots[at];
    }
    if (calls->region_count == from->names.capacity) {
        const size_t capacity = from->names.capacity * 2 + 64;
        scope_region_row *rows = scope_calls_alloc(calls, capacity, sizeof *rows);
        if (!rows) {
            import_fail_memory(from);
            return 0;
        }
        if (calls->region_count)
            memcpy(rows, calls->regions, calls->region_count * sizeof *rows);
        calls->regions = rows;
        from->names.capacity = capacity;
    }
    const uint32_t row = (uint32_t)calls->region_count;
    calls->regions[row].name = import_keep(from, name);
    from->names.slots[at] = row;
    calls->region_count++;
    return row;
}

/* ---- values ---- */

static int holds(scope_cell cell, int64_t value)
{
    switch (cell) {
    case SCOPE_CELL_U8:
        return value >= 0 && value <= UINT8_MAX;
    case SCOPE_CELL_I32:
        return value >= INT32_MIN && value <= INT32_MAX;
    case SCOPE_CELL_U32:
    case SCOPE_CELL_HISTOGRAM: /* each of its numbers */
        return value >= 0 && value <= UINT32_MAX;
    default:
        return 1;
    }
}

void import_check_cell(parser *from, scope_cell cell, int64_t value)
{
    if (!holds(cell, value))
        reader_fail(&from->json, "%" PRId64 " is out of range here", value);
}

void import_integers(parser *from, integers *into, scope_cell cell, int64_t missing)
{
    json_reader *json = &from->json;
    into->count = 0;
    reader_begin(json, '[');
    while (reader_next(json, ']')) {
        if (into->count == into->capacity) {
            const size_t capacity = into->capacity ? into->capacity * 2 : 64;
            int64_t *values = realloc(into->values, capacity * sizeof *values);
            if (!values) {
                import_fail_memory(from);
                return;
            }
            into->values = values;
            into->capacity = capacity;
        }
        int64_t value = missing;
        if (!import_skip_null(from))
            reader_integer(json, &value);
        import_check_cell(from, cell, value);
        into->values[into->count++] = value;
    }
}

static int32_t read_rank(parser *from)
{
    int64_t rank = 0;
    reader_integer(&from->json, &rank);
    if (rank < 0 || rank >= SCOPE_RANKS_MAX)
        reader_fail(&from->json, "%" PRId64 " is not a rank", rank);
    return from->json.status == SCOPE_OK ? (int32_t)rank : 0;
}

static void read_aggregate(parser *from, parsed_region *region)
{
    json_reader *json = &from->json;
    scope_sum_row *sum = &region->sum;
    *sum = (scope_sum_row){.lane = -1};
    region->has_sum = 1;
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        int64_t *value = reader_is(json, "count")       ? &sum->count
                         : reader_is(json, "total")     ? &sum->total_ns
                         : reader_is(json, "minimum")   ? &sum->minimum_ns
                         : reader_is(json, "maximum")   ? &sum->maximum_ns
                         : reader_is(json, "exclusive") ? &sum->exclusive_ns
                                                        : NULL;
        if (value)
            reader_integer(json, value);
        else
            reader_skip(json);
    }
}

static void read_column(parser *from, parsed_region *region)
{
    for (size_t c = 0; c < JSON_COLUMNS; c++)
        if (reader_is(&from->json, json_column_key(c))) {
            if (import_skip_null(from))
                return;
            region->present |= 1u << c;
            import_integers(from, &region->columns[c], json_columns[c].cell,
                            json_columns[c].missing);
            return;
        }
    reader_skip(&from->json);
}

static scope_string read_json(parser *from, char first, const char *wanted)
{
    if (reader_peek(&from->json) != first)
        reader_fail(&from->json, "expected %s", wanted);
    reader_copy(&from->json);
    return import_keep(from, &from->json.raw);
}

static void read_region_member(parser *from, parsed_region *region, int *named)
{
    json_reader *json = &from->json;
    if (reader_is(json, "name")) {
        reader_string(json);
        region->pair.region = import_region_row(from, &json->text);
        *named = 1;
    } else if (reader_is(json, "rank")) {
        region->pair.rank = read_rank(from);
    } else if (reader_is(json, "start_times_ns")) {
        import_integers(from, &region->starts, SCOPE_CELL_I64, 0);
    } else if (reader_is(json, "end_times_ns")) {
        import_integers(from, &region->ends, SCOPE_CELL_I64, 0);
    } else if (reader_is(json, "aggregate")) {
        if (!import_skip_null(from))
            read_aggregate(from, region);
    } else if (reader_is(json, "source_file")) {
        if (!import_skip_null(from))
            region->pair.source_file = import_text(from);
    } else if (reader_is(json, "source_text")) {
        if (!import_skip_null(from))
            region->source_text = import_text(from);
    } else if (reader_is(json, "source_lineno")) {
        if (!import_skip_null(from))
            reader_integer(json, &region->pair.source_line);
    } else if (reader_is(json, "tags")) {
        if (!import_skip_null(from))
            region->pair.tags = read_json(from, '[', "an array of tags");
    } else if (reader_is(json, "event_metadata")) {
        if (!import_skip_null(from))
            region->event_metadata = read_json(from, '[', "an array with an object per call");
    } else if (reader_is(json, "exclusive_total_ns")) {
        if (!import_skip_null(from))
            reader_integer(json, &region->pair.exclusive_ns);
    } else {
        read_column(from, region);
    }
}

/* Columns of one length, and times that can be. */
static void check_region(parser *from, parsed_region *region)
{
    if (from->json.status != SCOPE_OK)
        return;
    const char *name = from->calls->regions[region->pair.region].name.bytes;
    const size_t count = region->starts.count;
    if (region->ends.count != count)
        reader_fail(&from->json, "region '%.80s' has %zu start times and %zu end times", name,
                    count, region->ends.count);
    for (size_t c = 0; c < JSON_COLUMNS; c++)
        if (region->present & 1u << c && region->columns[c].count != count)
            reader_fail(&from->json, "region '%.80s' has %zu calls and %zu values of %s", name,
                        count, region->columns[c].count, json_column_key(c));
    for (size_t i = 0; from->json.status == SCOPE_OK && i < count; i++)
        if (__builtin_sub_overflow(region->ends.values[i], region->starts.values[i],
                                   &region->ends.values[i])) /* durations from here on */
            reader_fail(&from->json, "region '%.80s' has a call with an impossible time", name);
}

static void read_regions(parser *from)
{
    json_reader *json = &from->json;
    reader_begin(json, '[');
    while (reader_next(json, ']')) {
        if (from->count == from->capacity) {
            const size_t capacity = from->capacity ? from->capacity * 2 : 64;
            parsed_region *more = realloc(from->regions, capacity * sizeof *more);
            if (!more) {
                import_fail_memory(from);
                return;
            }
            from->regions = more;
            from->capacity = capacity;
        }
        parsed_region *region = &from->regions[from->count];
        *region = (parsed_region){.pair = {.source_line = -1,
                                           .source_file = {"", 0},
                                           .tags = {"[]", 2},
                                           .exclusive_ns = -1},
                                  .order = from->count++,
                                  .source_text = {"", 0},
                                  .event_metadata = {"[]", 2}};
        int named = 0;
        reader_begin(json, '{');
        while (reader_next(json, '}')) {
            reader_key(json);
            read_region_member(from, region, &named);
        }
        if (!named)
            reader_fail(json, "a region has no name");
        check_region(from, region);
    }
}

/* ---- the whole ---- */

static void read_version(parser *from)
{
    int64_t version = 0;
    reader_integer(&from->json, &version);
    if (version > JSON_FORMAT_VERSION)
        import_fail(from, SCOPE_ERR_VERSION,
                    "its JSON profile format is version %" PRId64
                    ", this package reads up to version %d; "
                    "upgrade scope-profiler",
                    version, JSON_FORMAT_VERSION);
}

static void read_document(parser *from)
{
    json_reader *json = &from->json;
    if (reader_peek(json) != '{' && json->status == SCOPE_OK) {
        const int byte = reader_peek(json);
        if (byte == '[' || byte == '"' || byte == '-' || (byte >= '0' && byte <= '9'))
            import_fail(from, SCOPE_ERR_CORRUPT, "not a scope-profiler JSON profile");
    }
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        if (reader_is(json, "format")) {
            if (reader_peek(json) == '"')
                reader_string(json);
            else
                reader_skip(json);
            from->has_format = reader_is(json, JSON_FORMAT);
        } else if (reader_is(json, "format_version")) {
            read_version(from);
        } else if (reader_is(json, "num_ranks")) {
            reader_integer(json, &from->num_ranks);
        } else if (reader_is(json, "metadata")) {
            import_metadata(from);
        } else if (reader_is(json, "regions")) {
            read_regions(from);
        } else if (reader_is(json, json_lane_tables[JSON_THREADS].key)) {
            import_lanes(from, JSON_THREADS);
        } else if (reader_is(json, json_lane_tables[JSON_TASKS].key)) {
            import_lanes(from, JSON_TASKS);
        } else if (reader_is(json, "scope")) {
            import_own(from);
        } else {
            reader_skip(json);
        }
    }
    reader_end(json);
    if (json->status == SCOPE_OK && !from->has_format)
        import_fail(from, SCOPE_ERR_CORRUPT, "not a scope-profiler JSON profile");
}

scope_status scope_import_json(const char *path, scope_calls **calls, char message[512])
{
    parser from = {0};
    message[0] = '\0';
    if (!path || !calls)
        return SCOPE_ERR_ARGUMENT;
    scope_status status = reader_open(&from.json, path);
    if (status == SCOPE_OK) {
        status = scope_calls_new(&from.calls);
        if (status != SCOPE_OK)
            import_fail_memory(&from);
        else
            read_document(&from);
        if (from.json.status == SCOPE_OK)
            import_join(&from);
        status = from.json.status;
    }
    if (status == SCOPE_OK)
        *calls = from.calls;
    else {
        snprintf(message, 512, "%.240s: %.250s", path, from.json.message);
        scope_calls_free(from.calls);
    }
    for (size_t i = 0; i < from.count; i++) {
        free(from.regions[i].starts.values);
        free(from.regions[i].ends.values);
        for (size_t c = 0; c < JSON_COLUMNS; c++)
            free(from.regions[i].columns[c].values);
    }
    free(from.regions);
    free(from.names.slots);
    reader_close(&from.json);
    return status;
}
