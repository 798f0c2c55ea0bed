"""A run's results: its regions over all ranks, its threads and tasks, its metadata.

Times without `_ns` are float seconds. What is made from a call table (`from_table`) stays
there: Regions and numpy views are made when asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from ._later import CounterResults
from ._merge import merge_results
from .errors import EventDataUnavailableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from . import _read
    from .concurrency import TaskInfo, ThreadInfo
    from .mpi_region import MPIRegion

NS_PER_SECOND = 1e9

__all__ = [
    "EventDataUnavailableError",
    "NS_PER_SECOND",
    "ProfilingResults",
    "from_table",
    "merge_results",
]


def matches(name: str, include: Any, exclude: Any) -> bool:
    """Whether regexes (one or several, at the start of the name) select this region."""
    if include is None and exclude is None:
        return True
    import re

    def any_of(patterns: Any) -> bool:
        return any(
            re.match(p, name) for p in ([patterns] if isinstance(patterns, str) else patterns)
        )

    return (include is None or any_of(include)) and not (exclude is not None and any_of(exclude))


def _overhead_row(row: dict[str, Any]) -> dict[str, Any]:
    def seconds(key: str) -> float | None:
        return row[key] / NS_PER_SECOND if row[key] >= 0 else None

    return {
        "name": row["name"],
        "num_calls": row["call_count"],
        "total_duration": seconds("total_ns"),
        "exclusive_duration": seconds("exclusive_ns"),
        "overhead_duration": seconds("overhead_ns"),
        "corrected_duration": seconds("corrected_total_ns"),
        "corrected_exclusive_duration": seconds("corrected_exclusive_ns"),
    }


class ProfilingResults(CounterResults):
    """Regions by name, in the order of the file: `[name]`, `in`, `len`, iteration.

    exclusive_totals: {name: {rank: ns}} as a file stores them. threads, tasks: lists of
    ThreadInfo and TaskInfo by rank.
    """

    def __init__(
        self,
        regions: dict[str, MPIRegion],
        metadata: dict[str, Any] | None = None,
        num_ranks: int | None = None,
        likwid: dict[int, dict[str, Any]] | None = None,
        perf_events: dict[int, dict[str, Any]] | None = None,
        line_profile: dict[int, list[Any]] | None = None,
        file_path: str | Path = "",
        is_root: bool = True,
        exclusive_totals: Mapping[str, Mapping[int, int]] | None = None,
        event_data_available: bool = True,
        threads: dict[int, list[ThreadInfo]] | None = None,
        tasks: dict[int, list[TaskInfo]] | None = None,
    ) -> None:
        self._source: Any = None  # a TableSource until regions, metadata ... are asked for
        self._made_regions: dict[str, MPIRegion] | None = dict(regions)
        self._made_metadata: dict[str, Any] | None = dict(metadata or {})
        self._made_lanes: Any = (dict(threads or {}), dict(tasks or {}))
        self._num_ranks = num_ranks
        self._likwid = dict(likwid or {})
        self._perf_events = dict(perf_events or {})
        self._line_profile = dict(line_profile or {})
        self._file_path = os.fspath(file_path)
        self._is_root = bool(is_root)
        self._has_events = bool(event_data_available)
        for name, ranks in (exclusive_totals or {}).items():
            for rank, total in ranks.items():
                if total is not None and total >= 0 and name in regions and rank in regions[name]:
                    regions[name][rank]._exclusive_total = int(total)
        self._attach()

    @classmethod
    def from_h5(cls, file_path: str | Path, verbose: bool = False) -> ProfilingResults:
        """Read a file. FileNotFoundError, CorruptProfileError."""
        from .h5reader import read_h5

        return read_h5(file_path, verbose=verbose)

    def _attach(self) -> None:
        """Tell the regions who knows what is nested in them."""
        if self._made_regions:
            from ._nesting import SharedExclusive

            shared = SharedExclusive(self._made_regions)
            for region in self._made_regions.values():
                for rank in region:
                    region[rank]._resolve_exclusive(shared.of(region.name, rank))

    # ---- what the table has, made once ----

    @property
    def _regions(self) -> dict[str, MPIRegion]:
        if self._made_regions is None:
            self._made_regions = self._source.regions()
        return self._made_regions

    @property
    def metadata(self) -> dict[str, Any]:
        """Of the run; start_time_ns and finalize_time_ns on the clock of perf_counter_ns."""
        if self._made_metadata is None:
            self._made_metadata = self._source.metadata()
        return self._made_metadata

    @property
    def _lanes(self) -> tuple[dict[int, list[ThreadInfo]], dict[int, list[TaskInfo]]]:
        if self._made_lanes is None:
            self._made_lanes = self._source.lanes()
        threads, tasks = self._made_lanes
        return threads, tasks

    @property
    def threads(self) -> dict[int, list[ThreadInfo]]:
        """By rank; {} where threads were not recorded."""
        return self._lanes[0]

    @property
    def tasks(self) -> dict[int, list[TaskInfo]]:
        """By rank, ranks without a task left out."""
        return self._lanes[1]

    @property
    def num_ranks(self) -> int:
        if self._num_ranks is None:
            if self._source is not None:
                self._num_ranks = self._source.num_ranks()
            else:
                self._num_ranks = len({rank for region in self for rank in region})
        return self._num_ranks

    @property
    def num_nodes(self) -> int | None:
        nodes = self.metadata.get("num_nodes")
        return None if nodes is None else int(nodes)

    @property
    def is_root(self) -> bool:
        return self._is_root

    @property
    def has_event_data(self) -> bool:
        return self._has_events

    @property
    def line_profile(self) -> dict[int, list[Any]]:
        return self._line_profile

    # ---- names ----

    @property
    def file_path(self) -> Path:
        from pathlib import Path

        return Path(self._file_path)

    @property
    def label(self) -> str | None:
        return self.metadata.get("label") or None

    @label.setter
    def label(self, value: str | None) -> None:
        if value:
            self.metadata["label"] = str(value)
        else:
            self.metadata.pop("label", None)

    @property
    def display_label(self) -> str:
        """The label, else the file's name without its last suffix."""
        return self.label or self.file_path.stem

    def default_title(self) -> str:
        label = f"{self.label} - " if self.label else ""
        ranks = self.num_ranks
        where = os.path.relpath(self._file_path or ".")
        return f"{label}{where} ({ranks} rank{'' if ranks == 1 else 's'})"

    # ---- regions ----

    @property
    def region_names(self) -> list[str]:
        return list(self._regions)

    def get_region(self, region_name: str) -> MPIRegion:
        """Raises KeyError, naming the regions there are."""
        try:
            return self._regions[region_name]
        except KeyError:
            raise KeyError(f"no region {region_name!r}; there are: {self.region_names}") from None

    __getitem__ = get_region

    def __contains__(self, region_name: object) -> bool:
        return region_name in self._regions

    def __len__(self) -> int:
        return len(self._regions)

    def __iter__(self) -> Iterator[MPIRegion]:
        return iter(self._regions.values())

    def get_regions(self, include: Any = None, exclude: Any = None) -> list[MPIRegion]:
        """Regions whose name matches a regex of `include` and none of `exclude`, the one
        that was entered first first."""
        chosen = [region for region in self if matches(region.name, include, exclude)]
        return sorted(chosen, key=lambda region: region.first_start_time)

    # ---- times: seconds of time.perf_counter ----

    def _metadata_time(self, key: str) -> float | None:
        try:
            return int(self.metadata[key]) / NS_PER_SECOND
        except (KeyError, TypeError, ValueError):
            return None

    @property
    def run_start_time(self) -> float | None:
        return self._metadata_time("start_time_ns")

    @property
    def finalize_time(self) -> float | None:
        return self._metadata_time("finalize_time_ns")

    @property
    def minimum_start_time(self) -> float:
        return min((r.first_start_time for r in self if r.num_calls), default=0.0)

    @property
    def maximum_end_time(self) -> float:
        return max((r.last_end_time for r in self if r.num_calls), default=0.0)

    @property
    def time_span(self) -> float:
        return self.maximum_end_time - self.minimum_start_time

    @property
    def time_origin(self) -> float:
        """When the run was set up, else when its first region was entered."""
        start = self.run_start_time
        return self.minimum_start_time if start is None else start

    @property
    def startup_time(self) -> float:
        return self.minimum_start_time - self.time_origin

    @property
    def total_time(self) -> float | None:
        start, end = self.run_start_time, self.finalize_time
        return None if start is None or end is None else end - start

    def _origin(self, relative: bool, origin: float | None) -> float:
        if origin is not None:
            return float(origin)
        return self.time_origin if relative else 0.0

    # ---- calls ----

    def _require_event_data(self, operation: str) -> None:
        if not self._has_events:
            raise EventDataUnavailableError(
                f"{operation} needs single calls, and this result was read without them "
                "(read_h5_summary): read the file with read_h5()"
            )

    def call_stack(
        self,
        rank: int = 0,
        include: Any = None,
        exclude: Any = None,
        relative: bool = True,
        origin: float | None = None,
    ) -> list[dict[str, Any]]:
        """The calls of a rank with depth, parent and path (call_stack.build_call_stack).

        Raises NestingError, EventDataUnavailableError.
        """
        self._require_event_data("call_stack()")
        from .call_stack import build_call_stack

        return build_call_stack(
            self.get_regions(include, exclude), rank, self._origin(relative, origin)
        )

    def call_graph(
        self, rank: int = 0, include: Any = None, exclude: Any = None
    ) -> list[dict[str, Any]]:
        """The calls of a rank with the calls they were made from; a region that is left out
        is skipped over. Raises NestingError, EventDataUnavailableError."""
        self._require_event_data("call_graph()")
        from ._nesting import call_graph

        chosen = {r.name for r in self if matches(r.name, include, exclude)}
        return call_graph(self.get_regions(), rank, chosen)

    def events(
        self,
        include: Any = None,
        exclude: Any = None,
        ranks: Any = None,
        relative: bool = True,
        origin: float | None = None,
    ) -> list[dict[str, Any]]:
        """One dict per call: region after region, rank after rank.

        Raises EventDataUnavailableError.
        """
        self._require_event_data("events()")
        start = self._origin(relative, origin)
        return [
            event
            for region in self.get_regions(include, exclude)
            for event in region.events(ranks, start)
        ]

    # ---- threads and tasks ----

    def lane_label(self, lane: int, rank: int = 0) -> str:
        """What a lane of call_stack.split_by_lane is called."""
        from ._nesting import lane_label

        return lane_label(lane, self.threads.get(rank, []), self.tasks.get(rank, []))

    def thread_summary(self, rank: int = 0) -> list[dict[str, Any]]:
        """A dict per thread: `region_time` is the time inside regions, on the thread and in
        the tasks that it ran. Raises NestingError."""
        from ._nesting import thread_summary

        return thread_summary(self, rank)

    # ---- statistics ----

    def summary(self, include: Any = None, exclude: Any = None) -> list[dict[str, Any]]:
        """The statistics of each region as dicts. Raises NestingError."""
        return [self._summary_row(region) for region in self.get_regions(include, exclude)]

    @staticmethod
    def _summary_row(region: MPIRegion) -> dict[str, Any]:
        percentiles = {f"p{q}": region.percentile_duration(q) for q in (50, 95, 99)}
        imbalance = region.rank_imbalance_pct
        return {
            **region.get_summary(),
            "tags": region.tags,
            **{f"{name}_duration": value for name, value in percentiles.items()},
            "rank_imbalance": region.rank_imbalance,
            "rank_imbalance_pct": imbalance,
            **percentiles,
            "imbalance": imbalance,
        }

    def overhead(self, include: Any = None, exclude: Any = None) -> list[dict[str, Any]]:
        """What recording took of each region's time, and the times without it: an estimate.

        A dict per region: overhead_duration, total_duration and exclusive_duration as
        recorded, corrected_duration and corrected_exclusive_duration; None where it is not
        known. It is the recorder's part, measured when the run started: what the interpreter
        needs for a `with` comes on top of it and stays in the corrected times.
        """
        from ._read import summarize

        rows = summarize(self._table(), overhead=True)  # of all: what is inside counts
        return [_overhead_row(row) for row in rows if matches(row["name"], include, exclude)]

    def communication(self) -> dict[str, list[dict[str, Any]]]:
        """Who moved how many bytes to whom, on which communicator: sums of all MPI messages.

        "communicators": a dict for each: name, size, parent (place in this list, or None), ranks
        (in MPI_COMM_WORLD, in the order of their ranks in it).
        "functions": per rank, communicator, MPI function (name) and kind: num_calls,
        num_messages, bytes, total_duration in seconds.
        "peers": per rank, communicator, kind ("sent", "received", "remote": one-sided; "read",
        "written": files, whose peer is None), peer and size: num_messages, bytes. max_bytes is
        the size of the largest such message: 0, 64, 1 KiB, 16 KiB, 256 KiB, 4 MiB, 64 MiB, or None.
        "untold": per rank, what the others lack: num_calls of MPI that are kept as sums, which
        moved these bytes, and num_lost events. Empty: everything is told.

        A message that arrived counts for the call that completed it; bytes of a collective call
        are what the rank passed as its data argument.
        """
        from ._communication import as_dicts

        return as_dicts(self._table())

    def waits(self, each: bool = False) -> dict[str, Any]:
        """How long MPI calls waited for other ranks, and in what those were meanwhile.

        num_waits and total_duration of all calls that waited; mpi_duration and duration are what
        all ranks spent in MPI calls and altogether. clock_bound says how wrong the sum can be:
        0.0 on one host. num_short waits are not longer than their own bound; of num_unknown
        nothing is known of the clocks.

        "calls": per rank, MPI call (name) and kind: "late sender" (a receive began before its
        message was sent), "late receiver" (a send returned only after its receive was posted),
        and in collectives "all to all", "one to all", "all to one", "prefix".
        "regions": the same per rank and innermost region around the call (name; None: none).
        "causes": whom others waited for, and where that rank was then (rank, name): most first.
        They add up to total_duration.
        "ranks": duration, mpi_duration, waited_duration (for others) and caused_duration (others
        waited for this rank).
        "unmatched": messages "sent" and "received" and calls of "collective" whose partner is
        not known for sure, by reason: nothing is said of their waiting. Nor is of the end of
        num_nonblocking collective calls, where none was recorded, and of late receivers of
        num_unposted messages.

        each: "waits" lists the calls that waited, one by one.

        A rank's calls must be on one time line with those of the others, as those of a run are.
        """
        from ._waits import as_dicts

        return as_dicts(self._table(), each)

    def to_dataframe(self, include: Any = None, exclude: Any = None, per_rank: bool = False) -> Any:
        """The summary as a pandas DataFrame. Raises ImportError without pandas."""
        from ._frames import summary_frame

        return summary_frame(self, include, exclude, per_rank)

    def to_events_dataframe(
        self,
        include: Any = None,
        exclude: Any = None,
        ranks: Any = None,
        relative: bool = True,
        origin: float | None = None,
    ) -> Any:
        """The events as a pandas DataFrame. Raises ImportError without pandas."""
        from ._frames import events_frame

        return events_frame(self, include, exclude, ranks, relative, origin)

    def print_summary(
        self,
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
        """Print a table of the regions as they nest; flat where they do not.

        Does nothing on ranks other than 0. ValueError for an unknown column or mode,
        KeyError for an unknown sort key.
        """
        from . import summary

        summary.print_summary(
            self,
            include,
            exclude,
            ranks,
            sort,
            title,
            stream,
            suppress_notes,
            columns,
            percentage_mode,
        )

    # ---- to other forms ----

    def _table(self, include: Any = None, exclude: Any = None, ranks: Any = None) -> _read.Table:
        """The call table that these results are, or that can be made of them."""
        from ._to_table import to_table

        return to_table(self, include, exclude, ranks)

    def __getstate__(self) -> dict[str, Any]:
        """Copied and pickled by columns: no table, no view into a file."""
        state = self.__dict__.copy()
        self.num_ranks
        state.update(
            _source=None,
            _num_ranks=self._num_ranks,
            _made_metadata=self.metadata,
            _made_lanes=self._lanes,
        )
        state["_made_regions"] = {
            region.name: (region.color, {rank: region[rank]._plain() for rank in region})
            for region in self
        }
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        from ._region import Region
        from .mpi_region import MPIRegion

        self.__dict__.update(state)
        self._made_regions = {}
        for name, (color, ranks) in state["_made_regions"].items():
            regions = {}
            for rank, plain in ranks.items():
                regions[rank] = object.__new__(Region)
                regions[rank].__setstate__(dict(plain))
            self._made_regions[name] = MPIRegion(name, regions)
            self._made_regions[name].color = color
        self._attach()

    def __repr__(self) -> str:
        where = self._file_path
        return f"<ProfilingResults {where!r}: {len(self)} region(s), {self.num_ranks} rank(s)>"


def __getattr__(name: str) -> Any:
    if name == "MPIRegion":
        from .mpi_region import MPIRegion

        return MPIRegion
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def from_table(
    table: _read.Table,
    *,
    file_path: str | Path = "",
    is_root: bool = True,
    event_data_available: bool = True,
    event_metadata: Any = None,
) -> ProfilingResults:
    """The results that a call table holds; no pass over its calls, and no copy of them.

    event_data_available: False keeps the statistics and leaves the calls out.
    event_metadata: {(rank, region name): one dict per call}, of any objects.
    """
    from ._table_source import TableSource

    results = ProfilingResults(
        {}, file_path=file_path, is_root=is_root, event_data_available=event_data_available
    )
    results._source = TableSource(table, events=event_data_available, event_metadata=event_metadata)
    results._made_regions = results._made_metadata = results._made_lanes = None
    return results
