"""The calls of a result set by call path: what the summary table shows.

A node is a region under the nodes that its calls were made from. A region that calls itself
directly stays on its node, whose total then counts the outermost calls only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import NOTHING, NS_PER_SECOND, percentile_seconds
from .call_stack import CallArrays, build_call_arrays


class Calls:
    """Some calls of one rank: times in ns, `outer` those not inside another of them."""

    def __init__(
        self,
        start: np.ndarray,
        duration: np.ndarray,
        outer: np.ndarray,
        exclusive_ns: int | None,
        gpu_ns: np.ndarray | None,
    ) -> None:
        self.start, self.duration, self.outer = start, duration, outer
        self.exclusive_ns, self.gpu_ns = exclusive_ns, gpu_ns


class Node:
    """A region at one place of the call tree, its calls by rank."""

    def __init__(self, name: str, parent: Node | None) -> None:
        self.name, self.parent = name, parent
        self.depth: int = -1 if parent is None else parent.depth + 1
        self.children: dict[str, Node] = {}
        self.ranks: dict[int, Calls] = {}

    def child(self, name: str) -> Node:
        if name not in self.children:
            self.children[name] = Node(name, self)
        return self.children[name]

    @property
    def path(self) -> str:
        known = self.parent is not None and self.parent.name
        return f"{self.parent.path} > {self.name}" if known and self.parent else self.name


def call_tree(regions: list[Any], ranks: list[int]) -> Node:
    """The root, nameless, of the calls of these regions. Raises NestingError."""
    root = Node("", None)
    for rank in ranks:
        calls = build_call_arrays(regions, rank)
        if len(calls):
            _add_rank(root, calls, rank, _gpu(regions, rank, calls))
    return root


def _gpu(regions: list[Any], rank: int, calls: CallArrays) -> np.ndarray | None:
    """GPU times in the order of the calls, -1 where there is none."""
    known = [region[rank].gpu_durations_ns for region in regions if rank in region]
    if all(column is None for column in known):
        return None
    gpu = np.full(len(calls), -1)
    for index, column in enumerate(known):
        if column is not None:
            mine = calls.region_index == index
            gpu[mine] = column[calls.call_index[mine]]
    return gpu


def _small(values: np.ndarray) -> np.ndarray:
    """The same numbers in 16 bits where they fit: numpy sorts those in one pass."""
    fits = values.size and 0 <= values.min() and values.max() < 1 << 16
    return values.astype(np.uint16) if fits else values


def _distinct(keys: np.ndarray, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """The different keys, ascending, and which of them each is; all are below `limit`."""
    if limit > 4 * keys.size + 65536:
        different, which = np.unique(keys, return_inverse=True)
        return different, which.reshape(-1)
    used = np.zeros(limit, dtype=bool)
    used[keys] = True
    return np.flatnonzero(used), (np.cumsum(used) - 1)[keys]


def _add_rank(root: Node, calls: CallArrays, rank: int, gpu: np.ndarray | None) -> None:
    place = np.empty(len(calls), dtype=np.int64)  # of each call: its node in `nodes`
    outer = np.ones(len(calls), dtype=bool)
    nodes = [root]
    region_of = [-1]  # each node's region
    known: dict[int, int] = {}  # parent and region: the node
    width = len(calls.names)
    by_depth = np.argsort(_small(calls.depth), kind="stable")
    bounds = np.append(0, np.cumsum(np.bincount(calls.depth)))
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist()):
        level = by_depth[begin:end]
        region = calls.region_index[level]
        above = place[calls.parent[level]] if begin else np.zeros(level.size, dtype=np.int64)
        inner = np.asarray(region_of)[above] == region
        keys, which = _distinct(above * width + region, len(nodes) * width)
        made = []
        for key in keys.tolist():
            parent, index = divmod(key, width)
            if region_of[parent] == index:
                known[key] = parent
            elif key not in known:
                known[key] = len(nodes)
                nodes.append(nodes[parent].child(calls.names[index]))
                region_of.append(index)
            made.append(known[key])
        place[level] = np.asarray(made)[which]
        outer[level] = ~inner
    order = np.argsort(_small(place), kind="stable")
    counts = np.bincount(place, minlength=len(nodes))
    ends = np.cumsum(counts)
    duration = calls.end_ns - calls.start_ns
    for index in range(1, len(nodes)):
        mine = order[ends[index] - counts[index] : ends[index]]
        nodes[index].ranks[rank] = Calls(
            calls.start_ns[mine],
            duration[mine],
            outer[mine],
            int(calls.exclusive_ns[mine].sum()),
            None if gpu is None else gpu[mine],
        )


def covered_ns(start: np.ndarray, duration: np.ndarray) -> int:
    """Length of the union of calls, which lie in order of their start."""
    if not start.size:
        return 0
    end = start + duration
    if (start[1:] >= end[:-1]).all():  # one after the other
        return int(duration.sum())
    end = np.maximum.accumulate(end)
    begin = np.maximum(start[1:], end[:-1])
    return int(duration[0] + np.maximum(end[1:] - begin, 0).sum())


def node_row(node: Node, parent_coverage: float | None, brief: bool) -> dict[str, Any]:
    """The figures of one node, seconds; statistics over all its calls, of all ranks.

    brief: without those that need another pass over the calls.
    """
    ranks = [node.ranks[rank] for rank in sorted(node.ranks)]
    duration = np.concatenate([calls.duration for calls in ranks] or [NOTHING])
    totals = [int(calls.duration[calls.outer].sum()) for calls in ranks]
    gpu = [calls.gpu_ns for calls in ranks if calls.gpu_ns is not None]
    known = np.concatenate([part[part >= 0] for part in gpu]) if gpu else NOTHING
    first = min(ranks, key=lambda calls: calls.start[0])
    last = max(ranks, key=lambda calls: (calls.start + calls.duration).max())
    mean = sum(totals) / len(totals)
    return {
        "name": node.name,
        "call_path": node.path,
        "num_ranks": len(ranks),
        "calls": int(duration.size),
        "total": sum(totals) / NS_PER_SECOND,
        "gpu_total": int(known.sum()) / NS_PER_SECOND if known.size else None,
        "gpu_avg": float(known.mean()) / NS_PER_SECOND if known.size else None,
        "coverage": sum(covered_ns(calls.start, calls.duration) for calls in ranks) / NS_PER_SECOND,
        "exclusive": sum(calls.exclusive_ns or 0 for calls in ranks) / NS_PER_SECOND,
        "avg": float(duration.mean()) / NS_PER_SECOND,
        "min": int(duration.min()) / NS_PER_SECOND,
        "max": int(duration.max()) / NS_PER_SECOND,
        "first": int(first.duration[0]) / NS_PER_SECOND,
        "last": int(last.duration[(last.start + last.duration).argmax()]) / NS_PER_SECOND,
        "std": None if brief else float(duration.std()) / NS_PER_SECOND,
        **{f"p{q}": None if brief else percentile_seconds(duration, q) for q in (50, 95, 99)},
        "imbalance": (max(totals) / mean - 1.0) * 100.0 if len(totals) > 1 and mean else 0.0,
        "depth": node.depth,
        "recursive": any(not calls.outer.all() for calls in ranks),
        "start": min(int(calls.start[0]) for calls in ranks) / NS_PER_SECOND,
        "parent_coverage": parent_coverage,
    }


def tree_rows(
    node: Node, key: Any, above: float | None = None, brief: bool = False
) -> list[dict[str, Any]]:
    """Rows of everything under `node`, children after their parent, siblings by `key`."""
    made = [(node_row(child, above, brief), child) for child in node.children.values()]
    rows = []
    for row, child in sorted(made, key=lambda one: key(one[0])):
        rows.append(row)
        rows += tree_rows(child, key, row["coverage"], brief)
    return rows
