/* rehearse.c - see rehearse.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rehearse.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static rlim_t allowed_seconds; /* in the child */

static void allow(rlim_t seconds)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    if (limit.rlim_max != RLIM_INFINITY && seconds > limit.rlim_max)
        seconds = limit.rlim_max;
    limit.rlim_cur = allowed_seconds = seconds;
    setrlimit(RLIMIT_CPU, &limit);
}

void scope_rehearse_allow(unsigned cpu_seconds)
{
    if (allowed_seconds && cpu_seconds)
        allow(allowed_seconds + cpu_seconds);
}

static void run_child(void (*work)(void *), void *context, unsigned cpu_seconds)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGSYS};
    const struct rlimit no_core = {0, 0};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], SIG_DFL); /* the program's handlers are not for us */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int seen = memfd_create("scope", MFD_CLOEXEC);
    if (seen < 0)
        seen = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (seen >= 0) { /* what malloc or HDF5 say when they find their memory broken */
        dup2(seen, STDOUT_FILENO);
        dup2(seen, STDERR_FILENO);
    }
    setrlimit(RLIMIT_CORE, &no_core);
    allow(cpu_seconds);
    work(context);
    _exit(seen >= 0 && lseek(seen, 0, SEEK_CUR) > 0);
}

bool scope_rehearse(void (*work)(void *), void *context, unsigned cpu_seconds)
{
    int status = 0;
    pid_t ended;
    const pid_t child = fork();
    if (child == 0)
        run_child(work, context, cpu_seconds);
    if (child < 0)
        return true;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    return ended != child || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
