/* names.c - interned names: regions, points (marks, counters), tasks.
 *
 * A table per name space: open addressing over pointers to entries that never
 * move. A table that is too small is followed by a larger one; the old one stays,
 * so that who still reads it reads valid memory.
 *
 * SPDX-License-Identifier: MIT
 */
#include "names.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "definitions.h"
#include "engine.h"
#include "late_names.h"
#include "pool.h"
#include "record.h"
#include "spool.h"

#define FIRST_SLOTS 256u
#define SPACES 3

typedef struct name {
    uint64_t hash;
    _Atomic(uint64_t) verdict; /* filter generation << 32 | id as 32 bits */
    struct name *next;         /* in order of ids */
    int32_t id;                /* SCOPE_NAME_FILTERED: none yet */
    int32_t line;
    const char *file;          /* copied; NULL unknown */
    size_t file_bytes;
    size_t length_bytes;
    char bytes[];
} name;

typedef struct table {
    size_t mask;
    _Atomic(name *) slots[];
} table;

typedef struct space {
    _Atomic(table *) table;
    size_t count;         /* names, excluded ones too */
    int32_t next_id;
    name *_Atomic first, *last; /* those with an id */
} space;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static space spaces[SPACES];
static const scope_filter *filter;
static _Atomic(uint32_t) filter_generation = 1;
static int judged_rank = -1; /* the rank that the filter is asked for */
static int64_t max_names = INT64_C(1) << 21;
static int32_t other_id[SPACES] = {-1, -1, -1};

static uint64_t mix(uint64_t a, uint64_t b)
{
    const __uint128_t product = (__uint128_t)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_of(const char *bytes, size_t length_bytes)
{
    uint64_t hash = UINT64_C(0x9E3779B97F4A7C15) ^ length_bytes, word;
    while (length_bytes >= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = mix(hash ^ word, UINT64_C(0xD6E8FEB86659FD93));
        bytes += sizeof word;
        length_bytes -= sizeof word;
    }
    word = 0;
    for (size_t i = 0; i < length_bytes; i++)
        word = word << 8 | (unsigned char)bytes[i];
    return mix(hash ^ word, UINT64_C(0xA0761D6478BD642F));
}

static name *find(const space *names, uint64_t hash, const char *bytes, size_t length_bytes)
{
    const table *table = atomic_load_explicit(&names->table, memory_order_acquire);
    if (!table)
        return NULL;
    for (size_t i = hash & table->mask;; i = (i + 1) & table->mask) {
        name *found = atomic_load_explicit(&table->slots[i], memory_order_acquire);
        if (!found || (found->hash == hash && found->length_bytes == length_bytes &&
                       memcmp(found->bytes, bytes, length_bytes) == 0))
            return found;
    }
}

/* ---- under the lock ---- */

static void insert(table *table, name *entry)
{
    size_t i = entry->hash & table->mask;
    while (atomic_load_explicit(&table->slots[i], memory_order_relaxed))
        i = (i + 1) & table->mask;
    atomic_store_explicit(&table->slots[i], entry, memory_order_release);
}

/* Room for one more name at a load of at most one half. */
static table *roomy_table(space *names)
{
    table *old = atomic_load_explicit(&names->table, memory_order_relaxed);
    const size_t slots = old ? old->mask + 1 : 0;
    if (2 * (names->count + 1) <= slots)
        return old;
    const size_t more = slots ? 4 * slots : FIRST_SLOTS;
    table *larger = scope_pool_alloc(sizeof *larger + more * sizeof larger->slots[0]);
    if (!larger)
        return names->count + 1 < slots ? old : NULL;
    larger->mask = more - 1;
    for (size_t i = 0; i < slots; i++) {
        name *entry = atomic_load_explicit(&old->slots[i], memory_order_relaxed);
        if (entry)
            insert(larger, entry);
    }
    atomic_store_explicit(&names->table, larger, memory_order_release);
    return larger;
}

static void define(scope_name_kind kind, const name *entry)
{
    scope_define_name definition = {.id = (uint32_t)entry->id,
                                    .name_kind = kind,
                                    .length_bytes = entry->length_bytes};
    const scope_part text = {entry->bytes, entry->length_bytes};
    scope_define(SCOPE_DEFINE_NAME, 0, &definition, offsetof(scope_define_name, bytes), &text, 1);
}

static void define_source(const name *entry)
{
    scope_define_source definition = {.region = (uint32_t)entry->id,
                                      .line = entry->line,
                                      .length_bytes = entry->file_bytes};
    const scope_part text = {entry->file, entry->file_bytes};
    scope_define(SCOPE_DEFINE_SOURCE, 0, &definition, offsetof(scope_define_source, file), &text,
                 1);
}

static name *add(space *names, uint64_t hash, const char *bytes, size_t length_bytes)
{
    table *table = roomy_table(names);
    name *entry = table ? scope_pool_alloc(sizeof *entry + length_bytes) : NULL;
    if (!entry)
        return NULL;
    entry->hash = hash;
    entry->id = SCOPE_NAME_FILTERED;
    entry->line = -1;
    entry->length_bytes = length_bytes;
    memcpy(entry->bytes, bytes, length_bytes);
    insert(table, entry);
    names->count++;
    return entry;
}

/* The name gets an id, and is written down if a recording is open. */
static void number(scope_name_kind kind, name *entry)
{
    space *names = &spaces[kind];
    entry->id = names->next_id++;
    scope_engine_lock();
    if (names->last)
        names->last->next = entry;
    else
        names->first = entry;
    names->last = entry;
    if (scope_store.is_open)
        define(kind, entry);
    scope_engine_unlock();
}

/* Ids that stand for something else than a name of the program. */
static void reserve_first(scope_name_kind kind)
{
    static const char *const reserved[SPACES] = {"(unregistered)", "", ""};
    space *names = &spaces[kind];
    if (names->next_id)
        return;
    const char *text = reserved[kind];
    name *entry = add(names, hash_of(text, strlen(text)), text, strlen(text));
    if (!entry)
        return;
    number(kind, entry);
    atomic_store_explicit(&entry->verdict, UINT64_C(0xFFFFFFFF) << 32, memory_order_release);
}

static int32_t other(scope_name_kind kind)
{
    static const char text[] = "(other)";
    if (other_id[kind] < 0) {
        name *entry = add(&spaces[kind], hash_of(text, strlen(text)), text, strlen(text));
        if (!entry)
            return SCOPE_NAME_FAILED;
        number(kind, entry);
        other_id[kind] = entry->id;
    }
    return other_id[kind];
}

static int32_t judge(scope_name_kind kind, uint64_t hash, const char *bytes, size_t length_bytes)
{
    reserve_first(kind);
    const uint32_t generation = atomic_load_explicit(&filter_generation, memory_order_relaxed);
    const bool passes = kind != SCOPE_NAME_REGION || !filter ||
                        scope_filter_accepts_on(filter, judged_rank, bytes, length_bytes);
    name *entry = find(&spaces[kind], hash, bytes, length_bytes);
    if (!entry && (passes ? spaces[kind].next_id : (int64_t)spaces[kind].count) >= max_names)
        return passes ? other(kind) : SCOPE_NAME_FILTERED; /* excluded names are not kept for ever */
    if (!entry)
        entry = add(&spaces[kind], hash, bytes, length_bytes);
    if (!entry)
        return SCOPE_NAME_FAILED;
    if (passes && entry->id < 0)
        number(kind, entry);
    const int32_t id = passes ? entry->id : SCOPE_NAME_FILTERED;
    atomic_store_explicit(&entry->verdict, (uint64_t)generation << 32 | (uint32_t)id,
                          memory_order_release);
    return id;
}

/* ---- for everybody ---- */

int32_t scope_name_id(scope_name_kind kind, const char *bytes, size_t length_bytes)
{
    const uint64_t hash = hash_of(bytes, length_bytes);
    const name *known = find(&spaces[kind], hash, bytes, length_bytes);
    if (known) {
        const uint64_t verdict = atomic_load_explicit(&known->verdict, memory_order_acquire);
        const uint32_t judged = (uint32_t)(verdict >> 32);
        if (judged == atomic_load_explicit(&filter_generation, memory_order_relaxed) ||
            judged == UINT32_MAX)
            return (int32_t)(uint32_t)verdict;
    }
    if (!scope_enter())
        return SCOPE_NAME_BUSY;
    pthread_mutex_lock(&lock);
    const int32_t id = judge(kind, hash, bytes, length_bytes);
    pthread_mutex_unlock(&lock);
    scope_leave();
    return id;
}

void scope_name_source(int32_t region, const char *file, int32_t line)
{
    if (region < 0 || !file || !scope_enter())
        return;
    pthread_mutex_lock(&lock);
    name *entry = spaces[SCOPE_NAME_REGION].first;
    const int32_t newest = spaces[SCOPE_NAME_REGION].next_id - 1;
    if (region == newest) /* registered just now: the usual case */
        entry = spaces[SCOPE_NAME_REGION].last;
    while (entry && entry->id != region)
        entry = entry->next;
    if (entry && !entry->file) {
        const size_t length_bytes = strlen(file);
        char *copy = scope_pool_alloc(length_bytes + 1);
        if (copy) {
            memcpy(copy, file, length_bytes);
            scope_engine_lock();
            entry->file = copy;
            entry->file_bytes = length_bytes;
            entry->line = line;
            if (scope_store.is_open)
                define_source(entry);
            scope_engine_unlock();
        }
    }
    pthread_mutex_unlock(&lock);
    scope_leave();
}

void scope_name_show(scope_name_kind kind, int32_t id, char *text, size_t size_bytes)
{
    text[0] = '\0';
    if (!scope_enter())
        return;
    pthread_mutex_lock(&lock);
    const name *entry = spaces[kind].first;
    while (entry && entry->id != id)
        entry = entry->next;
    size_t length = entry ? entry->length_bytes : 0;
    if (length > size_bytes - 1)
        length = size_bytes - 1;
    for (size_t i = 0; i < length; i++)
        text[i] = entry->bytes[i] >= ' ' && entry->bytes[i] <= '~' ? entry->bytes[i] : '?';
    text[length] = '\0';
    pthread_mutex_unlock(&lock);
    scope_leave();
}

static bool is_late(void *at, uint32_t id)
{
    const name **entry = at; /* in order of ids, from 0 */
    const name *asked = *entry;
    if (!asked)
        return false;
    *entry = asked->next;
    return id && asked->id != other_id[SCOPE_NAME_REGION] &&
           !scope_filter_accepts_on(filter, judged_rank, asked->bytes, asked->length_bytes);
}

static bool find_late(void)
{
    const name *first = spaces[SCOPE_NAME_REGION].first;
    return scope_late_names_take((uint32_t)spaces[SCOPE_NAME_REGION].next_id, is_late, &first);
}

/* Names are judged again. */
static void next_generation(void)
{
    if (atomic_fetch_add(&filter_generation, 1) + 1 == UINT32_MAX)
        atomic_store(&filter_generation, 1);
}

bool scope_names_set_rank(int rank)
{
    bool done = true;
    if (!scope_enter())
        return true;
    pthread_mutex_lock(&lock);
    if (rank != judged_rank) {
        judged_rank = rank;
        if (scope_filter_has_ranks(filter)) {
            next_generation();
            done = find_late();
        }
    }
    pthread_mutex_unlock(&lock);
    scope_leave();
    return done;
}

bool scope_names_set_filter(const scope_filter *decides)
{
    bool done = true;
    if (!scope_enter())
        return true;
    pthread_mutex_lock(&lock);
    if (decides != filter) {
        filter = decides;
        if (judged_rank >= 0 && scope_filter_has_ranks(filter))
            done = find_late();
        else
            scope_late_names_clear();
        next_generation();
    }
    pthread_mutex_unlock(&lock);
    scope_leave();
    return done;
}

void scope_names_set_limit(int64_t limit)
{
    max_names = limit > 0 ? limit : INT64_C(1) << 21;
}

static _Atomic(uint32_t) asked;

void scope_names_asked(void)
{
    if (!atomic_load_explicit(&asked, memory_order_relaxed))
        atomic_store_explicit(&asked, 1, memory_order_relaxed);
}

bool scope_names_any(void)
{
    return spaces[SCOPE_NAME_REGION].count || atomic_load_explicit(&asked, memory_order_relaxed);
}

size_t scope_names_all_excluded(void)
{
    const space *names = &spaces[SCOPE_NAME_REGION]; /* id 0 is reserved */
    for (int kind = 0; kind < SPACES; kind++)
        if (spaces[kind].next_id > 1)
            return 0;
    return names->count > 1 ? names->count - 1 : 0;
}

void scope_names_define_all(void)
{
    for (int kind = 0; kind < SPACES; kind++) {
        for (const name *entry = spaces[kind].first; entry; entry = entry->next) {
            define((scope_name_kind)kind, entry);
            if (entry->file)
                define_source(entry);
        }
    }
}

void scope_names_lock(void)
{
    pthread_mutex_lock(&lock);
}

void scope_names_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

void scope_names_reset_lock(void)
{
    pthread_mutex_init(&lock, NULL);
}
