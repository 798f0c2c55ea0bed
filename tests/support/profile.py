"""Read a profile with h5py alone: what the tests compare programs with.

Independent of our own reader on purpose: h5py, numpy and the description of the
file in hdf5io/FORMAT.md.

SPDX-License-Identifier: MIT
"""
from collections import Counter
from pathlib import Path

import h5py
import numpy as np

IMPLIED, CROSSED, OPEN = 1, 2, 4


def _text(values):
    return [v.decode("utf-8", "surrogateescape") if isinstance(v, bytes) else str(v) for v in values]


def _blob(group, name):
    """Byte strings stored as bytes and ends; None: not in the file."""
    ends = next((group[n] for n in (f"{name}_ends", f"{name.rstrip('s')}_ends") if n in group), None)
    if name not in group or ends is None:
        return None
    data, strings, start = group[name][()].tobytes(), [], 0
    for end in ends[()].tolist():
        strings.append(data[start:end])
        start = end
    return strings


class Profile:
    """All of a file, decoded: absolute times in ns, one row per call."""

    def __init__(self, path):
        self.path = Path(path)
        with h5py.File(path, "r") as file:
            self.attributes = dict(file.attrs)
            self.metadata = dict(file["metadata"].attrs)
            self.names = _text(file["region_table/names"][()])
            scope = file.get("scope", {})
            self.exact_names = _blob(scope, "region_names") if scope else None
            # regions that only misuse or folded sums know come after the shown ones
            self.names += [n.decode("utf-8", "backslashreplace") for n in (self.exact_names or [])[len(self.names):]]
            index = {n: d[()] for n, d in file["rank_region_index"].items() if d.dtype.kind in "iuf"}
            self.index = index
            events = {n: d[()] for n, d in file["events"].items()}
            self.threads = self._table(file, "thread_table")
            self.tasks = self._table(file, "task_table")
            self.scope = {}
            if scope:
                scope.visititems(self._take)
        self.start_time_ns = int(self.metadata["start_time_ns"])
        deltas, durations = events["start_deltas"], events["durations"]
        total = int(index["event_counts"].sum())
        assert total <= len(deltas), "index rows point beyond the columns"
        rank = np.empty(total, np.int64)
        region = np.empty(total, np.int64)
        start = np.empty(total, np.int64)
        rows = np.empty(total, np.int64)
        at = 0
        for pair in range(len(index["ranks"])):
            first, count = int(index["event_offsets"][pair]), int(index["event_counts"][pair])
            part = slice(at, at + count)
            rank[part], region[part] = index["ranks"][pair], index["region_ids"][pair]
            start[part] = np.cumsum(deltas[first:first + count])
            rows[part] = np.arange(first, first + count)
            at += count
        self.rank, self.region, self.start = rank, region, start
        self.duration = durations[rows]
        self.end = start + self.duration
        self.columns = {n: c[rows] for n, c in events.items() if n not in ("start_deltas", "durations")}
        self.flags = self.columns.get("call_flags", np.zeros(total, np.uint8))
        self.thread = self.columns.get("thread_ids", np.full(total, -1))

    def _take(self, name, item):
        if isinstance(item, h5py.Dataset):
            self.scope[name] = item[()]
        for key, value in item.attrs.items():
            self.scope[f"{name}@{key}"] = value

    @staticmethod
    def _table(file, name):
        if name not in file:
            return []
        columns = {n: d[()] for n, d in file[name].items()}
        columns = {n: _text(c) if c.dtype.kind in "SO" else c.tolist() for n, c in columns.items()}
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    @property
    def mpi_size(self):
        return int(self.metadata["mpi_size"])

    def ranks(self):
        return sorted(set(self.index["ranks"].tolist()))

    def counts(self, rank=None):
        """Calls per region name; folded ones are not among them."""
        result = Counter()
        for pair, count in enumerate(self.index["event_counts"].tolist()):
            if rank is None or self.index["ranks"][pair] == rank:
                result[self.names[self.index["region_ids"][pair]]] += count
        return result

    def own_counts(self, rank=None):
        """The same without MPI calls."""
        return Counter({n: c for n, c in self.counts(rank).items() if not n.startswith("MPI_")})

    def mpi_counts(self, rank=None):
        return Counter({n: c for n, c in self.counts(rank).items() if n.startswith("MPI_")})

    def select(self, name, rank=None):
        """Row numbers of a region's calls, in order of entry per lane."""
        mask = self.region == self.names.index(name)
        if rank is not None:
            mask &= self.rank == rank
        return np.nonzero(mask)[0]

    def _where(self, table, rank):
        ranks = self.scope.get(f"{table}/ranks")
        if ranks is None:
            return []
        return [i for i, r in enumerate(ranks.tolist()) if rank is None or r == rank]

    def misuse(self, kind, rank=None):
        """{region name: count} of "implied", "crossed" or "orphans"."""
        result = Counter()
        for i in self._where("misuse", rank):
            count = int(self.scope[f"misuse/{kind}"][i])
            if count:
                result[self.names[self.scope["misuse/region_ids"][i]]] += count
        return result

    def folded(self, rank=None):
        """{region name: calls that are kept as sums only}."""
        result = Counter()
        for i in self._where("folded", rank):
            result[self.names[self.scope["folded/region_ids"][i]]] += int(self.scope["folded/counts"][i])
        return result

    def all_counts(self, rank=None):
        return self.counts(rank) + self.folded(rank)

    def lost(self, rank=None, handlers=True):
        """Events that were counted instead of kept."""
        columns = ("dropped", "dropped_in_handlers") if handlers else ("dropped",)
        return sum(int(self.scope[f"ranks/{column}"][i]) for column in columns
                   for i in self._where("ranks", rank))

    def thread_row(self, index, rank=0):
        return next(t for t in self.threads if t["ranks"] == rank and t["index"] == index)

    def check(self):
        """What holds for every file: nesting per lane, ids, exclusive times, no event too early."""
        assert (self.duration >= 0).all()
        if len(self.start):
            assert self.start.min() >= self.start_time_ns
        for row in self.threads:
            assert row["end_ns"] == -1 or row["end_ns"] >= row["start_ns"], row
        if "call_ids" not in self.columns:
            return self
        ids, parents = self.columns["call_ids"], self.columns["parent_ids"]
        tasks = self.columns.get("task_ids", np.full(len(ids), -1))
        lane = np.where(tasks >= 0, tasks, -2 - self.thread)
        exclusive = Counter()
        for rank in self.ranks():
            rows = np.nonzero(self.rank == rank)[0]
            rows = rows[np.argsort(ids[rows], kind="stable")]
            own = ids[rows]
            if (own == -1).all():
                continue  # a rank whose calls cross, beside one whose calls nest
            assert (np.diff(own) > 0).all(), "call ids are not unique"
            nested = parents[rows] >= 0
            child, parent_id = rows[nested], parents[rows[nested]]
            at = np.searchsorted(own, parent_id)
            assert (at < len(own)).all() and (own[at] == parent_id).all(), "a parent that is not there"
            parent = rows[at]
            assert (parent_id < ids[child]).all(), "a parent's id is smaller than its child's"
            assert (lane[parent] == lane[child]).all(), "a parent on another lane"
            assert (self.start[parent] <= self.start[child]).all(), "a call begins before its parent"
            late = self.end[child] > self.end[parent]
            assert not (late & ((self.flags[child] & CROSSED) == 0)).any(), "a call ends after its parent"
            alone = self.duration[rows].astype(np.int64)
            np.subtract.at(alone, at, self.duration[child])
            for region in np.unique(self.region[rows]):
                exclusive[rank, int(region)] = int(alone[self.region[rows] == region].sum())
        if not self.flags.any():
            self._check_exclusive(exclusive)
        return self

    def _check_exclusive(self, exclusive):
        """`exclusive`: of the calls that are there. Those inside that are only known as sums are taken off, too."""
        totals = self.scope.get("folded/totals_ns", np.zeros(0, int))
        folded = {rank: totals[self._where("folded", rank)] for rank in self.ranks()}
        for pair, value in enumerate(self.index["exclusive_totals"].tolist()):
            rank, region = key = int(self.index["ranks"][pair]), int(self.index["region_ids"][pair])
            if key not in exclusive:
                continue  # of a rank whose calls cross
            most = int(folded[rank].sum()) + len(folded[rank])  # each is whole nanoseconds
            assert 0 <= exclusive[key] - value <= most, f"exclusive total of {key}"


def ours(text):
    """Our lines in a program's stderr."""
    return [line for line in text.splitlines() if line.startswith("scope:")]
