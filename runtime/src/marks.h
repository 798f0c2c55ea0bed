/* marks.h - small files beside the spools, by which processes of one run know of each other.
 *
 *     <run id>.recorded        what `scope run` became, or a child of it, has recorded; of
 *                              the former the pid and its spool
 *     <run id>-<hash>.claim    this name of an output is taken; holds the pid
 *     <process>.wrote          what a process that goes on has written: names, each with a NUL
 *
 * Best effort: without a folder everything is as if there were no others.
 *
 * Threads    under the session lock, but for recorded (system calls only).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MARKS_H
#define SCOPE_MARKS_H

#include <stdbool.h>
#include <stddef.h>

/* This process has recorded. */
void scope_mark_recorded(void);

/* Has any process of this run recorded? Asked once, at the end: removes the mark. `spool`:
 * what this very process recorded into, perhaps before it executed this program; "" unknown. */
bool scope_mark_take_recorded(char *spool, size_t size_bytes);

/* May this process write `output`? false: another one of this run took the name. */
bool scope_mark_claim(const char *output);

/* This process has written `output`, and may yet execute another program. */
void scope_mark_wrote(const char *output);

/* Did it write `output` before it executed this program? */
bool scope_mark_wrote_before(const char *output);

/* It ends: nothing will be executed, and what is written needs no mark; then, at last,
 * take the mark away. */
void scope_mark_ending(void);
void scope_mark_end(void);

#endif
