"""The summary table: regions as they nest, or flat where nothing says how they nest."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._boxes import print_table
from ._columns import NS_PER_SECOND
from ._tree import call_tree, covered_ns, tree_rows
from .errors import EventDataUnavailableError, NestingError
from .mpi_region import selected_ranks

SESSION_REGION = "scope_profiler.session"

# Columns by the name that print_summary takes: key of the row, heading, format.
_COLUMNS: dict[str, tuple[str, str, str]] = {
    "region": ("name", "region", ""),
    "ranks": ("num_ranks", "ranks", "d"),
    "calls": ("calls", "n", "d"),
    "total": ("total", "total [s]", ".6f"),
    "percent": ("percent", "% session", ".2f%"),
    "parent_percent": ("parent_percent", "% parent", ".2f%"),
    "avg": ("avg", "avg/call [s]", ".3e"),
    "gpu_total": ("gpu_total", "gpu total [s]", ".6f"),
    "gpu_avg": ("gpu_avg", "gpu avg [s]", ".3e"),
    **{
        name: (name, f"{name} [s]", ".6f")
        for name in ("min", "max", "first", "last", "std", "p50", "p95", "p99")
    },
    "imbalance": ("imbalance", "imbalance [%]", ".2f"),
}
REGION_TABLE_COLUMNS = tuple(_COLUMNS)
REGION_TABLE_COLUMN_NAMES = ("name", *REGION_TABLE_COLUMNS[1:])
DEFAULT_REGION_TABLE_COLUMNS = ("region", "percent", "total")
SORT_KEYS = (
    "start",
    "total",
    "calls",
    "avg",
    "min",
    "max",
    "first",
    "last",
    "std",
    "p50",
    "p95",
    "p99",
    "imbalance",
    "name",
)
PERCENTAGE_MODES = ("coverage", "exclusive")
_SPREAD = {"std", "p50", "p95", "p99"}  # need a pass over the calls of their own
# What "(own)" has a figure for: the time of a row's calls outside the rows under it.
_OWN = ("total", "percent", "parent_percent", "avg")


def normalize_region_table_columns(columns: Any = None) -> tuple[tuple[str, str], ...]:
    """(row name, heading) of the columns asked for. ValueError for an unknown one."""
    if columns is None:
        chosen: Sequence[str] = DEFAULT_REGION_TABLE_COLUMNS
    else:
        chosen = [columns] if isinstance(columns, str) else list(columns)
    chosen = ["region" if column == "name" else column for column in chosen]
    unknown = [column for column in chosen if column not in _COLUMNS]
    if unknown:
        raise ValueError(
            f"no column {', '.join(map(repr, unknown))} in the summary; there are: "
            + ", ".join(REGION_TABLE_COLUMNS)
        )
    return tuple(
        ("name" if column == "region" else column, _COLUMNS[column][1]) for column in chosen
    )


def _sort_key(sort: str) -> Any:
    if sort not in SORT_KEYS:
        raise KeyError(sort)
    if sort in ("start", "name"):
        return lambda row: row[sort]
    return lambda row: -(row[sort] or 0.0)


def region_row(
    region: Any, ranks: Any = None, *, include_exclusive: bool = False
) -> dict[str, Any]:
    """The figures of one MPIRegion over some ranks, without its place in the call tree."""
    from .mpi_region import MPIRegion

    wanted = selected_ranks(ranks)
    part = MPIRegion(
        region.name,
        {
            rank: region[rank]
            for rank in region
            if (wanted is None or rank in wanted) and region[rank].num_calls
        },
    )
    coverage = 0
    for rank in part:
        mine = part[rank]
        sums = mine.stored_summary
        if sums is not None:
            coverage += int(sums["total"])
            continue
        order = np.argsort(mine.start_times_ns, kind="stable")
        coverage += covered_ns(mine.start_times_ns[order], mine.durations_ns[order])
        coverage += mine.folded_total_ns  # as if none of them ran inside another
    timed = part.has_timing
    stored = [part[rank].stored_summary for rank in part]
    kept = timed and all(sums is None or "m2" in sums for sums in stored)
    return {
        "name": region.name,
        "call_path": region.name,
        "num_ranks": len(part),
        "calls": part.num_calls,
        "total": part.total_duration if timed else None,
        "gpu_total": part.gpu_total_duration,
        "gpu_avg": part.gpu_average_duration,
        "coverage": coverage / NS_PER_SECOND,
        "exclusive": part.exclusive_duration if timed and include_exclusive else None,
        "avg": part.average_duration if timed else None,
        "min": part.min_duration if timed else None,
        "max": part.max_duration if timed else None,
        "first": part.first_duration if kept else None,
        "last": part.last_duration if kept else None,
        "std": part.std_duration if kept else None,
        **{f"p{q}": part.percentile_duration(q) if timed else None for q in (50, 95, 99)},
        "imbalance": part.rank_imbalance_pct if timed else None,
        "depth": 0,
        "recursive": False,
        "start": part.first_start_time if timed else float("inf"),
        "parent_coverage": None,
    }


def region_rows(
    results: Any,
    include: Any = None,
    exclude: Any = None,
    ranks: Any = None,
    sort: str = "start",
    percentage_mode: str = "coverage",
    columns: Any = REGION_TABLE_COLUMNS,
) -> list[dict[str, Any]]:
    """Rows of the table. KeyError for an unknown sort key, ValueError for a mode.

    columns: those that will be shown; what costs a pass and is not asked for stays None.
    """
    key = _sort_key(sort)
    if percentage_mode not in PERCENTAGE_MODES:
        raise ValueError("percentage_mode must be 'coverage' or 'exclusive'")
    regions = results.get_regions(include, exclude)
    wanted = selected_ranks(ranks)
    present = sorted({rank for region in regions for rank in region})
    present = [rank for rank in present if wanted is None or rank in wanted]
    detailed = results.has_event_data and all(
        region[rank].stored_summary is None and not region[rank].has_folded_calls
        for region in regions
        for rank in region
    )
    tree = None
    if detailed:
        try:
            tree = call_tree(regions, present)
        except (NestingError, EventDataUnavailableError):
            pass  # they overlap: the table is flat
    if tree is None:
        exclusive = percentage_mode == "exclusive"
        rows = [_flat_row(region, present, exclusive) for region in regions]
        return sorted(rows, key=key)
    brief = not _SPREAD & {sort, *(name for name, _ in normalize_region_table_columns(columns))}
    rows = tree_rows(tree, key, brief=brief)
    seen = {row["name"] for row in rows}
    idle = [region_row(region, present) for region in regions if region.name not in seen]
    return rows + idle


def _flat_row(region: Any, ranks: list[int], exclusive: bool) -> dict[str, Any]:
    try:
        return region_row(region, ranks, include_exclusive=exclusive)
    except NestingError:
        return region_row(region, ranks)


def _percent(part: float | None, whole: float | None) -> float | None:
    return None if part is None or not whole else part / whole * 100.0


def format_region_table(
    rows: list[dict[str, Any]], columns: Any = None, percentage_mode: str = "coverage"
) -> list[tuple[dict[str, Any], dict[str, str], bool]]:
    """(row, cells by column, whether it is the "(own)" line of the row before it)."""
    shown = [
        "region" if name == "name" else name for name, _ in normalize_region_table_columns(columns)
    ]
    return _lines(rows, "calls" not in shown, percentage_mode, REGION_TABLE_COLUMNS)


def _lines(
    rows: list[dict[str, Any]], count_in_name: bool, percentage_mode: str, shown: Sequence[str]
) -> list[tuple[dict[str, Any], dict[str, str], bool]]:
    session = sum(r["coverage"] for r in rows if r["name"] == SESSION_REGION and r["coverage"])
    lines = []
    for place, row in enumerate(rows):
        share = row["coverage"]
        if percentage_mode == "exclusive" and row["name"] != SESSION_REGION:
            share = share if row["exclusive"] is None else row["exclusive"]
        figures = {
            **row,
            "percent": _percent(share if row["calls"] else None, session),
            "parent_percent": _percent(row["coverage"], row["parent_coverage"]),
        }
        indent = "│ " * (row["depth"] - 1) + "└─ " if row["depth"] else ""
        name = f"{indent}{row['name']}{' ↻' if row['recursive'] else ''}"
        if count_in_name and row["calls"] != 1:
            name += f" ({row['calls']}x)"
        lines.append((row, _cells(figures, name, REGION_TABLE_COLUMNS, shown), False))
        below = rows[place + 1 : place + 2]
        if below and below[0]["depth"] > row["depth"]:
            own = row["exclusive"]
            figures = {
                "total": own,
                "percent": _percent(own, session),
                "parent_percent": _percent(own, row["coverage"]),
                "avg": own / row["calls"],
            }
            name = "│ " * row["depth"] + "└─ (own)"
            lines.append((row, _cells(figures, name, _OWN, shown), True))
    return lines


def _cells(
    figures: dict[str, Any], name: str, filled: Sequence[str], shown: Sequence[str]
) -> dict[str, str]:
    cells = {}
    for column in shown:
        key, _, form = _COLUMNS[column]
        if column == "region":
            cells["name"] = name
        elif column not in filled:
            cells[column] = ""
        elif figures.get(key) is None:
            cells[column] = "-"
        else:
            suffix = "%" if form.endswith("%") else ""
            cells[column] = format(figures[key], form.rstrip("%")) + suffix
    return cells


def print_region_table(
    rows: list[dict[str, Any]],
    title: str | None = None,
    stream: Any = None,
    suppress_notes: bool = False,
    total_time: float | None = None,
    columns: Any = None,
    percentage_mode: str = "coverage",
    file_path: Any = None,
) -> None:
    """Print rows of region_rows, and below them what the figures are."""
    stream = sys.stdout if stream is None else stream
    chosen = normalize_region_table_columns(columns)
    if not rows:
        if title and not suppress_notes:
            print(title, file=stream)
        print("  (no regions recorded)", file=stream)
        return
    has_session = any(row["name"] == SESSION_REGION for row in rows)
    if columns is None and not has_session:
        chosen = tuple(column for column in chosen if column[0] != "percent")
    shown = ["region" if name == "name" else name for name, _ in chosen]
    lines = _lines(rows, "calls" not in shown, percentage_mode, shown)
    print_table(
        [heading for _, heading in chosen],
        [[cells[name] for name, _ in chosen] for _, cells, _ in lines],
        ["left" if name == "name" else "right" for name, _ in chosen],
        stream,
        ()
        if suppress_notes
        else _notes(rows, title, total_time, percentage_mode, file_path, has_session),
    )


def _notes(
    rows: list[dict[str, Any]],
    title: str | None,
    total_time: float | None,
    percentage_mode: str,
    file_path: Any,
    has_session: bool,
) -> list[str]:
    notes = [f"Summary: {title}"] if title else []
    if total_time is not None:
        notes.append(f"The run took {total_time:.6f} s from setup to finalize.")
    if len(rows) > 1:
        notes.append("Regions nest: totals may add up to more than the time that passed.")
    if any(row["recursive"] for row in rows):
        notes.append("↻ calls itself: n counts every call, the total the outermost ones.")
    if any(not row["calls"] for row in rows):
        notes.append("Regions without figures have no calls on these ranks.")
    if has_session and percentage_mode == "exclusive":
        notes.append("% session: time in a region and in no region inside it.")
    elif has_session:
        notes.append("% session: time during which some call of the region was running.")
    if file_path:
        import shlex

        path = shlex.quote(str(file_path))
        notes.append(f"More: scope-profiler inspect {path}")
        notes.append(f"      scope-profiler export speedscope {path} -o .")
    return notes


def print_summary(
    results: Any,
    include: Any = None,
    exclude: Any = None,
    ranks: Any = None,
    sort: str = "start",
    title: str | None = None,
    stream: Any = None,
    suppress_notes: bool = False,
    columns: Any = None,
    percentage_mode: str = "coverage",
) -> None:
    """As ProfilingResults.print_summary."""
    if not results.is_root:
        return
    normalize_region_table_columns(columns)
    rows = region_rows(results, include, exclude, ranks, sort, percentage_mode, columns)
    print_region_table(
        rows,
        results.default_title() if title is None else title,
        stream,
        suppress_notes,
        columns=columns,
        percentage_mode=percentage_mode,
        file_path=results._file_path if os.path.isfile(results._file_path) else None,
    )
