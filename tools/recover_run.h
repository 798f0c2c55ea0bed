/* recover_run.h - the file of one run, of what its ranks left.
 *
 * Ranks that left no spool may have a file of their own, which is taken instead. Nothing is
 * written where the run's file has everything.
 *
 * Errors     said on stderr.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RECOVER_RUN_H
#define RECOVER_RUN_H

#include <stdbool.h>

#include "runs.h"

typedef struct recover_options {
    const char *output, *run, *host, *compression, *collect;
    bool list, remove, force, quiet;
} recover_options;

/* Make the file, those of other sessions beside it, and remove the spools if that is asked
 * for. An exit code: EXIT_FAILED also where only a part could be made. */
int recover_run(const run *run, const recover_options *options);

#endif
