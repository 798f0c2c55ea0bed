/* input.c - a profile from a file, whatever kind of file it is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <scope/export.h>

#include "command.h"
#include "progress.h"

/* Nothing is read from what is not a regular file: a FIFO would block. */
static scope_status first_bytes(const char *path, unsigned char bytes[8], int *reason)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *reason = errno;
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? SCOPE_ERR_MISSING : SCOPE_ERR_IO;
    memset(bytes, 0, 8);
    const bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    const ssize_t got = regular ? read(fd, bytes, 8) : 0;
    *reason = got < 0 ? errno : regular ? 0 : S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    close(fd);
    return *reason ? SCOPE_ERR_IO : SCOPE_OK;
}

static bool is_spool(const unsigned char bytes[8])
{
    uint64_t magic;
    memcpy(&magic, bytes, sizeof magic);
    return magic == SCOPE_RECORDING_MAGIC;
}

bool input_is_spool(const char *path)
{
    unsigned char bytes[8];
    int reason;
    return first_bytes(path, bytes, &reason) == SCOPE_OK && is_spool(bytes);
}

static scope_status open_spool(const char *command, input *input)
{
    scope_status status = scope_spool_open(input->path, &input->spool);
    if (status == SCOPE_OK)
        status = scope_replay(scope_spool_recording(input->spool), 0, &input->calls);
    for (size_t i = 0; status == SCOPE_OK && i < input->calls->rank_row_count; i++)
        if (input->calls->ranks[i].end_kind == SCOPE_END_OPEN)
            input->calls->ranks[i].end_kind =
                scope_spool_was_alive(input->spool) ? SCOPE_END_RUNNING : SCOPE_END_KILLED;
    if (status == SCOPE_ERR_MISSING)
        command_say(command, "%s: nothing was recorded in it", input->path);
    else if (status != SCOPE_OK)
        command_say(command, "%s: %s", input->path, scope_status_text(status));
    return status;
}

/* `json` of scope export, gzip or not; a trace of scope-profiler 0.7.5. */
static bool is_import(const unsigned char bytes[8])
{
    return bytes[0] == '{' || (bytes[0] == 0x1f && bytes[1] == 0x8b) ||
           memcmp(bytes, "SCOPEPRF", 8) == 0;
}

static scope_status open_import(const char *command, const unsigned char bytes[8], input *input)
{
    char message[512];
    const scope_status status = bytes[0] == 'S'
                                    ? scope_import_trace(input->path, &input->calls, message)
                                    : scope_import_json(input->path, &input->calls, message);
    if (status != SCOPE_OK)
        command_say(command, "%s", message);
    return status;
}

/* What the writer left out (exclusive times; old ones and those with threads that
 * nobody tracked do) is computed where the calls nest. */
static void complete(scope_calls *calls)
{
    bool missing = false;
    for (size_t i = 0; i < calls->pair_count; i++)
        missing = missing || calls->pairs[i].exclusive_ns < 0;
    if (missing && calls->count)
        scope_calls_nest(calls, 0, NULL);
}

scope_status input_open(const char *command, const char *path, input *input)
{
    unsigned char bytes[8];
    int reason;
    *input = (struct input){.path = path};
    scope_status status = first_bytes(path, bytes, &reason);
    if (status != SCOPE_OK) {
        command_say(command, "%s: %s", path,
                    reason == EINVAL ? "is not a regular file" : strerror(reason));
        return status;
    }
    progress_begin("reading %s", path);
    if (is_spool(bytes)) {
        status = open_spool(command, input);
    } else if (is_import(bytes)) {
        status = open_import(command, bytes, input);
        if (status == SCOPE_OK)
            complete(input->calls);
    } else {
        status = scope_file_open(path, &input->file);
        if (status == SCOPE_OK)
            input->calls = (scope_calls *)(uintptr_t)scope_file_calls(input->file);
        if (status == SCOPE_OK)
            complete(input->calls);
    }
    progress_end();
    if (status != SCOPE_OK && !is_spool(bytes) && !is_import(bytes)) {
        const char *message = scope_file_message();
        if (*message)
            command_say(command, "%s", message);
        else
            command_say(command, "%s: %s", path, scope_status_text(status));
    }
    if (status != SCOPE_OK)
        input_close(input);
    return status;
}

void input_close(input *input)
{
    if (!input->file)
        scope_calls_free(input->calls);
    scope_file_close(input->file);
    scope_spool_close(input->spool);
    *input = (struct input){0};
}

void input_end(const scope_rank_row *rank, char *text, unsigned size)
{
    switch (rank->end_kind) {
    case SCOPE_END_FINISHED:
        snprintf(text, size, "finished");
        break;
    case SCOPE_END_EXIT_FAST:
        snprintf(text, size, "_exit(%d)", (int)rank->end_value);
        break;
    case SCOPE_END_MPI_ABORT:
        snprintf(text, size, "MPI_Abort(%d)", (int)rank->end_value);
        break;
    case SCOPE_END_NO_RECORDING:
        snprintf(text, size, "did not record");
        break;
    case SCOPE_END_KILLED:
        snprintf(text, size, "killed");
        break;
    case SCOPE_END_RUNNING:
        snprintf(text, size, "running");
        break;
    default:
        snprintf(text, size, "not ended");
    }
}
