/* slices.c - see slices.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "slices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <scope/proc.h>

#include "message.h"
#include "publish.h"
#include "relay.h"

void scope_node_here(scope_node *node)
{
    memset(node, 0, sizeof *node);
    gethostname(node->host, sizeof node->host - 1);
    scope_proc_boot_id(node->boot_id, sizeof node->boot_id);
}

/* File systems whose clients keep pages to themselves. Not those that are merely on
 * another machine: Lustre, GPFS and CephFS keep the pages of their clients in step. */
static bool is_network_cache(int fd)
{
    static const unsigned long types[] = {
        0x6969,     0xFF534D42, 0xFE534D42, 0x517B,
        0x01021997, 0x5346414F, 0x65735546}; /* NFS SMB 9p AFS FUSE */
    struct statfs status;
    if (fstatfs(fd, &status) != 0)
        return true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (((unsigned long)status.f_type & 0xFFFFFFFF) == types[i])
            return true;
    return false;
}

bool scope_slices_sees(int fd, const scope_plan *plan)
{
    uint8_t id[SCOPE_FILE_ID_BYTES];
    return pread(fd, id, sizeof id, (off_t)plan->file_id_offset) == (ssize_t)sizeof id &&
           memcmp(id, plan->file_id, sizeof id) == 0;
}

int scope_slices_open(const char *path, const scope_plan *plan, const scope_node *owner)
{
    scope_node here;
    scope_node_here(&here);
    const bool same_node = memcmp(&here, owner, sizeof here) == 0;
    const int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return -1;
    if (scope_slices_sees(fd, plan) && (same_node || !is_network_cache(fd)))
        return fd;
    close(fd);
    return -1;
}

static bool is_sliced(const scope_rows *rows, const scope_plan *plan, size_t column)
{
    return plan->present[column] && plan->offset[column] != SCOPE_NO_OFFSET &&
           scope_rows_count(rows, scope_columns[column].table);
}

static uint64_t slice_offset(const scope_plan *plan, size_t column)
{
    return plan->offset[column] +
           plan->before[scope_columns[column].table] * scope_plan_row_bytes(plan, column);
}

static int write_slice(int fd, const scope_rows *rows, const scope_plan *plan, size_t column,
                       void *slab)
{
    const size_t row_bytes = scope_plan_row_bytes(plan, column);
    const size_t count = scope_rows_count(rows, scope_columns[column].table);
    /* what needs no encoding goes out in one piece */
    const size_t per_slab =
        scope_rows_are_encoded(rows, column) ? count : SCOPE_SLAB_BYTES / row_bytes;
    const uint64_t offset = slice_offset(plan, column);
    for (size_t first = 0; first < count; first += per_slab) {
        const size_t rows_now = count - first < per_slab ? count - first : per_slab;
        const void *bytes = scope_rows_encode(rows, plan, column, first, rows_now, slab);
        const int error =
            scope_write_all(fd, bytes, rows_now * row_bytes, offset + first * row_bytes);
        if (error)
            return error;
    }
    return 0;
}

scope_status scope_slices_write(int fd, const scope_rows *rows, const scope_plan *plan)
{
    void *slab = malloc(SCOPE_SLAB_BYTES);
    int error = slab ? 0 : ENOMEM;
    for (size_t i = 0; !error && i < scope_column_count; i++)
        if (is_sliced(rows, plan, i))
            error = write_slice(fd, rows, plan, i, slab);
    free(slab);
    return error ? scope_fail(scope_status_of_errno(error), "%s", strerror(error)) : SCOPE_OK;
}

/* What rank 0 knows of the rank whose bytes come in: offset, then slice. */
typedef struct landing {
    int fd, error;
    int32_t rank;
    size_t head_bytes;
    uint64_t offset;
} landing;

static scope_status land(void *context, int32_t rank, const void *bytes, size_t length_bytes)
{
    landing *at = context;
    const char *from = bytes;
    if (rank != at->rank) {
        at->rank = rank;
        at->head_bytes = 0;
    }
    while (length_bytes && at->head_bytes < sizeof at->offset) {
        ((char *)&at->offset)[at->head_bytes++] = *from++;
        length_bytes--;
    }
    if (length_bytes && !at->error)
        at->error = at->fd < 0 ? EIO : scope_write_all(at->fd, from, length_bytes, at->offset);
    at->offset += at->head_bytes == sizeof at->offset ? length_bytes : 0;
    return SCOPE_OK;
}

static scope_status pack_slice(const scope_rows *rows, const scope_plan *plan, size_t column,
                               scope_buffer *packed)
{
    const size_t count = scope_rows_count(rows, scope_columns[column].table);
    const size_t bytes = count * scope_plan_row_bytes(plan, column);
    const uint64_t offset = slice_offset(plan, column);
    char *room = malloc(bytes ? bytes : 1);
    scope_status status = room ? scope_buffer_append(packed, &offset, sizeof offset)
                               : scope_fail(SCOPE_ERR_MEMORY, "out of memory");
    if (status == SCOPE_OK)
        status = scope_buffer_append(packed, scope_rows_encode(rows, plan, column, 0, count, room),
                                     bytes);
    free(room);
    return status;
}

scope_status scope_slices_relay(int fd, bool blind, const scope_rows *rows, const scope_plan *plan,
                                scope_world *world)
{
    landing landing = {fd, 0, -1, 0, 0};
    scope_status mine = SCOPE_OK, status = SCOPE_OK;
    for (size_t i = 0; status == SCOPE_OK && i < scope_column_count; i++) {
        if (!plan->present[i] || plan->offset[i] == SCOPE_NO_OFFSET)
            continue; /* the same on every rank */
        scope_buffer packed = {0};
        if (blind && mine == SCOPE_OK && is_sliced(rows, plan, i))
            mine = pack_slice(rows, plan, i, &packed);
        landing.rank = -1;
        status =
            world->relay(world, packed.bytes, mine == SCOPE_OK ? packed.length : 0, land, &landing);
        free(packed.bytes);
    }
    if (status != SCOPE_OK)
        return status;
    return landing.error
               ? scope_fail(scope_status_of_errno(landing.error), "%s", strerror(landing.error))
               : mine;
}
