/* status.h - what a function that can fail returns.
 *
 * 0 is success, errors are negative. Names, values and sentences are this one
 * list; the enum, scope_status_text() and the Fortran constants come from it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_STATUS_H
#define SCOPE_STATUS_H

#include <scope/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define SCOPE_STATUS_LIST(X)                                                                   \
    X(OK,            0,  "success")                                                            \
    X(ERR_ARGUMENT, -1,  "an argument is not valid")                                           \
    X(ERR_MEMORY,   -2,  "out of memory")                                                      \
    X(ERR_IO,       -3,  "reading or writing a file failed")                                   \
    X(ERR_STATE,    -4,  "not possible in this state of the profiler")                         \
    X(ERR_MISSING,  -5,  "no such file, directory or name")                                    \
    X(ERR_CORRUPT,  -6,  "the file is damaged or is not what its name says")                   \
    X(ERR_VERSION,  -7,  "the file was written by a newer version; upgrade scope-profiler")    \
    X(ERR_SPACE,    -8,  "no space left on the device, or a file size limit was reached")      \
    X(ERR_BUDGET,   -9,  "the memory budget (SCOPE_MAX_BYTES) is used up")                     \
    X(ERR_LIBRARY,  -10, "a library that this needs could not be loaded")                      \
    X(ERR_RANK,     -11, "another rank failed")                                                \
    X(ERR_TIMEOUT,  -12, "gave up waiting for the other ranks")                                \
    X(ERR_NESTING,  -13, "calls of one lane overlap without nesting")
/* clang-format on */

typedef enum scope_status {
#define SCOPE_STATUS_ENUM(name, value, text) SCOPE_##name = value,
    SCOPE_STATUS_LIST(SCOPE_STATUS_ENUM)
#undef SCOPE_STATUS_ENUM
} scope_status;

/* The sentence of a status, without a full stop; static, never NULL. */
#ifndef SCOPE_DISABLE
SCOPE_API const char *scope_status_text(scope_status status);
#else
static inline const char *scope_status_text(scope_status status)
{
    switch (status) {
#define SCOPE_STATUS_CASE(name, value, text)                                                      \
    case SCOPE_##name:                                                                            \
        return text;
        SCOPE_STATUS_LIST(SCOPE_STATUS_CASE)
#undef SCOPE_STATUS_CASE
    }
    return "unknown status";
}
#endif

#ifdef __cplusplus
}
#endif
#endif
