/* file_direct.c - see file_direct.h and job.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "file_direct.h"

#include "job.h"

scope_status scope_file_write_direct(const char *path, const scope_calls *calls, scope_world *world,
                                     const scope_file_options *options, const scope_mode *mode,
                                     scope_sink_report *report)
{
    static const scope_mode unsaid;
    scope_job job;
    scope_job_begin(&job, path, calls, world, options, mode ? mode : &unsaid);
    if (scope_job_agree(&job) && scope_job_open(&job) && scope_job_create(&job, NULL) &&
        scope_job_write_slices(&job))
        scope_job_publish(&job);
    return scope_job_end(&job, report);
}
