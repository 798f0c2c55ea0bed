/* terminal.h - a screen of its own on the terminal, and the keys pressed there.
 *
 * Nothing of it outlives the program: not after its end, a signal that ends it, or a stop.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_TERMINAL_H
#define SCOPE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum { TERMINAL_TIME = 0, TERMINAL_RESIZED = -1, TERMINAL_END = -2 };

/* Signals that end the program are waited for from now on. `screen`: with a screen and keys. */
void terminal_begin(bool screen);
void terminal_end(void);

/* Until a key is pressed (its character), the time is up, the size has changed, or the
 * program shall end. */
int terminal_wait(double seconds);

size_t terminal_lines(void);

/* The whole screen; lines beyond its height are not shown. */
void terminal_show(const char *text);

#endif
