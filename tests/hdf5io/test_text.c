/* test_text.c - any bytes as valid UTF-8, all names different.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text.h"

#include <CUnit/Basic.h>
#include <stdlib.h>
#include <string.h>

static const char *shown(const char *bytes, size_t length)
{
    static char text[256];
    const size_t bytes_out = scope_text_display(bytes, length, text);
    CU_ASSERT_EQUAL(bytes_out, scope_text_display(bytes, length, NULL));
    text[bytes_out] = '\0';
    return text;
}

static void valid_utf8_stays_as_it_is(void)
{
    CU_ASSERT_STRING_EQUAL(shown("a/b\n\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80", 13),
                           "a/b\n\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80");
    CU_ASSERT_STRING_EQUAL(shown("", 0), "");
}

static void other_bytes_are_escaped(void)
{
    CU_ASSERT_STRING_EQUAL(shown("\xff", 1), "\\xff");
    CU_ASSERT_STRING_EQUAL(shown("a\0b", 3), "a\\x00b");
    CU_ASSERT_STRING_EQUAL(shown("\xc3", 1), "\\xc3"); /* cut */
    CU_ASSERT_STRING_EQUAL(shown("\xc3(", 2), "\\xc3(");
    CU_ASSERT_STRING_EQUAL(shown("\xc0\x80", 2), "\\xc0\\x80"); /* overlong */
    CU_ASSERT_STRING_EQUAL(shown("\xe0\x80\x80", 3), "\\xe0\\x80\\x80");
    CU_ASSERT_STRING_EQUAL(shown("\xed\xa0\x80", 3), "\\xed\\xa0\\x80"); /* surrogate */
    CU_ASSERT_STRING_EQUAL(shown("\xf4\x90\x80\x80", 4),
                           "\\xf4\\x90\\x80\\x80"); /* beyond Unicode */
}

static void clashing_names_get_a_number(void)
{
    char bytes[] = "a\xff"
                   "a\\xff"
                   "a\\xff (2)"
                   "b"
                   "a\xff";
    uint64_t ends[] = {2, 7, 16, 17, 19};
    const scope_strings names = {bytes, ends, 5};
    scope_strings display;
    CU_ASSERT_EQUAL_FATAL(scope_text_display_names(&names, &display), SCOPE_OK);
    CU_ASSERT_STRING_EQUAL(scope_text_display_name(&display, 0), "a\\xff");
    CU_ASSERT_STRING_EQUAL(scope_text_display_name(&display, 1), "a\\xff (2)");
    CU_ASSERT_STRING_EQUAL(scope_text_display_name(&display, 2), "a\\xff (2) (2)");
    CU_ASSERT_STRING_EQUAL(scope_text_display_name(&display, 3), "b");
    CU_ASSERT_STRING_EQUAL(scope_text_display_name(&display, 4), "a\\xff (3)");
    scope_strings_free(&display);
}

static void no_names_are_no_names(void)
{
    const scope_strings names = {NULL, NULL, 0};
    scope_strings display;
    CU_ASSERT_EQUAL_FATAL(scope_text_display_names(&names, &display), SCOPE_OK);
    CU_ASSERT_EQUAL(display.count, 0);
    scope_strings_free(&display);
}

int main(void)
{
    CU_initialize_registry();
    CU_pSuite suite = CU_add_suite("text", NULL, NULL);
#define TEST(name) CU_add_test(suite, #name, name)
    TEST(valid_utf8_stays_as_it_is);
    TEST(other_bytes_are_escaped);
    TEST(clashing_names_get_a_number);
    TEST(no_names_are_no_names);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    return (int)CU_get_number_of_failures() + (CU_get_error() != CUE_SUCCESS);
}
