"""Each thread is a lane with its exact start, end and CPU time.

SPDX-License-Identifier: MIT
"""
import _thread
import ctypes
import gc
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from scope_profiler import ProfileManager, _lanes, _record
from support.lanes import python, recorded


STARTER = "_start_new_thread" if sys.version_info < (3, 13) else "_start_joinable_thread"


def starter():
    return getattr(threading, STARTER)


def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def start_and_join(count, target, **options):
    threads = [threading.Thread(target=target, name=f"worker-{i}", **options)
               for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return threads


def test_each_thread_has_its_calls_its_name_and_its_times():
    burnt_ns = {}
    with recorded() as (manager, run):
        def solve():
            with manager.region("solve"):
                burn(0.01)
            burnt_ns[threading.current_thread().name] = time.thread_time_ns()

        before = time.perf_counter_ns()
        started = start_and_join(3, solve)
        after = time.perf_counter_ns()
        origin = manager.get_config().start_time_ns
    threads = run.threads()
    assert list(threads) == ["MainThread", "worker-0", "worker-1", "worker-2"]
    assert sorted(call[0] for call in run.calls("solve")) == [1, 2, 3]
    for thread in started:
        row = threads[thread.name]
        assert row.ident == thread.ident and row.native_id == thread.native_id
        assert not row.daemon and not row.alive
        assert 0.01 <= burnt_ns[thread.name] / 1e9 <= row.cpu_time <= row.wall_time
        assert (before - origin) / 1e9 <= row.start_time <= row.end_time <= (after - origin) / 1e9
    main = threads["MainThread"]
    assert main.alive and main.index == 0 and main.wall_time is None
    assert main.cpu_time <= time.process_time()


def test_a_thread_that_enters_no_region_has_a_row():
    with recorded() as (manager, run):
        start_and_join(1, lambda: None, daemon=True)
    assert run.threads()["worker-0"].daemon
    assert run.results.thread_summary(rank=0)[1]["num_calls"] == 0


def test_a_joined_thread_has_always_ended():
    with recorded() as (manager, run):
        for _ in range(300):
            thread = threading.Thread(target=int)
            thread.start()
            thread.join()
            if not _ % 30:
                assert not manager.get_config().tracker.threads[-1].alive
    assert len(run.results.threads[0]) == 301
    assert sum(thread.alive for thread in run.results.threads[0]) == 1


def test_the_first_bytecode_of_a_thread_finds_it_registered():
    with recorded() as (manager, run):
        seen = []

        class Early(threading.Thread):
            def _bootstrap(self):
                seen.append(_record.register_thread(manager.get_config()._run.session))
                super()._bootstrap()

        thread = Early(name="early")
        thread.start()
        thread.join()
    assert seen == [1] and run.results.threads[0][1].name == "early"


def test_a_thread_of_the_low_level_module_is_a_lane_from_its_start():
    with recorded() as (manager, run):
        done = _thread.allocate_lock()
        done.acquire()

        def work(number, *, word):
            assert (number, word) == (7, "x")
            with manager.region("solve"):
                pass
            done.release()

        _thread.start_new_thread(work, (7,), {"word": "x"})
        done.acquire()
        ident = _thread.start_new_thread(int, ())
        time.sleep(0.05)
    first, second = run.results.threads[0][1:]
    assert first.name.startswith("Dummy-") and first.daemon and not first.alive
    assert second.ident == ident and not second.alive
    assert [call[0] for call in run.calls("solve")] == [1]


def test_a_thread_from_before_is_registered_at_its_first_region_under_its_name():
    go, end = threading.Event(), threading.Event()
    manager = ProfileManager()

    def work():
        go.wait()
        with manager.region("old"):
            pass
        end.wait()

    thread = threading.Thread(target=work, name="older", daemon=True)
    silent = threading.Thread(target=end.wait, name="silent")
    thread.start()
    silent.start()
    with manager.session(track_threads=True, verbose=False, return_results=True,
                         deactivate_file_output=True) as run:
        go.set()
        while manager.region("old").num_calls == 0 or manager.region("old").num_exits == 0:
            time.sleep(0.001)
    end.set()
    thread.join()
    silent.join()
    manager.reset()
    rows = run.results.threads[0]
    assert [row.name for row in rows] == ["MainThread", "older"]
    assert rows[1].alive and rows[1].daemon and rows[1].native_id == thread.native_id
    assert run.results["old"][0].threads == [1]


def test_a_thread_made_in_c_is_a_lane_when_it_enters_a_region():
    libc = ctypes.CDLL(None)
    libc.pthread_create.argtypes = [ctypes.c_void_p] * 4
    libc.pthread_join.argtypes = [ctypes.c_ulong, ctypes.c_void_p]
    with recorded() as (manager, run):
        @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
        def work(_):
            with manager.region("foreign"):
                pass
            return None

        for _ in range(2):
            handle = ctypes.c_ulong()
            assert libc.pthread_create(ctypes.byref(handle), None, work, None) == 0
            # join() would keep the interpreter's lock
            assert ctypes.CDLL(None).pthread_join(handle, None) == 0
    rows = run.results.threads[0][1:]
    assert len(rows) == 2 and all(row.name.startswith("Dummy-") for row in rows)
    assert [call[0] for call in run.calls("foreign")] == [1, 2]
    assert not any(row.alive for row in rows)


def test_pool_workers_are_lanes():
    with recorded() as (manager, run):
        def work(_):
            with manager.region("job"):
                time.sleep(0.002)

        with ThreadPoolExecutor(3, thread_name_prefix="pool") as pool:
            list(pool.map(work, range(12)))
    names = [thread.name for thread in run.results.threads[0]]
    assert names == ["MainThread", "pool_0", "pool_1", "pool_2"]
    assert run.results["job"][0].num_calls == 12
    assert set(run.results["job"][0].threads) <= {1, 2, 3}


def test_a_thread_alive_at_the_end_has_its_cpu_time_of_that_moment():
    stop = threading.Event()
    burnt = threading.Event()
    at_end = []
    with recorded() as (manager, run):
        def work():
            burn(0.03)
            burnt.set()
            stop.wait()
            at_end.append(time.thread_time())

        thread = threading.Thread(target=work, name="living")
        thread.start()
        burnt.wait()
    stop.set()
    thread.join()
    row = run.threads()["living"]
    assert row.alive and row.end_time is None and 0.03 <= row.cpu_time <= at_end[0]


def test_with_setup_main_is_registered_when_it_enters_a_region():
    manager = ProfileManager()
    manager.setup(track_threads=True, deactivate_file_output=True)
    thread = threading.Thread(target=int, name="first")
    thread.start()
    thread.join()
    with manager.region("later"):
        pass
    names = [row.name for row in manager.finalize(verbose=False, return_results=True).threads[0]]
    manager.reset()
    assert names == ["first", "MainThread"]


def test_a_session_may_begin_and_end_in_any_thread():
    found = []

    def work():
        with recorded() as (manager, run):
            inner = threading.Thread(target=int, name="inner")
            inner.start()
            inner.join()
        found.append([row.name for row in run.results.threads[0]])

    start_and_join(1, work)
    assert found == [["worker-0", "inner"]]


def test_hooks_are_gone_after_a_session_and_are_counted():
    before = starter(), _thread.start_new_thread
    with recorded():
        inner = starter()
        assert _thread.start_new_thread is not before[1]
        with recorded():
            assert starter() is inner
        assert starter() is inner
    assert (starter(), _thread.start_new_thread) == before


def test_somebody_else_s_hook_stays():
    before = starter()
    seen = []

    def theirs(*arguments, **keywords):
        seen.append(arguments)
        return ours(*arguments, **keywords)

    try:
        with recorded():
            ours = starter()
            setattr(threading, STARTER, theirs)
            start_and_join(1, int)
        assert starter() is theirs
        start_and_join(1, int)
        assert len(seen) == 2
        with recorded() as (manager, run):
            start_and_join(1, int)
        assert starter() is theirs and len(seen) == 3
        assert [row.name for row in run.results.threads[0]] == ["MainThread", "worker-0"]
    finally:
        setattr(threading, STARTER, before)


def test_wrong_arguments_are_refused_as_ever():
    with recorded():
        with pytest.raises(TypeError, match="callable"):
            _thread.start_new_thread(3, ())
        with pytest.raises(TypeError):
            _thread.start_new_thread(int)
        with pytest.raises(TypeError):
            _thread.start_new_thread(int, [])
        with pytest.raises(RuntimeError, match="once"):
            thread = threading.Thread(target=int)
            thread.start()
            thread.start()
        thread.join()


def test_an_exception_in_a_thread_closes_its_regions_and_is_reported_as_ever(monkeypatch):
    reported = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    with recorded() as (manager, run):
        def work():
            with manager.region("solve"):
                raise KeyError("lost")

        start_and_join(1, work)
    assert reported[0].exc_type is KeyError
    assert len(run.calls("solve")) == 1 and not run.threads()["worker-0"].alive


def test_profile_and_trace_functions_of_threads_are_untouched():
    seen = []
    threading.setprofile(lambda frame, event, argument: seen.append(event))
    try:
        with recorded():
            hook = getattr(threading, "_profile_hook")
            start_and_join(1, lambda: len("x"))
            assert threading._profile_hook is hook
    finally:
        threading.setprofile(None)
    assert "call" in seen


def test_coverage_of_threads_is_what_it_is_without_us(tmp_path):
    pytest.importorskip("coverage")
    (tmp_path / "program.py").write_text("""
import sys, threading
from scope_profiler import ProfileManager
def work():
    with ProfileManager.region("work"):
        return sum(range(10))
def go():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
if len(sys.argv) > 1:
    with ProfileManager.session(track_async=True, verbose=False, deactivate_file_output=True):
        go()
else:
    go()
""")
    code = """
        import coverage, runpy, sys
        cover = coverage.Coverage(data_file=None, include=["program.py"])
        cover.start()
        runpy.run_path("program.py", run_name="__main__")
        cover.stop()
        print(cover.analysis2("program.py")[3])
    """
    assert python(code, cwd=tmp_path) == "[12, 13]\n"
    assert python(code, "tracked", cwd=tmp_path) == "[15]\n"


def test_many_threads_leave_nothing_behind():
    manager = ProfileManager()
    manager.setup(track_threads=True, deactivate_file_output=True)
    start_and_join(50, int)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(20):
        start_and_join(10, int)
    gc.collect()
    assert len(gc.get_objects()) - before < 50
    manager.reset()


def test_threads_of_two_managers_are_numbered_apart():
    with recorded() as (one, run):
        start_and_join(1, int)
        with recorded() as (other, inner):
            start_and_join(2, int)
    assert [row.name for row in run.results.threads[0]] == [
        "MainThread", "worker-0", "worker-0", "worker-1"]
    assert [row.name for row in inner.results.threads[0]] == ["MainThread", "worker-0", "worker-1"]


def test_a_manager_that_is_dropped_takes_its_hooks_with_it():
    before = starter()
    manager = ProfileManager()
    manager.setup(track_threads=True, deactivate_file_output=True)
    assert starter() is not before
    manager.reset()
    assert starter() is before
    session = _record.Session(memory_only=True, lanes=_record.THREADS)
    _lanes.install(session)
    del session, manager
    gc.collect()
    assert starter() is before


def test_overlapping_threads_nest_only_with_lanes():
    with recorded() as (manager, run):
        barrier = threading.Barrier(2)

        def work():
            with manager.region("outer"):
                barrier.wait()
                with manager.region("inner"):
                    barrier.wait()

        start_and_join(2, work)
    graph = run.results.call_graph(rank=0)
    assert sorted(call["depth"] for call in graph) == [0, 0, 0, 1, 1]


def test_daemon_threads_at_the_end_of_the_interpreter_do_no_harm():
    for _ in range(3):
        assert python("""
            import threading, time
            from scope_profiler import ProfileManager
            def work():
                while True:
                    with ProfileManager.region("busy"):
                        time.sleep(0.0001)
            ProfileManager.setup(track_threads=True, deactivate_file_output=True)
            for _ in range(4):
                threading.Thread(target=work, daemon=True).start()
            time.sleep(0.1)
            print(len(ProfileManager.finalize(verbose=False, return_results=True).threads[0]))
        """) == "4\n"


def test_a_thread_that_outlives_its_session_goes_on():
    stop = threading.Event()
    with recorded() as (manager, run):
        thread = threading.Thread(target=stop.wait, name="long")
        thread.start()
    with recorded() as (manager, again):
        stop.set()
        thread.join()
    assert run.threads()["long"].alive
    assert "long" not in again.threads()


@pytest.mark.skipif(sys.version_info < (3, 13), reason="3.13 starts threads by another function")
def test_joinable_threads_keep_their_handle():
    with recorded() as (manager, run):
        thread = threading.Thread(target=int, name="joinable", daemon=True)
        thread.start()
        thread.join()
    assert not thread.is_alive() and run.threads()["joinable"].daemon
