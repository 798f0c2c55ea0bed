/* terminal.c - a screen of its own on the terminal, and the keys pressed there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static volatile sig_atomic_t shall_end, shall_stop, resized;
static struct termios before;
static bool on_screen, is_raw, has_keys;

static void take_signal(int signal)
{
    if (signal == SIGTSTP)
        shall_stop = 1;
    else if (signal == SIGWINCH)
        resized = 1;
    else
        shall_end = 1;
}

static void enter(void)
{
    is_raw = has_keys = isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &before) == 0;
    if (is_raw) {
        struct termios raw = before;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    fputs("\033[?1049h\033[?25l", stdout); /* another screen, no cursor */
    fflush(stdout);
}

static void leave(void)
{
    fputs("\033[?25h\033[?1049l", stdout);
    fflush(stdout);
    if (is_raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

/* They come only while we wait: nothing else is interrupted. */
static void signal_set(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaddset(set, ending[i]);
    if (on_screen) {
        sigaddset(set, SIGTSTP);
        sigaddset(set, SIGWINCH);
    }
}

void terminal_begin(bool screen)
{
    struct sigaction action = {.sa_handler = take_signal}, old;
    sigset_t set;
    on_screen = screen;
    signal_set(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int signal = 1; signal < NSIG; signal++)
        if (sigismember(&set, signal) == 1 && sigaction(signal, NULL, &old) == 0 &&
            old.sa_handler != SIG_IGN)
            sigaction(signal, &action, NULL);
    if (screen)
        enter();
}

void terminal_end(void)
{
    if (on_screen)
        leave();
    on_screen = false;
}

static void stop(void)
{
    leave();
    raise(SIGSTOP);
    enter();
    shall_stop = 0;
    resized = 1;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int terminal_wait(double seconds)
{
    const double until = seconds_now() + seconds;
    sigset_t none;
    sigprocmask(SIG_SETMASK, NULL, &none);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigdelset(&none, ending[i]);
    sigdelset(&none, SIGTSTP);
    sigdelset(&none, SIGWINCH);
    for (;;) {
        struct pollfd keys = {.fd = STDIN_FILENO, .events = POLLIN};
        const double left = until - seconds_now();
        const struct timespec time = {(time_t)(left > 0 ? left : 0),
                                      (long)(1e9 * (left > 0 ? left - (double)(time_t)left : 0))};
        const bool with_keys = on_screen && has_keys;
        const int ready = ppoll(&keys, with_keys ? 1 : 0, &time, &none);
        char key;
        if (shall_end)
            return TERMINAL_END;
        if (shall_stop)
            stop();
        if (resized) {
            resized = 0;
            return TERMINAL_RESIZED;
        }
        if (ready > 0 && read(STDIN_FILENO, &key, 1) == 1)
            return (unsigned char)key;
        if (ready > 0)
            has_keys = false; /* nobody is there any more */
        if (left <= 0)
            return TERMINAL_TIME;
    }
}

size_t terminal_lines(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row >= 4 ? size.ws_row : 24;
}

void terminal_show(const char *text)
{
    fputs("\033[H", stdout);
    for (size_t line = 0, lines = terminal_lines(); *text && line < lines; line++) {
        const size_t length = strcspn(text, "\n");
        fprintf(stdout, "%s%.*s\033[K", line ? "\r\n" : "", (int)length, text);
        text += length + (text[length] == '\n');
    }
    fputs("\033[J", stdout);
    fflush(stdout);
}
