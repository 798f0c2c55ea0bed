"""`session`: setup, a region around the block, finalize; also as a decorator."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ._engine import Run
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
            self.results = self._manager.finalize(**self._final)
        finally:
            engine.release_hooks()
            run.is_over = True
            if run.session.live:
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
