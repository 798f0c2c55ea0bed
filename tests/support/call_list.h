/* call_list.h - a call table from a list of calls and their messages, made by hand.
 *
 *     calls_begin(2);                                    ranks 0 and 1 in MPI_COMM_WORLD
 *     call(0, "MPI_Recv", 10, 60); received(1, 7);       from rank 1, tag 7
 *     call(1, "MPI_Send", 50, 55); sent(0, 7);
 *     scope_calls *calls = calls_end();
 *
 * Messages are of the call before them. Communicator rows: `WORLD` is of all ranks; more are
 * made with communicator(), for each rank. What does not nest has no ids.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef CALL_LIST_H
#define CALL_LIST_H

#include <scope/calls.h>

enum { WORLD = 0 };

void calls_begin(int32_t ranks);
scope_calls *calls_end(void);

void call(int32_t rank, const char *name, int64_t start_ns, int64_t end_ns);

/* What follows are calls of that thread: 0 at first. */
void on_thread(int64_t thread);

/* Of the last call, on the communicator on() said last: WORLD at first. */
void on(int communicator);
void message(int32_t kind, int32_t peer, int32_t tag);
void sent(int32_t to, int32_t tag);
void received(int32_t from, int32_t tag);
void posted(int32_t from, int32_t tag);
void collective(int32_t number, int32_t root);
void send_completed(int32_t to, int32_t tag, int64_t since);
void collective_completed(int32_t number, int32_t root, int64_t waits_for);

/* Those of the last message; 0 at first. */
void of_bytes(int64_t bytes);

/* A row for each of `ranks` (as many as there are, -1 ends them). Returns its number. */
int communicator(int64_t members, int32_t serial, int32_t size, const int32_t *ranks);

#endif
