/* report_matrix.c - which rank sent how much to which, for people.
 *
 * As many ranks as fit are rows and columns. Of more, ranks are taken together: those of a node,
 * else those that follow each other; and the pairs with most bytes are listed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "view_comm.h"

enum { COLUMNS = 22, CELL = 7, LABEL = 8, BLOCKS = 8, TITLE_BYTES = 16 };

typedef struct groups { /* of ranks: what is one row and one column */
    int32_t *of_rank;
    size_t count;
    char labels[COLUMNS][64]; /* of rows */
    char titles[COLUMNS][TITLE_BYTES];
    bool single; /* each is one rank */
} groups;

typedef enum value { BYTES, MESSAGES, REMOTE } value;

/* "1.2K", at most five columns; by 1024 for bytes, else by 1000. */
static const char *short_number(double number, double base, char *out)
{
    static const char units[] = " KMGTPE";
    size_t i = 0;
    while (number >= 999.5 && units[i + 1]) {
        number /= base;
        i++;
    }
    if (i == 0)
        snprintf(out, TEXT_BYTES, "%.0f", number);
    else
        snprintf(out, TEXT_BYTES, number < 9.95 ? "%.1f%c" : "%.0f%c", number, units[i]);
    return out;
}

static int64_t value_of(const view_comm_pair *pair, value what)
{
    return what == BYTES      ? view_comm_bytes(pair)
           : what == MESSAGES ? view_comm_count(pair)
                              : pair->remote_bytes;
}

static bool has_value(const view_comm_pair *pair, value what)
{
    return what == REMOTE ? pair->remote_count > 0 : view_comm_count(pair) > 0;
}

/* ---- groups ---- */

static size_t columns_that_fit(void)
{
    const size_t width = style_width();
    const size_t columns = width ? (width > LABEL ? (width - LABEL) / CELL : 1) : COLUMNS;
    return columns < 2 ? 2 : columns > COLUMNS ? COLUMNS : columns;
}

static void group_by_rank(groups *groups, int32_t rank_count)
{
    groups->single = true;
    for (int32_t rank = 0; rank < rank_count; rank++) {
        groups->of_rank[rank] = rank;
        snprintf(groups->labels[rank], sizeof *groups->labels, "%d", (int)rank);
        snprintf(groups->titles[rank], sizeof *groups->titles, "%d", (int)rank);
    }
    groups->count = (size_t)rank_count;
}

static void group_in_blocks(groups *groups, int32_t rank_count, size_t fit)
{
    const int32_t blocks = fit < BLOCKS ? (int32_t)fit : BLOCKS;
    const int32_t size = (rank_count + blocks - 1) / blocks;
    for (int32_t rank = 0; rank < rank_count; rank++)
        groups->of_rank[rank] = rank / size;
    groups->count = (size_t)((rank_count + size - 1) / size);
    for (size_t i = 0; i < groups->count; i++) {
        const int32_t first = (int32_t)i * size;
        const int32_t last = first + size < rank_count ? first + size - 1 : rank_count - 1;
        snprintf(groups->titles[i], sizeof *groups->titles, "%c", (int)('A' + i));
        snprintf(groups->labels[i], sizeof *groups->labels, "%c  %d-%d", (int)('A' + i), (int)first,
                 (int)last);
    }
}

/* false: some rank's host is not known, or there are too many, or one. */
static bool group_by_node(groups *groups, const scope_calls *calls, size_t most)
{
    const scope_string *hosts[COLUMNS];
    int32_t told = 0;
    for (int32_t rank = 0; rank < calls->rank_count; rank++)
        groups->of_rank[rank] = -1;
    groups->count = 0;
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        const scope_rank_row *row = &calls->ranks[i];
        size_t at = 0;
        if (row->rank < 0 || row->rank >= calls->rank_count || !row->host.length_bytes ||
            groups->of_rank[row->rank] >= 0)
            continue;
        while (at < groups->count &&
               (hosts[at]->length_bytes != row->host.length_bytes ||
                memcmp(hosts[at]->bytes, row->host.bytes, row->host.length_bytes) != 0))
            at++;
        if (at == groups->count) {
            if (at == most)
                return false;
            char *name = text_name(row->host.bytes, row->host.length_bytes);
            snprintf(groups->titles[at], sizeof *groups->titles, "%c", (int)('A' + at));
            snprintf(groups->labels[at], sizeof *groups->labels, "%c  %.40s", (int)('A' + at),
                     name ? name : "?");
            free(name);
            hosts[groups->count++] = &row->host;
        }
        groups->of_rank[row->rank] = (int32_t)at;
        told++;
    }
    return told == calls->rank_count && groups->count > 1;
}

/* ---- tables ---- */

static void matrix(const view_comm *comm, const groups *groups, value what, const char *heading,
                   FILE *out)
{
    const size_t count = groups->count;
    double *cells = calloc(count * count, sizeof *cells);
    bool *any = calloc(count * count, sizeof *any);
    char text[TEXT_BYTES];
    report_heading(out, heading);
    for (size_t i = 0; cells && any && i < comm->pair_count; i++) {
        const view_comm_pair *pair = &comm->pairs[i];
        const size_t at =
            (size_t)groups->of_rank[pair->from] * count + (size_t)groups->of_rank[pair->to];
        cells[at] += (double)value_of(pair, what);
        any[at] = any[at] || has_value(pair, what);
    }
    table *table = table_new();
    table_column(table, groups->single ? "rank" : "ranks",
                 groups->single ? 0 : TABLE_LEFT | TABLE_SHRINK);
    for (size_t i = 0; i < count; i++)
        table_column(table, groups->titles[i], 0);
    for (size_t row = 0; cells && any && row < count; row++) {
        table_cell(table, groups->labels[row]);
        for (size_t i = 0; i < count; i++)
            table_cell(table, any[row * count + i]
                                  ? short_number(cells[row * count + i],
                                                 what == MESSAGES ? 1000 : 1024, text)
                                  : "-");
    }
    table_print(table, out);
    free(cells);
    free(any);
}

static int most_bytes_first(const void *a, const void *b)
{
    const view_comm_pair *x = *(const view_comm_pair *const *)a,
                         *y = *(const view_comm_pair *const *)b;
    if (view_comm_bytes(x) != view_comm_bytes(y))
        return view_comm_bytes(x) < view_comm_bytes(y) ? 1 : -1;
    if (view_comm_count(x) != view_comm_count(y))
        return view_comm_count(x) < view_comm_count(y) ? 1 : -1;
    return x < y ? -1 : x > y;
}

static void list_pairs(const view_comm *comm, int64_t limit, FILE *out)
{
    const view_comm_pair **rows = malloc((comm->pair_count + 1) * sizeof *rows);
    size_t count = 0;
    double all = 0;
    char text[TEXT_BYTES];
    for (size_t i = 0; rows && i < comm->pair_count; i++)
        if (view_comm_count(&comm->pairs[i])) {
            rows[count++] = &comm->pairs[i];
            all += (double)view_comm_bytes(&comm->pairs[i]);
        }
    if (count) {
        qsort(rows, count, sizeof *rows, most_bytes_first);
        report_heading(out, "Pairs of ranks");
        table *table = table_new();
        table_column(table, "from", 0);
        table_column(table, "to", 0);
        table_column(table, "messages", 0);
        table_column(table, "bytes  ", 0);
        table_column(table, "per message", 0);
        table_column(table, "share", 0);
        for (size_t i = 0; i < count && (int64_t)i < limit; i++) {
            const double messages = (double)view_comm_count(rows[i]),
                         bytes = (double)view_comm_bytes(rows[i]);
            table_cell(table, text_count(rows[i]->from, text));
            table_cell(table, text_count(rows[i]->to, text));
            table_cell(table, text_count(view_comm_count(rows[i]), text));
            table_cell(table, text_bytes(bytes, text));
            table_cell(table, text_bytes(bytes / messages, text));
            table_cell(table, text_percent(all > 0 ? bytes / all : -1, text));
        }
        table_print(table, out);
        report_more(out, (int64_t)count - limit, "pair");
    }
    free(rows);
}

void report_matrix(const view *view, int64_t limit, FILE *out)
{
    const view_comm *comm = view->comm;
    const scope_calls *calls = view->calls;
    const size_t fit = columns_that_fit();
    bool messages = false, remote = false;
    groups *groups = calloc(1, sizeof *groups);
    if (groups)
        groups->of_rank = malloc(((size_t)calls->rank_count + 1) * sizeof *groups->of_rank);
    if (!groups || !groups->of_rank) {
        free(groups);
        return;
    }
    for (size_t i = 0; i < comm->pair_count; i++) {
        messages = messages || has_value(&comm->pairs[i], MESSAGES);
        remote = remote || has_value(&comm->pairs[i], REMOTE);
    }
    if ((size_t)calls->rank_count <= fit)
        group_by_rank(groups, calls->rank_count);
    else if (!group_by_node(groups, calls, fit))
        group_in_blocks(groups, calls->rank_count, fit);
    if (!messages) {
        report_heading(out, "Messages between ranks");
        fputs("none\n", out);
    } else {
        matrix(comm, groups, BYTES, "Bytes from row to column", out);
        matrix(comm, groups, MESSAGES, "Messages from row to column", out);
    }
    if (remote)
        matrix(comm, groups, REMOTE, "Bytes of one-sided calls of row on column", out);
    if (!groups->single)
        list_pairs(comm, limit, out);
    free(groups->of_rank);
    free(groups);
}
