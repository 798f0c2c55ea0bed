/* names.c - regions with every kind of name; name number i has i + 1 calls.
 * SPDX-License-Identifier: MIT */
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    static char long_name[10001];
    memset(long_name, 'x', sizeof long_name - 1);
    const struct {
        const char *bytes;
        size_t length;
    } names[] = {
        {"plain", 5},      {"a/b/c", 5},         {"/", 1},          {"two\nlines", 9},
        {"\t tab", 5},     {"日本語", 9},        {"\xff\xfe", 2},   {"nul\0inside", 10},
        {"\\xff\\xfe", 8}, {"rank0/regions", 13}, {long_name, 10000}, {"nul", 3},
        {"\"quoted\"", 8}, {"MPI", 3},           {"a,b;c", 5},      {" lead", 5},
    };
    if (scope_init(NULL) != SCOPE_OK)
        return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scope_region region, again;
        if (scope_region_register_bytes(names[i].bytes, names[i].length, &region) != SCOPE_OK)
            return 2;
        if (scope_region_register_bytes(names[i].bytes, names[i].length, &again) != SCOPE_OK ||
            again != region)
            return 3;
        for (size_t k = 0; k <= i; k++) {
            if (k % 2) {
                scope_region_begin(region);
                scope_region_end(region);
            } else {
                scope_region_begin_bytes(names[i].bytes, names[i].length);
                scope_region_end_bytes(names[i].bytes, names[i].length);
            }
        }
        for (size_t k = 0; k < names[i].length; k++)
            printf("%02x", (unsigned char)names[i].bytes[k]);
        printf(" %zu\n", i + 1);
    }
    return scope_finalize() == SCOPE_OK ? 0 : 4;
}
