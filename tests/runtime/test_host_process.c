/* test_host_process.c - the process session and its host: who ends and who writes it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hosted.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session_end.h"

static void a_running_session_is_adopted_and_given_back(void)
{
    int adopted = -1;
    recorded_start(NULL);
    scope_region_begin(1);
    const uint32_t generation = scope_host_generation(scope_host_process());
    CU_ASSERT_EQUAL(scope_host_start(&hosted_in_memory, &adopted), SCOPE_OK);
    CU_ASSERT_EQUAL(adopted, 1);
    CU_ASSERT_EQUAL(scope_host_generation(scope_host_process()), generation);
    CU_ASSERT_EQUAL(scope_finalize(), SCOPE_OK); /* does nothing */
    scope_region_end(1);
    read_events events = hosted_events(scope_host_process());
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 1);
    free(events.items);
    CU_ASSERT_EQUAL(scope_process_session.definition->host, 1 + SCOPE_HOST_TASKS);
    scope_host_close(scope_host_process());
    CU_ASSERT_EQUAL(scope_process_session.definition->host, 0);
    CU_ASSERT_EQUAL(scope_host_generation(scope_host_process()), generation);
    CU_ASSERT_TRUE(scope_runtime_has_events());
    recorded_end(NULL);
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void what_a_host_started_is_ended_by_nobody_else(void)
{
    hosted_start();
    scope_region_begin(1);
    CU_ASSERT_EQUAL(scope_init(NULL), SCOPE_OK); /* changes nothing */
    CU_ASSERT_FALSE(scope_runtime_has_events());
    CU_ASSERT_EQUAL(scope_finalize(), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_runtime_stop(), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_runtime_write(NULL), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_flush(), SCOPE_OK);
    scope_region_end(1);
    read_events events = hosted_events(scope_host_process());
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 1);
    free(events.items);
    const uint32_t generation = scope_host_generation(scope_host_process());
    hosted_start(); /* closes the earlier one */
    CU_ASSERT_NOT_EQUAL(scope_host_generation(scope_host_process()), generation);
    events = hosted_events(scope_host_process());
    CU_ASSERT_EQUAL(events.count, 0);
    scope_host_close(scope_host_process());
}

/* The host has written everything of this thread. */
static void checkpoint_all(void)
{
    const scope_stream *stream = scope_this_thread.slot.stream;
    const scope_define_cut_stream all = {
        .stream = stream->id,
        .sequence = stream->chunk->sequence,
        .word = (scope_this_thread.slot.next - (uintptr_t)(stream->chunk + 1)) / 8};
    CU_ASSERT_EQUAL(scope_host_checkpoint(scope_host_process(), &all, 1, 0, "/o"), SCOPE_OK);
}

/* Adopt a session with a file and let its starter end it, after `checkpoint` or not, with
 * calls of after that or not. Returns whether that tried to write. */
static bool is_written_by_its_starter(bool checkpoint, bool close, int more)
{
    char output[64];
    int adopted;
    snprintf(output, sizeof output, "/tmp/test_host-%d.h5", (int)getpid());
    scope_options options = SCOPE_OPTIONS_INIT;
    options.output = output;
    CU_ASSERT_EQUAL(scope_init(&options), SCOPE_OK);
    scope_region_begin(1);
    scope_region_end(1);
    CU_ASSERT_EQUAL(scope_host_start(&hosted_in_memory, &adopted), SCOPE_OK);
    if (checkpoint)
        checkpoint_all();
    CU_ASSERT_EQUAL(scope_runtime_has_events(), !checkpoint);
    if (close)
        scope_host_close(scope_host_process());
    hosted_record(scope_host_process(), 1, more);
    if (more == -1) { /* another host has it, and writes nothing */
        CU_ASSERT_EQUAL(scope_host_start(&hosted_in_memory, &adopted), SCOPE_OK);
        CU_ASSERT_EQUAL(adopted, 1);
        scope_host_close(scope_host_process());
    }
    CU_ASSERT_EQUAL(scope_runtime_has_events(), !checkpoint || (close && more > 0));
    char spool[sizeof scope_store.path]; /* kept when no file could be written */
    memcpy(spool, scope_store.path, sizeof spool);
    const scope_status status = close ? scope_finalize() : scope_runtime_write(NULL);
    const bool tried = status != SCOPE_OK || access(output, F_OK) == 0;
    unlink(output);
    unlink(spool);
    scope_host_close(scope_host_process());
    if (scope_store.is_open)
        scope_finalize();
    unlink(output);
    CU_ASSERT_FALSE(scope_store.is_open);
    return tried;
}

static void an_adopted_session_is_written_by_one_of_both(void)
{
    CU_ASSERT_TRUE(is_written_by_its_starter(false, true, 0));
    CU_ASSERT_TRUE(is_written_by_its_starter(false, false, 0));
    CU_ASSERT_FALSE(is_written_by_its_starter(true, true, 0));
    CU_ASSERT_FALSE(is_written_by_its_starter(true, false, 0));
    CU_ASSERT_FALSE(is_written_by_its_starter(true, false, 1));
}

static void what_comes_after_a_session_was_given_back_is_its_starter_s(void)
{
    CU_ASSERT_TRUE(is_written_by_its_starter(true, true, 1));
    CU_ASSERT_TRUE(is_written_by_its_starter(true, true, 100000));
    CU_ASSERT_FALSE(is_written_by_its_starter(true, true, -1));
}

/* A session that is switched off has its place back. */
static void a_session_that_is_switched_off_keeps_no_place(void)
{
    scope_session *session;
    setenv("SCOPE_ENABLE", "0", 1);
    for (int i = 0; i < 5000; i++) {
        CU_ASSERT_EQUAL_FATAL(scope_host_create(&hosted_in_memory, &session), SCOPE_OK);
        hosted_record(session, 1, 1);
        CU_ASSERT_EQUAL(scope_host_generation(session), 0);
        scope_host_close(session);
        scope_host_close(session); /* nothing to do */
    }
    unsetenv("SCOPE_ENABLE");
    session = hosted_create();
    hosted_record(session, 1, 1);
    CU_ASSERT_NOT_EQUAL(scope_host_generation(session), 0);
    scope_host_close(session);
}

/* The spool of a host's session after its process ended. */
static bool is_spool_left(bool killed)
{
    int ends[2], adopted;
    char path[sizeof scope_store.path] = "";
    const scope_host_options filed = {.size_bytes = sizeof filed, .output = "/tmp/no 100%h.h5"};
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    const pid_t child = fork();
    if (!child) {
        scope_host_start(&filed, &adopted);
        scope_region_begin(1);
        const bool good = strcmp(scope_store.header->output, "/tmp/no 100%%h.h5") == 0;
        if (write(ends[1], scope_store.path, sizeof path) < 0 || !good)
            _exit(1);
        if (killed)
            raise(SIGKILL);
        scope_end_process();
        _exit(access("/tmp/no 100%h.h5", F_OK) == 0);
    }
    CU_ASSERT_EQUAL(read(ends[0], path, sizeof path), sizeof path);
    CU_ASSERT_EQUAL(recorded_exit_code(child), killed ? 255 : 0);
    close(ends[0]);
    close(ends[1]);
    CU_ASSERT_EQUAL(path[0], '/');
    return unlink(path) == 0;
}

static void only_a_killed_process_leaves_its_host_s_spool(void)
{
    CU_ASSERT_FALSE(is_spool_left(false));
    CU_ASSERT_TRUE(is_spool_left(true));
}

static void a_recording_in_memory_gets_a_file_when_one_is_wanted(void)
{
    const scope_host_options filed = {.size_bytes = sizeof filed, .output = "/tmp/no.h5"};
    int adopted;
    scope_session *session = hosted_create();
    const scope_region before = hosted_region("before the file");
    scope_session_begin(session, before);
    CU_ASSERT_EQUAL(scope_store.path[0], 0);
    CU_ASSERT_EQUAL(scope_host_start(&filed, &adopted), SCOPE_OK);
    scope_region_begin(before);
    scope_region_end(before);
    hosted_record(session, before, 100000);
    scope_session_end(session, before);
    CU_ASSERT_EQUAL_FATAL(scope_store.path[0], '/');
    for (int i = 0; i < 2; i++) {
        read_events events = hosted_events(i ? session : scope_host_process());
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, before), i ? 100001 : 1);
        CU_ASSERT_EQUAL(events.missing, 0);
        free(events.items);
    }
    /* What a stranger finds in the file. */
    const size_t length = scope_store.file_bytes;
    unsigned char *bytes = malloc(length);
    FILE *file = fopen(scope_store.path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fread(bytes, 1, length, file), length);
    fclose(file);
    const scope_recording_segment segment = {
        bytes + SCOPE_HEADER_BYTES,
        ((const scope_segment_header *)(bytes + SCOPE_HEADER_BYTES))->length_bytes};
    const scope_recording view = {(const scope_recording_header *)bytes, &segment, 1, 0};
    CU_ASSERT_EQUAL(view.header->magic, SCOPE_RECORDING_MAGIC);
    read_events events = read_all_events(&view, scope_process_session.number);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, before), 1);
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_SESSION), 2);
    CU_ASSERT_TRUE(count_definitions(&view, SCOPE_DEFINE_NAME) > (size_t)before);
    free(events.items);
    free(bytes);
    scope_host_close(session);
    scope_host_close(scope_host_process());
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void a_process_that_has_ended_gives_no_session(void)
{
    const pid_t child = fork();
    if (!child) {
        scope_session *session = NULL;
        scope_end_process();
        _exit(scope_session_create(NULL, &session) != SCOPE_ERR_STATE || session);
    }
    CU_ASSERT_EQUAL(recorded_exit_code(child), 0);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(a_running_session_is_adopted_and_given_back),
        UNIT(what_a_host_started_is_ended_by_nobody_else),
        UNIT(an_adopted_session_is_written_by_one_of_both),
        UNIT(what_comes_after_a_session_was_given_back_is_its_starter_s),
        UNIT(a_session_that_is_switched_off_keeps_no_place),
        UNIT(only_a_killed_process_leaves_its_host_s_spool),
        UNIT(a_recording_in_memory_gets_a_file_when_one_is_wanted),
        UNIT(a_process_that_has_ended_gives_no_session),
        {0},
    };
    return unit_run("host_process", tests);
}
