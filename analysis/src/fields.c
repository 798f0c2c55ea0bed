/* fields.c - see fields.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/fields.h>

#include <string.h>

/* clang-format off */
#define COLUMN(member, missing)                                                                    \
    {#member, SCOPE_CELL_OF(*((scope_calls *)0)->member), SCOPE_IS_PLAIN,                          \
     offsetof(scope_calls, member), missing}

const scope_field scope_call_columns[SCOPE_CALL_COLUMNS] = {
    COLUMN(start_ns, 0),
    COLUMN(duration_ns, 0),
    COLUMN(call_ids, -1),
    COLUMN(parent_ids, -1),
    COLUMN(thread_ids, -1),
    COLUMN(task_ids, -1),
    COLUMN(await_ns, 0),
    COLUMN(gpu_ns, -1),
    COLUMN(flags, 0),
    COLUMN(mpi_bytes, 0),
    COLUMN(mpi_peers, -1),
    COLUMN(mpi_comms, -1),
    COLUMN(mpi_tags, -1),
    COLUMN(mpi_kinds, 0),
};

static const scope_field pairs[] = {
    SCOPE_FIELD(scope_pair, rank, RANK, 0),
    SCOPE_FIELD(scope_pair, region, REGION, 0),
    SCOPE_FIELD(scope_pair, first, PLAIN, 0),
    SCOPE_FIELD(scope_pair, count, PLAIN, 0),
    SCOPE_FIELD(scope_pair, source_file, PLAIN, 0),
    SCOPE_FIELD(scope_pair, source_line, PLAIN, -1),
    SCOPE_FIELD(scope_pair, exclusive_ns, PLAIN, -1),
};

static const scope_field threads[] = {
    SCOPE_FIELD(scope_thread_row, rank, RANK, 0),
    SCOPE_FIELD(scope_thread_row, index, PLAIN, 0),
    SCOPE_FIELD(scope_thread_row, name, PLAIN, 0),
    SCOPE_FIELD(scope_thread_row, ident, PLAIN, -1),
    SCOPE_FIELD(scope_thread_row, native_id, PLAIN, -1),
    SCOPE_FIELD(scope_thread_row, daemon, TRUTH, 0),
    SCOPE_FIELD(scope_thread_row, start_ns, RELATIVE, -1),
    SCOPE_FIELD(scope_thread_row, end_ns, RELATIVE, -1),
    SCOPE_FIELD(scope_thread_row, cpu_ns, PLAIN, -1),
    SCOPE_FIELD(scope_thread_row, last_cpu, PLAIN, -1),
    SCOPE_FIELD(scope_thread_row, flags, PLAIN, 0),
    SCOPE_FIELD(scope_thread_row, binding, PLAIN, 0),
};

static const scope_field tasks[] = {
    SCOPE_FIELD(scope_task_row, rank, RANK, 0),
    SCOPE_FIELD(scope_task_row, index, PLAIN, 0),
    SCOPE_FIELD(scope_task_row, kind, PLAIN, 0),
    SCOPE_FIELD(scope_task_row, name, PLAIN, 0),
    SCOPE_FIELD(scope_task_row, coro_name, PLAIN, 0),
    SCOPE_FIELD(scope_task_row, thread_index, PLAIN, -1),
    SCOPE_FIELD(scope_task_row, created_ns, RELATIVE, -1),
    SCOPE_FIELD(scope_task_row, done_ns, RELATIVE, -1),
    SCOPE_FIELD(scope_task_row, steps, PLAIN, 0),
    SCOPE_FIELD(scope_task_row, running_ns, PLAIN, 0),
    SCOPE_FIELD(scope_task_row, suspended_ns, PLAIN, 0),
};

static const scope_field points[] = { /* of marks and counters */
    SCOPE_FIELD(scope_point_row, rank, RANK, 0),
    SCOPE_FIELD(scope_point_row, name, PLAIN, 0),
    SCOPE_FIELD(scope_point_row, thread, PLAIN, -1),
    SCOPE_FIELD(scope_point_row, task, PLAIN, -1),
    SCOPE_FIELD(scope_point_row, time_ns, PLAIN, 0),
    SCOPE_FIELD(scope_point_row, value, PLAIN, 0),
};

static const scope_field communicators[] = {
    SCOPE_FIELD(scope_communicator_row, rank, RANK, 0),
    SCOPE_FIELD(scope_communicator_row, id, PLAIN, 0),
    SCOPE_FIELD(scope_communicator_row, parent, PLAIN, -1),
    SCOPE_FIELD(scope_communicator_row, size, PLAIN, -1),
    SCOPE_FIELD(scope_communicator_row, rank_in, PLAIN, -1),
    SCOPE_FIELD(scope_communicator_row, serial, PLAIN, 0),
    SCOPE_FIELD(scope_communicator_row, members, PLAIN, 0),
    SCOPE_FIELD(scope_communicator_row, name, PLAIN, 0),
};

static const scope_field messages[] = {
    SCOPE_FIELD(scope_message_row, rank, RANK, 0),
    SCOPE_FIELD(scope_message_row, row, PLAIN, 0),
    SCOPE_FIELD(scope_message_row, bytes, PLAIN, 0),
    SCOPE_FIELD(scope_message_row, peer, PLAIN, -1),
    SCOPE_FIELD(scope_message_row, communicator, PLAIN, -1),
    SCOPE_FIELD(scope_message_row, tag, PLAIN, -1),
    SCOPE_FIELD(scope_message_row, kind, PLAIN, 0),
};

static const scope_field misuse[] = {
    SCOPE_FIELD(scope_misuse_row, rank, RANK, 0),
    SCOPE_FIELD(scope_misuse_row, region, REGION, 0),
    SCOPE_FIELD(scope_misuse_row, implied, PLAIN, 0),
    SCOPE_FIELD(scope_misuse_row, crossed, PLAIN, 0),
    SCOPE_FIELD(scope_misuse_row, orphans, PLAIN, 0),
};

static const scope_field sums[] = {
    SCOPE_FIELD(scope_sum_row, rank, RANK, 0),
    SCOPE_FIELD(scope_sum_row, region, REGION, 0),
    SCOPE_FIELD(scope_sum_row, lane, PLAIN, -1),
    SCOPE_FIELD(scope_sum_row, count, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, total_ns, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, minimum_ns, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, maximum_ns, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, exclusive_ns, PLAIN, -1),
    SCOPE_FIELD(scope_sum_row, await_ns, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, first_ns, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, last_ns, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, bytes, PLAIN, 0),
    SCOPE_FIELD(scope_sum_row, histogram, PLAIN, 0),
};

static const scope_field ranks[] = {
    SCOPE_FIELD(scope_rank_row, rank, RANK, 0),
    SCOPE_FIELD(scope_rank_row, end_kind, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, end_value, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, pid, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, start_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, end_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, realtime_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, offset_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, at_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, bound_ns, PLAIN, -1),
    SCOPE_FIELD(scope_rank_row, drift, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, last_event_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, dropped, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, dropped_in_handlers, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, folded, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, holes, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, filtered, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, overhead_pair_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, overhead_inside_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, overhead_long_pair_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, overhead_long_inside_ns, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, host, PLAIN, 0),
    SCOPE_FIELD(scope_rank_row, program, PLAIN, 0),
};

#define TABLE(member, counter, one, fields)                                                        \
    {#member, offsetof(scope_calls, member), offsetof(scope_calls, counter),                       \
     {one, sizeof *((scope_calls *)0)->member, fields, sizeof(fields) / sizeof *(fields)}}

const scope_row_table scope_row_tables[SCOPE_ROW_TABLES] = {
    [SCOPE_ROWS_THREADS] = TABLE(threads, thread_count, "a thread", threads),
    [SCOPE_ROWS_TASKS] = TABLE(tasks, task_count, "a task", tasks),
    [SCOPE_ROWS_MARKS] = TABLE(marks, mark_count, "a mark", points),
    [SCOPE_ROWS_COUNTERS] = TABLE(counters, counter_count, "a counter", points),
    [SCOPE_ROWS_COMMUNICATORS] =
        TABLE(communicators, communicator_count, "a communicator", communicators),
    [SCOPE_ROWS_MESSAGES] = TABLE(messages, message_count, "a message", messages),
    [SCOPE_ROWS_MISUSE] = TABLE(misuse, misuse_count, "a misuse", misuse),
    [SCOPE_ROWS_SUMS] = TABLE(sums, sum_count, "a sum", sums),
    [SCOPE_ROWS_RANKS] = TABLE(ranks, rank_row_count, "a rank", ranks),
};

const scope_row_kind scope_pair_kind = SCOPE_ROW_KIND("a pair", scope_pair, pairs);
/* clang-format on */

size_t scope_cell_memory_bytes(scope_cell cell)
{
    switch (cell) {
    case SCOPE_CELL_I8:
    case SCOPE_CELL_U8:
        return 1;
    case SCOPE_CELL_I32:
    case SCOPE_CELL_U32:
        return 4;
    case SCOPE_CELL_TEXT:
        return sizeof(scope_string);
    case SCOPE_CELL_STATISTICS:
        return sizeof(scope_statistics);
    case SCOPE_CELL_HISTOGRAM:
        return SCOPE_HISTOGRAM_LENGTH * sizeof(uint32_t);
    default:
        return 8;
    }
}

const scope_field *scope_field_at(const scope_field *fields, size_t field_count, size_t offset)
{
    for (size_t i = 0; i < field_count; i++)
        if (fields[i].offset == offset)
            return &fields[i];
    return NULL;
}

void scope_cell_set(void *at, scope_cell cell, int64_t value)
{
    const int32_t narrow = (int32_t)value;
    const double real = (double)value;
    const scope_string none = {"", 0};
    switch (cell) {
    case SCOPE_CELL_I8:
    case SCOPE_CELL_U8:
        *(uint8_t *)at = (uint8_t)value;
        break;
    case SCOPE_CELL_I32:
    case SCOPE_CELL_U32:
        memcpy(at, &narrow, sizeof narrow);
        break;
    case SCOPE_CELL_F64:
        memcpy(at, &real, sizeof real);
        break;
    case SCOPE_CELL_TEXT:
        memcpy(at, &none, sizeof none);
        break;
    case SCOPE_CELL_STATISTICS:
    case SCOPE_CELL_HISTOGRAM:
        memset(at, 0, scope_cell_memory_bytes(cell));
        break;
    default:
        memcpy(at, &value, sizeof value);
    }
}

void scope_row_clear(const scope_row_kind *kind, void *row)
{
    for (size_t i = 0; i < kind->field_count; i++)
        scope_cell_set((char *)row + kind->fields[i].offset, kind->fields[i].cell,
                       kind->fields[i].missing);
}
