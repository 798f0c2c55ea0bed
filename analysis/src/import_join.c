/* import_join.c - regions as they were read become the pairs and columns of a table.
 *
 * Sorted by rank, columns put together, lane times made absolute.
 *
 * SPDX-License-Identifier: MIT
 */
#include "import_json.h"

#include <stdlib.h>
#include <string.h>

#include <scope/check.h>
#include <scope/wrap.h>

static int compare_regions(const void *left, const void *right)
{
    const parsed_region *a = left, *b = right;
    return a->pair.rank != b->pair.rank
               ? (a->pair.rank > b->pair.rank) - (a->pair.rank < b->pair.rank)
               : (a->order > b->order) - (a->order < b->order);
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
        import_fail_memory(from);
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
        const scope_field *field = &json_columns[c];
        const size_t bytes = scope_cell_memory_bytes(field->cell);
        char *column = present & 1u << c ? scope_calls_alloc(calls, calls->count, bytes) : NULL;
        if (!(present & 1u << c))
            continue;
        if (!column) {
            import_fail_memory(from);
            return;
        }
        *scope_column_of(calls, field) = column;
        for (size_t i = 0; i < from->count; i++) {
            parsed_region *region = &from->regions[i];
            const int has = region->present >> c & 1;
            char *at = column + region->pair.first * bytes;
            for (size_t k = 0; k < region->starts.count; k++, at += bytes)
                scope_cell_set(at, field->cell,
                               has ? region->columns[c].values[k] : field->missing);
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
        import_fail_memory(from);
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

/* Order and size of the table: what is wrong has no place in the file any more. */
static void check(parser *from)
{
    scope_calls *calls = from->calls;
    char why[SCOPE_WHY_BYTES];
    scope_status status = scope_calls_check(calls, why);
    if (status == SCOPE_OK)
        status = scope_calls_check_times(calls, why);
    if (status == SCOPE_OK)
        status = scope_calls_order(calls);
    if (status == SCOPE_ERR_MEMORY)
        import_fail_memory(from);
    else if (status != SCOPE_OK)
        import_fail(from, status, "%s", why);
}

static int64_t metadata_time(const scope_calls *calls, const char *key, int64_t otherwise)
{
    const scope_metadata_row *row = scope_calls_metadata(calls, key);
    return row && row->kind == SCOPE_VALUE_INTEGER && row->integer > 0 ? row->integer : otherwise;
}

/* Times of lanes were read as they are in the file. */
static void make_absolute(scope_calls *calls, const scope_row_table *table)
{
    const scope_row_kind *kind = &table->kind;
    char *row = *scope_rows_of(calls, table);
    for (size_t i = 0; i < *scope_row_count_of(calls, table); i++, row += kind->row_bytes)
        for (size_t f = 0; f < kind->field_count; f++) {
            int64_t time;
            if (kind->fields[f].meaning != SCOPE_IS_RELATIVE)
                continue;
            memcpy(&time, row + kind->fields[f].offset, sizeof time);
            if (time != -1)
                time = wrap_add(time, calls->start_time_ns);
            memcpy(row + kind->fields[f].offset, &time, sizeof time);
        }
}

static void place_times(scope_calls *calls)
{
    int64_t first, last;
    scope_calls_span(calls, &first, &last);
    calls->start_time_ns = metadata_time(calls, "start_time_ns", first);
    calls->end_time_ns =
        metadata_time(calls, "finalize_time_ns", calls->count ? last : calls->start_time_ns);
    for (size_t t = 0; t < JSON_LANE_TABLES; t++)
        make_absolute(calls, json_lane_tables[t].rows);
}

void import_join(parser *from)
{
    scope_calls *calls = from->calls;
    join_pairs(from);
    if (from->json.status == SCOPE_OK)
        join_columns(from);
    if (from->num_ranks > 0 && from->num_ranks <= SCOPE_RANKS_MAX)
        calls->rank_count = (int32_t)from->num_ranks;
    if (from->json.status == SCOPE_OK)
        check(from);
    if (from->json.status != SCOPE_OK)
        return;
    place_times(calls);
    for (size_t i = 0; i < calls->pair_count; i++)
        scope_calls_statistics(calls, &calls->pairs[i]);
    if (!from->is_aggregate)
        return;
    scope_calls *sums = NULL; /* what was read as folded calls are all there are */
    if (scope_calls_aggregate(calls, 1, &sums) != SCOPE_OK)
        import_fail_memory(from);
    scope_calls_free(from->calls);
    from->calls = sums;
}
