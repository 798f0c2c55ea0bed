/* double_scope.c - a libscope that only lists the calls it is told of.
 *
 * Each rank writes DOUBLE_OUT.<rank>: `row name bytes peer communicator`, in the
 * order of the ends, `communicator id size rank parent name`, `tag name tag`.
 * Nesting is checked: an end must be that of the last begin of its thread.
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scope/sink.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *names[4096] = {"(unregistered)"};
static int name_count = 1, active, rank = -1, deferred, pauses;
static FILE *list; /* in memory: the rank is not known at first */
static char *text;
static size_t text_bytes;
static _Thread_local scope_region open_calls[64];
static _Thread_local int depth;

static FILE *out(void)
{
    if (!list)
        list = open_memstream(&text, &text_bytes);
    return list;
}

scope_status scope_region_register(const char *name, scope_region *region)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < name_count && strcmp(names[i], name))
        i++;
    if (i == name_count)
        names[name_count++] = strdup(name);
    *region = i;
    pthread_mutex_unlock(&lock);
    return SCOPE_OK;
}

scope_status scope_region_tag(scope_region region, const char *tag)
{
    pthread_mutex_lock(&lock);
    fprintf(out(), "tag %s %s\n", names[region], tag);
    pthread_mutex_unlock(&lock);
    return SCOPE_OK;
}

void scope_region_begin(scope_region region)
{
    open_calls[depth++] = region;
}

void scope_region_end_message(scope_region region, int64_t bytes, int32_t peer,
                              int32_t communicator)
{
    pthread_mutex_lock(&lock);
    if (depth <= 0 || open_calls[--depth] != region || region == 0)
        fprintf(out(), "unbalanced %s\n", names[region]);
    if (active && !pauses)
        fprintf(out(), "row %s %lld %d %d\n", names[region], (long long)bytes, peer, communicator);
    pthread_mutex_unlock(&lock);
}

void scope_region_end(scope_region region)
{
    scope_region_end_message(region, 0, -1, -1);
}

void scope_runtime_communicator(uint32_t communicator, int32_t size, int32_t my_rank,
                                int32_t parent, const char *name)
{
    pthread_mutex_lock(&lock);
    fprintf(out(), "communicator %u %d %d %d %s\n", communicator, size, my_rank, parent, name);
    pthread_mutex_unlock(&lock);
}

static void finish(void)
{
    active = 0;
    const char *base = getenv("DOUBLE_OUT");
    char path[4096];
    snprintf(path, sizeof path, "%s.%d", base ? base : "double", rank);
    FILE *file = fopen(path, "w");
    fflush(out());
    if (file && fwrite(text, 1, text_bytes, file) == text_bytes)
        fclose(file);
}

int scope_is_active(void) { return active; }
void scope_pause(void) { pauses++; }
void scope_resume(void) { pauses--; }
void scope_runtime_set_rank(int mine, int size) { (void)size, rank = mine; }
void scope_runtime_set_deferred(int value) { deferred = value; }
scope_status scope_runtime_start(void) { active = 1; return SCOPE_OK; }
scope_status scope_runtime_stop(void) { active = 0; return SCOPE_OK; }
scope_status scope_runtime_write(scope_world *world) { (void)world; finish(); return SCOPE_OK; }
int scope_runtime_wanted(void) { return 1; }
int scope_runtime_has_events(void) { return 1; }
void scope_runtime_watch(int (*watch)(void)) { (void)watch; }
const char *scope_runtime_option(const char *name) { (void)name; return NULL; }
void scope_runtime_abort_copy(int code) { (void)code; }
void scope_runtime_say(const char *key, const char *format, ...)
{
    va_list list_of;
    va_start(list_of, format);
    fprintf(stderr, "scope: (%s) ", key);
    vfprintf(stderr, format, list_of);
    fputc('\n', stderr);
    va_end(list_of);
}
