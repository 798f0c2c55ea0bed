/* plugin.h - the plug-ins of lib/scope/: opened late, privately, never closed.
 *
 * Threads    under the session lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PLUGIN_H
#define SCOPE_PLUGIN_H

#include <stddef.h>

#include <scope/sink.h>

/* The writer of HDF5 files; NULL, and why in a sentence. */
scope_sink_write_fn *scope_plugin_sink(char *why, size_t why_bytes);

/* From now on there is none, for this reason (a literal). */
void scope_plugin_close_sink(const char *why);

/* The topology of the machine; NULL: that plug-in is not installed. */
scope_topology_fn *scope_plugin_topology(void);

#endif
