/* test_sink.c - the plug-in's one function: recordings of ranks become one file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>
#include <scope/sink.h>

#include <CUnit/Basic.h>

#include "folder.h"
#include "recording_writer.h"
#include "tables.h"
#include "world_pipes.h"

SCOPE_API scope_sink_write_fn scope_sink_write; /* of sink.c */

#define START_NS INT64_C(5000000000000)
#define DAY_NS INT64_C(86400000000000)

typedef struct job {
    int without;      /* the rank that has no recording */
    const char *mode; /* of the output */
    const char *path;
} job;

/* Three calls from one second after the start on. */
static recording_writer *recorded(void)
{
    recording_writer *writer = recording_writer_new();
    writer_header(writer)->rank = 0;
    writer_name(writer, SCOPE_NAME_REGION, 1, "solve");
    writer_session(writer, 1, true, START_NS, START_NS, "");
    writer_thread(writer, 0, "main", START_NS, SCOPE_THREAD_MAIN);
    writer_stream(writer, 0);
    writer_chunk(writer, START_NS, START_NS);
    for (uint64_t i = 1; i <= 3; i++) {
        writer_event(writer, START_NS + i * 1000000, SCOPE_EVENT_BEGIN, 1);
        writer_event(writer, START_NS + i * 1000000 + 500, SCOPE_EVENT_END, 1);
    }
    writer_session_end(writer, 1, START_NS + 9000000, START_NS + 9000000);
    return writer;
}

static int write_rank(scope_world *world, void *context)
{
    const job *job = context;
    scope_sink_report report;
    recording_writer *writer = world->rank == job->without ? NULL : recorded();
    if (world->rank == 1) { /* a node that was booted three days later */
        world->clock_offset_ns = 3 * DAY_NS;
        world->clock_bound_ns = 1000;
    }
    const scope_sink_request request = {
        .size_bytes = sizeof request,
        .recording = writer ? writer_finish(writer) : NULL,
        .session = 1,
        .world = world,
        .output = job->path,
        .output_mode = job->mode,
        .compression = "none",
    };
    const scope_status status = scope_sink_write(&request, &report);
    if (status != SCOPE_OK && !report.message[0])
        return 100;
    recording_writer_free(writer);
    return -(int)status;
}

static const scope_calls *written(job *job, int ranks, scope_file **file)
{
    CU_ASSERT_EQUAL_FATAL(world_pipes_run(ranks, write_rank, job, NULL), 0);
    const scope_status status = scope_file_open(job->path, file);
    if (status != SCOPE_OK)
        printf("\n%s\n", scope_file_message());
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    return scope_file_calls(*file);
}

static void a_rank_without_a_recording_has_no_part_in_the_times(void)
{
    job job = {.without = 1, .mode = "auto", .path = folder_path("w.h5")};
    scope_file *file;
    const scope_calls *calls = written(&job, 2, &file);
    CU_ASSERT_EQUAL(calls->count, 3);
    CU_ASSERT_EQUAL(calls->start_time_ns, START_NS);
    CU_ASSERT(calls->end_time_ns >= START_NS && calls->end_time_ns < START_NS + 10000000);
    CU_ASSERT_EQUAL_FATAL(calls->rank_row_count, 2);
    CU_ASSERT_EQUAL(calls->ranks[1].end_kind, SCOPE_END_NO_RECORDING);
    CU_ASSERT_EQUAL(calls->ranks[1].offset_ns, 3 * DAY_NS);
    CU_ASSERT_EQUAL(calls->ranks[1].bound_ns, 1000);
    scope_file_close(file);
    unlink(job.path);
}

static void the_first_rank_may_be_the_one_without(void)
{
    job job = {.without = 0, .mode = "direct", .path = folder_path("f.h5")};
    scope_file *file;
    const scope_calls *calls = written(&job, 2, &file);
    CU_ASSERT_EQUAL(calls->count, 3);
    CU_ASSERT_EQUAL(calls->start_time_ns, START_NS + 3 * DAY_NS); /* rank 1's, mapped */
    CU_ASSERT_EQUAL(calls->start_ns[0], START_NS + 3 * DAY_NS + 1000000);
    CU_ASSERT_EQUAL_FATAL(calls->rank_row_count, 2);
    CU_ASSERT_EQUAL(calls->ranks[0].end_kind, SCOPE_END_NO_RECORDING);
    scope_file_close(file);
    unlink(job.path);
}

static void nobody_recorded_is_an_empty_file(void)
{
    job job = {.without = 0, .mode = NULL, .path = folder_path("e.h5")};
    scope_file *file;
    const scope_calls *calls = written(&job, 1, &file);
    CU_ASSERT_EQUAL(calls->count, 0);
    scope_file_close(file);
    unlink(job.path);
}

static void an_unknown_output_mode_is_an_error_on_every_rank(void)
{
    job job = {.without = 1, .mode = "gathered", .path = folder_path("m.h5")};
    int codes[2];
    CU_ASSERT_EQUAL(world_pipes_run(2, write_rank, &job, codes), 2);
    CU_ASSERT_EQUAL(codes[0], -(int)SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(codes[1], -(int)SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(folder_count(), 0);
}

static const char *metadata(const scope_calls *calls, const char *key)
{
    const scope_metadata_row *row = scope_calls_metadata(calls, key);
    return row && row->kind == SCOPE_VALUE_TEXT ? row->text.bytes : "(none)";
}

static void the_file_says_which_mode_it_was_and_why(void)
{
    static const struct {
        const char *asked, *mode, *reason;
    } cases[] = {
        {NULL, "direct", "auto: one file, without another library or other files"},
        {"auto", "direct", "auto: one file, without another library or other files"},
        {"direct", "direct", "asked for"},
        {"parallel", "direct", "parallel was asked for, but there is no MPI to write with"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        job job = {.without = 1, .mode = cases[i].asked, .path = folder_path("r.h5")};
        scope_file *file;
        const scope_calls *calls = written(&job, 2, &file);
        CU_ASSERT_STRING_EQUAL(metadata(calls, "output_mode"), cases[i].mode);
        CU_ASSERT_STRING_EQUAL(metadata(calls, "output_mode_reason"), cases[i].reason);
        scope_file_close(file);
        unlink(job.path);
    }
}

static void one_process_needs_no_files_of_ranks(void)
{
    job job = {.without = -1, .mode = "per_rank", .path = folder_path("s.h5")};
    scope_file *file;
    const scope_calls *calls = written(&job, 1, &file);
    CU_ASSERT_STRING_EQUAL(metadata(calls, "output_mode"), "direct");
    CU_ASSERT_STRING_EQUAL(metadata(calls, "output_mode_reason"),
                           "per_rank was asked for, but one process writes");
    scope_file_close(file);
    unlink(job.path);
    CU_ASSERT_EQUAL(folder_count(), 0);
}

static void a_caller_of_an_older_version_is_refused(void)
{
    scope_world world = *scope_world_serial();
    scope_sink_report report;
    scope_sink_request request = {sizeof request - 8,  NULL,   1,      &world,
                                  folder_path("o.h5"), "auto", "none", 0};
    CU_ASSERT_EQUAL(scope_sink_write(&request, &report), SCOPE_ERR_VERSION);
    CU_ASSERT(report.message[0] != '\0');
    request.size_bytes = sizeof request;
    world.size_bytes -= 8;
    CU_ASSERT_EQUAL(scope_sink_write(&request, &report), SCOPE_ERR_VERSION);
    CU_ASSERT_EQUAL(folder_count(), 0);
}

/* ---- tables that a host makes itself ---- */

SCOPE_API scope_sink_write_calls_fn scope_sink_write_calls;

typedef struct host_job {
    const char *path;
    int without;   /* the rank that has no table */
    int first_id;  /* of its calls */
    int aggregate; /* 2: on rank 0 alone */
    double drift;
} host_job;

static int write_host(scope_world *world, void *context)
{
    const host_job *job = context;
    scope_sink_report report;
    const scope_file_options options = {
        .compression = "gzip", .compression_level = 9, .no_sync = 1, .chunk_size = 16};
    scope_calls *calls = world->rank == job->without ? NULL : table_make(0, 1, 3, 20, TABLE_ALL);
    if (world->rank == 1) {
        world->clock_offset_ns = DAY_NS;
        world->clock_drift = job->drift;
        world->clock_at_ns = TABLE_START_NS;
    }
    if (calls) {
        scope_calls_nest(calls, job->first_id, NULL);
        scope_calls_set_text(calls, "python_version", "3.11.7", -1);
        calls->rank_row_count = 0; /* a host need not have one */
    }
    if (calls && (job->aggregate == 1 || (job->aggregate == 2 && world->rank == 0))) {
        scope_calls *sums = NULL;
        if (scope_calls_aggregate(calls, 1, &sums) != SCOPE_OK)
            return 101;
        scope_calls_free(calls);
        calls = sums;
    }
    const scope_status status = scope_sink_write_calls(calls, world, job->path, &options, &report);
    if (status == SCOPE_OK && world->rank == 0 && !job->aggregate &&
        report.calls != 60 * (world->size - (job->without >= 0)))
        return 102;
    scope_calls_free(calls);
    return status == SCOPE_OK || report.message[0] ? -(int)status : 100;
}

static const scope_calls *hosts_file(host_job *job, int ranks, scope_file **file)
{
    CU_ASSERT_EQUAL_FATAL(world_pipes_run(ranks, write_host, job, NULL), 0);
    const scope_status status = scope_file_open(job->path, file);
    if (status != SCOPE_OK)
        printf("\n%s\n", scope_file_message());
    CU_ASSERT_EQUAL_FATAL(status, SCOPE_OK);
    return scope_file_calls(*file);
}

static void a_hosts_table_is_written_with_the_clock_and_the_rank_of_the_world(void)
{
    host_job job = {.path = folder_path("h.h5"), .without = -1, .first_id = 7};
    scope_file *file;
    const scope_calls *calls = hosts_file(&job, 2, &file);
    CU_ASSERT_EQUAL(calls->count, 120);
    CU_ASSERT_EQUAL_FATAL(calls->pair_count, 6);
    CU_ASSERT_EQUAL(calls->pairs[3].rank, 1);
    CU_ASSERT_EQUAL(calls->start_ns[60], calls->start_ns[0] + DAY_NS);
    CU_ASSERT_EQUAL(calls->threads[3].rank, 1);
    CU_ASSERT_EQUAL(calls->threads[3].start_ns, calls->threads[0].start_ns + DAY_NS);
    CU_ASSERT_EQUAL(calls->call_ids[60], 7);
    CU_ASSERT_EQUAL_FATAL(calls->rank_row_count, 2);
    CU_ASSERT_EQUAL(calls->ranks[1].offset_ns, DAY_NS);
    CU_ASSERT_EQUAL(calls->ranks[1].end_kind, SCOPE_END_FINISHED);
    CU_ASSERT_PTR_NOT_NULL(calls->event_metadata);
    CU_ASSERT_PTR_NULL(scope_calls_metadata(calls, "hostname")); /* the host said enough */
    scope_file_close(file);
    unlink(job.path);
}

static void a_clock_that_drifts_leaves_a_hosts_ids(void)
{
    host_job job = {.path = folder_path("d.h5"), .without = -1, .first_id = 7, .drift = 1e-6};
    scope_file *file;
    const scope_calls *calls = hosts_file(&job, 2, &file);
    CU_ASSERT_EQUAL(calls->call_ids[60], 7);
    scope_file_close(file);
    unlink(job.path);
}

static void a_host_without_a_table_takes_part_with_zero_rows(void)
{
    host_job job = {.path = folder_path("z.h5"), .without = 0};
    scope_file *file;
    const scope_calls *calls = hosts_file(&job, 2, &file);
    CU_ASSERT_EQUAL(calls->count, 60);
    CU_ASSERT_EQUAL_FATAL(calls->rank_row_count, 2);
    CU_ASSERT_EQUAL(calls->ranks[0].end_kind, SCOPE_END_NO_RECORDING);
    CU_ASSERT_PTR_NOT_NULL(scope_calls_metadata(calls, "hostname")); /* rank 0 said nothing */
    scope_file_close(file);
    unlink(job.path);
}

static void a_hosts_sums_are_written_as_such(void)
{
    host_job job = {.path = folder_path("s.h5"), .without = -1, .aggregate = 1};
    scope_file *file;
    const scope_calls *calls = hosts_file(&job, 3, &file);
    CU_ASSERT(calls->is_aggregate);
    CU_ASSERT_EQUAL(calls->count, 0);
    CU_ASSERT_EQUAL_FATAL(calls->pair_count, 9);
    CU_ASSERT_EQUAL(calls->pairs[8].rank, 2);
    CU_ASSERT_EQUAL(calls->pairs[2].count, 20);
    CU_ASSERT_EQUAL(calls->pairs[8].statistics.total, calls->pairs[2].statistics.total);
    CU_ASSERT(calls->sum_count >= 9);
    scope_file_close(file);
    unlink(job.path);
}

static void sums_and_calls_do_not_mix(void)
{
    host_job job = {.path = folder_path("x.h5"), .without = -1, .aggregate = 2};
    int codes[2];
    CU_ASSERT_EQUAL(world_pipes_run(2, write_host, &job, codes), 2);
    CU_ASSERT_EQUAL(codes[0], -(int)SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(codes[1], -(int)SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(folder_count(), 0);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("sink", folder_make, folder_remove);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(a_rank_without_a_recording_has_no_part_in_the_times);
    TEST(the_first_rank_may_be_the_one_without);
    TEST(nobody_recorded_is_an_empty_file);
    TEST(an_unknown_output_mode_is_an_error_on_every_rank);
    TEST(the_file_says_which_mode_it_was_and_why);
    TEST(one_process_needs_no_files_of_ranks);
    TEST(a_caller_of_an_older_version_is_refused);
    TEST(a_hosts_table_is_written_with_the_clock_and_the_rank_of_the_world);
    TEST(a_clock_that_drifts_leaves_a_hosts_ids);
    TEST(a_host_without_a_table_takes_part_with_zero_rows);
    TEST(a_hosts_sums_are_written_as_such);
    TEST(sums_and_calls_do_not_mix);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
