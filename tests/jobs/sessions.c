/* sessions.c - pause, flush, explicit sessions, several recordings; argv[1] says which.
 *
 * argv[2], argv[3]: file names of the explicit sessions.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void calls(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
}

static int pauses(void)
{
    calls("before", 3);
    scope_region_begin_name("spans");
    scope_pause();
    calls("paused", 5);
    scope_region_begin_name("begun while paused");
    scope_pause();
    calls("paused twice", 5);
    scope_resume();
    calls("still paused", 5);
    scope_resume();
    scope_region_end_name("begun while paused"); /* no orphan */
    calls("after", 4);
    scope_region_end_name("spans");
    scope_region_begin_name("ends while paused");
    scope_pause();
    scope_region_end_name("ends while paused");
    scope_resume();
    calls("last", 2);
    return 0;
}

static void *thread(void *unused)
{
    calls("in thread", 50);
    return unused;
}

static int flushes(void)
{
    pthread_t id;
    calls("before flush", 100);
    scope_region_begin_name("open at flush");
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    if (scope_flush() != SCOPE_OK)
        return 3;
    if (system("cp \"$FLUSHED\" \"$FLUSHED\".copy"))
        return 4;
    scope_region_end_name("open at flush");
    calls("after flush", 200);
    if (scope_flush() != SCOPE_OK)
        return 5;
    calls("after second", 10);
    return 0;
}

static scope_session *one, *two;

static void *side_by_side(void *unused)
{
    scope_region both, only;
    scope_region_register("both", &both);
    scope_region_register("only two", &only);
    for (int i = 0; i < 1000; i++) {
        scope_session_begin(one, both);
        scope_session_begin(two, both);
        scope_session_begin(two, only);
        calls("process", 1);
        scope_session_end(two, only);
        scope_session_end(one, both);
        scope_session_end(two, both);
    }
    return unused;
}

static int explicit_sessions(char **names)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.output = names[0];
    if (scope_session_create(&options, &one) != SCOPE_OK)
        return 3;
    options.output = names[1];
    if (scope_session_create(&options, &two) != SCOPE_OK)
        return 4;
    pthread_t id[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&id[i], NULL, side_by_side, NULL);
    side_by_side(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(id[i], NULL);
    if (scope_session_close(one) != SCOPE_OK)
        return 5;
    scope_region only;
    scope_region_register("after one", &only);
    scope_session_begin(two, only);
    scope_session_end(two, only);
    return scope_session_close(two) == SCOPE_OK ? 0 : 6;
}

static int again(char **names)
{
    scope_region kept;
    scope_region_register("kept handle", &kept);
    for (int run = 0; run < 2; run++) {
        scope_options options = SCOPE_OPTIONS_INIT;
        options.output = names[run];
        if (scope_init(&options) != SCOPE_OK)
            return 3;
        for (int i = 0; i < 10 * (run + 1); i++) {
            scope_region_begin(kept);
            scope_region_end(kept);
        }
        calls(run ? "second" : "first", 7);
        pthread_t id;
        pthread_create(&id, NULL, thread, NULL);
        pthread_join(id, NULL);
        if (scope_finalize() != SCOPE_OK)
            return 4;
        calls("between", 5);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int result = 1;
    if (argc < 2)
        return 1;
    if (!strcmp(argv[1], "again"))
        return again(argv + 2);
    if (scope_init(NULL) != SCOPE_OK)
        return 2;
    if (!strcmp(argv[1], "pause"))
        result = pauses();
    else if (!strcmp(argv[1], "flush"))
        result = flushes();
    else if (!strcmp(argv[1], "explicit"))
        result = explicit_sessions(argv + 2);
    return scope_finalize() == SCOPE_OK ? result : 9;
}
