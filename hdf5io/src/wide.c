/* wide.c - columns of long text, variable-length in the file; see relay.h.
 *
 *     packed: per row  uint64 length | displayed text | NUL
 *
 * SPDX-License-Identifier: MIT
 */
#include "relay.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "text.h"

scope_status scope_wide_pack(const scope_rows *rows, size_t column, scope_buffer *packed)
{
    const size_t count = scope_rows_count(rows, scope_columns[column].table);
    scope_status status = SCOPE_OK;
    for (size_t row = 0; status == SCOPE_OK && row < count; row++) {
        const scope_string text = scope_rows_text(rows, column, row);
        const uint64_t length = scope_text_display(text.bytes, text.length_bytes, NULL);
        char *shown = malloc(length + 1);
        status = shown ? scope_buffer_append(packed, &length, sizeof length)
                       : scope_fail(SCOPE_ERR_MEMORY, "out of memory");
        if (status == SCOPE_OK) {
            scope_text_display(text.bytes, text.length_bytes, shown);
            shown[length] = '\0';
            status = scope_buffer_append(packed, shown, length + 1);
        }
        free(shown);
    }
    return status;
}

static int write_batch(scope_taker *taker, const char **texts, hsize_t count)
{
    const hsize_t first = taker->next_row;
    const hid_t type = scope_text_type(0), space = H5Dget_space(taker->dataset);
    const hid_t memory = H5Screate_simple(1, &count, NULL);
    const int failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &count, NULL) < 0 ||
                       H5Dwrite(taker->dataset, type, memory, space, H5P_DEFAULT, texts) < 0;
    H5Sclose(memory);
    H5Sclose(space);
    H5Tclose(type);
    taker->next_row += count;
    return failed;
}

static size_t use_texts(scope_taker *taker, int last)
{
    enum { BATCH = 65536 };
    const scope_buffer *waiting = &taker->waiting;
    if (!last && waiting->length < SCOPE_SLAB_BYTES)
        return 0;
    const char **texts = malloc(BATCH * sizeof *texts);
    size_t used = 0, count = 0;
    int failed = !texts;
    while (!failed) {
        uint64_t length;
        const int whole = waiting->length - used >= sizeof length &&
                          (memcpy(&length, waiting->bytes + used, sizeof length),
                           length < waiting->length - used - sizeof length);
        if (!whole || count == BATCH) {
            failed = count && write_batch(taker, texts, count);
            count = 0;
            if (!whole)
                break;
        }
        texts[count++] = waiting->bytes + used + sizeof length;
        used += sizeof length + length + 1;
    }
    free(texts);
    if (failed)
        taker->status = scope_fail(SCOPE_ERR_IO, "cannot write %s: %s",
                                   scope_columns[taker->column].path, scope_h5_reason());
    return used;
}

scope_status scope_wide_begin(hid_t file, const scope_plan *plan, size_t column,
                              scope_taker **taker)
{
    return scope_taker_new(file, plan, column, use_texts, taker);
}
