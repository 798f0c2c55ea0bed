/* test_task.c - cooperative lanes: nesting of resumes, names, misuse.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <pthread.h>

#include "task_kind.h"

static void tasks_get_dense_ids_and_keep_their_names(void)
{
    recorded_start(NULL);
    const scope_task first = scope_task_new("request", "handle");
    const scope_task second = scope_task_new_bytes(SCOPE_TASK_KIND_GREENLET, "g\0x", 3, NULL, 0);
    CU_ASSERT_EQUAL(first, 0);
    CU_ASSERT_EQUAL(second, 1);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL_FATAL(events.count, 3);
    const uint64_t value = events.items[1].values[0];
    CU_ASSERT_EQUAL(value >> 56, SCOPE_TASK_KIND_TASK);
    CU_ASSERT_NOT_EQUAL(value >> 28 & 0xFFFFFFF, 0);
    CU_ASSERT_NOT_EQUAL(value & 0xFFFFFFF, 0);
    CU_ASSERT_EQUAL(events.items[2].values[0] >> 56, SCOPE_TASK_KIND_GREENLET);
    CU_ASSERT_EQUAL(events.items[2].values[0] & 0xFFFFFFF, 0);
    recorded_end(&events);
}

static void resumes_nest_and_a_wrong_suspend_is_counted(void)
{
    recorded_start(NULL);
    const scope_task a = scope_task_new("a", NULL), b = scope_task_new("b", NULL);
    scope_task_resume(a);
    scope_task_resume(b);
    scope_task_suspend(a); /* b runs: ignored */
    scope_task_suspend(b);
    scope_task_suspend(a);
    scope_task_suspend(a); /* none runs: ignored */
    scope_task_done(a);
    scope_task_done(b);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_RESUME, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_SUSPEND, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_DONE, -1), 2);
    CU_ASSERT_EQUAL(scope_store.header->dropped_events, 2);
    recorded_end(&events);
}

static void many_tasks_have_escaped_ids(void)
{
    enum { TASKS = 0xFFFFF + 3 };
    recorded_start(NULL);
    scope_task last = -1;
    for (int i = 0; i < TASKS; i++)
        last = scope_task_new(NULL, NULL);
    CU_ASSERT_EQUAL(last, TASKS - 1);
    scope_task_resume(last);
    scope_region_begin(1);
    scope_region_end(1);
    scope_task_suspend(last);
    scope_task_done(last);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_NEW, -1), TASKS);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_SUSPEND, last), 1);
    recorded_end(&events);
}

static void no_tasks_while_off_or_paused(void)
{
    CU_ASSERT_TRUE(scope_task_new("x", "y") < 0);
    scope_task_resume(-1);
    scope_task_suspend(0);
    recorded_start(NULL);
    const scope_task task = scope_task_new("x", "y");
    scope_pause();
    CU_ASSERT_TRUE(scope_task_new("x", "y") < 0);
    scope_task_resume(task); /* switches go on: an end may come */
    scope_task_suspend(task);
    scope_resume();
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_RESUME, task), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_TASK_NEW, -1), 1);
    recorded_end(&events);
}

static void deep_resumes_are_balanced(void)
{
    enum { DEPTH = 200 };
    scope_task tasks[DEPTH];
    recorded_start(NULL);
    for (int i = 0; i < DEPTH; i++)
        scope_task_resume(tasks[i] = scope_task_new("deep", NULL));
    for (int i = DEPTH; i-- > 0;)
        scope_task_suspend(tasks[i]);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_SUSPEND, -1), DEPTH);
    recorded_end(&events);
}

static void *run_step(void *task)
{
    scope_task_resume(*(scope_task *)task);
    scope_region_end(1);
    scope_task_suspend(*(scope_task *)task);
    return NULL;
}

static void a_task_may_move_to_another_thread(void)
{
    pthread_t thread;
    recorded_start(NULL);
    scope_task task = scope_task_new("moves", NULL);
    scope_task_resume(task);
    scope_region_begin(1);
    scope_task_suspend(task);
    pthread_create(&thread, NULL, run_step, &task);
    pthread_join(thread, NULL);
    scope_task_done(task);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_RESUME, task), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, 1), 1);
    recorded_end(&events);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(tasks_get_dense_ids_and_keep_their_names),
        UNIT(resumes_nest_and_a_wrong_suspend_is_counted),
        UNIT(many_tasks_have_escaped_ids),
        UNIT(no_tasks_while_off_or_paused),
        UNIT(deep_resumes_are_balanced),
        UNIT(a_task_may_move_to_another_thread),
        {0},
    };
    return unit_run("task", tests);
}
