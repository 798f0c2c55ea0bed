/* lifecycle.c - when recording starts and ends under MPI.
 *
 *     IDLE ─▶ STARTING ── MPI runs and is ours ──▶ RUNNING ── MPI_Finalize ──▶ ENDED
 *      ▲                                             │
 *      └────────────── the last session ─────────────┘
 *
 * SPDX-License-Identifier: MIT
 */
#include "lifecycle.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

#include <scope/sink.h>

#include "communicators.h"
#include "core.h"
#include "family.h"
#include "launcher.h"
#include "meeting.h"
#include "session.h"
#include "world.h"
#include "wrapper.h"

enum { IDLE, STARTING, RUNNING, ENDED };

static struct {
    _Atomic int phase;
    _Atomic int initialising; /* inside an MPI_Init that we forward */
    _Atomic int reached;      /* calls come by our wrappers */
    _Atomic int by_sessions;  /* began without MPI_Init */
    int rank, size;
    mpi_clock start; /* the clocks at the start; measured only where SCOPE_PARTIAL=0 */
} run = {.size = 1, .start = {.bound_ns = -1, .parent = -1}};

static bool world_runs(void)
{
    int initialised = 0, finalised = 0;
    PMPI(Initialized)(&initialised);
    PMPI(Finalized)(&finalised);
    return initialised && !finalised;
}

bool mpi_runs(void)
{
    return mpi_sessions_run() || world_runs();
}

/* ---- the end ---- */

static void say_apart(void)
{
    if (scope_runtime_wanted() && mpi_first_on_node())
        scope_runtime_say("mpi-apart",
                          "finalize() in Python writes no file here, for not every rank calls it: "
                          "MPI_Finalize writes one of all ranks, under rank 0's name");
}

/* Each rank by itself: the runtime names the file after the rank. MEETING_HELD: all are here,
 * but MPI fails. */
static void write_alone(mpi_meeting meeting)
{
    if (scope_runtime_wanted() && mpi_first_on_node()) {
        if (meeting == MEETING_HELD)
            scope_runtime_say("mpi-gather", "the ranks cannot be gathered, MPI fails: each rank "
                              "keeps its own recording; `scope merge` joins them");
        else
            scope_runtime_say("mpi-gather",
                              "not every rank came to the end within %g s (SCOPE_GATHER_TIMEOUT): "
                              "each rank keeps its own recording; `scope merge` joins them",
                              scope_runtime_seconds("SCOPE_GATHER_TIMEOUT"));
    }
    scope_runtime_set_deferred(SCOPE_DEFERRED_ALONE);
    scope_runtime_write(NULL);
}

/* `no_mpi_io`: why not; NULL: it works. */
static void write_together(MPI_Comm *comm, int64_t has_events, const char *no_mpi_io)
{
    int64_t any = 0;
    if (PMPI(Allreduce)(&has_events, &any, 1, MPI_INT64_T, MPI_SUM, *comm) != MPI_SUCCESS) {
        write_alone(MEETING_HELD);
        return;
    }
    if (!any)
        return; /* switched off everywhere: no file */
    mpi_tree tree;
    mpi_clock end;
    scope_world world;
    mpi_tree_build(*comm, &tree);
    mpi_clock_measure(&tree, &end);
    mpi_world_open(&world, &tree, &run.start, &end);
    world.no_mpi_io = no_mpi_io;
    scope_runtime_write(&world);
}

/* Who ends the run: once. */
static bool take_end(void)
{
    int expected = RUNNING;
    return atomic_compare_exchange_strong(&run.phase, &expected, ENDED);
}

/* Inside the last call of MPI, on every rank. `row`: of that call, up to where the recording
 * stops. */
static void end_run(scope_region row, const char *no_mpi_io)
{
    mpi_quiet_begin();
    mpi_meeting meeting;
    while ((meeting = mpi_meet(MEET_TO_END)) == MEETING_APART) /* once: hosts will come, too */
        say_apart();
    scope_region_end(row);
    const int64_t has_events = scope_runtime_has_events();
    scope_runtime_stop();
    MPI_Comm comm;
    if (run.size == 1) {
        scope_runtime_write(NULL);
    } else if (meeting != MEETING_HELD || mpi_private_comm(&comm) != SCOPE_OK) {
        write_alone(meeting);
    } else {
        write_together(&comm, has_events, no_mpi_io);
        PMPI(Comm_free)(&comm);
    }
    scope_runtime_set_deferred(SCOPE_NOT_DEFERRED);
    mpi_quiet_end();
}

/* ---- the trigger on MPI_COMM_SELF: runs inside MPI_Finalize whatever the binding ---- */

static int copy_nothing(MPI_Comm comm, int keyval, void *extra, void *value, void *copy, int *flag)
{
    (void)comm, (void)keyval, (void)extra, (void)value, (void)copy;
    *flag = 0;
    return MPI_SUCCESS;
}

static int self_deleted(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    if (take_end()) /* MPI shuts down MPI-IO before */
        end_run(SCOPE_REGION_NONE,
                "MPI is ending already: MPI_Finalize does not come by libscope_mpi");
    return MPI_SUCCESS;
}

static void set_trigger(void)
{
    int keyval;
    if (PMPI(Comm_create_keyval)(copy_nothing, self_deleted, &keyval, NULL) != MPI_SUCCESS)
        return;
    PMPI(Comm_set_attr)(MPI_COMM_SELF, keyval, NULL);
    PMPI(Comm_free_keyval)(&keyval); /* freed for good with the attribute */
}

/* ---- the start ---- */

/* Every rank has us and is in MPI_Init: the user said so with SCOPE_PARTIAL=0. If that is
 * not so, those that wait give up, now and for the end. */
static void measure_start(void)
{
    MPI_Comm comm;
    if (run.size == 1 || scope_runtime_flag("SCOPE_PARTIAL"))
        return;
    if (mpi_meet(MEET_TO_START) != MEETING_HELD) {
        if (mpi_first_on_node())
            scope_runtime_say("mpi-partial",
                              "SCOPE_PARTIAL=0, but not every rank came to MPI_Init with it within "
                              "%g s (SCOPE_GATHER_TIMEOUT): each rank keeps its own recording",
                              scope_runtime_seconds("SCOPE_GATHER_TIMEOUT"));
        return;
    }
    if (mpi_private_comm(&comm) != SCOPE_OK)
        return;
    mpi_tree tree;
    mpi_tree_build(comm, &tree);
    mpi_clock_measure(&tree, &run.start);
    PMPI(Comm_free)(&comm);
}

static bool is_spawned(void)
{
    MPI_Comm parent;
    return PMPI(Comm_get_parent)(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
}

/* Rank and size are known. */
static void join_world(int rank, int size)
{
    run.rank = rank;
    run.size = size;
    run.start = mpi_clock_unknown();
    scope_runtime_set_rank(rank, size);
}

/* MPI runs. `in_init`: inside MPI_Init, which is collective. A run that sessions began goes on. */
static void begin_run(bool in_init)
{
    int expected = IDLE, rank = 0, size = 1;
    if (!atomic_compare_exchange_strong(&run.phase, &expected, STARTING) &&
        !atomic_exchange(&run.by_sessions, 0))
        return;
    mpi_quiet_begin();
    PMPI(Comm_rank)(MPI_COMM_WORLD, &rank);
    PMPI(Comm_size)(MPI_COMM_WORLD, &size);
    join_world(rank, size);
    if (is_spawned())
        scope_runtime_set_spawned();
    scope_runtime_set_deferred(SCOPE_DEFERRED);
    scope_runtime_start();
    mpi_comm_begin();
    set_trigger();
    if (expected == IDLE)
        atomic_store(&run.phase, RUNNING);
    if (in_init)
        measure_start();
    mpi_quiet_end();
}

mpi_clock mpi_clock_at_start(void)
{
    return run.start;
}

bool mpi_prepare(void)
{
    if (atomic_load_explicit(&run.phase, memory_order_acquire) == IDLE &&
        !atomic_load(&run.initialising) && mpi_is_ours() && world_runs())
        begin_run(false);
    return atomic_load_explicit(&run.phase, memory_order_acquire) >= RUNNING;
}

void mpi_leave_to_end(void)
{
    mpi_prepare();
    say_apart();
}

scope_region mpi_init_enter(mpi_call call)
{
    mpi_next("MPI_Init"); /* an MPI is there from here on, for what follows */
    if (!mpi_is_ours() || atomic_fetch_add(&run.initialising, 1))
        return SCOPE_REGION_NONE;
    atomic_store(&run.reached, 1);
    scope_runtime_start();
    const scope_region region = mpi_region(call);
    scope_region_begin(region);
    mpi_quiet_begin();
    scope_runtime_foreign_threads(1); /* MPI's progress threads are no lanes of the program */
    return region;
}

void mpi_init_leave(scope_region region)
{
    if (!mpi_is_ours() || atomic_fetch_sub(&run.initialising, 1) != 1)
        return;
    scope_runtime_foreign_threads(0);
    mpi_quiet_end();
    scope_region_end(region);
    if (world_runs()) /* the error code is optional in Fortran */
        begin_run(true);
}

void mpi_finalize_enter(void)
{
    mpi_prepare();
    if (take_end()) {
        const scope_region row =
            scope_runtime_is_hosts() ? SCOPE_REGION_NONE : mpi_region(CALL_MPI_Finalize);
        scope_region_begin(row);
        end_run(row, NULL);
    }
    mpi_quiet_begin();
}

void mpi_finalize_leave(void)
{
    mpi_quiet_end();
}

/* ---- without MPI_Init ---- */

bool mpi_is_idle(void)
{
    return atomic_load(&run.phase) == IDLE;
}

bool mpi_is_by_sessions(void)
{
    return atomic_load(&run.by_sessions);
}

void mpi_start_by_sessions(void)
{
    atomic_store(&run.reached, 1);
    if (mpi_is_idle() && !atomic_load(&run.initialising))
        scope_runtime_start();
}

void mpi_begin_by_sessions(int rank, int size)
{
    int expected = IDLE;
    if (!atomic_compare_exchange_strong(&run.phase, &expected, STARTING))
        return;
    join_world(rank, size);
    scope_runtime_set_deferred(SCOPE_DEFERRED);
    scope_runtime_start();
    atomic_store(&run.by_sessions, 1);
    mpi_comm_begin();
    atomic_store(&run.phase, RUNNING);
}

void mpi_meet_by_sessions(void)
{
    measure_start();
}

void mpi_end_by_sessions(scope_region row)
{
    if (!take_end())
        return;
    end_run(row, "MPI runs by sessions, without MPI_Init");
    atomic_store(&run.by_sessions, 0);
    atomic_store(&run.phase, IDLE); /* a later session, or MPI_Init, begins another run */
}

void mpi_abort_enter(int code)
{
    static atomic_flag copied = ATOMIC_FLAG_INIT; /* a Fortran call may reach the C wrapper too */
    if (atomic_load(&run.phase) == RUNNING && !atomic_flag_test_and_set(&copied))
        scope_runtime_abort_copy(code);
}

/* ---- the wrappers ---- */

int MPI_Init(int *argc, char ***argv)
{
    const scope_region region = mpi_init_enter(CALL_MPI_Init);
    const int rc = NEXT(Init)(argc, argv);
    mpi_init_leave(region);
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    const scope_region region = mpi_init_enter(CALL_MPI_Init_thread);
    const int rc = NEXT(Init_thread)(argc, argv, required, provided);
    mpi_init_leave(region);
    return rc;
}

int MPI_Finalize(void)
{
    mpi_finalize_enter();
    const int rc = NEXT(Finalize)();
    mpi_finalize_leave();
    return rc;
}

WRAPPER(MPI_Abort, (wide_Comm comm, int code))
{
    mpi_abort_enter(code);
    return FORWARD(MPI_Abort)(comm, code);
}

/* ---- not reached ---- */

/* The MPI_Init that the program's calls meet first is in the same object as `symbol`. */
static bool meets(const void *symbol)
{
    const void *first = dlsym(RTLD_DEFAULT, "MPI_Init");
    Dl_info theirs, ours;
    return first && dladdr(first, &theirs) && dladdr(symbol, &ours) &&
           theirs.dli_fbase == ours.dli_fbase;
}

/* May this thread call MPI, outside any MPI call of the program? */
static bool may_call_mpi(void)
{
    int level = MPI_THREAD_SINGLE, is_main = 0;
    PMPI(Query_thread)(&level);
    PMPI(Is_thread_main)(&is_main);
    return level == MPI_THREAD_MULTIPLE || is_main;
}

/* Opened late and for itself (host.h): nobody's calls are meant to come by here. */
static bool is_private(void)
{
    void *program = dlopen(NULL, RTLD_LAZY);
    const bool is_global = program && dlsym(program, "scope_mpi_host_open");
    if (program)
        dlclose(program);
    return !is_global;
}

static void say_order(void)
{
    if (scope_runtime_wanted())
        scope_runtime_say("mpi-order",
                          "MPI calls are not recorded: the program was linked with -lscope_mpi "
                          "after the MPI library; link -lscope_mpi first, or use `scope run`");
}

/* At a region call. Nonzero: no need to ask again. */
static int watch(void)
{
    if (atomic_load(&run.phase) != IDLE || atomic_load(&run.reached) || !mpi_is_ours())
        return 1;
    if (!world_runs() || !may_call_mpi())
        return 0;
    begin_run(false);
    if (run.rank == 0)
        say_order();
    return 1;
}

/* At load time nothing is started or opened: this may be a shell. Our wrappers will
 * not be reached: a region call may be the only one to tell us of MPI, and where
 * there is none only rank 0's launcher can. */
__attribute__((constructor)) static void look_at_link_order(void)
{
    const void *below = dlsym(RTLD_DEFAULT, "PMPI_Init");
    if (!below || meets((void *)meets) || is_private())
        return;
    scope_runtime_watch(watch);
    if (scope_runtime_rank() != 0 || !meets(below)) /* another tool may forward to us */
        return;
    if (mpi_fits())
        say_order();
    else
        mpi_is_ours(); /* says whose library this is */
}
