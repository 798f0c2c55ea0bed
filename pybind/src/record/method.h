/* method.h - __enter__ and __exit__ that cost no allocation in a `with`.
 *
 * `with` looks them up on the type and binds them to the instance, which allocates a
 * bound method each time. Ours are descriptors that return a builtin that is already
 * bound, kept with the instance. On the class they return an ordinary method
 * descriptor, so that ExitStack, super() and mock see what they expect.
 *
 * Instance and builtin are a reference cycle: their type implements traverse and clear.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef SCOPE_PYBIND_METHOD_H
#define SCOPE_PYBIND_METHOD_H

#include "record.h"

/* `type.<definition's name>` becomes such a descriptor. `offset_bytes`: where an instance
 * keeps the bound builtin, NULL until it is first asked for. `definition` is static.
 * *plain (may be NULL): the method descriptor, a new reference. */
int method_install(PyObject *module, PyTypeObject *type, PyMethodDef *definition,
                   Py_ssize_t offset_bytes, PyObject **plain);

#endif
