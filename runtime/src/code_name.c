/* code_name.c - a code address as something to read.
 *
 * SPDX-License-Identifier: MIT
 */
#include "code_name.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define SYMBOLS_AT_ONCE 256
#define SECTIONS_MAX 65536
#define NAME_BYTES_MAX 1024

typedef struct mapped_file {
    char path[PATH_MAX];
    uint64_t offset; /* of the address in the file */
} mapped_file;

/* The file at this address. */
static bool find_file(uintptr_t address, mapped_file *file)
{
    char line[PATH_MAX + 128];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !found && fgets(line, sizeof line, maps)) {
        uintptr_t start, end;
        uint64_t offset;
        int at = 0;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %*s %n", &start, &end,
                   &offset, &at) < 3 ||
            address < start || address >= end || line[at] != '/')
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(file->path, sizeof file->path, "%s", line + at);
        file->offset = address - start + offset;
        found = true;
    }
    if (maps)
        fclose(maps);
    return found;
}

static bool read_at(int file, void *bytes, size_t size_bytes, uint64_t offset)
{
    return offset <= INT64_MAX &&
           pread(file, bytes, size_bytes, (off_t)offset) == (ssize_t)size_bytes;
}

/* What the file's offset is called in its symbol table. */
static bool to_virtual(int file, const ElfW(Ehdr) * head, uint64_t offset, uint64_t *address)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        ElfW(Phdr) part;
        if (!read_at(file, &part, sizeof part, head->e_phoff + i * sizeof part))
            return false;
        if (part.p_type == PT_LOAD && offset >= part.p_offset &&
            offset - part.p_offset < part.p_filesz) {
            *address = offset - part.p_offset + part.p_vaddr;
            return true;
        }
    }
    return false;
}

/* The function that has `address` in it. */
static bool find_symbol(int file, const ElfW(Shdr) * table, uint64_t address, ElfW(Sym) * found)
{
    ElfW(Sym) symbols[SYMBOLS_AT_ONCE];
    const uint64_t count = table->sh_size / sizeof symbols[0];
    for (uint64_t i = 0; i < count; i += SYMBOLS_AT_ONCE) {
        const uint64_t some = count - i < SYMBOLS_AT_ONCE ? count - i : SYMBOLS_AT_ONCE;
        if (!read_at(file, symbols, some * sizeof symbols[0],
                     table->sh_offset + i * sizeof symbols[0]))
            return false;
        for (uint64_t k = 0; k < some; k++) {
            const ElfW(Sym) *symbol = &symbols[k];
            if ((symbol->st_info & 15) == STT_FUNC && symbol->st_shndx != SHN_UNDEF &&
                symbol->st_name && address >= symbol->st_value &&
                address - symbol->st_value < symbol->st_size) {
                *found = *symbol;
                return true;
            }
        }
    }
    return false;
}

static bool read_section(int file, const ElfW(Ehdr) * head, uint64_t index, ElfW(Shdr) * section)
{
    return index < head->e_shnum && index < SECTIONS_MAX &&
           read_at(file, section, sizeof *section, head->e_shoff + index * sizeof *section);
}

static bool symbol_in(int file, const ElfW(Ehdr) * head, unsigned type, uint64_t address,
                      char *name, uint64_t *offset)
{
    ElfW(Shdr) table, strings;
    ElfW(Sym) symbol;
    for (unsigned i = 0; read_section(file, head, i, &table); i++) {
        if (table.sh_type != type || !find_symbol(file, &table, address, &symbol) ||
            !read_section(file, head, table.sh_link, &strings) || symbol.st_name >= strings.sh_size)
            continue;
        const uint64_t left = strings.sh_size - symbol.st_name;
        const size_t wanted = left < NAME_BYTES_MAX - 1 ? left : NAME_BYTES_MAX - 1;
        memset(name, 0, NAME_BYTES_MAX);
        *offset = address - symbol.st_value;
        return read_at(file, name, wanted, strings.sh_offset + symbol.st_name) && *name;
    }
    return false;
}

static bool find_name(const mapped_file *mapped, char *name, uint64_t *offset)
{
    ElfW(Ehdr) head;
    bool found = false;
    const int file = open(mapped->path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    uint64_t address;
    if (read_at(file, &head, sizeof head, 0) && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
        head.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
        head.e_phentsize == sizeof(ElfW(Phdr)) &&
        to_virtual(file, &head, mapped->offset, &address)) {
        *offset = address; /* without a symbol */
        found = head.e_shentsize == sizeof(ElfW(Shdr)) &&
                (symbol_in(file, &head, SHT_SYMTAB, address, name, offset) ||
                 symbol_in(file, &head, SHT_DYNSYM, address, name, offset));
    }
    close(file);
    return found;
}

bool scope_code_name(uintptr_t address, scope_demangle_fn *demangle, char *text, size_t size_bytes)
{
    mapped_file mapped;
    char name[NAME_BYTES_MAX];
    if (!address || !find_file(address - 1, &mapped)) /* in the call: its line, its function */
        return false;
    uint64_t offset = mapped.offset;
    const char *shown = name;
    char *plain = NULL;
    if (!find_name(&mapped, name, &offset)) {
        const char *slash = strrchr(mapped.path, '/');
        shown = slash ? slash + 1 : mapped.path;
    } else if (demangle && strncmp(name, "_Z", 2) == 0) {
        int status = -1;
        plain = demangle(name, NULL, NULL, &status);
        if (status == 0 && plain)
            shown = plain;
    }
    const int room = (int)size_bytes - 24; /* the offset is what tells two of one function apart */
    snprintf(text, size_bytes, "%.*s+0x%" PRIx64, room > 0 ? room : 0, shown, offset);
    free(plain);
    return true;
}
