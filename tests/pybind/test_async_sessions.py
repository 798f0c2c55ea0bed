"""Hooks of event loops live as long as sessions want them, and tasks outlive both.

SPDX-License-Identifier: MIT
"""
import asyncio
import inspect

from scope_profiler import ProfileManager
from support.lanes import python, recorded, tracked


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
