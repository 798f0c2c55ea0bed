/* virtual.c - see virtual.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "virtual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

char *scope_piece_name(const char *index, const char *what, int32_t leader)
{
    char *name = NULL;
    const char *slash = strrchr(index, '/'), *file = slash ? slash + 1 : index;
    const char *dot = strchr(file + (*file == '.'), '.');
    const int stem = (int)(dot ? (size_t)(dot - index) : strlen(index));
    return asprintf(&name, "%.*s.%s%d%s", stem, index, what, (int)leader, dot ? dot : "") < 0
               ? NULL
               : name;
}

const char *scope_virtual_source(const scope_plan *plan, size_t column)
{
    const char *path = scope_columns[column].path, *name = strrchr(path, '/');
    const size_t group = strlen(SCOPE_GROUP_OF_JOB);
    for (size_t i = 0; i < scope_column_count; i++)
        if (plan->present[column] &&
            strncmp(scope_columns[i].path, SCOPE_GROUP_OF_JOB, group) == 0 &&
            strcmp(scope_columns[i].path + group, name) == 0)
            return scope_columns[i].path;
    return path;
}

/* HDF5 takes "%b" in a name for the number of a block. */
static char *escaped(const char *name)
{
    char *text = malloc(2 * strlen(name) + 1), *to = text;
    for (const char *at = name; to && *at; at++) {
        if (*at == '%')
            *to++ = '%';
        *to++ = *at;
    }
    if (to)
        *to = '\0';
    return text;
}

static int map_piece(hid_t list, hid_t space, hsize_t at, const scope_piece *piece,
                     const char *file, const char *dataset)
{
    const hsize_t first = piece->first, rows = piece->rows, total = piece->total;
    const hid_t source = H5Screate_simple(1, &total, NULL);
    const int failed = source < 0 ||
                       H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &rows, NULL) < 0 ||
                       H5Sselect_hyperslab(source, H5S_SELECT_SET, &first, NULL, &rows, NULL) < 0 ||
                       H5Pset_virtual(list, space, file, dataset, source) < 0;
    if (source >= 0)
        H5Sclose(source);
    return failed;
}

/* Neighbours in the index that are neighbours in their file are one. */
static scope_piece joined(const scope_pieces *pieces, size_t *at)
{
    scope_piece piece = pieces->rows[(*at)++];
    for (; *at < pieces->count; ++*at) {
        const scope_piece *next = &pieces->rows[*at];
        if (next->rows && piece.rows &&
            (next->leader != piece.leader || next->first != piece.first + piece.rows))
            break;
        if (!piece.rows)
            piece = *next;
        else
            piece.rows += next->rows;
    }
    return piece;
}

scope_status scope_virtual_storage(const scope_plan *plan, size_t column,
                                   const scope_pieces *pieces, hid_t *list)
{
    const char *slash = strrchr(pieces->index, '/'), *dataset = scope_virtual_source(plan, column);
    const hsize_t total = plan->total[SCOPE_TABLE_EVENTS];
    const hid_t space = H5Screate_simple(1, &total, NULL);
    hsize_t row = 0;
    *list = H5Pcreate(H5P_DATASET_CREATE);
    int failed = *list < 0 || space < 0;
    for (size_t i = 0; !failed && i < pieces->count;) {
        const scope_piece piece = joined(pieces, &i);
        char *name =
            scope_piece_name(slash ? slash + 1 : pieces->index, pieces->what, piece.leader);
        char *file = name ? escaped(name) : NULL;
        failed = !file || (piece.rows && map_piece(*list, space, row, &piece, file, dataset));
        row += piece.rows;
        free(file);
        free(name);
    }
    if (space >= 0)
        H5Sclose(space);
    if (!failed && row == total)
        return SCOPE_OK;
    return scope_fail(SCOPE_ERR_IO, "cannot map %s: %s", scope_columns[column].path,
                      failed ? scope_h5_reason() : "rows of a rank are missing");
}
