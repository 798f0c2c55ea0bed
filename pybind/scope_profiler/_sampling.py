"""`sample_every`: record some steps of a loop."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._engine import Engine


class Sampling:
    """`with sample_every(10) as step:` then `with step(i):` around each step."""

    def __init__(self, engine: Engine, every: int, start: int) -> None:
        self._engine = engine
        self._every, self._start = every, start
        self._was_paused = False

    def __enter__(self) -> Sampling:
        for name, value in (("every", self._every), ("start", self._start)):
            if not isinstance(value, int) or isinstance(value, bool):
                raise ValueError(f"{name} must be an integer, got {value!r}")
        if self._every < 1:
            raise ValueError(f"every must be a positive integer, got {self._every}")
        run = self._engine.run if self._engine.configured else None
        self._was_paused = run is not None and run.session.paused
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        run = self._engine.run if self._engine.configured else None
        if run is not None:
            if self._was_paused:
                run.session.pause()
            else:
                run.session.resume()

    def __call__(self, timestep: int) -> Step:
        """The scope of one step; entering it gives whether the step is recorded."""
        if not isinstance(timestep, int) or isinstance(timestep, bool):
            raise TypeError(f"timestep must be an integer, got {timestep!r}")
        after = timestep - self._start
        return Step(self._engine, after >= 0 and after % self._every == 0)


class Step:
    """One step. What follows it is as it was, until the next one."""

    def __init__(self, engine: Engine, recorded: bool) -> None:
        self._engine = engine
        self._recorded = recorded

    def __enter__(self) -> bool:
        if self._engine.configured:
            if self._recorded:
                self._engine.resume()
            else:
                self._engine.pause()
        return self._recorded

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        pass
