/* list.c - which runs left recordings, for people.
 *
 * SPDX-License-Identifier: MIT
 */
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text.h"

/* Of each run a line, and a row per rank; the path whole, to be copied. */
void list_runs(const run *runs, size_t count)
{
    char text[TEXT_BYTES], id[SCOPE_RUN_ID_TEXT_BYTES], end[64], state[128];
    for (size_t i = 0; i < count; i++) {
        const scope_recording_header *first = runs[i].items[0]->header;
        char *program = text_name(first->program, strlen(first->program));
        run_item_id(runs[i].items[0], id);
        printf("%s%srun %s%s  %s, started %s, %zu of %d %s\n", i ? "\n" : "", style_bold(), id,
               style_end(), program ? program : "", text_date(run_start(&runs[i]), text),
               runs[i].count, runs[i].size > 0 ? (int)runs[i].size : 1,
               runs[i].size > 1 ? "ranks" : "rank");
        if (runs[i].guessed)
            puts("of several starts; which ranks are of one start is a guess");
        free(program);
        table *table = table_new();
        table_column(table, "rank", 0);
        table_column(table, "host", TABLE_LEFT);
        table_column(table, "pid", 0);
        table_column(table, "end", TABLE_LEFT);
        table_column(table, "size  ", 0);
        table_column(table, "file", TABLE_LEFT);
        for (size_t k = 0; k < runs[i].count; k++) {
            const spool_found *item = runs[i].items[k];
            const size_t others = spools_pending(item);
            run_item_end(item, end, sizeof end);
            if (spools_is_written(item))
                strcpy(end, "written");
            int length = snprintf(state, sizeof state, others ? "%s, %zu more %s" : "%s", end,
                                  others, others == 1 ? "session" : "sessions");
            if (item->foreign)
                snprintf(state + length, sizeof state - (size_t)length, ", of user %u",
                         (unsigned)item->owner);
            table_cell(table, item->header->rank < 0 ? "-" : text_count(item->header->rank, text));
            table_name(table, item->header->host, strlen(item->header->host));
            table_cell(table, text_count((int64_t)item->header->pid, text));
            table_cell(table, state);
            table_cell(table, text_bytes((double)item->size_bytes, text));
            table_name(table, item->path, strlen(item->path));
        }
        table_print(table, stdout);
    }
}
