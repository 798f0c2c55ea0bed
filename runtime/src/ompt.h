/* ompt.h - the tool interface of OpenMP runtimes, as far as we use it.
 *
 * Types, constants and prototypes are those of the OpenMP API specification, version 5.0, chapter 4
 * (OMPT interface), by their names there; values added by 5.1 and 5.2 are marked. A header of our own,
 * for no compiler but LLVM's brings one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_OMPT_H
#define SCOPE_OMPT_H

#include <stdint.h>

typedef union ompt_data_t { /* a word of the tool's own, beside a thread, region or task */
    uint64_t value;
    void *ptr;
} ompt_data_t;

typedef struct ompt_frame_t ompt_frame_t; /* not looked into */
typedef uint64_t ompt_wait_id_t;

typedef enum ompt_callbacks_t {
    ompt_callback_parallel_begin = 3,
    ompt_callback_parallel_end = 4,
    ompt_callback_task_create = 5,
    ompt_callback_task_schedule = 6,
    ompt_callback_implicit_task = 7,
    ompt_callback_sync_region_wait = 16,
    ompt_callback_work = 20,
    ompt_callback_mutex_acquire = 26,
    ompt_callback_mutex_acquired = 27,
} ompt_callbacks_t;

typedef enum ompt_scope_endpoint_t {
    ompt_scope_begin = 1,
    ompt_scope_end = 2,
} ompt_scope_endpoint_t;

typedef enum ompt_sync_region_t {
    ompt_sync_region_barrier = 1,
    ompt_sync_region_barrier_implicit = 2,
    ompt_sync_region_barrier_explicit = 3,
    ompt_sync_region_barrier_implementation = 4,
    ompt_sync_region_taskwait = 5,
    ompt_sync_region_taskgroup = 6,
    ompt_sync_region_barrier_implicit_workshare = 8, /* 5.1 */
    ompt_sync_region_barrier_implicit_parallel = 9,  /* 5.1 */
    ompt_sync_region_barrier_teams = 10,             /* 5.1 */
} ompt_sync_region_t;

typedef enum ompt_work_t {
    ompt_work_loop = 1,
    ompt_work_sections = 2,
    ompt_work_single_executor = 3,
    ompt_work_workshare = 5,
    ompt_work_distribute = 6,
    ompt_work_taskloop = 7,
    ompt_work_loop_static = 10,  /* 5.2 */
    ompt_work_loop_dynamic = 11, /* 5.2 */
    ompt_work_loop_guided = 12,  /* 5.2 */
    ompt_work_loop_other = 13,   /* 5.2 */
} ompt_work_t;

typedef enum ompt_mutex_t {
    ompt_mutex_lock = 1,
    ompt_mutex_critical = 5,
    ompt_mutex_atomic = 6,
    ompt_mutex_ordered = 7,
} ompt_mutex_t;

typedef enum ompt_task_flag_t {
    ompt_task_explicit = 0x4,
} ompt_task_flag_t;

typedef enum ompt_task_status_t {
    ompt_task_complete = 1,
    ompt_task_yield = 2,
    ompt_task_cancel = 3,
    ompt_task_detach = 4,
    ompt_task_switch = 7,
} ompt_task_status_t;

#define ompt_parallel_league 0x40000000 /* 5.1: the teams of a teams construct */

typedef void (*ompt_interface_fn_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *interface_function_name);
typedef void (*ompt_callback_t)(void);
typedef int (*ompt_set_callback_t)(ompt_callbacks_t event, ompt_callback_t callback);

typedef struct ompt_start_tool_result_t {
    int (*initialize)(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data);
    void (*finalize)(ompt_data_t *tool_data);
    ompt_data_t tool_data;
} ompt_start_tool_result_t;

typedef ompt_start_tool_result_t *ompt_start_tool_t(unsigned int omp_version,
                                                    const char *runtime_version);

/* The callbacks, as a runtime calls them. */
typedef void ompt_callback_parallel_begin_t(ompt_data_t *encountering_task_data,
                                            const ompt_frame_t *encountering_task_frame,
                                            ompt_data_t *parallel_data,
                                            unsigned int requested_parallelism, int flags,
                                            const void *codeptr_ra);
typedef void ompt_callback_parallel_end_t(ompt_data_t *parallel_data,
                                          ompt_data_t *encountering_task_data, int flags,
                                          const void *codeptr_ra);
typedef void ompt_callback_implicit_task_t(ompt_scope_endpoint_t endpoint,
                                           ompt_data_t *parallel_data, ompt_data_t *task_data,
                                           unsigned int actual_parallelism, unsigned int index,
                                           int flags);
typedef void ompt_callback_task_create_t(ompt_data_t *encountering_task_data,
                                         const ompt_frame_t *encountering_task_frame,
                                         ompt_data_t *new_task_data, int flags,
                                         int has_dependences, const void *codeptr_ra);
typedef void ompt_callback_task_schedule_t(ompt_data_t *prior_task_data,
                                           ompt_task_status_t prior_task_status,
                                           ompt_data_t *next_task_data);
typedef void ompt_callback_sync_region_t(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                         ompt_data_t *parallel_data, ompt_data_t *task_data,
                                         const void *codeptr_ra);
typedef void ompt_callback_work_t(ompt_work_t work_type, ompt_scope_endpoint_t endpoint,
                                  ompt_data_t *parallel_data, ompt_data_t *task_data,
                                  uint64_t count, const void *codeptr_ra);
typedef void ompt_callback_mutex_acquire_t(ompt_mutex_t kind, unsigned int hint,
                                           unsigned int impl, ompt_wait_id_t wait_id,
                                           const void *codeptr_ra);
typedef void ompt_callback_mutex_t(ompt_mutex_t kind, ompt_wait_id_t wait_id,
                                   const void *codeptr_ra);

#endif
