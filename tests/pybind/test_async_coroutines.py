"""What a followed task runs is the coroutine of the program, wrapped: it must not show.

SPDX-License-Identifier: MIT
"""
import asyncio
import collections.abc
import contextlib
import gc
import inspect
import weakref

import pytest

from scope_profiler import _record
from support.lanes import tracked


@pytest.mark.parametrize("value", [(), (1,), (1, 2), ValueError("x"), StopAsyncIteration(), None])
def test_any_value_may_be_returned(value):
    session = _record.Session(memory_only=True, lanes=_record.TASKS)

    async def work():
        return value

    with pytest.raises(StopIteration) as stop:
        _record.wrap_coroutine(work()).send(None)
    assert stop.value.value is value
    session.close()


def test_what_is_no_coroutine_is_refused_as_ever():
    with tracked():
        async def main():
            with pytest.raises(TypeError, match="coroutine"):
                asyncio.get_running_loop().create_task(42)
            with pytest.raises(TypeError):
                asyncio.create_task(asyncio.sleep)

        asyncio.run(main())


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
