/* export.h - a call table in the formats of other viewers, and native traces of old.
 *
 *     speedscope   one evented profile per lane that has calls: https://www.speedscope.app
 *     chrome       Trace Event Format, for Perfetto and chrome://tracing; an arrow from the call
 *                  that sent a message to the one that received it
 *     prof         what Python's pstats reads: one rank a file
 *     json         our own, complete: format "scope-profiler-profile", version 1
 *
 * Units      as each format wants; times are int64_t ns here.
 * Ownership  nothing is kept.
 * Threads    none.
 * Errors     a scope_status. The file is written under a temporary name and renamed: on an
 *            error there is what was there before. ERR_NESTING: a rank's calls do not nest
 *            (speedscope and prof). ERR_ARGUMENT: a rank that the table does not have; prof
 *            of more than one rank, or compressed.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_EXPORT_H
#define SCOPE_EXPORT_H

#include <scope/calls.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scope_export_format {
    SCOPE_EXPORT_SPEEDSCOPE,
    SCOPE_EXPORT_CHROME,
    SCOPE_EXPORT_PROF, /* exactly one rank */
    SCOPE_EXPORT_JSON,
} scope_export_format;

/* The format of a name: "speedscope", "chrome-trace" (or "chrome"), "prof", "json". Is there
 * one? */
SCOPE_API int scope_export_format_of(const char *name, scope_export_format *format);

/* What a document leaves out. */
typedef struct scope_export_left {
    uint64_t calls, left_calls;   /* of the chosen ranks; those that are not in the document */
    int64_t longest_ns;           /* of those left out: none is longer */
    uint64_t points, left_points; /* marks and counters */
    uint64_t arrows;              /* of messages that would arrive before they are sent */
} scope_export_left;

/* "left out: 9 of 10 calls, none above 20 ns", or "" where all calls and points are there; the
 * text's length, as snprintf. */
SCOPE_API size_t scope_export_left_text(const scope_export_left *left, char *text, size_t size);

typedef struct scope_export_options {
    size_t size_bytes;      /* sizeof of the caller */
    const int32_t *ranks;   /* which, in this order; NULL: all */
    size_t rank_count;
    const char *name;       /* what the document is called; NULL: the table's label, else "" */
    const char *exporter;   /* NULL: "scope-profiler@<version>" */
    int32_t indent;         /* json: spaces per level, -1: one line */
    int32_t gzip;           /* 1: compressed, the same bytes each time; not prof */
    int32_t call_paths;     /* prof: 1: nodes are named "a > b" */
    uint64_t max_calls;     /* speedscope, chrome: this many, the longest; 0: all */
    scope_export_left *left; /* filled in where not NULL */
    int32_t without_arrows;  /* chrome: 1: no messages */
} scope_export_options;

SCOPE_API scope_status scope_export(const scope_calls *calls, scope_export_format format,
                                    const char *path, const scope_export_options *options);

/* Read `json` (gzip or not). `message` says what is wrong with the file. */
SCOPE_API scope_status scope_import_json(const char *path, scope_calls **calls, char message[512]);

/* Read one `.spt` trace of scope-profiler 0.7.5 (version 1 or 2, either byte order): a table
 * of one rank, without lanes and call ids. ERR_CORRUPT, with a message. */
SCOPE_API scope_status scope_import_trace(const char *path, scope_calls **calls,
                                          char message[512]);

#ifdef __cplusplus
}
#endif
#endif
