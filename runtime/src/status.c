/* status.c - the sentences of status.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/status.h>

const char *scope_status_text(scope_status status)
{
    switch (status) {
#define SCOPE_STATUS_CASE(name, value, text)                                                       \
    case SCOPE_##name:                                                                             \
        return text;
        SCOPE_STATUS_LIST(SCOPE_STATUS_CASE)
#undef SCOPE_STATUS_CASE
    }
    return "unknown status";
}
