/* handler.h - does a signal handler run on this thread?
 *
 *     if (scope_in_handler())
 *         no malloc, no lock: the code that was interrupted may be inside either
 *
 * Looks for the frame that the kernel put on the stack, also on an alternate one and with
 * SA_NODEFER, where the blocked signals say nothing. Through code without unwind tables it
 * sees no further, nor through more than SCOPE_FRAMES_MAX frames: then the answer is false.
 *
 * Threads    any; async-signal-safe, no malloc. 1 us per frame.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HANDLER_H
#define SCOPE_HANDLER_H

#include <stdbool.h>

#define SCOPE_FRAMES_MAX 4096

bool scope_in_handler(void) __attribute__((visibility("hidden")));

#endif
