/* layouts.c - the same made-up tables of all ranks, written in every output mode and compared.
 *
 *     layouts FOLDER WRITER     writes FOLDER/<mode>-<compression>-<with>.h5
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <mpi.h>
#include <scope/file.h>
#include <scope/sink.h>
#include <stdio.h>
#include <string.h>

#include "host.h" /* of mpi */
#include "tables.h"

static const char *const modes[] = {"direct", "parallel", "per_rank"};
static const char *const compressions[] = {"none", "gzip", "lzf"};
static int rank, size, failures;

/* `with` 0: every rank has everything. 1: ranks differ in what they have, one has no calls,
 * one no table; regions that others do not have. */
static scope_calls *table_of(int with)
{
    if (with && size > 2 && rank == size - 1)
        return NULL;
    const unsigned odd = TABLE_ALL & ~(unsigned)(TABLE_TASKS | TABLE_MPI | TABLE_LONG_TEXT);
    scope_calls *table = with && rank == 1 ? table_make(rank, size, 0, 0, 0)
                                           : table_make(rank, size, 3 + (uint32_t)rank,
                                                        400 + 100 * (uint64_t)rank,
                                                        with && rank % 2 ? odd : TABLE_ALL);
    char name[32];
    for (uint32_t i = 0; with && i < table->region_count; i++) /* disjoint names */
        table_rename(table, i, name, (uint64_t)snprintf(name, sizeof name, "%u of %d", i, rank));
    return table;
}

/* What a file says of how it was written is its own. */
static const scope_calls *without_mode(scope_calls *calls)
{
    size_t kept = 0;
    for (size_t i = 0; i < calls->metadata_count; i++)
        if (strncmp(calls->metadata[i].key.bytes, "output_mode", 11) != 0)
            calls->metadata[kept++] = calls->metadata[i];
    calls->metadata_count = kept;
    return calls;
}

static void compare(const char *folder, const char *compression, int with)
{
    scope_file *files[3] = {NULL};
    for (int m = 0; m < 3; m++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s-%s-%d.h5", folder, modes[m], compression, with);
        const scope_status status = scope_file_open(path, &files[m]);
        const char *difference =
            status != SCOPE_OK ? scope_file_message()
            : m ? table_difference(without_mode((scope_calls *)(uintptr_t)scope_file_calls(files[0])),
                                   scope_file_calls(files[m]))
                : NULL;
        if (difference && ++failures)
            printf("%s: %s\n", path, difference);
        if (status != SCOPE_OK)
            return;
    }
    for (int m = 0; m < 3; m++)
        scope_file_close(files[m]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void *writer = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    scope_sink_write_calls_fn *write =
        (scope_sink_write_calls_fn *)dlsym(writer, SCOPE_SINK_CALLS_SYMBOL);
    scope_world *world;
    if (!write || scope_mpi_host_open(&world) != SCOPE_OK)
        return 2;
    for (int with = 0; with < 2; with++)
        for (size_t c = 0; c < sizeof compressions / sizeof compressions[0]; c++) {
            for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
                const scope_file_options options = {
                    .compression = compressions[c], .no_sync = 1, .output_mode = modes[m],
                    .chunk_size = c ? 256 : 0}; /* chunks that ranks share */
                scope_sink_report report;
                scope_calls *calls = table_of(with);
                char path[512];
                snprintf(path, sizeof path, "%s/%s-%s-%d.h5", argv[1], modes[m], compressions[c],
                         with);
                if (write(calls, world, path, &options, &report) != SCOPE_OK && ++failures)
                    printf("rank %d: %s: %s\n", rank, path, report.message);
                scope_calls_free(calls);
            }
            if (rank == 0)
                compare(argv[1], compressions[c], with);
        }
    scope_mpi_host_close(world);
    MPI_Finalize();
    if (!failures && rank == 0)
        puts("the same");
    return failures != 0;
}
