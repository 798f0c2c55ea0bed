/* filter.c - which names are recorded: "solve*,-solve_inner,+MPI_*".
 *
 * In a pattern * stands for any bytes, ? for one character, [a-z] and [!a-z] for
 * one byte; a backslash takes the next byte literally, a comma too. @ and ranks at its
 * end ("io_*@0", "solve*@0-3+8-") make a pattern one of these ranks: the others read the
 * list as if it were not there. An @ that no ranks follow is an ordinary one, but where a
 * digit follows it, a user is told (scope_filter_is_usable).
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
    const char *ranks; /* "0-3+8-", up to `end`; NULL: of all ranks */
    const char *end;
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

/* A number at `at`, at most INT32_MAX; NULL: none. */
static const char *parse_rank(const char *at, const char *end, int64_t *rank)
{
    const char *const start = at;
    for (*rank = 0; at < end && *at >= '0' && *at <= '9' && *rank <= INT32_MAX; at++)
        *rank = *rank * 10 + (*at - '0');
    return at > start && *rank <= INT32_MAX ? at : NULL;
}

/* One "3", "0-3" or "4-" and the + behind it; NULL: it is none. */
static const char *parse_ranks(const char *at, const char *end, int64_t *first, int64_t *last)
{
    at = parse_rank(at, end, first);
    if (!at)
        return NULL;
    *last = *first;
    if (at < end && *at == '-') {
        at++;
        *last = INT32_MAX;
        if (at < end && *at != '+')
            at = parse_rank(at, end, last);
    }
    if (!at || (at < end && (*at != '+' || at + 1 == end)))
        return NULL;
    return at < end ? at + 1 : at;
}

static bool is_ranks(const char *at, const char *end)
{
    int64_t first, last;
    if (at == end)
        return false;
    while (at && at < end)
        at = parse_ranks(at, end, &first, &last);
    return at != NULL;
}

/* Where the ranks of the pattern start, behind its last @ that is not escaped; NULL: none. */
static const char *find_ranks(const char *at, const char *end)
{
    const char *found = NULL;
    for (; at < end; at += *at == '\\' && at + 1 < end ? 2 : 1)
        if (*at == '@')
            found = at + 1;
    return found && is_ranks(found, end) ? found : NULL;
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
        const char *ranks = find_ranks(at, last), *name_end = ranks ? ranks - 1 : last;
        if (at < name_end)
            filter->patterns[filter->count++] = (pattern){
                at, (size_t)(name_end - at), ranks, ranks ? last : NULL, !excludes};
        at = end;
        if (!*at)
            return filter;
    }
}

/* A list of ranks was meant, and no rank can be of it: "@3-1", "@1+", "@2x". */
static bool is_bad_ranks(const char *at, const char *end)
{
    int64_t first, last;
    if (at == end || *at < '0' || *at > '9')
        return false;
    while (at && at < end) {
        at = parse_ranks(at, end, &first, &last);
        if (at && last < first)
            return true;
    }
    return !at;
}

bool scope_filter_is_usable(const char *text)
{
    for (const char *at = text;; at++) {
        const char *end = pattern_end(at), *last = end, *ranks = NULL;
        while (at < end && is_blank(*at))
            at++;
        while (last > at && is_blank(last[-1]))
            last--;
        const bool has_sign = at < last && (*at == '-' || *at == '+');
        const char *const start = at + has_sign;
        for (const char *c = start; c < last; c += *c == '\\' && c + 1 < last ? 2 : 1)
            if (*c == '@')
                ranks = c + 1;
        if ((has_sign && start == last) || (ranks && ranks - 1 == start && is_ranks(ranks, last)) ||
            (ranks && is_bad_ranks(ranks, last)))
            return false;
        at = end;
        if (!*at)
            return true;
    }
}

const char *scope_filter_text(const scope_filter *filter)
{
    return filter->text;
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

static bool is_of_rank(const pattern *pattern, int rank)
{
    int64_t first, last;
    const char *at = pattern->ranks;
    while (at && at < pattern->end) {
        at = parse_ranks(at, pattern->end, &first, &last);
        if (at && rank >= first && rank <= last)
            return true;
    }
    return !pattern->ranks;
}

bool scope_filter_has_ranks(const scope_filter *filter)
{
    for (size_t i = 0; filter && i < filter->count; i++)
        if (filter->patterns[i].ranks)
            return true;
    return false;
}

bool scope_filter_accepts(const scope_filter *filter, const char *name, size_t length_bytes)
{
    return scope_filter_accepts_on(filter, -1, name, length_bytes);
}

bool scope_filter_accepts_on(const scope_filter *filter, int rank, const char *name,
                             size_t length_bytes)
{
    const pattern *first = NULL;
    for (size_t i = 0; filter && i < filter->count; i++) {
        const pattern *pattern = &filter->patterns[i];
        if (rank < 0 && pattern->ranks && (!first || matches(pattern, name, length_bytes)))
            return true; /* it depends */
        if (!is_of_rank(pattern, rank))
            continue;
        if (matches(pattern, name, length_bytes))
            return pattern->includes;
        first = first ? first : pattern;
    }
    return !first || !first->includes;
}
