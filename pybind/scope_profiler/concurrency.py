"""Threads, asyncio tasks and greenlets of a run: who they are and how their time split.

A region's call is on a *lane*: a thread, or the task that runs on it. Calls of one lane
nest; those of two may overlap. The lanes of a run are described by two tables, one row per
thread and one per task, which results, files and the live tracker all take from the
recording.

Times ending in ``_ns`` are integers in nanoseconds of ``time.perf_counter_ns()``; others
are seconds. numpy is imported where arrays are made.
"""

from __future__ import annotations

from time import perf_counter_ns, thread_time_ns

from . import _lanes, _record
from ._lane_tables import (
    TASK_FIELDS,
    UNKNOWN,
    TaskInfo,
    ThreadInfo,
    lane_ids,
    lane_tables_from_columns,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from typing import Any

    import numpy as np

__all__ = [
    "CPU_SAMPLE_MASK", "NO_TASK", "UNKNOWN", "ConcurrencyTracker", "TaskInfo", "TaskRecord",
    "ThreadInfo", "ThreadRecord", "lane_ids", "lane_tables_from_columns",
]  # fmt: skip

NO_TASK = -1  #: in a call's ``task_ids``: it ran outside any task
CPU_SAMPLE_MASK = 255  #: kept for programs that read it: CPU time is read when asked for


class TaskRecord:
    """One asyncio task or greenlet: ``running_ns`` it held its thread, ``suspended_ns`` it
    waited between steps (the time before its first step is neither).

    Works by hand: ``enter_step()``, ``leave_step()``, ``finish()``. Those of a tracker are
    brought up to date when the tracker is read."""

    __slots__ = (
        "index", "kind", "name", "coro_name", "thread_index", "created_ns", "done_ns", "steps",
        "running_ns", "suspended_ns", "last_step_end_ns", "step_started_ns",
    )  # fmt: skip

    def __init__(self, index: int, kind: str, name: str, coro_name: str, thread_index: int) -> None:
        self.index = index
        self.kind = kind
        self.name = name
        self.coro_name = coro_name
        self.thread_index = thread_index
        self.created_ns = perf_counter_ns()
        self.done_ns = UNKNOWN
        self.steps = 0
        self.running_ns = 0
        self.suspended_ns = 0
        self.last_step_end_ns = 0
        self.step_started_ns = 0

    @property
    def done(self) -> bool:
        """Whether it returned, raised or was closed."""
        return self.done_ns != UNKNOWN

    def enter_step(self) -> int:
        """A step begins: the gap since the last one was suspension. Returns the time."""
        now = perf_counter_ns()
        if self.last_step_end_ns:
            self.suspended_ns += now - self.last_step_end_ns
        self.step_started_ns = now
        self.steps += 1
        return now

    def leave_step(self) -> None:
        """The step ends: it was running time."""
        now = perf_counter_ns()
        self.running_ns += now - self.step_started_ns
        self.last_step_end_ns = now

    def finish(self) -> None:
        """It is over. The first call counts."""
        if self.done_ns == UNKNOWN:
            self.done_ns = perf_counter_ns()

    def __repr__(self) -> str:
        return (
            f"TaskRecord(index={self.index}, kind={self.kind!r}, name={self.name!r}, "
            f"steps={self.steps})"
        )


class ThreadRecord:
    """One thread: ``cpu_ns`` is its CPU time since it started, exact once it has ended, else
    as of the last reading. ``task`` is the task that ran on it when ``current_thread()`` was
    called there."""

    __slots__ = (
        "index", "ident", "native_id", "name", "daemon", "start_ns", "end_ns", "cpu_ns", "task",
    )  # fmt: skip

    def __init__(self, index: int, thread: threading.Thread) -> None:
        self.index = index
        self.ident = int(thread.ident or 0)
        self.native_id = int(getattr(thread, "native_id", 0) or 0)
        self.name = str(thread.name)
        self.daemon = bool(thread.daemon)
        self.start_ns = perf_counter_ns()
        self.end_ns = UNKNOWN
        self.cpu_ns = thread_time_ns()
        self.task: TaskRecord | None = None

    @property
    def alive(self) -> bool:
        """Whether it had not ended when it was looked at."""
        return self.end_ns == UNKNOWN

    def sample_cpu(self) -> None:
        """Read the CPU time again: only on the thread itself."""
        self.cpu_ns = thread_time_ns()

    def __repr__(self) -> str:
        state = "alive" if self.alive else "finished"
        return f"ThreadRecord(index={self.index}, name={self.name!r}, ident={self.ident}, {state})"


_THREAD_FIELDS = ("ident", "native_id", "name", "daemon", "start_ns", "end_ns", "cpu_ns")


class ConcurrencyTracker:
    """The lanes of one manager's run, live. Making one costs nothing; ``install()`` puts the
    hooks in.

    Without a manager it records the lanes into a small recording of its own, from the first
    ``install()`` or ``current_thread()`` on."""

    def __init__(self, track_async: bool = False) -> None:
        self.track_async = bool(track_async)
        self._session: Any = None
        self._cursor: Any = None
        self._is_own = False
        self._threads: dict[int, ThreadRecord] = {}
        self._tasks: dict[int, TaskRecord] = {}
        _lanes.trackers.add(self)

    # ---- the recording behind it ----

    def _take(self, session: _record.Session, cursor: Any) -> None:
        """From now on this is a manager's: its session, and the cursor that reads it."""
        self._give_back()
        if not _lanes.is_inherited(session):
            self._session, self._cursor = session, cursor

    def _give_back(self) -> None:
        if self._is_own:
            _lanes.uninstall(self._session)
            self._session.close()
        self._session = self._cursor = None
        self._is_own = False
        self._threads = {}
        self._tasks = {}

    def _stand_down(self) -> None:
        """In a forked child: the parent's lanes are not ours."""
        self._session = self._cursor = None
        self._is_own = False
        self._threads = {}
        self._tasks = {}

    def _session_ends(self, session: _record.Session) -> None:
        """Its hooks come out: what it had is still here when it is closed."""
        if session is self._session:
            self._refresh()

    def _live_session(self) -> Any:
        if self._session is None:
            from . import _read

            lanes = _record.TASKS if self.track_async else _record.THREADS
            self._session = _record.Session(memory_only=True, lanes=lanes)
            self._cursor = _read.Cursor(self._session.pointer)
            self._is_own = True
        return self._session

    def _refresh(self) -> None:
        """What was recorded, into the records; what a session had stays when it is over."""
        if self._session is None or not self._session.live:
            return
        self._cursor.advance()
        lanes = self._cursor.lanes()
        for row in lanes.part("threads"):
            index = row["index"]
            thread = self._threads.get(index)
            if thread is None:
                thread = self._threads[index] = ThreadRecord.__new__(ThreadRecord)
                thread.index = index
                thread.task = None
            for field in _THREAD_FIELDS:
                setattr(thread, field, row[field])
            thread.daemon = bool(thread.daemon)
        for row in lanes.part("tasks"):
            index = row["index"]
            task = self._tasks.get(index)
            if task is None:
                task = self._tasks[index] = TaskRecord.__new__(TaskRecord)
                task.index = index
                task.last_step_end_ns = task.step_started_ns = 0
            for field in TASK_FIELDS:
                setattr(task, field, row[field])

    # ---- for everybody ----

    @property
    def threads(self) -> list[ThreadRecord]:
        """Every registered thread, in order of registration: the same objects each time."""
        self._refresh()
        return [self._threads[index] for index in sorted(self._threads)]

    @property
    def tasks(self) -> list[TaskRecord]:
        """Every task and greenlet, in order of creation: the same objects each time."""
        self._refresh()
        return [self._tasks[index] for index in sorted(self._tasks)]

    def current_thread(self) -> ThreadRecord:
        """The calling thread's record; it is registered if it was not. RuntimeError: nothing
        is recorded any more."""
        from threading import get_native_id

        session = self._live_session()
        _record.register_thread(session)
        self._refresh()
        native_id = get_native_id()
        for index in sorted(self._threads, reverse=True):
            thread = self._threads[index]
            if thread.native_id == native_id and thread.alive:
                thread.task = self._tasks.get(_record.running_task(session))
                return thread
        raise RuntimeError("the session of this tracker is over: set up a new one")

    def install(self) -> None:
        """Put the hooks in: for threads, with ``track_async`` also for asyncio and greenlets.
        Twice is once."""
        _lanes.install(self._live_session())

    def uninstall(self) -> None:
        """Take the hooks out; what was there before is back."""
        if self._session is not None:
            _lanes.uninstall(self._session)

    def instrument_loop(self, loop: Any) -> None:
        """Follow the tasks of an event loop that has nothing of ``BaseEventLoop`` or uvloop:
        through its class, where that can be changed, else by a task factory around the one
        it has. Once per loop. A factory that the application sets later displaces ours: its
        regions and thread ids are still recorded, its new tasks have no lane of their own."""
        _lanes.instrument_loop(loop)

    def snapshot(self, origin_ns: int = 0) -> dict[str, dict[str, Any]]:
        """Both tables as columns: ``{"threads": {...}, "tasks": {...}}``, numpy arrays (names
        are lists). Times count from ``origin_ns``; UNKNOWN stays."""
        import numpy as np

        def numbers(rows: list[Any], field: str, kind: str = "int64") -> np.ndarray:
            return np.array([getattr(row, field) for row in rows], dtype=kind)

        def times(rows: list[Any], field: str) -> np.ndarray:
            column = numbers(rows, field)
            return np.where(column == UNKNOWN, UNKNOWN, column - int(origin_ns))

        self._refresh()
        threads = [self._threads[index] for index in sorted(self._threads)]
        tasks = [self._tasks[index] for index in sorted(self._tasks)]
        return {
            "threads": {
                "index": numbers(threads, "index"),
                "ident": numbers(threads, "ident"),
                "native_id": numbers(threads, "native_id"),
                "name": [thread.name for thread in threads],
                "daemon": numbers(threads, "daemon", "int8"),
                "start_ns": times(threads, "start_ns"),
                "end_ns": times(threads, "end_ns"),
                "cpu_ns": numbers(threads, "cpu_ns"),
            },
            "tasks": {
                "index": numbers(tasks, "index"),
                "kind": [task.kind for task in tasks],
                "name": [task.name for task in tasks],
                "coro_name": [task.coro_name for task in tasks],
                "thread_index": numbers(tasks, "thread_index"),
                "created_ns": times(tasks, "created_ns"),
                "done_ns": times(tasks, "done_ns"),
                "steps": numbers(tasks, "steps"),
                "running_ns": numbers(tasks, "running_ns"),
                "suspended_ns": numbers(tasks, "suspended_ns"),
            },
        }
