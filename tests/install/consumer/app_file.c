/* app_file.c - open the file that is given and print its number of calls.
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>

#include <scope/file.h>
#include <scope/results.h>

int main(int argc, char **argv)
{
    scope_file *file = NULL;
    scope_summaries summaries = {0, NULL};
    if (argc < 2 || scope_file_open(argv[1], &file) != SCOPE_OK) {
        fprintf(stderr, "%s\n", scope_file_message());
        return 1;
    }
    if (scope_summarize(scope_file_calls(file), SCOPE_BY_RANK, &summaries) != SCOPE_OK)
        return 1;
    for (size_t i = 0; i < summaries.count; i++)
        printf("%s %" PRId64 "\n",
               scope_file_calls(file)->regions[summaries.rows[i].region].name.bytes,
               summaries.rows[i].call_count);
    scope_summaries_free(&summaries);
    scope_file_close(file);
    return 0;
}
