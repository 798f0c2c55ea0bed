/* filter_serial.c - a program of one process calls three regions, one registered before the
 * session starts. SPDX-License-Identifier: MIT */
#include <scope/scope.h>

int main(void)
{
    static const char *const names[] = {"solve", "io_read", "other"};
    scope_region regions[3];
    for (int i = 0; i < 3; i++) {
        if (scope_region_register(names[i], &regions[i]) != SCOPE_OK)
            return 1;
        if (i == 0)
            scope_init(NULL);
    }
    for (int i = 0; i < 3; i++) {
        scope_region_begin(regions[i]);
        scope_region_end(regions[i]);
        scope_region_begin_name(names[i]);
        scope_region_end_name(names[i]);
    }
    return 0;
}
