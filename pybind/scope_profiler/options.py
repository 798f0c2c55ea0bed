"""Settings of a run: their names, defaults, option groups and checks.

Plain slotted classes: this module is imported with the package and must cost nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

DEFAULTS: dict[str, Any] = {
    "file_path": "profiling_data.h5",
    "label": None,
    "use_likwid": False,
    "perf_events": None,
    "use_line_profiler": False,
    "use_memray": False,
    "memory_profile_path": None,
    "memray_native_traces": False,
    "memray_trace_python_allocators": False,
    "memray_follow_fork": False,
    "deactivate_profiling": False,
    "use_nvtx": False,
    "use_gpu_timing": False,
    "gpu_timing_backend": "auto",
    "deactivate_file_output": False,
    "recursive_profile": False,
    "aggregation_mode": False,
    "profile_mpi_calls": False,
    "track_threads": False,
    "track_async": False,
    "capture_region_source": False,
    "metadata_detail": "minimal",
    "buffer_limit": 1024,
    "output_mode": "auto",
    "hdf5_compression": None,
    "hdf5_compression_level": None,
    "hdf5_chunk_size": None,
    "gpu_sync_on_exit": False,
    "enable_tags": None,
}

GROUPS: dict[str, dict[str, str]] = {  # option group -> its field -> the setting
    "memray": {
        "enabled": "use_memray",
        "path": "memory_profile_path",
        "native_traces": "memray_native_traces",
        "trace_python_allocators": "memray_trace_python_allocators",
        "follow_fork": "memray_follow_fork",
    },
    "gpu": {
        "timing": "use_gpu_timing",
        "backend": "gpu_timing_backend",
        "nvtx": "use_nvtx",
        "sync_on_exit": "gpu_sync_on_exit",
    },
    "hdf5": {
        "compression": "hdf5_compression",
        "compression_level": "hdf5_compression_level",
        "chunk_size": "hdf5_chunk_size",
    },
}

FLAGS = frozenset(name for name, value in DEFAULTS.items() if value is False)
PERF_EVENTS = (
    "cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses",
    "cpu-clock", "task-clock", "page-faults", "context-switches",
)  # fmt: skip
LATER = {  # settings of modes that this version does not have, and the mode's name
    "use_line_profiler": "line profiling",
    "use_gpu_timing": "GPU timing",
    "use_nvtx": "NVTX ranges",
    "use_likwid": "LIKWID counters",
    "use_memray": "memory profiling with memray",
    "perf_events": "hardware counters through perf events",
}


class _Fields:
    """Named fields that are None until set; compares and prints by them."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__slots__)

    def _fill(self, values: tuple[Any, ...]) -> None:
        for name, value in zip(self._fields, values):
            setattr(self, name, value)

    def _set(self) -> dict[str, Any]:
        values = ((name, getattr(self, name)) for name in self._fields)
        return {name: value for name, value in values if value is not None}

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({shown})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._set() == other._set()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in self._fields)


class _Group(_Fields):
    __slots__ = ()

    def to_kwargs(self) -> dict[str, Any]:
        """The set fields under the names of `setup`."""
        names = GROUPS[type(self).__name__.removesuffix("Options").lower()]
        return {names[name]: value for name, value in self._set().items()}


class MemrayOptions(_Group):
    """Memory profiling with memray (a mode that this version does not have)."""

    __slots__ = ("enabled", "path", "native_traces", "trace_python_allocators", "follow_fork")

    def __init__(
        self,
        enabled: bool | None = None,
        path: str | None = None,
        native_traces: bool | None = None,
        trace_python_allocators: bool | None = None,
        follow_fork: bool | None = None,
    ) -> None:
        self._fill((enabled, path, native_traces, trace_python_allocators, follow_fork))


class GPUOptions(_Group):
    """Device timing (a mode that this version does not have)."""

    __slots__ = ("timing", "backend", "nvtx", "sync_on_exit")

    def __init__(
        self,
        timing: bool | None = None,
        backend: Any = None,
        nvtx: bool | None = None,
        sync_on_exit: bool | None = None,
    ) -> None:
        self._fill((timing, backend, nvtx, sync_on_exit))


class HDF5Options(_Group):
    """How the event columns of the file are stored."""

    __slots__ = ("compression", "compression_level", "chunk_size")

    def __init__(
        self,
        compression: str | None = None,
        compression_level: int | None = None,
        chunk_size: int | None = None,
    ) -> None:
        self._fill((compression, compression_level, chunk_size))


class ProfilingOptions(_Fields):
    """Settings of a run to be passed around: what `setup` and `session` take as keywords,
    and the groups `memray`, `gpu` and `hdf5`. A field that is None says nothing."""

    __slots__ = (
        "file_path", "label", "use_likwid", "perf_events", "use_line_profiler", "use_memray",
        "memory_profile_path", "memray_native_traces", "memray_trace_python_allocators",
        "memray_follow_fork", "deactivate_profiling", "use_nvtx", "use_gpu_timing",
        "gpu_timing_backend", "deactivate_file_output", "recursive_profile", "aggregation_mode",
        "profile_mpi_calls", "track_threads", "track_async", "capture_region_source",
        "metadata_detail", "buffer_limit", "output_mode", "hdf5_compression",
        "hdf5_compression_level", "hdf5_chunk_size", "enable_tags", "memray", "gpu", "hdf5",
        "gpu_sync_on_exit",
    )  # fmt: skip

    def __init__(
        self,
        file_path: str | None = None,
        label: str | None = None,
        use_likwid: bool | None = None,
        perf_events: list[str] | tuple[str, ...] | str | None = None,
        use_line_profiler: bool | None = None,
        use_memray: bool | None = None,
        memory_profile_path: str | None = None,
        memray_native_traces: bool | None = None,
        memray_trace_python_allocators: bool | None = None,
        memray_follow_fork: bool | None = None,
        deactivate_profiling: bool | None = None,
        use_nvtx: bool | None = None,
        use_gpu_timing: bool | None = None,
        gpu_timing_backend: Any = None,
        deactivate_file_output: bool | None = None,
        recursive_profile: bool | None = None,
        aggregation_mode: bool | str | None = None,
        profile_mpi_calls: bool | None = None,
        track_threads: bool | None = None,
        track_async: bool | None = None,
        capture_region_source: bool | None = None,
        metadata_detail: str | None = None,
        buffer_limit: int | None = None,
        output_mode: str | None = None,
        hdf5_compression: str | None = None,
        hdf5_compression_level: int | None = None,
        hdf5_chunk_size: int | None = None,
        enable_tags: list[str] | tuple[str, ...] | str | None = None,
        memray: MemrayOptions | None = None,
        gpu: GPUOptions | None = None,
        hdf5: HDF5Options | None = None,
        gpu_sync_on_exit: bool | None = None,
    ) -> None:
        self._fill((
            file_path, label, use_likwid, perf_events, use_line_profiler, use_memray,
            memory_profile_path, memray_native_traces, memray_trace_python_allocators,
            memray_follow_fork, deactivate_profiling, use_nvtx, use_gpu_timing, gpu_timing_backend,
            deactivate_file_output, recursive_profile, aggregation_mode, profile_mpi_calls,
            track_threads, track_async, capture_region_source, metadata_detail, buffer_limit,
            output_mode, hdf5_compression, hdf5_compression_level, hdf5_chunk_size, enable_tags,
            memray, gpu, hdf5, gpu_sync_on_exit,
        ))  # fmt: skip

    def to_kwargs(self) -> dict[str, Any]:
        """The set fields, groups laid flat. ValueError: one setting given both ways."""
        kwargs = self._set()
        for group in GROUPS:
            options = kwargs.pop(group, None)
            if options is None:
                continue
            if not isinstance(options, _Group):
                raise TypeError(
                    f"the {group!r} group takes {_group_name(group)}, not {type(options).__name__}"
                )
            for name, value in options.to_kwargs().items():
                if name in kwargs:
                    raise ValueError(
                        f"{name!r} is set both directly and on the {group!r} option group; "
                        "set it in one place"
                    )
                kwargs[name] = value
        return kwargs


def _group_name(group: str) -> str:
    return {"memray": "MemrayOptions", "gpu": "GPUOptions", "hdf5": "HDF5Options"}[group]


def suggestion(name: str, known: Iterable[str]) -> str:
    """ " (did you mean ...?)" for a name that is close to a known one, else ""."""
    import difflib

    close = difflib.get_close_matches(str(name), list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def unknown_settings(names: Iterable[str]) -> str:
    """The sentence for settings that do not exist."""
    listed = ", ".join(f"{name!r}{suggestion(name, DEFAULTS)}" for name in sorted(names))
    return f"Unknown profiling setting(s): {listed}"


def split_tags(tags: Any) -> tuple[str, ...]:
    """Tags as a tuple: None is none, one str is one tag. TypeError for anything but str."""
    if tags is None:
        return ()
    if isinstance(tags, str):
        return (tags,)
    try:
        listed = tuple(tags)
    except TypeError:
        raise TypeError(f"tags are a str or a sequence of str, not {type(tags).__name__}") from None
    for tag in listed:
        if not isinstance(tag, str):
            raise TypeError(f"a tag is a str, not {type(tag).__name__}: {tag!r}")
    return tuple(dict.fromkeys(listed))


def check_compression(compression: Any, level: Any, chunk_size: Any) -> str | None:
    """The normalised filter name, or None. ValueError says which value is wrong."""
    name: str | None = compression
    if isinstance(name, str):
        name = name.strip().lower()
        if name in ("", "none"):
            name = None
    if name not in (None, "auto", "gzip", "lzf", "zstd"):
        raise ValueError(
            f"hdf5_compression must be None, 'auto', 'gzip', 'lzf', or 'zstd', got {compression!r}"
        )
    if level is not None:
        if not isinstance(level, int) or isinstance(level, bool):
            raise ValueError(f"hdf5_compression_level must be an integer or None, got {level!r}")
        if name == "gzip" and not 0 <= level <= 9:
            raise ValueError(f"GZIP compression level must be between 0 and 9, got {level}")
        if name == "zstd" and not 1 <= level <= 22:
            raise ValueError(f"Zstandard compression level must be between 1 and 22, got {level}")
        if name == "lzf":
            raise ValueError("LZF compression does not accept a compression level")
    if chunk_size is not None and (
        not isinstance(chunk_size, int) or isinstance(chunk_size, bool) or chunk_size < 1
    ):
        raise ValueError(f"hdf5_chunk_size must be a positive integer or None, got {chunk_size!r}")
    return name


def check_perf_events(events: Any) -> tuple[str, ...]:
    """The counters asked for; ValueError for none, unknown or repeated ones."""
    if events is None:
        return ()
    listed = (events,) if isinstance(events, str) else tuple(events)
    if not listed:
        raise ValueError("perf_events must be a non-empty list of event names")
    if len(set(listed)) < len(listed) or not all(isinstance(e, str) and e for e in listed):
        raise ValueError("perf_events must contain unique, non-empty event names")
    unknown = [event for event in listed if event not in PERF_EVENTS]
    if unknown:
        raise ValueError(
            f"Unknown perf event(s): {', '.join(unknown)}. "
            f"Supported events: {', '.join(PERF_EVENTS)}"
        )
    return listed


def check(settings: dict[str, Any]) -> None:
    """Normalise the settings of a run in place; every key of DEFAULTS is there.

    ValueError: a value or a combination that cannot be. NotImplementedError: a mode that
    this version does not have."""
    for name in FLAGS - {"aggregation_mode"}:
        settings[name] = bool(settings[name])
    mode = settings["aggregation_mode"]
    if isinstance(mode, str) and mode != "per_lane":
        raise ValueError(f"aggregation_mode must be False, True or 'per_lane', got {mode!r}")
    settings["aggregation_mode"] = mode = mode if isinstance(mode, str) else bool(mode)
    if settings["output_mode"] not in ("auto", "direct", "parallel", "per_rank"):
        raise ValueError(
            "output_mode must be 'auto', 'direct', 'parallel', or 'per_rank', "
            f"got {settings['output_mode']!r}"
        )
    if settings["metadata_detail"] not in ("minimal", "full"):
        raise ValueError(
            "metadata_detail must be one of ('minimal', 'full'), "
            f"got {settings['metadata_detail']!r}"
        )
    settings["hdf5_compression"] = check_compression(
        settings["hdf5_compression"], settings["hdf5_compression_level"],
        settings["hdf5_chunk_size"],
    )  # fmt: skip
    limit = settings["buffer_limit"]
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise ValueError(f"buffer_limit must be an integer, got {limit!r}")
    settings["perf_events"] = events = check_perf_events(settings["perf_events"])
    settings["enable_tags"] = split_tags(settings["enable_tags"])
    settings["track_threads"] = settings["track_threads"] or settings["track_async"]
    if settings["gpu_sync_on_exit"] and not settings["use_gpu_timing"]:
        raise ValueError("gpu_sync_on_exit requires use_gpu_timing=True")
    devices = any(
        settings[name] for name in ("use_line_profiler", "use_gpu_timing", "use_nvtx", "use_likwid")
    )
    if mode and (devices or events):
        raise ValueError(
            "aggregation_mode cannot be combined with line, GPU, NVTX, LIKWID, or perf events"
        )
    if settings["track_threads"] and (devices or events or mode is True):
        raise ValueError(
            "track_threads/track_async cannot be combined with line, GPU, NVTX, LIKWID, "
            "perf events, or aggregation profiling"
        )
    for name, what in LATER.items():
        if settings[name]:
            raise NotImplementedError(
                f"{name}: this version does not have {what}; leave the setting out"
            )
