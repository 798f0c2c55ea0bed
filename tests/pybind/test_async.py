"""Each asyncio task is a lane: its calls nest, its time splits into running and awaiting.

SPDX-License-Identifier: MIT
"""
import asyncio
import collections.abc
import contextlib
import gc
import inspect
import sys
import threading
import time
import weakref

import pytest

from scope_profiler import ProfileManager, _record
from support.lanes import python, recorded

MS = 1_000_000


def tracked(**options):
    return recorded(track_async=True, **options)


def test_each_task_is_a_lane_with_its_await_times():
    with tracked() as (manager, run):
        async def fetch(number):
            with manager.region("fetch"):
                await asyncio.sleep(0.02)
                time.sleep(0.005)
            return number

        async def main():
            return await asyncio.gather(*(fetch(number) for number in range(3)))

        assert asyncio.run(main()) == [0, 1, 2]
    fetches = run.tasks("test_each_task_is_a_lane_with_its_await_times.<locals>.fetch")
    assert len(fetches) == 3 and all(task.kind == "task" and task.done for task in fetches)
    for (thread, task, duration, waited), row in zip(run.calls("fetch"), fetches, strict=True):
        assert (thread, task) == (0, row.index)
        assert waited > 0 and duration - waited >= 5 * MS
        assert row.steps == 2 and row.running_time >= 0.005
        assert round(row.awaiting_time * 1e9) >= waited
    others = {task.coro_name for task in run.tasks()} - {fetches[0].coro_name}
    assert {"BaseEventLoop.shutdown_asyncgens",
            "BaseEventLoop.shutdown_default_executor"} <= others


def test_waits_and_steps_of_a_task_add_up_exactly():
    """One region over all of a task: its duration is the task's running + awaiting."""
    with tracked() as (manager, run):
        async def work(count):
            for _ in range(count):
                await asyncio.sleep(0.001)
                sum(range(2000))

        async def main():
            await asyncio.gather(*(work(count) for count in (0, 1, 7)))

        asyncio.run(main())
        records = manager.get_config().tracker.tasks
    for record, row in zip(records, run.tasks(), strict=True):
        assert record.running_ns == round(row.running_time * 1e9)
        assert record.suspended_ns == round(row.awaiting_time * 1e9)
        assert record.running_ns + record.suspended_ns <= record.done_ns - record.created_ns


def test_names_are_those_of_the_tasks_and_the_last_one_counts():
    with tracked() as (manager, run):
        async def work():
            await asyncio.sleep(0)

        async def main():
            named = asyncio.create_task(work(), name="named")
            renamed = asyncio.create_task(work(), name="before")
            unnamed = asyncio.create_task(work())
            await asyncio.sleep(0)
            renamed.set_name("after")
            await asyncio.gather(named, renamed, unnamed)
            return unnamed.get_name()

        unnamed = asyncio.run(main())
    names = [task.name for task in run.tasks() if task.coro_name.endswith(".work")]
    assert names == ["named", "after", unnamed] and unnamed.startswith("Task-")


def test_a_coroutine_only_awaited_is_of_the_task_that_awaits_it():
    with tracked() as (manager, run):
        async def inner():
            with manager.region("inner"):
                await asyncio.sleep(0)

        async def main():
            with manager.region("outer"):
                await inner()

        asyncio.run(main())
    assert run.calls("inner")[0][1] == run.calls("outer")[0][1] == 0
    graph = {call["name"]: call for call in run.results.call_graph(rank=0)}
    assert graph["inner"]["parent_id"] == graph["outer"]["call_id"]


def test_results_exceptions_and_cancellation_pass_through():
    with tracked() as (manager, run):
        async def returns():
            return (1, 2), ValueError("kept")

        async def raises():
            with manager.region("raises"):
                await asyncio.sleep(0)
                raise LookupError("lost")

        async def waits():
            with manager.region("waits"):
                try:
                    await asyncio.sleep(60)
                finally:
                    await asyncio.sleep(0)

        async def main():
            value = await asyncio.create_task(returns())
            assert value[0] == (1, 2) and isinstance(value[1], ValueError)
            with pytest.raises(LookupError, match="lost") as caught:
                await asyncio.create_task(raises())
            assert all("scope" not in str(entry.path) for entry in caught.traceback[1:])
            waiting = asyncio.create_task(waits())
            never = asyncio.create_task(waits())
            never.cancel()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            waiting.cancel("enough")
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert waiting.cancelled() and never.cancelled()

        asyncio.run(main())
    assert len(run.calls("waits")) == 1 and len(run.calls("raises")) == 1
    assert all(task.done for task in run.tasks())


@pytest.mark.parametrize("value", [(), (1,), (1, 2), ValueError("x"), StopAsyncIteration(), None])
def test_any_value_may_be_returned(value):
    session = _record.Session(memory_only=True, lanes=_record.TASKS)

    async def work():
        return value

    with pytest.raises(StopIteration) as stop:
        _record.wrap_coroutine(work()).send(None)
    assert stop.value.value is value
    session.close()


def test_a_pending_task_has_no_end():
    with tracked() as (manager, run):
        loop = asyncio.new_event_loop()

        async def forever():
            await asyncio.Event().wait()

        async def main():
            task = asyncio.create_task(forever())
            await asyncio.sleep(0)
            return task

        task = loop.run_until_complete(main())
    row = run.tasks("test_a_pending_task_has_no_end.<locals>.forever")[0]
    assert not row.done and row.wall_time is None and row.steps == 1
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()


def test_the_gap_before_the_first_step_is_no_await():
    with tracked() as (manager, run):
        async def work():
            pass

        async def main():
            task = asyncio.create_task(work())
            time.sleep(0.02)
            await task

        asyncio.run(main())
    row = run.tasks("test_the_gap_before_the_first_step_is_no_await.<locals>.work")[0]
    assert row.awaiting_time == 0 and row.wall_time >= 0.02


def test_timeouts_executors_and_threads():
    with tracked() as (manager, run):
        def blocking(number):
            with manager.region("blocking"):
                time.sleep(0.002)
            return number

        async def main():
            with manager.region("main"):
                assert await asyncio.get_running_loop().run_in_executor(None, blocking, 1) == 1
                assert await asyncio.to_thread(blocking, 2) == 2
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.sleep(5), 0.005)
                if sys.version_info >= (3, 11):
                    with pytest.raises(TimeoutError):
                        async with asyncio.timeout(0.005):
                            await asyncio.sleep(5)
                done, pending = await asyncio.wait(
                    {asyncio.ensure_future(asyncio.sleep(0.001)) for _ in range(3)})
                assert len(done) == 3 and not pending

        asyncio.run(main())
    assert all(call[1] == -1 and call[0] > 0 and call[3] == 0 for call in run.calls("blocking"))
    assert run.calls("main")[0][1] == 0
    assert any(thread.name.startswith("asyncio_") for thread in run.results.threads[0])


@pytest.mark.skipif(sys.version_info < (3, 11), reason="TaskGroup is of 3.11")
def test_task_groups():
    with tracked() as (manager, run):
        async def work(number):
            with manager.region("work"):
                await asyncio.sleep(0.001 * number)
                if number == 2:
                    raise KeyError(number)

        async def main():
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(work(number), name=f"group-{number}")
                         for number in range(4)]
            return tasks

        with pytest.raises(BaseExceptionGroup) as caught:
            asyncio.run(main())
    assert isinstance(caught.value.exceptions[0], KeyError)
    assert len(run.calls("work")) == 4
    assert {f"group-{number}" for number in range(4)} <= {task.name for task in run.tasks()}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="eager tasks are of 3.12")
def test_eager_tasks():
    with tracked() as (manager, run):
        async def quick():
            with manager.region("quick"):
                return 5

        async def slow():
            with manager.region("slow"):
                await asyncio.sleep(0.001)

        async def main():
            asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
            with manager.region("main"):
                task = asyncio.create_task(quick(), name="eager")
                assert task.done() and task.result() == 5
                await asyncio.create_task(slow())

        asyncio.run(main())
    names = {task.index: task.name for task in run.tasks()}
    assert names[run.calls("quick")[0][1]] == "eager"
    assert len({run.calls(name)[0][1] for name in ("main", "quick", "slow")}) == 3


def test_task_factories_of_the_application_see_the_followed_coroutine():
    seen = []

    def factory(loop, coro, **options):
        seen.append(coro)
        return asyncio.Task(coro, loop=loop, **options)

    def old_factory(loop, coro):  # as before 3.11: no keywords
        seen.append(coro)
        return asyncio.Task(coro, loop=loop)

    async def work():
        await asyncio.sleep(0)

    for made in (factory, old_factory) if sys.version_info < (3, 13) else (factory,):
        for early in (True, False):
            seen.clear()
            with tracked() as (manager, run):
                loop = asyncio.new_event_loop()

                async def main():
                    if not early:
                        loop.set_task_factory(made)
                    await loop.create_task(work())

                if early:
                    loop.set_task_factory(made)
                loop.run_until_complete(main())
                assert loop.get_task_factory() is made
                loop.close()
            assert len(run.tasks()) == 2 and len(seen) == (2 if early else 1)


def test_debug_mode_says_where_a_task_was_made():
    with tracked() as (manager, run):
        async def work():
            await asyncio.sleep(0)

        async def main():
            task = asyncio.get_running_loop().create_task(work())
            text = repr(task)
            source = task._source_traceback
            await task
            return text, source

        text, source = asyncio.run(main(), debug=True)
    assert "work()" in text and "test_async.py" in text
    assert source[-1].filename == __file__


def test_what_is_no_coroutine_is_refused_as_ever():
    with tracked():
        async def main():
            with pytest.raises(TypeError, match="coroutine"):
                asyncio.get_running_loop().create_task(42)
            with pytest.raises(TypeError):
                asyncio.create_task(asyncio.sleep)

        asyncio.run(main())


def test_loops_one_after_the_other_in_threads_and_nested():
    with tracked() as (manager, run):
        async def inner():
            with manager.region("inner"):
                await asyncio.sleep(0.001)

        def in_thread():
            asyncio.run(inner())

        async def outer():
            with manager.region("outer"):
                await asyncio.to_thread(in_thread)
                # a loop inside a running one, as some tools do it
                running = asyncio._get_running_loop()
                asyncio._set_running_loop(None)
                try:
                    loop = asyncio.new_event_loop()
                    loop.run_until_complete(inner())
                    loop.close()
                finally:
                    asyncio._set_running_loop(running)

        asyncio.run(outer())
        asyncio.run(outer())
    assert len(run.calls("inner")) == 4 and len(run.calls("outer")) == 2
    assert len({call[1] for call in run.calls("inner")}) == 4


def test_regions_entered_from_many_tasks_at_once_do_not_mix():
    with tracked() as (manager, run):
        async def work(number):
            for _ in range(10):
                with manager.region("a"):
                    await asyncio.sleep(0)
                    with manager.region("b"):
                        await asyncio.sleep(0.0001 * (number % 3))

        async def main():
            await asyncio.gather(*(work(number) for number in range(50)))

        asyncio.run(main())
    a, b = run.calls("a"), run.calls("b")
    assert len(a) == len(b) == 500
    for task in {call[1] for call in a}:
        assert sum(call[1] == task for call in a) == sum(call[1] == task for call in b) == 10
    depths = [call["depth"] for call in run.results.call_graph(rank=0) if call["name"] == "b"]
    assert set(depths) == {1}


def test_generators_and_context_managers_inside_tasks():
    with tracked() as (manager, run):
        async def numbers():
            for number in range(3):
                with manager.region("number"):
                    await asyncio.sleep(0)
                yield number

        @contextlib.asynccontextmanager
        async def opened():
            with manager.region("open"):
                await asyncio.sleep(0)
                yield

        async def main():
            async with opened(), contextlib.AsyncExitStack() as stack:
                stack.enter_context(manager.region("stack"))
                assert [number async for number in numbers()] == [0, 1, 2]

        asyncio.run(main())
    assert len(run.calls("number")) == 3
    assert {call[1] for name in ("number", "open", "stack") for call in run.calls(name)} == {0}


def test_a_wrapped_coroutine_looks_like_the_one_inside():
    session = _record.Session(memory_only=True, lanes=_record.TASKS)

    async def work(stop=asyncio.sleep):
        await stop(0)

    inner = work()
    coroutine = _record.wrap_coroutine(inner)
    assert coroutine is not inner and _record.wrap_coroutine(coroutine) is coroutine
    assert isinstance(coroutine, collections.abc.Coroutine) and asyncio.iscoroutine(coroutine)
    assert inspect.isawaitable(coroutine)
    assert repr(coroutine) == repr(inner)
    assert coroutine.__qualname__ == inner.__qualname__ and coroutine.cr_code is inner.cr_code
    coroutine.__name__ = "other"
    assert inner.__name__ == "other"
    assert inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED
    assert iter(coroutine) is coroutine and coroutine.__await__() is coroutine
    coroutine.send(None)
    assert inspect.getcoroutinestate(coroutine) == inspect.CORO_SUSPENDED
    assert coroutine.cr_frame is inner.cr_frame and coroutine.cr_await is inner.cr_await
    with pytest.raises(AttributeError):
        coroutine.no_such_name
    with pytest.raises(KeyError):
        coroutine.throw(KeyError("x"))
    assert inspect.getcoroutinestate(coroutine) == inspect.CORO_CLOSED
    with pytest.raises(RuntimeError, match="reuse"):
        coroutine.send(None)
    coroutine.close()
    known = weakref.ref(coroutine)
    del coroutine, inner
    assert known() is None
    session.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_throw_takes_up_to_three_arguments_and_close_closes():
    session = _record.Session(memory_only=True, lanes=_record.TASKS)

    async def work():
        try:
            await asyncio.sleep(0)
        except KeyError as error:
            return error.args

    for arguments in ((KeyError("a"),), (KeyError, "a"), (KeyError, KeyError("a"), None)):
        coroutine = _record.wrap_coroutine(work())
        coroutine.send(None)
        with pytest.raises(StopIteration) as stop:
            coroutine.throw(*arguments)
        assert stop.value.value == ("a",)
    coroutine = _record.wrap_coroutine(work())
    with pytest.raises(TypeError):
        coroutine.throw()
    coroutine.close()
    with pytest.raises(RuntimeError):
        coroutine.send(None)

    async def stubborn():
        with contextlib.suppress(GeneratorExit):
            await asyncio.sleep(0)
        await asyncio.sleep(0)

    coroutine = _record.wrap_coroutine(stubborn())
    coroutine.send(None)
    with pytest.raises(RuntimeError, match="GeneratorExit"):
        coroutine.close()
    with pytest.raises(StopIteration):
        coroutine.send(None)  # it lives
    session.close()


def test_a_coroutine_that_runs_already_is_not_entered_twice():
    session = _record.Session(memory_only=True, lanes=_record.TASKS)
    holder = []

    async def work():
        with pytest.raises(ValueError, match="already"):
            holder[0].send(None)
        return "done"

    holder.append(_record.wrap_coroutine(work()))
    with pytest.raises(StopIteration, match="done"):
        holder[0].send(None)
    session.close()


def test_suspended_cycles_are_collected():
    session = _record.Session(memory_only=True, lanes=_record.TASKS)

    class Thing:
        pass

    thing = Thing()

    async def work(thing):
        await asyncio.sleep(0)
        return thing

    thing.coroutine = _record.wrap_coroutine(work(thing))
    thing.coroutine.send(None)
    known = weakref.ref(thing)
    del thing
    gc.collect()
    assert known() is None
    session.close()


def test_a_coroutine_that_never_runs_warns_as_ever():
    with tracked():
        async def never():
            pass

        async def main():
            with pytest.warns(RuntimeWarning, match="never.* was never awaited"):
                coroutine = _record.wrap_coroutine(never())
                del coroutine
                gc.collect()

        asyncio.run(main())


def test_hooks_are_gone_after_a_session():
    loops = asyncio.BaseEventLoop
    before = loops.create_task, loops.run_forever
    with tracked():
        inside = loops.create_task, loops.run_forever
        assert inside[0] is not before[0] and inside[1] is not before[1]
        assert inspect.signature(inside[0]) == inspect.signature(before[0])
        with tracked():
            assert (loops.create_task, loops.run_forever) == inside
    assert (loops.create_task, loops.run_forever) == before


def test_with_setup_hooks_stay_until_the_next_setup():
    before = asyncio.BaseEventLoop.create_task
    manager = ProfileManager()
    manager.setup(track_async=True, deactivate_file_output=True)
    manager.finalize(verbose=False)
    assert asyncio.BaseEventLoop.create_task is not before
    manager.setup(deactivate_file_output=True, replace=True)
    assert asyncio.BaseEventLoop.create_task is before
    manager.reset()


def test_a_task_that_outlives_its_session_goes_on_unrecorded():
    loop = asyncio.new_event_loop()
    with tracked() as (manager, run):
        async def work():
            for number in range(5):
                await asyncio.sleep(0)
            return number

        async def start():
            return asyncio.ensure_future(work())

        task = loop.run_until_complete(start())
    with tracked() as (manager, again):
        assert loop.run_until_complete(task) == 4
    loop.close()
    assert sum(task.coro_name.endswith(".work") for task in run.tasks()) == 1
    assert again.tasks() == []


def test_a_task_is_of_every_session_that_tracked_when_it_was_made():
    with tracked() as (one, first):
        async def inner():
            with one.region("one"):
                await asyncio.sleep(0.001)

        async def main():
            with tracked() as (two, second):
                await asyncio.create_task(inner())
            await asyncio.create_task(inner())
            return second

        second = asyncio.run(main())
    assert [task.coro_name.split(".")[-1] for task in second.tasks()] == ["inner"]
    names = [task.coro_name.split(".")[-1] for task in first.tasks()]
    assert names[:3] == ["main", "inner", "inner"]
    assert second.tasks()[0].steps == first.tasks()[1].steps


def test_a_session_without_tasks_sees_threads_only():
    with recorded() as (manager, run):
        async def main():
            with manager.region("main"):
                await asyncio.sleep(0.001)

        asyncio.run(main())
    assert run.results.tasks.get(0, []) == []
    assert run.calls("main")[0][0] == 0


def test_asyncio_and_greenlet_are_imported_only_when_tasks_are_tracked():
    assert python("""
        import sys
        from scope_profiler import ProfileManager
        def loaded():
            return [name for name in ("asyncio", "greenlet") if name in sys.modules]
        print(loaded())
        with ProfileManager.session(track_threads=True, verbose=False,
                                    deactivate_file_output=True):
            print(loaded())
        with ProfileManager.session(track_async=True, verbose=False,
                                    deactivate_file_output=True):
            print("asyncio" in loaded())
    """) == "[]\n[]\nTrue\n"


def test_a_loop_whose_class_cannot_be_patched_is_instrumented_by_hand():
    class Foreign(asyncio.SelectorEventLoop):
        """Its create_task never reaches the one of BaseEventLoop."""

        def create_task(self, coro, **options):
            factory = self.get_task_factory()
            return factory(self, coro, **options) if factory else asyncio.Task(coro, loop=self)

    own = Foreign.create_task

    async def work():
        await asyncio.sleep(0)

    with tracked() as (manager, run):
        loop = Foreign()
        tracker = manager.get_config().tracker
        loop.run_until_complete(work())
        tracker.instrument_loop(loop)
        tracker.instrument_loop(loop)
        loop.run_until_complete(work())
    assert len(run.tasks()) == 1 and run.tasks()[0].steps == 2
    assert Foreign.create_task is own
    loop.run_until_complete(work())
    loop.close()


class Sealed:
    """A loop of a class that takes no attributes, as one written in C: by its factory."""

    __slots__ = ("factory", "__weakref__")

    def __init__(self):
        self.factory = None

    def get_task_factory(self):
        return self.factory

    def set_task_factory(self, factory):
        self.factory = factory

    def create_task(self, coro):
        return self.factory(self, coro)


class SealedType(type):
    def __setattr__(cls, name, value):
        raise TypeError("immutable")


SealedLoop = SealedType("SealedLoop", (Sealed,), {"__slots__": ()})


def test_where_only_a_factory_is_left_the_one_before_is_chained_and_put_back():
    made = []

    def previous(loop, coro, **options):
        made.append(coro)
        return type("Result", (), {"get_name": lambda self: "made"})()

    async def work():
        pass

    with tracked() as (manager, run):
        loop = SealedLoop()
        loop.set_task_factory(previous)
        manager.get_config().tracker.instrument_loop(loop)
        manager.get_config().tracker.instrument_loop(loop)
        loop.create_task(work())
        with pytest.raises(StopIteration):
            made[0].send(None)
    assert [task.name for task in run.tasks()] == ["made"]
    assert loop.get_task_factory() is previous


def test_uvloop_is_followed():
    pytest.importorskip("uvloop")
    out = python("""
        import asyncio, sys
        from scope_profiler import ProfileManager
        early = sys.argv[1] == "early"
        if early:
            import uvloop
            before = uvloop.Loop.create_task
        async def work():
            with ProfileManager.region("work"):
                await asyncio.sleep(0.002)
        async def main():
            await asyncio.gather(work(), work())
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            import uvloop
            for _ in range(2):
                loop = uvloop.new_event_loop()
                loop.run_until_complete(main())
                loop.close()
        print(len(run.results.tasks[0]), sorted(run.results["work"][0].task_ids.tolist()),
              "create_task" in uvloop.Loop.__dict__, len(sys.meta_path))
        loop = uvloop.new_event_loop()
        loop.run_until_complete(main())
    """, "early")
    assert out.startswith("6 [1, 2, 4, 5] False")


def test_uvloop_is_followed_when_it_is_imported_later():
    pytest.importorskip("uvloop")
    out = python("""
        import asyncio, sys
        from scope_profiler import ProfileManager
        before = list(sys.meta_path)
        async def main():
            with ProfileManager.region("work"):
                await asyncio.sleep(0.002)
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            import uvloop
            loop = uvloop.new_event_loop()
            loop.run_until_complete(main())
            loop.close()
        with ProfileManager.session(track_async=True, verbose=False, deactivate_file_output=True):
            pass
        print(len(run.results.tasks[0]), run.results["work"][0].task_ids.tolist(),
              "create_task" in uvloop.Loop.__dict__, sys.meta_path == before)
    """)
    assert out == "1 [0] False True\n"


def test_anyio_runs_on_followed_tasks():
    anyio = pytest.importorskip("anyio")
    with tracked() as (manager, run):
        async def work(number):
            with manager.region("work"):
                await anyio.sleep(0.001 * number)
                await anyio.to_thread.run_sync(time.sleep, 0.001)

        async def main():
            async with anyio.create_task_group() as group:
                for number in range(3):
                    group.start_soon(work, number)
            with anyio.move_on_after(0.005):
                await anyio.sleep(5)
            anyio.get_current_task()

        anyio.run(main)
    calls = run.calls("work")
    assert len(calls) == 3 and len({call[1] for call in calls}) == 3
    assert all(call[3] > 0 for call in calls)


def test_aiohttp_serves_many_requests():
    pytest.importorskip("aiohttp")
    out = python("""
        import asyncio
        from aiohttp import ClientSession, web
        from scope_profiler import ProfileManager
        async def handle(request):
            with ProfileManager.region("handle"):
                await asyncio.sleep(0.001)
                return web.Response(text=request.match_info["n"])
        async def get(client, port, n):
            with ProfileManager.region("get"):
                async with client.get(f"http://127.0.0.1:{port}/{n}") as answer:
                    return int(await answer.text())
        async def main():
            app = web.Application()
            app.router.add_get("/{n}", handle)
            runner = web.AppRunner(app)
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            port = site._server.sockets[0].getsockname()[1]
            async with ClientSession() as client:
                numbers = await asyncio.gather(*(get(client, port, n) for n in range(200)))
            await runner.cleanup()
            return sum(numbers)
        with ProfileManager.session(track_async=True, verbose=False, return_results=True,
                                    deactivate_file_output=True) as run:
            print(asyncio.run(main()))
        gets, handles = run.results["get"][0], run.results["handle"][0]
        print(gets.num_calls, handles.num_calls, len(set(gets.task_ids.tolist())),
              all(task.done for task in run.results.tasks[0]),
              bool((gets.await_times <= gets.durations).all()))
        run.results.call_graph(rank=0)
    """)
    assert out == "19900\n200 200 200 True True\n"


def test_task_ids_of_a_running_task_are_known_live():
    with tracked() as (manager, run):
        async def main():
            tracker = manager.get_config().tracker
            record = tracker.tasks[-1]
            assert not record.done and record.steps == 1
            assert tracker.current_thread().task is record
            await asyncio.sleep(0)
            assert tracker.tasks[-1] is record and record.steps == 2
            return record

        record = asyncio.run(main())
        assert manager.get_config().tracker.tasks[0] is record and record.done
        assert manager.get_config().tracker.current_thread().task is None


def test_a_session_inside_a_running_task_as_in_a_notebook():
    """The kernel's task is not followed: its calls are on the thread's lane. Twice in a row."""
    managers = [ProfileManager(), ProfileManager()]

    async def fetch(manager, number):
        with manager.region("fetch"):
            await asyncio.sleep(0.002 * number)

    async def cell(manager):
        with manager.session(track_async=True, verbose=False, return_results=True,
                             deactivate_file_output=True) as run:
            with manager.region("cell"):
                await asyncio.gather(*(fetch(manager, number) for number in range(3)))
        return run.results

    async def kernel():
        beside = asyncio.ensure_future(asyncio.sleep(0.02))
        found = [await cell(manager) for manager in managers for _ in range(2)]
        await beside
        return found

    for results in asyncio.run(kernel()):
        assert results["cell"][0].task_ids.tolist() == [-1]
        assert results["scope_profiler.session"][0].num_calls == 1
        assert results["fetch"][0].task_ids.tolist() == [0, 1, 2]
        assert [task.done for task in results.tasks[0]] == [True] * 3
        graph = {call["name"]: call for call in results.call_graph(rank=0)}
        assert graph["cell"]["parent_id"] == graph["scope_profiler.session"]["call_id"]
    for manager in managers:
        manager.reset()


def test_many_tasks_leave_nothing_behind():
    manager = ProfileManager()
    manager.setup(track_async=True, deactivate_file_output=True)

    async def work():
        with manager.region("work"):
            await asyncio.sleep(0)

    async def rounds(count):
        for _ in range(count):
            await asyncio.gather(*(work() for _ in range(5)))

    asyncio.run(rounds(50))
    gc.collect()
    before = len(gc.get_objects())
    asyncio.run(rounds(300))
    gc.collect()
    assert len(gc.get_objects()) - before < 100
    manager.reset()


def test_loops_in_many_threads():
    with tracked() as (manager, run):
        async def work(number):
            with manager.region("work"):
                await asyncio.sleep(0.0005 * number)

        async def main():
            with manager.region("main"):
                await asyncio.gather(*(work(number) for number in range(5)))

        threads = [threading.Thread(target=lambda: asyncio.run(main())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(run.calls("work")) == 20 and len(run.calls("main")) == 4
    thread_of = {task.index: task.thread_index for task in run.tasks()}
    assert all(thread_of[call[1]] == call[0] for call in run.calls("work"))


def test_a_task_that_no_loop_takes_is_no_lane():
    with tracked() as (_, run):
        async def work():
            pass

        async def main():
            loop = asyncio.get_running_loop()
            coroutine = work()
            with pytest.raises(TypeError):
                loop.create_task(coroutine, no_such_keyword=1)
            coroutine.close()

        loop = asyncio.new_event_loop()
        loop.run_until_complete(main())
        loop.close()
        coroutine = work()
        with pytest.raises(RuntimeError):
            loop.create_task(coroutine)
        coroutine.close()
    assert [task.coro_name.rpartition(".")[2] for task in run.tasks()] == ["main"]


def test_a_suspended_task_that_is_dropped_leaves_its_blocks_on_its_own_lane():
    from scope_profiler import _record

    async def waits():
        with ProfileManager.region("x"):
            await asyncio.sleep(0)

    with ProfileManager.session(output=None, track_async=True, return_results=True,
                                verbose=False) as run:
        task = _record.wrap_coroutine(waits(), "task")
        task.send(None)
        with ProfileManager.region("x"):
            del task
            with ProfileManager.region("inside"):
                pass
    results = run.results
    graph = {call["call_id"]: call for call in results.call_graph(0)}
    inside = next(call for call in graph.values() if call["name"] == "inside")
    assert graph[inside["parent_id"]]["name"] == "x" and results["x"].num_calls == 2
