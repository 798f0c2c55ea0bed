/* kill_at_syscall.c - runs a program and kills it at its n-th system call on files of a folder.
 *
 *     kill_at_syscall [-n N] [-a] [-l LOG] [-p FOLDER]... PROGRAM ARGUMENT...
 *
 * Counted are the calls that make, change, rename, remove or sync what lies in FOLDER (any
 * number of them), and FOLDER itself, of the program and of all it starts. At the N-th the
 * process that made it gets SIGKILL: before the kernel does anything or, with -a, after it
 * did all. LOG has a line per call: number, pid, name, path, and for a rename its new path;
 * the last says "killed" or "ended". It ends as the program did, by its signal too.
 *
 * ptrace with a seccomp filter: nothing in the program can miss it, and only these calls
 * are slower. 77: the kernel lets us do neither.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct call_kind {
    int number;
    const char *name;
    int fd, at, path, new_at, new_path; /* which argument; -1: none */
} call_kind;

/* clang-format off */
static const call_kind kinds[] = {
#ifdef SYS_open
    {SYS_open, "open", -1, -1, 0, -1, -1},
#endif
    {SYS_openat, "open", -1, 0, 1, -1, -1},
#ifdef SYS_creat
    {SYS_creat, "open", -1, -1, 0, -1, -1},
#endif
    {SYS_close, "close", 0, -1, -1, -1, -1},
    {SYS_write, "write", 0, -1, -1, -1, -1},
    {SYS_writev, "write", 0, -1, -1, -1, -1},
    {SYS_pwrite64, "write", 0, -1, -1, -1, -1},
    {SYS_pwritev, "write", 0, -1, -1, -1, -1},
    {SYS_ftruncate, "truncate", 0, -1, -1, -1, -1},
    {SYS_truncate, "truncate", -1, -1, 0, -1, -1},
    {SYS_fallocate, "allocate", 0, -1, -1, -1, -1},
    {SYS_fsync, "fsync", 0, -1, -1, -1, -1},
    {SYS_fdatasync, "fsync", 0, -1, -1, -1, -1},
#ifdef SYS_rename
    {SYS_rename, "rename", -1, -1, 0, -1, 1},
#endif
#ifdef SYS_renameat
    {SYS_renameat, "rename", -1, 0, 1, 2, 3},
#endif
    {SYS_renameat2, "rename", -1, 0, 1, 2, 3},
#ifdef SYS_link
    {SYS_link, "link", -1, -1, 0, -1, 1},
#endif
    {SYS_linkat, "link", -1, 0, 1, 2, 3},
#ifdef SYS_unlink
    {SYS_unlink, "unlink", -1, -1, 0, -1, -1},
#endif
    {SYS_unlinkat, "unlink", -1, 0, 1, -1, -1},
};
/* clang-format on */

enum { KINDS = sizeof kinds / sizeof *kinds, FOLDERS_MAX = 8 };

static const char *folders[FOLDERS_MAX];
static int folder_count;
static long wanted, seen;
static bool after, killed;
static FILE *list;

static struct waiting { /* a counted call that is under way */
    pid_t thread;
    long number;
} waiting[256];

/* ---- what a call is about ---- */

static void follow(pid_t thread, const char *what, long number, char path[PATH_MAX])
{
    char link[64];
    if (number >= 0)
        snprintf(link, sizeof link, "/proc/%d/%s/%ld", (int)thread, what, number);
    else
        snprintf(link, sizeof link, "/proc/%d/%s", (int)thread, what);
    const ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = 0;
}

/* The text at an address of the program, never across a page that may not be there. */
static void read_text(pid_t thread, unsigned long long address, char text[PATH_MAX])
{
    size_t length = 0;
    while (length < PATH_MAX - 1) {
        const size_t page = 4096 - (address + length) % 4096;
        const size_t room = PATH_MAX - 1 - length;
        struct iovec to = {text + length, page < room ? page : room};
        struct iovec from = {(void *)(uintptr_t)(address + length), to.iov_len};
        if (process_vm_readv(thread, &to, 1, &from, 1, 0) <= 0)
            break;
        if (memchr(text + length, 0, to.iov_len))
            return;
        length += to.iov_len;
    }
    text[length] = 0;
}

static void absolute(pid_t thread, long at, unsigned long long address, char path[PATH_MAX])
{
    char text[PATH_MAX], base[PATH_MAX];
    read_text(thread, address, text);
    if (*text == '/') {
        strcpy(path, text);
        return;
    }
    if (at == AT_FDCWD)
        follow(thread, "cwd", -1, base);
    else
        follow(thread, "fd", at, base);
    if (snprintf(path, PATH_MAX, "%s/%s", base, text) >= PATH_MAX)
        path[PATH_MAX - 1] = 0;
}

static bool is_ours(const char *path)
{
    for (int i = 0; i < folder_count; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && (!path[length] || path[length] == '/'))
            return true;
    }
    return false;
}

/* ---- one call ---- */

static void kill_process_of(pid_t thread)
{
    char name[64], line[256];
    int process = thread;
    snprintf(name, sizeof name, "/proc/%d/status", (int)thread);
    FILE *status = fopen(name, "re");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "Tgid: %d", &process) == 1)
            break;
    if (status)
        fclose(status);
    killed = true;
    kill(process, SIGKILL);
}

/* true: this call counts, its end is of interest. */
static bool begins(pid_t thread)
{
    struct __ptrace_syscall_info info;
    char path[PATH_MAX] = "", new_path[PATH_MAX] = "";
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0)
        return false;
    const call_kind *kind = kinds;
    while (kind < kinds + KINDS && (unsigned long long)kind->number != info.seccomp.nr)
        kind++;
    if (kind == kinds + KINDS)
        return false;
    const __typeof__(info.seccomp.args[0]) *args = info.seccomp.args;
    if (kind->fd >= 0)
        follow(thread, "fd", (int)args[kind->fd], path);
    else
        absolute(thread, kind->at < 0 ? AT_FDCWD : (int)args[kind->at], args[kind->path], path);
    if (kind->new_path >= 0)
        absolute(thread, kind->new_at < 0 ? AT_FDCWD : (int)args[kind->new_at],
                 args[kind->new_path], new_path);
    if (!is_ours(path) && !is_ours(new_path))
        return false;
    seen++;
    if (list)
        fprintf(list, "%ld %d %s %s%s%s\n", seen, (int)thread, kind->name, path,
                *new_path ? "\t" : "", new_path);
    if (seen == wanted && !after) {
        kill_process_of(thread);
        return false;
    }
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
        if (!waiting[i].thread) {
            waiting[i] = (struct waiting){thread, seen};
            return true;
        }
    return false;
}

static void ends(pid_t thread)
{
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
        if (waiting[i].thread == thread) {
            if (waiting[i].number == wanted && after)
                kill_process_of(thread);
            waiting[i].thread = 0;
        }
}

/* ---- the program ---- */

static int start(char **arguments, int go)
{
    struct sock_filter filter[2 * KINDS + 2];
    int length = 0;
    char byte;
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                    offsetof(struct seccomp_data, nr));
    for (int i = 0; i < KINDS; i++) {
        filter[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                        (unsigned)kinds[i].number, 0, 1);
        filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    filter[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {(unsigned short)length, filter};
    if (read(go, &byte, 1) != 1 || close(go) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(77);
    execvp(arguments[0], arguments);
    perror(arguments[0]);
    _exit(127);
}

static int watch(pid_t first)
{
    int status, code = 0;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (thread < 0)
            continue;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            ends(thread);
            if (thread == first)
                code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        const int event = status >> 16, signal = WSTOPSIG(status);
        if (event == PTRACE_EVENT_SECCOMP) {
            ptrace(begins(thread) ? PTRACE_SYSCALL : PTRACE_CONT, thread, 0, 0);
        } else if (signal == (SIGTRAP | 0x80)) {
            ends(thread);
            ptrace(PTRACE_CONT, thread, 0, 0);
        } else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
            ptrace(PTRACE_LISTEN, thread, 0, 0);
        } else {
            ptrace(PTRACE_CONT, thread, 0, event ? 0 : signal);
        }
    }
    return code;
}

int main(int argc, char **argv)
{
    int go[2];
    for (int option; (option = getopt(argc, argv, "+n:al:p:")) != -1;) {
        if (option == 'n')
            wanted = atol(optarg);
        else if (option == 'a')
            after = true;
        else if (option == 'l')
            list = fopen(optarg, "we");
        else if (option == 'p' && folder_count < FOLDERS_MAX)
            folders[folder_count++] = optarg;
        else
            return 2;
    }
    if (optind >= argc || pipe2(go, O_CLOEXEC))
        return 2;
    const pid_t child = fork();
    if (child == 0)
        start(argv + optind, go[0]);
    close(go[0]);
    if (child < 0 || ptrace(PTRACE_SEIZE, child, 0,
                            PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP |
                                PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)) {
        perror("ptrace");
        return 77;
    }
    if (write(go[1], "", 1) != 1)
        return 77;
    close(go[1]);
    const int code = watch(child);
    if (list) {
        fprintf(list, "%s\n", killed ? "killed" : "ended");
        fclose(list);
    }
    if (code > 128)
        kill(getpid(), code - 128);
    return code;
}
