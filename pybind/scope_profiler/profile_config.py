"""The configuration of one run, and where it comes from: keywords, options, TOML, the
environment."""

from __future__ import annotations

import os
from time import perf_counter_ns

from . import mpi_launch
from . import options as _options
from .options import GPUOptions, HDF5Options, MemrayOptions, ProfilingOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._engine import Run
    from .concurrency import ConcurrencyTracker

__all__ = [
    "GPUOptions", "HDF5Options", "MemrayOptions", "ProfilingConfig", "ProfilingOptions",
    "load_profiling_config",
]  # fmt: skip


STAND_IN = ".scope-profiler.h5"  # config.file_path of an output that is not HDF5


class ProfilingConfig:
    """What a run was set up with: every setting of `setup` as an attribute, and

    start_time_ns   clock of the setup, ns of `time.perf_counter_ns`
    metadata        machine and run, collected when first asked for
    comm            the MPI communicator, None in a serial run
    tracker         a ConcurrencyTracker, None unless threads or tasks are tracked
    paused          nothing is recorded now

    Making one starts nothing. Errors as `setup`: ValueError, NotImplementedError."""

    file_path: str
    label: str | None
    hdf5_compression: str | None
    hdf5_compression_level: int | None
    hdf5_chunk_size: int | None
    aggregation_mode: bool | str
    output_mode: str
    metadata_detail: str
    enable_tags: tuple[str, ...]
    perf_events: tuple[str, ...]
    deactivate_profiling: bool
    deactivate_file_output: bool
    track_threads: bool
    track_async: bool
    capture_region_source: bool
    recursive_profile: bool
    profile_mpi_calls: bool
    start_time_ns: int
    _comm: Any
    _metadata: dict[str, str | int | list[str]] | None
    _tracker: ConcurrencyTracker | None
    _run: Run | None

    __slots__ = (*_options.DEFAULTS, "start_time_ns", "_comm", "_metadata", "_tracker", "_run",
                 "__weakref__")  # fmt: skip

    def __init__(self, **settings: Any) -> None:
        unknown = [name for name in settings if name not in _options.DEFAULTS]
        if unknown:
            raise TypeError(_options.unknown_settings(unknown))
        given = {name: value for name, value in settings.items() if value is not None}
        values = {**_options.DEFAULTS, **given}
        values["file_path"] = os.fspath(values["file_path"])
        if isinstance(values["file_path"], bytes):
            values["file_path"] = os.fsdecode(values["file_path"])
        _options.check(values)
        for name, value in values.items():
            object.__setattr__(self, name, value)
        for name, value in (
            ("start_time_ns", perf_counter_ns()),
            ("_comm", _unasked),
            ("_metadata", None),
            ("_tracker", None),
            ("_run", None),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name!r} is read-only: settings are given to setup() or session()")

    def _begin(self) -> None:
        """A manager's setup: the run starts now."""
        object.__setattr__(self, "start_time_ns", perf_counter_ns())
        object.__setattr__(self, "_metadata", None)

    def _record(self, run: Run) -> None:
        """This is the configuration of `run` from now on."""
        object.__setattr__(self, "_run", run)

    @property
    def comm(self) -> Any:
        if self._comm is _unasked:
            object.__setattr__(self, "_comm", mpi_launch.get_comm())
        return self._comm

    @property
    def metadata(self) -> dict[str, str | int | list[str]]:
        found = self._metadata
        if found is None:
            from .metadata import collect_metadata

            size = mpi_launch.job()[1]
            found = collect_metadata(size, self.metadata_detail)
            found["start_time_ns"] = self.start_time_ns
            if self.label:
                found["label"] = str(self.label)
            object.__setattr__(self, "_metadata", found)
        return found

    @property
    def tracker(self) -> ConcurrencyTracker | None:
        if self._tracker is None and self.track_threads and self._run is not None:
            from .concurrency import ConcurrencyTracker

            tracker = ConcurrencyTracker(track_async=self.track_async)
            tracker._take(self._run.session, self._run.cursor())
            object.__setattr__(self, "_tracker", tracker)
        return self._tracker

    @property
    def paused(self) -> bool:
        return self._run is not None and self._run.session.paused


_unasked = object()


def load_profiling_config(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The settings in a TOML file: its table [profiling], or its top level, with the
    sub-tables memray, gpu and hdf5 laid flat. ValueError: unreadable, not TOML, a setting
    that does not exist or that is given twice."""
    shown = repr(os.fspath(path))
    loads = _toml_loads()
    try:
        with open(path, "rb") as file:
            text = file.read().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"Could not read profiling config {shown}: {error}") from error
    try:
        document = loads(text)
    except ValueError as error:
        raise ValueError(f"Invalid profiling TOML {shown}: {error}") from error
    table = document.get("profiling", document)
    if not isinstance(table, dict):
        raise ValueError(f"{shown}: [profiling] must be a TOML table")
    settings = {name: value for name, value in table.items() if name not in _options.GROUPS}
    for group, names in _options.GROUPS.items():
        fields = table.get(group, {})
        if not isinstance(fields, dict):
            raise ValueError(f"{shown}: profiling setting {group!r} must be a TOML table")
        unknown = sorted(set(fields) - set(names))
        if unknown:
            raise ValueError(
                f"{shown}: Unknown [{group}] profiling setting(s): {', '.join(unknown)}; "
                f"there are {', '.join(names)}"
            )
        for field, value in fields.items():
            if names[field] in settings:
                raise ValueError(
                    f"{shown}: profiling setting {names[field]!r} is set both directly and as "
                    f"{group}.{field}"
                )
            settings[names[field]] = value
    unknown = [name for name in settings if name not in _options.DEFAULTS]
    if unknown:
        raise ValueError(f"{shown}: {_options.unknown_settings(unknown)}")
    return settings


def _toml_loads() -> Any:
    try:
        from tomllib import loads
    except ImportError:  # Python 3.10
        try:
            from tomli import loads  # type: ignore[no-redef,import-not-found,unused-ignore]
        except ImportError:
            raise ValueError(
                "reading a TOML configuration on Python 3.10 needs the package tomli: "
                "pip install tomli"
            ) from None
    return loads


def settings_of(
    options: Any, output: Any, unset: Any, config_path: Any, overrides: dict[str, Any]
) -> tuple[dict[str, Any], str]:
    """The settings that are given, and the file that the user gets."""
    from ._files import HTML_SUFFIXES, is_json_path

    unknown = [name for name in overrides if name not in _options.DEFAULTS]
    if unknown:
        raise TypeError(_options.unknown_settings(unknown))
    keywords = {name: value for name, value in overrides.items() if value is not None}
    if output is not unset:
        for name in ("file_path", "deactivate_file_output"):
            if name in keywords:
                raise TypeError(f"output cannot be combined with {name}; give one of them")
    settings: dict[str, Any] = {}
    if config_path is not None:
        settings.update(load_profiling_config(config_path))
    if options is not None:
        if not isinstance(options, _options.ProfilingOptions):
            raise TypeError(f"options is a ProfilingOptions, not a {type(options).__name__}")
        settings.update(options.to_kwargs())
    settings.update(keywords)
    if output is None:
        settings["deactivate_file_output"] = True
    elif output is not unset:
        settings["file_path"] = output
        settings["deactivate_file_output"] = False
    path = os.fspath(settings.get("file_path", _options.DEFAULTS["file_path"]))
    wanted = os.fsdecode(path)
    if wanted.lower().endswith(HTML_SUFFIXES):
        raise NotImplementedError(
            f"output {wanted!r}: this version does not have the HTML report; write .h5 or .json"
        )
    settings["file_path"] = wanted + STAND_IN if is_json_path(wanted) else wanted
    return settings, wanted


def from_environment(overrides: dict[str, Any]) -> dict[str, Any]:
    """The keywords of setup_from_env: the environment's, but for what `overrides` says."""
    found: dict[str, Any] = {}
    config = os.environ.get("SCOPE_PROFILER_CONFIG")
    output = os.environ.get("SCOPE_PROFILER_OUTPUT")
    if config:
        found["config_path"] = config
    if output and not {"output", "file_path", "deactivate_file_output"}.intersection(overrides):
        found["output"] = output
    for name, setting in (("RECURSIVE", "recursive_profile"), ("AUTO_FINALIZE", "auto_finalize")):
        text = os.environ.get(f"SCOPE_PROFILER_{name}")
        if text is not None:
            found[setting] = text.strip().lower() in ("1", "true", "yes", "on")
    return {**found, **overrides}
