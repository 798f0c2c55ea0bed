/* tree.c - who hands on to whom when all ranks' data goes to rank 0.
 *
 *     sort (key, rank) across the ranks    place p holds the p-th entry
 *     places of one key are a node         place p learns the entries p - 2^j, p + 2^j
 *     tell each entry's rank               parent, children, leader
 *     number the leaders                   place n holds the n-th; the same again
 *
 * SPDX-License-Identifier: MIT
 */
#include "tree.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gather.h"

enum { TAG_SHIFT = 21, TAG_MEMBER, TAG_PLACE, TAG_LEADER, TAG_NODE };

/* What names the clock of this process: host, boot, time namespace. */
static void node_key(uint64_t key[2])
{
    char text[512] = "";
    size_t used = 0;
    if (gethostname(text, 255) == 0)
        used = strnlen(text, 255);
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file) {
        used += fread(text + used, 1, 64, file);
        fclose(file);
    }
    struct stat namespace;
    if (stat("/proc/self/ns/time", &namespace) == 0) {
        memcpy(text + used, &namespace.st_ino, sizeof namespace.st_ino);
        used += sizeof namespace.st_ino;
    }
    key[0] = UINT64_C(0x9E3779B97F4A7C15);
    key[1] = UINT64_C(0xC2B2AE3D27D4EB4F);
    for (size_t i = 0; i < used; i++) {
        key[0] = (key[0] ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
        key[1] = (key[1] + (unsigned char)text[i]) * UINT64_C(0xFF51AFD7ED558CCD);
        key[1] ^= key[1] >> 33;
    }
}

/* ---- across the ranks ---- */

/* `mine` to the place `distance` above, the one below's to *theirs, which stays as it is where
 * there is none. Places from `count` on have nothing to do. A negative distance: the other way. */
static scope_status shift(const mpi_tree *tree, int count, int64_t distance, const void *mine,
                          void *theirs, int length_bytes)
{
    const int64_t to = tree->rank + distance, from = tree->rank - distance;
    if (tree->rank >= count)
        return SCOPE_OK;
    return mpi_status_of(PMPI(Sendrecv)(
        mine, length_bytes, MPI_BYTE, to >= 0 && to < count ? (int)to : MPI_PROC_NULL, TAG_SHIFT,
        theirs, length_bytes, MPI_BYTE, from >= 0 && from < count ? (int)from : MPI_PROC_NULL,
        TAG_SHIFT, tree->comm, MPI_STATUS_IGNORE));
}

/* `mine` to rank `to`; into *theirs what some rank sends me, if `expected`. */
static scope_status hand_over(const mpi_tree *tree, int to, int tag, const void *mine,
                              bool expected, void *theirs, int length_bytes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    scope_status status = SCOPE_OK;
    if (expected)
        status = mpi_status_of(
            PMPI(Irecv)(theirs, length_bytes, MPI_BYTE, MPI_ANY_SOURCE, tag, tree->comm, &request));
    if (to >= 0 && PMPI(Send)(mine, length_bytes, MPI_BYTE, to, tag, tree->comm) != MPI_SUCCESS)
        status = SCOPE_ERR_RANK;
    if (expected && PMPI(Wait)(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        status = SCOPE_ERR_RANK;
    return status;
}

/* The greatest value of all places up to mine, or their sum. */
static scope_status scan(const mpi_tree *tree, int64_t *value, bool sum)
{
    scope_status status = SCOPE_OK;
    for (int64_t distance = 1; distance < tree->size && status == SCOPE_OK; distance <<= 1) {
        int64_t below = sum ? 0 : INT64_MIN;
        status = shift(tree, tree->size, distance, value, &below, sizeof below);
        *value = sum ? *value + below : below > *value ? below : *value;
    }
    return status;
}

/* ---- sorting ---- */

typedef struct entry {
    uint64_t key[2];
    int64_t rank;
} entry;

static bool is_before(const entry *a, const entry *b)
{
    if (a->key[0] != b->key[0])
        return a->key[0] < b->key[0];
    return a->key[1] != b->key[1] ? a->key[1] < b->key[1] : a->rank < b->rank;
}

/* Keep the lesser entry here or the greater one; the partner keeps the other. */
static scope_status keep_one(const mpi_tree *tree, entry *mine, int64_t partner, bool lesser)
{
    entry theirs = *mine;
    const scope_status status = mpi_status_of(PMPI(Sendrecv)(
        mine, sizeof *mine, MPI_BYTE, (int)partner, TAG_SHIFT, &theirs, sizeof theirs, MPI_BYTE,
        (int)partner, TAG_SHIFT, tree->comm, MPI_STATUS_IGNORE));
    if (status == SCOPE_OK && is_before(&theirs, mine) == lesser)
        *mine = theirs;
    return status;
}

/* Batcher's merge exchange (Knuth, vol. 3, 5.2.2, algorithm M), for any number of ranks: after
 * it rank p holds the p-th entry. */
static scope_status sort(const mpi_tree *tree, entry *mine)
{
    const int64_t place = tree->rank, size = tree->size;
    scope_status status = SCOPE_OK;
    int64_t top = 1;
    while (top * 2 < size)
        top *= 2;
    for (int64_t p = top; p > 0; p /= 2) {
        int64_t q = top, r = 0, distance = p;
        while (status == SCOPE_OK) {
            if ((place & p) == r && place + distance < size)
                status = keep_one(tree, mine, place + distance, true);
            else if (place >= distance && ((place - distance) & p) == r)
                status = keep_one(tree, mine, place - distance, false);
            if (q == p)
                break;
            distance = q - p;
            q /= 2;
            r = p;
        }
    }
    return status;
}

/* ---- links ---- */

static void clear(mpi_links *links)
{
    links->parent = -1;
    links->child_count = 0;
}

static void add_child(mpi_links *links, int64_t rank)
{
    if (links->child_count < MPI_LINKS_MAX)
        links->children[links->child_count++] = (int)rank;
}

/* The binomial tree over 0 .. size - 1. */
static void links_of(int rank, int size, mpi_links *links)
{
    clear(links);
    for (int64_t step = 1; step < size; step <<= 1) {
        if (rank & step) {
            links->parent = (int)(rank - step);
            break;
        }
        if (rank + step < size)
            add_child(links, rank + step);
    }
}

/* Places 0 .. count - 1 hold ranks; those with one `start` form a binomial tree, this one being
 * `place - start` in it. The links of the rank held here, as ranks. */
static scope_status links_around(const mpi_tree *tree, int count, int64_t held, int64_t start,
                                 mpi_links *links)
{
    const int64_t index = tree->rank - start, mine[2] = {held, start};
    scope_status status = SCOPE_OK;
    bool has_children = true;
    clear(links);
    for (int64_t step = 1; step < count && status == SCOPE_OK; step <<= 1) {
        int64_t below[2] = {-1, -1}, above[2] = {-1, -1};
        status = shift(tree, count, step, mine, below, sizeof below);
        if (status == SCOPE_OK)
            status = shift(tree, count, -step, mine, above, sizeof above);
        if (has_children && index & step) { /* the lowest bit: from here on it has none */
            has_children = false;
            links->parent = (int)below[0];
        } else if (has_children && above[1] == start && above[0] >= 0) {
            add_child(links, above[0]);
        }
    }
    return status;
}

/* ---- nodes ---- */

/* true on every rank, or on none: all have the same key. */
static bool all_same(MPI_Comm comm, const uint64_t key[2])
{
    const int64_t both[4] = {(int64_t)key[0], (int64_t)key[1], ~(int64_t)key[0], ~(int64_t)key[1]};
    int64_t most[4];
    return PMPI(Allreduce)(both, most, 4, MPI_INT64_T, MPI_MAX, comm) == MPI_SUCCESS &&
           most[0] == ~most[2] && most[1] == ~most[3];
}

/* What a place tells the rank of its entry. */
typedef struct member {
    int leader, index;
    mpi_links links;
} member;

static scope_status find_node(mpi_tree *tree, const uint64_t key[2])
{
    entry held = {{key[0], key[1]}, tree->rank}, below = {{0, 0}, -1};
    scope_status status = sort(tree, &held);
    if (status == SCOPE_OK)
        status = shift(tree, tree->size, 1, &held, &below, sizeof held);
    const bool starts = below.rank < 0 || memcmp(below.key, held.key, sizeof held.key) != 0;
    /* where my node starts and who leads it, in one number that grows with the place */
    int64_t first = starts ? (int64_t)tree->rank << 32 | held.rank : -1;
    if (status == SCOPE_OK)
        status = scan(tree, &first, false);
    member told = {0}, mine = {0};
    const int64_t start = first >> 32;
    told.leader = (int)(first & INT32_MAX);
    told.index = (int)(tree->rank - start);
    if (status == SCOPE_OK)
        status = links_around(tree, tree->size, held.rank, start, &told.links);
    if (status == SCOPE_OK)
        status = hand_over(tree, (int)held.rank, TAG_MEMBER, &told, true, &mine, sizeof mine);
    if (status != SCOPE_OK)
        return status;
    tree->leader = mine.leader;
    tree->index = mine.index;
    tree->within = mine.links;
    return SCOPE_OK;
}

/* From the leader to the ranks of its node. */
static scope_status tell_node(const mpi_tree *tree, int *value)
{
    const mpi_links *links = &tree->within;
    scope_status status = SCOPE_OK;
    if (links->parent >= 0)
        status = mpi_status_of(
            PMPI(Recv)(value, 1, MPI_INT, links->parent, TAG_NODE, tree->comm, MPI_STATUS_IGNORE));
    for (int i = links->child_count - 1; i >= 0; i--)
        if (PMPI(Send)(value, 1, MPI_INT, links->children[i], TAG_NODE, tree->comm) != MPI_SUCCESS)
            status = SCOPE_ERR_RANK;
    return status;
}

/* Rank n < node_count keeps the n-th leader, so that leaders find each other. */
static scope_status link_leaders(mpi_tree *tree)
{
    const bool leads = tree->leader == tree->rank;
    int64_t number = leads;
    scope_status status = scan(tree, &number, true);
    int count = 0;
    const int own = leads;
    if (PMPI(Allreduce)(&own, &count, 1, MPI_INT, MPI_SUM, tree->comm) != MPI_SUCCESS)
        status = SCOPE_ERR_RANK;
    if (status != SCOPE_OK)
        return status;
    tree->node = (int)number - 1;
    tree->node_count = count;
    int kept = -1;
    mpi_links links;
    clear(&links);
    status = hand_over(tree, leads ? tree->node : -1, TAG_PLACE, &tree->rank, tree->rank < count,
                       &kept, sizeof kept);
    if (status == SCOPE_OK)
        status = links_around(tree, count, kept, 0, &links);
    if (status == SCOPE_OK)
        status = hand_over(tree, kept, TAG_LEADER, &links, leads, &tree->among, sizeof links);
    return status == SCOPE_OK ? tell_node(tree, &tree->node) : status;
}

/* Nodes first, if that is in rank order. */
static scope_status order(mpi_tree *tree)
{
    const int apart = tree->rank != tree->leader + tree->index;
    int any = 1;
    if (PMPI(Allreduce)(&apart, &any, 1, MPI_INT, MPI_MAX, tree->comm) != MPI_SUCCESS)
        return SCOPE_ERR_RANK;
    if (any)
        return SCOPE_OK;
    mpi_links *to = &tree->ordered;
    *to = tree->within;
    if (to->parent < 0) /* a leader */
        to->parent = tree->among.parent;
    for (int i = 0; i < tree->among.child_count; i++)
        add_child(to, tree->among.children[i]);
    return SCOPE_OK;
}

void mpi_tree_plain(MPI_Comm comm, mpi_tree *tree)
{
    *tree = (mpi_tree){.comm = comm, .size = 1, .node_count = 1};
    PMPI(Comm_rank)(comm, &tree->rank);
    PMPI(Comm_size)(comm, &tree->size);
    tree->index = tree->rank;
    links_of(tree->rank, tree->size, &tree->ordered);
    tree->within = tree->ordered;
    clear(&tree->among);
}

scope_status mpi_tree_build_of(MPI_Comm comm, const uint64_t key[2], mpi_tree *tree)
{
    mpi_tree_plain(comm, tree);
    if (tree->size == 1 || all_same(comm, key))
        return SCOPE_OK;
    scope_status status = mpi_agree(comm, find_node(tree, key));
    if (status == SCOPE_OK)
        status = mpi_agree(comm, link_leaders(tree));
    if (status == SCOPE_OK)
        status = mpi_agree(comm, order(tree));
    if (status != SCOPE_OK) {
        mpi_tree_plain(comm, tree);
        tree->node_count = 0;
    }
    return status;
}

scope_status mpi_tree_build(MPI_Comm comm, mpi_tree *tree)
{
    uint64_t key[2];
    node_key(key);
    return mpi_tree_build_of(comm, key, tree);
}
