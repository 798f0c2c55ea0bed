"""The blocks of a manager. `session`: setup, a region around the block, finalize; also as a
decorator. `sample_every`: some steps of a loop."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._engine import Engine, Run
    from .manager import ProfileManager
    from .results import ProfilingResults


class ProfilingSession:
    """One run around a block. `.results`: what it found, with return_results=True."""

    ROOT_REGION_NAME = "scope_profiler.session"

    def __init__(
        self, manager: type[ProfileManager], setup: dict[str, Any], final: dict[str, Any]
    ) -> None:
        self._manager = manager
        self._setup = setup
        self._final = final
        self._run: Run | None = None
        self.results: ProfilingResults | None = None

    def __enter__(self) -> ProfilingSession:
        from ._source import UNKNOWN

        self._manager.setup(**self._setup)
        engine = self._manager._engine
        self._run = run = engine.run
        assert run is not None
        run.root = engine.region(self.ROOT_REGION_NAME, source=UNKNOWN)
        run.root.begin()
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        engine, run, self._run = self._manager._engine, self._run, None
        if run is None or run.root is None:
            return
        run.root.end()
        if engine.run is not run:  # somebody else's setup took over, or a reset
            return
        try:
            if os.getpid() == run.pid:  # a forked child that leaves the block has no say in it
                self.results = self._manager.finalize(**self._final)
        except Exception as error:
            if kind is None:
                raise
            _tell(error)  # what ended the block goes on, and decides the exit code
        finally:
            engine.release_hooks()
            run.is_over = True
            if run.session.live and not run.is_left:
                run.session.bound()

    def __call__(self, function: Callable[..., Any]) -> Any:
        """`function`, each call of it in a session of its own."""
        from ._decorate import dressed, is_coroutine_function

        manager, setup, final = self._manager, self._setup, self._final

        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            with ProfilingSession(manager, setup, final):
                return await function(*args, **kwargs)

        def plain(*args: Any, **kwargs: Any) -> Any:
            with ProfilingSession(manager, setup, final):
                return function(*args, **kwargs)

        return dressed(coroutine if is_coroutine_function(function) else plain, function)


def _tell(error: Exception) -> None:
    """As a warning, which is no exception whatever the filters say."""
    import warnings

    try:
        warnings.warn(
            f"the profile of this run was not written: {error}", RuntimeWarning, stacklevel=3
        )
    except RuntimeWarning:
        pass


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
