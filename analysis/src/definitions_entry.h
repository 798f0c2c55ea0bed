/* definitions_entry.h - what each entry of the definitions log says.
 *
 * Errors     ERR_MEMORY; ERR_CORRUPT: the entry is shorter than what it says of itself.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_DEFINITIONS_ENTRY_H
#define SCOPE_DEFINITIONS_ENTRY_H

#include "definitions_reader.h"

/* Take in an entry that lies at byte `offset` behind the header of the chunk
 * defs->next_sequence. Kinds that are not known are passed over. */
scope_status definitions_take_entry(definitions *defs, const entry_view *view, clock_map *clock,
                                    uint64_t offset);

/* The states of threads that lived when they were last read may have changed in place. */
void definitions_look_again(definitions *defs, const chunk_index *index);

#endif
