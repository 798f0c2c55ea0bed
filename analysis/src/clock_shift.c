/* clock_shift.c - times of one rank on another rank's clock.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/calls.h>
#include <scope/wrap.h>

#include <math.h>

typedef struct shift {
    int64_t offset_ns, at_ns;
    double drift;
} shift;

/* Times of a damaged spool. */
static int64_t possible(int64_t ns)
{
    return ns < -SCOPE_TIME_MAX_NS  ? -SCOPE_TIME_MAX_NS
           : ns < SCOPE_TIME_MAX_NS ? ns
                                    : SCOPE_TIME_MAX_NS;
}

/* Never decreases in t: |drift| < 1, and rounding of a growing value grows. So
 * calls that nest still nest. */
static int64_t shifted(const shift *by, int64_t t)
{
    const double since = (double)wrap_subtract(t, by->at_ns);
    return possible(wrap_add(wrap_add(t, by->offset_ns), (int64_t)llround(by->drift * since)));
}

/* Lane times: -1 is unknown. */
static int64_t shifted_or_none(const shift *by, int64_t t)
{
    return t == -1 ? -1 : shifted(by, t);
}

void scope_calls_map_clock(scope_calls *calls, int64_t offset_ns, double drift, int64_t at_ns)
{
    if (!(fabs(drift) < 0.01)) /* no clock drifts like that; NaN neither */
        drift = 0.0;
    const shift by = {offset_ns, at_ns, drift};
    if (offset_ns == 0 && drift == 0.0)
        return;
    for (uint64_t row = 0; row < calls->count; row++) {
        const int64_t start = calls->start_ns[row];
        const int64_t end = wrap_add(start, calls->duration_ns[row]);
        calls->start_ns[row] = shifted(&by, start);
        calls->duration_ns[row] = possible(wrap_subtract(shifted(&by, end), calls->start_ns[row]));
    }
    for (size_t i = 0; i < calls->thread_count; i++) {
        scope_thread_row *thread = &calls->threads[i];
        thread->start_ns = shifted_or_none(&by, thread->start_ns);
        thread->end_ns = shifted_or_none(&by, thread->end_ns);
    }
    for (size_t i = 0; i < calls->task_count; i++) {
        scope_task_row *task = &calls->tasks[i];
        task->created_ns = shifted_or_none(&by, task->created_ns);
        task->done_ns = shifted_or_none(&by, task->done_ns);
    }
    for (size_t i = 0; i < calls->mark_count; i++)
        calls->marks[i].time_ns = shifted(&by, calls->marks[i].time_ns);
    for (size_t i = 0; i < calls->counter_count; i++)
        calls->counters[i].time_ns = shifted(&by, calls->counters[i].time_ns);
    for (size_t i = 0; i < calls->pair_count; i++) {
        scope_statistics *sum = &calls->pairs[i].statistics;
        if (!calls->pairs[i].count)
            continue;
        sum->start_minimum = shifted(&by, sum->start_minimum);
        sum->end_maximum = shifted(&by, sum->end_maximum);
    }
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        calls->ranks[i].offset_ns = offset_ns;
        calls->ranks[i].drift = drift;
        calls->ranks[i].at_ns = at_ns;
    }
    for (size_t i = 0; i < calls->sum_count; i++) {
        scope_sum_row *sum = &calls->sums[i];
        sum->first_ns = shifted_or_none(&by, sum->first_ns);
        sum->last_ns = shifted_or_none(&by, sum->last_ns);
    }
    calls->start_time_ns = shifted(&by, calls->start_time_ns);
    calls->end_time_ns = shifted(&by, calls->end_time_ns);
    if (drift != 0.0) /* durations changed, so sums and exclusive times did */
        scope_calls_nest(calls, 0, NULL);
}
