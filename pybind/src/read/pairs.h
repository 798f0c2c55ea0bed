/* pairs.h - the pairs of a table as Python dicts, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_PAIRS_H
#define SCOPE_PYBIND_PAIRS_H

#include "read.h"

PyObject *pairs_to(const scope_calls *calls);

/* Pairs, sorted by rank, with their texts. *uncounted: bytes, 1 for each pair that came
 * without statistics; the caller frees them with PyMem_Free. */
int pairs_from(scope_calls *calls, PyObject *list, char **uncounted);

#endif
