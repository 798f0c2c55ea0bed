/* fortran.c - constants that are addresses in Fortran.
 *
 * Open MPI has a common block for each, which the program shares. MPICH keeps
 * pointers to them, which its own mpirinitf_ sets before the first Fortran call
 * that needs one; for mpi_f08 it has objects.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fortran.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core.h"
#include "session.h"

typedef struct sentinel {
    const char *symbol;
    bool pointer; /* the symbol holds the address */
    void *found;
} sentinel;

#define SENTINELS 5

static sentinel in_place[SENTINELS] = {
    {"mpi_fortran_in_place_", false, NULL},
    {"MPIR_F_MPI_IN_PLACE", true, NULL},
    {"MPIR_F08_MPI_IN_PLACE", false, NULL},
};

static sentinel ignore[SENTINELS] = {
    {"mpi_fortran_status_ignore_", false, NULL}, {"mpi_fortran_statuses_ignore_", false, NULL},
    {"MPI_F_STATUS_IGNORE", true, NULL},         {"MPI_F_STATUSES_IGNORE", true, NULL},
    {"MPI_F08_STATUS_IGNORE", true, NULL},
};

static sentinel ignore_f08[SENTINELS] = {
    {"MPI_F08_STATUSES_IGNORE", true, NULL},
    {"MPIR_F08_MPI_STATUS_IGNORE_OBJ", false, NULL},
    {"MPIR_F08_MPI_STATUSES_IGNORE_OBJ", false, NULL},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_all(sentinel list[SENTINELS])
{
    for (int i = 0; i < SENTINELS && list[i].symbol; i++)
        list[i].found = mpi_symbol(list[i].symbol);
}

static void find_sentinels(void)
{
    find_all(in_place);
    find_all(ignore);
    find_all(ignore_f08);
    void (*set_pointers)(void) = mpi_symbol("mpirinitf_");
    if (set_pointers && in_place[1].found && !*(void **)in_place[1].found)
        set_pointers();
}

static bool is_one(const sentinel list[SENTINELS], const void *address)
{
    for (int i = 0; i < SENTINELS; i++) {
        const void *found = list[i].found;
        if (found && (list[i].pointer ? *(void *const *)found : found) == address)
            return true;
    }
    return false;
}

bool f_in_place(const void *address)
{
    pthread_once(&once, find_sentinels);
    return address && is_one(in_place, address);
}

bool f_ignored(const void *status)
{
    pthread_once(&once, find_sentinels);
    return status && (is_one(ignore, status) || is_one(ignore_f08, status));
}

#if defined(SCOPE_MPI_FAMILY_MPICH)
static int ask_first_index(void)
{
    void (*waitany)(int *, MPI_Fint *, int *, void *, int *) =
        (void (*)(int *, MPI_Fint *, int *, void *, int *))mpi_next("mpi_waitany_f08_");
    MPI_Status status;
    MPI_Request request;
    MPI_Comm self;
    int count = 1, index = 1, error = MPI_SUCCESS;
    mpi_quiet_begin();
    if (waitany && mpi_self_comm(&self)) {
        if (PMPI(Irecv)(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, self, &request) == MPI_SUCCESS)
            waitany(&count, &request, &index, &status, &error);
        mpi_self_comm_done(&self);
    }
    mpi_quiet_end();
    return index == 0 ? 0 : 1;
}

int f_first_index(bool f08)
{
    static _Atomic int known; /* 0: not yet; else 1 + the answer */
    if (!f08)
        return 1;
    int answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (!answer) {
        answer = 1 + ask_first_index();
        atomic_store_explicit(&known, answer, memory_order_relaxed);
    }
    return answer - 1;
}
#else
int f_first_index(bool f08)
{
    (void)f08;
    return 1;
}
#endif
