/* fork.c - processes that come from others; argv[1] says how.
 *
 * The parent has 10 "parent before" and 20 "parent after" calls, a child that
 * records 5 "child" ones. Children end by exit(), the parent waits.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <pthread.h>
#include <scope/scope.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const char *mode;

static void calls(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
}

static void wait_for(pid_t child)
{
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3) {
        fprintf(stderr, "child: status %x\n", (unsigned)status);
        exit(5);
    }
}

static void *fork_in_thread(void *unused)
{
    scope_region_begin_name("open at fork");
    const pid_t child = fork();
    if (child == 0) {
        calls("child", 5);
        exit(3);
    }
    scope_region_end_name("open at fork");
    wait_for(child);
    return unused;
}

static void *records_meanwhile(void *stop)
{
    while (!__atomic_load_n((int *)stop, __ATOMIC_ACQUIRE))
        calls("meanwhile", 10);
    return NULL;
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : "fork";
    if (!strcmp(mode, "leaf")) { /* what a child execs */
        scope_init(NULL);
        calls("leaf", 4);
        return 3;
    }
    scope_init(NULL);
    calls("parent before", 10);
    pid_t child = -1;
    if (!strcmp(mode, "fork") || !strcmp(mode, "_exit") || !strcmp(mode, "nested")) {
        scope_region_begin_name("open at fork");
        child = fork();
        if (child == 0) {
            calls("child", 5);
            if (!strcmp(mode, "nested")) {
                const pid_t grandchild = fork();
                if (grandchild == 0) {
                    calls("grandchild", 6);
                    exit(3);
                }
                wait_for(grandchild);
            }
            if (!strcmp(mode, "_exit"))
                _exit(3);
            exit(3);
        }
        scope_region_end_name("open at fork");
        wait_for(child);
    } else if (!strcmp(mode, "silent")) { /* a child that records nothing leaves nothing */
        child = fork();
        if (child == 0)
            exit(3);
        wait_for(child);
    } else if (!strcmp(mode, "thread")) {
        int stop = 0;
        pthread_t id, other;
        pthread_create(&other, NULL, records_meanwhile, &stop);
        for (int i = 0; i < 5; i++) {
            pthread_create(&id, NULL, fork_in_thread, NULL);
            pthread_join(id, NULL);
        }
        __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
        pthread_join(other, NULL);
    } else if (!strcmp(mode, "vfork")) {
        child = vfork();
        if (child == 0) {
            execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
            _exit(9);
        }
        wait_for(child);
        child = vfork();
        if (child == 0)
            _exit(3); /* in the parent's memory */
        wait_for(child);
    } else if (!strcmp(mode, "spawn")) {
        char *arguments[] = {"sh", "-c", "exit 3", NULL};
        if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ))
            return 6;
        wait_for(child);
        if (system("exit 3") != 3 << 8)
            return 7;
    } else if (!strcmp(mode, "exec")) { /* a child that execs a program that records */
        child = fork();
        if (child == 0) {
            execl(argv[0], argv[0], "leaf", (char *)NULL);
            _exit(9);
        }
        wait_for(child);
    }
    calls("parent after", 20);
    printf("%ld\n", (long)getpid());
    return scope_finalize() == SCOPE_OK ? 0 : 2;
}
