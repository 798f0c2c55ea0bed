/* text.h - numbers, times and names as people read them.
 *
 * Every function writes into a buffer of TEXT_BYTES and returns it. Times and
 * byte counts have a fixed width, so that columns of them line up:
 *
 *     "1.23 s"  "12.3ms"  " 123us"  "   5ns"  "   -  "
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TEXT_H
#define SCOPE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_BYTES = 64 };

/* The terminal takes UTF-8 (by the locale); else only ASCII is written. */
bool text_unicode(void);

/* Six columns. Negative: unknown. */
const char *text_time(double ns, char *out);

/* The same without padding, with a blank before the unit: "1.23 s". */
const char *text_duration(double ns, char *out);

/* "12.3 MiB", "512 B"; the number has four columns. */
const char *text_bytes(double bytes, char *out);

const char *text_count(int64_t count, char *out);
const char *text_percent(double ratio, char *out);
const char *text_ratio(double ratio, char *out); /* 0: "-" */

/* "2026-11-29 23:22:37" of CLOCK_REALTIME, in local time. */
const char *text_date(int64_t realtime_ns, char *out);

/* A name as one printable line of valid UTF-8: control characters as \n or \xNN,
 * bytes that are no UTF-8 as \xNN. malloc'd; NULL without memory. */
char *text_name(const char *bytes, size_t length_bytes);

/* Columns on a terminal of valid UTF-8 text. */
size_t text_width(const char *text);

/* Shorten to `width` columns, the middle replaced by an ellipsis. In place. */
void text_shorten(char *text, size_t width);

#endif
