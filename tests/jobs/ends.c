/* ends.c - threads that are cancelled, handlers that jump away or exit, ends that meet.
 *
 * argv[1] says which, argv[2] when or how often, argv[3] how a handler comes. Prints "name low high" lines: at least `low` and at most `high`
 * calls of that name must be in the file or the spool, or be counted as lost.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <scope/scope.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8

static atomic_int stop;
static int number = 500; /* how often */

static void say(const char *name, long low, long high)
{
    printf("%s %ld %ld\n", name, low, high);
    fflush(stdout);
}

static void calls(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
}

/* ---- cancelled threads ---- */

typedef struct tally {
    atomic_long begun, ended; /* calls whose begin was called, whose end came back */
    int type;
} tally;

static void *records_until_cancelled(void *argument)
{
    tally *mine = argument;
    int before;
    char name[32];
    pthread_setcanceltype(mine->type, &before);
    for (int i = 0;; i++) {
        if (i % 64 == 0) { /* the slow paths, too: names, chunks of short-lived sessions */
            snprintf(name, sizeof name, "name %d", i / 64 % 4096);
            scope_region_begin_name(name);
            scope_region_end_name(name);
        }
        atomic_fetch_add(&mine->begun, 1);
        scope_region_begin_name("cancelled");
        scope_region_end_name("cancelled");
        atomic_fetch_add(&mine->ended, 1);
        if (mine->type == PTHREAD_CANCEL_DEFERRED)
            pthread_testcancel();
    }
    return NULL;
}

static void cancel(int type)
{
    tally all = {.type = type};
    for (int i = 0; i < number; i++) {
        pthread_t ids[4];
        for (int k = 0; k < 4; k++)
            pthread_create(&ids[k], NULL, records_until_cancelled, &all);
        if (i % 3)
            usleep((unsigned)(i * 7 % 300));
        for (int k = 0; k < 4; k++)
            pthread_cancel(ids[k]);
        for (int k = 0; k < 4; k++)
            pthread_join(ids[k], NULL);
    }
    calls("work", 5);
    say("work", 5, 5);
    say("cancelled", all.ended, all.begun);
}

static void cancel_deferred(void)
{
    cancel(PTHREAD_CANCEL_DEFERRED);
}

static void cancel_asynchronous(void)
{
    cancel(PTHREAD_CANCEL_ASYNCHRONOUS);
}

/* ---- handlers that jump away ---- */

static sigjmp_buf away;
static volatile sig_atomic_t may_jump, pausing;

static void jumper(int signal_number)
{
    (void)signal_number;
    if (may_jump) {
        may_jump = 0;
        siglongjmp(away, 1);
    }
}

static atomic_int counting;
static atomic_long counted;

static void *records_beside(void *unused)
{
    while (!atomic_load(&stop)) {
        calls("beside", 1);
        atomic_fetch_add(&counted, atomic_load(&counting));
    }
    return unused;
}

static void jump(void)
{
    pthread_t id;
    struct sigaction action = {.sa_handler = jumper};
    const struct itimerval timer = {{0, 100}, {0, 100}}, none = {{0, 0}, {0, 0}};
    static atomic_long begun, ended;
    char name[32];
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    pthread_create(&id, NULL, records_beside, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (volatile int i = 0; i < 20 * number; i++) {
        if (sigsetjmp(away, 1)) {
            if (pausing)
                scope_resume(); /* of a pause that was jumped out of; else it does nothing */
            pausing = 0;
            continue;
        }
        may_jump = 1;
        while (may_jump) {
            snprintf(name, sizeof name, "name %d", i % 5000);
            scope_region_begin_name(name); /* registers: the slow path */
            scope_region_end_name(name);
            pausing = 1;
            scope_pause();
            calls("skipped", 2);
            scope_resume();
            pausing = 0;
            atomic_fetch_add(&begun, 1);
            scope_region_begin_name("jumped");
            scope_region_end_name("jumped");
            atomic_fetch_add(&ended, 1);
        }
    }
    setitimer(ITIMER_REAL, &none, NULL);
    may_jump = 0;
    signal(SIGALRM, SIG_IGN);
    if (pausing)
        scope_resume();
    atomic_store(&counting, 1);
    while (atomic_load(&counted) < 100) /* the other thread goes on, too */
        usleep(100);
    calls("work", 7);
    atomic_store(&stop, 1);
    pthread_join(id, NULL);
    say("work", 7, 7);
    say("jumped", ended, begun);
    say("beside", atomic_load(&counted) - 1, 1L << 40); /* one may have begun in a pause */
}

/* ---- exit while others are at everything ---- */

static atomic_long done[THREADS];

static void *ends_what_never_began(void *unused)
{
    scope_region_end_name("never begun");
    return unused;
}

static void *does_everything(void *argument)
{
    const long me = (long)argument;
    char name[48], own[16];
    snprintf(own, sizeof own, "thread %ld", me);
    for (int i = 0; !atomic_load(&stop); i++) {
        scope_region_begin_name(own);
        scope_region_end_name(own);
        atomic_fetch_add(&done[me], 1);
        if (me % 4 == 1) {
            snprintf(name, sizeof name, "new %ld %d", me, i % 2000);
            calls(name, 1);
        } else if (me % 4 == 2) {
            pthread_t id;
            if (!pthread_create(&id, NULL, ends_what_never_began, NULL))
                pthread_join(id, NULL);
        } else if (me % 4 == 3 && i % 16 == 0) {
            scope_options options = SCOPE_OPTIONS_INIT;
            scope_session *session = NULL;
            options.no_output = 1;
            if (scope_session_create(&options, &session) == SCOPE_OK) {
                scope_session_begin(session, 1);
                scope_session_close(session);
            }
        }
    }
    return NULL;
}

static void start_all(pthread_t *ids)
{
    for (long i = 0; i < THREADS; i++)
        pthread_create(&ids[i], NULL, does_everything, (void *)i);
    for (long i = 0; i < THREADS; i++)
        while (atomic_load(&done[i]) < 50)
            usleep(100);
}

static void say_all(void)
{
    char own[16];
    for (long i = 0; i < THREADS; i++) {
        snprintf(own, sizeof own, "thread %ld", i);
        say(own, atomic_load(&done[i]), 1L << 40);
    }
}

static void exit_beside(void)
{
    pthread_t ids[THREADS];
    start_all(ids);
    calls("work", 3);
    say("work", 3, 3);
    say_all();
    exit(0);
}

static void main_returns(void)
{
    pthread_t ids[THREADS];
    start_all(ids);
    for (int i = 0; i < THREADS; i++)
        pthread_detach(ids[i]);
    say_all();
}

static void quick_end(void)
{
    calls("at quick_exit", 4);
    say("at quick_exit", 4, 4);
}

static void quick(void)
{
    pthread_t ids[THREADS];
    start_all(ids);
    at_quick_exit(quick_end);
    say_all();
    quick_exit(0);
}

static void *ends_after_main(void *main_thread)
{
    pthread_t ids[THREADS];
    pthread_join(*(pthread_t *)main_thread, NULL);
    start_all(ids);
    say_all();
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(ids[i], NULL);
    calls("work", 2);
    say("work", 2, 2);
    return NULL; /* the last thread: the process ends as by exit(0) */
}

static void main_thread_exits(void)
{
    static pthread_t self;
    pthread_t id;
    self = pthread_self();
    pthread_create(&id, NULL, ends_after_main, &self);
    pthread_exit(NULL);
}

/* ---- exit in a handler ---- */

static void *keeps_allocating(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop))
        free(malloc(100000));
    return NULL;
}

static atomic_long in_loop;
static const char *how = ""; /* the handler comes */

static void exits(int signal_number)
{
    (void)signal_number;
    calls("in handler", 1);
    exit(3);
}

/* A timer's signal that ends the process, on this thread alone. */
static void exit_after(int microseconds)
{
    struct sigaction action = {.sa_handler = exits};
    if (!strcmp(how, "nodefer"))
        action.sa_flags = SA_NODEFER;
    if (!strcmp(how, "altstack")) {
        const stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
        sigaltstack(&stack, NULL);
        action.sa_flags = SA_ONSTACK;
    }
    const struct itimerval timer = {{0, 0}, {0, microseconds}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void start_without_alarm(void *(*function)(void *))
{
    pthread_t id;
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL);
    pthread_create(&id, NULL, function, NULL);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
}

static void exit_in_handler(void)
{
    char name[32];
    start_without_alarm(records_beside);
    scope_region_begin_name("open");
    calls("loop", 1);
    exit_after(1000 + 13 * number % 9000);
    for (int i = 0;; i++) {
        snprintf(name, sizeof name, "name %d", i);
        scope_region_begin_name(name);
        scope_region_end_name(name);
        scope_region_begin_name("loop");
        scope_region_end_name("loop");
        atomic_fetch_add(&in_loop, 1);
    }
}

static void exit_in_handler_of_malloc(void)
{
    start_without_alarm(keeps_allocating); /* malloc takes locks now */
    calls("work", 9);
    say("work", 9, 9);
    exit_after(1000 + 17 * number % 9000);
    for (unsigned i = 0;; i++) {
        void *volatile some = malloc(2000 + i % 60000);
        free(some);
    }
}

/* The file has many names, so that writing it takes its time. */
static void exit_in_handler_while_writing(void)
{
    char name[32];
    for (int i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "name %d", i);
        calls(name, 1);
    }
    calls("work", 9);
    say("work", 9, 9);
    exit_after(1000 + 300 * number);
    scope_finalize();
    for (;;)
        pause();
}

/* As programs do that take signals by sigwait: no handler runs. */
static void exit_with_all_blocked(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    calls("work", 9);
    say("work", 9, 9);
    exit(3);
}

static void finalizes(int signal_number)
{
    (void)signal_number;
    scope_finalize();
    atomic_store(&stop, 1);
}

static void finalize_in_handler(void)
{
    struct sigaction action = {.sa_handler = finalizes};
    long count = 0;
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval timer = {{0, 0}, {0, 1000 + 13 * number % 9000}};
    setitimer(ITIMER_REAL, &timer, NULL);
    while (!atomic_load(&stop)) {
        calls("loop", 1);
        count++;
    }
    say("loop", count - 1, count);
}

/* ---- finalize twice, at once, and again ---- */

static void *finalizes_too(void *barrier)
{
    pthread_barrier_wait(barrier);
    scope_finalize();
    return NULL;
}

static void finalize_at_once(void)
{
    pthread_t ids[THREADS], ends[4];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 4);
    start_all(ids);
    say_all();
    for (int i = 0; i < 4; i++)
        pthread_create(&ends[i], NULL, finalizes_too, &barrier);
    for (int i = 0; i < 4; i++)
        pthread_join(ends[i], NULL);
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(ids[i], NULL);
    scope_finalize();
}

static void finalize_inside(void)
{
    scope_region_begin_name("open");
    calls("work", 6);
    scope_finalize();
    scope_region_end_name("open");
    calls("work", 6);
    scope_finalize();
    say("work", 6, 6);
    say("open", 1, 1);
}

/* Starts and ends again and again while others record: each round is a file. */
static void again_and_again(void)
{
    pthread_t ids[THREADS];
    start_all(ids);
    for (int i = 0; i < 10; i++) {
        scope_options options = SCOPE_OPTIONS_INIT;
        char name[32];
        scope_finalize();
        snprintf(name, sizeof name, "round-%d.h5", i);
        options.output = name;
        if (scope_init(&options) != SCOPE_OK)
            exit(4);
        snprintf(name, sizeof name, "round %d", i);
        calls(name, 10 + i);
    }
    scope_finalize();
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(ids[i], NULL);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } modes[] = {{"cancel", cancel_deferred},
                 {"cancel-asynchronous", cancel_asynchronous},
                 {"jump", jump},
                 {"exit", exit_beside},
                 {"return", main_returns},
                 {"quick_exit", quick},
                 {"main-thread-exits", main_thread_exits},
                 {"exit-in-handler", exit_in_handler},
                 {"exit-in-handler-of-malloc", exit_in_handler_of_malloc},
                 {"exit-in-handler-while-writing", exit_in_handler_while_writing},
                 {"exit-with-all-blocked", exit_with_all_blocked},
                 {"finalize-in-handler", finalize_in_handler},
                 {"finalize-at-once", finalize_at_once},
                 {"finalize-inside", finalize_inside},
                 {"again-and-again", again_and_again}};
    if (argc > 2)
        number = atoi(argv[2]);
    if (argc > 3)
        how = argv[3];
    scope_init(NULL);
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].name, argv[1]))
            modes[i].function();
    return 0;
}
