"""ProfileManager: the calls that drive recording.

The class is the default manager, of the whole process; an instance is a manager of its own.
"""

from __future__ import annotations

from . import _record
from ._engine import OPT_IN_TAGS, Engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager
    from subprocess import CompletedProcess
    from types import ModuleType
    from typing import Any

    from ._scopes import Scope
    from ._session import ProfilingSession
    from .options import ProfilingOptions
    from .profile_config import ProfilingConfig
    from .results import ProfilingResults

__all__ = ["ProfileManager", "ProfilingRun", "RegionFactory", "RegionHandle"]

RegionHandle = _record.Handle
UNSET: Any = type("Unset", (), {"__repr__": lambda self: "<unset>", "__slots__": ()})()


class ProfilingRun:
    """What `setup` returns: the run that it began."""

    def __init__(self, manager: type[ProfileManager], config: ProfilingConfig, output: Any = None):
        self._manager = manager
        self._config = config
        self._output = output
        self.results: ProfilingResults | None = None

    @property
    def file_path(self) -> str:
        """The file that finalize writes."""
        return self._config.file_path if self._output is None else self._output

    @property
    def is_active(self) -> bool:
        """It records, and no other setup replaced it."""
        engine = self._manager._engine
        return engine.config is self._config and engine.active

    def finalize(
        self,
        verbose: bool = True,
        return_results: bool = True,
        native_traces: Any = None,
        verbose_line_profiler: bool = False,
    ) -> ProfilingResults | None:
        """As ProfileManager.finalize. RuntimeError: another setup or a reset replaced it."""
        if self._manager._engine.config is not self._config:
            raise RuntimeError(
                "this profiling run has been replaced: finalize the run of the latest setup()"
            )
        self.results = self._manager.finalize(
            verbose=verbose,
            return_results=return_results,
            native_traces=native_traces,
            verbose_line_profiler=verbose_line_profiler,
        )
        return self.results


class RegionFactory:
    """`factory(**values)` is a scope of one region with these values attached."""

    def __init__(self, manager: type[ProfileManager], name: str, tags: Any = None) -> None:
        self._manager = manager
        self._handle = manager.define_region(name, tags=tags)

    def __call__(self, /, **values: Any) -> AbstractContextManager[None]:
        from ._scopes import Joined, Scope

        return Joined(Scope(self._manager._engine, values) if values else None, self._handle)


class ProfileManager:
    """Profiling of this process: set up, record regions, finalize.

    Called on the class these are of the one default manager, which also has the regions of
    C, Fortran and MPI. `ProfileManager()` is an independent manager: its own configuration,
    regions, decorators, ids and results, active beside any other."""

    _engine: Engine
    region = profile_region = staticmethod(_record.region)

    def __new__(cls) -> ProfileManager:
        own: Any = type("ProfileManager", (cls,), {"__module__": cls.__module__})
        own._engine = Engine(False, lambda region: _set_region(own, region))
        made: ProfileManager = object.__new__(own)
        return made

    def __reduce__(self) -> Any:
        raise TypeError("a ProfileManager belongs to its process and cannot be pickled")

    # ---- runs ----

    @classmethod
    def setup(
        cls,
        options: ProfilingOptions | None = None,
        *,
        auto_finalize: bool = False,
        output: str | os.PathLike[str] | None = UNSET,
        replace: bool = False,
        region_tags: Sequence[str] | None = None,
        config_path: str | os.PathLike[str] | None = None,
        **overrides: Any,
    ) -> ProfilingRun:
        """Begin a run and record from now on.

        A setting is a keyword, else of `options`, else of the TOML file `config_path`, else
        its default. `output`: the file (.h5, .json, .json.gz), None keeps all in memory.
        `replace` ends a run that is active. `region_tags` records only regions with one of
        these tags. `auto_finalize` finalizes when the process ends.

        With SCOPE_ENABLE=0 in the environment it is as with `deactivate_profiling`.

        TypeError: unknown setting, `output` beside `file_path`. ValueError: a value that
        cannot be. RuntimeError: active already, and never finalized. NotImplementedError: a
        mode of another version."""
        from .profile_config import settings_of

        engine = cls._engine
        if engine.active and not engine.finalized and not replace:
            raise RuntimeError(
                "profiling is already configured; finalize it first or pass replace=True"
            )
        settings, wanted = settings_of(options, output, UNSET, config_path, overrides)
        run = engine.setup(settings, wanted, auto_finalize=auto_finalize, region_tags=region_tags)
        return ProfilingRun(cls, run.config, wanted)

    @classmethod
    def setup_from_env(cls, **overrides: Any) -> ProfilingRun:
        """setup() with SCOPE_PROFILER_CONFIG, _OUTPUT, _RECURSIVE and _AUTO_FINALIZE."""
        from .profile_config import from_environment

        return cls.setup(**from_environment(overrides))

    @classmethod
    def session(
        cls,
        options: ProfilingOptions | None = None,
        *,
        verbose: bool = True,
        verbose_line_profiler: bool = False,
        return_results: bool = False,
        native_traces: Any = None,
        output: str | os.PathLike[str] | None = UNSET,
        replace: bool = False,
        config_path: str | os.PathLike[str] | None = None,
        **overrides: Any,
    ) -> ProfilingSession:
        """A run around a `with` block, or around each call of a decorated function, in a
        region named `scope_profiler.session`; `.results` has what it found."""
        from ._session import ProfilingSession

        setup = dict(overrides, options=options, replace=replace, config_path=config_path)
        if output is not UNSET:
            setup["output"] = output
        final = {
            "verbose": verbose,
            "return_results": return_results,
            "native_traces": native_traces,
            "verbose_line_profiler": verbose_line_profiler,
        }
        return ProfilingSession(cls, setup, final)

    @classmethod
    def finalize(
        cls,
        verbose: bool = True,
        return_results: bool = False,
        native_traces: Any = None,
        verbose_line_profiler: bool = False,
    ) -> ProfilingResults | None:
        """A checkpoint: report the calls that have finished, and go on recording.

        With file output the file is replaced by what is new since the last one. Collective
        under MPI. FileNotFoundError: the output's folder does not exist (the manager stays
        active). RuntimeWarning: calls of several untracked threads do not nest."""
        from ._report import finalize

        return finalize(cls._engine, verbose, return_results, native_traces, verbose_line_profiler)

    @classmethod
    def reset(cls) -> None:
        """Forget configuration and data; decorators and definitions stay."""
        cls._engine.reset()

    @classmethod
    def _reset(cls) -> None:
        cls._engine.reset(everything=True)

    @classmethod
    def is_active(cls) -> bool:
        """A run records: from setup to reset, not with deactivate_profiling or SCOPE_ENABLE=0."""
        return cls._engine.active

    @classmethod
    def is_configured(cls) -> bool:
        """There was a setup since the last reset."""
        return cls._engine.configured

    @classmethod
    def get_config(cls) -> ProfilingConfig:
        """The settings in force; a default one, made now, before setup."""
        return cls._engine.current_config()

    @classmethod
    def set_config(cls, config: ProfilingConfig) -> None:
        """Begin a run with a configuration made by hand."""
        from .options import DEFAULTS

        settings = {name: getattr(config, name) for name in DEFAULTS}
        cls._engine.setup(settings, config.file_path, config=config)

    @classmethod
    def last_results(cls) -> ProfilingResults | None:
        """What the last finalize made; None: it was asked for nothing."""
        return cls._engine.last_results

    @classmethod
    def read_results(cls) -> ProfilingResults:
        """The file of this run, read. FileNotFoundError: there is none."""
        from .profile_io import read_profile

        run = cls._engine.run
        return read_profile(run.output if run and run.output else cls.get_config().file_path)

    # ---- regions ----

    @classmethod
    def profile(
        cls,
        region_name: str | Callable[..., Any] | None = None,
        recursive: bool | None = None,
        metadata: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
        record_outcome: bool = False,
        tags: str | Sequence[str] | None = None,
    ) -> Any:
        """Decorate a function: each call is one of the region, named as the function.

        `recursive`: also what it calls. `metadata`: values, or a callable that gets the
        arguments and returns them. `record_outcome`: adds `status` and `exception`."""
        from ._decorate import profile

        return profile(cls._engine, region_name, recursive, metadata, record_outcome, tags)

    @classmethod
    def define_region(
        cls, region_name: str, functions: Any = None, tags: str | Sequence[str] | None = None
    ) -> _record.Handle:
        """A region that every later setup has; the handle is a context manager that survives
        them. ValueError: defined already, with other tags."""
        engine = cls._engine
        engine.define(region_name, tags)
        return RegionHandle(region_name, lambda: engine.region(region_name))

    @classmethod
    def region_factory(
        cls, region_name: str, *, tags: str | Sequence[str] | None = None
    ) -> RegionFactory:
        """A callable; `factory(**values)` is a scope of the region with these values."""
        return RegionFactory(cls, region_name, tags)

    @classmethod
    def metadata(cls, /, **values: Any) -> Scope:
        """A scope: the values are attached to every call that lies wholly inside it."""
        from ._scopes import Scope

        return Scope(cls._engine, values)

    @classmethod
    def get_region(cls, region_name: str) -> _record.Region | None:
        """The region of that name, None: there is none."""
        run = cls._engine.run
        return run.session.regions.get(region_name) if run is not None else None

    @classmethod
    def get_all_regions(cls) -> dict[str, _record.Region]:
        """All regions of this run by name, in order of registration."""
        run = cls._engine.run
        return dict(run.session.regions) if run is not None else {}

    @classmethod
    def registered_regions(cls) -> tuple[str, ...]:
        """Names of all regions of this run."""
        return tuple(cls.get_all_regions())

    @classmethod
    def recorded_regions(cls) -> tuple[str, ...]:
        """Names of those that were entered."""
        return tuple(name for name, region in cls.get_all_regions().items() if region.num_calls)

    @classmethod
    def instrument(
        cls,
        module: ModuleType | type,
        *,
        include: str | Sequence[str] = ("*",),
        exclude: str | Sequence[str] = (),
        prefix: str | None = None,
        tags: str | Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Decorate the functions of a module or class in place, those whose names match
        `include` and not `exclude` (fnmatch); what was wrapped, by name."""
        from ._decorate import instrument

        return instrument(cls._engine, module, include, exclude, prefix, tags)

    @classmethod
    def register_opt_in_tag(cls, *tags: str) -> None:
        """Regions with such a tag record only where `enable_tags` names it. For the whole
        process; no reset forgets it. TypeError: not a non-empty str."""
        for tag in tags:
            if not isinstance(tag, str) or not tag:
                raise TypeError(f"opt-in tags must be non-empty strings, got {tag!r}")
        OPT_IN_TAGS.update(tags)

    # ---- when ----

    @classmethod
    def pause(cls) -> None:
        """Record nothing until resume(). RuntimeError: before setup, or a scope is open."""
        cls._engine.pause()

    @classmethod
    def resume(cls) -> None:
        """Go on after pause(). RuntimeError: before setup."""
        cls._engine.resume()

    @classmethod
    def sample_every(cls, every: int, start: int = 0) -> AbstractContextManager[Any]:
        """Gives `step`: in `with step(i):` calls are recorded when i is `start` or a multiple
        of `every` after it."""
        from ._session import Sampling

        return Sampling(cls._engine, every, start)

    # ---- whole programs ----

    @classmethod
    def run(cls, func: Callable[..., Any], *args: Any, output: Any = None, **kwargs: Any) -> Any:
        """`func(*args)` in a quiet session(**kwargs); its value. `output`: the file, None the
        default one. What it found is last_results()."""
        settings = {"verbose": False, "return_results": True, **kwargs}
        if output is not None:
            settings["output"] = output
        with cls.session(**settings):
            return func(*args)

    @classmethod
    def run_script(
        cls,
        script_path: str,
        script_args: list[str] | None = None,
        region_name: str | None = None,
        only_user_code: bool = True,
        recursive: bool = True,
        include_patterns: Sequence[str] = (),
        exclude_patterns: Sequence[str] = (),
        entrypoint: str | None = None,
    ) -> None:
        """Run a script as __main__ in the present run; `recursive`: its functions are regions
        inside one named as the script. FileNotFoundError: no such script."""
        from ._scripts import run_script

        run_script(
            cls._engine, script_path, script_args, region_name, only_user_code, recursive,
            include_patterns, exclude_patterns, entrypoint,
        )  # fmt: skip

    @classmethod
    def profile_script(
        cls,
        script_path: str | os.PathLike[str],
        *,
        script_args: list[str] | None = None,
        output: Any = None,
        **kwargs: Any,
    ) -> ProfilingResults | None:
        """Run a script in a run of its own, set up with `kwargs`; what it found."""
        from ._scripts import profile_script

        return profile_script(cls, script_path, script_args, output, kwargs)

    @classmethod
    def profile_command(
        cls,
        command: Sequence[str],
        *,
        output: Any = None,
        recursive: bool = False,
        all: bool = False,
        mpi_calls: bool = False,
    ) -> CompletedProcess[Any]:
        """Run a Python command line (script and arguments) in a new process, profiled; its
        `.profile_results` has what it found, None without a file."""
        from ._scripts import profile_command

        return profile_command(command, output, recursive, all, mpi_calls)


def _set_region(manager: type[ProfileManager], region: Any) -> None:
    manager.region = manager.profile_region = staticmethod(region)


ProfileManager._engine = Engine(True, lambda region: None)
