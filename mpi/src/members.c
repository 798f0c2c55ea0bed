/* members.c - who is in a communicator, as a number that is the same on all its ranks.
 *
 * SPDX-License-Identifier: MIT
 */
#include "members.h"

#include <stdlib.h>

#include "session.h"

/* Of a group that is larger, so many of its ranks stand for all: Open MPI looks for each one
 * among all ranks of the world. */
#define MEMBERS_ASKED 256

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* Of a group's ranks in MPI_COMM_WORLD, in order; 0: some are of another world. */
static uint64_t members_of(MPI_Group group, MPI_Group all, bool same)
{
    int theirs[MEMBERS_ASKED], ours[MEMBERS_ASKED], size = 0;
    PMPI(Group_size)(group, &size);
    const int asked = size < MEMBERS_ASKED ? size : MEMBERS_ASKED;
    for (int i = 0; i < asked; i++)
        theirs[i] = asked == size ? i : (int)((int64_t)i * (size - 1) / (asked - 1));
    if (!same && PMPI(Group_translate_ranks)(group, asked, theirs, all, ours) != MPI_SUCCESS)
        return 0;
    uint64_t hash = mix(1, (uint64_t)size);
    for (int i = 0; i < asked; i++) {
        const int rank = same ? theirs[i] : ours[i];
        if (rank < 0)
            return 0;
        hash = mix(hash, (uint64_t)rank);
    }
    return hash ? hash : 1;
}

static struct {
    uint64_t *members; /* open addressing, 0 is free */
    int32_t *counts;
    size_t capacity, used;
} groups;

static size_t group_slot(uint64_t members)
{
    size_t i = members & (groups.capacity - 1);
    while (groups.members[i] && groups.members[i] != members)
        i = (i + 1) & (groups.capacity - 1);
    return i;
}

static bool groups_grow(void)
{
    const size_t old_capacity = groups.capacity, capacity = old_capacity ? old_capacity * 2 : 64;
    uint64_t *members = groups.members, *more_members = calloc(capacity, sizeof *more_members);
    int32_t *counts = groups.counts, *more_counts = calloc(capacity, sizeof *more_counts);
    if (!more_members || !more_counts) {
        free(more_members);
        free(more_counts);
        return false;
    }
    groups.members = more_members;
    groups.counts = more_counts;
    groups.capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++) {
        if (!members[i])
            continue;
        const size_t slot = group_slot(members[i]);
        groups.members[slot] = members[i];
        groups.counts[slot] = counts[i];
    }
    free(members);
    free(counts);
    return true;
}

uint64_t mpi_members(MPI_Comm comm, bool inter, bool same)
{
    MPI_Group group, remote, all;
    if (!mpi_world_group(&all))
        return 0;
    PMPI(Comm_group)(comm, &group);
    uint64_t members = members_of(group, all, same);
    if (inter) {
        PMPI(Comm_remote_group)(comm, &remote);
        const uint64_t others = members_of(remote, all, false);
        members = members && others ? mix(2, members + others) : 0; /* each side has the other remote */
        PMPI(Group_free)(&remote);
    }
    PMPI(Group_free)(&group);
    PMPI(Group_free)(&all);
    return members;
}

bool mpi_members_are_all(MPI_Comm comm)
{
    MPI_Group group, all;
    int relation = MPI_UNEQUAL;
    if (!mpi_world_group(&all))
        return false;
    PMPI(Comm_group)(comm, &group);
    PMPI(Group_compare)(group, all, &relation);
    PMPI(Group_free)(&group);
    PMPI(Group_free)(&all);
    return relation == MPI_IDENT;
}

uint64_t mpi_members_fixed(int rank, int *size)
{
    MPI_Group all, group;
    uint64_t members = 0;
    if (!mpi_world_group(&all))
        return 0;
    if (rank < 0) {
        PMPI(Group_size)(all, size);
        members = members_of(all, all, true);
    } else if (PMPI(Group_incl)(all, 1, &rank, &group) == MPI_SUCCESS) {
        members = members_of(group, all, false);
        PMPI(Group_free)(&group);
    }
    PMPI(Group_free)(&all);
    return members;
}

int32_t mpi_members_serial(uint64_t members)
{
    if (!members || (groups.used * 2 >= groups.capacity && !groups_grow()))
        return 0;
    const size_t slot = group_slot(members);
    groups.used += groups.members[slot] == 0;
    groups.members[slot] = members;
    return groups.counts[slot]++;
}
