/* rma.c - every one-sided call, and what its row must say. See rows.h; 3 ranks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "rows.h"

static int memory[8];

static void fences(MPI_Comm comm)
{
    MPI_Win window;
    int mine[4] = {10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3}, got[4] = {0};
    memset(memory, 0, sizeof memory);
    C(Win_create)(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, comm, &window);
    expect("Win_create", 0, -1, "collective");
    MPI_Info info = an_info();
    MPI_Win_set_info(window, info);
    MPI_Info_free(&info);
    expect("Win_set_info", 0, -1, "collective");
    MPI_Win_fence(0, window);
    expect("Win_fence", 0, -1, "collective");
    int peer; /* the right one in `comm`, which may count backwards */
    int in_comm;
    MPI_Comm_rank(comm, &in_comm);
    peer = (in_comm + 1) % size;
    const int world_peer = comm == MPI_COMM_WORLD ? right : left;
    C(Put)(mine, 4, MPI_INT, peer, 0, 4, MPI_INT, window);
    expect("Put", 16, world_peer, "remote");
    C(Put)(mine, 4, MPI_INT, MPI_PROC_NULL, 0, 4, MPI_INT, window);
    expect("Put", 0, -1, "-");
    MPI_Win_fence(0, window);
    expect("Win_fence", 0, -1, "collective");
    C(Accumulate)(mine, 2, MPI_INT, peer, 0, 2, MPI_INT, MPI_SUM, window);
    expect("Accumulate", 8, world_peer, "remote");
    MPI_Win_fence(0, window);
    expect("Win_fence", 0, -1, "collective");
    C(Get)(got, 3, MPI_INT, peer, 0, 3, MPI_INT, window);
    expect("Get", 12, world_peer, "remote");
    MPI_Win_fence(0, window);
    expect("Win_fence", 0, -1, "collective");
    MPI_Win_free(&window);
    expect("Win_free", 0, -1, "collective");
    SHOW("put", memory);
    SHOW("got", got);
}

static void locks(void)
{
    MPI_Win window;
    MPI_Request request;
    int *base, one = 1, mine[4] = {rank, 1, 2, 3}, before[4] = {0}, old = -1;
    C(Win_allocate)(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    expect("Win_allocate", 0, -1, "collective");
    memset(base, 0, 8 * sizeof(int));
    barrier();
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window);
    expect("Win_lock", 0, right, "-");
    C(Put)(mine, 4, MPI_INT, right, 0, 4, MPI_INT, window);
    expect("Put", 16, right, "remote");
    MPI_Win_flush(right, window);
    expect("Win_flush", 0, right, "-");
    MPI_Win_flush_local(right, window);
    expect("Win_flush_local", 0, right, "-");
    MPI_Win_sync(window);
    expect("Win_sync", 0, -1, "-");
    MPI_Win_unlock(right, window);
    expect("Win_unlock", 0, right, "-");
    barrier();
    MPI_Win_lock_all(0, window);
    expect("Win_lock_all", 0, -1, "-");
    C(Get_accumulate)(mine, 2, MPI_INT, before, 2, MPI_INT, right, 0, 2, MPI_INT, MPI_SUM, window);
    expect("Get_accumulate", 8, right, "remote");
    MPI_Win_flush_all(window);
    expect("Win_flush_all", 0, -1, "-");
    MPI_Win_flush_local_all(window);
    expect("Win_flush_local_all", 0, -1, "-");
    SHOW("before", before);
    MPI_Fetch_and_op(&one, &old, MPI_INT, right, 5, MPI_SUM, window);
    expect("Fetch_and_op", 4, right, "remote");
    MPI_Win_flush_all(window);
    expect("Win_flush_all", 0, -1, "-");
    show("old", &old, 1);
    const int seven = 7, zero = 0;
    MPI_Compare_and_swap(&seven, &zero, &old, MPI_INT, right, 6, window);
    expect("Compare_and_swap", 4, right, "remote");
    MPI_Win_flush_all(window);
    expect("Win_flush_all", 0, -1, "-");
    show("old", &old, 1);
    C(Rput)(mine, 1, MPI_INT, right, 7, 1, MPI_INT, window, &request);
    expect("Rput", 4, right, "remote");
    wait_for(&request);
    MPI_Win_flush_all(window);
    expect("Win_flush_all", 0, -1, "-");
    C(Raccumulate)(mine, 1, MPI_INT, right, 7, 1, MPI_INT, MPI_SUM, window, &request);
    expect("Raccumulate", 4, right, "remote");
    wait_for(&request);
    MPI_Win_flush_all(window);
    expect("Win_flush_all", 0, -1, "-");
    C(Rget_accumulate)(mine, 1, MPI_INT, before, 1, MPI_INT, right, 7, 1, MPI_INT, MPI_SUM, window,
                       &request);
    expect("Rget_accumulate", 4, right, "remote");
    wait_for(&request);
    MPI_Win_flush_all(window);
    expect("Win_flush_all", 0, -1, "-");
    C(Rget)(before, 2, MPI_INT, right, 2, 2, MPI_INT, window, &request);
    expect("Rget", 8, right, "remote");
    wait_for(&request);
    MPI_Win_unlock_all(window);
    expect("Win_unlock_all", 0, -1, "-");
    barrier();
    SHOW("before", before);
    show("base", base, 8);
    MPI_Win_free(&window);
    expect("Win_free", 0, -1, "collective");
}

static void groups(void)
{
    MPI_Win window;
    MPI_Group world, to, from;
    int *base, flag = 0, mine = 5 + rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &right, &to);
    MPI_Group_incl(world, 1, &left, &from);
    C(Win_allocate_shared)(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    expect("Win_allocate_shared", 0, -1, "collective");
    *base = 0;
    barrier();
    for (int tested = 0; tested < 2; tested++) {
        MPI_Win_post(from, 0, window);
        expect("Win_post", 0, -1, "-");
        MPI_Win_start(to, 0, window);
        expect("Win_start", 0, -1, "-");
        C(Accumulate)(&mine, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_SUM, window);
        expect("Accumulate", 4, right, "remote");
        MPI_Win_complete(window);
        expect("Win_complete", 0, -1, "-");
        if (!tested) {
            MPI_Win_wait(window);
            expect("Win_wait", 0, -1, "-");
        }
        for (flag = !tested; !flag;) {
            MPI_Win_test(window, &flag);
            expect("Win_test", 0, -1, "-");
        }
    }
    barrier();
    show("shared", base, 1);
    MPI_Win_free(&window);
    expect("Win_free", 0, -1, "collective");
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    expect("Win_create_dynamic", 0, -1, "collective");
    MPI_Win_free(&window);
    expect("Win_free", 0, -1, "collective");
    MPI_Group_free(&world);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
}

int main(int argc, char **argv)
{
    MPI_Comm backwards;
    start(&argc, &argv);
    fences(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    expect("Comm_split", 0, -1, "collective");
    fences(backwards);
    MPI_Comm_free(&backwards);
    expect("Comm_free", 0, -1, "collective");
    locks();
    groups();
    finish();
    return 0;
}
