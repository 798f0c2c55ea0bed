/* import_json.c - `json` of scope-profiler, ours or 0.7.5's, becomes a call table.
 *
 *     regions[i] -> parsed_region: name, rank, columns as they are read
 *     all read   -> sorted by rank, columns put together, lane times made absolute
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/export.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_layout.h"
#include "json_reader.h"

#define MOST_RANKS (1 << 24)

typedef struct integers {
    int64_t *values;
    size_t count, capacity;
} integers;

typedef struct parsed_region {
    scope_pair pair; /* region, rank, source, tags, exclusive */
    size_t order;
    integers starts, ends, columns[JSON_COLUMNS];
    unsigned present; /* bit per column */
    int has_sum;
    scope_sum_row sum;
    scope_string source_text, event_metadata;
} parsed_region;

typedef struct names { /* open addressing: rows of regions by name */
    uint32_t *slots;
    size_t slot_count, capacity;
} names;

typedef struct parser {
    json_reader json;
    scope_calls *calls;
    parsed_region *regions;
    size_t count, capacity;
    names names;
    size_t rows[JSON_LANE_TABLES + JSON_OWN_TABLES]; /* capacity of each table */
    int64_t num_ranks;
    int has_format, has_folded, is_aggregate;
} parser;

static void fail_memory(parser *from)
{
    if (from->json.status == SCOPE_OK)
        snprintf(from->json.message, sizeof from->json.message, "out of memory");
    from->json.status = SCOPE_ERR_MEMORY;
}

/* Wrong as a whole: no place in the file. */
static void fail(parser *from, scope_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void fail(parser *from, scope_status status, const char *format, ...)
{
    va_list arguments;
    if (from->json.status != SCOPE_OK)
        return;
    va_start(arguments, format);
    vsnprintf(from->json.message, sizeof from->json.message, format, arguments);
    va_end(arguments);
    from->json.status = status;
}

static scope_string keep(parser *from, const reader_text *text)
{
    if (from->json.status != SCOPE_OK || !text->length)
        return (scope_string){"", 0};
    const scope_string kept = scope_calls_string(from->calls, text->bytes, text->length);
    if (kept.length_bytes != text->length)
        fail_memory(from);
    return kept;
}

static scope_string read_text(parser *from)
{
    reader_string(&from->json);
    return keep(from, &from->json.text);
}

/* Python writes None where nothing is known. */
static int skip_null(parser *from)
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

static uint32_t region_row(parser *from, const reader_text *name)
{
    scope_calls *calls = from->calls;
    if (from->json.status != SCOPE_OK)
        return 0;
    if (calls->region_count * 2 >= from->names.slot_count && !grow_names(from)) {
        fail_memory(from);
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
            fail_memory(from);
            return 0;
        }
        if (calls->region_count)
            memcpy(rows, calls->regions, calls->region_count * sizeof *rows);
        calls->regions = rows;
        from->names.capacity = capacity;
    }
    const uint32_t row = (uint32_t)calls->region_count;
    calls->regions[row].name = keep(from, name);
    from->names.slots[at] = row;
    calls->region_count++;
    return row;
}

/* ---- values ---- */

static void read_integers(parser *from, integers *into, int64_t missing)
{
    json_reader *json = &from->json;
    into->count = 0;
    reader_begin(json, '[');
    while (reader_next(json, ']')) {
        if (into->count == into->capacity) {
            const size_t capacity = into->capacity ? into->capacity * 2 : 64;
            int64_t *values = realloc(into->values, capacity * sizeof *values);
            if (!values) {
                fail_memory(from);
                return;
            }
            into->values = values;
            into->capacity = capacity;
        }
        int64_t value = missing;
        if (!skip_null(from))
            reader_integer(json, &value);
        into->values[into->count++] = value;
    }
}

static int32_t read_rank(parser *from)
{
    int64_t rank = 0;
    reader_integer(&from->json, &rank);
    if (rank < 0 || rank >= MOST_RANKS)
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
        if (reader_is(&from->json, json_columns[c].key)) {
            if (skip_null(from))
                return;
            region->present |= 1u << c;
            read_integers(from, &region->columns[c], json_columns[c].missing);
            return;
        }
    reader_skip(&from->json);
}

static scope_string read_json(parser *from, char first, const char *wanted)
{
    if (reader_peek(&from->json) != first)
        reader_fail(&from->json, "expected %s", wanted);
    reader_copy(&from->json);
    return keep(from, &from->json.raw);
}

static void read_region_member(parser *from, parsed_region *region, int *named)
{
    json_reader *json = &from->json;
    if (reader_is(json, "name")) {
        reader_string(json);
        region->pair.region = region_row(from, &json->text);
        *named = 1;
    } else if (reader_is(json, "rank")) {
        region->pair.rank = read_rank(from);
    } else if (reader_is(json, "start_times_ns")) {
        read_integers(from, &region->starts, 0);
    } else if (reader_is(json, "end_times_ns")) {
        read_integers(from, &region->ends, 0);
    } else if (reader_is(json, "aggregate")) {
        if (!skip_null(from))
            read_aggregate(from, region);
    } else if (reader_is(json, "source_file")) {
        if (!skip_null(from))
            region->pair.source_file = read_text(from);
    } else if (reader_is(json, "source_text")) {
        if (!skip_null(from))
            region->source_text = read_text(from);
    } else if (reader_is(json, "source_lineno")) {
        if (!skip_null(from))
            reader_integer(json, &region->pair.source_line);
    } else if (reader_is(json, "tags")) {
        if (!skip_null(from))
            region->pair.tags = read_json(from, '[', "an array of tags");
    } else if (reader_is(json, "event_metadata")) {
        if (!skip_null(from))
            region->event_metadata = read_json(from, '[', "an array with an object per call");
    } else if (reader_is(json, "exclusive_total_ns")) {
        if (!skip_null(from))
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
                        count, region->columns[c].count, json_columns[c].key);
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
                fail_memory(from);
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

/* ---- metadata ---- */

static void read_texts(parser *from, const char *key)
{
    json_reader *json = &from->json;
    reader_text all = {0};
    reader_begin(json, '[');
    while (reader_next(json, ']')) {
        if (reader_peek(json) == '"')
            reader_string(json);
        else { /* a list of something else: each as its JSON text */
            reader_copy(json);
            json->text.length = 0;
            if (!reader_append(&json->text, json->raw.bytes ? json->raw.bytes : "",
                               json->raw.length))
                fail_memory(from);
        }
        if (json->status == SCOPE_OK &&
            !reader_append(&all, json->text.bytes, strlen(json->text.bytes) + 1))
            fail_memory(from);
    }
    if (json->status == SCOPE_OK &&
        scope_calls_set_text(from->calls, key, all.bytes ? all.bytes : "", (int64_t)all.length) !=
            SCOPE_OK)
        fail_memory(from);
    free(all.bytes);
    const scope_metadata_row *row = scope_calls_metadata(from->calls, key);
    if (row)
        from->calls->metadata[row - from->calls->metadata].kind = SCOPE_VALUE_TEXTS;
}

static int is_integer(const reader_text *text)
{
    if (text->length == 0 || text->length > 19)
        return 0;
    for (size_t i = 0; i < text->length; i++)
        if ((text->bytes[i] < '0' || text->bytes[i] > '9') && (i || text->bytes[i] != '-'))
            return 0;
    return 1;
}

static void read_metadata_value(parser *from, const char *key)
{
    json_reader *json = &from->json;
    scope_status status = SCOPE_OK;
    const int first = reader_peek(json);
    if (first == '[') {
        read_texts(from, key);
        return;
    }
    if (first == '"') {
        reader_string(json);
        if (json->status == SCOPE_OK)
            status = scope_calls_set_text(from->calls, key, json->text.bytes,
                                          (int64_t)json->text.length);
    } else { /* other values have no kind of their own: their text */
        reader_copy(json);
        if (json->status != SCOPE_OK)
            return;
        status = is_integer(&json->raw)
                     ? scope_calls_set_integer(from->calls, key, strtoll(json->raw.bytes, NULL, 10))
                     : scope_calls_set_text(from->calls, key, json->raw.bytes,
                                            (int64_t)json->raw.length);
    }
    if (status != SCOPE_OK)
        fail_memory(from);
}

static void read_metadata(parser *from)
{
    json_reader *json = &from->json;
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        if (json->status != SCOPE_OK)
            return;
        char *key = strdup(json->text.bytes);
        if (key)
            read_metadata_value(from, key);
        else
            fail_memory(from);
        free(key);
    }
}

/* ---- tables ---- */

static void set_integer(char *at, json_cell cell, int64_t value)
{
    const int32_t narrow = (int32_t)value;
    if (cell == JSON_U8)
        *(uint8_t *)at = (uint8_t)value;
    else if (cell == JSON_I32 || cell == JSON_BOOL)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &value, sizeof value);
}

static void read_histogram(parser *from, char *at)
{
    integers values = {0};
    read_integers(from, &values, 0);
    for (size_t i = 0; i < 64 && i < values.count; i++)
        ((uint32_t *)(void *)at)[i] = (uint32_t)values.values[i];
    free(values.values);
}

static void read_field(parser *from, const json_field *field, char *row)
{
    json_reader *json = &from->json;
    char *at = row + field->offset;
    if (skip_null(from))
        return;
    if (field->cell == JSON_TEXT) {
        const scope_string text = read_text(from);
        memcpy(at, &text, sizeof text);
    } else if (field->cell == JSON_REGION) {
        reader_string(json);
        const uint32_t region = region_row(from, &json->text);
        memcpy(at, &region, sizeof region);
    } else if (field->cell == JSON_F64) {
        reader_copy(json);
        const double number = json->status == SCOPE_OK ? strtod(json->raw.bytes, NULL) : 0;
        memcpy(at, &number, sizeof number);
    } else if (field->cell == JSON_HISTOGRAM) {
        read_histogram(from, at);
    } else {
        const int byte = reader_peek(json);
        int64_t value = byte == 't';
        if (byte == 't' || byte == 'f')
            reader_skip(json);
        else
            reader_integer(json, &value);
        if (field->key[0] == 'r' && strcmp(field->key, "rank") == 0 &&
            (value < 0 || value >= MOST_RANKS))
            reader_fail(json, "%" PRId64 " is not a rank", value);
        set_integer(at, field->cell, value);
    }
}

/* One object more in the table; `rank` -1: it has a field of its own. */
static void read_row(parser *from, const json_table *table, size_t *capacity, int32_t rank)
{
    json_reader *json = &from->json;
    char **rows = (char **)(void *)((char *)from->calls + table->rows_offset);
    size_t *count = (size_t *)(void *)((char *)from->calls + table->count_offset);
    if (*count == *capacity) {
        const size_t room = *capacity * 2 + 16;
        char *more = scope_calls_alloc(from->calls, room, table->row_bytes);
        if (!more) {
            fail_memory(from);
            return;
        }
        if (*count)
            memcpy(more, *rows, *count * table->row_bytes);
        *rows = more;
        *capacity = room;
    }
    char *row = *rows + *count * table->row_bytes;
    const scope_string none = {"", 0};
    for (size_t i = 0; i < table->field_count; i++)
        if (table->fields[i].cell == JSON_TEXT)
            memcpy(row + table->fields[i].offset, &none, sizeof none);
        else if (table->fields[i].missing)
            set_integer(row + table->fields[i].offset, table->fields[i].cell,
                        table->fields[i].missing);
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        size_t i = 0;
        while (i < table->field_count && !reader_is(json, table->fields[i].key))
            i++;
        if (i < table->field_count)
            read_field(from, &table->fields[i], row);
        else
            reader_skip(json);
    }
    if (rank >= 0)
        memcpy(row, &rank, sizeof rank); /* the rank comes first in every row */
    (*count)++;
}

static void read_lanes(parser *from, size_t t)
{
    json_reader *json = &from->json;
    if (skip_null(from))
        return;
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        char *end = NULL;
        const long rank = json->status == SCOPE_OK ? strtol(json->text.bytes, &end, 10) : 0;
        if (json->status == SCOPE_OK &&
            (end == json->text.bytes || *end || rank < 0 || rank >= MOST_RANKS))
            reader_fail(json, "'%.40s' is not a rank", json->text.bytes);
        reader_begin(json, '[');
        while (reader_next(json, ']'))
            read_row(from, &json_lane_tables[t], &from->rows[t], (int32_t)rank);
    }
}

static void read_own(parser *from)
{
    json_reader *json = &from->json;
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        size_t t = 0;
        while (t < JSON_OWN_TABLES && !reader_is(json, json_own_tables[t].key))
            t++;
        if (t < JSON_OWN_TABLES) {
            from->has_folded |= json_own_tables[t].rows_offset == offsetof(scope_calls, sums);
            reader_begin(json, '[');
            while (reader_next(json, ']'))
                read_row(from, &json_own_tables[t], &from->rows[JSON_LANE_TABLES + t], -1);
        } else if (reader_is(json, "topology")) {
            reader_copy(json);
            from->calls->topology = keep(from, &json->raw);
        } else {
            reader_skip(json);
        }
    }
}

/* ---- the whole ---- */

static void read_version(parser *from)
{
    int64_t version = 0;
    reader_integer(&from->json, &version);
    if (version > JSON_FORMAT_VERSION)
        fail(from, SCOPE_ERR_VERSION,
             "its JSON profile format is version %" PRId64 ", this package reads up to version %d; "
             "upgrade scope-profiler",
             version, JSON_FORMAT_VERSION);
}

static void read_document(parser *from)
{
    json_reader *json = &from->json;
    if (reader_peek(json) != '{' && json->status == SCOPE_OK) {
        const int byte = reader_peek(json);
        if (byte == '[' || byte == '"' || byte == '-' || (byte >= '0' && byte <= '9'))
            fail(from, SCOPE_ERR_CORRUPT, "not a scope-profiler JSON profile");
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
            read_metadata(from);
        } else if (reader_is(json, "regions")) {
            read_regions(from);
        } else if (reader_is(json, json_lane_tables[JSON_THREADS].key)) {
            read_lanes(from, JSON_THREADS);
        } else if (reader_is(json, json_lane_tables[JSON_TASKS].key)) {
            read_lanes(from, JSON_TASKS);
        } else if (reader_is(json, "scope")) {
            read_own(from);
        } else {
            reader_skip(json);
        }
    }
    reader_end(json);
    if (json->status == SCOPE_OK && !from->has_format)
        fail(from, SCOPE_ERR_CORRUPT, "not a scope-profiler JSON profile");
}

static int compare_regions(const void *left, const void *right)
{
    const parsed_region *a = left, *b = right;
    return a->pair.rank != b->pair.rank
               ? (a->pair.rank > b->pair.rank) - (a->pair.rank < b->pair.rank)
               : (a->order > b->order) - (a->order < b->order);
}

static void see_rank(int32_t *rank, void *context)
{
    int64_t *known = context;
    *known = *rank >= *known ? (int64_t)*rank + 1 : *known;
}

/* Columns that any region has, for all; `spent` values are freed on the way. */
static void join_columns(parser *from)
{
    scope_calls *calls = from->calls;
    unsigned present = 0;
    for (size_t i = 0; i < from->count; i++)
        present |= from->regions[i].present;
    calls->start_ns = scope_calls_alloc(calls, calls->count, sizeof(int64_t));
    calls->duration_ns = scope_calls_alloc(calls, calls->count, sizeof(int64_t));
    if (!calls->start_ns || !calls->duration_ns) {
        fail_memory(from);
        return;
    }
    for (size_t i = 0; i < from->count; i++) {
        const parsed_region *region = &from->regions[i];
        if (!region->starts.count)
            continue;
        memcpy(calls->start_ns + region->pair.first, region->starts.values,
               region->starts.count * sizeof(int64_t));
        memcpy(calls->duration_ns + region->pair.first, region->ends.values,
               region->starts.count * sizeof(int64_t));
    }
    for (size_t c = 0; c < JSON_COLUMNS; c++) {
        const json_field *field = &json_columns[c];
        const size_t bytes = json_cell_bytes(field->cell);
        char *column = present & 1u << c ? scope_calls_alloc(calls, calls->count, bytes) : NULL;
        if (!(present & 1u << c))
            continue;
        if (!column) {
            fail_memory(from);
            return;
        }
        *(void **)(void *)((char *)calls + field->offset) = column;
        for (size_t i = 0; i < from->count; i++) {
            parsed_region *region = &from->regions[i];
            const int has = region->present >> c & 1;
            char *at = column + region->pair.first * bytes;
            for (size_t k = 0; k < region->starts.count; k++, at += bytes)
                set_integer(at, field->cell, has ? region->columns[c].values[k] : field->missing);
            free(region->columns[c].values);
            region->columns[c] = (integers){0};
        }
    }
}

static void join_pairs(parser *from)
{
    scope_calls *calls = from->calls;
    int texts = 0, metadata = 0, events = 0, aggregates = 0;
    if (from->count > 1)
        qsort(from->regions, from->count, sizeof *from->regions, compare_regions);
    for (size_t i = 0; i < from->count; i++) {
        parsed_region *region = &from->regions[i];
        region->pair.first = calls->count;
        region->pair.count = region->starts.count;
        calls->count += region->starts.count;
        texts |= region->source_text.length_bytes > 0;
        metadata |= region->event_metadata.length_bytes > 2;
        events |= !region->has_sum;
        aggregates += region->has_sum;
    }
    calls->pairs = scope_calls_alloc(calls, from->count, sizeof *calls->pairs);
    if (texts)
        calls->source_texts = scope_calls_alloc(calls, from->count, sizeof(scope_string));
    if (metadata)
        calls->event_metadata = scope_calls_alloc(calls, from->count, sizeof(scope_string));
    if (!from->has_folded && aggregates)
        calls->sums = scope_calls_alloc(calls, (size_t)aggregates, sizeof *calls->sums);
    if (!calls->pairs || (texts && !calls->source_texts) || (metadata && !calls->event_metadata) ||
        (!from->has_folded && aggregates && !calls->sums)) {
        fail_memory(from);
        return;
    }
    from->is_aggregate = aggregates && !events;
    for (size_t i = 0; i < from->count; i++) {
        parsed_region *region = &from->regions[i];
        if (region->has_sum && !from->has_folded) {
            region->sum.rank = region->pair.rank;
            region->sum.region = region->pair.region;
            calls->sums[calls->sum_count++] = region->sum;
        }
        if (region->has_sum && region->pair.exclusive_ns < 0)
            region->pair.exclusive_ns = region->sum.exclusive_ns;
        calls->pairs[calls->pair_count++] = region->pair;
        if (texts)
            calls->source_texts[i] = region->source_text;
        if (metadata)
            calls->event_metadata[i] = region->event_metadata;
    }
}

/* One row per region and rank: regions of a rank are looked up by it. */
static void check_pairs(parser *from)
{
    const scope_calls *calls = from->calls;
    int32_t *last = malloc((calls->region_count + 1) * sizeof *last);
    if (!last)
        fail_memory(from);
    for (size_t i = 0; last && i < calls->region_count; i++)
        last[i] = -1;
    for (size_t i = 0; last && i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        if (last[pair->region] == pair->rank)
            fail(from, SCOPE_ERR_CORRUPT, "region '%.80s' is there twice for rank %d",
                 calls->regions[pair->region].name.bytes, (int)pair->rank);
        last[pair->region] = pair->rank;
    }
    free(last);
    for (uint64_t i = 0; calls->mpi_comms && i < calls->count; i++)
        if (calls->mpi_comms[i] >= 0 && (size_t)calls->mpi_comms[i] >= calls->communicator_count)
            fail(from, SCOPE_ERR_CORRUPT, "a call names a communicator that is not in the file");
}

static int64_t metadata_time(const scope_calls *calls, const char *key, int64_t otherwise)
{
    const scope_metadata_row *row = scope_calls_metadata(calls, key);
    return row && row->kind == SCOPE_VALUE_INTEGER && row->integer > 0 ? row->integer : otherwise;
}

static void place_times(scope_calls *calls)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (uint64_t i = 0; i < calls->count; i++) {
        const int64_t end =
            (int64_t)((uint64_t)calls->start_ns[i] + (uint64_t)calls->duration_ns[i]);
        first = calls->start_ns[i] < first ? calls->start_ns[i] : first;
        last = end > last ? end : last;
    }
    calls->start_time_ns = metadata_time(calls, "start_time_ns", calls->count ? first : 0);
    calls->end_time_ns =
        metadata_time(calls, "finalize_time_ns", calls->count ? last : calls->start_time_ns);
    for (size_t t = 0; t < JSON_LANE_TABLES; t++) {
        const json_table *table = &json_lane_tables[t];
        char *rows = *(char **)(void *)((char *)calls + table->rows_offset);
        const size_t count = *(size_t *)(void *)((char *)calls + table->count_offset);
        for (size_t f = 0; f < table->field_count; f++)
            for (size_t i = 0; table->fields[f].cell == JSON_RELATIVE && i < count; i++) {
                char *at = rows + i * table->row_bytes + table->fields[f].offset;
                int64_t time;
                memcpy(&time, at, sizeof time);
                if (time != -1)
                    time = (int64_t)((uint64_t)time + (uint64_t)calls->start_time_ns);
                memcpy(at, &time, sizeof time);
            }
    }
}

static void finish(parser *from)
{
    scope_calls *calls = from->calls;
    join_pairs(from);
    if (from->json.status == SCOPE_OK)
        join_columns(from);
    if (from->json.status == SCOPE_OK)
        check_pairs(from);
    if (from->json.status != SCOPE_OK)
        return;
    int64_t ranks = from->num_ranks > 0 && from->num_ranks < MOST_RANKS ? from->num_ranks : 0;
    scope_calls_each_rank(calls, see_rank, &ranks);
    calls->rank_count = (int32_t)ranks;
    place_times(calls);
    for (size_t i = 0; i < calls->pair_count; i++)
        scope_calls_statistics(calls, &calls->pairs[i]);
    if (!from->is_aggregate)
        return;
    scope_calls *sums = NULL; /* what was read as folded calls are all there are */
    if (scope_calls_aggregate(calls, 1, &sums) != SCOPE_OK)
        fail_memory(from);
    scope_calls_free(from->calls);
    from->calls = sums;
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
            fail_memory(&from);
        else
            read_document(&from);
        if (from.json.status == SCOPE_OK)
            finish(&from);
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
