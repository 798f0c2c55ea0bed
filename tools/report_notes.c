/* report_notes.c - what to mind, below the tables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>

#include <scope/overhead.h>

#include "text.h"
#include "view_waits.h"

static void note(FILE *out, int64_t count, const char *one, const char *many)
{
    if (count <= 0)
        return;
    fprintf(out, "%snote:%s ", style_warn(), style_end());
    report_plural(out, count, one, many);
    fputc('\n', out);
}

static void remark(FILE *out, bool holds, const char *text)
{
    if (holds)
        fprintf(out, "%snote:%s %s\n", style_warn(), style_end(), text);
}

/* One name for each of the first ranks: where it was. */
static void note_open(const view *view, FILE *out)
{
    enum { NAMED = 4 };
    size_t named = 0, count;
    if (view->warnings.open_calls <= 0)
        return;
    fprintf(out, "%snote:%s ", style_warn(), style_end());
    report_plural(out, view->warnings.open_calls, "call was still open at the end",
                  "calls were still open at the end");
    for (size_t i = 0; i < view->rank_count && named < NAMED; i++) {
        const int32_t rank = view->ranks[i].rank;
        const view_open *open = view_open_of(view, rank, &count);
        if (!count)
            continue;
        const scope_string *name = &view->calls->regions[open[count - 1].region].name;
        fputs(named++ ? ", " : ", the innermost: ", out);
        report_name(out, name->bytes, name->length_bytes);
        if (view->calls->rank_count > 1)
            fprintf(out, " (rank %d)", (int)rank);
    }
    if (view->warnings.unfinished_ranks && !view->alive)
        fputs(view->warnings.open_calls == 1
                  ? "; it counts up to its rank's last event: when that was killed is not known"
                  : "; they count up to their rank's last event: when that was killed is not known",
              out);
    fputc('\n', out);
}

static void note_folded(const view *view, FILE *out)
{
    const scope_summary *most = NULL;
    if (view->calls->is_aggregate || view->warnings.folded <= 0)
        return;
    for (size_t i = 0; i < view->by_region.count; i++)
        if (!most || view->by_region.rows[i].folded_count > most->folded_count)
            most = &view->by_region.rows[i];
    fprintf(out, "%snote:%s ", style_warn(), style_end());
    report_plural(out, view->warnings.folded, "call is kept as a sum only",
                  "calls are kept as sums only");
    if (most && most->folded_count > 0) {
        const scope_string *name = &view->calls->regions[most->region].name;
        fputs(", most of ", out);
        report_name(out, name->bytes, name->length_bytes);
    }
    fputs(": the budget was used up (SCOPE_MAX_BYTES), or their region is called without end for "
          "next to nothing (SCOPE_THROTTLE); percentiles, deviations, first and last durations are "
          "those of the other calls\n",
          out);
}

void report_notes(const view *view, bool overhead, FILE *out)
{
    const view_warnings *w = &view->warnings;
    const scope_summary *costly;
    const bool known = scope_overhead_is_known(&view->selected);
    if (w->recovered || w->unfinished_ranks || w->ended_early_ranks || w->overlapping ||
        w->implied || w->crossed || w->orphans || w->open_calls || w->dropped ||
        w->dropped_in_handlers || w->folded || w->holes || w->filtered ||
        view_costly(view, &costly, 1) || (overhead && !known) || view_waits_matter(view->waits))
        fputc('\n', out);
    remark(out, w->recovered, "recovered: the run was killed, or could not write its file");
    remark(out, view->alive, "the program is still running");
    if (!view->alive)
        note(out, w->unfinished_ranks, "rank was killed, or still ran when this was written",
             "ranks were killed, or still ran when this was written");
    note(out, w->ended_early_ranks, "rank ended by _exit, MPI_Abort or a signal",
         "ranks ended by _exit, MPI_Abort or a signal");
    remark(out, w->overlapping, "calls of some rank overlap without nesting: no exclusive times");
    note_open(view, out);
    note(out, w->implied, "call had no end of its own", "calls had no end of their own");
    note(out, w->crossed, "call ended after one that began before it",
         "calls ended after ones that began before them");
    note(out, w->orphans, "end without a begin was ignored", "ends without a begin were ignored");
    remark(out, w->folded && view->calls->is_aggregate,
           "only sums of calls were recorded (aggregation mode)");
    note_folded(view, out);
    note(out, w->dropped, "event (begin or end, two a call) could not be kept and is missing",
         "events (begin or end, two a call) could not be kept and are missing");
    note(out, w->dropped_in_handlers,
         "event of a fault's handler is missing: it came inside the recorder",
         "events of faults' handlers are missing: they came inside the recorder");
    note(out, w->holes, "event could not be read", "events could not be read");
    note(out, w->filtered, "call was left out by a filter", "calls were left out by a filter");
    if (view->comm)
        report_untold(view, out);
    remark(out, overhead && !known, "this profile does not say what its recorder took");
    if (overhead && known)
        report_unplaced(view, out);
    report_waits_note(view, out);
    if (!view->comm)
        report_costly(view, overhead, out);
}
