/* say.c - the one function that prints, and what is said when a session starts.
 *
 * SPDX-License-Identifier: MIT
 */
#include "say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <scope/sink.h>

#include "file_limit.h"
#include "identity.h"
#include "relatives.h"
#include "spool.h"

#define KEYS_MAX 64

void scope_runtime_say(const char *key, const char *format, ...)
{
    static const char *said[KEYS_MAX];
    static _Atomic(uint32_t) lock;
    char line[1024] = "scope: ";
    if (key && atomic_exchange(&lock, 1) == 0) {
        size_t i = 0;
        while (i < KEYS_MAX && said[i] && strcmp(said[i], key) != 0)
            i++;
        const bool again = i < KEYS_MAX && said[i];
        if (i < KEYS_MAX && !said[i])
            said[i] = key;
        atomic_store(&lock, 0);
        if (again)
            return;
    }
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line + 7, sizeof line - 9, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    size_t end = 7 + ((size_t)length < sizeof line - 10 ? (size_t)length : sizeof line - 10);
    for (size_t i = 7; i < end; i++)
        if (line[i] == '\n')
            line[i] = ' ';
    line[end++] = '\n';
    const int before = errno;
    const scope_file_limit limit = scope_file_limit_enter(); /* stderr may be a file at its limit */
    bool failed = false;
    for (size_t at = 0; at < end && !failed;) {
        const ssize_t written = write(STDERR_FILENO, line + at, end - at);
        failed = written <= 0 && errno != EINTR;
        at += written > 0 ? (size_t)written : 0;
    }
    scope_file_limit_leave(&limit, failed);
    errno = before;
}

bool scope_session_may_say(void)
{
    return scope_runtime_rank() <= 0;
}

void scope_say_complaint(const char *text)
{
    static uint64_t said[KEYS_MAX];
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *at = text; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    for (size_t i = 0; i < KEYS_MAX && hash; i++) {
        if (said[i] == hash)
            return;
        if (!said[i]) {
            said[i] = hash;
            hash = 0;
        }
    }
    if (scope_session_may_say())
        scope_runtime_say(NULL, "%s", text);
}

void scope_say_left(const char *spool)
{
    scope_runtime_say("exec", "this process recorded before it executed this program: scope "
                      "recover %s -o FILE", spool);
}

void scope_say_problems(const scope_session *session)
{
    if (!scope_session_may_say() || scope_session_is_quiet_host(session))
        return;
    if (session->config.verbose && !scope_store.problem[0])
        scope_runtime_say(NULL, "recording into %s", scope_store.path);
    if (scope_store.problem[0] && !scope_identity_is_child()) /* of such there may be thousands */
        scope_runtime_say("memory", "recording in memory: %s; a kill would lose it",
                          scope_store.problem);
    if (scope_relatives_left())
        scope_say_left(scope_relatives_left());
    if (session->config.output && *session->config.output &&
        !scope_identity_has_folder(session->config.output))
        scope_runtime_say("folder", "no such directory for %s; tried again at the end",
                          session->config.output);
}
