/* layout.c - see layout.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "layout.h"

#include <stdbool.h>

#define AT(member) offsetof(scope_calls, member)
#define TABLE(group, probe, type, member, count, always)                                           \
    {                                                                                              \
        group, probe, sizeof(type), offsetof(scope_rows, member), offsetof(scope_rows, count),     \
            always                                                                                 \
    }

const scope_table_place scope_tables[SCOPE_TABLE_COUNT] = {
    [SCOPE_TABLE_EVENTS] = {"/events", "/events/durations", 0, 0, AT(count), 1},
    [SCOPE_TABLE_PAIRS] = TABLE("/rank_region_index", "/rank_region_index/region_ids", scope_pair,
                                calls.pairs, calls.pair_count, 1),
    [SCOPE_TABLE_THREADS] = TABLE("/thread_table", "/thread_table/index", scope_thread_row,
                                  calls.threads, calls.thread_count, 0),
    [SCOPE_TABLE_TASKS] =
        TABLE("/task_table", "/task_table/index", scope_task_row, calls.tasks, calls.task_count, 0),
    [SCOPE_TABLE_MARKS] = TABLE("/scope/marks", "/scope/marks/times_ns", scope_point_row,
                                calls.marks, calls.mark_count, 0),
    [SCOPE_TABLE_COUNTERS] = TABLE("/scope/counters", "/scope/counters/times_ns", scope_point_row,
                                   calls.counters, calls.counter_count, 0),
    [SCOPE_TABLE_COMMUNICATORS] =
        TABLE("/scope/communicators", "/scope/communicators/ids", scope_communicator_row,
              calls.communicators, calls.communicator_count, 0),
    [SCOPE_TABLE_MESSAGES] = TABLE("/scope/messages", "/scope/messages/rows", scope_message_row,
                                   calls.messages, calls.message_count, 0),
    [SCOPE_TABLE_MISUSE] = TABLE("/scope/misuse", "/scope/misuse/region_ids", scope_misuse_row,
                                 calls.misuse, calls.misuse_count, 0),
    [SCOPE_TABLE_SUMS] = TABLE("/scope/folded", "/scope/folded/region_ids", scope_sum_row,
                               calls.sums, calls.sum_count, 0),
    [SCOPE_TABLE_RANKS] = TABLE("/scope/clock", "/scope/clock/ranks", scope_rank_row, calls.ranks,
                                calls.rank_row_count, 0),
    [SCOPE_TABLE_OPEN] =
        TABLE("/scope/open_calls", "/scope/open_calls/rows", scope_open_row, open, open_count, 0),
    [SCOPE_TABLE_OVERHEAD] = TABLE("/scope/overhead", "/scope/overhead/region_ids",
                                   scope_overhead_row, overheads, overhead_count, 0),
    [SCOPE_TABLE_FUNCTIONS] =
        TABLE("/scope/communication/functions", "/scope/communication/functions/region_ids",
              scope_function_row, functions, function_count, 0),
    [SCOPE_TABLE_PEERS] = TABLE("/scope/communication/peers", "/scope/communication/peers/peers",
                                scope_peer_row, peers, peer_count, 0),
    [SCOPE_TABLE_LISTED] = TABLE("/scope/communication/ranks", "/scope/communication/ranks/ranks",
                                 scope_listed_row, listed, listed_count, 0),
    [SCOPE_TABLE_SOURCES] = TABLE("/scope/sources", "/scope/sources/rows", scope_source_row, sources,
                                  source_count, 0),
    [SCOPE_TABLE_AGGREGATES] =
        TABLE("/rank_region_index", "/rank_region_index/aggregate_counts", scope_pair, aggregates,
              aggregate_count, 0),
};

/* One line per dataset: its name, the member that it holds, flags. EVENT: an array of scope_calls.
 * CELL: a member of a row, as it is in memory. AS: the same, another cell in the file. */
#define EVENT(name, member, flags)                                                                 \
    {                                                                                              \
        "/events/" name, SCOPE_TABLE_EVENTS, SCOPE_CELL_OF(*((scope_calls *)0)->member),           \
            SCOPE_CELL_OF(*((scope_calls *)0)->member), SCOPE_COLUMN_ARRAY | (flags), AT(member),  \
            NULL                                                                                   \
    }
#define AS(path, table, file, type, member, flags)                                                 \
    {                                                                                              \
        path, SCOPE_TABLE_##table, file, SCOPE_CELL_OF(((type *)0)->member), flags,                \
            offsetof(type, member), NULL                                                           \
    }
#define CELL(path, table, type, member, flags)                                                     \
    AS(path, table, SCOPE_CELL_OF(((type *)0)->member), type, member, flags)
#define RANK(path, table, type, flags) AS(path, table, SCOPE_CELL_U32, type, rank, flags)
#define TEXT(path, table, type, member, flags, missing)                                            \
    {                                                                                              \
        path, SCOPE_TABLE_##table, SCOPE_CELL_TEXT, SCOPE_CELL_TEXT, flags,                        \
            offsetof(type, member), missing                                                        \
    }
#define PAIR_TEXT(path, table, member, flags, missing)                                             \
    {                                                                                              \
        path, SCOPE_TABLE_##table, SCOPE_CELL_TEXT, SCOPE_CELL_TEXT, SCOPE_COLUMN_ARRAY | (flags), \
            AT(member), missing                                                                    \
    }

#define OVERHEAD(name, member)                                                                     \
    CELL("/scope/overhead/" name, OVERHEAD, scope_overhead_row, member, WRITE_ONLY)
#define MOVED(path, table, type, member)                                                           \
    CELL("/scope/communication/" path, table, type, member, WRITE_ONLY)
#define MOVED_AS(path, table, file, type, member)                                                  \
    AS("/scope/communication/" path, table, file, type, member, WRITE_ONLY)
#define SOURCE(name, member)                                                                       \
    CELL("/scope/sources/" name, SOURCES, scope_source_row, member, WRITE_ONLY)
#define SOURCE_TEXT(name, member)                                                                  \
    TEXT("/scope/sources/" name, SOURCES, scope_source_row, member, WRITE_ONLY, "")

#define OPTIONAL SCOPE_COLUMN_OPTIONAL
#define REQUIRED SCOPE_COLUMN_REQUIRED
#define RELATIVE SCOPE_COLUMN_RELATIVE
#define KEEP_NONE SCOPE_COLUMN_KEEP_NONE
#define WRITE_ONLY SCOPE_COLUMN_WRITE_ONLY

/* clang-format off */
const scope_column scope_columns[] = {
    EVENT("start_deltas", start_ns, REQUIRED | SCOPE_COLUMN_DELTA),
    EVENT("durations", duration_ns, REQUIRED),
    EVENT("call_ids", call_ids, OPTIONAL),
    EVENT("parent_ids", parent_ids, OPTIONAL),
    EVENT("thread_ids", thread_ids, OPTIONAL),
    EVENT("task_ids", task_ids, OPTIONAL),
    EVENT("await_ns", await_ns, OPTIONAL),
    EVENT("gpu_durations", gpu_ns, OPTIONAL),
    EVENT("call_flags", flags, OPTIONAL),
    EVENT("mpi_bytes", mpi_bytes, OPTIONAL),
    EVENT("mpi_peers", mpi_peers, OPTIONAL),
    EVENT("mpi_comms", mpi_comms, OPTIONAL),
    EVENT("mpi_tags", mpi_tags, OPTIONAL),
    EVENT("mpi_kinds", mpi_kinds, OPTIONAL),

    {SCOPE_GROUP_OF_JOB "/mpi_comms", SCOPE_TABLE_EVENTS, SCOPE_CELL_I32, SCOPE_CELL_I32,
     SCOPE_COLUMN_ARRAY | OPTIONAL | WRITE_ONLY, offsetof(scope_rows, job_comms), NULL},

    CELL("/rank_region_index/region_ids", PAIRS, scope_pair, region, REQUIRED),
    RANK("/rank_region_index/ranks", PAIRS, scope_pair, REQUIRED),
    CELL("/rank_region_index/event_offsets", PAIRS, scope_pair, first, REQUIRED),
    CELL("/rank_region_index/event_counts", PAIRS, scope_pair, count, REQUIRED),
    CELL("/rank_region_index/source_lines", PAIRS, scope_pair, source_line, 0),
    CELL("/rank_region_index/exclusive_totals", PAIRS, scope_pair, exclusive_ns, 0),
    CELL("/rank_region_index/summary_statistics", PAIRS, scope_pair, statistics, 0),
    TEXT("/rank_region_index/source_files", PAIRS, scope_pair, source_file, 0, ""),
    TEXT("/rank_region_index/tags", PAIRS, scope_pair, tags, 0, "[]"),
    PAIR_TEXT("/rank_region_index/source_texts", PAIRS, source_texts, 0, ""),
    PAIR_TEXT("/rank_region_index/event_metadata", PAIRS, event_metadata, OPTIONAL, "[]"),

    RANK("/thread_table/ranks", THREADS, scope_thread_row, REQUIRED),
    CELL("/thread_table/index", THREADS, scope_thread_row, index, REQUIRED),
    CELL("/thread_table/ident", THREADS, scope_thread_row, ident, 0),
    CELL("/thread_table/native_id", THREADS, scope_thread_row, native_id, 0),
    CELL("/thread_table/start_ns", THREADS, scope_thread_row, start_ns, RELATIVE),
    CELL("/thread_table/end_ns", THREADS, scope_thread_row, end_ns, RELATIVE | KEEP_NONE),
    CELL("/thread_table/cpu_ns", THREADS, scope_thread_row, cpu_ns, 0),
    AS("/thread_table/daemon", THREADS, SCOPE_CELL_I8, scope_thread_row, daemon, 0),
    TEXT("/thread_table/name", THREADS, scope_thread_row, name, 0, ""),
    CELL("/scope/lanes/last_cpus", THREADS, scope_thread_row, last_cpu, 0),
    CELL("/scope/lanes/flags", THREADS, scope_thread_row, flags, 0),
    TEXT("/scope/lanes/bindings", THREADS, scope_thread_row, binding, 0, ""),

    RANK("/task_table/ranks", TASKS, scope_task_row, REQUIRED),
    CELL("/task_table/index", TASKS, scope_task_row, index, REQUIRED),
    CELL("/task_table/thread_index", TASKS, scope_task_row, thread_index, 0),
    CELL("/task_table/created_ns", TASKS, scope_task_row, created_ns, RELATIVE),
    CELL("/task_table/done_ns", TASKS, scope_task_row, done_ns, RELATIVE | KEEP_NONE),
    CELL("/task_table/steps", TASKS, scope_task_row, steps, 0),
    CELL("/task_table/running_ns", TASKS, scope_task_row, running_ns, 0),
    CELL("/task_table/suspended_ns", TASKS, scope_task_row, suspended_ns, 0),
    TEXT("/task_table/kind", TASKS, scope_task_row, kind, 0, "task"),
    TEXT("/task_table/name", TASKS, scope_task_row, name, 0, ""),
    TEXT("/task_table/coro_name", TASKS, scope_task_row, coro_name, 0, ""),

    RANK("/scope/marks/ranks", MARKS, scope_point_row, REQUIRED),
    CELL("/scope/marks/thread_ids", MARKS, scope_point_row, thread, 0),
    CELL("/scope/marks/task_ids", MARKS, scope_point_row, task, 0),
    CELL("/scope/marks/times_ns", MARKS, scope_point_row, time_ns, REQUIRED),
    TEXT("/scope/marks/names", MARKS, scope_point_row, name, 0, ""),

    RANK("/scope/counters/ranks", COUNTERS, scope_point_row, REQUIRED),
    CELL("/scope/counters/thread_ids", COUNTERS, scope_point_row, thread, 0),
    CELL("/scope/counters/task_ids", COUNTERS, scope_point_row, task, 0),
    CELL("/scope/counters/times_ns", COUNTERS, scope_point_row, time_ns, REQUIRED),
    CELL("/scope/counters/values", COUNTERS, scope_point_row, value, 0),
    TEXT("/scope/counters/names", COUNTERS, scope_point_row, name, 0, ""),

    RANK("/scope/communicators/ranks", COMMUNICATORS, scope_communicator_row, REQUIRED),
    CELL("/scope/communicators/ids", COMMUNICATORS, scope_communicator_row, id, REQUIRED),
    CELL("/scope/communicators/parents", COMMUNICATORS, scope_communicator_row, parent, 0),
    CELL("/scope/communicators/sizes", COMMUNICATORS, scope_communicator_row, size, 0),
    CELL("/scope/communicators/own_ranks", COMMUNICATORS, scope_communicator_row, rank_in, 0),
    CELL("/scope/communicators/serials", COMMUNICATORS, scope_communicator_row, serial, 0),
    CELL("/scope/communicators/members", COMMUNICATORS, scope_communicator_row, members, 0),
    TEXT("/scope/communicators/names", COMMUNICATORS, scope_communicator_row, name, 0, ""),

    CELL("/scope/messages/rows", MESSAGES, scope_message_row, row, REQUIRED),
    RANK("/scope/messages/ranks", MESSAGES, scope_message_row, REQUIRED),
    CELL("/scope/messages/bytes", MESSAGES, scope_message_row, bytes, REQUIRED),
    CELL("/scope/messages/peers", MESSAGES, scope_message_row, peer, REQUIRED),
    CELL("/scope/messages/comms", MESSAGES, scope_message_row, communicator, REQUIRED),
    CELL("/scope/messages/tags", MESSAGES, scope_message_row, tag, 0),
    AS("/scope/messages/kinds", MESSAGES, SCOPE_CELL_U8, scope_message_row, kind, 0),

    RANK("/scope/misuse/ranks", MISUSE, scope_misuse_row, REQUIRED),
    CELL("/scope/misuse/region_ids", MISUSE, scope_misuse_row, region, REQUIRED),
    CELL("/scope/misuse/implied", MISUSE, scope_misuse_row, implied, 0),
    CELL("/scope/misuse/crossed", MISUSE, scope_misuse_row, crossed, 0),
    CELL("/scope/misuse/orphans", MISUSE, scope_misuse_row, orphans, 0),

    RANK("/scope/folded/ranks", SUMS, scope_sum_row, REQUIRED),
    CELL("/scope/folded/region_ids", SUMS, scope_sum_row, region, REQUIRED),
    CELL("/scope/folded/lanes", SUMS, scope_sum_row, lane, 0),
    CELL("/scope/folded/counts", SUMS, scope_sum_row, count, REQUIRED),
    CELL("/scope/folded/totals_ns", SUMS, scope_sum_row, total_ns, REQUIRED),
    CELL("/scope/folded/minimums_ns", SUMS, scope_sum_row, minimum_ns, 0),
    CELL("/scope/folded/maximums_ns", SUMS, scope_sum_row, maximum_ns, 0),
    CELL("/scope/folded/exclusives_ns", SUMS, scope_sum_row, exclusive_ns, 0),
    CELL("/scope/folded/await_ns", SUMS, scope_sum_row, await_ns, 0),
    CELL("/scope/folded/firsts_ns", SUMS, scope_sum_row, first_ns, 0),
    CELL("/scope/folded/lasts_ns", SUMS, scope_sum_row, last_ns, 0),
    CELL("/scope/folded/mpi_bytes", SUMS, scope_sum_row, bytes, 0),
    CELL("/scope/folded/histograms", SUMS, scope_sum_row, histogram, 0),

    RANK("/scope/clock/ranks", RANKS, scope_rank_row, REQUIRED),
    TEXT("/scope/clock/hosts", RANKS, scope_rank_row, host, 0, ""),
    CELL("/scope/clock/start_time_ns", RANKS, scope_rank_row, start_ns, 0),
    CELL("/scope/clock/realtime_ns", RANKS, scope_rank_row, realtime_ns, 0),
    CELL("/scope/clock/offset_ns", RANKS, scope_rank_row, offset_ns, 0),
    CELL("/scope/clock/drift", RANKS, scope_rank_row, drift, 0),
    CELL("/scope/clock/at_ns", RANKS, scope_rank_row, at_ns, 0),
    CELL("/scope/clock/bound_ns", RANKS, scope_rank_row, bound_ns, 0),

    RANK("/scope/ranks/ranks", RANKS, scope_rank_row, WRITE_ONLY),
    CELL("/scope/ranks/pids", RANKS, scope_rank_row, pid, 0),
    CELL("/scope/ranks/end_kinds", RANKS, scope_rank_row, end_kind, 0),
    CELL("/scope/ranks/end_values", RANKS, scope_rank_row, end_value, 0),
    CELL("/scope/ranks/end_time_ns", RANKS, scope_rank_row, end_ns, 0),
    CELL("/scope/ranks/last_event_ns", RANKS, scope_rank_row, last_event_ns, 0),
    CELL("/scope/ranks/dropped", RANKS, scope_rank_row, dropped, 0),
    CELL("/scope/ranks/dropped_in_handlers", RANKS, scope_rank_row, dropped_in_handlers, 0),
    CELL("/scope/ranks/folded", RANKS, scope_rank_row, folded, 0),
    CELL("/scope/ranks/holes", RANKS, scope_rank_row, holes, 0),
    CELL("/scope/ranks/filtered", RANKS, scope_rank_row, filtered, 0),
    CELL("/scope/ranks/overhead_pair_ns", RANKS, scope_rank_row, overhead_pair_ns, 0),
    CELL("/scope/ranks/overhead_inside_ns", RANKS, scope_rank_row, overhead_inside_ns, 0),
    CELL("/scope/ranks/overhead_long_pair_ns", RANKS, scope_rank_row, overhead_long_pair_ns, 0),
    CELL("/scope/ranks/overhead_long_inside_ns", RANKS, scope_rank_row, overhead_long_inside_ns, 0),
    TEXT("/scope/ranks/programs", RANKS, scope_rank_row, program, 0, ""),

    CELL("/scope/open_calls/rows", OPEN, scope_open_row, row, WRITE_ONLY),
    RANK("/scope/open_calls/ranks", OPEN, scope_open_row, WRITE_ONLY),
    CELL("/scope/open_calls/region_ids", OPEN, scope_open_row, region, WRITE_ONLY),

    RANK("/scope/overhead/ranks", OVERHEAD, scope_overhead_row, WRITE_ONLY),
    OVERHEAD("region_ids", region),
    OVERHEAD("counts", count),
    OVERHEAD("totals_ns", total_ns),
    OVERHEAD("exclusives_ns", exclusive_ns),
    OVERHEAD("overheads_ns", overhead_ns),
    OVERHEAD("corrected_totals_ns", corrected_total_ns),
    OVERHEAD("corrected_exclusives_ns", corrected_exclusive_ns),

    RANK("/scope/communication/functions/ranks", FUNCTIONS, scope_function_row, WRITE_ONLY),
    MOVED("functions/comms", FUNCTIONS, scope_function_row, communicator),
    MOVED("functions/region_ids", FUNCTIONS, scope_function_row, region),
    MOVED_AS("functions/kinds", FUNCTIONS, SCOPE_CELL_U8, scope_function_row, kind),
    MOVED("functions/calls", FUNCTIONS, scope_function_row, call_count),
    MOVED("functions/messages", FUNCTIONS, scope_function_row, message_count),
    MOVED("functions/bytes", FUNCTIONS, scope_function_row, bytes),
    MOVED("functions/totals_ns", FUNCTIONS, scope_function_row, total_ns),
    RANK("/scope/communication/peers/ranks", PEERS, scope_peer_row, WRITE_ONLY),
    MOVED("peers/comms", PEERS, scope_peer_row, communicator),
    MOVED_AS("peers/kinds", PEERS, SCOPE_CELL_U8, scope_peer_row, kind),
    MOVED("peers/peers", PEERS, scope_peer_row, peer),
    MOVED_AS("peers/size_classes", PEERS, SCOPE_CELL_U8, scope_peer_row, size_class),
    MOVED("peers/messages", PEERS, scope_peer_row, message_count),
    MOVED("peers/bytes", PEERS, scope_peer_row, bytes),
    RANK("/scope/communication/ranks/ranks", LISTED, scope_listed_row, WRITE_ONLY),
    MOVED_AS("ranks/listed", LISTED, SCOPE_CELL_U8, scope_listed_row, listed),
    MOVED("ranks/untold_calls", LISTED, scope_listed_row, untold_count),
    MOVED("ranks/untold_bytes", LISTED, scope_listed_row, untold_bytes),
    MOVED("ranks/lost_events", LISTED, scope_listed_row, lost_count),
    RANK("/scope/sources/ranks", SOURCES, scope_source_row, WRITE_ONLY),
    SOURCE("first_rows", first),
    SOURCE("rows", rows),
    SOURCE_TEXT("files", file),
    SOURCE_TEXT("hosts", host),
    SOURCE_TEXT("file_ids", file_id),
    SOURCE_TEXT("checksums", checksums),

    /* an aggregate table: the columns of PAIRS are empty, but for ids and ranks */
    CELL("/rank_region_index/region_ids", AGGREGATES, scope_pair, region, REQUIRED),
    RANK("/rank_region_index/ranks", AGGREGATES, scope_pair, REQUIRED),
    CELL("/scope/aggregates/summary_statistics", AGGREGATES, scope_pair, statistics, 0),
    CELL("/rank_region_index/aggregate_counts", AGGREGATES, scope_pair, count, REQUIRED),
    CELL("/rank_region_index/aggregate_totals", AGGREGATES, scope_pair, statistics.total, REQUIRED),
    CELL("/rank_region_index/aggregate_minimums", AGGREGATES, scope_pair, statistics.minimum, REQUIRED),
    CELL("/rank_region_index/aggregate_maximums", AGGREGATES, scope_pair, statistics.maximum, REQUIRED),
    CELL("/rank_region_index/aggregate_exclusives", AGGREGATES, scope_pair, exclusive_ns, REQUIRED),
    CELL("/scope/aggregates/source_lines", AGGREGATES, scope_pair, source_line, 0),
    TEXT("/scope/aggregates/source_files", AGGREGATES, scope_pair, source_file, 0, ""),
    TEXT("/scope/aggregates/tags", AGGREGATES, scope_pair, tags, 0, "[]"),
    PAIR_TEXT("/scope/aggregates/source_texts", AGGREGATES, source_texts, OPTIONAL, ""),
};
/* clang-format on */

const size_t scope_column_count = sizeof scope_columns / sizeof scope_columns[0];
_Static_assert(sizeof scope_columns / sizeof scope_columns[0] <= SCOPE_COLUMN_MAX, "columns");

int64_t scope_column_missing(const scope_column *column)
{
    const bool of_job = column->offset == offsetof(scope_rows, job_comms);
    const size_t offset = of_job ? AT(mpi_comms) : column->offset;
    const scope_field *field = NULL;
    if (column->table == SCOPE_TABLE_EVENTS)
        field = scope_field_at(scope_call_columns, SCOPE_CALL_COLUMNS, offset);
    else if (column->table == SCOPE_TABLE_PAIRS || column->table == SCOPE_TABLE_AGGREGATES)
        field = scope_field_at(scope_pair_kind.fields, scope_pair_kind.field_count, offset);
    for (size_t i = 0; i < SCOPE_ROW_TABLES; i++)
        if (scope_row_tables[i].rows_offset == scope_tables[column->table].rows_offset)
            field = scope_field_at(scope_row_tables[i].kind.fields,
                                   scope_row_tables[i].kind.field_count, offset);
    if (!field || (column->flags & RELATIVE && !(column->flags & KEEP_NONE)))
        return 0; /* not read back; the start of the run */
    return field->missing;
}

size_t scope_cell_file_bytes(scope_cell cell, uint32_t width)
{
    switch (cell) {
    case SCOPE_CELL_I8:
    case SCOPE_CELL_U8:
        return 1;
    case SCOPE_CELL_I32:
    case SCOPE_CELL_U32:
        return 4;
    case SCOPE_CELL_TEXT:
        return width;
    case SCOPE_CELL_STATISTICS:
        return SCOPE_STATISTICS_BYTES;
    case SCOPE_CELL_HISTOGRAM:
        return SCOPE_HISTOGRAM_LENGTH * sizeof(uint32_t);
    default:
        return 8;
    }
}

hid_t scope_text_type(size_t width)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return type;
    H5Tset_size(type, width ? width : H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, width ? H5T_STR_NULLPAD : H5T_STR_NULLTERM);
    return type;
}

/* Members of summary_statistics in the file: 0.7.5 wants all eleven. */
static hid_t statistics_type(void)
{
    static const char *const names[] = {"total",     "minimum",       "maximum",     "first",
                                        "last",      "start_minimum", "end_maximum", "gpu_count",
                                        "gpu_total", "mean",          "m2"};
    const hid_t type = H5Tcreate(H5T_COMPOUND, SCOPE_STATISTICS_BYTES);
    for (size_t i = 0; type >= 0 && i < sizeof names / sizeof names[0]; i++)
        H5Tinsert(type, names[i], i * 8,
                  i >= 9   ? H5T_NATIVE_DOUBLE
                  : i == 7 ? H5T_NATIVE_UINT64
                           : H5T_NATIVE_INT64);
    return type;
}

hid_t scope_cell_type(scope_cell cell, uint32_t width)
{
    switch (cell) {
    case SCOPE_CELL_I8:
        return H5Tcopy(H5T_NATIVE_INT8);
    case SCOPE_CELL_U8:
        return H5Tcopy(H5T_NATIVE_UINT8);
    case SCOPE_CELL_I32:
        return H5Tcopy(H5T_NATIVE_INT32);
    case SCOPE_CELL_U32:
    case SCOPE_CELL_HISTOGRAM:
        return H5Tcopy(H5T_NATIVE_UINT32);
    case SCOPE_CELL_U64:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case SCOPE_CELL_F64:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case SCOPE_CELL_TEXT:
        return scope_text_type(width);
    case SCOPE_CELL_STATISTICS:
        return statistics_type();
    default:
        return H5Tcopy(H5T_NATIVE_INT64);
    }
}
