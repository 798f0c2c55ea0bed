/* many_regions.c - argv[1] regions, one call each, nested in one outer call.
 * SPDX-License-Identifier: MIT */
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 10;
    if (scope_init(NULL) != SCOPE_OK)
        return 1;
    scope_region_begin_name("outer");
    for (long i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "region %ld", i);
        scope_region region;
        if (scope_region_register(name, &region) != SCOPE_OK)
            return 2;
        scope_region_begin(region);
        scope_region_end(region);
    }
    scope_region_end_name("outer");
    return scope_finalize() == SCOPE_OK ? 0 : 3;
}
