/* watch_state.c - what is known of a recording that is followed, as others see it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "mpi_calls.h"
#include "watch_parts.h"

static int64_t ns_of(const scope_watch *watch, int64_t ticks)
{
    const int64_t since = wrap_subtract(ticks, watch->header.start_ticks);
    return wrap_add(watch->header.start_monotonic_ns, wrap_nearest((double)since * watch->slope));
}

static int64_t length_ns(const scope_watch *watch, int64_t ticks)
{
    return wrap_nearest((double)ticks * watch->slope);
}

static int make_room(void **array, size_t *room, size_t count, size_t size_bytes)
{
    if (count <= *room)
        return 1;
    void *grown = realloc(*array, 2 * count * size_bytes);
    if (!grown)
        return 0;
    *array = grown;
    *room = 2 * count;
    return 1;
}

/* ---- regions ---- */

static int is_mpi(const region_slot *slot)
{
    for (const definition_tag *tag = slot->tags; tag; tag = tag->next)
        if (tag->text.length_bytes == 3 && memcmp(tag->text.bytes, "mpi", 3) == 0)
            return 1;
    return 0;
}

static void set_call(scope_watch_region *region)
{
    char name[64];
    if (!region->is_mpi || region->name.length_bytes >= sizeof name)
        return;
    memcpy(name, region->name.bytes, region->name.length_bytes);
    name[region->name.length_bytes] = '\0';
    const scope_mpi_call *call = scope_mpi_call_of(name);
    if (!call || !call->blocks)
        return;
    region->blocks = call->class != SCOPE_MPI_IO && call->class != SCOPE_MPI_OTHER;
    region->is_collective =
        call->class >= SCOPE_MPI_ALL_TO_ALL && call->class <= SCOPE_MPI_PREFIX;
}

/* Of all streams, still in ticks. */
static int add_regions(scope_watch *watch)
{
    scope_watch_state *state = &watch->state;
    const size_t count = watch->defs.region_count;
    if (!make_room((void **)&state->regions, &watch->region_room, count, sizeof *state->regions))
        return 0;
    state->region_count = count;
    for (size_t slot = 0; slot < count; slot++) {
        state->regions[slot] = (scope_watch_region){.name = watch->defs.regions[slot].name,
                                                    .is_mpi = is_mpi(&watch->defs.regions[slot])};
        set_call(&state->regions[slot]);
    }
    for (size_t i = 0; i < watch->stream_count; i++)
        for (size_t k = 0; k < watch->streams[i].now.sum_count; k++) {
            const watch_sum *sum = &watch->streams[i].now.sums[k];
            scope_watch_region *region = &state->regions[sum->region];
            region->call_count += sum->count;
            region->total_ns = wrap_add(region->total_ns, sum->total);
            region->exclusive_ns = wrap_add(region->exclusive_ns, sum->exclusive);
            region->bytes = wrap_add(region->bytes, sum->bytes);
        }
    return 1;
}

static int64_t suspended_until(const scope_lane *lane, int64_t ticks)
{
    return lane->suspended_since >= 0 && ticks > lane->suspended_since
               ? lane->suspended + (ticks - lane->suspended_since)
               : lane->suspended;
}

/* Calls that are open have had this much for themselves. */
static void add_open(scope_watch *watch, const watch_lane *lane, int64_t until)
{
    int64_t inside = 0; /* of the call around: active time in this one */
    for (uint32_t k = lane->lane.depth; k-- > 0;) {
        const scope_call *call = &lane->lane.stack[k];
        scope_watch_region *region = &watch->state.regions[call->region];
        const int64_t length = until - call->begin;
        const int64_t waited = suspended_until(&lane->lane, until) - call->suspended;
        const int64_t own = length - waited - call->inner - inside;
        region->open_count++;
        region->exclusive_ns = wrap_add(region->exclusive_ns, own > 0 ? own : 0);
        inside = length - waited;
    }
}

/* ---- threads ---- */

static int add_opens(scope_watch *watch, const watch_stream *stream, const watch_lane *lane)
{
    scope_watch_state *state = &watch->state;
    if (!make_room((void **)&state->opens, &watch->open_room,
                   state->open_count + lane->lane.depth, sizeof *state->opens))
        return 0;
    for (uint32_t k = 0; k < lane->lane.depth; k++) {
        const scope_call *call = &lane->lane.stack[k];
        scope_watch_open *open = &state->opens[state->open_count++];
        *open = (scope_watch_open){call->region, ns_of(watch, call->begin), -1};
        if (call->region >= stream->place_count || !stream->places[call->region])
            continue;
        const watch_sum *sum = &stream->now.sums[stream->places[call->region] - 1];
        const uint32_t slot = sum->communicator < 0
                                  ? ID_MAP_NONE
                                  : id_map_find(&watch->defs.communicator_map,
                                                (uint64_t)sum->communicator);
        if (slot != ID_MAP_NONE)
            open->communicator = (int32_t)slot;
    }
    return 1;
}

static int add_thread(scope_watch *watch, const watch_stream *stream, const watch_lane *lane)
{
    scope_watch_state *state = &watch->state;
    if (!make_room((void **)&state->threads, &watch->thread_room, state->thread_count + 1,
                   sizeof *state->threads))
        return 0;
    scope_watch_thread *thread = &state->threads[state->thread_count++];
    *thread = (scope_watch_thread){.id = lane->id,
                                   .first_ns = ns_of(watch, lane->first),
                                   .last_ns = ns_of(watch, lane->last),
                                   .first_open = state->open_count};
    const uint32_t slot = lane->id < 0 ? ID_MAP_NONE
                                       : id_map_find(&watch->defs.thread_map, (uint64_t)lane->id);
    if (slot != ID_MAP_NONE) {
        thread->name = watch->defs.threads[slot].name;
        thread->is_main = (watch->defs.threads[slot].flags & SCOPE_THREAD_MAIN) != 0;
    }
    for (size_t i = 0; i < stream->now.depth; i++)
        if (!add_opens(watch, stream, &stream->now.lanes[stream->now.stack[i]]))
            return 0;
    thread = &state->threads[state->thread_count - 1];
    thread->open_count = state->open_count - thread->first_open;
    return 1;
}

static int is_running(const watch_position *position, size_t lane)
{
    for (size_t i = 0; i < position->depth; i++)
        if (position->stack[i] == lane)
            return 1;
    return 0;
}

static int add_lanes(scope_watch *watch, const watch_stream *stream, int64_t until)
{
    scope_watch_state *state = &watch->state;
    int64_t lived = stream->now.lived;
    for (size_t i = 0; i < stream->now.lane_count; i++) {
        const watch_lane *lane = &stream->now.lanes[i];
        const int64_t end = lane->ended || until < lane->last ? lane->last : until;
        if (lane->kind == WATCH_FREE)
            continue;
        add_open(watch, lane, end);
        if (lane->kind == WATCH_TASK) {
            state->waiting_tasks += lane->lane.depth > 0 && !is_running(&stream->now, i);
            continue;
        }
        lived = wrap_add(lived, end - lane->first);
        if (!lane->ended && is_running(&stream->now, i) && !add_thread(watch, stream, lane))
            return 0;
    }
    state->lane_ns = wrap_add(state->lane_ns, lived);
    return 1;
}

static int by_thread(const void *left, const void *right)
{
    const scope_watch_thread *a = left, *b = right;
    if (a->is_main != b->is_main)
        return a->is_main ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

/* ---- communicators ---- */

static int add_communicators(scope_watch *watch)
{
    scope_watch_state *state = &watch->state;
    const size_t count = watch->defs.communicator_count;
    if (!make_room((void **)&state->communicators, &watch->communicator_room, count,
                   sizeof *state->communicators))
        return 0;
    state->communicator_count = count;
    for (size_t slot = 0; slot < count; slot++) {
        const communicator_slot *from = &watch->defs.communicators[slot];
        state->communicators[slot] = (scope_watch_communicator){
            .name = from->name,
            .members = from->members,
            .serial = from->serial,
            .size = from->size,
            .rank = from->rank,
            .last_number =
                slot < watch->group_count ? watch->groups[slot].last_number : -1};
    }
    return 1;
}

/* ---- all ---- */

static void set_end(scope_watch *watch, int alive)
{
    const int64_t last_ns = watch->last_ticks ? ns_of(watch, watch->last_ticks)
                                              : watch->header.start_monotonic_ns;
    int64_t now_ns = watch->seen_alive_ns;
    if (watch->has_defs && watch->defs.has_end)
        now_ns = watch->defs.end_ns;
    else if (alive && watch->knows_now)
        now_ns = watch->seen_alive_ns = watch->newest.ns;
    watch->state.now_ns = now_ns > last_ns ? now_ns : last_ns;
    watch->state.has_ended = watch->has_defs && watch->defs.has_end;
}

/* Ticks up to which what is open is open. */
static int64_t end_of(const scope_watch *watch)
{
    const int64_t ns = wrap_subtract(watch->state.now_ns, watch->header.start_monotonic_ns);
    const int64_t until =
        wrap_add(watch->header.start_ticks, wrap_nearest((double)ns / watch->slope));
    return until > watch->last_ticks ? watch_ticks((uint64_t)until) : watch->last_ticks;
}

scope_status watch_make_state(scope_watch *watch, int alive)
{
    scope_watch_state *state = &watch->state;
    set_end(watch, alive);
    const int64_t until = end_of(watch);
    state->session = watch->session;
    state->start_ns = watch->header.start_monotonic_ns;
    state->thread_count = state->open_count = 0;
    state->event_count = state->folded_count = state->orphan_count = 0;
    state->missed_chunks = state->waiting_tasks = 0;
    state->lane_ns = 0;
    if (!watch->has_defs)
        return SCOPE_OK;
    if (watch->defs.has_session)
        state->start_ns = watch->defs.start_ns;
    if (!add_regions(watch) || !add_communicators(watch))
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < watch->stream_count; i++) {
        const watch_stream *stream = &watch->streams[i];
        if (!add_lanes(watch, stream, until))
            return SCOPE_ERR_MEMORY;
        state->event_count += stream->now.events;
        state->folded_count += stream->now.folded;
        state->orphan_count += stream->now.orphans;
        state->missed_chunks += stream->missed;
    }
    for (size_t slot = 0; slot < state->region_count; slot++) {
        scope_watch_region *region = &state->regions[slot];
        region->total_ns = length_ns(watch, region->total_ns);
        region->exclusive_ns = length_ns(watch, region->exclusive_ns);
    }
    state->lane_ns = length_ns(watch, state->lane_ns);
    if (state->thread_count)
        qsort(state->threads, state->thread_count, sizeof *state->threads, by_thread);
    return SCOPE_OK;
}

void watch_state_free(scope_watch *watch)
{
    free(watch->state.regions);
    free(watch->state.threads);
    free(watch->state.opens);
    free(watch->state.communicators);
}
