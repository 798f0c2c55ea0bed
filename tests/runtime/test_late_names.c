/* test_late_names.c - ids that are excluded after the program got them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "late_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static bool is_third(void *asked, uint32_t id)
{
    if (id != (*(uint32_t *)asked)++) /* in order */
        CU_FAIL("asked in order");
    return id % 3 == 2;
}

static bool is_none(void *context, uint32_t id)
{
    (void)context, (void)id;
    return false;
}

static bool take(uint32_t count)
{
    uint32_t asked = 0;
    const bool done = scope_late_names_take(count, is_third, &asked);
    CU_ASSERT_EQUAL(asked, count);
    return done;
}

static uint32_t wrong(uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t id = 0; id < count + 200; id++)
        found += scope_late_names_has(id) != (id < count && id % 3 == 2);
    return found;
}

static void ids_are_late_until_asked_again(void)
{
    CU_ASSERT_FALSE(scope_late_names_any() || scope_late_names_has(2));
    static const uint32_t counts[] = {100, 64, 5000, 1, 4999, 70000};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        CU_ASSERT_TRUE(take(counts[i]));
        CU_ASSERT_EQUAL(scope_late_names_any(), counts[i] > 2);
        CU_ASSERT_EQUAL(wrong(counts[i]), 0);
    }
    CU_ASSERT_TRUE(scope_late_names_take(5000, is_none, NULL));
    CU_ASSERT_FALSE(scope_late_names_any() || scope_late_names_has(2));
    take(100);
    scope_late_names_clear();
    CU_ASSERT_FALSE(scope_late_names_any() || scope_late_names_has(2));
}

/* KiB; 0: the system does not say. */
static long resident_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    if (file)
        fclose(file);
    return kib;
}

/* A recording that is opened asks anew; some 125 KB each time if they were not used again. */
static void asking_without_end_takes_no_memory(void)
{
    scope_late_names_take(1000000, is_none, NULL);
    const long before = resident_kib();
    for (int i = 0; i < 200; i++)
        scope_late_names_take(1000000, is_none, NULL);
    CU_ASSERT_TRUE(resident_kib() - before < 4096);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(ids_are_late_until_asked_again),
        UNIT(asking_without_end_takes_no_memory),
        {0},
    };
    return unit_run("late_names", tests);
}
