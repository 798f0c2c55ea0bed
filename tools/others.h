/* others.h - sessions of a killed run beside the one that is its profile.
 *
 * A program may record several at once; each was to write a file of its own, never
 * gathered from ranks. So `scope recover` makes a file of each as well.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OTHERS_H
#define SCOPE_OTHERS_H

#include "runs.h"

typedef struct others_options {
    const char *output; /* names are made of it; NULL: of what each was to write */
    const char *compression;
    bool replace, quiet;
} others_options;

size_t others_count(const run *run);

/* Make them all; what cannot be made is said, and its spool marked as needed. An
 * exit code. */
int others_recover(const run *run, const others_options *options);

#endif
