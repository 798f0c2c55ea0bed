"""A handle is a region by name that survives sessions.

SPDX-License-Identifier: MIT
"""

import asyncio
import contextlib
import contextvars
import gc
import sys
import threading
import weakref

import pytest

from scope_profiler import _record


class Owner:
    """A manager in small: one session at a time, a region by name in it."""

    def __init__(self):
        self.session = _record.Session(memory_only=True)
        self.asked = 0

    def resolve(self):
        self.asked += 1
        return self.session.add_region("h")

    def setup(self, close=True):
        if close:
            self.session.close()
        self.session = _record.Session(memory_only=True)
        _record.rebind()
        return self.session.add_region("h")


@pytest.fixture
def owner():
    made = Owner()
    yield made
    made.session.close()


@pytest.fixture
def handle(owner):
    return _record.Handle("h", owner.resolve)


def counts(region):
    return region.num_calls, region.num_exits


def test_it_enters_the_region_of_its_name(owner, handle):
    with handle as region:
        assert region is owner.session.regions["h"]
        with handle:
            assert counts(region) == (2, 0)
    assert counts(region) == (2, 2)
    assert owner.asked == 1
    assert handle.name == "h" and repr(handle) == "<Handle 'h'>"


def test_it_asks_again_after_a_rebind(owner, handle):
    with handle as first:
        pass
    second = owner.setup()
    with handle as entered:
        assert entered is second
    assert counts(first) == counts(second) == (1, 1)


def test_it_leaves_what_it_entered(owner, handle):
    with handle as first:
        second = owner.setup(close=False)
        with handle:
            assert counts(second) == (1, 0)
        assert counts(second) == (1, 1)
        assert counts(first) == (1, 0)
    assert counts(first) == counts(second) == (1, 1)
    first.session.close()


def test_each_thread_leaves_what_it_entered(owner, handle):
    inside, go_on = threading.Event(), threading.Event()

    def work():
        with handle:
            inside.set()
            go_on.wait(300)

    thread = threading.Thread(target=work)
    thread.start()
    assert inside.wait(300)
    first = owner.session.regions["h"]
    second = owner.setup(close=False)
    handle.__enter__()
    go_on.set()
    thread.join()
    assert counts(first) == (1, 1) and counts(second) == (1, 0)
    handle.__exit__(None, None, None)
    assert counts(second) == (1, 1)
    first.session.close()


def test_each_task_leaves_what_it_entered(owner, handle):
    async def work(entered, go_on):
        with handle:
            entered.set()
            await go_on.wait()

    async def main():
        events = [asyncio.Event() for _ in range(4)]
        early = asyncio.create_task(work(*events[:2]))
        await events[0].wait()
        first = owner.session.regions["h"]
        second = owner.setup(close=False)
        late = asyncio.create_task(work(*events[2:]))
        await events[2].wait()
        events[1].set()
        await early
        assert counts(first) == (1, 1) and counts(second) == (1, 0)
        events[3].set()
        await late
        assert counts(second) == (1, 1)
        first.session.close()

    asyncio.run(main())


def test_each_greenlet_leaves_what_it_entered(owner, handle):
    greenlet = pytest.importorskip("greenlet")
    main = greenlet.getcurrent()

    def work():
        with handle:
            main.switch()

    early = greenlet.greenlet(work)
    early.switch()
    first = owner.session.regions["h"]
    second = owner.setup(close=False)
    late = greenlet.greenlet(work)
    late.switch()
    early.switch()
    assert counts(first) == (1, 1) and counts(second) == (1, 0)
    late.switch()
    assert counts(second) == (1, 1)
    first.session.close()


def test_entered_in_one_context_it_may_be_left_in_another(owner, handle):
    contextvars.copy_context().run(handle.__enter__)
    thread = threading.Thread(target=handle.__exit__, args=(None, None, None))
    thread.start()
    thread.join()
    assert counts(owner.session.regions["h"]) == (1, 1)


def test_ten_thousand_contexts_may_be_inside(owner, handle):
    contexts = [contextvars.copy_context() for _ in range(10_000)]
    for context in contexts:
        context.run(handle.__enter__)
    region = owner.session.regions["h"]
    assert counts(region) == (10_000, 0)
    for context in contexts:
        context.run(handle.__exit__, None, None, None)
    assert counts(region) == (10_000, 10_000)


def test_an_exit_without_an_entry_does_nothing(owner, handle):
    assert handle.__exit__(None, None, None) is None
    with handle as region:
        pass
    handle.__exit__(None, None, None)
    assert counts(region) == (1, 1)


def test_an_exception_goes_on(owner, handle):
    with pytest.raises(KeyError):
        with handle as region:
            raise KeyError
    assert counts(region) == (1, 1)


def test_an_error_of_resolve_goes_on_and_it_asks_again():
    answers = [LookupError("no"), 3, None]

    def resolve():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    handle = _record.Handle("h", resolve)
    for kind in (LookupError, TypeError, RuntimeError):
        with pytest.raises(kind):
            handle.__enter__()
    assert answers == []


def test_a_subclass_of_region_is_entered_by_its_own_methods(owner):
    class Loud(_record.Region):
        log = []

        def __enter__(self):
            self.log.append("in")
            super().__enter__()
            return "loud"

        def __exit__(self, *args):
            self.log.append(args[0])
            return True

    region = owner.session.add_region("loud", cls=Loud)
    with _record.Handle("loud", lambda: region) as entered:
        assert entered == "loud"
        raise ValueError
    assert Loud.log == ["in", ValueError]


def test_it_is_a_context_manager_like_any(owner, handle):
    assert isinstance(handle, contextlib.AbstractContextManager)
    with contextlib.ExitStack() as stack:
        region = stack.enter_context(handle)
        assert counts(region) == (1, 0)
    assert counts(region) == (1, 1)

    class Mine(_record.Handle):
        def __enter__(self):
            return [super().__enter__()]

    with Mine("h", owner.resolve) as entered:
        assert entered == [region]


def test_arguments_are_checked():
    for wrong in [(), ("h",), (3, len), ("h", len, 1)]:
        with pytest.raises(TypeError):
            _record.Handle(*wrong)


def test_entering_keeps_no_reference(owner, handle):
    with handle as region:
        pass
    before = sys.getrefcount(handle), sys.getrefcount(region)
    for _ in range(1000):
        with handle, handle:
            pass
    assert (sys.getrefcount(handle), sys.getrefcount(region)) == before


def test_a_dropped_handle_is_collected_even_when_entered(owner, handle):
    made = _record.Handle("h", owner.resolve)
    made.__enter__()
    dead = weakref.ref(made)
    del made
    gc.collect()
    assert dead() is None
