/* text.c - see text.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/utf8.h>

size_t scope_text_display(const char *bytes, uint64_t length_bytes, char *out)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *in = (const unsigned char *)bytes;
    size_t length = 0;
    for (uint64_t i = 0; i < length_bytes;) {
        uint32_t code;
        const size_t step =
            in[i] ? scope_utf8_character(in + i, length_bytes - i, &code) : 0;
        if (step) {
            if (out)
                memcpy(out + length, in + i, step);
            length += step;
            i += step;
            continue;
        }
        if (out) {
            out[length] = '\\';
            out[length + 1] = 'x';
            out[length + 2] = digits[in[i] >> 4];
            out[length + 3] = digits[in[i] & 15];
        }
        length += 4;
        i++;
    }
    return length;
}

void scope_strings_free(scope_strings *strings)
{
    free(strings->bytes);
    free(strings->ends);
    memset(strings, 0, sizeof *strings);
}

const char *scope_text_display_name(const scope_strings *display, size_t index)
{
    return display->bytes + (index ? display->ends[index - 1] + 1 : 0);
}

/* A set of displayed names: open addressing, index + 1 in each slot. */
typedef struct name_set {
    uint32_t *slots;
    size_t mask;
} name_set;

static uint64_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* The slot that holds this text, or the free one where it belongs. */
static uint32_t *slot_of(const name_set *set, const scope_strings *display, const char *text)
{
    for (size_t at = hash_of(text);; at++) {
        uint32_t *slot = &set->slots[at & set->mask];
        if (!*slot || strcmp(scope_text_display_name(display, *slot - 1), text) == 0)
            return slot;
    }
}

scope_status scope_text_display_names(const scope_strings *names, scope_strings *display)
{
    enum { SUFFIX_ROOM = 24 }; /* " (18446744073709551615)" */
    const size_t count = names->count;
    memset(display, 0, sizeof *display);
    uint64_t bytes = 1;
    for (size_t i = 0; i < count; i++) {
        const uint64_t start = i ? names->ends[i - 1] : 0;
        bytes +=
            scope_text_display(names->bytes + start, names->ends[i] - start, NULL) + SUFFIX_ROOM;
    }
    name_set set = {NULL, 15};
    while (set.mask < count * 2)
        set.mask = set.mask * 2 + 1;
    set.slots = calloc(set.mask + 1, sizeof *set.slots);
    display->bytes = malloc(bytes);
    display->ends = malloc((count + 1) * sizeof *display->ends);
    if (!set.slots || !display->bytes || !display->ends || count >= UINT32_MAX) {
        free(set.slots);
        scope_strings_free(display);
        return SCOPE_ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t start = i ? names->ends[i - 1] : 0;
        const uint64_t at = i ? display->ends[i - 1] + 1 : 0;
        char *text = display->bytes + at;
        const size_t length =
            scope_text_display(names->bytes + start, names->ends[i] - start, text);
        text[length] = '\0';
        display->ends[i] = at + length;
        uint32_t *slot = slot_of(&set, display, text);
        for (uint64_t copy = 2; *slot; copy++) {
            display->ends[i] =
                at + length +
                (uint64_t)snprintf(text + length, SUFFIX_ROOM, " (%llu)", (unsigned long long)copy);
            slot = slot_of(&set, display, text);
        }
        *slot = (uint32_t)i + 1;
        display->count = i + 1;
    }
    free(set.slots);
    return SCOPE_OK;
}
