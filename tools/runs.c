/* runs.c - which spool files make one run, and what it was to write.
 *
 * SPDX-License-Identifier: MIT
 */
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "input.h"

void run_item_end(const spool_found *item, char *text, unsigned size)
{
    const int32_t kind = (int32_t)item->header->end_kind;
    const scope_rank_row row = {.end_kind = kind != SCOPE_END_OPEN ? kind
                                            : item->alive          ? SCOPE_END_RUNNING
                                                                   : SCOPE_END_KILLED,
                                .end_value = item->header->end_value};
    input_end(&row, text, size);
}

int64_t run_start(const run *run)
{
    int64_t start = INT64_MAX;
    for (size_t i = 0; i < run->count; i++)
        if (run->items[i]->header->start_realtime_ns < start)
            start = run->items[i]->header->start_realtime_ns;
    return start;
}

void run_item_id(const spool_found *item, char text[SCOPE_RUN_ID_TEXT_BYTES])
{
    scope_run_id_format(item->header->run_id, text);
    text[8] = '\0';
}

static size_t rank_end(const spools *spools, size_t at, size_t end)
{
    const int32_t rank = spools->items[at].header->rank;
    while (at < end && spools->items[at].header->rank == rank)
        at++;
    return at;
}

static int64_t apart_ns(const spool_found *a, const spool_found *b)
{
    return llabs((long long)(a->header->start_realtime_ns - b->header->start_realtime_ns));
}

static void put(run *run, spool_found *item, size_t room)
{
    if (!run->items)
        run->items = calloc(room, sizeof *run->items);
    if (run->items)
        run->items[run->count++] = item;
    if (item->header->size > run->size)
        run->size = item->header->size;
}

/* The spools of one rank to the starts that they are nearest to, in their order. */
static void place(spools *spools, size_t at, size_t end, size_t reference, size_t starts, run *runs,
                  size_t room)
{
    for (size_t slot = 0; at < end; at++, slot++) {
        const size_t last = starts - (end - at); /* leaves the rest a start each */
        size_t best = slot;
        for (size_t i = slot + 1; i <= last; i++)
            if (apart_ns(&spools->items[at], &spools->items[reference + i]) <
                apart_ns(&spools->items[at], &spools->items[reference + best]))
                best = i;
        put(&runs[best], &spools->items[at], room);
        slot = best;
    }
}

/* The items of one run id, each rank once. A script may have started its program more
 * than once under one id, and what ended well has left nothing: the rank with the most spools
 * tells the starts. A process without a rank is a run of its own where it is not alone. */
static size_t split(spools *spools, size_t begin, size_t end, run *runs)
{
    size_t count = 0, starts = 0, reference = begin;
    bool guessed = false;
    for (; begin < end && spools->items[begin].header->rank < 0; begin++)
        put(&runs[count++], &spools->items[begin], 1);
    for (size_t at = begin, next; at < end; at = next) {
        next = rank_end(spools, at, end);
        guessed = guessed || (starts && next - at != starts);
        if (next - at > starts) {
            starts = next - at;
            reference = at;
        }
    }
    for (size_t at = begin, next; at < end; at = next) {
        next = rank_end(spools, at, end);
        place(spools, at, next, reference, starts, runs + count, end - begin);
    }
    for (size_t i = 0; i < starts; i++)
        runs[count + i].guessed = guessed;
    return count + starts;
}

run *runs_find(spools *spools, size_t *run_count)
{
    run *runs = calloc(spools->count + 1, sizeof *runs);
    *run_count = 0;
    for (size_t at = 0; runs && at < spools->count;) {
        const size_t end = spools_run_end(spools, at);
        *run_count += split(spools, at, end, runs + *run_count);
        at = end;
    }
    return runs;
}

void runs_free(run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(runs[i].items);
    free(runs);
}

static const char *pattern_of(const spool_found *item)
{
    return item->main && item->main->output ? item->main->output : item->header->output;
}

char *run_output(const run *run)
{
    const scope_recording_header *header = run->items[0]->header;
    const char *pattern = pattern_of(run->items[0]);
    return *pattern ? scope_config_expand_for(pattern, header->rank, run->size, (long)header->pid)
                    : NULL;
}

char *run_own_output(const run *run, const char *pattern, const scope_recording_header *header,
                     int rank)
{
    char insert[32], *own;
    char *name = scope_config_expand_for(pattern, rank, run->size, (long)header->pid);
    if (!name || run->size < 2 || scope_config_is_per_process(pattern))
        return name;
    snprintf(insert, sizeof insert, ".rank%d", rank);
    own = scope_config_insert(name, insert);
    free(name);
    return own;
}

/* The run id in a file's metadata is this run's; -1: the file has none. */
static int has_id(const run *run, const scope_calls *calls)
{
    const scope_metadata_row *id = scope_calls_metadata(calls, "run_id");
    char text[SCOPE_RUN_ID_TEXT_BYTES];
    scope_run_id_format(run->items[0]->header->run_id, text);
    if (!id)
        return -1;
    return id->text.length_bytes == strlen(text) && memcmp(id->text.bytes, text, strlen(text)) == 0;
}

bool run_wrote(const run *run, const scope_calls *calls, int rank)
{
    if (calls->rank_row_count != 1 || calls->ranks[0].rank != rank)
        return false;
    const int64_t apart = calls->ranks[0].realtime_ns - run_start(run);
    const int same = has_id(run, calls);
    return same >= 0 ? same : apart > -INT64_C(60000000000) && apart < INT64_C(60000000000);
}

/* The row of a file is of this very recording: a process that executed another program
 * has two, with one pid. */
static bool is_of_recording(const spool_found *item, const scope_rank_row *row)
{
    return row->pid == (int64_t)item->header->pid && item->main &&
           (!item->main->start_realtime_ns || row->realtime_ns == item->main->start_realtime_ns);
}

bool run_wrote_all(const run *run, const scope_calls *calls)
{
    if (has_id(run, calls) != 1 || scope_calls_metadata(calls, "recovered"))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        const int32_t rank = run->items[i]->header->rank < 0 ? 0 : run->items[i]->header->rank;
        size_t at = 0;
        while (at < calls->rank_row_count && calls->ranks[at].rank != rank)
            at++;
        if (at == calls->rank_row_count || !is_of_recording(run->items[i], &calls->ranks[at]))
            return false;
    }
    return true;
}

bool run_was_recovered(const run *run, const scope_calls *calls)
{
    return has_id(run, calls) == 1 && scope_calls_metadata(calls, "recovered");
}

bool run_same_id(const run *a, const run *b)
{
    return memcmp(a->items[0]->header->run_id, b->items[0]->header->run_id,
                  sizeof a->items[0]->header->run_id) == 0;
}

run run_of_all(spools *spools)
{
    run run = {.items = calloc(spools->count, sizeof *run.items)};
    for (size_t i = 0; run.items && i < spools->count; i++) {
        run.items[run.count++] = &spools->items[i];
        if (spools->items[i].header->size > run.size)
            run.size = spools->items[i].header->size;
    }
    return run;
}
