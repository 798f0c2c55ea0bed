"""Profiles as JSON: format "scope-profiler-profile", version 1, complete."""

from __future__ import annotations

import os

from ._files import (
    ERR_CORRUPT,
    ERR_VERSION,
    JSON_SUFFIXES,
    export,
    export_runs,
    is_json_path,
    reading,
)
from .errors import JSONProfileError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from .results import ProfilingResults

__all__ = [
    "FORMAT_NAME",
    "FORMAT_VERSION",
    "JSONProfileError",
    "JSON_SUFFIXES",
    "build_json_document",
    "export_json",
    "is_json_path",
    "read_json",
    "write_json",
]

FORMAT_NAME = "scope-profiler-profile"
FORMAT_VERSION = 1


def read_json(file_path: str | Path, verbose: bool = False) -> ProfilingResults:
    """The results in a JSON file, gzip or not; `verbose` prints what was read.

    FileNotFoundError; JSONProfileError: damaged, another format, or a newer version.
    """
    from . import _read
    from .h5reader import print_read
    from .results import from_table

    path = os.fspath(file_path)
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {path}")
    table = reading(
        _read.open_json, path, {ERR_CORRUPT: JSONProfileError, ERR_VERSION: JSONProfileError}
    )
    results = from_table(table, file_path=file_path)
    if verbose:
        print_read(file_path, results)
    return results


def write_json(
    results: ProfilingResults,
    filepath: str | Path,
    *,
    include: Any = None,
    exclude: Any = None,
    ranks: Sequence[int] | int | None = None,
    indent: int | None = None,
) -> Path:
    """Write one run; `.gz` in the name compresses, with the same bytes each time.

    The folder is made. include, exclude: regexes at the start of names.
    """
    from pathlib import Path

    path = Path(filepath)
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(results, os.fspath(path), include, exclude, ranks, indent)
    return path


def _write(results: Any, path: str, include: Any, exclude: Any, ranks: Any, indent: Any) -> None:
    export(
        results._table(include, exclude, ranks),
        "json",
        path,
        indent=-1 if indent is None else indent,
        gzip=path.lower().endswith(".gz"),
    )


def export_json(
    profiling_data: ProfilingResults | Sequence[ProfilingResults],
    filepath: str | Path,
    ranks: Sequence[int] | int | None = None,
    include: Any = None,
    exclude: Any = None,
    verbose: bool = True,
    indent: int | None = None,
) -> list[Path]:
    """Write each run as JSON, all ranks by default; the files written.

    Several runs: `<stem>_<label><suffix>`. ValueError: an empty sequence.
    """

    def write(run: ProfilingResults, _: str, stem: str, suffix: str) -> list[str]:
        _write(run, stem + suffix, include, exclude, ranks, indent)
        return [stem + suffix]

    return export_runs(profiling_data, filepath, ".json", write, "" if verbose else None)


def build_json_document(
    results: ProfilingResults, include: Any = None, exclude: Any = None, ranks: Any = None
) -> dict[str, Any]:
    """What write_json() writes, as a dict."""
    import json
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        _write(results, path, include, exclude, ranks, None)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return dict(json.load(file))
