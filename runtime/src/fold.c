/* fold.c - what happens to the oldest chunks when the budget is used up.
 *
 * A finished chunk is summed up (fold_chunk.h); the sums are committed; only then is the
 * chunk made invalid and used again. Calls that are open across the cut stay in the lanes,
 * and in the commit.
 *
 * SPDX-License-Identifier: MIT
 */
#include "fold.h"

#include <string.h>

#include "fold_chunk.h"
#include "pool.h"
#include "spool_chunk.h"
#include "thread.h"

bool scope_fold_is_allowed(const scope_session *session)
{
    return session->config.policy != SCOPE_POLICY_STOP;
}

bool scope_fold_passes_cut(const scope_stream *stream)
{
    const scope_chunk_header *first = stream->oldest ? stream->oldest->chunk : stream->chunk;
    if (first && first->sequence > (stream->cuts ? stream->cut_sequence : 0))
        return true; /* some of it is in the sums already */
    for (const scope_chunk_ref *ref = stream->oldest; ref; ref = ref->next)
        if (scope_fold_chunk_passes_cut(stream, ref->chunk))
            return true;
    return stream->chunk && scope_fold_chunk_passes_cut(stream, stream->chunk);
}

static scope_fold *spare_folds;

static scope_fold *fold_of(scope_stream *stream)
{
    if (!stream->fold) {
        stream->fold = spare_folds;
        if (spare_folds) {
            spare_folds = spare_folds->next;
            memset(stream->fold, 0, sizeof *stream->fold);
        } else {
            stream->fold = scope_pool_alloc(sizeof *stream->fold);
        }
        if (stream->fold) {
            stream->fold->thread = -1;
            stream->fold->ring = stream->session->config.policy == SCOPE_POLICY_RING;
        }
    }
    return stream->fold;
}

/* Threads and tasks that come and go must not fill the recording with their sums. */
static void merge_ended(scope_stream *stream)
{
    scope_fold *fold = stream->fold;
    if (!scope_sums_is_large(&fold->sums))
        return;
    scope_fold_push_task(fold, scope_fold_thread_lane(fold)); /* kept, as the tasks below it */
    if (scope_fold_known_tasks(fold) == fold->task_depth)
        stream->session->other_lanes +=
            scope_sums_merge_ended(&fold->sums, -2 - scope_thread_other(stream),
                                   fold->decoder.last_ticks, fold->tasks, fold->task_depth);
    fold->task_depth--;
}

/* A kill loses what was summed up since the file had the sums last. */
static void count_beside(scope_fold *fold, bool committed, uint64_t events)
{
    const uint64_t before = fold->beside_events;
    const scope_chunk_header *valid = fold->sums.copies[fold->sums.version & 1];
    if (committed)
        fold->beside_events = scope_spool_is_beside(valid) ? before + events : 0;
    if (fold->beside_events != before)
        scope_spool_count_beside((int64_t)(fold->beside_events - before));
}

/* Sum up the oldest finished chunk of a stream and take it out; `clear`: for its owner to
 * go on in, else it is given back (and only an address). NULL: the sums needed
 * the chunk for themselves, or (with `oldest` unchanged) there is no memory. */
static scope_chunk_header *fold_one(scope_stream *stream, bool clear)
{
    scope_fold *fold = fold_of(stream);
    if (!fold)
        return NULL;
    scope_chunk_header *chunk = stream->oldest->chunk;
    const uint64_t events = scope_fold_sum_chunk(fold, stream, chunk);
    merge_ended(stream);
    const scope_sums_header head = {
        .first_unfolded = scope_chunk_last(chunk) + 1,
        .policy = fold->ring ? SCOPE_POLICY_RING : SCOPE_POLICY_FOLD,
        .thread = fold->thread,
        .last_ticks = fold->decoder.last_ticks,
        .dropped_events = fold->dropped_events,
        .holes = fold->decoder.holes,
    };
    const uint32_t depth = scope_fold_known_tasks(fold);
    bool committed = scope_sums_commit(&fold->sums, stream, head, fold->tasks, depth);
    scope_stream_take_oldest(stream);
    if (clear)
        scope_spool_clear(chunk);
    else
        scope_spool_give(chunk);
    if (!committed) { /* a kill between would lose this chunk; without room there is no other way */
        if (clear)
            scope_spool_give(chunk);
        chunk = NULL;
        committed = scope_sums_commit(&fold->sums, stream, head, fold->tasks, depth);
    }
    /* Sums that found no room stay in memory, and the next commit has them: until then
     * they are counted as dropped. */
    const uint64_t before = fold->uncommitted_events;
    fold->uncommitted_events = committed ? 0 : before + events;
    scope_count_dropped(stream->session, fold->uncommitted_events - before);
    count_beside(fold, committed, events);
    return chunk;
}

scope_chunk_header *scope_fold_oldest(scope_stream *stream)
{
    if (!scope_fold_is_allowed(stream->session))
        return NULL;
    for (;;) {
        scope_stream *from = stream; /* one without a finished chunk takes one of another */
        if (!from->oldest)
            from = stream->session->streams;
        while (from && !from->oldest)
            from = from->next_of_session;
        if (!from)
            return NULL;
        const scope_chunk_ref *before = from->oldest;
        scope_chunk_header *chunk = fold_one(from, true);
        if (chunk || from->oldest == before)
            return chunk;
    }
}

static bool is_written(const scope_stream *stream)
{
    return stream->oldest && stream->cuts &&
           stream->oldest->chunk->sequence < stream->cut_sequence;
}

uint64_t scope_fold_written(scope_stream *stream)
{
    scope_session *session = stream->session;
    scope_stream *from = stream;
    if (!session->has_written)
        return 0;
    if (!is_written(from))
        for (from = session->streams; from && !is_written(from);)
            from = from->next_of_session;
    if (!from) {
        session->has_written = false;
        return 0;
    }
    const scope_chunk_ref *before = from->oldest;
    const uint64_t size_bytes = before->chunk->size_bytes;
    fold_one(from, false);
    return from->oldest == before ? 0 : size_bytes;
}

void scope_fold_down(scope_stream *stream, uint32_t left)
{
    enum { AT_ONCE = 4 }; /* the lock is held */
    for (int i = 0; i < AT_ONCE && stream->finished_count > left; i++) {
        const scope_chunk_ref *before = stream->oldest;
        fold_one(stream, false);
        if (stream->oldest == before)
            return;
    }
}

void scope_fold_own(scope_stream *stream)
{
    for (int copy = 0; stream->fold && copy < 2; copy++)
        if (stream->fold->sums.copies[copy])
            scope_spool_own(stream->fold->sums.copies[copy],
                            stream->fold->sums.copies[copy]->size_bytes);
}

void scope_fold_give(scope_stream *stream)
{
    if (!stream->fold)
        return;
    scope_sums *sums = &stream->fold->sums;
    for (int copy = 0; copy < 2; copy++)
        if (sums->copies[copy])
            scope_spool_give(sums->copies[copy]);
    if (sums->left)
        scope_spool_give(sums->left);
    if (stream->fold->beside_events)
        scope_spool_count_beside(-(int64_t)stream->fold->beside_events);
}

void scope_fold_free(scope_stream *stream)
{
    if (!stream->fold)
        return;
    scope_sums_clear(&stream->fold->sums);
    scope_map_free(stream->fold->tasks, stream->fold->task_capacity * sizeof(int64_t));
    stream->fold->next = spare_folds;
    spare_folds = stream->fold;
    stream->fold = NULL;
}
