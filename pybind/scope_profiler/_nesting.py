"""What a result set derives from how its calls nest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import NS_PER_SECOND
from .call_stack import build_call_arrays


class SharedExclusive:
    """Exclusive times of regions made by hand: each rank's calls are nested once, all regions
    together, when the first of them is asked."""

    def __init__(self, regions: dict[str, Any]) -> None:
        self.regions = regions
        self.ranks: dict[int, dict[str, np.ndarray]] = {}

    def of(self, name: str, rank: int) -> RegionExclusive:
        return RegionExclusive(self, name, rank)

    def rank(self, rank: int) -> dict[str, np.ndarray]:
        if rank not in self.ranks:
            given = list(self.regions.values())
            calls = build_call_arrays(given, rank)
            exclusive: dict[str, np.ndarray] = {}
            for index, name in enumerate(calls.names):
                exclusive[name] = np.zeros(self.regions[name][rank].durations_ns.size, np.int64)
            order = np.argsort(calls.region_index, kind="stable")
            bounds = np.searchsorted(calls.region_index[order], np.arange(len(calls.names) + 1))
            for index, name in enumerate(calls.names):
                mine = order[bounds[index] : bounds[index + 1]]
                exclusive[name][calls.call_index[mine]] = calls.exclusive_ns[mine]
            self.ranks[rank] = exclusive
        return self.ranks[rank]


class RegionExclusive:
    """Resolves the exclusive times of one region on one rank."""

    def __init__(self, shared: SharedExclusive, name: str, rank: int) -> None:
        self.shared, self.name, self.rank = shared, name, rank

    def __call__(self, region: Any) -> np.ndarray:
        return self.shared.rank(self.rank)[self.name]


def call_graph(regions: list[Any], rank: int, chosen: set[str]) -> list[dict[str, Any]]:
    """Calls of the chosen regions in order of their ids, each with the nearest chosen call
    around it: by stored ids where every region has them, else as the calls nest."""
    mine = [region for region in regions if rank in region and region[rank].num_calls]
    stored = all(
        region[rank].call_ids is not None and region[rank].parent_ids is not None for region in mine
    )
    if mine and stored:
        names = [region.name for region in mine]
        counts = [region[rank].call_ids.size for region in mine]
        which = np.repeat(np.arange(len(mine)), counts)
        index = np.concatenate([np.arange(count) for count in counts])
        ids = np.concatenate([region[rank].call_ids for region in mine])
        parents = np.concatenate([region[rank].parent_ids for region in mine])
    else:
        calls = build_call_arrays([r for r in mine if r.name in chosen], rank)
        names, which, index = calls.names, calls.region_index, calls.call_index
        ids, parents = np.arange(len(calls)), calls.parent
    order = np.argsort(ids, kind="stable")
    ids, parents = ids[order], parents[order]
    up = np.searchsorted(ids, parents)  # the place of each call's parent, -1: it is not here
    up[up == ids.size] = -1
    up = np.where(parents == ids[up], up, -1) if ids.size else up
    kept = [name in chosen for name in names]
    around: list[int | None] = [None] * ids.size  # nearest chosen call, itself included
    depths = [-1] * ids.size
    graph = []
    for place, (call_id, parent, region, call_index) in enumerate(
        zip(ids.tolist(), up.tolist(), which[order].tolist(), index[order].tolist())
    ):
        above, depth = (None, -1) if parent < 0 else (around[parent], depths[parent])
        if kept[region]:
            depth += 1
            graph.append(
                {
                    "call_id": call_id,
                    "parent_id": above,
                    "name": names[region],
                    "call_index": call_index,
                    "depth": depth,
                }
            )
            above = call_id
        around[place], depths[place] = above, depth
    return graph


def lane_label(lane: int, threads: list[Any], tasks: list[Any]) -> str:
    """ "MainThread", "Task-1 (fetch) on MainThread"; "unknown lane" for -1."""

    def found(rows: list[Any], index: int) -> Any:
        if 0 <= index < len(rows) and rows[index].index == index:  # dense, in nearly all runs
            return rows[index]
        return next((row for row in rows if row.index == index), None)

    if lane == -1:
        return "unknown lane"
    if lane < 0:
        thread = found(threads, -2 - lane)
        return str(thread.name) if thread is not None and thread.name else f"thread {-2 - lane}"
    task = found(tasks, lane)
    if task is None:
        return f"task {lane}"
    what = task.coro_name.rpartition(".")[2]
    where = lane_label(-2 - task.thread_index, threads, tasks)
    return f"{task.name or f'task {lane}'}{f' ({what})' if what else ''} on {where}"


def thread_summary(results: Any, rank: int) -> list[dict[str, Any]]:
    """A row per thread. The exclusive times of a lane's calls sum up to the time of its
    outermost ones, so no call needs to be looked at twice."""
    infos = results.threads.get(rank, [])
    size = max((info.index for info in infos), default=-1) + 1
    calls, inside_ns = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for region in results if size else ():
        mine = region[rank] if rank in region else None
        if mine is None or not mine.has_thread_data:
            continue
        if mine.stored_summary is not None:  # aggregated per lane
            for thread in mine.threads:
                if 0 <= thread < size:
                    part = mine.for_thread(thread)
                    calls[thread] += part.num_calls
                    inside_ns[thread] += part._exclusive_total_ns
            continue
        ids = mine.thread_ids
        known = (ids >= 0) & (ids < size)
        np.add.at(calls, ids[known], 1)
        np.add.at(inside_ns, ids[known], mine.exclusive_durations_ns[known])
    return [
        {
            "index": info.index,
            "name": info.name,
            "alive": info.alive,
            "wall_time": info.wall_time,
            "cpu_time": info.cpu_time,
            "num_calls": int(calls[info.index]),
            "region_time": float(inside_ns[info.index] / NS_PER_SECOND),
        }
        for info in infos
    ]
