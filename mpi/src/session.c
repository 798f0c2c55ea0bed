/* session.c - see session.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "fortran.h"
#include "lifecycle.h"
#include "narrow.h"
#include "wrapper.h"

#if MPI_VERSION >= 4

static struct {
    pthread_mutex_t lock; /* never held while others are waited for */
    int count;            /* open sessions of the program */
    bool ending;          /* a thread is in the end of the run */
    _Atomic bool open;    /* ours is */
    MPI_Session own;
    _Atomic bool met; /* a communicator of all ranks was made */
    int size;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool mpi_sessions_run(void)
{
    return atomic_load(&all.open) && mpi_is_by_sessions();
}

static bool pset(const char *name, MPI_Group *group)
{
    return PMPI(Group_from_session_pset)(all.own, name, group) == MPI_SUCCESS;
}

bool mpi_world_group(MPI_Group *group)
{
    return mpi_sessions_run() ? pset("mpi://WORLD", group)
                              : PMPI(Comm_group)(MPI_COMM_WORLD, group) == MPI_SUCCESS;
}

bool mpi_self_comm(MPI_Comm *comm)
{
    MPI_Group group;
    *comm = MPI_COMM_SELF;
    if (!mpi_sessions_run())
        return true;
    if (!pset("mpi://SELF", &group))
        return false;
    const int rc = PMPI(Comm_create_from_group)(group, "scope-profiler", MPI_INFO_NULL,
                                                MPI_ERRORS_RETURN, comm);
    PMPI(Group_free)(&group);
    return rc == MPI_SUCCESS;
}

void mpi_self_comm_done(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_SELF)
        PMPI(Comm_free)(comm);
}

/* ---- the start ---- */

/* Under the lock: the first of the program's sessions is open, and MPI_Init was not called. */
static void start(void)
{
    MPI_Group world;
    int rank = 0;
    if (PMPI(Session_init)(MPI_INFO_NULL, MPI_ERRORS_RETURN, &all.own) != MPI_SUCCESS)
        return;
    if (!pset("mpi://WORLD", &world)) {
        PMPI(Session_finalize)(&all.own);
        return;
    }
    PMPI(Group_rank)(world, &rank);
    PMPI(Group_size)(world, &all.size);
    PMPI(Group_free)(&world);
    atomic_store(&all.met, false);
    atomic_store(&all.open, true);
    mpi_begin_by_sessions(rank, all.size);
}

static void opened(void)
{
    mpi_quiet_begin();
    pthread_mutex_lock(&all.lock);
    if (all.count++ == 0 && !all.ending && (mpi_is_idle() || mpi_is_by_sessions()))
        start();
    pthread_mutex_unlock(&all.lock);
    mpi_quiet_end();
}

/* MPI_COMM_WORLD is there underneath, and the end of the last session waits for all ranks. */
static bool is_mpich(void)
{
    static const char name[] = "MPICH Version:";
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int length = 0;
    if (PMPI(Get_library_version)(text, &length) != MPI_SUCCESS ||
        strncmp(text, name, sizeof name - 1) != 0)
        return false;
    const int major = atoi(text + sizeof name - 1);
    return major == 4 || major == 5;
}

void mpi_made_from_group(MPI_Comm comm)
{
    int size = 0, inter = 0;
    if (atomic_load(&all.met) || all.size == 1 || comm == MPI_COMM_NULL || !is_mpich())
        return;
    mpi_quiet_begin();
    PMPI(Comm_size)(comm, &size);
    PMPI(Comm_test_inter)(comm, &inter);
    if (size == all.size && !inter && !atomic_exchange(&all.met, true))
        mpi_meet_by_sessions();
    mpi_quiet_end();
}

/* ---- the end ---- */

/* Under the lock. */
static void close_own(void)
{
    if (atomic_exchange(&all.open, false))
        PMPI(Session_finalize)(&all.own);
}

/* A session of the program is about to be closed. true: the run has ended, and its row too.
 * Where not all ranks can meet it goes on: MPI_Init may follow, and at exit there is a file. */
static bool closing(scope_region row)
{
    pthread_mutex_lock(&all.lock);
    const bool is_last = all.count > 0 && --all.count == 0 && !all.ending;
    const bool ends = is_last && mpi_sessions_run() && atomic_load(&all.met);
    all.ending = all.ending || ends;
    pthread_mutex_unlock(&all.lock);
    if (ends)
        mpi_end_by_sessions(row);
    pthread_mutex_lock(&all.lock);
    if (ends)
        all.ending = false;
    if (!all.ending && all.count == 0)
        close_own();
    else if (ends && mpi_is_idle()) /* another thread has opened one meanwhile */
        mpi_begin_by_sessions(scope_runtime_rank(), all.size);
    pthread_mutex_unlock(&all.lock);
    return ends;
}

/* ---- around the calls ---- */

typedef struct outer {
    bool is; /* of this thread: not a call of MPI's own, or of Fortran through C */
    scope_region row;
} outer;

static outer enter(mpi_call call, bool starts)
{
    outer mine = {.is = MPI_FRAME >= mpi_this.inside, .row = SCOPE_REGION_NONE};
    mpi_next("MPI_Session_init"); /* an MPI is there from here on */
    mine.is = mine.is && mpi_is_ours();
    if (!mine.is)
        return mine;
    if (starts)
        mpi_start_by_sessions();
    if (starts || !scope_runtime_is_hosts())
        mine.row = mpi_region(call);
    scope_region_begin(mine.row);
    mpi_quiet_begin();
    return mine;
}

static void leave(const outer *mine)
{
    mpi_quiet_end();
    scope_region_end(mine->row);
}

static outer init_enter(void)
{
    const outer mine = enter(CALL_MPI_Session_init, true);
    if (mine.is)
        scope_runtime_foreign_threads(1);
    return mine;
}

static void init_leave(const outer *mine, bool succeeded)
{
    if (!mine->is)
        return;
    scope_runtime_foreign_threads(0);
    leave(mine);
    if (succeeded)
        opened();
}

static outer finalize_enter(void)
{
    return enter(CALL_MPI_Session_finalize, false);
}

static void finalize(outer *mine, MPI_Session session)
{
    if (session != MPI_SESSION_NULL && closing(mine->row))
        mine->row = SCOPE_REGION_NONE;
}

static void finalize_leave(const outer *mine)
{
    if (mine->is)
        leave(mine);
}

WRAPPER(MPI_Session_init, (wide_Info info, wide_Errhandler errhandler, MPI_Session *session))
{
    const outer mine = init_enter();
    const int rc = FORWARD_OR(MPI_Session_init, mpi_missing)(info, errhandler, session);
    init_leave(&mine, rc == MPI_SUCCESS);
    return rc;
}

WRAPPER(MPI_Session_finalize, (MPI_Session *session))
{
    outer mine = finalize_enter();
    if (mine.is)
        finalize(&mine, *session);
    const int rc = FORWARD_OR(MPI_Session_finalize, mpi_missing)(session);
    finalize_leave(&mine);
    return rc;
}

/* ---- of Fortran: mpif.h and mpi, mpi_f08 ---- */

static MPI_Session f_session(const void *value)
{
    return F_CONVERT(Session, value);
}

#define INIT(symbol)                                                                               \
    SCOPE_API void symbol(void *info, void *errhandler, void *session, void *ierror);              \
    void symbol(void *info, void *errhandler, void *session, void *ierror)                         \
    {                                                                                              \
        const outer mine = init_enter();                                                           \
        FORWARD_FORTRAN(symbol)(info, errhandler, session, ierror);                                \
        init_leave(&mine, f_succeeded(ierror));                                                    \
    }

#define FINALIZE(symbol)                                                                           \
    SCOPE_API void symbol(void *session, void *ierror);                                            \
    void symbol(void *session, void *ierror)                                                       \
    {                                                                                              \
        outer mine = finalize_enter();                                                             \
        if (mine.is)                                                                               \
            finalize(&mine, f_session(session));                                                   \
        FORWARD_FORTRAN(symbol)(session, ierror);                                                  \
        finalize_leave(&mine);                                                                     \
    }

INIT(mpi_session_init_)
INIT(mpi_session_init_f08_)
FINALIZE(mpi_session_finalize_)
FINALIZE(mpi_session_finalize_f08_)

#else

bool mpi_sessions_run(void)
{
    return false;
}

bool mpi_world_group(MPI_Group *group)
{
    return PMPI(Comm_group)(MPI_COMM_WORLD, group) == MPI_SUCCESS;
}

bool mpi_self_comm(MPI_Comm *comm)
{
    *comm = MPI_COMM_SELF;
    return true;
}

void mpi_self_comm_done(MPI_Comm *comm)
{
    (void)comm;
}

void mpi_made_from_group(MPI_Comm comm)
{
    (void)comm;
}

#endif
