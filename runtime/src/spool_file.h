/* spool_file.h - the file behind a recording: its folder, its name, its lock, its space.
 *
 * Its process lives as long as it holds the lock of the file. A program may close our
 * descriptor (as daemons close all), and with it goes the lock: the file is opened again as
 * soon as it is to grow, if its name still leads to it.
 *
 * Units      bytes.
 * Errors     why there is no file is text in scope_store.problem; else 0 or an errno.
 * Threads    under the engine lock (engine.h), but for scope_spool_folder: any.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SPOOL_FILE_H
#define SCOPE_SPOOL_FILE_H

#include "spool.h"

/* Make the file and map its header: in the folder of the options, else in the default
 * places. false: none. */
bool scope_spool_file_create(const scope_spool_options *options);

/* Reserve space, without the signal that a limit of file sizes sends. 0 or an errno. */
int scope_spool_file_allocate(uint64_t offset, uint64_t length);

bool scope_spool_file_write(const unsigned char *bytes, uint64_t length, off_t offset);

/* `keep`: else it is removed, too. */
void scope_spool_file_close(bool keep);

/* The spool's descriptor is still the spool's: a program may have closed it. */
bool scope_spool_has_descriptor(void);

/* Make, or find and check, the folder of this user's spools below `base`. Writes its path
 * and returns a descriptor of it, to be closed; -1: not usable, with the reason. */
int scope_spool_folder(const char *base, char *path, size_t size_bytes, char *why,
                       size_t why_bytes);

#endif
