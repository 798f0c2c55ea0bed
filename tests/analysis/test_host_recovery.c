/* test_host_recovery.c - what is read of a host's session that was killed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "host_session.h"

static void killed_after(int written)
{
    scope_define_cut_stream *positions;
    size_t count;
    look();
    CU_ASSERT_EQUAL_FATAL(scope_cursor_positions(cursor, &positions, &count), SCOPE_OK);
    writer_cut(writer, 0, 7, positions, count);
    if (written)
        writer_checkpoint(writer, 0, "/tmp/part.h5");
    CU_ASSERT_EQUAL_FATAL(scope_cursor_cut(cursor), SCOPE_OK);
    free(positions);
}

static void recover(void)
{
    scope_calls_free(calls);
    calls = NULL;
    CU_ASSERT_EQUAL_FATAL(scope_replay(writer_finish(writer), 1, &calls), SCOPE_OK);
}

static void recovery_begins_at_the_last_written_cut(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, INNER);
    end(1210, THIRD);
    killed_after(1);
    begin(1300, INNER);
    end(1350, INNER);
    end(1400, OUTER);
    begin(1500, THIRD);
    recover();
    CU_ASSERT_EQUAL_FATAL(calls->count, 3); /* the one that was open last, too */
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 400);
    CU_ASSERT_EQUAL(calls->call_ids[0], 7);
    CU_ASSERT_EQUAL(calls->parent_ids[1], 7);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(calls->flags);
    CU_ASSERT_EQUAL(calls->flags[2], 4);
    stop();
}

static void a_cut_without_a_checkpoint_is_none(void)
{
    start(0);
    begin(1000, OUTER);
    end(1200, OUTER);
    killed_after(0);
    begin(1300, INNER);
    end(1350, INNER);
    recover();
    CU_ASSERT_EQUAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->call_ids[0], 0);
    stop();
}

static void chunks_before_a_written_cut_may_be_gone(void)
{
    start(0);
    begin(1000, OUTER);
    begin(1100, INNER);
    end(1200, INNER);
    scope_chunk_header *first = writer_chunk_header(writer);
    writer_chunk(writer, 1250, 1250);
    writer_chunk_header(writer)->thread = 0;
    const uint64_t open[] = {OUTER, 0, 1000};
    writer_values(writer, 1250, SCOPE_EVENT_EXTENDED, SCOPE_EXTENDED_OPEN, open, 3);
    begin(1260, THIRD);
    end(1270, THIRD);
    killed_after(1);
    first->generation = 0;
    begin(1300, INNER);
    end(1350, INNER);
    end(1400, OUTER);
    CU_ASSERT_EQUAL(table(), SCOPE_OK); /* who read them goes on */
    CU_ASSERT_EQUAL(calls->count, 2);
    recover();
    CU_ASSERT_EQUAL_FATAL(calls->count, 2);
    CU_ASSERT_EQUAL(calls->start_ns[0], 1000);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 400);
    CU_ASSERT_EQUAL(calls->parent_ids[1], calls->call_ids[0]);
    CU_ASSERT_EQUAL(calls->misuse_count, 0);
    CU_ASSERT_EQUAL(calls->ranks[0].holes, 0);
    stop();
}

static void a_killed_session_on_one_stack_is_read_as_its_host_reads_it(void)
{
    start(1);
    begin(1000, OUTER);
    thread(1, 500, SCOPE_THREAD_HOST);
    end(1100, OUTER);
    recover();
    CU_ASSERT_EQUAL_FATAL(calls->count, 1);
    CU_ASSERT_EQUAL(calls->duration_ns[0], 100);
    CU_ASSERT_PTR_NULL(calls->thread_ids);
    CU_ASSERT_PTR_NULL(calls->flags);
    stop();
}

static void recovery_gives_what_the_host_would_have_given(void)
{
    for (unsigned seed = 1; seed < 13; seed++) {
        const int one_stack = seed % 2;
        start(one_stack);
        srand(seed);
        for (uint32_t t = 1; t < THREADS; t++)
            thread(t, 100 + t, SCOPE_THREAD_HOST);
        for (uint64_t at = 1000; at < 6000; at++) {
            writer_stream(writer, (uint32_t)rand() % THREADS);
            ev(at, rand() % 2 ? SCOPE_EVENT_BEGIN : SCOPE_EVENT_END,
               1 + (uint64_t)rand() % REGIONS);
            if (rand() % 1000 == 0)
                killed_after(1);
        }
        const scope_table_options options = {.size_bytes = sizeof options, .end = 1};
        table_with(&options);
        scope_calls *live = calls;
        calls = NULL;
        recover();
        CU_ASSERT_EQUAL_FATAL(calls->count, live->count);
        for (uint64_t row = 0; row < live->count; row++) {
            CU_ASSERT_EQUAL(calls->start_ns[row], live->start_ns[row]);
            CU_ASSERT_EQUAL(calls->duration_ns[row], live->duration_ns[row]);
        }
        CU_ASSERT_EQUAL(calls->misuse_count, live->misuse_count);
        scope_calls_free(live);
        stop();
    }
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(recovery_begins_at_the_last_written_cut),
        UNIT(a_cut_without_a_checkpoint_is_none),
        UNIT(chunks_before_a_written_cut_may_be_gone),
        UNIT(a_killed_session_on_one_stack_is_read_as_its_host_reads_it),
        UNIT(recovery_gives_what_the_host_would_have_given),
        {0},
    };
    return unit_run("host recovery", tests);
}
