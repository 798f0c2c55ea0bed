/* forks.c - many forks, from everywhere; argv: mode, how often.
 *
 * A child that records has 5 "child" calls and nothing else, and ends by _exit, every third
 * one by exit. Prints "children _exit exit" and, for the loop, what the parent holds.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <dirent.h>
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

static int often = 60;
static atomic_int stop;
static atomic_long ended_fast, ended;

static void calls(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
}

static void *records(void *name)
{
    calls(name, 2);
    return NULL;
}

/* Its own thread, too: the child's locks are free. */
static void be_child(int number)
{
    pthread_t id;
    calls("child", 3);
    if (pthread_create(&id, NULL, records, "child") || pthread_join(id, NULL))
        _exit(9);
    if (number % 3 == 2)
        exit(0);
    _exit(0);
}

static void wait_for(pid_t child, int number)
{
    int status = -1;
    while (waitpid(child, &status, 0) != child)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "child: status %x\n", (unsigned)status);
        exit(5);
    }
    atomic_fetch_add(number % 3 == 2 ? &ended : &ended_fast, 1);
}

static void fork_one(int number)
{
    const pid_t child = fork();
    if (child == 0)
        be_child(number);
    wait_for(child, number);
}

/* Entries of a folder or lines of a file in /proc/self. */
static int count_in(const char *path)
{
    int count = 0;
    DIR *folder = opendir(path);
    if (folder) {
        while (readdir(folder))
            count++;
        closedir(folder);
        return count;
    }
    FILE *file = fopen(path, "r");
    for (int c; file && (c = fgetc(file)) != EOF;)
        count += c == '\n';
    if (file)
        fclose(file);
    return count;
}

static void in_a_loop(void)
{
    for (int i = 0; i < 3; i++)
        fork_one(i);
    const int descriptors = count_in("/proc/self/fd"), maps = count_in("/proc/self/maps");
    for (int i = 3; i < often; i++) {
        calls("parent", 1);
        fork_one(i);
    }
    printf("descriptors %d maps %d\n", count_in("/proc/self/fd") - descriptors,
           count_in("/proc/self/maps") - maps);
}

static void *forks(void *argument)
{
    const int first = (int)(long)argument;
    for (int i = first; i < first + often / 4; i++)
        fork_one(i);
    return NULL;
}

static void *does_everything(void *argument)
{
    char name[32];
    for (int i = 0; !atomic_load(&stop); i++) {
        pthread_t id;
        scope_options options = SCOPE_OPTIONS_INIT;
        scope_session *session = NULL;
        options.no_output = 1;
        snprintf(name, sizeof name, "new %ld %d", (long)argument, i % 2000);
        calls(name, 1);
        calls("parent", 10);
        if (i % 8 == 0 && !pthread_create(&id, NULL, records, "parent"))
            pthread_join(id, NULL);
        if (i % 8 == 1 && scope_session_create(&options, &session) == SCOPE_OK) {
            scope_session_begin(session, 1);
            scope_session_close(session);
        }
    }
    return NULL;
}

static void at_once(void)
{
    pthread_t ids[4], forking[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&ids[i], NULL, does_everything, (void *)i);
    for (long i = 0; i < 4; i++)
        pthread_create(&forking[i], NULL, forks, (void *)(3 * i));
    for (int i = 0; i < 4; i++)
        pthread_join(forking[i], NULL);
    atomic_store(&stop, 1);
    for (int i = 0; i < 4; i++)
        pthread_join(ids[i], NULL);
}

static atomic_int forked;

static void fork_here(int signal_number)
{
    (void)signal_number;
    const int number = 3 * atomic_fetch_add(&forked, 1); /* exit() is not for handlers */
    const pid_t child = fork();
    if (child == 0) {
        calls("child", 5);
        _exit(0);
    }
    wait_for(child, number);
}

static void in_handlers(void)
{
    struct sigaction action = {.sa_handler = fork_here, .sa_flags = SA_RESTART};
    const struct itimerval timer = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
    char name[32];
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; atomic_load(&forked) < often; i++) {
        snprintf(name, sizeof name, "new %d", i % 5000); /* more would not fit into its budget */
        calls(name, 1);
        calls("parent", 5);
    }
    setitimer(ITIMER_REAL, &none, NULL);
}

/* A daemon's way, inside a call; the first child ends at once, with a call of its own. */
static void twice(void)
{
    scope_region_begin_name("parent");
    const pid_t child = fork();
    if (child == 0) {
        const pid_t grandchild = fork();
        scope_region_end_name("parent"); /* the parent's call: no child has it open */
        if (grandchild == 0)
            be_child(2);
        wait_for(grandchild, 2);
        be_child(0);
    }
    scope_region_end_name("parent");
    wait_for(child, 0);
    atomic_fetch_add(&ended, 1); /* the grandchild */
}

/* A handler jumps out of the writing of a file, misuse; then another thread forks. */
static sigjmp_buf away;
static volatile sig_atomic_t may_jump;

static void jumps(int signal_number)
{
    (void)signal_number;
    if (may_jump)
        siglongjmp(away, 1);
}

static void *forks_two(void *unused)
{
    for (int i = 0; i < 3; i += 2) {
        const pid_t child = fork();
        if (child == 0 && scope_init(NULL) != SCOPE_OK)
            _exit(8);
        if (child == 0)
            be_child(i);
        wait_for(child, i);
    }
    return unused;
}

static void beside_a_jump(void)
{
    struct sigaction action = {.sa_handler = jumps};
    pthread_t id;
    char name[32];
    sigaction(SIGALRM, &action, NULL);
    for (volatile int round = 0; scope_init(NULL) == SCOPE_OK; round++) {
        if (round == 200)
            exit(6);
        for (int i = 0; i < 5000; i++) {
            snprintf(name, sizeof name, "name %d", i);
            calls(name, 1);
        }
        const struct itimerval timer = {{0, 0}, {0, 3000 + 700 * round}}, none = {{0, 0}, {0, 0}};
        if (sigsetjmp(away, 1) == 0) {
            may_jump = 1;
            setitimer(ITIMER_REAL, &timer, NULL);
            scope_finalize();
        }
        may_jump = 0;
        setitimer(ITIMER_REAL, &none, NULL);
    }
    pthread_create(&id, NULL, forks_two, NULL);
    pthread_join(id, NULL);
    printf("children %ld %ld\n", ended_fast, ended);
    fflush(stdout);
    _exit(0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } modes[] = {{"loop", in_a_loop},
                 {"at-once", at_once},
                 {"handlers", in_handlers},
                 {"twice", twice},
                 {"beside-a-jump", beside_a_jump}};
    if (argc > 2)
        often = atoi(argv[2]);
    scope_init(NULL);
    calls("parent", 10);
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].name, argv[1]))
            modes[i].function();
    printf("children %ld %ld\n", ended_fast, ended);
    fflush(stdout);
    return scope_finalize() == SCOPE_OK ? 0 : 2;
}
