/* world_pipes.h - a world of forked processes, for what needs several ranks.
 *
 * Every rank has a socket to rank 0, which does all the work; the messages are
 * not what a real world would send, the results are. Two ranks are a node.
 *
 * Ownership  the world of a rank lives in its process.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TEST_WORLD_PIPES_H
#define SCOPE_TEST_WORLD_PIPES_H

#include <scope/world.h>

/* Fork `size` ranks, run `rank_main` in each of them and wait. Returns the number
 * of ranks that did not return 0; a rank that hangs for 60 s counts. Rank `r`
 * may return 0..127. `codes` (may be NULL) gets each rank's exit status. */
int world_pipes_run(int size, int (*rank_main)(scope_world *world, void *context), void *context,
                    int *codes);

#endif
