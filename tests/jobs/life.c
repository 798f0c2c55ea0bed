/* life.c - events before init, after finalize, in atexit and in a destructor.
 *
 * argv[1]: finalize (default), exit (no scope_finalize), mpi is life_mpi.c's.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void everything(const char *name)
{
    scope_region region = SCOPE_REGION_NONE;
    scope_region_begin_name(name);
    scope_region_end_name(name);
    scope_region_register(name, &region);
    scope_region_begin(region);
    scope_region_end(region);
    scope_mark(name);
    scope_counter(name, 1.0);
    {
        SCOPE_REGION("macro");
    }
    scope_pause();
    scope_resume();
    scope_task task = scope_task_new("task", name);
    scope_task_resume(task);
    scope_task_suspend(task);
    scope_task_done(task);
}

static void *thread(void *name)
{
    everything(name);
    return NULL;
}

static void in_thread(char *name)
{
    pthread_t id;
    if (pthread_create(&id, NULL, thread, name) == 0)
        pthread_join(id, NULL);
}

static void at_exit(void)
{
    everything("in atexit");
    in_thread("in atexit");
}

__attribute__((destructor)) static void destructor(void)
{
    everything("in destructor");
}

__attribute__((constructor)) static void constructor(void)
{
    everything("in constructor");
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "finalize";
    atexit(at_exit);
    everything("before init");
    in_thread("before init");
    if (scope_init(NULL) != SCOPE_OK || scope_init(NULL) != SCOPE_OK)
        return 1;
    atexit(at_exit);
    everything("recorded");
    in_thread("recorded");
    if (!strcmp(mode, "finalize")) {
        if (scope_finalize() != SCOPE_OK || scope_finalize() != SCOPE_OK)
            return 2;
        everything("after finalize");
        in_thread("after finalize");
    }
    puts("done");
    return 0;
}
