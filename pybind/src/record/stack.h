/* stack.h - is there room on the C stack for another call into Python?
 *
 * A call from C takes some of it, other than one from Python, and the recursion limit of
 * the interpreter counts frames, not bytes: a program that raised the limit would crash.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_STACK_H
#define SCOPE_PYBIND_STACK_H

#include <stdint.h>

/* The last bytes of the calling thread's stack. Before the first question they are all. */
typedef struct stack_reserve {
    uintptr_t lowest, bytes;
} stack_reserve;

extern _Thread_local stack_reserve stack_this_thread
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Out of line: finds the reserve of a thread that does not know it yet, then answers. */
int stack_look(uintptr_t here) __attribute__((cold, visibility("hidden")));

/* 1: only the reserve is left. A stack that is not the thread's own has room. */
static inline int stack_is_low(void)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return __builtin_expect(here - stack_this_thread.lowest < stack_this_thread.bytes, 0) &&
           stack_look(here);
}

#endif
