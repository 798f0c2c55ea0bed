/* inspect.c - `scope inspect`: what a profile says.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "left.h"
#include "table.h"
#include "view.h"

static const char help[] =
    "usage: scope inspect [options] FILE...\n\n"
    "Shows calls and times per region, over all ranks and for each, then ranks,\n"
    "MPI data, threads and tasks. FILE is a profile or a spool file, also that of a\n"
    "program that still runs. Without FILE: profiling_data.h5.\n\n"
    "  -r, --rank=LIST      these ranks only, each by itself: 0,2-5\n"
    "  -g, --region=LIST    these regions only: 'solve*,MPI_*' or '-MPI_*'\n"
    "  -s, --sort=WORD      exclusive, total, calls, mean, min, max, share,\n"
    "                       imbalance, bytes, name, start or file (default:\n"
    "                       exclusive)\n"
    "  -b, --by-rank        a table for each rank, however many there are\n"
    "  -l, --lanes          threads and tasks, also where each rank has but one\n"
    "  -o, --overhead       what the profiler itself took of each region, and the\n"
    "                       times without it\n"
    "  -c, --comm           instead of times: messages by communicator, function and\n"
    "                       size\n"
    "  -m, --matrix         instead of times: which rank sent how much to which\n"
    "      --waits          instead of times: which MPI calls waited for which ranks,\n"
    "                       and in which region those were meanwhile\n"
    "  -n, --limit=N        rows per table; 0 shows all\n"
    "  -w, --wide           never shorten a name\n"
    "      --json           everything as JSON, times in seconds\n"
    "      --csv            a line per rank and region; with --lanes per lane too;\n"
    "                       with --comm or --matrix all sums of messages, a line\n"
    "                       each, with --waits those of waiting\n"
    "      --colour=WHEN    auto, always or never\n"
    "  -h, --help           show this\n"
    "      --version        show the version\n\n"
    "total: time in the region; excl: the same without regions inside; min, mean:\n"
    "of calls that ended; share: part of all exclusive time; imbal: longest rank\n"
    "total / mean rank total.\n\n"
    "Ranks: duration: from start to end; regions: time in regions, of all threads\n"
    "together; MPI: that in MPI calls, MPI %: its part of duration; bytes: of all its\n"
    "MPI calls, messages, files and one-sided; open call: the innermost that had not\n"
    "ended, and how many more.\n\n"
    "--overhead: overhead: what recording the region's calls took, much of it before\n"
    "their begin and behind their end; in total: what lies in total, of calls inside\n"
    "too; net total = total - in total; net excl: excl likewise. It is the least:\n"
    "calls by name, folding and new memory cost more.\n\n"
    "--comm: #: number of the communicator, of: that of its parent; coll.: calls of\n"
    "collective functions, of all ranks, with the bytes each rank passed as its data\n"
    "argument; messages: between two ranks, each once. --matrix: of more ranks than\n"
    "columns, nodes or ranks that follow each other are taken together.\n\n"
    "--waits: late sender: a receive began before its message was sent; late\n"
    "receiver: a send returned only after its receive was posted; all to all, one to\n"
    "all, all to one, prefix: in collective calls, until those ranks came that it\n"
    "needs. MPI_Wait*: of a nonblocking one, as the blocking one would have waited.\n"
    "others waited: for that rank while it was in that region, innermost; if that is\n"
    "an MPI call, the rank waited itself, or was moving data: see its own waits.\n"
    "share: part of all waiting; imbal: longest of a rank / mean of all ranks; time,\n"
    "MPI: without MPI_Init and MPI_Finalize (or the same of sessions). With --region:\n"
    "waits of calls made in those regions (the innermost), or by those MPI functions.\n";

static const struct option long_options[] = {{"rank", required_argument, NULL, 'r'},
                                             {"region", required_argument, NULL, 'g'},
                                             {"sort", required_argument, NULL, 's'},
                                             {"by-rank", no_argument, NULL, 'b'},
                                             {"lanes", no_argument, NULL, 'l'},
                                             {"comm", no_argument, NULL, 'c'},
                                             {"matrix", no_argument, NULL, 'm'},
                                             {"waits", no_argument, NULL, 'W'},
                                             {"limit", required_argument, NULL, 'n'},
                                             {"overhead", no_argument, NULL, 'o'},
                                             {"wide", no_argument, NULL, 'w'},
                                             {"json", no_argument, NULL, 'J'},
                                             {"csv", no_argument, NULL, 'C'},
                                             {"colour", required_argument, NULL, 'K'},
                                             {"color", required_argument, NULL, 'K'},
                                             COMMAND_OPTIONS};

typedef struct inspect_options {
    view_options view;
    bool json, csv, wide;
    style_colour colour;
} inspect_options;

static bool read_colour(const char *text, style_colour *colour)
{
    static const char *const words[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            *colour = (style_colour)i;
            return true;
        }
    return false;
}

/* -1: go on. */
static int read_options(int argc, char **argv, inspect_options *options)
{
    for (int answer;
         (answer = getopt_long(argc, argv, ":r:g:s:blocmn:wh", long_options, NULL)) != -1;) {
        char *end;
        switch (answer) {
        case 'r':
            options->view.ranks = optarg;
            break;
        case 'g':
            options->view.regions = optarg;
            break;
        case 's':
            options->view.sort = optarg;
            break;
        case 'b':
            options->view.by_rank = true;
            break;
        case 'l':
            options->view.lanes = true;
            break;
        case 'o':
            options->view.overhead = true;
            break;
        case 'c':
            options->view.comm = true;
            break;
        case 'm':
            options->view.matrix = true;
            break;
        case 'W':
            options->view.waits = true;
            break;
        case 'n':
            options->view.limit = strtoll(optarg, &end, 10);
            if (end == optarg || *end || options->view.limit < 0)
                return command_usage(argv[0], "--limit=%s: expected a number", optarg);
            break;
        case 'w':
            options->wide = true;
            break;
        case 'J':
            options->json = true;
            break;
        case 'C':
            options->csv = true;
            break;
        case 'K':
            if (!read_colour(optarg, &options->colour))
                return command_usage(argv[0], "--colour=%s: expected auto, always or never",
                                     optarg);
            break;
        default:
            return command_common(answer, argv, help);
        }
    }
    if (options->json && options->csv)
        return command_usage(argv[0], "--json and --csv exclude each other");
    if (options->csv && options->view.comm + options->view.matrix + options->view.waits > 1)
        return command_usage(argv[0], "--csv takes one of --comm, --matrix and --waits");
    return -1;
}

static int inspect(const char *path, const inspect_options *options)
{
    input input;
    view view;
    const char *problem;
    view_options chosen = options->view;
    if (input_open("inspect", path, &input) != SCOPE_OK) {
        left_hint("inspect", path);
        return EXIT_FAILED;
    }
    if (!chosen.sort && (options->json || options->csv))
        chosen.sort = "file";
    chosen.comm = chosen.comm || options->json;
    chosen.waits = chosen.waits || options->json;
    const scope_status status = view_make(input.calls, &chosen, &view, &problem);
    if (status != SCOPE_OK) {
        input_close(&input);
        if (status == SCOPE_ERR_ARGUMENT && strcmp(problem, "--rank") == 0)
            return command_usage("inspect", "--rank=%s: expected a list such as 0,2-5",
                                 chosen.ranks);
        if (status == SCOPE_ERR_ARGUMENT && *problem)
            return command_usage("inspect", "--sort=%s: expected one of: %s", chosen.sort,
                                 view_sort_words);
        command_say("inspect", "%s: %s", path, scope_status_text(status));
        return EXIT_FAILED;
    }
    view.alive = input.spool && scope_spool_alive(input.spool);
    if (options->json)
        report_json(&view, path, stdout);
    else if (options->csv)
        report_csv(&view, &chosen, stdout);
    else
        report_text(&view, &chosen, path, stdout);
    view_free(&view);
    input_close(&input);
    return EXIT_DONE;
}

int command_inspect(int argc, char **argv)
{
    inspect_options options = {.view = {.limit = -1}};
    int code = read_options(argc, argv, &options);
    if (code >= 0)
        return code;
    style_set(options.colour, options.wide);
    if (optind >= argc)
        return inspect("profiling_data.h5", &options);
    if (argc - optind > 1 && (options.json || options.csv))
        return command_usage(argv[0], "--json and --csv take one file");
    code = EXIT_DONE;
    for (int i = optind; i < argc; i++) {
        const int one = inspect(argv[i], &options);
        code = one > code ? one : code;
        if (i + 1 < argc)
            fputs("\n\n", stdout);
    }
    return code;
}
