/* launcher.h - `scope run mpirun ...`: the variables must reach the other nodes.
 *
 * The processes of this node inherit them. MPICH's mpirun and srun pass the whole
 * environment on; Open MPI's passes to other nodes only what it is told to.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_LAUNCHER_H
#define SCOPE_LAUNCHER_H

/* The words to run instead of `words`, whose program lies at `path`: the same, or
 * with options inserted. May set a variable. Never NULL; not freed. */
char **launcher_forward(const char *path, char **words);

#endif
