/* fuzz_file.c - HDF5 files of every schema.
 *
 * The reader lets a child process go first (hdf5io/src/rehearse.h), because HDF5 itself does
 * not survive every damaged file. Here that child's death by a signal is HDF5's affair, but
 * what a sanitizer finds in our code is not: scope_rehearse is replaced by one that tells the
 * two apart.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file_input.h"
#include "rehearse.h"

#define SANITIZER_EXIT 99 /* fuzz.c */

/* What HDF5 does with the memory of a damaged file is not ours to mend. */
__attribute__((visibility("default"))) const char *__asan_default_suppressions(void);
const char *__asan_default_suppressions(void)
{
    return "interceptor_via_lib:libhdf5\ninterceptor_via_lib:libz\n";
}

__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5\n";
}

static void run_child(void (*work)(void *), void *context, int said)
{
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGSYS};
    const struct rlimit no_core = {0, 0}, seconds = {1, 1};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &seconds);
    dup2(said, STDERR_FILENO);
    work(context);
    _exit(0);
}

/* The sanitizer's words; only memory that was freed in a wrong way can be HDF5's doing. */
static bool is_ours(int said, char *text, size_t size)
{
    const ssize_t got = pread(said, text, size - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    return !strstr(text, "double-free") && !strstr(text, "bad-free") &&
           !strstr(text, "attempting free on address");
}

bool __wrap_scope_rehearse(void (*work)(void *), void *context,
                           const scope_rehearse_limits *limits);
bool __wrap_scope_rehearse(void (*work)(void *), void *context, const scope_rehearse_limits *limits)
{
    static char text[65536];
    int status = 0;
    const int said = memfd_create("said", MFD_CLOEXEC);
    (void)limits;
    const pid_t child = said < 0 ? -1 : fork();
    if (child == 0)
        run_child(work, context, said);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ; /* libFuzzer's clock */
    if (child < 0)
        abort();
    if (WIFEXITED(status) && WEXITSTATUS(status) == SANITIZER_EXIT &&
        is_ours(said, text, sizeof text)) {
        fputs(text, stderr);
        fuzz_fail("a sanitizer is content with the rehearsal", __FILE__, __LINE__);
    }
    close(said);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void check(const uint8_t *bytes, size_t length)
{
    scope_file *file = NULL;
    const scope_status status = scope_file_open(fuzz_path(bytes, length), &file);
    if (status != SCOPE_OK) {
        FUZZ_CHECK(strstr(scope_file_message(), fuzz_folder()));
        return;
    }
    fuzz_use_table((scope_calls *)(uintptr_t)scope_file_calls(file));
    scope_file_close(file);
}

const fuzz_target fuzz = {.name = "file", .check = check, .mutate = file_mutate, .tries = 500};
