/* hosts.c - things that host programs do to a process; argv[1] says which.
 *
 * Each prints "name count" lines of what must be in the file.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char **arguments;

static void calls(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
}

static void *forever(void *unused)
{
    scope_region_begin_name("cancelled");
    for (;;)
        pause();
    return unused;
}

static void cancel(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t id;
        pthread_create(&id, NULL, forever, NULL);
        usleep(2000);
        pthread_cancel(id);
        pthread_join(id, NULL);
    }
    calls("work", 5);
    puts("work 5");
}

static void *small(void *unused)
{
    calls("on a small stack", 3);
    return unused;
}

static void small_stacks(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    for (int i = 0; i < 10; i++) {
        pthread_t id;
        if (pthread_create(&id, &attributes, small, NULL))
            exit(4);
        pthread_join(id, NULL);
    }
    puts("on a small stack 30");
}

static void *finish(void *main_thread)
{
    pthread_join(*(pthread_t *)main_thread, NULL);
    calls("after main's end", 4);
    puts("after main's end 4\nwork 2");
    exit(0); /* from another thread, with the main one gone */
}

static void main_ends(void)
{
    static pthread_t self;
    pthread_t id;
    self = pthread_self();
    calls("work", 2);
    pthread_create(&id, NULL, finish, &self);
    pthread_exit(NULL);
}

static void *detached(void *unused)
{
    for (;;)
        calls("detached", 1);
    return unused;
}

static void detached_at_exit(void)
{
    pthread_t id;
    for (int i = 0; i < 4; i++) {
        pthread_create(&id, NULL, detached, NULL);
        pthread_detach(id);
    }
    usleep(20000);
    calls("work", 6);
    puts("work 6");
    exit(0); /* while they record */
}

static void close_everything(void)
{
    calls("work", 3);
    fflush(stdout);
    for (int fd = 3; fd < 65536; fd++)
        close(fd);
    for (int i = 0; i < 20; i++) { /* and the numbers are the program's now */
        char name[32];
        snprintf(name, sizeof name, "mine-%d", i);
        const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || write(fd, "mine", 4) != 4)
            exit(5);
    }
    for (int i = 0; i < 200000; i++)
        calls("work", 1);
    puts("work 200003");
}

static void few_descriptors(void)
{
    const struct rlimit limit = {16, 16};
    setrlimit(RLIMIT_NOFILE, &limit);
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    calls("work", 9);
    for (int fd = 3; fd < 16; fd++)
        close(fd);
    puts("work 9");
}

static void blocked_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    calls("work", 8);
    puts("work 8");
}

static void become_daemon(void)
{
    calls("work", 1); /* the first parent's */
    fflush(stdout);
    if (daemon(1, 1))
        exit(6);
    calls("in daemon", 7);
}

static void run_again(void)
{
    calls("first image", 11);
    execl("/proc/self/exe", arguments[0], "second", (char *)NULL);
    exit(7);
}

static void second(void)
{
    calls("second image", 12);
    puts("second image 12");
}

static void alternate_handler(int number)
{
    (void)number;
    calls("on the alternate stack", 1);
}

static void alternate_stack(void)
{
    static char memory[65536];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    struct sigaction action = {.sa_handler = alternate_handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&stack, NULL);
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 50; i++)
        raise(SIGUSR1);
    puts("on the alternate stack 50");
}

static void many_children(void)
{
    for (int i = 0; i < 60; i++)
        if (fork() == 0) {
            calls("child", 1 + i);
            exit(0);
        }
    while (wait(NULL) > 0)
        ;
    calls("work", 4);
    puts("work 4");
}

static void remove_directory(void)
{
    mkdir("gone", 0700);
    if (chdir("gone") || rmdir("../gone"))
        exit(8);
    calls("work", 2);
    puts("work 2");
}

static void huge_counters(void)
{
    const double values[] = {0.0, -1.5, 1e308, -1e-308, 3.141592653589793};
    calls("work", 1);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        scope_counter("value", values[i]);
    for (int i = 0; i < 7; i++)
        scope_mark("mark");
    puts("work 1");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } modes[] = {{"cancel", cancel},
                 {"small-stacks", small_stacks},
                 {"main-ends", main_ends},
                 {"detached", detached_at_exit},
                 {"close-everything", close_everything},
                 {"few-descriptors", few_descriptors},
                 {"blocked-signals", blocked_signals},
                 {"daemon", become_daemon},
                 {"run-again", run_again},
                 {"second", second},
                 {"alternate-stack", alternate_stack},
                 {"many-children", many_children},
                 {"remove-directory", remove_directory},
                 {"counters", huge_counters}};
    arguments = argv;
    scope_init(NULL);
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].name, argv[1]))
            modes[i].function();
    fflush(stdout);
    return 0;
}
