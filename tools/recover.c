/* recover.c - `scope recover`: make a file of what a killed run left.
 *
 * The same replay as at the end of a run that went well, on the spool files of
 * all its ranks that are here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <scope/file.h>

#include "collect.h"
#include "ends.h"
#include "input.h"
#include "join.h"
#include "list.h"
#include "others.h"
#include "runs.h"
#include "table.h"

static const char help[] =
    "usage: scope recover [options] [SPOOL|FOLDER...] [-o FILE]\n\n"
    "Makes a profile of the spool files that a killed run left, and says how each of\n"
    "its ranks ended. A folder may hold several runs: the last one is taken, or the\n"
    "one that --run names. Without SPOOL or FOLDER: the places where recordings go.\n"
    "Sessions that the program had opened itself become files of their own. What\n"
    "another user left is taken only if it, or the folder of that user, is named,\n"
    "and only with -o.\n\n"
    "  -o, --output=FILE    the file to write (default: the one the run would have\n"
    "                       written, if it does not exist by then)\n"
    "      --list           say what is there, and make nothing\n"
    "      --run=ID         the first digits of a run's id, as --list shows it\n"
    "      --host=NAME      only what processes of this host left\n"
    "      --collect=DIR    only copy this node's spool files into DIR, which is made\n"
    "                       if need be: for srun --ntasks-per-node=1 at the end of a\n"
    "                       job; with --run those of one run\n"
    "      --remove         remove the spool files once the file is written\n"
    "      --force          also if the run's file was written already\n"
    "      --compress       compress the file\n"
    "  -q, --quiet          say nothing when it worked\n"
    "  -h, --help           show this\n"
    "      --version        show the version\n";

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"list", no_argument, NULL, 'l'},
                                             {"run", required_argument, NULL, 'r'},
                                             {"host", required_argument, NULL, 'H'},
                                             {"collect", required_argument, NULL, 'C'},
                                             {"remove", no_argument, NULL, 'R'},
                                             {"force", no_argument, NULL, 'f'},
                                             {"compress", no_argument, NULL, 'Z'},
                                             {"quiet", no_argument, NULL, 'q'},
                                             COMMAND_OPTIONS};

typedef struct recover_options {
    const char *output, *run, *host, *compression, *collect;
    bool list, remove, force, quiet;
} recover_options;

static int read_options(int argc, char **argv, recover_options *options)
{
    for (int answer; (answer = getopt_long(argc, argv, ":o:lqh", long_options, NULL)) != -1;) {
        switch (answer) {
        case 'o':
            options->output = optarg;
            break;
        case 'l':
            options->list = true;
            break;
        case 'r':
            options->run = optarg;
            break;
        case 'H':
            options->host = optarg;
            break;
        case 'C':
            options->collect = optarg;
            break;
        case 'R':
            options->remove = true;
            break;
        case 'f':
            options->force = true;
            break;
        case 'Z':
            options->compression = "gzip";
            break;
        case 'q':
            options->quiet = true;
            break;
        default:
            return command_common(answer, argv, help);
        }
    }
    if (options->output && !*options->output)
        return command_usage(argv[0], "no output given: -o FILE");
    return -1;
}

/* ---- recovering ---- */

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

static int recover(const run *run, const recover_options *options)
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

/* Explicit files are one run, whatever their ids: who names them knows. */
static bool all_files(char **paths, int count)
{
    for (int i = 0; i < count; i++) {
        struct stat status;
        if (stat(paths[i], &status) != 0 || S_ISDIR(status.st_mode))
            return false;
    }
    return count > 0;
}

/* ---- which run ---- */

/* When the last process of this run id began, in whatever run of the list it is. */
static int64_t last_start(const run *runs, size_t count, const run *of)
{
    int64_t last = 0;
    for (size_t i = 0; i < count; i++)
        if (run_same_id(&runs[i], of) && run_start(&runs[i]) > last)
            last = run_start(&runs[i]);
    return last;
}

/* `a` is rather what was meant than `b`: the later job; of one job its ranks rather
 * than a child without one, the last start of its ranks, its first process. */
static bool is_better(const run *runs, size_t count, const run *a, const run *b)
{
    if (!run_same_id(a, b))
        return last_start(runs, count, a) > last_start(runs, count, b);
    const bool ranked = a->items[0]->header->rank >= 0;
    if (ranked != (b->items[0]->header->rank >= 0))
        return ranked;
    return ranked ? run_start(a) > run_start(b) : run_start(a) < run_start(b);
}

static void say_no_run(const char *id)
{
    command_say("recover", "no run %s here: --list shows what there is", id);
}

/* The run that --run names, else the last one. NULL: said why. */
static const run *choose(const run *runs, size_t count, const recover_options *options)
{
    const run *chosen = NULL;
    size_t fitting = 0;
    for (size_t i = 0; i < count; i++) {
        if (options->run && !spools_is_run(runs[i].items[0], options->run))
            continue;
        fitting++;
        if (!chosen || is_better(runs, count, &runs[i], chosen))
            chosen = &runs[i];
    }
    if (!chosen)
        say_no_run(options->run);
    else if (chosen->guessed)
        command_say("recover", "started more than once, and some ranks left less than others: "
                               "which belong together is a guess; name the files to take");
    if (chosen && fitting > 1 && !options->quiet)
        command_say("recover",
                    "%zu runs here, taking the last one: --list shows them, --run, or the names "
                    "of its files, takes another",
                    fitting);
    return chosen;
}

int command_recover(int argc, char **argv)
{
    recover_options options = {0};
    spools spools = {0};
    size_t run_count = 0;
    run *runs = NULL;
    int code = read_options(argc, argv, &options);
    if (code >= 0)
        return code;
    code = command_keep_inputs(argv[0], options.output, argv + optind, argc - optind);
    if (code != EXIT_DONE)
        return code;
    if (options.output && input_is_spool(options.output)) /* of a folder, or of another run */
        return command_usage(argv[0], "%s holds a recording, it cannot be the output",
                             options.output);
    style_set(STYLE_AUTO, false);
    for (int i = optind; i < argc; i++)
        if (!spools_add(&spools, argv[0], argv[i]))
            code = EXIT_FAILED;
    if (optind >= argc)
        spools_add_default(&spools, argv[0]);
    const size_t left_out = options.list ? 0 : spools_drop_unasked(&spools);
    if (left_out)
        command_say(argv[0], "%zu %s of other users left out: name %s, or the folder of its user",
                    left_out, left_out == 1 ? "spool file" : "spool files",
                    left_out == 1 ? "the file" : "a file");
    if (options.host && spools.count && !spools_keep_host(&spools, options.host)) {
        command_say(argv[0], "no recordings of host %s here: --list shows what there is",
                    options.host);
        code = EXIT_FAILED;
        goto done;
    }
    if (!spools.count) {
        if (code == EXIT_DONE && options.list)
            puts("no recordings here");
        else if (code == EXIT_DONE)
            command_say(argv[0], "no recordings here");
        code = code == EXIT_DONE && options.list ? EXIT_DONE : EXIT_FAILED;
        goto done;
    }
    spools_sort(&spools);
    if (options.collect) {
        size_t copied;
        if (options.run && !spools_keep_run(&spools, options.run)) {
            say_no_run(options.run);
            code = EXIT_FAILED;
            goto done;
        }
        const scope_status status = collect_spools(argv[0], &spools, options.collect, &copied);
        if (!options.quiet)
            printf("%zu %s copied to %s\n", copied, copied == 1 ? "recording" : "recordings",
                   options.collect);
        code = status == SCOPE_OK ? code : EXIT_FAILED;
        goto done;
    }
    if (options.list) {
        runs = runs_find(&spools, &run_count);
        if (runs)
            list_runs(runs, run_count);
        goto done;
    }
    if (!options.run && all_files(argv + optind, argc - optind)) {
        runs = calloc(1, sizeof *runs);
        if (runs)
            runs[run_count++] = run_of_all(&spools);
    } else {
        runs = runs_find(&spools, &run_count);
    }
    const run *chosen = runs ? choose(runs, run_count, &options) : NULL;
    const int result = chosen ? recover(chosen, &options) : EXIT_FAILED;
    code = result != EXIT_DONE ? result : code;
done:
    for (size_t i = 0; i < run_count; i++)
        free(runs[i].items);
    free(runs);
    spools_free(&spools);
    return code;
}
