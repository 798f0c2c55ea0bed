/* parcel.c - see parcel.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "parcel.h"

#include <stdlib.h>
#include <string.h>

#include <scope/version.h>

#include "message.h"
#include "metadata.h"

/* The same in every process of one build. */
static uint64_t check(void)
{
    return scope_metadata_hash(SCOPE_VERSION, strlen(SCOPE_VERSION)) ^ sizeof(scope_plan) << 32 ^
           SCOPE_FORMAT_VERSION << 16 ^ scope_column_count;
}

/* ---- in ---- */

static scope_status put(scope_buffer *to, const void *bytes, size_t length, scope_status status)
{
    return status == SCOPE_OK ? scope_buffer_append(to, bytes, length) : status;
}

static scope_status put_string(scope_buffer *to, scope_string string, scope_status status)
{
    status = put(to, &string.length_bytes, sizeof string.length_bytes, status);
    return put(to, string.bytes, (size_t)string.length_bytes, status);
}

scope_status scope_parcel_pack(const scope_plan *plan, const scope_calls *calls,
                               const scope_strings *names, const scope_pieces *pieces,
                               scope_buffer *packed)
{
    const uint64_t magic = check(), count = names->count, rows = calls->metadata_count;
    const int64_t realtime_ns = calls->rank_row_count ? calls->ranks[0].realtime_ns : 0;
    const uint64_t bytes = count ? names->ends[count - 1] : 0;
    scope_status status = put(packed, &magic, sizeof magic, SCOPE_OK);
    status = put(packed, plan, sizeof *plan, status);
    status = put(packed, &count, sizeof count, status);
    status = put(packed, names->ends, (size_t)count * sizeof *names->ends, status);
    status = put_string(packed, (scope_string){names->bytes, bytes}, status);
    status = put_string(packed, calls->topology, status);
    status = put(packed, &realtime_ns, sizeof realtime_ns, status);
    status = put(packed, &rows, sizeof rows, status);
    for (size_t i = 0; i < calls->metadata_count; i++) {
        const scope_metadata_row *row = &calls->metadata[i];
        const int64_t fixed[2] = {row->kind, row->integer};
        status = put(packed, fixed, sizeof fixed, status);
        status = put_string(packed, row->key, status);
        status = put_string(packed, row->text, status);
    }
    const uint64_t piece_count = pieces ? pieces->count : 0;
    status = put(packed, &piece_count, sizeof piece_count, status);
    if (!pieces)
        return status;
    status = put_string(packed, (scope_string){pieces->index, strlen(pieces->index)}, status);
    status = put_string(packed, (scope_string){pieces->what, strlen(pieces->what)}, status);
    status = put(packed, pieces->rows, pieces->count * sizeof *pieces->rows, status);
    return status;
}

/* ---- out ---- */

typedef struct opened { /* what is left of a parcel */
    const char *at;
    size_t left;
    bool bad; /* it ended too early, or there was no memory */
} opened;

static const void *take(opened *from, uint64_t length)
{
    static const char nothing[sizeof(scope_plan)];
    const char *at = from->at;
    from->bad |= length > from->left;
    if (from->bad)
        return nothing;
    from->at += length;
    from->left -= (size_t)length;
    return at;
}

static uint64_t take_number(opened *from)
{
    uint64_t number;
    memcpy(&number, take(from, sizeof number), sizeof number);
    return number;
}

static scope_string take_string(opened *from, scope_calls *calls)
{
    const uint64_t length = take_number(from);
    const char *bytes = take(from, length);
    return from->bad ? (scope_string){"", 0} : scope_calls_string(calls, bytes, length);
}

static void take_names(opened *from, scope_strings *names)
{
    const uint64_t count = take_number(from);
    const void *ends = take(from, count <= from->left ? count * sizeof *names->ends : UINT64_MAX);
    const uint64_t length = take_number(from);
    const void *bytes = take(from, length);
    if (from->bad)
        return;
    *names = (scope_strings){malloc((size_t)length + 1),
                             malloc((size_t)(count + 1) * sizeof *names->ends), 0};
    from->bad = !names->bytes || !names->ends;
    if (from->bad)
        return;
    memcpy(names->bytes, bytes, (size_t)length);
    memcpy(names->ends, ends, (size_t)count * sizeof *names->ends);
    names->count = (size_t)count;
    for (uint64_t i = 0, start = 0; i < count; start = names->ends[i++])
        from->bad |= names->ends[i] < start || names->ends[i] > length;
}

static void take_metadata(opened *from, scope_calls *calls)
{
    const uint64_t count = take_number(from);
    from->bad |= count > from->left;
    calls->metadata =
        from->bad ? NULL : scope_calls_alloc(calls, (size_t)count + 1, sizeof *calls->metadata);
    from->bad |= !calls->metadata;
    for (uint64_t i = 0; !from->bad && i < count; i++) {
        scope_metadata_row *row = &calls->metadata[calls->metadata_count++];
        row->kind = (scope_value_kind)take_number(from);
        row->integer = (int64_t)take_number(from);
        row->key = take_string(from, calls);
        row->text = take_string(from, calls);
    }
}

static void take_pieces(opened *from, scope_calls *calls, scope_pieces *pieces)
{
    const uint64_t count = take_number(from);
    if (from->bad || !count)
        return;
    pieces->index = take_string(from, calls).bytes;
    pieces->what = take_string(from, calls).bytes;
    const void *rows = take(from, count <= from->left ? count * sizeof *pieces->rows : UINT64_MAX);
    scope_piece *copy = from->bad ? NULL : scope_calls_alloc(calls, (size_t)count, sizeof *copy);
    from->bad |= !copy;
    if (copy)
        memcpy(copy, rows, (size_t)count * sizeof *copy);
    pieces->rows = copy;
    pieces->count = copy ? (size_t)count : 0;
}

scope_status scope_parcel_unpack(const void *bytes, size_t length_bytes, scope_plan *plan,
                                 scope_calls **calls, scope_strings *names, scope_pieces *pieces)
{
    opened from = {bytes, length_bytes, false};
    *names = (scope_strings){NULL, NULL, 0};
    *pieces = (scope_pieces){"", "", NULL, 0};
    *calls = NULL;
    if (take_number(&from) != check())
        return scope_fail(SCOPE_ERR_CORRUPT, "the plan of the file is of another version");
    memcpy(plan, take(&from, sizeof *plan), sizeof *plan);
    if (scope_calls_new(calls) != SCOPE_OK)
        return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    take_names(&from, names);
    (*calls)->topology = take_string(&from, *calls);
    (*calls)->ranks = scope_calls_alloc(*calls, 1, sizeof *(*calls)->ranks);
    if (!(*calls)->ranks)
        return scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    (*calls)->rank_row_count = 1;
    (*calls)->ranks[0].realtime_ns = (int64_t)take_number(&from);
    take_metadata(&from, *calls);
    take_pieces(&from, *calls, pieces);
    return from.bad || from.left ? scope_fail(SCOPE_ERR_CORRUPT, "the plan of the file is damaged")
                                 : SCOPE_OK;
}
