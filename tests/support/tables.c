/* tables.c - see tables.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_IMPLIED = 1, CALL_CROSSED = 2, CALL_OPEN = 4 };

static scope_string text(scope_calls *calls, const char *format, int a, int b)
{
    char buffer[64];
    const int length = snprintf(buffer, sizeof buffer, format, a, b);
    return scope_calls_string(calls, buffer, (uint64_t)length);
}

static void make_lanes(scope_calls *t, int32_t rank, unsigned with)
{
    if (with & TABLE_THREADS) {
        t->thread_count = 3;
        t->threads = scope_calls_alloc(t, 3, sizeof *t->threads);
        for (int i = 0; i < 3; i++)
            t->threads[i] =
                (scope_thread_row){.rank = rank,
                                   .daemon = i == 2,
                                   .index = i,
                                   .ident = INT64_C(0x7f0000000000) + i,
                                   .native_id = 4000 + i,
                                   .start_ns = TABLE_START_NS + i * 100,
                                   .end_ns = i ? TABLE_START_NS + 5000 + i : -1,
                                   .cpu_ns = i * 77 + 1,
                                   .last_cpu = i - 1,
                                   .flags = i ? 1 : 3,
                                   .name = text(t, i ? "worker-%d" : "MainThread", i, 0),
                                   .binding = text(t, "0-%d", i, 0)};
        t->thread_ids = scope_calls_alloc(t, t->count, sizeof *t->thread_ids);
        for (uint64_t i = 0; i < t->count; i++)
            t->thread_ids[i] = 0;
    }
    if (with & TABLE_TASKS) {
        t->task_count = 2;
        t->tasks = scope_calls_alloc(t, 2, sizeof *t->tasks);
        for (int i = 0; i < 2; i++)
            t->tasks[i] = (scope_task_row){.rank = rank,
                                           .index = i,
                                           .thread_index = 0,
                                           .created_ns = TABLE_START_NS + i,
                                           .done_ns = i ? -1 : TABLE_START_NS + 900,
                                           .steps = 3 + i,
                                           .running_ns = 50 + i,
                                           .suspended_ns = 5,
                                           .kind = text(t, i ? "greenlet" : "task", 0, 0),
                                           .name = text(t, "Task-%d", i, 0),
                                           .coro_name = text(t, "fetch%d", i, 0)};
        t->task_ids = scope_calls_alloc(t, t->count, sizeof *t->task_ids);
        t->await_ns = scope_calls_alloc(t, t->count, sizeof *t->await_ns);
        for (uint64_t i = 0; i < t->count; i++) {
            t->task_ids[i] = -1;
            t->await_ns[i] = (int64_t)(i % 2);
        }
    }
}

static void make_mpi(scope_calls *t, int32_t rank, int32_t rank_count)
{
    t->communicator_count = 2;
    t->communicators = scope_calls_alloc(t, 2, sizeof *t->communicators);
    t->communicators[0] =
        (scope_communicator_row){rank, 0, -1, rank_count, rank, 0, 77, text(t, "MPI_COMM_WORLD", 0, 0)};
    t->communicators[1] = (scope_communicator_row){rank, 2, 0, 1, 0, 3, -rank, text(t, "row %d", rank, 0)};
    t->mpi_bytes = scope_calls_alloc(t, t->count, sizeof *t->mpi_bytes);
    t->mpi_peers = scope_calls_alloc(t, t->count, sizeof *t->mpi_peers);
    t->mpi_comms = scope_calls_alloc(t, t->count, sizeof *t->mpi_comms);
    t->mpi_tags = scope_calls_alloc(t, t->count, sizeof *t->mpi_tags);
    t->mpi_kinds = scope_calls_alloc(t, t->count, sizeof *t->mpi_kinds);
    t->messages = scope_calls_alloc(t, t->count, sizeof *t->messages);
    for (uint64_t i = 0; i < t->count; i++) {
        t->mpi_bytes[i] = (int64_t)i * 8;
        t->mpi_peers[i] = i % 3 ? -1 : (int32_t)i % rank_count;
        t->mpi_comms[i] = i % 5 ? (int32_t)i % 2 : -1;
        t->mpi_tags[i] = i % 4 ? (int32_t)i * 100 : -1;
        t->mpi_kinds[i] = (uint8_t)(i % 8);
        if (i % 3 == 0)
            t->messages[t->message_count++] = (scope_message_row){
                .row = i / 2, .bytes = (int64_t)i, .rank = rank, .peer = (int32_t)i % rank_count,
                .communicator = (int32_t)i % 3 - 1, .tag = (int32_t)i, .kind = (int32_t)i % 8};
    }
}

static void make_points(scope_calls *t, int32_t rank)
{
    t->mark_count = t->counter_count = 2;
    t->marks = scope_calls_alloc(t, 2, sizeof *t->marks);
    t->counters = scope_calls_alloc(t, 2, sizeof *t->counters);
    for (int i = 0; i < 2; i++) {
        t->marks[i] =
            (scope_point_row){rank, 0, -1, TABLE_START_NS + 10 + i, 0, text(t, "mark %d", i, 0)};
        t->counters[i] = (scope_point_row){
            rank, 0, -1, TABLE_START_NS + 20 + i, 0.5 + i, text(t, "residual", 0, 0)};
    }
}

static void make_extras(scope_calls *t, int32_t rank, unsigned with)
{
    if (with & TABLE_SOURCE) {
        t->source_texts = scope_calls_alloc(t, t->pair_count, sizeof *t->source_texts);
        for (size_t p = 0; p < t->pair_count; p++)
            t->source_texts[p] = text(t, p ? "with region:  # %d\n    pass\n" : "", (int)p, 0);
    }
    if (with & TABLE_GPU) {
        t->gpu_ns = scope_calls_alloc(t, t->count, sizeof *t->gpu_ns);
        for (uint64_t i = 0; i < t->count; i++)
            t->gpu_ns[i] = (int64_t)i % 4 * 5 - 5;
    }
    if (with & TABLE_OPEN && t->count) {
        t->flags = scope_calls_alloc(t, t->count, 1);
        t->flags[0] = CALL_OPEN;
        t->flags[t->count - 1] = CALL_IMPLIED | CALL_CROSSED;
    }
    if (with & TABLE_MISUSE && t->region_count) {
        t->misuse_count = 1;
        t->misuse = scope_calls_alloc(t, 1, sizeof *t->misuse);
        t->misuse[0] = (scope_misuse_row){rank, 0, 1, 2, 3};
    }
    if (with & TABLE_FOLDED && t->region_count) {
        t->sum_count = 1;
        t->sums = scope_calls_alloc(t, 1, sizeof *t->sums);
        t->sums[0] = (scope_sum_row){.rank = rank,
                                     .region = t->region_count > 1,
                                     .lane = -2,
                                     .count = 10,
                                     .total_ns = 100,
                                     .minimum_ns = 1,
                                     .maximum_ns = 30,
                                     .exclusive_ns = 90,
                                     .await_ns = 2,
                                     .first_ns = TABLE_START_NS,
                                     .last_ns = TABLE_START_NS + 400,
                                     .bytes = 64};
        t->sums[0].histogram[3] = 10;
    }
    if (with & TABLE_LONG_TEXT && t->pair_count) { /* one object per call, as 0.7.5 wants it */
        t->event_metadata = scope_calls_alloc(t, t->pair_count, sizeof *t->event_metadata);
        for (size_t p = 0; p < t->pair_count; p++) {
            const uint64_t count = t->pairs[p].count;
            char *wide = calloc(1, 5000 + count * 4);
            int length = snprintf(wide, 5000, "[{\"note\": \"%0*d\"}",
                                  (int)(300 + p % 97 * 13 + (size_t)rank), 7);
            for (uint64_t i = 1; i < count; i++)
                length += snprintf(wide + length, 5, ", {}");
            wide[length++] = ']';
            t->event_metadata[p] =
                count ? scope_calls_string(t, wide, (uint64_t)length) : (scope_string){"[]", 2};
            free(wide);
        }
    }
}

scope_calls *table_make(int32_t rank, int32_t rank_count, uint32_t regions, uint64_t calls,
                        unsigned with)
{
    scope_calls *t = NULL;
    if (scope_calls_new(&t) != SCOPE_OK)
        abort();
    const uint64_t count = regions * calls;
    t->rank_count = rank_count;
    t->start_time_ns = TABLE_START_NS;
    t->end_time_ns = TABLE_START_NS + INT64_C(1000000000);
    t->count = count;
    t->start_ns = scope_calls_alloc(t, count, sizeof *t->start_ns);
    t->duration_ns = scope_calls_alloc(t, count, sizeof *t->duration_ns);
    t->region_count = t->pair_count = regions;
    t->regions = scope_calls_alloc(t, regions, sizeof *t->regions);
    t->pairs = scope_calls_alloc(t, regions, sizeof *t->pairs);
    for (uint32_t r = 0; r < regions;
         r++) { /* call i of region r lies inside call i of region r - 1 */
        t->regions[r].name = text(t, "region %d", (int)r, 0);
        t->pairs[r] = (scope_pair){.rank = rank,
                                   .region = r,
                                   .first = r * calls,
                                   .count = calls,
                                   .source_line = r ? (int64_t)r * 10 : -1,
                                   .source_file = text(t, r ? "src/part%d.c" : "", (int)r, 0),
                                   .tags = text(t, r % 2 ? "[\"hot\", \"t%d\"]" : "[]", (int)r, 0)};
        for (uint64_t i = 0; i < calls; i++) {
            const uint64_t row = r * calls + i;
            t->start_ns[row] =
                TABLE_START_NS + 100 + (int64_t)i * 10 * (regions + 1) + (int64_t)r + rank;
            t->duration_ns[row] = (int64_t)(10 * (regions + 1) - 2 * r - 1);
        }
    }
    make_lanes(t, rank, with);
    if (with & TABLE_MPI)
        make_mpi(t, rank, rank_count);
    if (with & TABLE_POINTS)
        make_points(t, rank);
    make_extras(t, rank, with);
    t->rank_row_count = 1;
    t->ranks = scope_calls_alloc(t, 1, sizeof *t->ranks);
    t->ranks[0] = (scope_rank_row){.rank = rank,
                                   .end_kind = 1,
                                   .pid = 100 + rank,
                                   .start_ns = TABLE_START_NS,
                                   .end_ns = TABLE_START_NS + 1000000000,
                                   .realtime_ns = INT64_C(1700000000000000000),
                                   .offset_ns = rank * 5,
                                   .at_ns = TABLE_START_NS,
                                   .bound_ns = 12,
                                   .overhead_pair_ns = 20.25 + rank,
                                   .overhead_inside_ns = 8.5,
                                   .overhead_long_pair_ns = 4.75,
                                   .overhead_long_inside_ns = -7.25,
                                   .drift = 1e-9 * rank,
                                   .last_event_ns = TABLE_START_NS + 99,
                                   .host = text(t, "node%d", rank / 2, 0),
                                   .program = text(t, "heat", 0, 0)};
    t->topology = text(t, "{\"packages\": %d}", 1, 0);
    scope_calls_set_text(t, "label", "made up", -1);
    scope_calls_nest(t, 0, NULL);
    return t;
}

void table_rename(scope_calls *calls, uint32_t region, const char *bytes, uint64_t length_bytes)
{
    calls->regions[region].name = scope_calls_string(calls, bytes, length_bytes);
}

static int same_text(scope_string a, scope_string b)
{
    return a.length_bytes == b.length_bytes &&
           (!a.length_bytes || memcmp(a.bytes, b.bytes, a.length_bytes) == 0);
}

static char difference[256];

#define DIFFER(...) return (snprintf(difference, sizeof difference, __VA_ARGS__), difference)
#define SAME(member)                                                                               \
    if (left->member != right->member)                                                             \
    DIFFER("%s: %lld and %lld", #member, (long long)left->member, (long long)right->member)
#define SAME_COLUMN(member)                                                                        \
    if (!left->member != !right->member)                                                           \
        DIFFER("%s: only one table has it", #member);                                              \
    if (left->member && left->count &&                                                             \
        memcmp(left->member, right->member, left->count * sizeof *left->member))                   \
    DIFFER("%s differ", #member)
#define SAME_TEXT(member)                                                                          \
    if (!same_text(left->member, right->member))                                                   \
    DIFFER("%s: '%s' and '%s'", #member, left->member.bytes, right->member.bytes)

static const char *pairs_difference(const scope_calls *left, const scope_calls *right)
{
    SAME(pair_count);
    for (size_t i = 0; i < left->pair_count; i++) {
        SAME(pairs[i].rank);
        SAME(pairs[i].first);
        SAME(pairs[i].count);
        SAME(pairs[i].source_line);
        SAME(pairs[i].exclusive_ns);
        SAME_TEXT(pairs[i].source_file);
        SAME_TEXT(pairs[i].tags);
        if (!same_text(left->regions[left->pairs[i].region].name,
                       right->regions[right->pairs[i].region].name))
            DIFFER("pair %zu: another region", i);
        if (memcmp(&left->pairs[i].statistics, &right->pairs[i].statistics,
                   sizeof(scope_statistics)))
            DIFFER("pair %zu: statistics", i);
        if (!left->event_metadata != !right->event_metadata)
            DIFFER("only one table has event_metadata");
        if (left->event_metadata)
            SAME_TEXT(event_metadata[i]);
    }
    return NULL;
}

static const char *lanes_difference(const scope_calls *left, const scope_calls *right)
{
    SAME(thread_count);
    SAME(task_count);
    for (size_t i = 0; i < left->thread_count; i++) {
        SAME(threads[i].rank);
        SAME(threads[i].daemon);
        SAME(threads[i].index);
        SAME(threads[i].ident);
        SAME(threads[i].native_id);
        SAME(threads[i].start_ns);
        SAME(threads[i].end_ns);
        SAME(threads[i].cpu_ns);
        SAME(threads[i].last_cpu);
        SAME(threads[i].flags);
        SAME_TEXT(threads[i].name);
        SAME_TEXT(threads[i].binding);
    }
    for (size_t i = 0; i < left->task_count; i++) {
        SAME(tasks[i].rank);
        SAME(tasks[i].index);
        SAME(tasks[i].thread_index);
        SAME(tasks[i].created_ns);
        SAME(tasks[i].done_ns);
        SAME(tasks[i].steps);
        SAME(tasks[i].running_ns);
        SAME(tasks[i].suspended_ns);
        SAME_TEXT(tasks[i].kind);
        SAME_TEXT(tasks[i].name);
        SAME_TEXT(tasks[i].coro_name);
    }
    return NULL;
}

static const char *points_difference(const scope_calls *left, const scope_calls *right)
{
    SAME(mark_count);
    SAME(counter_count);
    for (size_t i = 0; i < left->mark_count; i++) {
        SAME(marks[i].rank);
        SAME(marks[i].thread);
        SAME(marks[i].task);
        SAME(marks[i].time_ns);
        SAME_TEXT(marks[i].name);
    }
    for (size_t i = 0; i < left->counter_count; i++) {
        SAME(counters[i].rank);
        SAME(counters[i].time_ns);
        SAME(counters[i].value);
        SAME_TEXT(counters[i].name);
    }
    return NULL;
}

static const char *rows_difference(const scope_calls *left, const scope_calls *right)
{
    SAME(message_count);
    for (size_t i = 0; i < left->message_count; i++) {
        SAME(messages[i].row);
        SAME(messages[i].bytes);
        SAME(messages[i].rank);
        SAME(messages[i].peer);
        SAME(messages[i].communicator);
        SAME(messages[i].tag);
        SAME(messages[i].kind);
    }
    SAME(communicator_count);
    for (size_t i = 0; i < left->communicator_count; i++) {
        SAME(communicators[i].rank);
        SAME(communicators[i].id);
        SAME(communicators[i].parent);
        SAME(communicators[i].size);
        SAME(communicators[i].rank_in);
        SAME(communicators[i].serial);
        SAME(communicators[i].members);
        SAME_TEXT(communicators[i].name);
    }
    SAME(misuse_count);
    for (size_t i = 0; i < left->misuse_count; i++) {
        SAME(misuse[i].rank);
        SAME(misuse[i].implied);
        SAME(misuse[i].crossed);
        SAME(misuse[i].orphans);
        if (!same_text(left->regions[left->misuse[i].region].name,
                       right->regions[right->misuse[i].region].name))
            DIFFER("misuse %zu: another region", i);
    }
    SAME(sum_count);
    for (size_t i = 0; i < left->sum_count; i++) {
        SAME(sums[i].rank);
        SAME(sums[i].lane);
        SAME(sums[i].count);
        SAME(sums[i].total_ns);
        SAME(sums[i].minimum_ns);
        SAME(sums[i].maximum_ns);
        SAME(sums[i].exclusive_ns);
        SAME(sums[i].await_ns);
        SAME(sums[i].first_ns);
        SAME(sums[i].last_ns);
        SAME(sums[i].bytes);
        if (memcmp(left->sums[i].histogram, right->sums[i].histogram,
                   sizeof left->sums[i].histogram))
            DIFFER("sum %zu: histogram", i);
    }
    SAME(rank_row_count);
    for (size_t i = 0; i < left->rank_row_count; i++) {
        SAME(ranks[i].rank);
        SAME(ranks[i].end_kind);
        SAME(ranks[i].end_value);
        SAME(ranks[i].pid);
        SAME(ranks[i].start_ns);
        SAME(ranks[i].end_ns);
        SAME(ranks[i].realtime_ns);
        SAME(ranks[i].offset_ns);
        SAME(ranks[i].at_ns);
        SAME(ranks[i].bound_ns);
        SAME(ranks[i].drift);
        SAME(ranks[i].last_event_ns);
        SAME(ranks[i].dropped);
        SAME(ranks[i].overhead_pair_ns);
        SAME(ranks[i].overhead_inside_ns);
        SAME(ranks[i].overhead_long_pair_ns);
        SAME(ranks[i].overhead_long_inside_ns);
        SAME_TEXT(ranks[i].host);
        SAME_TEXT(ranks[i].program);
    }
    return NULL;
}

static const char *metadata_difference(const scope_calls *left, const scope_calls *right)
{
    for (size_t i = 0; i < left->metadata_count; i++) {
        const scope_metadata_row *row = &left->metadata[i];
        const scope_metadata_row *other = scope_calls_metadata(right, row->key.bytes);
        if (!other || other->kind != row->kind || other->integer != row->integer ||
            !same_text(other->text, row->text))
            DIFFER("metadata %s", row->key.bytes);
    }
    return NULL;
}

const char *table_difference(const scope_calls *left, const scope_calls *right)
{
    SAME(rank_count);
    SAME(start_time_ns);
    SAME(end_time_ns);
    SAME(count);
    SAME(region_count);
    SAME_COLUMN(start_ns);
    SAME_COLUMN(duration_ns);
    SAME(is_aggregate);
    SAME_COLUMN(call_ids);
    SAME_COLUMN(parent_ids);
    SAME_COLUMN(thread_ids);
    SAME_COLUMN(task_ids);
    SAME_COLUMN(await_ns);
    SAME_COLUMN(gpu_ns);
    SAME_COLUMN(flags);
    SAME_COLUMN(mpi_bytes);
    SAME_COLUMN(mpi_peers);
    SAME_COLUMN(mpi_comms);
    SAME_COLUMN(mpi_tags);
    SAME_COLUMN(mpi_kinds);
    SAME_TEXT(topology);
    const char *found = pairs_difference(left, right);
    found = found ? found : lanes_difference(left, right);
    found = found ? found : points_difference(left, right);
    found = found ? found : rows_difference(left, right);
    return found ? found : metadata_difference(left, right);
}
