/* test_fork.c - forked children forget the recording, and may have one of their own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <errno.h>
#include <stdio.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "identity.h"

static void a_child_that_does_nothing_leaves_the_recording_alone(void)
{
    recorded_start(NULL);
    scope_region_begin(1);
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        if (!child)
            _exit(3);
        CU_ASSERT_EQUAL(recorded_exit_code(child), 3);
    }
    scope_region_end(1);
    CU_ASSERT_EQUAL(scope_store.header->end_kind, SCOPE_END_OPEN);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 3);
    CU_ASSERT_EQUAL(events.holes, 0);
    recorded_end(&events);
}

static void a_child_that_records_has_a_recording_of_its_own(void)
{
    recorded_start(NULL);
    scope_region_begin(1);
    const scope_task task = scope_task_new("t", NULL);
    scope_task_resume(task);
    const pid_t child = fork();
    if (!child) {
        int cancel = -1;
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &cancel);
        const bool forgotten = !scope_store.is_open && scope_identity_is_child() &&
                               cancel == PTHREAD_CANCEL_ENABLE;
        scope_region_begin(2);
        scope_region_end(2);
        read_events events = recorded_events();
        const bool good = forgotten && events.count == 3 && events.items[1].id == 2 &&
                          scope_store.header->pid == (uint64_t)getpid() &&
                          scope_store.header->start_ticks > 0;
        scope_runtime_write(NULL);
        _exit(good ? 0 : 1);
    }
    CU_ASSERT_EQUAL(recorded_exit_code(child), 0);
    scope_task_suspend(task);
    scope_region_end(1);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 6);
    recorded_end(&events);
}

static _Atomic int go_on;

static void *record_on(void *argument)
{
    while (atomic_load(&go_on)) {
        scope_region_begin(3);
        scope_region_end(3);
    }
    return argument;
}

static void forks_of_a_program_with_busy_threads_neither_hang_nor_lose(void)
{
    pthread_t threads[3];
    recorded_start(NULL);
    atomic_store(&go_on, 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, record_on, NULL);
    long calls = 0;
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 100; k++, calls++) {
            scope_region_begin(4);
            scope_region_end(4);
        }
        const pid_t child = fork();
        if (!child) {
            scope_region_begin(5);
            scope_region_end(5);
            scope_runtime_stop();
            const int good = scope_store.is_open;
            scope_runtime_write(NULL);
            _exit(good ? 0 : 1);
        }
        CU_ASSERT_EQUAL(recorded_exit_code(child), 0);
    }
    atomic_store(&go_on, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 4), (size_t)calls);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 4), (size_t)calls);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 5), 0);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, 3),
                    count_events(&events, SCOPE_EVENT_END, 3));
    CU_ASSERT_EQUAL(events.holes, 0);
    CU_ASSERT_EQUAL(scope_store.header->dropped_handler_events, 0);
    recorded_end(&events);
}

static void a_vfork_child_that_exits_marks_nothing(void)
{
    recorded_start(NULL);
    scope_region_begin(1);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    const pid_t child = vfork();
#pragma GCC diagnostic pop
    if (!child)
        _exit(7);
    CU_ASSERT_EQUAL(recorded_exit_code(child), 7);
    CU_ASSERT_EQUAL(scope_store.header->end_kind, SCOPE_END_OPEN);
    scope_region_end(1);
    recorded_end(NULL);
}

static void region_calls_leave_errno_alone(void)
{
    recorded_start(NULL);
    errno = EXDEV;
    for (int i = 0; i < 100000; i++) {
        scope_region_begin(1);
        scope_region_end_name("errno");
        scope_mark("errno");
    }
    CU_ASSERT_EQUAL(errno, EXDEV);
    recorded_end(NULL);
}

static void *cancelled_in_the_recorder(void *argument)
{
    for (int i = 0;; i++) {
        char name[32];
        snprintf(name, sizeof name, "cancel %d", i);
        scope_region_begin_name(name);
        scope_region_end_name(name);
        pthread_testcancel();
    }
    return argument;
}

static void cancelled_threads_leave_no_lock_behind(void)
{
    recorded_start(NULL);
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, cancelled_in_the_recorder, NULL);
        usleep(200);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
        scope_region_begin_name("between");
        scope_region_end_name("between");
    }
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_THREAD_END, -1), 200);
    recorded_end(&events);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(a_child_that_does_nothing_leaves_the_recording_alone),
        UNIT(a_child_that_records_has_a_recording_of_its_own),
        UNIT(forks_of_a_program_with_busy_threads_neither_hang_nor_lose),
        UNIT(a_vfork_child_that_exits_marks_nothing),
        UNIT(region_calls_leave_errno_alone),
        UNIT(cancelled_threads_leave_no_lock_behind),
        {0},
    };
    return unit_run("fork", tests);
}
