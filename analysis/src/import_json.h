/* import_json.h - what the reading of JSON and the making of a table share.
 *
 *     import_json.c     the document, its regions, numbers and texts
 *     import_tables.c   metadata, lanes and what lies under "scope"
 *     import_join.c     regions as they were read -> pairs and columns
 *
 * Ownership  strings and rows go into the table's memory; import_json.c frees the rest.
 * Threads    none.
 * Errors     in from->json.status, with its message; every step does nothing after one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_IMPORT_JSON_H
#define SCOPE_IMPORT_JSON_H

#include "json_layout.h"
#include "json_reader.h"

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

void import_fail_memory(parser *from);

/* Wrong as a whole: no place in the file. */
void import_fail(parser *from, scope_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

scope_string import_keep(parser *from, const reader_text *text);
scope_string import_text(parser *from);

/* Python writes None where nothing is known: was there one? */
int import_skip_null(parser *from);

/* The row of a region, which is made at the first call. */
uint32_t import_region_row(parser *from, const reader_text *name);

/* An array of numbers for such cells; `missing` for null. */
void import_integers(parser *from, integers *into, scope_cell cell, int64_t missing);

/* Can such a cell hold the number? */
void import_check_cell(parser *from, scope_cell cell, int64_t value);

/* import_tables.c: values of these members. */
void import_metadata(parser *from);
void import_lanes(parser *from, size_t table);
void import_own(parser *from);

/* import_join.c: from->calls gets pairs and columns; or from->json.status says why not. */
void import_join(parser *from);

#endif
