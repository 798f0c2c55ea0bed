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
SCOPE_API const scope_recording *scope_spool_recording(const scope_spool *spool);

/* 1: the process that records into it still runs (it holds the file's lock). */
SCOPE_API int scope_spool_alive(const scope_spool *spool);

/* One session of a recording: what it was to write, and whether it did. */
typedef struct scope_session_row {
    uint16_t number; /* what scope_replay takes */
    int is_process;  /* 1: the process session, 0: an explicit one */
    char *output;    /* the pattern of its file; "" none; NULL unknown: its entry is lost */
    char *written;   /* the name that its last CHECKPOINT of everything says; NULL: not written */
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

/* All of one session at once. Session 0: the process session that was started
 * last; ERR_MISSING when there is none. */
SCOPE_API scope_status scope_replay(const scope_recording *recording, uint16_t session,
                                    scope_calls **calls);

#endif
