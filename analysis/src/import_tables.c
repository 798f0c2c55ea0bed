/* import_tables.c - metadata, lanes and the other tables of a JSON profile.
 *
 * SPDX-License-Identifier: MIT
 */
#include "import_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
                import_fail_memory(from);
        }
        if (json->status == SCOPE_OK &&
            !reader_append(&all, json->text.bytes, strlen(json->text.bytes) + 1))
            import_fail_memory(from);
    }
    if (json->status == SCOPE_OK &&
        scope_calls_set_text(from->calls, key, all.bytes ? all.bytes : "", (int64_t)all.length) !=
            SCOPE_OK)
        import_fail_memory(from);
    free(all.bytes);
    const scope_metadata_row *row = scope_calls_metadata(from->calls, key);
    if (row)
        from->calls->metadata[row - from->calls->metadata].kind = SCOPE_VALUE_TEXTS;
}

/* 0: not an integer, or one that is too large for one. */
static int is_integer(const reader_text *text, int64_t *value)
{
    for (size_t i = 0; i < text->length; i++)
        if ((text->bytes[i] < '0' || text->bytes[i] > '9') && (i || text->bytes[i] != '-'))
            return 0;
    errno = 0;
    *value = text->length ? strtoll(text->bytes, NULL, 10) : 0;
    return text->length && errno == 0;
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
        int64_t value;
        status = is_integer(&json->raw, &value)
                     ? scope_calls_set_integer(from->calls, key, value)
                     : scope_calls_set_text(from->calls, key, json->raw.bytes,
                                            (int64_t)json->raw.length);
    }
    if (status != SCOPE_OK)
        import_fail_memory(from);
}

void import_metadata(parser *from)
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
            import_fail_memory(from);
        free(key);
    }
}

/* ---- tables ---- */

static void read_histogram(parser *from, char *at)
{
    integers values = {0};
    import_integers(from, &values, SCOPE_CELL_HISTOGRAM, 0);
    for (size_t i = 0; i < SCOPE_HISTOGRAM_LENGTH && i < values.count; i++)
        ((uint32_t *)(void *)at)[i] = (uint32_t)values.values[i];
    free(values.values);
}

static void read_field(parser *from, const scope_field *field, char *row)
{
    json_reader *json = &from->json;
    char *at = row + field->offset;
    if (import_skip_null(from))
        return;
    if (field->cell == SCOPE_CELL_TEXT) {
        const scope_string text = import_text(from);
        memcpy(at, &text, sizeof text);
    } else if (field->meaning == SCOPE_IS_REGION) {
        reader_string(json);
        const uint32_t region = import_region_row(from, &json->text);
        memcpy(at, &region, sizeof region);
    } else if (field->cell == SCOPE_CELL_F64) {
        reader_copy(json);
        const double number = json->status == SCOPE_OK ? strtod(json->raw.bytes, NULL) : 0;
        memcpy(at, &number, sizeof number);
    } else if (field->cell == SCOPE_CELL_HISTOGRAM) {
        read_histogram(from, at);
    } else {
        const int byte = reader_peek(json);
        int64_t value = byte == 't';
        if (byte == 't' || byte == 'f')
            reader_skip(json);
        else
            reader_integer(json, &value);
        if (field->meaning == SCOPE_IS_RANK && (value < 0 || value >= SCOPE_RANKS_MAX))
            reader_fail(json, "%" PRId64 " is not a rank", value);
        import_check_cell(from, field->cell, value);
        scope_cell_set(at, field->cell, value);
    }
}

/* Room for one row more; NULL: no memory. */
static char *add_row(parser *from, const scope_row_table *table, size_t *capacity)
{
    void **rows = scope_rows_of(from->calls, table);
    const size_t count = *scope_row_count_of(from->calls, table);
    const size_t row_bytes = table->kind.row_bytes;
    if (count == *capacity) {
        const size_t room = *capacity * 2 + 16;
        char *more = scope_calls_alloc(from->calls, room, row_bytes);
        if (!more)
            return NULL;
        if (count)
            memcpy(more, *rows, count * row_bytes);
        *rows = more;
        *capacity = room;
    }
    return (char *)*rows + count * row_bytes;
}

/* One object more in the table; `rank` -1: it has a member of its own. */
static void read_row(parser *from, const json_table *table, size_t *capacity, int32_t rank)
{
    json_reader *json = &from->json;
    const scope_field *fields = json_fields(table);
    const size_t field_count = json_field_count(table);
    char *row = add_row(from, table->rows, capacity);
    if (!row) {
        import_fail_memory(from);
        return;
    }
    scope_row_clear(&table->rows->kind, row);
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        size_t i = 0;
        while (i < field_count && !reader_is(json, fields[i].name))
            i++;
        if (i < field_count)
            read_field(from, &fields[i], row);
        else
            reader_skip(json);
    }
    if (rank >= 0)
        memcpy(row + table->rows->kind.fields[0].offset, &rank, sizeof rank);
    ++*scope_row_count_of(from->calls, table->rows);
}

void import_lanes(parser *from, size_t t)
{
    json_reader *json = &from->json;
    if (import_skip_null(from))
        return;
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        char *end = NULL;
        const long rank = json->status == SCOPE_OK ? strtol(json->text.bytes, &end, 10) : 0;
        if (json->status == SCOPE_OK &&
            (end == json->text.bytes || *end || rank < 0 || rank >= SCOPE_RANKS_MAX))
            reader_fail(json, "'%.40s' is not a rank", json->text.bytes);
        reader_begin(json, '[');
        while (reader_next(json, ']'))
            read_row(from, &json_lane_tables[t], &from->rows[t], (int32_t)rank);
    }
}

void import_own(parser *from)
{
    json_reader *json = &from->json;
    reader_begin(json, '{');
    while (reader_next(json, '}')) {
        reader_key(json);
        size_t t = 0;
        while (t < JSON_OWN_TABLES && !reader_is(json, json_own_tables[t].key))
            t++;
        if (t < JSON_OWN_TABLES) {
            from->has_folded |= json_own_tables[t].rows == &scope_row_tables[SCOPE_ROWS_SUMS];
            reader_begin(json, '[');
            while (reader_next(json, ']'))
                read_row(from, &json_own_tables[t], &from->rows[JSON_LANE_TABLES + t], -1);
        } else if (reader_is(json, "topology")) {
            reader_copy(json);
            from->calls->topology = import_keep(from, &json->raw);
        } else {
            reader_skip(json);
        }
    }
}
