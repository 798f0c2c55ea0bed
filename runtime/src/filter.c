/* filter.c - which names are recorded: "solve*,-solve_inner,+MPI_*".
 *
 * In a pattern * stands for any bytes, ? for one character, [a-z] and [!a-z] for
 * one byte; a backslash takes the next byte literally, a comma too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

/*     "solve*,-x"    patterns  [ {include, "solve*"} {exclude, "x"} ]
 *                    text      "solve*,-x", what the patterns point into
 */
typedef struct pattern {
    const char *bytes;
    size_t length;
    bool includes;
} pattern;

struct scope_filter {
    char *text;
    pattern *patterns;
    size_t count;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* The end of the pattern that starts at `at`: an unescaped comma, or the NUL. */
static const char *pattern_end(const char *at)
{
    while (*at && *at != ',')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at;
}

scope_filter *scope_filter_new(const char *text)
{
    if (!text || !*text)
        return NULL;
    size_t most = 1;
    for (const char *at = text; *at; at++)
        most += *at == ',';
    scope_filter *filter = calloc(1, sizeof *filter);
    if (!filter)
        return NULL;
    filter->text = strdup(text);
    filter->patterns = calloc(most, sizeof *filter->patterns);
    if (!filter->text || !filter->patterns) {
        scope_filter_free(filter);
        return NULL;
    }
    for (const char *at = filter->text;; at++) {
        const char *end = pattern_end(at), *last = end;
        while (at < end && is_blank(*at))
            at++;
        while (last > at && is_blank(last[-1]))
            last--;
        const bool excludes = at < last && *at == '-';
        if (at < last && (*at == '-' || *at == '+'))
            at++;
        if (at < last)
            filter->patterns[filter->count++] = (pattern){at, (size_t)(last - at), !excludes};
        at = end;
        if (!*at)
            return filter;
    }
}

void scope_filter_free(scope_filter *filter)
{
    if (!filter)
        return;
    free(filter->text);
    free(filter->patterns);
    free(filter);
}

/* Bytes of the UTF-8 character at `at`; a byte that is none stands for itself. */
static size_t character(const char *at, const char *end)
{
    size_t length = 1;
    if ((*at & 0xC0) == 0xC0)
        while (length < 4 && at + length < end && (at[length] & 0xC0) == 0x80)
            length++;
    return length;
}

/* `byte` is in the set whose text follows a '['. Returns past the ']', or NULL for
 * a set that never ends, which is then an ordinary '['. */
static const char *match_set(const char *at, const char *end, unsigned char byte, bool *matches)
{
    const bool inverted = at < end && (*at == '!' || *at == '^');
    at += inverted;
    bool found = false;
    for (bool first = true; at < end && (first || *at != ']'); first = false) {
        at += *at == '\\' && at + 1 < end;
        const unsigned char low = (unsigned char)*at++;
        unsigned char high = low;
        if (at + 1 < end && *at == '-' && at[1] != ']') {
            high = (unsigned char)at[1];
            at += 2;
        }
        found = found || (byte >= low && byte <= high);
    }
    if (at >= end)
        return NULL;
    *matches = found != inverted;
    return at + 1;
}

/* Linear: only the last * is ever taken back. */
static bool matches(const pattern *pattern, const char *name, size_t length)
{
    const char *at = pattern->bytes, *const end = at + pattern->length;
    const char *const name_end = name + length;
    const char *star = NULL, *retry = NULL; /* after the last *, and where it may go on */
    while (name < name_end) {
        if (at < end && *at == '*') {
            star = ++at;
            retry = name;
            continue;
        }
        if (at < end && *at == '?') {
            at++;
            name += character(name, name_end);
            continue;
        }
        bool in_set = false;
        const char *after =
            at < end && *at == '[' ? match_set(at + 1, end, (unsigned char)*name, &in_set) : NULL;
        if (!after && at < end) {
            const char *literal = at + (*at == '\\' && at + 1 < end);
            in_set = *literal == *name;
            after = literal + 1;
        }
        if (in_set) {
            at = after;
            name++;
        } else if (star) {
            at = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (at < end && *at == '*')
        at++;
    return at == end;
}

bool scope_filter_accepts(const scope_filter *filter, const char *name, size_t length_bytes)
{
    if (!filter || !filter->count)
        return true;
    for (size_t i = 0; i < filter->count; i++)
        if (matches(&filter->patterns[i], name, length_bytes))
            return filter->patterns[i].includes;
    return !filter->patterns[0].includes;
}
