/* fuzz.c - see fuzz.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scope/communication.h>
#include <scope/results.h>
#include <scope/waits.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__has_feature)
/* HDF5 takes and gives back half a megabyte for each file: kept from use for long, that is a
 * page fault every time. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "exitcode=99:allocator_may_return_null=1:quarantine_size_mb=4";
}
#endif

_Noreturn void fuzz_fail(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, what);
    abort();
}

static char folder[96], input[128];

static void remove_folder(void)
{
    unlink(input);
    rmdir(folder);
}

const char *fuzz_folder(void)
{
    const char *base = getenv("TMPDIR");
    if (*folder)
        return folder;
    if (!base || !*base || strlen(base) > 64)
        base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/scope-fuzz-XXXXXX", base);
    if (!mkdtemp(folder))
        abort();
    snprintf(input, sizeof input, "%s/input", folder);
    atexit(remove_folder);
    return folder;
}

/* Not a memfd: HDF5 wants a name that realpath() knows. */
const char *fuzz_path(const uint8_t *bytes, size_t length)
{
    static int fd = -1;
    fuzz_folder();
    if (fd < 0)
        fd = open(input, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, 0) != 0 || ftruncate(fd, (off_t)length) != 0)
        abort();
    for (size_t at = 0; at < length; at += 4096) { /* zeros stay holes */
        static const uint8_t zeros[4096];
        const size_t part = length - at < 4096 ? length - at : 4096;
        if (memcmp(bytes + at, zeros, part) != 0 &&
            pwrite(fd, bytes + at, part, (off_t)at) != (ssize_t)part)
            abort();
    }
    return input;
}

/* ---- a table ---- */

/* AddressSanitizer checks a copy as a whole. */
static void see(const void *bytes, uint64_t length)
{
    static unsigned char seen[4096];
    for (uint64_t at = 0; at < length; at += sizeof seen)
        memcpy(seen, (const char *)bytes + at,
               length - at < sizeof seen ? length - at : sizeof seen);
}

static void see_text(scope_string text)
{
    FUZZ_CHECK(text.bytes);
    see(text.bytes, text.length_bytes);
    FUZZ_CHECK(text.bytes[text.length_bytes] == '\0');
}

static void see_rank(int32_t *rank, void *context)
{
    const scope_calls *calls = context;
    FUZZ_CHECK(*rank >= 0 && *rank < calls->rank_count);
}

static void see_column(const void *column, uint64_t count, size_t cell)
{
    if (column)
        see(column, count * cell);
}

static void look_at_columns(const scope_calls *calls)
{
    see_column(calls->start_ns, calls->count, 8);
    see_column(calls->duration_ns, calls->count, 8);
    see_column(calls->call_ids, calls->count, 8);
    see_column(calls->parent_ids, calls->count, 8);
    see_column(calls->thread_ids, calls->count, 8);
    see_column(calls->task_ids, calls->count, 8);
    see_column(calls->await_ns, calls->count, 8);
    see_column(calls->flags, calls->count, 1);
    see_column(calls->mpi_bytes, calls->count, 8);
    see_column(calls->mpi_peers, calls->count, 4);
    see_column(calls->mpi_tags, calls->count, 4);
    see_column(calls->mpi_kinds, calls->count, 1);
    see_column(calls->gpu_ns, calls->count, 8);
    for (uint64_t i = 0; calls->mpi_comms && i < calls->count; i++)
        FUZZ_CHECK(calls->mpi_comms[i] < 0 ||
                   (size_t)calls->mpi_comms[i] < calls->communicator_count);
    for (size_t i = 0; i < calls->message_count; i++)
        FUZZ_CHECK(calls->messages[i].row < calls->count &&
                   (!i || calls->messages[i - 1].row <= calls->messages[i].row));
}

static void look_at_pairs(const scope_calls *calls)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        FUZZ_CHECK(pair->region < calls->region_count);
        FUZZ_CHECK(calls->is_aggregate || pair->first == rows);
        rows += scope_calls_pair_rows(calls, pair);
        FUZZ_CHECK(rows <= calls->count);
        see_text(pair->source_file);
        see_text(pair->tags);
        if (calls->event_metadata)
            see_text(calls->event_metadata[i]);
        if (calls->source_texts)
            see_text(calls->source_texts[i]);
    }
    FUZZ_CHECK(rows == calls->count);
}

static void look_at_rows(const scope_calls *calls)
{
    for (size_t i = 0; i < calls->region_count; i++)
        see_text(calls->regions[i].name);
    for (size_t i = 0; i < calls->thread_count; i++) {
        see_text(calls->threads[i].name);
        see_text(calls->threads[i].binding);
    }
    for (size_t i = 0; i < calls->task_count; i++) {
        see_text(calls->tasks[i].kind);
        see_text(calls->tasks[i].name);
        see_text(calls->tasks[i].coro_name);
    }
    for (size_t i = 0; i < calls->mark_count; i++)
        see_text(calls->marks[i].name);
    for (size_t i = 0; i < calls->counter_count; i++)
        see_text(calls->counters[i].name);
    for (size_t i = 0; i < calls->communicator_count; i++)
        see_text(calls->communicators[i].name);
    for (size_t i = 0; i < calls->misuse_count; i++)
        FUZZ_CHECK(calls->misuse[i].region < calls->region_count);
    for (size_t i = 0; i < calls->sum_count; i++)
        FUZZ_CHECK(calls->sums[i].region < calls->region_count);
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        see_text(calls->ranks[i].host);
        see_text(calls->ranks[i].program);
    }
    for (size_t i = 0; i < calls->metadata_count; i++) {
        see_text(calls->metadata[i].key);
        if (calls->metadata[i].kind != SCOPE_VALUE_INTEGER)
            see_text(calls->metadata[i].text);
    }
    see_text(calls->topology);
}

/* Sums of what there is: each message is in `functions` once. */
static void look_at_messages(const scope_calls *calls)
{
    scope_communication moved;
    scope_waits waits;
    if (scope_communication_list(calls, &moved) == SCOPE_OK) {
        for (size_t i = 0; i < moved.function_count; i++)
            FUZZ_CHECK(moved.functions[i].region < calls->region_count &&
                       moved.functions[i].call_count <= moved.functions[i].message_count);
        see(moved.peers, moved.peer_count * sizeof *moved.peers);
        see(moved.untold, moved.untold_count * sizeof *moved.untold);
        scope_communication_free(&moved);
    }
    if (scope_waits_find(calls, &waits) == SCOPE_OK) {
        for (size_t i = 0; i < waits.count; i++)
            FUZZ_CHECK(waits.rows[i].row < calls->count && waits.rows[i].late_row < calls->count &&
                       waits.rows[i].ns > 0);
        see(waits.calls, waits.call_count * sizeof *waits.calls);
        see(waits.regions, waits.region_count * sizeof *waits.regions);
        see(waits.causes, waits.cause_count * sizeof *waits.causes);
        see(waits.ranks, waits.rank_count * sizeof *waits.ranks);
        scope_waits_free(&waits);
    }
}

static void shift_rank(int32_t *rank, void *by)
{
    *rank += *(const int32_t *)by;
}

void fuzz_use_table(scope_calls *calls)
{
    FUZZ_CHECK(calls->rank_count >= 0 && calls->rank_count <= SCOPE_RANKS_MAX);
    look_at_columns(calls);
    look_at_pairs(calls);
    look_at_rows(calls);
    scope_calls_each_rank(calls, see_rank, calls);
    look_at_messages(calls);
    scope_calls *sums = NULL, *merged = NULL;
    for (int per_lane = 0; per_lane < 2; per_lane++)
        if (scope_calls_aggregate(calls, per_lane, &sums) == SCOPE_OK) {
            look_at_rows(sums);
            scope_calls_free(sums);
        }
    if (!calls->is_aggregate && calls->count)
        scope_calls_nest(calls, 0, NULL);
    if (calls->rank_count == 1 && !calls->is_aggregate) { /* one rank has one clock */
        scope_calls_map_clock(calls, 1000, 1e-6, calls->start_time_ns);
        look_at_columns(calls);
    }
    scope_calls *parts[] = {calls};
    if (scope_calls_merge(parts, 1, &merged) == SCOPE_OK) {
        int32_t by = calls->rank_count;
        if (by < SCOPE_RANKS_MAX / 2) {
            scope_calls *two[] = {calls, merged};
            scope_calls *both = NULL;
            scope_calls_each_rank(merged, shift_rank, &by);
            merged->rank_count += by;
            if (scope_calls_merge(two, 2, &both) == SCOPE_OK) {
                look_at_columns(both);
                look_at_pairs(both);
                look_at_rows(both);
                look_at_messages(both);
                scope_calls_free(both);
            }
        }
        scope_calls_free(merged);
    }
}
