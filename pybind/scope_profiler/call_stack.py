"""Who called whom: calls of one rank in order, with depth, parent and exclusive time.

Calls of one lane (a task, else a thread, else the whole rank) nest or are disjoint; one that
starts where another ends is its sibling, and one of no length lies inside an interval that
contains it. The nesting itself is computed in C (`_read.nest`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ._columns import NOTHING, NS_PER_SECOND, lanes_of, view
from .errors import NestingError

__all__ = [
    "CallArrays",
    "NestingError",
    "build_call_arrays",
    "build_call_stack",
    "call_stack_children",
    "call_stack_roots",
    "exclusive_totals_ns",
    "regions_from_snapshot",
    "split_by_lane",
]


lane_ids = lanes_of


class _Fields(NamedTuple):
    names: list[str]
    source_files: list[str | None]  # of names
    source_lines: list[int | None]
    region_index: np.ndarray  # into names
    call_index: np.ndarray  # into that region's own calls
    start_ns: np.ndarray
    end_ns: np.ndarray
    depth: np.ndarray  # 0 for roots
    parent: np.ndarray  # position in these arrays, -1 for roots
    exclusive_ns: np.ndarray
    lane: np.ndarray = NOTHING  # empty: the run recorded no lanes


class CallArrays(_Fields):
    """Calls of one rank as columns: start ascending, then end descending, then as recorded.

    `len()` is the number of calls. Times are int64 ns of time.perf_counter_ns.
    """

    __slots__ = ()

    def __len__(self) -> int:
        return int(self.start_ns.size)

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> CallArrays:  # type: ignore[override]
        # that of a tuple counts with len()
        return cls(*iterable)

    def _replace(self, /, **kwds: Any) -> CallArrays:
        return type(self)(**{**dict(zip(self._fields, self)), **kwds})


def _describe(names: list[str], regions: list[Any], places: tuple[int, int]) -> NestingError:
    """What is wrong with the calls at two places of the concatenated regions."""
    starts = np.cumsum([0] + [region.durations_ns.size for region in regions])

    def call(place: int) -> tuple[str, int, int]:
        which = int(np.searchsorted(starts, place, side="right")) - 1
        index = place - int(starts[which])
        region = regions[which]
        start, end = int(region.start_times_ns[index]), int(region.end_times_ns[index])
        return f"call {index} of {names[which]!r} [{start}, {end}] ns", start, end

    (text, start, end), (other, other_start, other_end) = sorted(
        (call(place) for place in places), key=lambda one: (one[1], -one[2])
    )
    if end < start:
        return NestingError(f"{text} ends before it starts")
    if other_end < other_start:
        return NestingError(f"{other} ends before it starts")
    return NestingError(
        f"calls do not nest: {other} starts inside {text} and ends after it. Regions of one "
        "thread or task must be left in reverse order of entry; if these ran on different "
        "threads or tasks, record with track_threads=True or track_async=True"
    )


def build_call_arrays(regions: Iterable[Any], rank: int) -> CallArrays:
    """The calls of `rank` in these MPIRegions, nested.

    Raises NestingError, naming two calls, where calls of one lane overlap.
    """
    from . import _read

    given = [region for region in regions if rank in region]
    mine = [region[rank] for region in given]
    names = [region.name for region in given]
    counts = [region.durations_ns.size for region in mine]
    files = [region.source_file for region in mine]
    lines = [region.source_lineno for region in mine]
    if not sum(counts):
        return CallArrays(names, files, lines, *(NOTHING,) * 7)
    start = np.concatenate([region.start_times_ns for region in mine])
    duration = np.concatenate([region.durations_ns for region in mine])
    lane = _lanes(mine, counts)
    try:
        order, depth, parent, exclusive = map(view, _read.nest(start, duration, lane))
    except _read.NestingClash as clash:
        raise _describe(names, mine, (clash.first, clash.second)) from None
    region_index = np.repeat(np.arange(len(mine)), counts)
    call_index = np.concatenate([np.arange(count) for count in counts])
    start = start[order]
    return CallArrays(
        names,
        files,
        lines,
        region_index[order],
        call_index[order],
        start,
        start + duration[order],
        depth,
        parent,
        exclusive,
        NOTHING if lane is None else lane[order],
    )


def _lanes(regions: list[Any], counts: list[int]) -> np.ndarray | None:
    """The lane of each call; None: no region knows its threads."""
    if not any(region.thread_ids is not None for region in regions):
        return None
    return np.concatenate(
        [
            np.full(count, -1)
            if region.thread_ids is None
            else lanes_of(region.thread_ids, region.task_ids)
            for region, count in zip(regions, counts)
        ]
    )


def split_by_lane(calls: CallArrays) -> list[tuple[int, CallArrays]]:
    """Each lane's calls by themselves, lane ids ascending: -2 - thread index for a thread
    without a task, a task's index for a task, -1 where nothing is known."""
    if not len(calls):
        return []
    if not calls.lane.size:
        return [(-1, calls)]
    order = np.argsort(calls.lane, kind="stable")
    lane = calls.lane[order]
    first = np.flatnonzero(np.concatenate(([True], lane[1:] != lane[:-1])))
    last = np.append(first[1:], lane.size)
    place = np.empty(lane.size, dtype=np.int64)  # of each call in its own lane
    place[order] = np.arange(lane.size) - np.repeat(first, last - first)
    parent = np.where(calls.parent >= 0, place[calls.parent], -1)
    columns = [
        column[order]
        for column in (
            calls.region_index,
            calls.call_index,
            calls.start_ns,
            calls.end_ns,
            calls.depth,
            parent,
            calls.exclusive_ns,
            calls.lane,
        )
    ]
    described = calls.names, calls.source_files, calls.source_lines
    slices = [slice(*ends) for ends in zip(first.tolist(), last.tolist())]
    parts = zip(*([column[part] for part in slices] for column in columns))
    return [
        (number, tuple.__new__(CallArrays, (*described, *part)))
        for number, part in zip(lane[first].tolist(), parts)
    ]


def build_call_stack(
    regions: Iterable[Any], rank: int, origin: float = 0.0
) -> list[dict[str, Any]]:
    """One dict per call of `rank`, in the order of build_call_arrays, times in seconds after
    `origin`; `parent` is a `call_id` (its place in the list), None for roots.

    Raises NestingError.
    """
    regions = list(regions)
    colors = {region.name: getattr(region, "color", None) for region in regions}
    calls = build_call_arrays(regions, rank)
    seconds = ((calls.end_ns - calls.start_ns) / NS_PER_SECOND).tolist()
    lanes = calls.lane.tolist() if calls.lane.size else [-1] * len(calls)
    paths: list[str] = []
    stack: list[dict[str, Any]] = []
    for call_id, (index, call_index, start, end, depth, parent, exclusive) in enumerate(
        zip(
            calls.region_index.tolist(),
            calls.call_index.tolist(),
            (calls.start_ns / NS_PER_SECOND - origin).tolist(),
            (calls.end_ns / NS_PER_SECOND - origin).tolist(),
            calls.depth.tolist(),
            calls.parent.tolist(),
            (calls.exclusive_ns / NS_PER_SECOND).tolist(),
        )
    ):
        name, duration = calls.names[index], seconds[call_id]
        path = name if parent < 0 else f"{paths[parent]} > {name}"
        paths.append(path)
        stack.append(
            {
                "call_id": call_id,
                "name": name,
                "call_index": call_index,
                "start": start,
                "end": end,
                "duration": duration,
                "inclusive_duration": duration,
                "exclusive_duration": exclusive,
                "depth": depth,
                "parent": None if parent < 0 else parent,
                "call_path": path,
                "source_file": calls.source_files[index],
                "source_lineno": calls.source_lines[index],
                "lane": lanes[call_id],
                "color": colors[name],
            }
        )
    return stack


def call_stack_roots(calls: list[dict[str, Any]]) -> list[int]:
    """Places of the calls that no call contains."""
    return [place for place, call in enumerate(calls) if call["parent"] is None]


def call_stack_children(calls: list[dict[str, Any]]) -> list[list[int]]:
    """Of each call, the places of the calls directly inside it."""
    children: list[list[int]] = [[] for _ in calls]
    for place, call in enumerate(calls):
        if call["parent"] is not None:
            children[call["parent"]].append(place)
    return children


def regions_from_snapshot(regions: Mapping[str, Any], rank: int) -> list[Any]:
    """MPIRegions of {name: what Region takes by position, at least start_ns and end_ns}."""
    from ._region import Region
    from .mpi_region import MPIRegion

    return [MPIRegion(name, {rank: Region(*columns)}) for name, columns in regions.items()]


def exclusive_totals_ns(regions: Mapping[str, Any], rank: int = 0) -> dict[str, int]:
    """Exclusive ns of each region of a snapshot (regions_from_snapshot). Raises NestingError."""
    calls = build_call_arrays(regions_from_snapshot(regions, rank), rank)
    totals = np.zeros(len(calls.names), dtype=np.int64)
    np.add.at(totals, calls.region_index, calls.exclusive_ns)
    return dict(zip(calls.names, totals.tolist()))
