/* file_dump.c - print what libscope_hdf5 reads from a file, as JSON.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>

#include <scope/file.h>

static void text(scope_string value)
{
    putchar('"');
    for (uint64_t i = 0; i < value.length_bytes; i++) { /* bytes as Latin-1 characters */
        const unsigned char byte = (unsigned char)value.bytes[i];
        if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\')
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

#define COLUMN(name, format)                                                                       \
    if (calls->name) {                                                                             \
        printf(",\n\"" #name "\": [");                                                             \
        for (uint64_t i = 0; i < calls->count; i++)                                                \
            printf("%s%" format, i ? ", " : "", calls->name[i]);                                   \
        printf("]");                                                                               \
    }

static void dump_pairs(const scope_calls *calls)
{
    printf(",\n\"pairs\": [");
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        printf("%s\n{\"rank\": %d, \"region\": %u, \"first\": %" PRIu64 ", \"count\": %" PRIu64
               ", \"source_line\": %" PRId64 ", \"exclusive_ns\": %" PRId64 ", \"total\": %" PRId64
               ", \"minimum\": %" PRId64 ", \"maximum\": %" PRId64
               ", \"m2\": %.17g, \"source_file\": ",
               i ? "," : "", pair->rank, pair->region, pair->first, pair->count, pair->source_line,
               pair->exclusive_ns, pair->statistics.total, pair->statistics.minimum,
               pair->statistics.maximum, pair->statistics.m2);
        text(pair->source_file);
        printf(", \"tags\": ");
        text(pair->tags);
        printf("}");
    }
    printf("]");
}

static void dump_texts(const char *key, const scope_string *texts, size_t count)
{
    printf(",\n\"%s\": [", key);
    for (size_t i = 0; texts && i < count; i++) {
        printf("%s", i ? ",\n" : "");
        text(texts[i]);
    }
    printf("]");
}

static void dump_lanes(const scope_calls *calls)
{
    printf(",\n\"threads\": [");
    for (size_t i = 0; i < calls->thread_count; i++) {
        const scope_thread_row *row = &calls->threads[i];
        printf("%s\n{\"rank\": %d, \"index\": %" PRId64 ", \"native_id\": %" PRId64
               ", \"start_ns\": %" PRId64 ", \"end_ns\": %" PRId64 ", \"cpu_ns\": %" PRId64
               ", \"daemon\": %d, \"flags\": %d, \"name\": ",
               i ? "," : "", row->rank, row->index, row->native_id, row->start_ns, row->end_ns,
               row->cpu_ns, row->daemon, row->flags);
        text(row->name);
        printf("}");
    }
    printf("],\n\"tasks\": [");
    for (size_t i = 0; i < calls->task_count; i++) {
        const scope_task_row *row = &calls->tasks[i];
        printf("%s\n{\"rank\": %d, \"index\": %" PRId64 ", \"thread_index\": %" PRId64
               ", \"created_ns\": %" PRId64 ", \"done_ns\": %" PRId64 ", \"steps\": %" PRId64
               ", \"running_ns\": %" PRId64 ", \"suspended_ns\": %" PRId64 ", \"kind\": ",
               i ? "," : "", row->rank, row->index, row->thread_index, row->created_ns,
               row->done_ns, row->steps, row->running_ns, row->suspended_ns);
        text(row->kind);
        printf(", \"name\": ");
        text(row->name);
        printf(", \"coro_name\": ");
        text(row->coro_name);
        printf("}");
    }
    printf("]");
}

static void dump_sums(const scope_calls *calls)
{
    printf(",\n\"sums\": [");
    for (size_t i = 0; i < calls->sum_count; i++) {
        const scope_sum_row *row = &calls->sums[i];
        printf("%s\n{\"rank\": %d, \"region\": %u, \"count\": %" PRId64
               ", \"total_ns\": %" PRId64
               ", \"minimum_ns\": %" PRId64 ", \"maximum_ns\": %" PRId64
               ", \"exclusive_ns\": %" PRId64 "}",
               i ? "," : "", row->rank, row->region, row->count, row->total_ns, row->minimum_ns,
               row->maximum_ns, row->exclusive_ns);
    }
    printf("],\n\"sum_lanes\": [");
    for (size_t i = 0; i < calls->sum_count; i++)
        printf("%s%" PRId64, i ? ", " : "", calls->sums[i].lane);
    printf("]");
}

static void dump_metadata(const scope_calls *calls)
{
    printf(",\n\"metadata\": {");
    for (size_t i = 0; i < calls->metadata_count; i++) {
        const scope_metadata_row *row = &calls->metadata[i];
        printf("%s\n", i ? "," : "");
        text(row->key);
        printf(": ");
        if (row->kind == SCOPE_VALUE_INTEGER)
            printf("%" PRId64, row->integer);
        else
            text(row->text);
    }
    printf("}");
}

int main(int argc, char **argv)
{
    scope_file *file;
    const scope_status status = argc == 2 ? scope_file_open(argv[1], &file) : SCOPE_ERR_ARGUMENT;
    if (status != SCOPE_OK) {
        fprintf(stderr, "%s: %s\n", scope_status_text(status), scope_file_message());
        return 1;
    }
    const scope_calls *calls = scope_file_calls(file);
    printf("{\"rank_count\": %d, \"start_time_ns\": %" PRId64 ", \"end_time_ns\": %" PRId64
           ", \"count\": %" PRIu64 ", \"is_aggregate\": %d,\n\"regions\": [",
           calls->rank_count, calls->start_time_ns, calls->end_time_ns, calls->count,
           calls->is_aggregate);
    for (size_t i = 0; i < calls->region_count; i++) {
        printf("%s", i ? ", " : "");
        text(calls->regions[i].name);
    }
    printf("]");
    COLUMN(start_ns, PRId64)
    COLUMN(duration_ns, PRId64)
    COLUMN(call_ids, PRId64)
    COLUMN(parent_ids, PRId64)
    COLUMN(thread_ids, PRId64)
    COLUMN(task_ids, PRId64)
    COLUMN(await_ns, PRId64)
    COLUMN(gpu_ns, PRId64)
    COLUMN(mpi_bytes, PRId64)
    COLUMN(mpi_peers, PRId32)
    COLUMN(mpi_comms, PRId32)
    COLUMN(mpi_tags, PRId32)
    COLUMN(mpi_kinds, PRIu8)
    COLUMN(flags, PRIu8)
    dump_pairs(calls);
    dump_texts("source_texts", calls->source_texts, calls->pair_count);
    dump_texts("event_metadata", calls->event_metadata, calls->pair_count);
    dump_lanes(calls);
    dump_sums(calls);
    dump_metadata(calls);
    printf("}\n");
    scope_file_close(file);
    return 0;
}
