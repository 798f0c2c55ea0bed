/* clock_map.c - ticks to nanoseconds by calibration points.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clock_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 200e-6        /* slopes may differ by this much */
#define READING_ERROR_NS 2000.0 /* of one pair: the two clocks are not read at once */
#define POINT_GAP_NS 1e6        /* nearer points say more about reading errors than about the clock */
#define SLOPE_GAP_NS 1e9        /* a slope to go on with is over at least a second */
#define SLOPE_TRY_NS 10000000   /* the ends say something about the slope from here on */
#define ANCHOR_TRIES 16
#define NS_MAX (INT64_C(1) << 62)

static int64_t saturate(double ns)
{
    if (!(ns > 0))
        return 0;
    return ns < (double)NS_MAX ? (int64_t)ns : NS_MAX;
}

void clock_map_start(clock_map *map, const scope_recording_header *header)
{
    *map = (clock_map){.identity = header->clock_kind == SCOPE_CLOCK_MONOTONIC};
    const uint64_t frequency = header->ticks_per_second;
    /* 1 kHz to 1 THz; a damaged header does not make infinities */
    map->nominal_slope = frequency >= 1000 && frequency <= UINT64_C(1000000000000)
                             ? 1e9 / (double)frequency
                             : 1.0;
}

void clock_map_free(clock_map *map)
{
    free(map->all);
    free(map->points);
    free(map->slopes);
    *map = (clock_map){0};
}

int clock_map_add(clock_map *map, uint64_t ticks, int64_t ns)
{
    if (map->identity || ticks == 0 || ns < 0 || ns > NS_MAX)
        return 1;
    if (map->all_count == map->all_capacity) {
        const size_t capacity = map->all_capacity ? map->all_capacity * 2 : 64;
        clock_point *all = realloc(map->all, capacity * sizeof *all);
        if (!all)
            return 0;
        map->all = all;
        map->all_capacity = capacity;
    }
    map->all[map->all_count++] = (clock_point){ticks, ns};
    return 1;
}

static int by_ticks(const void *a, const void *b)
{
    const clock_point *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

static double between(const clock_point *a, const clock_point *b)
{
    return ((double)(b->ns - a->ns)) / (double)(b->ticks - a->ticks);
}

static int agrees(const clock_point *from, const clock_point *point, double slope)
{
    const double expected = ((double)point->ticks - (double)from->ticks) * slope;
    const double seen = (double)(point->ns - from->ns);
    return fabs(seen - expected) <= fabs(expected) * TOLERANCE + READING_ERROR_NS;
}

/* The points that agree with `slope` seen from all[anchor]: kept[] gets their
 * places in order, at least POINT_GAP_NS apart. Returns how many. */
static size_t accept(const clock_map *map, size_t anchor, double slope, size_t *kept)
{
    size_t count = 0;
    const clock_point *last = &map->all[anchor];
    kept[count++] = anchor;
    for (size_t i = anchor + 1; i < map->all_count; i++) {
        const clock_point *point = &map->all[i];
        if ((double)(point->ticks - last->ticks) * slope >= POINT_GAP_NS &&
            agrees(last, point, slope)) {
            kept[count++] = i;
            last = point;
        }
    }
    /* the newest point counts even if it is near the one before: instead of that
     * one, so that the slope is one over a long time */
    const size_t end = map->all_count - 1;
    if (count > 1 && kept[count - 1] != end && agrees(last, &map->all[end], slope))
        kept[count - 1] = end;
    return count;
}

/* How many points agree with the line through all[anchor]. */
static size_t votes(const clock_map *map, size_t anchor, double slope)
{
    size_t count = 0;
    const clock_point *from = &map->all[anchor];
    for (size_t i = 0; i < map->all_count; i++)
        count += agrees(from, &map->all[i], slope);
    return count;
}

/* Choose whom to believe: the slope (what the header says, or what the two ends
 * of the recording say) and the point that most points agree with. */
static size_t choose(clock_map *map, size_t *anchor)
{
    const clock_point *first = &map->all[0], *end = &map->all[map->all_count - 1];
    double slopes[2] = {map->nominal_slope, map->nominal_slope};
    if (end->ns - first->ns >= SLOPE_TRY_NS && end->ticks > first->ticks)
        slopes[1] = between(first, end);
    size_t best = 0;
    map->slope = map->nominal_slope;
    *anchor = 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < map->all_count && i < ANCHOR_TRIES && best < map->all_count; i++) {
            const size_t agree = votes(map, i, slopes[k]);
            if (agree > best) {
                best = agree;
                *anchor = i;
                map->slope = slopes[k];
            }
        }
    return best;
}

/* First time: all points are weighed. Later only newer points are added, so that
 * no tick between two points ever gets another time. */
int clock_map_settle(clock_map *map)
{
    if (map->identity || map->settled_count == map->all_count)
        return 1;
    size_t *kept = malloc(map->all_count * sizeof *kept);
    clock_point *points = malloc((map->point_count + map->all_count) * sizeof *points);
    double *slopes = malloc((map->point_count + map->all_count) * sizeof *slopes);
    if (!kept || !points || !slopes) {
        free(kept);
        free(points);
        free(slopes);
        return 0;
    }
    size_t count = 0;
    if (!map->point_count) {
        size_t anchor;
        qsort(map->all, map->all_count, sizeof *map->all, by_ticks);
        map->rejected_count = map->all_count - choose(map, &anchor);
        count = accept(map, anchor, map->slope, kept);
        for (size_t i = 0; i < count; i++)
            points[i] = map->all[kept[i]];
        const clock_point *newest = &map->all[map->all_count - 1];
        if (agrees(&points[count - 1], newest, map->slope))
            map->last_ticks = newest->ticks;
    } else {
        count = map->point_count;
        memcpy(points, map->points, count * sizeof *points);
        qsort(map->all + map->settled_count, map->all_count - map->settled_count,
              sizeof *map->all, by_ticks);
        for (size_t i = map->settled_count; i < map->all_count; i++) {
            const clock_point *point = &map->all[i], *last = &points[count - 1];
            if (point->ticks <= last->ticks)
                continue;
            if (!agrees(last, point, map->slope)) {
                map->rejected_count++;
                continue;
            }
            map->last_ticks = point->ticks;
            if ((double)(point->ticks - last->ticks) * map->slope >= POINT_GAP_NS)
                points[count++] = *point;
        }
    }
    for (size_t i = 0; i + 1 < count; i++)
        slopes[i] = between(&points[i], &points[i + 1]);
    size_t from = count - 1; /* the nearest point at least a second before the last */
    while (from > 0 &&
           (double)(points[count - 1].ticks - points[from].ticks) * map->slope < SLOPE_GAP_NS)
        from--;
    map->extrapolated_nominal =
        (double)(points[count - 1].ticks - points[from].ticks) * map->slope < SLOPE_GAP_NS;
    slopes[count - 1] =
        map->extrapolated_nominal ? map->slope : between(&points[from], &points[count - 1]);
    free(map->points);
    free(map->slopes);
    free(kept);
    map->points = points;
    map->slopes = slopes;
    map->point_count = count;
    if (count && map->last_ticks < points[count - 1].ticks)
        map->last_ticks = points[count - 1].ticks;
    map->settled_count = map->all_count;
    return 1;
}

int64_t clock_map_ns_any(const clock_map *map, uint64_t ticks, size_t *hint)
{
    if (map->identity)
        return ticks < (uint64_t)NS_MAX ? (int64_t)ticks : NS_MAX;
    if (map->point_count == 0)
        return saturate((double)ticks * map->nominal_slope);
    size_t i = *hint < map->point_count ? *hint : 0;
    if (ticks < map->points[i].ticks ||
        (i + 1 < map->point_count && ticks >= map->points[i + 1].ticks)) {
        size_t low = 0, high = map->point_count; /* the last point not after ticks */
        while (high - low > 1) {
            const size_t middle = low + (high - low) / 2;
            if (map->points[middle].ticks <= ticks)
                low = middle;
            else
                high = middle;
        }
        i = low;
        *hint = i;
    }
    const clock_point *point = &map->points[i];
    if (ticks < point->ticks) { /* before the first point */
        const double back = (double)(point->ticks - ticks) * map->slopes[i];
        return back < (double)point->ns ? point->ns - (int64_t)back : 0;
    }
    const double step = (double)(ticks - point->ticks) * map->slopes[i];
    const int64_t rest = NS_MAX - point->ns;
    int64_t ns = point->ns + (step < (double)rest ? (int64_t)step : rest);
    if (i + 1 < map->point_count && ns > map->points[i + 1].ns)
        ns = map->points[i + 1].ns;
    return ns;
}

int64_t clock_map_duration_ns(const clock_map *map, uint64_t ticks)
{
    if (map->identity)
        return ticks < (uint64_t)NS_MAX ? (int64_t)ticks : NS_MAX;
    const size_t last = map->point_count;
    const double slope = last > 1 && map->points[last - 1].ticks > map->points[0].ticks
                             ? between(&map->points[0], &map->points[last - 1])
                             : map->nominal_slope;
    return saturate((double)ticks * slope);
}

uint64_t clock_map_last_ticks(const clock_map *map)
{
    return map->identity || !map->point_count ? UINT64_MAX : map->last_ticks;
}
