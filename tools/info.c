/* info.c - `scope info`: this install, its options, where recordings go.
 *
 * SPDX-License-Identifier: MIT
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <scope/version.h>

#include "budget.h"
#include "config.h"
#include "place.h"
#include "table.h"
#include "text.h"

static const char help[] =
    "usage: scope info [options]\n\n"
    "Shows this install: version, libraries, plug-ins, MPI families; where recordings\n"
    "go and whether a kill would lose them; every option with the value in force.\n\n"
    "      --table    print the options as a Markdown table\n"
    "  -h, --help     show this\n"
    "      --version  show the version\n";

static const struct option long_options[] = {{"table", no_argument, NULL, 'T'}, COMMAND_OPTIONS};

static void heading(const char *text)
{
    printf("\n%s%s%s\n", style_bold(), text, style_end());
}

static void line(const char *name, const char *value)
{
    char *shown = text_name(value, strlen(value));
    printf("  %-10s %s\n", name, shown ? shown : "");
    free(shown);
}

/* ---- the install ---- */

static const char *family_name(const char *family)
{
    return strcmp(family, "ompi") == 0    ? "Open MPI"
           : strcmp(family, "mpich") == 0 ? "MPICH and its kin (Intel MPI, MVAPICH, Cray MPICH)"
                                          : "the standard MPI ABI";
}

static void libraries(void)
{
    static const char *const names[] = {"scope", "scope_hdf5", "scope_fortran"};
    char path[PATH_MAX], name[64];
    heading("Libraries");
    for (int i = 0; i < 3; i++)
        if (place_library(names[i], path)) {
            snprintf(name, sizeof name, "lib%s", names[i]);
            printf("  %-18s %s\n", name, path);
        }
    for (int i = 0; place_families[i]; i++) {
        snprintf(name, sizeof name, "scope_mpi_%s", place_families[i]);
        const bool there = place_library(name, path);
        snprintf(name, sizeof name, "libscope_mpi_%s", place_families[i]);
        printf("  %-18s %s%s\n", name, there ? "for " : "not built, for ",
               family_name(place_families[i]));
    }
}

static void plugins(void)
{
    static const char *const known[][2] = {
        {"libscope_hdf5_writer.so", "writes the HDF5 file at the end of a run"},
        {"libscope_hwloc.so", "puts the machine's topology into the file"}};
    char path[PATH_MAX];
    heading("Plug-ins");
    for (int i = 0; i < 2; i++)
        printf("  %-24s %s%s\n", known[i][0],
               place_plugin(known[i][0], path) ? "" : "MISSING: ", known[i][1]);
}

/* ---- where recordings go ---- */

/* A file of one page can be made and allocated there; else why not. */
static bool can_allocate(const char *folder, char *why, size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/.scope-info-%ld", folder, (long)getpid());
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        snprintf(why, size, "%s", strerror(errno));
        return false;
    }
    unlink(path);
    const bool allocated = fallocate(fd, 0, 0, 4096) == 0;
    if (!allocated)
        snprintf(why, size, "no space can be allocated there (%s)", strerror(errno));
    close(fd);
    return allocated;
}

/* What a process may take there: SCOPE_MAX_BYTES, or the default of this place. */
static void budget(const scope_config *config, const char *folder)
{
    char text[TEXT_BYTES];
    const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    const uint64_t bytes = scope_budget_bytes(config->max_bytes, fd);
    if (fd >= 0)
        close(fd);
    printf("  budget of a process: %s\n",
           bytes == UINT64_MAX ? "unlimited" : text_bytes((double)bytes, text));
}

/* As the runtime chooses: the user's folder, else $TMPDIR, else /tmp, these two
 * only where they are local. */
static void spool(const scope_config *config)
{
    const char *const places[] = {config->spool_dir, getenv("TMPDIR"), "/tmp"};
    char why[200], text[TEXT_BYTES];
    int rank = 0, size = 1;
    heading("Recordings");
    scope_config_launcher(&rank, &size);
    for (int i = *config->spool_dir ? 0 : 1; config->spool && i < (*config->spool_dir ? 1 : 3);
         i++) {
        if (!places[i] || places[i][0] != '/')
            continue;
        char *folder = scope_config_expand(places[i], rank, size);
        struct statvfs status;
        if (!folder)
            continue;
        bool usable = i == 0 || scope_budget_is_local(folder);
        if (!usable)
            snprintf(why, sizeof why, "on a network file system");
        usable = usable && can_allocate(folder, why, sizeof why);
        printf("  %s/scope-%u: ", folder, (unsigned)geteuid());
        if (usable && statvfs(folder, &status) == 0)
            printf("%s free\n",
                   text_bytes((double)status.f_bavail * (double)status.f_frsize, text));
        else
            printf("%s\n", usable ? "usable" : why);
        if (usable) {
            budget(config, folder);
            free(folder);
            puts("  A killed run is recovered from there: scope recover");
            return;
        }
        free(folder);
    }
    budget(config, NULL);
    printf("%s  In memory only: what a killed run recorded is lost%s\n", style_warn(), style_end());
}

static void output(const scope_config *config)
{
    int rank = 0, size = 1;
    scope_config_launcher(&rank, &size);
    char *name = *config->output ? scope_config_expand(config->output, rank, size) : strdup("");
    heading("Output");
    if (!config->enabled)
        puts("  nothing is recorded: SCOPE_ENABLE is 0");
    else if (name)
        printf("  %s\n", *name ? name : "no file: SCOPE_OUTPUT is empty");
    free(name);
}

/* ---- options ---- */

static void options_table(void)
{
    table *table = table_new();
    heading("Options");
    table_column(table, "  variable", TABLE_LEFT);
    table_column(table, "value", TABLE_LEFT);
    table_column(table, "from", TABLE_LEFT);
    table_column(table, "accepts", TABLE_LEFT);
    for (const scope_config_entry *entry = scope_config_entries(); entry->name; entry++) {
        char name[64];
        const char *source, *value = scope_config_value(entry->name, &source);
        snprintf(name, sizeof name, "  %s", entry->name);
        table_cell(table, name);
        table_name(table, *value ? value : "-", *value ? strlen(value) : 1);
        table_cell(table, source);
        table_cell(table, entry->values);
    }
    table_print(table, stdout);
    printf("\n%sscope info --table says what each is for%s\n", style_dim(), style_end());
}

static void markdown(void)
{
    puts("| variable | default | values | what it does |\n|---|---|---|---|");
    for (const scope_config_entry *entry = scope_config_entries(); entry->name; entry++)
        printf("| `%s` | %s%s%s | %s | %s |\n", entry->name, *entry->default_value ? "`" : "",
               entry->default_value, *entry->default_value ? "`" : "", entry->values, entry->help);
}

static void complain(const char *text)
{
    command_say("info", "%s", text);
}

int command_info(int argc, char **argv)
{
    scope_config config;
    for (int answer; (answer = getopt_long(argc, argv, ":h", long_options, NULL)) != -1;) {
        if (answer != 'T')
            return command_common(answer, argv, help);
        markdown();
        return EXIT_DONE;
    }
    if (optind < argc)
        return command_usage(argv[0], "takes no argument '%s'", argv[optind]);
    style_set(STYLE_AUTO, false);
    printf("%sscope " SCOPE_VERSION "%s\n", style_bold(), style_end());
    line("prefix", place_prefix() ? place_prefix() : "not installed: the libraries were not found");
    if (scope_config_load(NULL, &config, complain) == SCOPE_ERR_MEMORY)
        return EXIT_FAILED;
    if (place_prefix()) {
        libraries();
        plugins();
    }
    output(&config);
    spool(&config);
    options_table();
    scope_config_free(&config);
    return EXIT_DONE;
}
