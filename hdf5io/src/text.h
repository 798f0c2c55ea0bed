/* text.h - any bytes as valid UTF-8 that every reader of HDF5 strings takes.
 *
 * Valid UTF-8 stays as it is; NUL and bytes that are not part of a valid
 * sequence become \xNN. Region names must also differ: a clash gets " (2)".
 *
 * Threads    none shared.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_TEXT_H
#define SCOPE_HDF5_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include <scope/world.h>

/* Write the text to `out` (may be NULL, never terminated) and return its length. */
size_t scope_text_display(const char *bytes, uint64_t length_bytes, char *out);

/* The displayed form of every name, all different, each followed by a NUL that
 * ends[i] does not count: name i is bytes[ends[i-1] + 1 .. ends[i]) after the
 * first. The caller frees bytes and ends. */
scope_status scope_text_display_names(const scope_strings *names, scope_strings *display);
const char *scope_text_display_name(const scope_strings *display, size_t index);

void scope_strings_free(scope_strings *strings);

#endif
