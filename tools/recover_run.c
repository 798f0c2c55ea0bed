/* recover_run.c - the file of one run, of what its ranks left.
 *
 * SPDX-License-Identifier: MIT
 */
#include "recover_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <scope/file.h>

#include "command.h"
#include "ends.h"
#include "input.h"
#include "join.h"
#include "others.h"

/* ---- what its ranks left ---- */

enum {
    EXIT_PARTLY = -1, /* a file was made, and not of everything */
    EXIT_LOST = -2    /* somebody else's file was there first */
};

typedef struct recovered {
    input *inputs; /* of spools first, then of files */
    join_part *parts;
    const spool_found **spools; /* NULL for files */
    size_t count, unusable;
    bool taken; /* another recover --remove has been here */
} recovered;

static void close_all(recovered *all)
{
    for (size_t i = 0; i < all->count; i++)
        input_close(&all->inputs[i]);
    free(all->inputs);
    free(all->parts);
    free(all->spools);
}

static void open_spools(const run *run, recovered *all)
{
    for (size_t i = 0; i < run->count; i++) {
        const spool_found *item = run->items[i];
        if (input_open("recover", item->path, &all->inputs[all->count]) != SCOPE_OK) {
            run->items[i]->needed = true;
            all->unusable++;
            all->taken = all->taken || (!item->alive && access(item->path, F_OK) != 0);
            continue;
        }
        all->spools[all->count] = item;
        all->parts[all->count] = (join_part){all->inputs[all->count].calls, item->path};
        all->count++;
    }
}

static bool has_rank(const recovered *all, int rank)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->parts[i].calls->rank_row_count && all->parts[i].calls->ranks[0].rank == rank)
            return true;
    return false;
}

/* Another user's: what its spools say of files is not believed. */
static bool is_foreign(const run *run)
{
    for (size_t i = 0; i < run->count; i++)
        if (run->items[i]->foreign)
            return true;
    return false;
}

static void open_files(const run *run, recovered *all)
{
    const spool_found *first = run->items[0];
    const char *pattern = first->main && first->main->output ? first->main->output : "";
    if (is_foreign(run))
        return;
    for (int rank = 0; rank < run->size && *pattern; rank++) {
        char *name =
            has_rank(all, rank) ? NULL : run_own_output(run, pattern, first->header, rank);
        input *input = &all->inputs[all->count];
        if (name && access(name, R_OK) == 0 && input_open("recover", name, input) == SCOPE_OK) {
            if (run_wrote(run, input->calls, rank)) {
                all->parts[all->count] = (join_part){input->calls, NULL};
                all->count++;
            } else {
                input_close(input);
            }
        }
        free(name);
    }
}

/* What happened to whom, for people and for the file. */
static void describe(const run *run, const recovered *all, char **text, bool shown)
{
    size_t length;
    FILE *out = open_memstream(text, &length);
    if (!out) {
        *text = NULL;
        return;
    }
    for (size_t i = 0; i < all->count; i++) {
        const spool_found *item = all->spools[i];
        const char *part = item && item->main ? item->main->part : NULL;
        char note[PATH_MAX + 64];
        if (!all->parts[i].calls->rank_row_count)
            continue;
        snprintf(note, sizeof note, "%s%s%s", item ? "" : ", from its own file",
                 part ? ", after those that are in " : "", part ? part : "");
        ends_print(out, all->parts[i].calls, note);
    }
    for (int rank = 0; rank < run->size; rank++)
        if (!has_rank(all, rank))
            fprintf(out, "rank %d: left nothing here\n", rank);
    fclose(out);
    if (shown && *text)
        fputs(*text, stdout);
}

static int64_t missing_ranks(const run *run, const recovered *all)
{
    int64_t missing = 0;
    for (int rank = 0; rank < run->size; rank++)
        missing += !has_rank(all, rank);
    return missing;
}

/* ---- is it in a file already? ---- */

/* A host wrote a file, which is still there, and then recorded nothing more. */
static bool has_nothing_new(const spool_found *item)
{
    scope_calls *calls;
    if (access(item->main->part, R_OK) != 0 ||
        scope_replay(scope_spool_recording(item->spool), item->main->number, &calls) != SCOPE_OK)
        return false;
    const bool nothing = !calls->count && !calls->sum_count;
    scope_calls_free(calls);
    return nothing;
}

/* All of the run is in a file already: of the last checkpoint, or the one it was to
 * write, if it was killed between renaming it and saying so. malloc'd name, or NULL. */
static char *written_already(const run *run)
{
    bool written = true, parts = false;
    input input;
    for (size_t i = 0; i < run->count; i++) {
        const spool_found *item = run->items[i];
        const bool has_part = item->main && item->main->part && !item->main->written;
        written = written && (spools_is_written(item) || (has_part && has_nothing_new(item)));
        parts = parts || has_part;
    }
    if (written) {
        const scope_session_row *main = run->items[0]->main;
        return strdup(main->written ? main->written : main->part);
    }
    char *name = parts ? NULL : run_output(run); /* of parts the file may be there, without the rest */
    if (name && access(name, R_OK) == 0 && !input_is_spool(name) &&
        input_open("recover", name, &input) == SCOPE_OK) {
        written = run_wrote_all(run, input.calls);
        input_close(&input);
    }
    if (!written) {
        free(name);
        name = NULL;
    }
    return name;
}

/* Nothing of it is left to be read, and its own file has all: it ended while this command
 * was at work. A checkpoint is no such file; its process still has a spool. */
static bool ended_meanwhile(const run *run, const recover_options *options)
{
    if (options->output || is_foreign(run))
        return false;
    for (size_t i = 0; i < run->count; i++)
        if (run->items[i]->alive && access(run->items[i]->path, F_OK) == 0)
            return false;
    char *written = written_already(run);
    const bool found = written != NULL;
    if (found && !options->quiet)
        printf("the run has ended meanwhile: all of it is in %s\n", written);
    free(written);
    return found;
}

/* ---- one file of all ranks ---- */

/* EXIT_LOST: the run's own name, and by now there is such a file. */
static int write_run(const run *run, recovered *all, const char *output,
                     const recover_options *options)
{
    const scope_recording_header *header = run->items[0]->header;
    char id[SCOPE_RUN_ID_TEXT_BYTES];
    char *text;
    scope_collision collision;
    if (!join_distinct(all->parts, all->count, &collision)) {
        command_say("recover", "%s and %s both are rank %d; give one of them",
                    all->parts[collision.first].path, all->parts[collision.second].path,
                    (int)collision.rank);
        return EXIT_FAILED;
    }
    scope_run_id_format(header->run_id, id);
    if (!options->quiet)
        printf("run %.8s of %s, %zu of %d %s\n", id, header->program, all->count,
               run->size > 0 ? (int)run->size : 1, run->size > 1 ? "ranks" : "rank");
    describe(run, all, &text, !options->quiet);
    for (size_t i = 0; i < all->count; i++) {
        scope_calls *calls = all->parts[i].calls;
        scope_calls_set_integer(calls, "recovered", 1);
        scope_calls_set_text(calls, "recovery", text ? text : "", -1);
        scope_calls_set_text(calls, "run_id", id, -1);
        if (calls->rank_count < run->size)
            calls->rank_count = run->size;
    }
    free(text);
    join_clocks(all->parts, all->count);
    const bool keep = !options->output;
    const scope_status status =
        join_write("recover", all->parts, all->count, output, options->compression, keep);
    if (status != SCOPE_OK)
        return keep && status == SCOPE_ERR_STATE ? EXIT_LOST : EXIT_FAILED;
    if (!options->quiet)
        printf("wrote %s\n", output);
    return EXIT_DONE;
}

static void say_exists(const char *name)
{
    command_say("recover", "%s exists already: name a file with -o FILE", name);
}

/* The name to write: as asked for, else what the run would have written. */
static char *choose_output(const run *run, const recover_options *options)
{
    if (options->output)
        return strdup(options->output);
    char *name = is_foreign(run) ? NULL : run_output(run);
    if (is_foreign(run))
        command_say("recover", "%s is another user's: name the file to write with -o FILE",
                    run->items[0]->path);
    else if (!name)
        command_say("recover", "the run was to write no file: name one with -o FILE");
    else if (access(name, F_OK) == 0) {
        say_exists(name);
        free(name);
        name = NULL;
    }
    return name;
}

/* The file that is to be replaced has ranks of this run that are nowhere else: an earlier
 * recover --remove made it, or one that is at work. */
static bool has_more(const run *run, const recovered *all, const recover_options *options)
{
    scope_file *file;
    bool more = false;
    if (!options->output || options->force || !missing_ranks(run, all) ||
        scope_file_open(options->output, &file) != SCOPE_OK)
        return false;
    const scope_calls *calls = scope_file_calls(file);
    for (size_t i = 0; i < calls->rank_row_count && run_was_recovered(run, calls); i++)
        more = more || (calls->ranks[i].pid > 0 && !has_rank(all, calls->ranks[i].rank));
    scope_file_close(file);
    if (more)
        command_say("recover", "%s has more of this run than is left here: name another file, or "
                               "--force", options->output);
    return more;
}

/* The profile of the run itself: all its ranks. */
static int recover_profile(const run *run, const recover_options *options)
{
    const size_t room = run->count + (run->size > 0 ? (size_t)run->size : 0) + 1;
    recovered all = {.inputs = calloc(room, sizeof *all.inputs),
                     .parts = calloc(room, sizeof *all.parts),
                     .spools = calloc(room, sizeof *all.spools)};
    char *output = NULL;
    int code = EXIT_FAILED;
    if (!all.inputs || !all.parts || !all.spools) {
        command_say("recover", "out of memory");
        goto done;
    }
    output = choose_output(run, options);
    if (!output)
        goto done;
    open_spools(run, &all);
    if (all.taken) {
        command_say("recover",
                    "no file written: another scope recover has removed part of this run");
        goto done;
    }
    open_files(run, &all);
    if (has_more(run, &all, options))
        goto done;
    code = all.count ? write_run(run, &all, output, options) : EXIT_LOST;
    if (code == EXIT_LOST) {
        code = ended_meanwhile(run, options) ? EXIT_DONE : EXIT_FAILED;
        if (code == EXIT_FAILED && all.count)
            say_exists(output);
        goto done;
    }
    if (code == EXIT_DONE && missing_ranks(run, &all) && !options->quiet)
        command_say("recover", "ranks that left nothing here may have spools on their own nodes");
    if (all.unusable && code == EXIT_DONE)
        code = EXIT_PARTLY;
done:
    free(output);
    close_all(&all);
    return code;
}

/* ---- and its spools ---- */

static int remove_file(const char *path)
{
    if (unlink(path) == 0 || errno == ENOENT) /* another recover was faster */
        return EXIT_DONE;
    command_say("recover", "%s: cannot be removed: %s", path, strerror(errno));
    return EXIT_FAILED;
}

/* With its copies: one that stays would be recovered once more. */
static int remove_spool(const spool_found *item)
{
    if (item->alive || item->needed)
        return EXIT_DONE;
    int code = remove_file(item->path);
    for (const spool_copy *copy = item->copies; copy; copy = copy->next)
        if (remove_file(copy->path) != EXIT_DONE)
            code = EXIT_FAILED;
    return code;
}

int recover_run(const run *run, const recover_options *options)
{
    const others_options rest = {.output = options->output,
                                 .compression = options->compression,
                                 .replace = options->force,
                                 .quiet = options->quiet};
    const size_t others = others_count(run);
    char *written = options->force || is_foreign(run) ? NULL : written_already(run);
    char *planned = written || options->output ? NULL : run_output(run);
    const bool unwanted =
        others && !written && !options->output && !planned && !is_foreign(run);
    int code = EXIT_DONE;
    if (written && !options->quiet)
        printf(others ? "all ranks are in %s already\n"
                      : "nothing to do: all of it is in %s (--force makes another file)\n",
               written);
    if (unwanted && !options->quiet)
        puts("the run was to write no file: -o FILE makes one of it, too");
    if (!written && !unwanted)
        code = recover_profile(run, options);
    for (size_t i = 0; unwanted && i < run->count; i++)
        run->items[i]->needed = true;
    if (code != EXIT_FAILED && others && others_recover(run, &rest) != EXIT_DONE)
        code = EXIT_PARTLY;
    if (options->remove && code != EXIT_FAILED)
        for (size_t i = 0; i < run->count; i++)
            if (remove_spool(run->items[i]) != EXIT_DONE)
                code = EXIT_PARTLY;
    free(written);
    free(planned);
    return code == EXIT_PARTLY ? EXIT_FAILED : code;
}
