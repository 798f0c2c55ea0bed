"""The calls of one region on one rank: times, ids, lanes, statistics.

Times are kept as int64 nanoseconds of time.perf_counter_ns, in order of entry; names without
`_ns` are float seconds. A Region made from a call table (`Region._of_rows`) takes its slice
of a column when it is first asked for; its statistics come from the table and touch no row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ._columns import (
    NOTHING,
    NS_PER_SECOND,
    OPTIONAL_COLUMNS,
    STATISTICS,
    SUMMARIZED,
    Clash,
    as_ns,
    check_percentile,
    derived,
    measure,
    percentile_seconds,
)
from .errors import EventDataUnavailableError


class Region:
    """What one region recorded on one rank.

    Raises ValueError where the columns differ in length.
    """

    def __init__(
        self,
        start_times: Any,
        end_times: Any,
        gpu_durations: Any = None,
        call_ids: Any = None,
        parent_ids: Any = None,
        thread_ids: Any = None,
        task_ids: Any = None,
        await_times: Any = None,
        event_metadata: Sequence[Mapping[str, Any]] | None = None,
        source_file: str | None = None,
        source_lineno: int | None = None,
        source_text: str | None = None,
        tags: Iterable[str] = (),
        aggregate: Mapping[str, Any] | None = None,
        event_data_available: bool = True,
    ) -> None:
        start_ns = as_ns(start_times, "start_times")
        end_ns = as_ns(end_times, "end_times")
        arrays: dict[str, np.ndarray | None] = {"start_ns": start_ns, "end_ns": end_ns}
        for name, what, values in (
            ("gpu_ns", "gpu_durations", gpu_durations),
            ("call_ids", "call_ids", call_ids),
            ("parent_ids", "parent_ids", parent_ids),
            ("thread_ids", "thread_ids", thread_ids),
            ("task_ids", "task_ids", task_ids),
            ("await_ns", "await_times", await_times),
        ):
            arrays[name] = None if values is None else as_ns(values, what)
        for name, array in arrays.items():
            if array is not None and array.size != start_ns.size:
                raise ValueError(f"{name} has {array.size} values for {start_ns.size} start times")
        arrays["duration_ns"] = end_ns - start_ns
        self._arrays = arrays
        self._rows: Any = None  # .get(name): a whole column of the table this is a slice of
        self._first = 0
        self._count = int(start_ns.size)
        self._event_metadata: Any = None if event_metadata is None else tuple(event_metadata)
        if self._event_metadata is not None and len(self._event_metadata) != self._count:
            raise ValueError(
                f"event metadata of {len(self._event_metadata)} calls for {self._count} calls"
            )
        self._source = (source_file, source_lineno, source_text)
        self._tags = tuple(tags)
        self._stored = None if aggregate is None else dict(aggregate)
        self._has_events = bool(event_data_available)
        self._statistics: dict[str, Any] | None = None
        self._folded: Mapping[str, int] | None = None
        self._lanes: Any = None  # sums per thread, of a run that was aggregated per lane
        self._exclusive: np.ndarray | None = None
        self._exclusive_total: int | None = None  # stored in the file; None: to be computed
        self._resolver: Callable[[Region], np.ndarray] | None = None

    @classmethod
    def _of_rows(
        cls,
        rows: Any,
        first: int,
        count: int,
        *,
        statistics: Sequence[float] | None = None,
        exclusive_total: int | None = None,
        event_metadata: Any = None,
        source: tuple[str | None, int | None, str | None] = (None, None, None),
        tags: Sequence[str] = (),
        folded: Mapping[str, int] | None = None,
    ) -> Region:
        """Rows [first, first + count) of a call table, whose columns `rows` gives by name.

        folded: sums of further calls, of which a bounded recording kept no more.
        """
        self = cls(NOTHING, NOTHING, tags=tags)
        self._arrays = {}
        self._rows = rows
        self._first = first
        self._count = count
        self._source = source
        self._event_metadata = event_metadata
        self._exclusive_total = exclusive_total
        self._folded = folded
        if statistics is not None and (not count or any(statistics)):
            self._statistics = {"count": count, **dict(zip(STATISTICS, statistics))}
        return self

    # ---- columns ----

    def _column(self, name: str) -> np.ndarray | None:
        arrays = self._arrays
        if name not in arrays:
            whole = None if self._rows is None else self._rows.get(name)
            part = None if whole is None else whole[self._first : self._first + self._count]
            if name == "gpu_ns" and part is not None and not (part >= 0).any():
                part = None
            if name == "call_ids" and part is not None and part.size and part[0] < 0:
                part = None  # the calls of this rank do not nest, those of others do
            arrays[name] = part
        return arrays[name]

    @property
    def start_times_ns(self) -> np.ndarray:
        return self._required("start_ns")

    @property
    def end_times_ns(self) -> np.ndarray:
        if "end_ns" not in self._arrays:
            self._arrays["end_ns"] = self.start_times_ns + self.durations_ns
        return self._required("end_ns")

    @property
    def durations_ns(self) -> np.ndarray:
        return self._required("duration_ns")

    def _required(self, name: str) -> np.ndarray:
        column = self._column(name)
        return NOTHING if column is None else column

    inclusive_durations_ns = durations_ns

    @property
    def exclusive_durations_ns(self) -> np.ndarray:
        """Each call's time outside calls nested in it. Raises NestingError."""
        if self._exclusive is None:
            self._exclusive = self._resolver(self) if self._resolver else self.durations_ns
        return self._exclusive

    @property
    def gpu_durations_ns(self) -> np.ndarray | None:
        return self._column("gpu_ns")

    @property
    def await_times_ns(self) -> np.ndarray | None:
        return self._column("await_ns")

    @property
    def thread_ids(self) -> np.ndarray | None:
        """Index of each call's thread in `results.threads`; None: not recorded."""
        return self._column("thread_ids")

    @property
    def task_ids(self) -> np.ndarray | None:
        """Index of each call's task, -1 outside tasks; None: not recorded."""
        return self._column("task_ids")

    @property
    def call_ids(self) -> np.ndarray | None:
        return self._column("call_ids")

    @property
    def parent_ids(self) -> np.ndarray | None:
        if self._rows is not None and self.call_ids is None:
            return None
        return self._column("parent_ids")

    start_times: np.ndarray = derived(lambda self: self.start_times_ns / NS_PER_SECOND)
    end_times: np.ndarray = derived(lambda self: self.end_times_ns / NS_PER_SECOND)
    durations: np.ndarray = derived(lambda self: self.durations_ns / NS_PER_SECOND)
    inclusive_durations = durations
    exclusive_durations: np.ndarray = derived(
        lambda self: self.exclusive_durations_ns / NS_PER_SECOND
    )

    @property
    def gpu_durations(self) -> np.ndarray | None:
        gpu_ns = self.gpu_durations_ns
        return None if gpu_ns is None else gpu_ns / NS_PER_SECOND

    @property
    def await_times(self) -> np.ndarray | None:
        """Seconds of each call during which its task was suspended."""
        await_ns = self.await_times_ns
        return None if await_ns is None else await_ns / NS_PER_SECOND

    @property
    def event_metadata(self) -> tuple[dict[str, Any], ...]:
        """One dict per call."""
        if not isinstance(self._event_metadata, tuple):
            text = self._event_metadata
            values = json.loads(text) if isinstance(text, str) and text else text or ()
            self._event_metadata = tuple(values) or ({},) * self.durations_ns.size
        return self._event_metadata

    @event_metadata.setter
    def event_metadata(self, values: Iterable[dict[str, Any]]) -> None:
        values = tuple(values)
        if len(values) != self._count:
            raise ValueError(f"event metadata of {len(values)} calls for {self._count} calls")
        self._event_metadata = values

    def _resolve_exclusive(self, resolver: Callable[[Region], np.ndarray]) -> None:
        """Ask `resolver`, which knows the other regions, for the exclusive durations."""
        self._resolver = resolver
        self._exclusive = None

    # ---- lanes ----

    @property
    def has_thread_data(self) -> bool:
        return self._lanes is not None or self.thread_ids is not None

    @property
    def threads(self) -> list[int]:
        """Indices of the threads that called it, ascending."""
        if self._lanes is not None:
            return sorted(self._lanes)
        ids = self.thread_ids
        return [] if ids is None else [int(i) for i in np.unique(ids)]

    def for_thread(self, thread_index: int) -> Region:
        """The calls of one thread, as a Region of their own.

        Raises ValueError where the run recorded no threads.
        """
        index = int(thread_index)
        if self._lanes is not None:
            empty = dict.fromkeys(("count", "total", "minimum", "maximum", "exclusive"), 0)
            return self._like(NOTHING, NOTHING, aggregate=self._lanes.get(index, empty))
        ids = self.thread_ids
        if ids is None:
            raise ValueError("this run recorded no threads: profile it with track_threads=True")
        rows = np.flatnonzero(ids == index)
        part = self._like(self.start_times_ns[rows], self.end_times_ns[rows])
        for name in OPTIONAL_COLUMNS:
            column = self._column(name)
            part._arrays[name] = None if column is None else column[rows]
        if self._event_metadata:
            metadata = self.event_metadata
            part._event_metadata = tuple(metadata[i] for i in rows)
        if self._resolver or self._exclusive is not None:
            part._resolve_exclusive(lambda _: self.exclusive_durations_ns[rows])
        return part

    def _like(self, start_ns: np.ndarray, end_ns: np.ndarray, aggregate: Any = None) -> Region:
        part = Region(start_ns, end_ns, tags=self._tags, aggregate=aggregate)
        part._source = self._source
        return part

    # ---- statistics: float seconds, 0.0 of no calls ----

    def _statistic(self, name: str) -> Any:
        if self._stored is not None:
            return self._stored.get(name, 0)
        if self._statistics is None:
            self._statistics = measure(self.start_times_ns, self.durations_ns)
        value = self._statistics[name]
        return value if self._folded is None else _with_folded(name, value, self._folded)

    def _seconds(self, name: str) -> float:
        return float(self._statistic(name)) / NS_PER_SECOND

    @property
    def has_folded_calls(self) -> bool:
        """Some calls are known as sums only: a bounded recording kept no more of them."""
        return bool(self._folded and self._folded["count"])

    @property
    def folded_total_ns(self) -> int:
        return int(self._folded["total"]) if self._folded else 0

    @property
    def num_calls(self) -> int:
        if self._stored is not None:
            return int(self._stored.get("count", 0))
        return self._count + (self._folded["count"] if self._folded else 0)

    def __len__(self) -> int:
        return self.num_calls

    total_duration: float = derived(lambda self: self._seconds("total"))
    inclusive_duration = total_duration
    min_duration: float = derived(lambda self: self._seconds("minimum"))
    max_duration: float = derived(lambda self: self._seconds("maximum"))
    first_duration: float = derived(lambda self: self._seconds("first"))
    last_duration: float = derived(lambda self: self._seconds("last"))
    first_start_time: float = derived(lambda self: self._seconds("start_minimum"))
    last_end_time: float = derived(lambda self: self._seconds("end_maximum"))

    @property
    def average_duration(self) -> float:
        return self.total_duration / self.num_calls if self.num_calls else 0.0

    @property
    def std_duration(self) -> float:
        """Population standard deviation; 0.0 of an aggregated run, which keeps none."""
        calls = self.num_calls if self._stored is not None else self._count
        return float((self._statistic("m2") / calls) ** 0.5) / NS_PER_SECOND if calls else 0.0

    @property
    def _exclusive_total_ns(self) -> int:
        if self._stored is not None:
            stored = int(self._stored.get("exclusive", -1))
            return stored if stored >= 0 else int(self._stored.get("total", 0))
        folded = self._folded["exclusive"] if self._folded else 0
        if self._exclusive_total is not None:
            return self._exclusive_total + folded
        return int(self.exclusive_durations_ns.sum()) + folded

    @property
    def exclusive_duration(self) -> float:
        """Seconds in this region and in no region inside it. Raises NestingError."""
        return self._exclusive_total_ns / NS_PER_SECOND

    total_exclusive_duration = exclusive_duration

    def percentile_duration(self, percentile: float) -> float | None:
        """Seconds; None where single calls are not kept. ValueError outside 0 to 100."""
        q = check_percentile(percentile)
        return None if self._stored is not None else percentile_seconds(self.durations_ns, q)

    p50_duration: float | None = derived(lambda self: self.percentile_duration(50))
    p95_duration: float | None = derived(lambda self: self.percentile_duration(95))
    p99_duration: float | None = derived(lambda self: self.percentile_duration(99))

    @property
    def total_await_duration(self) -> float | None:
        await_ns = self.await_times_ns
        return None if await_ns is None else int(await_ns.sum()) / NS_PER_SECOND

    def _gpu(self) -> tuple[int, int]:
        """How many calls have a GPU time, and their sum in ns."""
        if self._stored is not None:
            return int(self._stored.get("gpu_count", 0)), int(self._stored.get("gpu_total", 0))
        gpu_ns = self.gpu_durations_ns
        if gpu_ns is None:
            return 0, 0
        known = gpu_ns[gpu_ns >= 0]
        return int(known.size), int(known.sum())

    @property
    def gpu_total_duration(self) -> float | None:
        return self._gpu()[1] / NS_PER_SECOND if self.has_gpu_timing else None

    @property
    def gpu_average_duration(self) -> float | None:
        count, total = self._gpu()
        return total / (count or 1) / NS_PER_SECOND if self.has_gpu_timing else None

    # ---- what there is ----

    @property
    def has_timing(self) -> bool:
        return self.num_calls > 0

    @property
    def has_event_data(self) -> bool:
        """False only where a file's statistics were read without its calls."""
        return self._has_events

    @property
    def has_gpu_timing(self) -> bool:
        return bool(self._gpu()[0]) or self.gpu_durations_ns is not None

    @property
    def stored_summary(self) -> dict[str, Any] | None:
        """The sums that stand for calls which are not kept, in ns; None: the calls are here."""
        return None if self._stored is None else dict(self._stored)

    source_file: str | None = derived(lambda self: self._source[0])
    source_lineno: int | None = derived(lambda self: self._source[1])
    source_text: str | None = derived(lambda self: self._source[2])
    has_source: bool = derived(lambda self: self._source[0] is not None)
    tags: tuple[str, ...] = derived(lambda self: self._tags)

    def get_summary(self) -> dict[str, Any]:
        """The statistics as one dict, GPU ones where recorded."""
        row: dict[str, Any] = {"num_calls": self.num_calls}
        for name in SUMMARIZED:
            row[f"{name}_duration"] = getattr(self, f"{name}_duration")
        if self.has_gpu_timing:
            row["gpu_total_duration"] = self.gpu_total_duration
            row["gpu_average_duration"] = self.gpu_average_duration
        return row

    def events(self, origin: float = 0.0) -> list[dict[str, Any]]:
        """One dict per call, times in seconds after `origin`.

        Raises EventDataUnavailableError on a result read with read_h5_summary().
        """
        if not self._has_events:
            raise EventDataUnavailableError(
                "this result holds statistics only, not single calls: read the file with read_h5()"
            )
        columns: list[tuple[str, list[Any]]] = [
            ("start", (self.start_times - origin).tolist()),
            ("end", (self.end_times - origin).tolist()),
            ("duration", self.durations.tolist()),
        ]
        for key, values in (
            ("gpu_duration", self.gpu_durations),
            ("call_id", self.call_ids),
            ("parent_id", self.parent_ids),
            ("thread", self.thread_ids),
            ("task", self.task_ids),
            ("await_duration", self.await_times),
        ):
            if values is not None:
                columns.append((key, values.tolist()))
        keys = ["call_index", *(key for key, _ in columns)]
        rows = [
            dict(zip(keys, values))
            for values in zip(range(self.durations_ns.size), *(values for _, values in columns))
        ]
        if self._event_metadata:
            for row, metadata in zip(rows, self.event_metadata):
                if metadata:
                    row["metadata"] = metadata
        return rows

    # ---- copies ----

    def _plain(self) -> dict[str, Any]:
        """Everything but what ties it to a table or a result set."""
        state = self.__dict__.copy()
        state["_arrays"] = {
            name: self._column(name) for name in ("start_ns", "duration_ns", *OPTIONAL_COLUMNS)
        }
        if isinstance(self._event_metadata, (str, list)):
            state["_event_metadata"] = self.event_metadata if self._event_metadata else None
        state.update(_rows=None, _first=0, _resolver=None)
        return state

    def __getstate__(self) -> dict[str, Any]:
        state = self._plain()
        if self._exclusive is None and self._resolver is not None:
            try:
                state["_exclusive"] = self.exclusive_durations_ns
            except ValueError as error:  # its calls do not nest: the copy says so too
                state["_clash"] = str(error)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        clash = state.pop("_clash", None)
        self.__dict__.update(state)
        if clash is not None:
            self._resolver = Clash(clash)

    def _twin(self) -> Region:
        """The same columns in an object of its own, for another result set."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._arrays = dict(self._arrays)
        return twin

    def _forget_ids(self) -> None:
        """In a result set where other calls of this rank have the same ids."""
        self._arrays.update(call_ids=None, parent_ids=None)
        self._exclusive_total = None

    def __repr__(self) -> str:
        return (
            f"<Region: {self.num_calls} calls, total {self.total_duration:g} s, "
            f"avg {self.average_duration:g} s>"
        )


def _with_folded(name: str, value: Any, folded: Mapping[str, int]) -> Any:
    """A statistic of the kept calls, of all calls: where the sums of the others tell."""
    if name == "total":
        return value + folded["total"]
    if name == "minimum":
        return min(value, folded["minimum"]) if folded["count"] else value
    return max(value, folded["maximum"]) if name == "maximum" else value


Region.__module__ = "scope_profiler.region"
