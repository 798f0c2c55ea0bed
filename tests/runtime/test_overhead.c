/* test_overhead.c - what a call costs, as the recorder measures and says it.
 *
 * No figure is compared with a time: how fast a machine is decides no test.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recorded.h"

#include <math.h>
#include <stdio.h>

#include "overhead.h"

/* The value of a metadata entry of a session; NaN: there is none. */
static double said(const scope_recording *view, unsigned session, const char *key)
{
    const scope_definition *at = NULL;
    double found = NAN;
    while ((at = read_definition(view, SCOPE_DEFINE_METADATA, at))) {
        const scope_define_metadata *entry = (const scope_define_metadata *)at;
        char text[32];
        if (at->session != session || entry->key_bytes != strlen(key) ||
            memcmp(entry->text, key, entry->key_bytes) != 0 || entry->value_bytes >= sizeof text)
            continue;
        memcpy(text, entry->text + entry->key_bytes, entry->value_bytes);
        text[entry->value_bytes] = 0;
        CU_ASSERT_TRUE(isnan(found)); /* once */
        char *end;
        found = strtod(text, &end);
        CU_ASSERT_EQUAL(*end, 0);
    }
    return found;
}

static void record_a_call(const char *name)
{
    scope_region region;
    scope_region_register(name, &region);
    scope_region_begin(region);
    scope_region_end(region);
}

static void every_session_says_what_a_call_costs(void)
{
    recorded_start(NULL);
    record_a_call("tiny");
    const scope_recording view = recorded_stop();
    const unsigned session = scope_process_session.number;
    const double pair = said(&view, session, "scope_overhead_pair_ns");
    const double inside = said(&view, session, "scope_overhead_inside_ns");
    const scope_overhead cost = scope_overhead_of_call();
    CU_ASSERT_TRUE(pair > 0);
    CU_ASSERT_TRUE(inside > 0);
    CU_ASSERT_TRUE(inside <= pair);
    const double long_pair = said(&view, session, "scope_overhead_long_pair_ns");
    const double long_inside = said(&view, session, "scope_overhead_long_inside_ns");
    CU_ASSERT_TRUE(long_pair >= 0);
    CU_ASSERT_TRUE(fabs(long_pair - cost.long_pair_ns) < 0.006);
    CU_ASSERT_TRUE(fabs(long_inside - cost.long_inside_ns) < 0.006);
    CU_ASSERT_TRUE(fabs(pair - cost.pair_ns) < 0.006);
    CU_ASSERT_TRUE(fabs(inside - cost.inside_ns) < 0.006);
    recorded_end(NULL);
}

static void it_is_measured_once_and_stays(void)
{
    const scope_overhead first = scope_overhead_of_call();
    recorded_start(NULL);
    record_a_call("tiny");
    const scope_recording view = recorded_stop();
    const double pair = said(&view, scope_process_session.number, "scope_overhead_pair_ns");
    CU_ASSERT_TRUE(fabs(pair - first.pair_ns) < 0.006);
    recorded_end(NULL);
}

static void measuring_leaves_no_event(void)
{
    recorded_start(NULL);
    record_a_call("alone");
    read_events events = recorded_events();
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_BEGIN, -1), 1);
    CU_ASSERT_EQUAL(count_events(&events, SCOPE_EVENT_END, -1), 1);
    CU_ASSERT_EQUAL(events.holes, 0);
    recorded_end(&events);
}

static void a_program_that_records_nothing_measures_nothing(void)
{
    recorded_start(NULL);
    scope_runtime_stop();
    CU_ASSERT_FALSE(scope_store.is_open);
    recorded_end(NULL);
}

static void sessions_side_by_side_say_it_each(void)
{
    scope_options quiet = SCOPE_OPTIONS_INIT;
    scope_session *other = NULL;
    scope_region region;
    quiet.no_output = 1;
    recorded_start(NULL);
    record_a_call("tiny");
    CU_ASSERT_EQUAL(scope_session_create(&quiet, &other), SCOPE_OK);
    scope_region_register("other", &region);
    scope_session_begin(other, region);
    scope_session_end(other, region);
    scope_recording view;
    scope_spool_view(&view);
    CU_ASSERT_FALSE(isnan(said(&view, scope_process_session.number, "scope_overhead_pair_ns")));
    CU_ASSERT_FALSE(isnan(said(&view, other->number, "scope_overhead_pair_ns")));
    CU_ASSERT_EQUAL(scope_session_close(other), SCOPE_OK);
    scope_runtime_stop();
    recorded_end(NULL);
}

int main(void)
{
    const unit_test tests[] = {UNIT(every_session_says_what_a_call_costs),
                               UNIT(it_is_measured_once_and_stays),
                               UNIT(measuring_leaves_no_event),
                               UNIT(a_program_that_records_nothing_measures_nothing),
                               UNIT(sessions_side_by_side_say_it_each),
                               {0}};
    reader_unused();
    return unit_run("overhead", tests);
}
