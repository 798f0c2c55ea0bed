/* communicators.c - what we know of each communicator: its id, its peers.
 *
 *     table -> slots [key|entry] [key|entry] [0] ...   open addressing, a power of two
 *
 * A key is a handle; 0 is free, 1 was removed. Writers hold `table_lock`, which
 * is never held across an MPI call: the delete callback of our attribute takes
 * it with MPI's own locks held. A table that is full is replaced by a larger one
 * and leaked, since readers may still be in it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "communicators.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <scope/sink.h>

#include "core.h"
#include "lifecycle.h"
#include "members.h"
#include "session.h"

#define KEY_FREE 0
#define KEY_REMOVED 1
#define GRAVES 64

typedef struct table {
    size_t mask;
    size_t used; /* slots that are not free */
    struct slot {
        _Atomic uintptr_t key;
        _Atomic(mpi_comm *) entry;
    } slots[];
} table;

static mpi_comm none = {.id = -1, .parent = -1, .local_size = 1, .size = 1};
static mpi_comm world = {.id = 0, .parent = -1, .same = true};
static mpi_comm self = {.id = 1, .parent = -1};

static _Atomic uint32_t ready_for; /* the recording that was told; 0 none */
static _Atomic(table *) current;
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t register_lock = PTHREAD_MUTEX_INITIALIZER; /* one at a time */
static int keyval = MPI_KEYVAL_INVALID;
static int32_t next_id = 2;
static mpi_comm *graves[GRAVES]; /* freed, but perhaps still being read */
static unsigned next_grave;

static uintptr_t key_of(MPI_Comm comm)
{
    return (uintptr_t)comm;
}

static size_t hash(uintptr_t key)
{
    return (size_t)((uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* ---- the table ---- */

static mpi_comm *find(uintptr_t key)
{
    table *in = atomic_load_explicit(&current, memory_order_acquire);
    if (!in)
        return NULL;
    for (size_t i = hash(key) & in->mask;; i = (i + 1) & in->mask) {
        const uintptr_t there = atomic_load_explicit(&in->slots[i].key, memory_order_acquire);
        if (there == key)
            return atomic_load_explicit(&in->slots[i].entry, memory_order_acquire);
        if (there == KEY_FREE)
            return NULL;
    }
}

static void put(table *in, uintptr_t key, mpi_comm *entry)
{
    size_t i = hash(key) & in->mask;
    for (uintptr_t there; (there = in->slots[i].key) != KEY_FREE && there != KEY_REMOVED;)
        i = (i + 1) & in->mask;
    in->used += in->slots[i].key == KEY_FREE;
    atomic_store_explicit(&in->slots[i].entry, entry, memory_order_release);
    atomic_store_explicit(&in->slots[i].key, key, memory_order_release);
}

/* A table with room for one more; NULL without memory. */
static table *table_with_room(void)
{
    table *old = current;
    if (old && old->used < (old->mask + 1) / 2)
        return old;
    size_t live = 0;
    for (size_t i = 0; old && i <= old->mask; i++)
        live += old->slots[i].key > KEY_REMOVED;
    size_t slots = 64;
    while (slots < live * 4)
        slots *= 2;
    table *larger = calloc(1, sizeof *larger + slots * sizeof *larger->slots);
    if (!larger)
        return NULL;
    larger->mask = slots - 1;
    for (size_t i = 0; old && i <= old->mask; i++)
        if (old->slots[i].key > KEY_REMOVED)
            put(larger, old->slots[i].key, old->slots[i].entry);
    atomic_store_explicit(&current, larger, memory_order_release);
    return larger;
}

static bool insert(uintptr_t key, mpi_comm *entry)
{
    pthread_mutex_lock(&table_lock);
    table *in = table_with_room();
    if (in) {
        entry->id = next_id++;
        put(in, key, entry);
    }
    pthread_mutex_unlock(&table_lock);
    return in != NULL;
}

static void forget(mpi_comm *entry)
{
    pthread_mutex_lock(&table_lock);
    table *in = current;
    for (size_t i = 0; in && i <= in->mask; i++)
        if (in->slots[i].key > KEY_REMOVED && in->slots[i].entry == entry)
            atomic_store_explicit(&in->slots[i].key, KEY_REMOVED, memory_order_release);
    pthread_mutex_unlock(&table_lock);
    mpi_comm_release(entry);
}

/* ---- an entry ---- */

static void bury(mpi_comm *entry)
{
    pthread_mutex_lock(&table_lock);
    mpi_comm *oldest = graves[next_grave];
    graves[next_grave] = entry;
    next_grave = (next_grave + 1) % GRAVES;
    pthread_mutex_unlock(&table_lock);
    if (oldest) {
        free(oldest->peers);
        free(oldest);
    }
}

void mpi_comm_release(const mpi_comm *on)
{
    if (on->id > 1 && atomic_fetch_sub(&((mpi_comm *)on)->holds, 1) == 1)
        bury((mpi_comm *)on);
}

static int copy_attribute(MPI_Comm comm, int key, void *extra, void *value, void *copy, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)value, (void)copy;
    *flag = 0; /* the copy is another communicator: it gets an entry of its own */
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    forget(value);
    return MPI_SUCCESS;
}

static bool watch_end(MPI_Comm comm, mpi_comm *entry)
{
    if (keyval == MPI_KEYVAL_INVALID &&
        PMPI(Comm_create_keyval)(copy_attribute, delete_attribute, &keyval, NULL) != MPI_SUCCESS)
        return false;
    return PMPI(Comm_set_attr)(comm, keyval, entry) == MPI_SUCCESS;
}

/* Under the register lock: tell the recording. Needs no MPI. */
static void describe(const mpi_comm *on)
{
    scope_runtime_communicator((uint32_t)on->id, on->local_size, on->rank, on->parent, on->name,
                               on->members, on->serial);
}

static void take_name(mpi_comm *on)
{
    int length = 0;
    PMPI(Comm_get_name)(on->handle, on->name, &length);
}

/* Under the register lock: to a new recording, all that there are. */
static void describe_all(void)
{
    describe(&world);
    describe(&self);
    pthread_mutex_lock(&table_lock); /* nothing is freed meanwhile */
    const table *in = current;
    for (size_t i = 0; in && i <= in->mask; i++)
        if (in->slots[i].key > KEY_REMOVED)
            describe(in->slots[i].entry);
    pthread_mutex_unlock(&table_lock);
}

/* `serial` -1: the next one. */
static mpi_comm *entry_new(MPI_Comm comm, int32_t parent, int32_t serial)
{
    mpi_comm *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    int inter = 0, rank = 0, size = 1;
    PMPI(Comm_rank)(comm, &rank);
    PMPI(Comm_size)(comm, &size);
    PMPI(Comm_test_inter)(comm, &inter);
    entry->handle = comm;
    entry->rank = rank;
    entry->parent = parent;
    entry->local_size = entry->size = size;
    entry->inter = inter;
    entry->holds = 1;
    if (inter) {
        PMPI(Comm_remote_size)(comm, &size);
        entry->size = size;
    } else if (size == world.size) {
        entry->same = mpi_members_are_all(comm);
    }
    entry->members = mpi_members(comm, inter, entry->same);
    entry->serial = serial < 0 ? mpi_members_serial(entry->members) : serial;
    return entry;
}

static const mpi_comm *add(MPI_Comm comm, int32_t parent, int32_t serial)
{
    mpi_quiet_begin();
    pthread_mutex_lock(&register_lock);
    mpi_comm *entry = find(key_of(comm));
    if (!entry && (entry = entry_new(comm, parent, serial))) {
        /* Into the table first: the callback can only take out what is in it. */
        if (!insert(key_of(comm), entry)) {
            free(entry);
            entry = NULL;
        } else {
            if (!watch_end(comm, entry))
                forget(entry); /* good for this once: we would not learn of its end */
            take_name(entry);
            describe(entry);
        }
    }
    pthread_mutex_unlock(&register_lock);
    mpi_quiet_end();
    return entry ? entry : &none;
}

/* ---- what wrappers ask ---- */

static void name_fixed(void)
{
    if (mpi_sessions_run()) {
        snprintf(world.name, sizeof world.name, "mpi://WORLD");
        snprintf(self.name, sizeof self.name, "mpi://SELF");
    } else {
        take_name(&world);
        take_name(&self);
    }
}

static void add_fixed(void)
{
    int rank = scope_runtime_rank(), size = 1;
    if (!mpi_sessions_run())
        PMPI(Comm_rank)(MPI_COMM_WORLD, &rank);
    world.handle = MPI_COMM_WORLD;
    self.handle = MPI_COMM_SELF;
    world.rank = rank;
    world.members = mpi_members_fixed(-1, &size);
    world.local_size = world.size = size;
    self.local_size = self.size = 1;
    self.members = mpi_members_fixed(rank, &size);
    world.serial = mpi_members_serial(world.members);
    self.serial = mpi_members_serial(self.members);
    name_fixed();
}

static bool make_ready(uint32_t recording)
{
    if (!mpi_runs())
        return false;
    mpi_quiet_begin();
    pthread_mutex_lock(&register_lock);
    if (ready_for == 0)
        add_fixed();
    if (ready_for != recording)
        describe_all();
    atomic_store_explicit(&ready_for, recording, memory_order_release);
    pthread_mutex_unlock(&register_lock);
    mpi_quiet_end();
    return true;
}

void mpi_comm_begin(void)
{
    pthread_mutex_lock(&register_lock);
    keyval = MPI_KEYVAL_INVALID;
    if (ready_for) {
        name_fixed();
        describe(&world);
        describe(&self);
    }
    pthread_mutex_unlock(&register_lock);
}

bool mpi_comm_ready(uint32_t recording)
{
    return atomic_load_explicit(&ready_for, memory_order_acquire) == recording ||
           make_ready(recording);
}

const mpi_comm *mpi_comm_of(MPI_Comm comm)
{
    if (comm == world.handle)
        return &world;
    if (comm == self.handle)
        return &self;
    if (key_of(comm) <= KEY_REMOVED || comm == MPI_COMM_NULL)
        return &none;
    mpi_comm *entry = find(key_of(comm));
    return entry ? entry : add(comm, -1, -1);
}

static int32_t *translate(const mpi_comm *on)
{
    int32_t *peers = malloc((size_t)on->size * sizeof *peers);
    int *theirs = malloc((size_t)on->size * sizeof *theirs);
    MPI_Group group, all;
    if (!peers || !theirs)
        goto done;
    for (int i = 0; i < on->size; i++)
        theirs[i] = i;
    mpi_quiet_begin();
    if (on->inter)
        PMPI(Comm_remote_group)(on->handle, &group);
    else
        PMPI(Comm_group)(on->handle, &group);
    const bool known = mpi_world_group(&all);
    if (known) {
        PMPI(Group_translate_ranks)(group, on->size, theirs, all, peers);
        PMPI(Group_free)(&all);
    }
    PMPI(Group_free)(&group);
    mpi_quiet_end();
    for (int i = 0; !known && i < on->size; i++)
        peers[i] = -1;
    for (int i = 0; i < on->size; i++)
        if (peers[i] < 0) /* MPI_UNDEFINED: of another world */
            peers[i] = -1;
done:
    free(theirs);
    return peers;
}

static const int32_t *peers_of(mpi_comm *entry)
{
    int32_t *peers = atomic_load_explicit(&entry->peers, memory_order_acquire);
    if (peers)
        return peers;
    int32_t *mine = translate(entry);
    if (!mine || atomic_compare_exchange_strong(&entry->peers, &peers, mine))
        return mine;
    free(mine); /* another thread was first */
    return peers;
}

int32_t mpi_peer(const mpi_comm *on, int rank)
{
    if (rank < 0 || rank >= on->size || on->id < 0)
        return -1;
    if (on->same)
        return rank;
    if (on == &self)
        return world.rank;
    const int32_t *peers = peers_of((mpi_comm *)on);
    return peers ? peers[rank] : -1;
}

void mpi_comm_hold(const mpi_comm *on)
{
    if (on->id <= 1)
        return;
    mpi_comm *entry = (mpi_comm *)on;
    atomic_fetch_add(&entry->holds, 1);
    if (!entry->same)
        peers_of(entry); /* later the communicator may be gone */
}

void mpi_comm_created(MPI_Comm comm, int32_t parent)
{
    if (comm != MPI_COMM_NULL)
        add(comm, parent, -1);
}

void mpi_comm_spawned(MPI_Comm comm, int32_t parent)
{
    if (comm == MPI_COMM_NULL)
        return;
    mpi_comm *on = (mpi_comm *)add(comm, parent, -1);
    if (on->id < 0 || on->name[0])
        return;
    pthread_mutex_lock(&register_lock);
    snprintf(on->name, sizeof on->name, "children of MPI_Comm_spawn");
    describe(on);
    pthread_mutex_unlock(&register_lock);
}

int32_t mpi_comm_reserve(const mpi_comm *on)
{
    pthread_mutex_lock(&register_lock);
    const int32_t serial = mpi_members_serial(on->members);
    pthread_mutex_unlock(&register_lock);
    return serial;
}

void mpi_comm_reserved(MPI_Comm comm, const mpi_comm *on, int32_t serial)
{
    if (comm != MPI_COMM_NULL)
        add(comm, on->id, serial);
}

int mpi_targets(const mpi_comm *on)
{
    int topology = MPI_UNDEFINED, targets = 0, sources = 0, weighted = 0;
    if (on->id < 0)
        return 0;
    mpi_quiet_begin();
    PMPI(Topo_test)(on->handle, &topology);
    if (topology == MPI_CART) {
        PMPI(Cartdim_get)(on->handle, &targets);
        targets *= 2;
    } else if (topology == MPI_GRAPH) {
        PMPI(Graph_neighbors_count)(on->handle, on->rank, &targets);
    } else if (topology == MPI_DIST_GRAPH) {
        PMPI(Dist_graph_neighbors_count)(on->handle, &sources, &targets, &weighted);
    }
    mpi_quiet_end();
    return targets;
}

void mpi_comm_named(MPI_Comm comm)
{
    const mpi_comm *on = mpi_comm_of(comm);
    if (on->id < 0)
        return;
    mpi_quiet_begin();
    pthread_mutex_lock(&register_lock);
    take_name((mpi_comm *)on);
    describe(on);
    pthread_mutex_unlock(&register_lock);
    mpi_quiet_end();
}
