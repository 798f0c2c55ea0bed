/* export_names.h - region names that stay different as text.
 *
 * Formats of text show bytes that are no UTF-8 as \xNN, and a name may hold those very
 * characters: of names that would read the same the later ones get " (2)", " (3)".
 *
 * Ownership  export_names_free frees both; they refer to the table's other names.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXPORT_NAMES_H
#define SCOPE_EXPORT_NAMES_H

#include <scope/calls.h>

typedef struct export_names {
    scope_region_row *regions; /* as the table's; NULL: the table's own will do */
    char **texts;
} export_names;

scope_status export_names_make(const scope_calls *calls, export_names *names);
void export_names_free(const scope_calls *calls, export_names *names);

#endif
