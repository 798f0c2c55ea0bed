"""The exceptions of the package, in one place so that nothing else need be imported.

Each is also reachable where it is documented: `call_stack.NestingError`,
`region.EventDataUnavailableError`, `json_export.JSONProfileError` and so on.
"""

from __future__ import annotations

__all__ = ["CorruptProfileError", "EventDataUnavailableError", "JSONProfileError", "NestingError"]


class NestingError(ValueError):
    """Two calls of one lane overlap without one containing the other: there is no call graph."""


class CorruptProfileError(OSError):
    """The file is no profile, or is truncated or damaged."""


class EventDataUnavailableError(RuntimeError):
    """Single calls were asked of a result that holds only their statistics."""


class JSONProfileError(ValueError):
    """The JSON document is no profile of scope-profiler, or one of a newer format."""
