/* bench_fortran.c - what does a begin+end from Fortran cost against the same from C?
 *
 * The Fortran loops are in fortran_loops.f90; handles are registered once.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/scope.h>

#include "harness.h"

void fortran_handle(void *region, long count);
void fortran_name(void *unused, long count);

static scope_region region;

static void c_handle(void *context, long count)
{
    const scope_region handle = *(const scope_region *)context;
    for (long i = 0; i < count; i++) {
        scope_region_begin(handle);
        scope_region_end(handle);
    }
}

static void c_name(void *context, long count)
{
    (void)context;
    for (long i = 0; i < count; i++) {
        scope_region_begin_name("solve the equation");
        scope_region_end_name("solve the equation");
    }
}

int main(void)
{
    scope_options options = SCOPE_OPTIONS_INIT;
    options.no_output = 1;
    options.max_bytes = -1;
    scope_init(&options);
    scope_region_register("solve the equation", &region);
    bench_variant variants[] = {{"C, handle", c_handle, &region, 0, 0},
                                {"Fortran, handle", fortran_handle, &region, 0, 0},
                                {"C, name", c_name, NULL, 0, 0},
                                {"Fortran, name", fortran_name, NULL, 0, 0}};
    bench_title("x C handle");
    bench_run(variants, 4, 1001, 500);
    for (int i = 0; i < 4; i++)
        bench_print(&variants[i], variants[0].minimum_ns);
    scope_finalize();
    return 0;
}
