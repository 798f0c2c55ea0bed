/* test_names.c - mpi/src/names.c: a set of byte strings in order of arrival.
 *
 * SPDX-License-Identifier: MIT
 */
#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

static uint32_t add(mpi_names *names, const char *bytes, size_t length_bytes)
{
    uint32_t place = UINT32_MAX;
    CU_ASSERT_TRUE(mpi_names_add(names, bytes, length_bytes, &place));
    return place;
}

static void same_bytes_have_one_place(void)
{
    mpi_names *names = mpi_names_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(names);
    CU_ASSERT_EQUAL(add(names, "a", 1), 0);
    CU_ASSERT_EQUAL(add(names, "", 0), 1);
    CU_ASSERT_EQUAL(add(names, "a\0b", 3), 2);
    CU_ASSERT_EQUAL(add(names, "a\0c", 3), 3);
    CU_ASSERT_EQUAL(add(names, "\0", 1), 4);
    CU_ASSERT_EQUAL(add(names, "a", 1), 0);
    CU_ASSERT_EQUAL(add(names, NULL, 0), 1);
    CU_ASSERT_EQUAL(add(names, "a\0c", 3), 3);
    CU_ASSERT_EQUAL(mpi_names_count(names), 5);
    mpi_names_free(names);
}

static void many_names_keep_their_order_and_bytes(void)
{
    enum { COUNT = 200000 };
    mpi_names *names = mpi_names_new();
    CU_ASSERT_PTR_NOT_NULL_FATAL(names);
    char text[64];
    for (uint32_t i = 0; i < COUNT; i++) {
        const int length = snprintf(text, sizeof text, "region %u of many", i);
        if (add(names, text, (size_t)length) != i)
            CU_FAIL("a new name is not at the end");
    }
    const scope_strings all = mpi_names_take(names);
    CU_ASSERT_EQUAL_FATAL(all.count, COUNT);
    uint64_t start = 0;
    int wrong = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const int length = snprintf(text, sizeof text, "region %u of many", i);
        wrong += all.ends[i] - start != (uint64_t)length ||
                 memcmp(all.bytes + start, text, (size_t)length) != 0;
        start = all.ends[i];
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(all.bytes);
    free(all.ends);
    mpi_names_free(names);
}

static void a_long_name_fits(void)
{
    enum { LENGTH = 1000000 };
    char *text = malloc(LENGTH);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, 'x', LENGTH);
    mpi_names *names = mpi_names_new();
    CU_ASSERT_EQUAL(add(names, text, LENGTH), 0);
    text[LENGTH - 1] = 'y';
    CU_ASSERT_EQUAL(add(names, text, LENGTH), 1);
    CU_ASSERT_EQUAL(add(names, text, LENGTH), 1);
    mpi_names_free(names);
    free(text);
}

/* The hash of the names in `text`, split at '|'. */
static void hash_of(const char *text, uint64_t hash[2])
{
    mpi_names *names = mpi_names_new();
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "|");
        add(names, at, length);
        at += length + (at[length] == '|');
    }
    mpi_names_hash(names, hash);
    mpi_names_free(names);
}

static void the_hash_tells_names_and_order(void)
{
    static const char *const tables[] = {"",     "a",    "b",    "a|b",  "b|a",  "ab",
                                         "a|bc", "ab|c", "abcdefgh", "abcdefgh|i", "abcdefghi"};
    enum { COUNT = sizeof tables / sizeof *tables };
    uint64_t hashes[COUNT][2], again[2];
    for (int i = 0; i < COUNT; i++) {
        hash_of(tables[i], hashes[i]);
        hash_of(tables[i], again);
        CU_ASSERT_EQUAL(memcmp(hashes[i], again, sizeof again), 0);
        for (int j = 0; j < i; j++) {
            CU_ASSERT_NOT_EQUAL(hashes[i][0], hashes[j][0]);
            CU_ASSERT_NOT_EQUAL(hashes[i][1], hashes[j][1]);
        }
    }
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("names", NULL, NULL);
    CU_ADD_TEST(suite, same_bytes_have_one_place);
    CU_ADD_TEST(suite, many_names_keep_their_order_and_bytes);
    CU_ADD_TEST(suite, a_long_name_fits);
    CU_ADD_TEST(suite, the_hash_tells_names_and_order);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures != 0;
}
