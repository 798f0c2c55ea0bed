/* spool_header.h - the first page of a recording: whose it is, what was lost, how it ended.
 *
 * Its address stays the same as long as the process lives: a thread may count what it drops
 * at any time, also while a recording opens or closes.
 *
 * Ownership  the page is never unmapped, only mapped anew in its place.
 * Threads    count: any, no lock. mark_end: also from a signal handler. All else under the
 *            engine lock (engine.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SPOOL_HEADER_H
#define SCOPE_SPOOL_HEADER_H

#include "spool.h"

/* Gather what the header says about this process (host, boot, program ...).
 * Once, outside of any handler: it may allocate. */
void scope_spool_describe(void);

/* A file name that no other process has; `number` tells this one's apart. */
void scope_spool_own_name(unsigned number, char *name, size_t size_bytes);

/* The page, mapped with these flags of mmap(2), of the file fd or of memory (-1).
 * MAP_FAILED: no memory. */
void *scope_spool_header_map(int flags, int fd);

/* All but the counts, and last what makes it valid. */
void scope_spool_header_fill(const scope_spool_options *options);

/* Count in the header. Also while the recording is closed. */
void scope_spool_count(uint64_t dropped_events, uint64_t dropped_handler_events);

/* Around a fork: the child must not touch the header, which it has not. */
void scope_spool_hide(bool hidden);
void scope_spool_forget_hidden(void); /* in the child: what was counted meanwhile is the parent's */
void scope_spool_header_forget(void); /* in a child that has no recording */

/* How the process ends; async-signal-safe, does nothing in another process. */
void scope_spool_mark_end(scope_end_kind kind, int32_t value);

#endif
