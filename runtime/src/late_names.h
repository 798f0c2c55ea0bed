/* late_names.h - regions whose ids were given before the rank was known, and that the filter
 * excludes since.
 *
 * The program has these ids, and goes on with them: the recorder asks for each event. Bits by
 * id in one block, which is used again: a program may open and close recordings without end.
 *
 * Ownership  memory that is never freed; blocks double, so that who still reads an older one
 *            reads valid memory.
 * Threads    take, clear: under the names lock. The rest: any thread, a handler too.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_LATE_NAMES_H
#define SCOPE_LATE_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Ask is_late for each id below `count`, in order. false: no memory; none is late then. */
bool scope_late_names_take(uint32_t count, bool (*is_late)(void *context, uint32_t id),
                           void *context);

/* None is late. */
void scope_late_names_clear(void);

bool scope_late_names_any(void);
bool scope_late_names_has(uint32_t id);

#endif
