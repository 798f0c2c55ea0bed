/* communicators_join.c - what each rank calls by an id of its own, as one; see communication.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/communication.h>

#include <stdbool.h>
#include <stdlib.h>

/* What was made of a communicator that is taken apart goes with it in the next round. */
#define ROUNDS_MAX 32

typedef struct view { /* one rank's row */
    int64_t members;
    int32_t serial, rank_in, rank;
    size_t row;
} view;

static int compare_rows(const view *x, const view *y)
{
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Those of one communicator together. Without members nothing says which belong together. */
static int by_communicator(const void *a, const void *b)
{
    const view *x = a, *y = b;
    if (x->members != y->members)
        return x->members < y->members ? -1 : 1;
    if (!x->members)
        return compare_rows(x, y);
    if (x->serial != y->serial)
        return x->serial < y->serial ? -1 : 1;
    return compare_rows(x, y);
}

static int by_rank_in(const void *a, const void *b)
{
    const view *x = a, *y = b;
    if (x->rank_in != y->rank_in)
        return x->rank_in < y->rank_in ? -1 : 1;
    return compare_rows(x, y);
}

typedef struct id { /* of a rank's communicator, and where it stands */
    int32_t rank, id;
    size_t row;
} id;

static int by_id(const void *a, const void *b)
{
    const id *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

typedef struct joining {
    const scope_calls *calls;
    int64_t *members; /* by row; 0 also where they do not tell enough */
    view *views;
    id *ids;
    size_t *ends;   /* where each communicator's views end, by their beginning */
    size_t *starts; /* by row: where the views of the communicator begin that has it first */
} joining;

/* The joined parent of one rank's row; -1: not known. */
static int32_t parent_of_row(const joining *joining, const scope_joined_communicators *joined,
                             const scope_communicator_row *row)
{
    const id wanted = {row->rank, row->parent, 0};
    const id *found = row->parent < 0
                          ? NULL
                          : bsearch(&wanted, joining->ids, joining->calls->communicator_count,
                                    sizeof wanted, by_id);
    return found ? joined->of_row[found->row] : -1;
}

/* Of the first rank that knows one. */
static int32_t parent_of(const joining *joining, const scope_joined_communicators *joined,
                         const view *views, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t parent =
            parent_of_row(joining, joined, &joining->calls->communicators[views[i].row]);
        if (parent >= 0)
            return parent;
    }
    return -1;
}

/* Threads that make communicators of the same members at once number them in an order of their
 * own on each rank. What was made of different ones then is not one: nothing says which belong
 * together. (The sides of an intercommunicator are made of different ones.) */
static bool part_the_crossed(joining *joining, const scope_joined_communicators *joined)
{
    bool found = false;
    for (size_t row = 0, i = 0; row < joining->calls->communicator_count; row++) {
        if (joining->starts[row] == SIZE_MAX)
            continue;
        const scope_joined_communicator *one = &joined->rows[i++];
        const view *views = joining->views + joining->starts[row];
        bool crossed = false;
        int32_t first = -1;
        for (size_t k = 0; k < one->count; k++) {
            const int32_t parent =
                parent_of_row(joining, joined, &joining->calls->communicators[views[k].row]);
            crossed |= first >= 0 && parent >= 0 && parent != first;
            first = first < 0 ? parent : first;
        }
        if (!crossed || one->size > joining->calls->communicators[row].size)
            continue;
        for (size_t k = 0; k < one->count; k++)
            joining->members[views[k].row] = 0;
        found = true;
    }
    return found;
}

static void join(joining *joining, scope_joined_communicators *joined)
{
    const scope_calls *calls = joining->calls;
    const size_t count = calls->communicator_count;
    view *views = joining->views;
    joined->count = 0;
    for (size_t i = 0; i < count; i++) {
        const scope_communicator_row *row = &calls->communicators[i];
        views[i] = (view){joining->members[i], row->serial, row->rank_in, row->rank, i};
        joining->ids[i] = (id){row->rank, row->id, i};
        joining->starts[i] = SIZE_MAX;
    }
    qsort(views, count, sizeof *views, by_communicator);
    qsort(joining->ids, count, sizeof *joining->ids, by_id);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && views[end].members &&
                              views[end].members == views[begin].members &&
                              views[end].serial == views[begin].serial;)
            end++;
        joining->starts[views[begin].row] = begin;
        joining->ends[begin] = end;
    }
    for (size_t row = 0, at = 0; row < count; row++) { /* in order of their first rows */
        const size_t begin = joining->starts[row];
        if (begin == SIZE_MAX)
            continue;
        const scope_communicator_row *first = &calls->communicators[row];
        scope_joined_communicator *to = &joined->rows[joined->count];
        *to = (scope_joined_communicator){.name = {"", 0},
                                          .size = first->size,
                                          .parent = -1,
                                          .serial = first->serial,
                                          .members = joining->members[row],
                                          .first = at,
                                          .count = joining->ends[begin] - begin};
        for (size_t i = 0; i < to->count; i++) {
            const scope_communicator_row *one = &calls->communicators[views[begin + i].row];
            joined->of_row[views[begin + i].row] = (int32_t)joined->count;
            if (!to->name.length_bytes && one->name.length_bytes)
                to->name = one->name;
        }
        if (to->size >= 0 && to->count > (size_t)to->size)
            to->size =
                (int32_t)to->count; /* of an intercommunicator each rank told its own side's */
        qsort(views + begin, to->count, sizeof *views, by_rank_in);
        for (size_t i = 0; i < to->count; i++)
            joined->ranks[at++] = views[begin + i].rank;
        joined->count++;
    }
    for (size_t row = 0, i = 0; row < count; row++)
        if (joining->starts[row] != SIZE_MAX) {
            joined->rows[i].parent =
                parent_of(joining, joined, views + joining->starts[row], joined->rows[i].count);
            i++;
        }
}

scope_status scope_communicators_join(const scope_calls *calls, scope_joined_communicators *joined)
{
    const size_t count = calls->communicator_count;
    *joined = (scope_joined_communicators){0};
    if (count > INT32_MAX)
        return SCOPE_ERR_MEMORY;
    joining joining = {.calls = calls,
                       .members = malloc((count + 1) * sizeof *joining.members),
                       .views = malloc((count + 1) * sizeof *joining.views),
                       .ids = malloc((count + 1) * sizeof *joining.ids),
                       .ends = malloc((count + 1) * sizeof *joining.ends),
                       .starts = malloc((count + 1) * sizeof *joining.starts)};
    joined->rows = malloc((count + 1) * sizeof *joined->rows);
    joined->ranks = malloc((count + 1) * sizeof *joined->ranks);
    joined->of_row = malloc((count + 1) * sizeof *joined->of_row);
    const int good = joining.members && joining.views && joining.ids && joining.ends &&
                     joining.starts && joined->rows && joined->ranks && joined->of_row;
    for (size_t i = 0; good && i < count; i++)
        joining.members[i] = calls->communicators[i].members;
    for (int round = 0; good && count && round <= ROUNDS_MAX; round++) {
        join(&joining, joined);
        if (!part_the_crossed(&joining, joined))
            break;
        for (size_t i = 0; round + 1 == ROUNDS_MAX && i < count; i++)
            joining.members[i] = 0; /* made-up rows: a last round for all apart */
    }
    free(joining.members);
    free(joining.views);
    free(joining.ids);
    free(joining.ends);
    free(joining.starts);
    if (!good)
        scope_communicators_free(joined);
    return good ? SCOPE_OK : SCOPE_ERR_MEMORY;
}

void scope_communicators_free(scope_joined_communicators *joined)
{
    free(joined->rows);
    free(joined->ranks);
    free(joined->of_row);
    *joined = (scope_joined_communicators){0};
}
