/* overhead.h - what the recorder itself took of the times in a call table, and the times
 * without it: an estimate.
 *
 * The recorder of each rank measured at its start (scope_rank_row) what a begin and its end
 * cost in all (`pair`), and how much of that lies between their clock readings
 * (`inside`): of empty calls, and of long ones, beside which a processor does most of it.
 * What lies between is taken from a call's own length. So of a region, on a rank:
 *
 *     overhead             = sum of `pair` of its calls
 *     corrected total      = total     - `inside` of its calls - `pair` of all calls inside them
 *     corrected exclusive  = exclusive - `inside` of its calls - (pair - inside) of those
 *                            directly inside them
 *
 * never below 0, nor above what was measured. A call that takes no longer than the recorder
 * itself looks empty: its corrected time is right to half an empty call's. The cost is the
 * least, with warm caches and memory; calls of MPI, by name and from Python cost more, and that
 * more is still in the corrected times. So are folding and new memory.
 *
 * Folded calls count by their histogram. They have lost their parents. Those of a row lie inside
 * the innermost kept call of their lane that spans all of them, and count there and in what is
 * around it; as direct ones if no folded call of that span has another inside. Where no kept
 * call spans them they are `unplaced`: they count for their own region alone.
 *
 * Units      ns.
 * Threads    none.
 * Errors     ERR_MEMORY.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ANALYSIS_OVERHEAD_H
#define SCOPE_ANALYSIS_OVERHEAD_H

#include <scope/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Some rank of the table says what its recorder costs. */
SCOPE_API int scope_overhead_is_known(const scope_calls *calls);

/* Fill overhead_ns, corrected_total_ns, corrected_exclusive_ns and unplaced_count of rows that
 * scope_summarize() made of this table in the same way. -1: unknown, because a rank with
 * such calls says nothing of its recorder; total and exclusive also where its calls have
 * no ids. */
SCOPE_API scope_status scope_overhead_fill(const scope_calls *calls, scope_summary_by by,
                                           scope_summaries *summaries);

/* The same without the rest of the statistics: a row per rank and region, in that order, with
 * count, total and exclusive time (folded calls included) and what is filled. No rows where no
 * rank says what its recorder costs. scope_summaries_free. */
SCOPE_API scope_status scope_overhead_list(const scope_calls *calls, scope_summaries *rows);

#ifdef __cplusplus
}
#endif
#endif
