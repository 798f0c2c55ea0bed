/* test_damage.c - readers trust nobody: cut and damaged spool files.
 *
 * SPDX-License-Identifier: MIT
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <scope/replay.h>

#include "recording_writer.h"

static char path[64];

static void put_file(const unsigned char *bytes, size_t length_bytes)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t done = 0;
    while (fd >= 0 && done < length_bytes) {
        const ssize_t count = write(fd, bytes + done, length_bytes - done);
        if (count <= 0)
            break;
        done += (size_t)count;
    }
    if (fd >= 0)
        close(fd);
    if (done != length_bytes)
        abort();
}

static scope_status replay_file(scope_calls **calls)
{
    scope_spool *spool;
    *calls = NULL;
    scope_status status = scope_spool_open(path, &spool);
    if (status != SCOPE_OK)
        return status;
    status = scope_replay(scope_spool_recording(spool), 0, calls);
    scope_spool_close(spool);
    return status;
}

/* Three streams, a task that hops, every kind of definition and event. `host`: as in
 * scope_define_session; then the middle of each stream is a written cut. */
static unsigned char *make_spool_of(uint32_t host, size_t *length_bytes, int calls_per_stream)
{
    scope_define_cut_stream cut[3];
    recording_writer *writer = recording_writer_new();
    writer_header(writer)->end_kind = SCOPE_END_OPEN;
    if (host)
        writer_host_session(writer, 1, host, 100);
    else
        writer_session(writer, 1, true, 100, 100, "a run");
    for (uint32_t id = 0; id < 20; id++) {
        char name[16];
        snprintf(name, sizeof name, "region %u", id);
        writer_name(writer, SCOPE_NAME_REGION, id, name);
    }
    writer_name(writer, SCOPE_NAME_POINT, 1, "point");
    writer_name(writer, SCOPE_NAME_TASK, 1, "task");
    writer_tag(writer, 3, "mpi");
    writer_source(writer, 3, "a.c", 5);
    writer_communicator(writer, 1, 2, "world");
    writer_metadata(writer, "key", "value");
    for (int64_t thread = 0; thread < 3; thread++) {
        writer_thread(writer, thread, "thread", 100,
                      SCOPE_THREAD_START_EXACT | (host && thread < 2 ? SCOPE_THREAD_HOST : 0));
        writer_thread_state(writer, thread, 50, "0");
    }
    for (uint32_t stream = 0; stream < 3; stream++) {
        writer_stream(writer, stream);
        uint64_t at = 1000 + stream * 7;
        writer_event(writer, at, SCOPE_EVENT_THREAD, stream);
        const uint64_t values[3] = {64, 2, 3};
        for (int i = 0; i < calls_per_stream; i++, at += 100) {
            const uint64_t region = (uint64_t)(i % 19) + 1;
            writer_event(writer, at, SCOPE_EVENT_BEGIN, region);
            if (i % 5 == 0)
                writer_values(writer, at + 10, SCOPE_EVENT_MESSAGE, 1, values, 2);
            if (i % 7 == 0)
                writer_values(writer, at + 20, SCOPE_EVENT_COUNTER, 1, values, 2);
            if (i % 11 == 0) {
                writer_event(writer, at + 30, SCOPE_EVENT_RESUME, 2);
                writer_event(writer, at + 31, SCOPE_EVENT_BEGIN, region);
                writer_event(writer, at + 32, SCOPE_EVENT_END, region);
                writer_event(writer, at + 40, SCOPE_EVENT_SUSPEND, 2);
            }
            writer_event(writer, at + 50, SCOPE_EVENT_END, region);
            if (host && i == calls_per_stream / 2) {
                const uint64_t task[2] = {2, UINT64_C(1) << 28 | 1}, open[3] = {4, 0, 900};
                writer_values(writer, at + 60, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_TASK, task, 2);
                writer_values(writer, at + 60, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_OPEN, open, 3);
                writer_values(writer, at + 60, SCOPE_EVENT_CALL, 3, values, 2);
                writer_event(writer, at + 70, SCOPE_EVENT_END, (region + 5) % 19 + 1);
                writer_event(writer, at + 70, SCOPE_EVENT_BEGIN, (region + 6) % 19 + 1);
                cut[stream] = (scope_define_cut_stream){
                    stream, writer_chunk_header(writer)->sequence, 20};
            }
        }
        if (stream)
            writer_values(writer, at, SCOPE_EVENT_THREAD_END, stream, values, 1);
    }
    if (host) {
        writer_cut(writer, 0, 100, cut, 3);
        writer_checkpoint(writer, 0, "/tmp/part.h5");
    }
    unsigned char *file = writer_file(writer, length_bytes);
    recording_writer_free(writer);
    return file;
}

static unsigned char *make_spool(size_t *length_bytes, int calls_per_stream)
{
    return make_spool_of(0, length_bytes, calls_per_stream);
}

/* Every table that comes out is consistent, whatever went in. */
static void check_table(const scope_calls *calls)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_pair *pair = &calls->pairs[i];
        CU_ASSERT_FATAL(pair->region < calls->region_count);
        CU_ASSERT_EQUAL(pair->first, rows);
        CU_ASSERT_TRUE(pair->count > 0);
        rows += pair->count;
    }
    CU_ASSERT_EQUAL(rows, calls->count);
    for (uint64_t row = 0; row < calls->count; row++) {
        CU_ASSERT_TRUE(calls->duration_ns[row] >= 0);
        CU_ASSERT_TRUE(calls->start_ns[row] >= calls->start_time_ns);
        CU_ASSERT_TRUE(calls->thread_ids[row] < (int64_t)calls->thread_count);
        if (calls->task_ids)
            CU_ASSERT_TRUE(calls->task_ids[row] < (int64_t)calls->task_count);
        if (calls->mpi_comms)
            CU_ASSERT_TRUE(calls->mpi_comms[row] < (int32_t)calls->communicator_count);
    }
    for (size_t i = 0; i < calls->thread_count; i++)
        CU_ASSERT_TRUE(calls->threads[i].end_ns == -1 ||
                       calls->threads[i].end_ns >= calls->threads[i].start_ns);
}

static void a_whole_file_is_whole(void)
{
    size_t length;
    scope_calls *calls;
    unsigned char *file = make_spool(&length, 3000);
    put_file(file, length);
    CU_ASSERT_EQUAL_FATAL(replay_file(&calls), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->count, 3 * (3000 + 273));
    check_table(calls);
    scope_calls_free(calls);
    free(file);
}

/* Calls of the thread lanes that are settled, in order. */
static size_t settled(const scope_calls *calls, int64_t thread, int64_t *starts, size_t capacity)
{
    size_t count = 0;
    for (uint64_t row = 0; row < calls->count; row++)
        if (calls->thread_ids[row] == thread && (!calls->task_ids || calls->task_ids[row] < 0) &&
            !(calls->flags && calls->flags[row]) && count < capacity)
            starts[count++] = calls->start_ns[row];
    return count;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void a_file_cut_at_every_8th_byte_gives_prefixes(void)
{
    size_t length;
    unsigned char *file = make_spool(&length, 400);
    int64_t *starts = calloc(1000, sizeof *starts);
    size_t before[3] = {400, 400, 400};
    put_file(file, length);
    for (size_t cut = length; cut >= 8; cut -= 8) {
        scope_calls *calls;
        CU_ASSERT_EQUAL_FATAL(truncate(path, (off_t)cut), 0);
        const scope_status status = replay_file(&calls);
        if (cut < sizeof(scope_recording_header)) {
            CU_ASSERT_EQUAL(status, SCOPE_ERR_CORRUPT);
            continue;
        }
        CU_ASSERT_TRUE(status == SCOPE_OK || status == SCOPE_ERR_MISSING);
        if (status != SCOPE_OK)
            continue;
        check_table(calls);
        for (int64_t thread = 0; thread < 3; thread++) {
            const size_t count = settled(calls, thread, starts, 1000);
            qsort(starts, count, sizeof *starts, by_value);
            size_t wrong = 0;
            for (size_t i = 0; i < count; i++)
                wrong += starts[i] != (int64_t)(1000 + thread * 7 + i * 100);
            CU_ASSERT_EQUAL(wrong, 0);
            CU_ASSERT_TRUE(count <= before[thread]);
            if (cut == length)
                CU_ASSERT_EQUAL(count, 400);
            before[thread] = count;
        }
        scope_calls_free(calls);
        if (CU_get_number_of_failures() > 10)
            break;
    }
    for (int thread = 0; thread < 3; thread++)
        CU_ASSERT_EQUAL(before[thread], 0);
    free(starts);
    free(file);
}

static void flip_bits(uint32_t host, int rounds)
{
    size_t length;
    unsigned char *file = make_spool_of(host, &length, 200);
    unsigned char *damaged = malloc(length);
    srand(99 + host);
    for (int round = 0; round < rounds; round++) {
        scope_calls *calls;
        memcpy(damaged, file, length);
        const int flips = 1 + rand() % 20;
        for (int i = 0; i < flips; i++) {
            size_t at = (size_t)rand() % length;
            if (rand() % 2) /* where something lies: headers, definitions, first events */
                at = SCOPE_HEADER_BYTES + (size_t)(rand() % 6) * SCOPE_CHUNK_UNIT_BYTES +
                     (size_t)rand() % 2000;
            if (rand() % 10 == 0)
                at = (size_t)rand() % 300;
            if (at < length)
                damaged[at] ^= (unsigned char)(1 << rand() % 8);
        }
        put_file(damaged, length);
        if (replay_file(&calls) == SCOPE_OK) {
            for (size_t i = 0; i < calls->pair_count; i++)
                CU_ASSERT_TRUE(calls->pairs[i].first + calls->pairs[i].count <= calls->count);
            scope_calls_free(calls);
        }
    }
    free(damaged);
    free(file);
}

static void flipped_bits_do_no_harm(void)
{
    flip_bits(0, 3000);
    flip_bits(1, 1500); /* one stack */
    flip_bits(3, 1500); /* lanes */
}

/* The chunk of events at the unit `at`; NULL: none. */
static scope_chunk_header *events_at(unsigned char *file, size_t at)
{
    scope_chunk_header *header = (scope_chunk_header *)(void *)(file + at);
    return header->magic == SCOPE_CHUNK_MAGIC && header->kind == SCOPE_CHUNK_EVENTS ? header : NULL;
}

static uint64_t count_calls(const unsigned char *file, size_t length)
{
    scope_calls *calls;
    put_file(file, length);
    CU_ASSERT_EQUAL_FATAL(replay_file(&calls), SCOPE_OK);
    const uint64_t count = calls->count;
    scope_calls_free(calls);
    return count;
}

/* Of each chunk of events in turn `further` is made to reach over those behind it, which are
 * all there, and newer. */
static void a_reach_that_is_damaged_hides_no_chunk(void)
{
    static const uint32_t reaches[] = {1, 2, 0x100, 0x80000000};
    const size_t first = SCOPE_HEADER_BYTES + SCOPE_CHUNK_UNIT_BYTES;
    size_t length;
    unsigned char *file = make_spool_of(0, &length, 6000);
    uint32_t chunks = 0;
    for (size_t at = first; at < length; at += SCOPE_CHUNK_UNIT_BYTES)
        if (events_at(file, at))
            events_at(file, at)->generation = ++chunks;
    CU_ASSERT_TRUE(chunks > 9);
    const uint64_t whole = count_calls(file, length);
    for (size_t at = first; at < length; at += SCOPE_CHUNK_UNIT_BYTES)
        for (size_t i = 0; events_at(file, at) && i < sizeof reaches / sizeof *reaches; i++) {
            events_at(file, at)->further = reaches[i];
            CU_ASSERT_EQUAL(count_calls(file, length), whole);
            events_at(file, at)->further = 0;
        }
    free(file);
}

/* A stream does not go round: nothing follows the greatest place. */
static void a_place_that_is_damaged_ends_the_stream(void)
{
    size_t length;
    unsigned char *file = make_spool_of(0, &length, 6000);
    const uint64_t whole = count_calls(file, length);
    for (size_t at = SCOPE_HEADER_BYTES + SCOPE_CHUNK_UNIT_BYTES; at < length;
         at += SCOPE_CHUNK_UNIT_BYTES) {
        scope_chunk_header *header = events_at(file, at);
        if (!header)
            continue;
        const uint32_t sequence = header->sequence;
        for (uint32_t i = 0; i < 3; i++) {
            header->sequence = UINT32_MAX - i;
            header->further = i;
            CU_ASSERT_TRUE(count_calls(file, length) <= whole + 1); /* one that goes on is two */
        }
        header->sequence = sequence;
        header->further = 0;
    }
    free(file);
}

static void words_of_noise_do_no_harm(void)
{
    size_t length;
    for (uint32_t host = 0; host < 3; host++) {
        unsigned char *file = make_spool_of(host, &length, 3000);
        srand(7);
        for (int round = 0; round < 60; round++) {
            scope_calls *calls;
            unsigned char *damaged = malloc(length);
            memcpy(damaged, file, length);
            for (int i = 0; i < 200; i++) {
                uint64_t word = 0;
                for (int k = 0; k < 8; k++)
                    word = word << 8 | (uint64_t)(rand() & 0xff);
                const size_t at = (size_t)rand() % (length / 8) * 8;
                if (at >= SCOPE_HEADER_BYTES)
                    memcpy(damaged + at, &word, sizeof word);
            }
            put_file(damaged, length);
            if (replay_file(&calls) == SCOPE_OK)
                scope_calls_free(calls);
            free(damaged);
        }
        free(file);
    }
    CU_PASS("still here");
}

static void what_is_no_spool_is_refused(void)
{
    scope_spool *spool;
    CU_ASSERT_EQUAL(scope_spool_open("/no/such/file.spool", &spool), SCOPE_ERR_MISSING);
    CU_ASSERT_EQUAL(scope_spool_open("/", &spool), SCOPE_ERR_CORRUPT);
    CU_ASSERT_EQUAL(scope_spool_open("/dev/zero", &spool), SCOPE_ERR_CORRUPT);
    unsigned char *zeros = calloc(1, 100000);
    put_file(zeros, 100000);
    CU_ASSERT_EQUAL(scope_spool_open(path, &spool), SCOPE_ERR_CORRUPT);
    put_file(zeros, 0);
    CU_ASSERT_EQUAL(scope_spool_open(path, &spool), SCOPE_ERR_CORRUPT);
    free(zeros);
    size_t length;
    unsigned char *file = make_spool(&length, 1);
    ((scope_recording_header *)(void *)file)->version = 2;
    put_file(file, length);
    CU_ASSERT_EQUAL(scope_spool_open(path, &spool), SCOPE_ERR_VERSION);
    free(file);
}

static void a_locked_spool_is_alive(void)
{
    size_t length;
    unsigned char *file = make_spool(&length, 1);
    scope_spool *spool;
    put_file(file, length);
    free(file);
    CU_ASSERT_EQUAL_FATAL(scope_spool_open(path, &spool), SCOPE_OK);
    CU_ASSERT_FALSE(scope_spool_alive(spool));
    int ready[2], finish[2];
    CU_ASSERT_EQUAL_FATAL(pipe(ready) | pipe(finish), 0);
    const pid_t child = fork();
    if (child == 0) { /* holds the lock until it is told to go */
        const int fd = open(path, O_RDWR | O_CLOEXEC);
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        char byte = fcntl(fd, F_SETLK, &lock) == 0 ? 'y' : 'n';
        if (write(ready[1], &byte, 1) == 1)
            (void)!read(finish[0], &byte, 1);
        _exit(0);
    }
    char byte = 0;
    CU_ASSERT_EQUAL(read(ready[0], &byte, 1), 1);
    CU_ASSERT_EQUAL(byte, 'y');
    CU_ASSERT_TRUE(scope_spool_alive(spool));
    CU_ASSERT_EQUAL(write(finish[1], &byte, 1), 1);
    for (int i = 0; i < 300000 && scope_spool_alive(spool); i++)
        usleep(1000);
    CU_ASSERT_FALSE(scope_spool_alive(spool));
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(finish[i]);
    }
    scope_spool_close(spool);
}

int main(void)
{
    snprintf(path, sizeof path, "/tmp/scope-test-damage.%d.spool", (int)getpid());
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("damage", NULL, NULL);
    CU_ADD_TEST(suite, a_whole_file_is_whole);
    CU_ADD_TEST(suite, a_file_cut_at_every_8th_byte_gives_prefixes);
    CU_ADD_TEST(suite, flipped_bits_do_no_harm);
    CU_ADD_TEST(suite, a_reach_that_is_damaged_hides_no_chunk);
    CU_ADD_TEST(suite, a_place_that_is_damaged_ends_the_stream);
    CU_ADD_TEST(suite, words_of_noise_do_no_harm);
    CU_ADD_TEST(suite, what_is_no_spool_is_refused);
    CU_ADD_TEST(suite, a_locked_spool_is_alive);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    unlink(path);
    return failures ? 1 : 0;
}
