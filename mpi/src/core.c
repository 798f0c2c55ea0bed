/* core.c - what every wrapper does: enter, begin, forward, leave.
 *
 * SPDX-License-Identifier: MIT
 */
#include "core.h"

#include <stdatomic.h>

#include <scope/session.h>
#include <scope/sink.h>

#include "communicators.h"
#include "family.h"

_Thread_local int mpi_inside __attribute__((tls_model("initial-exec")));

/* 0: not registered yet (0 is nobody's region). */
static _Atomic scope_region regions[CALL_COUNT];

void mpi_quiet_begin(void)
{
    mpi_inside++;
}

void mpi_quiet_end(void)
{
    mpi_inside--;
}

bool mpi_recording(void)
{
    /* MPI runs and is ours: once true, it stays so until MPI_Finalize, which ends
     * the session as well. */
    static atomic_bool set_up;
    if (atomic_load_explicit(&set_up, memory_order_acquire))
        return scope_is_active();
    mpi_prepare();
    if (!mpi_is_ours() || !scope_is_active() || !mpi_comm_ready())
        return false;
    atomic_store_explicit(&set_up, true, memory_order_release);
    return true;
}

static scope_region register_call(mpi_call call)
{
    scope_region region = SCOPE_REGION_NONE;
    if (scope_region_register(mpi_call_names[call], &region) != SCOPE_OK)
        region = SCOPE_REGION_NONE;
    if (region >= 0)
        scope_region_tag(region, "mpi");
    atomic_store_explicit(&regions[call], region, memory_order_relaxed);
    return region;
}

scope_region mpi_region(mpi_call call)
{
    const scope_region region = atomic_load_explicit(&regions[call], memory_order_relaxed);
    return __builtin_expect(region != 0, 1) ? region : register_call(call);
}

void mpi_begin(mpi_call call)
{
    mpi_inside = 1;
    scope_region_begin(mpi_region(call));
}

void mpi_leave(mpi_call call, mpi_message message)
{
    const scope_region region = mpi_region(call);
    if (message.communicator < 0 && message.peer < 0 && message.bytes == 0)
        scope_region_end(region);
    else
        scope_region_end_message(region, message.bytes, message.peer, message.communicator);
    mpi_inside = 0;
}
