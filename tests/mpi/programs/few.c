/* few.c - calls between ranks that were not together, and others that no program here makes.
 *
 *     few [ports]     with ports: also MPI_Comm_join, and a spawn of two programs
 *
 * 3 ranks. Some calls are made by two of them only.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static void exchange(MPI_Comm comm, int peer)
{
    int in = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    expect("Sendrecv", 4, peer, "sent");
    SHOW("from the other", ((int[]){in}));
}

static void of_groups(void)
{
#if MPI_VERSION >= 4
    MPI_Group world, here, there;
    MPI_Comm all, inter, copy;
    MPI_Info info = an_info();
    MPI_Request request;
    int value = 10 + rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_create_from_group(world, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
    expect("Comm_create_from_group", 0, -1, "-");
    MPI_Comm_idup_with_info(all, info, &copy, &request);
    expect("Comm_idup_with_info", 0, -1, "collective");
    wait_for(&request);
    C(Isendrecv_replace)(&value, 1, MPI_INT, right, 0, left, 0, copy, &request);
    expect("Isendrecv_replace", 4, right, "sent");
    PMPI_Wait(&request, MPI_STATUS_IGNORE); /* MPICH 4.0 says nothing in the status of these */
    SHOW("replaced", ((int[]){value}));
    MPI_Comm_free(&copy);
    expect("Comm_free", 0, -1, "collective");
    MPI_Comm_free(&all);
    expect("Comm_free", 0, -1, "collective");

    MPI_Group_incl(world, 1, (int[]){0}, &here);
    MPI_Group_excl(world, 1, (int[]){0}, &there);
    MPI_Intercomm_create_from_groups(rank ? there : here, 0, rank ? here : there, 0, "two",
                                     MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter);
    expect("Intercomm_create_from_groups", 0, -1, "-");
    if (rank < 2)
        exchange(inter, !rank);
    MPI_Comm_free(&inter);
    expect("Comm_free", 0, -1, "collective");
    MPI_Group_free(&here);
    MPI_Group_free(&there);
    MPI_Group_free(&world);
    MPI_Info_free(&info);
#endif
}

static void by_name(int ports)
{
    char port[MPI_MAX_PORT_NAME] = "any text";
    if (rank == 0 && ports) {
        MPI_Open_port(MPI_INFO_NULL, port);
        expect("Open_port", 0, -1, "-");
    }
    if (rank == 0) {
        MPI_Publish_name("few.c", MPI_INFO_NULL, port);
        expect("Publish_name", 0, -1, "-");
    }
    barrier();
    if (rank == 2) {
        char found[MPI_MAX_PORT_NAME] = "";
        MPI_Lookup_name("few.c", MPI_INFO_NULL, found);
        expect("Lookup_name", 0, -1, "-");
    }
    barrier();
    if (rank == 0) {
        MPI_Unpublish_name("few.c", MPI_INFO_NULL, port);
        expect("Unpublish_name", 0, -1, "-");
    }
    if (rank == 0 && ports) {
        MPI_Close_port(port);
        expect("Close_port", 0, -1, "-");
    }
}

/* Ranks 0 and 1 by a socket between them. */
static int open_socket(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (rank == 0) {
        const int listening = fd;
        bind(listening, (struct sockaddr *)&at, sizeof at);
        listen(listening, 1);
        getsockname(listening, (struct sockaddr *)&at, &length);
        PMPI_Send(&at, sizeof at, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        fd = accept(listening, NULL, NULL);
        close(listening);
    } else {
        PMPI_Recv(&at, sizeof at, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        connect(fd, (struct sockaddr *)&at, sizeof at);
    }
    return fd;
}

static void by_socket(void)
{
    MPI_Comm other;
    const int fd = open_socket();
    MPI_Comm_join(fd, &other);
    expect("Comm_join", 0, -1, "-");
    exchange(other, !rank);
    MPI_Comm_disconnect(&other);
    expect("Comm_disconnect", 0, -1, "collective");
    close(fd);
}

static void by_spawn(char *program)
{
    char *commands[] = {program, program};
    char *one[] = {"one", NULL}, *two[] = {"two", NULL}, **arguments[] = {one, two};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Comm children;
    int size_of_theirs = 0;
    MPI_Comm_spawn_multiple(2, commands, arguments, (int[]){1, 2}, infos, 0, MPI_COMM_WORLD,
                            &children, MPI_ERRCODES_IGNORE);
    expect("Comm_spawn_multiple", 0, 0, "collective");
    MPI_Comm_remote_size(children, &size_of_theirs);
    SHOW("children", ((int[]){size_of_theirs}));
    MPI_Barrier(children);
    expect("Barrier", 0, -1, "collective");
    MPI_Comm_disconnect(&children);
    expect("Comm_disconnect", 0, -1, "collective");
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    const int ports = argc > 1 && !strcmp(argv[1], "ports");
    if (argc > 1 && !ports) { /* a child */
        MPI_Init(&argc, &argv);
        MPI_Comm_get_parent(&parent);
        MPI_Barrier(parent);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    start(&argc, &argv);
    of_groups();
    by_name(ports);
    if (ports && rank < 2)
        by_socket();
    if (ports)
        by_spawn(argv[0]);
    finish();
    return 0;
}
