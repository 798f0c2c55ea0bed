/* export.c - `scope export`: a profile for other viewers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/export.h>

#include "input.h"
#include "view_parts.h"

static const char help[] =
    "usage: scope export FORMAT [options] FILE... -o OUT\n\n"
    "Writes profiles for other viewers. FORMAT is one of\n\n"
    "  speedscope     for www.speedscope.app: a profile per thread and task\n"
    "  chrome-trace   for Perfetto and chrome://tracing; messages are arrows\n"
    "  prof           for Python's pstats and what reads its files; a file per rank,\n"
    "                 OUT_rank0.prof, OUT_rank1.prof ...\n"
    "  json           all that is in the profile; other versions read it\n\n"
    "FILE is a profile or a spool file. Of several, each is written under OUT's name\n"
    "with its own between: OUT_a.json, OUT_b.json.\n\n"
    "  -o, --output=OUT     the file to write; an old one is replaced\n"
    "  -r, --rank=LIST      these ranks only: 0,2-5\n"
    "      --label=NAME     what the document is called (default: the run's label,\n"
    "                       else the name of FILE)\n"
    "      --gzip           compress it (not prof); OUT.gz does the same\n"
    "      --max-calls=N    speedscope, chrome-trace: the N longest calls only\n"
    "                       (default 500000; 0: all); others become sums\n"
    "                       in the call around them (chrome-trace)\n"
    "      --no-arrows      chrome-trace: without messages\n"
    "      --indent=N       json: on many lines, N blanks per level\n"
    "      --no-call-paths  prof: count a region once, wherever it was called from\n"
    "  -q, --quiet          say nothing when it worked\n"
    "  -h, --help           show this\n"
    "      --version        show the version\n";

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},  {"rank", required_argument, NULL, 'r'},
    {"label", required_argument, NULL, 'L'},   {"gzip", no_argument, NULL, 'Z'},
    {"indent", required_argument, NULL, 'I'},  {"max-calls", required_argument, NULL, 'M'},
    {"no-arrows", no_argument, NULL, 'A'},     {"quiet", no_argument, NULL, 'q'},
    {"no-call-paths", no_argument, NULL, 'P'}, COMMAND_OPTIONS};

enum { MOST_CALLS = 500000 }; /* what viewers open: some 100 MB */

typedef struct export_choice {
    scope_export_format format;
    const char *output, *ranks, *label;
    bool quiet, limited;
    scope_export_options options;
} export_choice;

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), last = strlen(end);
    return length >= last && strcmp(text + length - last, end) == 0;
}

static int read_options(int argc, char **argv, export_choice *choice)
{
    char *end;
    long indent;
    bool valid = true;
    choice->options = (scope_export_options){.size_bytes = sizeof choice->options,
                                             .indent = -1,
                                             .call_paths = 1,
                                             .max_calls = MOST_CALLS};
    for (int answer; (answer = getopt_long(argc, argv, ":o:r:qh", long_options, NULL)) != -1;) {
        switch (answer) {
        case 'o':
            choice->output = optarg;
            break;
        case 'r':
            view_in_ranks(optarg, 0, &valid);
            if (!valid)
                return command_usage(argv[0], "--rank=%s: expected a list such as 0,2-5", optarg);
            choice->ranks = optarg;
            break;
        case 'L':
            choice->label = optarg;
            break;
        case 'Z':
            choice->options.gzip = 1;
            break;
        case 'I':
            indent = strtol(optarg, &end, 10);
            if (end == optarg || *end || indent < 0 || indent > 16)
                return command_usage(argv[0], "--indent=%s: expected 0 to 16", optarg);
            choice->options.indent = (int32_t)indent;
            break;
        case 'M':
            errno = 0;
            choice->options.max_calls = strtoull(optarg, &end, 10);
            if (errno || end == optarg || *end || *optarg < '0' || *optarg > '9')
                return command_usage(argv[0], "--max-calls=%s: expected a number", optarg);
            choice->limited = true;
            break;
        case 'A':
            choice->options.without_arrows = 1;
            break;
        case 'P':
            choice->options.call_paths = 0;
            break;
        case 'q':
            choice->quiet = true;
            break;
        default:
            return command_common(answer, argv, help);
        }
    }
    if (optind >= argc)
        return command_usage(argv[0], "no format given");
    if (!scope_export_format_of(argv[optind], &choice->format))
        return command_usage(argv[0],
                             "no format '%s': expected speedscope, chrome-trace, prof or json",
                             argv[optind]);
    if (choice->limited &&
        (choice->format == SCOPE_EXPORT_PROF || choice->format == SCOPE_EXPORT_JSON))
        return command_usage(argv[0], "--max-calls is for speedscope and chrome-trace");
    if (choice->options.without_arrows && choice->format != SCOPE_EXPORT_CHROME)
        return command_usage(argv[0], "--no-arrows is for chrome-trace");
    optind++;
    if (optind >= argc)
        return command_usage(argv[0], "no files given");
    if (!choice->output || !*choice->output)
        return command_usage(argv[0], "no output given: -o OUT");
    if (ends_in(choice->output, ".gz"))
        choice->options.gzip = 1;
    if (choice->options.gzip && choice->format == SCOPE_EXPORT_PROF)
        return command_usage(argv[0], "pstats does not read compressed files");
    return -1;
}

/* ---- names ---- */

/* The name of a file without folder and what follows its first dot. */
static void stem_of(const char *path, const char **stem, int *length)
{
    const char *slash = strrchr(path, '/');
    *stem = slash ? slash + 1 : path;
    const char *dot = strchr(**stem ? *stem + 1 : *stem, '.');
    *length = (int)(dot ? (size_t)(dot - *stem) : strlen(*stem));
}

/* OUT, with `_NAME` and `_rankR` (-1: none) before its suffix; malloc'd. */
static char *output_name(const char *output, const char *name, int name_length, int32_t rank)
{
    const char *stem;
    int length;
    char number[32] = "", *text = NULL;
    stem_of(output, &stem, &length);
    if (rank >= 0)
        snprintf(number, sizeof number, "_rank%d", (int)rank);
    if (asprintf(&text, "%.*s%s%.*s%s%s", (int)(stem - output) + length, output,
                 name_length ? "_" : "", name_length, name, number, stem + length) < 0)
        return NULL;
    return text;
}

/* ---- writing ---- */

static int fail(const char *path, scope_status status)
{
    command_say("export", "%s: %s", path,
                status == SCOPE_ERR_MISSING ? "there is no such directory"
                                            : scope_status_text(status));
    return EXIT_FAILED;
}

static int write_one(const scope_calls *calls, const export_choice *choice, const char *path,
                     const scope_export_options *options)
{
    const scope_status status = scope_export(calls, choice->format, path, options);
    if (status != SCOPE_OK)
        return fail(path, status);
    char text[256];
    if (!choice->quiet)
        printf("%s\n", path);
    if (!choice->quiet && scope_export_left_text(options->left, text, sizeof text)) {
        fflush(stdout);
        command_say("export", "%s: %s (--max-calls=0: all of them)", path, text);
    }
    if (!choice->quiet && options->left->arrows) {
        fflush(stdout);
        command_say("export",
                    "%s: %" PRIu64 " messages without an arrow: as the clocks have it, they or "
                    "others of their kind arrived before they were sent",
                    path, options->left->arrows);
    }
    return EXIT_DONE;
}

/* Every selected rank of the table, those without calls too. */
static int32_t *select_ranks(const scope_calls *calls, const char *list, size_t *count)
{
    int32_t *ranks = calloc((size_t)calls->rank_count + 1, sizeof *ranks);
    bool valid = true;
    *count = 0;
    for (int32_t rank = 0; ranks && rank < calls->rank_count; rank++)
        if (!list || view_in_ranks(list, rank, &valid))
            ranks[(*count)++] = rank;
    return ranks;
}

/* Several ranks: only those that have calls. Pairs lie in the order of their ranks. */
static size_t keep_with_calls(const scope_calls *calls, int32_t *ranks, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0, p = 0; count > 1 && i < count; i++) {
        while (p < calls->pair_count && calls->pairs[p].rank < ranks[i])
            p++;
        if (p < calls->pair_count && calls->pairs[p].rank == ranks[i])
            ranks[kept++] = ranks[i];
    }
    return count > 1 ? kept : count;
}

/* A profile: one file, or with prof one per rank that has calls. */
static int write_ranks(const input *input, const export_choice *choice, bool several)
{
    const char *stem;
    int length, code = EXIT_DONE;
    size_t count;
    scope_export_options options = choice->options;
    scope_export_left left = {0};
    options.left = &left;
    const scope_metadata_row *label = scope_calls_metadata(input->calls, "label");
    stem_of(input->path, &stem, &length);
    char *name = label && label->kind == SCOPE_VALUE_TEXT && label->text.length_bytes
                     ? NULL
                     : strndup(stem, (size_t)length);
    int32_t *ranks = select_ranks(input->calls, choice->ranks, &count);
    options.name = choice->label ? choice->label : name;
    if (!ranks) {
        code = fail(input->path, SCOPE_ERR_MEMORY);
    } else if (!count && input->calls->rank_count) {
        command_say("export", "%s: it has no such rank", input->path);
        code = EXIT_FAILED;
    }
    const bool apart = choice->format == SCOPE_EXPORT_PROF;
    if (apart && ranks)
        count = keep_with_calls(input->calls, ranks, count);
    for (size_t i = 0; code == EXIT_DONE && i < (apart ? count : 1); i++) {
        char *path = output_name(choice->output, stem, several ? length : 0, apart ? ranks[i] : -1);
        options.ranks = choice->ranks || apart ? ranks + (apart ? i : 0) : NULL;
        options.rank_count = apart ? 1 : count;
        code = path ? write_one(input->calls, choice, path, &options)
                    : fail(input->path, SCOPE_ERR_MEMORY);
        free(path);
    }
    free(ranks);
    free(name);
    return code;
}

int command_export(int argc, char **argv)
{
    export_choice choice = {0};
    int code = read_options(argc, argv, &choice);
    if (code >= 0)
        return code;
    code = command_keep_inputs("export", choice.output, argv + optind, argc - optind);
    for (int i = optind; code == EXIT_DONE && i < argc; i++) {
        input input;
        if (input_open("export", argv[i], &input) != SCOPE_OK)
            return EXIT_FAILED;
        code = write_ranks(&input, &choice, argc - optind > 1);
        input_close(&input);
    }
    return code;
}
