/* layout.c - see layout.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "layout.h"

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

/* One line per dataset. EVENT: an array of scope_calls. CELL: a member of a row. */
#define EVENT(name, file, member, flags, missing)                                                  \
    {                                                                                              \
        "/events/" name, SCOPE_TABLE_EVENTS, SCOPE_CELL_##file, SCOPE_CELL_##file,                 \
            SCOPE_COLUMN_ARRAY | (flags), AT(member), missing, NULL                                \
    }
#define CELL(path, table, file, memory, type, member, flags, missing)                              \
    {                                                                                              \
        path, SCOPE_TABLE_##table, SCOPE_CELL_##file, SCOPE_CELL_##memory, flags,                  \
            offsetof(type, member), missing, NULL                                                  \
    }
#define TEXT(path, table, type, member, flags, missing)                                            \
    {                                                                                              \
        path, SCOPE_TABLE_##table, SCOPE_CELL_TEXT, SCOPE_CELL_TEXT, flags,                        \
            offsetof(type, member), 0, missing                                                     \
    }
#define PAIR_TEXT(path, member, flags, missing)                                                    \
    {                                                                                              \
        path, SCOPE_TABLE_PAIRS, SCOPE_CELL_TEXT, SCOPE_CELL_TEXT, SCOPE_COLUMN_ARRAY | (flags),   \
            AT(member), 0, missing                                                                 \
    }

#define OVERHEAD(name, file, memory, member)                                                       \
    CELL("/scope/overhead/" name, OVERHEAD, file, memory, scope_overhead_row, member,              \
         SCOPE_COLUMN_WRITE_ONLY, 0)

#define MOVED(path, table, file, memory, type, member)                                             \
    CELL("/scope/communication/" path, table, file, memory, type, member, SCOPE_COLUMN_WRITE_ONLY, 0)
#define SOURCE(name, file, memory, member)                                                         \
    CELL("/scope/sources/" name, SOURCES, file, memory, scope_source_row, member,                  \
         SCOPE_COLUMN_WRITE_ONLY, 0)
#define SOURCE_TEXT(name, member)                                                                  \
    TEXT("/scope/sources/" name, SOURCES, scope_source_row, member, SCOPE_COLUMN_WRITE_ONLY, "")

#define OPTIONAL SCOPE_COLUMN_OPTIONAL
#define REQUIRED SCOPE_COLUMN_REQUIRED
#define RELATIVE SCOPE_COLUMN_RELATIVE
#define KEEP_NONE SCOPE_COLUMN_KEEP_NONE

/* clang-format off */
const scope_column scope_columns[] = {
    EVENT("start_deltas", I64, start_ns, REQUIRED | SCOPE_COLUMN_DELTA, 0),
    EVENT("durations", I64, duration_ns, REQUIRED, 0),
    EVENT("call_ids", I64, call_ids, OPTIONAL, -1),
    EVENT("parent_ids", I64, parent_ids, OPTIONAL, -1),
    EVENT("thread_ids", I64, thread_ids, OPTIONAL, -1),
    EVENT("task_ids", I64, task_ids, OPTIONAL, -1),
    EVENT("await_ns", I64, await_ns, OPTIONAL, 0),
    EVENT("gpu_durations", I64, gpu_ns, OPTIONAL, -1),
    EVENT("call_flags", U8, flags, OPTIONAL, 0),
    EVENT("mpi_bytes", I64, mpi_bytes, OPTIONAL, 0),
    EVENT("mpi_peers", I32, mpi_peers, OPTIONAL, -1),
    EVENT("mpi_comms", I32, mpi_comms, OPTIONAL, -1),
    EVENT("mpi_tags", I32, mpi_tags, OPTIONAL, -1),
    EVENT("mpi_kinds", U8, mpi_kinds, OPTIONAL, 0),

    {SCOPE_GROUP_OF_JOB "/mpi_comms", SCOPE_TABLE_EVENTS, SCOPE_CELL_I32, SCOPE_CELL_I32,
     SCOPE_COLUMN_ARRAY | OPTIONAL | SCOPE_COLUMN_WRITE_ONLY, offsetof(scope_rows, job_comms), -1, NULL},

    CELL("/rank_region_index/region_ids", PAIRS, U32, U32, scope_pair, region, REQUIRED, 0),
    CELL("/rank_region_index/ranks", PAIRS, U32, I32, scope_pair, rank, REQUIRED, 0),
    CELL("/rank_region_index/event_offsets", PAIRS, U64, U64, scope_pair, first, REQUIRED, 0),
    CELL("/rank_region_index/event_counts", PAIRS, U64, U64, scope_pair, count, REQUIRED, 0),
    CELL("/rank_region_index/source_lines", PAIRS, I64, I64, scope_pair, source_line, 0, -1),
    CELL("/rank_region_index/exclusive_totals", PAIRS, I64, I64, scope_pair, exclusive_ns, 0, -1),
    CELL("/rank_region_index/summary_statistics", PAIRS, STATISTICS, STATISTICS, scope_pair, statistics, 0, 0),
    TEXT("/rank_region_index/source_files", PAIRS, scope_pair, source_file, 0, ""),
    TEXT("/rank_region_index/tags", PAIRS, scope_pair, tags, 0, "[]"),
    PAIR_TEXT("/rank_region_index/source_texts", source_texts, 0, ""),
    PAIR_TEXT("/rank_region_index/event_metadata", event_metadata, OPTIONAL, "[]"),

    CELL("/thread_table/ranks", THREADS, U32, I32, scope_thread_row, rank, REQUIRED, 0),
    CELL("/thread_table/index", THREADS, I64, I64, scope_thread_row, index, REQUIRED, 0),
    CELL("/thread_table/ident", THREADS, I64, I64, scope_thread_row, ident, 0, 0),
    CELL("/thread_table/native_id", THREADS, I64, I64, scope_thread_row, native_id, 0, -1),
    CELL("/thread_table/start_ns", THREADS, I64, I64, scope_thread_row, start_ns, RELATIVE, 0),
    CELL("/thread_table/end_ns", THREADS, I64, I64, scope_thread_row, end_ns, RELATIVE | KEEP_NONE, -1),
    CELL("/thread_table/cpu_ns", THREADS, I64, I64, scope_thread_row, cpu_ns, 0, -1),
    CELL("/thread_table/daemon", THREADS, I8, I32, scope_thread_row, daemon, 0, 0),
    TEXT("/thread_table/name", THREADS, scope_thread_row, name, 0, ""),
    CELL("/scope/lanes/last_cpus", THREADS, I32, I32, scope_thread_row, last_cpu, 0, -1),
    CELL("/scope/lanes/flags", THREADS, I32, I32, scope_thread_row, flags, 0, 0),
    TEXT("/scope/lanes/bindings", THREADS, scope_thread_row, binding, 0, ""),

    CELL("/task_table/ranks", TASKS, U32, I32, scope_task_row, rank, REQUIRED, 0),
    CELL("/task_table/index", TASKS, I64, I64, scope_task_row, index, REQUIRED, 0),
    CELL("/task_table/thread_index", TASKS, I64, I64, scope_task_row, thread_index, 0, -1),
    CELL("/task_table/created_ns", TASKS, I64, I64, scope_task_row, created_ns, RELATIVE, 0),
    CELL("/task_table/done_ns", TASKS, I64, I64, scope_task_row, done_ns, RELATIVE | KEEP_NONE, -1),
    CELL("/task_table/steps", TASKS, I64, I64, scope_task_row, steps, 0, 0),
    CELL("/task_table/running_ns", TASKS, I64, I64, scope_task_row, running_ns, 0, 0),
    CELL("/task_table/suspended_ns", TASKS, I64, I64, scope_task_row, suspended_ns, 0, 0),
    TEXT("/task_table/kind", TASKS, scope_task_row, kind, 0, "task"),
    TEXT("/task_table/name", TASKS, scope_task_row, name, 0, ""),
    TEXT("/task_table/coro_name", TASKS, scope_task_row, coro_name, 0, ""),

    CELL("/scope/marks/ranks", MARKS, U32, I32, scope_point_row, rank, REQUIRED, 0),
    CELL("/scope/marks/thread_ids", MARKS, I64, I64, scope_point_row, thread, 0, -1),
    CELL("/scope/marks/task_ids", MARKS, I64, I64, scope_point_row, task, 0, -1),
    CELL("/scope/marks/times_ns", MARKS, I64, I64, scope_point_row, time_ns, REQUIRED, 0),
    TEXT("/scope/marks/names", MARKS, scope_point_row, name, 0, ""),

    CELL("/scope/counters/ranks", COUNTERS, U32, I32, scope_point_row, rank, REQUIRED, 0),
    CELL("/scope/counters/thread_ids", COUNTERS, I64, I64, scope_point_row, thread, 0, -1),
    CELL("/scope/counters/task_ids", COUNTERS, I64, I64, scope_point_row, task, 0, -1),
    CELL("/scope/counters/times_ns", COUNTERS, I64, I64, scope_point_row, time_ns, REQUIRED, 0),
    CELL("/scope/counters/values", COUNTERS, F64, F64, scope_point_row, value, 0, 0),
    TEXT("/scope/counters/names", COUNTERS, scope_point_row, name, 0, ""),

    CELL("/scope/communicators/ranks", COMMUNICATORS, U32, I32, scope_communicator_row, rank, REQUIRED, 0),
    CELL("/scope/communicators/ids", COMMUNICATORS, I32, I32, scope_communicator_row, id, REQUIRED, 0),
    CELL("/scope/communicators/parents", COMMUNICATORS, I32, I32, scope_communicator_row, parent, 0, -1),
    CELL("/scope/communicators/sizes", COMMUNICATORS, I32, I32, scope_communicator_row, size, 0, -1),
    CELL("/scope/communicators/own_ranks", COMMUNICATORS, I32, I32, scope_communicator_row, rank_in, 0, -1),
    CELL("/scope/communicators/serials", COMMUNICATORS, I32, I32, scope_communicator_row, serial, 0, 0),
    CELL("/scope/communicators/members", COMMUNICATORS, I64, I64, scope_communicator_row, members, 0, 0),
    TEXT("/scope/communicators/names", COMMUNICATORS, scope_communicator_row, name, 0, ""),

    CELL("/scope/messages/rows", MESSAGES, U64, U64, scope_message_row, row, REQUIRED, 0),
    CELL("/scope/messages/ranks", MESSAGES, U32, I32, scope_message_row, rank, REQUIRED, 0),
    CELL("/scope/messages/bytes", MESSAGES, I64, I64, scope_message_row, bytes, REQUIRED, 0),
    CELL("/scope/messages/peers", MESSAGES, I32, I32, scope_message_row, peer, REQUIRED, -1),
    CELL("/scope/messages/comms", MESSAGES, I32, I32, scope_message_row, communicator, REQUIRED, -1),
    CELL("/scope/messages/tags", MESSAGES, I32, I32, scope_message_row, tag, 0, -1),
    CELL("/scope/messages/kinds", MESSAGES, U8, I32, scope_message_row, kind, 0, 0),

    CELL("/scope/misuse/ranks", MISUSE, U32, I32, scope_misuse_row, rank, REQUIRED, 0),
    CELL("/scope/misuse/region_ids", MISUSE, U32, U32, scope_misuse_row, region, REQUIRED, 0),
    CELL("/scope/misuse/implied", MISUSE, I64, I64, scope_misuse_row, implied, 0, 0),
    CELL("/scope/misuse/crossed", MISUSE, I64, I64, scope_misuse_row, crossed, 0, 0),
    CELL("/scope/misuse/orphans", MISUSE, I64, I64, scope_misuse_row, orphans, 0, 0),

    CELL("/scope/folded/ranks", SUMS, U32, I32, scope_sum_row, rank, REQUIRED, 0),
    CELL("/scope/folded/region_ids", SUMS, U32, U32, scope_sum_row, region, REQUIRED, 0),
    CELL("/scope/folded/lanes", SUMS, I64, I64, scope_sum_row, lane, 0, -1),
    CELL("/scope/folded/counts", SUMS, I64, I64, scope_sum_row, count, REQUIRED, 0),
    CELL("/scope/folded/totals_ns", SUMS, I64, I64, scope_sum_row, total_ns, REQUIRED, 0),
    CELL("/scope/folded/minimums_ns", SUMS, I64, I64, scope_sum_row, minimum_ns, 0, 0),
    CELL("/scope/folded/maximums_ns", SUMS, I64, I64, scope_sum_row, maximum_ns, 0, 0),
    CELL("/scope/folded/exclusives_ns", SUMS, I64, I64, scope_sum_row, exclusive_ns, 0, -1),
    CELL("/scope/folded/await_ns", SUMS, I64, I64, scope_sum_row, await_ns, 0, 0),
    CELL("/scope/folded/firsts_ns", SUMS, I64, I64, scope_sum_row, first_ns, 0, 0),
    CELL("/scope/folded/lasts_ns", SUMS, I64, I64, scope_sum_row, last_ns, 0, 0),
    CELL("/scope/folded/mpi_bytes", SUMS, I64, I64, scope_sum_row, bytes, 0, 0),
    CELL("/scope/folded/histograms", SUMS, HISTOGRAM, HISTOGRAM, scope_sum_row, histogram, 0, 0),

    CELL("/scope/clock/ranks", RANKS, U32, I32, scope_rank_row, rank, REQUIRED, 0),
    TEXT("/scope/clock/hosts", RANKS, scope_rank_row, host, 0, ""),
    CELL("/scope/clock/start_time_ns", RANKS, I64, I64, scope_rank_row, start_ns, 0, 0),
    CELL("/scope/clock/realtime_ns", RANKS, I64, I64, scope_rank_row, realtime_ns, 0, 0),
    CELL("/scope/clock/offset_ns", RANKS, I64, I64, scope_rank_row, offset_ns, 0, 0),
    CELL("/scope/clock/drift", RANKS, F64, F64, scope_rank_row, drift, 0, 0),
    CELL("/scope/clock/at_ns", RANKS, I64, I64, scope_rank_row, at_ns, 0, 0),
    CELL("/scope/clock/bound_ns", RANKS, I64, I64, scope_rank_row, bound_ns, 0, -1),

    CELL("/scope/ranks/ranks", RANKS, U32, I32, scope_rank_row, rank, SCOPE_COLUMN_WRITE_ONLY, 0),
    CELL("/scope/ranks/pids", RANKS, I64, I64, scope_rank_row, pid, 0, -1),
    CELL("/scope/ranks/end_kinds", RANKS, I32, I32, scope_rank_row, end_kind, 0, 0),
    CELL("/scope/ranks/end_values", RANKS, I32, I32, scope_rank_row, end_value, 0, 0),
    CELL("/scope/ranks/end_time_ns", RANKS, I64, I64, scope_rank_row, end_ns, 0, 0),
    CELL("/scope/ranks/last_event_ns", RANKS, I64, I64, scope_rank_row, last_event_ns, 0, 0),
    CELL("/scope/ranks/dropped", RANKS, I64, I64, scope_rank_row, dropped, 0, 0),
    CELL("/scope/ranks/dropped_in_handlers", RANKS, I64, I64, scope_rank_row, dropped_in_handlers, 0, 0),
    CELL("/scope/ranks/folded", RANKS, I64, I64, scope_rank_row, folded, 0, 0),
    CELL("/scope/ranks/holes", RANKS, I64, I64, scope_rank_row, holes, 0, 0),
    CELL("/scope/ranks/filtered", RANKS, I64, I64, scope_rank_row, filtered, 0, 0),
    CELL("/scope/ranks/overhead_pair_ns", RANKS, F64, F64, scope_rank_row, overhead_pair_ns, 0, 0),
    CELL("/scope/ranks/overhead_inside_ns", RANKS, F64, F64, scope_rank_row, overhead_inside_ns, 0, 0),
    CELL("/scope/ranks/overhead_long_pair_ns", RANKS, F64, F64, scope_rank_row, overhead_long_pair_ns, 0, 0),
    CELL("/scope/ranks/overhead_long_inside_ns", RANKS, F64, F64, scope_rank_row, overhead_long_inside_ns, 0, 0),
    TEXT("/scope/ranks/programs", RANKS, scope_rank_row, program, 0, ""),

    CELL("/scope/open_calls/rows", OPEN, U64, U64, scope_open_row, row, SCOPE_COLUMN_WRITE_ONLY, 0),
    CELL("/scope/open_calls/ranks", OPEN, U32, I32, scope_open_row, rank, SCOPE_COLUMN_WRITE_ONLY, 0),
    CELL("/scope/open_calls/region_ids", OPEN, U32, U32, scope_open_row, region, SCOPE_COLUMN_WRITE_ONLY, 0),

    OVERHEAD("ranks", U32, I32, rank),
    OVERHEAD("region_ids", U32, U32, region),
    OVERHEAD("counts", I64, I64, count),
    OVERHEAD("totals_ns", I64, I64, total_ns),
    OVERHEAD("exclusives_ns", I64, I64, exclusive_ns),
    OVERHEAD("overheads_ns", I64, I64, overhead_ns),
    OVERHEAD("corrected_totals_ns", I64, I64, corrected_total_ns),
    OVERHEAD("corrected_exclusives_ns", I64, I64, corrected_exclusive_ns),

    MOVED("functions/ranks", FUNCTIONS, U32, I32, scope_function_row, rank),
    MOVED("functions/comms", FUNCTIONS, I32, I32, scope_function_row, communicator),
    MOVED("functions/region_ids", FUNCTIONS, U32, U32, scope_function_row, region),
    MOVED("functions/kinds", FUNCTIONS, U8, I32, scope_function_row, kind),
    MOVED("functions/calls", FUNCTIONS, I64, I64, scope_function_row, call_count),
    MOVED("functions/messages", FUNCTIONS, I64, I64, scope_function_row, message_count),
    MOVED("functions/bytes", FUNCTIONS, I64, I64, scope_function_row, bytes),
    MOVED("functions/totals_ns", FUNCTIONS, I64, I64, scope_function_row, total_ns),
    MOVED("peers/ranks", PEERS, U32, I32, scope_peer_row, rank),
    MOVED("peers/comms", PEERS, I32, I32, scope_peer_row, communicator),
    MOVED("peers/kinds", PEERS, U8, I32, scope_peer_row, kind),
    MOVED("peers/peers", PEERS, I32, I32, scope_peer_row, peer),
    MOVED("peers/size_classes", PEERS, U8, I32, scope_peer_row, size_class),
    MOVED("peers/messages", PEERS, I64, I64, scope_peer_row, message_count),
    MOVED("peers/bytes", PEERS, I64, I64, scope_peer_row, bytes),
    MOVED("ranks/ranks", LISTED, U32, I32, scope_listed_row, rank),
    MOVED("ranks/listed", LISTED, U8, I32, scope_listed_row, listed),
    MOVED("ranks/untold_calls", LISTED, I64, I64, scope_listed_row, untold_count),
    MOVED("ranks/untold_bytes", LISTED, I64, I64, scope_listed_row, untold_bytes),
    MOVED("ranks/lost_events", LISTED, I64, I64, scope_listed_row, lost_count),
    SOURCE("ranks", U32, I32, rank),
    SOURCE("first_rows", U64, U64, first),
    SOURCE("rows", U64, U64, rows),
    SOURCE_TEXT("files", file),
    SOURCE_TEXT("hosts", host),
    SOURCE_TEXT("file_ids", file_id),
    SOURCE_TEXT("checksums", checksums),

    /* an aggregate table: the columns of PAIRS are empty, but for ids and ranks */
    CELL("/rank_region_index/region_ids", AGGREGATES, U32, U32, scope_pair, region, REQUIRED, 0),
    CELL("/rank_region_index/ranks", AGGREGATES, U32, I32, scope_pair, rank, REQUIRED, 0),
    CELL("/scope/aggregates/summary_statistics", AGGREGATES, STATISTICS, STATISTICS, scope_pair, statistics, 0, 0),
    CELL("/rank_region_index/aggregate_counts", AGGREGATES, U64, U64, scope_pair, count, REQUIRED, 0),
    CELL("/rank_region_index/aggregate_totals", AGGREGATES, I64, I64, scope_pair, statistics.total, REQUIRED, 0),
    CELL("/rank_region_index/aggregate_minimums", AGGREGATES, I64, I64, scope_pair, statistics.minimum, REQUIRED, 0),
    CELL("/rank_region_index/aggregate_maximums", AGGREGATES, I64, I64, scope_pair, statistics.maximum, REQUIRED, 0),
    CELL("/rank_region_index/aggregate_exclusives", AGGREGATES, I64, I64, scope_pair, exclusive_ns, REQUIRED, -1),
    CELL("/scope/aggregates/source_lines", AGGREGATES, I64, I64, scope_pair, source_line, 0, -1),
    TEXT("/scope/aggregates/source_files", AGGREGATES, scope_pair, source_file, 0, ""),
    TEXT("/scope/aggregates/tags", AGGREGATES, scope_pair, tags, 0, "[]"),
    {"/scope/aggregates/source_texts", SCOPE_TABLE_AGGREGATES, SCOPE_CELL_TEXT, SCOPE_CELL_TEXT,
     SCOPE_COLUMN_ARRAY | OPTIONAL, AT(source_texts), 0, ""},
};
/* clang-format on */

const size_t scope_column_count = sizeof scope_columns / sizeof scope_columns[0];
_Static_assert(sizeof scope_columns / sizeof scope_columns[0] <= SCOPE_COLUMN_MAX, "columns");

size_t scope_cell_memory_bytes(scope_cell cell)
{
    if (cell == SCOPE_CELL_TEXT)
        return sizeof(scope_string);
    return cell == SCOPE_CELL_STATISTICS ? sizeof(scope_statistics)
                                         : scope_cell_file_bytes(cell, 0);
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
