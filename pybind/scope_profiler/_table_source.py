"""What a call table says, as Regions, metadata and lane tables, each made when asked for.

Making one costs nothing; the regions cost one object per (rank, region) pair and no pass
over the calls.
"""

from __future__ import annotations

from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from . import _read
    from .mpi_region import MPIRegion


class Rows:
    """The columns of a table as read-only numpy views of its memory, and exclusive times."""

    def __init__(self, table: _read.Table) -> None:
        self.table = table
        self._views: dict[str, np.ndarray | None] = {}
        self._exclusive: np.ndarray | None = None
        self._exclusive_of: dict[int, np.ndarray] = {}  # by rank, where another clashes
        self._spans: dict[int, tuple[int, int]] = {}

    def get(self, name: str) -> np.ndarray | None:
        if name not in self._views:
            from ._columns import view

            column = self.table.column(name)
            self._views[name] = None if column is None else view(column)
        return self._views[name]

    def exclusive(self, rank: int, first: int, count: int) -> np.ndarray:
        """Exclusive ns of rows [first, first + count), which are of `rank`. NestingError."""
        from . import _read

        if self._exclusive is None:
            from ._columns import view

            try:
                self._exclusive = view(self.table.exclusive())
            except _read.NestingClash:  # of some rank: each by itself
                return self._exclusive_by_rank(rank, first, count)
        return self._exclusive[first : first + count]

    def _exclusive_by_rank(self, rank: int, first: int, count: int) -> np.ndarray:
        import numpy as np

        from . import _read
        from ._columns import lanes_of
        from .errors import NestingError

        begin, end = self._span(rank)
        if rank not in self._exclusive_of:
            part: dict[str, Any] = {}
            for name in ("start_ns", "duration_ns", "thread_ids", "task_ids"):
                column = self.get(name)
                part[name] = None if column is None else column[begin:end]
            threads = part["thread_ids"]
            lanes = None if threads is None else lanes_of(threads, part["task_ids"])
            try:
                order, _, _, values = _read.nest(part["start_ns"], part["duration_ns"], lanes)
            except _read.NestingClash:
                raise NestingError(self.table.nesting_error(rank)) from None
            exclusive = np.empty(end - begin, dtype=np.int64)
            exclusive[np.asarray(order)] = np.asarray(values)
            self._exclusive_of[rank] = exclusive
        return self._exclusive_of[rank][first - begin : first - begin + count]

    def _span(self, rank: int) -> tuple[int, int]:
        """Rows of a rank: they lie together."""
        if not self._spans:
            for pair in self.table.part("pairs"):
                begin, end = pair["first"], pair["first"] + pair["count"]
                low, high = self._spans.get(pair["rank"], (begin, end))
                self._spans[pair["rank"]] = min(low, begin), max(high, end)
        return self._spans[rank]


class RowsExclusive:
    """Resolves the exclusive times of one region of a table."""

    def __init__(self, rows: Rows, rank: int, first: int, count: int) -> None:
        self.place = rows, rank, first, count

    def __call__(self, region: Any) -> np.ndarray:
        rows, rank, first, count = self.place
        return rows.exclusive(rank, first, count)


class TableSource:
    """One table, as ProfilingResults wants it.

    `events`: False leaves the calls out and keeps their statistics. `event_metadata`: a
    sequence of one dict per call by (rank, region name), where they are not JSON text.
    """

    def __init__(self, table: _read.Table, *, events: bool = True, event_metadata: Any = None):
        self.table = table
        self.events = events
        self.event_metadata = event_metadata or {}
        self._parts: dict[str, Any] = {}

    def part(self, name: str) -> Any:
        """One part of the table, taken once."""
        if name not in self._parts:
            self._parts[name] = self.table.part(name)
        return self._parts[name]

    def num_ranks(self) -> int:
        return int(self.part("rank_count"))

    def metadata(self) -> dict[str, Any]:
        return dict(self.part("metadata"))

    def lanes(self) -> tuple[dict[int, list[Any]], dict[int, list[Any]]]:
        """ThreadInfo and TaskInfo by rank, times relative to the start of the run."""
        if not self.part("threads") and not self.part("tasks"):
            return {}, {}
        from .concurrency import TaskInfo, ThreadInfo

        origin = self.part("start_time_ns")

        def since(time_ns: int) -> int:
            return time_ns if time_ns == -1 else time_ns - origin

        threads: dict[int, list[Any]] = {}
        for row in self.part("threads"):
            threads.setdefault(row["rank"], []).append(
                ThreadInfo(
                    row["index"],
                    row["rank"],
                    row["name"],
                    row["ident"],
                    row["native_id"],
                    row["daemon"],
                    since(row["start_ns"]),
                    since(row["end_ns"]),
                    row["cpu_ns"],
                )
            )
        tasks: dict[int, list[Any]] = {}
        for row in self.part("tasks"):
            tasks.setdefault(row["rank"], []).append(
                TaskInfo(
                    row["index"],
                    row["rank"],
                    row["kind"],
                    row["name"],
                    row["coro_name"],
                    row["thread_index"],
                    since(row["created_ns"]),
                    since(row["done_ns"]),
                    row["steps"],
                    row["running_ns"],
                    row["suspended_ns"],
                )
            )
        return threads, tasks

    def regions(self) -> dict[str, MPIRegion]:
        from .mpi_region import MPIRegion

        names = self.part("regions")
        sums = _sums(self.part("sums"))
        rows = Rows(self.table)
        by_name: dict[str, dict[int, Any]] = {}
        pairs = list(self.part("pairs"))
        with_rows = {(pair["rank"], pair["region"]) for pair in pairs}
        pairs += (
            {"rank": rank, "region": region, "count": 0}  # all of its calls are sums
            for rank, region in sums
            if (rank, region) not in with_rows
        )
        for pair in pairs:
            name, rank = names[pair["region"]], pair["rank"]
            by_name.setdefault(name, {})[rank] = self._region(
                pair, rows, sums.get((rank, pair["region"])), name
            )
        return {name: MPIRegion(name, ranks) for name, ranks in by_name.items()}

    def _region(self, pair: Any, rows: Rows, sums: Any, name: str) -> Any:
        from ._columns import NOTHING, STATISTICS
        from ._region import Region

        exclusive = pair.get("exclusive_ns", -1)
        line = pair.get("source_line", -1)
        source = (
            pair.get("source_file") or None,
            None if line < 0 else line,
            pair.get("source_text") or None,
        )
        tags = tuple(pair.get("tags", ()))
        aggregated = self.table.is_aggregate or (sums and not pair["count"])
        if aggregated or not self.events:
            if aggregated:
                stored = _joined(sums or [])
            else:
                stored = {"count": pair["count"], **dict(zip(STATISTICS, pair["statistics"]))}
                stored["exclusive"] = exclusive if exclusive >= 0 else stored["total"]
            region = Region(
                NOTHING,
                NOTHING,
                aggregate=stored,
                tags=tags,
                event_data_available=self.events,
            )
            region._source = source
            region._lanes = _by_thread(sums, self.part("tasks"), pair["rank"]) if sums else None
            return region
        metadata = self.event_metadata.get((pair["rank"], name)) or pair.get("event_metadata")
        region = Region._of_rows(
            rows,
            pair["first"],
            pair["count"],
            statistics=pair.get("statistics"),
            exclusive_total=exclusive if exclusive >= 0 else None,
            event_metadata=tuple(metadata) if isinstance(metadata, list) else metadata or None,
            source=source,
            tags=tags,
            folded=_joined(sums) if sums else None,
        )
        region._resolve_exclusive(RowsExclusive(rows, pair["rank"], pair["first"], pair["count"]))
        return region


def _sums(rows: list[Any]) -> dict[tuple[int, int], list[Any]]:
    """Rows of sums by (rank, region)."""
    by_pair: dict[tuple[int, int], list[Any]] = {}
    for row in rows:
        by_pair.setdefault((row["rank"], row["region"]), []).append(row)
    return by_pair


def _joined(rows: list[Any]) -> dict[str, int]:
    """Several lanes' sums as one, with the names that a file gives them."""
    called = [row for row in rows if row["count"]]
    return {
        "count": sum(row["count"] for row in called),
        "total": sum(row["total_ns"] for row in called),
        "minimum": min((row["minimum_ns"] for row in called), default=0),
        "maximum": max((row["maximum_ns"] for row in called), default=0),
        "exclusive": sum(row["exclusive_ns"] for row in called),
    }


def _by_thread(rows: list[Any], tasks: list[Any], rank: int) -> dict[int, dict[str, int]] | None:
    """Sums per thread, a task's lane counted to the thread it ran on; None: lanes unknown."""
    if all(row["lane"] == -1 for row in rows):
        return None
    thread_of = {task["index"]: task["thread_index"] for task in tasks if task["rank"] == rank}
    by_thread: dict[int, list[Any]] = {}
    for row in rows:
        lane = row["lane"]
        thread = thread_of.get(lane, -1) if lane >= 0 else -2 - lane
        by_thread.setdefault(thread if lane != -1 else -1, []).append(row)
    return {thread: _joined(part) for thread, part in by_thread.items()}
