/* launcher.h - what the launcher's environment says of this process.
 *
 * For lines that are said where rank 0 is not known or cannot be asked.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_MPI_LAUNCHER_H
#define SCOPE_MPI_LAUNCHER_H

#include <stdbool.h>

/* Rank in the job; -1: nobody says. */
int mpi_launcher_rank(void);

/* true for one process of each node and job: the first that asks. */
bool mpi_first_on_node(void);

#endif
