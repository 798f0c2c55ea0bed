/* world_pipes.c - see world_pipes.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "world_pipes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RANKS 64

typedef struct pipes {
    int up;               /* ranks > 0: to rank 0 */
    int down[MOST_RANKS]; /* rank 0: to the others */
    int neighbour;        /* the other rank of the node; -1: none */
} pipes;

static void put(int fd, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length) {
        const ssize_t done = send(fd, at, length, MSG_NOSIGNAL);
        if (done <= 0)
            _exit(99);
        at += done;
        length -= (size_t)done;
    }
}

static void get(int fd, void *bytes, size_t length)
{
    char *at = bytes;
    while (length) {
        const ssize_t done = recv(fd, at, length, 0);
        if (done <= 0)
            _exit(98);
        at += done;
        length -= (size_t)done;
    }
}

static scope_status broadcast(scope_world *world, void *bytes, size_t length)
{
    const pipes *p = world->state;
    for (int r = 1; world->rank == 0 && r < world->size; r++)
        put(p->down[r], bytes, length);
    if (world->rank)
        get(p->up, bytes, length);
    return SCOPE_OK;
}

static scope_status gather(scope_world *world, const void *mine, size_t length, void **all,
                           uint64_t *ends)
{
    const pipes *p = world->state;
    const uint64_t bytes = length;
    *all = NULL;
    if (world->rank) {
        put(p->up, &bytes, sizeof bytes);
        put(p->up, mine, length);
        return SCOPE_OK;
    }
    char *joined = malloc(length + 1);
    if (length)
        memcpy(joined, mine, length);
    ends[0] = length;
    for (int r = 1; r < world->size; r++) {
        uint64_t more;
        get(p->down[r], &more, sizeof more);
        ends[r] = ends[r - 1] + more;
        joined = realloc(joined, ends[r] + 1);
        get(p->down[r], joined + ends[r - 1], more);
    }
    *all = joined;
    return SCOPE_OK;
}

static scope_status worst(scope_world *world, scope_status mine)
{
    void *all;
    uint64_t ends[MOST_RANKS];
    gather(world, &mine, sizeof mine, &all, ends);
    for (int r = 0; all && r < world->size; r++)
        mine = ((scope_status *)all)[r] < mine ? ((scope_status *)all)[r] : mine;
    free(all);
    broadcast(world, &mine, sizeof mine);
    return mine;
}

static scope_status sums(scope_world *world, const int64_t *mine, int64_t *before, int64_t *total,
                         size_t count)
{
    void *all;
    uint64_t ends[MOST_RANKS];
    const size_t bytes = count * sizeof *mine;
    int64_t *table = malloc((size_t)(world->size + 1) * bytes);
    gather(world, mine, bytes, &all, ends);
    if (all)
        memcpy(table, all, (size_t)world->size * bytes);
    free(all);
    broadcast(world, table, (size_t)world->size * bytes);
    for (size_t i = 0; i < count; i++) {
        before[i] = total[i] = 0;
        for (int r = 0; r < world->size; r++) {
            before[i] += r < world->rank ? table[(size_t)r * count + i] : 0;
            total[i] += table[(size_t)r * count + i];
        }
    }
    free(table);
    return SCOPE_OK;
}

/* Rank 0: the number of this name, a new one at the end if there is none. */
static uint32_t number_of(scope_strings *all, const char *bytes, uint64_t length)
{
    for (size_t i = 0; i < all->count; i++) {
        const uint64_t start = i ? all->ends[i - 1] : 0;
        if (all->ends[i] - start == length && memcmp(all->bytes + start, bytes, length) == 0)
            return (uint32_t)i;
    }
    const uint64_t start = all->count ? all->ends[all->count - 1] : 0;
    all->bytes = realloc(all->bytes, start + length + 1);
    all->ends = realloc(all->ends, (all->count + 1) * sizeof *all->ends);
    memcpy(all->bytes + start, bytes, length);
    all->ends[all->count] = start + length;
    return (uint32_t)all->count++;
}

static scope_status unify(scope_world *world, const scope_strings *mine, scope_strings *all,
                          uint32_t *ids)
{
    const pipes *p = world->state;
    for (int r = 0; r < world->size; r++) { /* one rank after the other, one name at a time */
        uint64_t count = mine->count;
        if (world->rank == r && r)
            put(p->up, &count, sizeof count);
        if (world->rank == 0 && r)
            get(p->down[r], &count, sizeof count);
        if (world->rank != r && world->rank)
            continue;
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t start = world->rank == r && i ? mine->ends[i - 1] : 0;
            uint64_t length = world->rank == r ? mine->ends[i] - start : 0;
            if (world->rank == r && r) {
                put(p->up, &length, sizeof length);
                put(p->up, mine->bytes + start, length);
                get(p->up, &ids[i], sizeof ids[i]);
            } else if (r) {
                get(p->down[r], &length, sizeof length);
                char *name = malloc(length + 1);
                get(p->down[r], name, length);
                const uint32_t id = number_of(all, name, length);
                put(p->down[r], &id, sizeof id);
                free(name);
            } else {
                ids[i] = number_of(all, mine->bytes + start, length);
            }
        }
    }
    uint64_t count = all->count;
    broadcast(world, &count, sizeof count);
    all->count = count;
    return SCOPE_OK;
}

static scope_status relay(scope_world *world, const void *mine, size_t length,
                          scope_status (*take)(void *, int32_t, const void *, size_t),
                          void *context)
{
    enum { PIECE = 1000 }; /* odd on purpose: no record ends at its end */
    const pipes *p = world->state;
    scope_status status = SCOPE_OK;
    if (world->rank) {
        const uint64_t bytes = length;
        put(p->up, &bytes, sizeof bytes);
        put(p->up, mine, length);
    } else {
        char piece[PIECE];
        for (size_t at = 0; at < length; at += PIECE)
            if (status == SCOPE_OK)
                status = take(context, 0, (const char *)mine + at,
                              length - at < PIECE ? length - at : PIECE);
        for (int r = 1; r < world->size; r++) {
            uint64_t left;
            get(p->down[r], &left, sizeof left);
            while (left) {
                const size_t now = left < PIECE ? (size_t)left : PIECE;
                get(p->down[r], piece, now);
                if (status == SCOPE_OK)
                    status = take(context, r, piece, now);
                left -= now;
            }
        }
    }
    broadcast(world, &status, sizeof status);
    return status;
}

static scope_status most(scope_world *world, const int64_t *mine, int64_t *greatest, size_t count)
{
    void *all;
    uint64_t ends[MOST_RANKS];
    const size_t bytes = count * sizeof *mine;
    memcpy(greatest, mine, bytes);
    gather(world, mine, bytes, &all, ends);
    for (size_t r = 0; all && r < (size_t)world->size; r++)
        for (size_t i = 0; i < count; i++)
            if (((int64_t *)all)[r * count + i] > greatest[i])
                greatest[i] = ((int64_t *)all)[r * count + i];
    free(all);
    return broadcast(world, greatest, bytes);
}

/* Ranks 2n and 2n + 1 are a node. */
static scope_status open_node(scope_world *world, scope_world **node)
{
    static scope_world pair;
    static pipes state;
    const int neighbour = ((const pipes *)world->state)->neighbour;
    state = (pipes){.up = neighbour, .down = {-1, neighbour}, .neighbour = -1};
    pair = *world;
    pair.state = &state;
    pair.rank = pair.node_rank = world->rank % 2;
    pair.size = neighbour < 0 ? 1 : 2;
    *node = &pair;
    return SCOPE_OK;
}

static void close_node(scope_world *world, scope_world *node)
{
    (void)world, (void)node;
}

static void run_rank(int rank, int size, int sockets[][2], int nodes[][2],
                     int (*rank_main)(scope_world *, void *), void *context)
{
    pipes state = {-1, {0}, -1};
    for (int n = 0; n < size / 2; n++) {
        close(nodes[n][!(rank % 2)]);
        if (n == rank / 2)
            state.neighbour = nodes[n][rank % 2];
        else
            close(nodes[n][rank % 2]);
    }
    for (int r = 1; r < size; r++) {
        if (rank == 0)
            state.down[r] = sockets[r][0];
        else
            close(sockets[r][0]);
        if (rank == r)
            state.up = sockets[r][1];
        else
            close(sockets[r][1]);
    }
    scope_world world = {.size_bytes = sizeof world,
                         .rank = rank,
                         .size = size,
                         .state = &state,
                         .worst = worst,
                         .sums = sums,
                         .broadcast = broadcast,
                         .gather = gather,
                         .unify = unify,
                         .relay = relay,
                         .most = most,
                         .node = rank / 2,
                         .node_count = (size + 1) / 2,
                         .node_rank = rank % 2,
                         .open_node = open_node,
                         .close_node = close_node};
    alarm(300); /* a hang ends here */
    _exit(rank_main(&world, context));
}

int world_pipes_run(int size, int (*rank_main)(scope_world *, void *), void *context, int *codes)
{
    int sockets[MOST_RANKS][2], nodes[MOST_RANKS / 2][2], failed = 0;
    pid_t ranks[MOST_RANKS];
    for (int r = 1; r < size; r++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[r]) != 0)
            return size;
    for (int n = 0; n < size / 2; n++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, nodes[n]) != 0)
            return size;
    for (int r = 0; r < size; r++) {
        ranks[r] = fork();
        if (ranks[r] == 0)
            run_rank(r, size, sockets, nodes, rank_main, context);
    }
    for (int r = 1; r < size; r++) {
        close(sockets[r][0]);
        close(sockets[r][1]);
    }
    for (int n = 0; n < size / 2; n++) {
        close(nodes[n][0]);
        close(nodes[n][1]);
    }
    for (int r = 0; r < size; r++) {
        int status = -1;
        if (ranks[r] < 0 || waitpid(ranks[r], &status, 0) != ranks[r] || status != 0)
            failed++;
        if (codes)
            codes[r] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return failed;
}
