/* spawned.c - see spawned.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "spawned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core.h"

#if defined(SCOPE_MPI_FAMILY_MPICH)

MPI_Info mpi_spawn_tell(mpi_spawn *spawn, const mpi_comm *on, int root, MPI_Info info)
{
    (void)on, (void)root;
    spawn->count = 0;
    return info;
}

const MPI_Info *mpi_spawn_tell_each(mpi_spawn *spawn, const mpi_comm *on, int root, int count,
                                    const MPI_Info *infos)
{
    (void)on, (void)root, (void)count;
    spawn->count = 0;
    return infos;
}

void *mpi_spawn_tell_fortran(mpi_spawn *spawn, const mpi_comm *on, int root, int count,
                             void *handles)
{
    (void)on, (void)root, (void)count;
    spawn->count = 0;
    return handles;
}

void mpi_spawn_end(mpi_spawn *spawn)
{
    (void)spawn;
}

#else

#if defined(SCOPE_MPI_FAMILY_ABI)
#define INFO_OF(handle) (PMPI(Info_fromint)(handle))
#define HANDLE_OF(info) (PMPI(Info_toint)(info))
#else
#define INFO_OF(handle) (PMPI(Info_f2c)(handle))
#define HANDLE_OF(info) (PMPI(Info_c2f)(info))
#endif

/* "SCOPE_PARENT=...", behind what the program has there. false: it does not fit. */
static bool add_line(MPI_Info info)
{
    char value[MPI_MAX_INFO_VAL + 1] = "", host[256] = "", run[33];
    int length = 0, there = 0;
    if (PMPI(Info_get_valuelen)(info, "env", &length, &there) != MPI_SUCCESS ||
        (there && (length >= MPI_MAX_INFO_VAL ||
                   PMPI(Info_get)(info, "env", length + 1, value, &there) != MPI_SUCCESS)))
        return false;
    gethostname(host, sizeof host - 1);
    scope_runtime_run_id(run);
    const size_t before = strlen(value), room = MPI_MAX_INFO_VAL - before;
    const int added = snprintf(value + before, room, "%sSCOPE_PARENT=%s/%d/%ld/%s",
                               before ? "\n" : "", run, scope_runtime_rank(), (long)getpid(), host);
    return added > 0 && (size_t)added < room && PMPI(Info_set)(info, "env", value) == MPI_SUCCESS;
}

/* A copy that tells more; MPI_INFO_NULL: none. */
static MPI_Info told(MPI_Info info)
{
    MPI_Info copy = MPI_INFO_NULL;
    const int rc = info == MPI_INFO_NULL ? PMPI(Info_create)(&copy) : PMPI(Info_dup)(info, &copy);
    if (rc != MPI_SUCCESS)
        return MPI_INFO_NULL;
    if (!add_line(copy))
        PMPI(Info_free)(&copy);
    return copy;
}

static bool begin(mpi_spawn *spawn, const mpi_comm *on, int root)
{
    *spawn = (mpi_spawn){.infos = &spawn->one, .handles = &spawn->one_handle};
    return on->id >= 0 && on->rank == root;
}

MPI_Info mpi_spawn_tell(mpi_spawn *spawn, const mpi_comm *on, int root, MPI_Info info)
{
    if (!begin(spawn, on, root))
        return info;
    spawn->one = told(info);
    spawn->count = 1;
    return spawn->one != MPI_INFO_NULL ? spawn->one : info;
}

/* Room for `count` copies, of which none is made yet. */
static bool make_room(mpi_spawn *spawn, int count)
{
    if (count < 1)
        return false;
    if (count > 1) {
        spawn->infos = malloc((size_t)count * sizeof *spawn->infos);
        spawn->handles = malloc((size_t)count * sizeof *spawn->handles);
    }
    if (!spawn->infos || !spawn->handles)
        return false;
    spawn->count = count;
    return true;
}

/* Ours are freed at the end, so what is passed is an array of its own: where a copy could not
 * be made nobody is told. */
static void forget(mpi_spawn *spawn, int made)
{
    spawn->count = made;
    mpi_spawn_end(spawn);
    *spawn = (mpi_spawn){.infos = &spawn->one, .handles = &spawn->one_handle};
}

const MPI_Info *mpi_spawn_tell_each(mpi_spawn *spawn, const mpi_comm *on, int root, int count,
                                    const MPI_Info *infos)
{
    if (!begin(spawn, on, root) || !make_room(spawn, count))
        return infos;
    for (int i = 0; i < count; i++)
        if ((spawn->infos[i] = told(infos[i])) == MPI_INFO_NULL) {
            forget(spawn, i);
            return infos;
        }
    return spawn->infos;
}

void *mpi_spawn_tell_fortran(mpi_spawn *spawn, const mpi_comm *on, int root, int count,
                             void *handles)
{
    if (!begin(spawn, on, root) || !make_room(spawn, count))
        return handles;
    for (int i = 0; i < count; i++) {
        spawn->infos[i] = told(INFO_OF(((const MPI_Fint *)handles)[i]));
        if (spawn->infos[i] == MPI_INFO_NULL) {
            forget(spawn, i);
            return handles;
        }
        spawn->handles[i] = HANDLE_OF(spawn->infos[i]);
    }
    return spawn->handles;
}

void mpi_spawn_end(mpi_spawn *spawn)
{
    for (int i = 0; i < spawn->count; i++)
        if (spawn->infos[i] != MPI_INFO_NULL)
            PMPI(Info_free)(&spawn->infos[i]);
    if (spawn->infos != &spawn->one)
        free(spawn->infos);
    if (spawn->handles != &spawn->one_handle)
        free(spawn->handles);
}

#endif
