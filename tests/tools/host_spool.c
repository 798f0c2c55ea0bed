/* host_spool.c - the spool file of a killed host: a part of it was written, then `later` calls.
 *
 *     host_spool SPOOL PART LATER
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include "recording_writer.h"

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const int later = atoi(argv[3]);
    recording_writer *writer = recording_writer_new();
    writer_header(writer)->end_kind = SCOPE_END_OPEN;
    writer_host_session(writer, 1, 2, 100);
    writer_name(writer, SCOPE_NAME_REGION, 1, "step");
    writer_thread(writer, 0, "MainThread", 100, SCOPE_THREAD_MAIN | SCOPE_THREAD_HOST);
    writer_stream(writer, 0);
    writer_event(writer, 100, SCOPE_EVENT_THREAD, 0);
    for (uint64_t i = 0; i < 5; i++) {
        writer_event(writer, 1000 + i * 10, SCOPE_EVENT_BEGIN, 1);
        writer_event(writer, 1005 + i * 10, SCOPE_EVENT_END, 1);
    }
    const scope_define_cut_stream cut = {0, 0, 11};
    writer_cut(writer, 0, 5, &cut, 1);
    writer_checkpoint(writer, 0, argv[2]);
    for (uint64_t i = 0; i < (uint64_t)later; i++) {
        writer_event(writer, 2000 + i * 10, SCOPE_EVENT_BEGIN, 1);
        writer_event(writer, 2005 + i * 10, SCOPE_EVENT_END, 1);
    }
    size_t length;
    unsigned char *bytes = writer_file(writer, &length);
    FILE *file = fopen(argv[1], "wb");
    const int written = file && fwrite(bytes, 1, length, file) == length;
    if (file)
        fclose(file);
    free(bytes);
    recording_writer_free(writer);
    return written ? 0 : 1;
}
