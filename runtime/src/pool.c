/* pool.c - memory for cold paths that must not call malloc.
 *
 * SPDX-License-Identifier: MIT
 */
#include "pool.h"

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>

#define BLOCK_BYTES (256u << 10)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static size_t left;

void *scope_map_alloc(size_t size_bytes)
{
    void *bytes = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

void scope_map_free(void *bytes, size_t size_bytes)
{
    if (bytes)
        munmap(bytes, size_bytes);
}

void *scope_pool_alloc(size_t size_bytes)
{
    if (size_bytes > SIZE_MAX / 2)
        return NULL;
    size_bytes = (size_bytes + 15) & ~(size_t)15;
    if (size_bytes > BLOCK_BYTES / 8)
        return scope_map_alloc(size_bytes);
    void *bytes = NULL;
    pthread_mutex_lock(&lock);
    if (left < size_bytes) {
        char *more = scope_map_alloc(BLOCK_BYTES);
        if (!more)
            goto done;
        block = more;
        left = BLOCK_BYTES;
    }
    bytes = block;
    block += size_bytes;
    left -= size_bytes;
done:
    pthread_mutex_unlock(&lock);
    return bytes;
}

void scope_pool_lock(void)
{
    pthread_mutex_lock(&lock);
}

void scope_pool_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void scope_pool_reset_lock(void)
{
    pthread_mutex_init(&lock, NULL);
}
