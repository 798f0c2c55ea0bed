/* ranks.c - of which ranks and hosts a table has rows.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/fields.h>

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "ranks.h"

void scope_calls_each_rank(scope_calls *calls, void (*visit)(int32_t *rank, void *context),
                           void *context)
{
    for (size_t i = 0; i < calls->pair_count; i++)
        visit(&calls->pairs[i].rank, context);
    for (size_t t = 0; t < SCOPE_ROW_TABLES; t++) {
        const scope_row_kind *kind = &scope_row_tables[t].kind;
        char *row = *scope_rows_of(calls, &scope_row_tables[t]);
        for (size_t i = *scope_row_count_of(calls, &scope_row_tables[t]); i; i--) {
            visit((int32_t *)(void *)(row + kind->fields[0].offset), context);
            row += kind->row_bytes;
        }
    }
}

/* ---- who has which rank ---- */

typedef struct rank_list {
    rank_part *rows;
    size_t count, room, part;
    int failed;
} rank_list;

/* Rows of one rank lie together mostly: only a change is noted. */
static void note_rank(int32_t *rank, void *context)
{
    rank_list *list = context;
    const rank_part row = {*rank, list->part};
    if (list->failed || (list->count && list->rows[list->count - 1].rank == row.rank &&
                         list->rows[list->count - 1].part == row.part))
        return;
    rank_part *rows = array_grown(list->rows, list->count, &list->room, sizeof *rows);
    if (rows) {
        list->rows = rows;
        rows[list->count++] = row;
    }
    list->failed = !rows;
}

static int by_rank(const void *a, const void *b)
{
    const rank_part *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

scope_status ranks_list(scope_calls *const *parts, size_t part_count, rank_part **rows,
                        size_t *count, scope_collision *collision)
{
    rank_list list = {0};
    scope_status status = SCOPE_OK;
    for (list.part = 0; list.part < part_count; list.part++)
        scope_calls_each_rank(parts[list.part], note_rank, &list);
    if (list.failed) {
        free(list.rows);
        return SCOPE_ERR_MEMORY;
    }
    if (list.count)
        qsort(list.rows, list.count, sizeof *list.rows, by_rank);
    size_t kept = 0;
    for (size_t i = 0; i < list.count && status == SCOPE_OK; i++) {
        const rank_part *last = kept ? &list.rows[kept - 1] : NULL;
        if (!last || last->rank != list.rows[i].rank) {
            list.rows[kept++] = list.rows[i];
        } else if (last->part != list.rows[i].part) {
            *collision = (scope_collision){last->rank, last->part, list.rows[i].part};
            status = SCOPE_ERR_ARGUMENT;
        }
    }
    *rows = list.rows;
    *count = kept;
    return status;
}

scope_status scope_calls_distinct(scope_calls *const *parts, size_t part_count,
                                  scope_collision *collision)
{
    rank_part *rows = NULL;
    size_t count;
    const scope_status status = ranks_list(parts, part_count, &rows, &count, collision);
    free(rows);
    return status;
}

/* ---- hosts ---- */

static int compare_hosts(const scope_string *a, const scope_string *b)
{
    if (a->length_bytes != b->length_bytes)
        return a->length_bytes < b->length_bytes ? -1 : 1;
    return a->length_bytes ? memcmp(a->bytes, b->bytes, (size_t)a->length_bytes) : 0;
}

static int by_host(const void *a, const void *b)
{
    return compare_hosts(*(const scope_string *const *)a, *(const scope_string *const *)b);
}

int64_t scope_calls_host_count(const scope_calls *calls)
{
    int64_t count = 0;
    size_t used = 0;
    const scope_string **hosts = malloc((calls->rank_row_count + 1) * sizeof *hosts);
    if (!hosts)
        return 0;
    for (size_t i = 0; i < calls->rank_row_count; i++)
        if (calls->ranks[i].host.length_bytes)
            hosts[used++] = &calls->ranks[i].host;
    qsort(hosts, used, sizeof *hosts, by_host);
    for (size_t i = 0; i < used; i++)
        count += i == 0 || compare_hosts(hosts[i - 1], hosts[i]) != 0;
    free(hosts);
    return count;
}
