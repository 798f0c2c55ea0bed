/* stack.c - is there room on the C stack for another call into Python?
 *
 * SPDX-License-Identifier: MIT
 */
#include "stack.h"

#include <pthread.h>

#define RESERVE_BYTES ((size_t)256 * 1024) /* what a C function below us may want */

_Thread_local stack_reserve stack_this_thread = {0, UINTPTR_MAX};

int stack_look(uintptr_t here)
{
    stack_reserve *self = &stack_this_thread;
    if (self->bytes == UINTPTR_MAX) {
        pthread_attr_t attributes;
        void *lowest = NULL;
        size_t size = 0;
        *self = (stack_reserve){0, 0}; /* unknown: there is room */
        if (pthread_getattr_np(pthread_self(), &attributes))
            return 0;
        if (!pthread_attr_getstack(&attributes, &lowest, &size)) {
            self->lowest = (uintptr_t)lowest;
            self->bytes = size / 4 < RESERVE_BYTES ? size / 4 : RESERVE_BYTES;
        }
        pthread_attr_destroy(&attributes);
    }
    return here - self->lowest < self->bytes;
}
