"""Flame charts for https://www.speedscope.app: one profile per lane that has calls."""

from __future__ import annotations

import os

from ._files import chosen_ranks, export, named_runs, runs_of, table_of_calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from .results import ProfilingResults

__all__ = ["SCHEMA_URL", "TIME_UNIT", "export_speedscope"]

SCHEMA_URL = "https://www.speedscope.app/file-format-schema.json"
TIME_UNIT = "seconds"


def export_speedscope(
    profiling_data: ProfilingResults | Sequence[ProfilingResults],
    filepath: str | Path,
    ranks: Sequence[int] | int | None = None,
    include: Any = None,
    exclude: Any = None,
    verbose: bool = True,
) -> list[Path]:
    """Write each run's ranks (rank 0 if None); the files written.

    Profiles are called `rank R - <lane>`, `rank R` without lanes. Several runs:
    `<stem>_<label><suffix>`. include, exclude: regexes at the start of names. ValueError: an
    empty sequence, no such rank, no region left, a run without single calls; NestingError.
    """
    from pathlib import Path

    what = "export_speedscope"
    written = []
    for run, label, folder, stem, suffix in named_runs(
        runs_of(profiling_data), filepath, ".speedscope.json"
    ):
        path = os.path.join(folder, stem + suffix)
        chosen = chosen_ranks(run, ranks, what)
        table = table_of_calls(run, include, exclude, what)
        export(table, "speedscope", path, ranks=chosen, name=label, gzip=path.endswith(".gz"))
        written.append(Path(path))
        if verbose:
            print(f"Wrote {path} (view at https://www.speedscope.app)")
    return written
