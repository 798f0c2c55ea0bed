/* scope.h - all that a program needs to record itself.
 *
 *     #include <scope/scope.h>
 *
 *     int main(void)
 *     {
 *         scope_init(NULL);
 *         {
 *             SCOPE_REGION("solve");
 *             work();
 *         }
 *         scope_finalize();
 *     }
 *
 * Under MPI, with -lscope_mpi or `scope run`, init and finalize may be left
 * out: recording starts in MPI_Init and the one file is written in MPI_Finalize.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_SCOPE_H
#define SCOPE_SCOPE_H

#include <scope/region.h>
#include <scope/session.h>
#include <scope/status.h>
#include <scope/task.h>
#include <scope/version.h>

#define SCOPE_JOIN_(a, b) a##b
#define SCOPE_JOIN(a, b) SCOPE_JOIN_(a, b)

#ifdef SCOPE_DISABLE

#define SCOPE_REGION(name) ((void)0)
#define SCOPE_REGION_FUNCTION() ((void)0)

#elif defined(__GNUC__)

static inline void scope_region_end_of_block(scope_region *region)
{
    scope_region_end(*region);
}

/* The registration happens once per place; 0 means "not yet", so id + 1 is kept. */
static inline scope_region scope_region_begin_at(int32_t *place, const char *name,
                                                 const char *file, int line)
{
    scope_region region = __atomic_load_n(place, __ATOMIC_RELAXED) - 1;
    if (region == -1 && scope_is_active()) {
        if (scope_region_register_at(name, file, line, &region) != SCOPE_OK)
            return SCOPE_REGION_NONE;
        __atomic_store_n(place, region < 0 ? -1 : region + 1, __ATOMIC_RELAXED);
    }
    scope_region_begin(region);
    return region;
}

/* Time from here to the end of the enclosing block, whichever way it is left.
 * `name` must be the same string on every pass. */
#define SCOPE_REGION(name)                                                                        \
    static int32_t SCOPE_JOIN(scope_place_, __LINE__);                                            \
    __attribute__((cleanup(scope_region_end_of_block), unused)) scope_region SCOPE_JOIN(          \
        scope_block_, __LINE__) =                                                                 \
        scope_region_begin_at(&SCOPE_JOIN(scope_place_, __LINE__), name, __FILE__, __LINE__)
#define SCOPE_REGION_FUNCTION() SCOPE_REGION(__func__)

#endif

#ifdef __cplusplus
namespace scope {

/* Times its own lifetime. The name may differ from object to object. */
class Region {
  public:
    explicit Region(const char *name)
    {
        if (scope_is_active() && scope_region_register(name, &id_) == SCOPE_OK)
            scope_region_begin(id_);
    }
    explicit Region(scope_region id) : id_(id) { scope_region_begin(id_); }
    ~Region() { scope_region_end(id_); }
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

  private:
    scope_region id_ = SCOPE_REGION_NONE;
};

} // namespace scope
#endif
#endif
