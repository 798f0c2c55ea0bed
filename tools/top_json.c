/* top_json.c - a run that is watched, as JSON: times in seconds.
 *
 * SPDX-License-Identifier: MIT
 */
#include "top.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "run_id.h"

static void string(json *json, const char *key, const scope_string *text)
{
    if (text->bytes)
        json_text(json, key, text->bytes, text->length_bytes);
    else
        json_null(json, key);
}

static void sum(json *json, const char *key, const top_sum *now, const top_sum *before)
{
    json_open(json, key, '{');
    json_integer(json, "calls", top_more(now->calls, before->calls));
    json_seconds(json, "total", top_more(now->total_ns, before->total_ns));
    json_seconds(json, "exclusive", top_more(now->exclusive_ns, before->exclusive_ns));
    json_integer(json, "bytes", top_more(now->bytes, before->bytes));
    json_close(json);
}

static void part(json *json, const char *key, const top_part *now, const top_part *before)
{
    json_open(json, key, '{');
    json_integer(json, "calls", top_more(now->calls, before->calls));
    json_integer(json, "events", top_more(now->events, before->events));
    json_seconds(json, "time", top_more(now->time_ns, before->time_ns));
    json_seconds(json, "threads_time", top_more(now->lane_ns, before->lane_ns));
    json_seconds(json, "mpi", top_more(now->mpi_ns, before->mpi_ns));
    json_integer(json, "bytes", top_more(now->bytes, before->bytes));
    json_close(json);
}

static void regions(json *json, const top_run *run, const top_options *options)
{
    static const top_sum none;
    size_t count;
    size_t *order = top_order(run, options, &count);
    json_open(json, "regions", '[');
    for (size_t i = 0; order && i < count; i++) {
        const top_region *region = &run->regions[order[i]];
        if (options->rows > 0 && i >= (size_t)options->rows)
            break;
        json_open(json, NULL, '{');
        json_text(json, "name", region->name, region->length_bytes);
        json_boolean(json, "mpi", region->mpi);
        json_integer(json, "open", region->open);
        sum(json, "last", &region->now, run->interval_ns ? &region->before : &region->now);
        sum(json, "since_start", &region->now, &none);
        json_close(json);
    }
    json_close(json);
    free(order);
}

static void thread(json *json, const top_rank *rank, size_t place)
{
    const scope_watch_state *state = rank->state;
    const scope_watch_thread *one = &state->threads[place];
    int64_t since_ns;
    top_innermost(rank, place, &since_ns);
    json_open(json, NULL, '{');
    json_integer(json, "id", one->id);
    string(json, "name", &one->name);
    json_boolean(json, "main", one->is_main);
    json_open(json, "open", '[');
    for (size_t i = 0; i < one->open_count; i++)
        string(json, NULL, &state->regions[state->opens[one->first_open + i].region].name);
    json_close(json);
    json_seconds(json, "since", since_ns);
    json_close(json);
}

static void ranks(json *json, const top_run *run, const top_options *options)
{
    static const top_part none;
    char text[64];
    json_open(json, "ranks", '[');
    for (size_t i = 0; i < run->rank_count; i++) {
        const top_rank *rank = &run->ranks[i];
        if (!top_shows(rank, options))
            continue;
        json_open(json, NULL, '{');
        json_integer(json, "rank", rank->header->rank);
        json_integer(json, "pid", (int64_t)rank->header->pid);
        top_end(rank, text, sizeof text);
        json_text(json, "state", text, strlen(text));
        json_boolean(json, "writes", rank->running && rank->state->has_ended);
        json_boolean(json, "waits", rank->waits);
        json_boolean(json, "awaited", rank->awaited);
        json_integer(json, "dropped_events", (int64_t)rank->header->dropped_events);
        json_integer(json, "summed_calls", (int64_t)rank->state->folded_count);
        json_integer(json, "missed_chunks", (int64_t)rank->state->missed_chunks);
        json_integer(json, "waiting_tasks", (int64_t)rank->state->waiting_tasks);
        part(json, "last", &rank->now, run->interval_ns ? &rank->before : &rank->now);
        part(json, "since_start", &rank->now, &none);
        json_open(json, "threads", '[');
        for (size_t k = 0; rank->running && k < rank->state->thread_count; k++)
            thread(json, rank, k);
        json_close(json);
        json_close(json);
    }
    json_close(json);
}

static void waits(json *json, const top_run *run)
{
    json_open(json, "waits", '[');
    for (size_t i = 0; i < run->wait_count; i++) {
        const top_wait *wait = &run->waits[i];
        json_open(json, NULL, '{');
        string(json, "call", &wait->call->name);
        if (wait->communicator)
            string(json, "communicator", &wait->communicator->name);
        else
            json_null(json, "communicator");
        json_seconds(json, "since", wait->since_ns);
        json_open(json, "ranks", '[');
        for (size_t k = 0; k < wait->waiting_count; k++)
            json_integer(json, NULL, wait->waiting[k]->header->rank);
        json_close(json);
        json_open(json, "absent", '[');
        for (size_t k = 0; k < wait->absent_count; k++) {
            const top_absent *absent = &wait->absent[k];
            json_open(json, NULL, '{');
            json_integer(json, "rank", absent->rank->header->rank);
            if (absent->open)
                string(json, "in", &absent->rank->state->regions[absent->open->region].name);
            else
                json_null(json, "in");
            json_seconds(json, "since", absent->since_ns);
            json_close(json);
        }
        json_close(json);
        if (wait->elsewhere >= 0)
            json_integer(json, "elsewhere", wait->elsewhere);
        else
            json_null(json, "elsewhere");
        json_close(json);
    }
    json_close(json);
}

void top_json(const top_run *run, const top_options *options, FILE *out)
{
    const scope_recording_header *first = run->ranks[0].header;
    char id[SCOPE_RUN_ID_TEXT_BYTES];
    json json = json_start(out);
    scope_run_id_format(run->id, id);
    json_open(&json, NULL, '{');
    json_text(&json, "run", id, strlen(id));
    json_text(&json, "program", first->program, strlen(first->program));
    json_text(&json, "host", first->host, strlen(first->host));
    json_boolean(&json, "ended", run->ended);
    json_seconds(&json, "time", run->now.time_ns);
    json_seconds(&json, "interval", run->interval_ns);
    waits(&json, run);
    regions(&json, run, options);
    ranks(&json, run, options);
    json_close(&json);
}
