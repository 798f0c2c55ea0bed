/* app.c - three calls of one region, and what <scope/scope.h> offers in C.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <scope/scope.h>

static void work(int i)
{
    SCOPE_REGION("work");
    scope_counter("i", i);
}

int main(void)
{
    const scope_options options = SCOPE_OPTIONS_INIT;
    if (scope_init(&options) != SCOPE_OK)
        return 1;
    for (int i = 0; i < 3; i++)
        work(i);
    puts(scope_status_text(scope_finalize()));
    return 0;
}
