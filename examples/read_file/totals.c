/* totals.c - open a profile and print, for each rank, where its time went.
 *
 *     ./totals profiling_data.h5
 *
 * A file is one call table: columns with one row per call (scope/calls.h). The rows of one
 * region on one rank lie together; a pair says where, and has their statistics.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>

#include <scope/file.h>

int main(int argc, char **argv)
{
    scope_file *file = NULL;
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    if (scope_file_open(argv[1], &file) != SCOPE_OK) {
        fprintf(stderr, "%s\n", scope_file_message());
        return 1;
    }

    const scope_calls *calls = scope_file_calls(file);
    printf("%d ranks, %" PRIu64 " calls\n", calls->rank_count, calls->count);
    printf("%4s  %-24s %8s %12s %12s\n", "rank", "region", "calls", "total s", "longest s");
    for (size_t p = 0; p < calls->pair_count; p++) {
        const scope_pair *pair = &calls->pairs[p];
        int64_t total_ns = 0, longest_ns = 0;
        for (uint64_t row = pair->first; row < pair->first + pair->count; row++) {
            total_ns += calls->duration_ns[row];
            if (calls->duration_ns[row] > longest_ns)
                longest_ns = calls->duration_ns[row];
        }
        printf("%4d  %-24s %8" PRIu64 " %12.6f %12.6f\n", pair->rank,
               calls->regions[pair->region].name.bytes, pair->count, total_ns * 1e-9,
               longest_ns * 1e-9);
    }
    scope_file_close(file);
    return 0;
}
