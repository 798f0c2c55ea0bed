/* world_model.c - every function of the MPI world against a model, on all ranks.
 *
 * Each rank can make every rank's input from (seed, rank), so it knows the answer.
 * Built with mpi/src/{world,gather,unify,relay,tree,node,names,clock_offset,next,launcher}.c.
 * Prints "ok" on rank 0, else what was wrong.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "family.h"
#include "gather.h"
#include "names.h"
#include "tree.h"
#include "world.h"

static int rank, size, failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition) && failures++ < 10)                                                       \
            printf("rank %d, line %d: not so: %s\n", rank, __LINE__, #condition);                  \
    } while (0)

static uint64_t random_of(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- unify ---- */

enum { SAME, DISJOINT, MIXED, LAST_ONLY, NONE, LARGE, KINDS };

static void append(scope_strings *table, const char *bytes, size_t length_bytes)
{
    const uint64_t used = table->count ? table->ends[table->count - 1] : 0;
    if (!used || (used ^ (used + length_bytes)) > used) /* to the next power of two */
        table->bytes = realloc(table->bytes, 2 * (used + length_bytes) + 1);
    table->ends = realloc(table->ends, (table->count + 1) * sizeof *table->ends);
    memcpy(table->bytes + used, bytes, length_bytes);
    table->ends[table->count++] = used + length_bytes;
}

static scope_strings table_of(int kind, int of_rank, uint64_t seed)
{
    scope_strings table = {0};
    uint64_t state = seed * 1000 + (kind == SAME ? 0 : (uint64_t)of_rank + 1);
    const int count = kind == NONE || (kind == LAST_ONLY && of_rank != size - 1) ? 0
                      : kind == LARGE                                            ? 2000
                                      : (int)(random_of(&state) % 60);
    static char text[12000];
    for (int i = 0; i < count; i++) {
        const uint64_t which = kind == MIXED ? random_of(&state) % 40 : (uint64_t)i;
        size_t length =
            (size_t)snprintf(text, sizeof text, "name %d %d", kind == MIXED ? 0 : kind, (int)which);
        if (kind == DISJOINT || (kind == LARGE && i % 2))
            length += (size_t)snprintf(text + length, 64, " of %d", of_rank);
        if (kind == LARGE)
            length = (memset(text + length, 'x', 6000), length + 6000);
        if (kind == MIXED && which % 7 == 0)
            length = which / 7; /* short ones, the empty one too; some with a NUL */
        if (kind == MIXED && which % 5 == 0 && length > 2)
            text[1] = '\0';
        append(&table, text, length);
    }
    return table;
}

static void free_table(scope_strings *table)
{
    free(table->bytes);
    free(table->ends);
    *table = (scope_strings){0};
}

/* First appearance over ranks 0, 1, 2 ... */
static void check_unify(scope_world *world, int kind, uint64_t seed)
{
    mpi_names *model = mpi_names_new();
    uint32_t *expected = NULL;
    for (int r = 0; r < size; r++) {
        scope_strings table = table_of(kind, r, seed);
        uint32_t *places = calloc(table.count + 1, sizeof *places);
        for (size_t i = 0; i < table.count; i++) {
            const uint64_t start = i ? table.ends[i - 1] : 0;
            mpi_names_add(model, table.bytes + start, table.ends[i] - start, &places[i]);
        }
        if (r == rank)
            expected = places;
        else
            free(places);
        free_table(&table);
    }
    scope_strings mine = table_of(kind, rank, seed), all = {0};
    uint32_t *ids = calloc(mine.count + 1, sizeof *ids);
    CHECK(world->unify(world, &mine, &all, ids) == SCOPE_OK);
    CHECK(all.count == mpi_names_count(model));
    CHECK(!mine.count || !memcmp(ids, expected, mine.count * sizeof *ids));
    if (rank == 0) {
        const scope_strings want = mpi_names_strings(model);
        CHECK(all.count == want.count);
        CHECK(!memcmp(all.ends, want.ends, want.count * sizeof *want.ends));
        CHECK(!want.count || !memcmp(all.bytes, want.bytes, want.ends[want.count - 1]));
    }
    /* half of them again, and new ones: they come after those that have a number */
    scope_strings more = {0};
    char text[64];
    for (size_t i = 0; i < mine.count; i += 2) {
        const uint64_t start = i ? mine.ends[i - 1] : 0;
        append(&more, mine.bytes + start, mine.ends[i] - start);
    }
    if (kind != SAME)
        append(&more, text, (size_t)snprintf(text, sizeof text, "more of %d", rank / 2));
    const size_t known = all.count;
    uint32_t *more_ids = calloc(more.count + 1, sizeof *more_ids);
    CHECK(world->unify(world, &more, &all, more_ids) == SCOPE_OK);
    CHECK(all.count == known + (kind == SAME ? 0 : (size_t)(size + 1) / 2));
    for (size_t i = 0; i < mine.count; i += 2)
        CHECK(more_ids[i / 2] == ids[i]);
    CHECK(kind == SAME || more_ids[more.count - 1] == known + (size_t)rank / 2);
    if (rank == 0) {
        const scope_strings want = mpi_names_strings(model);
        CHECK(!memcmp(all.ends, want.ends, want.count * sizeof *want.ends));
        CHECK(!want.count || !memcmp(all.bytes, want.bytes, want.ends[want.count - 1]));
    }
    free_table(&more);
    free(more_ids);
    free_table(&all);
    free_table(&mine);
    free(ids);
    free(expected);
    mpi_names_free(model);
}

/* ---- the others ---- */

static size_t length_of(int of_rank, uint64_t seed)
{
    uint64_t state = seed * 77 + (uint64_t)of_rank;
    const uint64_t kind = random_of(&state) % 4;
    if (seed == 3) /* more than two pieces */
        return of_rank == size - 1 ? 2 * MPI_PIECE_BYTES + 12345 : MPI_PIECE_BYTES;
    return kind == 0 ? 0 : (size_t)(random_of(&state) % (kind == 1 ? 10 : 100000));
}

static unsigned char byte_of(int of_rank, uint64_t at)
{
    return (unsigned char)((uint64_t)of_rank * 31 + at * 7 + (at >> 8));
}

static unsigned char *bytes_of(int of_rank, size_t length)
{
    unsigned char *bytes = malloc(length + 1);
    for (size_t i = 0; i < length; i++)
        bytes[i] = byte_of(of_rank, i);
    return bytes;
}

static void check_gather(scope_world *world, uint64_t seed)
{
    const size_t length = length_of(rank, seed);
    unsigned char *mine = bytes_of(rank, length);
    void *all = NULL;
    uint64_t *ends = calloc((size_t)size, sizeof *ends);
    CHECK(world->gather(world, mine, length, &all, ends) == SCOPE_OK);
    CHECK((rank == 0) == (all != NULL));
    uint64_t start = 0;
    for (int r = 0; r < size && rank == 0; r++) {
        CHECK(ends[r] - start == length_of(r, seed));
        int wrong = 0;
        for (uint64_t i = start; i < ends[r]; i++)
            wrong += ((unsigned char *)all)[i] != byte_of(r, i - start);
        CHECK(wrong == 0);
        start = ends[r];
    }
    free(all);
    free(ends);
    free(mine);
}

typedef struct taken {
    int32_t rank;
    uint64_t at, total;
    int wrong, calls, fail_at;
} taken;

static scope_status take(void *context, int32_t from, const void *bytes, size_t length_bytes)
{
    taken *t = context;
    if (++t->calls == t->fail_at)
        return SCOPE_ERR_SPACE;
    t->wrong += from < t->rank || length_bytes > MPI_PIECE_BYTES;
    if (from != t->rank)
        t->at = 0;
    t->rank = from;
    for (size_t i = 0; i < length_bytes; i++)
        t->wrong += ((const unsigned char *)bytes)[i] != byte_of(from, t->at + i);
    t->at += length_bytes;
    t->total += length_bytes;
    return SCOPE_OK;
}

static void check_relay(scope_world *world, uint64_t seed, int fail_at)
{
    uint64_t total = 0;
    for (int r = 0; r < size; r++)
        total += length_of(r, seed);
    const size_t length = length_of(rank, seed);
    unsigned char *mine = bytes_of(rank, length);
    taken t = {.rank = -1, .fail_at = fail_at};
    const scope_status status = world->relay(world, mine, length, take, &t);
    CHECK(status == (fail_at ? SCOPE_ERR_SPACE : SCOPE_OK)); /* on every rank */
    CHECK(t.wrong == 0);
    CHECK(fail_at || t.total == (rank ? 0 : total));
    CHECK(rank == 0 || t.calls == 0);
    free(mine);
}

static void check_small(scope_world *world)
{
    CHECK(world->size == size && world->rank == rank && world->size_bytes == sizeof *world);
    CHECK(world->worst(world, SCOPE_OK) == SCOPE_OK);
    CHECK(world->worst(world, rank == size - 1 ? SCOPE_ERR_IO : SCOPE_OK) == SCOPE_ERR_IO);
    CHECK(world->worst(world, rank == 0 ? SCOPE_ERR_RANK : SCOPE_ERR_MEMORY) == SCOPE_ERR_RANK);
    int64_t mine[3] = {rank + 1, (int64_t)rank << 40, -7}, before[3], total[3];
    CHECK(world->sums(world, mine, before, total, 3) == SCOPE_OK);
    const int64_t below = (int64_t)rank * (rank - 1) / 2, all = (int64_t)size * (size - 1) / 2;
    CHECK(before[0] == below + rank && before[1] == below << 40 && before[2] == -7 * rank);
    CHECK(total[0] == all + size && total[1] == all << 40 && total[2] == -7 * size);
    CHECK(world->sums(world, NULL, NULL, NULL, 0) == SCOPE_OK);
    int64_t many[150], lower[150], sum[150]; /* more than go in one message */
    for (int i = 0; i < 150; i++)
        many[i] = i * (rank + 1);
    CHECK(world->sums(world, many, lower, sum, 150) == SCOPE_OK);
    for (int i = 0; i < 150; i++)
        CHECK(lower[i] == i * (below + rank) && sum[i] == i * (all + size));
    int64_t most[3];
    CHECK(world->most(world, mine, most, 3) == SCOPE_OK);
    CHECK(most[0] == size && most[1] == (int64_t)(size - 1) << 40 && most[2] == -7);
    CHECK(world->most(world, NULL, NULL, 0) == SCOPE_OK);
    const size_t length = MPI_PIECE_BYTES + 1000;
    unsigned char *bytes = bytes_of(rank, length);
    CHECK(world->broadcast(world, bytes, length) == SCOPE_OK);
    int wrong = 0;
    for (size_t i = 0; i < length; i++)
        wrong += bytes[i] != byte_of(0, i);
    CHECK(wrong == 0);
    CHECK(world->broadcast(world, bytes, 0) == SCOPE_OK);
    free(bytes);
}

/* ---- the tree ---- */

enum { ONE_NODE, BLOCKS, UNEVEN, ROUND_ROBIN, ANY_NODE, ALONE, PLACEMENTS };

static int node_of(int placement, int of_rank, uint64_t seed)
{
    uint64_t state = seed * 131 + (uint64_t)of_rank;
    switch (placement) {
    case BLOCKS:
        return of_rank / (2 + (int)(seed % 3));
    case UNEVEN: /* nodes of 1, 2, 3 ... ranks */
        for (int node = 0, first = 0;; first += ++node)
            if (of_rank < first + node + 1)
                return node;
    case ROUND_ROBIN:
        return of_rank % (1 + size / 2);
    case ANY_NODE:
        return (int)(random_of(&state) % (uint64_t)(1 + size / 2));
    case ALONE:
        return of_rank;
    default:
        return 0;
    }
}

/* The place of `of_rank` among the `count` numbers in `list`. */
static int place_in(const int *list, int count, int of_rank)
{
    for (int i = 0; i < count; i++)
        if (list[i] == of_rank)
            return i;
    return -1;
}

static int parent_in(const int *list, int place)
{
    return place > 0 ? list[place & (place - 1)] : -1;
}

/* On rank 0, of everybody's tree: each child names its parent, ascending, and is all of them. */
static void check_links(const mpi_tree *all, size_t offset, const int *parents)
{
    for (int r = 0; r < size; r++) {
        const mpi_links *links = (const mpi_links *)((const char *)&all[r] + offset);
        CHECK(links->parent == parents[r]);
        int count = 0;
        for (int child = 0; child < size; child++)
            if (parents[child] == r)
                CHECK(count < links->child_count && links->children[count++] == child);
        CHECK(links->child_count == count);
    }
}

static void check_tree(mpi_tree *tree, int placement, uint64_t seed)
{
    mpi_tree plain;
    mpi_tree_plain(tree->comm, &plain);
    mpi_tree *all = NULL;
    uint64_t *ends = calloc((size_t)size, sizeof *ends);
    CHECK(mpi_gather(&plain, tree, sizeof *tree, (void **)&all, ends) == SCOPE_OK);
    int *list = calloc((size_t)size, sizeof *list),
        *leaders = calloc((size_t)size, sizeof *leaders);
    int *within = calloc((size_t)size, sizeof *within),
        *among = calloc((size_t)size, sizeof *among);
    int *ordered = calloc((size_t)size, sizeof *ordered);
    int node_count = 0, is_ordered = 1;
    for (int r = 0; r < size; r++) {
        int first = 0;
        while (node_of(placement, first, seed) != node_of(placement, r, seed))
            first++;
        if (first == r)
            leaders[node_count++] = r;
    }
    for (int r = 0; r < size && rank == 0; r++) {
        int count = 0;
        for (int other = 0; other < size; other++)
            if (node_of(placement, other, seed) == node_of(placement, r, seed))
                list[count++] = other;
        const int index = place_in(list, count, r), node = place_in(leaders, node_count, list[0]);
        CHECK(all[r].leader == list[0] && all[r].index == index);
        CHECK(all[r].node == node && all[r].node_count == node_count);
        within[r] = parent_in(list, index);
        among[r] = index ? -1 : parent_in(leaders, node);
        ordered[r] = index ? within[r] : among[r];
        is_ordered &= r == list[0] + index;
    }
    if (rank == 0) {
        check_links(all, offsetof(mpi_tree, within), within);
        check_links(all, offsetof(mpi_tree, among), among);
        for (int r = 0; r < size && !is_ordered; r++)
            ordered[r] = r ? r & (r - 1) : -1;
        check_links(all, offsetof(mpi_tree, ordered), ordered);
    }
    free(all);
    free(ends);
    free(list);
    free(leaders);
    free(within);
    free(among);
    free(ordered);
}

/* The ranks of my node are a world. */
static void check_node(scope_world *world, int placement, uint64_t seed)
{
    scope_world *node = NULL;
    int count = 0, lower = 0;
    int64_t lower_sum = 0, all_sum = 0;
    for (int r = 0; r < size; r++)
        if (node_of(placement, r, seed) == node_of(placement, rank, seed)) {
            count++;
            all_sum += r;
            lower += r < rank;
            lower_sum += r < rank ? r : 0;
        }
    CHECK(world->open_node(world, &node) == SCOPE_OK && node);
    if (!node)
        return;
    CHECK(node->size == count && node->rank == lower && node->node_count == 1);
    CHECK(node->mpi_comm != world->mpi_comm && node->mpi_family == world->mpi_family);
    const int64_t mine = rank;
    int64_t before = -1, total = -1, leader = rank;
    CHECK(node->sums(node, &mine, &before, &total, 1) == SCOPE_OK);
    CHECK(before == lower_sum && total == all_sum);
    CHECK(node->broadcast(node, &leader, sizeof leader) == SCOPE_OK && leader <= rank);
    world->close_node(world, node);
}

static void check_world(MPI_Comm comm, int placement, uint64_t seed, bool is_tree_only)
{
    const uint64_t node = (uint64_t)node_of(placement, rank, seed);
    const uint64_t key[2] = {node % 3 * UINT64_C(0x9E3779B97F4A7C15), node}; /* some share a half */
    mpi_tree tree;
    scope_world world;
    mpi_clock end;
    CHECK(mpi_tree_build_of(comm, key, &tree) == SCOPE_OK);
    check_tree(&tree, placement, seed);
    CHECK(mpi_clock_measure(&tree, &end) == SCOPE_OK);
    mpi_world_open(&world, &tree, &end, &end);
    CHECK(world.node == tree.node && world.node_count == tree.node_count);
    CHECK(llabs(world.clock_offset_ns) <= world.clock_bound_ns); /* it is one clock */
    check_node(&world, placement, seed);
    if (is_tree_only)
        return;
    if (placement == ONE_NODE)
        check_small(&world);
    for (int kind = 0; kind < KINDS; kind++)
        if (placement == ONE_NODE ? kind != LARGE || seed == 1 : kind == MIXED)
            check_unify(&world, kind, seed);
    check_gather(&world, seed);
    check_relay(&world, seed, 0);
    if (seed == 3) {
        check_relay(&world, 3, 1);
        check_relay(&world, 3, 2);
    }
}

/* The clocks that there are, at the start and at the end, to be compared with the truth. */
static void print_clock(MPI_Comm comm)
{
    mpi_tree tree;
    mpi_clock start = mpi_clock_unknown(), end;
    scope_world world;
    CHECK(mpi_tree_build(comm, &tree) == SCOPE_OK);
    CHECK(mpi_clock_measure(&tree, &end) == SCOPE_OK);
    mpi_world_open(&world, &tree, &start, &end);
    printf("rank %d offset %lld bound %lld\n", rank, (long long)world.clock_offset_ns,
           (long long)world.clock_bound_ns);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); /* by name: that links libmpi */
    MPI_Comm comm;
    PMPI(Comm_split)(MPI_COMM_WORLD, 0, 0, &comm);
    PMPI(Comm_rank)(comm, &rank);
    PMPI(Comm_size)(comm, &size);
    const bool is_clock = argc > 1 && !strcmp(argv[1], "clock");
    const bool is_tree = argc > 1 && !strcmp(argv[1], "tree");
    if (is_clock)
        print_clock(comm);
    for (int placement = 0; placement < PLACEMENTS && !is_clock; placement++)
        for (uint64_t seed = 1; seed <= (placement == ONE_NODE || is_tree ? 3 : 1); seed++)
            check_world(comm, placement, seed, is_tree);
    int all_failures = 0;
    PMPI(Allreduce)(&failures, &all_failures, 1, MPI_INT, MPI_SUM, comm);
    if (rank == 0 && all_failures == 0)
        puts("ok");
    PMPI(Comm_free)(&comm);
    MPI_Finalize();
    return all_failures != 0;
}
