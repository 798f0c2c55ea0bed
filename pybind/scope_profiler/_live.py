"""Regions as a manager hands them out: a C region whose calls can be read while it records."""

from __future__ import annotations

from . import _record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._engine import Run
    from .profile_config import ProfilingConfig


class LiveRegion(_record.Region):
    """A region: a context manager, re-entrant and recursive, from any thread and task.

    Times are int64 ns of `time.perf_counter_ns`. `__enter__` and `__exit__` are those of C:
    to override them costs the fast path."""

    __slots__ = ()

    @property
    def config(self) -> ProfilingConfig | None:
        """The configuration of the run that it belongs to."""
        run = self._run()
        return None if run is None else run.config

    def _run(self) -> Run | None:
        session = self.session
        return None if session is None else session.owner

    def _calls(self) -> tuple[Any, Any]:
        import numpy

        run = self._run()
        if run is None or not run.session.live or self.id < 0:
            return numpy.empty(0, numpy.int64), numpy.empty(0, numpy.int64)
        cursor = run.cursor()
        cursor.advance()
        starts, ends = cursor.region(self.id)
        return numpy.asarray(starts), numpy.asarray(ends)

    @property
    def ptr(self) -> int:
        """Calls entered since the last written finalize, the open ones included."""
        return self.num_calls - self.ptr_base

    @property
    def start_times(self) -> Any:
        """Starts of these calls, in order of entry."""
        return self._calls()[0]

    @property
    def end_times(self) -> Any:
        """Their ends; 0: still open."""
        return self._calls()[1]

    def get_durations_numpy(self) -> Any:
        """Durations of those that have ended, ns."""
        starts, ends = self._calls()
        return (ends - starts)[ends != 0]

    def get_start_times_numpy(self) -> Any:
        starts, ends = self._calls()
        return starts[ends != 0]

    def get_end_times_numpy(self) -> Any:
        ends = self._calls()[1]
        return ends[ends != 0]

    @property
    def has_source(self) -> bool:
        return self.source_file is not None

    def append(self, start: int, end: int) -> None:
        """A call with times of its own."""
        self.call(int(start), int(end))

    def add_function(self, function: Callable[..., Any]) -> None:
        """For line profiling, which this version does not have: does nothing."""

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, each call of it one of this region."""
        return _record.Profiled(function, lambda: self)
