/* view_waits.h - what `scope inspect --waits` shows: who waited for whom, of the selected ranks
 * and regions.
 *
 * Units      ns.
 * Ownership  refers to the table.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_VIEW_WAITS_H
#define SCOPE_VIEW_WAITS_H

#include <scope/waits.h>

#include "view.h"

typedef struct view_wait_row { /* of a call and kind, or of a region: over all ranks */
    uint32_t region;           /* SCOPE_WAIT_NO_REGION: outside all */
    int32_t kind;
    int32_t rank_count; /* that waited there */
    scope_wait_sum sum;
    double imbalance; /* most of one rank / mean of all ranks that are shown */
} view_wait_row;

typedef struct view_waits {
    scope_waits found; /* of all ranks, each table by rank; rows of others are taken out */
    view_wait_row *calls, *regions; /* longest first */
    size_t call_count, region_count;
    scope_wait_cause_row *causes; /* of all ranks that are shown, most first */
    scope_wait_rank_row *ranks;   /* whom others waited for most first */
    scope_wait_sum total;         /* of the shown ranks */
    int64_t mpi_ns, span_ns;      /* theirs */
    double imbalance;             /* longest waiting of a rank / mean */
    bool asked;                   /* for it all; else somebody has a glance */
} view_waits;

/* NULL: of all ranks, in all regions. A pattern of regions chooses waits by where they are,
 * innermost, or by the MPI function; one that only excludes must take both. */
scope_status view_waits_new(const view *view, const char *ranks, const char *regions,
                            view_waits **waits);
void view_waits_free(view_waits *waits); /* NULL: nothing */

/* Nothing of who waited is in this profile: it has no MPI calls, or they do not say enough. */
bool view_waits_unknown(const view_waits *waits);

/* For a report that was not asked for it: only where it takes no time to speak of, else NULL. */
void view_waits_glance(const view *view, view_waits **waits);

/* Waiting that such a report says a word about: over 1 ms, and 5 % of the ranks' time. */
bool view_waits_matter(const view_waits *waits); /* NULL: no */

#endif
