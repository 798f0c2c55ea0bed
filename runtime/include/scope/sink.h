/* sink.h - the port that takes a finished recording, and how runtime is driven.
 *
 * A sink is a plug-in in lib/scope/ (libscope_hdf5_writer.so), opened when first
 * needed, privately. It links no libscope: all it gets is in these structs.
 *
 * The second half are the functions of libscope that our own libraries (mpi,
 * fortran, pybind) call beside the public ones. Exported, not for applications.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SINK_H
#define SCOPE_SINK_H

#include <stddef.h>
#include <stdint.h>

#include <scope/event.h>
#include <scope/recording.h>
#include <scope/region.h>
#include <scope/session.h>
#include <scope/world.h>

typedef struct scope_sink_request {
    size_t size_bytes;                /* sizeof of the caller */
    const scope_recording *recording; /* NULL: this rank has none, takes part with zero rows */
    uint16_t session;                 /* which of the recording's sessions */
    scope_world *world;               /* never NULL */
    const char *output;               /* final, absolute, letters replaced; the same on all ranks */
    const char *output_mode;          /* auto, direct, parallel or per_rank; rank 0's counts */
    const char *compression;          /* none, gzip or auto */
    int32_t compression_level;
} scope_sink_request;

typedef struct scope_sink_report { /* summed over all ranks, valid on rank 0 */
    int64_t calls, dropped, folded, orphans, implied, crossed, open_calls;
    char message[512]; /* what went wrong, without the file's name, or "" */
} scope_sink_report;

/* The one symbol of a sink plug-in: replay, gather, write, publish. Returns the
 * same kind of status (0 or not) on every rank. */
typedef scope_status scope_sink_write_fn(const scope_sink_request *request,
                                         scope_sink_report *report);
#define SCOPE_SINK_SYMBOL "scope_sink_write"

/* A second symbol, for a host that makes its rank's call table itself: gather, write,
 * publish `calls` (NULL: zero rows). Collective over the world; `calls` has this rank's
 * rows, on this node's clock, nested. `options` is a scope_file_options (file.h). */
struct scope_calls;
struct scope_file_options;
typedef scope_status scope_sink_write_calls_fn(struct scope_calls *calls, scope_world *world,
                                               const char *output,
                                               const struct scope_file_options *options,
                                               scope_sink_report *report);
#define SCOPE_SINK_CALLS_SYMBOL "scope_sink_write_calls"

/* The one symbol of the topology plug-in (libscope_hwloc.so). Fills `text` with a
 * JSON summary of the machine and returns its length, or -1. */
typedef int scope_topology_fn(char *text, size_t size_bytes);
#define SCOPE_TOPOLOGY_SYMBOL "scope_topology"

/* ---- what libscope offers to our own libraries ---- */

/* Rank and size are known (MPI is initialised, or the launcher said so). */
SCOPE_API void scope_runtime_set_rank(int rank, int size);

/* The rank that was set, else the launcher's; -1: nobody says. */
SCOPE_API int scope_runtime_rank(void);

/* This process was started by MPI_Comm_spawn: its files have `.spawn-<pid>` before
 * their suffix and are not the parents'. One file of such a world has rank 0's pid, and
 * spawned_by_run, _rank, _pid, _host in its metadata where that is known. */
SCOPE_API void scope_runtime_set_spawned(void);

/* Who ends this run. */
typedef enum scope_deferral {
    SCOPE_NOT_DEFERRED = 0,
    SCOPE_DEFERRED = 1,       /* an owner, through scope_runtime_write: scope_finalize and atexit
                                 only close the recording. If the process exits first, atexit
                                 writes this process's own file */
    SCOPE_DEFERRED_ALONE = 2, /* the same, and it was said why each rank writes its own */
} scope_deferral;
SCOPE_API void scope_runtime_set_deferred(scope_deferral deferral);

/* Start the process session if this process may record and none is running. */
SCOPE_API scope_status scope_runtime_start(void);

/* Stop recording into the process session (calibration point, threads' CPU time,
 * end mark) and keep it for scope_runtime_write. Harmless twice. */
SCOPE_API scope_status scope_runtime_stop(void);

/* Write the stopped process session through the sink, with `world` (NULL: serial),
 * then tell all, remove the spool, print the closing line on rank 0. Collective
 * over the world. Works with no recording at all: takes part with zero rows. */
SCOPE_API scope_status scope_runtime_write(scope_world *world);

/* Which recording of the process session runs: 0 none, else a number that changes with
 * each new one. For hot paths: one load, by __atomic_load_n. */
SCOPE_API extern uint32_t scope_runtime_recording;

/* 1 if this process wants recording at all: not SCOPE_ENABLE=0. */
SCOPE_API int scope_runtime_wanted(void);

/* 1 once a region or MPI call was recorded, until that is written: a process which
 * did nothing leaves nothing. */
SCOPE_API int scope_runtime_has_events(void);

/* 1 if a host has written all that was recorded, or will: the end of MPI needs no row,
 * which would make a file of its own. */
SCOPE_API int scope_runtime_is_hosts(void);

/* For when nobody tells us that MPI runs (our wrappers are not reached): while a
 * watch is set, every region call of the process session, recording or not, takes
 * the slow path and calls it first, until it returns nonzero. It may start the
 * session, print and call MPI. It is never called from inside itself, nor on a
 * thread that is busy in the recorder. NULL: none, the default. */
SCOPE_API void scope_runtime_watch(int (*watch)(void));

/* Threads that this thread creates from now on (1; 0: no more) are a library's
 * own: they become lanes only if they record something. */
SCOPE_API void scope_runtime_foreign_threads(int foreign);

/* The run's id as 32 hexadecimal digits: the same on every rank of one launcher. */
SCOPE_API void scope_runtime_run_id(char text[33]);

/* A value of the option table ("SCOPE_GATHER_TIMEOUT"); NULL: not an option. */
SCOPE_API const char *scope_runtime_option(const char *name);

/* The same as a flag (0 or 1), or as seconds; 0: not an option. */
SCOPE_API int scope_runtime_flag(const char *name);
SCOPE_API double scope_runtime_seconds(const char *name);

/* Print one line "scope: ..." on stderr, each `key` once per process. The only
 * way to print; mpi decides which rank calls it. */
SCOPE_API void scope_runtime_say(const char *key, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Copy the spool (up to now) beside the output, for MPI_Abort, and set the end
 * mark. Async-signal-safe but for the copy. */
SCOPE_API void scope_runtime_abort_copy(int code);

/* Describe a communicator; ids are the caller's, dense from 0. members: hash of its ranks in
 * MPI_COMM_WORLD, 0 unknown; serial: how many of the same were before it (scope_define_group). */
SCOPE_API void scope_runtime_communicator(uint32_t communicator, int32_t size, int32_t rank,
                                          int32_t parent, const char *name, uint64_t members,
                                          int32_t serial);

/* Say what the innermost open call, one of `region`, moved, and go on: for a call that moves
 * several. */
SCOPE_API void scope_region_message(scope_region region, const scope_message *message);

/* End a call and say what it moved: MESSAGE and END with one clock reading. */
SCOPE_API void scope_region_end_message(scope_region region, const scope_message *message);

#endif
