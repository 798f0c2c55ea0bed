/* test_lane.c - where begin and end meet.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include <scope/lane.h>

#define CAPACITY 4096

static scope_call stack[CAPACITY], done[CAPACITY];
static size_t done_count;

static void keep(void *context, const scope_call *call)
{
    (void)context;
    if (done_count < CAPACITY)
        done[done_count++] = *call;
}

static scope_lane started(void)
{
    scope_lane lane;
    done_count = 0;
    scope_lane_start(&lane, stack, CAPACITY);
    return lane;
}

static void begin(scope_lane *lane, uint32_t region, int64_t time)
{
    scope_lane_begin(lane, region, time, keep, NULL);
}

static bool end(scope_lane *lane, uint32_t region, int64_t time)
{
    return scope_lane_end(lane, region, time, keep, NULL);
}

static void an_end_closes_the_innermost_call_of_its_region(void)
{
    scope_lane lane = started();
    begin(&lane, 7, 10);
    begin(&lane, 7, 20);
    CU_ASSERT_TRUE(end(&lane, 7, 30));
    CU_ASSERT_TRUE(end(&lane, 7, 50));
    CU_ASSERT_EQUAL_FATAL(done_count, 2);
    CU_ASSERT_EQUAL(done[0].begin, 20);
    CU_ASSERT_EQUAL(done[0].end, 30);
    CU_ASSERT_EQUAL(done[0].order, 1);
    CU_ASSERT_EQUAL(done[1].begin, 10);
    CU_ASSERT_EQUAL(done[1].inner, 10);
    CU_ASSERT_EQUAL(done[1].flags, 0);
    CU_ASSERT_EQUAL(lane.depth, 0);
}

static void calls_inside_are_closed_by_implication(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    begin(&lane, 3, 20);
    CU_ASSERT_TRUE(end(&lane, 1, 30));
    CU_ASSERT_EQUAL(done_count, 1);
    CU_ASSERT_EQUAL(lane.pending, 2);
    scope_lane_finish(&lane, 100, keep, NULL);
    CU_ASSERT_EQUAL_FATAL(done_count, 3);
    CU_ASSERT_EQUAL(done[0].inner, 20);
    for (int i = 1; i < 3; i++) {
        CU_ASSERT_EQUAL(done[i].flags, SCOPE_CALL_IMPLIED);
        CU_ASSERT_EQUAL(done[i].end, 30);
    }
    CU_ASSERT_EQUAL(lane.implied_count, 2);
    CU_ASSERT_EQUAL(lane.crossed_count, 0);
}

static void a_later_end_replaces_an_implied_one(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    end(&lane, 1, 20);
    CU_ASSERT_TRUE(end(&lane, 2, 35));
    CU_ASSERT_EQUAL_FATAL(done_count, 2);
    CU_ASSERT_EQUAL(done[1].begin, 10);
    CU_ASSERT_EQUAL(done[1].end, 35);
    CU_ASSERT_EQUAL(done[1].flags, SCOPE_CALL_CROSSED);
    CU_ASSERT_EQUAL(lane.crossed_count, 1);
    CU_ASSERT_EQUAL(lane.implied_count, 0);
    CU_ASSERT_EQUAL(lane.pending, 0);
}

static void the_next_begin_of_the_region_settles_it(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    end(&lane, 1, 20);
    begin(&lane, 3, 21);
    CU_ASSERT_EQUAL(done_count, 1);
    begin(&lane, 2, 22);
    CU_ASSERT_EQUAL_FATAL(done_count, 2);
    CU_ASSERT_EQUAL(done[1].end, 20);
    CU_ASSERT_EQUAL(done[1].flags, SCOPE_CALL_IMPLIED);
    end(&lane, 2, 30);
    CU_ASSERT_EQUAL(done[2].begin, 22);
    CU_ASSERT_EQUAL(done[2].flags, 0);
    CU_ASSERT_FALSE(end(&lane, 2, 31));
    CU_ASSERT_EQUAL(lane.orphan_count, 1);
}

static void of_several_pending_ones_the_innermost_is_ended_first(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    begin(&lane, 2, 20);
    end(&lane, 1, 30);
    end(&lane, 2, 40);
    end(&lane, 2, 50);
    CU_ASSERT_EQUAL_FATAL(done_count, 3);
    CU_ASSERT_EQUAL(done[1].begin, 20);
    CU_ASSERT_EQUAL(done[1].end, 40);
    CU_ASSERT_EQUAL(done[2].begin, 10);
    CU_ASSERT_EQUAL(done[2].end, 50);
    CU_ASSERT_FALSE(end(&lane, 2, 60));
}

static void an_open_call_comes_before_a_pending_one(void)
{
    scope_lane lane = started();
    begin(&lane, 2, 0);
    begin(&lane, 1, 10);
    begin(&lane, 2, 20);
    end(&lane, 1, 30); /* the inner 2 is pending, the outer open */
    end(&lane, 2, 40);
    end(&lane, 2, 50);
    CU_ASSERT_EQUAL_FATAL(done_count, 3);
    CU_ASSERT_EQUAL(done[1].begin, 0);
    CU_ASSERT_EQUAL(done[1].end, 40);
    CU_ASSERT_EQUAL(done[2].begin, 20);
    CU_ASSERT_EQUAL(done[2].end, 50);
    CU_ASSERT_EQUAL(done[2].flags, SCOPE_CALL_CROSSED);
}

static void an_end_without_begin_is_an_orphan(void)
{
    scope_lane lane = started();
    CU_ASSERT_FALSE(end(&lane, 5, 1));
    begin(&lane, 1, 2);
    CU_ASSERT_FALSE(end(&lane, 5, 3));
    CU_ASSERT_EQUAL(lane.orphan_count, 2);
    CU_ASSERT_EQUAL(lane.depth, 1);
    CU_ASSERT_TRUE(end(&lane, 1, 4));
    CU_ASSERT_EQUAL(done[0].flags, 0);
}

static void regions_that_share_a_bit_are_told_apart(void)
{
    scope_lane lane = started();
    for (uint32_t region = 0; region < 1000; region++)
        begin(&lane, region, region);
    CU_ASSERT_FALSE(end(&lane, 1000, 2000));
    CU_ASSERT_FALSE(end(&lane, 123456, 2000));
    for (uint32_t region = 1000; region-- > 0;)
        CU_ASSERT_TRUE(end(&lane, region, 3000));
    CU_ASSERT_EQUAL(done_count, 1000);
    CU_ASSERT_EQUAL(lane.orphan_count, 2);
    CU_ASSERT_EQUAL(lane.pending, 0);
}

static void pending_ends_have_a_bound(void)
{
    scope_lane lane = started();
    begin(&lane, 0, 0);
    for (uint32_t region = 1; region <= 1000; region++)
        begin(&lane, region, region);
    end(&lane, 0, 5000);
    CU_ASSERT_EQUAL(lane.pending, SCOPE_LANE_PENDING_MAX);
    CU_ASSERT_EQUAL(done_count, 1 + 1000 - SCOPE_LANE_PENDING_MAX);
    scope_lane_finish(&lane, 9000, keep, NULL);
    CU_ASSERT_EQUAL(done_count, 1001);
    CU_ASSERT_EQUAL(lane.implied_count, 1000);
}

static void open_calls_end_with_the_lane(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    scope_lane_finish(&lane, 50, keep, NULL);
    CU_ASSERT_EQUAL_FATAL(done_count, 2);
    CU_ASSERT_EQUAL(done[0].region, 2);
    CU_ASSERT_EQUAL(done[0].end, 50);
    CU_ASSERT_EQUAL(done[0].flags, SCOPE_CALL_OPEN);
    CU_ASSERT_EQUAL(done[1].inner, 40);
    CU_ASSERT_EQUAL(lane.depth, 0);
}

static void await_time_is_how_long_the_lane_was_suspended_inside(void)
{
    scope_lane lane = started();
    scope_lane_resume(&lane, 5); /* the first step: nothing was waited for */
    begin(&lane, 1, 10);
    scope_lane_suspend(&lane, 20);
    scope_lane_resume(&lane, 50);
    begin(&lane, 2, 60);
    scope_lane_suspend(&lane, 70);
    scope_lane_resume(&lane, 75);
    end(&lane, 2, 80);
    end(&lane, 1, 90);
    CU_ASSERT_EQUAL_FATAL(done_count, 2);
    CU_ASSERT_EQUAL(done[0].suspended, 5);
    CU_ASSERT_EQUAL(done[1].suspended, 35);
    CU_ASSERT_EQUAL(lane.suspended, 35);
}

static void await_time_of_a_crossed_call_reaches_its_true_end(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    scope_lane_suspend(&lane, 12);
    scope_lane_resume(&lane, 15);
    end(&lane, 1, 20);
    scope_lane_suspend(&lane, 21);
    scope_lane_resume(&lane, 31);
    end(&lane, 2, 40);
    CU_ASSERT_EQUAL(done[0].suspended, 3);
    CU_ASSERT_EQUAL(done[1].suspended, 13);
}

static void await_time_of_an_implied_call_reaches_its_implied_end(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    scope_lane_suspend(&lane, 12);
    scope_lane_resume(&lane, 15);
    end(&lane, 1, 20);
    scope_lane_suspend(&lane, 21);
    scope_lane_resume(&lane, 31);
    scope_lane_finish(&lane, 40, keep, NULL);
    CU_ASSERT_EQUAL(done[1].suspended, 3);
}

static void a_call_open_at_the_end_counts_the_suspension_going_on(void)
{
    scope_lane lane = started();
    begin(&lane, 1, 10);
    scope_lane_suspend(&lane, 20);
    scope_lane_finish(&lane, 100, keep, NULL);
    CU_ASSERT_EQUAL(done[0].suspended, 80);
}

static void messages_belong_to_the_innermost_call(void)
{
    scope_lane lane = started();
    scope_lane_message(&lane, &(scope_message){1, 1, 1, 1, SCOPE_MESSAGE_SENT}); /* nothing is open: ignored */
    begin(&lane, 1, 0);
    begin(&lane, 2, 1);
    scope_lane_message(&lane, &(scope_message){100, 3, 7, 5, SCOPE_MESSAGE_SENT});
    end(&lane, 2, 2);
    end(&lane, 1, 3);
    CU_ASSERT_EQUAL(done[0].moved.bytes, 100);
    CU_ASSERT_EQUAL(done[0].moved.peer, 3);
    CU_ASSERT_EQUAL(done[0].moved.communicator, 7);
    CU_ASSERT_EQUAL(done[0].moved.tag, 5);
    CU_ASSERT_EQUAL(done[0].flags, SCOPE_CALL_MESSAGE);
    CU_ASSERT_EQUAL(done[1].moved.bytes, 0);
    CU_ASSERT_EQUAL(done[1].moved.peer, -1);
    CU_ASSERT_EQUAL(done[1].flags, 0);
}

static void several_messages_of_the_first_kind_add_up(void)
{
    scope_lane lane = started();
    begin(&lane, 2, 1);
    scope_lane_message(&lane, &(scope_message){100, 3, 7, 5, SCOPE_MESSAGE_RECEIVED});
    scope_lane_message(&lane, &(scope_message){20, 4, 7, 6, SCOPE_MESSAGE_RECEIVED});
    scope_lane_message(&lane, &(scope_message){1000, 5, 8, 6, SCOPE_MESSAGE_SENT}); /* another kind */
    end(&lane, 2, 2);
    CU_ASSERT_EQUAL(done[0].moved.bytes, 120);
    CU_ASSERT_EQUAL(done[0].moved.peer, -1);
    CU_ASSERT_EQUAL(done[0].moved.communicator, 7);
    CU_ASSERT_EQUAL(done[0].moved.tag, -1);
    CU_ASSERT_EQUAL(done[0].moved.kind, SCOPE_MESSAGE_RECEIVED);
    CU_ASSERT_EQUAL(done[0].flags, SCOPE_CALL_MESSAGE | SCOPE_CALL_MESSAGES);
}

static void the_row_says_nothing_of_completions(void)
{
    scope_lane lane = started();
    begin(&lane, 2, 1);
    scope_lane_message(&lane, &(scope_message){3, 4, 7, 6, SCOPE_MESSAGE_SEND_COMPLETED});
    end(&lane, 2, 2);
    begin(&lane, 2, 3);
    scope_lane_message(&lane, &(scope_message){1, -1, 8, 6, SCOPE_MESSAGE_COLLECTIVE_COMPLETED});
    scope_lane_message(&lane, &(scope_message){100, 3, 7, 5, SCOPE_MESSAGE_RECEIVED});
    scope_lane_message(&lane, &(scope_message){3, 4, 7, 6, SCOPE_MESSAGE_SEND_COMPLETED});
    end(&lane, 2, 4);
    CU_ASSERT_EQUAL(done[0].flags, SCOPE_CALL_MESSAGES);
    CU_ASSERT_EQUAL(done[0].moved.kind, SCOPE_MESSAGE_OTHER);
    CU_ASSERT_EQUAL(done[0].moved.communicator, -1);
    CU_ASSERT_EQUAL(done[1].flags, SCOPE_CALL_MESSAGE | SCOPE_CALL_MESSAGES);
    CU_ASSERT_EQUAL(done[1].moved.bytes, 100);
    CU_ASSERT_EQUAL(done[1].moved.peer, 3);
    CU_ASSERT_EQUAL(done[1].moved.tag, 5);
    CU_ASSERT_EQUAL(done[1].moved.kind, SCOPE_MESSAGE_RECEIVED);
}

static void growing_keeps_open_and_pending_calls(void)
{
    scope_call small[4];
    scope_lane lane;
    done_count = 0;
    scope_lane_start(&lane, small, 4);
    begin(&lane, 1, 0);
    begin(&lane, 2, 1);
    begin(&lane, 3, 2);
    end(&lane, 2, 3); /* 3 is pending */
    begin(&lane, 4, 4);
    begin(&lane, 5, 5);
    CU_ASSERT_FALSE(scope_lane_has_room(&lane));
    scope_lane_grow(&lane, stack, 8);
    CU_ASSERT_TRUE(scope_lane_has_room(&lane));
    memset(small, 0xee, sizeof small);
    CU_ASSERT_TRUE(end(&lane, 3, 6));
    CU_ASSERT_EQUAL(done[1].flags, SCOPE_CALL_CROSSED);
    CU_ASSERT_TRUE(end(&lane, 5, 7));
    CU_ASSERT_TRUE(end(&lane, 4, 8));
    CU_ASSERT_TRUE(end(&lane, 1, 9));
    CU_ASSERT_EQUAL(done[4].begin, 0);
    CU_ASSERT_EQUAL(lane.depth + lane.pending, 0);
}

static void a_saved_lane_goes_on_where_it_was(void)
{
    static scope_call other[64];
    scope_lane lane = started(), again;
    begin(&lane, 1, 0);
    begin(&lane, 2, 10);
    begin(&lane, 3, 20);
    begin(&lane, 2, 25);
    scope_lane_message(&lane, &(scope_message){7, 1, 0, -1, SCOPE_MESSAGE_SENT});
    end(&lane, 3, 30); /* the inner 2 is pending */
    scope_lane_start(&again, other, 64);
    again.begun = lane.begun;
    for (uint32_t i = 0; i < lane.depth; i++) {
        scope_call call = lane.stack[i];
        call.mark = 0; /* what is saved does not have it */
        scope_lane_put_open(&again, &call);
    }
    scope_call pending = lane.stack[lane.capacity - 1];
    pending.suspended = (int64_t)pending.mark;
    scope_lane_put_pending(&again, &pending);
    done_count = 0;
    CU_ASSERT_FALSE(end(&again, 9, 35));
    CU_ASSERT_TRUE(end(&again, 2, 40)); /* the open one first */
    CU_ASSERT_TRUE(end(&again, 2, 50));
    CU_ASSERT_TRUE(end(&again, 1, 60));
    CU_ASSERT_EQUAL_FATAL(done_count, 3);
    CU_ASSERT_EQUAL(done[0].begin, 10);
    CU_ASSERT_EQUAL(done[0].inner, 10);
    CU_ASSERT_EQUAL(done[1].begin, 25);
    CU_ASSERT_EQUAL(done[1].end, 50);
    CU_ASSERT_EQUAL(done[1].moved.bytes, 7);
    CU_ASSERT_EQUAL(done[1].flags, SCOPE_CALL_CROSSED | SCOPE_CALL_MESSAGE);
    CU_ASSERT_EQUAL(done[2].inner, 30);
}

/* The rule once more, without a stack: what it should do, found by searching. */
static void random_events_follow_the_rule(void)
{
    srand(4711);
    for (int round = 0; round < 200; round++) {
        scope_lane lane = started();
        struct { uint32_t region; int state; int64_t begin, end; } model[400]; /* 0 open 1 pending 2 done */
        int count = 0;
        int64_t orphans = 0;
        for (int64_t time = 1; time < 300; time++) {
            const uint32_t region = (uint32_t)(rand() % 4);
            if (rand() % 2) {
                for (int i = 0; i < count; i++)
                    if (model[i].region == region && model[i].state == 1)
                        model[i].state = 2;
                model[count].region = region;
                model[count].state = 0;
                model[count].end = -1;
                model[count++].begin = time;
                begin(&lane, region, time);
                continue;
            }
            int found = -1;
            for (int wanted = 0; wanted < 2 && found < 0; wanted++)
                for (int i = count; i-- > 0 && found < 0;)
                    if (model[i].region == region && model[i].state == wanted)
                        found = i;
            CU_ASSERT_EQUAL(end(&lane, region, time), found >= 0);
            orphans += found < 0;
            if (found < 0)
                continue;
            if (model[found].state == 0)
                for (int i = found + 1; i < count; i++)
                    if (model[i].state == 0) {
                        model[i].state = 1;
                        model[i].end = time;
                    }
            model[found].state = 2;
            model[found].end = time;
        }
        scope_lane_finish(&lane, 1000, keep, NULL);
        CU_ASSERT_EQUAL(lane.orphan_count, orphans);
        CU_ASSERT_EQUAL_FATAL((int)done_count, count);
        for (size_t i = 0; i < done_count; i++) {
            const int64_t expected = model[done[i].order].end;
            CU_ASSERT_EQUAL(done[i].begin, model[done[i].order].begin);
            CU_ASSERT_EQUAL(done[i].end, expected < 0 ? 1000 : expected);
            CU_ASSERT_EQUAL((done[i].flags & SCOPE_CALL_OPEN) != 0, expected < 0);
        }
    }
}

int main(void)
{
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    CU_pSuite suite = CU_add_suite("lane", NULL, NULL);
    CU_ADD_TEST(suite, an_end_closes_the_innermost_call_of_its_region);
    CU_ADD_TEST(suite, calls_inside_are_closed_by_implication);
    CU_ADD_TEST(suite, a_later_end_replaces_an_implied_one);
    CU_ADD_TEST(suite, the_next_begin_of_the_region_settles_it);
    CU_ADD_TEST(suite, of_several_pending_ones_the_innermost_is_ended_first);
    CU_ADD_TEST(suite, an_open_call_comes_before_a_pending_one);
    CU_ADD_TEST(suite, an_end_without_begin_is_an_orphan);
    CU_ADD_TEST(suite, regions_that_share_a_bit_are_told_apart);
    CU_ADD_TEST(suite, pending_ends_have_a_bound);
    CU_ADD_TEST(suite, open_calls_end_with_the_lane);
    CU_ADD_TEST(suite, await_time_is_how_long_the_lane_was_suspended_inside);
    CU_ADD_TEST(suite, await_time_of_a_crossed_call_reaches_its_true_end);
    CU_ADD_TEST(suite, await_time_of_an_implied_call_reaches_its_implied_end);
    CU_ADD_TEST(suite, a_call_open_at_the_end_counts_the_suspension_going_on);
    CU_ADD_TEST(suite, messages_belong_to_the_innermost_call);
    CU_ADD_TEST(suite, several_messages_of_the_first_kind_add_up);
    CU_ADD_TEST(suite, the_row_says_nothing_of_completions);
    CU_ADD_TEST(suite, growing_keeps_open_and_pending_calls);
    CU_ADD_TEST(suite, a_saved_lane_goes_on_where_it_was);
    CU_ADD_TEST(suite, random_events_follow_the_rule);
    CU_basic_set_mode(CU_BRM_NORMAL);
    CU_basic_run_tests();
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failures ? 1 : 0;
}
