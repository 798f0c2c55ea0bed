/* test_nesting.c - ids, parents and exclusive times from columns alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/calls.h>

typedef struct sample {
    int64_t start_ns, end_ns;
    int64_t thread, task;
    uint32_t pair;
} sample;

/* A table of these calls; samples of one pair must lie together. */
static scope_calls *table(const sample *samples, size_t count, size_t pair_count, int rank_of[])
{
    scope_calls *calls;
    if (scope_calls_new(&calls) != SCOPE_OK)
        abort();
    calls->count = count;
    calls->start_ns = scope_calls_alloc(calls, count, sizeof(int64_t));
    calls->duration_ns = scope_calls_alloc(calls, count, sizeof(int64_t));
    calls->thread_ids = scope_calls_alloc(calls, count, sizeof(int64_t));
    calls->task_ids = scope_calls_alloc(calls, count, sizeof(int64_t));
    calls->pairs = scope_calls_alloc(calls, pair_count, sizeof(scope_pair));
    calls->pair_count = pair_count;
    for (size_t i = 0; i < count; i++) {
        calls->start_ns[i] = samples[i].start_ns;
        calls->duration_ns[i] = samples[i].end_ns - samples[i].start_ns;
        calls->thread_ids[i] = samples[i].thread;
        calls->task_ids[i] = samples[i].task;
        scope_pair *pair = &calls->pairs[samples[i].pair];
        if (pair->count++ == 0)
            pair->first = i;
    }
    for (size_t i = 0; i < pair_count; i++) {
        calls->pairs[i].rank = rank_of ? rank_of[i] : 0;
        calls->pairs[i].region = (uint32_t)i;
    }
    return calls;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void parents_come_before_children(void)
{
    const sample samples[] = {{0, 100, 0, -1, 0}, {10, 20, 0, -1, 1}, {30, 90, 0, -1, 1},
                              {40, 50, 0, -1, 2}};
    scope_calls *calls = table(samples, COUNT(samples), 3, NULL);
    int64_t exclusive[4];
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 5, exclusive), SCOPE_OK);
    const int64_t ids[] = {5, 6, 7, 8}, parents[] = {-1, 5, 5, 7}, own[] = {30, 10, 50, 10};
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(calls->call_ids[i], ids[i]);
        CU_ASSERT_EQUAL(calls->parent_ids[i], parents[i]);
        CU_ASSERT_EQUAL(exclusive[i], own[i]);
    }
    CU_ASSERT_EQUAL(calls->pairs[1].exclusive_ns, 60);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.total, 70);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.minimum, 10);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.maximum, 60);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.first, 10);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.last, 60);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.start_minimum, 10);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.end_maximum, 90);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.mean, 35.0);
    CU_ASSERT_EQUAL(calls->pairs[1].statistics.m2, 1250.0);
    scope_calls_free(calls);
}

/* As 0.7.5 does it: seen by running it on files with these calls. */
static void touching_calls_are_siblings_and_empty_ones_nest(void)
{
    const struct {
        sample samples[3];
        size_t count;
        int64_t parent_of[3]; /* id of the row's parent */
    } cases[] = {
        {{{0, 10, 0, -1, 0}, {10, 10, 0, -1, 1}}, 2, {-1, -1}},
        {{{0, 10, 0, -1, 0}, {0, 0, 0, -1, 1}}, 2, {-1, 0}},
        {{{0, 0, 0, -1, 0}, {0, 10, 0, -1, 1}}, 2, {0, -1}},
        {{{0, 10, 0, -1, 0}, {10, 20, 0, -1, 0}, {10, 10, 0, -1, 1}}, 3, {-1, -1, 1}},
        {{{5, 5, 0, -1, 0}, {5, 5, 0, -1, 1}, {5, 5, 0, -1, 1}}, 3, {-1, 0, 1}},
        {{{0, 10, 0, -1, 0}, {3, 10, 0, -1, 1}, {10, 10, 0, -1, 1}}, 3, {-1, 0, -1}},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        scope_calls *calls = table(cases[c].samples, cases[c].count, 2, NULL);
        CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_OK);
        for (size_t i = 0; i < cases[c].count; i++)
            CU_ASSERT_EQUAL(calls->parent_ids[i], cases[c].parent_of[i]);
        scope_calls_free(calls);
    }
}

static void lanes_do_not_see_each_other(void)
{
    const sample samples[] = {{0, 100, 0, -1, 0}, {50, 150, 1, -1, 0}, {10, 120, 0, 3, 0},
                              {20, 110, 1, 3, 1}, {0, 200, -1, -1, 1}};
    scope_calls *calls = table(samples, COUNT(samples), 2, NULL);
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_OK);
    const int64_t ids[] = {1, 4, 2, 3, 0}, parents[] = {-1, -1, -1, 2, -1};
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(calls->call_ids[i], ids[i]);
        CU_ASSERT_EQUAL(calls->parent_ids[i], parents[i]);
    }
    scope_calls_free(calls);
}

static void a_rank_that_does_not_nest_loses_its_ids_alone(void)
{
    const sample samples[] = {{0, 10, 0, -1, 0}, {5, 15, 0, -1, 1}, {0, 10, 0, -1, 2}};
    int ranks[] = {0, 0, 1};
    scope_calls *calls = table(samples, COUNT(samples), 3, ranks);
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_ERR_NESTING);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->call_ids);
    CU_ASSERT_EQUAL(calls->call_ids[0], -1);
    CU_ASSERT_EQUAL(calls->call_ids[1], -1);
    CU_ASSERT_EQUAL(calls->call_ids[2], 0);
    CU_ASSERT_EQUAL(calls->pairs[0].exclusive_ns, -1);
    CU_ASSERT_EQUAL(calls->pairs[2].exclusive_ns, 10);
    CU_ASSERT_EQUAL(calls->pairs[0].statistics.total, 10);
    scope_calls_free(calls);
    calls = table(samples, 2, 2, NULL);
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_ERR_NESTING);
    CU_ASSERT_PTR_NULL(calls->call_ids);
    CU_ASSERT_PTR_NULL(calls->parent_ids);
    scope_calls_free(calls);
}

static void a_negative_duration_does_not_nest(void)
{
    const sample samples[] = {{10, 0, 0, -1, 0}};
    scope_calls *calls = table(samples, 1, 1, NULL);
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_ERR_NESTING);
    scope_calls_free(calls);
}

static void no_calls_nest_well(void)
{
    scope_calls *calls = table(NULL, 0, 0, NULL);
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_OK);
    scope_calls_free(calls);
}

static void numbers_of_a_damaged_file_do_no_harm(void)
{
    const int64_t values[] = {INT64_MIN, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            for (int c = 0; c < 6; c++) {
                const sample samples[] = {{0, 0, values[c], -1, 0}, {0, 0, 0, values[c], 0}};
                scope_calls *calls = table(samples, 2, 1, NULL);
                calls->start_ns[0] = values[a];
                calls->duration_ns[0] = values[b];
                calls->start_ns[1] = values[c];
                calls->duration_ns[1] = values[a];
                scope_calls_nest(calls, 0, NULL);
                scope_calls_free(calls);
            }
    CU_PASS("still here");
}

static void pairs_need_not_follow_each_other(void)
{
    const sample samples[] = {{10, 20, 0, -1, 0}, {999, 1000, 0, -1, 1}, {0, 100, 0, -1, 2}};
    scope_calls *calls = table(samples, 3, 3, NULL);
    calls->pairs[1] = calls->pairs[2]; /* row 1 belongs to nobody */
    calls->pair_count = 2;
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, NULL), SCOPE_OK);
    CU_ASSERT_EQUAL(calls->parent_ids[0], 0);
    CU_ASSERT_EQUAL(calls->call_ids[2], 0);
    scope_calls_free(calls);
}

/* Random trees on many lanes: the parent is the innermost call of the lane around. */
typedef struct forest {
    sample *samples;
    int64_t *parent; /* number of the parent sample, -1 */
    size_t count, capacity;
} forest;

static int64_t grow(forest *trees, int64_t at, int64_t room, int64_t thread, int64_t task,
                    int64_t parent, int depth)
{
    const size_t me = trees->count++;
    const int64_t end = at + room;
    trees->samples[me] = (sample){at, end, thread, task, (uint32_t)(rand() % 7)};
    trees->parent[me] = parent;
    int64_t inside = at + 1 + rand() % 3;
    while (depth < 6 && inside + 10 < end && trees->count + 10 < trees->capacity && rand() % 4) {
        const int64_t part = 2 + rand() % (end - inside - 2);
        if (inside + part >= end)
            break;
        inside = grow(trees, inside, part, thread, task, (int64_t)me, depth + 1) + rand() % 2;
    }
    return end;
}

static const forest *sorting;

static int by_pair(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    if (sorting->samples[x].pair != sorting->samples[y].pair)
        return sorting->samples[x].pair < sorting->samples[y].pair ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* The columns alone say the same; only where ids leave open what is before what does the
 * order of the pairs count, which is that of the rows here. */
static size_t differs_from_nest(const scope_calls *calls, const int64_t *exclusive)
{
    scope_nesting nesting;
    size_t wrong = 0;
    int64_t *lanes = calloc(calls->count + 1, sizeof *lanes);
    for (uint64_t row = 0; row < calls->count; row++)
        lanes[row] = scope_calls_lane(calls, row);
    CU_ASSERT_EQUAL_FATAL(
        scope_nest(calls->start_ns, calls->duration_ns, lanes, calls->count, &nesting), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(nesting.count, calls->count);
    for (uint64_t i = 0; i < calls->count; i++) {
        const int64_t row = nesting.order[i];
        wrong += calls->call_ids[row] != (int64_t)i;
        wrong += calls->parent_ids[row] != nesting.parent[i];
        wrong += exclusive[row] != nesting.exclusive_ns[i];
        wrong += nesting.depth[i] !=
                 (nesting.parent[i] < 0 ? 0 : nesting.depth[nesting.parent[i]] + 1);
    }
    scope_nesting_free(&nesting);
    free(lanes);
    return wrong;
}

static void random_trees(size_t lanes, int64_t spread, size_t calls_wanted, int64_t scale)
{
    forest trees = {.capacity = calls_wanted};
    trees.samples = calloc(calls_wanted, sizeof *trees.samples);
    trees.parent = calloc(calls_wanted, sizeof *trees.parent);
    for (size_t lane = 0; lane < lanes && trees.count + 20 < calls_wanted; lane++) {
        int64_t at = rand() % spread;
        const size_t until = (lane + 1) * (calls_wanted / lanes);
        while (trees.count < until && trees.count + 20 < calls_wanted)
            at = grow(&trees, at, 20 + rand() % 2000, lane % 2 ? (int64_t)lane : 0,
                      lane % 2 ? -1 : (int64_t)lane, -1, 0) +
                 1;
    }
    size_t *order = calloc(trees.count, sizeof *order), *row_of = calloc(trees.count, sizeof *row_of);
    for (size_t i = 0; i < trees.count; i++)
        order[i] = i;
    sorting = &trees;
    qsort(order, trees.count, sizeof *order, by_pair);
    sample *sorted = calloc(trees.count, sizeof *sorted);
    for (size_t i = 0; i < trees.count; i++) {
        sorted[i] = trees.samples[order[i]];
        sorted[i].start_ns *= scale;
        sorted[i].end_ns *= scale;
        row_of[order[i]] = i;
    }
    scope_calls *calls = table(sorted, trees.count, 7, NULL);
    int64_t *exclusive = calloc(trees.count, sizeof *exclusive);
    CU_ASSERT_EQUAL(scope_calls_nest(calls, 0, exclusive), SCOPE_OK);
    size_t wrong = 0;
    int64_t total = 0, roots = 0;
    for (size_t i = 0; i < trees.count; i++) {
        const size_t row = row_of[i];
        const int64_t expected =
            trees.parent[i] < 0 ? -1 : calls->call_ids[row_of[trees.parent[i]]];
        wrong += calls->parent_ids[row] != expected;
        wrong += expected >= calls->call_ids[row];
        total += exclusive[row];
        roots += trees.parent[i] < 0 ? calls->duration_ns[row] : 0;
    }
    wrong += differs_from_nest(calls, exclusive);
    /* ids are dense and in order of start */
    int64_t *start_of = calloc(trees.count, sizeof *start_of);
    for (size_t row = 0; row < trees.count; row++) {
        wrong += calls->call_ids[row] < 0 || calls->call_ids[row] >= (int64_t)trees.count;
        start_of[calls->call_ids[row]] = calls->start_ns[row];
    }
    for (size_t id = 0; id + 1 < trees.count; id++)
        wrong += start_of[id] > start_of[id + 1];
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(total, roots);
    scope_calls_free(calls);
    free(trees.samples);
    free(trees.parent);
    free(order);
    free(row_of);
    free(sorted);
    free(exclusive);
    free(start_of);
}

static void random_trees_on_few_and_many_lanes_nest(void)
{
    srand(20);
    random_trees(1, 10, 20000, 1);
    random_trees(4, 1000, 20000, 1);
    random_trees(3000, 100000, 50000, 1);
    random_trees(3000, 50, 50000, 1);                 /* very many calls at the same time */
    random_trees(100, 100000, 20000, INT64_C(1) << 40); /* weeks: starts do not fit in a word */
}

static void a_clash_names_both_calls(void)
{
    const int64_t starts[] = {50, 0, 5, 60}, durations[] = {5, 10, 10, 10};
    const int64_t lanes[] = {0, 1, 1, 0}, apart[] = {0, 1, 2, 0};
    scope_nesting nesting;
    CU_ASSERT_EQUAL(scope_nest(starts, durations, lanes, 4, &nesting), SCOPE_ERR_NESTING);
    CU_ASSERT_EQUAL(nesting.clash[0], 1);
    CU_ASSERT_EQUAL(nesting.clash[1], 2);
    CU_ASSERT_PTR_NULL(nesting.order);
    CU_ASSERT_EQUAL(scope_nest(starts, durations, apart, 4, &nesting), SCOPE_OK);
    CU_ASSERT_EQUAL(nesting.order[0], 1);
    scope_nesting_free(&nesting);
    const int64_t backwards[] = {5, 10, 10, -1};
    CU_ASSERT_EQUAL(scope_nest(starts, backwards, apart, 4, &nesting), SCOPE_ERR_NESTING);
    CU_ASSERT_EQUAL(nesting.clash[0], 3);
    CU_ASSERT_EQUAL(nesting.clash[1], 3);
    CU_ASSERT_EQUAL(scope_nest(NULL, NULL, NULL, 0, &nesting), SCOPE_OK);
    CU_ASSERT_EQUAL(nesting.count, 0);
    scope_nesting_free(&nesting);
    scope_nesting_free(NULL);
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("nesting", NULL, NULL);
    CU_ADD_TEST(suite, parents_come_before_children);
    CU_ADD_TEST(suite, touching_calls_are_siblings_and_empty_ones_nest);
    CU_ADD_TEST(suite, lanes_do_not_see_each_other);
    CU_ADD_TEST(suite, a_rank_that_does_not_nest_loses_its_ids_alone);
    CU_ADD_TEST(suite, a_negative_duration_does_not_nest);
    CU_ADD_TEST(suite, no_calls_nest_well);
    CU_ADD_TEST(suite, numbers_of_a_damaged_file_do_no_harm);
    CU_ADD_TEST(suite, pairs_need_not_follow_each_other);
    CU_ADD_TEST(suite, a_clash_names_both_calls);
    CU_ADD_TEST(suite, random_trees_on_few_and_many_lanes_nest);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
