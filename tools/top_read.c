/* top_read.c - what is new of a run: processes, events, ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include "top.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <scope/proc.h>

#include "view_parts.h"

bool top_shows(const top_rank *rank, const top_options *options)
{
    bool valid;
    return !options->ranks || view_in_ranks(options->ranks, rank->header->rank, &valid);
}

/* ---- processes ---- */

static top_rank *known(const top_run *run, const char *path)
{
    for (size_t i = 0; i < run->rank_count; i++)
        if (strcmp(run->ranks[i].path, path) == 0)
            return &run->ranks[i];
    return NULL;
}

static void release(top_rank *rank)
{
    free(rank->path);
    free(rank->region_of);
    scope_watch_free(rank->watch);
    scope_spool_close(rank->spool);
}

/* In the order of ranks, processes without one behind. */
static bool goes_before(const top_rank *a, const top_rank *b)
{
    if (a->header->rank != b->header->rank)
        return (uint32_t)a->header->rank < (uint32_t)b->header->rank;
    if (a->header->start_realtime_ns != b->header->start_realtime_ns)
        return a->header->start_realtime_ns < b->header->start_realtime_ns;
    return a->header->pid < b->header->pid;
}

static void sort_ranks(top_run *run)
{
    for (size_t i = 1; i < run->rank_count; i++) {
        const top_rank rank = run->ranks[i];
        size_t place = i;
        for (; place > 0 && goes_before(&rank, &run->ranks[place - 1]); place--)
            run->ranks[place] = run->ranks[place - 1];
        run->ranks[place] = rank;
    }
}

/* The file is not there any more, or another one has its name: what was in it is written. */
static bool is_gone(const top_rank *rank)
{
    struct stat status;
    return stat(rank->path, &status) != 0 && errno == ENOENT;
}

/* No end was recorded, nobody has the spool any more, and the process lives. */
static bool executes(const top_rank *rank)
{
    const scope_recording_header *header = rank->header;
    char path[64], boot_id[sizeof header->boot_id];
    scope_proc_stat stat;
    if (rank->running || rank->gone || header->end_kind != SCOPE_END_OPEN ||
        header->pid_namespace != scope_proc_pid_namespace())
        return false;
    scope_proc_boot_id(boot_id, sizeof boot_id);
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/stat", header->pid);
    return strncmp(boot_id, header->boot_id, sizeof boot_id) == 0 && scope_proc_read(path, &stat) &&
           stat.state != 'Z' && stat.state != 'X' &&
           stat.start_ticks == header->process_start_ticks;
}

static bool read_rank(top_rank *rank)
{
    if (!rank->running)
        return true;
    rank->gone = is_gone(rank); /* first: what is read then is all */
    const bool whole = scope_spool_refresh(rank->spool) == SCOPE_OK;
    const bool alive = scope_spool_was_alive(rank->spool) && !rank->gone;
    if (whole &&
        scope_watch_read(rank->watch, scope_spool_recording(rank->spool), alive) != SCOPE_OK)
        return false;
    rank->running = alive;
    if (!alive)
        rank->gone = rank->gone || is_gone(rank);
    return true;
}

/* Of two with one pid: it executed another program, or began anew. */
static bool is_followed_by(const top_rank *earlier, const top_rank *later)
{
    return !(earlier->running && scope_spool_was_alive(earlier->spool)) &&
           earlier->header->start_realtime_ns <= later->header->start_realtime_ns;
}

bool top_add(top_run *run, const char *path)
{
    if (known(run, path))
        return true;
    if (run->rank_count == run->rank_room) {
        const size_t room = run->rank_room ? 2 * run->rank_room : 16;
        top_rank *ranks = realloc(run->ranks, room * sizeof *ranks);
        if (!ranks)
            return false;
        run->ranks = ranks;
        run->rank_room = room;
    }
    top_rank rank = {.path = strdup(path), .running = true};
    const scope_status opened = rank.path ? scope_spool_open(path, &rank.spool) : SCOPE_ERR_MEMORY;
    if (opened != SCOPE_OK || scope_watch_new(&rank.watch) != SCOPE_OK) {
        release(&rank);
        return opened != SCOPE_ERR_MEMORY; /* it is gone, or not complete yet */
    }
    rank.header = scope_spool_recording(rank.spool)->header;
    rank.state = scope_watch_now(rank.watch);
    for (size_t i = 0; i < run->rank_count; i++) /* by another name */
        if (run->ranks[i].header->pid == rank.header->pid &&
            run->ranks[i].header->start_ticks == rank.header->start_ticks) {
            release(&rank);
            return true;
        }
    for (size_t i = 0; i < run->rank_count; i++) {
        top_rank *other = &run->ranks[i];
        if (other->header->pid != rank.header->pid ||
            other->header->pid_namespace != rank.header->pid_namespace)
            continue;
        if (!read_rank(other)) { /* it was alive when it was looked at last */
            release(&rank);
            return false;
        }
        if (is_followed_by(other, &rank)) {
            release(other);
            *other = rank;
            sort_ranks(run);
            return true;
        }
        if (is_followed_by(&rank, other)) {
            release(&rank);
            return true;
        }
    }
    if (!run->rank_count || rank.header->start_realtime_ns < run->start_realtime_ns)
        run->start_realtime_ns = rank.header->start_realtime_ns;
    run->ranks[run->rank_count++] = rank;
    sort_ranks(run);
    return true;
}

/* Of the program that one of ours executed: where nobody gives out run ids, it has one of its own.
 */
static bool goes_on(const top_run *run, const scope_recording_header *header)
{
    for (size_t i = 0; i < run->rank_count; i++) {
        const scope_recording_header *before = run->ranks[i].header;
        if (run->ranks[i].executes && before->pid == header->pid &&
            before->pid_namespace == header->pid_namespace &&
            before->process_start_ticks == header->process_start_ticks)
            return true;
    }
    return false;
}

/* The file is a spool of this run, and its process runs or began after us. */
static bool is_new(const top_run *run, const char *path)
{
    scope_recording_header header;
    scope_spool *spool;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    const bool ours =
        pread(fd, &header, sizeof header, 0) == (ssize_t)sizeof header &&
        header.magic == SCOPE_RECORDING_MAGIC &&
        (memcmp(header.run_id, run->id, sizeof run->id) == 0 || goes_on(run, &header));
    close(fd);
    if (!ours || header.is_copy || scope_spool_open(path, &spool) != SCOPE_OK)
        return false;
    const bool wanted =
        scope_spool_was_alive(spool) || header.start_realtime_ns > run->opened_realtime_ns;
    scope_spool_close(spool);
    return wanted;
}

static bool look_into(top_run *run, const char *path)
{
    DIR *folder = opendir(path);
    bool whole = true;
    if (!folder)
        return true;
    for (struct dirent *entry; whole && (entry = readdir(folder));) {
        char inside[PATH_MAX];
        const size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 6, ".spool") != 0 ||
            snprintf(inside, sizeof inside, "%s%s%s", path,
                     path[strlen(path) - 1] == '/' ? "" : "/",
                     entry->d_name) >= (int)sizeof inside ||
            known(run, inside) || !is_new(run, inside))
            continue;
        whole = top_add(run, inside);
    }
    closedir(folder);
    return whole;
}

/* In the folders where the run's other spools are. */
static bool find_new(top_run *run)
{
    char last[PATH_MAX] = "";
    for (size_t i = 0; i < run->rank_count; i++) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%s", run->ranks[i].path);
        char *slash = strrchr(folder, '/');
        if (slash)
            slash[slash == folder] = '\0';
        else
            strcpy(folder, ".");
        if (strcmp(folder, last) == 0)
            continue;
        strcpy(last, folder);
        if (!look_into(run, folder))
            return false;
    }
    return true;
}

/* ---- sums ---- */

static uint32_t hash(const char *bytes, size_t length)
{
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)bytes[i]) * 16777619u;
    return value;
}

static uint32_t *place_of(const top_run *run, const char *name, size_t length)
{
    size_t at = hash(name, length) & (run->by_name_room - 1);
    while (run->by_name[at]) {
        const top_region *region = &run->regions[run->by_name[at] - 1];
        if (region->length_bytes == length && memcmp(region->name, name, length) == 0)
            break;
        at = (at + 1) & (run->by_name_room - 1);
    }
    return &run->by_name[at];
}

static bool grow_names(top_run *run)
{
    if (2 * (run->region_count + 1) <= run->by_name_room)
        return true;
    free(run->by_name);
    run->by_name_room = run->by_name_room ? 2 * run->by_name_room : 64;
    run->by_name = calloc(run->by_name_room, sizeof *run->by_name);
    for (size_t i = 0; run->by_name && i < run->region_count; i++)
        *place_of(run, run->regions[i].name, run->regions[i].length_bytes) = (uint32_t)i + 1;
    return run->by_name != NULL;
}

/* The run's region with this name + 1; 0: out of memory. */
static uint32_t region_of(top_run *run, const scope_watch_region *from)
{
    const char *name = from->name.bytes ? from->name.bytes : "(no name)";
    const size_t length = from->name.bytes ? from->name.length_bytes : strlen(name);
    if (!grow_names(run))
        return 0;
    uint32_t *place = place_of(run, name, length);
    if (*place)
        return *place;
    if (run->region_count == run->region_room) {
        const size_t room = run->region_room ? 2 * run->region_room : 64;
        top_region *regions = realloc(run->regions, room * sizeof *regions);
        if (!regions)
            return 0;
        run->regions = regions;
        run->region_room = room;
    }
    char *copy = malloc(length + 1);
    if (!copy)
        return 0;
    memcpy(copy, name, length);
    run->regions[run->region_count++] =
        (top_region){.name = copy, .length_bytes = length, .mpi = from->is_mpi};
    return *place = (uint32_t)run->region_count;
}

static bool add_regions(top_run *run, top_rank *rank)
{
    const scope_watch_state *state = rank->state;
    if (rank->region_room < state->region_count || rank->resets != state->reset_count) {
        uint32_t *places = realloc(rank->region_of, (2 * state->region_count + 1) * sizeof *places);
        if (!places)
            return false;
        const size_t kept = rank->resets == state->reset_count ? rank->region_room : 0;
        rank->region_of = places;
        rank->region_room = 2 * state->region_count + 1;
        memset(places + kept, 0, (rank->region_room - kept) * sizeof *places);
        rank->resets = state->reset_count;
    }
    for (size_t i = 0; i < state->region_count; i++) {
        const scope_watch_region *from = &state->regions[i];
        if (!from->call_count && !from->open_count)
            continue;
        const uint32_t place = rank->region_of[i] ? rank->region_of[i] : region_of(run, from);
        if (!place)
            return false;
        if (from->name.bytes)
            rank->region_of[i] = place;
        top_region *region = &run->regions[place - 1];
        top_sum *sum = &region->now;
        sum->calls = wrap_add(sum->calls, (int64_t)from->call_count);
        sum->total_ns = wrap_add(sum->total_ns, from->total_ns);
        sum->exclusive_ns = wrap_add(sum->exclusive_ns, from->exclusive_ns);
        sum->bytes = wrap_add(sum->bytes, from->bytes);
        region->open = wrap_add(region->open, rank->running ? (int64_t)from->open_count : 0);
        rank->now.calls = wrap_add(rank->now.calls, (int64_t)from->call_count);
        rank->now.mpi_ns = wrap_add(rank->now.mpi_ns, from->is_mpi ? from->exclusive_ns : 0);
        rank->now.bytes = wrap_add(rank->now.bytes, from->bytes);
    }
    rank->now.lane_ns = state->lane_ns;
    rank->now.events = (int64_t)state->event_count;
    rank->now.time_ns = wrap_subtract(state->now_ns, state->start_ns);
    return true;
}

static bool add_up(top_run *run, const top_options *options)
{
    run->before = run->now;
    run->now = (top_part){0};
    for (size_t i = 0; i < run->region_count; i++) {
        run->regions[i].before = run->regions[i].now;
        run->regions[i].now = (top_sum){0};
        run->regions[i].open = 0;
    }
    for (size_t i = 0; i < run->rank_count; i++) {
        top_rank *rank = &run->ranks[i];
        rank->before = rank->now;
        rank->now = (top_part){0};
        if (!rank->state->session || !top_shows(rank, options))
            continue;
        if (!add_regions(run, rank))
            return false;
        run->now.calls = wrap_add(run->now.calls, rank->now.calls);
        run->now.mpi_ns = wrap_add(run->now.mpi_ns, rank->now.mpi_ns);
        run->now.bytes = wrap_add(run->now.bytes, rank->now.bytes);
        run->now.lane_ns = wrap_add(run->now.lane_ns, rank->now.lane_ns);
        run->now.events = wrap_add(run->now.events, rank->now.events);
        if (rank->now.time_ns > run->now.time_ns)
            run->now.time_ns = rank->now.time_ns;
    }
    return true;
}

bool top_read(top_run *run, const top_options *options)
{
    bool runs = false;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t now_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    run->interval_ns = run->reads ? now_ns - run->read_ns : 0;
    run->read_ns = now_ns;
    if (!run->single && !find_new(run))
        return false;
    for (size_t i = 0; i < run->rank_count; i++) {
        if (!read_rank(&run->ranks[i]))
            return false;
        run->ranks[i].executes = executes(&run->ranks[i]);
        runs = runs || run->ranks[i].running || (run->ranks[i].executes && !run->single);
    }
    run->ended = !runs;
    run->reads++;
    return add_up(run, options) && top_find_waits(run, options);
}
