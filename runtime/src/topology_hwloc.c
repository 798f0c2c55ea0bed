/* topology_hwloc.c - the topology plug-in: what machine is this, as JSON.
 *
 *     {"source": "hwloc 2.9.0", "cpu_model": "...", "packages": 2, "numa_nodes": 4,
 *      "cores": 64, "pus": 128, "memory_bytes": 270000000000,
 *      "caches": [{"level": 1, "type": "data", "count": 64, "size_bytes": 32768}, ...]}
 *
 * HWLOC_SYNTHETIC and the other variables of hwloc are obeyed.
 *
 * Threads    one call at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include <scope/sink.h>

#include <hwloc.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct writer { /* snprintf that never runs over; `length` is what was wanted */
    char *text;
    size_t size, length;
} writer;

static void put(writer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer *out, const char *format, ...)
{
    va_list arguments;
    const size_t at = out->length < out->size ? out->length : out->size;
    va_start(arguments, format);
    const int length = vsnprintf(out->text + at, out->size - at, format, arguments);
    va_end(arguments);
    out->length += length > 0 ? (size_t)length : 0;
}

static void put_string(writer *out, const char *text)
{
    put(out, "\"");
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\')
            put(out, "\\u%04x", byte);
        else
            put(out, "%c", byte);
    }
    put(out, "\"");
}

static void put_caches(writer *out, hwloc_topology_t topology)
{
    static const struct {
        hwloc_obj_type_t type;
        const char *name;
    } kinds[] = {{HWLOC_OBJ_L1CACHE, "data"},    {HWLOC_OBJ_L1ICACHE, "instruction"},
                 {HWLOC_OBJ_L2CACHE, "unified"}, {HWLOC_OBJ_L2ICACHE, "instruction"},
                 {HWLOC_OBJ_L3CACHE, "unified"}, {HWLOC_OBJ_L3ICACHE, "instruction"},
                 {HWLOC_OBJ_L4CACHE, "unified"}, {HWLOC_OBJ_L5CACHE, "unified"}};
    const char *comma = "";
    put(out, ", \"caches\": [");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const int count = hwloc_get_nbobjs_by_type(topology, kinds[i].type);
        const hwloc_obj_t first =
            count > 0 ? hwloc_get_obj_by_type(topology, kinds[i].type, 0) : NULL;
        if (!first)
            continue;
        put(out, "%s{\"level\": %u, \"type\": \"%s\", \"count\": %d, \"size_bytes\": %" PRIu64 "}",
            comma, first->attr->cache.depth, kinds[i].name, count,
            (uint64_t)first->attr->cache.size);
        comma = ", ";
    }
    put(out, "]");
}

static void put_count(writer *out, hwloc_topology_t topology, const char *name,
                      hwloc_obj_type_t type)
{
    const int count = hwloc_get_nbobjs_by_type(topology, type);
    put(out, ", \"%s\": %d", name, count > 0 ? count : 0);
}

SCOPE_API int scope_topology(char *text, size_t size_bytes)
{
    hwloc_topology_t topology;
    /* a program may bring a hwloc 1 of its own, whose structures are others */
    if (hwloc_get_api_version() >> 16 != HWLOC_API_VERSION >> 16)
        return -1;
    if (!text || !size_bytes || hwloc_topology_init(&topology) != 0)
        return -1;
    int result = -1;
    /* only what is counted: no buses, no devices, which may take long */
    if (hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE) == 0 &&
        hwloc_topology_load(topology) == 0) {
        writer out = {text, size_bytes, 0};
        const hwloc_obj_t machine = hwloc_get_root_obj(topology);
        const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
        const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
        const unsigned version = hwloc_get_api_version();
        put(&out, "{\"source\": \"hwloc %u.%u.%u\", \"cpu_model\": ", version >> 16,
            version >> 8 & 255, version & 255);
        put_string(&out, model ? model : "");
        put_count(&out, topology, "packages", HWLOC_OBJ_PACKAGE);
        put_count(&out, topology, "numa_nodes", HWLOC_OBJ_NUMANODE);
        put_count(&out, topology, "cores", HWLOC_OBJ_CORE);
        put_count(&out, topology, "pus", HWLOC_OBJ_PU);
        put(&out, ", \"memory_bytes\": %" PRIu64, (uint64_t)machine->total_memory);
        put_caches(&out, topology);
        put(&out, "}");
        result = out.length < size_bytes ? (int)out.length : -1;
    }
    hwloc_topology_destroy(topology);
    return result;
}
