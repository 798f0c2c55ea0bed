/* json_text.h - a JSON array of strings, for tags.
 *
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_JSON_TEXT_H
#define SCOPE_JSON_TEXT_H

#include <scope/calls.h>

#include "definitions_reader.h"

/* ["a", "b"] in the table's memory; "[]" without tags. Bytes that are not UTF-8
 * become the text \xNN. bytes NULL: no memory. */
scope_string json_tags(scope_calls *calls, const definition_tag *tags);

#endif
