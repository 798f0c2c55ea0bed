/* unit.h - a CUnit suite as a list of functions whose names are sentences.
 *
 *     int main(void)
 *     {
 *         const unit_test tests[] = {UNIT(same_name_gives_same_region), {0}};
 *         return unit_run("region", tests);
 *     }
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef UNIT_H
#define UNIT_H

#include <CUnit/Basic.h>

typedef struct unit_test {
    const char *name;
    void (*function)(void);
} unit_test;

#define UNIT(function)                                                                             \
    {                                                                                              \
        #function, function                                                                        \
    }

/* The same with something made before the first test and removed after the last: 0 when that
 * went well. */
static inline int unit_run_in(const char *suite_name, const unit_test *tests, int (*make)(void),
                              int (*remove)(void))
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 2;
    CU_pSuite suite = CU_add_suite(suite_name, make, remove);
    for (; suite && tests->name; tests++)
        CU_add_test(suite, tests->name, tests->function);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    const unsigned failures =
        CU_get_number_of_failures() + CU_get_number_of_suites_failed();
    CU_cleanup_registry();
    return failures != 0;
}

static inline int unit_run(const char *suite_name, const unit_test *tests)
{
    return unit_run_in(suite_name, tests, 0, 0);
}

#endif
