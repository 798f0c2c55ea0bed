/* test_waits.c - who waited for whom, on tables made by hand. Expected figures were made by
 * looking at the times.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include <scope/event.h>
#include <scope/recording.h>
#include <scope/waits.h>

#include "call_list.h"
#include "unit.h"

/* ---- what was found ---- */

static scope_calls *calls;
static scope_waits waits;

static void find(void)
{
    calls = calls_end();
    CU_ASSERT_EQUAL_FATAL(scope_waits_find(calls, &waits), SCOPE_OK);
}

static void again(void)
{
    scope_waits_free(&waits);
    CU_ASSERT_EQUAL_FATAL(scope_waits_find(calls, &waits), SCOPE_OK);
}

static void done(void)
{
    scope_waits_free(&waits);
    scope_calls_free(calls);
}

static const char *name_of(uint32_t region)
{
    return region == SCOPE_WAIT_NO_REGION ? "" : calls->regions[region].name.bytes;
}

static const scope_wait *wait_of(int32_t rank, const char *call)
{
    for (size_t i = 0; i < waits.count; i++)
        if (waits.rows[i].rank == rank && strcmp(name_of(waits.rows[i].call), call) == 0)
            return &waits.rows[i];
    return NULL;
}

static int is(int32_t rank, const char *call, int64_t ns, int32_t late_rank, scope_wait_kind kind)
{
    const scope_wait *wait = wait_of(rank, call);
    return wait && wait->ns == ns && wait->late_rank == late_rank && wait->kind == (int)kind;
}

static int64_t caused(int32_t rank, const char *region)
{
    for (size_t i = 0; i < waits.cause_count; i++)
        if (waits.causes[i].rank == rank && strcmp(name_of(waits.causes[i].region), region) == 0)
            return waits.causes[i].total_ns;
    return 0;
}

/* All tables say the same, and every wait lies inside its call. */
static void check_sums(void)
{
    int64_t total = 0, in_calls = 0, in_regions = 0, in_kinds = 0, causes = 0, waited = 0, of = 0;
    for (size_t i = 0; i < waits.count; i++) {
        const scope_wait *wait = &waits.rows[i];
        total += wait->ns;
        CU_ASSERT_TRUE(wait->ns > 0 && wait->ns <= calls->duration_ns[wait->row]);
        CU_ASSERT_TRUE(wait->late_row < calls->count && wait->rank != wait->late_rank);
    }
    for (size_t i = 0; i < waits.call_count; i++)
        in_calls += waits.calls[i].sum.total_ns;
    for (size_t i = 0; i < waits.region_count; i++)
        in_regions += waits.regions[i].sum.total_ns;
    for (size_t i = 0; i < waits.cause_count; i++)
        causes += waits.causes[i].total_ns;
    for (size_t i = 0; i < waits.rank_count; i++) {
        waited += waits.ranks[i].waited.total_ns;
        of += waits.ranks[i].caused.total_ns;
    }
    for (int i = 0; i < SCOPE_WAIT_KINDS; i++)
        in_kinds += waits.by_kind[i].total_ns;
    CU_ASSERT_EQUAL(waits.total.total_ns, total);
    CU_ASSERT_EQUAL(waits.total.count, (int64_t)waits.count);
    CU_ASSERT_EQUAL(in_calls, total);
    CU_ASSERT_EQUAL(in_regions, total);
    CU_ASSERT_EQUAL(in_kinds, total);
    CU_ASSERT_EQUAL(causes, total);
    CU_ASSERT_EQUAL(waited, total);
    CU_ASSERT_EQUAL(of, total);
}

/* ---- messages ---- */

static void a_receive_waits_until_its_message_is_sent(void)
{
    calls_begin(2);
    call(0, "main", 0, 200);
    call(0, "MPI_Init", 1, 8); /* counts for nothing */
    call(0, "MPI_Recv", 10, 62), received(1, 7);
    call(0, "MPI_Recv", 100, 110), received(1, 7); /* was there already */
    call(1, "main", 0, 200);
    call(1, "solve", 5, 48);
    call(1, "MPI_Send", 50, 55), sent(0, 7);
    call(1, "MPI_Send", 60, 61), sent(0, 7);
    call(1, "MPI_Session_init", 100, 110); /* nor do these */
    call(1, "MPI_Session_finalize", 150, 170);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(0, "MPI_Recv", 40, 1, SCOPE_WAIT_LATE_SENDER));
    CU_ASSERT_STRING_EQUAL(name_of(waits.rows[0].region), "main");
    CU_ASSERT_EQUAL(calls->start_ns[waits.rows[0].late_row], 50);
    CU_ASSERT_EQUAL(waits.rows[0].bound_ns, 0);
    CU_ASSERT_EQUAL(caused(1, "solve"), 38);
    CU_ASSERT_EQUAL(caused(1, "main"), 2);
    CU_ASSERT_EQUAL(waits.sent_count, 2);
    CU_ASSERT_EQUAL(waits.received_count, 2);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
    CU_ASSERT_EQUAL(waits.ranks[0].mpi_ns, 62);
    CU_ASSERT_EQUAL(waits.ranks[0].span_ns, 200 - 7);
    CU_ASSERT_EQUAL(waits.ranks[1].mpi_ns, 6);
    CU_ASSERT_EQUAL(waits.ranks[1].span_ns, 200 - 10 - 20);
    check_sums();
    done();
}

static void a_wait_for_several_lasts_until_the_latest(void)
{
    static const char *const names[] = {"MPI_Waitall", "MPI_Waitsome", "MPI_Testall"};
    static const int64_t expected[] = {60, 30,
                                       0}; /* Waitsome: until the first; Testall only asks */
    for (int i = 0; i < 3; i++) {
        calls_begin(3);
        call(0, "MPI_Irecv", 1, 2), posted(1, 0);
        call(0, "MPI_Irecv", 3, 4), posted(2, 0);
        call(0, names[i], 10, 90), received(1, 0), received(2, 0);
        call(1, "MPI_Isend", 40, 41), sent(0, 0);
        call(2, "MPI_Isend", 70, 71), sent(0, 0);
        find();
        CU_ASSERT_EQUAL(waits.total.total_ns, expected[i]);
        if (expected[i])
            CU_ASSERT_EQUAL(waits.rows[0].late_rank, i ? 1 : 2);
        CU_ASSERT_EQUAL(waits.unposted_count, 0);
        check_sums();
        done();
    }
}

static void a_waitsome_that_finds_one_there_does_not_wait(void)
{
    calls_begin(3);
    call(0, "MPI_Waitsome", 10, 90), received(1, 0), received(2, 0);
    call(1, "MPI_Isend", 5, 6), sent(0, 0);
    call(2, "MPI_Isend", 70, 71), sent(0, 0);
    find();
    CU_ASSERT_EQUAL(waits.count, 0);
    done();
}

static void a_send_waits_until_its_receive_is_posted(void)
{
    calls_begin(2);
    call(0, "MPI_Ssend", 10, 80), sent(1, 1);  /* posted at 60 */
    call(0, "MPI_Send", 100, 110), sent(1, 2); /* returned before */
    call(0, "MPI_Send", 120, 190), sent(1, 3); /* Irecv at 170 */
    call(0, "MPI_Isend", 200, 300), sent(1, 4);
    call(0, "MPI_Bsend", 300, 400), sent(1, 5);
    call(0, "MPI_Send", 500, 600), sent(1, 6); /* posted before */
    call(1, "MPI_Recv", 60, 81), received(0, 1);
    call(1, "MPI_Recv", 150, 160), received(0, 2);
    call(1, "MPI_Irecv", 170, 171), posted(0, 3);
    call(1, "MPI_Wait", 180, 195), received(0, 3);
    call(1, "MPI_Recv", 250, 301), received(0, 4);
    call(1, "MPI_Recv", 350, 401), received(0, 5);
    call(1, "MPI_Irecv", 420, 421), posted(0, 6);
    call(1, "MPI_Wait", 590, 601), received(0, 6);
    find();
    CU_ASSERT_EQUAL(waits.count, 2);
    CU_ASSERT_TRUE(is(0, "MPI_Ssend", 50, 1, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_TRUE(is(0, "MPI_Send", 50, 1, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_STRING_EQUAL(name_of(calls->pairs[5].region), "MPI_Irecv"); /* of rank 1: */
    CU_ASSERT_EQUAL(calls->start_ns[wait_of(0, "MPI_Send")->late_row], 170);
    check_sums();
    done();
}

static void a_wait_for_a_send_lasts_until_its_receive_is_posted(void)
{
    calls_begin(2);
    call(0, "MPI_Isend", 1, 2), sent(1, 1), of_bytes(SCOPE_FOLLOWED_BYTES);
    call(0, "MPI_Wait", 10, 80), send_completed(1, 1, 0); /* posted at 60 */
    call(0, "MPI_Isend", 100, 101), sent(1, 2), of_bytes(1 << 20);
    call(0, "MPI_Wait", 102, 110), send_completed(1, 2, 0); /* returned before */
    call(0, "MPI_Isend", 120, 121), sent(1, 3), of_bytes(1 << 20);
    call(0, "MPI_Test", 130, 190), send_completed(1, 3, 0); /* asks only */
    call(0, "MPI_Isend", 200, 201), sent(1, 4), of_bytes(8);
    call(0, "MPI_Issend", 210, 211), sent(1, 5), of_bytes(8);
    call(0, "MPI_Waitall", 220, 290), send_completed(1, 5, 0); /* posted at 260; the other is short */
    call(1, "MPI_Recv", 60, 81), received(0, 1);
    call(1, "MPI_Recv", 150, 160), received(0, 2);
    call(1, "MPI_Recv", 170, 195), received(0, 3);
    call(1, "MPI_Irecv", 250, 251), posted(0, 4);
    call(1, "MPI_Irecv", 260, 261), posted(0, 5);
    call(1, "MPI_Waitall", 270, 292), received(0, 4), received(0, 5);
    find();
    CU_ASSERT_EQUAL(waits.count, 2);
    CU_ASSERT_TRUE(is(0, "MPI_Wait", 50, 1, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_TRUE(is(0, "MPI_Waitall", 40, 1, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_EQUAL(calls->start_ns[wait_of(0, "MPI_Waitall")->late_row], 260);
    CU_ASSERT_EQUAL(waits.unposted_count, 0);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
    check_sums();
    done();
}

/* Whatever the order in which a rank waits for its sends: the same key four times. */
static void a_completed_send_is_known_by_those_begun_since(void)
{
    enum { LARGE = 1 << 16 };
    calls_begin(2);
    call(0, "MPI_Startall", 1, 2), sent(1, 0), of_bytes(LARGE), sent(1, 0), of_bytes(LARGE);
    call(0, "MPI_Isend", 3, 4), sent(1, 0), of_bytes(100);
    call(0, "MPI_Isendrecv", 5, 6), sent(1, 0), of_bytes(LARGE), posted(1, 9);
    call(0, "MPI_Wait", 10, 90), send_completed(1, 0, 1); /* the second: posted at 30 */
    call(0, "MPI_Waitany", 100, 190), send_completed(1, 0, 0), received(1, 9); /* the third: 150 */
    call(0, "MPI_Wait", 200, 290), send_completed(1, 0, 2); /* the first */
    call(0, "MPI_Wait", 300, 310), send_completed(1, 0, 3); /* before the first that is known */
    call(0, "MPI_Wait", 320, 330), send_completed(1, 7, 0); /* not recorded */
    call(1, "MPI_Irecv", 20, 21), posted(0, 0);
    call(1, "MPI_Irecv", 30, 31), posted(0, 0);
    call(1, "MPI_Irecv", 40, 41), posted(0, 0);
    call(1, "MPI_Isend", 42, 43), sent(0, 9);
    call(1, "MPI_Irecv", 150, 151), posted(0, 0);
    call(1, "MPI_Waitall", 152, 400), received(0, 0), received(0, 0), received(0, 0), received(0, 0);
    find();
    CU_ASSERT_TRUE(is(0, "MPI_Wait", 20, 1, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_PTR_NULL(wait_of(0, "MPI_Waitany")); /* the other one was there */
    CU_ASSERT_EQUAL(waits.unposted_count, 2);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
    check_sums();
    done();
}

static void sends_of_several_threads_may_be_counted_otherwise(void)
{
    enum { LARGE = 1 << 16 };
    calls_begin(3);
    call(0, "MPI_Isend", 1, 9), sent(1, 0), of_bytes(LARGE); /* counted second */
    call(0, "MPI_Wait", 10, 90), send_completed(1, 0, 0);
    on_thread(1);
    call(0, "MPI_Isend", 2, 5), sent(2, 0), of_bytes(LARGE);
    call(0, "MPI_Wait", 11, 80), send_completed(2, 0, 1);
    on_thread(0);
    call(1, "MPI_Recv", 40, 91), received(0, 0);
    call(2, "MPI_Recv", 50, 81), received(0, 0);
    find();
    CU_ASSERT_EQUAL(waits.total.total_ns, 30 + 39);
    CU_ASSERT_EQUAL(waits.unposted_count, 0);
    check_sums();
    done();
}

static void a_sendrecv_waits_for_the_later_of_both(void)
{
    calls_begin(3);
    call(0, "MPI_Sendrecv", 10, 100), sent(1, 0), received(2, 0);
    call(1, "MPI_Recv", 40, 100), received(0, 0);
    call(2, "MPI_Send", 80, 100), sent(0, 0);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(0, "MPI_Sendrecv", 70, 2, SCOPE_WAIT_LATE_SENDER));
    check_sums();
    done();
}

static void nobody_waits_for_himself(void)
{
    calls_begin(1);
    call(0, "MPI_Irecv", 0, 1), posted(0, 0);
    call(0, "MPI_Ssend", 2, 50), sent(0, 0);
    call(0, "MPI_Wait", 51, 52), received(0, 0);
    call(0, "MPI_Barrier", 60, 99), collective(0, -1);
    find();
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
    done();
}

static void messages_are_matched_in_the_order_of_postings(void)
{
    calls_begin(2);
    call(0, "MPI_Irecv", 0, 1), posted(1, 0);
    call(0, "MPI_Recv", 10, 75), received(1, 0); /* the second message */
    call(0, "MPI_Wait", 80, 81), received(1, 0); /* the first */
    call(1, "MPI_Send", 20, 21), sent(0, 0);
    call(1, "MPI_Send", 70, 71), sent(0, 0);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(0, "MPI_Recv", 60, 1, SCOPE_WAIT_LATE_SENDER));
    done();
}

static void a_message_takes_the_first_posting_that_fits(void)
{
    calls_begin(3);
    call(0, "MPI_Irecv", 30, 31), posted(-1, -1);
    call(0, "MPI_Irecv", 40, 41), posted(1, 5);
    call(0, "MPI_Irecv", 50, 51), posted(1, -1);
    call(0, "MPI_Waitall", 60, 99), received(2, 9), received(1, 5), received(1, 8);
    call(1, "MPI_Ssend", 10, 70), sent(0, 5);
    call(1, "MPI_Rsend", 20, 80), sent(0, 8);
    call(2, "MPI_Send", 25, 90), sent(0, 9);
    find();
    CU_ASSERT_TRUE(is(1, "MPI_Ssend", 30, 0, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_TRUE(is(1, "MPI_Rsend", 30, 0, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_TRUE(is(2, "MPI_Send", 5, 0, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_EQUAL(waits.unposted_count, 0);
    check_sums();
    done();
}

static void a_posting_that_nobody_completed_makes_those_behind_it_unsure(void)
{
    calls_begin(2);
    call(0, "MPI_Irecv", 0, 1), posted(1, 0); /* cancelled */
    call(0, "MPI_Irecv", 40, 41), posted(1, 0);
    call(0, "MPI_Wait", 50, 90), received(1, 0);
    call(0, "MPI_Irecv", 95, 96), posted(1, 3); /* of another tag */
    call(0, "MPI_Wait", 97, 99), received(1, 3);
    call(1, "MPI_Send", 10, 88), sent(0, 0);
    call(1, "MPI_Ssend", 90, 98), sent(0, 3);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(1, "MPI_Ssend", 5, 0, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_EQUAL(waits.unposted_count, 1);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
    done();
    calls_begin(2);
    call(0, "MPI_Irecv", 40, 41), posted(-1, -1);
    call(0, "MPI_Wait", 50, 90), received(1, 0);
    call(0, "MPI_Irecv", 92, 93), posted(-1, -1); /* cancelled, and nothing came since */
    call(1, "MPI_Send", 10, 88), sent(0, 0);
    find();
    CU_ASSERT_TRUE(is(1, "MPI_Send", 30, 0, SCOPE_WAIT_LATE_RECEIVER));
    CU_ASSERT_EQUAL(waits.unposted_count, 0);
    done();
}

static void receives_whose_posting_was_not_recorded_still_wait(void)
{
    calls_begin(2);
    call(0, "MPI_Wait", 10, 90), received(1, 0);
    call(1, "MPI_Send", 60, 95), sent(0, 0);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(0, "MPI_Wait", 50, 1, SCOPE_WAIT_LATE_SENDER));
    CU_ASSERT_EQUAL(waits.unposted_count, 1);
    done();
}

static void a_probe_waits_for_what_is_received_next(void)
{
    calls_begin(2);
    call(0, "MPI_Irecv", 1, 2), posted(1, 4);
    call(0, "MPI_Probe", 10, 62), message(SCOPE_MESSAGE_OTHER, 1, -1);
    call(0, "MPI_Recv", 65, 66), received(1, 7);
    call(0, "MPI_Iprobe", 67, 68), message(SCOPE_MESSAGE_OTHER, 1, -1);
    call(0, "MPI_Wait", 90, 95), received(1, 4);
    call(0, "MPI_Probe", 96, 99), message(SCOPE_MESSAGE_OTHER, 1, -1); /* nothing is received */
    call(1, "MPI_Send", 5, 6), sent(0, 4);
    call(1, "MPI_Send", 50, 55), sent(0, 7);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(0, "MPI_Probe", 40, 1, SCOPE_WAIT_LATE_SENDER));
    done();
    calls_begin(2);
    call(0, "MPI_Probe", 10, 62), message(SCOPE_MESSAGE_OTHER, 1, 7); /* of that tag */
    call(0, "MPI_Recv", 65, 66), received(1, 4);
    call(0, "MPI_Recv", 67, 68), received(1, 7);
    call(1, "MPI_Send", 5, 6), sent(0, 4);
    call(1, "MPI_Send", 50, 55), sent(0, 7);
    find();
    CU_ASSERT_TRUE(is(0, "MPI_Probe", 40, 1, SCOPE_WAIT_LATE_SENDER));
    done();
}

/* ---- collectives ---- */

static void four_come(const char *name, int32_t root)
{
    calls_begin(4);
    for (int32_t rank = 0; rank < 4; rank++) { /* the order of 2, 0, 1, 3 */
        static const int64_t start[] = {20, 30, 10, 70};
        call(rank, "step", 0, 100);
        call(rank, name, start[rank], 90), collective(0, root);
    }
    find();
    check_sums();
}

static int64_t waited(int32_t rank)
{
    return waits.ranks[rank].waited.total_ns;
}

static void collectives_wait_for_those_that_they_need(void)
{
    static const struct {
        const char *name;
        int32_t root, kind;
        int64_t waited[4];
    } all[] = {{"MPI_Barrier", -1, SCOPE_WAIT_ALL_TO_ALL, {50, 40, 60, 0}},
               {"MPI_Alltoallv", -1, SCOPE_WAIT_ALL_TO_ALL, {50, 40, 60, 0}},
               {"MPI_Comm_split", -1, SCOPE_WAIT_ALL_TO_ALL, {50, 40, 60, 0}},
               {"MPI_Bcast", 1, SCOPE_WAIT_ONE_TO_ALL, {10, 0, 20, 0}},
               {"MPI_Scatter", 2, SCOPE_WAIT_ONE_TO_ALL, {0, 0, 0, 0}},
               {"MPI_Reduce", 1, SCOPE_WAIT_ALL_TO_ONE, {0, 40, 0, 0}},
               {"MPI_Gather", 3, SCOPE_WAIT_ALL_TO_ONE, {0, 0, 0, 0}},
               {"MPI_Scan", -1, SCOPE_WAIT_PREFIX, {0, 0, 20, 0}}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        four_come(all[i].name, all[i].root);
        for (int32_t rank = 0; rank < 4; rank++)
            CU_ASSERT_EQUAL(waited(rank), all[i].waited[rank]);
        for (size_t k = 0; k < waits.count; k++)
            CU_ASSERT_EQUAL(waits.rows[k].kind, all[i].kind);
        CU_ASSERT_EQUAL(waits.collective_count, 4);
        CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
        done();
    }
}

static void the_last_to_come_is_the_cause(void)
{
    four_come("MPI_Barrier", -1);
    CU_ASSERT_EQUAL(waits.ranks[3].caused.total_ns, 150);
    CU_ASSERT_EQUAL(waits.cause_count, 1);
    CU_ASSERT_EQUAL(caused(3, "step"), 150);
    CU_ASSERT_EQUAL(waits.call_count, 3);
    CU_ASSERT_EQUAL(waits.region_count, 3);
    CU_ASSERT_STRING_EQUAL(name_of(waits.regions[0].region), "step");
    CU_ASSERT_EQUAL(waits.total.maximum_ns, 60);
    done();
}

static void a_call_that_returns_early_waits_for_those_before(void)
{
    calls_begin(3);
    call(0, "MPI_Alltoallv", 10, 50), collective(0, -1); /* has nothing from rank 2 */
    call(1, "MPI_Alltoallv", 30, 90), collective(0, -1);
    call(2, "MPI_Alltoallv", 80, 90), collective(0, -1);
    call(0, "MPI_Bcast", 100, 110), collective(1, 2); /* returns before the root comes: no data */
    call(1, "MPI_Bcast", 100, 140), collective(1, 2);
    call(2, "MPI_Bcast", 130, 140), collective(1, 2);
    find();
    CU_ASSERT_TRUE(is(0, "MPI_Alltoallv", 20, 1, SCOPE_WAIT_ALL_TO_ALL));
    CU_ASSERT_TRUE(is(1, "MPI_Alltoallv", 50, 2, SCOPE_WAIT_ALL_TO_ALL));
    CU_ASSERT_PTR_NULL(wait_of(0, "MPI_Bcast"));
    CU_ASSERT_TRUE(is(1, "MPI_Bcast", 30, 2, SCOPE_WAIT_ONE_TO_ALL));
    check_sums();
    done();
}

static void collectives_that_others_wait_for_are_counted(void)
{
    four_come("MPI_Ibarrier", -1);
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(waits.nonblocking_count, 4);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
    done();
}

/* Begun as in four_come; waited for from 35 to 90, by rank 3 from 75. */
static void four_begin(const char *name, int32_t root, int64_t waits_for)
{
    calls_begin(4);
    for (int32_t rank = 0; rank < 4; rank++) {
        static const int64_t start[] = {20, 30, 10, 70};
        call(rank, "step", 0, 100);
        call(rank, strcmp(name, "MPI_Start") == 0 && rank == 2 ? "MPI_Startall" : name, start[rank],
             start[rank] + 1),
            collective(0, root);
        call(rank, "MPI_Wait", rank == 3 ? 75 : 35, 90), collective_completed(0, root, waits_for);
    }
    find();
    check_sums();
}

static void the_wait_for_a_collective_waits_for_those_that_it_needs(void)
{
    static const struct {
        const char *name;
        int32_t root, kind, waits_for;
        int64_t waited[4];
    } all[] = {
        {"MPI_Ibarrier", -1, SCOPE_WAIT_ALL_TO_ALL, SCOPE_COLLECTIVE_ALL_TO_ALL, {35, 35, 35, 0}},
        {"MPI_Comm_idup", -1, SCOPE_WAIT_ALL_TO_ALL, SCOPE_COLLECTIVE_ALL_TO_ALL, {35, 35, 35, 0}},
        {"MPI_Ibcast", 3, SCOPE_WAIT_ONE_TO_ALL, SCOPE_COLLECTIVE_ONE_TO_ALL, {35, 35, 35, 0}},
        {"MPI_Ibcast", 0, SCOPE_WAIT_ONE_TO_ALL, SCOPE_COLLECTIVE_ONE_TO_ALL, {0, 0, 0, 0}},
        {"MPI_Ireduce", 1, SCOPE_WAIT_ALL_TO_ONE, SCOPE_COLLECTIVE_ALL_TO_ONE, {0, 35, 0, 0}},
        {"MPI_Iscan", -1, SCOPE_WAIT_PREFIX, SCOPE_COLLECTIVE_PREFIX, {0, 0, 0, 0}},
        {"MPI_Start", -1, SCOPE_WAIT_ALL_TO_ALL, SCOPE_COLLECTIVE_ALL_TO_ALL, {35, 35, 35, 0}},
        {"MPI_Start", 3, SCOPE_WAIT_ONE_TO_ALL, SCOPE_COLLECTIVE_ONE_TO_ALL, {35, 35, 35, 0}},
        {"MPI_Start", 1, SCOPE_WAIT_ALL_TO_ONE, SCOPE_COLLECTIVE_ALL_TO_ONE, {0, 35, 0, 0}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        four_begin(all[i].name, all[i].root, all[i].waits_for);
        for (int32_t rank = 0; rank < 4; rank++)
            CU_ASSERT_EQUAL(waited(rank), all[i].waited[rank]);
        for (size_t k = 0; k < waits.count; k++) {
            CU_ASSERT_EQUAL(waits.rows[k].kind, all[i].kind);
            CU_ASSERT_EQUAL(waits.rows[k].late_rank, 3);
            CU_ASSERT_EQUAL(calls->start_ns[waits.rows[k].late_row], 70);
        }
        CU_ASSERT_EQUAL(waits.collective_count, 4);
        CU_ASSERT_EQUAL(waits.nonblocking_count, 0);
        CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
        done();
    }
    calls_begin(2);
    call(0, "MPI_Iscan", 40, 41), collective(0, -1);
    call(1, "MPI_Iscan", 10, 11), collective(0, -1);
    call(0, "MPI_Wait", 42, 60), collective_completed(0, -1, SCOPE_COLLECTIVE_PREFIX);
    call(1, "MPI_Wait", 12, 60), collective_completed(0, -1, SCOPE_COLLECTIVE_PREFIX);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(1, "MPI_Wait", 28, 0, SCOPE_WAIT_PREFIX));
    done();
}

static void ends_of_collectives_that_are_not_here_are_counted(void)
{
    calls_begin(2);
    call(0, "MPI_Ibarrier", 10, 11), collective(0, -1);
    call(1, "MPI_Ibarrier", 30, 31), collective(0, -1);
    call(0, "MPI_Wait", 12, 40), collective_completed(0, -1, SCOPE_COLLECTIVE_ALL_TO_ALL);
    call(0, "MPI_Start", 50, 51), collective(1, -1); /* which one is not said */
    call(1, "MPI_Start", 60, 61), collective(1, -1);
    call(0, "MPI_Wait", 70, 71), collective_completed(9, -1, SCOPE_COLLECTIVE_ALL_TO_ALL);
    call(0, "MPI_Ibarrier", 80, 81), collective(2, -1); /* over before rank 1 came: another one */
    call(0, "MPI_Wait", 82, 84), collective_completed(2, -1, SCOPE_COLLECTIVE_ALL_TO_ALL);
    call(1, "MPI_Ibarrier", 90, 91), collective(2, -1);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(0, "MPI_Wait", 18, 1, SCOPE_WAIT_ALL_TO_ALL));
    CU_ASSERT_EQUAL(waits.nonblocking_count, 3);
    CU_ASSERT_EQUAL(waits.unmatched_collective[SCOPE_UNMATCHED_ORDER], 2);
    done();
}

static void ranks_that_lack_make_collectives_incomplete(void)
{
    calls_begin(3);
    call(0, "MPI_Barrier", 10, 90), collective(0, -1);
    call(1, "MPI_Barrier", 50, 90), collective(0, -1);
    call(0, "MPI_Bcast", 100, 190), collective(1, 1); /* the root is enough */
    call(1, "MPI_Bcast", 150, 190), collective(1, 1);
    call(0, "MPI_Reduce", 200, 290), collective(2, 0);
    call(1, "MPI_Reduce", 250, 290), collective(2, 0);
    call(0, "MPI_Bcast", 300, 390), collective(3, 2);
    find();
    CU_ASSERT_EQUAL(waits.count, 1);
    CU_ASSERT_TRUE(is(0, "MPI_Bcast", 50, 1, SCOPE_WAIT_ONE_TO_ALL));
    CU_ASSERT_EQUAL(waits.unmatched_collective[SCOPE_UNMATCHED_MISSING], 5);
    done();
}

static void calls_that_differ_are_no_collective(void)
{
    calls_begin(2);
    call(0, "MPI_Barrier", 10, 90), collective(0, -1);
    call(1, "MPI_Allreduce", 50, 90), collective(0, -1);
    call(0, "MPI_Bcast", 100, 190), collective(1, 0);
    call(1, "MPI_Bcast", 150, 190), collective(1, 1); /* another root */
    call(0, "MPI_Barrier", 200, 210), collective(2, -1);
    call(0, "MPI_Barrier", 220, 230), collective(2, -1); /* twice */
    find();
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(waits.unmatched_collective[SCOPE_UNMATCHED_OTHER], 6);
    done();
}

/* Rank 1's recording began one barrier later, so it counts from there. */
static void a_barrier_that_was_left_before_all_came_is_none(void)
{
    calls_begin(2);
    call(0, "MPI_Barrier", 10, 60), collective(0, -1);
    call(0, "MPI_Barrier", 100, 190), collective(1, -1);
    call(1, "MPI_Barrier", 150, 190), collective(0, -1);
    call(1, "MPI_Barrier", 250, 260), collective(1, -1);
    call(0, "MPI_Allgather", 300, 310), collective(2, -1); /* of nothing: rank 1 sends no bytes */
    call(1, "MPI_Allgather", 350, 360), collective(2, -1);
    find();
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(waits.unmatched_collective[SCOPE_UNMATCHED_ORDER], 4);
    done();
}

static void communicators_are_told_apart_by_members_and_serial(void)
{
    calls_begin(3);
    const int first = communicator(12, 0, 2, (const int32_t[]){0, 2, -1});
    const int second = communicator(12, 1, 2, (const int32_t[]){0, 2, -1});
    const int unknown = communicator(0, 0, 2, (const int32_t[]){0, 2, -1});
    const int groups = communicator(99, 0, 1, (const int32_t[]){0, 1, 2, -1});
    on(first);
    call(0, "MPI_Barrier", 10, 90), collective(0, -1);
    call(2, "MPI_Barrier", 50, 90), collective(0, -1);
    call(0, "MPI_Recv", 100, 140), received(2, 0);
    call(2, "MPI_Send", 130, 135), sent(0, 0);
    on(second);
    call(2, "MPI_Barrier", 170, 190), collective(0, -1);
    call(0, "MPI_Barrier", 180, 190), collective(0, -1);
    call(2, "MPI_Send", 120, 121), sent(0, 0);
    call(0, "MPI_Recv", 150, 160), received(2, 0);
    on(unknown);
    call(0, "MPI_Recv", 200, 240), received(2, 0);
    call(2, "MPI_Send", 230, 235), sent(0, 0);
    call(2, "MPI_Barrier", 250, 260), collective(0, -1);
    on(groups); /* an intercommunicator: one rank here, two there */
    for (int32_t rank = 0; rank < 3; rank++)
        call(rank, "MPI_Barrier", 300 + rank, 320), collective(0, -1);
    find();
    CU_ASSERT_EQUAL(waits.count, 3);
    CU_ASSERT_TRUE(is(0, "MPI_Recv", 30, 2, SCOPE_WAIT_LATE_SENDER));
    CU_ASSERT_TRUE(is(0, "MPI_Barrier", 40, 2, SCOPE_WAIT_ALL_TO_ALL));
    CU_ASSERT_TRUE(is(2, "MPI_Barrier", 10, 0, SCOPE_WAIT_ALL_TO_ALL));
    CU_ASSERT_EQUAL(waits.unmatched_received[SCOPE_UNMATCHED_UNTOLD], 1);
    CU_ASSERT_EQUAL(waits.unmatched_sent[SCOPE_UNMATCHED_UNTOLD], 1);
    CU_ASSERT_EQUAL(waits.unmatched_collective[SCOPE_UNMATCHED_UNTOLD], 1);
    CU_ASSERT_EQUAL(waits.unmatched_collective[SCOPE_UNMATCHED_GROUPS], 3);
    check_sums();
    done();
}

/* ---- what has no partner ---- */

static void messages_without_partner_are_counted(void)
{
    calls_begin(4);
    call(0, "MPI_Recv", 10, 90), received(3, 0); /* rank 3 recorded nothing */
    call(0, "MPI_Send", 100, 190), sent(3, 0);
    call(0, "MPI_Recv", 200, 290), received(1, 1); /* two sends of this tag, one receive */
    call(1, "MPI_Send", 250, 260), sent(0, 1);
    call(1, "MPI_Send", 270, 280), sent(0, 1);
    call(0, "MPI_Recv", 300, 310), received(1, 2); /* before it is sent */
    call(1, "MPI_Send", 350, 360), sent(0, 2);
    call(1, "MPI_Send", 370, 371), sent(2, 3);      /* received, but not recorded */
    call(2, "MPI_Recv", 370, 380), received(-1, 3); /* from another job */
    call(2, "solve", 390, 400);
    find();
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(waits.unmatched_received[SCOPE_UNMATCHED_RANK], 1);
    CU_ASSERT_EQUAL(waits.unmatched_sent[SCOPE_UNMATCHED_RANK], 1);
    CU_ASSERT_EQUAL(waits.unmatched_received[SCOPE_UNMATCHED_COUNT], 1);
    CU_ASSERT_EQUAL(waits.unmatched_sent[SCOPE_UNMATCHED_COUNT], 3);
    CU_ASSERT_EQUAL(waits.unmatched_received[SCOPE_UNMATCHED_ORDER], 1);
    CU_ASSERT_EQUAL(waits.unmatched_sent[SCOPE_UNMATCHED_ORDER], 1);
    CU_ASSERT_EQUAL(waits.unmatched_received[SCOPE_UNMATCHED_UNTOLD], 1);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 9);
    done();
}

static void three_sent_two_received(void)
{
    calls_begin(2);
    for (int i = 0; i < 3; i++)
        call(1, "MPI_Isend", 100 * i + 50, 100 * i + 51), sent(0, 0);
    for (int i = 0; i < 2; i++)
        call(0, "MPI_Recv", 100 * i + 120, 100 * i + 190), received(1, 0);
    find();
}

static void a_rank_that_was_killed_lacks_the_last(void)
{
    three_sent_two_received();
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 5);
    calls->ranks[0].end_kind = SCOPE_END_KILLED;
    again(); /* the first two: sent at 50 and 150, received from 120 and 220 on */
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 1);
    calls->ranks[0].dropped = 1;
    again();
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 5);
    done();
}

static void folded_calls_lack_the_first(void)
{
    three_sent_two_received();
    calls->sum_count = 1;
    calls->sums = scope_calls_alloc(calls, 1, sizeof *calls->sums);
    calls->sums[0] =
        (scope_sum_row){.region = calls->pairs[0].region, .lane = -2, .count = 1, .last_ns = 110};
    again(); /* the last two: sent at 150 and 250 */
    CU_ASSERT_EQUAL(waits.count, 2);
    CU_ASSERT_EQUAL(waits.total.total_ns, 60);
    CU_ASSERT_EQUAL(waits.unmatched_sent[SCOPE_UNMATCHED_COUNT], 1);
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 1);
    calls->sums[0].last_ns = 200; /* some between those that are kept */
    again();
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 5);
    done();
}

/* ---- causes ---- */

static void what_waits_overlap_counts_for_each(void)
{
    calls_begin(3);
    call(0, "main", 0, 400);
    call(0, "solve", 20, 120);
    call(0, "dot", 40, 60);
    call(0, "MPI_Barrier", 70, 80); /* of one rank; no message */
    call(0, "MPI_Send", 130, 131), sent(1, 0);
    call(0, "MPI_Send", 140, 141), sent(2, 0);
    call(1, "MPI_Recv", 10, 135), received(0, 0);
    call(2, "MPI_Recv", 50, 145), received(0, 0);
    find();
    CU_ASSERT_EQUAL(waits.total.total_ns, 120 + 90);
    CU_ASSERT_EQUAL(caused(0, "dot"), 20 + 10);
    CU_ASSERT_EQUAL(caused(0, "MPI_Barrier"), 20);
    CU_ASSERT_EQUAL(caused(0, "solve"), 20 + 10 * 2 + 40 * 2); /* 20-40, 60-70, 80-120 */
    CU_ASSERT_EQUAL(caused(0, "MPI_Send"), 1);
    CU_ASSERT_EQUAL(caused(0, "main"), 10 + 20 + 9);
    CU_ASSERT_STRING_EQUAL(name_of(waits.causes[0].region), "solve"); /* most first */
    CU_ASSERT_EQUAL(wait_of(1, "MPI_Recv")->region, SCOPE_WAIT_NO_REGION);
    check_sums();
    done();
}

static void causes_are_looked_for_on_the_thread_that_was_late(void)
{
    calls_begin(2);
    call(0, "MPI_Recv", 10, 70), received(1, 0);
    call(1, "idle", 0, 100);
    on_thread(3);
    call(1, "work", 0, 30);
    call(1, "MPI_Send", 60, 65), sent(0, 0);
    find();
    CU_ASSERT_EQUAL(caused(1, "work"), 20);
    CU_ASSERT_EQUAL(caused(1, ""), 30);
    CU_ASSERT_EQUAL(caused(1, "idle"), 0);
    check_sums();
    done();
}

static void calls_without_ids_have_no_region(void)
{
    calls_begin(2);
    call(0, "a", 0, 60);
    call(0, "b", 30, 90); /* crosses */
    call(0, "MPI_Recv", 10, 25), received(1, 0);
    call(1, "MPI_Send", 20, 22), sent(0, 0);
    find();
    CU_ASSERT_EQUAL(waits.total.total_ns, 10);
    CU_ASSERT_EQUAL(waits.rows[0].region, SCOPE_WAIT_NO_REGION);
    check_sums();
    done();
}

/* ---- clocks ---- */

static void waits_are_as_exact_as_the_clocks(void)
{
    calls_begin(3);
    call(0, "MPI_Recv", 10, 62), received(1, 7);
    call(0, "MPI_Recv", 100, 150), received(2, 7);
    call(1, "MPI_Send", 50, 55), sent(0, 7);
    call(2, "MPI_Send", 103, 155), sent(0, 7);
    find();
    CU_ASSERT_EQUAL(waits.total.bound_ns, 0); /* one host */
    for (int i = 0; i < 3; i++)
        calls->ranks[i].host = scope_calls_string(calls, i ? "there" : "here", i ? 5 : 4);
    again();
    CU_ASSERT_EQUAL(waits.total.unknown_count, 2);
    CU_ASSERT_EQUAL(waits.total.unknown_ns, 43);
    for (int i = 0; i < 3; i++)
        calls->ranks[i].bound_ns = i;
    calls->ranks[2].bound_ns = 4;
    again();
    CU_ASSERT_EQUAL(waits.total.unknown_count, 0);
    CU_ASSERT_EQUAL(waits.total.bound_ns, 1 + 4);
    CU_ASSERT_EQUAL(waits.total.short_count, 1); /* 3 of 4 */
    CU_ASSERT_EQUAL(waits.total.short_ns, 3);
    done();
}

static void a_message_may_arrive_early_by_as_much_as_the_clocks_differ(void)
{
    calls_begin(2);
    call(0, "MPI_Recv", -50, -10), received(1, 7);
    call(1, "MPI_Send", -5, 5), sent(0, 7);
    find();
    CU_ASSERT_EQUAL(waits.unmatched_sent[SCOPE_UNMATCHED_ORDER], 1);
    calls->ranks[0].host.length_bytes = 0;
    again(); /* nothing is known of the clocks */
    CU_ASSERT_TRUE(is(0, "MPI_Recv", 40, 1, SCOPE_WAIT_LATE_SENDER));
    calls->ranks[0].bound_ns = calls->ranks[1].bound_ns = 2;
    again();
    CU_ASSERT_EQUAL(waits.unmatched_sent[SCOPE_UNMATCHED_ORDER], 1);
    calls->ranks[1].bound_ns = 3;
    again();
    CU_ASSERT_TRUE(is(0, "MPI_Recv", 40, 1, SCOPE_WAIT_LATE_SENDER));
    done();
}

/* ---- whole jobs ---- */

static uint64_t seed;

static int64_t random_below(int64_t limit)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)(seed >> 33) % limit;
}

/* Ranks in rounds, each with a message to the next rank and a barrier; what each waits is added
 * up as it is made. */
static void many_calls_add_up(void)
{
    enum { RANKS = 7, ROUNDS = 20000 };
    static int64_t now[RANKS], expected[RANKS], late[RANKS];
    memset(now, 0, sizeof now);
    memset(expected, 0, sizeof expected);
    memset(late, 0, sizeof late);
    seed = 1;
    calls_begin(RANKS);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t begun[RANKS];
        int last = 0;
        for (int32_t r = 0; r < RANKS; r++) {
            const int64_t work = 1 + random_below(1000);
            call(r, "work", now[r], now[r] + work);
            now[r] += work;
            begun[r] = now[r] + 1;
            call(r, "MPI_Isend", begun[r], begun[r] + 1), sent((r + 1) % RANKS, round % 3);
            now[r] += 3;
        }
        for (int32_t r = 0; r < RANKS; r++) {
            const int from = (r + RANKS - 1) % RANKS;
            const int64_t wait = begun[from] > now[r] ? begun[from] - now[r] : 0;
            call(r, "MPI_Recv", now[r], now[r] + wait + 5), received(from, round % 3);
            expected[r] += wait;
            late[from] += wait;
            now[r] += wait + 6;
        }
        for (int32_t r = 1; r < RANKS; r++)
            last = now[r] >= now[last] ? r : last; /* as they are sorted */
        const int64_t end = now[last] + 10;
        for (int32_t r = 0; r < RANKS; r++) {
            call(r, "MPI_Barrier", now[r], end), collective(round, -1);
            expected[r] += now[last] - now[r];
            late[last] += now[last] - now[r];
        }
        for (int32_t r = 0; r < RANKS; r++)
            now[r] = end + random_below(5);
    }
    find();
    CU_ASSERT_EQUAL(scope_waits_unmatched(&waits), 0);
    for (int32_t r = 0; r < RANKS; r++) {
        CU_ASSERT_EQUAL(waits.ranks[r].waited.total_ns, expected[r]);
        CU_ASSERT_EQUAL(waits.ranks[r].caused.total_ns, late[r]);
    }
    check_sums();
    done();
}

/* Whatever a file says, within what its reader lets through. */
static void damaged_tables_do_no_harm(void)
{
    static const char *const names[] = {"MPI_Recv",  "MPI_Send",  "MPI_Waitall", "MPI_Irecv",
                                        "MPI_Bcast", "MPI_Scan",  "MPI_Barrier", "MPI_Reduce",
                                        "solve",     "MPI_Probe", "MPI_Sendrecv", "MPI_Issend",
                                        "MPI_Start", "MPI_Wait",  "MPI_Ibarrier"};
    for (int round = 0; round < 300; round++) {
        seed = (uint64_t)round;
        calls_begin(1 + (int32_t)random_below(4));
        const int more = communicator(random_below(3), 0, (int32_t)random_below(4),
                                      (const int32_t[]){1, 0, 3, -1});
        for (int i = 0; i < 200; i++) {
            on(random_below(4) ? 0 : more);
            call((int32_t)random_below(4), names[random_below(15)], random_below(500), 500);
            for (int64_t k = random_below(4); k > 0; k--)
                message((int32_t)random_below(SCOPE_MESSAGE_KINDS + 1) - 1,
                        (int32_t)random_below(5) - 1, (int32_t)random_below(4) - 1),
                    of_bytes(random_below(4)   ? random_below(4)
                             : random_below(2) ? INT64_MAX
                                               : -1);
        }
        find();
        static const int64_t extremes[] = {-SCOPE_TIME_MAX_NS, SCOPE_TIME_MAX_NS, 0, -1, 7};
        for (uint64_t row = 0; row < calls->count; row++) {
            if (random_below(8) == 0)
                calls->start_ns[row] = extremes[random_below(5)];
            if (random_below(8) == 0)
                calls->duration_ns[row] = extremes[random_below(5)];
            if (calls->call_ids && random_below(8) == 0)
                calls->call_ids[row] = random_below(2) ? random_below(300) : INT64_MAX;
            if (calls->parent_ids && random_below(8) == 0)
                calls->parent_ids[row] = random_below(2) ? random_below(300) : -1;
        }
        for (size_t i = 0; i < calls->rank_row_count; i++)
            calls->ranks[i].bound_ns = random_below(2) ? INT64_MAX : random_below(90);
        again();
        CU_ASSERT_TRUE(waits.count <= calls->count);
        done();
    }
}

/* As no program does: nobody climbs out of all of them for each. */
static void calls_may_be_as_deep_as_a_file_says(void)
{
    enum { DEPTH = 100000 };
    calls_begin(2);
    call(0, "main", 0, 4 * DEPTH);
    for (int i = 1; i < DEPTH; i++) {
        call(0, "MPI_Recv", i, 4 * DEPTH - i), received(1, 0);
        call(1, "MPI_Send", 2 * DEPTH + i, 2 * DEPTH + i), sent(0, 0);
    }
    find();
    CU_ASSERT_EQUAL(waits.count, DEPTH - 1);
    CU_ASSERT_STRING_EQUAL(name_of(waits.rows[0].region), "main");
    check_sums();
    done();
}

static void tables_without_messages_have_no_waits(void)
{
    calls_begin(2);
    call(0, "MPI_Barrier", 0, 10);
    call(1, "MPI_Barrier", 5, 10);
    find();
    CU_ASSERT_EQUAL(waits.count, 0);
    CU_ASSERT_EQUAL(waits.collective_count, 0);
    calls->mpi_kinds = NULL;
    again();
    CU_ASSERT_EQUAL(waits.rank_count, 0);
    calls->is_aggregate = 1;
    again();
    CU_ASSERT_EQUAL(waits.rank_count, 0);
    done();
}

static void all_have_names(void)
{
    for (int i = 0; i < SCOPE_WAIT_KINDS; i++)
        CU_ASSERT_TRUE(*scope_wait_kind_name(i));
    for (int i = 0; i < SCOPE_UNMATCHED_REASONS; i++)
        CU_ASSERT_TRUE(*scope_unmatched_name(i));
    CU_ASSERT_STRING_EQUAL(scope_wait_kind_name(-1), "");
    CU_ASSERT_STRING_EQUAL(scope_unmatched_name(SCOPE_UNMATCHED_REASONS), "");
}

int main(void)
{
    const unit_test tests[] = {UNIT(a_receive_waits_until_its_message_is_sent),
                               UNIT(a_wait_for_several_lasts_until_the_latest),
                               UNIT(a_waitsome_that_finds_one_there_does_not_wait),
                               UNIT(a_send_waits_until_its_receive_is_posted),
                               UNIT(a_wait_for_a_send_lasts_until_its_receive_is_posted),
                               UNIT(a_completed_send_is_known_by_those_begun_since),
                               UNIT(sends_of_several_threads_may_be_counted_otherwise),
                               UNIT(a_sendrecv_waits_for_the_later_of_both),
                               UNIT(nobody_waits_for_himself),
                               UNIT(messages_are_matched_in_the_order_of_postings),
                               UNIT(a_message_takes_the_first_posting_that_fits),
                               UNIT(a_posting_that_nobody_completed_makes_those_behind_it_unsure),
                               UNIT(receives_whose_posting_was_not_recorded_still_wait),
                               UNIT(a_probe_waits_for_what_is_received_next),
                               UNIT(collectives_wait_for_those_that_they_need),
                               UNIT(the_last_to_come_is_the_cause),
                               UNIT(a_call_that_returns_early_waits_for_those_before),
                               UNIT(collectives_that_others_wait_for_are_counted),
                               UNIT(the_wait_for_a_collective_waits_for_those_that_it_needs),
                               UNIT(ends_of_collectives_that_are_not_here_are_counted),
                               UNIT(ranks_that_lack_make_collectives_incomplete),
                               UNIT(calls_that_differ_are_no_collective),
                               UNIT(a_barrier_that_was_left_before_all_came_is_none),
                               UNIT(communicators_are_told_apart_by_members_and_serial),
                               UNIT(messages_without_partner_are_counted),
                               UNIT(a_rank_that_was_killed_lacks_the_last),
                               UNIT(folded_calls_lack_the_first),
                               UNIT(what_waits_overlap_counts_for_each),
                               UNIT(causes_are_looked_for_on_the_thread_that_was_late),
                               UNIT(calls_without_ids_have_no_region),
                               UNIT(waits_are_as_exact_as_the_clocks),
                               UNIT(a_message_may_arrive_early_by_as_much_as_the_clocks_differ),
                               UNIT(many_calls_add_up),
                               UNIT(damaged_tables_do_no_harm),
                               UNIT(calls_may_be_as_deep_as_a_file_says),
                               UNIT(tables_without_messages_have_no_waits),
                               UNIT(all_have_names),
                               {0}};
    return unit_run("waits", tests);
}
