/* command.h - what the subcommands of `scope` share: the table, options, errors.
 *
 * A subcommand is a function like main(): argv[0] is its name. It returns the
 * exit code: 0 done, 1 it could not be done, 2 used wrongly. `scope run` alone
 * has others: those of the program, and 125, 126, 127 as env(1) has.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_COMMAND_H
#define SCOPE_COMMAND_H

#include <getopt.h>
#include <stdbool.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct command {
    const char *name;
    const char *summary; /* for the list in `scope --help` */
    int (*run)(int argc, char **argv);
} command;

int command_run(int argc, char **argv);
int command_inspect(int argc, char **argv);
int command_export(int argc, char **argv);
int command_merge(int argc, char **argv);
int command_recover(int argc, char **argv);
int command_top(int argc, char **argv);
int command_info(int argc, char **argv);

/* Every subcommand's option list ends with these; getopt_long gives 'h' and 'V'. */
#define COMMAND_OPTIONS                                                                            \
    {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'},                         \
    {                                                                                              \
        NULL, 0, NULL, 0                                                                           \
    }

/* What all subcommands do with the answers that getopt_long has in common for
 * them: prints the help or the version and returns EXIT_DONE, or says what is
 * wrong with the option and returns EXIT_USAGE. */
int command_common(int answer, char **argv, const char *help);

/* One line on stderr: "scope merge: ...". */
void command_say(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with "see scope merge --help"; returns EXIT_USAGE. */
int command_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* EXIT_USAGE, said, where `output` (may be NULL) is one of the files to be read. */
int command_keep_inputs(const char *name, const char *output, char **inputs, int count);

/* Close stdout: EXIT_FAILED and a line when what was printed did not get out (a
 * full disk), `code` otherwise. A reader that went away (`| head`) is no failure. */
int command_close(const char *name, int code);

#endif
