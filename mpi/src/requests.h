/* requests.h - what is not complete yet: what arrives, and from whom; what others are waited for.
 *
 * What a nonblocking receive brings is known when it completes, so the call that
 * completes it (MPI_Wait, MPI_Testsome ...) has its message, one for each receive;
 * MPI_Irecv's says what was asked for. A persistent request has its message at each
 * MPI_Start. A completed nonblocking collective is told of, too, and a send that may
 * have waited for its receiver (SCOPE_FOLLOWED_BYTES): which one it was. Only these,
 * persistent requests and matched messages are in the table: a short send costs
 * nothing here.
 *
 * A wait whose requests include a receive is given statuses of ours where
 * the program ignores them; all else is passed on untouched.
 *
 * Threads    any.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_REQUESTS_H
#define SCOPE_MPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "communicators.h"
#include "core.h"
#include "family.h"

typedef enum mpi_pending_kind {
    PENDING_NONE,
    PENDING_RECEIVE,            /* gone when complete */
    PENDING_PERSISTENT_RECEIVE, /* stays until freed */
    PENDING_SEND,
    PENDING_PERSISTENT_SEND,
    PENDING_MESSAGE,            /* matched by MPI_Mprobe */
    PENDING_IDUP,               /* a communicator that is being made */
    PENDING_COLLECTIVE,
    PENDING_PERSISTENT_COLLECTIVE,
    PENDING_WINDOW, /* no requests, but handles that are a communicator's, too */
    PENDING_FILE,
} mpi_pending_kind;

typedef struct mpi_pending { /* a cache line */
    uintptr_t handle;
    const mpi_comm *on;   /* held, for translating the status' source; NULL: peer is known */
    int64_t bytes;        /* of a persistent send or collective */
    union {
        struct {          /* of a send that is followed */
            int32_t dest, sent_tag;
        };
        const void *made; /* where the new communicator will be: C's handle, or Fortran's */
    };
    uint8_t kind;         /* mpi_pending_kind */
    bool fortran;         /* so is `made` */
    uint8_t waits_for;    /* of a collective: scope_collective_class */
    uint32_t serial;      /* tells two requests of one handle apart */
    uint32_t sent;        /* of a send that is followed: which of them; 0: none, or not begun */
    int32_t peer;         /* rank in MPI_COMM_WORLD; -1: the status says */
    int32_t communicator; /* id */
    int32_t tag;          /* of a persistent request or a matched message; -1 any. Of the new
                             communicator its serial */
    int32_t collective;   /* its number on the communicator; -1 not begun */
} mpi_pending;

/* An array of requests: C handles, or Fortran's. */
typedef struct mpi_requests {
    const void *values;
    bool fortran;
    int first; /* the index of the first one: 0 in C, 1 in Fortran */
} mpi_requests;

/* ---- after calls that make requests ---- */

void mpi_track_receive(const mpi_comm *on, int source, MPI_Request request);
void mpi_track_receive_init(const mpi_comm *on, int source, int tag, MPI_Request request);
void mpi_track_send_init(const mpi_comm *on, int64_t bytes, int dest, int tag,
                         MPI_Request request);
void mpi_track_collective_init(const mpi_comm *on, int64_t bytes, int root,
                               scope_collective_class waits_for, MPI_Request request);
void mpi_untrack(MPI_Request request);

/* What the call that made `request` sent, or began together with others. */
void mpi_track_send(const mpi_message *sent, MPI_Request request);
void mpi_track_collective(const mpi_message *begun, scope_collective_class waits_for,
                          MPI_Request request);

/* MPI_Comm_idup: its place among the communicators of these members is now, the handle is there
 * when `request` is complete. */
void mpi_track_idup(const mpi_comm *on, const mpi_message *begun, const void *made, bool fortran,
                    MPI_Request request);

/* Windows and files, and the communicator that one was made from; never NULL. */
void mpi_track_window(const mpi_comm *on, MPI_Win window);
void mpi_track_file(const mpi_comm *on, MPI_File file);
void mpi_untrack_window(MPI_Win window);
void mpi_untrack_file(MPI_File file);
const mpi_comm *mpi_window_of(MPI_Win window);
const mpi_comm *mpi_file_of(MPI_File file);

/* Calls were not recorded for a while: what was complete meanwhile is not known, so
 * no receive of before is. Persistent requests stay. */
void mpi_untrack_receives(void);

/* Matched probes: the message knows its communicator, and what `probed` says of it. taken: from
 * the table, by the receive, which gives it back with mpi_pending_done. */
void mpi_track_message(const mpi_comm *on, const mpi_message *probed, MPI_Message message);
mpi_pending mpi_take_message(MPI_Message message);
void mpi_track_matched(const mpi_pending *matched, MPI_Request request);
void mpi_pending_done(const mpi_pending *taken);

/* A receive of a message that a probe took: blocking, and not. */
mpi_message mpi_receiving_matched(const mpi_pending *matched);
mpi_message mpi_posting_matched(const mpi_pending *matched);

/* The persistent requests among these were started: they are sent, or posted. */
void mpi_started(mpi_message *moved, mpi_requests requests, int count);

/* ---- statuses ---- */

/* What arrived, from whom and with which tag. `status` is C's or Fortran's: they
 * have one layout in each family. */
void mpi_received(mpi_message *moved, const mpi_comm *on, const void *status);

/* The same of a call that sent `moved` before. */
void mpi_received_too(mpi_message *moved, const mpi_comm *on, const void *status);

/* The call sent `moved`, and posted a receive; `request` completes both. */
void mpi_posted_too(mpi_message *moved, const mpi_comm *on, int source, int tag,
                    MPI_Request request);

/* What came from a file. */
void mpi_read(mpi_message *moved, const void *status);

/* From whom, and the tag. */
void mpi_probed(mpi_message *moved, const mpi_comm *on, const void *status);

/* ---- around calls that complete requests ---- */

#define MPI_WATCH_ROOM 4

typedef struct mpi_watched {
    int index; /* in the array of requests, from 0 */
    mpi_pending pending;
} mpi_watched;

typedef struct mpi_watch {
    int count;              /* of the requests, in their order, those that are followed; */
    int receive_count;      /* of these are receives */
    mpi_requests requests;
    mpi_watched *watched;   /* room, or malloc'd */
    MPI_Status *statuses;   /* status, or malloc'd; NULL: the program's are used */
    mpi_watched room[MPI_WATCH_ROOM];
    MPI_Status status[MPI_WATCH_ROOM];
} mpi_watch;

/* Look the requests up. */
void mpi_watch_begin(mpi_watch *watch, mpi_requests requests, int count);

/* The statuses to pass on: the program's, or ours where it ignores them and a
 * receive is among the requests. `count` is how many the call may fill in. */
void *mpi_watch_statuses(mpi_watch *watch, void *statuses, bool ignored, int count);

/* All requests are complete; the one at `index`, if any; those of `indices`. Each
 * that is followed has its message; the last one is left in `moved`. */
void mpi_watch_all(mpi_watch *watch, mpi_message *moved, const void *statuses);
void mpi_watch_one(mpi_watch *watch, mpi_message *moved, int index, const void *status);
void mpi_watch_some(mpi_watch *watch, mpi_message *moved, int count, const int *indices,
                    const void *statuses);

/* Those that ended in an error are forgotten too: their handles are gone. */
void mpi_watch_end(mpi_watch *watch);

#endif
