/* openmp_tool.c - another tool of OpenMP: counts parallel regions, says so at the end.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>

static int regions;

static void parallel_begin(void *task, const void *frame, void *data, unsigned requested, int flags,
                           const void *code)
{
    (void)task, (void)frame, (void)data, (void)requested, (void)flags, (void)code;
    regions++;
}

static int initialize(void (*(*lookup)(const char *))(void), int device, uint64_t *data)
{
    (void)device, (void)data;
    int (*set)(int, void (*)(void)) = (int (*)(int, void (*)(void)))lookup("ompt_set_callback");
    set(3, (void (*)(void))parallel_begin);
    return 1;
}

static void finalize(uint64_t *data)
{
    (void)data;
    printf("other tool: %d\n", regions);
    fflush(stdout);
}

static struct {
    int (*initialize)(void (*(*)(const char *))(void), int, uint64_t *);
    void (*finalize)(uint64_t *);
    uint64_t data;
} tool = {initialize, finalize, 0};

void *ompt_start_tool(unsigned version, const char *runtime);

void *ompt_start_tool(unsigned version, const char *runtime)
{
    (void)version, (void)runtime;
    return &tool;
}
