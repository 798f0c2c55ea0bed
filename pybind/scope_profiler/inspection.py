"""What a profile says about itself: metadata and region statistics, printed or as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from ._scopes import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from .results import ProfilingResults

__all__ = [
    "collect_file_metadata",
    "collect_region_statistics",
    "inspect_file",
    "write_region_statistics_json",
]

_GROUPS = {
    "Run": (
        "label",
        "timestamp",
        "start_time_ns",
        "finalize_time_ns",
        "scope_profiler_version",
        "python_version",
        "source",
        "trace_format_version",
        "user",
        "working_directory",
    ),
    "System": ("hostname", "platform", "uname", "chip_information"),
    "Parallelism": ("mpi_size", "num_nodes", "omp_num_threads", "total_cores"),
}
_STATISTICS = ("average", "min", "max", "first", "last", "std", "total")
_SHORT = 100  # characters of a metadata value that are printed


def _runs(profiling_data: Any) -> list[ProfilingResults]:
    """One or several results or paths, as results; those of ranks other than 0 left out."""
    from .profile_io import load

    several = isinstance(profiling_data, Sequence) and not isinstance(profiling_data, str)
    runs = [
        load(os.fspath(one)) if isinstance(one, (str, os.PathLike)) else one
        for one in (profiling_data if several else [profiling_data])
    ]
    return [run for run in runs if run.is_root]


def _json_value(value: Any) -> Any:
    return value if isinstance(value, (str, int, float, list, type(None))) else plain(value)


def collect_file_metadata(
    profiling_data: ProfilingResults | str | Path | Sequence[Any],
) -> dict[str, Any]:
    """{"files": [{"file_path", "num_ranks", "metadata"}]} of results or paths."""
    return {
        "files": [
            {
                "file_path": str(run.file_path),
                "num_ranks": run.num_ranks,
                "metadata": {key: _json_value(run.metadata[key]) for key in sorted(run.metadata)},
            }
            for run in _runs(profiling_data)
        ]
    }


def _figures(region: Any) -> dict[str, Any]:
    return {
        "count": region.num_calls,
        **{f"{name}_duration_seconds": getattr(region, f"{name}_duration") for name in _STATISTICS},
    }


def collect_region_statistics(
    profiling_data: ProfilingResults | Sequence[ProfilingResults],
    ranks: Sequence[int] | int | None = None,
    include: Any = None,
    exclude: Any = None,
    labels: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Statistics of each run's regions, pooled and per rank, ready for JSON; seconds."""
    from .mpi_region import MPIRegion, selected_ranks

    runs = _runs(profiling_data)
    if labels is not None and len(labels) != len(runs):
        raise ValueError(f"{len(labels)} labels were given for {len(runs)} runs")
    wanted = selected_ranks(ranks)
    files: list[dict[str, Any]] = []
    for number, run in enumerate(runs):
        statistics: dict[str, Any] = {}
        for region in run.get_regions(include, exclude):
            part = MPIRegion(
                region.name,
                {rank: region[rank] for rank in region if wanted is None or rank in wanted},
            )
            if len(part):
                per_rank = {str(rank): _figures(part[rank]) for rank in part}
                statistics[region.name] = {**_figures(part), "per_rank": per_rank}
        files.append(
            {
                "label": run.display_label if labels is None else labels[number],
                "file_path": str(run.file_path),
                "num_ranks": run.num_ranks,
                "total_time_seconds": run.total_time,
                "region_statistics": statistics,
            }
        )
    first = files[0]["region_statistics"] if files else {}
    return {
        "units": {"durations": "seconds"},
        "filters": {
            "include": include,
            "exclude": exclude,
            "ranks": None if wanted is None else sorted(wanted),
        },
        "common_regions": [
            name for name in first if all(name in file["region_statistics"] for file in files)
        ],
        "files": files,
    }


def write_region_statistics_json(
    profiling_data: ProfilingResults | Sequence[ProfilingResults],
    filepath: str | Path,
    ranks: Sequence[int] | int | None = None,
    include: Any = None,
    exclude: Any = None,
    labels: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Write what collect_region_statistics() returns; returned, too."""
    import json

    statistics = collect_region_statistics(profiling_data, ranks, include, exclude, labels)
    document = {
        "format": "scope-profiler-plot-data",
        "format_version": 1,
        "plot": "region_statistics",
        **statistics,
    }
    with open(filepath, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")
    return statistics


def inspect_file(
    file_path: str | Path | ProfilingResults,
    include: Any = None,
    exclude: Any = None,
    ranks: Any = None,
    sort: str = "start",
    show_metadata: bool = True,
    show_regions: bool = True,
    full: bool = False,
    source: Sequence[str] | None = None,
    columns: Any = None,
    percentage_mode: str = "coverage",
    stream: Any = None,
) -> None:
    """Print a profile's metadata, its regions, and the source of the regions in `source`.

    FileNotFoundError, CorruptProfileError; KeyError for a region that is not there.
    """
    from ._boxes import encodable
    from .summary import print_region_table, region_rows

    stream = sys.stdout if stream is None else stream

    def say(text: str = "") -> None:
        print(encodable(text, stream), file=stream)

    for run in _runs(file_path):
        lines = [str(run.file_path), _overview(run)]
        rule = "=" * max(len(line) for line in lines)
        say("\n".join([rule, *lines, rule]))
        if show_metadata:
            say("\n".join(["", "Metadata", *_metadata_lines(run.metadata, full)]))
        if show_regions:
            say()
            rows = region_rows(run, include, exclude, ranks, sort, percentage_mode, columns)
            print_region_table(
                rows,
                f"Regions ({len(run)})",
                stream,
                columns=columns,
                percentage_mode=percentage_mode,
            )
        for name in source or ():
            region = run[name]
            where = f"{region.source_file or 'unknown file'}:{region.source_lineno or '?'}"
            say(f"\n{name} ({where})")
            text = (
                region.source_text or "no source was stored: record with capture_region_source=True"
            )
            say("\n".join("  " + line for line in text.splitlines()))
        say()


def _overview(run: ProfilingResults) -> str:
    told = [f"{run.num_ranks} rank(s)", f"{len(run)} region(s)"]
    if os.path.exists(run.file_path):
        told.append(f"{os.path.getsize(run.file_path) / 2**20:.2f} MiB")
    told.append(f"{run.time_span:g} s from the first call to the last")
    if run.total_time is not None:
        told.append(f"{run.total_time:g} s from setup to finalize")
    return ", ".join(told)


def _metadata_lines(metadata: dict[str, Any], full: bool) -> list[str]:
    """The values in groups; long ones cut unless `full`."""
    groups = {name: [key for key in keys if key in metadata] for name, keys in _GROUPS.items()}
    grouped = {key for keys in groups.values() for key in keys}
    groups["Other"] = sorted(key for key in metadata if key not in grouped)
    width = max((len(key) for key in metadata), default=0)
    lines = []
    for name, keys in groups.items():
        lines += [f"  {name}"] if keys else []
        for key in keys:
            value = metadata[key]
            text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
            if not full and len(text) > _SHORT:
                text = f"{text[:_SHORT]}... ({len(text)} characters; --full)"
            lines.append(f"    {key.ljust(width)} : {text}")
    return lines
