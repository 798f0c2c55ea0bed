/* relay.c - bytes of all ranks, in rank order, to rank 0, which holds one piece at a time.
 *
 *     a message: parts of ranks, ascending      rank | length | bytes
 *                the sender's last one ends in  -1   | 0
 *
 * Nobody is asked to send: all subtrees fill their first message at once, and wait with the
 * next until it is taken.
 *
 * SPDX-License-Identifier: MIT
 */
#include "relay.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gather.h"

enum { TAG_RELAY = 41 };

typedef scope_status take_fn(void *context, int32_t rank, const void *bytes, size_t length_bytes);

typedef struct part {
    int32_t rank; /* -1: no more */
    uint32_t length_bytes;
} part;

/* Where a rank's bytes go: on to the parent; on rank 0 to `take`. */
typedef struct outlet {
    MPI_Comm comm;
    int parent;
    char *bytes; /* the message that is being filled */
    size_t room, used;
    take_fn *take;
    void *context;
    scope_status status; /* after a failure all that comes in is dropped */
} outlet;

static void send_message(outlet *out)
{
    out->status =
        mpi_worse(out->status, mpi_status_of(PMPI(Send)(out->bytes, (int)out->used, MPI_BYTE,
                                                        out->parent, TAG_RELAY, out->comm)));
    out->used = 0;
}

static void add_part(outlet *out, int32_t rank, const void *bytes, size_t length_bytes)
{
    const part head = {rank, (uint32_t)length_bytes};
    memcpy(out->bytes + out->used, &head, sizeof head);
    if (length_bytes)
        memcpy(out->bytes + out->used + sizeof head, bytes, length_bytes);
    out->used += sizeof head + length_bytes;
}

static void hand_on(outlet *out, int32_t rank, const char *bytes, size_t length_bytes)
{
    while (length_bytes && out->status == SCOPE_OK) {
        size_t now = out->room - sizeof(part);
        if (out->parent >= 0) {
            if (out->room - out->used <= sizeof(part))
                send_message(out);
            now = out->room - out->used - sizeof(part);
        }
        now = length_bytes < now ? length_bytes : now;
        if (out->parent >= 0)
            add_part(out, rank, bytes, now);
        else
            out->status = out->take(out->context, rank, bytes, now);
        bytes += now;
        length_bytes -= now;
    }
}

static void hand_on_nothing_more(outlet *out)
{
    if (out->parent < 0)
        return;
    if (out->room - out->used < sizeof(part))
        send_message(out);
    add_part(out, -1, NULL, 0);
    send_message(out);
}

/* All that a child sends. */
static void receive_from(outlet *out, int child, char *message)
{
    for (bool more = true; more;) {
        MPI_Status received;
        int length = 0;
        if (PMPI(Recv)(message, (int)MPI_RELAY_BYTES, MPI_BYTE, child, TAG_RELAY, out->comm,
                       &received) != MPI_SUCCESS ||
            PMPI(Get_count)(&received, MPI_BYTE, &length) != MPI_SUCCESS || length < 0) {
            out->status = mpi_worse(out->status, SCOPE_ERR_RANK);
            return;
        }
        for (size_t at = 0; more && at < (size_t)length;) {
            part head;
            memcpy(&head, message + at, sizeof head);
            hand_on(out, head.rank, message + at + sizeof head, head.length_bytes);
            at += sizeof head + head.length_bytes;
            more = head.rank >= 0;
        }
    }
}

/* Room for a message out, and for one that comes in. */
static scope_status allocate(const mpi_links *links, size_t length_bytes, outlet *out, char **in)
{
    const size_t own =
        length_bytes < MPI_RELAY_BYTES ? length_bytes + 2 * sizeof(part) : MPI_RELAY_BYTES;
    out->room = links->child_count || own > MPI_RELAY_BYTES ? MPI_RELAY_BYTES : own;
    if (out->parent >= 0)
        out->bytes = malloc(out->room);
    if (links->child_count)
        *in = malloc(MPI_RELAY_BYTES);
    return (out->bytes || out->parent < 0) && (*in || !links->child_count) ? SCOPE_OK
                                                                           : SCOPE_ERR_MEMORY;
}

scope_status mpi_relay(const mpi_tree *tree, const void *mine, size_t length_bytes, take_fn *take,
                       void *context)
{
    const mpi_links *links = &tree->ordered;
    outlet out = {.comm = tree->comm, .parent = links->parent, .take = take, .context = context};
    char *in = NULL;
    const int32_t own[2] = {allocate(links, length_bytes, &out, &in), -(length_bytes > 0)};
    int32_t least[2] = {0, 0};
    scope_status status =
        mpi_agree(tree->comm,
                  mpi_status_of(PMPI(Allreduce)(own, least, 2, MPI_INT32_T, MPI_MIN, tree->comm)));
    if (status == SCOPE_OK)
        status = (scope_status)least[0];
    if (status == SCOPE_OK && least[1]) { /* somebody has something */
        hand_on(&out, tree->rank, mine, length_bytes);
        for (int i = 0; i < links->child_count; i++)
            receive_from(&out, links->children[i], in);
        hand_on_nothing_more(&out);
        status = mpi_agree(tree->comm, out.status);
    }
    free(out.bytes);
    free(in);
    return status;
}
