"""Traces that C and Fortran programs wrote with scope-profiler 0.7.5, and per-rank HDF5 files:
read, joined into one run, converted, or folded into a Python run.
"""

from __future__ import annotations

import os

from ._files import ERR_CORRUPT, ERR_VERSION, reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    import numpy as np

    from . import _read
    from .region import Region
    from .results import ProfilingResults

    Inputs = str | Path | Sequence[str | Path]

__all__ = [
    "FORMAT_VERSION",
    "HDF5_SUFFIX",
    "KNOWN_FORMAT_VERSIONS",
    "MAGIC",
    "RANK_HDF5_GLOB",
    "RegionTrace",
    "TRACE_SUFFIX",
    "TraceFormatError",
    "c_include_dir",
    "c_source_path",
    "convert_traces",
    "find_traces",
    "fold_in",
    "fortran_source_path",
    "load_traces",
    "read_native_h5",
    "read_native_ranks",
    "read_trace",
    "write_results",
]

MAGIC = b"SCOPEPRF"
FORMAT_VERSION = 2
KNOWN_FORMAT_VERSIONS = (1, 2)
TRACE_SUFFIX, HDF5_SUFFIX = ".spt", ".h5"
RANK_HDF5_GLOB = "*_rank[0-9]*.h5"


class TraceFormatError(ValueError):
    """A trace that is none, is damaged, or is of a rank that another one has, too."""


class RegionTrace:
    """The calls of one region: int64 ns, in order of entry; source unknown: None."""

    __slots__ = ("start_times", "end_times", "source_file", "source_lineno")

    def __init__(
        self,
        start_times: np.ndarray,
        end_times: np.ndarray,
        source_file: str | None = None,
        source_lineno: int | None = None,
    ) -> None:
        self.start_times, self.end_times = start_times, end_times
        self.source_file, self.source_lineno = source_file, source_lineno

    def __repr__(self) -> str:
        return f"RegionTrace({len(self.start_times)} calls)"


# ---- one file ----


def _open(path: str | Path) -> _read.Table:
    """FileNotFoundError, TraceFormatError; of an .h5 file what read_h5() raises."""
    from . import _read

    name = os.fspath(path)
    if name.lower().endswith(HDF5_SUFFIX):
        from .h5reader import open_table

        return open_table(name)
    if not os.path.exists(name):
        raise FileNotFoundError(f"there is no trace {name}")
    return reading(
        _read.open_trace, name, {ERR_CORRUPT: TraceFormatError, ERR_VERSION: TraceFormatError}
    )


def read_trace(path: str | Path) -> tuple[int, dict[str, RegionTrace]]:
    """The rank of a .spt trace and its regions, in the order of the file.

    FileNotFoundError; TraceFormatError: too short, no trace, of an unknown version,
    truncated, or with bytes left over.
    """
    import numpy as np

    table = _open(path)
    starts = np.asarray(table.column("start_ns"))
    ends = starts + np.asarray(table.column("duration_ns"))
    names, traces, rank = table.part("regions"), {}, table.part("rank_count") - 1
    for pair in table.part("pairs"):
        rows = slice(pair["first"], pair["first"] + pair["count"])
        line = pair["source_line"]
        traces[names[pair["region"]]] = RegionTrace(
            starts[rows], ends[rows], pair["source_file"] or None, None if line < 0 else line
        )
        rank = pair["rank"]
    return rank, traces


def read_native_h5(path: str | Path) -> tuple[dict[int, dict[str, Region]], dict[str, Any]]:
    """Regions by rank and name, and the metadata, of an HDF5 file. Raises as read_h5()."""
    from .h5reader import read_h5

    return _by_rank(read_h5(path))


def read_native_ranks(path: str | Path) -> tuple[dict[int, dict[str, Region]], dict[str, Any]]:
    """As read_native_h5(), of a .spt trace, too; that has no metadata."""
    if os.fspath(path).lower().endswith(HDF5_SUFFIX):
        return read_native_h5(path)
    from .results import from_table

    return _by_rank(from_table(_open(path), file_path=path))[0], {}


def _by_rank(results: ProfilingResults) -> tuple[dict[int, dict[str, Region]], dict[str, Any]]:
    ranks: dict[int, dict[str, Region]] = {}
    for region in results:
        for rank in region:
            ranks.setdefault(rank, {})[region.name] = region[rank]
    return dict(sorted(ranks.items())), results.metadata


# ---- a run of several files ----


def find_traces(inputs: Inputs) -> list[Path]:
    """The files that are meant: a folder stands for its .spt traces and per-rank .h5 files.

    FileNotFoundError: no such file or folder, or a folder without any.
    """
    from pathlib import Path

    found: dict[Path, None] = {}
    for given in [inputs] if isinstance(inputs, (str, os.PathLike)) else inputs:
        path = Path(given)
        if path.is_dir():
            inside = [*sorted(path.glob("*" + TRACE_SUFFIX)), *sorted(path.glob(RANK_HDF5_GLOB))]
            if not inside:
                raise FileNotFoundError(
                    f"there are no .spt traces and no per-rank .h5 files in {path}"
                )
            found.update(dict.fromkeys(inside))
        elif path.exists():
            found[path] = None
        else:
            raise FileNotFoundError(f"there is no file or folder {path}")
    return list(found)


def _tables(inputs: Inputs) -> list[tuple[Path, _read.Table]]:
    """Each file's table. TraceFormatError: two files of one rank, or no file at all."""
    tables = [(path, _open(path)) for path in find_traces(inputs)]
    if not tables:
        raise TraceFormatError("no traces were given")
    owner: dict[int, Path] = {}
    for path, table in tables:
        for rank in sorted({pair["rank"] for pair in table.part("pairs")}):
            if rank in owner:
                raise TraceFormatError(
                    f"{owner[rank]} and {path} are both of rank {rank}: give each rank its own "
                    "number in sp_init(), and one run at a time here"
                )
            owner[rank] = path
    return tables


def _rank_of(table: _read.Table) -> int:
    ranks = [int(pair["rank"]) for pair in table.part("pairs")]
    return min(ranks) if ranks else int(table.part("rank_count"))


def load_traces(inputs: Inputs, label: str | None = None) -> ProfilingResults:
    """The traces of one run as results. Metadata is that of the lowest rank's file, with
    source, trace_format_version, start_time_ns and the label.

    FileNotFoundError; TraceFormatError: a damaged file, or two of one rank.
    """
    from . import _read
    from .results import from_table

    tables = sorted(_tables(inputs), key=lambda one: _rank_of(one[1]))
    metadata = dict(tables[0][1].part("metadata"))
    earliest = [
        pair["statistics"][5]
        for _, table in tables
        for pair in table.part("pairs")
        if pair["count"]
    ]
    table = _read.merge([table for _, table in tables])
    metadata.update(source="native", trace_format_version=FORMAT_VERSION)
    parts: dict[str, Any] = {"metadata": metadata}
    if earliest:
        metadata["start_time_ns"] = parts["start_time_ns"] = min(earliest)
    if label is not None:
        metadata["label"] = label
    table = table.replace(**parts)
    if not table.nests:
        table.nest()
    return from_table(table, file_path="native_trace")


def write_results(results: ProfilingResults, output_path: str | Path) -> Path:
    """Write results in the format of the name: write_profile()."""
    from .profile_io import write_profile

    return write_profile(results, output_path)


def convert_traces(inputs: Inputs, output_path: str | Path, label: str | None = None) -> Path:
    """Join traces into one file; its label is the file's stem unless given.

    Raises as load_traces() and write_profile().
    """
    from pathlib import Path

    stem = Path(output_path).name.partition(".")[0]
    return write_results(load_traces(inputs, stem if label is None else label), output_path)


# ---- in a Python run ----


def fold_in(
    table: _read.Table, inputs: Inputs, rank: int | None = None, first_call_id: int | None = None
) -> _read.Table:
    """The table of one rank with the calls of this rank's native files as regions of their own.

    They have no thread and no task, so that they are on lane -1. Files of other ranks are
    left out. rank, first_call_id: the table's own unless given. ValueError: a region of that
    name is in the table already; else as load_traces().
    """
    import numpy as np

    if rank is None:
        rows = table.part("ranks") or table.part("pairs")
        rank = int(rows[0]["rank"]) if rows else 0
    if first_call_id is None:
        ids = table.column("call_ids")
        first_call_id = int(np.asarray(ids).min()) if ids is not None and len(ids) else 0
    for path, native in _tables(inputs):
        pairs = [pair for pair in native.part("pairs") if pair["rank"] == rank]
        if pairs:
            table = _fold(table, native.replace(pairs=pairs), path)
    table.nest(first_call_id)
    return table


def _fold(table: _read.Table, native: _read.Table, path: Path) -> _read.Table:
    """Both tables' rows; the native ones come last on their rank."""
    import numpy as np

    regions = table.part("regions")
    names = native.part("regions")
    pairs, first = table.part("pairs"), len(table)
    for pair in native.part("pairs"):
        name = names[pair["region"]]
        if name in regions:
            raise ValueError(
                f"region {name!r} is in {path} and in this run: give one of them another name"
            )
        regions.append(name)
        pairs.append(
            {
                **pair,
                "region": len(regions) - 1,
                "first": first,
                "exclusive_ns": -1,
            }
        )
        first += pair["count"]
    columns: dict[str, Any] = {}
    added = len(native)
    for name, column in table.part("columns").items():
        if name in ("call_ids", "parent_ids"):
            continue
        own = np.asarray(column)
        missing = 0 if name in ("await_ns", "flags", "mpi_bytes") else -1
        more = native.column(name) if name in ("start_ns", "duration_ns") else None
        columns[name] = np.concatenate(
            [own, np.full(added, missing, own.dtype) if more is None else np.asarray(more)]
        )
    return table.replace(regions=regions, pairs=pairs, columns=columns)


# ---- sources of the C and Fortran interfaces ----


def c_include_dir() -> Path:
    """The folder with scope/scope.h, for a C compiler. FileNotFoundError: not installed."""
    from pathlib import Path

    package = Path(__file__).resolve().parent
    for folder in (package, *package.parents[:5]):
        if (folder / "include" / "scope" / "scope.h").exists():
            return folder / "include"
    raise FileNotFoundError("the C headers are not installed beside this package")


def c_source_path() -> Path:
    raise NotImplementedError(
        "C programs link libscope instead of compiling a source file: see scope.pc"
    )


def fortran_source_path() -> Path:
    raise NotImplementedError(
        "Fortran programs use the module `scope` of libscope instead of a source file: see scope.pc"
    )
