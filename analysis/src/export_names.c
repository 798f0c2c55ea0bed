/* export_names.c - region names that stay different as text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/utf8.h>

typedef struct shown_name {
    scope_string text;
    size_t region;
} shown_name;

/* The name with each byte that is no UTF-8 as \xNN; NULL with *length 0: it has none. */
static char *as_text(const scope_string *name, size_t *length, int *failed)
{
    size_t strays = 0;
    uint32_t code;
    *length = 0;
    for (uint64_t i = 0, step; i < name->length_bytes; i += step ? step : 1)
        strays += !(step = scope_utf8_character(name->bytes + i, name->length_bytes - i, &code));
    char *text = strays ? malloc(name->length_bytes + 3 * strays + 1) : NULL;
    *failed |= strays && !text;
    for (uint64_t i = 0, step; text && i < name->length_bytes; i += step ? step : 1) {
        step = scope_utf8_character(name->bytes + i, name->length_bytes - i, &code);
        if (step)
            memcpy(text + *length, name->bytes + i, step);
        else
            snprintf(text + *length, 5, "\\x%02x", (unsigned char)name->bytes[i]);
        *length += step ? step : 4;
    }
    return text;
}

static int compare_texts(const void *a, const void *b)
{
    const scope_string *x = &((const shown_name *)a)->text, *y = &((const shown_name *)b)->text;
    const uint64_t shorter = x->length_bytes < y->length_bytes ? x->length_bytes : y->length_bytes;
    const int order = shorter ? memcmp(x->bytes, y->bytes, shorter) : 0;
    return order ? order
                 : (x->length_bytes > y->length_bytes) - (x->length_bytes < y->length_bytes);
}

static int compare_names(const void *a, const void *b)
{
    const size_t x = ((const shown_name *)a)->region, y = ((const shown_name *)b)->region;
    const int order = compare_texts(a, b);
    return order ? order : (x > y) - (x < y);
}

/* The texts that are there already get a number, the first that makes another of them. */
static scope_status number_repeated(const shown_name *shown, size_t count, char **numbered_names,
                                    export_names *names)
{
    unsigned long long copy = 2;
    for (size_t i = 1; i < count; i++) {
        const scope_string text = shown[i].text;
        const size_t room = text.length_bytes + 24; /* " (18446744073709551615)" */
        shown_name other;
        if (compare_texts(&shown[i - 1], &shown[i])) {
            copy = 2;
            continue;
        }
        char *numbered = malloc(room);
        if (!numbered)
            return SCOPE_ERR_MEMORY;
        if (text.length_bytes)
            memcpy(numbered, text.bytes, text.length_bytes);
        do {
            const int length = snprintf(numbered + text.length_bytes, 24, " (%llu)", copy++);
            other.text = (scope_string){numbered, text.length_bytes + (uint64_t)length};
        } while (bsearch(&other, shown, count, sizeof *shown, compare_texts));
        numbered_names[i] = numbered; /* the texts are looked up till the end */
        names->regions[shown[i].region].name = other.text;
    }
    return SCOPE_OK;
}

scope_status export_names_make(const scope_calls *calls, export_names *names)
{
    const size_t count = calls->region_count;
    scope_status status = SCOPE_ERR_MEMORY;
    size_t changed = 0;
    int failed = 0;
    *names = (export_names){malloc((count + 1) * sizeof *names->regions),
                            calloc(count + 1, sizeof *names->texts)};
    shown_name *shown = malloc((count + 1) * sizeof *shown);
    char **numbered = calloc(count + 1, sizeof *numbered);
    if (!names->regions || !names->texts || !shown || !numbered)
        goto done;
    for (size_t i = 0; i < count; i++) {
        size_t length;
        names->regions[i] = calls->regions[i];
        names->texts[i] = as_text(&calls->regions[i].name, &length, &failed);
        if (names->texts[i])
            names->regions[i].name = (scope_string){names->texts[i], length};
        changed += names->texts[i] != NULL;
        shown[i] = (shown_name){names->regions[i].name, i};
    }
    if (failed)
        goto done;
    status = SCOPE_OK;
    if (changed) {
        qsort(shown, count, sizeof *shown, compare_names);
        status = number_repeated(shown, count, numbered, names);
    }
    for (size_t i = 0; i < count; i++)
        if (numbered[i]) {
            free(names->texts[shown[i].region]);
            names->texts[shown[i].region] = numbered[i];
        }
done:
    free(numbered);
    free(shown);
    if (status != SCOPE_OK || !changed)
        export_names_free(calls, names);
    return status;
}

void export_names_free(const scope_calls *calls, export_names *names)
{
    for (size_t i = 0; names->texts && i < calls->region_count; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->regions);
    *names = (export_names){NULL, NULL};
}
