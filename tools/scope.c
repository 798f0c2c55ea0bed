/* scope.c - the command line: `scope run`, `scope inspect` and the others.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <scope/version.h>

static const command commands[] = {
    {"run", "run a program with the profiler loaded", command_run},
    {"inspect", "show what a profile says, per region, rank and thread", command_inspect},
    {"export", "write a profile for speedscope, Perfetto, pstats, or as JSON", command_export},
    {"merge", "join files of single ranks into one", command_merge},
    {"recover", "make a file of what a killed run left", command_recover},
    {"top", "show what a running job does now", command_top},
    {"info", "show this install, its options and where recordings go", command_info},
};

static void help(FILE *out)
{
    fputs("scope " SCOPE_VERSION " - profile MPI and threaded programs\n\n"
          "usage: scope COMMAND [options]\n\n",
          out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "  mpirun -n 4 scope run ./program\n"
          "  scope inspect profiling_data.h5\n\n"
          "scope COMMAND --help says more; scope --version prints the version.\n",
          out);
}

static const command *find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* alone: numbers keep their point */
    if (argc < 2) {
        help(stdout);
        return command_close(NULL, EXIT_FAILED);
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 ||
        (strcmp(name, "help") == 0 && argc == 2)) {
        help(stdout);
        return command_close(NULL, EXIT_DONE);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts("scope " SCOPE_VERSION);
        return command_close(NULL, EXIT_DONE);
    }
    if (strcmp(name, "help") == 0) { /* scope help run = scope run --help */
        static char option[] = "--help";
        argv[1] = argv[2];
        argv[2] = option;
        name = argv[1];
    }
    const command *command = find(name);
    if (!command)
        return command_usage(NULL, "unknown %s '%s'", *name == '-' ? "option" : "command", name);
    if (command->run != command_run)
        signal(SIGPIPE, SIG_IGN); /* what is written into a closed pipe is an error, not our end */
    return command_close(name, command->run(argc - 1, argv + 1));
}
