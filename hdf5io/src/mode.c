/* mode.c - see mode.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode.h"

#include <stdio.h>
#include <string.h>

#include "message.h"

static const char *const names[] = {
    [SCOPE_MODE_UNSAID] = "auto",
    [SCOPE_MODE_DIRECT] = "direct",
    [SCOPE_MODE_PARALLEL] = "parallel",
    [SCOPE_MODE_PER_RANK] = "per_rank",
};

const char *scope_mode_name(int32_t kind)
{
    return names[kind];
}

static int32_t kind_of(const char *wanted)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(wanted ? wanted : "auto", names[i]) == 0)
            return (int32_t)i;
    return -1;
}

scope_status scope_mode_check(const char *wanted)
{
    return kind_of(wanted) >= 0 ? SCOPE_OK
                                : scope_fail(SCOPE_ERR_ARGUMENT,
                                             "no writer for the output mode '%.40s': auto, direct, "
                                             "parallel and per_rank are known",
                                             wanted);
}

scope_status scope_mode_agree(scope_world *world, const char *wanted, scope_mode *mode)
{
    *mode = (scope_mode){kind_of(wanted), "asked for"};
    if (mode->kind == SCOPE_MODE_UNSAID) {
        mode->kind = SCOPE_MODE_DIRECT;
        snprintf(mode->reason, sizeof mode->reason, "%s",
                 world->size == 1 ? "auto: one process writes"
                                  : "auto: one file, without another library or other files");
    } else if (world->size == 1 && mode->kind != SCOPE_MODE_DIRECT) {
        snprintf(mode->reason, sizeof mode->reason, "%s was asked for, but one process writes",
                 names[mode->kind]);
        mode->kind = SCOPE_MODE_DIRECT;
    }
    return world->broadcast(world, mode, sizeof *mode);
}

typedef struct objection {
    char *text;
    size_t used, size_bytes;
} objection;

static scope_status hear(void *context, int32_t rank, const void *bytes, size_t length_bytes)
{
    objection *heard = context;
    const size_t room = heard->size_bytes - 1 - heard->used;
    const size_t taken = length_bytes < room ? length_bytes : room;
    (void)rank;
    memcpy(heard->text + heard->used, bytes, taken);
    heard->used += taken;
    heard->text[heard->used] = '\0';
    return SCOPE_OK;
}

scope_status scope_mode_object(scope_world *world, char *why, size_t size_bytes)
{
    /* the lowest rank that objects is the most negative */
    const int32_t mine = why[0] ? world->rank - world->size : 0;
    const int32_t first = (int32_t)world->worst(world, (scope_status)mine);
    char said[512] = "";
    if (!first) {
        why[0] = '\0';
        return SCOPE_OK;
    }
    if (mine == first && world->rank)
        snprintf(said, sizeof said, "rank %d: %.450s", (int)world->rank, why);
    else if (mine == first)
        snprintf(said, sizeof said, "%.450s", why);
    why[0] = '\0';
    objection heard = {why, 0, size_bytes};
    scope_status status = world->relay(world, said, strlen(said), hear, &heard);
    return status == SCOPE_OK ? world->broadcast(world, why, size_bytes) : status;
}
