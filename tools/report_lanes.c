/* report_lanes.c - threads and tasks of a view, as tables for people.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_parts.h"

#include <string.h>

#include "text.h"

/* A lane that lived on ends with the run. */
static double lifetime(const view *view, int64_t start, int64_t end)
{
    if (start < 0)
        return -1;
    if (end < 0)
        end = view->calls->end_time_ns;
    return end >= start ? (double)(end - start) : -1;
}

static void lane_label(table *table, const view *view, const view_lane *lane)
{
    char label[512];
    view_lane_label(view, lane->rank, lane->lane, label, sizeof label);
    table_name(table, label, strlen(label));
}

void report_threads(const view *view, int64_t limit, FILE *out)
{
    char text[TEXT_BYTES];
    int64_t count = 0, shown = 0;
    bool binding = false;
    for (size_t i = 0; i < view->lane_count; i++)
        count += view->lanes[i].lane < 0;
    for (size_t i = 0; i < view->calls->thread_count; i++)
        binding = binding || view->calls->threads[i].binding.length_bytes;
    if (!count)
        return;
    report_heading(out, "Threads");
    table *table = table_new();
    table_column(table, "rank", 0);
    table_column(table, "thread", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "lifetime", 0);
    table_column(table, "CPU  ", 0);
    table_column(table, "CPU %", 0);
    table_column(table, "calls", 0);
    table_column(table, "regions", 0);
    table_column(table, "last CPU", 0);
    if (binding)
        table_column(table, "bound to", TABLE_LEFT | TABLE_SHRINK);
    for (size_t i = 0; i < view->lane_count && shown < limit; i++) {
        const view_lane *lane = &view->lanes[i];
        if (lane->lane >= 0)
            continue;
        const scope_thread_row *row = lane->thread;
        const double life = row ? lifetime(view, row->start_ns, row->end_ns) : -1;
        table_cell(table, text_count(lane->rank, text));
        lane_label(table, view, lane);
        report_time_cell(table, life);
        report_time_cell(table, row ? (double)row->cpu_ns : -1);
        table_cell(table,
                   text_percent(row && row->cpu_ns >= 0 && life > 0 &&
                                        (double)row->cpu_ns <= 1.05 * life /* seen late if above */
                                    ? (double)row->cpu_ns / life
                                    : -1,
                                text));
        table_cell(table, text_count(lane->call_count, text));
        report_time_cell(table, (double)lane->region_ns);
        table_cell(table, row && row->last_cpu >= 0 ? text_count(row->last_cpu, text) : "-");
        if (binding)
            table_name(table, row ? row->binding.bytes : "-", row ? row->binding.length_bytes : 1);
        shown++;
    }
    table_print(table, out);
    report_more(out, count - shown, "thread");
}

void report_tasks(const view *view, int64_t limit, FILE *out)
{
    char text[TEXT_BYTES];
    int64_t count = 0, shown = 0;
    for (size_t i = 0; i < view->lane_count; i++)
        count += view->lanes[i].lane >= 0;
    if (!count)
        return;
    report_heading(out, "Tasks");
    table *table = table_new();
    table_column(table, "rank", 0);
    table_column(table, "task", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "lifetime", 0);
    table_column(table, "running", 0);
    table_column(table, "waiting", 0);
    table_column(table, "steps", 0);
    table_column(table, "calls", 0);
    table_column(table, "regions", 0);
    for (size_t i = 0; i < view->lane_count && shown < limit; i++) {
        const view_lane *lane = &view->lanes[i];
        if (lane->lane < 0)
            continue;
        const scope_task_row *row = lane->task;
        table_cell(table, text_count(lane->rank, text));
        lane_label(table, view, lane);
        report_time_cell(table, row ? lifetime(view, row->created_ns, row->done_ns) : -1);
        report_time_cell(table, row ? (double)row->running_ns : -1);
        report_time_cell(table, row ? (double)row->suspended_ns : -1);
        table_cell(table, row ? text_count(row->steps, text) : "-");
        table_cell(table, text_count(lane->call_count, text));
        report_time_cell(table, (double)lane->region_ns);
        shown++;
    }
    table_print(table, out);
    report_more(out, count - shown, "task");
}
