/* test_budget.c - how much a recording may take by default: free space, memory, control
 * groups, ranks of the node.
 *
 * SPDX-License-Identifier: MIT
 */
#include "budget.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "unit.h"

#define MIB (UINT64_C(1) << 20)

static char root[64];

/* A file of the machine that is made up, with its folders. */
static void put(const char *name, const char *text)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "we");
    CU_ASSERT_FATAL(file && length < (int)sizeof path);
    fputs(text, file);
    fclose(file);
}

static void machine(void)
{
    strcpy(root, "/tmp/scope-budget-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
}

static void machine_end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", root);
    CU_ASSERT_EQUAL(system(command), 0);
}

static void without_control_groups_there_is_no_limit(void)
{
    machine();
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), UINT64_MAX);
    put("/proc/self/cgroup", "0::/\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), UINT64_MAX);
    put("/proc/self/cgroup", "");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), UINT64_MAX);
    put("/proc/self/cgroup", "nonsense\n:\n::\n1:memory:relative\n9:memory\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), UINT64_MAX);
    machine_end();
}

static void version_2_counts_the_group_and_those_above(void)
{
    machine();
    put("/proc/self/cgroup", "0::/slurm/job_7/step_0/task_1\n");
    put("/sys/fs/cgroup/slurm/job_7/step_0/task_1/memory.max", "max\n");
    put("/sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), UINT64_MAX);
    put("/sys/fs/cgroup/slurm/job_7/memory.max", "1073741824\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), 1024 * MIB);
    put("/sys/fs/cgroup/slurm/job_7/step_0/task_1/memory.max", "536870912\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), 512 * MIB);
    put("/sys/fs/cgroup/slurm/job_8/memory.max", "1048576\n"); /* another job's */
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), 512 * MIB);
    machine_end();
}

static void version_1_counts_the_group_of_the_memory_controller(void)
{
    machine();
    put("/proc/self/cgroup", "11:name=systemd:/init\n10:hugetlb:/\n4:cpu,cpuacct:/job\n"
                             "3:blkio,memory:/job/step\n0::/\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "268435456\n");
    put("/sys/fs/cgroup/memory/job/step/memory.limit_in_bytes", "9223372036854771712\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), 256 * MIB);
    put("/proc/self/cgroup", "3:memoryless:/job/step\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), UINT64_MAX);
    machine_end();
}

/* The mount shows the container's group as its root; /proc has the name of outside. */
static void a_containers_limit_is_at_the_root_of_its_mount(void)
{
    machine();
    put("/proc/self/cgroup", "4:memory:/docker/0123456789abcdef\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "134217728\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), 128 * MIB);
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/memory.max", "67108864\n");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), 64 * MIB);
    machine_end();
}

static void the_memory_line_may_come_late(void)
{
    char text[8192] = "";
    machine();
    for (int i = 0; i < 12; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d:cpu%d:/%0400d\n", 30 - i, i, i);
    strcat(text, "1:memory:/late");
    put("/proc/self/cgroup", text);
    put("/sys/fs/cgroup/memory/late/memory.limit_in_bytes", "1048576");
    CU_ASSERT_EQUAL(scope_budget_group_limit(root), MIB);
    machine_end();
}

static void forget_launchers(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                        "PMIX_LOCAL_SIZE", "SLURM_TASKS_PER_NODE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

static void what_the_user_says_is_the_budget(void)
{
    CU_ASSERT_EQUAL(scope_budget_bytes(4096, -1), 4096);
    CU_ASSERT_EQUAL(scope_budget_bytes(-1, -1), UINT64_MAX);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t memory_part(uint64_t ranks)
{
    const uint64_t memory =
        smaller((uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGE_SIZE),
                scope_budget_group_limit(""));
    const uint64_t part = smaller(1024 * MIB, memory / 16 / ranks);
    return part < MIB ? MIB : part;
}

static void memory_is_a_sixteenth_shared_by_the_ranks_of_the_node(void)
{
    forget_launchers();
    CU_ASSERT_EQUAL(scope_budget_bytes(0, -1), memory_part(1));
    setenv("PMI_SIZE", "4", 1);
    CU_ASSERT_EQUAL(scope_budget_bytes(0, -1), memory_part(4));
    setenv("SLURM_TASKS_PER_NODE", "8(x2),3", 1);
    CU_ASSERT_EQUAL(scope_budget_bytes(0, -1), memory_part(8));
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "16", 1);
    CU_ASSERT_EQUAL(scope_budget_bytes(0, -1), memory_part(16));
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "1000000", 1);
    CU_ASSERT_EQUAL(scope_budget_bytes(0, -1), MIB); /* the least that is of use */
    forget_launchers();
}

static void a_disk_is_a_quarter_of_what_is_free(void)
{
    struct statfs info;
    forget_launchers();
    setenv("MPI_LOCALNRANKS", "3", 1);
    const int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fstatfs(fd, &info) == 0 && info.f_type != 0x01021994) {
        const uint64_t free_bytes = (uint64_t)info.f_bavail * (uint64_t)info.f_bsize;
        const uint64_t wanted = smaller(1024 * MIB, free_bytes / 12);
        const uint64_t got = scope_budget_bytes(0, fd);
        /* others write to this disk, too */
        CU_ASSERT(got <= 1024 * MIB && got > wanted / 2 && got / 2 < wanted + MIB);
    }
    close(fd);
    forget_launchers();
}

static void a_tmpfs_is_disk_and_memory(void)
{
    machine();
    forget_launchers();
    if (mount("none", root, "tmpfs", 0, "size=64m")) {
        printf("skipped: needs root to mount a tmpfs ... ");
        rmdir(root);
        return;
    }
    const int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CU_ASSERT_EQUAL(scope_budget_bytes(0, fd), smaller(16 * MIB, memory_part(1)));
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "4", 1);
    CU_ASSERT_EQUAL(scope_budget_bytes(0, fd), smaller(4 * MIB, memory_part(4)));
    close(fd);
    umount2(root, MNT_DETACH);
    if (mount("none", root, "tmpfs", 0, "size=100%") == 0) { /* memory is less than a quarter */
        const int large = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        CU_ASSERT_EQUAL(scope_budget_bytes(0, large), memory_part(4));
        close(large);
        umount2(root, MNT_DETACH);
    }
    forget_launchers();
    rmdir(root);
}

int main(void)
{
    const unit_test tests[] = {
        UNIT(without_control_groups_there_is_no_limit),
        UNIT(version_2_counts_the_group_and_those_above),
        UNIT(version_1_counts_the_group_of_the_memory_controller),
        UNIT(a_containers_limit_is_at_the_root_of_its_mount),
        UNIT(the_memory_line_may_come_late),
        UNIT(what_the_user_says_is_the_budget),
        UNIT(memory_is_a_sixteenth_shared_by_the_ranks_of_the_node),
        UNIT(a_disk_is_a_quarter_of_what_is_free),
        UNIT(a_tmpfs_is_disk_and_memory),
        {0},
    };
    return unit_run("budget", tests);
}
