/* merge.c - `scope merge`: files of single ranks as one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "join.h"

static const char help[] =
    "usage: scope merge [options] FILE... -o OUT\n\n"
    "Joins profiles of different ranks, such as out.rank0.h5 out.rank1.h5, into one.\n"
    "Spool files may be given too. Times of ranks on other nodes are placed by their\n"
    "clocks of the day.\n\n"
    "  -o, --output=OUT     the file to write; an old one is replaced\n"
    "      --renumber       the files are of different runs: give all their ranks new\n"
    "                       numbers, in the order of the files\n"
    "      --compress       compress the file\n"
    "  -q, --quiet          say nothing when it worked\n"
    "  -h, --help           show this\n"
    "      --version        show the version\n";

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"renumber", no_argument, NULL, 'R'},
                                             {"compress", no_argument, NULL, 'Z'},
                                             {"quiet", no_argument, NULL, 'q'},
                                             COMMAND_OPTIONS};

typedef struct merge_options {
    const char *output, *compression;
    bool renumber, quiet;
} merge_options;

static int read_options(int argc, char **argv, merge_options *options)
{
    for (int answer; (answer = getopt_long(argc, argv, ":o:qh", long_options, NULL)) != -1;) {
        switch (answer) {
        case 'o':
            options->output = optarg;
            break;
        case 'R':
            options->renumber = true;
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
    if (optind >= argc)
        return command_usage(argv[0], "no files given");
    if (!options->output || !*options->output)
        return command_usage(argv[0], "no output given: -o OUT");
    return -1;
}

/* Files of an earlier run with more ranks lie beside those of the last one. Ranks that no launcher
 * started together have ids of their own, so it is a note, no error. */
static void note_other_runs(const join_part *parts, size_t count)
{
    const scope_metadata_row *first = scope_calls_metadata(parts[0].calls, "run_id");
    for (size_t i = 1; first && i < count; i++) {
        const scope_metadata_row *id = scope_calls_metadata(parts[i].calls, "run_id");
        if (id && (id->text.length_bytes != first->text.length_bytes ||
                   memcmp(id->text.bytes, first->text.bytes, id->text.length_bytes) != 0)) {
            command_say("merge", "note: %s and %s are of different runs (%.12s, %.12s)",
                        parts[0].path, parts[i].path, first->text.bytes, id->text.bytes);
            return;
        }
    }
}

/* Everything is read before anything is written, so OUT may be one of the files. */
static int merge(char **paths, size_t count, const merge_options *options)
{
    input *inputs = calloc(count, sizeof *inputs);
    join_part *parts = calloc(count, sizeof *parts);
    scope_collision collision;
    int code = EXIT_FAILED;
    size_t opened = 0;
    if (!inputs || !parts) {
        command_say("merge", "out of memory");
        goto done;
    }
    for (; opened < count; opened++) {
        if (input_open("merge", paths[opened], &inputs[opened]) != SCOPE_OK)
            goto done;
        parts[opened] = (join_part){inputs[opened].calls, paths[opened]};
    }
    if (options->renumber)
        join_renumber(parts, count);
    else if (!join_distinct(parts, count, &collision)) {
        command_say("merge", "%s and %s both have rank %d; --renumber gives new numbers",
                    paths[collision.first], paths[collision.second], (int)collision.rank);
        goto done;
    }
    if (!options->renumber && !options->quiet)
        note_other_runs(parts, count);
    join_clocks(parts, count);
    if (join_write("merge", parts, count, options->output, options->compression, false) != SCOPE_OK)
        goto done;
    if (!options->quiet)
        printf("%s: %zu %s\n", options->output, count, count == 1 ? "file" : "files joined");
    code = EXIT_DONE;
done:
    for (size_t i = 0; i < opened; i++)
        input_close(&inputs[i]);
    free(inputs);
    free(parts);
    return code;
}

int command_merge(int argc, char **argv)
{
    merge_options options = {0};
    const int code = read_options(argc, argv, &options);
    return code >= 0 ? code : merge(argv + optind, (size_t)(argc - optind), &options);
}
