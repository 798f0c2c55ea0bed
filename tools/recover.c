/* recover.c - `scope recover`: which run is meant; recover_run.c makes a file of what it left.
 *
 * The same replay as at the end of a run that went well, on the spool files of
 * all its ranks that are here.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "collect.h"
#include "input.h"
#include "list.h"
#include "recover_run.h"
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

/* ---- which run ---- */

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

/* The spools that are asked for. false: some were not to be read, said why. */
static bool find_spools(int argc, char **argv, const recover_options *options, spools *spools)
{
    bool found = true;
    for (int i = optind; i < argc; i++)
        found &= spools_add(spools, argv[0], argv[i]);
    if (optind >= argc)
        spools_add_default(spools, argv[0]);
    const size_t left_out = options->list ? 0 : spools_drop_unasked(spools);
    if (left_out)
        command_say(argv[0], "%zu %s of other users left out: name %s, or the folder of its user",
                    left_out, left_out == 1 ? "spool file" : "spool files",
                    left_out == 1 ? "the file" : "a file");
    return found;
}

static int list(spools *spools)
{
    size_t count = 0;
    run *runs = runs_find(spools, &count);
    if (runs)
        list_runs(runs, count);
    runs_free(runs, count);
    return EXIT_DONE;
}

static int collect(spools *spools, const recover_options *options)
{
    size_t copied;
    if (options->run && !spools_keep_run(spools, options->run)) {
        say_no_run(options->run);
        return EXIT_FAILED;
    }
    const scope_status status = collect_spools("recover", spools, options->collect, &copied);
    if (!options->quiet)
        printf("%zu %s copied to %s\n", copied, copied == 1 ? "recording" : "recordings",
               options->collect);
    return status == SCOPE_OK ? EXIT_DONE : EXIT_FAILED;
}

/* `as_one`: all spools are one run, whatever they say. */
static int recover(spools *spools, bool as_one, const recover_options *options)
{
    size_t count = 0;
    run *runs = as_one ? calloc(1, sizeof *runs) : runs_find(spools, &count);
    if (as_one && runs)
        runs[count++] = run_of_all(spools);
    const run *chosen = runs ? choose(runs, count, options) : NULL;
    const int code = chosen ? recover_run(chosen, options) : EXIT_FAILED;
    runs_free(runs, count);
    return code;
}

int command_recover(int argc, char **argv)
{
    recover_options options = {0};
    spools spools = {0};
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
    const bool found = find_spools(argc, argv, &options, &spools);
    if (options.host && spools.count && !spools_keep_host(&spools, options.host)) {
        command_say(argv[0], "no recordings of host %s here: --list shows what there is",
                    options.host);
        code = EXIT_FAILED;
    } else if (!spools.count) {
        if (found && options.list)
            puts("no recordings here");
        else if (found)
            command_say(argv[0], "no recordings here");
        code = options.list ? EXIT_DONE : EXIT_FAILED;
    } else {
        spools_sort(&spools);
        if (options.collect)
            code = collect(&spools, &options);
        else if (options.list)
            code = list(&spools);
        else
            code = recover(&spools, !options.run && all_files(argv + optind, argc - optind),
                           &options);
    }
    spools_free(&spools);
    return code == EXIT_DONE && !found ? EXIT_FAILED : code;
}
