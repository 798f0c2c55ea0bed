/* identity.h - who this process is: run, rank, child of a run, name of its file.
 *
 * Ownership  text that is returned is malloc'd unless said.
 * Threads    under the session lock.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_IDENTITY_H
#define SCOPE_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* The same on every rank of a job that has one launcher, else random; drawn once. */
void scope_identity_run(uint8_t run_id[16]);

/* Rank and size: from MPI, else from the launcher, else -1 and -1. */
void scope_identity_set_rank(int rank, int size);
void scope_identity_rank(int *rank, int *size);

/* MPI is in this process, and may say the rank. As of load time. */
bool scope_identity_has_mpi(void);
void scope_identity_setup(void);

/* Of a process of MPI_Comm_spawn: who called that (mpi/src/spawn.h), as it came; NULL: nobody
 * says, or it is none. */
void scope_identity_set_spawned(void);
const char *scope_identity_parent(void);

/* A child of the program that `scope run` became, a forked one, or one that was started by
 * a program that records into the same file; without a rank. */
bool scope_identity_is_child(void);
bool scope_identity_is_run(void); /* the process that `scope run` became */
void scope_identity_forked(void);

/* `scope run` is at work here, in this process or in one it was started from. */
bool scope_identity_is_preloaded(void);

/* The letters of `pattern` replaced; `.spawn-<pid>` in a spawned process. */
char *scope_identity_expand(const char *pattern, int rank, int size);

/* The name that this process writes by itself: letters replaced, `.rank<r>` or
 * `.child-<pid>` where several would write one name, the pid where another of
 * this run took it. *split: 1 when it has a rank in it because nobody gathers. */
char *scope_identity_output(const char *pattern, bool *split);

/* 1: does the folder that a file would be in exist? */
bool scope_identity_has_folder(const char *path);

#endif
