/* ends.c - how a rank ended, for people.
 *
 * SPDX-License-Identifier: MIT
 */
#include "ends.h"

#include <stdlib.h>
#include <string.h>

#include <scope/lane.h>

#include "input.h"
#include "text.h"

enum { OPEN_SHOWN = 8 };

typedef struct open_region {
    uint32_t region;
    int64_t first_ns, count;
} open_region;

static int by_start(const void *left, const void *right)
{
    const open_region *a = left, *b = right;
    return a->first_ns < b->first_ns ? -1 : a->first_ns > b->first_ns;
}

/* Regions with calls that were open at the end, the earliest first. malloc'd; NULL: none. */
static open_region *find_open(const scope_calls *calls, size_t *count)
{
    open_region *regions = calls->flags && !calls->is_aggregate
                               ? malloc((calls->pair_count + 1) * sizeof *regions)
                               : NULL;
    *count = 0;
    for (size_t p = 0; regions && p < calls->pair_count; p++) {
        const scope_pair *pair = &calls->pairs[p];
        open_region open = {.region = pair->region, .first_ns = INT64_MAX};
        for (uint64_t i = pair->first; i < pair->first + pair->count; i++) {
            if (!(calls->flags[i] & SCOPE_CALL_OPEN))
                continue;
            open.count++;
            if (calls->start_ns[i] < open.first_ns)
                open.first_ns = calls->start_ns[i];
        }
        if (open.count)
            regions[(*count)++] = open;
    }
    if (*count)
        qsort(regions, *count, sizeof *regions, by_start);
    return regions;
}

static void print_open(FILE *out, const scope_calls *calls)
{
    size_t count;
    open_region *regions = find_open(calls, &count);
    for (size_t i = 0; i < count && i < OPEN_SHOWN; i++) {
        const scope_string *bytes = &calls->regions[regions[i].region].name;
        char *name = text_name(bytes->bytes, bytes->length_bytes);
        fprintf(out, "%s%s", i ? " > " : "; open: ", name ? name : "?");
        if (regions[i].count > 1)
            fprintf(out, " (%lld calls)", (long long)regions[i].count);
        free(name);
    }
    if (count > OPEN_SHOWN)
        fprintf(out, " and %zu more regions", count - OPEN_SHOWN);
    free(regions);
}

void ends_print(FILE *out, const scope_calls *calls, const char *note)
{
    const scope_rank_row *row = &calls->ranks[0];
    char end[64];
    input_end(row, end, sizeof end);
    fprintf(out, "rank %d: %s, %llu calls", (int)row->rank, end,
            (unsigned long long)calls->count + (unsigned long long)row->folded);
    if (row->folded)
        fprintf(out, ", %lld of them as sums", (long long)row->folded);
    fprintf(out, " (%s, pid %lld)%s\n", row->host.bytes, (long long)row->pid, note);
    if (row->end_kind == SCOPE_END_FINISHED && !row->holes)
        return;
    if (row->last_event_ns >= row->start_ns)
        fprintf(out, "        last event %.6f s after its start",
                (double)(row->last_event_ns - row->start_ns) / 1e9);
    else
        fputs("        no event", out);
    print_open(out, calls);
    if (row->holes)
        fprintf(out, "; %lld %s could not be read", (long long)row->holes,
                row->holes == 1 ? "event" : "events");
    fputc('\n', out);
}
