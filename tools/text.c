/* text.c - numbers, times and names as people read them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <scope/utf8.h>

bool text_unicode(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Four columns, three digits that count. */
static void number(double value, char *out, size_t size)
{
    if (value < 9.995)
        snprintf(out, size, "%.2f", value);
    else if (value < 99.95)
        snprintf(out, size, "%.1f", value);
    else
        snprintf(out, size, "%.0f", value);
}

/* The value in its unit; true when there is one. */
static bool split_time(double ns, char *value, size_t size, const char **unit)
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, " s"}, {3600e9, " h"}};
    size_t i = 0;
    *unit = "  ";
    if (!(ns >= 0)) {
        snprintf(value, size, "-");
        return false;
    }
    if (ns == 0) {
        snprintf(value, size, "0");
        return false;
    }
    while (i < 3 && ns >= 999.5 * units[i].ns)
        i++;
    if (i == 3 && ns >= 9999.5e9)
        i++;
    if (i == 0 && ns == (double)(int64_t)ns)
        snprintf(value, size, "%.0f", ns);
    else
        number(ns / units[i].ns, value, size);
    *unit = i == 1 && text_unicode() ? "\xc2\xb5s" : units[i].unit;
    return true;
}

const char *text_time(double ns, char *out)
{
    char value[32];
    const char *unit;
    split_time(ns, value, sizeof value, &unit);
    snprintf(out, TEXT_BYTES, "%4s%s", value, unit);
    return out;
}

const char *text_duration(double ns, char *out)
{
    char value[32];
    const char *unit;
    if (!split_time(ns, value, sizeof value, &unit))
        snprintf(out, TEXT_BYTES, "%s", ns == 0 ? "0 s" : "unknown");
    else
        snprintf(out, TEXT_BYTES, "%s %s", value, unit + (*unit == ' '));
    return out;
}

const char *text_bytes(double bytes, char *out)
{
    static const char *const units[] = {"B  ", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    char value[32];
    size_t i = 0;
    if (bytes < 0) {
        snprintf(out, TEXT_BYTES, "   -    ");
        return out;
    }
    while (i < 6 && bytes >= 999.5) {
        bytes /= 1024;
        i++;
    }
    if (i == 0 && bytes == (double)(int64_t)bytes)
        snprintf(value, sizeof value, "%.0f", bytes);
    else
        number(bytes, value, sizeof value);
    snprintf(out, TEXT_BYTES, "%4s %s", value, units[i]);
    return out;
}

const char *text_count(int64_t count, char *out)
{
    snprintf(out, TEXT_BYTES, "%lld", (long long)count);
    return out;
}

const char *text_percent(double ratio, char *out)
{
    if (!(ratio >= 0))
        snprintf(out, TEXT_BYTES, "-");
    else if (ratio >= 0.9995)
        snprintf(out, TEXT_BYTES, "%.0f%%", 100 * ratio);
    else
        snprintf(out, TEXT_BYTES, "%.1f%%", 100 * ratio);
    return out;
}

const char *text_ratio(double ratio, char *out)
{
    if (ratio > 0)
        snprintf(out, TEXT_BYTES, "%.2f", ratio);
    else
        snprintf(out, TEXT_BYTES, "-");
    return out;
}

const char *text_date(int64_t realtime_ns, char *out)
{
    const time_t seconds = (time_t)(realtime_ns / 1000000000);
    struct tm parts;
    if (!localtime_r(&seconds, &parts) || !strftime(out, TEXT_BYTES, "%Y-%m-%d %H:%M:%S", &parts))
        snprintf(out, TEXT_BYTES, "unknown");
    return out;
}

char *text_name(const char *bytes, size_t length_bytes)
{
    char *text = malloc(4 * length_bytes + 1), *to = text;
    for (size_t i = 0; text && i < length_bytes;) {
        uint32_t code = 0;
        const size_t length = scope_utf8_character(bytes + i, length_bytes - i, &code);
        const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
        if (length && !control) {
            memcpy(to, bytes + i, length);
            to += length;
        } else if (length == 1 && code && strchr("\n\t\r", (int)code)) {
            to += sprintf(to, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
        } else {
            for (size_t k = 0; k < (length ? length : 1); k++)
                to += sprintf(to, "\\x%02x", (unsigned char)bytes[i + k]);
        }
        i += length ? length : 1;
    }
    if (text)
        *to = '\0';
    return text;
}

/* Columns of one character: most have one; the wide ones of East Asia two. */
static size_t columns(uint32_t code)
{
    static const uint32_t wide[][2] = {
        {0x1100, 0x115F},   {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
        {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
        {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
    };
    if ((code >= 0x300 && code < 0x370) || (code >= 0x200B && code <= 0x200F) ||
        (code >= 0xFE00 && code <= 0xFE0F))
        return 0;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (code >= wide[i][0] && code <= wide[i][1])
            return 2;
    return 1;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    for (size_t left = strlen(text); left;) {
        uint32_t code = 0;
        const size_t length = scope_utf8_character(text, left, &code);
        width += length ? columns(code) : 1;
        text += length ? length : 1;
        left -= length ? length : 1;
    }
    return width;
}

/* Bytes of the longest start of `text` that has at most `width` columns. */
static size_t prefix(const char *text, size_t width)
{
    const size_t all = strlen(text);
    size_t used = 0, at = 0;
    while (at < all) {
        uint32_t code = 0;
        const size_t length = scope_utf8_character(text + at, all - at, &code);
        used += length ? columns(code) : 1;
        if (used > width)
            break;
        at += length ? length : 1;
    }
    return at;
}

/* With these dots; false: they take more bytes than they save. */
static bool shorten_with(const char *dots, char *text, size_t all, size_t width)
{
    const size_t dots_width = text_width(dots), length = strlen(dots);
    const size_t tail = (width - dots_width) / 3, head = width - dots_width - tail;
    const size_t head_bytes = prefix(text, head), tail_start = prefix(text, all - tail);
    if (tail_start < head_bytes + length)
        return false;
    memcpy(text + head_bytes, dots, length);
    memmove(text + head_bytes + length, text + tail_start, strlen(text + tail_start) + 1);
    return true;
}

void text_shorten(char *text, size_t width)
{
    const size_t all = text_width(text);
    if (all > width && width > 3 &&
        !(text_unicode() && shorten_with("\xe2\x80\xa6", text, all, width)))
        shorten_with("..", text, all, width);
}
