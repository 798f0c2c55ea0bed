/* message.c - see message.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char last_message[1024];

scope_status scope_fail(scope_status status, const char *format, ...)
{
    char text[sizeof last_message]; /* an argument may be the old message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *at = text; *at; at++) /* one line, whatever a damaged file calls its parts */
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
    snprintf(last_message, sizeof last_message, "%s", text);
    return status;
}

scope_status scope_status_of_errno(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return SCOPE_ERR_SPACE;
    case ENOENT:
    case ENOTDIR:
        return SCOPE_ERR_MISSING;
    case ENOMEM:
        return SCOPE_ERR_MEMORY;
    default:
        return SCOPE_ERR_IO;
    }
}

const char *scope_file_message(void)
{
    return last_message;
}
