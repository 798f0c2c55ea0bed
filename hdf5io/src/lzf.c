/* lzf.c - see lzf.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lzf.h"

#include <stdlib.h>
#include <string.h>

#include "filter.h"

#define TABLE_BITS 13
#define LONGEST_COPY 264 /* 7 + 255 + 2 */
#define FARTHEST 8192
#define LONGEST_RUN 32

/* ---- the bytes ---- */

static size_t place_of(const uint8_t *at)
{
    const uint32_t three = (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    return (three * UINT32_C(2654435761)) >> (32 - TABLE_BITS);
}

typedef struct packed {
    uint8_t *at, *end;
} packed;

static int put_run(packed *to, const uint8_t *from, size_t length)
{
    while (length) {
        const size_t part = length < LONGEST_RUN ? length : LONGEST_RUN;
        if ((size_t)(to->end - to->at) < part + 1)
            return 0;
        *to->at++ = (uint8_t)(part - 1);
        memcpy(to->at, from, part);
        to->at += part;
        from += part;
        length -= part;
    }
    return 1;
}

static int put_copy(packed *to, size_t length, size_t back)
{
    const size_t code = length - 2, offset = back - 1;
    if (to->end - to->at < 3)
        return 0;
    *to->at++ = (uint8_t)((code < 7 ? code : 7) << 5 | offset >> 8);
    if (code >= 7)
        *to->at++ = (uint8_t)(code - 7);
    *to->at++ = (uint8_t)offset;
    return 1;
}

size_t scope_lzf_pack(const uint8_t *from, size_t length, uint8_t *to, size_t room)
{
    uint32_t seen[1 << TABLE_BITS] = {0}; /* where three bytes were last, plus 1 */
    const uint8_t *at = from, *run = from, *const end = from + length;
    packed out = {to, to + room};
    while (end - at >= 3) {
        uint32_t *slot = &seen[place_of(at)];
        const uint8_t *before = *slot ? from + *slot - 1 : NULL;
        *slot = (uint32_t)(at - from) + 1;
        if (!before || at - before > FARTHEST || memcmp(before, at, 3) != 0) {
            at++;
            continue;
        }
        size_t same = 3;
        while (same < LONGEST_COPY && at + same < end && before[same] == at[same])
            same++;
        if (!put_run(&out, run, (size_t)(at - run)) || !put_copy(&out, same, (size_t)(at - before)))
            return 0;
        at += same;
        run = at;
    }
    return put_run(&out, run, (size_t)(end - run)) ? (size_t)(out.at - to) : 0;
}

size_t scope_lzf_unpack(const uint8_t *from, size_t length, uint8_t *to, size_t room, int *is_short)
{
    const uint8_t *at = from, *const end = from + length;
    size_t used = 0;
    *is_short = 0;
    while (at < end) {
        const unsigned code = *at++;
        if (code < LONGEST_RUN) {
            const size_t run = code + 1;
            if ((size_t)(end - at) < run)
                return 0;
            *is_short = run > room - used;
            if (*is_short)
                return 0;
            memcpy(to + used, at, run);
            at += run;
            used += run;
            continue;
        }
        size_t count = code >> 5;
        if (count == 7 && at < end)
            count += *at++;
        if (at == end)
            return 0;
        const size_t back = ((code & 0x1f) << 8 | *at++) + 1;
        count += 2;
        *is_short = back <= used && count > room - used;
        if (back > used || *is_short)
            return 0;
        for (size_t i = 0; i < count; i++, used++) /* may read what it writes */
            to[used] = to[used - back];
    }
    return used;
}

/* ---- HDF5's filter ---- */

/* cd_values as h5py has them: revision of the filter, of LZF, bytes of a chunk. */
static herr_t set_local(hid_t list, hid_t type, hid_t space)
{
    hsize_t dims[H5S_MAX_RANK];
    const int rank = H5Pget_chunk(list, H5S_MAX_RANK, dims);
    uint64_t bytes = H5Tget_size(type);
    (void)space;
    for (int i = 0; i < rank; i++)
        bytes *= dims[i];
    const unsigned values[3] = {4, 0x0105, (unsigned)bytes};
    return rank <= 0 || !bytes || bytes > UINT32_MAX
               ? -1
               : H5Pmodify_filter(list, SCOPE_FILTER_ID_LZF, H5Z_FLAG_OPTIONAL, 3, values);
}

/* `room` bytes hold all of what is packed in *buffer; else more are tried. */
static size_t unpack(const void *from, size_t length, size_t room, void **to, size_t *to_bytes)
{
    const size_t most = length * LONGEST_COPY + 64; /* a copy takes two bytes at least */
    for (;;) {
        int is_short;
        uint8_t *larger = malloc(room);
        const size_t got = larger ? scope_lzf_unpack(from, length, larger, room, &is_short) : 0;
        if (got) {
            *to = larger;
            *to_bytes = room;
            return got;
        }
        free(larger);
        if (!larger || !is_short || room > most)
            return 0;
        room *= 2;
    }
}

static size_t filter(unsigned flags, size_t value_count, const unsigned values[], size_t length,
                     size_t *buffer_bytes, void **buffer)
{
    void *made = NULL;
    size_t made_bytes = length, got;
    if (flags & H5Z_FLAG_REVERSE) {
        const size_t room = value_count >= 3 && values[2] ? values[2] : *buffer_bytes;
        got = unpack(*buffer, length, room ? room : 1, &made, &made_bytes);
    } else {
        made = malloc(length ? length : 1); /* no shorter: HDF5 stores it as it is */
        got = made ? scope_lzf_pack(*buffer, length, made, length) : 0;
    }
    if (!got) {
        free(made);
        return 0;
    }
    free(*buffer);
    *buffer = made;
    *buffer_bytes = made_bytes;
    return got;
}

static const H5Z_class2_t filter_class = {
    .version = H5Z_CLASS_T_VERS,
    .id = SCOPE_FILTER_ID_LZF,
    .encoder_present = 1,
    .decoder_present = 1,
    .name = "lzf",
    .set_local = set_local,
    .filter = filter,
};

void scope_lzf_register(void)
{
    if (H5Zfilter_avail(SCOPE_FILTER_ID_LZF) <= 0)
        H5Zregister(&filter_class);
}
