/* export_arrows.h - messages, from the call that sent to the call that received.
 *
 * Only those with both calls in the document. An arrow begins with its send and ends with the last
 * ns of its receive, so that both ends are inside their calls; one that would lead backwards in
 * time is left out and counted.
 *
 * Ownership  export_arrows_free frees what export_arrows_make made.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXPORT_ARROWS_H
#define SCOPE_EXPORT_ARROWS_H

#include "export_parts.h"

typedef struct export_arrow_end {
    uint64_t row;
    uint64_t arrow; /* number << 1 | is the receive */
} export_arrow_end;

typedef struct export_arrows {
    export_arrow_end *ends; /* by row */
    size_t count;
    int64_t backward;
} export_arrows;

scope_status export_arrows_make(const export_job *job, export_arrows *arrows);
void export_arrows_free(export_arrows *arrows);

/* The first end at this row or behind it. */
size_t export_arrows_from(const export_arrows *arrows, uint64_t row);

/* When the end of an arrow is. */
int64_t export_arrow_ns(const scope_calls *calls, const export_arrow_end *end);

#endif
