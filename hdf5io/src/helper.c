/* helper.c - scope-hdf5-writer: lays a file out for a process that cannot (apart.h).
 *
 * Not for people: it reads requests from a socket and writes to a descriptor that
 * its parent made.
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "maker.h"
#include "message.h"
#include "parcel.h"
#include "text.h"

typedef struct helper {
    scope_status status; /* the first failure */
    bool has_file;
    scope_maker maker;
    scope_plan plan;
    scope_strings names;
    scope_calls *calls;
    scope_pieces pieces;
} helper;

static bool answer(const helper *helper)
{
    scope_apart_reply reply = {.status = helper->status,
                               .file_id_offset = helper->plan.file_id_offset};
    memcpy(reply.offset, helper->plan.offset, sizeof reply.offset);
    if (helper->status != SCOPE_OK)
        snprintf(reply.message, sizeof reply.message, "%.500s", scope_file_message());
    return scope_apart_send(SCOPE_APART_SOCKET, &reply, sizeof reply);
}

static void lay_out(helper *helper, const void *bytes, size_t length_bytes)
{
    if (helper->has_file) {
        helper->status = SCOPE_ERR_STATE;
        return;
    }
    if (helper->status == SCOPE_OK)
        helper->status = scope_parcel_unpack(bytes, length_bytes, &helper->plan, &helper->calls,
                                             &helper->names, &helper->pieces);
    if (helper->status != SCOPE_OK)
        return;
    helper->has_file = true;
    helper->status = scope_maker_begin(&helper->maker, SCOPE_APART_FILE, false, &helper->plan,
                                       helper->calls, &helper->names, &helper->pieces);
}

static void keep(helper *helper, scope_status status)
{
    if (helper->status == SCOPE_OK)
        helper->status = status;
}

/* One request; false: that was the last, or the caller is gone. */
static bool serve(helper *helper, const scope_apart_request *request, const void *bytes)
{
    switch (request->kind) {
    case SCOPE_APART_LAYOUT:
        lay_out(helper, bytes, (size_t)request->length_bytes);
        return answer(helper);
    case SCOPE_APART_COLUMN:
        if (helper->status == SCOPE_OK && helper->has_file && request->column < scope_column_count)
            helper->status = scope_maker_column(&helper->maker, request->column);
        return true;
    case SCOPE_APART_BYTES:
        return scope_maker_take(&helper->maker, 0, bytes, (size_t)request->length_bytes) ==
               SCOPE_OK;
    case SCOPE_APART_COLUMN_END:
        keep(helper, scope_maker_column_end(&helper->maker));
        return answer(helper);
    default:
        if (helper->has_file)
            helper->status = scope_maker_end(&helper->maker, helper->status);
        helper->has_file = false;
        answer(helper);
        return false;
    }
}

int main(void)
{
    static helper helper;
    scope_apart_request request;
    scope_h5_errors errors;
    bool more = true;
    signal(SIGXFSZ, SIG_IGN); /* an error code, not an end */
    helper.status = scope_h5_check();
    if (helper.status == SCOPE_OK)
        scope_h5_quiet(&errors);
    while (more && scope_apart_receive(SCOPE_APART_SOCKET, &request, sizeof request)) {
        char *bytes = malloc((size_t)request.length_bytes + 1);
        more = bytes &&
               scope_apart_receive(SCOPE_APART_SOCKET, bytes, (size_t)request.length_bytes) &&
               serve(&helper, &request, bytes);
        free(bytes);
    }
    if (helper.has_file) { /* the caller is gone: it matters to nobody */
        scope_maker_column_end(&helper.maker);
        scope_maker_end(&helper.maker, SCOPE_ERR_STATE);
    }
    scope_calls_free(helper.calls);
    scope_strings_free(&helper.names);
    return helper.status != SCOPE_OK;
}
