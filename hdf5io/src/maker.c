/* maker.c - see maker.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "maker.h"

#include <stdio.h>

#include "message.h"

scope_status scope_maker_begin(scope_maker *maker, int fd, bool is_apart, scope_plan *plan,
                               const scope_calls *calls, const scope_strings *names,
                               const scope_pieces *pieces)
{
    *maker = (scope_maker){
        .is_apart = is_apart, .apart = {-1, -1}, .here = {{-1, 0}, H5I_INVALID_HID}, .plan = plan};
    scope_status status = is_apart ? scope_apart_start(&maker->apart, fd)
                                   : scope_creation_begin(&maker->here, fd, plan->is_index);
    if (status != SCOPE_OK)
        return status;
    return is_apart ? scope_apart_layout(&maker->apart, plan, calls, names, pieces)
                    : scope_creation_layout(&maker->here, plan, calls, names, pieces);
}

scope_status scope_maker_column(scope_maker *maker, size_t column)
{
    if (maker->is_apart) {
        scope_apart_column(&maker->apart, column);
        return SCOPE_OK;
    }
    return scope_plan_is_wide(maker->plan, column)
               ? scope_wide_begin(maker->here.file, maker->plan, column, &maker->taker)
               : scope_chunked_begin(maker->here.file, maker->plan, column, &maker->taker);
}

scope_status scope_maker_take(void *context, int32_t rank, const void *bytes, size_t length_bytes)
{
    scope_maker *maker = context;
    if (maker->is_apart)
        scope_apart_bytes(&maker->apart, bytes, length_bytes);
    else if (maker->taker)
        scope_taker_take(maker->taker, rank, bytes, length_bytes);
    return SCOPE_OK;
}

scope_status scope_maker_column_end(scope_maker *maker)
{
    if (maker->is_apart)
        return scope_apart_column_end(&maker->apart);
    const scope_status status = maker->taker ? scope_taker_end(maker->taker) : SCOPE_OK;
    maker->taker = NULL;
    return status;
}

scope_status scope_maker_end(scope_maker *maker, scope_status status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", scope_file_message());
    if (maker->taker) /* a transfer that broke off */
        scope_maker_column_end(maker);
    const scope_status ended =
        maker->is_apart ? scope_apart_end(&maker->apart) : scope_creation_end(&maker->here);
    /* a full disk says more than what HDF5 made of it */
    return status == SCOPE_OK || ended == SCOPE_ERR_SPACE ? ended
                                                          : scope_fail(status, "%s", message);
}
