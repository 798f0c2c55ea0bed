/* test_export_arrows.c - messages in the Trace Event Format, on tables made by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/export.h>

#include "call_list.h"
#include "folder.h"
#include "unit.h"

enum { MOST = 64 };

typedef struct arrow { /* ns; -1: there is no such end */
    int begins, ends, from, to, from_thread, to_thread;
    int64_t begin_ns, end_ns;
} arrow;

static arrow arrows[MOST];
static int arrow_count;
static scope_export_left left;
static scope_export_options options;
static char *document;

static void take_end(const char *at, char end)
{
    int pid, tid, id, taken = 0;
    double ts;
    if (end == 's')
        sscanf(at, "\"s\",\"pid\":%d,\"tid\":%d,\"id\":%d,\"ts\":%lf}%n", &pid, &tid, &id, &ts,
               &taken);
    else
        sscanf(at, "\"f\",\"bp\":\"e\",\"pid\":%d,\"tid\":%d,\"id\":%d,\"ts\":%lf}%n", &pid, &tid,
               &id, &ts, &taken);
    CU_ASSERT_TRUE_FATAL(taken > 0 && id >= 0 && id < MOST);
    arrow *of = &arrows[id];
    arrow_count = id >= arrow_count ? id + 1 : arrow_count;
    if (end == 's') {
        of->begins++, of->from = pid, of->from_thread = tid;
        of->begin_ns = (int64_t)(ts * 1000 + 0.5);
    } else {
        of->ends++, of->to = pid, of->to_thread = tid;
        of->end_ns = (int64_t)(ts * 1000 + 0.5);
    }
}

/* Exports what was listed; each arrow has its two ends, and leads forwards. */
static void export_list(scope_calls *calls)
{
    const char *path = folder_path("out.json");
    options.size_bytes = sizeof options;
    options.left = &left;
    calls->start_time_ns = 0;
    CU_ASSERT_EQUAL_FATAL(scope_export(calls, SCOPE_EXPORT_CHROME, path, &options), SCOPE_OK);
    FILE *file = fopen(path, "rb");
    static char text[1 << 20];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    document = text;
    memset(arrows, 0, sizeof arrows);
    arrow_count = 0;
    for (const char *at = text; (at = strstr(at, "\"cat\":\"MPI\",\"ph\":")); at++)
        take_end(at + 17, at[18]);
    for (int i = 0; i < arrow_count; i++)
        CU_ASSERT_TRUE(arrows[i].begins == 1 && arrows[i].ends == 1 &&
                       arrows[i].begin_ns <= arrows[i].end_ns);
    scope_calls_free(calls);
    options = (scope_export_options){0};
}

static int leads(int number, int from, int64_t begin_ns, int to, int64_t end_ns)
{
    const arrow *of = &arrows[number];
    return of->from == from && of->begin_ns == begin_ns && of->to == to && of->end_ns == end_ns;
}

static int there_is(int from, int64_t begin_ns, int to, int64_t end_ns)
{
    int count = 0;
    for (int i = 0; i < arrow_count; i++)
        count += leads(i, from, begin_ns, to, end_ns);
    return count == 1;
}

static void list_two_ranks(void)
{
    calls_begin(2);
    call(0, "MPI_Send", 10, 20), sent(1, 7);
    call(0, "MPI_Send", 30, 40), sent(1, 7);
    call(1, "MPI_Recv", 5, 25), received(0, 7);
    call(1, "MPI_Recv", 28, 41), received(0, 7);
}

static void an_arrow_leads_from_the_send_into_its_receive(void)
{
    list_two_ranks();
    export_list(calls_end());
    CU_ASSERT_EQUAL(arrow_count, 2);
    CU_ASSERT_TRUE(there_is(0, 10, 1, 24));
    CU_ASSERT_TRUE(there_is(0, 30, 1, 40));
    CU_ASSERT_EQUAL(left.arrows, 0);
    CU_ASSERT_PTR_NULL(strstr(document, "messages_without_arrow"));
}

static void a_wait_has_an_arrow_for_each_receive_that_it_completes(void)
{
    calls_begin(3);
    call(0, "MPI_Irecv", 1, 2), posted(1, 7);
    call(0, "MPI_Irecv", 3, 4), posted(-1, -1);
    call(0, "MPI_Waitall", 10, 90), received(1, 7), received(2, 8);
    call(1, "MPI_Isend", 20, 21), sent(0, 7);
    on_thread(1);
    call(2, "MPI_Start", 30, 31), sent(0, 8);
    export_list(calls_end());
    CU_ASSERT_EQUAL(arrow_count, 2);
    CU_ASSERT_TRUE(there_is(1, 20, 0, 89));
    CU_ASSERT_TRUE(there_is(2, 30, 0, 89));
}

static void collectives_and_what_has_no_partner_have_none(void)
{
    calls_begin(2);
    call(0, "MPI_Barrier", 1, 9), collective(0, -1);
    call(1, "MPI_Barrier", 1, 9), collective(0, -1);
    call(0, "MPI_Send", 10, 20), sent(1, 7);
    call(1, "MPI_Recv", 5, 25), received(0, 8);
    export_list(calls_end());
    CU_ASSERT_EQUAL(arrow_count, 0);
}

static void both_calls_of_an_arrow_are_in_the_document(void)
{
    const int32_t one = 1;
    list_two_ranks();
    options.ranks = &one;
    options.rank_count = 1;
    export_list(calls_end());
    CU_ASSERT_EQUAL(arrow_count, 0);
    list_two_ranks();
    options.max_calls = 3; /* one of the sends is not among them */
    export_list(calls_end());
    CU_ASSERT_EQUAL(arrow_count, 1);
    CU_ASSERT_EQUAL(left.left_calls, 1);
    list_two_ranks();
    options.without_arrows = 1;
    export_list(calls_end());
    CU_ASSERT_EQUAL(arrow_count, 0);
}

/* Whoever knows how far the clocks may be apart leaves it out sooner; nobody draws it. */
static void no_arrow_leads_backwards(void)
{
    for (int bound = -1; bound < 60; bound += 20) {
        list_two_ranks();
        call(0, "MPI_Ssend", 100, 140), sent(1, 8);
        call(1, "MPI_Recv", 50, 80), received(0, 8);
        scope_calls *calls = calls_end();
        calls->rank_row_count = 2;
        calls->ranks = scope_calls_alloc(calls, 2, sizeof *calls->ranks);
        for (int32_t i = 0; i < 2; i++)
            calls->ranks[i] = (scope_rank_row){
                .rank = i, .bound_ns = bound, .host = scope_calls_string(calls, i ? "a" : "b", 1)};
        export_list(calls);
        CU_ASSERT_EQUAL(arrow_count, 2);
        CU_ASSERT_EQUAL(left.arrows, 1);
        CU_ASSERT_PTR_NOT_NULL(strstr(document, "\"messages_without_arrow\":1"));
    }
}

static void calls_without_duration_have_both_ends(void)
{
    calls_begin(2);
    call(0, "MPI_Send", 10, 10), sent(1, 7);
    call(1, "MPI_Recv", 10, 10), received(0, 7);
    export_list(calls_end());
    CU_ASSERT_EQUAL(arrow_count, 1);
    CU_ASSERT_TRUE(leads(0, 0, 10, 1, 10));
}

int main(void)
{
    const unit_test tests[] = {UNIT(an_arrow_leads_from_the_send_into_its_receive),
                               UNIT(a_wait_has_an_arrow_for_each_receive_that_it_completes),
                               UNIT(collectives_and_what_has_no_partner_have_none),
                               UNIT(both_calls_of_an_arrow_are_in_the_document),
                               UNIT(no_arrow_leads_backwards),
                               UNIT(calls_without_duration_have_both_ends),
                               {0}};
    if (folder_make())
        return 1;
    const int failed = unit_run("export arrows", tests);
    folder_remove();
    return failed;
}
