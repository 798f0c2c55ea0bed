/* sessions.c - a program that uses MPI by a session, without MPI_Init. MPI 4.
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <stdio.h>

#include <scope/scope.h>

int main(void)
{
    static scope_region work;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int one = 1, sum = 0;
    scope_region_register("work", &work);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "sessions.c", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    scope_region_begin(work);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    scope_region_end(work);
    printf("%d\n", sum);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    return 0;
}
