"""Event loops of all kinds: with factories, in threads, sealed, uvloop; and libraries on them.

SPDX-License-Identifier: MIT
"""
import asyncio
import os
import sys
import threading
import time

import pytest

from support.lanes import python, tracked


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
    assert "work()" in text and os.path.basename(__file__) in text
    assert source[-1].filename == __file__


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
