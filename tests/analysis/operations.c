/* operations.c - do what a script says, on several threads, and log when.
 *
 *     operations SCRIPT LOG
 *
 * A line of the script is one operation: "<thread> <operation> <number>", thread 0
 * being the main thread. Each thread does its own lines in order:
 *
 *     begin end mark     region or point r<number>
 *     new resume suspend done     task <number> of the script
 *     pause unpause      of the session
 *     post wait          event <number>: orders operations of different threads
 *
 * LOG gets, per operation in order of the script, CLOCK_MONOTONIC before and after
 * it: two int64_t. The process then leaves with _exit: its spool stays.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <scope/scope.h>

#define OPERATIONS_MAX 400000
#define REGIONS_MAX 64
#define TASKS_MAX 4096
#define THREADS_MAX 64

typedef struct operation {
    int thread, number;
    char name[12];
    int64_t before_ns, after_ns;
} operation;

static operation operations[OPERATIONS_MAX];
static int operation_count;
static scope_region regions[REGIONS_MAX];
static scope_task tasks[TASKS_MAX];
static _Atomic int events[OPERATIONS_MAX];

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void perform(operation *what)
{
    const int n = what->number;
    char text[32];
    what->before_ns = now_ns();
    if (!strcmp(what->name, "begin")) {
        scope_region_begin(regions[n]);
    } else if (!strcmp(what->name, "end")) {
        scope_region_end(regions[n]);
    } else if (!strcmp(what->name, "mark")) {
        snprintf(text, sizeof text, "r%d", n);
        scope_mark(text);
    } else if (!strcmp(what->name, "new")) {
        snprintf(text, sizeof text, "task %d", n);
        tasks[n] = scope_task_new(text, "code");
    } else if (!strcmp(what->name, "resume")) {
        scope_task_resume(tasks[n]);
    } else if (!strcmp(what->name, "suspend")) {
        scope_task_suspend(tasks[n]);
    } else if (!strcmp(what->name, "done")) {
        scope_task_done(tasks[n]);
    } else if (!strcmp(what->name, "pause")) {
        scope_pause();
    } else if (!strcmp(what->name, "unpause")) {
        scope_resume();
    } else if (!strcmp(what->name, "post")) {
        atomic_store(&events[n], 1);
    } else if (!strcmp(what->name, "wait")) {
        while (!atomic_load(&events[n]))
            sched_yield();
    }
    what->after_ns = now_ns();
}

static void *work(void *argument)
{
    const int thread = (int)(intptr_t)argument;
    for (int i = 0; i < operation_count; i++)
        if (operations[i].thread == thread)
            perform(&operations[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    FILE *script = argc > 2 ? fopen(argv[1], "r") : NULL;
    FILE *log = argc > 2 ? fopen(argv[2], "wb") : NULL;
    pthread_t threads[THREADS_MAX];
    int thread_count = 1;
    if (!script || !log)
        return 2;
    operation *next = operations;
    while (operation_count < OPERATIONS_MAX &&
           fscanf(script, "%d %11s %d", &next->thread, next->name, &next->number) == 3) {
        if (next->thread >= thread_count)
            thread_count = next->thread + 1;
        next = &operations[++operation_count];
    }
    fclose(script);
    if (thread_count > THREADS_MAX || scope_init(NULL) != SCOPE_OK)
        return 3;
    for (int i = 0; i < REGIONS_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "r%d", i);
        if (scope_region_register(name, &regions[i]) != SCOPE_OK)
            return 4;
    }
    for (intptr_t i = 1; i < thread_count; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i))
            return 5;
    work(NULL);
    for (int i = 1; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < operation_count; i++) {
        const int64_t times[2] = {operations[i].before_ns, operations[i].after_ns};
        if (fwrite(times, sizeof times, 1, log) != 1)
            return 6;
    }
    fclose(log);
    _exit(0);
}
