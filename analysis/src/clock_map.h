/* clock_map.h - ticks of a recording to nanoseconds of CLOCK_MONOTONIC.
 *
 *     clock_map_start(&map, header);
 *     clock_map_add(&map, ticks, monotonic_ns);     any order, any number
 *     clock_map_settle(&map);                       after adding, before reading
 *     clock_map_ns(&map, ticks, &hint);
 *
 * Between two calibration points it interpolates; beyond the last it goes on with
 * the last slope over at least a second, else with the nominal frequency. Points
 * that disagree with the others by more than 200 ppm are left out and counted.
 * The map never decreases, whatever the points are.
 *
 * Units      ns of CLOCK_MONOTONIC; results are in [0, 2^62].
 * Ownership  the map owns its memory: clock_map_free.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CLOCK_MAP_H
#define SCOPE_CLOCK_MAP_H

#include <stddef.h>
#include <stdint.h>

#include <scope/recording.h>

typedef struct clock_point {
    uint64_t ticks;
    int64_t ns;
} clock_point;

typedef struct clock_map {
    int identity;         /* ticks are nanoseconds */
    double nominal_slope; /* ns per tick, by the header */
    double slope;         /* the one that the points agree with */
    clock_point *all;     /* as added */
    size_t all_count, all_capacity, settled_count;
    clock_point *points; /* sorted, accepted */
    double *slopes;      /* from point i to point i + 1; the last: beyond it */
    size_t point_count;
    uint64_t last_ticks; /* of the newest reading that agrees, accepted as a point or not */
    size_t rejected_count;
    int extrapolated_nominal; /* 1: beyond the last point only the nominal frequency is known */
} clock_map;

void clock_map_start(clock_map *map, const scope_recording_header *header);
int clock_map_add(clock_map *map, uint64_t ticks, int64_t ns); /* 0: no memory */
int clock_map_settle(clock_map *map);                          /* 0: no memory */
void clock_map_free(clock_map *map);

/* As clock_map_ns, wherever `ticks` lies. */
int64_t clock_map_ns_any(const clock_map *map, uint64_t ticks, size_t *hint);

/* `hint`: where the last conversion of this caller was; start with 0. */
static inline int64_t clock_map_ns(const clock_map *map, uint64_t ticks, size_t *hint)
{
    const size_t i = *hint;
    if (i + 1 >= map->point_count || ticks < map->points[i].ticks ||
        ticks >= map->points[i + 1].ticks)
        return clock_map_ns_any(map, ticks, hint);
    const clock_point *from = &map->points[i];
    const int64_t ns = from->ns + (int64_t)((double)(ticks - from->ticks) * map->slopes[i]);
    return ns < from[1].ns ? ns : from[1].ns;
}

/* A duration in ticks, by the slope of the whole recording. */
int64_t clock_map_duration_ns(const clock_map *map, uint64_t ticks);

/* Ticks of the last point; UINT64_MAX when ticks are nanoseconds or without points. */
uint64_t clock_map_last_ticks(const clock_map *map);

#endif
