/* count_messages.c - which messages MPI calls move, by function, communicator and peer: the
 * oracle of what the profiler says of communication.
 *
 * Shares nothing with the wrappers that it checks: it asks MPI (PMPI_) for sizes and members
 * at each call, and keeps nothing but the communicators of receives that are not complete. Each
 * process appends to $COUNT_MESSAGES_DIR/<rank>.<pid> when it ends, a line for each sum:
 *
 *     rank function kind members peer messages bytes
 *
 * members: ranks in MPI_COMM_WORLD with commas; peer -1: none. The calls that real programs
 * of the tests make, in C; of Fortran those few that they make directly.
 *
 * Build: mpicc -shared -fPIC count_messages.c -o libcount_messages.so -ldl; use: LD_PRELOAD.
 *
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __thread int depth; /* MPI libraries call themselves */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_mpi;

/* ---- sums ---- */

typedef struct sum {
    const char *function, *kind; /* literals */
    char *members;
    int peer;
    long messages, bytes;
} sum;

static sum *sums;
static size_t sum_count;

/* `peer` is a rank of the group. */
static void count_in(const char *function, const char *kind, MPI_Group group, int peer, long bytes)
{
    enum { RANKS = 256, TEXT = RANKS * 6 };
    int own[RANKS], ranks[RANKS], size;
    char members[TEXT] = "";
    MPI_Group world;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &size);
    for (int i = 0; i < size && i < RANKS; i++)
        own[i] = i;
    if (size <= RANKS)
        PMPI_Group_translate_ranks(group, size, own, world, ranks);
    PMPI_Group_free(&world);
    for (int i = 0; i < size && i < RANKS; i++)
        snprintf(members + strlen(members), TEXT - strlen(members), "%s%d", i ? "," : "", ranks[i]);
    const int of = peer >= 0 && peer < size && size <= RANKS ? ranks[peer] : -1;
    pthread_mutex_lock(&mutex);
    size_t i = 0;
    while (i < sum_count &&
           !(sums[i].peer == of && strcmp(sums[i].function, function) == 0 &&
             strcmp(sums[i].kind, kind) == 0 && strcmp(sums[i].members, members) == 0))
        i++;
    if (i == sum_count) {
        sums = realloc(sums, ++sum_count * sizeof *sums);
        sums[i] = (sum){function, kind, strdup(members), of, 0, 0};
    }
    sums[i].messages++;
    sums[i].bytes += bytes;
    pthread_mutex_unlock(&mutex);
}

static void count(const char *function, const char *kind, MPI_Comm comm, int peer, long bytes)
{
    MPI_Group group;
    int inter;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        return; /* no real program of the tests has one */
    PMPI_Comm_group(comm, &group);
    count_in(function, kind, group, peer, bytes);
    PMPI_Group_free(&group);
}

__attribute__((destructor)) static void report(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *folder = getenv("COUNT_MESSAGES_DIR");
    char path[4096];
    if (!rank)
        rank = getenv("PMI_RANK");
    if (!folder || !is_mpi)
        return;
    snprintf(path, sizeof path, "%s/%s.%ld", folder, rank ? rank : "0", (long)getpid());
    FILE *file = fopen(path, "w");
    for (size_t i = 0; file && i < sum_count; i++)
        fprintf(file, "%s %s %s %s %d %ld %ld\n", rank ? rank : "0", sums[i].function, sums[i].kind,
                sums[i].members, sums[i].peer, sums[i].messages, sums[i].bytes);
    if (file)
        fclose(file);
}

static long size_of(MPI_Datatype type)
{
    int size = 0;
    if (type != MPI_DATATYPE_NULL)
        PMPI_Type_size(type, &size);
    return size;
}

/* The next symbol of that name: another tool's, or MPI's. */
#define NEXT(name, parameters)                                                                     \
    static int(*next) parameters;                                                                  \
    if (!next)                                                                                     \
    next = (int(*) parameters)dlsym(RTLD_NEXT, #name)

#define OUTERMOST (depth == 0)
#define CALL(arguments)                                                                            \
    depth++;                                                                                       \
    const int rc = next arguments;                                                                 \
    depth--

/* ---- sends and receives ---- */

static void sent(const char *function, long bytes, int dest, MPI_Comm comm)
{
    if (dest != MPI_PROC_NULL)
        count(function, "sent", comm, dest, bytes);
}

static void received(const char *function, const MPI_Status *status, MPI_Comm comm)
{
    int bytes = 0, cancelled = 0;
    PMPI_Test_cancelled(status, &cancelled);
    if (cancelled || status->MPI_SOURCE == MPI_PROC_NULL)
        return;
    PMPI_Get_count(status, MPI_BYTE, &bytes);
    count(function, "received", comm, status->MPI_SOURCE, bytes);
}

#define SEND_PARAMETERS (const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c)
#define ISEND_PARAMETERS                                                                           \
    (const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c, MPI_Request *r)
#define SEND(name)                                                                                 \
    int MPI_##name SEND_PARAMETERS                                                                 \
    {                                                                                              \
        NEXT(MPI_##name, SEND_PARAMETERS);                                                         \
        if (OUTERMOST)                                                                             \
            sent("MPI_" #name, n *size_of(t), dest, c);                                            \
        CALL((b, n, t, dest, tag, c));                                                             \
        return rc;                                                                                 \
    }
#define ISEND(name)                                                                                \
    int MPI_##name ISEND_PARAMETERS                                                                \
    {                                                                                              \
        NEXT(MPI_##name, ISEND_PARAMETERS);                                                        \
        if (OUTERMOST)                                                                             \
            sent("MPI_" #name, n *size_of(t), dest, c);                                            \
        CALL((b, n, t, dest, tag, c, r));                                                          \
        return rc;                                                                                 \
    }
/* clang-format off */
SEND(Send) SEND(Bsend) SEND(Ssend) SEND(Rsend)
ISEND(Isend) ISEND(Ibsend) ISEND(Issend) ISEND(Irsend)

int MPI_Recv(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Status *s)
{
    NEXT(MPI_Recv, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *));
    MPI_Status own;
    const int outermost = OUTERMOST;
    if (s == MPI_STATUS_IGNORE)
        s = &own;
    CALL((b, n, t, source, tag, c, s));
    if (outermost && rc == MPI_SUCCESS)
        received("MPI_Recv", s, c);
    return rc;
}
/* clang-format on */

int MPI_Sendrecv(const void *b, int n, MPI_Datatype t, int dest, int tag, void *rb, int rn,
                 MPI_Datatype rt, int source, int rtag, MPI_Comm c, MPI_Status *s)
{
    NEXT(MPI_Sendrecv, (const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int,
                        int, MPI_Comm, MPI_Status *));
    MPI_Status own;
    const int outermost = OUTERMOST;
    if (s == MPI_STATUS_IGNORE)
        s = &own;
    if (outermost)
        sent("MPI_Sendrecv", n * size_of(t), dest, c);
    CALL((b, n, t, dest, tag, rb, rn, rt, source, rtag, c, s));
    if (outermost && rc == MPI_SUCCESS)
        received("MPI_Sendrecv", s, c);
    return rc;
}

/* ---- requests ---- */

typedef struct posted { /* a receive, or a persistent request */
    MPI_Request request;
    MPI_Comm comm;
    int is_persistent, is_send, peer;
    long bytes;
} posted;

static posted *all_posted;
static size_t posted_count;

static void post(posted new)
{
    pthread_mutex_lock(&mutex);
    all_posted = realloc(all_posted, (posted_count + 1) * sizeof *all_posted);
    all_posted[posted_count++] = new;
    pthread_mutex_unlock(&mutex);
}

/* 0: it is none of these. */
static int find(MPI_Request request, posted *found, int take)
{
    int is_there = 0;
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < posted_count && request != MPI_REQUEST_NULL; i++)
        if (all_posted[i].request == request) {
            *found = all_posted[i];
            is_there = 1;
            if (take)
                all_posted[i] = all_posted[--posted_count];
            break;
        }
    pthread_mutex_unlock(&mutex);
    return is_there;
}

int MPI_Irecv(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Request *r)
{
    NEXT(MPI_Irecv, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *));
    const int outermost = OUTERMOST;
    CALL((b, n, t, source, tag, c, r));
    if (outermost && rc == MPI_SUCCESS && source != MPI_PROC_NULL) {
        count("MPI_Irecv", "posted", c, source, 0);
        post((posted){*r, c, 0, 0, source, 0});
    }
    return rc;
}

int MPI_Send_init ISEND_PARAMETERS
{
    NEXT(MPI_Send_init, ISEND_PARAMETERS);
    const int outermost = OUTERMOST;
    CALL((b, n, t, dest, tag, c, r));
    if (outermost && rc == MPI_SUCCESS && dest != MPI_PROC_NULL)
        post((posted){*r, c, 1, 1, dest, n * size_of(t)});
    return rc;
}

int MPI_Recv_init(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Request *r)
{
    NEXT(MPI_Recv_init, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *));
    const int outermost = OUTERMOST;
    CALL((b, n, t, source, tag, c, r));
    if (outermost && rc == MPI_SUCCESS && source != MPI_PROC_NULL)
        post((posted){*r, c, 1, 0, source, 0});
    return rc;
}

static void start(const char *function, const MPI_Request *requests, int n)
{
    posted of;
    for (int i = 0; i < n; i++)
        if (find(requests[i], &of, 0))
            count(function, of.is_send ? "sent" : "posted", of.comm, of.peer, of.bytes);
}

int MPI_Startall(int n, MPI_Request r[])
{
    NEXT(MPI_Startall, (int, MPI_Request[]));
    if (OUTERMOST)
        start("MPI_Startall", r, n);
    CALL((n, r));
    return rc;
}

int MPI_Start(MPI_Request *r)
{
    NEXT(MPI_Start, (MPI_Request *));
    if (OUTERMOST)
        start("MPI_Start", r, 1);
    CALL((r));
    return rc;
}

int MPI_Request_free(MPI_Request *r)
{
    NEXT(MPI_Request_free, (MPI_Request *));
    posted of;
    if (OUTERMOST)
        find(*r, &of, 1);
    CALL((r));
    return rc;
}

/* Requests as they were before the call; MPI sets those that are over to null. */

static MPI_Request *copy_of(const MPI_Request *requests, int n)
{
    MPI_Request *copy = malloc(((size_t)(n > 0 ? n : 0) + 1) * sizeof *copy);
    if (n > 0)
        memcpy(copy, requests, (size_t)n * sizeof *copy);
    return copy;
}

static void completed(const char *function, MPI_Request request, const MPI_Status *status)
{
    posted of;
    if (!find(request, &of, 0) || of.is_send)
        return;
    if (!of.is_persistent)
        find(request, &of, 1);
    /* an inactive persistent request has an empty status */
    if (!of.is_persistent || status->MPI_SOURCE != MPI_ANY_SOURCE)
        received(function, status, of.comm);
}

#define OWN_STATUS(s)                                                                              \
    MPI_Status own_status;                                                                         \
    if (s == MPI_STATUS_IGNORE)                                                                    \
    s = &own_status
#define OWN_STATUSES(s, n)                                                                         \
    MPI_Status *own_statuses = malloc(((size_t)(n > 0 ? n : 0) + 1) * sizeof *own_statuses);       \
    if (s == MPI_STATUSES_IGNORE)                                                                  \
    s = own_statuses

int MPI_Wait(MPI_Request *r, MPI_Status *s)
{
    NEXT(MPI_Wait, (MPI_Request *, MPI_Status *));
    const int outermost = OUTERMOST;
    const MPI_Request before = *r;
    OWN_STATUS(s);
    CALL((r, s));
    if (outermost && rc == MPI_SUCCESS)
        completed("MPI_Wait", before, s);
    return rc;
}

int MPI_Test(MPI_Request *r, int *flag, MPI_Status *s)
{
    NEXT(MPI_Test, (MPI_Request *, int *, MPI_Status *));
    const int outermost = OUTERMOST;
    const MPI_Request before = *r;
    OWN_STATUS(s);
    CALL((r, flag, s));
    if (outermost && rc == MPI_SUCCESS && *flag)
        completed("MPI_Test", before, s);
    return rc;
}

int MPI_Waitall(int n, MPI_Request r[], MPI_Status s[])
{
    NEXT(MPI_Waitall, (int, MPI_Request[], MPI_Status[]));
    const int outermost = OUTERMOST;
    MPI_Request *before = copy_of(r, n);
    OWN_STATUSES(s, n);
    CALL((n, r, s));
    for (int i = 0; outermost && rc == MPI_SUCCESS && i < n; i++)
        completed("MPI_Waitall", before[i], &s[i]);
    free(before);
    free(own_statuses);
    return rc;
}

int MPI_Testall(int n, MPI_Request r[], int *flag, MPI_Status s[])
{
    NEXT(MPI_Testall, (int, MPI_Request[], int *, MPI_Status[]));
    const int outermost = OUTERMOST;
    MPI_Request *before = copy_of(r, n);
    OWN_STATUSES(s, n);
    CALL((n, r, flag, s));
    for (int i = 0; outermost && rc == MPI_SUCCESS && *flag && i < n; i++)
        completed("MPI_Testall", before[i], &s[i]);
    free(before);
    free(own_statuses);
    return rc;
}

int MPI_Waitany(int n, MPI_Request r[], int *index, MPI_Status *s)
{
    NEXT(MPI_Waitany, (int, MPI_Request[], int *, MPI_Status *));
    const int outermost = OUTERMOST;
    MPI_Request *before = copy_of(r, n);
    OWN_STATUS(s);
    CALL((n, r, index, s));
    if (outermost && rc == MPI_SUCCESS && *index != MPI_UNDEFINED)
        completed("MPI_Waitany", before[*index], s);
    free(before);
    return rc;
}

int MPI_Testany(int n, MPI_Request r[], int *index, int *flag, MPI_Status *s)
{
    NEXT(MPI_Testany, (int, MPI_Request[], int *, int *, MPI_Status *));
    const int outermost = OUTERMOST;
    MPI_Request *before = copy_of(r, n);
    OWN_STATUS(s);
    CALL((n, r, index, flag, s));
    if (outermost && rc == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED)
        completed("MPI_Testany", before[*index], s);
    free(before);
    return rc;
}

int MPI_Waitsome(int n, MPI_Request r[], int *out, int indices[], MPI_Status s[])
{
    NEXT(MPI_Waitsome, (int, MPI_Request[], int *, int[], MPI_Status[]));
    const int outermost = OUTERMOST;
    MPI_Request *before = copy_of(r, n);
    OWN_STATUSES(s, n);
    CALL((n, r, out, indices, s));
    for (int i = 0; outermost && rc == MPI_SUCCESS && *out != MPI_UNDEFINED && i < *out; i++)
        completed("MPI_Waitsome", before[indices[i]], &s[i]);
    free(before);
    free(own_statuses);
    return rc;
}

/* ---- collectives: what this rank passes as its data argument ---- */

#define COLLECTIVE(name, parameters, arguments, bytes, root)                                       \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        NEXT(MPI_##name, parameters);                                                              \
        if (OUTERMOST) {                                                                           \
            int me, size;                                                                          \
            PMPI_Comm_rank(c, &me);                                                                \
            PMPI_Comm_size(c, &size);                                                              \
            (void)me, (void)size;                                                                  \
            count("MPI_" #name, "collective", c, root, bytes);                                     \
        }                                                                                          \
        CALL(arguments);                                                                           \
        return rc;                                                                                 \
    }

static long sum_of(const int counts[], int n)
{
    long all = 0;
    for (int i = 0; i < n; i++)
        all += counts[i];
    return all;
}

COLLECTIVE(Barrier, (MPI_Comm c), (c), 0, -1)
COLLECTIVE(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c),
           n *size_of(t), root)
COLLECTIVE(Reduce, (const void *b, void *r, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c),
           (b, r, n, t, op, root, c), n *size_of(t), root)
COLLECTIVE(Allreduce, (const void *b, void *r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
           (b, r, n, t, op, c), n *size_of(t), -1)
COLLECTIVE(Scan, (const void *b, void *r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
           (b, r, n, t, op, c), n *size_of(t), -1)
COLLECTIVE(Gather,
           (const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, int root,
            MPI_Comm c),
           (b, n, t, r, rn, rt, root, c),
           b == MPI_IN_PLACE ? size * rn * size_of(rt) : n * size_of(t), root)
COLLECTIVE(Gatherv,
           (const void *b, int n, MPI_Datatype t, void *r, const int rn[], const int d[],
            MPI_Datatype rt, int root, MPI_Comm c),
           (b, n, t, r, rn, d, rt, root, c),
           b == MPI_IN_PLACE ? sum_of(rn, size) * size_of(rt) : n * size_of(t), root)
COLLECTIVE(Scatter,
           (const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, int root,
            MPI_Comm c),
           (b, n, t, r, rn, rt, root, c), me == root ? size * n * size_of(t) : rn * size_of(rt),
           root)
COLLECTIVE(Scatterv,
           (const void *b, const int n[], const int d[], MPI_Datatype t, void *r, int rn,
            MPI_Datatype rt, int root, MPI_Comm c),
           (b, n, d, t, r, rn, rt, root, c),
           me == root ? sum_of(n, size) * size_of(t) : rn * size_of(rt), root)
COLLECTIVE(Allgather,
           (const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, MPI_Comm c),
           (b, n, t, r, rn, rt, c), b == MPI_IN_PLACE ? size * rn * size_of(rt) : n * size_of(t),
           -1)
COLLECTIVE(Allgatherv,
           (const void *b, int n, MPI_Datatype t, void *r, const int rn[], const int d[],
            MPI_Datatype rt, MPI_Comm c),
           (b, n, t, r, rn, d, rt, c),
           b == MPI_IN_PLACE ? sum_of(rn, size) * size_of(rt) : n * size_of(t), -1)
COLLECTIVE(Alltoall,
           (const void *b, int n, MPI_Datatype t, void *r, int rn, MPI_Datatype rt, MPI_Comm c),
           (b, n, t, r, rn, rt, c), size *(b == MPI_IN_PLACE ? rn * size_of(rt) : n * size_of(t)),
           -1)
COLLECTIVE(Alltoallv,
           (const void *b, const int n[], const int d[], MPI_Datatype t, void *r, const int rn[],
            const int rd[], MPI_Datatype rt, MPI_Comm c),
           (b, n, d, t, r, rn, rd, rt, c),
           b == MPI_IN_PLACE ? sum_of(rn, size) * size_of(rt) : sum_of(n, size) * size_of(t), -1)
COLLECTIVE(Reduce_scatter,
           (const void *b, void *r, const int n[], MPI_Datatype t, MPI_Op op, MPI_Comm c),
           (b, r, n, t, op, c), sum_of(n, size) * size_of(t), -1)
COLLECTIVE(Comm_dup, (MPI_Comm c, MPI_Comm *to), (c, to), 0, -1)
COLLECTIVE(Comm_split, (MPI_Comm c, int color, int key, MPI_Comm *to), (c, color, key, to), 0, -1)
COLLECTIVE(Comm_create, (MPI_Comm c, MPI_Group g, MPI_Comm *to), (c, g, to), 0, -1)
COLLECTIVE(Cart_create,
           (MPI_Comm c, int n, const int dims[], const int periods[], int reorder, MPI_Comm *to),
           (c, n, dims, periods, reorder, to), 0, -1)

/* ---- files and windows ---- */

static void moved(const char *function, const char *kind, MPI_File file, long bytes)
{
    MPI_Group group;
    PMPI_File_get_group(file, &group);
    count_in(function, kind, group, -1, bytes);
    PMPI_Group_free(&group);
}

/* clang-format off */
#define WRITE(name)                                                                                \
    int MPI_##name(MPI_File f, MPI_Offset at, const void *b, int n, MPI_Datatype t, MPI_Status *s) \
    {                                                                                              \
        NEXT(MPI_##name, (MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *));   \
        if (OUTERMOST)                                                                             \
            moved("MPI_" #name, "written", f, n * size_of(t));                                     \
        CALL((f, at, b, n, t, s));                                                                 \
        return rc;                                                                                 \
    }
#define READ(name)                                                                                 \
    int MPI_##name(MPI_File f, MPI_Offset at, void *b, int n, MPI_Datatype t, MPI_Status *s)       \
    {                                                                                              \
        NEXT(MPI_##name, (MPI_File, MPI_Offset, void *, int, MPI_Datatype, MPI_Status *));         \
        const int outermost = OUTERMOST;                                                           \
        int bytes = 0;                                                                             \
        OWN_STATUS(s);                                                                             \
        CALL((f, at, b, n, t, s));                                                                 \
        PMPI_Get_count(s, MPI_BYTE, &bytes);                                                       \
        if (outermost && rc == MPI_SUCCESS)                                                        \
            moved("MPI_" #name, "read", f, bytes);                                                 \
        return rc;                                                                                 \
    }
WRITE(File_write_at) WRITE(File_write_at_all)
READ(File_read_at) READ(File_read_at_all)

#define REMOTE(name, parameters, arguments)                                                        \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        NEXT(MPI_##name, parameters);                                                              \
        if (OUTERMOST && target != MPI_PROC_NULL) {                                                \
            MPI_Group group;                                                                       \
            PMPI_Win_get_group(w, &group);                                                         \
            count_in("MPI_" #name, "remote", group, target, n * size_of(t));                       \
            PMPI_Group_free(&group);                                                               \
        }                                                                                          \
        CALL(arguments);                                                                           \
        return rc;                                                                                 \
    }
REMOTE(Put, (const void *b, int n, MPI_Datatype t, int target, MPI_Aint at, int tn, MPI_Datatype tt, MPI_Win w),
       (b, n, t, target, at, tn, tt, w))
REMOTE(Get, (void *b, int n, MPI_Datatype t, int target, MPI_Aint at, int tn, MPI_Datatype tt, MPI_Win w),
       (b, n, t, target, at, tn, tt, w))
REMOTE(Accumulate, (const void *b, int n, MPI_Datatype t, int target, MPI_Aint at, int tn, MPI_Datatype tt,
                    MPI_Op op, MPI_Win w), (b, n, t, target, at, tn, tt, op, w))
/* ---- start ---- */

int MPI_Init(int *argc, char ***argv)
{
    NEXT(MPI_Init, (int *, char ***));
    CALL((argc, argv));
    is_mpi = 1;
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    NEXT(MPI_Init_thread, (int *, char ***, int, int *));
    CALL((argc, argv, required, provided));
    is_mpi = 1;
    return rc;
}

/* clang-format on */

/* ---- Fortran ---- */

#define NEXT_F(name, parameters)                                                                   \
    static void(*next) parameters;                                                                 \
    if (!next)                                                                                     \
    next = (void(*) parameters)dlsym(RTLD_NEXT, #name)
#define CALL_F(arguments)                                                                          \
    depth++;                                                                                       \
    next arguments;                                                                                \
    depth--

void mpi_init_(MPI_Fint *error)
{
    NEXT_F(mpi_init_, (MPI_Fint *));
    CALL_F((error));
    is_mpi = 1;
}

void mpi_send_(void *b, MPI_Fint *n, MPI_Fint *t, MPI_Fint *dest, MPI_Fint *tag, MPI_Fint *c,
               MPI_Fint *error)
{
    NEXT_F(mpi_send_,
           (void *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *));
    if (OUTERMOST)
        sent("MPI_Send", *n * size_of(PMPI_Type_f2c(*t)), *dest, PMPI_Comm_f2c(*c));
    CALL_F((b, n, t, dest, tag, c, error));
}

void mpi_recv_(void *b, MPI_Fint *n, MPI_Fint *t, MPI_Fint *source, MPI_Fint *tag, MPI_Fint *c,
               MPI_Fint *status, MPI_Fint *error)
{
    NEXT_F(mpi_recv_, (void *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *,
                       MPI_Fint *, MPI_Fint *));
    const int outermost = OUTERMOST;
    MPI_Fint own[sizeof(MPI_Status) / sizeof(MPI_Fint) + 4];
    MPI_Status read;
    if (status == MPI_F_STATUS_IGNORE)
        status = own;
    CALL_F((b, n, t, source, tag, c, status, error));
    if (outermost && *error == MPI_SUCCESS) {
        PMPI_Status_f2c(status, &read);
        received("MPI_Recv", &read, PMPI_Comm_f2c(*c));
    }
}

void mpi_comm_dup_(MPI_Fint *c, MPI_Fint *to, MPI_Fint *error)
{
    NEXT_F(mpi_comm_dup_, (MPI_Fint *, MPI_Fint *, MPI_Fint *));
    if (OUTERMOST)
        count("MPI_Comm_dup", "collective", PMPI_Comm_f2c(*c), -1, 0);
    CALL_F((c, to, error));
}
