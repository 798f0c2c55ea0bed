/* preload.h - which libraries a program gets, and why it may get none.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PRELOAD_H
#define SCOPE_PRELOAD_H

#include <stdbool.h>

typedef struct preload_program {
    char *path;         /* the file that will run; NULL: none found */
    bool executable;    /* false: found, but may not be run */
    bool is_static;     /* LD_PRELOAD does nothing for it */
    bool is_privileged; /* setuid, setgid or with capabilities: the loader ignores us */
    bool is_foreign;    /* of another machine or word size */
    const char *family; /* "ompi", "mpich", "abi"; "" it cannot be known */
    char *sanitizer;    /* the sanitizer's library, which must come first; NULL */
} preload_program;

/* Look at PROGRAM as execvp(3) will find it. Free with preload_free. */
preload_program preload_look(const char *program);
void preload_free(preload_program *program);

/* The new value of LD_PRELOAD: ours, then `kept` (may be NULL) without what is
 * there already. `family`: as above, "" all of them, "none" no MPI. malloc'd;
 * NULL: no memory, or `*missing` says which library is not installed. */
char *preload_list(const preload_program *program, const char *family, const char *kept,
                   const char **missing);

#endif
