/* mixed.c - a process that records only what argv says, and is killed: each rank's recording has
 * other tables, one has none.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <string.h>

static void *worker(void *unused)
{
    SCOPE_REGION("in a thread");
    return unused;
}

int main(int argc, char **argv)
{
    scope_init(NULL);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "regions")) {
            SCOPE_REGION("region");
        } else if (!strcmp(argv[i], "threads")) {
            pthread_t id;
            pthread_create(&id, NULL, worker, NULL);
            pthread_join(id, NULL);
        } else if (!strcmp(argv[i], "tasks")) {
            const scope_task task = scope_task_new("a task", NULL);
            scope_task_resume(task);
            {
                SCOPE_REGION("in a task");
            }
            scope_task_done(task);
        } else if (!strcmp(argv[i], "counters")) {
            scope_counter("counter", 1.5);
        } else if (!strcmp(argv[i], "marks")) {
            scope_mark("mark");
        }
    }
    raise(SIGKILL);
    return 0;
}
