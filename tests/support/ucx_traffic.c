/* ucx_traffic.c - counts what MPICH sends and receives through UCX, below all collectives, and
 * lets more ranks than cores get on.
 *
 * MPICH waits for messages without giving the core up: with n ranks on a core each step takes n
 * time slices. Here who finds nothing to do yields.
 *
 * Each process writes a line to $TRAFFIC_DIR/count.<rank> when it ends:
 *
 *     messages sent, bytes sent, messages received, endpoints sent to
 *
 * MPIR_CVAR_NOLOCAL=1 sends messages within a node by UCX, too.
 *
 * Build: gcc -shared -fPIC ucx_traffic.c -o libucx_traffic.so; use: LD_PRELOAD.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PEERS_MAX 4096

static unsigned long sent, sent_bytes, received, peers;
static void *seen[PEERS_MAX];

static void count_send(void *endpoint, size_t bytes)
{
    sent++;
    sent_bytes += bytes;
    for (unsigned long i = 0; i < peers; i++)
        if (seen[i] == endpoint)
            return;
    if (peers < PEERS_MAX)
        seen[peers++] = endpoint;
}

/* What is contiguous, as all of ours, is counted in bytes. */
void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, uint64_t tag,
                       const void *parameters)
{
    static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
    if (!next)
        next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    count_send(endpoint, count);
    return next(endpoint, buffer, count, tag, parameters);
}

void *ucp_tag_send_sync_nbx(void *endpoint, const void *buffer, size_t count, uint64_t tag,
                            const void *parameters)
{
    static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
    if (!next)
        next = dlsym(RTLD_NEXT, "ucp_tag_send_sync_nbx");
    count_send(endpoint, count);
    return next(endpoint, buffer, count, tag, parameters);
}

void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t count, uint64_t tag, uint64_t mask,
                       const void *parameters)
{
    static void *(*next)(void *, void *, size_t, uint64_t, uint64_t, const void *);
    if (!next)
        next = dlsym(RTLD_NEXT, "ucp_tag_recv_nbx");
    received++;
    return next(worker, buffer, count, tag, mask, parameters);
}

void *ucp_tag_msg_recv_nbx(void *worker, void *buffer, size_t count, void *message,
                           const void *parameters)
{
    static void *(*next)(void *, void *, size_t, void *, const void *);
    if (!next)
        next = dlsym(RTLD_NEXT, "ucp_tag_msg_recv_nbx");
    received++;
    return next(worker, buffer, count, message, parameters);
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*next)(void *);
    if (!next)
        next = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned done = next(worker);
    if (!done)
        sched_yield();
    return done;
}

__attribute__((destructor)) static void write_counts(void)
{
    const char *folder = getenv("TRAFFIC_DIR"), *rank = getenv("PMI_RANK");
    char path[4096];
    if (!folder || !rank)
        return;
    snprintf(path, sizeof path, "%s/count.%s", folder, rank);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    fprintf(file, "%lu %lu %lu %lu\n", sent, sent_bytes, received, peers);
    fclose(file);
}
