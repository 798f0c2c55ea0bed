/* test_clock_map.c - ticks to nanoseconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include <CUnit/Basic.h>

#include "clock_map.h"

/* 2.5 GHz, by the header */
static scope_recording_header header = {.clock_kind = SCOPE_CLOCK_TSC,
                                        .ticks_per_second = 2500000000u};

#define SECOND_TICKS UINT64_C(2500000000)

static int64_t at(const clock_map *map, uint64_t ticks)
{
    size_t hint = 0;
    return clock_map_ns(map, ticks, &hint);
}

static int near(int64_t a, int64_t b, int64_t tolerance)
{
    return llabs(a - b) <= tolerance;
}

static void nanoseconds_stay_what_they_are(void)
{
    const scope_recording_header monotonic = {.clock_kind = SCOPE_CLOCK_MONOTONIC};
    clock_map map;
    clock_map_start(&map, &monotonic);
    CU_ASSERT_TRUE(clock_map_add(&map, 5, 99));
    CU_ASSERT_TRUE(clock_map_settle(&map));
    CU_ASSERT_EQUAL(at(&map, 12345), 12345);
    CU_ASSERT_EQUAL(at(&map, UINT64_MAX), INT64_C(1) << 62);
    clock_map_free(&map);
}

static void without_points_the_nominal_frequency_holds(void)
{
    clock_map map;
    clock_map_start(&map, &header);
    CU_ASSERT_EQUAL(at(&map, SECOND_TICKS), 1000000000);
    clock_map_free(&map);
}

static void between_two_points_it_interpolates(void)
{
    clock_map map;
    clock_map_start(&map, &header);
    /* the true rate is 50 ppm off the nominal one */
    clock_map_add(&map, 1000, 5000);
    clock_map_add(&map, 1000 + 10 * SECOND_TICKS, 5000 + INT64_C(10000500000));
    CU_ASSERT_TRUE(clock_map_settle(&map));
    CU_ASSERT_EQUAL(at(&map, 1000), 5000);
    CU_ASSERT_EQUAL(at(&map, 1000 + 10 * SECOND_TICKS), 5000 + INT64_C(10000500000));
    CU_ASSERT_TRUE(near(at(&map, 1000 + 5 * SECOND_TICKS), 5000 + INT64_C(5000250000), 1));
    /* and goes on with that slope, which is over more than a second */
    CU_ASSERT_FALSE(map.extrapolated_nominal);
    CU_ASSERT_TRUE(near(at(&map, 1000 + 20 * SECOND_TICKS), 5000 + INT64_C(20001000000), 1));
    CU_ASSERT_EQUAL(clock_map_last_ticks(&map), 1000 + 10 * SECOND_TICKS);
    CU_ASSERT_TRUE(near(clock_map_duration_ns(&map, SECOND_TICKS), 1000050000, 1));
    clock_map_free(&map);
}

static void a_slope_over_less_than_a_second_is_not_gone_on_with(void)
{
    clock_map map;
    clock_map_start(&map, &header);
    clock_map_add(&map, 0 + 1, 1000);
    clock_map_add(&map, 1 + SECOND_TICKS / 2, 1000 + 500050000); /* 100 ppm */
    CU_ASSERT_TRUE(clock_map_settle(&map));
    CU_ASSERT_TRUE(map.extrapolated_nominal);
    CU_ASSERT_TRUE(near(at(&map, 1 + SECOND_TICKS), 1000 + 500050000 + 500000000, 60000));
    clock_map_free(&map);
}

static void points_that_disagree_are_left_out(void)
{
    clock_map map;
    clock_map_start(&map, &header);
    for (int i = 0; i <= 100; i++) {
        /* every seventh was read with the process descheduled in between: 3 ms late */
        const int64_t late = i % 7 == 3 ? 3000000 : 0;
        clock_map_add(&map, 1000 + (uint64_t)i * SECOND_TICKS / 10, 700 + i * INT64_C(100000000) + late);
    }
    CU_ASSERT_TRUE(clock_map_settle(&map));
    CU_ASSERT_EQUAL(map.rejected_count, 14);
    for (int i = 0; i <= 1000; i++)
        CU_ASSERT_TRUE(near(at(&map, 1000 + (uint64_t)i * SECOND_TICKS / 100),
                            700 + (int64_t)i * 10000000, 1));
    clock_map_free(&map);
}

static void a_bad_first_point_does_not_lead(void)
{
    clock_map map;
    clock_map_start(&map, &header);
    clock_map_add(&map, 1, 900000000000); /* nonsense */
    for (int i = 1; i <= 20; i++)
        clock_map_add(&map, (uint64_t)i * SECOND_TICKS, 1000 + i * INT64_C(1000000000));
    CU_ASSERT_TRUE(clock_map_settle(&map));
    CU_ASSERT_EQUAL(map.rejected_count, 1);
    CU_ASSERT_EQUAL(at(&map, 3 * SECOND_TICKS), 1000 + INT64_C(3000000000));
    clock_map_free(&map);
}

static void a_wrong_nominal_frequency_is_outvoted(void)
{
    scope_recording_header wrong = header;
    wrong.ticks_per_second = 2000000000u;
    clock_map map;
    clock_map_start(&map, &wrong);
    for (int i = 0; i <= 20; i++)
        clock_map_add(&map, 1 + (uint64_t)i * SECOND_TICKS, 1000 + i * INT64_C(1000000000));
    CU_ASSERT_TRUE(clock_map_settle(&map));
    CU_ASSERT_EQUAL(map.rejected_count, 0);
    CU_ASSERT_TRUE(near(at(&map, 1 + 25 * SECOND_TICKS), 1000 + INT64_C(25000000000), 2));
    clock_map_free(&map);
}

static void it_never_decreases(void)
{
    srand(3);
    for (int round = 0; round < 200; round++) {
        clock_map map;
        clock_map_start(&map, &header);
        uint64_t ticks = 1000;
        int64_t ns = 400;
        for (int i = 0; i < 50; i++) {
            ticks += (uint64_t)rand() % SECOND_TICKS;
            ns += rand() % 1000000000;
            clock_map_add(&map, rand() % 9 ? ticks : (uint64_t)rand(),
                          rand() % 9 ? (int64_t)(ticks * 2 / 5) : ns);
        }
        CU_ASSERT_TRUE(clock_map_settle(&map));
        int64_t before = 0;
        size_t hint = 0, wrong = 0;
        for (uint64_t t = 0; t < ticks + SECOND_TICKS; t += SECOND_TICKS / 37 + 1) {
            const int64_t now = clock_map_ns(&map, t, &hint);
            wrong += now < before || now != at(&map, t);
            before = now;
        }
        CU_ASSERT_EQUAL(wrong, 0);
        clock_map_free(&map);
    }
}

static void what_was_converted_between_points_never_changes(void)
{
    clock_map map;
    clock_map_start(&map, &header);
    int64_t seen[2000];
    size_t known = 25; /* from the first point on */
    srand(5);
    for (int i = 1; i <= 40; i++) {
        clock_map_add(&map, (uint64_t)i * SECOND_TICKS / 4,
                      i * INT64_C(250000000) + rand() % 400);
        CU_ASSERT_TRUE(clock_map_settle(&map));
        const size_t fixed = (size_t)(clock_map_last_ticks(&map) / (SECOND_TICKS / 100));
        for (size_t k = 25; k < known; k++)
            CU_ASSERT_EQUAL(at(&map, k * (SECOND_TICKS / 100)), seen[k]);
        for (; known < fixed && known < 2000; known++)
            seen[known] = at(&map, known * (SECOND_TICKS / 100));
    }
    clock_map_free(&map);
}

static void a_reading_near_the_one_before_counts_as_the_last(void)
{
    clock_map map;
    clock_map_start(&map, &header);
    for (uint64_t i = 0; i < 4; i++) { /* 100 microseconds apart */
        const uint64_t ticks = SECOND_TICKS + i * (SECOND_TICKS / 10000);
        clock_map_add(&map, ticks, INT64_C(1000000000) + (int64_t)i * 100000);
        if (i > 0) /* the first two are weighed together, the others come later */
            CU_ASSERT_TRUE(clock_map_settle(&map));
        if (i > 0)
            CU_ASSERT_EQUAL(clock_map_last_ticks(&map), ticks);
    }
    clock_map_free(&map);
}

static void numbers_of_a_damaged_file_do_no_harm(void)
{
    const uint64_t ticks[] = {0, 1, UINT64_MAX, UINT64_MAX / 2, 1u << 31};
    const int64_t ns[] = {INT64_MIN, -1, 0, 1, INT64_MAX, INT64_C(1) << 62};
    const uint64_t frequencies[] = {0, 1, UINT64_MAX, 2500000000u};
    for (size_t f = 0; f < 4; f++)
        for (size_t a = 0; a < 5; a++)
            for (size_t b = 0; b < 6; b++)
                for (size_t c = 0; c < 5; c++)
                    for (size_t d = 0; d < 6; d++) {
                        const scope_recording_header bad = {.clock_kind = SCOPE_CLOCK_TSC,
                                                            .ticks_per_second = frequencies[f]};
                        clock_map map;
                        clock_map_start(&map, &bad);
                        clock_map_add(&map, ticks[a], ns[b]);
                        clock_map_add(&map, ticks[c], ns[d]);
                        clock_map_settle(&map);
                        int64_t before = 0;
                        size_t wrong = 0;
                        for (int k = 0; k < 64; k++) {
                            const int64_t now = at(&map, UINT64_C(1) << k);
                            wrong += now < before;
                            before = now;
                        }
                        CU_ASSERT_EQUAL(wrong, 0);
                        clock_map_duration_ns(&map, UINT64_MAX);
                        clock_map_free(&map);
                    }
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("clock map", NULL, NULL);
    CU_ADD_TEST(suite, nanoseconds_stay_what_they_are);
    CU_ADD_TEST(suite, without_points_the_nominal_frequency_holds);
    CU_ADD_TEST(suite, between_two_points_it_interpolates);
    CU_ADD_TEST(suite, a_slope_over_less_than_a_second_is_not_gone_on_with);
    CU_ADD_TEST(suite, points_that_disagree_are_left_out);
    CU_ADD_TEST(suite, a_bad_first_point_does_not_lead);
    CU_ADD_TEST(suite, a_wrong_nominal_frequency_is_outvoted);
    CU_ADD_TEST(suite, it_never_decreases);
    CU_ADD_TEST(suite, what_was_converted_between_points_never_changes);
    CU_ADD_TEST(suite, a_reading_near_the_one_before_counts_as_the_last);
    CU_ADD_TEST(suite, numbers_of_a_damaged_file_do_no_harm);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
