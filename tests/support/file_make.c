/* file_make.c - write a made-up call table: PATH RANKS REGIONS CALLS WITH [COMPRESSION
 * [CHUNK [sums]]].
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include <scope/file.h>

#include "tables.h"

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    const int ranks = atoi(argv[2]);
    scope_calls **parts = calloc((size_t)ranks + 1, sizeof *parts), *whole = NULL;
    for (int r = 0; r < ranks; r++)
        parts[r] = table_make(r, ranks, (uint32_t)atoi(argv[3]), strtoull(argv[4], NULL, 10),
                              (unsigned)atoi(argv[5]));
    const scope_file_options options = {.compression = argc > 6 ? argv[6] : "none",
                                        .chunk_size = argc > 7 ? atoll(argv[7]) : 0};
    scope_status status = scope_calls_merge(parts, (size_t)ranks, &whole);
    if (status == SCOPE_OK && argc > 8) {
        scope_calls *sums = NULL;
        status = scope_calls_aggregate(whole, 1, &sums);
        scope_calls_free(whole);
        whole = sums;
    }
    if (status == SCOPE_OK)
        status = scope_file_write(argv[1], whole, &options);
    if (status != SCOPE_OK)
        fprintf(stderr, "%s: %s\n", scope_status_text(status), scope_file_message());
    for (int r = 0; r < ranks; r++)
        scope_calls_free(parts[r]);
    free(parts);
    scope_calls_free(whole);
    return status != SCOPE_OK;
}
