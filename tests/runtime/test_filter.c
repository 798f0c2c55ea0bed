/* test_filter.c - which regions a filter lets pass, on which ranks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static bool accepts(const char *text, const char *name)
{
    scope_filter *filter = scope_filter_new(text);
    const bool accepted = scope_filter_accepts(filter, name, strlen(name));
    scope_filter_free(filter);
    return accepted;
}

static void the_first_match_decides(void)
{
    CU_ASSERT_FALSE(accepts("-solve_inner,solve*", "solve_inner"));
    CU_ASSERT_TRUE(accepts("-solve_inner,solve*", "solve_outer"));
    CU_ASSERT_TRUE(accepts("solve*,-solve_inner", "solve_inner"));
    CU_ASSERT_TRUE(accepts("solve*,-solve_inner,+MPI_*", "MPI_Bcast"));
}

static void what_matches_nothing_follows_the_first_pattern(void)
{
    CU_ASSERT_FALSE(accepts("solve*", "other"));
    CU_ASSERT_FALSE(accepts("+solve*,-x", "other"));
    CU_ASSERT_TRUE(accepts("-solve*", "other"));
    CU_ASSERT_TRUE(accepts("-solve*,MPI_*", "other"));
    CU_ASSERT_TRUE(accepts("", "other"));
    CU_ASSERT_TRUE(accepts(",, ,-", "other"));
    CU_ASSERT_TRUE(accepts(NULL, "other"));
}

static void wildcards_match_as_in_a_shell(void)
{
    static const struct {
        const char *pattern, *name;
        bool matches;
    } cases[] = {
        {"*", "", true},
        {"a*", "a", true},
        {"*a", "bba", true},
        {"a*b*c", "axxbyyc", true},
        {"a*b*c", "axxbyy", false},
        {"a?c", "abc", true},
        {"a?c", "ac", false},
        {"a?c",
         "a\xc3\xa4"
         "c",
         true},
        {"a?c",
         "a\xff"
         "c",
         true},
        {"[a-c]x", "bx", true},
        {"[!a-c]x", "bx", false},
        {"[!a-c]x", "dx", true},
        {"[]]", "]", true},
        {"[a-]", "-", true},
        {"[ab", "[ab", true},
        {"[ab", "a", false},
        {"\\*", "*", true},
        {"\\*", "x", false},
        {"a\\,b", "a,b", true},
        {" a b ", "a b", true},
        {"\\-a", "-a", true},
        {"a/*", "a/b/c", true},
        {"*.*", ".x", true},
        {"A", "a", false},
        {"a\\", "a\\", true},
        {"**x**", "axb", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (accepts(cases[i].pattern, cases[i].name) != cases[i].matches)
            printf("\n  %s against %s\n", cases[i].pattern, cases[i].name);
        CU_ASSERT_EQUAL(accepts(cases[i].pattern, cases[i].name), cases[i].matches);
    }
}

static void names_are_bytes_not_strings(void)
{
    scope_filter *filter = scope_filter_new("a*z");
    CU_ASSERT_TRUE(scope_filter_accepts(filter, "a\0z", 3));
    CU_ASSERT_FALSE(scope_filter_accepts(filter, "a\0zz", 2));
    scope_filter_free(filter);
    scope_filter_free(NULL);
}

static bool accepts_on(int rank, const char *text, const char *name)
{
    scope_filter *filter = scope_filter_new(text);
    const bool accepted = scope_filter_accepts_on(filter, rank, name, strlen(name));
    scope_filter_free(filter);
    return accepted;
}

static void a_pattern_may_be_of_some_ranks(void)
{
    static const char text[] = "solve*@0-3+7,-io_*@4-";
    for (int rank = 0; rank < 10; rank++) {
        const bool solves = rank <= 3 || rank == 7;
        CU_ASSERT_TRUE(accepts_on(rank, text, "solver"));
        CU_ASSERT_EQUAL(accepts_on(rank, text, "other"), !solves);
        CU_ASSERT_FALSE(accepts_on(rank, text, "io_read"));
        CU_ASSERT_EQUAL(accepts_on(rank, "*@2,-*", "any"), rank == 2);
        CU_ASSERT_EQUAL(accepts_on(rank, "-a@1-", "a"), rank == 0);
        CU_ASSERT_TRUE(accepts_on(rank, "-a@1-", "b"));
    }
    CU_ASSERT_TRUE(accepts_on(-1, text, "other")); /* it depends */
    CU_ASSERT_TRUE(accepts_on(-1, "-MPI_*,solve*@0", "other"));
    CU_ASSERT_FALSE(accepts_on(-1, "-MPI_*,solve*@0", "MPI_Send"));
    CU_ASSERT_FALSE(accepts_on(-1, "-a", "a"));
    CU_ASSERT_FALSE(accepts_on(-1, "solve*,-io@1", "other"));
}

static void an_at_sign_without_ranks_is_an_ordinary_one(void)
{
    static const char *const names[] = {"a@b",  "a@",     "a@1x", "a@-1",
                                        "a@1+", "a@1-2-3", "a@+1", "a@99999999999"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CU_ASSERT_TRUE(accepts_on(5, names[i], names[i]));
        CU_ASSERT_FALSE(accepts_on(5, names[i], "a"));
    }
    CU_ASSERT_TRUE(accepts_on(5, "a\\@1", "a@1"));
    CU_ASSERT_TRUE(accepts_on(1, "a\\@1@1", "a@1"));
    CU_ASSERT_FALSE(accepts_on(2, "a\\@1@1,-*", "b"));
    CU_ASSERT_TRUE(accepts_on(1, "@1", "b")); /* no name: no pattern */
}

static void a_hard_pattern_on_a_long_name_is_quick(void)
{
    enum { LENGTH = 100000 };
    char *name = malloc(LENGTH);
    memset(name, 'a', LENGTH);
    scope_filter *filter = scope_filter_new("*a*a*a*a*a*a*a*a*b");
    CU_ASSERT_FALSE(scope_filter_accepts(filter, name, LENGTH));
    scope_filter_free(filter);
    free(name);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(the_first_match_decides),
        UNIT(what_matches_nothing_follows_the_first_pattern),
        UNIT(wildcards_match_as_in_a_shell),
        UNIT(names_are_bytes_not_strings),
        UNIT(a_pattern_may_be_of_some_ranks),
        UNIT(an_at_sign_without_ranks_is_an_ordinary_one),
        UNIT(a_hard_pattern_on_a_long_name_is_quick),
        {0},
    };
    return unit_run("filter", tests);
}
