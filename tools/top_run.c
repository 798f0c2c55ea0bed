/* top_run.c - which run is watched.
 *
 * SPDX-License-Identifier: MIT
 */
#include "top.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <scope/proc.h>

#include "command.h"
#include "list.h"
#include "runs.h"

/* Runs with the same id are one here: processes without ranks have a run each. */
typedef struct choice {
    const run *runs;
    size_t count;
    size_t *chosen; /* places of those that may be meant */
    size_t chosen_count;
} choice;

static bool is_here(const spool_found *item)
{
    char boot_id[sizeof item->header->boot_id];
    scope_proc_boot_id(boot_id, sizeof boot_id);
    return strncmp(boot_id, item->header->boot_id, sizeof boot_id) == 0;
}

static bool runs_here(const run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->items[i]->alive && !spools_is_written(run->items[i]) && is_here(run->items[i]))
            return true;
    return false;
}

static bool has_id(const run *run, const char *id)
{
    char text[SCOPE_RUN_ID_TEXT_BYTES];
    scope_run_id_format(run->items[0]->header->run_id, text);
    return strncmp(text, id, strlen(id)) == 0;
}

static bool is_id(const char *text)
{
    const size_t length = strlen(text);
    return length >= 4 && length < SCOPE_RUN_ID_TEXT_BYTES &&
           strspn(text, "0123456789abcdef") == length;
}

static bool is_chosen(const choice *choice, const run *run)
{
    for (size_t i = 0; i < choice->chosen_count; i++)
        if (run_same_id(&choice->runs[choice->chosen[i]], run))
            return true;
    return false;
}

/* Those that run, else (`any`) the one that began last. */
static bool choose(choice *choice, const char *id, bool any, bool newest)
{
    size_t last = choice->count;
    choice->chosen = calloc(choice->count + 1, sizeof *choice->chosen);
    if (!choice->chosen)
        return false;
    for (int running = 1; running >= 0 && !choice->chosen_count; running--) {
        if (!running && !any)
            break;
        for (size_t i = 0; i < choice->count; i++) {
            const run *run = &choice->runs[i];
            if (!run->count || (id && !has_id(run, id)) || (running && !runs_here(run)))
                continue;
            if (last == choice->count || run_start(run) > run_start(&choice->runs[last]))
                last = i;
            if (running && !is_chosen(choice, run))
                choice->chosen[choice->chosen_count++] = i;
        }
        if (last < choice->count && (!running || newest)) {
            choice->chosen[0] = last;
            choice->chosen_count = 1;
        }
    }
    return true;
}

static int show_choice(const choice *choice)
{
    run *several = calloc(choice->chosen_count + 1, sizeof *several);
    for (size_t i = 0; several && i < choice->chosen_count; i++)
        several[i] = choice->runs[choice->chosen[i]];
    if (several)
        list_runs(several, choice->chosen_count);
    free(several);
    command_say("top", "several runs: name one of them, as in scope top RUN, or take --newest");
    return EXIT_FAILED;
}

static bool add_run(top_run *run, const choice *choice)
{
    const struct run *chosen = &choice->runs[choice->chosen[0]];
    memcpy(run->id, chosen->items[0]->header->run_id, sizeof run->id);
    for (size_t i = 0; i < choice->count; i++) {
        const struct run *one = &choice->runs[i];
        /* a process of its own that belongs to it, as a forked one; not an earlier start */
        if (one != chosen && !(one->count && run_same_id(one, chosen) && runs_here(one)))
            continue;
        for (size_t k = 0; k < one->count; k++)
            if (!top_add(run, one->items[k]->path))
                return false;
    }
    return true;
}

static int open_one_of(top_run *run, spools *found, const char *id, bool any, bool newest)
{
    choice choice = {0};
    int code = EXIT_FAILED;
    spools_sort(found);
    struct run *runs = runs_find(found, &choice.count);
    choice.runs = runs;
    if (!runs || !choose(&choice, id, any, newest))
        command_say("top", "out of memory");
    else if (!choice.chosen_count && id)
        command_say("top", "no run %s here: scope recover --list shows what there is", id);
    else if (!choice.chosen_count)
        command_say("top", "no run is recording on this node");
    else if (choice.chosen_count > 1)
        code = show_choice(&choice);
    else if (!add_run(run, &choice))
        command_say("top", "out of memory");
    else if (!run->rank_count)
        command_say("top", "the run has just ended");
    else
        code = -1;
    free(choice.chosen);
    runs_free(runs, choice.count);
    return code;
}

/* In the places where recordings go: of many that are left there, those that run are found
 * first, and soon. */
static int open_default(top_run *run, const char *id, bool newest)
{
    spools found = {.running_only = true};
    int code = -1;
    spools_add_default(&found, NULL);
    bool known = !id;
    for (size_t i = 0; i < found.count && !known; i++)
        known = has_id(&(struct run){.items = &(spool_found *){&found.items[i]}, .count = 1}, id);
    if (!known) {
        spools_free(&found);
        found = (spools){0};
        spools_add_default(&found, NULL);
    }
    code = open_one_of(run, &found, id, id != NULL, newest);
    spools_free(&found);
    return code;
}

static int open_path(top_run *run, const char *path, bool newest)
{
    struct stat status;
    spools found = {0};
    int code = EXIT_FAILED; /* said */
    run->single = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    if (spools_add(&found, "top", path))
        code = open_one_of(run, &found, NULL, true, newest);
    spools_free(&found);
    return code;
}

int top_open(top_run *run, const char *what, const top_options *options)
{
    struct timespec now;
    int code = EXIT_FAILED;
    *run = (top_run){0};
    clock_gettime(CLOCK_REALTIME, &now);
    run->opened_realtime_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    if (what && access(what, F_OK) == 0)
        code = open_path(run, what, options->newest);
    else if (what && !is_id(what))
        command_say("top", "%s: no such file, and no run id", what);
    else
        code = open_default(run, what, options->newest);
    if (code >= 0)
        top_close(run);
    return code;
}

void top_close(top_run *run)
{
    top_free_waits(run);
    for (size_t i = 0; i < run->rank_count; i++) {
        free(run->ranks[i].path);
        free(run->ranks[i].region_of);
        scope_watch_free(run->ranks[i].watch);
        scope_spool_close(run->ranks[i].spool);
    }
    for (size_t i = 0; i < run->region_count; i++)
        free(run->regions[i].name);
    free(run->ranks);
    free(run->regions);
    free(run->by_name);
    *run = (top_run){0};
}
