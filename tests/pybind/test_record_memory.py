"""What _record holds does not grow with use.

SPDX-License-Identifier: MIT
"""

import gc
import sys
import tracemalloc

import pytest

from scope_profiler import _record


def use_session():
    session = _record.Session(memory_only=True)
    session.on_miss = lambda name, functions, tags: session.add_region(name, tags=tags or ())
    handle = _record.Handle("h", lambda: session.region("h"))
    wrapped = _record.Profiled(lambda value: value, lambda: session.region("p"))
    _record.set_default(session, session.on_miss)
    _record.rebind()
    for name in "abc":
        with _record.region(name, tags=["t"]), handle, handle:
            wrapped(name)
            wrapped.__get__(name)()
    session.metadata("key", "value")
    session.pointer
    _record.set_default(None, None)
    session.close()


def use_errors():
    session = _record.Session(memory_only=True)
    session.on_miss = lambda *arguments: 1 / 0
    for attempt in [
        lambda: session.region("x"),
        lambda: session.region(),
        lambda: session.region("a", color=1),
        lambda: session.add_region(3),
        lambda: session.add_region("a", tags=[3]),
        lambda: session.add_region("a", cls=int),
        lambda: _record.Handle("h", int).__enter__(),
        lambda: _record.Profiled(len, int)(),
        lambda: _record.Session(lanes=7),
        lambda: session.add_region("c").call(1),
        lambda: _record.Region.__enter__(3),
    ]:
        with pytest.raises((TypeError, ValueError, ZeroDivisionError)):
            attempt()


def use_cycles():
    session = _record.Session(memory_only=True)
    session.owner = session
    region = session.add_region("a")
    handle = _record.Handle("h", lambda: (handle, region)[1])
    wrapped = _record.Profiled(lambda: wrapped, lambda: region)
    with handle:
        wrapped()
    handle.__enter__()  # never left


@pytest.mark.parametrize("use", [use_session, use_errors, use_cycles])
def test_blocks_do_not_grow(use):
    def settle(times):
        for _ in range(times):
            use()
        gc.collect()
        return sys.getallocatedblocks()

    settle(1000)  # the interpreter itself settles slowly
    before = settle(100)
    assert settle(2000) - before < 1000  # a leak is one for each use or more


def test_entering_allocates_nothing():
    session = _record.Session(memory_only=True)
    region = session.add_region("a")
    handle = _record.Handle("h", lambda: region)
    wrapped = _record.Profiled(len, lambda: region)

    def use(times):
        for _ in range(times):
            with region, handle:
                wrapped("")

    use(100)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        use(100_000)
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    session.close()
    assert grown < 2000
