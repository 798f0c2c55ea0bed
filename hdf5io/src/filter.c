/* filter.c - see filter.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "filter.h"

#include <stdio.h>
#include <string.h>

#include "layout.h"
#include "lzf.h"
#include "message.h"

typedef struct filter_name {
    const char *name;
    int32_t usual, least, most; /* levels */
} filter_name;

static const filter_name filters[] = {
    [SCOPE_FILTER_NONE] = {"none", 0, 0, 0},
    [SCOPE_FILTER_GZIP] = {"gzip", 4, 1, 9},
    [SCOPE_FILTER_ZSTD] = {"zstd", 3, 1, 22},
    [SCOPE_FILTER_LZF] = {"lzf", 0, 0, 0},
};

scope_status scope_filter_choose(const scope_file_options *options, uint64_t calls,
                                 scope_filter *filter, int32_t *level)
{
    const char *name = options && options->compression ? options->compression : "none";
    int32_t wanted = options ? options->compression_level : 0;
    if (strcmp(name, "auto") == 0)
        name = calls >= SCOPE_AUTO_CALLS ? "gzip" : "none";
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        const filter_name *known = &filters[i];
        if (strcmp(name, known->name) != 0)
            continue;
        wanted = wanted ? wanted : known->usual;
        wanted = wanted < known->least ? known->least : wanted;
        *level = wanted > known->most ? known->most : wanted;
        *filter = (scope_filter)i;
        return SCOPE_OK;
    }
    return scope_fail(SCOPE_ERR_ARGUMENT,
                      "no compression '%.40s': none, auto, gzip, zstd and lzf are known", name);
}

const char *scope_filter_missing(hid_t dataset)
{
    static _Thread_local char name[96];
    const hid_t list = H5Dget_create_plist(dataset);
    const int count = list < 0 ? 0 : H5Pget_nfilters(list);
    const char *missing = NULL;
    for (int i = 0; i < count && !missing; i++) {
        unsigned flags, config, values[16];
        size_t value_count = sizeof values / sizeof *values;
        char text[64] = "";
        const H5Z_filter_t id = H5Pget_filter2(list, (unsigned)i, &flags, &value_count, values,
                                               sizeof text, text, &config);
        if (id >= 0 && H5Zfilter_avail(id) <= 0) {
            snprintf(name, sizeof name, "%.20s%s(%d)", id == SCOPE_FILTER_ID_ZSTD ? "zstd" : text,
                     *text || id == SCOPE_FILTER_ID_ZSTD ? " " : "", (int)id);
            missing = name;
        }
    }
    if (list >= 0)
        H5Pclose(list);
    return missing;
}

scope_status scope_filter_set(hid_t list, scope_filter filter, int32_t level)
{
    const H5Z_filter_t id = filter == SCOPE_FILTER_LZF ? SCOPE_FILTER_ID_LZF : SCOPE_FILTER_ID_ZSTD;
    const unsigned value = (unsigned)level;
    if (filter == SCOPE_FILTER_NONE)
        return SCOPE_OK;
    if (filter == SCOPE_FILTER_LZF)
        scope_lzf_register();
    if (filter != SCOPE_FILTER_GZIP && H5Zfilter_avail(id) <= 0)
        return scope_fail(SCOPE_ERR_ARGUMENT,
                          "the HDF5 library has no filter for %s here; gzip is always there",
                          filters[filter].name);
    const bool failed =
        H5Pset_shuffle(list) < 0 ||
        (filter == SCOPE_FILTER_GZIP
             ? H5Pset_deflate(list, value) < 0
             : H5Pset_filter(list, id, H5Z_FLAG_OPTIONAL, filter == SCOPE_FILTER_ZSTD,
                             filter == SCOPE_FILTER_ZSTD ? &value : NULL) < 0);
    return failed ? scope_fail(SCOPE_ERR_IO, "cannot compress with %s: %s", filters[filter].name,
                               scope_h5_reason())
                  : SCOPE_OK;
}
