/* json_layout.c - see json_layout.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json_layout.h"

#include <stddef.h>

/* clang-format off */
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define FIELD(key, cell, row, missing) {#key, JSON_##cell, offsetof(row, key), missing}
#define NAMED(name, cell, row, member, missing) {name, JSON_##cell, offsetof(row, member), missing}
#define TABLE(key, row, member, counter, fields)                                                   \
    {key, sizeof(row), offsetof(scope_calls, member), offsetof(scope_calls, counter), fields,      \
     COUNT(fields)}

static const json_field threads[] = {
    FIELD(index, I64, scope_thread_row, 0),
    FIELD(name, TEXT, scope_thread_row, 0),
    FIELD(ident, I64, scope_thread_row, 0),
    FIELD(native_id, I64, scope_thread_row, 0),
    FIELD(daemon, BOOL, scope_thread_row, 0),
    FIELD(start_ns, RELATIVE, scope_thread_row, -1),
    FIELD(end_ns, RELATIVE, scope_thread_row, -1),
    FIELD(cpu_ns, I64, scope_thread_row, -1),
    FIELD(last_cpu, I32, scope_thread_row, -1),
    FIELD(flags, I32, scope_thread_row, 0),
    FIELD(binding, TEXT, scope_thread_row, 0),
};

static const json_field tasks[] = {
    FIELD(index, I64, scope_task_row, 0),
    FIELD(kind, TEXT, scope_task_row, 0),
    FIELD(name, TEXT, scope_task_row, 0),
    FIELD(coro_name, TEXT, scope_task_row, 0),
    FIELD(thread_index, I64, scope_task_row, -1),
    FIELD(created_ns, RELATIVE, scope_task_row, -1),
    FIELD(done_ns, RELATIVE, scope_task_row, -1),
    FIELD(steps, I64, scope_task_row, 0),
    FIELD(running_ns, I64, scope_task_row, 0),
    FIELD(suspended_ns, I64, scope_task_row, 0),
};

const json_table json_lane_tables[JSON_LANE_TABLES] = {
    [JSON_THREADS] = TABLE("threads", scope_thread_row, threads, thread_count, threads),
    [JSON_TASKS] = TABLE("tasks", scope_task_row, tasks, task_count, tasks),
};

static const json_field ranks[] = {
    FIELD(rank, I32, scope_rank_row, 0),
    FIELD(end_kind, I32, scope_rank_row, 0),
    FIELD(end_value, I32, scope_rank_row, 0),
    FIELD(pid, I64, scope_rank_row, 0),
    FIELD(start_ns, I64, scope_rank_row, 0),
    FIELD(end_ns, I64, scope_rank_row, 0),
    FIELD(realtime_ns, I64, scope_rank_row, 0),
    FIELD(offset_ns, I64, scope_rank_row, 0),
    FIELD(at_ns, I64, scope_rank_row, 0),
    FIELD(bound_ns, I64, scope_rank_row, -1),
    FIELD(drift, F64, scope_rank_row, 0),
    FIELD(last_event_ns, I64, scope_rank_row, 0),
    FIELD(dropped, I64, scope_rank_row, 0),
    FIELD(dropped_in_handlers, I64, scope_rank_row, 0),
    FIELD(folded, I64, scope_rank_row, 0),
    FIELD(holes, I64, scope_rank_row, 0),
    FIELD(filtered, I64, scope_rank_row, 0),
    FIELD(overhead_pair_ns, F64, scope_rank_row, 0),
    FIELD(overhead_inside_ns, F64, scope_rank_row, 0),
    FIELD(overhead_long_pair_ns, F64, scope_rank_row, 0),
    FIELD(overhead_long_inside_ns, F64, scope_rank_row, 0),
    FIELD(host, TEXT, scope_rank_row, 0),
    FIELD(program, TEXT, scope_rank_row, 0),
};

static const json_field communicators[] = {
    FIELD(rank, I32, scope_communicator_row, 0),
    FIELD(id, I32, scope_communicator_row, 0),
    FIELD(parent, I32, scope_communicator_row, -1),
    FIELD(size, I32, scope_communicator_row, 0),
    FIELD(rank_in, I32, scope_communicator_row, 0),
    FIELD(serial, I32, scope_communicator_row, 0),
    FIELD(members, I64, scope_communicator_row, 0),
    FIELD(name, TEXT, scope_communicator_row, 0),
};

static const json_field messages[] = {
    FIELD(rank, I32, scope_message_row, 0),
    FIELD(row, I64, scope_message_row, 0),
    FIELD(bytes, I64, scope_message_row, 0),
    FIELD(peer, I32, scope_message_row, -1),
    FIELD(communicator, I32, scope_message_row, -1),
    FIELD(tag, I32, scope_message_row, -1),
    FIELD(kind, I32, scope_message_row, 0),
};

static const json_field marks[] = {
    FIELD(rank, I32, scope_point_row, 0),
    FIELD(name, TEXT, scope_point_row, 0),
    FIELD(thread, I64, scope_point_row, -1),
    FIELD(task, I64, scope_point_row, -1),
    FIELD(time_ns, I64, scope_point_row, 0),
};

static const json_field counters[] = {
    FIELD(rank, I32, scope_point_row, 0),
    FIELD(name, TEXT, scope_point_row, 0),
    FIELD(thread, I64, scope_point_row, -1),
    FIELD(task, I64, scope_point_row, -1),
    FIELD(time_ns, I64, scope_point_row, 0),
    FIELD(value, F64, scope_point_row, 0),
};

static const json_field misuse[] = {
    FIELD(rank, I32, scope_misuse_row, 0),
    FIELD(region, REGION, scope_misuse_row, 0),
    FIELD(implied, I64, scope_misuse_row, 0),
    FIELD(crossed, I64, scope_misuse_row, 0),
    FIELD(orphans, I64, scope_misuse_row, 0),
};

static const json_field sums[] = {
    FIELD(rank, I32, scope_sum_row, 0),
    FIELD(region, REGION, scope_sum_row, 0),
    FIELD(lane, I64, scope_sum_row, -1),
    FIELD(count, I64, scope_sum_row, 0),
    FIELD(total_ns, I64, scope_sum_row, 0),
    FIELD(minimum_ns, I64, scope_sum_row, 0),
    FIELD(maximum_ns, I64, scope_sum_row, 0),
    FIELD(exclusive_ns, I64, scope_sum_row, -1),
    FIELD(await_ns, I64, scope_sum_row, 0),
    FIELD(first_ns, I64, scope_sum_row, 0),
    FIELD(last_ns, I64, scope_sum_row, 0),
    FIELD(bytes, I64, scope_sum_row, 0),
    FIELD(histogram, HISTOGRAM, scope_sum_row, 0),
};

const json_table json_own_tables[JSON_OWN_TABLES] = {
    TABLE("ranks", scope_rank_row, ranks, rank_row_count, ranks),
    TABLE("communicators", scope_communicator_row, communicators, communicator_count,
          communicators),
    TABLE("messages", scope_message_row, messages, message_count, messages),
    TABLE("marks", scope_point_row, marks, mark_count, marks),
    TABLE("counters", scope_point_row, counters, counter_count, counters),
    TABLE("misuse", scope_misuse_row, misuse, misuse_count, misuse),
    TABLE("folded", scope_sum_row, sums, sum_count, sums),
};

const json_field json_columns[JSON_COLUMNS] = {
    [JSON_COLUMN_IDS] = FIELD(call_ids, I64, scope_calls, -1),
    [JSON_COLUMN_PARENTS] = FIELD(parent_ids, I64, scope_calls, -1),
    [JSON_COLUMN_THREADS] = FIELD(thread_ids, I64, scope_calls, -1),
    FIELD(task_ids, I64, scope_calls, -1),
    FIELD(await_ns, I64, scope_calls, 0),
    [JSON_COLUMN_GPU] = NAMED("gpu_durations_ns", I64, scope_calls, gpu_ns, -1),
    FIELD(flags, U8, scope_calls, 0),
    FIELD(mpi_bytes, I64, scope_calls, 0),
    FIELD(mpi_peers, I32, scope_calls, -1),
    FIELD(mpi_comms, I32, scope_calls, -1),
    FIELD(mpi_tags, I32, scope_calls, -1),
    FIELD(mpi_kinds, U8, scope_calls, 0),
};

/* clang-format on */

size_t json_cell_bytes(json_cell cell)
{
    switch (cell) {
    case JSON_U8:
        return 1;
    case JSON_I32:
    case JSON_BOOL:
    case JSON_REGION:
        return sizeof(int32_t);
    case JSON_TEXT:
        return sizeof(scope_string);
    case JSON_HISTOGRAM:
        return 64 * sizeof(uint32_t);
    default:
        return sizeof(int64_t);
    }
}

int json_cell_holds(json_cell cell, int64_t value)
{
    switch (cell) {
    case JSON_U8:
        return value >= 0 && value <= UINT8_MAX;
    case JSON_I32:
    case JSON_BOOL:
        return value >= INT32_MIN && value <= INT32_MAX;
    case JSON_HISTOGRAM:
        return value >= 0 && value <= UINT32_MAX;
    default:
        return 1;
    }
}
