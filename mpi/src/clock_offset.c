/* clock_offset.c - every rank's clock against rank 0's.
 *
 * A parent and a child exchange messages: the child sends at `sent`, the parent
 * reads its clock at `remote`, the child has the answer at `received`. The parent
 * read somewhere in between, so the offset lies in
 *
 *     remote - received <= offset <= remote - sent
 *
 * and in the intersection of all these intervals, older ones widened by what the
 * clocks can have drifted since. A message that was held up makes its interval
 * wide and spoils nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clock_offset.h"

#include <stdbool.h>
#include <time.h>

#include "gather.h"

enum { TRIPS_FEWEST = 8, TRIPS_MOST = 100, TRIPS_STALE = 24 };
#define GOOD_NS 20000          /* an interval that is wider is worth more patience ... */
#define LONG_ENOUGH_NS 5000000 /* ... than this: on a busy machine a trip can take a time slice */
#define TOO_LONG_NS 100000000

enum { TAG_ASK = 11, TAG_ANSWER, TAG_LINE };

/* Without libm. */
static int64_t nearest(double ns)
{
    return (int64_t)(ns < 0 ? ns - 0.5 : ns + 0.5);
}

static int64_t at_most(double ns)
{
    return (int64_t)(ns < 0 ? -ns : ns) + 1;
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

mpi_clock mpi_clock_unknown(void)
{
    return (mpi_clock){.at_ns = now_ns(), .bound_ns = -1, .parent = -1};
}

/* ---- one pair ---- */

/* Until the child asks no more. */
static scope_status answer(MPI_Comm comm, int child)
{
    for (;;) {
        int64_t more = 0;
        if (PMPI(Recv)(&more, 1, MPI_INT64_T, child, TAG_ASK, comm, MPI_STATUS_IGNORE) !=
            MPI_SUCCESS)
            return SCOPE_ERR_RANK;
        if (!more)
            return SCOPE_OK;
        const int64_t time = now_ns();
        if (PMPI(Send)(&time, 1, MPI_INT64_T, child, TAG_ANSWER, comm) != MPI_SUCCESS)
            return SCOPE_ERR_RANK;
    }
}

/* Where the offset can be; doubles, against `base_ns`, as they are moved by less than 1 ns. */
typedef struct interval {
    int64_t base_ns, at_ns;
    double least, most;
} interval;

/* One more trip; true: it said something. */
static bool narrow(interval *known, bool is_first, int64_t sent, int64_t remote, int64_t received)
{
    const double length = (double)(received - sent), slack = 1 + length * MPI_CLOCK_DRIFT_MOST;
    if (is_first)
        known->base_ns = remote - received;
    const double least = (double)(remote - received - known->base_ns) - slack;
    const double most = least + length + 2 * slack;
    const double aged = (double)(received - known->at_ns) * MPI_CLOCK_DRIFT_MOST;
    const double old_least = known->least - aged, old_most = known->most + aged;
    known->at_ns = received;
    if (is_first || least > old_most || most < old_least) { /* a clock was set: all is new */
        known->least = least;
        known->most = most;
        return true;
    }
    known->least = least > old_least ? least : old_least;
    known->most = most < old_most ? most : old_most;
    return (known->most - known->least) < 0.98 * (old_most - old_least);
}

static scope_status ask(MPI_Comm comm, int parent, mpi_clock *clock)
{
    interval known = {0};
    const int64_t start = now_ns();
    scope_status status = SCOPE_OK;
    int64_t more = 1;
    for (int trip = 0, last_news = 0; status == SCOPE_OK; trip++) {
        const int64_t sent = now_ns();
        const int64_t most_ns = known.most - known.least > GOOD_NS ? TOO_LONG_NS : LONG_ENOUGH_NS;
        if (trip >= TRIPS_MOST ||
            (trip >= TRIPS_FEWEST && (trip - last_news > TRIPS_STALE || sent - start > most_ns)))
            break;
        int64_t remote = 0;
        if (PMPI(Send)(&more, 1, MPI_INT64_T, parent, TAG_ASK, comm) != MPI_SUCCESS ||
            PMPI(Recv)(&remote, 1, MPI_INT64_T, parent, TAG_ANSWER, comm, MPI_STATUS_IGNORE) !=
                MPI_SUCCESS)
            status = SCOPE_ERR_RANK;
        if (status == SCOPE_OK && narrow(&known, trip == 0, sent, remote, now_ns()))
            last_news = trip;
    }
    more = 0;
    if (PMPI(Send)(&more, 1, MPI_INT64_T, parent, TAG_ASK, comm) != MPI_SUCCESS)
        status = SCOPE_ERR_RANK;
    clock->offset_ns = known.base_ns + nearest((known.least + known.most) / 2);
    clock->at_ns = known.at_ns;
    clock->bound_ns = at_most((known.most - known.least) / 2);
    clock->parent = parent;
    return status;
}

scope_status mpi_clock_measure(const mpi_tree *tree, mpi_clock *clock)
{
    const mpi_links *links = &tree->among;
    scope_status status = SCOPE_OK;
    *clock = mpi_clock_unknown();
    if (!tree->node_count)
        return SCOPE_ERR_RANK; /* on every rank */
    clock->bound_ns = 0;
    for (int i = 0; i < links->child_count && status == SCOPE_OK; i++)
        status = answer(tree->comm, links->children[i]);
    if (links->parent >= 0 && status == SCOPE_OK)
        status = ask(tree->comm, links->parent, clock);
    status = mpi_agree(tree->comm, status);
    if (status != SCOPE_OK)
        *clock = mpi_clock_unknown();
    return status;
}

/* ---- all ---- */

/* My clock against my parent's. */
static mpi_clock_line pair_line(const mpi_clock *start, const mpi_clock *end)
{
    const int64_t elapsed_ns = end->at_ns - start->at_ns;
    mpi_clock_line line = {.offset_ns = end->offset_ns,
                           .at_ns = end->at_ns,
                           .since_ns = elapsed_ns > 0 ? start->at_ns : end->at_ns,
                           .drift_bound = MPI_CLOCK_DRIFT_MOST,
                           .bound_ns = end->bound_ns};
    if (end->parent < 0) { /* rank 0 */
        line.drift_bound = 0;
        return line;
    }
    if (elapsed_ns <= 0)
        return line;
    line.bound_ns += at_most((double)elapsed_ns * MPI_CLOCK_DRIFT_MOST);
    if (start->bound_ns < 0 || start->parent != end->parent)
        return line;
    const double noise = (double)(start->bound_ns + end->bound_ns) / (double)elapsed_ns;
    const int64_t moved_ns = end->offset_ns - start->offset_ns;
    if (noise < MPI_CLOCK_DRIFT_MOST) { /* else the run was too short to tell drift from noise */
        line.drift = (double)moved_ns / (double)elapsed_ns;
        line.drift_bound = noise;
        line.bound_ns = start->bound_ns > end->bound_ns ? start->bound_ns : end->bound_ns;
    }
    return line;
}

/* `pair` leads to the parent's clock, `above` from there to rank 0's. */
static mpi_clock_line put_together(const mpi_clock_line *pair, const mpi_clock_line *above)
{
    mpi_clock_line line = *pair;
    /* the parent was measured at another time */
    const int64_t theirs_at_ns = pair->at_ns + pair->offset_ns;
    const int64_t outside_ns = theirs_at_ns > above->at_ns      ? theirs_at_ns - above->at_ns
                               : theirs_at_ns < above->since_ns ? above->since_ns - theirs_at_ns
                                                                : 0;
    line.offset_ns +=
        above->offset_ns + nearest(above->drift * (double)(theirs_at_ns - above->at_ns));
    line.drift += above->drift + pair->drift * above->drift;
    line.bound_ns += above->bound_ns + at_most(above->drift_bound * (double)outside_ns);
    line.drift_bound += above->drift_bound;
    const int64_t theirs_ns = above->since_ns - pair->offset_ns; /* on my clock, nearly */
    if (theirs_ns > line.since_ns)
        line.since_ns = theirs_ns < line.at_ns ? theirs_ns : line.at_ns;
    return line;
}

static scope_status receive_line(const mpi_tree *tree, int from, mpi_clock_line *line)
{
    return PMPI(Recv)(line, sizeof *line, MPI_BYTE, from, TAG_LINE, tree->comm,
                      MPI_STATUS_IGNORE) == MPI_SUCCESS
               ? SCOPE_OK
               : SCOPE_ERR_RANK;
}

/* The largest subtree first. */
static scope_status send_line(const mpi_tree *tree, const mpi_links *to, const mpi_clock_line *line)
{
    scope_status status = SCOPE_OK;
    for (int i = to->child_count - 1; i >= 0; i--)
        if (PMPI(Send)(line, sizeof *line, MPI_BYTE, to->children[i], TAG_LINE, tree->comm) !=
            MPI_SUCCESS)
            status = SCOPE_ERR_RANK;
    return status;
}

scope_status mpi_clock_combine(const mpi_tree *tree, const mpi_clock *start, const mpi_clock *end,
                               mpi_clock_line *line)
{
    const mpi_clock_line unknown = {.at_ns = end->at_ns, .since_ns = end->at_ns, .bound_ns = -1};
    scope_status status = mpi_agree(tree->comm, end->bound_ns < 0 ? SCOPE_ERR_RANK : SCOPE_OK);
    *line = unknown;
    if (status != SCOPE_OK)
        return status;
    if (tree->index) {
        status = receive_line(tree, tree->within.parent, line);
    } else {
        *line = pair_line(start, end);
        mpi_clock_line above;
        if (tree->among.parent >= 0) {
            status = receive_line(tree, tree->among.parent, &above);
            *line = put_together(line, &above);
        }
        const scope_status sent = send_line(tree, &tree->among, line);
        status = status == SCOPE_OK ? sent : status;
    }
    const scope_status sent = send_line(tree, &tree->within, line);
    status = mpi_agree(tree->comm, status == SCOPE_OK ? sent : status);
    if (status != SCOPE_OK)
        *line = unknown;
    return status;
}
