/* roomy.h - do something where there is stack enough.
 *
 * A thread may have as little as 16 KiB; our writer, the loader and HDF5 want more.
 * Where less is left than that, the work runs on a thread of our own meanwhile.
 *
 * Threads    the caller waits; the work sees other thread-local variables. It may
 *            not call MPI, which may have been promised one thread.
 * Errors     without memory for a thread the work runs where it is.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_ROOMY_H
#define SCOPE_ROOMY_H

void scope_run_roomy(void (*work)(void *context), void *context);

#endif
