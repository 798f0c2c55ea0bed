"""Greenlets are lanes: what runs on one keeps its lane over every switch.

SPDX-License-Identifier: MIT
"""
import asyncio
import gc
import sys
import threading
import time

import pytest

greenlet = pytest.importorskip("greenlet")

from scope_profiler import ProfileManager  # noqa: E402
from support.lanes import python, recorded  # noqa: E402


def tracked(**options):
    return recorded(track_async=True, **options)


def test_greenlets_that_interleave_are_lanes_of_their_own():
    with tracked() as (manager, run):
        main = greenlet.getcurrent()

        def work(number):
            with manager.region("work"):
                time.sleep(0.002)
                main.switch()
                time.sleep(0.002)

        workers = [greenlet.greenlet(work) for _ in range(3)]
        for worker in workers:
            worker.switch(0)
        for worker in workers:
            worker.switch()
        assert all(worker.dead for worker in workers)
    calls = run.calls("work")
    assert len({call[1] for call in calls}) == 3
    for _, task, duration, waited in calls:
        row = run.tasks()[task]
        assert row.kind == "greenlet" and row.done and row.steps == 2
        assert duration >= 8_000_000 and 0 < waited < duration
        assert row.running_time >= 0.0039
    order = [workers[0], main, workers[1], workers[2]]  # as they are first switched to
    assert [row.name for row in run.tasks()] == [f"greenlet-{id(known):x}" for known in order]
    assert all(row.coro_name == "NoneType" for row in run.tasks())


def test_a_region_that_spans_the_first_switch_is_not_lost():
    with tracked() as (manager, run):
        main = greenlet.getcurrent()

        def other():
            with manager.region("other"):
                main.switch()

        with manager.region("outer"):
            worker = greenlet.greenlet(other)
            worker.switch()
            with manager.region("inner"):
                worker.switch()
        with manager.region("after"):
            pass
    graph = {call["name"]: call for call in run.results.call_graph(rank=0)}
    root = graph["scope_profiler.session"]["call_id"]
    assert graph["outer"]["parent_id"] == graph["after"]["parent_id"] == root
    assert graph["inner"]["parent_id"] == graph["outer"]["call_id"]
    assert graph["other"]["parent_id"] is None


def test_a_greenlet_inside_a_task_s_step_and_back():
    """The bridge between synchronous and asynchronous code that SQLAlchemy has."""
    with tracked() as (manager, run):
        def await_only(awaitable):
            return greenlet.getcurrent().parent.switch(awaitable)

        async def spawn(function, *arguments):
            worker = greenlet.greenlet(function, greenlet.getcurrent())
            with manager.region("bridge"):
                result = worker.switch(*arguments)
                while not worker.dead:
                    with manager.region("wait"):
                        value = await result
                    result = worker.switch(value)
            return result

        def synchronous(number):
            with manager.region("query"):
                for _ in range(3):
                    await_only(asyncio.sleep(0.001))
                with manager.region("fetch"):
                    return number

        async def request(number):
            with manager.region("request"):
                assert await spawn(synchronous, number) == number

        async def main():
            await asyncio.gather(*(request(number) for number in range(5)))

        asyncio.run(main())
    kinds = {row.index: row.kind for row in run.tasks()}
    for name, count, kind in (("request", 5, "task"), ("bridge", 5, "task"), ("wait", 15, "task"),
                              ("query", 5, "greenlet"), ("fetch", 5, "greenlet")):
        calls = run.calls(name)
        assert len(calls) == count, name
        assert {kinds[call[1]] for call in calls} == {kind}, name
        assert len({call[1] for call in calls}) == 5
    graph = run.results.call_graph(rank=0)
    names = {call["call_id"]: call["name"] for call in graph}
    parents = {(call["name"], names.get(call["parent_id"])) for call in graph}
    assert {("bridge", "request"), ("wait", "bridge"), ("fetch", "query")} <= parents
    assert all(call[3] >= 2_900_000 for call in run.calls("query"))


def test_exceptions_and_throws_end_a_greenlet():
    with tracked() as (manager, run):
        main = greenlet.getcurrent()

        def fails():
            with manager.region("fails"):
                raise KeyError("lost")

        def waits():
            with manager.region("waits"):
                main.switch()

        with pytest.raises(KeyError):
            greenlet.greenlet(fails).switch()
        waiting = greenlet.greenlet(waits)
        waiting.switch()
        waiting.throw()
        never = greenlet.greenlet(waits)
        never.throw()
        dropped = greenlet.greenlet(waits)
        dropped.switch()
        del dropped
    assert len(run.calls("fails")) == 1 and len(run.calls("waits")) == 2
    rows = [row for row in run.tasks() if row.name != f"greenlet-{id(main):x}"]
    assert all(row.done for row in rows) and len(rows) >= 3


def test_greenlets_that_switch_to_each_other_and_nest():
    with tracked() as (manager, run):
        order = []

        def deep(level):
            with manager.region(f"level-{level}"):
                if level < 5:
                    child = greenlet.greenlet(deep)
                    child.switch(level + 1)
                order.append(level)

        greenlet.greenlet(deep).switch(0)
    assert order == [5, 4, 3, 2, 1, 0]
    assert len({run.calls(f"level-{level}")[0][1] for level in range(6)}) == 6


def test_a_trace_function_from_before_is_called_and_put_back():
    seen = []

    def theirs(event, arguments):
        seen.append(event)

    greenlet.settrace(theirs)
    try:
        with tracked():
            assert greenlet.gettrace() is not theirs
            greenlet.greenlet(int).switch()
        assert greenlet.gettrace() is theirs
        assert seen == ["switch", "switch"]
    finally:
        greenlet.settrace(None)
    with tracked():
        greenlet.greenlet(int).switch()
    assert greenlet.gettrace() is None


def test_a_trace_function_set_around_ours_goes_on():
    seen = []
    try:
        with tracked():
            ours = greenlet.gettrace()

            def theirs(event, arguments):
                seen.append(event)
                return ours(event, arguments)

            greenlet.settrace(theirs)
            greenlet.greenlet(int).switch()
        assert greenlet.gettrace() is theirs
        greenlet.greenlet(int).switch()
        with tracked() as (manager, run):
            greenlet.greenlet(int).switch()
        assert len(run.tasks()) == 2
        assert greenlet.gettrace() is theirs and len(seen) == 6
    finally:
        greenlet.settrace(None)


def test_each_thread_has_its_greenlets():
    with tracked() as (manager, run):
        def in_thread():
            main = greenlet.getcurrent()

            def work():
                with manager.region("work"):
                    main.switch()

            with manager.region("thread"):
                workers = [greenlet.greenlet(work) for _ in range(3)]
                for worker in workers * 2:
                    worker.switch()
            assert greenlet.gettrace() is not None

        threads = [threading.Thread(target=in_thread) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    rows = run.tasks()
    assert len(rows) == 12 and len(run.calls("thread")) == 3
    for thread, task, _, _ in run.calls("work"):
        assert rows[task].thread_index == thread and rows[task].done


def test_a_thread_s_hook_goes_at_its_next_switch():
    go, ready = threading.Event(), threading.Event()
    found = []

    def in_thread():
        greenlet.greenlet(int).switch()
        found.append(greenlet.gettrace() is not None)
        ready.set()
        go.wait()
        greenlet.greenlet(int).switch()
        found.append(greenlet.gettrace())

    with tracked():
        thread = threading.Thread(target=in_thread)
        thread.start()
        ready.wait()
    go.set()
    thread.join()
    assert found == [True, None]


def test_a_session_inside_a_greenlet():
    found = []

    def work():
        other = greenlet.greenlet(lambda: greenlet.getcurrent().parent.switch())
        with tracked() as (manager, run):
            with manager.region("mine"):
                other.switch()
                with manager.region("inside"):
                    other.switch()
        found.append(run)

    greenlet.greenlet(work).switch()
    run = found[0]
    graph = {call["name"]: call for call in run.results.call_graph(rank=0)}
    assert graph["inside"]["parent_id"] == graph["mine"]["call_id"]
    assert greenlet.gettrace() is None


def test_gevent_pools_in_two_threads():
    pytest.importorskip("gevent")
    out = python("""
        import threading
        import gevent, gevent.pool
        from scope_profiler import ProfileManager
        def work(number):
            with ProfileManager.region("work"):
                gevent.sleep(0.001)
                with ProfileManager.region("part"):
                    gevent.sleep(0.001)
            return number
        sums = []
        def in_thread():
            with ProfileManager.region("thread"):
                pool = gevent.pool.Pool(5)
                sums.append(sum(pool.map(work, range(20))))
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            threads = [threading.Thread(target=in_thread) for _ in range(2)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
        results = run.results
        print(sums, [(region.name, region.num_calls) for region in results])
        graph = results.call_graph(rank=0)
        print(sorted({(call["name"], call["depth"]) for call in graph}))
        work = results["work"][0]
        print(work.has_thread_data, bool((work.await_times > 0).all()), work.threads)
        by_task = {task.index: task for task in results.tasks[0]}
        print({by_task[index].kind for index in work.task_ids.tolist()},
              all(by_task[i].thread_index == t for i, t in
                  zip(work.task_ids.tolist(), work.thread_ids.tolist())))
    """)
    assert out.splitlines() == [
        "[190, 190] [('scope_profiler.session', 1), ('thread', 2), ('work', 40), ('part', 40)]",
        "[('part', 1), ('scope_profiler.session', 0), ('thread', 0), ('work', 0)]",
        "True True [1, 2]", "{'greenlet'} True"]


def test_threads_that_gevent_replaced_by_greenlets():
    pytest.importorskip("gevent")
    out = python("""
        from gevent import monkey
        monkey.patch_all()
        import threading, time
        from scope_profiler import ProfileManager
        def work():
            with ProfileManager.region("work"):
                time.sleep(0.002)
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            threads = [threading.Thread(target=work, name=f"green-{i}") for i in range(3)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
        print([thread.name for thread in run.results.threads[0]],
              run.results["work"][0].num_calls, len(set(run.results["work"][0].task_ids.tolist())))
    """)
    assert out == "['MainThread'] 3 3\n"


def test_without_greenlet_tasks_are_followed_all_the_same():
    out = python("""
        import sys
        sys.modules["greenlet"] = None
        import asyncio
        from scope_profiler import ProfileManager
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            asyncio.run(asyncio.sleep(0.001))
        print(run.results.tasks[0][0].coro_name)
    """)
    assert out == "sleep\n"


def test_many_greenlets_leave_nothing_behind():
    manager = ProfileManager()
    manager.setup(track_async=True, deactivate_file_output=True)

    def rounds(count):
        for _ in range(count):
            with manager.region("outer"):
                greenlet.greenlet(lambda: None).switch()

    import gc

    rounds(100)
    gc.collect()
    before = len(gc.get_objects())
    rounds(500)
    gc.collect()
    assert len(gc.get_objects()) - before < 50
    references = sys.getrefcount(None)
    rounds(500)
    assert abs(sys.getrefcount(None) - references) < 200
    manager.reset()


def test_a_greenlet_that_waits_in_a_task_of_an_earlier_session_goes_on():
    """The task is over and gone when a later session sees the greenlet again."""
    hub = greenlet.getcurrent()

    async def step():
        await asyncio.sleep(0)
        hub.switch()

    def runs_a_loop():
        asyncio.run(step())

    waiting = greenlet.greenlet(runs_a_loop)
    with ProfileManager.session(output=None, track_async=True, verbose=False):
        waiting.switch()
    waiting.switch()  # unseen
    gc.collect()
    other = greenlet.greenlet(lambda: hub.switch())
    with ProfileManager.session(output=None, track_async=True, verbose=False, return_results=True) as run:
        other.switch()
        with ProfileManager.region("after"):
            other.switch()
    assert waiting.dead and run.results["after"].num_calls == 1
