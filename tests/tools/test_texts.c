/* test_texts.c - numbers, names, tables and JSON as the command prints them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "json.h"
#include "table.h"
#include "text.h"

#include <CUnit/Basic.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void times_have_six_columns_and_three_digits(void)
{
    static const struct {
        double ns;
        const char *text;
    } cases[] = {
        {0, "   0  "},       {5, "   5ns"},       {999, " 999ns"},     {12.34, "12.3ns"},
        {999.4, " 999ns"},   {1e6, "1.00ms"},     {9.994e6, "9.99ms"}, {9.995e6, "10.0ms"},
        {99.95e6, " 100ms"}, {999.6e6, "1.00 s"}, {1.5e9, "1.50 s"},   {59e9, "59.0 s"},
        {9999e9, "9999 s"},  {36000e9, "10.0 h"}, {-1, "   -  "},      {NAN, "   -  "},
    };
    char text[TEXT_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CU_ASSERT_STRING_EQUAL(text_time(cases[i].ns, text), cases[i].text);
    for (double ns = 1; ns < 1e16; ns *= 1.07)
        CU_ASSERT_EQUAL(text_width(text_time(ns, text)), 6);
}

static void bytes_have_binary_units(void)
{
    char text[TEXT_BYTES];
    CU_ASSERT_STRING_EQUAL(text_bytes(0, text), "   0 B  ");
    CU_ASSERT_STRING_EQUAL(text_bytes(1023, text), "1.00 KiB");
    CU_ASSERT_STRING_EQUAL(text_bytes(1536, text), "1.50 KiB");
    CU_ASSERT_STRING_EQUAL(text_bytes(1048576.0 * 100, text), " 100 MiB");
    CU_ASSERT_STRING_EQUAL(text_bytes(-1, text), "   -    ");
    for (double bytes = 1; bytes < 1e20; bytes *= 1.3)
        CU_ASSERT_EQUAL(text_width(text_bytes(bytes, text)), 8);
}

static void shares_and_ratios(void)
{
    char text[TEXT_BYTES];
    CU_ASSERT_STRING_EQUAL(text_percent(0, text), "0.0%");
    CU_ASSERT_STRING_EQUAL(text_percent(0.1234, text), "12.3%");
    CU_ASSERT_STRING_EQUAL(text_percent(0.9996, text), "100%");
    CU_ASSERT_STRING_EQUAL(text_percent(NAN, text), "-");
    CU_ASSERT_STRING_EQUAL(text_ratio(0, text), "-");
    CU_ASSERT_STRING_EQUAL(text_ratio(1.234, text), "1.23");
}

static void names_are_one_printable_line(void)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *text;
    } cases[] = {
        {"plain", 5, "plain"},
        {"a\nb\tc\r", 6, "a\\nb\\tc\\r"},
        {"\xc3\xa4\xe6\x97\xa5", 5, "\xc3\xa4\xe6\x97\xa5"},
        {"\xff\xfe", 2, "\\xff\\xfe"},
        {"a\0b", 3, "a\\x00b"},
        {"\x1b[31m", 5, "\\x1b[31m"},
        {"\xc2\x9b", 2, "\\xc2\\x9b"},          /* a control character of two bytes */
        {"\xc3", 1, "\\xc3"},                   /* cut in the middle */
        {"\xc0\x80", 2, "\\xc0\\x80"},          /* longer than need be */
        {"\xed\xa0\x80", 3, "\\xed\\xa0\\x80"}, /* half a surrogate pair */
        {"\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"},
        {"", 0, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = text_name(cases[i].bytes, cases[i].length);
        CU_ASSERT_STRING_EQUAL(text, cases[i].text);
        free(text);
    }
}

static void widths_are_columns_not_bytes(void)
{
    CU_ASSERT_EQUAL(text_width("abc"), 3);
    CU_ASSERT_EQUAL(text_width("\xc3\xa4"), 1);
    CU_ASSERT_EQUAL(text_width("\xe6\x97\xa5\xe6\x9c\xac"), 4);
    CU_ASSERT_EQUAL(text_width("e\xcc\x81"), 1); /* a combining accent */
}

static void shortening_keeps_both_ends(void)
{
    char text[64];
    for (size_t width = 4; width < 30; width++) {
        strcpy(text, "a_rather_long_name_of_a_region");
        text_shorten(text, width);
        CU_ASSERT_EQUAL(text_width(text), width);
        CU_ASSERT_EQUAL(text[0], 'a');
        CU_ASSERT_EQUAL(text[strlen(text) - 1], 'n');
        strcpy(text, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e");
        text_shorten(text, width);
        CU_ASSERT_TRUE(text_width(text) <= (width < 12 ? 12 : width));
    }
    strcpy(text, "short");
    text_shorten(text, 10);
    CU_ASSERT_STRING_EQUAL(text, "short");
}

/* What `print` writes to a file, as text. */
static char *printed(void (*print)(FILE *))
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    print(out);
    fclose(out);
    return text;
}

static void print_table(FILE *out)
{
    table *table = table_new();
    table_column(table, "name", TABLE_LEFT | TABLE_SHRINK);
    table_column(table, "n", 0);
    table_cell(table, "a");
    table_cell(table, "1");
    table_cell(table, "longer");
    table_cell(table, "12345");
    table_print(table, out);
}

static void tables_are_aligned(void)
{
    style_set(STYLE_NEVER, false);
    char *text = printed(print_table);
    CU_ASSERT_STRING_EQUAL(text, "name        n\na           1\nlonger  12345\n");
    free(text);
}

static void print_long_table(FILE *out)
{
    table *table = table_new();
    char name[200];
    memset(name, 'x', sizeof name);
    table_column(table, "name", TABLE_LEFT | TABLE_SHRINK);
    for (int i = 0; i < 5; i++)
        table_column(table, "number", 0);
    table_name(table, name, sizeof name);
    for (int i = 0; i < 5; i++)
        table_cell(table, "1234567");
    table_print(table, out);
}

static void long_tables_are_cut_to_the_width(void)
{
    setenv("COLUMNS", "80", 1);
    style_set(STYLE_NEVER, false);
    char *text = printed(print_long_table);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        CU_ASSERT_EQUAL(text_width(line), 80);
    free(text);
    style_set(STYLE_NEVER, true);
    text = printed(print_long_table);
    CU_ASSERT_TRUE(strlen(text) > 400);
    free(text);
    unsetenv("COLUMNS");
}

static void print_json(FILE *out)
{
    json json = json_start(out);
    json_open(&json, NULL, '{');
    json_text(&json, "a\"b", "\n\\\"\x01\xff\0\xc3\xa4", 8);
    json_open(&json, "list", '[');
    json_integer(&json, NULL, INT64_MIN);
    json_number(&json, NULL, 0.5);
    json_number(&json, NULL, INFINITY);
    json_close(&json);
    json_open(&json, "empty", '[');
    json_close(&json);
    json_seconds(&json, "s", -1);
    json_seconds(&json, "t", INT64_C(12345678901234567));
    json_boolean(&json, "yes", true);
    json_null(&json, "none");
    json_close(&json);
}

static void json_is_exact(void)
{
    char *text = printed(print_json);
    CU_ASSERT_STRING_EQUAL(text, "{\n  \"a\\\"b\": \"\\n\\\\\\\"\\u0001\\\\xff\\\\x00\xc3\xa4\",\n"
                                 "  \"list\": [\n    -9223372036854775808,\n    0.5,\n    null\n"
                                 "  ],\n  \"empty\": [],\n  \"s\": -0.000000001,\n"
                                 "  \"t\": 12345678.901234567,\n  \"yes\": true,\n"
                                 "  \"none\": null\n}\n");
    free(text);
}

int main(void)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("texts", NULL, NULL);
    CU_ADD_TEST(suite, times_have_six_columns_and_three_digits);
    CU_ADD_TEST(suite, bytes_have_binary_units);
    CU_ADD_TEST(suite, shares_and_ratios);
    CU_ADD_TEST(suite, names_are_one_printable_line);
    CU_ADD_TEST(suite, widths_are_columns_not_bytes);
    CU_ADD_TEST(suite, shortening_keeps_both_ends);
    CU_ADD_TEST(suite, tables_are_aligned);
    CU_ADD_TEST(suite, long_tables_are_cut_to_the_width);
    CU_ADD_TEST(suite, json_is_exact);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
