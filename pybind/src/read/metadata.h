/* metadata.h - a table's metadata as a dict of str, int and lists of str, and back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_METADATA_H
#define SCOPE_PYBIND_METADATA_H

#include "read.h"

PyObject *metadata_to(const scope_calls *calls);

/* In place of what there is. An integer beyond int64 becomes text. */
int metadata_from(scope_calls *calls, PyObject *dict);

#endif
