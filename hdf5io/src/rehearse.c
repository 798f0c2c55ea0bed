/* rehearse.c - see rehearse.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rehearse.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* in the child */
static rlim_t allowed_seconds, allowed_bytes;

static rlim_t limit_to(int resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return most;
    limit.rlim_cur =
        limit.rlim_max != RLIM_INFINITY && most > limit.rlim_max ? limit.rlim_max : most;
    setrlimit(resource, &limit);
    return limit.rlim_cur;
}

/* Private memory that is mapped now, which RLIMIT_DATA counts. 0 unknown. */
static rlim_t data_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static rlim_t more(rlim_t than, uint64_t by)
{
    return by < RLIM_INFINITY / 2 - than ? than + by : RLIM_INFINITY / 2;
}

void scope_rehearse_allow(unsigned cpu_seconds, uint64_t memory_bytes)
{
    if (allowed_seconds && cpu_seconds)
        allowed_seconds = limit_to(RLIMIT_CPU, more(allowed_seconds, cpu_seconds));
    if (allowed_bytes && memory_bytes)
        allowed_bytes = limit_to(RLIMIT_DATA, more(allowed_bytes, memory_bytes));
}

static void run_child(void (*work)(void *), void *context, const scope_rehearse_limits *limits)
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
    allowed_seconds = limit_to(RLIMIT_CPU, limits->cpu_seconds);
    const rlim_t used = data_bytes();
    if (used)
        allowed_bytes = limit_to(RLIMIT_DATA, more(used, limits->memory_bytes));
    work(context);
    _exit(seen >= 0 && lseek(seen, 0, SEEK_CUR) > 0);
}

bool scope_rehearse(void (*work)(void *), void *context, const scope_rehearse_limits *limits)
{
    int status = 0;
    pid_t ended;
    const pid_t child = fork();
    if (child == 0)
        run_child(work, context, limits);
    if (child < 0)
        return true;
    while ((ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    return ended != child || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
