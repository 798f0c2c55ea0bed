/* spool.h - where the recording of this process lies: a spool file, or memory.
 *
 *     file   [header page][segment 1 MiB][segment 2 MiB] ... [segment 64 MiB]
 *     segment [segment header, rest of 16 KiB][chunk][chunk]...
 *
 * One recording per process, shared by its sessions. A file that cannot be made
 * or grown is an error code in a cold path: memory takes its place, and a reason
 * is kept for who prints.
 *
 * spool_file.h has the file, spool_header.h its first page, spool_chunk.h the segments.
 *
 * Units      bytes.
 * Ownership  the recording is the process's; scope_store is what is known of it.
 * Threads    under the engine lock (engine.h).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SPOOL_H
#define SCOPE_SPOOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <scope/recording.h>
#include <scope/status.h>

#include "clock.h"

typedef struct scope_spool_options {
    const char *folder;       /* named by the user; "" default places */
    bool memory_only;
    bool small;               /* in memory: a first segment of 64 KiB, for many short recordings */
    int64_t max_bytes;        /* -1 unlimited, 0 default */
    const char *output;       /* for the header */
    uint8_t run_id[16];
    int rank, size;
    scope_clock_point start;
} scope_spool_options;

#define SCOPE_FIRST_SEGMENT_BYTES (UINT64_C(1) << 20)
#define SCOPE_SEGMENTS_MAX 4096
#define SCOPE_CHUNK_CLASSES 18 /* free lists: 16 KiB << class */

struct scope_free_chunk { /* lies behind the header of a chunk that is free */
    scope_chunk_header header;
    struct scope_free_chunk *next;
};

typedef struct scope_store { /* the recording of this process */
    bool is_open;
    bool in_memory;           /* no file, or one that can no longer grow */
    bool full;                /* the last try to grow failed: disk or memory */
    bool may_be_filed;        /* in memory only because nobody asked for a file yet */
    int fd;                   /* -1 none */
    dev_t device;
    ino_t inode;
    pid_t pid;
    char path[1280];          /* "" no file */
    char problem[160];        /* why it is in memory though a file was wanted; "" */
    scope_recording_header *header; /* one address as long as the process lives; never unmapped */
    scope_recording_segment segments[SCOPE_SEGMENTS_MAX];
    bool in_file[SCOPE_SEGMENTS_MAX]; /* back to back in the file, in this order; else in memory */
    size_t segment_count;
    uint64_t file_bytes;
    uint64_t mapped_bytes;    /* of all segments */
    uint64_t segment_bytes;   /* next segment's size */
    unsigned char *free_start, *free_end; /* what is left of the last segment */
    unsigned char *reserve_start, *reserve_end; /* for what must be kept on a full disk */
    struct scope_free_chunk *free_chunks[SCOPE_CHUNK_CLASSES];
    bool spilled;             /* the disk was full: some of it lies in memory beside the file ... */
    unsigned char *beside_start, *beside_end; /* ... here is room left ... */
    struct scope_free_chunk *free_beside[SCOPE_CHUNK_CLASSES]; /* ... and here */
    uint64_t used_bytes;      /* chunks of events handed out */
    uint64_t other_bytes;     /* chunks of definitions and sums */
    uint64_t max_bytes;       /* UINT64_MAX unlimited */
    uint32_t generation;
    uint32_t stream_count;
    size_t shared_end;          /* forked child: segments up to here are the parent's file ... */
    uint32_t shared_generation; /* ... as of this generation */
} scope_store_state;

extern scope_store_state scope_store __attribute__((visibility("hidden")));

/* Open a new recording; allocates nothing by malloc. ERR_MEMORY: none at all. */
scope_status scope_spool_open(const scope_spool_options *options);

/* A recording that nobody wanted in a file so far gets one: chunks that are taken from
 * now on lie there. false: it has one, or cannot have one. */
bool scope_spool_add_file(const scope_spool_options *options);

void scope_spool_view(scope_recording *view);

/* End the recording. `keep`: leave the file. inside(start, end): a thread may
 * still store there; such a part stays mapped, but no longer to the file. */
void scope_spool_close(bool keep, bool (*inside)(const void *start, const void *end));

/* In a forked child: forget the parent's recording; or go on in a copy of it, as it was
 * at the fork (false: not possible). What was being filled then is to be ended. */
void scope_spool_forget(void);
bool scope_spool_inherit(void);

/* In such a child: these bytes do not change any more by what the parent does; and take
 * out what the parent has used again since the fork. */
void scope_spool_own(void *start, size_t size_bytes);
void scope_spool_disown(void);

#endif
