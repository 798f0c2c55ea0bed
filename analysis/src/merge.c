/* merge.c - the tables of several ranks or runs as one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/check.h>
#include <scope/fields.h>

#include <stdlib.h>
#include <string.h>

#include "ranks.h"

#define NONE UINT32_MAX

typedef struct merge_state {
    scope_calls *to;
    scope_calls *const *parts;
    size_t part_count;
    uint32_t **region_of; /* per part: row of `to` of each of its regions */
    uint32_t *slots;      /* names to rows: open addressing */
    size_t slot_count;
} merge_state;

/* ---- regions by name ---- */

static uint64_t hash(scope_string text)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < text.length_bytes; i++)
        value = (value ^ (unsigned char)text.bytes[i]) * UINT64_C(0x100000001b3);
    return value ^ value >> 32;
}

static int same(scope_string a, scope_string b)
{
    return a.length_bytes == b.length_bytes &&
           (a.length_bytes == 0 || memcmp(a.bytes, b.bytes, (size_t)a.length_bytes) == 0);
}

static scope_string copy(scope_calls *to, scope_string text)
{
    return scope_calls_string(to, text.bytes, text.length_bytes);
}

static scope_status unify_regions(merge_state *merge)
{
    size_t count = 0;
    for (size_t p = 0; p < merge->part_count; p++)
        count += merge->parts[p]->region_count;
    merge->slot_count = 16;
    while (merge->slot_count < count * 2)
        merge->slot_count *= 2;
    merge->slots = malloc(merge->slot_count * sizeof *merge->slots);
    merge->region_of = calloc(merge->part_count + 1, sizeof *merge->region_of);
    merge->to->regions = scope_calls_alloc(merge->to, count, sizeof *merge->to->regions);
    if (!merge->slots || !merge->region_of || !merge->to->regions)
        return SCOPE_ERR_MEMORY;
    memset(merge->slots, 0xff, merge->slot_count * sizeof *merge->slots);
    for (size_t p = 0; p < merge->part_count; p++) {
        const scope_calls *part = merge->parts[p];
        merge->region_of[p] = malloc((part->region_count + 1) * sizeof(uint32_t));
        if (!merge->region_of[p])
            return SCOPE_ERR_MEMORY;
        for (size_t i = 0; i < part->region_count; i++) {
            const scope_string name = part->regions[i].name;
            size_t slot = (size_t)hash(name) & (merge->slot_count - 1);
            while (merge->slots[slot] != NONE &&
                   !same(merge->to->regions[merge->slots[slot]].name, name))
                slot = (slot + 1) & (merge->slot_count - 1);
            if (merge->slots[slot] == NONE) {
                merge->slots[slot] = (uint32_t)merge->to->region_count;
                merge->to->regions[merge->to->region_count++].name = copy(merge->to, name);
            }
            merge->region_of[p][i] = merge->slots[slot];
        }
    }
    return SCOPE_OK;
}

/* ---- columns ---- */

static scope_status make_columns(merge_state *merge)
{
    for (size_t p = 0; p < merge->part_count; p++)
        merge->to->count += merge->parts[p]->count;
    for (size_t c = 0; c < SCOPE_CALL_COLUMNS; c++) {
        const scope_field *column = &scope_call_columns[c];
        int wanted = c < 2; /* start and duration always */
        for (size_t p = 0; p < merge->part_count; p++)
            wanted |= *scope_column_of(merge->parts[p], column) != NULL;
        if (!wanted)
            continue;
        void *fresh = scope_calls_alloc(merge->to, merge->to->count,
                                        scope_cell_memory_bytes(column->cell));
        if (!fresh)
            return SCOPE_ERR_MEMORY;
        *scope_column_of(merge->to, column) = fresh;
    }
    return SCOPE_OK;
}

/* Rows [from, from + count) of a part to row `at` of the merged table. */
static void copy_rows(const merge_state *merge, const scope_calls *part, uint64_t from,
                      uint64_t at, uint64_t count, int32_t communicators_before)
{
    for (size_t c = 0; c < SCOPE_CALL_COLUMNS; c++) {
        const scope_field *column = &scope_call_columns[c];
        const size_t size = scope_cell_memory_bytes(column->cell);
        char *to = *scope_column_of(merge->to, column);
        const char *source = *scope_column_of(part, column);
        if (!to || !count)
            continue;
        if (source)
            memcpy(to + at * size, source + from * size, (size_t)count * size);
        else /* 0 or -1: all bytes alike */
            memset(to + at * size, column->missing ? 0xff : 0, (size_t)count * size);
    }
    if (part->mpi_comms)
        for (uint64_t row = at; row < at + count; row++)
            if (merge->to->mpi_comms[row] >= 0)
                merge->to->mpi_comms[row] += communicators_before;
}

/* The messages of rows [from, from + count): rows are copied in order, so theirs stay in order. */
static void copy_messages(const merge_state *merge, const scope_calls *part, uint64_t from,
                          uint64_t at, uint64_t count, int32_t communicators_before)
{
    size_t i = scope_calls_first_message(part, from);
    for (; i < part->message_count && part->messages[i].row - from < count; i++) {
        scope_message_row *row = &merge->to->messages[merge->to->message_count++];
        *row = part->messages[i];
        row->row = row->row - from + at;
        if (row->communicator >= 0)
            row->communicator += communicators_before;
    }
}

static scope_status copy_pairs(merge_state *merge, const rank_part *ranks, size_t rank_count)
{
    scope_calls *to = merge->to;
    size_t pairs = 0, messages = 0;
    int metadata = 0, texts = 0;
    for (size_t p = 0; p < merge->part_count; p++) {
        pairs += merge->parts[p]->pair_count;
        messages += merge->parts[p]->message_count;
        metadata |= merge->parts[p]->event_metadata != NULL;
        texts |= merge->parts[p]->source_texts != NULL;
    }
    int32_t *before = calloc(merge->part_count + 1, sizeof *before);
    size_t *next = calloc(merge->part_count + 1, sizeof *next); /* pair per part */
    to->pairs = scope_calls_alloc(to, pairs, sizeof *to->pairs);
    to->messages = scope_calls_alloc(to, messages, sizeof *to->messages);
    if (metadata)
        to->event_metadata = scope_calls_alloc(to, pairs, sizeof *to->event_metadata);
    if (texts)
        to->source_texts = scope_calls_alloc(to, pairs, sizeof *to->source_texts);
    if (!before || !next || !to->pairs || !to->messages || (metadata && !to->event_metadata) ||
        (texts && !to->source_texts)) {
        free(before);
        free(next);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t p = 0; p < merge->part_count; p++)
        before[p + 1] = before[p] + (int32_t)merge->parts[p]->communicator_count;
    uint64_t at = 0;
    for (size_t r = 0; r < rank_count; r++) {
        const size_t p = ranks[r].part;
        const scope_calls *part = merge->parts[p];
        for (; next[p] < part->pair_count && part->pairs[next[p]].rank == ranks[r].rank;
             next[p]++) {
            const size_t i = next[p], row = to->pair_count++;
            const scope_pair *pair = &part->pairs[i];
            const uint64_t rows = scope_calls_pair_rows(part, pair);
            copy_rows(merge, part, pair->first, at, rows, before[p]);
            copy_messages(merge, part, pair->first, at, rows, before[p]);
            to->pairs[row] = *pair;
            if (!to->is_aggregate)
                to->pairs[row].count = rows;
            to->pairs[row].region = merge->region_of[p][pair->region];
            to->pairs[row].first = to->is_aggregate ? 0 : at;
            to->pairs[row].source_file = copy(to, pair->source_file);
            to->pairs[row].tags = copy(to, pair->tags);
            if (metadata)
                to->event_metadata[row] = part->event_metadata
                                              ? copy(to, part->event_metadata[i])
                                              : (scope_string){"[]", 2};
            if (texts && part->source_texts)
                to->source_texts[row] = copy(to, part->source_texts[i]);
            else if (texts)
                to->source_texts[row] = (scope_string){"", 0};
            at += rows;
        }
    }
    to->count = at;
    free(before);
    free(next);
    return SCOPE_OK;
}

/* ---- the other tables ---- */

/* A row that was copied bitwise: its strings become the merged table's own, its region the one
 * there. */
static void take_row(const merge_state *merge, size_t part, const scope_row_kind *kind, char *row)
{
    for (size_t f = 0; f < kind->field_count; f++) {
        char *at = row + kind->fields[f].offset;
        if (kind->fields[f].cell == SCOPE_CELL_TEXT) {
            const scope_string text = copy(merge->to, *(const scope_string *)(void *)at);
            memcpy(at, &text, sizeof text);
        } else if (kind->fields[f].meaning == SCOPE_IS_REGION) {
            uint32_t region;
            memcpy(&region, at, sizeof region);
            memcpy(at, &merge->region_of[part][region], sizeof region);
        }
    }
}

/* All rows of one table, part after part. */
static scope_status copy_table(const merge_state *merge, const scope_row_table *table)
{
    const size_t row_bytes = table->kind.row_bytes;
    size_t all = 0;
    for (size_t p = 0; p < merge->part_count; p++)
        all += *scope_row_count_of(merge->parts[p], table);
    char *row = all ? scope_calls_alloc(merge->to, all, row_bytes) : NULL;
    if (!row)
        return all ? SCOPE_ERR_MEMORY : SCOPE_OK;
    *scope_rows_of(merge->to, table) = row;
    *scope_row_count_of(merge->to, table) = all;
    for (size_t p = 0; p < merge->part_count; p++) {
        const size_t count = *scope_row_count_of(merge->parts[p], table);
        if (count)
            memcpy(row, *scope_rows_of(merge->parts[p], table), count * row_bytes);
        for (size_t i = 0; i < count; i++, row += row_bytes)
            take_row(merge, p, &table->kind, row);
    }
    return SCOPE_OK;
}

/* Messages went with their rows. */
static scope_status copy_tables(const merge_state *merge)
{
    scope_status status = SCOPE_OK;
    for (size_t t = 0; status == SCOPE_OK && t < SCOPE_ROW_TABLES; t++)
        if (t != SCOPE_ROWS_MESSAGES)
            status = copy_table(merge, &scope_row_tables[t]);
    return status;
}

static int rank_rows_by_rank(const void *a, const void *b)
{
    const scope_rank_row *x = a, *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Metadata: the first part's; start and end: those of all. */
static scope_status copy_frame(merge_state *merge)
{
    scope_calls *to = merge->to;
    for (size_t p = 0; p < merge->part_count; p++) {
        const scope_calls *part = merge->parts[p];
        if (p == 0 || part->start_time_ns < to->start_time_ns)
            to->start_time_ns = part->start_time_ns;
        if (p == 0 || part->end_time_ns > to->end_time_ns)
            to->end_time_ns = part->end_time_ns;
        if (part->rank_count > to->rank_count)
            to->rank_count = part->rank_count;
        if (!to->topology.length_bytes)
            to->topology = copy(to, part->topology);
    }
    const scope_calls *first = merge->parts[0];
    to->metadata = scope_calls_alloc(to, first->metadata_count, sizeof *to->metadata);
    if (!to->metadata)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < first->metadata_count; i++) {
        to->metadata[i] = first->metadata[i];
        to->metadata[i].key = copy(to, first->metadata[i].key);
        to->metadata[i].text = copy(to, first->metadata[i].text);
        to->metadata_count++;
    }
    return SCOPE_OK;
}

scope_status scope_calls_merge(scope_calls *const *parts, size_t part_count, scope_calls **merged)
{
    merge_state merge = {.parts = parts, .part_count = part_count};
    rank_part *ranks = NULL;
    size_t rank_count = 0;
    scope_collision collision;
    if (!part_count)
        return SCOPE_ERR_ARGUMENT;
    scope_status status = scope_calls_new(&merge.to);
    if (status != SCOPE_OK)
        return status;
    merge.to->is_aggregate = 1; /* if all are; beside others their sums are folded calls */
    for (size_t p = 0; p < part_count; p++)
        merge.to->is_aggregate &= parts[p]->is_aggregate;
    status = ranks_list(parts, part_count, &ranks, &rank_count, &collision);
    if (status == SCOPE_OK)
        status = unify_regions(&merge);
    if (status == SCOPE_OK)
        status = make_columns(&merge);
    if (status == SCOPE_OK)
        status = copy_pairs(&merge, ranks, rank_count);
    if (status == SCOPE_OK)
        status = copy_tables(&merge);
    if (status == SCOPE_OK)
        status = copy_frame(&merge);
    if (status == SCOPE_OK && merge.to->rank_row_count)
        qsort(merge.to->ranks, merge.to->rank_row_count, sizeof *merge.to->ranks,
              rank_rows_by_rank);
    if (status == SCOPE_OK)
        status = scope_calls_order(merge.to);
    for (size_t p = 0; merge.region_of && p < part_count; p++)
        free(merge.region_of[p]);
    free(merge.region_of);
    free(merge.slots);
    free(ranks);
    if (status != SCOPE_OK) {
        scope_calls_free(merge.to);
        return status;
    }
    *merged = merge.to;
    return SCOPE_OK;
}
