"""The two pages that say what threads and tasks look like to a user, executed: every block of
the first with its output up to times, every name, signature and value of the second.

SPDX-License-Identifier: MIT
"""
import asyncio
import inspect
import json
import os
import re
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

from support.overlap import overlap

TIME = r"\d+(\.\d+)?(e-\d+)?"
workers = []


def solve():
    from scope_profiler import ProfileManager

    with ProfileManager.region("solve"):
        time.sleep(0.02)
        sum(range(200_000))


def start_worker_threads():
    workers.clear()
    for number in range(3):
        thread = threading.Thread(target=solve, name=f"worker-{number}")
        workers.append(thread)
        thread.start()


def join_worker_threads():
    for thread in workers:
        thread.join()


# ---- "Profiling every thread" ----


@pytest.fixture
def threads_run(sp):
    ProfileManager = sp.ProfileManager
    with ProfileManager.session(track_threads=True, return_results=True, verbose=False) as run:
        start_worker_threads()
        join_worker_threads()
    return run.results


def test_the_run_describes_the_threads(threads_run):
    lines = [
        f"{thread.name} {thread.cpu_time} {thread.wall_time} {thread.alive}"
        for thread in threads_run.threads[0]
    ]
    patterns = [f"MainThread {TIME} None True"]
    patterns += [f"worker-{n} {TIME} {TIME} False" for n in range(3)]
    assert len(lines) == 4 and all(map(re.fullmatch, patterns, lines)), lines


def test_the_fields_of_a_thread_are_those_of_the_table(threads_run):
    main, *others = threads_run.threads[0]
    assert [thread.index for thread in (main, *others)] == [0, 1, 2, 3]
    assert main.ident == threading.main_thread().ident and main.native_id == os.getpid()
    assert main.end_time is None and main.wall_time is None and not main.daemon
    for thread in others:
        assert 0 <= thread.start_time < thread.end_time
        assert thread.wall_time == thread.end_time - thread.start_time
        assert 0 < thread.cpu_time < thread.wall_time
        assert thread.ident and thread.native_id and not thread.daemon


def test_thread_summary_puts_the_two_sides_together(threads_run):
    rows = threads_run.thread_summary(rank=0)
    lines = [f"{row['name']} {row['num_calls']} {row['region_time']} {row['cpu_time']}"
             for row in rows]  # fmt: skip
    patterns = [f"{name} 1 {TIME} {TIME}"
                for name in ("MainThread", "worker-0", "worker-1", "worker-2")]  # fmt: skip
    assert len(lines) == 4 and all(map(re.fullmatch, patterns, lines)), lines
    for row in rows[1:]:  # solve() sleeps for 0.02 s, which takes no CPU time, and then computes
        assert row["wall_time"] >= row["region_time"] >= 0.02
        assert 0 < row["cpu_time"] <= row["wall_time"] - 0.0195


def test_a_region_is_sliced_by_thread(threads_run):
    solve_region = threads_run["solve"][0]
    lines = []
    for index in solve_region.threads:
        per_thread = solve_region.for_thread(index)  # an ordinary Region
        lines.append(f"{index} {per_thread.num_calls} {per_thread.average_duration}")
        assert isinstance(per_thread, type(solve_region))
    assert all(map(re.fullmatch, [f"{n} 1 {TIME}" for n in (1, 2, 3)], lines)), lines


# ---- "Asyncio and greenlets" ----


async def fetch(url):
    from scope_profiler import ProfileManager

    with ProfileManager.region("fetch"):
        await asyncio.sleep(0.02)  # stands in for `await client.get(url)`
        time.sleep(0.005)  # the part that holds the thread
        return url


async def main():
    return await asyncio.gather(*(fetch(f"/page/{n}") for n in range(3)))


@pytest.fixture
def async_run(sp):
    """As the page has it: the loop runs already, the session is inside."""
    async def cell():
        with sp.ProfileManager.session(
            track_async=True, return_results=True, verbose=False
        ) as run:
            assert await main() == ["/page/0", "/page/1", "/page/2"]
        return run

    return asyncio.run(cell())


def test_each_task_becomes_a_lane_with_its_await_time(async_run):
    fetch_region = async_run.results["fetch"][0]
    waited, held = fetch_region.await_times, fetch_region.durations - fetch_region.await_times
    assert fetch_region.num_calls == 3
    assert all(waited >= 0.0195) and all(held >= 0.005)
    # One thread ran them: what they held adds up to no more than the time that passed, and each
    # waited for the one before.
    passed = fetch_region.last_end_time - fetch_region.first_start_time
    assert held.sum() <= passed < fetch_region.total_duration
    assert all(np.diff(np.sort(fetch_region.end_times)) >= 0.005)


def test_every_task_is_described_in_its_table(async_run):
    tasks = async_run.results.tasks[0]
    lines = [f"{task.name} {task.coro_name} {task.running_time} {task.awaiting_time}"
             for task in tasks]  # fmt: skip
    pattern = f"Task-\\d+ fetch {TIME} {TIME}"
    assert len(lines) == 3 and all(re.fullmatch(pattern, line) for line in lines), lines
    for index, task in enumerate(tasks):
        assert (task.index, task.kind, task.thread_index) == (index, "task", 0)
        assert task.steps >= 2 and task.done and task.wall_time > 0.02
        assert 0 <= task.created_time < task.done_time
        assert task.running_time >= 0.005 and task.awaiting_time >= 0.0195


def test_a_session_around_asyncio_run_follows_its_tasks(sp):
    with sp.ProfileManager.session(
        track_async=True, return_results=True, verbose=False
    ) as run:
        asyncio.run(main())
    names = [task.coro_name for task in run.results.tasks[0]]
    assert names.count("fetch") == 3 and "main" in names


def test_greenlets_share_the_task_table(sp):
    greenlet = pytest.importorskip("greenlet")

    def work(name):
        with sp.region(name):
            greenlet.getcurrent().parent.switch()

    with sp.ProfileManager.session(
        track_async=True, return_results=True, verbose=False
    ) as run:
        both = [greenlet.greenlet(work) for _ in "ab"]
        for name, one in zip("ab", both):
            one.switch(name)
        for one in both:
            one.switch()
    assert {task.kind for task in run.results.tasks[0]} == {"greenlet"}
    assert run.results["a"].num_calls == run.results["b"].num_calls == 1
    assert run.results["scope_profiler.session"].num_calls == 1


# ---- "How it works" ----


def test_a_loop_can_be_instrumented_by_hand_and_a_factory_is_kept(sp):
    made = []

    def factory(loop, coroutine, **kwargs):
        made.append(coroutine)
        return asyncio.Task(coroutine, loop=loop, **kwargs)

    async def with_factory():
        asyncio.get_running_loop().set_task_factory(factory)
        await main()

    with sp.ProfileManager.session(
        track_async=True, return_results=True, verbose=False
    ) as run:
        loop = asyncio.new_event_loop()
        sp.ProfileManager.get_config().tracker.instrument_loop(loop)
        loop.set_task_factory(factory)
        loop.run_until_complete(main())
        loop.close()
    assert len(made) >= 4 and run.results["fetch"].num_calls == 3
    assert [task.coro_name for task in run.results.tasks[0]].count("fetch") == 3


# ---- "Exporting a concurrent run" ----


def test_speedscope_has_one_profile_per_lane(sp, async_run, capsys):
    from scope_profiler.speedscope_export import export_speedscope

    export_speedscope(async_run.results, "concurrent.speedscope.json")
    assert capsys.readouterr().out == (
        "Wrote concurrent.speedscope.json (view at https://www.speedscope.app)\n"
    )
    with open("concurrent.speedscope.json") as f:
        names = [profile["name"] for profile in json.load(f)["profiles"]]
    assert names[0] == "rank 0 - MainThread" and len(names) == 4
    for name in names[1:]:
        assert re.fullmatch(r"rank 0 - Task-\d+ \(fetch\) on MainThread", name), name


def test_split_by_lane_is_the_same_split(async_run):
    from scope_profiler.call_stack import build_call_arrays, split_by_lane

    calls = build_call_arrays(async_run.results.get_regions(), rank=0)
    assert [(lane, len(part)) for lane, part in split_by_lane(calls)] == [
        (-2, 1), (0, 1), (1, 1), (2, 1)]  # fmt: skip


# ---- "Multiprocessing" ----

POOL = """\
import multiprocessing
import os

from scope_profiler import ProfileManager


def worker(index):
    manager = ProfileManager()
    with manager.session(
        file_path=f"worker_{index}.h5", track_threads=True, verbose=False
    ):
        with manager.region("work"):
            sum(range(100_000))


if __name__ == "__main__":
    multiprocessing.set_start_method(METHOD)
    with multiprocessing.Pool(2) as pool:
        pool.map(worker, range(2))
    print(sorted(name for name in os.listdir() if name.startswith("worker_")))
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_each_process_profiles_itself_into_a_file_of_its_own(sp, tmp_path, method):
    (tmp_path / "multiprocessing_example.py").write_text(POOL.replace("METHOD", repr(method)))
    completed = subprocess.run(
        [sys.executable, "multiprocessing_example.py"],
        check=False, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert (completed.stdout or completed.stderr) == "['worker_0.h5', 'worker_1.h5']\n"
    assert sp.load("worker_1.h5")["work"].num_calls == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_of_a_session_stands_down_until_it_has_its_own(sp):
    code = """\
import os, threading
from scope_profiler import ProfileManager

def work():
    with ProfileManager.region("work"): pass

with ProfileManager.session(track_threads=True, verbose=False, output="parent.h5"):
    work()
    pid = os.fork()
    if not pid:
        tracker = ProfileManager.get_config().tracker
        assert ProfileManager.is_active()
        thread = threading.Thread(target=work); thread.start(); thread.join()
        assert tracker.tasks == [] and "worker" not in [t.name for t in tracker.threads]
        with ProfileManager.session(track_threads=True, verbose=False, output="child.h5",
                                    replace=True):
            thread = threading.Thread(target=work, name="worker"); thread.start(); thread.join()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    work()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert sp.load("parent.h5")["work"].num_calls == 2
    child = sp.load("child.h5")
    assert child["work"].num_calls == 1
    assert [thread.name for thread in child.threads[0]] == ["MainThread", "worker"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_finalize_in_a_child_of_an_untracked_run_reports_the_parents_calls_too(sp):
    code = """\
import os
import scope_profiler as sp
sp.setup(output=None)
with sp.region("before"): pass
pid = os.fork()
if not pid:
    with sp.region("after"): pass
    found = sp.finalize(verbose=False, return_results=True)
    assert sorted(found.region_names) == ["after", "before"], found.region_names
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert sp.finalize(verbose=False, return_results=True).region_names == ["before"]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


# ---- "Lifetime of the hooks" ----


def test_hooks_go_with_a_session_and_stay_after_finalize_until_the_next_setup(sp):
    def originals():
        return threading.Thread.start, asyncio.BaseEventLoop.create_task, \
            threading._start_joinable_thread if sys.version_info >= (3, 13) else \
            threading._start_new_thread  # fmt: skip

    before = originals()
    with sp.session(track_async=True, verbose=False, output=None):
        assert originals() != before
    assert originals() == before
    sp.setup(track_async=True, output=None)
    sp.finalize(verbose=False)
    assert originals() != before
    sp.setup(output=None)
    assert originals() == before


# ---- "Limits" ----


def test_lanes_cannot_be_combined_with_aggregation(sp, capsys):
    try:
        with sp.ProfileManager.session(
            track_threads=True, aggregation_mode=True, verbose=False
        ):
            pass
    except ValueError as error:
        print(error)
    assert capsys.readouterr().out == (
        "track_threads/track_async cannot be combined with line, GPU, NVTX, LIKWID, perf events, "
        "or aggregation profiling\n"
    )


# ---- "What a run without tracking does" ----


def test_a_run_without_tracking_has_no_lanes(sp):
    from scope_profiler.call_stack import build_call_arrays

    with sp.ProfileManager.session(return_results=True, verbose=False) as plain:
        with sp.ProfileManager.region("plain"):
            pass
    assert plain.results.threads == {}
    assert build_call_arrays(plain.results.get_regions(), rank=0).lane.size == 0
    stored = sp.load("profiling_data.h5")
    assert stored.threads == {} and stored["plain"][0].thread_ids is None


def profile_overlap(**options):
    """As on the page, but that no clock decides what overlaps."""
    from scope_profiler import ProfileManager

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with ProfileManager.session(return_results=True, verbose=False, **options) as run:
            overlap(ProfileManager.region, 0.04)
    return run.results


def test_overlapping_threads_without_tracking_have_no_call_graph(sp, capsys):
    from scope_profiler import NestingError

    try:
        profile_overlap().call_graph(rank=0)
    except NestingError:
        print("NestingError without track_threads")
    print(len(profile_overlap(track_threads=True).call_graph(rank=0)), "calls with it")
    assert capsys.readouterr().out == (
        "NestingError without track_threads\n3 calls with it\n"
    )


def test_the_profiler_warns_that_the_call_graph_is_missing_and_keeps_the_timings(sp):
    with pytest.warns(RuntimeWarning, match="call graph not recorded: ") as caught:
        with sp.session(output="o.h5", return_results=True, verbose=False) as run:
            overlap(sp.region, 0.04)
    assert caught[0].filename == __file__
    for results in (run.results, sp.load("o.h5")):
        assert results["a"][0].call_ids is None and results["a"].total_duration >= 0.04
        assert results.threads == {}
        with pytest.raises(sp.NestingError):
            results.summary()


# ---- the API page ----


def test_the_module_has_its_constants():
    from scope_profiler import concurrency

    assert (concurrency.CPU_SAMPLE_MASK, concurrency.NO_TASK, concurrency.UNKNOWN) == (255, -1, -1)


@pytest.mark.parametrize("owner, name, signature", [
    ("", "ConcurrencyTracker", ["track_async"]),
    ("ConcurrencyTracker", "current_thread", ["self"]),
    ("ConcurrencyTracker", "install", ["self"]),
    ("ConcurrencyTracker", "uninstall", ["self"]),
    ("ConcurrencyTracker", "instrument_loop", ["self", "loop"]),
    ("ConcurrencyTracker", "snapshot", ["self", "origin_ns"]),
    ("", "TaskRecord", ["index", "kind", "name", "coro_name", "thread_index"]),
    ("TaskRecord", "enter_step", ["self"]),
    ("TaskRecord", "leave_step", ["self"]),
    ("TaskRecord", "finish", ["self"]),
    ("", "ThreadRecord", ["index", "thread"]),
    ("ThreadRecord", "sample_cpu", ["self"]),
    ("", "ThreadInfo", ["index", "rank", "name", "ident", "native_id", "daemon", "start_ns",
                        "end_ns", "cpu_ns"]),
    ("", "TaskInfo", ["index", "rank", "kind", "name", "coro_name", "thread_index", "created_ns",
                      "done_ns", "steps", "running_ns", "suspended_ns"]),
    ("", "lane_ids", ["thread_ids", "task_ids"]),
    ("", "lane_tables_from_columns", ["rank", "tables"]),
])  # fmt: skip
def test_every_callable_has_its_parameters(owner, name, signature):
    from scope_profiler import concurrency

    found = getattr(getattr(concurrency, owner) if owner else concurrency, name)
    assert list(inspect.signature(found).parameters) == signature


def test_defaults_are_those_of_the_page():
    from scope_profiler.concurrency import ConcurrencyTracker

    assert inspect.signature(ConcurrencyTracker).parameters["track_async"].default is False
    assert inspect.signature(ConcurrencyTracker.snapshot).parameters["origin_ns"].default == 0


def test_a_thread_info_converts_to_seconds():
    from scope_profiler.concurrency import ThreadInfo

    ended = ThreadInfo(np.int64(3), 1, "name", 5, 6, np.int8(1), 10, 2_000_000_010, 500_000_000)
    assert (ended.index, ended.rank, ended.name, ended.ident, ended.native_id) == (3, 1, "name", 5, 6)
    assert ended.daemon is True and ended.cpu_time == 0.5 and not ended.alive
    assert ended.end_time == 2.00000001 and ended.wall_time == ended.end_time - ended.start_time
    alive = ThreadInfo(0, 0, "n", 1, 1, 0, 10, -1, 0)
    assert alive.end_time is None and alive.alive and alive.wall_time is None


def test_a_task_info_converts_to_seconds():
    from scope_profiler.concurrency import TaskInfo

    done = TaskInfo(1, 0, "task", "n", "c", 2, 0, 3_000_000_000, 4, 1_000_000_000, 2_000_000_000)
    assert (done.index, done.rank, done.kind, done.name, done.coro_name) == (1, 0, "task", "n", "c")
    assert (done.thread_index, done.steps, done.running_time, done.awaiting_time) == (2, 4, 1.0, 2.0)
    assert (done.created_time, done.done_time, done.wall_time, done.done) == (0.0, 3.0, 3.0, True)
    never = TaskInfo(1, 0, "task", "n", "c", 2, 5, -1, 4, 1, 2)
    assert never.done_time is None and never.wall_time is None and not never.done


def test_a_task_record_works_by_hand():
    from scope_profiler.concurrency import NO_TASK, UNKNOWN, TaskRecord

    task = TaskRecord(0, "task", "name", "coro", 2)
    assert (task.index, task.kind, task.name, task.coro_name, task.thread_index) == (
        0, "task", "name", "coro", 2)  # fmt: skip
    assert (task.done_ns, task.running_ns, task.suspended_ns, task.steps) == (UNKNOWN, 0, 0, 0)
    assert (task.last_step_end_ns, task.step_started_ns) == (0, 0) and not task.done
    assert 0 < task.created_ns <= time.perf_counter_ns() and NO_TASK == -1
    started = task.enter_step()
    assert started == task.step_started_ns and task.suspended_ns == 0  # the first gap is no wait
    task.leave_step()
    assert task.running_ns == task.last_step_end_ns - started
    time.sleep(0.002)
    task.enter_step()
    assert task.suspended_ns >= 2_000_000 and task.steps == 2
    task.leave_step()
    task.finish()
    done = task.done_ns
    task.finish()
    assert task.done and task.done_ns == done  # the first call wins


def test_a_thread_record_works_by_hand():
    from scope_profiler.concurrency import UNKNOWN, ThreadRecord

    here = threading.current_thread()
    record = ThreadRecord(4, here)
    assert (record.index, record.ident, record.native_id, record.name, record.daemon) == (
        4, here.ident, here.native_id, here.name, here.daemon)  # fmt: skip
    assert record.end_ns == UNKNOWN and record.alive and record.task is None
    assert 0 < record.start_ns <= time.perf_counter_ns()
    before = record.cpu_ns
    sum(range(200_000))
    record.sample_cpu()
    assert record.cpu_ns > before


def test_a_tracker_works_without_any_session(sp):
    from scope_profiler.concurrency import ConcurrencyTracker

    tracker = ConcurrencyTracker(track_async=True)
    assert tracker.track_async is True and tracker.threads == [] and tracker.tasks == []
    main_thread = tracker.current_thread()
    assert tracker.current_thread() is main_thread and main_thread.name == "MainThread"
    tracker.install()
    tracker.install()  # twice is once
    try:
        thread = threading.Thread(target=tracker.current_thread, name="other")
        thread.start()
        thread.join()
        asyncio.run(asyncio.sleep(0))
    finally:
        tracker.uninstall()
    assert [record.name for record in tracker.threads] == ["MainThread", "other"]
    assert tracker.threads[0] is main_thread
    assert "sleep" in [task.coro_name for task in tracker.tasks]
    shot = tracker.snapshot(origin_ns=1_000)
    assert set(shot) == {"threads", "tasks"}
    assert set(shot["threads"]) == {"index", "ident", "native_id", "name", "daemon", "start_ns",
                                    "end_ns", "cpu_ns"}  # fmt: skip
    assert set(shot["tasks"]) == {"index", "kind", "name", "coro_name", "thread_index",
                                  "created_ns", "done_ns", "steps", "running_ns",
                                  "suspended_ns"}  # fmt: skip
    assert shot["threads"]["daemon"].dtype == np.int8 and shot["threads"]["end_ns"][0] == -1
    assert shot["threads"]["start_ns"][0] == tracker.threads[0].start_ns - 1_000


def test_lane_ids_are_disjoint_for_threads_and_tasks():
    from scope_profiler.concurrency import lane_ids

    threads = np.array([0, 1, -1, 2])
    assert lane_ids(threads, None).tolist() == [-2, -3, -1, -4]
    assert lane_ids(threads, np.array([-1, 5, -1, 0])).tolist() == [-2, 5, -1, 0]


def test_stored_columns_become_rows_again(threads_run, sp):
    from scope_profiler.concurrency import lane_tables_from_columns

    shot = sp.ProfileManager.get_config().tracker.snapshot(
        sp.ProfileManager.get_config().start_time_ns
    )
    threads, tasks = lane_tables_from_columns(0, shot)
    assert [thread.name for thread in threads] == [t.name for t in threads_run.threads[0]]
    assert [t.end_time for t in threads] == [t.end_time for t in threads_run.threads[0]]
    assert tasks == [] and lane_tables_from_columns(0, {}) == ([], [])
