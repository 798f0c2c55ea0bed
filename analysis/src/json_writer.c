/* json_writer.c - see json_writer.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_writer.h"

static void new_line(json_writer *json)
{
    static const char blanks[] = "                                ";
    export_bytes(json->file, "\n", 1);
    for (size_t left = (size_t)json->depth * (size_t)json->indent; left;) {
        const size_t part = left < sizeof blanks - 1 ? left : sizeof blanks - 1;
        export_bytes(json->file, blanks, part);
        left -= part;
    }
}

void put_item(json_writer *json, const char *key)
{
    if (!json->first)
        export_literal(json->file, json->indent < 0 ? ", " : ",");
    if (json->depth && json->indent >= 0)
        new_line(json);
    json->first = 0;
    if (key) {
        export_string_of(json->file, key);
        export_literal(json->file, ": ");
    }
}

void put_close(json_writer *json, char bracket)
{
    const int empty = json->first;
    json->depth--;
    json->first = 0;
    if (!empty && json->indent >= 0)
        new_line(json);
    export_bytes(json->file, &bracket, 1);
}
