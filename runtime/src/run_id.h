/* run_id.h - one number for all processes of one run.
 *
 * SCOPE_RUN_ID, when `scope run` or the user has set it; else what the launcher
 * gave all ranks of the job in common; else, where there is no launcher, random.
 *
 * Threads    any: it only reads.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_RUN_ID_H
#define SCOPE_RUN_ID_H

#include <stdbool.h>
#include <stdint.h>

enum { SCOPE_RUN_ID_BYTES = 16, SCOPE_RUN_ID_TEXT_BYTES = 33 };

void scope_run_id(uint8_t id[SCOPE_RUN_ID_BYTES]);

/* 32 hexadecimal digits, and back; false: that is no run id. */
void scope_run_id_format(const uint8_t id[SCOPE_RUN_ID_BYTES], char text[SCOPE_RUN_ID_TEXT_BYTES]);
bool scope_run_id_parse(const char *text, uint8_t id[SCOPE_RUN_ID_BYTES]);

#endif
