"""Traces for Perfetto and chrome://tracing: one track per lane."""

from __future__ import annotations

import os

from ._files import chosen_ranks, export, named_runs, runs_of

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
) -> list[Path]:
    """Write each run's ranks (rank 0 if None); the files written.

    Several runs: `<stem>_<label><suffix>`. include, exclude: regexes at the start of names.
    ValueError: an empty sequence, no such rank; EventDataUnavailableError: a run that was
    read without its calls.
    """
    from pathlib import Path

    written = []
    for run, label, folder, stem, suffix in named_runs(
        runs_of(profiling_data), filepath, ".trace.json"
    ):
        path = os.path.join(folder, stem + suffix)
        chosen = chosen_ranks(run, ranks, "export_chrome_trace")
        run._require_event_data("export_chrome_trace()")
        export(
            run._table(include, exclude), "chrome", path, ranks=chosen, name=label,
            gzip=path.endswith(".gz"),
        )
        written.append(Path(path))
        if verbose:
            print(f"Wrote {path} (open with Perfetto or chrome://tracing)")
    return written
