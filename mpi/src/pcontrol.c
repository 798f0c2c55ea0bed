/* pcontrol.c - MPI_Pcontrol(0) pauses the recording, MPI_Pcontrol(1) resumes it.
 *
 * A level is a state, not a count: saying it twice changes nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdatomic.h>

#include <scope/session.h>
#include <scope/version.h>

#include "core.h"
#include "family.h"
#include "fortran.h"

static void set_level(int level)
{
    static _Atomic uint32_t paused; /* in which recording: a new one is not */
    const uint32_t recording = __atomic_load_n(&scope_runtime_recording, __ATOMIC_RELAXED);
    if (!mpi_is_ours() || level < 0 || !recording)
        return;
    const bool pause = level == 0;
    if ((atomic_exchange(&paused, pause ? recording : 0) == recording) == pause)
        return;
    if (pause)
        scope_pause();
    else
        scope_resume();
}

/* What may follow `level` is not standardised, and no MPI reads it. */
SCOPE_API int MPI_Pcontrol(const int level, ...)
{
    set_level(level);
    return NEXT(Pcontrol)(level);
}

#ifndef SCOPE_MPI_STATIC

typedef void pcontrol_fn(void *level);

static void fortran_pcontrol(pcontrol_fn *next, void *level)
{
    set_level(f_int(level));
    if (next)
        next(level);
}

SCOPE_API void mpi_pcontrol_(void *level)
{
    fortran_pcontrol((pcontrol_fn *)mpi_next("mpi_pcontrol_"), level);
}

SCOPE_API void mpi_pcontrol_f08_(void *level)
{
    fortran_pcontrol((pcontrol_fn *)mpi_next("mpi_pcontrol_f08_"), level);
}

#endif
