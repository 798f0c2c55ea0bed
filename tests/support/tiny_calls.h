/* tiny_calls.h - threads that record many tiny calls inside others, and count those that ended.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TEST_TINY_CALLS_H
#define SCOPE_TEST_TINY_CALLS_H

#include <stdatomic.h>
#include <stdint.h>

#include <scope/region.h>

enum { THREADS = 2, INSIDE = 200 }; /* tiny calls in each of outer */

static scope_region outer, tiny;
static int outers_each; /* calls of outer on each thread */
static atomic_int running; /* threads that go on; to be set before they start */
static _Atomic(uint64_t) done[THREADS]; /* calls of tiny that have ended */

/* A thread's, with its place in `done`. */
static void *work(void *argument)
{
    _Atomic(uint64_t) *mine = argument;
    for (int k = 0; k < outers_each; k++) {
        scope_region_begin(outer);
        for (int i = 0; i < INSIDE; i++) {
            scope_region_begin(tiny);
            scope_region_end(tiny);
            atomic_fetch_add(mine, 1);
        }
        scope_region_end(outer);
    }
    atomic_fetch_sub(&running, 1);
    return NULL;
}

static uint64_t all_done(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += atomic_load(&done[i]);
    return sum;
}

#endif
