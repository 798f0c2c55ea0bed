/* report_records.c - see report_records.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "report_records.h"

#include <inttypes.h>
#include <string.h>

#include "view_comm.h"

/* ---- JSON ---- */

static void integer_or_null(json *json, const char *key, int64_t value, bool known)
{
    if (known)
        json_integer(json, key, value);
    else
        json_null(json, key);
}

static void word(json *json, const char *key, int32_t kind)
{
    const char *text = scope_message_word(kind);
    json_text(json, key, text, strlen(text));
}

static void string(json *json, const char *key, const scope_string *text)
{
    json_text(json, key, text->bytes ? text->bytes : "", text->length_bytes);
}

static void communicator(json *json, const view_comm *comm, const scope_joined_communicator *row)
{
    json_open(json, NULL, '{');
    string(json, "name", &row->name);
    integer_or_null(json, "size", row->size, row->size >= 0);
    integer_or_null(json, "parent", row->parent, row->parent >= 0);
    json_open(json, "ranks", '[');
    for (size_t i = 0; i < row->count; i++)
        json_integer(json, NULL, comm->joined.ranks[row->first + i]);
    json_close(json);
    json_close(json);
}

static void function(json *json, const view *view, const scope_function_row *row)
{
    json_open(json, NULL, '{');
    json_integer(json, "rank", row->rank);
    integer_or_null(json, "communicator", row->communicator, row->communicator >= 0);
    string(json, "name", &view->calls->regions[row->region].name);
    word(json, "kind", row->kind);
    json_integer(json, "num_calls", row->call_count);
    json_integer(json, "num_messages", row->message_count);
    json_integer(json, "bytes", row->bytes);
    json_seconds(json, "total_duration", row->total_ns);
    json_close(json);
}

static void peer(json *json, const scope_peer_row *row)
{
    json_open(json, NULL, '{');
    json_integer(json, "rank", row->rank);
    integer_or_null(json, "communicator", row->communicator, row->communicator >= 0);
    word(json, "kind", row->kind);
    integer_or_null(json, "peer", row->peer, row->peer >= 0);
    integer_or_null(json, "max_bytes", scope_size_limit(row->size_class),
                    row->size_class < SCOPE_SIZE_CLASSES - 1);
    json_integer(json, "num_messages", row->message_count);
    json_integer(json, "bytes", row->bytes);
    json_close(json);
}

static void untold(json *json, const scope_untold_row *row)
{
    json_open(json, NULL, '{');
    json_integer(json, "rank", row->rank);
    json_integer(json, "num_calls", row->call_count);
    json_integer(json, "bytes", row->bytes);
    json_integer(json, "num_lost", row->lost_count);
    json_close(json);
}

void report_json_comm(json *json, const view *view)
{
    const view_comm *comm = view->comm;
    json_open(json, "communication", '{');
    json_open(json, "communicators", '[');
    for (size_t i = 0; i < comm->joined.count; i++)
        communicator(json, comm, &comm->joined.rows[i]);
    json_close(json);
    json_open(json, "functions", '[');
    for (size_t i = 0; i < comm->list.function_count; i++)
        function(json, view, &comm->list.functions[i]);
    json_close(json);
    json_open(json, "peers", '[');
    for (size_t i = 0; i < comm->list.peer_count; i++)
        peer(json, &comm->list.peers[i]);
    json_close(json);
    json_open(json, "untold", '[');
    for (size_t i = 0; i < comm->list.untold_count; i++)
        untold(json, &comm->list.untold[i]);
    json_close(json);
    json_close(json);
}

/* ---- CSV ---- */

/* Rank, and number and name of the communicator. */
static void start_line(FILE *out, const view_comm *comm, int32_t rank, int32_t communicator)
{
    fprintf(out, "%d,", (int)rank);
    if (communicator < 0) {
        fputs(",", out);
        return;
    }
    const scope_string *name = &comm->joined.rows[communicator].name;
    fprintf(out, "%d,", (int)communicator);
    report_csv_field(out, name->bytes, name->length_bytes);
}

static void function_lines(const view *view, FILE *out)
{
    fputs("rank,communicator,communicator_name,name,kind,num_calls,num_messages,bytes,"
          "total_duration\n",
          out);
    for (size_t i = 0; i < view->comm->list.function_count; i++) {
        const scope_function_row *row = &view->comm->list.functions[i];
        const scope_string *name = &view->calls->regions[row->region].name;
        start_line(out, view->comm, row->rank, row->communicator);
        fputc(',', out);
        report_csv_field(out, name->bytes, name->length_bytes);
        fprintf(out, ",%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ".%09" PRId64 "\n",
                scope_message_word(row->kind), row->call_count, row->message_count, row->bytes,
                row->total_ns / 1000000000, row->total_ns % 1000000000);
    }
}

static void peer_lines(const view *view, FILE *out)
{
    fputs("rank,communicator,communicator_name,kind,peer,max_bytes,num_messages,bytes\n", out);
    for (size_t i = 0; i < view->comm->list.peer_count; i++) {
        const scope_peer_row *row = &view->comm->list.peers[i];
        start_line(out, view->comm, row->rank, row->communicator);
        fprintf(out, ",%s,", scope_message_word(row->kind));
        if (row->peer >= 0)
            fprintf(out, "%d", (int)row->peer);
        fputc(',', out);
        if (row->size_class < SCOPE_SIZE_CLASSES - 1)
            fprintf(out, "%" PRId64, scope_size_limit(row->size_class));
        fprintf(out, ",%" PRId64 ",%" PRId64 "\n", row->message_count, row->bytes);
    }
}

void report_csv_comm(const view *view, bool peers, FILE *out)
{
    if (peers)
        peer_lines(view, out);
    else
        function_lines(view, out);
}
