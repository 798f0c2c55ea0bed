/* sessions.c - a program that uses MPI by sessions. MPI 4.
 *
 *     sessions [overlapping | threads | unmade | init-last | session-last | kill | exit | never]
 *
 * SPDX-License-Identifier: MIT
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/scope.h>

static int rank, size;

static MPI_Session open_session(MPI_Comm *all)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_rank(group, &rank);
    MPI_Group_size(group, &size);
    if (all)
        MPI_Comm_create_from_group(group, "sessions.c", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, all);
    MPI_Group_free(&group);
    return session;
}

static void work(MPI_Comm comm)
{
    static scope_region region;
    int one = 1, sum = 0, from = -1;
    scope_region_register("work", &region);
    scope_region_begin(region);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT,
                 (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    scope_region_end(region);
    if (from != (rank + size - 1) % size)
        sum = -1;
    printf("%d\n", sum);
    fflush(stdout);
}

static void *open_and_close(void *unused)
{
    for (int i = 0; i < 10; i++) {
        MPI_Session session = open_session(NULL);
        MPI_Session_finalize(&session);
    }
    return unused;
}

static void threads(void)
{
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, open_and_close, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Comm comm;
    MPI_Session second, session = open_session(strcmp(how, "unmade") ? &comm : NULL);
    if (!strcmp(how, "unmade")) {
        MPI_Session_finalize(&session);
        return 0;
    }
    if (!strcmp(how, "init-last") || !strcmp(how, "session-last")) {
        MPI_Init(&argc, &argv);
        work(MPI_COMM_WORLD);
    }
    if (!strcmp(how, "session-last"))
        MPI_Finalize();
    if (!strcmp(how, "overlapping"))
        second = open_session(NULL);
    if (!strcmp(how, "threads"))
        threads();
    work(comm);
    if (rank == 1 && !strcmp(how, "kill"))
        raise(SIGKILL);
    if (rank == 1 && !strcmp(how, "exit"))
        exit(3);
    if (!strcmp(how, "kill") || !strcmp(how, "exit"))
        work(comm);
    MPI_Comm_free(&comm);
    if (rank == 1 && !strcmp(how, "never"))
        return 0;
    if (!strcmp(how, "overlapping") && rank % 2)
        MPI_Session_finalize(&second); /* not in the same order everywhere */
    MPI_Session_finalize(&session);
    if (!strcmp(how, "overlapping") && rank % 2 == 0)
        MPI_Session_finalize(&second);
    if (!strcmp(how, "init-last"))
        MPI_Finalize();
    return 0;
}
