/* recording.h - the bytes of a recording, in memory and in a spool file.
 *
 *     offset 0      scope_recording_header, one page of 4096 bytes
 *     4096          segment: scope_segment_header (64 bytes), then at the next
 *                   multiple of 16 KiB from the segment's start: chunks
 *     + length      segment ... until a segment header that is not valid
 *
 * A segment is cut into chunks, each a multiple of 16 KiB. A chunk starts with a
 * scope_chunk_header; nothing links chunks: a reader steps through a segment by
 * size_bytes, or by 16 KiB where no valid header lies, and sorts what it finds
 * by (session, stream, sequence). No event word and no definitions entry can
 * look like a chunk header: the magic's lowest four bits are zero and it lies
 * at a multiple of 16 KiB.
 *
 * Everything is little-endian and naturally aligned. A field written while
 * others may read is stored with release after what it vouches for.
 *
 * For our own folders; the bytes are the contract (runtime/RECORDING.md).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RECORDING_H
#define SCOPE_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#define SCOPE_RECORDING_VERSION 1
#define SCOPE_RECORDING_MAGIC UINT64_C(0x3143455245504F53) /* "SOPEREC1" */
#define SCOPE_SEGMENT_MAGIC UINT64_C(0x5345474D454E5430)
#define SCOPE_CHUNK_MAGIC UINT64_C(0x4348554E4B303130)
#define SCOPE_HEADER_BYTES 4096u
#define SCOPE_CHUNK_UNIT_BYTES 16384u /* chunks are multiples of this and lie at multiples of it */
#define SCOPE_CHUNK_ROOM_WORDS 32u    /* kept free before a chunk's end: RECORDING.md, "limit" */

typedef enum scope_clock_kind {
    SCOPE_CLOCK_MONOTONIC = 1, /* ticks are nanoseconds of CLOCK_MONOTONIC */
    SCOPE_CLOCK_TSC = 2,       /* x86-64 invariant time stamp counter */
    SCOPE_CLOCK_VIRTUAL = 3,   /* aarch64 virtual counter */
} scope_clock_kind;

/* How the process ended, as far as it could say so itself. Of signals it says nothing: a
 * handler of ours would take the MPI library's stack trace away (RECORDING.md). */
typedef enum scope_end_kind {
    SCOPE_END_OPEN = 0,       /* running, or killed: see the file lock */
    SCOPE_END_FINISHED = 1,   /* closed by finalize, MPI_Finalize or atexit */
    SCOPE_END_EXIT_FAST = 2,  /* _exit, quick_exit, exit in a handler: end_value is the code */
    SCOPE_END_MPI_ABORT = 4,  /* MPI_Abort: end_value is the code */
    SCOPE_END_NO_RECORDING = 5, /* in files only: a rank that took part without one */
    SCOPE_END_KILLED = 6,     /* in files only: open, and its process was gone */
    SCOPE_END_RUNNING = 7,    /* in files only: open, and its process still ran */
} scope_end_kind;

typedef struct scope_recording_header {
    uint64_t magic;               /* stored last */
    uint32_t version;
    uint32_t header_bytes;        /* SCOPE_HEADER_BYTES: the first segment's offset */
    uint8_t run_id[16];           /* the same on all ranks of one launcher's job, else random */
    uint64_t pid;
    uint64_t pid_namespace;       /* inode of /proc/self/ns/pid */
    int64_t process_start_ticks;  /* /proc/self/stat field 22 */
    uint64_t clock_kind;
    uint64_t ticks_per_second;    /* nominal; calibration points say it better */
    int64_t start_ticks;          /* the recording's start: (ticks, monotonic, realtime) */
    int64_t start_monotonic_ns;
    int64_t start_realtime_ns;
    int32_t rank, size;           /* -1, -1 until known; rewritten when known */
    uint32_t end_kind;            /* scope_end_kind */
    int32_t end_value;
    int64_t end_ticks;            /* of the end mark; 0 none */
    uint64_t dropped_events;      /* did not fit: budget, disk, nested signal handlers */
    uint64_t dropped_handler_events;
    uint64_t lost_bytes;
    uint32_t is_copy;             /* 1: made by MPI_Abort; the original may have more */
    uint32_t reserved_word;
    uint64_t beside_events;       /* about how many lie in memory beside the file: RECORDING.md */
    uint8_t reserved[104];
    char boot_id[40];             /* NUL-terminated, as all of these */
    char host[72];
    char program[256];            /* base name of the executable */
    char output[1024];            /* absolute pattern; %h %N %j %x are replaced already */
    char directory[1024];         /* working directory at start */
    char version_text[32];        /* of the writer */
} scope_recording_header;

_Static_assert(sizeof(scope_recording_header) <= SCOPE_HEADER_BYTES, "one page");

typedef struct scope_segment_header {
    uint64_t magic;        /* stored last */
    uint64_t length_bytes; /* of the segment, this header included; the next one follows */
    uint64_t reserved[6];
} scope_segment_header;

typedef enum scope_chunk_kind {
    SCOPE_CHUNK_EVENTS = 1,      /* event words */
    SCOPE_CHUNK_DEFINITIONS = 2, /* scope_definition entries; session 0, stream 0 */
    SCOPE_CHUNK_SUMS = 3,        /* what was folded of a stream: scope_sums_header, scope_sum */
} scope_chunk_kind;

typedef struct scope_chunk_header {
    uint64_t magic;
    uint32_t size_bytes;   /* of the chunk, this header included */
    uint16_t kind;         /* scope_chunk_kind */
    uint16_t session;      /* 0: the definitions log; sessions count from 1 */
    uint32_t stream;       /* dense per recording, from 0 */
    uint32_t sequence;     /* place in its stream, from 0, without gaps, < UINT32_MAX */
    uint32_t generation;   /* 0: not valid (being reused); stored last */
    uint32_t further;      /* chunks behind `sequence` that this is, too; 0 or UINT32_MAX: none */
    int64_t thread;        /* id of the thread that writes at the start; -1 none yet */
    int64_t task;          /* id of the running task; -1 none */
    uint64_t ticks;        /* full 64 bits: the epoch and a calibration point ... */
    int64_t monotonic_ns;  /* ... with this */
} scope_chunk_header;

_Static_assert(sizeof(scope_chunk_header) == 64, "one cache line");

/* The last place in its stream that the chunk stands for. */
static inline uint32_t scope_chunk_last(const scope_chunk_header *chunk)
{
    return chunk->further > UINT32_MAX - 1 - chunk->sequence ? chunk->sequence
                                                             : chunk->sequence + chunk->further;
}

/* Definitions: entries of multiples of 8 bytes, one after the other. An entry
 * whose size is 0 is not written yet. An entry never crosses a chunk; a longer
 * one gets a chunk of its own size. Strings are given by length, not terminated. */
typedef enum scope_definition_kind {
    SCOPE_DEFINE_NAME = 1,         /* scope_define_name: a string and its id, all name spaces */
    SCOPE_DEFINE_SOURCE = 2,       /* scope_define_source: where a region is, first one counts */
    SCOPE_DEFINE_TAG = 3,          /* scope_define_tag */
    SCOPE_DEFINE_THREAD = 4,       /* scope_define_thread: at registration; again when changed */
    SCOPE_DEFINE_THREAD_STATE = 5, /* scope_define_thread_state: alive at the end, or its binding */
    SCOPE_DEFINE_COMMUNICATOR = 6, /* scope_define_communicator */
    SCOPE_DEFINE_SESSION = 7,      /* scope_define_session: start */
    SCOPE_DEFINE_SESSION_END = 8,  /* scope_define_session_end */
    SCOPE_DEFINE_CALIBRATION = 9,  /* scope_define_calibration */
    SCOPE_DEFINE_METADATA = 10,    /* scope_define_metadata: key and value */
    SCOPE_DEFINE_TOPOLOGY = 11,    /* scope_define_metadata layout; key "topology" */
    SCOPE_DEFINE_CUT = 12,         /* scope_define_cut */
    SCOPE_DEFINE_CHECKPOINT = 13,  /* scope_define_checkpoint: the output was renamed */
    SCOPE_DEFINE_GROUP = 14,       /* scope_define_group: who is in a communicator */
} scope_definition_kind;

typedef struct scope_definition {
    uint32_t size_bytes; /* of the entry, this included, a multiple of 8; stored last */
    uint16_t kind;
    uint16_t session;    /* 0: for all */
} scope_definition;

typedef enum scope_name_kind { /* name spaces, each with dense ids from 0 */
    SCOPE_NAME_REGION = 0,     /* id 0 is "(unregistered)" */
    SCOPE_NAME_POINT = 1,      /* marks and counters; id 0 unused */
    SCOPE_NAME_TASK = 2,       /* task and code names; id 0 means none */
} scope_name_kind;

typedef struct scope_define_name {
    scope_definition head;
    uint32_t id;
    uint32_t name_kind;
    uint64_t length_bytes;
    char bytes[];
} scope_define_name;

typedef struct scope_define_source {
    scope_definition head;
    uint32_t region;
    int32_t line; /* -1 unknown */
    uint64_t length_bytes;
    char file[];
} scope_define_source;

typedef struct scope_define_tag {
    scope_definition head;
    uint32_t region;
    uint32_t reserved;
    uint64_t length_bytes;
    char tag[];
} scope_define_tag;

typedef enum scope_thread_flags {
    SCOPE_THREAD_START_EXACT = 1, /* seen starting; else start is its first event */
    SCOPE_THREAD_MAIN = 2,
    SCOPE_THREAD_DAEMON = 4,
    SCOPE_THREAD_HOST = 8,        /* named by a host (host.h): a lane even if it records nothing */
} scope_thread_flags;

typedef struct scope_define_thread {
    scope_definition head;
    uint32_t flags;       /* scope_thread_flags */
    uint32_t name_bytes;
    int64_t thread;       /* dense per session, in order of registration */
    int64_t native_id;    /* the kernel's tid */
    int64_t ident;        /* pthread_self() */
    uint64_t start_ticks;
    char name[];
} scope_define_thread;

typedef struct scope_define_thread_state {
    scope_definition head;
    int32_t last_cpu;     /* -1 unknown */
    uint32_t binding_bytes;
    int64_t thread;
    int64_t cpu_ns;       /* CPU time so far, from its CPU clock; -1 unknown */
    int64_t alive;        /* 1: the thread lived when this was written */
    char binding[];       /* list of CPUs, as in /proc: "0-3,8" */
} scope_define_thread_state;

typedef struct scope_define_communicator {
    scope_definition head;
    uint32_t communicator; /* dense per recording from 0 (0: MPI_COMM_WORLD, 1: MPI_COMM_SELF) */
    int32_t size;
    int32_t rank;          /* this process in it */
    int32_t parent;        /* -1 unknown */
    uint64_t length_bytes;
    char name[];
} scope_define_communicator;

/* Behind a communicator's own entry. A process makes the communicators of one group one after the
 * other, in the same order as the others in it: (members, serial) means the same one everywhere. */
typedef struct scope_define_group {
    scope_definition head;
    uint32_t communicator;
    int32_t serial;        /* how many of the same members this process had before */
    uint64_t members;      /* hash of their ranks in MPI_COMM_WORLD, in order; 0 unknown */
} scope_define_group;

typedef struct scope_define_calibration {
    scope_definition head;
    uint64_t ticks;
    int64_t monotonic_ns;
    int64_t realtime_ns;
} scope_define_calibration;

typedef struct scope_define_session {
    scope_definition head;
    uint32_t is_process;   /* 1: the process session, 0: an explicit one */
    uint32_t label_bytes;
    uint64_t ticks;        /* start */
    int64_t monotonic_ns;
    int64_t realtime_ns;
    uint32_t output_bytes; /* label, then output follow */
    uint32_t host;         /* 0: no host's session, else 1 + scope_host_lanes */
    char text[];
} scope_define_session;

typedef struct scope_define_session_end {
    scope_definition head;
    uint64_t ticks;
    int64_t monotonic_ns;
    int64_t realtime_ns;
    uint64_t filtered_count; /* calls that a filter left out; -1 not counted */
} scope_define_session_end;

typedef struct scope_define_metadata {
    scope_definition head;
    uint32_t key_bytes;
    uint32_t value_bytes;
    char text[]; /* key, then value */
} scope_define_metadata;

typedef struct scope_define_cut_stream {
    uint32_t stream;
    uint32_t sequence; /* chunk */
    uint64_t word;     /* first word after the cut in that chunk */
} scope_define_cut_stream;

typedef struct scope_define_cut {
    scope_definition head;
    uint64_t cut;          /* number of the cut in its session */
    int64_t next_call_id;
    uint64_t stream_count;
    scope_define_cut_stream streams[];
} scope_define_cut;

typedef struct scope_define_checkpoint {
    scope_definition head;
    uint64_t cut;          /* UINT64_MAX: everything */
    uint64_t output_bytes;
    char output[];         /* the name that was written */
} scope_define_checkpoint;

/* What was folded (policies fold and ring). Each stream that has folded chunks has
 * two SUMS chunks, copy 0 and copy 1 (the chunk header's sequence); the one with the
 * greater version is valid. In it, one after the other: scope_sums_header, row_count
 * scope_sum, lane_count scope_sums_lane, open_count scope_sums_open. The stream then
 * goes on with chunk first_unfolded; chunks before it that are still there are
 * already in the sums. Exact under a kill: see RECORDING.md. */
#define SCOPE_HISTOGRAM_BUCKETS 64 /* bucket b: durations of [2^b, 2^(b+1)) ns, taken with the
                                      nominal rate of the header; bucket 0 also holds 0 */

typedef struct scope_sum {
    int64_t lane;         /* thread: -2 - id; task: id */
    uint32_t region;
    uint32_t implied, crossed; /* of the calls counted here */
    uint32_t orphans;     /* ENDs that closed nothing: no calls */
    uint64_t count;
    uint64_t sum_ticks, minimum_ticks, maximum_ticks, exclusive_ticks, await_ticks;
    uint64_t first_ticks, last_end_ticks; /* of the earliest begin, of the latest end */
    int64_t bytes;        /* MPI bytes */
    uint32_t histogram[SCOPE_HISTOGRAM_BUCKETS];
} scope_sum;

typedef struct scope_sums_lane { /* a lane that has folded events in this stream */
    int64_t lane;
    uint64_t first_ticks, last_ticks; /* of its events; of a task from its first RESUME on */
    uint64_t end_ticks;      /* THREAD_END or TASK_DONE; 0 none yet */
    int64_t cpu_ns;          /* of THREAD_END; -1 none */
    uint64_t begun;          /* BEGINs so far */
    /* tasks */
    uint64_t created_ticks;  /* TASK_NEW; 0 not seen */
    uint64_t created_value;  /* its payload: kind and names */
    int64_t created_thread;  /* -1 not seen */
    uint64_t steps;          /* RESUMEs */
    uint64_t suspended_ticks; /* in all, without the present one */
    uint64_t suspended_since; /* UINT64_MAX: running, or not yet started */
} scope_sums_lane;

typedef enum scope_sums_open_kind {
    SCOPE_SUMS_OPEN = 0,     /* begun, not ended */
    SCOPE_SUMS_PENDING = 1,  /* closed by implication at end_ticks; an END of it may still come */
    SCOPE_SUMS_END = 2,      /* an END on a task's lane whose BEGIN is in another stream */
    SCOPE_SUMS_RESUMED = 3,  /* the task `lane` runs on this stream (outermost first) */
} scope_sums_open_kind;

/* Of one lane: OPEN outermost first, then PENDING oldest first. */
typedef struct scope_sums_open {
    int64_t lane;
    uint32_t region;
    uint32_t kind;           /* scope_sums_open_kind */
    uint64_t begin_ticks;
    uint64_t end_ticks;      /* PENDING, END */
    uint64_t inner_ticks;    /* in calls directly inside it */
    uint64_t suspended_ticks; /* OPEN: the lane's total at begin; PENDING: await time */
    uint64_t order;          /* of its BEGIN on the lane */
    int64_t bytes;
    int32_t peer, communicator; /* -1 none */
    uint16_t has_message;    /* 1: bytes, peer, communicator, kind and tag are set */
    uint16_t message_kind;   /* scope_message_kind */
    uint32_t tag_above;      /* tag + 1; 0 none */
} scope_sums_open;

typedef struct scope_sums_header {
    uint32_t version;         /* folds of the stream, from 1; 0: being written. Stored last */
    uint32_t first_unfolded;  /* sequence of the first chunk that is not in these sums */
    uint32_t row_count, lane_count, open_count;
    uint32_t policy;          /* scope_policy: SCOPE_POLICY_FOLD, or SCOPE_POLICY_RING (no rows) */
    int64_t thread;           /* whose events come next; -1 none yet */
    uint64_t last_ticks;      /* no later event of the stream is before it */
    uint64_t folded_calls;    /* the sum of the rows' counts; ring: 0 */
    uint64_t dropped_events;  /* marks and counters; ring: all event words */
    uint64_t holes;
} scope_sums_header;

/* A view of a recording: what a reader walks over. `segments` are the maps of
 * the whole file, or of each segment in the recording process. The memory
 * belongs to who made the view. */
typedef struct scope_recording_segment {
    const unsigned char *bytes; /* starts with a scope_segment_header */
    uint64_t length_bytes;
} scope_recording_segment;

typedef struct scope_recording {
    const scope_recording_header *header;
    const scope_recording_segment *segments;
    size_t segment_count;
    int in_process; /* 1: this process's own: a calibration point was just appended */
} scope_recording;

#endif
