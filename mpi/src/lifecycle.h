/* lifecycle.h - when recording starts and ends under MPI.
 *
 *     MPI_Init wrapper, any binding        \
 *     first wrapped call (MPI_Init missed)  > running: rank, size, trigger on MPI_COMM_SELF
 *     first region call  (all missed)      /
 *
 *     MPI_Finalize wrapper, any binding    \  the end, once: meet, stop, clocks, write
 *     delete callback on MPI_COMM_SELF     /
 *
 * Without MPI_Init: the first and the last session (session.h).
 *
 * Beside the ends nothing here communicates, but for a first clock measurement
 * in MPI_Init where SCOPE_PARTIAL=0 allows it.
 *
 * Threads    any; who starts or ends is inside an MPI call of the program, or in
 *            a region call on a thread that may call MPI.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_LIFECYCLE_H
#define SCOPE_MPI_LIFECYCLE_H

#include <stdbool.h>

#include <scope/region.h>

#include "calls.h"
#include "clock_offset.h"
#include "family.h"

/* Around the next MPI_Init or MPI_Init_thread of any binding. */
scope_region mpi_init_enter(mpi_call call);
void mpi_init_leave(scope_region region);

/* Around the next MPI_Finalize: the run ends before it. */
void mpi_finalize_enter(void);
void mpi_finalize_leave(void);

/* A host's meeting was apart: MPI_Finalize has to come by here, and writes. */
void mpi_leave_to_end(void);

/* What was measured in MPI_Init, where SCOPE_PARTIAL=0 let it be; else unknown. */
mpi_clock mpi_clock_at_start(void);

/* For session.c: a run without MPI_Init. Idle: none was begun, or the last such was ended.
 * `row` is the call's own, which ends where the recording does. */
bool mpi_is_idle(void);
bool mpi_is_by_sessions(void);
void mpi_start_by_sessions(void);               /* before MPI is there: record */
void mpi_begin_by_sessions(int rank, int size); /* where none was begun */
void mpi_meet_by_sessions(void);                /* all ranks are in one call */
void mpi_end_by_sessions(scope_region row);

/* MPI may be called. */
bool mpi_runs(void);

/* Before the next MPI_Abort. */
void mpi_abort_enter(int code);

#endif
