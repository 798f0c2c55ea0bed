/* metadata.c - see metadata.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "metadata.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "text.h"

#define LONGEST_TEXT 60000 /* characters; longer values are cut and say so */

extern char **environ;

uint64_t scope_metadata_hash(const char *bytes, uint64_t length_bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < length_bytes; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static int compare_hashes(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

int32_t scope_metadata_distinct(uint64_t *hashes, size_t count)
{
    int32_t distinct = 0;
    qsort(hashes, count, sizeof *hashes, compare_hashes);
    for (size_t i = 0; i < count; i++)
        distinct += hashes[i] && (!i || hashes[i] != hashes[i - 1]);
    return distinct ? distinct : 1;
}

uint64_t scope_metadata_host(const scope_rank_row *row)
{
    return row->host.length_bytes ? scope_metadata_hash(row->host.bytes, row->host.length_bytes)
                                  : 0;
}

int32_t scope_metadata_nodes(const scope_calls *calls)
{
    uint64_t *hosts = malloc((calls->rank_row_count + 1) * sizeof *hosts);
    for (size_t i = 0; hosts && i < calls->rank_row_count; i++)
        hosts[i] = scope_metadata_host(&calls->ranks[i]);
    const int32_t count = hosts ? scope_metadata_distinct(hosts, calls->rank_row_count) : 1;
    free(hosts);
    return count;
}

static void set_text(scope_calls *calls, const char *key, const char *text)
{
    if (text && !scope_calls_metadata(calls, key))
        scope_calls_set_text(calls, key, text, -1);
}

/* "model name : Xeon" of /proc/cpuinfo, without the key. */
static void chip_name(char *text, size_t size)
{
    char line[256];
    text[0] = '\0';
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && (strncmp(line, "model name", 10) == 0 || strncmp(line, "cpu\t", 4) == 0)) {
            snprintf(text, size, "%s", colon + 1 + (colon[1] == ' '));
            text[strcspn(text, "\n")] = '\0';
            break;
        }
    }
    if (file)
        fclose(file);
}

static int64_t openmp_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const long count = text ? strtol(text, NULL, 10) : 0;
    return count > 0 && count < 1 << 20 ? count : 1;
}

scope_status scope_metadata_machine(scope_calls *calls)
{
    struct utsname system;
    char text[1024];
    if (uname(&system) == 0) {
        snprintf(text, sizeof text, "%s-%s-%s", system.sysname, system.release, system.machine);
        set_text(calls, "platform", text);
        snprintf(text, sizeof text, "%s %s %s %s %s", system.sysname, system.nodename,
                 system.release, system.version, system.machine);
        set_text(calls, "uname", text);
        set_text(calls, "hostname", system.nodename);
    }
    chip_name(text, sizeof text);
    set_text(calls, "chip_information", text);
    if (!scope_calls_metadata(calls, "omp_num_threads"))
        scope_calls_set_integer(calls, "omp_num_threads", openmp_threads());
    set_text(calls, "user", getenv("USER") ? getenv("USER") : getenv("LOGNAME"));
    char *directory = scope_calls_metadata(calls, "working_directory") ? NULL : getcwd(NULL, 0);
    set_text(calls, "working_directory", directory);
    free(directory);
    for (char **entry = environ; entry && *entry; entry++) {
        const char *equals = strchr(*entry, '=');
        if (!equals || !equals[1] ||
            (strncmp(*entry, "SLURM_", 6) != 0 && strncmp(*entry, "SLURMD_", 7) != 0))
            continue;
        const size_t length = (size_t)(equals - *entry);
        if (length < sizeof text) {
            memcpy(text, *entry, length);
            text[length] = '\0';
            set_text(calls, text, equals + 1);
        }
    }
    return SCOPE_OK;
}

/* ---- writing ---- */

static int write_attribute(hid_t group, const char *key, hid_t type, hid_t space, const void *value)
{
    const hid_t attribute = H5Acreate2(group, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int failed = attribute < 0 || H5Awrite(attribute, type, value) < 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    return failed;
}

static int write_integer(hid_t group, const char *key, int64_t value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const int failed = write_attribute(group, key, H5T_NATIVE_INT64, space, &value);
    H5Sclose(space);
    return failed;
}

/* The displayed form, cut if it is very long; malloc'd. */
static char *attribute_text(const char *bytes, uint64_t length_bytes)
{
    static const char cut[] = "...[truncated]";
    char *text = malloc(scope_text_display(bytes, length_bytes, NULL) + sizeof cut);
    if (!text)
        return NULL;
    size_t length = scope_text_display(bytes, length_bytes, text);
    if (length > LONGEST_TEXT) {
        for (length = LONGEST_TEXT; (text[length] & 0xC0) == 0x80; length--)
            ; /* not inside a character */
        memcpy(text + length, cut, sizeof cut - 1);
        length += sizeof cut - 1;
    }
    text[length] = '\0';
    return text;
}

static int write_text(hid_t group, const char *key, const char *bytes, uint64_t length_bytes)
{
    char *text = attribute_text(bytes, length_bytes);
    const hid_t type = scope_text_type(0), space = H5Screate(H5S_SCALAR);
    const int failed = !text || write_attribute(group, key, type, space, &text);
    H5Sclose(space);
    H5Tclose(type);
    free(text);
    return failed;
}

/* `texts`: strings, each followed by NUL. */
static int write_texts(hid_t group, const char *key, const char *texts, uint64_t length_bytes)
{
    hsize_t count = 0;
    for (uint64_t i = 0; i < length_bytes; i++)
        count += texts[i] == '\0';
    char **values = calloc(count ? count : 1, sizeof *values);
    int failed = !values;
    const char *at = texts;
    for (hsize_t i = 0; !failed && i < count; i++, at += strlen(at) + 1)
        failed |= !(values[i] = attribute_text(at, strlen(at)));
    const hid_t type = scope_text_type(0), space = H5Screate_simple(1, &count, NULL);
    failed = failed || write_attribute(group, key, type, space, values);
    H5Sclose(space);
    H5Tclose(type);
    for (hsize_t i = 0; values && i < count; i++)
        free(values[i]);
    free(values);
    return failed;
}

static bool is_authoritative(const char *key)
{
    static const char *const keys[] = {
        "start_time_ns", "finalize_time_ns",       "mpi_size",       "total_cores",
        "num_nodes",     "scope_profiler_version", "python_version", "omp_num_threads",
        "output_mode",   "output_mode_reason"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static int write_row(hid_t group, const scope_metadata_row *row)
{
    switch (row->kind) {
    case SCOPE_VALUE_INTEGER:
        return write_integer(group, row->key.bytes, row->integer);
    case SCOPE_VALUE_TEXTS:
        return write_texts(group, row->key.bytes, row->text.bytes, row->text.length_bytes);
    default:
        return write_text(group, row->key.bytes, row->text.bytes, row->text.length_bytes);
    }
}

static int write_timestamp(hid_t group, const scope_calls *calls)
{
    char text[64];
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    if (calls->rank_row_count && calls->ranks[0].realtime_ns > 0) {
        now.tv_sec = calls->ranks[0].realtime_ns / 1000000000;
        now.tv_nsec = calls->ranks[0].realtime_ns % 1000000000;
    }
    gmtime_r(&now.tv_sec, &parts);
    size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
    length +=
        (size_t)snprintf(text + length, sizeof text - length, ".%06ld+00:00", now.tv_nsec / 1000);
    return write_text(group, "timestamp", text, length);
}

static int write_missing(hid_t group, const scope_calls *calls)
{
    static const char *const always[] = {"platform", "chip_information"};
    int failed = 0;
    if (!scope_calls_metadata(calls, "timestamp"))
        failed |= write_timestamp(group, calls);
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        if (!scope_calls_metadata(calls, always[i]))
            failed |= write_text(group, always[i], "", 0);
    return failed;
}

scope_status scope_metadata_write(hid_t file, const scope_calls *calls, const scope_plan *plan)
{
    const scope_metadata_row *row;
    const hid_t group =
        H5Gcreate2(file, SCOPE_GROUP_METADATA, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0)
        return scope_fail(SCOPE_ERR_IO, "cannot write the metadata: %s", scope_h5_reason());
    int failed = 0;
    for (size_t i = 0; i < calls->metadata_count; i++) {
        row = &calls->metadata[i];
        if (!row->key.length_bytes || is_authoritative(row->key.bytes) ||
            scope_calls_metadata(calls, row->key.bytes) != row) /* the first of a key counts */
            continue;
        if (row->kind == SCOPE_VALUE_TEXT && !row->text.length_bytes &&
            strcmp(row->key.bytes, "label") == 0)
            continue;
        failed |= write_row(group, row);
    }
    failed |= write_missing(group, calls);
    row = scope_calls_metadata(calls, "omp_num_threads");
    const int64_t threads =
        row && row->kind == SCOPE_VALUE_INTEGER && row->integer > 0 && row->integer < 1 << 20
            ? row->integer
            : 1;
    failed |= write_integer(group, "omp_num_threads", threads);
    failed |= write_integer(group, "mpi_size", plan->rank_count);
    failed |= write_integer(group, "total_cores", plan->rank_count * threads);
    failed |= write_integer(group, "num_nodes", plan->node_count);
    failed |= write_integer(group, "start_time_ns", plan->start_time_ns);
    failed |= write_integer(group, "finalize_time_ns", plan->end_time_ns);
    row = scope_calls_metadata(calls, "python_version");
    failed |= write_text(group, "python_version",
                         row && row->kind == SCOPE_VALUE_TEXT ? row->text.bytes : "",
                         row && row->kind == SCOPE_VALUE_TEXT ? row->text.length_bytes : 0);
    row = scope_calls_metadata(calls, "scope_profiler_version");
    failed |=
        row && row->kind == SCOPE_VALUE_TEXT
            ? write_row(group, row)
            : write_text(group, "scope_profiler_version", SCOPE_VERSION, strlen(SCOPE_VERSION));
    if (plan->mode.kind != SCOPE_MODE_UNSAID) {
        const char *name = scope_mode_name(plan->mode.kind), *reason = plan->mode.reason;
        failed |= write_text(group, "output_mode", name, strlen(name));
        failed |= write_text(group, "output_mode_reason", reason, strlen(reason));
    }
    H5Gclose(group);
    return failed ? scope_fail(SCOPE_ERR_IO, "cannot write the metadata: %s", scope_h5_reason())
                  : SCOPE_OK;
}
