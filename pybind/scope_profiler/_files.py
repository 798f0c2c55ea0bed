"""What the readers and writers of files share: status codes as exceptions, names of files."""

from __future__ import annotations

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from . import _read
    from .results import ProfilingResults

# runtime/include/scope/status.h
ERR_ARGUMENT, ERR_MISSING, ERR_CORRUPT, ERR_VERSION, ERR_SPACE = -1, -5, -6, -7, -8
ERR_NESTING = -13
JSON_SUFFIXES = (".json", ".json.gz")
HTML_SUFFIXES = (".html", ".htm")


def is_json_path(path: str | Path) -> bool:
    return os.fspath(path).lower().endswith(JSON_SUFFIXES)


def plain_error(error: _read.FileError, path: str) -> OSError:
    """The OSError that Python's own open() would raise here, or one with the same sentence."""
    text = str(error)
    if error.status == ERR_MISSING:
        return FileNotFoundError(text)
    if error.status == ERR_SPACE:
        return OSError(errno.ENOSPC, text)
    if os.path.isdir(path):
        return IsADirectoryError(errno.EISDIR, text)
    if "Permission denied" in text:
        return PermissionError(text)
    return OSError(text)


# ---- exports ----


def runs_of(data: Any) -> list[ProfilingResults]:
    """One result or several as a list; those of ranks other than 0 are left out.

    ValueError: an empty sequence.
    """
    if hasattr(data, "is_root"):
        runs = [data]
    else:
        runs = list(data)
        if not runs:
            raise ValueError("there is nothing to export: an empty sequence of results")
        for run in runs:
            if not hasattr(run, "is_root"):
                raise TypeError(f"ProfilingResults are wanted, not {type(run).__name__}")
    return [run for run in runs if run.is_root]


def unique_labels(labels: Sequence[str]) -> list[str]:
    """Equal ones get " (2)", " (3)" ..."""
    taken: set[str] = set()
    unique = []
    for label in labels:
        candidate, number = label, 1
        while candidate in taken:
            number += 1
            candidate = f"{label} ({number})"
        taken.add(candidate)
        unique.append(candidate)
    return unique


def slug(label: str) -> str:
    """The label as a part of a file's name."""
    import re

    return re.sub(r"[^\w.\-]+", "_", label).strip("_") or "run"


def split_name(name: str, suffix: str, last: bool) -> tuple[str, str]:
    """Stem and suffix: from the first dot, or the `last` one; `suffix` where there is none."""
    dot = name.rfind(".") if last else name.find(".", 1)
    return (name, suffix) if dot < 1 else (name[:dot], name[dot:])


def named_runs(
    runs: list[ProfilingResults], filepath: Any, suffix: str, last: bool = False
) -> Iterator[tuple[ProfilingResults, str, str, str, str]]:
    """(run, label, folder, stem, suffix) of each run's file; several runs have their label in
    the stem. The folder is made."""
    folder, name = os.path.split(os.fspath(filepath))
    if folder:
        os.makedirs(folder, exist_ok=True)
    stem, suffix = split_name(name, suffix, last)
    labels = unique_labels([run.display_label for run in runs])
    slugs = unique_labels([slug(label) for label in labels])
    for run, label, part in zip(runs, labels, slugs):
        yield run, label, folder, stem if len(runs) == 1 else f"{stem}_{part}", suffix


def export_runs(
    data: Any,
    filepath: Any,
    suffix: str,
    write: Callable[[ProfilingResults, str, str, str], list[str]],
    said: str | None,
    last: bool = False,
) -> list[Path]:
    """write(run, label, folder and stem, suffix) for each run; the files that it says it wrote.
    said: what is printed after "Wrote <path>", with {path} in it; None: nothing is printed."""
    from pathlib import Path

    written = []
    for run, label, folder, stem, suffix in named_runs(runs_of(data), filepath, suffix, last):
        for path in write(run, label, os.path.join(folder, stem), suffix):
            written.append(Path(path))
            if said is not None:
                print(f"Wrote {path}{said.format(path=path)}")
    return written


def chosen_ranks(run: ProfilingResults, ranks: Any, what: str) -> list[int]:
    """Ranks as a list, [0] if None. ValueError: the run has no such rank."""
    chosen = [0] if ranks is None else [ranks] if hasattr(ranks, "__index__") else list(ranks)
    for rank in chosen:
        if not 0 <= rank < run.num_ranks:
            raise ValueError(
                f"{what}: there is no rank {rank}, {run.display_label!r} has {run.num_ranks} rank"
                f"{'' if run.num_ranks == 1 else 's'}"
            )
    return [int(rank) for rank in chosen]


def table_of_calls(run: ProfilingResults, include: Any, exclude: Any, what: str) -> _read.Table:
    """The chosen regions with their calls. ValueError: there are none."""
    if not run.get_regions(include, exclude):
        raise ValueError(f"{what}: no region of {run.display_label!r} matches the filters")
    table = run._table(include, exclude)
    if table.is_aggregate or not run.has_event_data:
        raise ValueError(
            f"{what}: {run.display_label!r} has statistics only, no single calls to export"
        )
    return table


def export(table: _read.Table, format: str, path: str, **options: Any) -> None:
    """_read.export with Python's exceptions: NestingError, FileNotFoundError, OSError."""
    from . import _read
    from .errors import NestingError

    try:
        _read.export(table, format, path, **options)
    except _read.FileError as error:
        if error.status == ERR_NESTING:
            ranks = options.get("ranks")
            for rank in range(table.part("rank_count")) if ranks is None else ranks:
                if table.nesting_error(rank):
                    raise NestingError(table.nesting_error(rank)) from None
            raise NestingError(str(error)) from None
        if error.status == ERR_ARGUMENT:
            raise ValueError(str(error)) from None
        raise plain_error(error, path) from None


def reading(
    read: Callable[[str], _read.Table], path: str, errors: dict[int, Callable[[str], Exception]]
) -> _read.Table:
    """read(path); `errors` says which exception a status becomes."""
    from . import _read

    try:
        return read(path)
    except _read.FileError as error:
        make = errors.get(error.status)
        raise (make(str(error)) if make else plain_error(error, path)) from None
