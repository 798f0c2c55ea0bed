/* world.h - the World type: the ranks of the job, where MPI runs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_WORLD_H
#define SCOPE_PYBIND_WORLD_H

#include "read.h"

#define WORLD_CAPSULE "scope_profiler.world"

int world_add(PyObject *module);

#endif
