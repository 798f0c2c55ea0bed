/* test_host_model.c - cuts and looks at random moments say what a model of the host's calls says.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host_session.h"

enum { MODEL_CALLS = 3000 };

typedef struct model_call {
    int64_t start, end; /* 0: open */
    uint32_t region;
    int thread, reported;
} model_call;

static model_call model[MODEL_CALLS];
static size_t model_count;

static void model_end(uint32_t region, int thread, int64_t at, int one_stack)
{
    for (int any = 0; any <= one_stack; any++)
        for (size_t i = model_count; i-- > 0;)
            if (!model[i].end && model[i].region == region && (any || model[i].thread == thread)) {
                model[i].end = at;
                return;
            }
}

static void compare_regions(void)
{
    for (uint32_t region = 1; region <= REGIONS; region++) {
        int64_t *starts, *ends;
        size_t count, at = 0;
        CU_ASSERT_EQUAL_FATAL(scope_cursor_region(cursor, region, &starts, &ends, &count),
                              SCOPE_OK);
        for (size_t i = 0; i < model_count; i++) {
            if (model[i].reported || model[i].region != region)
                continue;
            CU_ASSERT_FATAL(at < count);
            CU_ASSERT_EQUAL(starts[at], model[i].start);
            CU_ASSERT_EQUAL(ends[at], model[i].end);
            at++;
        }
        CU_ASSERT_EQUAL(at, count);
        free(starts);
        free(ends);
    }
}

static void compare_table(void)
{
    size_t expected = 0;
    int64_t sum = 0, found = 0;
    table();
    for (size_t i = 0; i < model_count; i++)
        if (!model[i].reported && model[i].end) {
            expected++;
            sum += (model[i].end - model[i].start) * (int64_t)model[i].region;
        }
    CU_ASSERT_EQUAL_FATAL(calls->count, expected);
    for (size_t p = 0; p < calls->pair_count; p++)
        for (uint64_t i = 0; i < calls->pairs[p].count; i++)
            found += calls->duration_ns[calls->pairs[p].first + i] *
                     (name_of_pair(p)[0] == 'o'   ? OUTER
                      : name_of_pair(p)[0] == 'i' ? INNER
                                                  : THIRD);
    CU_ASSERT_EQUAL(found, sum);
}

static void run_model(int one_stack, unsigned seed)
{
    start(one_stack);
    srand(seed);
    model_count = 0;
    for (uint32_t t = 1; t < THREADS; t++)
        thread(t, 100 + t, SCOPE_THREAD_HOST);
    for (int64_t at = 1000; model_count < MODEL_CALLS; at++) {
        const int on = rand() % THREADS;
        const uint32_t region = 1 + (uint32_t)rand() % REGIONS;
        writer_stream(writer, (uint32_t)on);
        if (rand() % 2) {
            begin((uint64_t)at, region);
            model[model_count++] = (model_call){at, 0, region, on, 0};
        } else {
            end((uint64_t)at, region);
            model_end(region, on, at, one_stack);
        }
        if (rand() % 300)
            continue;
        look();
        if (rand() % 2)
            compare_regions();
        if (rand() % 3 == 0) {
            compare_table();
            CU_ASSERT_EQUAL_FATAL(scope_cursor_cut(cursor), SCOPE_OK);
            for (size_t i = 0; i < model_count; i++)
                model[i].reported |= model[i].end != 0;
            compare_regions();
        }
    }
    look();
    compare_regions();
    compare_table();
    stop();
}

static void cuts_and_looks_agree_with_a_model(void)
{
    for (unsigned seed = 1; seed < 9; seed++) {
        run_model(0, seed);
        run_model(1, seed);
    }
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(cuts_and_looks_agree_with_a_model),
        {0},
    };
    return unit_run("host model", tests);
}
