"""The concurrency module by hand and live: every name of its page.

SPDX-License-Identifier: MIT
"""
import asyncio
import copy
import pickle
import threading
import time

import numpy
import pytest

from scope_profiler import ProfileManager, concurrency, read_h5
from scope_profiler.concurrency import (
    CPU_SAMPLE_MASK, NO_TASK, UNKNOWN, ConcurrencyTracker, TaskInfo, TaskRecord, ThreadInfo,
    ThreadRecord, lane_ids, lane_tables_from_columns)
from support.lanes import python


@pytest.fixture
def tracker():
    made = ConcurrencyTracker()
    yield made
    made.uninstall()


@pytest.fixture
def follower():
    made = ConcurrencyTracker(track_async=True)
    yield made
    made.uninstall()


def test_constants():
    assert (CPU_SAMPLE_MASK, NO_TASK, UNKNOWN) == (255, -1, -1)


# ---- records by hand ----


def test_a_task_record_by_hand():
    before = time.perf_counter_ns()
    record = TaskRecord(3, "task", "name", "coro", 1)
    assert (record.index, record.kind, record.name) == (3, "task", "name")
    assert (record.coro_name, record.thread_index) == ("coro", 1)
    assert before <= record.created_ns <= time.perf_counter_ns()
    assert record.done_ns == UNKNOWN and not record.done
    assert record.steps == record.running_ns == record.suspended_ns == 0
    assert record.last_step_end_ns == record.step_started_ns == 0
    time.sleep(0.002)
    entered = record.enter_step()
    assert entered == record.step_started_ns and record.steps == 1
    assert record.suspended_ns == 0  # before the first step
    assert record.leave_step() is None
    first_end = record.last_step_end_ns
    assert record.running_ns == first_end - entered
    time.sleep(0.002)
    again = record.enter_step()
    assert record.suspended_ns == again - first_end and record.suspended_ns >= 2_000_000
    record.leave_step()
    assert record.steps == 2
    assert record.running_ns + record.suspended_ns == record.last_step_end_ns - entered
    record.finish()
    done = record.done_ns
    record.finish()
    assert record.done and record.done_ns == done >= record.last_step_end_ns


def test_a_thread_record_by_hand():
    thread = threading.current_thread()
    record = ThreadRecord(5, thread)
    assert (record.index, record.ident, record.native_id) == (
        5, thread.ident, thread.native_id)
    assert (record.name, record.daemon) == (thread.name, thread.daemon)
    assert record.start_ns <= time.perf_counter_ns() and record.end_ns == UNKNOWN
    assert record.alive and record.task is None
    before = record.cpu_ns
    end = time.thread_time_ns() + 1_000_000
    while time.thread_time_ns() < end:
        pass
    record.sample_cpu()
    assert record.cpu_ns >= before + 900_000
    record.end_ns = record.start_ns + 1
    assert not record.alive
    assert ThreadRecord(0, threading.Thread(name="never")).ident == 0


def test_infos_are_in_seconds():
    row = ThreadInfo(1, 2, "name", 3, 4, 1, 5_000_000_000, 7_500_000_000, 10)
    assert (row.index, row.rank, row.name, row.ident, row.native_id) == (1, 2, "name", 3, 4)
    assert row.daemon is True and not row.alive
    assert (row.start_time, row.end_time, row.wall_time, row.cpu_time) == (5.0, 7.5, 2.5, 1e-8)
    row = ThreadInfo(index=1, rank=0, name="n", ident=3, native_id=4, daemon=False, start_ns=1,
                     end_ns=UNKNOWN, cpu_ns=0)
    assert row.alive and row.end_time is None and row.wall_time is None
    row = TaskInfo(1, 2, "greenlet", "name", "coro", 3, 1_000_000_000, 3_000_000_000, 4, 5, 6)
    assert (row.index, row.rank, row.kind, row.name) == (1, 2, "greenlet", "name")
    assert (row.coro_name, row.thread_index, row.steps) == ("coro", 3, 4)
    assert (row.created_time, row.done_time, row.wall_time, row.done) == (1.0, 3.0, 2.0, True)
    assert (row.running_time, row.awaiting_time) == (5e-9, 6e-9)
    row = TaskInfo(index=1, rank=0, kind="task", name="n", coro_name="c", thread_index=0,
                   created_ns=1, done_ns=UNKNOWN, steps=1, running_ns=0, suspended_ns=0)
    assert not row.done and row.done_time is None and row.wall_time is None


def test_times_that_nobody_knows_are_no_negative_ones():
    row = ThreadInfo(0, 0, "n", UNKNOWN, UNKNOWN, 0, UNKNOWN, UNKNOWN, UNKNOWN)
    assert (row.start_time, row.cpu_time, row.end_time, row.wall_time) == (0.0, 0.0, None, None)
    task = TaskInfo(0, 0, "task", "n", "c", 0, UNKNOWN, UNKNOWN, 0, UNKNOWN, UNKNOWN)
    assert (task.created_time, task.running_time, task.awaiting_time) == (0.0, 0.0, 0.0)
    assert task.done_time is None and not task.done


def test_records_and_infos_travel():
    for made in (ThreadInfo(0, 0, "n", 1, 2, 0, 3, 4, 5),
                 TaskInfo(0, 0, "task", "n", "c", 0, 1, 2, 3, 4, 5),
                 TaskRecord(0, "task", "n", "c", 0), ThreadRecord(0, threading.main_thread())):
        for other in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
            for name in type(made).__slots__:
                assert getattr(other, name) == getattr(made, name)
        assert type(made).__name__ in repr(made)


# ---- columns ----


def test_lane_ids_keep_threads_and_tasks_apart():
    threads = numpy.array([0, 1, -1, 2])
    assert lane_ids(threads, numpy.array([-1, 3, -1, -1])).tolist() == [-2, 3, -1, -4]
    assert lane_ids(threads, None).tolist() == [-2, -3, -1, -4]
    assert lane_ids(numpy.array([-1]), numpy.array([5])).tolist() == [5]
    empty = lane_ids(numpy.empty(0, numpy.int64), None)
    assert empty.dtype == numpy.int64 and len(empty) == 0


def test_columns_come_back_as_rows(follower):
    follower.install()
    follower.current_thread()
    asyncio.run(asyncio.sleep(0.001))
    tables = follower.snapshot()
    threads, tasks = lane_tables_from_columns(7, tables)
    assert [row.name for row in threads] == ["MainThread"] and threads[0].rank == 7
    assert threads[0].start_time == tables["threads"]["start_ns"][0] / 1e9
    assert [row.name for row in tasks] == tables["tasks"]["name"] and tasks[0].rank == 7
    assert tasks[0].coro_name == "sleep" and tasks[0].done
    for nothing in ({}, {"threads": {}}, {"threads": None, "tasks": {}},
                    ConcurrencyTracker().snapshot()):
        assert lane_tables_from_columns(0, nothing) == ([], [])


# ---- a tracker without a manager ----


def test_a_tracker_costs_nothing_until_it_is_used(tracker):
    assert tracker.track_async is False and ConcurrencyTracker(1).track_async is True
    assert tracker.threads == [] and tracker.tasks == []
    columns = tracker.snapshot()
    assert {name: list(part) for name, part in columns.items()} == {
        "threads": ["index", "ident", "native_id", "name", "daemon", "start_ns", "end_ns",
                    "cpu_ns"],
        "tasks": ["index", "kind", "name", "coro_name", "thread_index", "created_ns", "done_ns",
                  "steps", "running_ns", "suspended_ns"]}
    assert all(len(column) == 0 for part in columns.values() for column in part.values())
    assert columns["threads"]["daemon"].dtype == numpy.int8
    assert columns["tasks"]["steps"].dtype == numpy.int64


def test_current_thread_from_several_threads(tracker):
    mine = tracker.current_thread()
    assert mine is tracker.current_thread() and tracker.threads == [mine]
    found = []
    threads = [threading.Thread(target=lambda: found.append(tracker.current_thread()),
                                name=f"worker-{number}") for number in range(3)]
    for thread in threads:
        thread.start()
        thread.join()
    assert [record.index for record in tracker.threads] == [0, 1, 2, 3]
    assert tracker.threads[1:] == found
    assert [record.name for record in found] == ["worker-0", "worker-1", "worker-2"]
    assert not any(record.alive for record in found) and mine.alive


def test_installed_it_sees_threads_start_and_end(tracker):
    tracker.install()
    tracker.install()
    seen = []
    stop = threading.Event()

    def work():
        seen.append(tracker.threads[-1])
        stop.wait()

    thread = threading.Thread(target=work, name="followed", daemon=True)
    thread.start()
    while not seen:
        time.sleep(0.001)
    record = tracker.threads[-1]
    assert record is seen[0] and record.alive and record.daemon
    assert (record.name, record.ident) == ("followed", thread.ident)
    stop.set()
    thread.join()
    assert tracker.threads[-1] is record and not record.alive
    assert record.start_ns < record.end_ns <= time.perf_counter_ns()
    tracker.uninstall()
    tracker.uninstall()
    other = threading.Thread(target=int)
    other.start()
    other.join()
    assert len(tracker.threads) == 1
    tracker.install()
    again = threading.Thread(target=int, name="again")
    again.start()
    again.join()
    assert [thread.name for thread in tracker.threads] == ["followed", "again"]


def test_installed_it_sees_tasks(follower):
    follower.install()

    async def main():
        record = follower.tasks[0]
        assert record.steps == 1 and not record.done
        await asyncio.sleep(0.002)
        assert follower.tasks[0] is record and record.suspended_ns > 0
        return record

    record = asyncio.run(main())
    assert follower.tasks[0] is record and record.done
    assert record.kind == "task" and record.coro_name.endswith("main")


def test_snapshot_shifts_known_times(follower):
    follower.install()
    follower.current_thread()
    loop = asyncio.new_event_loop()

    async def start():
        return loop.create_task(asyncio.sleep(60))

    task = loop.run_until_complete(start())
    plain, shifted = follower.snapshot(), follower.snapshot(1000)
    for table, names in (("threads", ("start_ns", "end_ns")), ("tasks", ("created_ns", "done_ns"))):
        for name in names:
            for a, b in zip(plain[table][name], shifted[table][name], strict=True):
                assert b == (a - 1000 if a != UNKNOWN else UNKNOWN)
    assert shifted["threads"]["end_ns"].tolist() == [UNKNOWN]
    assert shifted["tasks"]["done_ns"].tolist()[1] == UNKNOWN
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()


def test_two_trackers_do_not_share_numbers(tracker, follower):
    tracker.install()
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    follower.install()
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    assert len(tracker.threads) == 2 and len(follower.threads) == 1
    assert follower.threads[0].index == 0


# ---- a manager's tracker ----


def test_a_manager_s_tracker_is_that_of_its_run():
    manager = ProfileManager()
    assert manager.get_config().tracker is None
    manager.setup(deactivate_file_output=True)
    assert manager.get_config().tracker is None
    manager.setup(track_async=True, deactivate_file_output=True, replace=True)
    tracker = manager.get_config().tracker
    assert isinstance(tracker, ConcurrencyTracker) and tracker.track_async
    assert manager.get_config().tracker is tracker
    with manager.region("a"):
        pass
    asyncio.run(asyncio.sleep(0))
    assert [record.name for record in tracker.threads] == ["MainThread"]
    results = manager.finalize(verbose=False, return_results=True)
    assert len(results.tasks[0]) == len(tracker.tasks) == 3
    origin = manager.get_config().start_time_ns
    threads, tasks = lane_tables_from_columns(0, tracker.snapshot(origin))
    for mine, theirs in zip(tasks, results.tasks[0], strict=True):
        for name in TaskInfo.__slots__:
            expected = getattr(theirs, name)
            if name.endswith("_time"):  # the origins are not the same instant
                expected = pytest.approx(expected, abs=1e-3)
            assert getattr(mine, name) == expected, name
    manager.reset()
    assert len(tracker.tasks) == 3 and len(tracker.threads) == 1


def test_lanes_of_a_file_are_those_of_the_run(tmp_path):
    manager = ProfileManager()
    path = tmp_path / "run.h5"
    with manager.session(track_async=True, verbose=False, return_results=True,
                         file_path=str(path)) as run:
        async def main():
            with manager.region("main"):
                await asyncio.gather(asyncio.sleep(0.001), asyncio.to_thread(int))

        asyncio.run(main())
    manager.reset()
    read = read_h5(str(path))
    for kind, names in (("threads", ThreadInfo.__slots__), ("tasks", TaskInfo.__slots__)):
        ours, theirs = getattr(run.results, kind)[0], getattr(read, kind)[0]
        assert len(ours) == len(theirs) > 1
        for a, b in zip(ours, theirs, strict=True):
            for name in names:
                assert getattr(a, name) == getattr(b, name), name


def test_a_checkpoint_keeps_the_tables_and_the_open_task(tmp_path):
    manager = ProfileManager()
    manager.setup(track_async=True, file_path=str(tmp_path / "run.h5"))
    tracker = manager.get_config().tracker

    async def main():
        with manager.region("outer"):
            await asyncio.sleep(0.001)
            first = manager.finalize(verbose=False, return_results=True)
            record = tracker.tasks[0]
            with manager.region("inner"):
                await asyncio.sleep(0.001)
            assert tracker.tasks[0] is record
        return first

    first = asyncio.run(main())
    assert "outer" not in first or first["outer"][0].num_calls == 0
    second = manager.finalize(verbose=False, return_results=True)
    assert second["outer"][0].num_calls == second["inner"][0].num_calls == 1
    assert second["outer"][0].task_ids.tolist() == [0]
    assert second["outer"][0].await_times[0] > second["inner"][0].await_times[0] > 0
    assert second.tasks[0][0].steps == tracker.tasks[0].steps == 3
    assert second.tasks[0][0].name == tracker.tasks[0].name
    manager.reset()


def test_the_module_is_imported_without_numpy_and_asyncio():
    assert python("""
        import sys
        import scope_profiler.concurrency
        print([name for name in ("numpy", "asyncio", "greenlet", "typing") if name in sys.modules])
    """) == "[]\n"


def test_every_name_of_the_page_is_there():
    for name in ("CPU_SAMPLE_MASK", "NO_TASK", "UNKNOWN", "ConcurrencyTracker", "TaskInfo",
                 "TaskRecord", "ThreadInfo", "ThreadRecord", "lane_ids",
                 "lane_tables_from_columns"):
        assert hasattr(concurrency, name)
    for name in ("threads", "tasks", "current_thread", "install", "instrument_loop", "snapshot",
                 "uninstall"):
        assert hasattr(ConcurrencyTracker, name)
