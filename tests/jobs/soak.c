/* soak.c - all at once, again and again: what it costs may not grow.
 *
 * argv: seconds, most rounds. Rounds of threads, tasks, forks, explicit sessions, pauses and
 * flushes; after every EPOCH rounds the recording ends and the next begins. The clock only ends
 * the loop. One line a file says what must be in it:
 *     file NAME REGION=COUNT ...      (child PID REGION=COUNT ... for a forked child's)
 * and one line a round, while the workers stand still, what the process holds:
 *     sample ROUND RSS_KB DESCRIPTORS MAPS THREADS SPOOLS
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <scope/scope.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4, NAMES = 61, EPOCH = 12, CALLS = 3000, TASKS = 5, SHORT = 3 };

extern char **environ;
static pthread_barrier_t together;
static pthread_mutex_t line = PTHREAD_MUTEX_INITIALIZER; /* held over fork: a child's is its own */
static long rounds; /* written by main while the workers stand still */
static int over;
static scope_region names[NAMES], inner, in_task, in_thread;
static long called[NAMES], inner_calls, task_calls, thread_calls, marks, counters; /* this epoch's */

static void add(long *sum, long count)
{
    __atomic_fetch_add(sum, count, __ATOMIC_RELAXED);
}

static void fail(const char *what)
{
    dprintf(2, "soak: %s\n", what);
    _exit(4);
}

static void say(const char *text)
{
    pthread_mutex_lock(&line);
    if (write(1, text, strlen(text)) < 0)
        _exit(5);
    pthread_mutex_unlock(&line);
}

static void regions(void)
{
    for (int i = 0; i < NAMES; i++) {
        char name[32];
        snprintf(name, sizeof name, "name-%d", i);
        scope_region_register(name, &names[i]);
    }
    scope_region_register("inner", &inner);
    scope_region_register("in-task", &in_task);
    scope_region_register("in-thread", &in_thread);
}

static void *short_thread(void *unused)
{
    for (int i = 0; i < 10; i++) {
        scope_region_begin(in_thread);
        scope_region_end(in_thread);
    }
    add(&thread_calls, 10);
    return unused;
}

/* A session of this worker's own, beside the process's and the other workers'. */
static void own_session(int worker)
{
    char output[64], text[160];
    scope_options options = SCOPE_OPTIONS_INIT;
    scope_session *session;
    snprintf(output, sizeof output, "session-%ld-%d.h5", rounds, worker);
    options.output = output;
    options.label = "one of many";
    if (scope_session_create(&options, &session) != SCOPE_OK)
        fail("no session");
    const int count = 20 + worker;
    for (int i = 0; i < count; i++) {
        scope_session_begin(session, names[worker]);
        scope_session_begin(session, inner);
        scope_session_end(session, inner);
        scope_session_end(session, names[worker]);
    }
    if (scope_session_close(session) != SCOPE_OK)
        fail("a session could not be written");
    snprintf(text, sizeof text, "file %s name-%d=%d inner=%d\n", output, worker, count, count);
    say(text);
}

static void tasks(void)
{
    scope_task task[TASKS];
    for (int i = 0; i < TASKS; i++)
        task[i] = scope_task_new("task", i % 2 ? "odd" : NULL);
    for (int step = 0; step < 4; step++)
        for (int i = 0; i < TASKS; i++) {
            scope_task_resume(task[i]);
            if (step % 2 == 0)
                scope_region_begin(in_task);
            else
                scope_region_end(in_task);
            scope_task_suspend(task[i]);
        }
    for (int i = 0; i < TASKS; i++)
        scope_task_done(task[i]);
    add(&task_calls, 2 * TASKS);
}

/* Children of a process whose other threads record. */
static void children(void)
{
    int status;
    pthread_mutex_lock(&line);
    const pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 5; i++) {
            scope_region_begin_name("child");
            scope_region_end_name("child");
        }
        dprintf(1, "child %ld child=5\n", (long)getpid());
        exit(3);
    }
    pthread_mutex_unlock(&line);
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3)
        fail("a child ended badly");
    char *arguments[] = {"true", NULL};
    pid_t other;
    if (posix_spawnp(&other, "true", NULL, NULL, arguments, environ) || waitpid(other, &status, 0) != other)
        fail("no spawned child");
}

static void *worker(void *argument)
{
    const int self = (int)(long)argument;
    for (;;) {
        pthread_barrier_wait(&together);
        if (over)
            return NULL;
        unsigned random = (unsigned)(rounds * WORKERS + self) * 2654435761u + 1;
        for (int i = 0; i < CALLS; i++) {
            random = random * 1664525u + 1013904223u;
            const int n = (int)(random >> 16) % NAMES;
            scope_region_begin(names[n]);
            scope_region_begin(inner);
            scope_region_end(inner);
            scope_region_end(names[n]);
            add(&called[n], 1);
            if (i % 500 == 0) {
                scope_mark("mark");
                scope_counter("counter", i);
                add(&marks, 1), add(&counters, 1);
            }
        }
        add(&inner_calls, CALLS);
        tasks();
        if (rounds % WORKERS == self)
            children();
        own_session(self);
        pthread_t id[SHORT];
        for (int i = 0; i < SHORT; i++)
            if (pthread_create(&id[i], NULL, short_thread, NULL))
                fail("no thread");
        for (int i = 0; i < SHORT; i++)
            pthread_join(id[i], NULL);
        pthread_barrier_wait(&together);
    }
}

/* The spools lie in a folder of this user's in the spool folder. */
static long entries(const char *path, int deep)
{
    DIR *folder = opendir(path);
    long count = 0;
    if (!folder)
        return 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            char inside[512];
            snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
            count += deep && entry->d_type == DT_DIR ? entries(inside, 0) : 1;
        }
    closedir(folder);
    return count;
}

static long proc_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    long count = 0;
    if (!file)
        return 0;
    for (int c; (c = fgetc(file)) != EOF;)
        count += c == '\n';
    fclose(file);
    return count;
}

static void sample(void)
{
    char text[128];
    long pages = 0;
    malloc_trim(0); /* what malloc keeps is not what we hold */
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        fail("no statm");
    fclose(file);
    const char *spools = getenv("SCOPE_SPOOL_DIR");
    snprintf(text, sizeof text, "sample %ld %ld %ld %ld %ld %ld\n", rounds, pages * sysconf(_SC_PAGESIZE) / 1024,
             entries("/proc/self/fd", 0), proc_lines("/proc/self/maps"), entries("/proc/self/task", 0),
             spools ? entries(spools, 1) : 0);
    say(text);
}

static void start(long epoch, char *output, size_t size)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    snprintf(output, size, "epoch-%ld.h5", epoch);
    options.output = output;
    if (scope_init(&options) != SCOPE_OK)
        fail("no recording");
    regions();
}

static void end(const char *output)
{
    char text[2048];
    if (scope_finalize() != SCOPE_OK)
        fail("a recording could not be written");
    int at = snprintf(text, sizeof text, "file %s inner=%ld in-task=%ld in-thread=%ld marks=%ld counters=%ld",
                      output, inner_calls, task_calls, thread_calls, marks, counters);
    for (int i = 0; i < NAMES; i++) {
        at += snprintf(text + at, sizeof text - (size_t)at, " name-%d=%ld", i, called[i]);
        called[i] = 0;
    }
    snprintf(text + at, sizeof text - (size_t)at, "\n");
    inner_calls = task_calls = thread_calls = marks = counters = 0;
    say(text);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 1;
    const long most = argc > 2 ? atol(argv[2]) : 1000000;
    char output[64], text[64];
    scope_session *lasting = NULL; /* open over the end of a recording */
    pthread_t id[WORKERS];
    pthread_barrier_init(&together, NULL, WORKERS + 1);
    start(0, output, sizeof output);
    for (long i = 0; i < WORKERS; i++)
        if (pthread_create(&id[i], NULL, worker, (void *)i))
            fail("no worker");
    const int64_t until = scope_now_ns() + (int64_t)(seconds * 1e9);
    while (rounds < most && (scope_now_ns() < until || rounds % EPOCH)) {
        pthread_barrier_wait(&together); /* go */
        if (rounds % 5 == 0 && scope_flush() != SCOPE_OK)
            fail("no flush");
        pthread_barrier_wait(&together); /* done */
        scope_pause();
        for (int i = 0; i < 100; i++) {
            scope_region_begin(inner);
            scope_region_end(inner);
        }
        scope_resume();
        if (rounds % EPOCH == EPOCH - 1) {
            end(output);
            if (lasting && scope_session_close(lasting) != SCOPE_OK)
                fail("the lasting session could not be written");
            if (lasting) {
                snprintf(text, sizeof text, "file lasting-%ld.h5 inner=7\n", rounds / EPOCH);
                say(text);
            }
            scope_options options = SCOPE_OPTIONS_INIT;
            snprintf(text, sizeof text, "lasting-%ld.h5", rounds / EPOCH + 1);
            options.output = text;
            if (scope_session_create(&options, &lasting) != SCOPE_OK)
                fail("no lasting session");
            for (int i = 0; i < 7; i++) {
                scope_session_begin(lasting, inner);
                scope_session_end(lasting, inner);
            }
            start(rounds / EPOCH + 1, output, sizeof output);
        }
        sample();
        rounds++;
    }
    over = 1;
    pthread_barrier_wait(&together);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(id[i], NULL);
    scope_region_begin(inner); /* the last recording holds at least this */
    scope_region_end(inner);
    inner_calls++;
    scope_session_close(lasting);
    if (lasting) {
        snprintf(text, sizeof text, "file lasting-%ld.h5 inner=7\n", rounds / EPOCH);
        say(text);
    }
    end(output);
    return 0;
}
