"""`Region`: the calls of one region on one rank.

The class lives in `_region`. This module only names it, and imports nothing before it is
asked to: `scope_profiler.region` is also the function that opens a region, so the package
imports this module first and binds the function over it.
"""

from __future__ import annotations

__all__ = ["EventDataUnavailableError", "NS_PER_SECOND", "Region"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._columns import NS_PER_SECOND
    from ._region import Region
    from .errors import EventDataUnavailableError


def __getattr__(name: str) -> object:
    if name == "EventDataUnavailableError":
        from . import errors

        return errors.EventDataUnavailableError
    if name in __all__:
        from . import _region

        return getattr(_region, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
