/* relay.c - see relay.h: the part that wide text and compressed columns share.
 *
 * SPDX-License-Identifier: MIT
 */
#include "relay.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

scope_status scope_buffer_append(scope_buffer *buffer, const void *bytes, size_t length)
{
    if (buffer->room - buffer->length < length) {
        size_t room = buffer->room ? buffer->room : 4096;
        while (room - buffer->length < length)
            room *= 2;
        char *grown = realloc(buffer->bytes, room);
        if (!grown)
            return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
        buffer->bytes = grown;
        buffer->room = room;
    }
    if (length)
        memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    return SCOPE_OK;
}

scope_status scope_taker_new(hid_t file, const scope_plan *plan, size_t column,
                             size_t (*use)(scope_taker *, int), scope_taker **out)
{
    const char *path = scope_columns[column].path;
    scope_taker *taker = calloc(1, sizeof *taker);
    if (!taker)
        return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    taker->plan = plan;
    taker->column = column;
    taker->use = use;
    taker->dataset = H5Dopen2(file, path, H5P_DEFAULT);
    if (taker->dataset < 0) {
        free(taker);
        return scope_fail(SCOPE_ERR_IO, "cannot open %s: %s", path, scope_h5_reason());
    }
    *out = taker;
    return SCOPE_OK;
}

static void use_waiting(scope_taker *taker, int last)
{
    scope_buffer *waiting = &taker->waiting;
    const size_t used = taker->status == SCOPE_OK ? taker->use(taker, last) : waiting->length;
    memmove(waiting->bytes, waiting->bytes + used, waiting->length - used);
    waiting->length -= used;
}

scope_status scope_taker_take(void *context, int32_t rank, const void *bytes, size_t length_bytes)
{
    scope_taker *taker = context;
    (void)rank;
    if (taker->status == SCOPE_OK && length_bytes) {
        taker->status = scope_buffer_append(&taker->waiting, bytes, length_bytes);
        use_waiting(taker, 0);
    }
    return SCOPE_OK;
}

scope_status scope_taker_end(scope_taker *taker)
{
    const scope_column *column = &scope_columns[taker->column];
    if (taker->waiting.length)
        use_waiting(taker, 1);
    if (taker->status == SCOPE_OK &&
        (taker->waiting.length || taker->next_row != taker->plan->total[column->table]))
        taker->status = scope_fail(SCOPE_ERR_RANK, "%s: rows of a rank are missing", column->path);
    const scope_status status = taker->status;
    H5Dclose(taker->dataset);
    free(taker->waiting.bytes);
    free(taker->chunk.bytes);
    free(taker);
    return status;
}
