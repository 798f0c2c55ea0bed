/* elf_file.h - read what the loader will read: is it dynamic, what does it need.
 *
 *     elf_walk("/usr/bin/lmp", visit, &family);
 *
 * Looks for libraries where ld.so does: RPATH, LD_LIBRARY_PATH, RUNPATH, the
 * cache, the default folders. Trusts no file: every offset is checked.
 *
 * Ownership  an elf_file is closed by elf_close; its strings lie in it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ELF_FILE_H
#define SCOPE_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum elf_kind {
    ELF_NOT,     /* no ELF file: a script, or anything else */
    ELF_FOREIGN, /* another machine or word size */
    ELF_STATIC,  /* a program that the loader never sees */
    ELF_DYNAMIC, /* a program or a library with a dynamic section */
} elf_kind;

typedef struct elf_file {
    elf_kind kind;
    const unsigned char *bytes;
    size_t size_bytes;
    const char *rpath, *runpath; /* NULL: none */
    const char **needed;         /* ended by NULL; NULL when kind is not ELF_DYNAMIC */
} elf_file;

/* false: cannot be read. */
bool elf_open(const char *path, elf_file *file);
void elf_close(elf_file *file);

/* Walk the DT_NEEDED of `path` and of all they need, breadth first, each once.
 * `visit` gets the name and where it was found (NULL: not found), and returns
 * false to stop. */
void elf_walk(const char *path,
              bool (*visit)(void *context, const char *name, const char *found_path),
              void *context);

#endif
