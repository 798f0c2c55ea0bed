/* progress.c - what is being done, on a terminal, while it takes long.
 *
 * SPDX-License-Identifier: MIT
 */
#include "progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool running, ending;
static char what[200];

static void *show(void *unused)
{
    static const char marks[] = "|/-\\";
    struct timespec until;
    (void)unused;
    clock_gettime(CLOCK_REALTIME, &until);
    const time_t start = until.tv_sec;
    bool shown = false;
    pthread_mutex_lock(&lock);
    for (int i = 0; !ending; i++) {
        until.tv_nsec += i ? 200000000 : 500000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&ended, &lock, &until) != ETIMEDOUT)
            continue;
        fprintf(stderr, "\r%c %s  %ld s\033[K", marks[i % 4], what, (long)(until.tv_sec - start));
        shown = true;
    }
    pthread_mutex_unlock(&lock);
    if (shown)
        fputs("\r\033[K", stderr);
    return NULL;
}

void progress_begin(const char *format, ...)
{
    va_list arguments;
    if (running || !isatty(STDERR_FILENO))
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    for (char *at = what; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7F)
            *at = '?';
    text_shorten(what, 60);
    ending = false;
    running = pthread_create(&thread, NULL, show, NULL) == 0;
}

void progress_end(void)
{
    if (!running)
        return;
    pthread_mutex_lock(&lock);
    ending = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    running = false;
}
