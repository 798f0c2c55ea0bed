/* top.c - `scope top`: what a running job does now.
 *
 * SPDX-License-Identifier: MIT
 */
#include "top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "table.h"
#include "terminal.h"
#include "view_parts.h"

static const char help[] =
    "usage: scope top [options] [RUN|FOLDER|SPOOL]\n\n"
    "Shows what a running job does: its regions, the ranks on this node and what\n"
    "each is in, who waits for whom. Reads the spool files alone: the job does not\n"
    "notice. Follows it until it ends. RUN is a run id, or how it begins (scope\n"
    "recover --list); without it the run that records here is taken.\n\n"
    "  -d, --delay=SECONDS  between two looks (default: 1)\n"
    "  -1, --once           one look, after one delay\n"
    "  -i, --iterations=N   so many looks, then end\n"
    "  -b, --batch          one block per look, also on a terminal\n"
    "      --json           each look as JSON, times in seconds\n"
    "  -r, --rank=LIST      these ranks only: 0,2-5\n"
    "  -n, --limit=N        regions shown; 0: all (default: as many as fit)\n"
    "  -s, --sort=WORD      exclusive, calls, mean, bytes (of the last delay),\n"
    "                       total or name (default: exclusive)\n"
    "  -t, --threads        a line for each thread, not only for each rank\n"
    "      --newest         of several runs the one that began last\n"
    "  -h, --help           show this\n"
    "      --version        show the version\n\n"
    "excl: time without the regions inside, calls that have not ended included; at\n"
    "first its part of the time of all threads. mean: of the calls that ended.\n"
    "MPI: part of the rank's time in MPI calls, in the last delay and in all; since:\n"
    "for how long it has been in the innermost region. !: for more than a second in\n"
    "an MPI call that may wait; *: others stand in a collective call that this rank\n"
    "is not in. Keys: q ends, s sorts otherwise, t shows threads.\n";

static const struct option long_options[] = {{"delay", required_argument, NULL, 'd'},
                                             {"once", no_argument, NULL, '1'},
                                             {"iterations", required_argument, NULL, 'i'},
                                             {"batch", no_argument, NULL, 'b'},
                                             {"json", no_argument, NULL, 'J'},
                                             {"rank", required_argument, NULL, 'r'},
                                             {"limit", required_argument, NULL, 'n'},
                                             {"sort", required_argument, NULL, 's'},
                                             {"threads", no_argument, NULL, 't'},
                                             {"newest", no_argument, NULL, 'N'},
                                             COMMAND_OPTIONS};

static bool read_count(const char *text, long least, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return end != text && !*end && *value >= least;
}

/* -1: go on. */
static int read_options(int argc, char **argv, top_options *options)
{
    for (int answer;
         (answer = getopt_long(argc, argv, ":d:1i:br:n:s:th", long_options, NULL)) != -1;) {
        char *end;
        bool valid = true;
        switch (answer) {
        case 'd':
            options->interval_s = strtod(optarg, &end);
            if (end == optarg || *end || !(options->interval_s >= 0.1) ||
                options->interval_s > 3600)
                return command_usage(argv[0], "--delay=%s: expected seconds, 0.1 or more", optarg);
            break;
        case '1':
            options->iterations = 1;
            break;
        case 'i':
            if (!read_count(optarg, 1, &options->iterations))
                return command_usage(argv[0], "--iterations=%s: expected a number", optarg);
            break;
        case 'b':
            options->batch = true;
            break;
        case 'J':
            options->json = true;
            break;
        case 'r':
            view_in_ranks(optarg, 0, &valid);
            if (!valid)
                return command_usage(argv[0], "--rank=%s: expected a list such as 0,2-5", optarg);
            options->ranks = optarg;
            break;
        case 'n':
            if (!read_count(optarg, 0, &options->rows))
                return command_usage(argv[0], "--limit=%s: expected a number", optarg);
            break;
        case 's':
            if (!top_knows_sort(optarg))
                return command_usage(argv[0], "--sort=%s: expected one of: %s", optarg,
                                     top_sort_words);
            options->sort = optarg;
            break;
        case 't':
            options->threads = true;
            break;
        case 'N':
            options->newest = true;
            break;
        default:
            return command_common(answer, argv, help);
        }
    }
    if (argc - optind > 1)
        return command_usage(argv[0], "one run at a time");
    return -1;
}

static int no_memory(void)
{
    command_say("top", "out of memory");
    return EXIT_FAILED;
}

/* ---- a block per look ---- */

static int in_blocks(top_run *run, const top_options *options)
{
    terminal_begin(false);
    for (long i = 0;; i++) {
        if (i && !options->json)
            fputc('\n', stdout);
        if (!run->ended && terminal_wait(options->interval_s) == TERMINAL_END)
            return EXIT_DONE;
        if (!run->ended && !top_read(run, options))
            return no_memory();
        if (options->json)
            top_json(run, options, stdout);
        else
            top_text(run, options, 0, stdout);
        if (run->ended && !options->json)
            top_say_end(run, stdout);
        errno = 0;
        if (fflush(stdout) != 0 && errno == EPIPE)
            clearerr(stdout); /* who read it went away: no failure */
        else if (!ferror(stdout) && !run->ended && i + 1 != options->iterations)
            continue;
        return EXIT_DONE; /* command_close says what went wrong */
    }
}

/* ---- on a terminal ---- */

static void show(const top_run *run, const top_options *options)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return;
    top_text(run, options, terminal_lines(), out);
    fclose(out);
    terminal_show(text ? text : "");
    free(text);
}

/* What a key does; false: the end. */
static bool press(int key, top_options *options)
{
    if (key == 's')
        options->sort = top_next_sort(options->sort);
    else if (key == 't')
        options->threads = !options->threads;
    return key != 'q' && key != 'Q';
}

static int on_screen(top_run *run, top_options *options)
{
    bool whole = true, on = true;
    terminal_begin(true);
    const long most = options->iterations;
    for (long i = 0; on && whole && !run->ended && (!most || i < most);) {
        show(run, options);
        const int key = terminal_wait(options->interval_s);
        if (key == TERMINAL_END)
            break;
        if (key == TERMINAL_TIME) {
            whole = top_read(run, options);
            i++;
        } else if (key > 0) {
            on = press(key, options);
        }
    }
    terminal_end();
    if (!whole)
        return no_memory();
    if (run->ended) { /* what is left to see stays on the screen that was there before */
        top_text(run, options, 0, stdout);
        top_say_end(run, stdout);
    }
    return EXIT_DONE;
}

int command_top(int argc, char **argv)
{
    top_options options = {.interval_s = 1, .rows = -1, .sort = "exclusive"};
    top_run run;
    int code = read_options(argc, argv, &options);
    if (code >= 0)
        return code;
    style_set(STYLE_AUTO, false);
    code = top_open(&run, argv[optind], &options);
    if (code >= 0)
        return code;
    if (!top_read(&run, &options))
        code = no_memory();
    else if (options.batch || options.json || options.iterations == 1 || !isatty(STDOUT_FILENO))
        code = in_blocks(&run, &options);
    else
        code = on_screen(&run, &options);
    top_close(&run);
    return code;
}
