/* communication.c - messages summed up; see communication.h.
 *
 *     rows, messages ──▶ entries, found by hash ──▶ sorted rows
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/communication.h>

#include <stdlib.h>
#include <string.h>

#include <scope/event.h>

/* ---- sums by key ---- */

typedef struct entry_key {
    int32_t rank, communicator;
    uint32_t region; /* of functions; 0 */
    int32_t kind, peer, size_class;
} entry_key;

typedef struct entry {
    entry_key key;
    uint64_t last; /* 1 + the row that counted last */
    int64_t call_count, message_count, bytes, total_ns;
} entry;

typedef struct entry_set {
    entry *entries;
    size_t count, room;
    uint32_t *slots; /* 1 + place in entries; 0 free. Twice as many as there is room */
    size_t last;     /* found: most calls are like the one before */
} entry_set;

static void entry_set_free(entry_set *set)
{
    free(set->entries);
    free(set->slots);
}

static uint64_t hash(const entry_key *key)
{
    uint32_t words[sizeof *key / sizeof(uint32_t)];
    uint64_t value = 0;
    memcpy(words, key, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        value = (value ^ words[i]) * UINT64_C(0x9E3779B97F4A7C15), value ^= value >> 29;
    return value;
}

static size_t free_slot(const entry_set *set, const entry_key *key)
{
    size_t slot = (size_t)hash(key) & (2 * set->room - 1);
    while (set->slots[slot])
        slot = (slot + 1) & (2 * set->room - 1);
    return slot;
}

static int grow(entry_set *set)
{
    const size_t room = set->room ? 2 * set->room : 256;
    entry *entries = room < UINT32_MAX / 2 ? realloc(set->entries, room * sizeof *entries) : NULL;
    if (!entries)
        return 0;
    set->entries = entries;
    uint32_t *slots = calloc(2 * room, sizeof *slots);
    if (!slots)
        return 0;
    free(set->slots);
    set->slots = slots;
    set->room = room;
    for (size_t i = 0; i < set->count; i++)
        slots[free_slot(set, &entries[i].key)] = (uint32_t)i + 1;
    return 1;
}

/* The entry of a key, a new one perhaps; NULL: no memory. */
static entry *entry_of(entry_set *set, const entry_key *key)
{
    if (set->count && memcmp(&set->entries[set->last].key, key, sizeof *key) == 0)
        return &set->entries[set->last];
    if (set->count == set->room && !grow(set))
        return NULL;
    size_t slot = (size_t)hash(key) & (2 * set->room - 1);
    for (; set->slots[slot]; slot = (slot + 1) & (2 * set->room - 1)) {
        set->last = set->slots[slot] - 1;
        if (memcmp(&set->entries[set->last].key, key, sizeof *key) == 0)
            return &set->entries[set->last];
    }
    set->last = set->count++;
    set->slots[slot] = (uint32_t)set->count;
    set->entries[set->last] = (entry){.key = *key};
    return &set->entries[set->last];
}

static int compare(const void *a, const void *b)
{
    const entry_key *x = &((const entry *)a)->key, *y = &((const entry *)b)->key;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->communicator != y->communicator)
        return x->communicator < y->communicator ? -1 : 1;
    if (x->region != y->region)
        return x->region < y->region ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    return (x->size_class > y->size_class) - (x->size_class < y->size_class);
}

static void sort(entry_set *set)
{
    if (set->count)
        qsort(set->entries, set->count, sizeof *set->entries, compare);
}

static void add(int64_t *to, int64_t value)
{
    if (value > 0 && __builtin_add_overflow(*to, value, to))
        *to = INT64_MAX;
}

/* ---- messages ---- */

int scope_size_class(int64_t bytes)
{
    int size_class = 0;
    while (bytes > scope_size_limit(size_class))
        size_class++;
    return size_class;
}

const char *scope_message_word(int32_t kind)
{
    static const char *const words[SCOPE_MESSAGE_KINDS] = {
        "other", "sent",    "received", "posted",         "collective",
        "read",  "written", "remote",   "send completed", "collective completed"};
    return words[kind < 0 || kind >= SCOPE_MESSAGE_KINDS ? 0 : kind];
}

static int has_peer(int32_t kind)
{
    return kind == SCOPE_MESSAGE_SENT || kind == SCOPE_MESSAGE_RECEIVED ||
           kind == SCOPE_MESSAGE_REMOTE;
}

static int is_of_file(int32_t kind)
{
    return kind == SCOPE_MESSAGE_READ || kind == SCOPE_MESSAGE_WRITTEN;
}

typedef struct sums {
    const scope_calls *calls;
    entry_set functions, peers, untold;
} sums;

static int add_message(sums *sums, const scope_pair *pair, const scope_message_row *message)
{
    const scope_calls *calls = sums->calls;
    const uint64_t row = message->row;
    if (message->kind >= 0 && scope_message_is_completion((uint32_t)message->kind))
        return 1;
    const int known =
        message->communicator >= 0 && (size_t)message->communicator < calls->communicator_count;
    entry_key key = {.rank = pair->rank,
                     .communicator = known ? message->communicator : -1,
                     .region = pair->region,
                     .kind = message->kind,
                     .peer = -1};
    if (message->kind < 0 || message->kind >= SCOPE_MESSAGE_KINDS)
        key.kind = SCOPE_MESSAGE_OTHER;
    entry *function = entry_of(&sums->functions, &key);
    if (!function)
        return 0;
    add(&function->message_count, 1);
    add(&function->bytes, message->bytes);
    if (function->last != row + 1) { /* the call's first of this kind */
        function->last = row + 1;
        add(&function->call_count, 1);
        add(&function->total_ns, calls->duration_ns[row]);
    }
    if (!has_peer(key.kind) && !is_of_file(key.kind))
        return 1;
    key.region = 0;
    key.peer = has_peer(key.kind) && message->peer >= 0 ? message->peer : -1;
    key.size_class = scope_size_class(message->bytes);
    entry *peer = entry_of(&sums->peers, &key);
    if (!peer)
        return 0;
    add(&peer->message_count, 1);
    add(&peer->bytes, message->bytes);
    return 1;
}

/* What a row has in its columns. */
static scope_message_row message_of_row(const scope_calls *calls, uint64_t row)
{
    return (scope_message_row){
        .row = row,
        .bytes = calls->mpi_bytes ? calls->mpi_bytes[row] : 0,
        .peer = calls->mpi_peers ? calls->mpi_peers[row] : -1,
        .communicator = calls->mpi_comms ? calls->mpi_comms[row] : -1,
        .kind = calls->mpi_kinds ? calls->mpi_kinds[row] : SCOPE_MESSAGE_OTHER,
    };
}

static int add_pair(sums *sums, const scope_pair *pair)
{
    const scope_calls *calls = sums->calls;
    const uint64_t end = pair->first + scope_calls_pair_rows(calls, pair);
    size_t next = scope_calls_first_message(calls, pair->first);
    for (uint64_t row = pair->first; row < end; row++) {
        const size_t first = next;
        for (; next < calls->message_count && calls->messages[next].row == row; next++)
            if (!add_message(sums, pair, &calls->messages[next]))
                return 0;
        const scope_message_row only = message_of_row(calls, row);
        const int is_message = only.bytes > 0 || only.peer >= 0 || only.communicator >= 0 ||
                               only.kind != SCOPE_MESSAGE_OTHER;
        if (next == first && is_message && !add_message(sums, pair, &only))
            return 0;
    }
    return 1;
}

/* ---- what is not there ---- */

static int is_mpi(const scope_calls *calls, uint32_t region)
{
    if (region >= calls->region_count)
        return 0;
    const scope_string *name = &calls->regions[region].name;
    return name->length_bytes > 4 && memcmp(name->bytes, "MPI_", 4) == 0;
}

static int add_untold(sums *sums)
{
    const scope_calls *calls = sums->calls;
    for (size_t i = 0; i < calls->sum_count; i++) {
        const scope_sum_row *sum = &calls->sums[i];
        if (sum->count <= 0 || !is_mpi(calls, sum->region))
            continue;
        entry *of = entry_of(&sums->untold, &(entry_key){.rank = sum->rank});
        if (!of)
            return 0;
        add(&of->call_count, sum->count);
        add(&of->bytes, sum->bytes);
    }
    for (size_t i = 0; i < calls->rank_row_count; i++) {
        const scope_rank_row *row = &calls->ranks[i];
        if (row->dropped <= 0 && row->dropped_in_handlers <= 0 && row->holes <= 0)
            continue;
        entry *of = entry_of(&sums->untold, &(entry_key){.rank = row->rank});
        if (!of)
            return 0;
        add(&of->message_count, row->dropped);
        add(&of->message_count, row->dropped_in_handlers);
        add(&of->message_count, row->holes);
    }
    return 1;
}

/* ---- the result ---- */

static scope_status take(const sums *sums, scope_communication *to)
{
    to->functions = malloc((sums->functions.count + 1) * sizeof *to->functions);
    to->peers = malloc((sums->peers.count + 1) * sizeof *to->peers);
    to->untold = malloc((sums->untold.count + 1) * sizeof *to->untold);
    if (!to->functions || !to->peers || !to->untold)
        return SCOPE_ERR_MEMORY;
    for (size_t i = 0; i < sums->functions.count; i++) {
        const entry *from = &sums->functions.entries[i];
        to->functions[to->function_count++] = (scope_function_row){
            from->key.rank,   from->key.communicator, from->key.region, from->key.kind,
            from->call_count, from->message_count,    from->bytes,      from->total_ns};
    }
    for (size_t i = 0; i < sums->peers.count; i++) {
        const entry *from = &sums->peers.entries[i];
        to->peers[to->peer_count++] = (scope_peer_row){
            from->key.rank,       from->key.communicator, from->key.kind, from->key.peer,
            from->key.size_class, from->message_count,    from->bytes};
    }
    for (size_t i = 0; i < sums->untold.count; i++) {
        const entry *from = &sums->untold.entries[i];
        to->untold[to->untold_count++] =
            (scope_untold_row){from->key.rank, from->call_count, from->bytes, from->message_count};
    }
    return SCOPE_OK;
}

scope_status scope_communication_list(const scope_calls *calls, scope_communication *communication)
{
    sums sums = {.calls = calls};
    int good = 1;
    *communication = (scope_communication){0};
    const int has_messages = calls->mpi_bytes || calls->mpi_peers || calls->mpi_comms ||
                             calls->mpi_kinds || calls->message_count;
    for (size_t i = 0; good && has_messages && i < calls->pair_count; i++)
        good = add_pair(&sums, &calls->pairs[i]);
    good = good && add_untold(&sums);
    sort(&sums.functions);
    sort(&sums.peers);
    sort(&sums.untold);
    const scope_status status = good ? take(&sums, communication) : SCOPE_ERR_MEMORY;
    entry_set_free(&sums.functions);
    entry_set_free(&sums.peers);
    entry_set_free(&sums.untold);
    if (status != SCOPE_OK)
        scope_communication_free(communication);
    return status;
}

void scope_communication_free(scope_communication *communication)
{
    free(communication->functions);
    free(communication->peers);
    free(communication->untold);
    *communication = (scope_communication){0};
}
