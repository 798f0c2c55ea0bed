/* misuse.c - wrong and extreme uses; argv[1] says which.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <string.h>

#define B(name) scope_region_begin_name(name)
#define E(name) scope_region_end_name(name)

static void deep(void)
{
    for (int i = 0; i < 1000; i++) {
        char name[16];
        snprintf(name, sizeof name, "level %d", i);
        B(name);
    }
    for (int i = 999; i >= 0; i--) {
        char name[16];
        snprintf(name, sizeof name, "level %d", i);
        E(name);
    }
    for (int i = 0; i < 1000; i++) /* recursion */
        B("recursive");
    for (int i = 0; i < 1000; i++)
        E("recursive");
}

static void *unmatched_thread(void *unused)
{
    (void)unused;
    for (int i = 0; i < 5; i++)
        E("never begun");
    B("other lane"), E("other lane");
    return NULL;
}

static void unmatched(void)
{
    B("before"), E("before");
    E("never begun"), E("never begun");
    B("after");
    E("never begun");
    E("after");
    pthread_t id;
    pthread_create(&id, NULL, unmatched_thread, NULL);
    pthread_join(id, NULL);
    B("later"), E("later");
}

static void early_return(int error)
{
    B("forgotten");
    if (error)
        return;
    E("forgotten");
}

static void implied(void)
{
    for (int i = 0; i < 4; i++) {
        B("A");
        early_return(i % 2);
        B("inner"), E("inner");
        E("A");
    }
    B("next"), E("next");
}

static void crossing(void)
{
    B("A"), B("B"), E("A"), E("B"); /* B lives on after A: true intervals kept */
    B("C"), B("D"), E("C"), B("D"), E("D"); /* the second D settles the first */
}

static void open_at_end(void)
{
    B("outer"), B("inner");
    B("closed"), E("closed");
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*function)(void);
    } modes[] = {{"deep", deep},         {"unmatched", unmatched}, {"implied", implied},
                 {"crossing", crossing}, {"open", open_at_end}};
    if (argc < 2 || scope_init(NULL) != SCOPE_OK)
        return 1;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(modes[i].name, argv[1]))
            modes[i].function();
    return scope_finalize() == SCOPE_OK ? 0 : 2;
}
