/* merge.h - merge() and place(): tables of several ranks or runs as one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_MERGE_H
#define SCOPE_PYBIND_MERGE_H

#include "read.h"

int merge_add(PyObject *module);

#endif
