/* fortran.h - Fortran's arguments as C's: values by reference, integer handles.
 *
 * A Fortran wrapper passes each argument on as it came, as void *; these only
 * read. Constants that are addresses in Fortran (MPI_IN_PLACE,
 * MPI_STATUS_IGNORE) are recognised by the symbols that the MPI has for them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_FORTRAN_H
#define SCOPE_MPI_FORTRAN_H

#include <stdbool.h>
#include <stdint.h>

#include "family.h"
#include "session.h"

static inline int f_int(const void *value)
{
    return *(const int *)value;
}

static inline int64_t f_count(const void *value)
{
    return *(const int64_t *)value;
}

/* MPICH's handles are Fortran's integers; elsewhere MPI converts. */
#if defined(SCOPE_MPI_FAMILY_MPICH)
#define MPI_Type MPI_Datatype
#define F_CONVERT(type, value) ((MPI_##type) * (const MPI_Fint *)(value))
#elif defined(SCOPE_MPI_FAMILY_ABI)
#define F_CONVERT(type, value) (PMPI(type##_fromint)(f_int(value)))
#else
#define F_CONVERT(type, value) (PMPI(type##_f2c)(*(const MPI_Fint *)(value)))
#endif

static inline MPI_Comm f_comm(const void *value)
{
    return F_CONVERT(Comm, value);
}

static inline MPI_Datatype f_type(const void *value)
{
    return F_CONVERT(Type, value);
}

static inline MPI_Request f_request(const void *value)
{
    return F_CONVERT(Request, value);
}

static inline MPI_Message f_message(const void *value)
{
    return F_CONVERT(Message, value);
}

static inline MPI_Win f_win(const void *value)
{
    return F_CONVERT(Win, value);
}

static inline MPI_File f_file(const void *value)
{
#if defined(SCOPE_MPI_FAMILY_ABI)
    return PMPI(File_fromint)(f_int(value));
#else
    return PMPI(File_f2c)(*(const MPI_Fint *)value); /* a pointer in MPICH, too */
#endif
}

/* `ierror` is optional in mpi_f08; without it an error would have ended the job. */
static inline bool f_succeeded(const void *ierror)
{
    return !ierror || f_int(ierror) == MPI_SUCCESS;
}

/* As mpi_making. */
static inline void f_making(const void *ierror, const void *comm)
{
    if (mpi_sessions_run() && f_succeeded(ierror))
        mpi_made_from_group(f_comm(comm));
}

/* The buffer at `address` is MPI_IN_PLACE. Where an array is passed by descriptor
 * (TS 29113), its first word is the address: *(void **)argument. */
bool f_in_place(const void *address);

/* MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE, of mpif.h, mpi or mpi_f08. */
bool f_ignored(const void *status);

/* What MPI_Waitany and its like call the first request: 1, but in mpi_f08 of some
 * MPICHs (4.0) 0. Asks the MPI once, with a receive from nobody. */
int f_first_index(bool f08);

#endif
