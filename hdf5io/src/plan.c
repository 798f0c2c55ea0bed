/* plan.c - see plan.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "filter.h"
#include "message.h"
#include "metadata.h"
#include "names.h"

#define MANY_ROWS (UINT64_C(1) << 22)

typedef struct facts { /* of one rank, or of all together */
    int64_t start_time_ns, end_time_ns;
    int32_t rank_count;
    int32_t is_aggregate, has_calls;
    int32_t start_is_exact, end_is_exact; /* the table says when the run was */
    uint32_t width[SCOPE_COLUMN_MAX];
    uint8_t have[SCOPE_COLUMN_MAX];
} facts;

static void include_times(facts *facts, int64_t start_ns, int64_t end_ns)
{
    if (start_ns < facts->start_time_ns)
        facts->start_time_ns = start_ns;
    if (end_ns > facts->end_time_ns)
        facts->end_time_ns = end_ns;
}

/* The pair's statistics know; a table that was never nested has none. */
static void include_pair(facts *facts, const scope_calls *calls, const scope_pair *pair)
{
    const scope_statistics *known = &pair->statistics;
    if (!pair->count)
        return;
    if (known->end_maximum) {
        include_times(facts, known->start_minimum, known->end_maximum);
        return;
    }
    for (uint64_t i = pair->first; i < pair->first + pair->count; i++)
        include_times(facts, calls->start_ns[i], calls->start_ns[i] + calls->duration_ns[i]);
}

/* A host that says itself when its run began and ended is believed, also where it
 * reports calls from before. */
static bool is_time(const scope_calls *calls, const char *key, int64_t time_ns)
{
    const scope_metadata_row *row = time_ns ? scope_calls_metadata(calls, key) : NULL;
    return row && row->kind == SCOPE_VALUE_INTEGER && row->integer == time_ns;
}

static facts facts_of(const scope_rows *rows)
{
    const scope_calls *calls = &rows->calls;
    facts facts = {.start_time_ns = INT64_MAX,
                   .end_time_ns = INT64_MIN,
                   .rank_count = calls->rank_count,
                   .is_aggregate = calls->is_aggregate,
                   .has_calls = calls->count > 0};
    if (calls->start_time_ns || calls->count) {
        facts.start_time_ns = calls->start_time_ns;
        facts.end_time_ns = calls->end_time_ns;
    }
    facts.start_is_exact = is_time(calls, "start_time_ns", calls->start_time_ns);
    facts.end_is_exact = is_time(calls, "finalize_time_ns", calls->end_time_ns);
    const int64_t start_ns = facts.start_time_ns, end_ns = facts.end_time_ns;
    for (size_t p = 0; p < calls->pair_count; p++) /* no event may lie before the start */
        include_pair(&facts, calls, &calls->pairs[p]);
    if (facts.start_is_exact)
        facts.start_time_ns = start_ns;
    if (facts.end_is_exact)
        facts.end_time_ns = end_ns;
    for (size_t i = 0; i < calls->rank_row_count; i++)
        if (calls->ranks[i].rank >= facts.rank_count)
            facts.rank_count = calls->ranks[i].rank + 1;
    for (size_t i = 0; i < scope_column_count; i++) {
        facts.have[i] = scope_rows_have(rows, i);
        if (scope_columns[i].file == SCOPE_CELL_TEXT)
            facts.width[i] = scope_rows_width(rows, i);
    }
    return facts;
}

/* Of all ranks together: the earliest, the latest, the most. No rank holds those of all. */
static scope_status facts_of_all(scope_world *world, const facts *mine, facts *all)
{
    enum { START, END, RANKS, AGGREGATE, CALLS, COLUMNS, COUNT = COLUMNS + 2 * SCOPE_COLUMN_MAX };
    int64_t values[COUNT] = {[START] =
                                 ~mine->start_time_ns, /* the greatest of these is the least */
                             [END] = mine->end_time_ns,
                             [RANKS] = mine->rank_count,
                             [AGGREGATE] = mine->is_aggregate,
                             [CALLS] = mine->has_calls};
    int64_t most[COUNT];
    for (size_t i = 0; i < scope_column_count; i++) {
        values[COLUMNS + 2 * i] = mine->have[i];
        values[COLUMNS + 2 * i + 1] = mine->width[i];
    }
    const scope_status status = world->most(world, values, most, COLUMNS + 2 * scope_column_count);
    if (status != SCOPE_OK)
        return status;
    *all = (facts){.start_time_ns = ~most[START],
                   .end_time_ns = most[END],
                   .rank_count = (int32_t)most[RANKS],
                   .is_aggregate = (int32_t)most[AGGREGATE],
                   .has_calls = (int32_t)most[CALLS]};
    for (size_t i = 0; i < scope_column_count; i++) {
        all->have[i] = (uint8_t)most[COLUMNS + 2 * i];
        all->width[i] = (uint32_t)most[COLUMNS + 2 * i + 1];
    }
    return SCOPE_OK;
}

/* Chunks as the caller wants them, but not so large that one of them takes all memory. */
static void choose_storage(scope_plan *plan, const scope_file_options *options)
{
    const uint64_t total = plan->total[SCOPE_TABLE_EVENTS];
    scope_filter filter = SCOPE_FILTER_NONE;
    scope_filter_choose(options, total, &filter, &plan->filter_level);
    plan->filter = (int32_t)filter;
    plan->is_extendible = options && options->chunk_size > 0;
    plan->is_chunked = filter != SCOPE_FILTER_NONE || plan->is_extendible;
    const uint64_t most = total < MANY_ROWS ? MANY_ROWS : MANY_ROWS * 16;
    const uint64_t wanted = plan->is_extendible        ? (uint64_t)options->chunk_size
                            : total < SCOPE_CHUNK_ROWS ? total
                                                       : SCOPE_CHUNK_ROWS;
    plan->chunk_rows = wanted < most ? wanted : most;
}

/* There also without rows. */
static bool is_always(size_t column)
{
    return !(scope_columns[column].flags & SCOPE_COLUMN_OPTIONAL);
}

/* A column of PAIRS that an aggregate file has with its rows: written by AGGREGATES. */
static bool is_of_aggregates(size_t column)
{
    const bool is_id = scope_columns[column].offset == offsetof(scope_pair, region) ||
                       scope_columns[column].offset == offsetof(scope_pair, rank);
    return scope_columns[column].table == SCOPE_TABLE_PAIRS && is_id &&
           !(scope_columns[column].flags & SCOPE_COLUMN_ARRAY);
}

/* Rank 0: from its own facts and from everybody's. */
static void make_plan(scope_plan *plan, const scope_file_options *options, const facts *own,
                      const facts *all)
{
    plan->start_time_ns = all->start_time_ns;
    plan->end_time_ns = all->end_time_ns;
    plan->rank_count = all->rank_count;
    choose_storage(plan, options);
    plan->is_aggregate = all->is_aggregate;
    plan->is_mixed = all->has_calls;
    memcpy(plan->width, all->width, sizeof plan->width);
    for (size_t i = 0; i < scope_column_count; i++)
        plan->present[i] = all->have[i];
    plan->is_mixed = plan->is_mixed && plan->is_aggregate;
    if (own->start_is_exact) /* rank 0's, as every time in the file is on its clock */
        plan->start_time_ns = own->start_time_ns;
    if (own->end_is_exact)
        plan->end_time_ns = own->end_time_ns;
    if (plan->start_time_ns == INT64_MAX)
        plan->start_time_ns = plan->end_time_ns = 0;
    for (size_t i = 0; i < scope_column_count; i++) {
        const scope_table table = scope_columns[i].table;
        if (!plan->total[table] && !scope_tables[table].always)
            plan->present[i] = 0;
        if (!(scope_columns[i].flags & SCOPE_COLUMN_OPTIONAL) && scope_tables[table].always)
            plan->present[i] = 1;
        if (table == SCOPE_TABLE_AGGREGATES)
            plan->present[i] = plan->is_aggregate && (plan->present[i] || is_always(i));
        else if (plan->is_aggregate && is_of_aggregates(i))
            plan->present[i] = 0;
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    memcpy(plan->file_id, &now,
           sizeof now < sizeof plan->file_id ? sizeof now : sizeof plan->file_id);
    if (getrandom(plan->file_id, sizeof plan->file_id, GRND_NONBLOCK) < 0)
        plan->file_id[0] ^= (uint8_t)getpid();
}

scope_status scope_plan_agree(scope_world *world, const scope_rows *rows,
                              const scope_file_options *options, scope_plan *plan)
{
    enum { COUNT = SCOPE_TABLE_COUNT + 1 };
    int64_t mine[COUNT], before[COUNT], total[COUNT];
    memset(plan, 0, sizeof *plan);
    for (int t = 0; t < SCOPE_TABLE_COUNT; t++)
        mine[t] = (int64_t)scope_rows_count(rows, (scope_table)t);
    mine[SCOPE_TABLE_COUNT] = (int64_t)scope_names_unlisted(rows->given);
    scope_status status = world->sums(world, mine, before, total, COUNT);
    if (status != SCOPE_OK)
        return status;
    for (int t = 0; t < SCOPE_TABLE_COUNT; t++)
        plan->total[t] = (uint64_t)total[t];
    plan->unlisted_names = (uint64_t)total[SCOPE_TABLE_COUNT];
    const facts own = facts_of(rows);
    facts all;
    status = facts_of_all(world, &own, &all);
    if (status == SCOPE_OK && world->rank == 0) {
        if (all.rank_count < world->size)
            all.rank_count = world->size;
        make_plan(plan, options, &own, &all);
        plan->node_count = world->size > 1 ? world->node_count : scope_metadata_nodes(rows->given);
        if (plan->node_count < 1) /* nobody knows */
            plan->node_count = 1;
    }
    if (status == SCOPE_OK)
        status = world->broadcast(world, plan, sizeof *plan);
    for (int t = 0; t < SCOPE_TABLE_COUNT; t++)
        plan->before[t] = (uint64_t)before[t];
    return status;
}
