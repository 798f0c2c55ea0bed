"""Traces for Perfetto and chrome://tracing: one track per lane."""

from __future__ import annotations

from ._files import chosen_ranks, export, export_runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from .results import ProfilingResults

__all__ = ["export_chrome_trace"]


def export_chrome_trace(
    profiling_data: ProfilingResults | Sequence[ProfilingResults],
    filepath: str | Path,
    ranks: Sequence[int] | int | None = None,
    include: Any = None,
    exclude: Any = None,
    verbose: bool = True,
    arrows: bool = True,
) -> list[Path]:
    """Write each run's ranks (rank 0 if None); the files written.

    Several runs: `<stem>_<label><suffix>`. include, exclude: regexes at the start of names.
    arrows: MPI messages, from the call that sent to the call that received, where both are written.
    ValueError: an empty sequence, no such rank; EventDataUnavailableError: a run that was
    read without its calls.
    """

    def write(run: ProfilingResults, label: str, stem: str, suffix: str) -> list[str]:
        chosen = chosen_ranks(run, ranks, "export_chrome_trace")
        run._require_event_data("export_chrome_trace()")
        table, path = run._table(include, exclude), stem + suffix
        export(table, "chrome", path, ranks=chosen, name=label, gzip=path.endswith(".gz"), arrows=arrows)
        return [path]

    said = " (open with Perfetto or chrome://tracing)" if verbose else None
    return export_runs(profiling_data, filepath, ".trace.json", write, said)
