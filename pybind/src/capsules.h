/* capsules.h - names of the capsules that _record and _read hand each other.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_CAPSULES_H
#define SCOPE_PYBIND_CAPSULES_H

#define SESSION_CAPSULE "scope_profiler.session" /* scope_session, of _record.Session.pointer */
#define WORLD_CAPSULE "scope_profiler.world"     /* scope_world, of _read.World.pointer */

#endif
