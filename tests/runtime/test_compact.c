/* test_compact.c - words of tiny calls become sums, and everything else stays.
 *
 * The model: words of random calls on threads and tasks, with all misuse there is, are read
 * by the lane machine as they are and as they were compacted; both must say the same of
 * every region on every lane.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <stdio.h>

#include <scope/lane.h>

#include "compact.h"
#include "histogram.h"

/* ---- the model ---- */

enum { REGIONS = 10, LANES = 12, STACK = 4096, CHUNK_WORDS = 6000 };
#define ESCAPED 0x100005u /* region 9 of the model: its id needs an escape */

typedef struct lane_model {
    int64_t id;
    scope_lane lane;
    scope_call stack[STACK];
    scope_sum sums[REGIONS];
} lane_model;

typedef struct model {
    lane_model *lanes[LANES], *running;
    int lane_count;
    int64_t thread, tasks[8];
    int depth;
    uint64_t points, summed;
} model;

static uint32_t row_of(uint64_t region)
{
    return region == ESCAPED ? 9 : (uint32_t)region;
}

static void add_call(void *context, const scope_call *call)
{
    scope_sum *sum = &((lane_model *)context)->sums[row_of(call->region)];
    const uint64_t duration = (uint64_t)(call->end - call->begin);
    sum->count++;
    sum->sum_ticks += duration;
    sum->exclusive_ticks += duration - (uint64_t)call->inner;
    if (sum->count == 1 || duration < sum->minimum_ticks)
        sum->minimum_ticks = duration;
    if (duration > sum->maximum_ticks)
        sum->maximum_ticks = duration;
    if (!sum->first_ticks || (uint64_t)call->begin < sum->first_ticks)
        sum->first_ticks = (uint64_t)call->begin;
    if ((uint64_t)call->end > sum->last_end_ticks)
        sum->last_end_ticks = (uint64_t)call->end;
    sum->bytes += call->moved.bytes;
    sum->implied += (call->flags & SCOPE_CALL_IMPLIED) != 0;
    sum->crossed += (call->flags & SCOPE_CALL_CROSSED) != 0;
    sum->histogram[scope_histogram_bucket(duration, 1000000000)]++;
}

static void add_sum(scope_sum *to, const scope_sum *from)
{
    if (!from->count)
        return;
    if (!to->count || from->minimum_ticks < to->minimum_ticks)
        to->minimum_ticks = from->minimum_ticks;
    if (from->maximum_ticks > to->maximum_ticks)
        to->maximum_ticks = from->maximum_ticks;
    if (!to->first_ticks || from->first_ticks < to->first_ticks)
        to->first_ticks = from->first_ticks;
    if (from->last_end_ticks > to->last_end_ticks)
        to->last_end_ticks = from->last_end_ticks;
    to->count += from->count;
    to->sum_ticks += from->sum_ticks;
    to->exclusive_ticks += from->exclusive_ticks;
    for (int b = 0; b < SCOPE_HISTOGRAM_BUCKETS; b++)
        to->histogram[b] += from->histogram[b];
}

static lane_model *model_lane(model *model)
{
    const int64_t id = model->depth ? model->tasks[model->depth - 1] : -2 - model->thread;
    for (int i = 0; i < model->lane_count; i++)
        if (model->lanes[i]->id == id)
            return model->lanes[i];
    lane_model *lane = calloc(1, sizeof *lane);
    lane->id = id;
    scope_lane_start(&lane->lane, lane->stack, STACK);
    model->lanes[model->lane_count++] = lane;
    return lane;
}

static void model_event(model *model, const decoded_event *event)
{
    lane_model *lane = model_lane(model);
    const int64_t time = (int64_t)event->ticks;
    scope_sum sum;
    switch (event->kind) {
    case SCOPE_EVENT_BEGIN:
        scope_lane_begin(&lane->lane, (uint32_t)event->id, time, add_call, lane);
        break;
    case SCOPE_EVENT_END:
        lane->sums[row_of(event->id)].orphans +=
            !scope_lane_end(&lane->lane, (uint32_t)event->id, time, add_call, lane);
        break;
    case SCOPE_EVENT_MESSAGE:
        scope_lane_message(&lane->lane, &(scope_message){(int64_t)event->values[0], 1, 0, -1, 1});
        break;
    case SCOPE_EVENT_RESUME: model->tasks[model->depth++] = (int64_t)event->id; break;
    case SCOPE_EVENT_SUSPEND: model->depth--; break;
    case SCOPE_EVENT_THREAD:
        model->thread = (int64_t)event->id;
        model->depth = 0;
        break;
    case SCOPE_EVENT_MARK: model->points++; break;
    case SCOPE_EVENT_EXTENDED:
        if (event->sub_kind == SCOPE_EXTENDED_SPENT && lane->lane.depth)
            lane->stack[lane->lane.depth - 1].inner += (int64_t)event->values[0];
        if (event->sub_kind == SCOPE_EXTENDED_SUM) {
            decoded_sum(event, &sum);
            model->summed += sum.count;
            add_sum(&lane->sums[row_of(sum.region)], &sum);
        }
        break;
    default: break;
    }
}

static model *read_model(scope_chunk_header *const *chunks, int count)
{
    model *result = calloc(1, sizeof *result);
    decoder decoder = {0};
    decoded_event event;
    for (int i = 0; i < count; i++) {
        decoder_enter(&decoder, chunks[i]->ticks);
        decoder_words(&decoder, (const uint64_t *)(chunks[i] + 1),
                      (chunks[i]->size_bytes - sizeof *chunks[i]) / sizeof(uint64_t));
        while (decoder_next(&decoder, &event))
            model_event(result, &event);
    }
    CU_ASSERT_EQUAL(decoder.holes, 0);
    for (int i = 0; i < result->lane_count; i++)
        scope_lane_finish(&result->lanes[i]->lane, INT64_C(1) << 60, add_call, result->lanes[i]);
    return result;
}

static void free_model(model *model)
{
    for (int i = 0; i < model->lane_count; i++)
        free(model->lanes[i]);
    free(model);
}

static bool same_models(const model *a, const model *b)
{
    if (a->lane_count != b->lane_count || a->points != b->points)
        return false;
    for (int i = 0; i < a->lane_count; i++)
        if (a->lanes[i]->id != b->lanes[i]->id ||
            memcmp(a->lanes[i]->sums, b->lanes[i]->sums, sizeof a->lanes[i]->sums) != 0)
            return false;
    return true;
}

/* ---- random words ---- */

typedef struct writer {
    scope_chunk_header *chunk;
    uint64_t *words;
    size_t count;
    uint64_t seed, ticks, epoch;
    int depth; /* tasks resumed */
} writer;

static uint32_t any(writer *writer, uint32_t below)
{
    writer->seed = writer->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(writer->seed >> 33) % below;
}

static scope_chunk_header *new_chunk(size_t words)
{
    scope_chunk_header *chunk = calloc(1, sizeof *chunk + words * sizeof(uint64_t));
    chunk->size_bytes = (uint32_t)(sizeof *chunk + words * sizeof(uint64_t));
    return chunk;
}

static void put_word(writer *writer, uint64_t word)
{
    writer->words[writer->count++] = word;
}

static void put_event(writer *writer, scope_event_kind kind, uint64_t id)
{
    uint64_t ticks = writer->ticks += any(writer, 40);
    if (any(writer, 500) == 0)
        ticks -= ticks % 64; /* as when a handler came between: it is raised */
    if (ticks >> SCOPE_TICK_BITS > writer->epoch) {
        writer->epoch = ticks >> SCOPE_TICK_BITS;
        put_word(writer, scope_event(ticks, SCOPE_EXTENDED_EPOCH, SCOPE_EVENT_EXTENDED));
        put_word(writer, scope_payload(writer->epoch));
    } else if (ticks >> SCOPE_TICK_BITS < writer->epoch) {
        ticks = writer->epoch << SCOPE_TICK_BITS;
    }
    if (id < SCOPE_ID_ESCAPE || kind == SCOPE_EVENT_EXTENDED) {
        put_word(writer, scope_event(ticks, (uint32_t)id, kind));
    } else {
        put_word(writer, scope_event(ticks, SCOPE_ID_ESCAPE, kind));
        put_word(writer, scope_payload(id));
    }
}

static void put_tiny_calls(writer *writer)
{
    static const uint32_t regions[] = {1, 2, 3, ESCAPED};
    const uint32_t region = regions[any(writer, 4)], inner = regions[any(writer, 4)];
    const uint32_t count = any(writer, 40), nests = any(writer, 4) == 0;
    for (uint32_t i = 0; i < count; i++) {
        put_event(writer, SCOPE_EVENT_BEGIN, region);
        for (uint32_t k = 0; nests && k < i % 3; k++) {
            put_event(writer, SCOPE_EVENT_BEGIN, inner);
            put_event(writer, SCOPE_EVENT_END, inner);
        }
        if (any(writer, 300) == 0)
            writer->ticks += 100000; /* a long one */
        if (any(writer, 400)) /* else never ended: misuse */
            put_event(writer, SCOPE_EVENT_END, region);
    }
}

static void put_something(writer *writer)
{
    const uint32_t choice = any(writer, 40);
    if (choice < 20) {
        put_tiny_calls(writer);
    } else if (choice < 25) {
        put_event(writer, SCOPE_EVENT_BEGIN, 4 + any(writer, 5));
    } else if (choice < 31) {
        put_event(writer, SCOPE_EVENT_END, 4 + any(writer, 5));
    } else if (choice < 32) {
        put_event(writer, SCOPE_EVENT_END, 1 + any(writer, 3));
    } else if (choice < 33) {
        put_event(writer, SCOPE_EVENT_MESSAGE, 0);
        put_word(writer, scope_payload(1 + any(writer, 100)));
        put_word(writer, scope_payload(1));
    } else if (choice < 34) {
        put_event(writer, SCOPE_EVENT_MARK, 1);
    } else if (choice < 35) {
        put_event(writer, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_PAD);
    } else if (choice < 36) {
        writer->ticks += UINT64_C(1) << (SCOPE_TICK_BITS - any(writer, 3));
    } else if (choice < 37 && writer->depth < 3) {
        writer->depth++;
        put_event(writer, SCOPE_EVENT_RESUME, any(writer, 4));
    } else if (choice < 39 && writer->depth) {
        writer->depth--;
        put_event(writer, SCOPE_EVENT_SUSPEND, 0);
    } else if (choice == 39 && any(writer, 4) == 0) {
        writer->depth = 0;
        put_event(writer, SCOPE_EVENT_THREAD, any(writer, 3));
    }
}

static scope_chunk_header *random_chunk(writer *writer)
{
    writer->chunk = new_chunk(CHUNK_WORDS);
    writer->words = (uint64_t *)(writer->chunk + 1);
    writer->count = 0;
    writer->ticks += any(writer, 2) ? UINT64_C(1) << SCOPE_TICK_BITS : 0; /* its header says so */
    writer->chunk->ticks = writer->ticks;
    writer->epoch = writer->ticks >> SCOPE_TICK_BITS;
    while (writer->count < CHUNK_WORDS - 400)
        put_something(writer);
    return writer->chunk;
}

/* ---- compacting ---- */

static bool tiny_region(const void *context, uint32_t region)
{
    (void)context;
    return row_of(region) <= 3 || region == ESCAPED;
}

static void count_summed_calls(void *context, uint32_t region, uint64_t calls)
{
    (void)region;
    *(uint64_t *)context += calls;
}

static scope_compact compact;

/* One chunk of all of them. */
static scope_chunk_header *compacted(scope_chunk_header *const *chunks, int count, uint64_t *summed)
{
    enum { ROOM = 8 * CHUNK_WORDS };
    static uint64_t out[ROOM];
    compact.out = out;
    compact.capacity = ROOM;
    compact.longest = 50000;
    compact.ticks_per_second = 1000000000;
    compact.is_tiny = tiny_region;
    compact.summed = count_summed_calls;
    compact.context = summed;
    scope_compact_start(&compact);
    for (int i = 0; i < count; i++)
        scope_compact_chunk(&compact, chunks[i]);
    CU_ASSERT_TRUE_FATAL(scope_compact_finish(&compact));
    scope_chunk_header *chunk = new_chunk(compact.count);
    memcpy(chunk + 1, out, compact.count * sizeof *out);
    chunk->ticks = chunks[0]->ticks;
    return chunk;
}

static void compacted_words_say_the_same(void)
{
    enum { CHUNKS = 4, SEEDS = 200 };
    uint64_t all_words = 0, left_words = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        scope_chunk_header *chunks[CHUNKS], *step[2];
        uint64_t summed = 0, again = 0;
        writer writer = {.seed = seed * 7919, .ticks = (UINT64_C(5) << SCOPE_TICK_BITS) - 300000};
        for (int i = 0; i < CHUNKS; i++)
            chunks[i] = random_chunk(&writer);
        model *whole = read_model(chunks, CHUNKS);
        scope_chunk_header *at_once = compacted(chunks, CHUNKS, &again);
        step[0] = compacted(chunks, 1, &summed); /* as it goes: with what was compacted before */
        for (int i = 1; i < CHUNKS; i++) {
            step[1] = chunks[i];
            scope_chunk_header *joined = compacted(step, 2, &summed);
            free(step[0]);
            step[0] = joined;
        }
        model *one = read_model(&at_once, 1), *stepped = read_model(step, 1);
        const bool same = same_models(whole, one) && same_models(whole, stepped);
        if (!same)
            fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        CU_ASSERT_TRUE(same);
        CU_ASSERT_TRUE(one->summed > 500 && one->summed == again && stepped->summed == summed);
        all_words += CHUNKS * (CHUNK_WORDS - 400);
        left_words += (step[0]->size_bytes - sizeof *step[0]) / sizeof(uint64_t);
        free_model(whole);
        free_model(one);
        free_model(stepped);
        for (int i = 0; i < CHUNKS; i++)
            free(chunks[i]);
        free(at_once);
        free(step[0]);
    }
    CU_ASSERT_TRUE(left_words < all_words); /* misuse and lane changes everywhere */
}

/* Nothing but tiny calls: however many there are, the words do not get more. */
static void calls_without_end_take_no_more_room(void)
{
    uint64_t summed = 0;
    writer writer = {.seed = 1, .ticks = 1000};
    scope_chunk_header *step[2] = {new_chunk(0)};
    size_t words = 0;
    for (int round = 0; round < 50; round++) {
        writer.chunk = step[1] = new_chunk(CHUNK_WORDS);
        writer.words = (uint64_t *)(writer.chunk + 1);
        writer.chunk->ticks = writer.ticks;
        for (writer.count = 0; writer.count + 4 < CHUNK_WORDS;) {
            put_event(&writer, SCOPE_EVENT_BEGIN, 2);
            put_event(&writer, SCOPE_EVENT_BEGIN, 1);
            put_event(&writer, SCOPE_EVENT_END, 1);
            put_event(&writer, SCOPE_EVENT_END, 2);
        }
        scope_chunk_header *joined = compacted(step, 2, &summed);
        free(step[0]);
        free(step[1]);
        step[0] = joined;
        if (round == 1)
            words = joined->size_bytes;
    }
    CU_ASSERT_TRUE(step[0]->size_bytes <= words + 20 * sizeof(uint64_t)); /* more buckets */
    CU_ASSERT_TRUE(step[0]->size_bytes < 80 * sizeof(uint64_t));
    free(step[0]);
}

static void what_does_not_fit_or_has_holes_is_refused(void)
{
    uint64_t out[64], summed = 0;
    writer writer = {.seed = 3, .ticks = 1000};
    scope_chunk_header *chunk = random_chunk(&writer);
    free(compacted(&chunk, 1, &summed));
    compact.out = out;
    compact.capacity = 64;
    scope_compact_start(&compact);
    scope_compact_chunk(&compact, chunk);
    CU_ASSERT_FALSE(scope_compact_finish(&compact));
    free(chunk);
    chunk = new_chunk(64);
    uint64_t *words = (uint64_t *)(chunk + 1);
    words[0] = scope_event(1, 1, SCOPE_EVENT_BEGIN);
    words[2] = scope_event(2, 1, SCOPE_EVENT_END);
    scope_compact_start(&compact);
    scope_compact_chunk(&compact, chunk);
    CU_ASSERT_FALSE(scope_compact_finish(&compact));
    free(chunk);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(compacted_words_say_the_same),
        UNIT(calls_without_end_take_no_more_room),
        UNIT(what_does_not_fit_or_has_holes_is_refused),
        {0},
    };
    return unit_run("compact", tests);
}
