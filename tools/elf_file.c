/* elf_file.c - a small ELF reader.
 *
 * SPDX-License-Identifier: MIT
 */
#include "elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_MACHINE EM_X86_64
#define PLATFORM "x86_64"
#elif defined(__aarch64__)
#define OUR_MACHINE EM_AARCH64
#define PLATFORM "aarch64"
#elif defined(__riscv)
#define OUR_MACHINE EM_RISCV
#define PLATFORM "riscv64"
#elif defined(__powerpc64__)
#define OUR_MACHINE EM_PPC64
#define PLATFORM "ppc64le"
#else
#define OUR_MACHINE EM_NONE
#define PLATFORM ""
#endif

/* Whole files, read only. */
typedef struct mapped {
    const unsigned char *bytes;
    size_t size_bytes;
} mapped;

static bool map_file(const char *path, mapped *map)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return false;
    void *bytes = MAP_FAILED;
    const bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (regular && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED) {
        *map = (mapped){NULL, 0};
        return regular && status.st_size == 0;
    }
    *map = (mapped){bytes, (size_t)status.st_size};
    return true;
}

/* `count` structs of `size` bytes at `offset`; NULL: not inside the file. */
static const void *inside(const elf_file *file, uint64_t offset, uint64_t count, uint64_t size)
{
    if (offset > file->size_bytes || count > (file->size_bytes - offset) / size || offset % 8)
        return NULL;
    return file->bytes + offset;
}

/* Where the file has what the loader maps at `address`; UINT64_MAX: nowhere. */
static uint64_t offset_of(const Elf64_Phdr *headers, int count, uint64_t address)
{
    for (int i = 0; i < count; i++)
        if (headers[i].p_type == PT_LOAD && address >= headers[i].p_vaddr &&
            address - headers[i].p_vaddr < headers[i].p_filesz)
            return headers[i].p_offset + (address - headers[i].p_vaddr);
    return UINT64_MAX;
}

static const char *string_at(const elf_file *file, uint64_t table, uint64_t offset)
{
    if (table >= file->size_bytes || offset >= file->size_bytes - table)
        return NULL;
    const char *text = (const char *)file->bytes + table + offset;
    return memchr(text, '\0', file->size_bytes - table - offset) ? text : NULL;
}

static void read_dynamic(elf_file *file, const Elf64_Phdr *headers, int header_count,
                         const Elf64_Phdr *dynamic)
{
    const uint64_t count = dynamic->p_filesz / sizeof(Elf64_Dyn);
    const Elf64_Dyn *entries = inside(file, dynamic->p_offset, count, sizeof *entries);
    uint64_t strings = UINT64_MAX, needed_count = 0;
    for (uint64_t i = 0; entries && i < count && entries[i].d_tag != DT_NULL; i++) {
        needed_count += entries[i].d_tag == DT_NEEDED;
        if (entries[i].d_tag == DT_STRTAB)
            strings = offset_of(headers, header_count, entries[i].d_un.d_ptr);
    }
    file->needed = calloc(needed_count + 1, sizeof *file->needed);
    for (uint64_t i = 0, n = 0; entries && file->needed && i < count; i++) {
        const char *text = string_at(file, strings, entries[i].d_un.d_val);
        if (entries[i].d_tag == DT_NULL)
            return;
        if (entries[i].d_tag == DT_NEEDED && text)
            file->needed[n++] = text;
        else if (entries[i].d_tag == DT_RPATH)
            file->rpath = text;
        else if (entries[i].d_tag == DT_RUNPATH)
            file->runpath = text;
    }
}

bool elf_open(const char *path, elf_file *file)
{
    mapped map;
    *file = (elf_file){.kind = ELF_NOT};
    if (!map_file(path, &map))
        return false;
    file->bytes = map.bytes;
    file->size_bytes = map.size_bytes;
    if (map.size_bytes < EI_NIDENT || memcmp(map.bytes, ELFMAG, SELFMAG) != 0)
        return true;
    file->kind = ELF_FOREIGN;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)map.bytes;
    if (map.size_bytes < sizeof *header || map.bytes[EI_CLASS] != ELFCLASS64 ||
        header->e_machine != OUR_MACHINE || header->e_phentsize != sizeof(Elf64_Phdr))
        return true;
    const int count = header->e_phnum;
    const Elf64_Phdr *headers = inside(file, header->e_phoff, (uint64_t)count, sizeof *headers);
    const Elf64_Phdr *dynamic = NULL;
    bool interpreted = false;
    for (int i = 0; headers && i < count; i++) {
        interpreted = interpreted || headers[i].p_type == PT_INTERP;
        if (headers[i].p_type == PT_DYNAMIC)
            dynamic = &headers[i];
    }
    file->kind = ELF_STATIC;
    if (!dynamic)
        return true;
    read_dynamic(file, headers, count, dynamic);
    /* A static-pie has a dynamic section, but needs nothing and names no loader. */
    if (interpreted || (file->needed && file->needed[0]))
        file->kind = ELF_DYNAMIC;
    return true;
}

void elf_close(elf_file *file)
{
    if (file->bytes)
        munmap((void *)(uintptr_t)file->bytes, file->size_bytes);
    free(file->needed);
    *file = (elf_file){0};
}

/* ---- where ld.so looks ---- */

static bool is_ours(const char *path)
{
    elf_file file;
    const bool usable = elf_open(path, &file) && file.kind >= ELF_STATIC;
    elf_close(&file);
    return usable;
}

static void folder_of(const char *path, char *folder)
{
    char whole[PATH_MAX];
    if (!realpath(path, whole))
        snprintf(whole, sizeof whole, "%s", path);
    char *slash = strrchr(whole, '/');
    if (slash)
        *slash = '\0';
    strcpy(folder, whole);
}

/* One folder of a search list, with $ORIGIN and its like replaced. */
static void expand(const char *item, size_t length, const char *origin, char *out, size_t size)
{
    static const char *const names[] = {"ORIGIN", "LIB", "PLATFORM"};
    const char *const values[] = {origin, "lib/" PLATFORM "-linux-gnu", PLATFORM};
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < size;) {
        size_t skip = 0;
        for (int k = 0; item[i] == '$' && k < 3 && !skip; k++) {
            const bool braces = i + 1 < length && item[i + 1] == '{';
            const size_t start = i + 1 + braces, n = strlen(names[k]);
            if (start + n <= length && strncmp(item + start, names[k], n) == 0) {
                used += (size_t)snprintf(out + used, size - used, "%s", values[k]);
                skip = 1 + braces + n + braces;
            }
        }
        if (!skip && used + 1 < size)
            out[used++] = item[i];
        i += skip ? skip : 1;
    }
    out[used < size ? used : size - 1] = '\0';
}

static bool in_list(const char *list, const char *origin, const char *name, char *found)
{
    for (const char *at = list; at && *at;) {
        const size_t length = strcspn(at, ":;");
        char folder[PATH_MAX];
        expand(at, length, origin, folder, sizeof folder);
        if (length && snprintf(found, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && is_ours(found))
            return true;
        at += length + (at[length] != '\0');
    }
    return false;
}

/* /etc/ld.so.cache in the format of glibc 2.2 and later. */
static bool in_cache(const char *name, char *found)
{
    static const char magic[] = "glibc-ld.so.cache1.1";
    typedef struct {
        int32_t flags;
        uint32_t key, value, os_version;
        uint64_t hardware;
    } entry;
    enum { HEADER = 48 };
    mapped map;
    bool done = false;
    if (!map_file("/etc/ld.so.cache", &map) || !map.bytes)
        return false;
    const unsigned char *start = memmem(map.bytes, map.size_bytes, magic, sizeof magic - 1);
    const size_t size = start ? map.size_bytes - (size_t)(start - map.bytes) : 0;
    uint32_t count = 0;
    if (size > HEADER)
        memcpy(&count, start + sizeof magic - 1, sizeof count);
    if (count > size / sizeof(entry))
        count = 0;
    for (uint32_t i = 0; i < count && !done; i++) {
        entry one;
        if (HEADER + (i + 1) * sizeof one > size)
            break;
        memcpy(&one, start + HEADER + i * sizeof one, sizeof one);
        if (one.key >= size || one.value >= size ||
            !memchr(start + one.key, '\0', size - one.key) ||
            !memchr(start + one.value, '\0', size - one.value) ||
            strcmp((const char *)start + one.key, name) != 0)
            continue;
        done = snprintf(found, PATH_MAX, "%s", start + one.value) < PATH_MAX && is_ours(found);
    }
    munmap((void *)(uintptr_t)map.bytes, map.size_bytes);
    return done;
}

/* The file that `name`, needed by `by`, will be. */
static bool find_library(const char *name, const elf_file *by, const char *by_path,
                         const char *program_rpath, char *found)
{
    static const char defaults[] = "/lib/" PLATFORM "-linux-gnu:/usr/lib/" PLATFORM
                                   "-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib";
    char origin[PATH_MAX];
    if (strchr(name, '/'))
        return snprintf(found, PATH_MAX, "%s", name) < PATH_MAX && is_ours(found);
    folder_of(by_path, origin);
    return (!by->runpath && in_list(by->rpath, origin, name, found)) ||
           (!by->runpath && in_list(program_rpath, origin, name, found)) ||
           in_list(getenv("LD_LIBRARY_PATH"), origin, name, found) ||
           in_list(by->runpath, origin, name, found) || in_cache(name, found) ||
           in_list(defaults, origin, name, found);
}

/* ---- the walk ---- */

/*     paths  [ program | its needs ... | their needs ... ]   names: what was asked for
 *                ^ at: everything before has been opened
 */
typedef struct queue {
    char **names, **paths;
    size_t count, room;
} queue;

static bool add(queue *queue, const char *name, const char *path)
{
    if (queue->count == queue->room) {
        const size_t room = queue->room ? 2 * queue->room : 64;
        char **names = realloc(queue->names, room * sizeof *names);
        if (names)
            queue->names = names;
        char **paths = names ? realloc(queue->paths, room * sizeof *paths) : NULL;
        if (!paths)
            return false;
        queue->paths = paths;
        queue->room = room;
    }
    queue->names[queue->count] = strdup(name);
    queue->paths[queue->count] = path ? strdup(path) : NULL;
    return queue->names[queue->count++] != NULL;
}

static bool has(const queue *queue, const char *name)
{
    for (size_t i = 0; i < queue->count; i++)
        if (queue->names[i] && strcmp(queue->names[i], name) == 0)
            return true;
    return false;
}

void elf_walk(const char *path,
              bool (*visit)(void *context, const char *name, const char *found_path), void *context)
{
    queue queue = {0};
    char rpath[PATH_MAX] = "";
    bool going = add(&queue, path, path);
    for (size_t at = 0; going && at < queue.count; at++) {
        elf_file file;
        if (!queue.paths[at] || !elf_open(queue.paths[at], &file))
            continue;
        if (at == 0 && file.rpath && !file.runpath) { /* holds for all that it needs */
            char origin[PATH_MAX];
            folder_of(path, origin);
            expand(file.rpath, strlen(file.rpath), origin, rpath, sizeof rpath);
        }
        for (size_t i = 0; going && file.needed && file.needed[i]; i++) {
            const char *name = file.needed[i];
            char found[PATH_MAX];
            if (has(&queue, name))
                continue;
            const bool there = find_library(name, &file, queue.paths[at], rpath, found);
            going = add(&queue, name, there ? found : NULL) &&
                    visit(context, name, there ? found : NULL);
        }
        elf_close(&file);
    }
    for (size_t i = 0; i < queue.count; i++) {
        free(queue.names[i]);
        free(queue.paths[i]);
    }
    free(queue.names);
    free(queue.paths);
}
