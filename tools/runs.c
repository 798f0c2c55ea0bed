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
    const scope_rank_row row = {.end_kind = (int32_t)item->header->end_kind,
                                .end_value = item->header->end_value};
    input_end(&row, item->alive, text, size);
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

/* The items of one run id, each rank once. A script may have started its program
 * more than once under one id: the n-th of a rank run_wrote to the n-th start. A
 * process without a rank is a run of its own where it is not alone. */
static size_t split(spools *spools, size_t begin, size_t end, run *runs)
{
    size_t count = 0, starts = 0;
    const size_t before = end - begin;
    for (size_t i = begin, same = 0; i < end; i++) {
        spool_found *item = &spools->items[i];
        const bool ranked = item->header->rank >= 0;
        same = i > begin && ranked && spools->items[i - 1].header->rank == item->header->rank
                   ? same + 1
                   : 0;
        run *to = &runs[count];
        if (ranked && starts && same < starts) {
            to = &runs[count - starts + same];
        } else {
            *to = (run){.items = calloc(before, sizeof *to->items)};
            count++;
            starts += ranked;
        }
        if (to->items)
            to->items[to->count++] = item;
        if (item->header->size > to->size)
            to->size = item->header->size;
    }
    return count;
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

/* The letters of a pattern that only the recorded process could answer. */
static bool answer(char letter, const scope_recording_header *header, char *text, size_t size)
{
    if (letter == 'x')
        snprintf(text, size, "%s", header->program);
    else if (letter == 'p')
        snprintf(text, size, "%llu", (unsigned long long)header->pid);
    else if (letter == 'h' || letter == 'N')
        snprintf(text, size, "%.*s", (int)strcspn(header->host, "."), header->host);
    else
        return false;
    return true;
}

/* The name the run would have written; malloc'd. */
char *run_output(const scope_recording_header *header, int rank)
{
    char *pattern = NULL, text[sizeof header->program];
    size_t length;
    FILE *out = open_memstream(&pattern, &length);
    if (!out)
        return NULL;
    for (const char *at = header->output; *at; at++) {
        if (*at != '%' || !at[1])
            fputc(*at, out);
        else if (!answer(at[1], header, text, sizeof text))
            fprintf(out, "%%%c", *++at);
        else {
            for (const char *from = text; *from; from++)
                fprintf(out, *from == '%' ? "%%%%" : "%c", *from);
            at++;
        }
    }
    char *name = NULL;
    if (fclose(out) == 0)
        name = scope_config_expand(pattern, rank < 0 ? 0 : rank, header->size);
    free(pattern);
    return name;
}

/* A rank's own name, when nobody gathers. */
char *run_own_output(const scope_recording_header *header, int rank)
{
    char *name = run_output(header, rank);
    const char *slash = name ? strrchr(name, '/') : NULL;
    const char *suffix = name ? strrchr(slash ? slash : name, '.') : NULL;
    char *own = NULL;
    if (!name || rank < 0 || scope_config_is_per_process(header->output))
        return name;
    const int stem = (int)(suffix ? suffix - name : (long)strlen(name));
    if (asprintf(&own, "%.*s.rank%d%s", stem, name, rank, suffix ? suffix : "") < 0)
        own = NULL;
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

bool run_wrote_all(const run *run, const scope_calls *calls)
{
    if (has_id(run, calls) != 1 || scope_calls_metadata(calls, "recovered"))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        const int32_t rank = run->items[i]->header->rank < 0 ? 0 : run->items[i]->header->rank;
        size_t at = 0;
        while (at < calls->rank_row_count && calls->ranks[at].rank != rank)
            at++;
        if (at == calls->rank_row_count ||
            calls->ranks[at].pid != (int64_t)run->items[i]->header->pid)
            return false;
    }
    return true;
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
