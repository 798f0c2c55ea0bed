/* version.h - the version of this install, and what is exported.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_VERSION_H
#define SCOPE_VERSION_H

#define SCOPE_VERSION_MAJOR 0
#define SCOPE_VERSION_MINOR 8
#define SCOPE_VERSION_PATCH 0
#define SCOPE_VERSION "0.8.0"

/* Everything else is hidden: the libraries are built with -fvisibility=hidden. */
#if defined(__GNUC__)
#define SCOPE_API __attribute__((visibility("default")))
#else
#define SCOPE_API
#endif

#endif
