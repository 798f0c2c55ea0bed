/* definitions.h - the definitions log: names, threads, communicators, cuts.
 *
 * Append only. What is defined before the recording is open is kept and written
 * when it opens.
 *
 * Ownership  everything is copied.
 * Threads    under the engine lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_DEFINITIONS_H
#define SCOPE_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/recording.h>

typedef struct scope_part { /* a string behind the fixed part of an entry */
    const void *bytes;
    size_t length_bytes;
} scope_part;

/* Threads, communicators and the like may take up to a quarter of the budget, names
 * half of it: what is beyond is not written, and counted. From half of that quarter
 * on no thread gets a lane of its own. */
bool scope_definitions_are_full(void);
uint64_t scope_definitions_lost(void); /* entries */

/* The entry that was just appended; it stays where it is. */
void *scope_definitions_last(void);

/* Append `entry` of fixed_bytes, whose head this fills in, and the parts. false:
 * no room (counted as lost bytes). */
bool scope_define(scope_definition_kind kind, uint16_t session, void *entry, size_t fixed_bytes,
                  const scope_part *parts, size_t part_count);

/* Keep an entry for when the recording opens, of the session that opens it or of all. */
bool scope_definition_keep(scope_definition_kind kind, bool of_session, const void *entry,
                           size_t fixed_bytes, const scope_part *parts, size_t part_count);

/* One metadata entry. */
bool scope_define_text(uint16_t session, const char *key, const char *value);

/* Write what was kept, now that the recording is open, as `session`'s. */
void scope_definitions_flush(uint16_t session);

/* Forget what was kept (a new session starts), and the log (a new recording). */
void scope_definitions_forget(void);
void scope_definitions_reset(void);

/* What comes next is written into another chunk; `end`: this one ends here, whatever
 * somebody else (the parent of a forked child) writes behind. */
void scope_definitions_move(bool end);

#endif
