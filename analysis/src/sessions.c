/* sessions.c - which sessions a recording has, and which of them are in a file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/replay.h>

#include <stdlib.h>
#include <string.h>

#include "definitions_reader.h"

/* ---- the one that is meant ---- */

static scope_status take_last_session(void *context, const entry_view *view)
{
    const scope_define_session *entry = view->bytes;
    uint16_t *last = context;
    if (entry->head.kind == SCOPE_DEFINE_SESSION && definitions_fits(view, sizeof *entry, 0) &&
        entry->is_process && entry->head.session > *last)
        *last = entry->head.session;
    return SCOPE_OK;
}

uint16_t definitions_last_session(const chunk_index *index)
{
    uint16_t session = 0, with_events = 0;
    scope_status status;
    for (size_t i = 0; i < index->count; i++) {
        const chunk_entry *chunk = &index->entries[i];
        if (chunk->header.kind == SCOPE_CHUNK_DEFINITIONS)
            definitions_walk(chunk, 0, take_last_session, &session, &status);
        else if (chunk->header.session > with_events)
            with_events = chunk->header.session;
    }
    return session ? session : with_events;
}

/* ---- all ---- */

static scope_session_row *find(const scope_sessions *sessions, uint16_t number)
{
    for (size_t i = 0; i < sessions->count; i++)
        if (sessions->rows[i].number == number)
            return &sessions->rows[i];
    return NULL;
}

static scope_session_row *find_or_add(scope_sessions *sessions, uint16_t number)
{
    scope_session_row *row = find(sessions, number);
    if (row)
        return row;
    scope_session_row *grown =
        realloc(sessions->rows, (sessions->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    sessions->rows = grown;
    grown[sessions->count] = (scope_session_row){.number = number};
    return &grown[sessions->count++];
}

static scope_status set_text(char **to, const char *bytes, uint64_t length)
{
    char *text = strndup(bytes, (size_t)length);
    if (!text)
        return SCOPE_ERR_MEMORY;
    free(*to);
    *to = text;
    return SCOPE_OK;
}

static scope_status take_start(scope_sessions *sessions, const entry_view *view)
{
    const scope_define_session *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, (uint64_t)entry->label_bytes + entry->output_bytes))
        return SCOPE_OK; /* damaged: replay counts it */
    scope_session_row *row = find_or_add(sessions, entry->head.session);
    if (!row)
        return SCOPE_ERR_MEMORY;
    row->is_process = entry->is_process != 0;
    row->start_realtime_ns = entry->realtime_ns;
    return row->output ? SCOPE_OK
                       : set_text(&row->output, entry->text + entry->label_bytes,
                                  entry->output_bytes);
}

static scope_status take_checkpoint(scope_sessions *sessions, const entry_view *view)
{
    const scope_define_checkpoint *entry = view->bytes;
    if (!definitions_fits(view, sizeof *entry, 0) ||
        !definitions_fits(view, sizeof *entry, entry->output_bytes))
        return SCOPE_OK;
    scope_session_row *row = find_or_add(sessions, entry->head.session);
    if (!row)
        return SCOPE_ERR_MEMORY;
    return set_text(entry->cut == UINT64_MAX ? &row->written : &row->part, entry->output,
                    entry->output_bytes);
}

static scope_status take(void *context, const entry_view *view)
{
    const scope_definition *head = view->bytes;
    if (head->kind == SCOPE_DEFINE_SESSION && head->session)
        return take_start(context, view);
    if (head->kind == SCOPE_DEFINE_CHECKPOINT && head->session)
        return take_checkpoint(context, view);
    return SCOPE_OK;
}

static int by_number(const void *a, const void *b)
{
    const scope_session_row *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

scope_status scope_recording_sessions(const scope_recording *recording, scope_sessions *sessions)
{
    chunk_index index;
    uint16_t last_seen = 0;
    *sessions = (scope_sessions){0};
    scope_status status = chunk_index_build(recording, &index);
    if (status != SCOPE_OK)
        return status;
    for (size_t i = 0; i < index.count && status == SCOPE_OK; i++) {
        const chunk_entry *chunk = &index.entries[i];
        if (chunk->header.kind == SCOPE_CHUNK_DEFINITIONS) {
            scope_status walked;
            definitions_walk(chunk, 0, take, sessions, &walked);
            status = walked == SCOPE_ERR_MEMORY ? walked : SCOPE_OK;
        } else if (chunk->header.session && chunk->header.session != last_seen) {
            last_seen = chunk->header.session; /* also one whose entry is lost */
            status = find_or_add(sessions, last_seen) ? SCOPE_OK : SCOPE_ERR_MEMORY;
        }
    }
    sessions->main = definitions_last_session(&index);
    chunk_index_free(&index);
    if (status != SCOPE_OK) {
        scope_sessions_free(sessions);
        return status;
    }
    if (sessions->count)
        qsort(sessions->rows, sessions->count, sizeof *sessions->rows, by_number);
    return SCOPE_OK;
}

void scope_sessions_free(scope_sessions *sessions)
{
    for (size_t i = 0; i < sessions->count; i++) {
        free(sessions->rows[i].output);
        free(sessions->rows[i].written);
        free(sessions->rows[i].part);
    }
    free(sessions->rows);
    *sessions = (scope_sessions){0};
}
