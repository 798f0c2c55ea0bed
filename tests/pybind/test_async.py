"""Each asyncio task is a lane: its calls nest, its time splits into running and awaiting.

SPDX-License-Identifier: MIT
"""
import asyncio
import contextlib
import gc
import sys
import time

import pytest

from scope_profiler import ProfileManager, _record
from support.lanes import tracked

MS = 1_000_000


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
