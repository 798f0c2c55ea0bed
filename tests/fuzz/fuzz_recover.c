/* fuzz_recover.c - spool files become HDF5 files, as `scope recover` makes them, and are read.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/file.h>
#include <scope/replay.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rehearse.h"
#include "spool_input.h"

/* A file of our own needs no rehearsal, and one that did not read would have to be seen. */
bool __wrap_scope_rehearse(void (*work)(void *), void *context,
                           const scope_rehearse_limits *limits);
bool __wrap_scope_rehearse(void (*work)(void *), void *context, const scope_rehearse_limits *limits)
{
    (void)work, (void)context, (void)limits;
    return true;
}

static char target[160];

static void remove_target(void)
{
    unlink(target);
}

/* What was written is read, with the same rows. */
static void check_file(const scope_calls *calls)
{
    const scope_file_options options = {.no_sync = 1};
    scope_file *file = NULL;
    if (scope_file_write(target, calls, &options) != SCOPE_OK) {
        fprintf(stderr, "%s\n", scope_file_message());
        fuzz_fail("a replayed table can be written", __FILE__, __LINE__);
    }
    if (scope_file_open(target, &file) != SCOPE_OK) {
        fprintf(stderr, "%s\n", scope_file_message());
        fuzz_fail("what was written can be read", __FILE__, __LINE__);
    }
    const scope_calls *read = scope_file_calls(file);
    FUZZ_CHECK(read->count == calls->count);
    FUZZ_CHECK(!calls->count ||
               memcmp(read->duration_ns, calls->duration_ns, calls->count * sizeof(int64_t)) == 0);
    scope_file_close(file);
}

static void check(const uint8_t *bytes, size_t length)
{
    scope_spool *spool = NULL;
    scope_calls *calls = NULL;
    if (!*target) {
        snprintf(target, sizeof target, "%s/recovered.h5", fuzz_folder());
        atexit(remove_target);
    }
    if (scope_spool_open(fuzz_path(bytes, length), &spool) != SCOPE_OK)
        return;
    if (scope_replay(scope_spool_recording(spool), 0, &calls) == SCOPE_OK)
        check_file(calls);
    scope_calls_free(calls);
    scope_spool_close(spool);
}

const fuzz_target fuzz = {.name = "recover",
                          .check = check,
                          .expand = spool_expand,
                          .mutate = spool_mutate,
                          .tries = 200};
