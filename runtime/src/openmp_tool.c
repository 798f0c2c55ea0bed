/* openmp_tool.c - how an OpenMP runtime finds us: ompt_start_tool.
 *
 * The specification has one tool per runtime: the first ompt_start_tool in the address space whose
 * answer is not NULL, then the libraries of OMP_TOOL_LIBRARIES. As ours may stand before another
 * tool's in the search order, it asks that one first and leaves it its turn.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

#include <scope/sink.h>

#include "config.h"
#include "openmp.h"
#include "say.h"

static _Atomic(int) was_asked, in_use;
static bool only_gnu;
static scope_demangle_fn *demangle;

scope_demangle_fn *scope_openmp_demangle(void)
{
    return demangle;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    if (!set)
        return 0;
    demangle = (scope_demangle_fn *)dlsym(RTLD_DEFAULT, "__cxa_demangle");
    scope_openmp_set_callbacks(set);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
    atomic_store(&in_use, 0); /* the runtime may be loaded anew */
}

static ompt_start_tool_result_t *ask_next(unsigned int version, const char *runtime)
{
    ompt_start_tool_t *next = (ompt_start_tool_t *)dlsym(RTLD_NEXT, "ompt_start_tool");
    return next ? next(version, runtime) : NULL;
}

SCOPE_API ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version,
                                                    const char *runtime_version);

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t ours = {initialize, finalize, {0}};
    ompt_start_tool_result_t *other = ask_next(omp_version, runtime_version);
    if (!scope_config_flag("SCOPE_OPENMP") || !scope_runtime_wanted())
        return other;
    atomic_store(&was_asked, 1);
    if (other) {
        if (scope_session_may_say())
            scope_runtime_say("openmp", "SCOPE_OPENMP=1, but another tool listens to the OpenMP "
                                        "runtime, which has room for one: OpenMP is not recorded");
        return other;
    }
    return atomic_exchange(&in_use, 1) ? NULL : &ours; /* a second runtime in this process */
}

/* Asked here only, as scope_identity_setup does. */
void scope_openmp_setup(void)
{
    if (scope_config_flag("SCOPE_OPENMP"))
        only_gnu = dlsym(RTLD_DEFAULT, "GOMP_parallel") && !dlsym(RTLD_DEFAULT, "__kmpc_fork_call");
}

void scope_openmp_say_end(void)
{
    if (only_gnu && !atomic_load(&was_asked) && scope_runtime_wanted() && scope_session_may_say())
        scope_runtime_say("openmp", "SCOPE_OPENMP=1, but libgomp tells nothing: its threads are "
                                    "recorded, its parallel regions are not (LLVM's libomp in its "
                                    "place tells: LD_PRELOAD=libomp.so.5)");
}
