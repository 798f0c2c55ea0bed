/* export_prof.c - what Python's pstats reads: marshal of
 * {(file, line, name): (primitive calls, calls, own time, time, {caller: the same})}.
 *
 *     calls of the rank, lane after lane -> nodes (region, or path "a > b")
 *                                        -> links (callee, caller) -> marshal
 *
 * A call is primitive if no call of its node is around it. Callers come as pstats prints
 * them: calls, primitive calls, own time, time. One more node, called once, is around all.
 *
 * marshal: types that every Python 3 reads, without references; numbers little-endian.
 *
 * SPDX-License-Identifier: MIT
 */
#include "export_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include <scope/utf8.h>
#include <scope/wrap.h>

#define NONE UINT32_MAX
#define ROOT 0u
#define LONGEST_PATH 32768u /* bytes; deeper nodes are told by their own name alone */

typedef struct sums {
    uint64_t calls, primitive;
    int64_t own_ns, time_ns;
} sums;

typedef struct node {
    scope_string file, name; /* name: owned */
    int64_t line;
    sums all;
    uint32_t active;     /* calls of it that are open */
    uint32_t first_link; /* its callers */
    int is_deep;
} node;

typedef struct link { /* calls of a node from one other */
    uint32_t caller, next;
    sums all;
} link;

typedef struct frame {
    uint32_t node, link;
    int64_t inner_ns;
} frame;

typedef struct step { /* what pair is inside a node: which node is that? */
    uint32_t node, pair, target, link;
} step;

typedef struct profile {
    const export_job *job;
    node *nodes;
    size_t node_count, node_capacity;
    link *links;
    size_t link_count, link_capacity;
    step *steps; /* open addressing */
    size_t step_count, step_slots;
    uint32_t *by_key; /* nodes by file, line and name */
    size_t key_slots;
    frame *frames;
    size_t depth, frame_capacity;
} profile;

/* ---- growing arrays ---- */

static int reserve(void *array, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return 1;
    const size_t more = *capacity ? *capacity * 2 : 64;
    void *larger = realloc(*(void **)array, more * bytes);
    if (!larger)
        return 0;
    *(void **)array = larger;
    *capacity = more;
    return 1;
}

static uint64_t mix(uint64_t hash, const void *bytes, uint64_t length)
{
    const unsigned char *at = bytes;
    for (uint64_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static size_t key_place(const profile *profile, const node *key)
{
    uint64_t hash = mix(UINT64_C(0xcbf29ce484222325), key->name.bytes, key->name.length_bytes);
    hash = mix(hash, key->file.bytes, key->file.length_bytes) ^ (uint64_t)key->line;
    return (size_t)(hash ^ hash >> 31) & (profile->key_slots - 1);
}

static int same(scope_string a, scope_string b)
{
    return a.length_bytes == b.length_bytes &&
           (!a.length_bytes || memcmp(a.bytes, b.bytes, a.length_bytes) == 0);
}

static int grow_keys(profile *profile)
{
    const size_t count = profile->key_slots ? profile->key_slots * 2 : 64;
    uint32_t *slots = malloc(count * sizeof *slots);
    if (!slots)
        return 0;
    memset(slots, 0xff, count * sizeof *slots);
    free(profile->by_key);
    profile->by_key = slots;
    profile->key_slots = count;
    for (size_t i = 0; i < profile->node_count; i++) {
        size_t at = key_place(profile, &profile->nodes[i]);
        while (slots[at] != NONE)
            at = (at + 1) & (count - 1);
        slots[at] = (uint32_t)i;
    }
    return 1;
}

/* The node of this key; takes over key->name. NONE: no memory. */
static uint32_t find_node(profile *profile, node key)
{
    if (profile->node_count * 2 >= profile->key_slots && !grow_keys(profile))
        goto failed;
    size_t at = key_place(profile, &key);
    for (; profile->by_key[at] != NONE; at = (at + 1) & (profile->key_slots - 1)) {
        const node *known = &profile->nodes[profile->by_key[at]];
        if (known->line == key.line && same(known->name, key.name) && same(known->file, key.file)) {
            free((char *)(uintptr_t)key.name.bytes);
            return profile->by_key[at];
        }
    }
    if (!reserve(&profile->nodes, profile->node_count, &profile->node_capacity,
                 sizeof *profile->nodes))
        goto failed;
    key.first_link = NONE;
    profile->nodes[profile->node_count] = key;
    profile->by_key[at] = (uint32_t)profile->node_count;
    return (uint32_t)profile->node_count++;
failed:
    free((char *)(uintptr_t)key.name.bytes);
    return NONE;
}

static uint32_t find_link(profile *profile, uint32_t callee, uint32_t caller)
{
    uint32_t at = profile->nodes[callee].first_link;
    while (at != NONE && profile->links[at].caller != caller)
        at = profile->links[at].next;
    if (at != NONE)
        return at;
    if (!reserve(&profile->links, profile->link_count, &profile->link_capacity,
                 sizeof *profile->links))
        return NONE;
    profile->links[profile->link_count] =
        (link){caller, profile->nodes[callee].first_link, {0, 0, 0, 0}};
    profile->nodes[callee].first_link = (uint32_t)profile->link_count;
    return (uint32_t)profile->link_count++;
}

/* ---- nodes of calls ---- */

/* "a > b", or b alone: as text, so that what is not UTF-8 becomes \xNN. malloc'd. */
static scope_string node_name(const char *before, uint64_t before_length, scope_string name)
{
    static const char arrow[] = " > ";
    char *text = malloc(before_length + 3 + name.length_bytes * 4 + 1);
    if (!text)
        return (scope_string){NULL, 0};
    char *to = text;
    if (before_length) {
        memcpy(to, before, before_length);
        memcpy(to + before_length, arrow, 3);
        to += before_length + 3;
    }
    for (uint64_t i = 0; i < name.length_bytes;) {
        uint32_t code;
        const size_t length = scope_utf8_character(name.bytes + i, name.length_bytes - i, &code);
        if (length) {
            memcpy(to, name.bytes + i, length);
            to += length;
        } else {
            to += sprintf(to, "\\x%02x", (unsigned char)name.bytes[i]);
        }
        i += length ? length : 1;
    }
    *to = '\0';
    return (scope_string){text, (uint64_t)(to - text)};
}

static uint32_t new_target(profile *profile, uint32_t around, uint32_t pair)
{
    const scope_calls *calls = profile->job->calls;
    const scope_pair *row = &calls->pairs[pair];
    const node *outer = &profile->nodes[around];
    const int has_path = profile->job->call_paths && around != ROOT;
    const int is_deep = has_path && (outer->is_deep || outer->name.length_bytes > LONGEST_PATH);
    node key = {.file = {"~", 1}, .is_deep = is_deep};
    if (row->source_file.length_bytes) {
        key.file = row->source_file;
        key.line = row->source_line > 0 ? row->source_line : 0;
    }
    key.name = is_deep    ? node_name("...", 3, calls->regions[row->region].name)
               : has_path ? node_name(outer->name.bytes, outer->name.length_bytes,
                                      calls->regions[row->region].name)
                          : node_name(NULL, 0, calls->regions[row->region].name);
    return key.name.bytes ? find_node(profile, key) : NONE;
}

static size_t step_place(const profile *profile, uint32_t node, uint32_t pair)
{
    uint64_t hash = ((uint64_t)node << 32 | pair) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(hash ^ hash >> 29) & (profile->step_slots - 1);
}

static int grow_steps(profile *profile)
{
    const size_t count = profile->step_slots ? profile->step_slots * 2 : 256;
    step *steps = malloc(count * sizeof *steps), *old = profile->steps;
    const size_t old_count = profile->step_slots;
    if (!steps)
        return 0;
    for (size_t i = 0; i < count; i++)
        steps[i].target = NONE;
    profile->steps = steps;
    profile->step_slots = count;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].target == NONE)
            continue;
        size_t at = step_place(profile, old[i].node, old[i].pair);
        while (steps[at].target != NONE)
            at = (at + 1) & (count - 1);
        steps[at] = old[i];
    }
    free(old);
    return 1;
}

/* Where a call of `pair` directly inside `around` counts; NULL: no memory. */
static const step *find_step(profile *profile, uint32_t around, uint32_t pair)
{
    if (profile->step_count * 2 >= profile->step_slots && !grow_steps(profile))
        return NULL;
    size_t at = step_place(profile, around, pair);
    for (; profile->steps[at].target != NONE; at = (at + 1) & (profile->step_slots - 1))
        if (profile->steps[at].node == around && profile->steps[at].pair == pair)
            return &profile->steps[at];
    const uint32_t target = new_target(profile, around, pair);
    const uint32_t link = target == NONE ? NONE : find_link(profile, target, around);
    if (link == NONE)
        return NULL;
    profile->steps[at] = (step){around, pair, target, link};
    profile->step_count++;
    return &profile->steps[at];
}

/* ---- the walk ---- */

static scope_status open_call(void *context, uint64_t row, uint32_t pair)
{
    profile *profile = context;
    (void)row;
    const uint32_t around = profile->depth ? profile->frames[profile->depth - 1].node : ROOT;
    const step *step = find_step(profile, around, pair);
    if (!step || !reserve(&profile->frames, profile->depth, &profile->frame_capacity,
                          sizeof *profile->frames))
        return SCOPE_ERR_MEMORY;
    profile->frames[profile->depth++] = (frame){step->target, step->link, 0};
    profile->nodes[step->target].active++;
    return SCOPE_OK;
}

static void add(sums *to, int64_t duration, int64_t own, int is_primitive)
{
    to->calls++;
    to->primitive += (uint64_t)is_primitive;
    to->own_ns = wrap_add(to->own_ns, own);
    to->time_ns = wrap_add(to->time_ns, is_primitive ? duration : 0);
}

static void close_call(void *context, uint64_t row, uint32_t pair)
{
    profile *profile = context;
    (void)pair;
    const int64_t duration = profile->job->calls->duration_ns[row];
    const frame closed = profile->frames[--profile->depth];
    node *node = &profile->nodes[closed.node];
    const int is_primitive = --node->active == 0;
    const int64_t own = wrap_add(duration, -closed.inner_ns);
    add(&node->all, duration, own, is_primitive);
    add(&profile->links[closed.link].all, duration, own, is_primitive);
    if (profile->depth)
        profile->frames[profile->depth - 1].inner_ns =
            wrap_add(profile->frames[profile->depth - 1].inner_ns, duration);
    else
        profile->nodes[ROOT].all.time_ns = wrap_add(profile->nodes[ROOT].all.time_ns, duration);
}

/* ---- marshal ---- */

static void put_number(export_file *file, uint64_t value, size_t bytes)
{
    unsigned char out[8];
    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(value >> 8 * i);
    export_bytes(file, out, bytes);
}

static void put_tuple(export_file *file, uint32_t count)
{
    export_bytes(file, "(", 1);
    put_number(file, count, 4);
}

static void put_integer(export_file *file, uint64_t value)
{
    if (value <= INT32_MAX) {
        export_bytes(file, "i", 1);
        put_number(file, value, 4);
        return;
    }
    uint32_t digits = 0; /* of 15 bits */
    for (uint64_t rest = value; rest; rest >>= 15)
        digits++;
    export_bytes(file, "l", 1);
    put_number(file, digits, 4);
    for (; value; value >>= 15)
        put_number(file, value & 0x7fff, 2);
}

static void put_seconds(export_file *file, int64_t ns)
{
    const double seconds = (double)ns / 1e9;
    uint64_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    export_bytes(file, "g", 1);
    put_number(file, bits, 8);
}

static void put_text(export_file *file, scope_string text)
{
    export_bytes(file, "u", 1);
    put_number(file, text.length_bytes, 4);
    export_bytes(file, text.bytes, text.length_bytes);
}

static void put_key(export_file *file, const node *node)
{
    put_tuple(file, 3);
    put_text(file, node->file);
    put_integer(file, (uint64_t)node->line);
    put_text(file, node->name);
}

static void write_profile(const profile *profile)
{
    export_file *file = profile->job->file;
    export_bytes(file, "{", 1);
    for (size_t i = 0; i < profile->node_count; i++) {
        const node *node = &profile->nodes[i];
        put_key(file, node);
        put_tuple(file, 5);
        put_integer(file, node->all.primitive);
        put_integer(file, node->all.calls);
        put_seconds(file, node->all.own_ns);
        put_seconds(file, node->all.time_ns);
        export_bytes(file, "{", 1);
        for (uint32_t at = node->first_link; at != NONE; at = profile->links[at].next) {
            const link *link = &profile->links[at];
            put_key(file, &profile->nodes[link->caller]);
            put_tuple(file, 4);
            put_integer(file, link->all.calls);
            put_integer(file, link->all.primitive);
            put_seconds(file, link->all.own_ns);
            put_seconds(file, link->all.time_ns);
        }
        export_bytes(file, "0", 1);
    }
    export_bytes(file, "0", 1);
}

static scope_status make_root(profile *profile, int32_t rank)
{
    char *text = NULL;
    const scope_string name = profile->job->name;
    if (asprintf(&text, name.length_bytes ? "<%.*s rank %d>" : "<%.*srank %d>",
                 (int)(name.length_bytes < 4096 ? name.length_bytes : 4096), name.bytes,
                 (int)rank) < 0)
        return SCOPE_ERR_MEMORY;
    const scope_string shown = node_name(NULL, 0, (scope_string){text, strlen(text)});
    free(text);
    if (!shown.bytes || find_node(profile, (node){.file = {"~", 1}, .name = shown}) == NONE)
        return SCOPE_ERR_MEMORY;
    profile->nodes[ROOT].all.calls = profile->nodes[ROOT].all.primitive = 1;
    return SCOPE_OK;
}

scope_status export_prof(const export_job *job)
{
    const int32_t rank = job->ranks[0];
    profile profile = {.job = job};
    export_lanes lanes = {0};
    scope_status status = make_root(&profile, rank);
    if (status == SCOPE_OK)
        status = export_lanes_make(job->calls, rank, &lanes);
    const export_visitor visitor = {open_call, close_call, &profile};
    for (size_t l = 0; status == SCOPE_OK && l < lanes.set.count; l++)
        status = export_walk(&lanes, &lanes.set.lanes[l], &visitor);
    if (status == SCOPE_OK)
        write_profile(&profile);
    for (size_t i = 0; i < profile.node_count; i++)
        free((char *)(uintptr_t)profile.nodes[i].name.bytes);
    free(profile.nodes);
    free(profile.links);
    free(profile.steps);
    free(profile.by_key);
    free(profile.frames);
    export_lanes_free(&lanes);
    return status;
}
