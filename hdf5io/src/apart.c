/* apart.c - see apart.h: rank 0's end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "apart.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "message.h"
#include "parcel.h"

bool scope_apart_send(int fd, const void *bytes, size_t length_bytes)
{
    for (const char *at = bytes; length_bytes;) {
        const ssize_t put = send(fd, at, length_bytes, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        length_bytes -= (size_t)put;
    }
    return true;
}

bool scope_apart_receive(int fd, void *bytes, size_t length_bytes)
{
    for (char *at = bytes; length_bytes;) {
        const ssize_t got = recv(fd, at, length_bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        length_bytes -= (size_t)got;
    }
    return true;
}

bool scope_apart_beside(const char *file, int mode, char path[PATH_MAX])
{
    static const char *const places[] = {"", "scope/"};
    Dl_info self;
    if (!dladdr((void *)scope_apart_start, &self) || !self.dli_fname)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    const int length = slash ? (int)(slash - self.dli_fname) : 1;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, PATH_MAX, "%.*s/%s%s", length, slash ? self.dli_fname : ".", places[i],
                 file);
        if (access(path, mode) == 0)
            return true;
    }
    return false;
}

/* "PATH=..." as it is here; NULL: not set. malloc'd. */
static char *variable(const char *name)
{
    char *text = NULL;
    const char *value = getenv(name);
    return value && asprintf(&text, "%s=%s", name, value) >= 0 ? text : NULL;
}

static int spawn(scope_apart *apart, char *path, int socket, int fd)
{
    char *const arguments[] = {path, NULL};
    char *set[3] = {variable("PATH"), NULL, NULL};
    set[set[0] != NULL] = variable("TMPDIR");
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawn_file_actions_adddup2(&actions, socket, SCOPE_APART_SOCKET);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fd, SCOPE_APART_FILE);
    if (!error)
        error = posix_spawn(&apart->helper, path, &actions, &attributes, arguments, set);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(set[0]);
    free(set[1]);
    return error;
}

/* A copy of a descriptor that is none of the helper's numbers; -1: no more. */
static int copy_above(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, SCOPE_APART_FILE + 1);
}

static scope_status cannot(const char *what, const char *reason)
{
    char why[256];
    snprintf(why, sizeof why, "%s: %s", what, reason);
    scope_h5_check(); /* why a helper was wanted at all */
    return scope_fail(SCOPE_ERR_LIBRARY, "%s; %s", scope_file_message(), why);
}

scope_status scope_apart_start(scope_apart *apart, int fd)
{
    char path[PATH_MAX];
    int ends[2], error;
    *apart = (scope_apart){-1, -1};
    if (!scope_apart_beside(SCOPE_APART_PROGRAM, X_OK, path))
        return cannot(SCOPE_APART_PROGRAM, "not installed");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return cannot("no socket", strerror(errno));
    const int socket = copy_above(ends[1]), file = copy_above(fd);
    error = socket < 0 || file < 0 ? EMFILE : spawn(apart, path, socket, file);
    close(ends[1]);
    if (socket >= 0)
        close(socket);
    if (file >= 0)
        close(file);
    if (error) {
        close(ends[0]);
        *apart = (scope_apart){-1, -1};
        return cannot(SCOPE_APART_PROGRAM, strerror(error));
    }
    apart->socket = ends[0];
    return SCOPE_OK;
}

static void lose(scope_apart *apart)
{
    if (apart->socket >= 0)
        close(apart->socket);
    apart->socket = -1;
}

static void request(scope_apart *apart, scope_apart_kind kind, size_t column, const void *bytes,
                    size_t length_bytes)
{
    const scope_apart_request head = {(uint32_t)kind, (uint32_t)column, length_bytes};
    if (apart->socket >= 0 && (!scope_apart_send(apart->socket, &head, sizeof head) ||
                               !scope_apart_send(apart->socket, bytes, length_bytes)))
        lose(apart);
}

static scope_status answer(scope_apart *apart, scope_apart_reply *reply)
{
    if (apart->socket < 0 || !scope_apart_receive(apart->socket, reply, sizeof *reply)) {
        lose(apart);
        return scope_fail(SCOPE_ERR_LIBRARY, SCOPE_APART_PROGRAM " ended too early");
    }
    reply->message[sizeof reply->message - 1] = '\0';
    return reply->status == SCOPE_OK
               ? SCOPE_OK
               : scope_fail((scope_status)reply->status, "%s", reply->message);
}

scope_status scope_apart_layout(scope_apart *apart, scope_plan *plan, const scope_calls *calls,
                                const scope_strings *names, const scope_pieces *pieces)
{
    scope_buffer packed = {0};
    scope_apart_reply reply;
    scope_status status = scope_parcel_pack(plan, calls, names, pieces, &packed);
    if (status == SCOPE_OK) {
        request(apart, SCOPE_APART_LAYOUT, 0, packed.bytes, packed.length);
        status = answer(apart, &reply);
    }
    free(packed.bytes);
    if (status != SCOPE_OK)
        return status;
    memcpy(plan->offset, reply.offset, sizeof plan->offset);
    plan->file_id_offset = reply.file_id_offset;
    return SCOPE_OK;
}

void scope_apart_column(scope_apart *apart, size_t column)
{
    request(apart, SCOPE_APART_COLUMN, column, NULL, 0);
}

void scope_apart_bytes(scope_apart *apart, const void *bytes, size_t length_bytes)
{
    request(apart, SCOPE_APART_BYTES, 0, bytes, length_bytes);
}

scope_status scope_apart_column_end(scope_apart *apart)
{
    scope_apart_reply reply;
    request(apart, SCOPE_APART_COLUMN_END, 0, NULL, 0);
    return answer(apart, &reply);
}

scope_status scope_apart_end(scope_apart *apart)
{
    scope_apart_reply reply;
    if (apart->helper < 0)
        return SCOPE_OK;
    request(apart, SCOPE_APART_END, 0, NULL, 0);
    const scope_status status = answer(apart, &reply);
    lose(apart);
    while (waitpid(apart->helper, NULL, 0) < 0 && errno == EINTR)
        ;
    apart->helper = -1;
    return status;
}
