/* clock_now.h - a reader outside makes a calibration point of its own.
 *
 * Threads    any.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_CLOCK_NOW_H
#define SCOPE_CLOCK_NOW_H

#include <scope/recording.h>

#include "clock_map.h"

/* Both clocks now, as close together as a few tries make them. 0: this machine cannot read
 * the recording's counter, or has been started since. */
int clock_now(const scope_recording_header *header, clock_point *point);

#endif
