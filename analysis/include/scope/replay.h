/* replay.h - recording to call table: after the run, after a crash, while it runs.
 *
 *     scope_spool *spool;
 *     scope_spool_open("/tmp/.../host.spool", &spool);
 *     scope_calls *calls;
 *     scope_replay(scope_spool_recording(spool), 1, &calls);
 *
 * A reader trusts nobody: every size and offset is checked, a damaged chunk is
 * left out and counted, the result of each stream is a prefix up to the first
 * missing sequence number.
 *
 * Units      what leaves replay is int64_t ns of CLOCK_MONOTONIC of that node.
 * Ownership  the caller frees calls, cursors and spools; a view must outlive the
 *            cursor on it.
 * Threads    none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_REPLAY_H
#define SCOPE_REPLAY_H

#include <scope/calls.h>
#include <scope/recording.h>

typedef struct scope_spool scope_spool;

/* Map a spool file for reading, whatever state it is in. ERR_MISSING, ERR_IO,
 * ERR_CORRUPT (not a spool), ERR_VERSION. */
SCOPE_API scope_status scope_spool_open(const char *path, scope_spool **spool);
SCOPE_API void scope_spool_close(scope_spool *spool);

/* Look at the file again: its header, its size, whether its process lives. The view that
 * scope_spool_recording() gives stays where it is and has what was added; of the bytes that it
 * pointed to before nothing may be used any more. */
SCOPE_API scope_status scope_spool_refresh(scope_spool *spool);
SCOPE_API const scope_recording *scope_spool_recording(const scope_spool *spool);

/* 1: the process that records into it still runs (it holds the file's lock). */
SCOPE_API int scope_spool_alive(const scope_spool *spool);

/* 1: it ran when the file was opened, and what is read of it is what was there by then, or
 * more. 0: what is read is all, with how it ended. */
SCOPE_API int scope_spool_was_alive(const scope_spool *spool);

/* The uid that the file belongs to; it was looked at when it was opened. */
SCOPE_API uint32_t scope_spool_owner(const scope_spool *spool);

/* One session of a recording: what it was to write, and whether it did. */
typedef struct scope_session_row {
    uint16_t number; /* what scope_replay takes */
    int is_process;  /* 1: the process session, 0: an explicit one */
    int64_t start_realtime_ns; /* CLOCK_REALTIME when it began; 0 unknown: its entry is lost */
    char *output;    /* the pattern of its file; "" none; NULL unknown: its entry is lost */
    char *written;   /* the name that its last CHECKPOINT of everything says; NULL: not written */
    char *part;      /* a host's: the name of the file with all before its last cut; NULL: none */
} scope_session_row;

typedef struct scope_sessions {
    size_t count;
    scope_session_row *rows; /* by number */
    uint16_t main;           /* the session that session 0 of scope_replay stands for; 0 none */
} scope_sessions;

/* All sessions; the caller frees them. */
SCOPE_API scope_status scope_recording_sessions(const scope_recording *recording,
                                                scope_sessions *sessions);
SCOPE_API void scope_sessions_free(scope_sessions *sessions);

/* A replay that goes on where it stopped: a position per stream, the open
 * calls, the finished calls so far. */
typedef struct scope_cursor scope_cursor;

SCOPE_API scope_status scope_cursor_new(const scope_recording *recording, uint16_t session,
                                        scope_cursor **cursor);
SCOPE_API void scope_cursor_free(scope_cursor *cursor);

/* Take in all that was recorded since the last time. The view may have more
 * segments than before. */
SCOPE_API scope_status scope_cursor_advance(scope_cursor *cursor, const scope_recording *recording);

/* The finished calls so far as a table of one rank, nested; with `end` also the
 * calls still open, as rows that end at the recording's last time (flag OPEN).
 * The cursor stays usable. */
SCOPE_API scope_status scope_cursor_calls(const scope_cursor *cursor, int end, scope_calls **calls);

/* ---- for a host that reads while it records (host.h) ---- */

typedef struct scope_cursor_options {
    size_t size_bytes;    /* sizeof of the caller */
    int32_t host;         /* 1: a host's session: misuse is counted but not marked, calls that are
                             open are left out of tables, threads that recorded nothing and are not
                             the host's are left out and the others numbered in their order */
    int32_t untracked;    /* 1: one stack: an END that closes nothing on its own thread closes the
                             latest open call of its region on any thread; no lane columns and
                             tables, but for threads that are not the host's */
} scope_cursor_options;

SCOPE_API scope_status scope_cursor_new_with(const scope_recording *recording, uint16_t session,
                                             const scope_cursor_options *options,
                                             scope_cursor **cursor);

typedef struct scope_table_options {
    size_t size_bytes;
    const uint32_t *order;  /* region ids in the order wanted; others follow as they came */
    size_t order_count;
    int64_t first_call_id;
    int32_t end;            /* as in scope_cursor_calls() */
} scope_table_options;

/* The calls that finished since the last cut, as a table of one rank. ERR_NESTING: its
 * calls do not nest; the table is complete but for ids and exclusive times. */
SCOPE_API scope_status scope_cursor_table(scope_cursor *cursor, const scope_table_options *options,
                                          scope_calls **calls);

/* All calls that have finished so far count as reported. */
SCOPE_API scope_status scope_cursor_cut(scope_cursor *cursor);

/* Where the cursor stands, for scope_host_checkpoint(); the caller frees *positions. */
SCOPE_API scope_status scope_cursor_positions(const scope_cursor *cursor,
                                              scope_define_cut_stream **positions, size_t *count);

/* The calls of one region since the cut, in order of entry, open ones with end 0. The
 * caller frees both arrays. */
SCOPE_API scope_status scope_cursor_region(const scope_cursor *cursor, uint32_t region,
                                           int64_t **start_ns, int64_t **end_ns, size_t *count);

/* Ticks of the events' clock (scope_host_ticks) as ns: as true to the times of calls as
 * these are to each other. `ticks` before the last advance. */
SCOPE_API void scope_cursor_times(const scope_cursor *cursor, const int64_t *ticks, size_t count,
                                  int64_t *ns);

/* Calls that are open now, but for those of region `except` (UINT32_MAX: none). */
SCOPE_API size_t scope_cursor_open_count(const scope_cursor *cursor, uint32_t except);

/* The lane tables alone, as scope_cursor_table() would give them: a table without rows. */
SCOPE_API scope_status scope_cursor_lanes(scope_cursor *cursor, scope_calls **calls);

/* All of one session at once. Session 0: the process session that was started
 * last; ERR_MISSING when there is none. */
SCOPE_API scope_status scope_replay(const scope_recording *recording, uint16_t session,
                                    scope_calls **calls);

#endif
