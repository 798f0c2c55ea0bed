/* names.h - interned names: regions, points (marks, counters), tasks.
 *
 * Process-wide: an id never changes and is never used again, so that a handle a
 * program keeps stays valid in every session. Looking a known name up takes no
 * lock and may be done in a signal handler.
 *
 * Ownership  names are copied into memory that is never freed.
 * Threads    any. A new name takes the names lock, then the engine lock.
 * Errors     a negative id: excluded by the filter, or no memory.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_NAMES_H
#define SCOPE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scope/recording.h>
#include <scope/status.h>

#include "config.h"

#define SCOPE_NAME_FILTERED (-1)
#define SCOPE_NAME_FAILED (-2)
#define SCOPE_NAME_BUSY (-3) /* a handler came between: counted as dropped */

/* The id of a name, new or known. */
int32_t scope_name_id(scope_name_kind kind, const char *bytes, size_t length_bytes);

/* The place in the source; the first that is given stays. */
void scope_name_source(int32_t region, const char *file, int32_t line);

/* A name as something to show: at most size_bytes - 1 bytes, what is no printable ASCII as ?.
 * "" : no such id. */
void scope_name_show(scope_name_kind kind, int32_t id, char *text, size_t size_bytes);

/* The filter that decides from now on about names of regions; NULL: all pass.
 * It must stay until another one is set. Names are judged again. Ids that were given before
 * and are excluded from now on by this rank's patterns are in late_names.h, for the recorder
 * to ask; false: no memory for that. */
bool scope_names_set_filter(const scope_filter *filter);

/* The rank that patterns of some ranks are for; -1, as in the beginning: nobody says.
 * false: as above. */
bool scope_names_set_rank(int rank);
void scope_names_set_limit(int64_t max_names);

/* Did the program name any region, or try to record one by name? */
bool scope_names_any(void);

/* How many names of regions the filter excluded, if there was no other name of anything; else
 * 0. No lock: at the end. */
size_t scope_names_all_excluded(void);

/* A region is asked for while nothing records. Any thread; a store at most once. */
void scope_names_asked(void);

/* Define all names so far, in a recording that just opened. Under the engine lock. */
void scope_names_define_all(void);

/* fork: held across it. */
void scope_names_lock(void);
void scope_names_unlock(void);
void scope_names_reset_lock(void);

#endif
