/* held_errors.c - see held_errors.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "held_errors.h"

#include <errno.h>
#include <hdf5.h>
#include <link.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
    MPI_File file; /* ours; MPI_FILE_NULL: not open */
    bool holding, failed, lasts;
    char text[256];
} held = {.file = MPI_FILE_NULL};

/* ---- in HDF5's place ---- */

void scope_hold_error(const char *text)
{
    if (!held.failed)
        snprintf(held.text, sizeof held.text, "%s", text);
    held.failed = true;
}

static void keep(int code)
{
    char text[MPI_MAX_ERROR_STRING] = "", said[sizeof held.text];
    int length;
#ifdef OPEN_MPI
    /* Its ROMIO (3.2.1, its choice on Lustre): where a transfer has failed, later ones of the
     * process went to wrong places, without an error. OMPIO and MPICH's ROMIO do not do that. */
    held.lasts = true;
#endif
    if (errno) { /* what the kernel said says more than an error class */
        scope_hold_error(strerror(errno));
        return;
    }
    PMPI_Error_string(code, text, &length);
    snprintf(said, sizeof said, "MPI-IO: %.*s", (int)strcspn(text, "\n"), text);
    scope_hold_error(said);
}

static int settle(MPI_File file, int code)
{
    if (code == MPI_SUCCESS || file != held.file)
        return code;
    keep(code);
    return MPI_SUCCESS;
}

static MPI_Count bytes_of(MPI_Datatype type, int count)
{
    MPI_Count bytes = 0;
    PMPI_Type_size_x(type, &bytes);
    return bytes * count;
}

/* Open MPI says of some errors only that fewer bytes went than were asked for. */
static bool is_short(const MPI_Status *status, MPI_Count wanted)
{
    MPI_Count bytes = 0;
    if (status == MPI_STATUS_IGNORE)
        return false;
    return PMPI_Get_elements_x(status, MPI_BYTE, &bytes) != MPI_SUCCESS || bytes != wanted;
}

static int settle_write(MPI_File file, int code, MPI_Count wanted, MPI_Status *status)
{
    if (file != held.file || (code == MPI_SUCCESS && !is_short(status, wanted)))
        return code;
    keep(code == MPI_SUCCESS ? MPI_ERR_IO : code);
    if (status != MPI_STATUS_IGNORE) /* HDF5 compares */
        PMPI_Status_set_elements_x(status, MPI_BYTE, wanted);
    return MPI_SUCCESS;
}

/* At the end of the file fewer bytes are no error. */
static bool has_read(int code, const MPI_Status *status, MPI_Count wanted)
{
    return code == MPI_SUCCESS && !(errno && is_short(status, wanted));
}

static int open_file(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    const int code = PMPI_File_open(comm, path, mode, info, file);
    if (code == MPI_SUCCESS && held.file == MPI_FILE_NULL)
        held.file = *file;
    return code;
}

static int close_file(MPI_File *file)
{
    const bool ours = *file == held.file;
    errno = 0;
    const int code = PMPI_File_close(file);
    if (!ours)
        return code;
    if (code != MPI_SUCCESS)
        keep(code);
    held.file = *file = MPI_FILE_NULL;
    return MPI_SUCCESS;
}

static int get_size(MPI_File file, MPI_Offset *size)
{
    errno = 0;
    return settle(file, PMPI_File_get_size(file, size));
}

static int set_size(MPI_File file, MPI_Offset size)
{
    errno = 0;
    return settle(file, PMPI_File_set_size(file, size));
}

static int set_view(MPI_File file, MPI_Offset at, MPI_Datatype cell, MPI_Datatype type,
                    const char *representation, MPI_Info info)
{
    errno = 0;
    return settle(file, PMPI_File_set_view(file, at, cell, type, representation, info));
}

static int sync_file(MPI_File file)
{
    errno = 0;
    return settle(file, PMPI_File_sync(file));
}

/* What cannot be read is zero: nothing of HDF5's. */
static int read_at(MPI_File file, MPI_Offset at, void *bytes, int count, MPI_Datatype type,
                   MPI_Status *status)
{
    const MPI_Count wanted = bytes_of(type, count);
    errno = 0;
    const int code = PMPI_File_read_at(file, at, bytes, count, type, status);
    if (file != held.file || has_read(code, status, wanted))
        return code;
    keep(code == MPI_SUCCESS ? MPI_ERR_IO : code);
    if (type == MPI_BYTE)
        memset(bytes, 0, (size_t)wanted);
    if (status != MPI_STATUS_IGNORE)
        PMPI_Status_set_elements_x(status, MPI_BYTE, wanted);
    return MPI_SUCCESS;
}

static int write_at(MPI_File file, MPI_Offset at, const void *bytes, int count, MPI_Datatype type,
                    MPI_Status *status)
{
    errno = 0;
    const int code = PMPI_File_write_at(file, at, bytes, count, type, status);
    return settle_write(file, code, bytes_of(type, count), status);
}

/* MPI-IO itself may wait for ever where one of its aggregators fails in the middle of a collective
 * transfer (ROMIO of MPICH 4.0, where there is more than one buffer to write). So each rank moves
 * its own bytes. */
static int read_at_all(MPI_File file, MPI_Offset at, void *bytes, int count, MPI_Datatype type,
                       MPI_Status *status)
{
    return file == held.file ? read_at(file, at, bytes, count, type, status)
                             : PMPI_File_read_at_all(file, at, bytes, count, type, status);
}

static int write_at_all(MPI_File file, MPI_Offset at, const void *bytes, int count,
                        MPI_Datatype type, MPI_Status *status)
{
    return file == held.file ? write_at(file, at, bytes, count, type, status)
                             : PMPI_File_write_at_all(file, at, bytes, count, type, status);
}

/* ---- HDF5's table of functions ---- */

/* An entry is the function's address, and a relocation as the generic ELF has it. Elsewhere
 * (descriptors of the older PowerPC ABI, code in SPARC's table, MIPS) nothing is touched. */
#if defined __x86_64__ || defined __i386__ || defined __aarch64__ || defined __arm__ ||            \
    defined __riscv || defined __s390x__ || (defined __powerpc64__ && _CALL_ELF == 2)
#define ENTRIES_ARE_ADDRESSES 1
#else
#define ENTRIES_ARE_ADDRESSES 0
#endif

static struct entry {
    const char *name;
    void *ours;
    void **slot, *before;
} entries[] = {
    {"MPI_File_open", (void *)open_file, NULL, NULL},
    {"MPI_File_close", (void *)close_file, NULL, NULL},
    {"MPI_File_get_size", (void *)get_size, NULL, NULL},
    {"MPI_File_set_size", (void *)set_size, NULL, NULL},
    {"MPI_File_set_view", (void *)set_view, NULL, NULL},
    {"MPI_File_sync", (void *)sync_file, NULL, NULL},
    {"MPI_File_read_at", (void *)read_at, NULL, NULL},
    {"MPI_File_read_at_all", (void *)read_at_all, NULL, NULL},
    {"MPI_File_write_at", (void *)write_at, NULL, NULL},
    {"MPI_File_write_at_all", (void *)write_at_all, NULL, NULL},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

typedef struct object {
    ElfW(Addr) base, address; /* address: something in it */
    const ElfW(Dyn) * dynamic;
    uintptr_t read_only, read_only_end; /* that the loader made so */
} object;

static int find_object(struct dl_phdr_info *info, size_t size, void *context)
{
    object *at = context;
    bool found = false;
    (void)size;
    *at = (object){.base = info->dlpi_addr, .address = at->address};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const ElfW(Addr) start = at->base + part->p_vaddr;
        if (part->p_type == PT_LOAD)
            found |= at->address >= start && at->address < start + part->p_memsz;
        else if (part->p_type == PT_DYNAMIC)
            at->dynamic = (const ElfW(Dyn) *)start;
        else if (part->p_type == PT_GNU_RELRO) {
            at->read_only = start;
            at->read_only_end = start + part->p_memsz;
        }
    }
    return found && at->dynamic;
}

static uintptr_t dynamic_value(const object *at, ElfW(Sxword) tag)
{
    for (const ElfW(Dyn) *entry = at->dynamic; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag)
            return entry->d_un.d_ptr;
    return 0;
}

static uintptr_t dynamic_address(const object *at, ElfW(Sxword) tag)
{
    const uintptr_t value = dynamic_value(at, tag);
    return value && value < at->base ? value + at->base : value; /* glibc has relocated it */
}

static void take_slot(const object *at, const char *name, uintptr_t offset)
{
    for (size_t i = 0; i < ENTRIES; i++)
        if (strcmp(entries[i].name, name) == 0)
            entries[i].slot = (void **)(at->base + offset);
}

/* Both forms begin with offset and info. */
static void look_at_relocations(const object *at, uintptr_t first, size_t bytes, size_t step)
{
    const char *names = (const char *)dynamic_address(at, DT_STRTAB);
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)dynamic_address(at, DT_SYMTAB);
    for (size_t used = 0; first && step && names && symbols && used < bytes; used += step) {
        const ElfW(Rel) *relocation = (const ElfW(Rel) *)(first + used);
        const ElfW(Sym) *symbol =
            &symbols[sizeof(void *) == 8 ? relocation->r_info >> 32 : relocation->r_info >> 8];
        if (symbol->st_shndx == SHN_UNDEF)
            take_slot(at, names + symbol->st_name, relocation->r_offset);
    }
}

static bool find_slots(object *at)
{
    at->address = (ElfW(Addr))H5open;
    if (!ENTRIES_ARE_ADDRESSES || !dl_iterate_phdr(find_object, at))
        return false;
    const bool with_addend = dynamic_value(at, DT_PLTREL) == DT_RELA;
    look_at_relocations(at, dynamic_address(at, DT_RELA), dynamic_value(at, DT_RELASZ),
                        sizeof(ElfW(Rela)));
    look_at_relocations(at, dynamic_address(at, DT_REL), dynamic_value(at, DT_RELSZ),
                        sizeof(ElfW(Rel)));
    look_at_relocations(at, dynamic_address(at, DT_JMPREL), dynamic_value(at, DT_PLTRELSZ),
                        with_addend ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel)));
    for (size_t i = 0; i < ENTRIES; i++)
        if (!entries[i].slot)
            return false;
    return true;
}

static bool fill_slot(const object *at, void **slot, void *function)
{
    const uintptr_t place = (uintptr_t)slot, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)(place - place % page);
    const bool read_only =
        place >= at->read_only && place < at->read_only_end - at->read_only_end % page;
    if (read_only && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    __atomic_store_n(slot, function, __ATOMIC_RELEASE);
    if (read_only)
        mprotect(start, page, PROT_READ);
    return true;
}

static object hdf5;

bool scope_hold_errors(void)
{
    held.file = MPI_FILE_NULL;
    held.failed = false;
    if (!find_slots(&hdf5))
        return false;
    for (size_t i = 0; i < ENTRIES; i++) {
        entries[i].before = *entries[i].slot;
        if (!fill_slot(&hdf5, entries[i].slot, entries[i].ours)) {
            while (i--)
                fill_slot(&hdf5, entries[i].slot, entries[i].before);
            return false;
        }
    }
    held.holding = true;
    return true;
}

const char *scope_held_error(void)
{
    return held.failed ? held.text : NULL;
}

void scope_release_errors(void)
{
    for (size_t i = 0; held.holding && i < ENTRIES; i++)
        fill_slot(&hdf5, entries[i].slot, entries[i].before);
    held.holding = false;
    held.file = MPI_FILE_NULL;
}

bool scope_errors_last(void)
{
    return held.lasts;
}
