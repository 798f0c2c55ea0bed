/* idle.c - regions without anything that starts the profiler; argv[1] says how.
 * SPDX-License-Identifier: MIT */
#include <scope/scope.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    scope_session *session = NULL;
    scope_region region = SCOPE_REGION_NONE;
    if (!strcmp(how, "init"))
        scope_init(NULL);
    if (!strcmp(how, "session"))
        scope_session_create(NULL, &session);
    if (!strcmp(how, "macro") || !strcmp(how, "init")) {
        SCOPE_REGION("macro");
    }
    if (!strcmp(how, "handle") || session) {
        scope_region_register("handle", &region);
        scope_region_begin(region);
        scope_region_end(region);
    }
    if (!strcmp(how, "name")) {
        scope_region_begin_name("name");
        scope_region_end_name("name");
    }
    scope_session_close(session);
    return 0;
}
