/* engine.c - inside the recorder: no handler comes, and one thread at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "engine.h"

static pthread_mutex_t engine = PTHREAD_MUTEX_INITIALIZER;

void scope_engine_lock(void)
{
    pthread_mutex_lock(&engine);
}

void scope_engine_unlock(void)
{
    pthread_mutex_unlock(&engine);
}

void scope_engine_reset_lock(void)
{
    pthread_mutex_init(&engine, NULL);
}
