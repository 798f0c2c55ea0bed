/* command.c - options and errors of the subcommands.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <scope/version.h>

static void say(const char *name, const char *format, va_list arguments)
{
    char *text = NULL;
    fflush(stdout);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    /* stderr has no buffer; one write per line, for many ranks may have the same one */
    char *line = NULL;
    const int length = asprintf(&line, "scope%s%s: %s\n", name ? " " : "", name ? name : "",
                                text ? text : "out of memory");
    if (length > 0)
        fwrite(line, 1, (size_t)length, stderr);
    free(line);
    free(text);
}

void command_say(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(name, format, arguments);
    va_end(arguments);
}

int command_usage(const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(name, format, arguments);
    va_end(arguments);
    fprintf(stderr, "see: scope%s%s --help\n", name ? " " : "", name ? name : "");
    return EXIT_USAGE;
}

int command_common(int answer, char **argv, const char *help)
{
    switch (answer) {
    case 'h':
        fputs(help, stdout);
        return EXIT_DONE;
    case 'V':
        puts("scope " SCOPE_VERSION);
        return EXIT_DONE;
    case ':':
        return command_usage(argv[0], "option %s needs a value", argv[optind - 1]);
    default:
        if (optopt > 0 && optopt < 128 && argv[optind - 1][1] != '-')
            return command_usage(argv[0], "unknown option -%c", optopt);
        return command_usage(argv[0], "unknown option %s", argv[optind - 1]);
    }
}

int command_close(const char *name, int code)
{
    const bool failed = ferror(stdout) != 0;
    errno = 0;
    if ((fclose(stdout) == 0 && !failed) || errno == EPIPE || errno == EBADF)
        return code;
    command_say(name, "writing the output failed: %s", strerror(errno ? errno : EIO));
    return EXIT_FAILED;
}

int command_keep_inputs(const char *name, const char *output, char **inputs, int count)
{
    struct stat target, input;
    if (!output || stat(output, &target))
        return EXIT_DONE;
    for (int i = 0; i < count; i++)
        if (stat(inputs[i], &input) == 0 && input.st_dev == target.st_dev &&
            input.st_ino == target.st_ino)
            return command_usage(name, "%s is read here, it cannot be the output too", inputs[i]);
    return EXIT_DONE;
}
