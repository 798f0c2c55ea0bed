/* launcher.h - which process of a node speaks, where rank 0 cannot be asked.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_LAUNCHER_H
#define SCOPE_MPI_LAUNCHER_H

#include <stdbool.h>

/* true for one process of each node and job: the first that asks. */
bool mpi_first_on_node(void);

#endif
