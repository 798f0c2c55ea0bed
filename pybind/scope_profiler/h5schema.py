"""The schema of the HDF5 files: its number, and what is wrong with one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["CURRENT_SCHEMA_VERSION", "HDF5SchemaError", "SCHEMA_ATTRIBUTE", "read_schema_version"]

CURRENT_SCHEMA_VERSION = 3
SCHEMA_ATTRIBUTE = "scope_profiler_schema"


class HDF5SchemaError(ValueError):
    """The file's schema is not one that this version reads, or its index breaks the rules."""


def read_schema_version(h5file: Any) -> int:
    """The schema of an open h5py file; 1 when it does not say. HDF5SchemaError."""
    given = h5file.attrs.get(SCHEMA_ATTRIBUTE, 1)
    if type(given).__name__.startswith("bool") or not hasattr(given, "__index__"):
        raise HDF5SchemaError(f"the attribute {SCHEMA_ATTRIBUTE} is no number: {given!r}")
    version = int(given)
    if version > CURRENT_SCHEMA_VERSION:
        raise HDF5SchemaError(
            f"schema {version} is newer than this version of scope-profiler knows (up to "
            f"{CURRENT_SCHEMA_VERSION}): upgrade it to read this file"
        )
    if version < 1:
        raise HDF5SchemaError(f"there is no schema {version}")
    return version
