/* replay_dump.c - the call table of a spool file as JSON, for tests in Python.
 *
 *     replay_dump FILE [session]       0: the process session that started last
 *
 * Exit code: 0, or the negated scope_status of what went wrong.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include <scope/replay.h>

static void put_text(scope_string text)
{
    putchar('"');
    for (uint64_t i = 0; i < text.length_bytes; i++) {
        const unsigned char byte = (unsigned char)text.bytes[i];
        if (byte == '"' || byte == '\\' || byte < 0x20 || byte > 0x7e)
            printf("\\u%04x", byte); /* Latin-1: every byte comes back */
        else
            putchar(byte);
    }
    putchar('"');
}

static void put_calls(const scope_calls *calls)
{
    printf("\"calls\": [");
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++) {
            printf("%s\n{\"region\": %u, \"start\": %lld, \"duration\": %lld, \"thread\": %lld, "
                   "\"task\": %lld, \"await\": %lld, \"flags\": %d, \"id\": %lld, "
                   "\"parent\": %lld",
                   row ? "," : "", pair->region, (long long)calls->start_ns[row],
                   (long long)calls->duration_ns[row], (long long)calls->thread_ids[row],
                   calls->task_ids ? (long long)calls->task_ids[row] : -1,
                   calls->await_ns ? (long long)calls->await_ns[row] : 0,
                   calls->flags ? calls->flags[row] : 0,
                   calls->call_ids ? (long long)calls->call_ids[row] : -1,
                   calls->parent_ids ? (long long)calls->parent_ids[row] : -1);
            if (calls->mpi_bytes)
                printf(", \"bytes\": %lld, \"peer\": %d, \"comm\": %d",
                       (long long)calls->mpi_bytes[row], calls->mpi_peers[row],
                       calls->mpi_comms[row]);
            printf("}");
        }
    }
    printf("]");
}

static void put_pairs(const scope_calls *calls)
{
    printf("\"pairs\": [");
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        printf("%s\n{\"rank\": %d, \"region\": %u, \"count\": %llu, \"total\": %lld, "
               "\"exclusive\": %lld, \"tags\": %s, \"line\": %lld, \"file\": ",
               i ? "," : "", pair->rank, pair->region, (unsigned long long)pair->count,
               (long long)pair->statistics.total, (long long)pair->exclusive_ns, pair->tags.bytes,
               (long long)pair->source_line);
        put_text(pair->source_file);
        printf("}");
    }
    printf("]");
}

static void put_lanes(const scope_calls *calls)
{
    printf("\"threads\": [");
    for (size_t i = 0; i < calls->thread_count; i++) {
        const scope_thread_row *thread = &calls->threads[i];
        printf("%s\n{\"index\": %lld, \"start\": %lld, \"end\": %lld, \"cpu\": %lld, "
               "\"flags\": %d, \"name\": ",
               i ? "," : "", (long long)thread->index, (long long)thread->start_ns,
               (long long)thread->end_ns, (long long)thread->cpu_ns, thread->flags);
        put_text(thread->name);
        printf("}");
    }
    printf("],\n\"tasks\": [");
    for (size_t i = 0; i < calls->task_count; i++) {
        const scope_task_row *task = &calls->tasks[i];
        printf("%s\n{\"index\": %lld, \"thread\": %lld, \"created\": %lld, \"done\": %lld, "
               "\"steps\": %lld, \"running\": %lld, \"suspended\": %lld, \"name\": ",
               i ? "," : "", (long long)task->index, (long long)task->thread_index,
               (long long)task->created_ns, (long long)task->done_ns, (long long)task->steps,
               (long long)task->running_ns, (long long)task->suspended_ns);
        put_text(task->name);
        printf("}");
    }
    printf("]");
}

static void put_rest(const scope_calls *calls)
{
    printf("\"points\": [");
    for (int counters = 0; counters < 2; counters++) {
        const scope_point_row *rows = counters ? calls->counters : calls->marks;
        const size_t count = counters ? calls->counter_count : calls->mark_count;
        for (size_t i = 0; i < count; i++) {
            printf("%s\n{\"time\": %lld, \"value\": %.17g, \"thread\": %lld, \"task\": %lld, "
                   "\"name\": ",
                   i || (counters && calls->mark_count) ? "," : "", (long long)rows[i].time_ns,
                   rows[i].value, (long long)rows[i].thread, (long long)rows[i].task);
            put_text(rows[i].name);
            printf("}");
        }
    }
    printf("],\n\"misuse\": [");
    for (size_t i = 0; i < calls->misuse_count; i++)
        printf("%s{\"region\": %u, \"implied\": %lld, \"crossed\": %lld, \"orphans\": %lld}",
               i ? ", " : "", calls->misuse[i].region, (long long)calls->misuse[i].implied,
               (long long)calls->misuse[i].crossed, (long long)calls->misuse[i].orphans);
    printf("],\n\"sums\": [");
    for (size_t i = 0; i < calls->sum_count; i++)
        printf("%s\n{\"region\": %u, \"lane\": %lld, \"count\": %lld, \"total\": %lld, "
               "\"exclusive\": %lld, \"minimum\": %lld, \"maximum\": %lld, \"await\": %lld, "
               "\"bytes\": %lld}",
               i ? "," : "", calls->sums[i].region, (long long)calls->sums[i].lane,
               (long long)calls->sums[i].count, (long long)calls->sums[i].total_ns,
               (long long)calls->sums[i].exclusive_ns, (long long)calls->sums[i].minimum_ns,
               (long long)calls->sums[i].maximum_ns, (long long)calls->sums[i].await_ns,
               (long long)calls->sums[i].bytes);
    const scope_rank_row *rank = &calls->ranks[0];
    printf("],\n\"rank\": {\"rank\": %d, \"end_kind\": %d, \"dropped\": %lld, "
           "\"dropped_in_handlers\": %lld, \"folded\": %lld, \"holes\": %lld, \"start\": %lld, "
           "\"end\": %lld}",
           rank->rank, rank->end_kind, (long long)rank->dropped,
           (long long)rank->dropped_in_handlers, (long long)rank->folded, (long long)rank->holes,
           (long long)rank->start_ns, (long long)rank->end_ns);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    scope_spool *spool = NULL;
    scope_calls *calls = NULL;
    scope_status status = scope_spool_open(argv[1], &spool);
    if (status == SCOPE_OK)
        status = scope_replay(scope_spool_recording(spool),
                              argc > 2 ? (uint16_t)atoi(argv[2]) : 0, &calls);
    if (status != SCOPE_OK) {
        fprintf(stderr, "replay_dump: status %d\n", status);
        scope_spool_close(spool);
        return -status;
    }
    printf("{\"regions\": [");
    for (size_t i = 0; i < calls->region_count; i++) {
        printf("%s", i ? ", " : "");
        put_text(calls->regions[i].name);
    }
    printf("],\n\"start\": %lld, \"end\": %lld,\n", (long long)calls->start_time_ns,
           (long long)calls->end_time_ns);
    put_calls(calls);
    printf(",\n");
    put_pairs(calls);
    printf(",\n");
    put_lanes(calls);
    printf(",\n");
    put_rest(calls);
    printf("}\n");
    scope_calls_free(calls);
    scope_spool_close(spool);
    return 0;
}
