/* region.h - name a piece of code once, then time it cheaply many times.
 *
 *     static scope_region solve;
 *     scope_region_register("solve", &solve);
 *     scope_region_begin(solve);
 *     ...
 *     scope_region_end(solve);
 *
 * or, in a block: SCOPE_REGION("solve"); and in C++: scope::Region r{"solve"};
 *
 * Units      int64_t nanoseconds of CLOCK_MONOTONIC, always suffixed _ns.
 * Ownership  names are copied; a region is a plain id and is never freed.
 * Threads    register: any thread, takes a lock. begin/end, mark, counter: any
 *            thread, no lock, each thread writes only to its own buffer. All of
 *            them may be called before scope_init and after scope_finalize:
 *            they do nothing then.
 * Errors     register returns a scope_status. begin/end cannot fail: an event
 *            that does not fit is counted, and the count is in the file.
 *
 * With -DSCOPE_DISABLE every function of this header becomes an empty inline
 * one, and the program needs no library.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_REGION_H
#define SCOPE_REGION_H

#include <stddef.h>
#include <stdint.h>

#include <scope/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Signed: Fortran has no unsigned integers. A negative region is one that a
 * filter excludes or that could not be registered; begin and end ignore it. */
typedef int32_t scope_region; /* 0, a handle nobody set, is recorded as "(unregistered)" */

#define SCOPE_REGION_NONE ((scope_region)-1)

#ifndef SCOPE_DISABLE

/* Return in *region the id of `name`: the same name gives the same id, in every
 * session of this process. A name that SCOPE_FILTER excludes gives
 * SCOPE_REGION_NONE and SCOPE_OK; that is decided here, once, for as long as the
 * handle is used. ERR_ARGUMENT: NULL; ERR_MEMORY; ERR_STATE: in a signal handler
 * that interrupted this library. */
SCOPE_API scope_status scope_region_register(const char *name, scope_region *region);

/* The same for any bytes, NUL and invalid UTF-8 included. */
SCOPE_API scope_status scope_region_register_bytes(const char *name, size_t length_bytes,
                                                   scope_region *region);

/* The same with the place in the source; the first place that is given stays.
 * `file` may be NULL, `line` is -1 when unknown. */
SCOPE_API scope_status scope_region_register_at(const char *name, const char *file, int line,
                                                scope_region *region);

/* Attach a tag to a region in the current session. ERR_ARGUMENT: empty tag;
 * ERR_STATE: no session records; ERR_MEMORY. */
SCOPE_API scope_status scope_region_tag(scope_region region, const char *tag);

SCOPE_API void scope_region_begin(scope_region region);
SCOPE_API void scope_region_end(scope_region region);

#if defined(__GNUC__) && !defined(SCOPE_NO_INLINE)
/* Where nothing is recorded a call costs one test, made by the caller. Not 0 while
 * calls have something to do; the library alone writes it. */
SCOPE_API extern uint32_t scope_listening;

/* The same functions by another name, for what follows. */
SCOPE_API void scope_region_begin_heard(scope_region region);
SCOPE_API void scope_region_end_heard(scope_region region);

extern inline __attribute__((gnu_inline, always_inline)) void
scope_region_begin(scope_region region)
{
    if (__atomic_load_n(&scope_listening, __ATOMIC_RELAXED))
        scope_region_begin_heard(region);
}

extern inline __attribute__((gnu_inline, always_inline)) void scope_region_end(scope_region region)
{
    if (__atomic_load_n(&scope_listening, __ATOMIC_RELAXED))
        scope_region_end_heard(region);
}
#endif

/* Look the name up on every call: convenient, some 20 ns dearer than a handle. */
SCOPE_API void scope_region_begin_name(const char *name);
SCOPE_API void scope_region_end_name(const char *name);
SCOPE_API void scope_region_begin_bytes(const char *name, size_t length_bytes);
SCOPE_API void scope_region_end_bytes(const char *name, size_t length_bytes);

/* A point in time on this lane, and a value at a point in time. */
SCOPE_API void scope_mark(const char *name);
SCOPE_API void scope_counter(const char *name, double value);
SCOPE_API void scope_mark_bytes(const char *name, size_t length_bytes);
SCOPE_API void scope_counter_bytes(const char *name, size_t length_bytes, double value);

#else /* SCOPE_DISABLE */

#define SCOPE_OFF static inline
/* clang-format off */
SCOPE_OFF scope_status scope_region_register(const char *name, scope_region *region) { (void)name; *region = SCOPE_REGION_NONE; return SCOPE_OK; }
SCOPE_OFF scope_status scope_region_register_bytes(const char *name, size_t length_bytes, scope_region *region) { (void)name; (void)length_bytes; *region = SCOPE_REGION_NONE; return SCOPE_OK; }
SCOPE_OFF scope_status scope_region_register_at(const char *name, const char *file, int line, scope_region *region) { (void)name; (void)file; (void)line; *region = SCOPE_REGION_NONE; return SCOPE_OK; }
SCOPE_OFF scope_status scope_region_tag(scope_region region, const char *tag) { (void)region; (void)tag; return SCOPE_OK; }
SCOPE_OFF void scope_region_begin(scope_region region) { (void)region; }
SCOPE_OFF void scope_region_end(scope_region region) { (void)region; }
SCOPE_OFF void scope_region_begin_name(const char *name) { (void)name; }
SCOPE_OFF void scope_region_end_name(const char *name) { (void)name; }
SCOPE_OFF void scope_region_begin_bytes(const char *name, size_t length_bytes) { (void)name; (void)length_bytes; }
SCOPE_OFF void scope_region_end_bytes(const char *name, size_t length_bytes) { (void)name; (void)length_bytes; }
SCOPE_OFF void scope_mark(const char *name) { (void)name; }
SCOPE_OFF void scope_counter(const char *name, double value) { (void)name; (void)value; }
SCOPE_OFF void scope_mark_bytes(const char *name, size_t length_bytes) { (void)name; (void)length_bytes; }
SCOPE_OFF void scope_counter_bytes(const char *name, size_t length_bytes, double value) { (void)name; (void)length_bytes; (void)value; }
/* clang-format on */
#undef SCOPE_OFF

#endif

#ifdef __cplusplus
}
#endif
#endif
