/* list.h - which runs left recordings, for people: `scope recover --list`.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_LIST_H
#define SCOPE_LIST_H

#include "runs.h"

void list_runs(const run *runs, size_t count);

#endif
