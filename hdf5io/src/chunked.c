/* chunked.c - event columns in chunks, compressed or not: rank 0 stores them.
 *
 * The file has chunks of a fixed number of rows, whoever's rows they are. With gzip a
 * rank deflates the chunks that are all its own; of a chunk that it shares with
 * others it sends its rows as they are, and rank 0 puts the chunk together. Without,
 * or with a filter that only HDF5 has, all rows go to rank 0 as they are.
 *
 *     packed: per piece  header | bytes      chunks of the file, ascending
 *
 * Shuffle and deflate are done here as HDF5's filters would do them, so that
 * H5Dwrite_chunk stores what every HDF5 reads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "relay.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "filter.h"
#include "message.h"

typedef struct piece_header {
    uint64_t first_row; /* in the file */
    uint32_t row_count;
    uint32_t length_bytes;
    uint32_t deflated; /* a whole chunk; else rows */
    uint32_t reserved;
} piece_header;

static size_t chunk_rows(const scope_plan *plan)
{
    return (size_t)plan->chunk_rows;
}

/* Shuffle, deflate and append the rows of one chunk, padded to its full size. */
static scope_status deflate_chunk(const scope_plan *plan, size_t column, const void *cells,
                                  size_t row_count, scope_buffer *out)
{
    const size_t cell = scope_plan_row_bytes(plan, column), rows = chunk_rows(plan),
                 bytes = rows * cell;
    unsigned char *shuffled = calloc(rows, cell);
    uLongf length = compressBound(bytes);
    unsigned char *packed = malloc(length);
    scope_status status = scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    if (shuffled && packed) {
        const unsigned char *in = cells;
        for (size_t byte = 0; byte < cell; byte++)
            for (size_t row = 0; row < row_count; row++)
                shuffled[byte * rows + row] = in[row * cell + byte];
        if (compress2(packed, &length, shuffled, bytes, plan->filter_level) == Z_OK)
            status = scope_buffer_append(out, packed, length);
    }
    free(packed);
    free(shuffled);
    return status;
}

static scope_status pack_piece(const scope_plan *plan, size_t column, const void *cells,
                               uint64_t first, size_t count, scope_buffer *packed)
{
    const uint64_t total = plan->total[SCOPE_TABLE_EVENTS];
    const int whole = plan->filter == SCOPE_FILTER_GZIP && first % chunk_rows(plan) == 0 &&
                      (count == chunk_rows(plan) || first + count == total);
    piece_header header = {first, (uint32_t)count, 0, (uint32_t)whole, 0};
    const size_t at = packed->length;
    scope_status status = scope_buffer_append(packed, &header, sizeof header);
    if (status == SCOPE_OK)
        status =
            whole ? deflate_chunk(plan, column, cells, count, packed)
                  : scope_buffer_append(packed, cells, count * scope_plan_row_bytes(plan, column));
    if (status == SCOPE_OK) {
        header.length_bytes = (uint32_t)(packed->length - at - sizeof header);
        memcpy(packed->bytes + at, &header, sizeof header);
    }
    return status;
}

scope_status scope_chunked_pack(const scope_rows *rows, const scope_plan *plan, size_t column,
                                scope_buffer *packed)
{
    const uint64_t before = plan->before[SCOPE_TABLE_EVENTS], end = before + rows->calls.count;
    const size_t per_chunk = chunk_rows(plan);
    char *room = malloc(per_chunk * scope_plan_row_bytes(plan, column));
    scope_status status = room ? SCOPE_OK : scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    for (uint64_t row = before; status == SCOPE_OK && row < end;) {
        const uint64_t border = (row / per_chunk + 1) * per_chunk;
        const size_t count = (size_t)((border < end ? border : end) - row);
        const void *cells =
            scope_rows_encode(rows, plan, column, (size_t)(row - before), count, room);
        status = pack_piece(plan, column, cells, row, count, packed);
        row += count;
    }
    free(room);
    return status;
}

static int store_chunk(scope_taker *taker, uint64_t first, const void *bytes, size_t length)
{
    const hsize_t offset = first;
    return H5Dwrite_chunk(taker->dataset, H5P_DEFAULT, 0, &offset, length, bytes) < 0;
}

/* Through HDF5's own filters, if there are any. */
static int write_rows(scope_taker *taker, uint64_t first, uint64_t count)
{
    const hsize_t start = first, rows = count;
    const hid_t type = scope_cell_type(scope_columns[taker->column].file, 0);
    const hid_t memory = H5Screate_simple(1, &rows, NULL), space = H5Dget_space(taker->dataset);
    const int failed =
        space < 0 || H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &rows, NULL) < 0 ||
        H5Dwrite(taker->dataset, type, memory, space, H5P_DEFAULT, taker->chunk.bytes) < 0;
    if (space >= 0)
        H5Sclose(space);
    H5Sclose(memory);
    H5Tclose(type);
    return failed;
}

/* Rows of a shared chunk: keep them until the chunk is complete. */
static int take_rows(scope_taker *taker, const piece_header *header, const char *bytes)
{
    const scope_plan *plan = taker->plan;
    const size_t cell = scope_plan_row_bytes(plan, taker->column), per_chunk = chunk_rows(plan);
    if (scope_buffer_append(&taker->chunk, bytes, header->length_bytes) != SCOPE_OK)
        return 1;
    const uint64_t end = header->first_row + header->row_count;
    if (end % per_chunk && end != plan->total[SCOPE_TABLE_EVENTS])
        return 0;
    const size_t rows = taker->chunk.length / cell;
    scope_buffer packed = {0};
    int failed = rows > per_chunk;
    if (!failed && plan->filter != SCOPE_FILTER_GZIP)
        failed = write_rows(taker, end - rows, rows);
    else
        failed =
            failed ||
            deflate_chunk(plan, taker->column, taker->chunk.bytes, rows, &packed) != SCOPE_OK ||
            store_chunk(taker, end - rows, packed.bytes, packed.length);
    free(packed.bytes);
    taker->chunk.length = 0;
    return failed;
}

static size_t use_pieces(scope_taker *taker, int last)
{
    (void)last;
    const scope_buffer *waiting = &taker->waiting;
    size_t used = 0;
    piece_header header;
    while (waiting->length - used >= sizeof header) {
        memcpy(&header, waiting->bytes + used, sizeof header);
        if (waiting->length - used - sizeof header < header.length_bytes)
            break;
        const char *bytes = waiting->bytes + used + sizeof header;
        if (header.first_row != taker->next_row ||
            (header.deflated ? store_chunk(taker, header.first_row, bytes, header.length_bytes)
                             : take_rows(taker, &header, bytes))) {
            taker->status = scope_fail(SCOPE_ERR_IO, "cannot write %s: %s",
                                       scope_columns[taker->column].path, scope_h5_reason());
            break;
        }
        taker->next_row += header.row_count;
        used += sizeof header + header.length_bytes;
    }
    return used;
}

scope_status scope_chunked_begin(hid_t file, const scope_plan *plan, size_t column,
                                 scope_taker **taker)
{
    return scope_taker_new(file, plan, column, use_pieces, taker);
}
