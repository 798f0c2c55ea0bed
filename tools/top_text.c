/* top_text.c - a run that is watched, as a screen of text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "top.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "run_id.h"
#include "table.h"
#include "text.h"

enum { REGIONS_DEFAULT = 15, RANKS_LISTED = 8 };

/* ---- order ---- */

const char top_sort_words[] = "exclusive, calls, mean, bytes, total or name";
static const char *const words[] = {"exclusive", "calls", "mean", "bytes", "total", "name"};
enum { WORDS = sizeof words / sizeof *words };

bool top_knows_sort(const char *word)
{
    for (int i = 0; i < WORDS; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

const char *top_next_sort(const char *word)
{
    for (int i = 0; i + 1 < WORDS; i++)
        if (strcmp(words[i], word) == 0)
            return words[i + 1];
    return words[0];
}

static top_sum difference(const top_region *region)
{
    const top_sum *a = &region->now, *b = &region->before;
    return (top_sum){top_more(a->calls, b->calls), top_more(a->total_ns, b->total_ns),
                     top_more(a->exclusive_ns, b->exclusive_ns), top_more(a->bytes, b->bytes)};
}

static double mean_of(const top_sum *sum)
{
    return sum->calls ? (double)sum->total_ns / (double)sum->calls : -1;
}

static double value_of(const top_sum *sum, const char *word)
{
    switch (*word) {
    case 'c': return (double)sum->calls;
    case 'm': return mean_of(sum);
    case 'b': return (double)sum->bytes;
    default: return (double)sum->exclusive_ns;
    }
}

typedef struct ranked {
    const top_region *region;
    double recent, all; /* of the last interval, and since the start */
    bool by_name;
} ranked;

static int by_value(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (!a->by_name && a->recent != b->recent)
        return a->recent > b->recent ? -1 : 1;
    if (!a->by_name && a->all != b->all)
        return a->all > b->all ? -1 : 1;
    const size_t length = a->region->length_bytes < b->region->length_bytes
                              ? a->region->length_bytes
                              : b->region->length_bytes;
    const int order = memcmp(a->region->name, b->region->name, length);
    return order ? order
                 : (a->region->length_bytes > b->region->length_bytes) -
                       (a->region->length_bytes < b->region->length_bytes);
}

size_t *top_order(const top_run *run, const top_options *options, size_t *count)
{
    const char *word = options->sort;
    ranked *all = malloc((run->region_count + 1) * sizeof *all);
    size_t *order = malloc((run->region_count + 1) * sizeof *order);
    *count = 0;
    for (size_t i = 0; all && order && i < run->region_count; i++) {
        const top_region *region = &run->regions[i];
        const top_sum recent = difference(region);
        if (!region->now.calls && !region->open)
            continue; /* of processes that are replaced */
        all[(*count)++] = (ranked){region, *word == 't' ? 0 : value_of(&recent, word),
                                   value_of(&region->now, word), *word == 'n'};
    }
    if (*count)
        qsort(all, *count, sizeof *all, by_value);
    for (size_t i = 0; i < *count; i++)
        order[i] = (size_t)(all[i].region - run->regions);
    free(all);
    return order;
}

/* ---- words ---- */

/* At most five columns; a rate may have a fraction. */
static const char *short_count(double value, char *out)
{
    static const char units[] = " kMGTP";
    size_t i = 0;
    if (value < 9999.5) {
        const bool whole = value == (double)(int64_t)value || value >= 9.95;
        snprintf(out, TEXT_BYTES, whole ? "%.0f" : "%.1f", value);
        return out;
    }
    while (i < 5 && value >= 999.5) {
        value /= 1000;
        i++;
    }
    snprintf(out, TEXT_BYTES, value < 9.995 ? "%.2f%c" : value < 99.95 ? "%.1f%c" : "%.0f%c",
             value, units[i]);
    return out;
}

static void print_count(FILE *out, int64_t value)
{
    char text[TEXT_BYTES];
    if (value < 10000)
        fprintf(out, "%lld", (long long)value);
    else
        fputs(short_count((double)value, text), out);
}

/* "1:02:03" */
static void print_clock(FILE *out, int64_t ns)
{
    const long long seconds = ns / 1000000000;
    fprintf(out, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

static void print_name(FILE *out, const char *bytes, size_t length)
{
    char *name = text_name(bytes, length);
    fputs(name ? name : "?", out);
    free(name);
}

static void print_string(FILE *out, const scope_string *name)
{
    if (name->bytes)
        print_name(out, name->bytes, name->length_bytes);
    else
        fputs("(no name)", out);
}

static void print_rank(FILE *out, const top_rank *rank)
{
    if (rank->header->rank >= 0)
        fprintf(out, "rank %d", (int)rank->header->rank);
    else
        fprintf(out, "process %llu", (unsigned long long)rank->header->pid);
}

const char *top_end(const top_rank *rank, char *text, size_t size)
{
    int32_t kind = (int32_t)rank->header->end_kind;
    if (rank->executes) {
        snprintf(text, size, "executed another program");
        return text;
    }
    if (rank->running)
        kind = SCOPE_END_RUNNING;
    else if (kind == SCOPE_END_OPEN)
        kind = rank->gone ? SCOPE_END_FINISHED : SCOPE_END_KILLED;
    const scope_rank_row row = {.end_kind = kind, .end_value = rank->header->end_value};
    input_end(&row, text, (unsigned)size);
    return text;
}

/* "2 finished, 1 killed": each end once, in the order of ranks. */
static void print_ends(const top_run *run, FILE *out)
{
    char text[64], other[64];
    bool first = true;
    for (size_t i = 0; i < run->rank_count; i++) {
        size_t count = 0;
        bool told = false;
        top_end(&run->ranks[i], text, sizeof text);
        for (size_t k = 0; k < run->rank_count; k++)
            if (strcmp(top_end(&run->ranks[k], other, sizeof other), text) == 0) {
                told = told || k < i;
                count++;
            }
        if (told)
            continue;
        fprintf(out, "%s%zu %s", first ? "" : ", ", count, text);
        first = false;
    }
}

void top_say_end(const top_run *run, FILE *out)
{
    char id[SCOPE_RUN_ID_TEXT_BYTES];
    bool killed = false;
    scope_run_id_format(run->id, id);
    fprintf(out, "run %.8s has ended: ", id);
    print_ends(run, out);
    for (size_t i = 0; i < run->rank_count; i++)
        killed = killed || (!run->ranks[i].running && !run->ranks[i].gone);
    fputs(killed ? "; scope recover makes a file of what is left\n" : "\n", out);
}

/* ---- the head ---- */

static void print_head(const top_run *run, FILE *out)
{
    const scope_recording_header *first = run->ranks[0].header;
    char id[SCOPE_RUN_ID_TEXT_BYTES], text[TEXT_BYTES];
    int32_t size = 1;
    size_t threads = 0;
    for (size_t i = 0; i < run->rank_count; i++) {
        if (run->ranks[i].header->size > size)
            size = run->ranks[i].header->size;
        threads += run->ranks[i].running ? run->ranks[i].state->thread_count : 0;
    }
    scope_run_id_format(run->id, id);
    fprintf(out, "%srun %.8s%s  ", style_bold(), id, style_end());
    print_name(out, first->program, strlen(first->program));
    fputs(" on ", out);
    print_name(out, first->host, strlen(first->host));
    fputs(", ", out);
    print_clock(out, run->now.time_ns);
    if (size > 1)
        fprintf(out, "\n%zu of %d ranks here: ", run->rank_count, (int)size);
    else
        fprintf(out, "\n%zu %s here: ", run->rank_count,
                run->rank_count == 1 ? "process" : "processes");
    print_ends(run, out);
    fprintf(out, "; %zu %s; ", threads, threads == 1 ? "thread" : "threads");
    print_count(out, run->now.events);
    fputs(" events", out);
    if (run->interval_ns > 0) {
        const int64_t events = top_more(run->now.events, run->before.events);
        fprintf(out, ", %s/s",
                short_count(1e9 * (double)events / (double)run->interval_ns, text));
    }
    fputc('\n', out);
}

/* What is not all there, or only in sums. */
static void print_losses(const top_run *run, FILE *out)
{
    uint64_t folded = 0, dropped = 0, beside = 0, missed = 0, waiting = 0;
    const char *comma = "";
    for (size_t i = 0; i < run->rank_count; i++) {
        const top_rank *rank = &run->ranks[i];
        folded += rank->state->folded_count;
        dropped += rank->header->dropped_events;
        beside += rank->header->beside_events;
        missed += rank->state->missed_chunks;
        waiting += rank->state->waiting_tasks;
    }
    const struct {
        uint64_t count;
        const char *text;
    } all[] = {{folded, "calls kept as sums"},
               {dropped, "events dropped"},
               {beside, "events in memory only"},
               {missed, "chunks not seen"},
               {waiting, "tasks waiting"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].count)
            continue;
        fputs(comma, out);
        print_count(out, (int64_t)all[i].count);
        fprintf(out, " %s", all[i].text);
        comma = ", ";
    }
    if (*comma)
        fputc('\n', out);
}

/* ---- waits ---- */

/* "rank 3", "ranks 0-2,5" */
static void print_ranks(const top_rank *const *ranks, size_t count, FILE *out)
{
    fputs(count == 1 ? "rank " : "ranks ", out);
    for (size_t i = 0, shown = 0; i < count; shown++) {
        size_t end = i;
        while (end + 1 < count && ranks[end + 1]->header->rank == ranks[end]->header->rank + 1)
            end++;
        if (shown == RANKS_LISTED) {
            fputs(",...", out);
            return;
        }
        fprintf(out, "%s%d", shown ? "," : "", (int)ranks[i]->header->rank);
        if (end > i)
            fprintf(out, "-%d", (int)ranks[end]->header->rank);
        i = end + 1;
    }
}

static void print_wait(const top_wait *wait, FILE *out)
{
    char text[TEXT_BYTES];
    fputs(style_warn(), out);
    for (size_t i = 0; i < wait->absent_count && i < RANKS_LISTED; i++) {
        const top_absent *absent = &wait->absent[i];
        if (i)
            fputs(", ", out);
        print_rank(out, absent->rank);
        if (absent->open) {
            fputs(" in ", out);
            print_string(out, &absent->rank->state->regions[absent->open->region].name);
        } else {
            fputs(" in no region", out);
        }
        fprintf(out, " since %s", text_duration((double)absent->since_ns, text));
    }
    if (wait->absent_count > RANKS_LISTED)
        fprintf(out, " and %zu more ranks", wait->absent_count - RANKS_LISTED);
    if (wait->absent_count)
        fputs("; ", out);
    print_ranks(wait->waiting, wait->waiting_count, out);
    fputs(wait->waiting_count == 1 ? " waits in " : " wait in ", out);
    print_string(out, &wait->call->name);
    if (wait->communicator) {
        fputs(" (", out);
        print_string(out, &wait->communicator->name);
        fputc(')', out);
    }
    fprintf(out, " since %s", text_duration((double)wait->since_ns, text));
    if (!wait->absent_count && wait->elsewhere > 0)
        fprintf(out, "; %lld %s on other nodes", (long long)wait->elsewhere,
                wait->elsewhere == 1 ? "rank is" : "ranks are");
    else if (!wait->absent_count && wait->communicator)
        fputs("; all of them are in a collective call", out);
    fprintf(out, "%s\n", style_end());
}

/* ---- tables ---- */

static double share(int64_t part, int64_t all)
{
    return all > 0 ? (double)(part > 0 ? part : 0) / (double)all : -1;
}

static void print_regions(const top_run *run, const top_options *options, size_t limit, FILE *out)
{
    char text[TEXT_BYTES];
    size_t count;
    size_t *order = top_order(run, options, &count);
    const double seconds = 1e-9 * (double)run->interval_ns;
    const int64_t lanes_ns = top_more(run->now.lane_ns, run->before.lane_ns);
    table *table = table_new();
    table_column(table, "region", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "calls/s", 0);
    table_column(table, "mean", 0);
    table_column(table, "excl", 0);
    table_column(table, "| calls", 0);
    table_column(table, "mean", 0);
    table_column(table, "excl", 0);
    table_column(table, "share", 0);
    for (size_t i = 0; order && i < count && (!limit || i < limit); i++) {
        const top_region *region = &run->regions[order[i]];
        const top_sum recent = difference(region);
        const bool known = seconds > 0;
        table_name(table, region->name, region->length_bytes);
        table_cell(table, known ? short_count((double)recent.calls / seconds, text) : "-");
        table_cell(table, text_time(known ? mean_of(&recent) : -1, text));
        table_cell(table, text_percent(known ? share(recent.exclusive_ns, lanes_ns) : -1, text));
        table_cell(table, short_count((double)region->now.calls, text));
        table_cell(table, text_time(mean_of(&region->now), text));
        table_cell(table, text_time((double)region->now.exclusive_ns, text));
        table_cell(table, text_percent(share(region->now.exclusive_ns, run->now.lane_ns), text));
    }
    table_print(table, out);
    if (order && limit && count > limit)
        fprintf(out, "%s... %zu more%s\n", style_dim(), count - limit, style_end());
    free(order);
}

/* "main > solve > MPI_Barrier" */
static char *path_of(const top_rank *rank, size_t thread)
{
    const scope_watch_state *state = rank->state;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    if (thread < state->thread_count) {
        const scope_watch_thread *one = &state->threads[thread];
        for (size_t i = 0; i < one->open_count; i++) {
            fputs(i ? " > " : "", out);
            print_string(out, &state->regions[state->opens[one->first_open + i].region].name);
        }
        if (!one->open_count)
            fputs("-", out);
    }
    fclose(out);
    return text;
}

static void print_thread(const top_run *run, const top_rank *rank, size_t thread, table *table,
                         bool with_threads)
{
    char text[TEXT_BYTES];
    int64_t since_ns;
    const int64_t time_ns = top_more(rank->now.time_ns, rank->before.time_ns);
    const bool main = thread == 0, known = run->interval_ns > 0 && rank->running && time_ns > 0;
    const char *mark = rank->awaited ? "*" : rank->waits ? "!" : "";
    top_innermost(rank, thread, &since_ns);
    if (rank->header->rank < 0)
        snprintf(text, sizeof text, "%s%llu", main ? mark : "",
                 (unsigned long long)rank->header->pid);
    else
        snprintf(text, sizeof text, "%s%d", main ? mark : "", (int)rank->header->rank);
    table_cell(table, text);
    if (with_threads) {
        const scope_watch_thread *one =
            thread < rank->state->thread_count ? &rank->state->threads[thread] : NULL;
        if (one && one->name.bytes && one->name.length_bytes)
            table_name(table, one->name.bytes, one->name.length_bytes);
        else
            table_cell(table, one && one->id >= 0 ? text_count(one->id, text) : "-");
    }
    if (main) {
        const int64_t mpi_ns = top_more(rank->now.mpi_ns, rank->before.mpi_ns);
        const int64_t bytes = wrap_subtract(rank->now.bytes, rank->before.bytes);
        table_cell(table, text_percent(known ? share(mpi_ns, time_ns) : -1, text));
        table_cell(table, text_percent(share(rank->now.mpi_ns, rank->now.time_ns), text));
        table_cell(table, text_bytes(known && bytes >= 0
                                         ? 1e9 * (double)bytes / (double)time_ns
                                         : -1, text));
    } else {
        for (int i = 0; i < 3; i++)
            table_cell(table, "");
    }
    const bool records = rank->running && !rank->state->has_ended;
    table_cell(table, records ? text_time((double)since_ns, text) : "");
    if (rank->running && !records) {
        table_cell(table, "(writes its file)");
    } else if (records) {
        char *path = path_of(rank, thread);
        table_cell(table, path ? path : "?");
        free(path);
    } else {
        table_cell(table, top_end(rank, text, sizeof text));
    }
}

static void print_table_of_ranks(const top_run *run, const top_options *options, size_t limit,
                                 FILE *out)
{
    size_t shown = 0, left = 0;
    table *table = table_new();
    table_column(table, run->ranks[0].header->rank < 0 ? "pid" : "rank", 0);
    if (options->threads)
        table_column(table, "thread", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "MPI", 0);
    table_column(table, "all", 0);
    table_column(table, "bytes/s ", 0);
    table_column(table, "since", 0);
    table_column(table, "in", TABLE_LEFT | TABLE_SHRINK);
    for (size_t i = 0; i < run->rank_count; i++) {
        const top_rank *rank = &run->ranks[i];
        const size_t threads = options->threads && rank->running ? rank->state->thread_count : 1;
        if (!top_shows(rank, options))
            continue;
        for (size_t k = 0; k < (threads ? threads : 1); k++) {
            if (limit && shown >= limit) {
                left++;
                continue;
            }
            print_thread(run, rank, k, table, options->threads);
            shown++;
        }
    }
    table_print(table, out);
    if (left)
        fprintf(out, "%s... %zu more%s\n", style_dim(), left, style_end());
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

void top_text(const top_run *run, const top_options *options, size_t lines, FILE *out)
{
    char *head = NULL, text[TEXT_BYTES];
    size_t length, ranks = 0;
    size_t regions = options->rows >= 0 ? (size_t)options->rows : REGIONS_DEFAULT;
    FILE *head_out = open_memstream(&head, &length);
    if (!head_out)
        return;
    print_head(run, head_out);
    print_losses(run, head_out);
    for (size_t i = 0; i < run->wait_count; i++)
        print_wait(&run->waits[i], head_out);
    fclose(head_out);
    fputs(head ? head : "", out);
    if (lines && options->rows < 0) { /* of what is left the ranks have a half at most */
        const size_t used = count_lines(head ? head : "") + 7;
        const size_t left = lines > used + 2 ? lines - used : 2;
        ranks = options->threads || run->rank_count > left / 2 ? left / 2 : run->rank_count;
        regions = left - ranks > 1 ? left - ranks : 1;
    }
    free(head);
    if (run->interval_ns > 0)
        fprintf(out, "\nlast %s | since the start\n",
                text_duration((double)run->interval_ns, text));
    else
        fputs("\n| since the start\n", out);
    print_regions(run, options, regions, out);
    fputc('\n', out);
    print_table_of_ranks(run, options, ranks, out);
}
