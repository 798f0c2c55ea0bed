/* test_live_throttle.c - a recording is read again and again while tiny calls become sums:
 * each look sees every call that had ended, once.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/host.h>
#include <scope/region.h>
#include <scope/replay.h>
#include <scope/session.h>
#include <scope/sink.h>

#include "tiny_calls.h"

static uint64_t count_of(const scope_calls *calls, const char *name, uint64_t *summed)
{
    uint64_t count = 0;
    const size_t length = strlen(name);
    for (size_t i = 0; i < calls->pair_count; i++) {
        const scope_string text = calls->regions[calls->pairs[i].region].name;
        if (text.length_bytes == length && memcmp(text.bytes, name, length) == 0)
            count += calls->pairs[i].count;
    }
    *summed = 0;
    for (size_t i = 0; i < calls->sum_count; i++) {
        const scope_string text = calls->regions[calls->sums[i].region].name;
        if (text.length_bytes == length && memcmp(text.bytes, name, length) == 0)
            *summed += (uint64_t)calls->sums[i].count;
    }
    return count;
}

static void look(uint64_t *summed)
{
    scope_recording view;
    uint16_t number;
    scope_calls *calls = NULL;
    uint64_t outer_summed;
    const uint64_t before = all_done();
    CU_ASSERT_EQUAL_FATAL(scope_host_view(scope_host_process(), &view, &number), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_replay(&view, number, &calls), SCOPE_OK);
    const uint64_t after = all_done();
    const uint64_t seen = count_of(calls, "tiny", summed) + *summed;
    CU_ASSERT_TRUE(seen >= before && seen <= after + THREADS);
    const uint64_t outers = count_of(calls, "outer", &outer_summed);
    CU_ASSERT_EQUAL(outer_summed, 0);
    CU_ASSERT_TRUE(outers * INSIDE + THREADS * INSIDE >= seen);
    scope_calls_free(calls);
}

static void each_look_sees_every_call_once(void)
{
    pthread_t threads[THREADS];
    scope_options options = SCOPE_OPTIONS_INIT;
    uint64_t summed = 0;
    options.no_output = 1;
    setenv("SCOPE_THROTTLE", "2000:1000000", 1);
    setenv("SCOPE_MAX_BYTES", "512M", 1);
    CU_ASSERT_EQUAL_FATAL(scope_init(&options), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_region_register("outer", &outer), SCOPE_OK);
    CU_ASSERT_EQUAL_FATAL(scope_region_register("tiny", &tiny), SCOPE_OK);
    scope_region_begin(outer);
    scope_region_end(outer);
    outers_each = 20000;
    atomic_store(&running, THREADS);
    for (int i = 0; i < THREADS; i++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, &done[i]), 0);
    while (atomic_load(&running))
        look(&summed);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    look(&summed);
    CU_ASSERT_TRUE(summed > (uint64_t)THREADS * (uint64_t)outers_each * INSIDE / 2);
    scope_finalize();
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("live throttle", NULL, NULL);
    CU_add_test(suite, "each_look_sees_every_call_once", each_look_sees_every_call_once);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
