/* test_host.c - what a language runtime asks of libscope.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <scope/host.h>

#include "engine.h"
#include "session_end.h"
#include "session_list.h"

static const scope_host_options memory = {
    .size_bytes = sizeof memory, .memory_only = 1, .lanes = SCOPE_HOST_TASKS};

static scope_session *create(void)
{
    scope_session *session = NULL;
    CU_ASSERT_EQUAL(scope_host_create(&memory, &session), SCOPE_OK);
    return session;
}

static void start(void)
{
    int adopted = -1;
    CU_ASSERT_EQUAL(scope_host_start(&memory, &adopted), SCOPE_OK);
    CU_ASSERT_EQUAL(adopted, 0);
}

static read_events events_of(scope_session *session)
{
    scope_recording view;
    uint16_t number;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    return number ? read_all_events(&view, number) : (read_events){0};
}

/* The last entry of a kind that says `id` in its first 64 bits after the fixed words
 * at `offset`; NULL: none. */
static const scope_definition *last_of(scope_session *session, unsigned kind, size_t offset,
                                       int64_t id)
{
    scope_recording view;
    uint16_t number;
    const scope_definition *found = NULL, *at = NULL;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    while ((at = read_definition(&view, kind, at))) {
        int64_t value;
        memcpy(&value, (const char *)at + offset, sizeof value);
        if (at->session == number && value == id)
            found = at;
    }
    return found;
}

static const scope_define_thread *thread_of(scope_session *session, int64_t thread)
{
    return (const scope_define_thread *)last_of(session, SCOPE_DEFINE_THREAD,
                                                offsetof(scope_define_thread, thread), thread);
}

static uint64_t first_start_of(scope_session *session, int64_t thread)
{
    scope_recording view;
    uint16_t number;
    const scope_definition *at = NULL;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    while ((at = read_definition(&view, SCOPE_DEFINE_THREAD, at)))
        if (at->session == number && ((const scope_define_thread *)at)->thread == thread)
            return ((const scope_define_thread *)at)->start_ticks;
    return 0;
}

static const scope_define_thread_state *state_of(scope_session *session, int64_t thread)
{
    return (const scope_define_thread_state *)last_of(
        session, SCOPE_DEFINE_THREAD_STATE, offsetof(scope_define_thread_state, thread), thread);
}

static void record(scope_session *session, scope_region region, int count)
{
    for (int i = 0; i < count; i++) {
        scope_session_begin(session, region);
        scope_session_end(session, region);
    }
}

static scope_region region_of(const char *name)
{
    scope_region region = -1;
    CU_ASSERT_EQUAL(scope_region_register(name, &region), SCOPE_OK);
    return region;
}

static void nothing_recorded_means_an_empty_view(void)
{
    scope_recording view;
    uint16_t number = 7;
    scope_session *session = create();
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    CU_ASSERT_EQUAL(number, 0);
    CU_ASSERT_EQUAL(view.segment_count, 0);
    CU_ASSERT_NOT_EQUAL(scope_host_generation(session), 0);
    CU_ASSERT_FALSE(scope_store.is_open);
    scope_host_close(session);
    CU_ASSERT_EQUAL(scope_host_generation(session), 0);
    scope_host_close(NULL);
}

static void calls_of_any_session_are_read_while_it_goes_on(void)
{
    const scope_region region = region_of("any");
    start();
    scope_session *sessions[2] = {scope_host_process(), create()};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3 + i; k++) {
            scope_session_begin(sessions[i], region);
            scope_session_end(sessions[i], region);
        }
    for (int i = 0; i < 2; i++) {
        read_events events = events_of(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, region), 3 + (size_t)i);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, region), 3 + (size_t)i);
        free(events.items);
        scope_session_begin(sessions[i], region);
        events = events_of(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, region), 4 + (size_t)i);
        free(events.items);
    }
    scope_host_close(sessions[1]);
    scope_host_close(sessions[0]);
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void a_call_with_times_of_its_own_keeps_them(void)
{
    scope_session *session = create();
    CU_ASSERT_EQUAL(scope_host_call(session, 3, 12345678901234567, 89), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_call(session, 3, -1, 89), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(scope_host_call(session, -1, 1, 89), SCOPE_OK);
    read_events events = events_of(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_CALL, -1), 1);
    for (size_t i = 0; i < events.count; i++)
        if (events.items[i].kind == SCOPE_EVENT_CALL) {
            CU_ASSERT_EQUAL(events.items[i].values[0], 12345678901234567);
            CU_ASSERT_EQUAL(events.items[i].values[1], 89);
        }
    free(events.items);
    scope_host_close(session);
    CU_ASSERT_EQUAL(scope_host_call(session, 3, 1, 2), SCOPE_ERR_STATE);
}

static void a_pause_of_one_session_is_not_another_s(void)
{
    scope_session *paused = create(), *other = create();
    scope_session_begin(paused, 1);
    scope_session_begin(other, 1);
    scope_host_pause(paused);
    scope_session_begin(paused, 2); /* falls into the pause */
    scope_session_begin(other, 2);
    scope_session_end(paused, 1); /* closes a call that was recorded open */
    scope_host_resume(paused);
    scope_session_end(paused, 2); /* its begin is not there */
    scope_session_end(other, 2);
    scope_session_begin(paused, 2);
    scope_session_end(paused, 2);
    read_events events = events_of(paused);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 2), 1);
    free(events.items);
    events = events_of(other);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 2), 1);
    free(events.items);
    scope_host_close(paused);
    scope_host_close(other);
}

static void a_begin_that_one_task_skipped_is_not_another_s(void)
{
    scope_session *session = create();
    const scope_task a = scope_host_task_new(session, SCOPE_TASK_KIND_TASK, "a", 1, NULL, 0);
    const scope_task b = scope_host_task_new(session, SCOPE_TASK_KIND_TASK, "b", 1, NULL, 0);
    scope_host_task_resume(session, b);
    scope_session_begin(session, 5);
    scope_host_task_suspend(session, b);
    scope_host_pause(session);
    scope_host_task_resume(session, a);
    scope_session_begin(session, 5); /* skipped, on a */
    scope_host_task_suspend(session, a);
    scope_host_resume(session);
    scope_host_task_resume(session, b);
    scope_session_end(session, 5); /* recorded, on b */
    scope_host_task_suspend(session, b);
    scope_host_task_resume(session, a);
    scope_session_end(session, 5); /* not recorded */
    scope_host_task_suspend(session, a);
    read_events events = events_of(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 5), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 5), 1);
    uint64_t task = UINT64_MAX;
    for (size_t i = 0; i < events.count; i++) {
        if (events.items[i].kind == SCOPE_EVENT_RESUME)
            task = events.items[i].id;
        if (events.items[i].kind == SCOPE_EVENT_END)
            CU_ASSERT_EQUAL(task, (uint64_t)b);
    }
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_RESUME, -1), 4);
    free(events.items);
    scope_host_close(session);
}

static void tasks_are_numbered_per_session(void)
{
    scope_session *one = create(), *two = create();
    CU_ASSERT_EQUAL(scope_host_task_new(one, SCOPE_TASK_KIND_TASK, "a", 1, NULL, 0), 0);
    CU_ASSERT_EQUAL(scope_host_task_new(one, SCOPE_TASK_KIND_TASK, "b", 1, NULL, 0), 1);
    CU_ASSERT_EQUAL(scope_host_task_new(two, SCOPE_TASK_KIND_GREENLET, "c", 1, "code", 4), 0);
    scope_host_task_suspend(one, 0); /* does not run: counted */
    scope_host_task_describe(one, 1, SCOPE_TASK_KIND_TASK, "named", 5, NULL, 0);
    scope_host_task_done(one, 1);
    read_events events = events_of(one);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_NEW, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_SUSPEND, -1), 0);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_DONE, 1), 1);
    free(events.items);
    scope_host_close(one);
    CU_ASSERT_EQUAL(scope_host_task_new(one, SCOPE_TASK_KIND_TASK, "a", 1, NULL, 0), -1);
    scope_host_close(two);
}

/* ---- threads ---- */

typedef struct named {
    scope_session *session;
    int64_t index, again, without;
} named;

static void *be_named(void *argument)
{
    named *thread = argument;
    thread->without = scope_host_thread_index(thread->session);
    scope_host_thread(thread->session, "Thread-1", 8, 4711, 1, 1, &thread->index);
    scope_host_thread(thread->session, "worker", 6, 4711, 1, 1, &thread->again);
    scope_session_begin(thread->session, 1);
    scope_session_end(thread->session, 1);
    scope_host_thread_end();
    return NULL;
}

static void a_thread_has_the_name_that_its_host_said_last(void)
{
    scope_session *sessions[2];
    start();
    sessions[0] = scope_host_process();
    sessions[1] = create();
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        named state = {.session = sessions[i], .index = -1, .again = -1};
        scope_session_begin(sessions[i], 2); /* this thread is number 0 */
        CU_ASSERT_EQUAL(scope_host_thread_index(sessions[i]), 0);
        pthread_create(&thread, NULL, be_named, &state);
        pthread_join(thread, NULL);
        CU_ASSERT_EQUAL(state.without, -1);
        CU_ASSERT_EQUAL(state.index, 1);
        CU_ASSERT_EQUAL(state.again, 1);
        const scope_define_thread *entry = thread_of(sessions[i], 1);
        CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
        CU_ASSERT_EQUAL(entry->name_bytes, 6);
        CU_ASSERT_NSTRING_EQUAL(entry->name, "worker", 6);
        CU_ASSERT_EQUAL(entry->ident, 4711);
        const uint64_t first = first_start_of(sessions[i], 1);
        CU_ASSERT_EQUAL(entry->start_ticks, first); /* a name changes nothing else */
        CU_ASSERT_EQUAL(entry->flags,
                        SCOPE_THREAD_HOST | SCOPE_THREAD_DAEMON | SCOPE_THREAD_START_EXACT);
        read_events events = events_of(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD, 1), 1);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, 1), 1);
        free(events.items);
    }
    scope_host_close(sessions[1]);
    scope_host_close(sessions[0]);
}

static void *end_and_record(void *argument)
{
    scope_session *session = argument;
    int64_t index;
    scope_host_thread(session, "t", 1, 1, 0, 1, &index);
    scope_host_thread_end();
    scope_session_begin(session, 1);
    scope_session_end(session, 1);
    return NULL;
}

static void what_a_thread_records_after_its_end_moves_it(void)
{
    pthread_t thread;
    scope_session *session = create();
    pthread_create(&thread, NULL, end_and_record, session);
    pthread_join(thread, NULL);
    read_events events = events_of(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD, 0), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 1), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, 0), 2);
    CU_ASSERT_EQUAL(events.items[events.count - 1].kind, SCOPE_EVENT_THREAD_END);
    free(events.items);
    scope_host_close(session);
}

static pthread_barrier_t barrier;

static void *wait_without_recording(void *argument)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return argument;
}

static void threads_that_record_nothing_are_no_lanes_of_a_host(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    start();
    pthread_create(&thread, NULL, wait_without_recording, NULL);
    pthread_barrier_wait(&barrier);
    scope_region_begin(1);
    scope_region_end(1);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, wait_without_recording, NULL); /* while it records */
    pthread_barrier_wait(&barrier);
    CU_ASSERT_PTR_NOT_NULL(thread_of(scope_host_process(), 0));
    CU_ASSERT_PTR_NULL(thread_of(scope_host_process(), 1));
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    CU_ASSERT_PTR_NULL(thread_of(scope_host_process(), 1));
    scope_host_close(scope_host_process());
    pthread_barrier_destroy(&barrier);
}

static int64_t burn(int64_t until_ns)
{
    struct timespec now;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while (now.tv_sec * INT64_C(1000000000) + now.tv_nsec < until_ns);
    return until_ns;
}

static void *burn_and_wait(void *argument)
{
    burn(20000000);
    scope_session_begin(argument, 1);
    scope_session_end(argument, 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void cpu_time_counts_from_the_start_of_the_thread(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    scope_session *session = create();
    pthread_create(&thread, NULL, burn_and_wait, session);
    pthread_barrier_wait(&barrier);
    const scope_define_thread_state *state = state_of(session, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(state);
    CU_ASSERT_TRUE(state->cpu_ns >= 20000000);
    CU_ASSERT_EQUAL(state->alive, 1);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    read_events events = events_of(session);
    CU_ASSERT_TRUE(events.items[events.count - 1].values[0] >= 20000000);
    free(events.items);
    scope_host_close(session);
    pthread_barrier_destroy(&barrier);
}

/* ---- definitions ---- */

static void tags_and_places_are_the_session_s_own(void)
{
    scope_session *one = create(), *two = create();
    CU_ASSERT_EQUAL(scope_host_tag(one, 3, "io", 2), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_source(one, 3, "a.py", 4, 17), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_metadata(two, "key", 3, "value", 5), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_host_tag(one, 3, "", 0), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(scope_host_tag(one, -1, "io", 2), SCOPE_OK);
    scope_recording view;
    uint16_t number;
    scope_host_view(one, &view, &number);
    const scope_definition *tag = read_definition(&view, SCOPE_DEFINE_TAG, NULL);
    const scope_definition *source = read_definition(&view, SCOPE_DEFINE_SOURCE, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    CU_ASSERT_EQUAL(tag->session, number);
    CU_ASSERT_EQUAL(source->session, number);
    CU_ASSERT_EQUAL(((const scope_define_source *)source)->line, 17);
    scope_host_close(one);
    CU_ASSERT_EQUAL(scope_host_tag(one, 3, "io", 2), SCOPE_ERR_STATE);
    scope_host_close(two);
}

/* ---- the process session ---- */

static int result_of(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static void a_running_session_is_adopted_and_given_back(void)
{
    int adopted = -1;
    recorded_start(NULL);
    scope_region_begin(1);
    const uint32_t generation = scope_host_generation(scope_host_process());
    CU_ASSERT_EQUAL(scope_host_start(&memory, &adopted), SCOPE_OK);
    CU_ASSERT_EQUAL(adopted, 1);
    CU_ASSERT_EQUAL(scope_host_generation(scope_host_process()), generation);
    CU_ASSERT_EQUAL(scope_finalize(), SCOPE_OK); /* does nothing */
    scope_region_end(1);
    read_events events = events_of(scope_host_process());
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
    start();
    scope_region_begin(1);
    CU_ASSERT_EQUAL(scope_init(NULL), SCOPE_OK); /* changes nothing */
    CU_ASSERT_FALSE(scope_runtime_has_events());
    CU_ASSERT_EQUAL(scope_finalize(), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_runtime_stop(), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_runtime_write(NULL), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_flush(), SCOPE_OK);
    scope_region_end(1);
    read_events events = events_of(scope_host_process());
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 1);
    free(events.items);
    const uint32_t generation = scope_host_generation(scope_host_process());
    start(); /* closes the earlier one */
    CU_ASSERT_NOT_EQUAL(scope_host_generation(scope_host_process()), generation);
    events = events_of(scope_host_process());
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
    CU_ASSERT_EQUAL(scope_host_start(&memory, &adopted), SCOPE_OK);
    if (checkpoint)
        checkpoint_all();
    CU_ASSERT_EQUAL(scope_runtime_has_events(), !checkpoint);
    if (close)
        scope_host_close(scope_host_process());
    record(scope_host_process(), 1, more);
    if (more == -1) { /* another host has it, and writes nothing */
        CU_ASSERT_EQUAL(scope_host_start(&memory, &adopted), SCOPE_OK);
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
        CU_ASSERT_EQUAL_FATAL(scope_host_create(&memory, &session), SCOPE_OK);
        record(session, 1, 1);
        CU_ASSERT_EQUAL(scope_host_generation(session), 0);
        scope_host_close(session);
        scope_host_close(session); /* nothing to do */
    }
    unsetenv("SCOPE_ENABLE");
    session = create();
    record(session, 1, 1);
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
    CU_ASSERT_EQUAL(result_of(child), killed ? 255 : 0);
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
    scope_session *session = create();
    const scope_region before = region_of("before the file");
    scope_session_begin(session, before);
    CU_ASSERT_EQUAL(scope_store.path[0], 0);
    CU_ASSERT_EQUAL(scope_host_start(&filed, &adopted), SCOPE_OK);
    scope_region_begin(before);
    scope_region_end(before);
    record(session, before, 100000);
    scope_session_end(session, before);
    CU_ASSERT_EQUAL_FATAL(scope_store.path[0], '/');
    for (int i = 0; i < 2; i++) {
        read_events events = events_of(i ? session : scope_host_process());
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

/* ---- many sessions ---- */

static void a_thousand_sessions_live_side_by_side(void)
{
    enum { COUNT = 1200 };
    static scope_session *sessions[COUNT];
    for (int i = 0; i < COUNT; i++)
        sessions[i] = create();
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k <= i % 3; k++) {
            scope_session_begin(sessions[i], 1);
            scope_session_end(sessions[i], 1);
        }
    for (int i = 0; i < COUNT; i += 111) {
        read_events events = events_of(sessions[i]);
        CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 1 + (size_t)i % 3);
        free(events.items);
    }
    for (int i = 0; i < COUNT; i++)
        scope_host_close(sessions[i]);
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void *record_in_all(void *argument)
{
    scope_session **sessions = argument;
    for (int i = 0; i < 100; i++) {
        scope_session_begin(sessions[i], 1);
        scope_session_end(sessions[i], 1);
    }
    return NULL;
}

static void a_place_is_used_again_and_again(void)
{
    scope_session *sessions[100];
    for (int round = 0; round < 50; round++) {
        pthread_t threads[2];
        for (int i = 0; i < 100; i++)
            sessions[i] = create();
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, record_in_all, sessions);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        for (int i = 0; i < 100; i += 9) {
            read_events events = events_of(sessions[i]);
            CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 2);
            CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, -1), 2);
            free(events.items);
        }
        for (int i = 99; i >= 0; i--)
            scope_host_close(sessions[i]);
    }
    CU_ASSERT_TRUE(scope_session_last_index() <= 1300);
}

typedef struct shared {
    _Atomic(scope_session *) sessions[8];
    _Atomic int stop;
} shared;

static void *record_anywhere(void *argument)
{
    shared *all = argument;
    for (unsigned i = 0; !atomic_load(&all->stop); i++) {
        scope_session *session = atomic_load(&all->sessions[i % 8]);
        scope_session_begin(session, 1);
        if (i % 64 == 0) {
            int64_t index;
            scope_host_thread(session, "any", 3, i % 3, 0, 0, &index);
            scope_host_task_resume(
                session, scope_host_task_new(session, SCOPE_TASK_KIND_TASK, "t", 1, NULL, 0));
            scope_host_pause(session);
            scope_session_begin(session, 2);
            scope_host_resume(session);
            scope_session_end(session, 2);
        }
        scope_session_end(session, 1);
    }
    scope_host_thread_end();
    return NULL;
}

static void sessions_may_close_under_threads_that_record(void)
{
    shared all = {.stop = 0};
    pthread_t threads[3];
    for (int i = 0; i < 8; i++)
        atomic_store(&all.sessions[i], create());
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, record_anywhere, &all);
    for (int i = 0; i < 2000; i++) {
        scope_session *old = atomic_load(&all.sessions[i % 8]);
        atomic_store(&all.sessions[i % 8], create());
        if (i % 16 == 3)
            scope_host_bound(old);
        scope_host_close(old); /* some of the threads still record there */
        scope_session_begin(old, 1);
    }
    atomic_store(&all.stop, 1);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 8; i++)
        scope_host_close(atomic_load(&all.sessions[i]));
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void numbers_of_sessions_do_not_come_twice_in_a_recording(void)
{
    scope_session *first = create(), *session = NULL;
    scope_status status = SCOPE_OK;
    scope_session_begin(first, 1);
    int count = 1;
    while (count < 70000 && status == SCOPE_OK) {
        status = scope_host_create(&memory, &session);
        if (status != SCOPE_OK)
            break;
        scope_session_begin(session, 1);
        scope_host_close(session);
        count++;
    }
    CU_ASSERT_EQUAL(count, UINT16_MAX);
    CU_ASSERT_EQUAL(status, SCOPE_ERR_STATE);
    scope_session_end(first, 1);
    read_events events = events_of(first);
    CU_ASSERT_EQUAL(events.count, 3);
    free(events.items);
    scope_host_close(first); /* the recording ends, too: numbers start anew */
    session = create();
    scope_session_begin(session, 1);
    scope_host_close(session);
}

/* ---- checkpoints ---- */

/* The place behind the last word of every stream. */
static size_t positions_of(scope_session *session, scope_define_cut_stream *positions)
{
    scope_recording view;
    uint16_t number;
    size_t count, streams = 0;
    CU_ASSERT_EQUAL(scope_host_view(session, &view, &number), SCOPE_OK);
    CU_ASSERT_TRUE(scope_enter());
    scope_engine_lock(); /* this reader copies nothing: no chunk may be used again meanwhile */
    const scope_chunk_header **chunks = read_chunks(&view, SCOPE_CHUNK_EVENTS, number, &count);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && chunks[i + 1]->stream == chunks[i]->stream)
            continue;
        const uint64_t *words = (const uint64_t *)(chunks[i] + 1);
        uint64_t end = 0;
        while (read_word(&words[end]))
            end++;
        positions[streams++] =
            (scope_define_cut_stream){chunks[i]->stream, chunks[i]->sequence, end};
    }
    scope_engine_unlock();
    scope_leave();
    free(chunks);
    return streams;
}

static void chunks_before_a_cut_are_used_again(void)
{
    scope_define_cut_stream positions[4];
    scope_session *session = create();
    scope_session_begin(session, 7); /* open over every cut */
    uint64_t used_bytes = 0;
    for (int i = 0; i < 40; i++) {
        record(session, 1, 100000);
        CU_ASSERT_EQUAL(
            scope_host_checkpoint(session, positions, positions_of(session, positions), i, "/o"),
            SCOPE_OK);
        if (i == 3)
            used_bytes = scope_store.used_bytes;
    }
    CU_ASSERT_TRUE(used_bytes > 0 && scope_store.used_bytes <= used_bytes + (2 << 20));
    scope_recording view;
    uint16_t number;
    scope_host_view(session, &view, &number);
    const scope_sums_header *sums = read_sums(&view, number, positions[0].stream);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    CU_ASSERT_TRUE(sums->first_unfolded <= positions[0].sequence);
    CU_ASSERT_EQUAL(sums->row_count, 0);
    CU_ASSERT_EQUAL(sums->dropped_events, 0);
    CU_ASSERT_EQUAL(sums->open_count, 1);
    const scope_sums_open *open =
        (const scope_sums_open *)((const scope_sums_lane *)(sums + 1) + sums->lane_count);
    CU_ASSERT_EQUAL(open->region, 7);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    scope_session_end(session, 7);
    read_events events = events_of(session);
    CU_ASSERT_EQUAL(events.missing, 0);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 7), 1);
    free(events.items);
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_CUT), 40);
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_CHECKPOINT), 40);
    scope_host_close(session);
}

static void sums_of_before_a_cut_are_not_given_out_again(void)
{
    scope_define_cut_stream positions[4];
    scope_session *session = create();
    scope_host_bound(session);
    record(session, 1, 200000);
    scope_session_begin(session, 1); /* one call over the cut */
    CU_ASSERT_EQUAL(
        scope_host_checkpoint(session, positions, positions_of(session, positions), 0, "/o"),
        SCOPE_OK);
    scope_session_end(session, 1);
    record(session, 1, 99999);
    scope_recording view;
    uint16_t number;
    scope_host_view(session, &view, &number);
    const scope_sums_header *sums = read_sums(&view, number, positions[0].stream);
    read_events events = read_all_events(&view, number);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sums);
    CU_ASSERT_EQUAL(sums->folded_calls + count_events(&events, SCOPE_EVENT_END, 1), 100000);
    CU_ASSERT_TRUE(scope_store.used_bytes <= 5 * (64 << 10));
    free(events.items);
    scope_host_close(session);
}

typedef struct busy {
    scope_session *session;
    _Atomic int stop;
    long calls;
} busy;

static void *record_until_told(void *argument)
{
    busy *state = argument;
    scope_session_begin(state->session, 9); /* open all the time */
    while (!atomic_load(&state->stop) && state->calls < 1000000) {
        record(state->session, 1, 1000);
        state->calls += 1000;
    }
    scope_session_end(state->session, 9);
    return NULL;
}

/* What a reader that knows the cut and the sums would count is what was recorded. */
static void checkpoints_lose_nothing_of_threads_that_go_on(void)
{
    enum { THREADS = 3 };
    busy states[THREADS];
    pthread_t threads[THREADS];
    scope_define_cut_stream positions[THREADS + 1];
    scope_session *session = create();
    for (int i = 0; i < THREADS; i++) {
        states[i] = (busy){.session = session};
        pthread_create(&threads[i], NULL, record_until_told, &states[i]);
    }
    for (int i = 0; i < 20; i++) {
        struct timespec pause = {0, 5000000};
        nanosleep(&pause, NULL);
        CU_ASSERT_EQUAL(
            scope_host_checkpoint(session, positions, positions_of(session, positions), i, "/o"),
            SCOPE_OK);
    }
    for (int i = 0; i < THREADS; i++)
        atomic_store(&states[i].stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    read_events events = events_of(session);
    CU_ASSERT_EQUAL(events.missing, 0);
    CU_ASSERT_EQUAL(events.holes, 0);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 9), THREADS);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 0);
    free(events.items);
    scope_host_close(session);
}

/* ---- fork ---- */

static void in_a_child_sessions_with_lanes_start_anew(void)
{
    start();
    scope_session *session = create();
    scope_session_begin(session, 1);
    scope_region_begin(1);
    const uint32_t before = scope_host_generation(session);
    const uint32_t process_before = scope_host_generation(scope_host_process());
    const pid_t child = fork();
    if (!child) {
        int64_t index = -1;
        scope_recording view;
        uint16_t number = 7;
        bool good = scope_host_generation(session) != before &&
                    scope_host_generation(scope_host_process()) != process_before;
        good = good && scope_host_view(session, &view, &number) == SCOPE_OK && number == 0;
        scope_session_end(session, 1); /* of a call that is not there */
        good = good && scope_host_thread(session, "m", 1, 1, 0, 0, &index) == SCOPE_OK && !index;
        scope_host_task_suspend(session, 0);
        scope_host_thread_end();
        scope_host_checkpoint(session, NULL, 0, 0, "/o");
        scope_host_close(session);
        session = create();
        scope_session_begin(session, 2);
        read_events events = events_of(session);
        good = good && count_events(&events, SCOPE_EVENT_BEGIN, 2) == 1;
        start();
        scope_region_begin(3);
        events = events_of(scope_host_process());
        good = good && count_events(&events, SCOPE_EVENT_BEGIN, -1) == 1;
        scope_host_close(session);
        scope_host_close(scope_host_process());
        _exit(good && !scope_store.is_open ? 0 : 1);
    }
    CU_ASSERT_EQUAL(result_of(child), 0);
    CU_ASSERT_EQUAL(scope_host_generation(session), before);
    scope_session_end(session, 1);
    read_events events = events_of(session);
    CU_ASSERT_EQUAL(events.count, 3);
    free(events.items);
    scope_host_close(session);
    scope_host_close(scope_host_process());
}

/* Calls of before the fork and of the child; those of the parent after it are not there. */
static int look_in_child(scope_session *session, uint32_t generation, size_t least)
{
    const size_t others = 1000;
    record(session, 3, (int)others);
    for (int i = 0; i < 3; i++) {
        read_events events = events_of(session);
        const size_t mine = count_events(&events, SCOPE_EVENT_END, 3);
        const size_t inherited = count_events(&events, SCOPE_EVENT_END, 2);
        const size_t open = count_events(&events, SCOPE_EVENT_BEGIN, 8);
        const size_t later = count_events(&events, SCOPE_EVENT_END, 8);
        if (mine != others || inherited != least || open != 1 || later != (size_t)(i > 0) ||
            events.missing || scope_host_generation(session) != generation)
            return 1 + i;
        free(events.items);
        if (!i)
            scope_session_end(session, 8); /* the call that was open at the fork */
        usleep(2000);
    }
    scope_host_close(session);
    return scope_store.is_open ? 9 : 0;
}

static void a_child_goes_on(int32_t memory_only)
{
    enum { CALLS = 70000, CHILDREN = 4 };
    const scope_host_options untracked = {
        .size_bytes = sizeof untracked, .memory_only = memory_only, .output = "/tmp/no.h5"};
    pthread_t thread;
    scope_session *session = NULL;
    pid_t children[CHILDREN];
    CU_ASSERT_EQUAL(scope_host_create(&untracked, &session), SCOPE_OK);
    busy state = {.session = session};
    pthread_create(&thread, NULL, record_until_told, &state);
    record(session, 2, CALLS);
    scope_session_begin(session, 8);
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (!children[i])
            _exit(look_in_child(session, scope_host_generation(session), CALLS));
    }
    scope_session_end(session, 8);
    record(session, 2, CALLS);
    for (int i = 0; i < CHILDREN; i++)
        CU_ASSERT_EQUAL(result_of(children[i]), 0);
    atomic_store(&state.stop, 1);
    pthread_join(thread, NULL);
    read_events events = events_of(session);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 2), 2 * CALLS);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), (size_t)state.calls);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 3), 0);
    free(events.items);
    scope_host_close(session);
}

static void a_child_goes_on_in_a_copy_of_a_session_in_memory(void)
{
    a_child_goes_on(1);
}

static void a_child_goes_on_in_a_copy_of_a_session_in_a_file(void)
{
    a_child_goes_on(0);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(nothing_recorded_means_an_empty_view),
        UNIT(calls_of_any_session_are_read_while_it_goes_on),
        UNIT(a_call_with_times_of_its_own_keeps_them),
        UNIT(a_pause_of_one_session_is_not_another_s),
        UNIT(a_begin_that_one_task_skipped_is_not_another_s),
        UNIT(tasks_are_numbered_per_session),
        UNIT(a_thread_has_the_name_that_its_host_said_last),
        UNIT(what_a_thread_records_after_its_end_moves_it),
        UNIT(threads_that_record_nothing_are_no_lanes_of_a_host),
        UNIT(cpu_time_counts_from_the_start_of_the_thread),
        UNIT(tags_and_places_are_the_session_s_own),
        UNIT(a_running_session_is_adopted_and_given_back),
        UNIT(what_a_host_started_is_ended_by_nobody_else),
        UNIT(an_adopted_session_is_written_by_one_of_both),
        UNIT(what_comes_after_a_session_was_given_back_is_its_starter_s),
        UNIT(a_session_that_is_switched_off_keeps_no_place),
        UNIT(only_a_killed_process_leaves_its_host_s_spool),
        UNIT(a_recording_in_memory_gets_a_file_when_one_is_wanted),
        UNIT(a_thousand_sessions_live_side_by_side),
        UNIT(a_place_is_used_again_and_again),
        UNIT(sessions_may_close_under_threads_that_record),
        UNIT(numbers_of_sessions_do_not_come_twice_in_a_recording),
        UNIT(chunks_before_a_cut_are_used_again),
        UNIT(sums_of_before_a_cut_are_not_given_out_again),
        UNIT(checkpoints_lose_nothing_of_threads_that_go_on),
        UNIT(in_a_child_sessions_with_lanes_start_anew),
        UNIT(a_child_goes_on_in_a_copy_of_a_session_in_memory),
        UNIT(a_child_goes_on_in_a_copy_of_a_session_in_a_file),
        {0},
    };
    return unit_run("host", tests);
}
