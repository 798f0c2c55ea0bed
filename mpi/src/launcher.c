/* launcher.c - what the launcher's environment says of this process.
 *
 * SPDX-License-Identifier: MIT
 */
#include "launcher.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <scope/sink.h>

static const char *first_of(const char *const *names)
{
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (value && *value)
            return value;
    }
    return NULL;
}

int mpi_launcher_rank(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                        "SLURM_PROCID", NULL};
    const char *value = first_of(names);
    char *end;
    const long rank = value ? strtol(value, &end, 10) : -1;
    return value && end != value && !*end && rank >= 0 ? (int)rank : -1;
}

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
        return mpi_launcher_rank() <= 0;
    if (bind(taken, (struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0)
        return true; /* kept open until the process ends */
    close(taken);
    return false;
}
