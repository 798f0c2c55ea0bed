"""Flame charts for https://www.speedscope.app: one profile per lane that has calls."""

from __future__ import annotations

from ._files import chosen_ranks, export, export_runs, table_of_calls

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
    what = "export_speedscope"

    def write(run: ProfilingResults, label: str, stem: str, suffix: str) -> list[str]:
        chosen = chosen_ranks(run, ranks, what)
        table, path = table_of_calls(run, include, exclude, what), stem + suffix
        export(table, "speedscope", path, ranks=chosen, name=label, gzip=path.endswith(".gz"))
        return [path]

    said = " (view at https://www.speedscope.app)" if verbose else None
    return export_runs(profiling_data, filepath, ".speedscope.json", write, said)
