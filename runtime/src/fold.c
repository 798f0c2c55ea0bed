/* fold.c - what happens to the oldest chunks when the budget is used up.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fold.h"

bool scope_fold_is_allowed(const scope_session *session)
{
    return session->config.policy != SCOPE_POLICY_STOP;
}

scope_chunk_header *scope_fold_oldest(scope_stream *stream)
{
    (void)stream;
    return NULL;
}

void scope_fold_give(scope_stream *stream)
{
    (void)stream;
}

void scope_fold_free(scope_stream *stream)
{
    stream->fold = NULL;
}
