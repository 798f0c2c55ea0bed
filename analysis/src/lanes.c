/* lanes.c - how a lane is called in reports.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/results.h>

#include <stdio.h>
#include <string.h>

/* Rows are sorted by rank and index: 100 000 lanes are to be labelled quickly. Of
 * a table that is not, which only a damaged file makes, a lane may get its number. */
#define FIND(name, type, rows, row_count)                                                      \
    static const type *name(const scope_calls *calls, int32_t rank, int64_t index)             \
    {                                                                                          \
        size_t low = 0, high = calls->row_count;                                               \
        while (low < high) {                                                                   \
            const size_t middle = low + (high - low) / 2;                                      \
            const type *row = &calls->rows[middle];                                            \
            if (row->rank < rank || (row->rank == rank && row->index < index))                 \
                low = middle + 1;                                                              \
            else                                                                               \
                high = middle;                                                                 \
        }                                                                                      \
        return low < calls->row_count && calls->rows[low].rank == rank &&                      \
                       calls->rows[low].index == index                                         \
                   ? &calls->rows[low]                                                         \
                   : NULL;                                                                     \
    }
FIND(find_thread, scope_thread_row, threads, thread_count)
FIND(find_task, scope_task_row, tasks, task_count)

const scope_thread_row *scope_calls_thread(const scope_calls *calls, int32_t rank, int64_t index)
{
    return find_thread(calls, rank, index);
}

static int length_of(scope_string text)
{
    return text.length_bytes < 4096 ? (int)text.length_bytes : 4096;
}

static int thread_label(const scope_calls *calls, int32_t rank, int64_t index, char *text,
                        size_t size_bytes)
{
    if (index == -1)
        return snprintf(text, size_bytes, "unknown lane");
    const scope_thread_row *thread = find_thread(calls, rank, index);
    if (!thread || !thread->name.length_bytes)
        return snprintf(text, size_bytes, "thread %lld", (long long)index);
    return snprintf(text, size_bytes, "%.*s", length_of(thread->name), thread->name.bytes);
}

size_t scope_lane_label(const scope_calls *calls, int32_t rank, int64_t lane, char *text,
                        size_t size_bytes)
{
    int length;
    if (lane == -1) {
        length = snprintf(text, size_bytes, "unknown lane");
    } else if (lane < 0) {
        length = thread_label(calls, rank, -2 - lane, text, size_bytes);
    } else {
        const scope_task_row *task = find_task(calls, rank, lane);
        if (!task) {
            length = snprintf(text, size_bytes, "task %lld", (long long)lane);
            return length > 0 ? (size_t)length : 0;
        }
        char name[32], code[4200] = "", thread[4200];
        snprintf(name, sizeof name, "task %lld", (long long)lane);
        if (task->coro_name.length_bytes) { /* the last part of a dotted name */
            const char *bytes = task->coro_name.bytes;
            uint64_t start = task->coro_name.length_bytes;
            while (start > 0 && bytes[start - 1] != '.')
                start--;
            const scope_string last = {bytes + start, task->coro_name.length_bytes - start};
            snprintf(code, sizeof code, " (%.*s)", length_of(last), last.bytes);
        }
        thread_label(calls, rank, task->thread_index, thread, sizeof thread);
        length = snprintf(text, size_bytes, "%.*s%s on %s",
                          task->name.length_bytes ? length_of(task->name) : (int)strlen(name),
                          task->name.length_bytes ? task->name.bytes : name, code, thread);
    }
    return length > 0 ? (size_t)length : 0;
}
