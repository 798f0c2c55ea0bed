/* fake_scope.c - a libscope that only remembers its last call, to see what arrives in C.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include <scope/scope.h>

static char last[16384]; /* "function argument argument ..." */
static size_t last_length;

static void remember(const char *function, const char *bytes, size_t length_bytes, const char *rest)
{
    const int head = snprintf(last, sizeof last, "%s ", function);
    if (length_bytes > sizeof last - 1024)
        length_bytes = sizeof last - 1024;
    memcpy(last + head, bytes, length_bytes);
    const int tail = snprintf(last + head + length_bytes, 512, "%s", rest);
    last_length = (size_t)head + length_bytes + (size_t)tail;
}

static void remember_text(const char *function, const char *rest)
{
    remember(function, "", 0, rest);
}

static void remember_number(const char *function, long long number)
{
    char text[64];
    snprintf(text, sizeof text, "%lld", number);
    remember_text(function, text);
}

/* For the test: the last call, and how long its text is. */
const char *fake_last(void);
size_t fake_last_length(void);

const char *fake_last(void)
{
    return last;
}

size_t fake_last_length(void)
{
    return last_length;
}

scope_status scope_init(const scope_options *options)
{
    char text[512];
    snprintf(text, sizeof text, "%d|%s|%s|%s|%s|%lld|%d|%d|%d|%d",
             options->size_bytes == sizeof *options, options->output ? options->output : "(null)",
             options->label ? options->label : "(null)",
             options->filter ? options->filter : "(null)",
             options->spool_dir ? options->spool_dir : "(null)", (long long)options->max_bytes,
             (int)options->policy, (int)options->disable, (int)options->no_spool,
             (int)options->no_output);
    remember_text("init", text);
    return SCOPE_ERR_ARGUMENT;
}

scope_status scope_finalize(void)
{
    remember_text("finalize", "");
    return SCOPE_ERR_SPACE;
}

scope_status scope_flush(void)
{
    remember_text("flush", "");
    return SCOPE_ERR_IO;
}

void scope_pause(void)
{
    remember_text("pause", "");
}

void scope_resume(void)
{
    remember_text("resume", "");
}

int scope_is_active(void)
{
    return 2;
}

int64_t scope_now_ns(void)
{
    return INT64_C(0x123456789ABCDEF);
}

const char *scope_status_text(scope_status status)
{
    return status == SCOPE_ERR_RANK ? "another rank failed" : "success";
}

scope_status scope_region_register_bytes(const char *name, size_t length_bytes,
                                         scope_region *region)
{
    remember("register", name, length_bytes, "");
    *region = 7;
    return SCOPE_OK;
}

scope_status scope_region_register_at(const char *name, const char *file, int line,
                                      scope_region *region)
{
    char text[128];
    snprintf(text, sizeof text, "|%s|%d", file, line);
    remember("register_at", name, strlen(name), text);
    *region = 8;
    return SCOPE_ERR_BUDGET;
}

scope_status scope_region_tag(scope_region region, const char *tag)
{
    char text[128];
    snprintf(text, sizeof text, "%d|%s", (int)region, tag);
    remember_text("tag", text);
    return SCOPE_OK;
}

void scope_region_begin(scope_region region)
{
    remember_number("begin", region);
}

void scope_region_end(scope_region region)
{
    remember_number("end", region);
}

void scope_region_begin_bytes(const char *name, size_t length_bytes)
{
    remember("begin_bytes", name, length_bytes, "");
}

void scope_region_end_bytes(const char *name, size_t length_bytes)
{
    remember("end_bytes", name, length_bytes, "");
}

void scope_mark_bytes(const char *name, size_t length_bytes)
{
    remember("mark", name, length_bytes, "");
}

void scope_counter_bytes(const char *name, size_t length_bytes, double value)
{
    char text[64];
    snprintf(text, sizeof text, "|%.6g", value);
    remember("counter", name, length_bytes, text);
}

scope_task scope_task_new(const char *name, const char *code_name)
{
    char text[128];
    snprintf(text, sizeof text, "%s|%s", name ? name : "(null)", code_name ? code_name : "(null)");
    remember_text("task_new", text);
    return INT64_C(0x100000001);
}

void scope_task_resume(scope_task task)
{
    remember_number("task_resume", task);
}

void scope_task_suspend(scope_task task)
{
    remember_number("task_suspend", task);
}

void scope_task_done(scope_task task)
{
    remember_number("task_done", task);
}
