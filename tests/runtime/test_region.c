/* test_region.c - regions by handle and by name, marks, counters, filters, misuse.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

static void same_name_gives_same_region(void)
{
    scope_region a = -5, b = -6, c = -7;
    CU_ASSERT_EQUAL(scope_region_register("same", &a), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_region_register_bytes("same", 4, &b), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_region_register_bytes("same\0", 5, &c), SCOPE_OK);
    CU_ASSERT_TRUE(a > 0);
    CU_ASSERT_EQUAL(a, b);
    CU_ASSERT_NOT_EQUAL(a, c);
}

static void wrong_arguments_are_refused(void)
{
    scope_region region;
    CU_ASSERT_EQUAL(scope_region_register(NULL, &region), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(scope_region_register("x", NULL), SCOPE_ERR_ARGUMENT);
    CU_ASSERT_EQUAL(scope_region_tag(1, ""), SCOPE_ERR_ARGUMENT);
    scope_region_begin_name(NULL);
    scope_region_end_name(NULL);
    scope_mark(NULL);
    scope_counter(NULL, 1);
}

static void calls_before_start_and_after_the_end_do_nothing(void)
{
    scope_region region;
    scope_region_register("outside", &region);
    scope_region_begin(region);
    scope_region_end(region);
    scope_region_begin_name("outside");
    scope_mark("outside");
    CU_ASSERT_FALSE(scope_is_active());
    CU_ASSERT_FALSE(scope_store.is_open);
    recorded_start(NULL);
    CU_ASSERT_TRUE(scope_is_active());
    scope_runtime_stop();
    CU_ASSERT_FALSE(scope_store.is_open);
    scope_region_begin(region);
    recorded_end(NULL);
    scope_region_end(region);
    CU_ASSERT_FALSE(scope_store.is_open);
}

static void begin_and_end_are_recorded_in_order(void)
{
    scope_region a, b;
    recorded_start(NULL);
    scope_region_register("a", &a);
    scope_region_register("b", &b);
    scope_region_begin(a);
    scope_region_begin(b);
    scope_region_end(b);
    scope_region_end(a);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL_FATAL(events.count, 5);
    CU_ASSERT_EQUAL(events.items[0].kind, SCOPE_EVENT_THREAD);
    const scope_event_kind kinds[] = {SCOPE_EVENT_BEGIN, SCOPE_EVENT_BEGIN, SCOPE_EVENT_END,
                                      SCOPE_EVENT_END};
    const scope_region ids[] = {a, b, b, a};
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(events.items[i + 1].kind, kinds[i]);
        CU_ASSERT_EQUAL(events.items[i + 1].id, (uint64_t)ids[i]);
        CU_ASSERT_TRUE(events.items[i + 1].ticks >= events.items[i].ticks);
    }
    CU_ASSERT_EQUAL(events.holes, 0);
    recorded_end(&events);
}

static void negative_handles_are_ignored(void)
{
    recorded_start(NULL);
    scope_region_begin_name("keep");
    for (int i = 1; i < 10; i++) {
        scope_region_begin(-i);
        scope_region_end(-i);
    }
    scope_region_begin(INT32_MIN);
    scope_region_end_name("keep");
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 3);
    recorded_end(&events);
}

static void a_forgotten_handle_is_recorded_as_unregistered(void)
{
    static scope_region forgotten;
    recorded_start(NULL);
    scope_region_begin(forgotten);
    scope_region_end(forgotten);
    const scope_recording view = recorded_stop();
    const scope_define_name *name =
        (const void *)read_definition(&view, SCOPE_DEFINE_NAME, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    CU_ASSERT_EQUAL(name->id, 0);
    CU_ASSERT_EQUAL(name->length_bytes, 14);
    CU_ASSERT_NSTRING_EQUAL(name->bytes, "(unregistered)", 14);
    recorded_end(NULL);
}

static void names_of_any_bytes_are_kept(void)
{
    const char odd[] = "nul\0 slash/ newline\n \xff \xc3\xa9";
    char large[10000];
    scope_region a, b;
    int found = 0;
    memset(large, 'x', sizeof large);
    recorded_start(NULL);
    scope_region_register_bytes(odd, sizeof odd - 1, &a);
    scope_region_register_bytes(large, sizeof large, &b);
    scope_region_begin(a);
    scope_region_end(a);
    const scope_recording view = recorded_stop();
    const scope_definition *entry = NULL;
    while ((entry = read_definition(&view, SCOPE_DEFINE_NAME, entry))) {
        const scope_define_name *name = (const void *)entry;
        if (name->id == (uint32_t)a && name->name_kind == SCOPE_NAME_REGION)
            found += name->length_bytes == sizeof odd - 1 &&
                     memcmp(name->bytes, odd, sizeof odd - 1) == 0;
        if (name->id == (uint32_t)b && name->name_kind == SCOPE_NAME_REGION)
            found += name->length_bytes == sizeof large &&
                     memcmp(name->bytes, large, sizeof large) == 0;
    }
    CU_ASSERT_EQUAL(found, 2);
    recorded_end(NULL);
}

static void marks_and_counters_carry_their_values(void)
{
    recorded_start(NULL);
    scope_mark("here");
    scope_counter("energy", -1.25e300);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL_FATAL(events.count, 3);
    CU_ASSERT_EQUAL(events.items[1].kind, SCOPE_EVENT_MARK);
    CU_ASSERT_EQUAL(events.items[2].kind, SCOPE_EVENT_COUNTER);
    CU_ASSERT_EQUAL_FATAL(events.items[2].value_count, 2);
    const uint64_t bits = events.items[2].values[0] << 32 | events.items[2].values[1];
    double value;
    memcpy(&value, &bits, sizeof value);
    CU_ASSERT_EQUAL(value, -1.25e300);
    recorded_end(&events);
}

static void a_message_comes_before_its_end_at_one_time(void)
{
    recorded_start(NULL);
    scope_region region;
    scope_region_register("MPI_Send", &region);
    scope_region_begin(region);
    scope_region_end_message(region, &(scope_message){INT64_C(1) << 40, 7, 3, 9, SCOPE_MESSAGE_SENT});
    scope_region_begin(region);
    scope_region_end_message(region, &SCOPE_MESSAGE_NONE);
    const scope_message completed = {5, 7, 3, INT32_MAX, SCOPE_MESSAGE_SEND_COMPLETED};
    scope_region_begin(region);
    scope_region_message(region, &completed);
    scope_region_end_message(region, &(scope_message){INT64_MAX, 7, 3, 9, SCOPE_MESSAGE_REMOTE});
    read_events events = recorded_events();
    CU_ASSERT_EQUAL_FATAL(events.count, 11);
    const read_event *message = &events.items[2];
    CU_ASSERT_EQUAL(message->kind, SCOPE_EVENT_MESSAGE);
    CU_ASSERT_EQUAL(message->id, 3);
    CU_ASSERT_EQUAL(message->values[0], UINT64_C(1) << 40);
    CU_ASSERT_EQUAL(message->values[1], UINT64_C(1) << 57 | UINT64_C(10) << 25 | 8);
    CU_ASSERT_EQUAL(message[1].kind, SCOPE_EVENT_END);
    CU_ASSERT_EQUAL(message[1].ticks, message->ticks);
    CU_ASSERT_EQUAL((int32_t)events.items[5].id, -1);
    CU_ASSERT_EQUAL(events.items[5].values[1], 0);
    scope_message read = scope_message_of(events.items[8].id, events.items[8].values);
    CU_ASSERT_EQUAL(memcmp(&read, &completed, sizeof read), 0);
    read = scope_message_of(events.items[9].id, events.items[9].values);
    CU_ASSERT_EQUAL(read.bytes, SCOPE_MESSAGE_BYTES_MAX);
    CU_ASSERT_EQUAL(read.kind, SCOPE_MESSAGE_REMOTE);
    recorded_end(&events);
}

static void a_filter_decides_by_name_and_again_in_the_next_session(void)
{
    scope_region kept, left_out, again;
    scope_options options = SCOPE_OPTIONS_INIT;
    options.filter = "-secret*";
    recorded_start(&options);
    CU_ASSERT_EQUAL(scope_region_register("secret one", &left_out), SCOPE_OK);
    CU_ASSERT_EQUAL(scope_region_register("public", &kept), SCOPE_OK);
    CU_ASSERT_EQUAL(left_out, SCOPE_REGION_NONE);
    CU_ASSERT_TRUE(kept > 0);
    scope_region_begin(left_out);
    scope_region_begin(kept);
    scope_region_begin_name("secret two");
    scope_region_end_name("secret two");
    scope_region_end(kept);
    scope_region_end(left_out);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(events.count, 3);
    recorded_end(&events);
    recorded_start(NULL);
    CU_ASSERT_EQUAL(scope_region_register("secret one", &again), SCOPE_OK);
    CU_ASSERT_TRUE(again > 0);
    scope_runtime_stop();
    recorded_end(NULL);
}

static void while_paused_a_begin_records_nothing_and_an_end_closes_what_was_open(void)
{
    scope_region a, b;
    recorded_start(NULL);
    scope_region_register("a", &a);
    scope_region_register("b", &b);
    scope_region_begin(a);
    scope_pause();
    scope_pause();
    scope_region_begin(a); /* not recorded */
    scope_region_begin(b); /* not recorded */
    scope_mark("paused");
    scope_region_end(a);   /* of the one that was not recorded */
    scope_resume();
    scope_region_begin(b); /* still paused once */
    scope_resume();
    scope_region_begin(b); /* recorded */
    scope_region_end(b);   /* of it */
    scope_region_end(b);   /* of the second that was not recorded */
    scope_region_end(a);   /* of the recorded one */
    scope_region_end(b);   /* of the first that was not recorded */
    scope_region_begin(a);
    scope_region_end(a);
    read_events events = recorded_events();
    CU_ASSERT_EQUAL_FATAL(events.count, 7);
    const scope_event_kind kinds[] = {SCOPE_EVENT_THREAD, SCOPE_EVENT_BEGIN, SCOPE_EVENT_BEGIN,
                                      SCOPE_EVENT_END,    SCOPE_EVENT_END,   SCOPE_EVENT_BEGIN,
                                      SCOPE_EVENT_END};
    const scope_region ids[] = {0, a, b, b, a, a, a};
    for (int i = 0; i < 7; i++) {
        CU_ASSERT_EQUAL(events.items[i].kind, kinds[i]);
        CU_ASSERT_EQUAL(events.items[i].id, (uint64_t)ids[i]);
    }
    CU_ASSERT_EQUAL(events.holes, 0);
    recorded_end(&events);
}

static void an_end_inside_a_pause_closes_a_call_from_before(void)
{
    recorded_start(NULL);
    scope_region_begin_name("before");
    scope_pause();
    scope_region_end_name("before");
    scope_resume();
    scope_resume(); /* one too many changes nothing */
    scope_region_begin_name("after");
    scope_region_end_name("after");
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), 2);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, -1), 2);
    recorded_end(&events);
}

static void tags_and_sources_are_defined(void)
{
    scope_region region;
    recorded_start(NULL);
    scope_region_register_at("placed", "file.c", 42, &region);
    scope_region_register_at("placed", "other.c", 1, &region);
    CU_ASSERT_EQUAL(scope_region_tag(region, "early"), SCOPE_OK); /* before the first event */
    scope_region_begin(region);
    CU_ASSERT_EQUAL(scope_region_tag(region, "late"), SCOPE_OK);
    scope_region_end(region);
    const scope_recording view = recorded_stop();
    CU_ASSERT_EQUAL(count_definitions(&view, SCOPE_DEFINE_TAG), 2);
    const scope_define_tag *tag = (const void *)read_definition(&view, SCOPE_DEFINE_TAG, NULL);
    CU_ASSERT_EQUAL(tag->region, (uint32_t)region);
    CU_ASSERT_EQUAL(tag->head.session, scope_process_session.number);
    CU_ASSERT_NSTRING_EQUAL(tag->tag, "early", 5);
    const scope_define_source *source = NULL;
    int seen = 0;
    while ((source = (const void *)read_definition(&view, SCOPE_DEFINE_SOURCE, (const void *)source)))
        if (source->region == (uint32_t)region)
            seen += source->line == 42 && source->length_bytes == 6;
    CU_ASSERT_EQUAL(seen, 1);
    recorded_end(NULL);
    CU_ASSERT_EQUAL(scope_region_tag(region, "after"), SCOPE_ERR_STATE);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(same_name_gives_same_region),
        UNIT(wrong_arguments_are_refused),
        UNIT(calls_before_start_and_after_the_end_do_nothing),
        UNIT(begin_and_end_are_recorded_in_order),
        UNIT(negative_handles_are_ignored),
        UNIT(a_forgotten_handle_is_recorded_as_unregistered),
        UNIT(names_of_any_bytes_are_kept),
        UNIT(marks_and_counters_carry_their_values),
        UNIT(a_message_comes_before_its_end_at_one_time),
        UNIT(a_filter_decides_by_name_and_again_in_the_next_session),
        UNIT(while_paused_a_begin_records_nothing_and_an_end_closes_what_was_open),
        UNIT(an_end_inside_a_pause_closes_a_call_from_before),
        UNIT(tags_and_sources_are_defined),
        {0},
    };
    return unit_run("region", tests);
}
