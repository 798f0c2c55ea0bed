/* host.c - sessions of a language runtime: start, read while they go on, close.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/host.h>

#include <stdlib.h>
#include <string.h>

#include "definitions.h"
#include "engine.h"
#include "openmp.h"
#include "pool.h"
#include "session_end.h"
#include "session_list.h"
#include "session_lock.h"
#include "session_start.h"
#include "session_write.h"
#include "skip.h"
#include "slots.h"
#include "stream.h"
#include "thread.h"

scope_session *scope_host_process(void)
{
    return &scope_process_session;
}

/* ---- start and close ---- */

/* The letters of a file pattern mean themselves: a host says the name itself. */
static char *as_pattern(const char *name)
{
    char *pattern = malloc(2 * strlen(name) + 1), *at = pattern;
    for (; pattern && *name; name++) {
        *at++ = *name;
        if (*name == '%')
            *at++ = '%';
    }
    if (pattern)
        *at = 0;
    return pattern;
}

static scope_status arm(scope_session *session, const scope_host_options *options)
{
    scope_options with = SCOPE_OPTIONS_INIT;
    char *pattern = NULL;
    if (options->output && !(pattern = as_pattern(options->output)))
        return SCOPE_ERR_MEMORY;
    with.output = pattern;
    with.no_output = !pattern;
    with.label = options->label;
    with.no_spool = options->memory_only;
    const scope_status status = scope_session_arm(session, &with, 1 + (uint32_t)options->lanes);
    free(pattern);
    return status == SCOPE_ERR_MEMORY ? status : SCOPE_OK; /* a variable is not the host's fault */
}

/* Under the session lock: whose the session is, in the recording too. */
static void set_host(scope_session *session, uint32_t host, bool adopted)
{
    if (!scope_enter())
        return;
    scope_engine_lock();
    session->host = host;
    session->adopted = adopted;
    session->host_wrote = false;
    if (session->definition)
        __atomic_store_n(&session->definition->host, host, __ATOMIC_RELAXED);
    scope_engine_unlock();
    scope_leave();
}

static void give_up(scope_session *session)
{
    if (session->adopted) {
        set_host(session, 0, false);
        return;
    }
    scope_session_stop(session);
    scope_session_leave(session, false);
    session->host = 0;
}

static bool is_valid(const scope_host_options *options)
{
    return options && options->size_bytes >= sizeof *options &&
           options->lanes >= SCOPE_HOST_UNTRACKED && options->lanes <= SCOPE_HOST_TASKS;
}

scope_status scope_host_start(const scope_host_options *options, int *adopted)
{
    scope_session *session = &scope_process_session;
    scope_status status = SCOPE_OK;
    if (!is_valid(options) || !adopted)
        return SCOPE_ERR_ARGUMENT;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    if (session->host)
        give_up(session);
    if (scope_session_phase_of(session) == SCOPE_SESSION_STOPPED)
        scope_session_go_on(session);
    *adopted = scope_session_is_live(session);
    if (*adopted)
        set_host(session, 1 + (uint32_t)options->lanes, true);
    else
        status = arm(session, options);
    scope_session_exit();
    return status;
}

scope_status scope_host_create(const scope_host_options *options, scope_session **created)
{
    scope_status status = SCOPE_ERR_MEMORY;
    if (!is_valid(options) || !created)
        return SCOPE_ERR_ARGUMENT;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    scope_session *session = scope_session_take();
    if (session)
        status = scope_session_numbers_left() ? arm(session, options) : SCOPE_ERR_STATE;
    if (status == SCOPE_OK) {
        atomic_store_explicit(&session->in_use, 1, memory_order_release);
        *created = session;
    }
    scope_session_exit();
    return status;
}

void scope_host_close(scope_session *session)
{
    if (!session || !scope_session_enter())
        return;
    if (session->host && scope_session_at(session->index) == session) {
        give_up(session);
        if (session->index)
            scope_session_put(session);
    }
    scope_session_exit();
}

scope_status scope_host_leave(scope_session *session, const char *output)
{
    if (session != &scope_process_session)
        return SCOPE_ERR_ARGUMENT;
    if (!scope_session_enter())
        return SCOPE_ERR_STATE;
    char *pattern = output ? as_pattern(output)
                           : scope_config_fix(scope_config_value("SCOPE_OUTPUT", NULL));
    scope_status status = SCOPE_ERR_MEMORY;
    if (!session->host || !session->has_config)
        status = SCOPE_ERR_STATE;
    else if (pattern && scope_enter()) {
        char *before = session->config.output;
        scope_engine_lock();
        session->config.output = pattern;
        session->adopted = session->adopted || output;
        session->host_wrote = session->host_wrote && !output;
        scope_engine_unlock();
        scope_leave();
        pattern = before;
        status = SCOPE_OK;
    }
    free(pattern);
    scope_session_exit();
    return status;
}

void scope_host_bound(scope_session *session)
{
    if (!session || !scope_enter())
        return;
    scope_engine_lock();
    session->bounded = session->host != 0; /* each stream sees it at its next chunk */
    scope_engine_unlock();
    scope_leave();
}

uint32_t scope_host_generation(const scope_session *session)
{
    return session && scope_session_is_live(session)
               ? atomic_load_explicit(&session->generation, memory_order_relaxed)
               : 0;
}

/* ---- events ---- */

static bool is_name(const char *text, size_t length_bytes)
{
    return text && length_bytes && length_bytes <= UINT32_MAX / 2;
}

/* An entry of a session that is live. */
static scope_status define(scope_session *session, scope_definition_kind kind, void *entry,
                           size_t fixed_bytes, const scope_part *parts, size_t part_count)
{
    if (!scope_enter())
        return SCOPE_ERR_STATE;
    scope_engine_lock();
    const scope_status status =
        !scope_session_is_live(session)                                         ? SCOPE_ERR_STATE
        : scope_define_of(session, kind, entry, fixed_bytes, parts, part_count) ? SCOPE_OK
                                                                                : SCOPE_ERR_MEMORY;
    scope_engine_unlock();
    scope_leave();
    return status;
}

scope_status scope_host_call(scope_session *session, scope_region region, int64_t start_ns,
                             int64_t duration_ns)
{
    if (!session || start_ns < 0 || duration_ns < 0 || duration_ns >> SCOPE_CALL_DURATION_BITS)
        return SCOPE_ERR_ARGUMENT;
    if (!scope_session_is_live(session))
        return SCOPE_ERR_STATE;
    if (region < 0 || atomic_load(&session->paused))
        return SCOPE_OK;
    const uint64_t high = (uint64_t)start_ns >> SCOPE_PAYLOAD_BITS;
    const uint64_t values[2] = {(uint64_t)start_ns,
                                high << SCOPE_CALL_DURATION_BITS | (uint64_t)duration_ns};
    return scope_record_values(session, SCOPE_EVENT_CALL, (uint64_t)region, values, 2)
               ? SCOPE_OK
               : SCOPE_ERR_MEMORY;
}

uint64_t scope_host_ticks(void)
{
    return scope_ticks();
}

uint64_t scope_host_dropped(const scope_session *session)
{
    return session ? atomic_load(&session->dropped_events) +
                         atomic_load(&session->dropped_handler_events)
                   : 0;
}

scope_status scope_host_tag(scope_session *session, scope_region region, const char *tag,
                            size_t length_bytes)
{
    if (!session || !is_name(tag, length_bytes))
        return SCOPE_ERR_ARGUMENT;
    if (region < 0)
        return SCOPE_OK;
    scope_define_tag entry = {.region = (uint32_t)region, .length_bytes = length_bytes};
    const scope_part text = {tag, length_bytes};
    return define(session, SCOPE_DEFINE_TAG, &entry, offsetof(scope_define_tag, tag), &text, 1);
}

scope_status scope_host_source(scope_session *session, scope_region region, const char *file,
                               size_t length_bytes, int32_t line)
{
    if (!session || !is_name(file, length_bytes))
        return SCOPE_ERR_ARGUMENT;
    if (region < 0)
        return SCOPE_OK;
    scope_define_source entry = {
        .region = (uint32_t)region, .line = line, .length_bytes = length_bytes};
    const scope_part text = {file, length_bytes};
    return define(session, SCOPE_DEFINE_SOURCE, &entry, offsetof(scope_define_source, file), &text,
                  1);
}

scope_status scope_host_metadata(scope_session *session, const char *key, size_t key_bytes,
                                 const char *value, size_t value_bytes)
{
    if (!session || !is_name(key, key_bytes) || !value || value_bytes > UINT32_MAX / 2)
        return SCOPE_ERR_ARGUMENT;
    scope_define_metadata entry = {.key_bytes = (uint32_t)key_bytes,
                                   .value_bytes = (uint32_t)value_bytes};
    const scope_part parts[] = {{key, key_bytes}, {value, value_bytes}};
    return define(session, SCOPE_DEFINE_METADATA, &entry, offsetof(scope_define_metadata, text),
                  parts, 2);
}

/* ---- threads ---- */

scope_status scope_host_thread(scope_session *session, const char *name, size_t name_bytes,
                               int64_t ident, int daemon, int exact, int64_t *index)
{
    if (!session || (!name && name_bytes) || name_bytes > UINT32_MAX / 2 || !index)
        return SCOPE_ERR_ARGUMENT;
    scope_slot *slot = scope_slot_of(session);
    if (!slot)
        return SCOPE_ERR_MEMORY;
    if (!scope_enter())
        return SCOPE_ERR_STATE;
    const uint32_t flags =
        (daemon ? SCOPE_THREAD_DAEMON : 0u) | (exact ? SCOPE_THREAD_START_EXACT : 0u);
    scope_status status = SCOPE_ERR_STATE;
    scope_engine_lock();
    if (scope_session_is_live(session)) {
        status = scope_session_open(session) && scope_stream_attach(session, slot)
                     ? SCOPE_OK
                     : SCOPE_ERR_MEMORY;
        if (status == SCOPE_OK) {
            scope_thread_name(session, slot, name, name_bytes, ident, flags);
            atomic_store_explicit(&slot->ended, 0, memory_order_relaxed);
            *index = slot->thread;
        }
    }
    scope_engine_unlock();
    scope_leave();
    return status;
}

void scope_host_thread_end(void)
{
    scope_thread_end_lanes();
}

int64_t scope_host_thread_index(const scope_session *session)
{
    const scope_slot *slot = session ? scope_slot_if_any(&scope_this_thread, session->index) : NULL;
    return slot && scope_session_is_live(session) &&
                   slot->generation ==
                       atomic_load_explicit(&session->generation, memory_order_relaxed)
               ? slot->thread
               : -1;
}

/* ---- reading ---- */

scope_status scope_host_view(scope_session *session, scope_recording *view, uint16_t *number)
{
    if (!session || !view || !number)
        return SCOPE_ERR_ARGUMENT;
    memset(view, 0, sizeof *view);
    *number = 0;
    if (!scope_enter())
        return SCOPE_ERR_STATE;
    scope_engine_lock();
    if (session->number) {
        scope_spool_disown();
        scope_openmp_settle(session);
        scope_threads_define_states(session);
        scope_session_calibrate(session);
        scope_spool_view(view);
        *number = session->number;
    }
    scope_engine_unlock();
    scope_leave();
    return SCOPE_OK;
}

/* Each stream learns where the cut is. `table` has room for all stream ids, zeroed. */
static void cut_streams(scope_session *session, const scope_define_cut_stream *cuts, size_t count,
                        scope_stream **table)
{
    for (scope_stream *stream = session->streams; stream; stream = stream->next_of_session)
        table[stream->id] = stream;
    for (size_t i = 0; i < count; i++) {
        scope_stream *stream =
            cuts[i].stream < scope_store.stream_count ? table[cuts[i].stream] : NULL;
        if (!stream)
            continue;
        stream->cuts = session->cut_count;
        stream->cut_sequence = cuts[i].sequence;
        stream->cut_word = cuts[i].word;
    }
    session->has_written = true;
}

scope_status scope_host_checkpoint(scope_session *session, const scope_define_cut_stream *streams,
                                   size_t stream_count, int64_t next_call_id, const char *output)
{
    if (!session || (!streams && stream_count) || !output)
        return SCOPE_ERR_ARGUMENT;
    if (session->adopted && scope_session_enter()) { /* its starter may write the rest later */
        scope_session_remember_written(output);
        scope_session_exit();
    }
    if (!scope_enter())
        return SCOPE_ERR_STATE;
    scope_status status = SCOPE_ERR_STATE;
    scope_engine_lock();
    if (session->number) {
        scope_define_cut cut = {
            .cut = session->cut_count, .next_call_id = next_call_id, .stream_count = stream_count};
        scope_define_checkpoint written = {.cut = cut.cut, .output_bytes = strlen(output)};
        const scope_part positions = {streams, stream_count * sizeof *streams};
        const scope_part text = {output, written.output_bytes};
        session->host_wrote = true;
        status = scope_define(SCOPE_DEFINE_CUT, session->number, &cut,
                              offsetof(scope_define_cut, streams), &positions, 1) &&
                         scope_define(SCOPE_DEFINE_CHECKPOINT, session->number, &written,
                                      offsetof(scope_define_checkpoint, output), &text, 1)
                     ? SCOPE_OK
                     : SCOPE_ERR_MEMORY;
        session->cut_count++;
        const size_t table_bytes = (scope_store.stream_count + 1) * sizeof(scope_stream *);
        scope_stream **table = status == SCOPE_OK ? scope_map_alloc(table_bytes) : NULL;
        if (table)
            cut_streams(session, streams, stream_count, table);
        scope_map_free(table, table_bytes);
    }
    scope_engine_unlock();
    scope_leave();
    return status;
}
