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
#include "requests.h"

_Thread_local mpi_thread mpi_this __attribute__((tls_model("initial-exec")));
uint32_t mpi_known_recording = UINT32_MAX;

#define OWN_TRAFFIC UINTPTR_MAX

static _Thread_local struct {
    int depth;
    uintptr_t inside; /* before */
} quiet __attribute__((tls_model("initial-exec")));

/* recording << 32 | region; 0: not registered yet (0 is nobody's region). */
static _Atomic uint64_t regions[CALL_COUNT];

void mpi_quiet_begin(void)
{
    if (quiet.depth++ == 0) {
        quiet.inside = mpi_this.inside;
        mpi_this.inside = OWN_TRAFFIC;
    }
}

void mpi_quiet_end(void)
{
    if (--quiet.depth == 0)
        mpi_this.inside = quiet.inside;
}

static uint32_t recording_now(void)
{
    return __atomic_load_n(&scope_runtime_recording, __ATOMIC_RELAXED);
}

bool mpi_new_recording(void)
{
    const bool prepared = mpi_prepare();
    if (!mpi_is_ours())
        return false;
    scope_is_active(); /* may start one */
    const uint32_t recording = recording_now();
    if (recording ? !mpi_comm_ready(recording) : !prepared)
        return false;
    if (recording)
        mpi_untrack_receives();
    __atomic_store_n(&mpi_known_recording, recording, __ATOMIC_RELEASE);
    return recording != 0;
}

static scope_region register_call(mpi_call call, uint32_t recording)
{
    scope_region region = SCOPE_REGION_NONE;
    if (scope_region_register(mpi_call_names[call], &region) != SCOPE_OK)
        region = SCOPE_REGION_NONE;
    if (region >= 0)
        scope_region_tag(region, "mpi");
    atomic_store_explicit(&regions[call], (uint64_t)recording << 32 | (uint32_t)region,
                          memory_order_relaxed);
    return region;
}

/* Registered in this recording: then `region` is set. */
static inline bool is_registered(mpi_call call, uint32_t recording, scope_region *region)
{
    const uint64_t word = atomic_load_explicit(&regions[call], memory_order_relaxed);
    *region = (scope_region)(uint32_t)word;
    return word && word >> 32 == recording;
}

scope_region mpi_region(mpi_call call)
{
    scope_region region;
    const uint32_t recording = recording_now();
    return is_registered(call, recording, &region) ? region : register_call(call, recording);
}

static inline void begin(uintptr_t frame, scope_region region)
{
    mpi_this.inside = frame;
    mpi_this.open = region;
    scope_region_begin(region);
}

/* Out of line, so that the others need no room on the stack. */
__attribute__((cold, noinline)) static void begin_first(uintptr_t frame, mpi_call call)
{
    if (mpi_this.inside)
        scope_region_end(mpi_this.open); /* left by a jump */
    begin(frame, mpi_region(call));
}

void mpi_begin_in(uintptr_t frame, mpi_call call)
{
    scope_region region;
    if (is_registered(call, recording_now(), &region) && !mpi_this.inside)
        begin(frame, region);
    else
        begin_first(frame, call);
}

void mpi_say(const mpi_message *message)
{
    if (message->kind != SCOPE_MESSAGE_OTHER)
        scope_region_message(mpi_this.open, message);
}

void mpi_leave(const mpi_message *message)
{
    if (message->kind == SCOPE_MESSAGE_OTHER && message->communicator < 0)
        scope_region_end(mpi_this.open);
    else
        scope_region_end_message(mpi_this.open, message);
    mpi_this.inside = 0;
}
