/* marks.c - small files beside the spools, by which processes of one run know of each other.
 *
 * SPDX-License-Identifier: MIT
 */
#include "marks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "identity.h"
#include "run_id.h"
#include "spool_file.h"

#define MARK_SECONDS (7 * 24 * 3600) /* then nobody of that run is left */

static void run_text(char text[SCOPE_RUN_ID_TEXT_BYTES])
{
    uint8_t run_id[16];
    scope_identity_run(run_id);
    scope_run_id_format(run_id, text);
}

/* The folder of spools that needs no option: all processes of a run agree on it. -1: none. */
static int common_folder(void)
{
    char folder[1024], why[160];
    const char *temporary = getenv("TMPDIR");
    int at = -1;
    if (temporary && temporary[0] == '/')
        at = scope_spool_folder(temporary, folder, sizeof folder, why, sizeof why);
    return at < 0 ? scope_spool_folder("/tmp", folder, sizeof folder, why, sizeof why) : at;
}

#define NAME_BYTES (SCOPE_RUN_ID_TEXT_BYTES + 32)

static void recorded_name(char name[NAME_BYTES])
{
    char run[SCOPE_RUN_ID_TEXT_BYTES];
    run_text(run);
    snprintf(name, NAME_BYTES, "%s.recorded", run);
}

void scope_mark_recorded(void)
{
    char name[NAME_BYTES];
    const int folder = common_folder();
    if (folder < 0)
        return;
    recorded_name(name);
    const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 && scope_identity_is_run()) {
        char text[sizeof scope_store.path + 32];
        const int length =
            snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), scope_store.path);
        const ssize_t written = ftruncate(fd, 0) ? -1 : write(fd, text, (size_t)length);
        (void)written;
    }
    if (fd >= 0)
        close(fd);
    close(folder);
}

/* ---- claims ---- */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    while (*text)
        hash = (hash ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
    return hash;
}

/* Marks of runs that are long over. Takes the descriptor. */
static void sweep(int folder)
{
    DIR *entries = fdopendir(folder);
    struct stat info;
    const struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (suffix &&
            (strcmp(suffix, ".claim") == 0 || strcmp(suffix, ".recorded") == 0 ||
             strcmp(suffix, ".wrote") == 0) &&
            fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            info.st_mtime + MARK_SECONDS < time(NULL))
            unlinkat(folder, entry->d_name, 0);
    }
    if (entries)
        closedir(entries);
    else
        close(folder);
}

/* The spool that the mark names, if this process wrote it. */
static void read_spool(int folder, const char *name, char *spool, size_t size_bytes)
{
    char text[sizeof scope_store.path + 32], *end;
    spool[0] = 0;
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = 0;
    text[strcspn(text, "\n")] = 0;
    if (strtol(text, &end, 10) == (long)getpid() && *end == ' ')
        snprintf(spool, size_bytes, "%s", end + 1);
}

bool scope_mark_take_recorded(char *spool, size_t size_bytes)
{
    char name[NAME_BYTES];
    const int folder = common_folder();
    spool[0] = 0;
    if (folder < 0)
        return false;
    recorded_name(name);
    read_spool(folder, name, spool, size_bytes);
    if (unlinkat(folder, name, 0)) {
        close(folder);
        return false;
    }
    sweep(folder);
    return true;
}

bool scope_mark_claim(const char *output)
{
    char name[NAME_BYTES], run[SCOPE_RUN_ID_TEXT_BYTES], text[32] = "";
    const int folder = common_folder();
    bool claimed = true;
    if (folder < 0)
        return true;
    run_text(run);
    snprintf(name, sizeof name, "%s-%016llx.claim", run, (unsigned long long)hash_text(output));
    const int made =
        openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (made >= 0) {
        const int length = snprintf(text, sizeof text, "%ld", (long)getpid());
        const ssize_t written = write(made, text, (size_t)length);
        (void)written;
        close(made);
        sweep(folder);
        return true;
    }
    const int fd = errno == EEXIST ? openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd >= 0) {
        const ssize_t length = read(fd, text, sizeof text - 1);
        close(fd);
        text[length > 0 ? length : 0] = 0;
        claimed = strtol(text, NULL, 10) == (long)getpid();
    }
    close(folder);
    return claimed;
}

/* ---- what was written before an exec ---- */

static pid_t marked_by; /* the process that has a mark */
static char mark_name[160];
static bool ending;

/* The same in all images of this process. false: there is no recording that says it. */
static bool name_mark(void)
{
    const scope_recording_header *process = scope_store.header;
    if (scope_store.is_open)
        snprintf(mark_name, sizeof mark_name, "%.36s-%llu-%llu-%lld.wrote", process->boot_id,
                 (unsigned long long)process->pid_namespace, (unsigned long long)process->pid,
                 (long long)process->process_start_ticks);
    return scope_store.is_open;
}

void scope_mark_wrote(const char *output)
{
    const int folder = ending || !name_mark() ? -1 : common_folder();
    if (folder < 0)
        return;
    const int fd =
        openat(folder, mark_name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) {
        const ssize_t written = write(fd, output, strlen(output) + 1);
        (void)written;
        close(fd);
    }
    if (fd < 0 || marked_by == getpid()) {
        close(folder);
        return;
    }
    marked_by = getpid();
    sweep(folder);
}

/* Is `output` one of these names, each with a NUL? */
static bool has_name(const char *names, size_t length, const char *output)
{
    const size_t size = strlen(output) + 1;
    for (size_t at = 0; at < length; at += strnlen(names + at, length - at) + 1)
        if (length - at >= size && memcmp(names + at, output, size) == 0)
            return true;
    return false;
}

bool scope_mark_wrote_before(const char *output)
{
    struct stat info;
    const int folder = name_mark() ? common_folder() : -1;
    if (folder < 0)
        return false;
    const int fd = openat(folder, mark_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    close(folder);
    if (fd < 0)
        return false;
    marked_by = getpid();
    const size_t length = fstat(fd, &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
    char *names = length ? mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (names == MAP_FAILED)
        return false;
    const bool wrote = has_name(names, length, output);
    munmap(names, length);
    return wrote;
}

void scope_mark_ending(void)
{
    ending = true;
}

void scope_mark_end(void)
{
    const int folder = marked_by == getpid() ? common_folder() : -1;
    if (folder < 0)
        return;
    unlinkat(folder, mark_name, 0);
    close(folder);
}
