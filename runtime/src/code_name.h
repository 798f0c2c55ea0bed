/* code_name.h - a code address as something to read: "work+0x5c", "libsolver.so+0x11d3".
 *
 * Read from the file that is mapped there (/proc/self/maps, then its symbol table, names that are
 * not exported too). The loader is not asked: that would wait for who is inside dlopen.
 *
 * Threads    any; not in a handler. Reads a file: once per address, please.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CODE_NAME_H
#define SCOPE_CODE_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `address` is one to return to, behind a call; the text is that of the byte before: the call's
 * own line, for who asks a debugger. The same text wherever the file is loaded, on every rank.
 * false: no mapped file is there. `demangle` is __cxa_demangle, or NULL. */
typedef char *scope_demangle_fn(const char *name, char *buffer, size_t *length, int *status);
bool scope_code_name(uintptr_t address, scope_demangle_fn *demangle, char *text, size_t size_bytes);

#endif
