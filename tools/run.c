/* run.c - `scope run`: load the profiler into a program that nobody prepared.
 *
 * Sets LD_PRELOAD, SCOPE_ROOT, SCOPE_RUN_PID and SCOPE_RUN_ID and becomes the
 * program by exec: its exit code, its signals and its output are its own.
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

#include "config.h"
#include "launcher.h"
#include "place.h"
#include "preload.h"
#include "run_id.h"

/* As env(1) and nohup(1) have them. */
enum { EXIT_REFUSED = 125, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127 };

static const char help[] =
    "usage: scope run [options] PROGRAM [ARGUMENTS]\n"
    "       mpirun -n 4 scope run ./program\n\n"
    "Runs PROGRAM with the profiler loaded: regions, threads and MPI calls are\n"
    "recorded, and all ranks write one file, profiling_data.h5. PROGRAM needs not be\n"
    "built for it. `scope run mpirun ...` does the same.\n\n"
    "  -o, --output=FILE    name of the file; %r rank, %n size, %p pid, %h host,\n"
    "                       %j job id, %x program are replaced\n"
    "      --label=TEXT     what reports call this run\n"
    "      --filter=LIST    regions to record: 'solve*,-solve_inner'; on some ranks\n"
    "                       only, and nothing elsewhere: 'compute@0-3+8,-*'\n"
    "      --mpi=FAMILY     auto, ompi, mpich, abi or none (default: auto)\n"
    "      --no-spool       record into memory only; lost if the program is killed\n"
    "      --spool-dir=DIR  folder for spool files\n"
    "  -v, --verbose        say on stderr what is loaded and where the file is\n"
    "  -q, --quiet          no remarks before the program starts\n"
    "      --print          print the variables instead of running PROGRAM\n"
    "  -h, --help           show this\n"
    "      --version        show the version\n\n"
    "Every option of the profiler is also a variable SCOPE_...: see scope info.\n"
    "The exit code is that of PROGRAM. 125: scope run refused; 126: PROGRAM cannot be\n"
    "run; 127: PROGRAM was not found.\n";

typedef struct run_options {
    const char *family;             /* as asked for */
    bool has_output, has_spool_dir; /* given as options, not by the environment */
    bool verbose, quiet, print;
} run_options;

/* What one rank says is true of the others: rank 0 does, as in the runtime. */
static bool may_say(void)
{
    int rank = 0, size = 1;
    return !scope_config_launcher(&rank, &size) || rank <= 0;
}

/* The library says what it cannot use; a name given to us it will not see as it was. */
static void complain(const char *text)
{
    if (strncmp(text, "SCOPE_OUTPUT=", 13) == 0 && may_say())
        command_say("run", "%s", text);
}

/* ---- options ---- */

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'}, {"label", required_argument, NULL, 'L'},
    {"filter", required_argument, NULL, 'F'}, {"mpi", required_argument, NULL, 'M'},
    {"no-spool", no_argument, NULL, 'S'},     {"spool-dir", required_argument, NULL, 'D'},
    {"verbose", no_argument, NULL, 'v'},      {"quiet", no_argument, NULL, 'q'},
    {"print", no_argument, NULL, 'P'},        COMMAND_OPTIONS};

/* Options become variables: one way for the program to be told. Returns -1 to go on. */
static int read_options(int argc, char **argv, run_options *options)
{
    for (int answer; (answer = getopt_long(argc, argv, "+:o:vqh", long_options, NULL)) != -1;) {
        switch (answer) {
        case 'o':
            setenv("SCOPE_OUTPUT", optarg, 1);
            options->has_output = true;
            break;
        case 'L':
            setenv("SCOPE_LABEL", optarg, 1);
            break;
        case 'F':
            setenv("SCOPE_FILTER", optarg, 1);
            break;
        case 'M':
            if (setenv("SCOPE_MPI_FAMILY", optarg, 1) != 0 || !*optarg ||
                strcasecmp(scope_config_value("SCOPE_MPI_FAMILY", NULL), optarg) != 0) {
                command_usage(argv[0], "--mpi=%s: expected auto, ompi, mpich, abi or none", optarg);
                return EXIT_REFUSED;
            }
            break;
        case 'S':
            setenv("SCOPE_SPOOL", "0", 1);
            break;
        case 'D':
            setenv("SCOPE_SPOOL_DIR", optarg, 1);
            options->has_spool_dir = true;
            break;
        case 'v':
            setenv("SCOPE_VERBOSE", "1", 1);
            break;
        case 'q':
            options->quiet = true;
            break;
        case 'P':
            options->print = true;
            break;
        default:
            answer = command_common(answer, argv, help);
            return answer == EXIT_USAGE ? EXIT_REFUSED : answer;
        }
    }
    options->family = scope_config_value("SCOPE_MPI_FAMILY", NULL);
    return -1;
}

/* ---- what can be known to go wrong ---- */

/* The folder of the output must be there now: at the end it would be too late. */
static bool has_folder(const char *pattern, const char *program)
{
    int rank = 0, size = 1;
    scope_config_launcher(&rank, &size);
    const char *slash = strrchr(program, '/');
    program_invocation_short_name = (char *)(slash ? slash + 1 : program); /* for %x */
    char *output = scope_config_expand(pattern, rank, size);
    char *end = output ? strrchr(output, '/') : NULL;
    if (!end || end == output) {
        free(output);
        return output != NULL;
    }
    *end = '\0';
    struct stat status;
    errno = 0;
    if (stat(output, &status) == 0 && !S_ISDIR(status.st_mode))
        errno = ENOTDIR;
    else if (errno == 0)
        access(output, W_OK | X_OK);
    const int reason = errno;
    if (reason && may_say())
        command_say("run", "the output cannot be written: %s: %s; nothing was run", output,
                    strerror(reason));
    free(output);
    return reason == 0;
}

/* The values that the program will find; a name given to us is relative to here. */
static bool check_configuration(const char *program, run_options *options)
{
    scope_config config;
    if (scope_config_load(NULL, &config, options->has_output ? complain : NULL) == SCOPE_ERR_MEMORY)
        return false;
    const bool usable = !config.enabled || !*config.output || has_folder(config.output, program);
    if (options->has_output)
        setenv("SCOPE_OUTPUT", config.output, 1);
    if (options->has_spool_dir)
        setenv("SCOPE_SPOOL_DIR", config.spool_dir, 1);
    options->verbose = config.verbose;
    scope_config_free(&config);
    return usable;
}

/* EXIT_DONE: it may be run. */
static int check_program(const preload_program *program, const char *name)
{
    if (!program->path) {
        if (may_say())
            command_say("run", "%s: %s", name,
                        strchr(name, '/') ? "no such file" : "command not found");
        return EXIT_NOT_FOUND;
    }
    if (!program->executable) {
        struct stat status;
        const bool folder = stat(program->path, &status) == 0 && S_ISDIR(status.st_mode);
        if (may_say())
            command_say("run", "%s: %s", name, folder ? "is a directory" : "permission denied");
        return EXIT_CANNOT_RUN;
    }
    if (program->is_static || program->is_privileged || program->is_foreign) {
        if (!may_say())
            return EXIT_REFUSED;
        command_say("run", "%s is %s: nothing can be loaded into it", name,
                    program->is_static       ? "statically linked"
                    : program->is_privileged ? "setuid, setgid or has capabilities"
                                             : "of another machine or word size");
        if (!program->is_foreign)
            command_say("run", "link it with -lscope_mpi (or -lscope, without MPI) and run it "
                               "without scope run");
        return EXIT_REFUSED;
    }
    return EXIT_DONE;
}

/* ---- the variables ---- */

/* A prefix that LD_PRELOAD cannot name: blanks and colons separate its items. */
static bool set_preload(const preload_program *program, const run_options *options)
{
    const char *family = options->family, *missing;
    if (strpbrk(place_prefix(), ": \t\n")) {
        command_say("run",
                    "%s: LD_PRELOAD takes no name with a blank or a colon; "
                    "install scope elsewhere",
                    place_prefix());
        return false;
    }
    const bool automatic = strcmp(family, "auto") == 0;
    if (automatic)
        family = program->family;
    char *list = preload_list(program, family, getenv("LD_PRELOAD"), &missing);
    if (!list && missing && automatic && strcmp(missing, "scope") != 0) {
        if (!options->quiet && may_say())
            command_say("run",
                        "this install has no wrappers for the program's MPI (%s): MPI calls "
                        "are not recorded",
                        missing);
        list = preload_list(program, "none", getenv("LD_PRELOAD"), &missing);
    }
    if (!list) {
        command_say("run", missing ? "this install lacks the library for %s" : "out of memory%s",
                    missing ? missing : "");
        return false;
    }
    setenv("LD_PRELOAD", list, 1);
    free(list);
    return true;
}

static void set_identity(void)
{
    char text[SCOPE_RUN_ID_TEXT_BYTES];
    uint8_t id[SCOPE_RUN_ID_BYTES];
    scope_run_id(id); /* the one that is set already, where there is one */
    scope_run_id_format(id, text);
    setenv("SCOPE_RUN_ID", text, 1);
    snprintf(text, sizeof text, "%ld", (long)getpid());
    setenv("SCOPE_RUN_PID", text, 1);
    setenv("SCOPE_ROOT", place_prefix(), 1);
}

static int print_variables(void)
{
    static const char *const names[] = {"LD_PRELOAD", "SCOPE_ROOT", "SCOPE_RUN_ID", "SCOPE_OUTPUT",
                                        NULL};
    for (int i = 0; names[i]; i++)
        if (getenv(names[i]))
            printf("%s=%s\n", names[i], getenv(names[i]));
    return EXIT_DONE;
}

int command_run(int argc, char **argv)
{
    run_options options = {0};
    const int early = read_options(argc, argv, &options);
    if (early >= 0)
        return early;
    if (optind >= argc) {
        command_usage(argv[0], "no program given");
        return EXIT_REFUSED;
    }
    char **const words = argv + optind;
    if (!place_prefix()) {
        command_say("run", "the libraries were not found next to this program; set SCOPE_ROOT");
        return EXIT_REFUSED;
    }
    preload_program program = preload_look(words[0]);
    int code = check_program(&program, words[0]);
    if (code == EXIT_DONE &&
        (!check_configuration(words[0], &options) || !set_preload(&program, &options)))
        code = EXIT_REFUSED;
    if (code != EXIT_DONE) {
        preload_free(&program);
        return code;
    }
    set_identity();
    char **const command = launcher_forward(program.path, words);
    if (options.verbose && !options.quiet && may_say())
        command_say("run", "MPI: %s; LD_PRELOAD=%s",
                    *program.family ? program.family : "not known yet", getenv("LD_PRELOAD"));
    preload_free(&program);
    if (options.print)
        return print_variables();
    fflush(NULL);
    execvp(command[0], command);
    command_say("run", "%s: %s", words[0], strerror(errno));
    return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
}
