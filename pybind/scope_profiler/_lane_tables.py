"""Threads and tasks as results and files have them: one row each.

numpy is imported where arrays are made.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import numpy as np

UNKNOWN = -1  #: a time that is not known: of an end that has not come
TASK_FIELDS = (
    "kind", "name", "coro_name", "thread_index", "created_ns", "done_ns", "steps", "running_ns",
    "suspended_ns",
)  # fmt: skip


def _seconds(time_ns: int) -> float | None:
    return None if int(time_ns) == UNKNOWN else float(time_ns) / 1e9


class ThreadInfo:
    """One row of a run's thread table: seconds, from the start of the run. Of times that
    nobody knows (a recovered run has such) ``end_time`` is None and the others are 0.0."""

    __slots__ = (
        "index", "rank", "name", "ident", "native_id", "daemon", "start_time", "end_time",
        "cpu_time",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        rank: int,
        name: str,
        ident: int,
        native_id: int,
        daemon: bool,
        start_ns: int,
        end_ns: int,
        cpu_ns: int,
    ) -> None:
        self.index = int(index)
        self.rank = int(rank)
        self.name = str(name)
        self.ident = int(ident)
        self.native_id = int(native_id)
        self.daemon = bool(daemon)
        self.start_time = _seconds(start_ns) or 0.0
        self.end_time = _seconds(end_ns)
        self.cpu_time = _seconds(cpu_ns) or 0.0

    @property
    def alive(self) -> bool:
        """Whether the thread still ran when the run was collected."""
        return self.end_time is None

    @property
    def wall_time(self) -> float | None:
        """Seconds from start to end; None: still alive."""
        return None if self.end_time is None else self.end_time - self.start_time

    def __repr__(self) -> str:
        return (
            f"ThreadInfo(rank={self.rank}, index={self.index}, name={self.name!r}, "
            f"cpu_time={self.cpu_time:.6f}s, alive={self.alive})"
        )


class TaskInfo:
    """One row of a run's task table, an asyncio task or a greenlet: seconds, from the start
    of the run. ``running_time`` it held its thread, ``awaiting_time`` it did not, between
    its steps. Of times that nobody knows ``done_time`` is None and the others are 0.0."""

    __slots__ = (
        "index", "rank", "kind", "name", "coro_name", "thread_index", "created_time", "done_time",
        "steps", "running_time", "awaiting_time",
    )  # fmt: skip

    def __init__(
        self,
        index: int,
        rank: int,
        kind: str,
        name: str,
        coro_name: str,
        thread_index: int,
        created_ns: int,
        done_ns: int,
        steps: int,
        running_ns: int,
        suspended_ns: int,
    ) -> None:
        self.index = int(index)
        self.rank = int(rank)
        self.kind = str(kind)
        self.name = str(name)
        self.coro_name = str(coro_name)
        self.thread_index = int(thread_index)
        self.created_time = _seconds(created_ns) or 0.0
        self.done_time = _seconds(done_ns)
        self.steps = int(steps)
        self.running_time = _seconds(running_ns) or 0.0
        self.awaiting_time = _seconds(suspended_ns) or 0.0

    @property
    def done(self) -> bool:
        """Whether it had finished when the run was collected."""
        return self.done_time is not None

    @property
    def wall_time(self) -> float | None:
        """Seconds from creation to completion; None: it never finished."""
        return None if self.done_time is None else self.done_time - self.created_time

    def __repr__(self) -> str:
        return (
            f"TaskInfo(rank={self.rank}, index={self.index}, kind={self.kind!r}, "
            f"name={self.name!r}, running_time={self.running_time:.6f}s, "
            f"awaiting_time={self.awaiting_time:.6f}s)"
        )


def lane_ids(thread_ids: np.ndarray, task_ids: np.ndarray | None) -> np.ndarray:
    """One id per call for the stack it belongs to: its task where it ran in one (>= 0), else
    ``-2 - thread``; -1 where the thread is not known."""
    import numpy as np

    threads = np.asarray(thread_ids, dtype=np.int64)
    lanes = np.where(threads >= 0, -2 - threads, -1)
    if task_ids is None:
        return lanes
    tasks = np.asarray(task_ids, dtype=np.int64)
    return np.where(tasks >= 0, tasks, lanes)


def lane_tables_from_columns(
    rank: int, tables: Mapping[str, Any]
) -> tuple[list[ThreadInfo], list[TaskInfo]]:
    """The columns of ``snapshot()`` or of a file as rows of one rank; a table that is not
    there is empty."""
    threads = tables.get("threads") or {}
    tasks = tables.get("tasks") or {}
    return (
        [
            ThreadInfo(index, rank, *row)
            for index, *row in _rows(
                threads, "index", "name", "ident", "native_id", "daemon", "start_ns", "end_ns",
                "cpu_ns",
            )
        ],
        [
            TaskInfo(index, rank, *row)
            for index, *row in _rows(tasks, "index", *TASK_FIELDS)
        ],
    )  # fmt: skip


def _rows(columns: Mapping[str, Any], *names: str) -> list[tuple[Any, ...]]:
    if not len(columns):
        return []
    return list(zip(*(columns[name] for name in names), strict=True))


for _row in (ThreadInfo, TaskInfo):
    _row.__module__ = "scope_profiler.concurrency"  # what they are pickled as
del _row
