/* spool_writer.c - a small recording with several threads, chunks and kinds of events; then SIGKILL.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int calls = 500;

static void *worker(void *argument)
{
    const long number = (long)argument;
    for (int i = 0; i < calls * (number + 1); i++) {
        scope_region_begin_name("outer");
        scope_region_begin_name(i % 3 ? "inner" : "other");
        scope_region_end_name(i % 3 ? "inner" : "other");
        if (i % 10 == 0)
            scope_counter("value", i);
        scope_region_end_name("outer");
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        calls = atoi(argv[1]);
    scope_init(NULL);
    for (int round = 0; round < 2; round++) {
        pthread_t id[3];
        for (long i = 0; i < 3; i++)
            pthread_create(&id[i], NULL, worker, (void *)i);
        for (int i = 0; i < 3; i++)
            pthread_join(id[i], NULL);
    }
    scope_task task = scope_task_new("a task", "code");
    for (int i = 0; i < 20; i++) {
        scope_task_resume(task);
        scope_region_begin_name("in task"), scope_region_end_name("in task");
        scope_task_suspend(task);
    }
    worker((void *)0L);
    scope_region_begin_name("open");
    kill(getpid(), SIGKILL);
}
