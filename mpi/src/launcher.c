/* launcher.c - which process of a node speaks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launcher.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <scope/sink.h>

bool mpi_first_on_node(void)
{
    /* An abstract socket name belongs to one process of the node and goes with it:
     * nothing is left behind and nobody waits. */
    char id[33];
    scope_runtime_run_id(id);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int length =
        snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "scope-%s", id);
    const int taken = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (taken < 0)
        return scope_runtime_rank() <= 0;
    if (bind(taken, (struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0)
        return true; /* kept open until the process ends */
    close(taken);
    return false;
}
