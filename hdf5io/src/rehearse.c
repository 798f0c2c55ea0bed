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

static void run_child(void (*work)(void *), void *context, unsigned cpu_seconds)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGSYS};
    const struct rlimit no_core = {0, 0}, time = {cpu_seconds, cpu_seconds + 1};
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
    setrlimit(RLIMIT_CPU, &time);
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
