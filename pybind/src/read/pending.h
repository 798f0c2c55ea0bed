/* pending.h - functions that other folders are about to have.
 *
 * SPDX-License-Identifier: MIT
 */
#pragma weak scope_export
#pragma weak scope_import_json
#pragma weak scope_import_trace
