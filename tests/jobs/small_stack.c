/* small_stack.c - flush, finalize or exit on a thread with the smallest stack there is.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <scope/scope.h>

static void *on_small_stack(void *how)
{
    scope_region_begin_name("small");
    scope_region_end_name("small");
    if (strcmp(how, "exit") == 0)
        exit(7);
    if (strcmp(how, "flush") == 0)
        scope_flush();
    if (strcmp(how, "finalize") == 0)
        scope_finalize();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_attr_t attributes;
    if (argc < 2)
        return 2;
    scope_init(NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    if (pthread_create(&thread, &attributes, on_small_stack, argv[1]))
        return 3;
    pthread_join(thread, NULL);
    return 0;
}
