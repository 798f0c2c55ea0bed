/* core.h - what every wrapper does: enter, begin, forward, leave.
 *
 *     int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
 *     {
 *         if (!mpi_enter())
 *             return FORWARD(MPI_Bcast)(buffer, count, datatype, root, comm);
 *         const mpi_comm *on = mpi_comm_of(comm);
 *         const mpi_message message = mpi_collecting(on, mpi_bytes(count, datatype), root);
 *         mpi_begin(CALL_MPI_Bcast);
 *         const int rc = FORWARD(MPI_Bcast)(buffer, count, datatype, root, comm);
 *         mpi_leave(&message);
 *         return rc;
 *     }
 *
 * (WRAPPER in wrapper.h writes the first line.) Only the outermost call of a
 * thread is recorded: MPI libraries call themselves, and under MPICH a Fortran
 * call reaches the C wrapper too. Our own traffic is marked with mpi_quiet and
 * not recorded.
 *
 * Units      bytes.
 * Threads    any, up to MPI_THREAD_MULTIPLE: all state is thread-local, but for
 *            the tables of communicators and of requests, which have locks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_CORE_H
#define SCOPE_MPI_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include <scope/region.h>
#include <scope/sink.h>

#include "calls.h"

/* What a call moved: the row's mpi_bytes, mpi_peers, mpi_comms, mpi_tags, mpi_kinds. */
typedef scope_message mpi_message;
#define MPI_MESSAGE_NONE SCOPE_MESSAGE_NONE

/* What this thread is in. */
typedef struct mpi_thread {
    uintptr_t inside;  /* frame of the recorded call; 0 none, all ones: our own traffic */
    scope_region open; /* that call's region */
} mpi_thread;

extern _Thread_local mpi_thread mpi_this __attribute__((tls_model("initial-exec")));

/* Our own MPI calls between these are not recorded. They nest. */
void mpi_quiet_begin(void);
void mpi_quiet_end(void);

/* lifecycle.c: before the first wrapped call's begin is recorded (cheap when
 * done): decides the family, starts the session when MPI is initialised. false:
 * MPI does not run yet. */
bool mpi_prepare(void);

/* The recording (scope_runtime_recording) that knows our communicators. */
extern uint32_t mpi_known_recording __attribute__((visibility("hidden")));
bool mpi_new_recording(void);

/* The process records and its MPI is ours, is initialised and not finalized. */
static inline bool mpi_recording(void)
{
    const uint32_t recording = __atomic_load_n(&scope_runtime_recording, __ATOMIC_RELAXED);
    const uint32_t known = __atomic_load_n(&mpi_known_recording, __ATOMIC_ACQUIRE);
    return __builtin_expect(recording == known, 1) ? recording != 0 : mpi_new_recording();
}

/* The wrapper's frame. Stacks grow down: a call that MPI makes itself has a lower
 * one. One that is as high or higher is the program's: the call that this thread
 * was in was left by a jump (an error handler that threw or called longjmp). */
#define MPI_FRAME ((uintptr_t)__builtin_frame_address(0))
#define MPI_INLINE static inline __attribute__((always_inline))

/* true: this call is to be recorded (it is the outermost of its thread): then
 * mpi_begin, the call and mpi_leave follow. false: just forward. */
MPI_INLINE bool mpi_enter(void)
{
    return MPI_FRAME >= mpi_this.inside && mpi_recording();
}

void mpi_begin_in(uintptr_t frame, mpi_call call);

MPI_INLINE void mpi_begin(mpi_call call)
{
    mpi_begin_in(MPI_FRAME, call);
}

/* A message of the call that this thread is in: for all but the last one, which mpi_leave takes.
 * Of kind OTHER: none. */
void mpi_say(const mpi_message *message);
void mpi_leave(const mpi_message *message);

/* The region of a call, registered and tagged "mpi" at first use in a recording;
 * negative: it is filtered out. For the calls that lifecycle.c records itself. */
scope_region mpi_region(mpi_call call);

#endif
