/* task_kind.h - tasks of a given kind, with names of any bytes.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TASK_KIND_H
#define SCOPE_TASK_KIND_H

#include <stddef.h>

#include <scope/event.h>
#include <scope/task.h>

/* scope_task_new() for asyncio, greenlets and others; names may be NULL. */
SCOPE_API scope_task scope_task_new_bytes(scope_task_kind kind, const char *name,
                                          size_t length_bytes, const char *code_name,
                                          size_t code_length_bytes);

#endif
