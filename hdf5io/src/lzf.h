/* lzf.h - the LZF filter of h5py (32000), for an HDF5 that has none.
 *
 *     0 .. 31    that many bytes and one more follow as they are
 *     32 ..      LLLooooo [length] oooooooo: L + 2 bytes (L = 7: plus the next byte) from
 *                o + 1 bytes back in what is there already
 *
 * Threads    as HDF5.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_HDF5_LZF_H
#define SCOPE_HDF5_LZF_H

#include <stddef.h>
#include <stdint.h>

/* Bytes written; 0: they do not fit into `room`. */
size_t scope_lzf_pack(const uint8_t *from, size_t length, uint8_t *to, size_t room);

/* Bytes written; 0: damaged, or they do not fit (*is_short 1). */
size_t scope_lzf_unpack(const uint8_t *from, size_t length, uint8_t *to, size_t room,
                        int *is_short);

/* Make HDF5 know the filter, unless it does. */
void scope_lzf_register(void);

#endif
