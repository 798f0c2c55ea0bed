/* export_thin.h - which calls a viewer gets of a table that is too long for it.
 *
 * The longest ones: a call is never shorter than one inside it, so what is kept hangs
 * together, and what is left out is summed in the call around it that is kept. Equally long
 * ones are taken evenly over the table; of marks and counters each n-th is taken.
 *
 * Ownership  export_thin_free frees what export_thin_choose made.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXPORT_THIN_H
#define SCOPE_EXPORT_THIN_H

#include <scope/export.h>

typedef struct export_thin {
    uint64_t *kept;                   /* a bit per row of the table; NULL: all are */
    size_t marks_step, counters_step; /* each n-th; 1: all */
    scope_export_left left;
} export_thin;

/* At most `most` calls of these ranks, as many marks and as many counters; 0: all. */
scope_status export_thin_choose(const scope_calls *calls, const int32_t *ranks, size_t rank_count,
                                uint64_t most, export_thin *thin);
void export_thin_free(export_thin *thin);

static inline int export_keeps(const export_thin *thin, uint64_t row)
{
    return !thin->kept || thin->kept[row / 64] >> row % 64 & 1;
}

typedef struct export_inside { /* of a call: those that were left out inside it */
    uint64_t count;
    int64_t time_ns; /* of those directly inside it */
} export_inside;

/* Per call id of a rank; NULL in *inside where nothing was left out or ids are not dense.
 * free() it. */
scope_status export_thin_sums(const scope_calls *calls, int32_t rank, const export_thin *thin,
                              export_inside **inside);

#endif
