"""HDF5 files, of this package and of any release of scope-profiler: schema 1, 2 and 3."""

from __future__ import annotations

import os

from ._files import ERR_CORRUPT, ERR_VERSION, reading
from .errors import CorruptProfileError
from .h5schema import HDF5SchemaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from . import _read
    from .results import ProfilingResults

__all__ = [
    "CorruptProfileError",
    "HDF5SchemaError",
    "SummaryDataUnavailable",
    "read_h5",
    "read_h5_summary",
]


class SummaryDataUnavailable(ValueError):
    """The file has no statistics per region, so that only its calls can be read."""


def open_table(file_path: str | Path) -> _read.Table:
    """The call table of a file. FileNotFoundError, CorruptProfileError, HDF5SchemaError."""
    from . import _read

    path = os.fspath(file_path)
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {path}")
    return reading(
        _read.open_file, path, {ERR_CORRUPT: CorruptProfileError, ERR_VERSION: HDF5SchemaError}
    )


def read_h5(file_path: str | Path, verbose: bool = False) -> ProfilingResults:
    """The results in a file; `verbose` prints what was read.

    FileNotFoundError; CorruptProfileError: not HDF5, truncated or damaged;
    HDF5SchemaError: written by a newer version.
    """
    from .results import from_table

    results = from_table(open_table(file_path), file_path=file_path)
    if verbose:
        print_read(file_path, results)
    return results


def read_h5_summary(
    file_path: str | Path,
    verbose: bool = False,
    *,
    fallback: bool = True,
    include_likwid: bool = True,
    include_line_profile: bool = True,
    regions: str | Sequence[str] | None = None,
    ranks: int | Sequence[int] | None = None,
) -> ProfilingResults:
    """The statistics in a file, without its single calls.

    regions, ranks: keep these names and ranks only. fallback: a file without statistics is
    read with its calls; else SummaryDataUnavailable. The rest as read_h5().
    """
    from .results import from_table

    table = open_table(file_path)
    stored = _has_statistics(os.fspath(file_path))
    if not stored and not fallback:
        raise SummaryDataUnavailable(
            f"{os.fspath(file_path)} has no statistics per region: read it with read_h5()"
        )
    if regions is not None or ranks is not None:
        table = _select(table, regions, ranks)
    results = from_table(table, file_path=file_path, event_data_available=not stored)
    if verbose:
        print_read(file_path, results)
    return results


def print_read(file_path: str | Path, results: ProfilingResults) -> None:
    regions, ranks = len(results), results.num_ranks
    print(
        f"Read {os.fspath(file_path)}: {regions} region{'' if regions == 1 else 's'}, "
        f"{ranks} rank{'' if ranks == 1 else 's'}"
    )


def _has_statistics(path: str) -> bool:
    """Whether the file stores statistics: HDF5 keeps the names of datasets as plain text."""
    import mmap

    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        return any(text.find(name) >= 0 for name in (b"summary_statistics", b"aggregate_counts"))


def _select(table: _read.Table, regions: Any, ranks: Any) -> _read.Table:
    """The pairs of these regions and ranks; lanes of these ranks."""
    names = {regions} if isinstance(regions, str) else _values(regions)
    numbers = None if ranks is None else {int(rank) for rank in _values(ranks) or ()}
    known = table.part("regions")
    wanted = [
        (names is None or known[pair["region"]] in names)
        and (numbers is None or pair["rank"] in numbers)
        for pair in table.part("pairs")
    ]
    pairs = [pair for pair, keep in zip(table.part("pairs"), wanted) if keep]
    kept = {(pair["rank"], pair["region"]) for pair in pairs}
    parts = {
        "pairs": pairs,
        "sums": [row for row in table.part("sums") if (row["rank"], row["region"]) in kept],
    }
    if numbers is not None:
        for lanes in ("threads", "tasks"):
            parts[lanes] = [row for row in table.part(lanes) if row["rank"] in numbers]
    return table.replace(**parts)


def _values(given: Any) -> set[Any] | None:
    if given is None:
        return None
    return set(given) if hasattr(given, "__iter__") else {given}
