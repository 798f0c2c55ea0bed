"""One manager's state: its configuration, its recording, its regions and definitions.

`ProfileManager` is a thin face on this. A run is what begins with one setup; the engine
goes from run to run and keeps what outlives them: decorators, definitions, last results.
"""

from __future__ import annotations

import _thread
import os

from . import _record, _source
from ._live import LiveRegion
from .options import split_tags
from .profile_config import ProfilingConfig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import CodeType
    from typing import Any

    from . import _read, _recursive, _scopes
    from .results import ProfilingResults

OPT_IN_TAGS: set[str] = set()  # of the process; they outlive every reset

turn = _thread.RLock()  # setups, resets and finalizes happen one after the other
os.register_at_fork(after_in_child=turn._at_fork_reinit)  # type: ignore[attr-defined]


class Run:
    """What one setup began: the recording of it, and how far it was reported."""

    __slots__ = ("config", "session", "output", "pid", "is_off", "root", "tracer", "is_over",
                 "is_left", "read_at", "read_exits", "read_rows", "dropped", "warnings",
                 "_cursors", "__weakref__")  # fmt: skip

    def __init__(self, config: ProfilingConfig, session: _record.Session, output: str) -> None:
        self.config = config
        self.session = session
        self.output = output  # the file that the user gets
        self.pid = os.getpid()
        self.is_off = not session.live  # deactivate_profiling, or SCOPE_ENABLE=0: from the start
        self.root: _record.Region | None = None  # of a session
        self.is_over = False  # the session; it still records, within bounds
        self.is_left = False  # to MPI_Finalize: all its calls are needed until then
        self.read_at = 0  # ticks, when it was last read to be reported
        self.read_exits: list[tuple[_record.Region, int]] = []  # and what had ended then
        self.read_rows = 0  # calls that this gave, and their ids
        self.dropped = 0  # events that were lost, as the user was told
        self.warnings: list[str] = []  # to be said when the file is there
        self.tracer: _recursive.Tracer | None = None  # of functions that trace their callees
        self._cursors: dict[int, _read.Cursor] = {}

    def target(self) -> str:
        """Where finalize writes: in a forked child a file of its own, beside the parent's."""
        if os.getpid() == self.pid:
            return self.output
        stem, dot, suffix = os.path.basename(self.output).partition(".")
        return os.path.join(
            os.path.dirname(self.output), f"{stem}.child-{os.getpid()}{dot}{suffix}"
        )

    def cursor(self) -> _read.Cursor:
        """The one reader of this recording: of two threads that make one, both have the first."""
        found = self._cursors.get(0)
        if found is None:
            from . import _read

            untracked = not self.config.track_threads
            made = _read.Cursor(self.session.pointer, untracked=untracked)
            found = self._cursors.setdefault(0, made)
        return found


class Engine:
    """One manager. `shape` is called with the callable that is its `region` now."""

    def __init__(self, is_default: bool, shape: Callable[[Any], None]) -> None:
        self.is_default = is_default
        self._shape = shape
        self.config: ProfilingConfig | None = None
        self.run: Run | None = None
        self.configured = False
        self.active = False
        self.finalized = False  # since the last setup: another one may follow
        self.decorated: dict[str, tuple[tuple[str, ...], CodeType | None]] = {}
        self.defined: dict[str, tuple[str, ...]] = {}
        self.scopes: list[_scopes.Scope] = []
        self.next_call_id = 0
        self.last_results: ProfilingResults | None = None
        self.wanted_tags: frozenset[str] | None = None  # None: all regions
        self.opted_in: frozenset[str] = frozenset()
        self._exit_call: Any = None
        self._mpi_calls: Any = None
        self._at_rest()

    # ---- runs ----

    def setup(
        self,
        settings: dict[str, Any],
        output: str,
        *,
        auto_finalize: bool = False,
        region_tags: Iterable[str] | None = None,
        config: ProfilingConfig | None = None,
    ) -> Run:
        """Begin a run; the one before, and what it still records, is over.

        Errors in the settings leave the engine as it was."""
        config = config or ProfilingConfig(**settings)
        wanted = None if region_tags is None else frozenset(split_tags(region_tags))
        named = os.environ.get("SCOPE_PROFILER_ENABLE_TAGS", "").split(",")
        opted_in = {tag.strip() for tag in named if tag.strip()}.union(config.enable_tags)
        for what, text in (("label", config.label), ("output", output)):
            if "\0" in str(text):
                raise ValueError(f"{what} has a NUL character in it: {text!r}")
        with turn:
            self._end()
            self.scopes.clear()
            self.next_call_id = 0
            self.wanted_tags, self.opted_in = wanted, frozenset(opted_in)
            run = self._start(config, output)
            self.configured, self.active = True, not run.is_off
            self.finalized = False
            self._adopt(run)
            if auto_finalize:
                self._finalize_at_exit()
            return run

    def _start(self, config: ProfilingConfig, output: str) -> Run:
        if config.deactivate_profiling:
            return Run(config, _record.Session(closed=True), output)
        writes = not config.deactivate_file_output
        config._begin()  # before the recording: no time of it is earlier
        session = _record.Session(
            process=self.is_default,
            output=_for_recovery(os.path.abspath(output)) if writes else None,
            label=_for_recovery(str(config.label)) if config.label else None,
            memory_only=not writes,
            lanes=(
                _record.TASKS if config.track_async
                else _record.THREADS if config.track_threads
                else _record.UNTRACKED
            ),
        )  # fmt: skip
        run = Run(config, session, output)
        if run.is_off:
            return run
        session.owner = run
        config._record(run)
        if config.track_threads:
            from . import _lanes

            _lanes.install(session)
        if config.aggregation_mode:
            session.bound()
        if config.profile_mpi_calls:
            from .mpi_wrappers import profile_mpi4py

            self._mpi_calls = profile_mpi4py(lazy=True)
            self._mpi_calls.__enter__()
        return run

    def _adopt(self, run: Run) -> None:
        """Regions are of this run from now on: those of decorators and definitions first."""
        self.config, self.run = run.config, run
        run.session.on_miss = self.region
        self._shape(run.session.region)
        if self.is_default:
            _record.set_default(run.session, self.region)
        for name in self.decorated:
            self.decorated_region(name)
        for name, tags in self.defined.items():
            self.region(name, None, tags or None, source=_source.UNKNOWN)
        _record.rebind()

    def _at_rest(self) -> None:
        """No run. Nothing is started until somebody asks for a region."""
        self._shape(self.region)
        if self.is_default:
            _record.set_default(None, self.region)

    def current(self) -> Run:
        """The run, or before a setup one whose regions record nothing."""
        with turn:  # a setup or reset of another thread has to come to its end
            run = self.run
            if run is None:
                run = Run(ProfilingConfig(), _record.Session(closed=True), "")
                self._adopt(run)
                self.config = None
            return run

    def _end(self) -> None:
        """Give back what the run had: hooks, recording. Its regions become no-ops."""
        self.release_hooks()
        if self._exit_call is not None:
            import atexit

            atexit.unregister(self._exit_call)
            self._exit_call = None
        if self.run is not None:
            session, self.run = self.run.session, None
            session.close()
            session.owner = None

    def release_hooks(self) -> None:
        """Thread, task and greenlet hooks and MPI wrappers of this run go."""
        if self.run is not None and self.run.config.track_threads:
            from . import _lanes

            _lanes.uninstall(self.run.session)
        if self._mpi_calls is not None:
            calls, self._mpi_calls = self._mpi_calls, None
            calls.__exit__(None, None, None)

    def _finalize_at_exit(self) -> None:
        import atexit

        from ._report import finalize

        pid = os.getpid()

        def at_exit() -> None:
            if os.getpid() == pid:  # a forked child leaves the file to its parent
                finalize(self)

        self._exit_call = at_exit
        atexit.register(at_exit)

    def reset(self, *, everything: bool = False) -> None:
        """Forget the run and its data; `everything`: decorators and definitions too."""
        with turn:
            self._end()
            if everything:
                self.decorated.clear()
                self.defined.clear()
            self.scopes.clear()
            self.config = self.last_results = self.wanted_tags = None
            self.opted_in = frozenset()
            self.configured = self.active = False
            self.next_call_id = 0
            self._at_rest()
            _record.rebind()

    def current_config(self) -> ProfilingConfig:
        """The configuration; before a setup a default one, made now."""
        if self.config is None:
            self.config = ProfilingConfig()
        return self.config

    # ---- regions ----

    def records(self, tags: tuple[str, ...]) -> bool:
        """Whether the tags let a region of this run record."""
        if self.run is None or self.run.is_off:
            return False
        if self.wanted_tags is not None and not self.wanted_tags.intersection(tags):
            return False
        if "*" in self.opted_in:
            return True
        optional = OPT_IN_TAGS.intersection(tags)
        return not optional or bool(optional & (self.opted_in | (self.wanted_tags or set())))

    def region(
        self,
        region_name: str,
        functions: Any = None,
        tags: Any = None,
        *,
        source: _source.Source | None = None,
    ) -> _record.Region:
        """Get or create. ValueError: the name has other tags."""
        run = self.run or self.current()
        found = run.session.regions.get(region_name)
        if found is not None and tags is None:
            return found
        wanted = None if tags is None else split_tags(tags)
        if not isinstance(region_name, str):
            raise TypeError(f"a region's name is a str, not {type(region_name).__name__}")
        if found is not None:
            if wanted != found.tags:
                raise ValueError(
                    f"region {region_name!r} already has tags {found.tags!r}; "
                    f"cannot reuse it with {wanted!r}"
                )
            return found
        if wanted is None:
            wanted = self.defined.get(region_name, ())
        file, line, text = _source.of_call_site(run.config) if source is None else source
        return run.session.add_region(
            region_name,
            tags=wanted,
            source_file=file,
            source_line=line,
            source_text=text,
            enabled=run.session.live and self.records(wanted),
            cls=LiveRegion,
        )

    def decorate(self, name: str, tags: Any, code: CodeType | None) -> None:
        """A decorated function's region, now and at every setup."""
        listed = split_tags(tags)
        known = self.decorated.get(name)
        if known is not None and tags is not None and known[0] != listed:
            raise ValueError(
                f"region {name!r} already has tags {known[0]!r}; cannot reuse it with {listed!r}"
            )
        if known is None:
            self.decorated[name] = (listed, code)
        self.decorated_region(name)

    def decorated_region(self, name: str, traced: bool | None = None) -> _record.Region | None:
        """The region of a decorated function in this run; None: call the function directly.
        `traced`: what the function calls is recorded too; None: as the run says."""
        known = self.decorated.get(name)
        if known is None:  # forgotten by _reset()
            return None
        tags, code = known
        run = self.run or self.current()
        found = run.session.regions.get(name)
        if found is None:
            found = self.region(name, None, tags or None, source=_source.of_code(code, run.config))
        if not found.enabled:
            return None
        if run.config.recursive_profile if traced is None else traced:
            from ._recursive import traced_region

            return traced_region(self, run, found)
        return found

    def is_decorated(self, code: CodeType) -> bool:
        """A function with a region of its own."""
        return any(known is code for _, known in self.decorated.values())

    def define(self, name: str, tags: Any) -> None:
        """A region that every later setup has too."""
        listed = split_tags(tags)
        if name in self.defined and self.defined[name] != listed:
            raise ValueError(
                f"region {name!r} was already defined differently: with tags "
                f"{self.defined[name]!r}, not {listed!r}"
            )
        self.region(name, None, listed or None, source=_source.UNKNOWN)
        self.defined[name] = listed

    # ---- pause ----

    def pause(self) -> None:
        run = self._configured("pause()")
        if run.session.paused or not run.session.live:
            return
        opened = [
            name
            for name, region in tuple(run.session.regions.items())
            if region.num_calls > region.num_exits and region is not run.root
        ]
        if opened:
            raise RuntimeError(
                "cannot pause while profiling scopes are active: "
                + ", ".join(map(repr, opened))
                + "; leave them first"
            )
        run.session.pause()

    def resume(self) -> None:
        run = self._configured("resume()")
        if run.session.paused:
            run.session.resume()

    def _configured(self, what: str) -> Run:
        if self.run is None:
            raise RuntimeError(f"ProfileManager.setup() must be called before {what}")
        return self.run


def _for_recovery(text: str) -> str:
    """What `scope recover` is told: characters that UTF-8 lacks are spelled out."""
    return text.encode(errors="backslashreplace").decode()
