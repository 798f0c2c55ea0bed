"""Profiles for pstats, snakeviz and the like: one file per rank."""

from __future__ import annotations

import os

from ._files import chosen_ranks, export, export_runs, runs_of, table_of_calls, unique_labels

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pstats
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from .results import ProfilingResults

__all__ = ["export_prof", "load_prof", "to_pstats"]


def export_prof(
    profiling_data: ProfilingResults | Sequence[ProfilingResults],
    filepath: str | Path,
    ranks: Sequence[int] | int | None = None,
    include: Any = None,
    exclude: Any = None,
    call_paths: bool = True,
    verbose: bool = True,
) -> list[Path]:
    """Write `<stem>_rank<r>.prof` for each run's ranks (rank 0 if None); the files written.

    call_paths: a region is one entry per path of regions around it, named "a > b"; else one
    entry. Several runs: `<stem>_<label>_rank<r>.prof`. ValueError: an empty sequence, no such
    rank, no region left, a run without single calls; NestingError.
    """
    what = "export_prof"

    def write(run: ProfilingResults, label: str, stem: str, suffix: str) -> list[str]:
        chosen = chosen_ranks(run, ranks, what)
        table = table_of_calls(run, include, exclude, what)
        paths = [f"{stem}_rank{rank}{suffix}" for rank in chosen]
        for rank, path in zip(chosen, paths):
            export(table, "prof", path, ranks=[rank], name=label, call_paths=call_paths)
        return paths

    said = " (view with: snakeviz {path})" if verbose else None
    return export_runs(profiling_data, filepath, ".prof", write, said, last=True)


def to_pstats(
    profiling_data: ProfilingResults | Sequence[ProfilingResults],
    ranks: Sequence[int] | int | None = None,
    include: Any = None,
    exclude: Any = None,
    call_paths: bool = True,
) -> dict[tuple[str, int], pstats.Stats]:
    """{(label, rank): Stats}, without a file. Raises as export_prof()."""
    import tempfile

    what = "to_pstats"
    runs = runs_of(profiling_data)
    stats = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rank.prof")
        for run, label in zip(runs, unique_labels([run.display_label for run in runs])):
            chosen = chosen_ranks(run, ranks, what)
            table = table_of_calls(run, include, exclude, what)
            for rank in chosen:
                export(table, "prof", path, ranks=[rank], name=label, call_paths=call_paths)
                stats[label, rank] = load_prof(path)
                vars(stats[label, rank])["files"] = []  # there is no file soon
    return stats


def load_prof(filepath: str | Path) -> pstats.Stats:
    """The statistics in a .prof file. FileNotFoundError; ValueError: it is no such file."""
    import pstats

    path = os.fspath(filepath)
    try:
        return pstats.Stats(path)
    except (EOFError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path} is not a .prof file: {error}") from None
