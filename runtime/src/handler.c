/* handler.c - does a signal handler run on this thread?
 *
 * libgcc's unwinder, linked statically: libscope needs the C library alone. The static one
 * finds tables by the loader's lists, without malloc.
 *
 * SPDX-License-Identifier: MIT
 */
#include "handler.h"

#include <unwind.h>

typedef struct search {
    unsigned frames;
    bool found;
} search;

static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *argument)
{
    search *my = argument;
    int interrupted = 0; /* this frame was left at an instruction, not by a call */
    _Unwind_GetIPInfo(frame, &interrupted);
    my->found = interrupted;
    return interrupted || ++my->frames == SCOPE_FRAMES_MAX ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool scope_in_handler(void)
{
    search my = {0, false};
    _Unwind_Backtrace(look, &my);
    return my.found;
}
