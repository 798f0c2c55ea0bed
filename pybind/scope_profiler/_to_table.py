"""A call table made of results of any origin, for files and exports."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _read
from ._columns import OPTIONAL_COLUMNS, STATISTICS, measure
from ._scopes import as_json
from .mpi_region import selected_ranks


def to_table(
    results: Any, include: Any = None, exclude: Any = None, ranks: Any = None
) -> _read.Table:
    """The table of the chosen regions and ranks: the results' own where nothing is left out.

    Results read without their calls become sums, as an aggregated run has them.
    """
    from .results import matches

    source, wanted = results._source, selected_ranks(ranks)
    if source is not None and source.events:
        table: _read.Table = _with_event_metadata(source)
        if include is not None or exclude is not None or wanted is not None:
            names = [matches(name, include, exclude) for name in source.part("regions")]
            table = table.replace(**_chosen_parts(source, names, wanted))
        if results._made_metadata in (None, source.metadata()):
            return table
        return table.replace(metadata=plain_metadata(results.metadata))
    regions = [r for r in results if matches(r.name, include, exclude)]
    chosen = [
        (rank, number, region[rank])
        for number, region in enumerate(regions)
        for rank in region
        if wanted is None or rank in wanted
    ]
    chosen.sort(key=lambda one: one[0])  # ranks ascending, each in the order of the results
    parts: dict[str, Any] = {
        "rank_count": max([results.num_ranks, *(rank + 1 for rank, _, _ in chosen)]),
        "is_aggregate": bool(chosen) and all(r.stored_summary is not None for _, _, r in chosen),
        "regions": [region.name for region in regions],
        "columns": _columns([region for _, _, region in chosen]),
        "metadata": plain_metadata(results.metadata),
        "pairs": [],
        "sums": [],
    }
    parts["start_time_ns"], parts["end_time_ns"] = _span(results)
    first = 0
    for rank, number, region in chosen:
        parts["pairs"].append(_pair(rank, number, region, first))
        first += region.durations_ns.size
        parts["sums"] += _sums(rank, number, region)
    parts["threads"], parts["tasks"] = _lane_rows(results, wanted, parts["start_time_ns"])
    table = _read.Table(parts)
    if first and not table.nests:
        table.nest()
    return table


def _with_event_metadata(source: Any) -> Any:
    """The source's table, with the metadata of calls that it was given as objects."""
    if not source.event_metadata:
        return source.table
    names, pairs = source.part("regions"), source.part("pairs")
    for pair in pairs:
        values = source.event_metadata.get((pair["rank"], names[pair["region"]]))
        if values:
            pair["event_metadata"] = as_json(values)
    return source.table.replace(pairs=pairs)


def _chosen_parts(source: Any, names: list[bool], wanted: set[int] | None) -> dict[str, Any]:
    """The parts of a table that change when some regions and ranks are left out."""

    def kept(part: str) -> list[Any]:
        return [
            row
            for row in source.part(part)
            if ("region" not in row or names[row["region"]])
            and (wanted is None or row["rank"] in wanted)
        ]

    parts = {"pairs": kept("pairs"), "sums": kept("sums")}
    if wanted is not None:
        parts.update({name: kept(name) for name in ("threads", "tasks", "ranks")})
    return parts


def plain_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    """Values as a file has them: text, integers, lists of text."""
    plain: dict[str, Any] = {}
    for key, value in metadata.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple, np.ndarray)):
            plain[str(key)] = [str(part) for part in value]
        elif isinstance(value, (int, np.integer, np.bool_)):
            plain[str(key)] = int(value)
        else:
            plain[str(key)] = value if isinstance(value, str) else str(value)
    return plain


def _columns(regions: list[Any]) -> dict[str, np.ndarray]:
    """The regions' calls one after the other; a column that some region has is filled up
    for the others, but ids that some region lacks are left out."""
    detailed = [region for region in regions if region.stored_summary is None]
    if not detailed:
        return {"start_ns": np.empty(0, np.int64), "duration_ns": np.empty(0, np.int64)}
    columns = {
        "start_ns": np.concatenate([region.start_times_ns for region in detailed]),
        "duration_ns": np.concatenate([region.durations_ns for region in detailed]),
    }
    for name, missing in OPTIONAL_COLUMNS.items():
        found = [region._column(name) for region in detailed]
        known = [column for column in found if column is not None]
        ids = name in ("call_ids", "parent_ids")
        if not known or (ids and len(known) < len(found)):
            continue
        dtype = known[0].dtype
        columns[name] = np.concatenate(
            [
                np.full(region.durations_ns.size, missing, dtype) if column is None else column
                for region, column in zip(detailed, found)
            ]
        )
    if not {"call_ids", "parent_ids"} <= columns.keys():
        columns.pop("call_ids", None)
        columns.pop("parent_ids", None)
    return columns


def _pair(rank: int, number: int, region: Any, first: int) -> dict[str, Any]:
    stored = region.stored_summary
    pair: dict[str, Any] = {
        "rank": rank,
        "region": number,
        "first": first if stored is None else 0,
        "count": region.num_calls,
        "source_file": region.source_file or "",
        "source_line": -1 if region.source_lineno is None else int(region.source_lineno),
        "source_text": region.source_text or "",
        "tags": list(region.tags),
        "exclusive_ns": -1,
    }
    if stored is not None:
        pair["exclusive_ns"] = int(stored.get("exclusive", -1))
    elif region._exclusive_total is not None:
        pair["exclusive_ns"] = region._exclusive_total
    if stored is None:
        statistics = region._statistics or measure(region.start_times_ns, region.durations_ns)
        pair["statistics"] = tuple(statistics[name] for name in STATISTICS)
        given = region._event_metadata  # JSON text, if it comes from a table
        pair["event_metadata"] = given if isinstance(given, str) else as_json(given or ())
    return pair


def _sums(rank: int, number: int, region: Any) -> list[dict[str, Any]]:
    if region.stored_summary is None:
        return []
    lanes = (
        {-1: region.stored_summary}
        if region._lanes is None
        else {-2 - thread if thread >= 0 else -1: sums for thread, sums in region._lanes.items()}
    )
    return [
        {
            "rank": rank,
            "region": number,
            "lane": lane,
            "count": int(stored.get("count", 0)),
            "total_ns": int(stored.get("total", 0)),
            "minimum_ns": int(stored.get("minimum", 0)),
            "maximum_ns": int(stored.get("maximum", 0)),
            "exclusive_ns": int(stored.get("exclusive", -1)),
            "await_ns": 0,
            "first_ns": int(stored.get("first", 0)),
            "last_ns": int(stored.get("last", 0)),
        }
        for lane, stored in lanes.items()
    ]


def _span(results: Any) -> tuple[int, int]:
    """Start and end of the run in ns: of its metadata, else of its calls."""

    def known(key: str, otherwise: float) -> int:
        try:
            return int(results.metadata[key])
        except (KeyError, TypeError, ValueError):
            return round(otherwise * 1e9)

    start = known("start_time_ns", results.minimum_start_time)
    return start, max(start, known("finalize_time_ns", results.maximum_end_time))


def _lane_rows(results: Any, wanted: set[int] | None, origin: int) -> tuple[list[Any], list[Any]]:
    """Thread and task tables with absolute times."""

    def rows(kind: str, infos: Any, make: Any) -> list[Any]:
        if results._source is not None:
            known = results._source.part(kind)
        else:
            known = [make(info) for rank in sorted(infos) for info in infos[rank]]
        return [row for row in known if wanted is None or row["rank"] in wanted]

    def ns(seconds: float | None) -> int:
        return -1 if seconds is None else round(seconds * 1e9)

    def at(seconds: float | None) -> int:
        return -1 if seconds is None else origin + ns(seconds)

    def thread(info: Any) -> dict[str, Any]:
        same = ("index", "rank", "name", "ident", "native_id")
        return {
            **{name: getattr(info, name) for name in same},
            "daemon": int(info.daemon),
            "start_ns": at(info.start_time),
            "end_ns": at(info.end_time),
            "cpu_ns": ns(info.cpu_time),
        }

    def task(info: Any) -> dict[str, Any]:
        same = ("index", "rank", "kind", "name", "coro_name", "thread_index", "steps")
        return {
            **{name: getattr(info, name) for name in same},
            "created_ns": at(info.created_time),
            "done_ns": at(info.done_time),
            "running_ns": ns(info.running_time),
            "suspended_ns": ns(info.awaiting_time),
        }

    return rows("threads", results.threads, thread), rows("tasks", results.tasks, task)
