"""Recursive profiling: every Python function that a region's code calls is a region too,
seen through `sys.setprofile` in the thread that runs it. Python per event: the one mode that
is slow by nature."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase

from . import _record, _source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, FrameType
    from typing import Any

    from ._engine import Engine, Run


class Tracer:
    """Records the calls of one run while it is on; on and off nest per thread.

    Functions of this package and decorated ones are left out: these have their region."""

    def __init__(
        self,
        engine: Engine,
        *,
        only_user_code: bool = False,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        entrypoint: str | None = None,
    ) -> None:
        self._engine = engine
        self._only_user_code = only_user_code
        self._include, self._exclude = tuple(include), tuple(exclude)
        self._entrypoint = entrypoint
        # by id: two functions of equal text have equal code objects
        self._regions: dict[int, _record.Region | None] = {}
        self._codes: list[CodeType] = []  # of which an id stands in _regions
        self._on: list[Any] = []  # what to put back, innermost last

    def start(self) -> None:
        before = sys.getprofile()
        self._on.append(before)
        if getattr(before, "__self__", None) is not self:
            sys.setprofile(self._event)

    def stop(self) -> None:
        sys.setprofile(self._on.pop())

    def _event(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" or event == "return":
            key = id(frame.f_code)
            try:
                region = self._regions[key]
            except KeyError:
                self._codes.append(frame.f_code)
                region = self._regions[key] = self._region(frame)
            if region is not None:
                if event == "call":
                    region.begin()
                else:
                    region.end()

    def _region(self, frame: FrameType) -> _record.Region | None:
        code = frame.f_code
        if code.co_filename.startswith(_source.PACKAGE) or self._engine.is_decorated(code):
            return None
        if self._only_user_code and not is_user_code(code.co_filename):
            return None
        name = _name(frame)
        if self._entrypoint is not None and code.co_name == self._entrypoint:
            name = self._entrypoint
        if self._include and not any(fnmatchcase(name, pattern) for pattern in self._include):
            return None
        if any(fnmatchcase(name, pattern) for pattern in self._exclude):
            return None
        region = self._engine.region(name, source=_source.UNKNOWN)
        return region if region.enabled else None


class TracedRegion(_record.Region):
    """Stands for a region whose code is traced: what a decorated function enters."""

    real: _record.Region
    tracer: Tracer

    def __enter__(self) -> _record.Region:
        self.real.begin()
        self.tracer.start()
        return self.real

    def __exit__(self, kind: Any = None, value: Any = None, traceback: Any = None, /) -> None:
        self.tracer.stop()
        self.real.end()


def traced_region(engine: Engine, run: Run, region: _record.Region) -> TracedRegion:
    """The stand-in of a region in this run."""
    if run.tracer is None:
        run.tracer = Tracer(engine)
    nowhere = _record.Session(closed=True)
    stand_in = nowhere.add_region(region.region_name, enabled=False, cls=TracedRegion)
    assert isinstance(stand_in, TracedRegion)
    stand_in.real, stand_in.tracer = region, run.tracer
    return stand_in


def _name(frame: FrameType) -> str:
    code = frame.f_code
    module = frame.f_globals.get("__name__", "?")
    try:
        return f"{module}.{code.co_qualname}"  # type: ignore[attr-defined,unused-ignore]
    except AttributeError:  # Python 3.10
        first = code.co_varnames[:1]
        owner = frame.f_locals.get(first[0]) if first in (("self",), ("cls",)) else None
        if owner is None:
            return f"{module}.{code.co_name}"
        cls = owner if isinstance(owner, type) else type(owner)
        return f"{module}.{cls.__qualname__}.{code.co_name}"


_LIBRARIES: tuple[str, ...] = ()


def is_user_code(filename: str) -> bool:
    """Not of the standard library nor of an installed package, nor made by exec()."""
    global _LIBRARIES
    if filename.startswith("<"):
        return False
    if not _LIBRARIES:
        import os
        import site
        import sysconfig

        paths = sysconfig.get_paths()
        folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
        folders.update(site.getsitepackages() if hasattr(site, "getsitepackages") else ())
        folders.add(site.getusersitepackages())
        folders.add(os.path.dirname(os.path.realpath(os.__file__)))
        _LIBRARIES = tuple(os.path.abspath(folder) + os.sep for folder in folders)
    return not filename.startswith(_LIBRARIES)
