"""A region records one call for each entry, in `with` and wherever else a manager may go.

SPDX-License-Identifier: MIT
"""

import asyncio
import contextlib
import gc
import pickle
import sys
import threading
import weakref
from unittest import mock

import pytest

from scope_profiler import _record


@pytest.fixture
def session():
    made = _record.Session(memory_only=True)
    yield made
    made.close()


@pytest.fixture
def region(session):
    return session.add_region("work")


def counts(region):
    return region.num_calls, region.num_exits


def test_entering_counts_before_leaving(region):
    with region as entered:
        assert entered is region
        assert counts(region) == (1, 0)
    assert counts(region) == (1, 1)


def test_recursion_is_one_call_per_level(region):
    def descend(levels):
        with region:
            return descend(levels - 1) if levels else counts(region)

    assert descend(200) == (201, 0)
    assert counts(region) == (201, 201)


def test_an_exception_goes_on_and_its_call_ends(region):
    with pytest.raises(ZeroDivisionError):
        with region:
            1 / 0
    assert counts(region) == (1, 1)
    assert region.__exit__(ValueError, ValueError("x"), None) is None


def test_begin_and_end_are_a_call(region):
    assert region.begin() is None
    assert counts(region) == (1, 0)
    assert region.end() is None
    assert counts(region) == (1, 1)


def test_an_end_without_begin_is_no_call(region):
    region.end()
    region.__exit__(None, None, None)
    assert counts(region) == (0, 0)
    with region:
        pass
    assert counts(region) == (1, 1)


def test_a_call_may_bring_its_own_times(region):
    region.call(10, 30)
    assert counts(region) == (1, 1)
    for wrong in [(1,), (1, 2, 3), ("a", 2), (1, None)]:
        with pytest.raises(TypeError):
            region.call(*wrong)
    with pytest.raises(OverflowError):
        region.call(2**80, 1)
    with pytest.raises(ValueError):
        region.call(30, 10)
    assert counts(region) == (1, 1)


def test_attributes_tell_what_was_registered(session):
    region = session.add_region(
        "solve", tags=["a", "b"], source_file="/src/x.py", source_line=7, source_text="with solve:"
    )
    assert region.region_name == "solve"
    assert region.tags == ("a", "b")
    assert (region.source_file, region.source_lineno) == ("/src/x.py", 7)
    assert region.source_text == "with solve:"
    assert region.session is session
    assert region.enabled and region.id >= 0
    assert repr(region) == "<Region 'solve'>"
    bare = session.add_region("bare")
    assert (bare.tags, bare.source_file, bare.source_lineno, bare.source_text) == (
        (),
        None,
        None,
        None,
    )
    region.ptr_base = 5
    assert region.ptr_base == 5
    for name in ("region_name", "num_calls", "id", "session", "tags", "source_file", "enabled"):
        with pytest.raises(AttributeError):
            setattr(region, name, 1)


@pytest.mark.parametrize("name", ["", "ü and 漢", "nul\0inside", "x" * 5000, "\ud800 alone"])
def test_any_str_is_a_name(session, name):
    region = session.add_region(name, tags=[name or "t"], source_file=name)
    with region:
        pass
    assert region.region_name == name
    assert session.regions[name] is region
    assert counts(region) == (1, 1)


def test_a_region_is_made_by_a_session_alone():
    with pytest.raises(TypeError, match="add_region"):
        _record.Region()
    with pytest.raises(TypeError, match="add_region"):
        type("Mine", (_record.Region,), {})()


def test_a_disabled_region_does_nothing(session):
    region = session.add_region("off", enabled=False)
    with region:
        region.begin()
        region.call(1, 2)
    assert counts(region) == (0, 0)
    assert not region.enabled and region.id == -1


def test_a_region_of_a_closed_session_does_nothing(session, region):
    with region:
        session.close()
    with region:
        pass
    region.call(1, 2)
    assert counts(region) == (1, 1)


def test_calls_entered_while_paused_do_not_count(session, region):
    session.pause()
    with region:
        assert counts(region) == (0, 0)
    region.begin()
    session.resume()
    with region:
        assert counts(region) == (1, 0)
    assert counts(region) == (1, 1)
    region.end()  # of the call that fell into the pause
    assert counts(region) == (1, 1)
    region.begin()
    session.pause()
    region.end()
    assert counts(region) == (2, 2)


# ---- in `with` it behaves as any context manager ----


def test_it_is_an_abstract_context_manager(region):
    assert isinstance(region, contextlib.AbstractContextManager)


def test_exit_stack_enters_and_leaves_it(region):
    with contextlib.ExitStack() as stack:
        assert stack.enter_context(region) is region
        stack.push(region)
        region.begin()
        assert counts(region) == (2, 0)
    assert counts(region) == (2, 2)


def test_async_exit_stack_enters_and_leaves_it(region):
    async def main():
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(region)
            await asyncio.sleep(0)

    asyncio.run(main())
    assert counts(region) == (1, 1)


def test_methods_can_be_called_by_class_and_by_instance(region):
    enter, leave = type(region).__enter__, type(region).__exit__
    assert enter(region) is region
    leave(region, None, None, None)
    bound_enter, bound_leave = region.__enter__, region.__exit__
    assert bound_enter() is region
    bound_leave(None, None, None)
    assert bound_enter.__self__ is region
    assert counts(region) == (2, 2)
    with pytest.raises(TypeError):
        enter(42)
    with pytest.raises(TypeError):
        enter()


def test_the_descriptor_refuses_other_objects():
    descriptor = _record.Region.__dict__["__enter__"]
    with pytest.raises(TypeError, match="does not apply"):
        descriptor.__get__(42)
    other = type("Other", (), {"__enter__": descriptor, "__exit__": descriptor})
    with pytest.raises(TypeError, match="does not apply"):
        with other():
            pass
    assert descriptor.__get__(None, _record.Region) is _record.Region.__enter__
    assert descriptor.__name__ == "__enter__"


def test_mock_can_specify_it(region):
    double = mock.create_autospec(region)
    double.__enter__.return_value = 7
    with double as entered:
        assert entered == 7
    double = mock.create_autospec(_record.Region, instance=True)
    double.begin()
    double.begin.assert_called_once_with()
    with mock.patch.object(_record.Region, "begin", autospec=True) as begin:
        region.begin()
        begin.assert_called_once()
    with mock.patch.object(_record.Region, "__enter__", lambda self: "patched"):
        with region as entered:
            assert entered == "patched"
    with region as entered:
        assert entered is region


def test_a_subclass_keeps_the_methods_or_overrides_them(session):
    class Kept(_record.Region):
        extra = 3

    class Loud(_record.Region):
        log = []

        def __enter__(self):
            self.log.append("in")
            return super().__enter__()

        def __exit__(self, *args):
            self.log.append(args[0])
            return super().__exit__(*args)

    kept = session.add_region("kept", cls=Kept)
    with kept as entered:
        assert entered is kept and type(kept) is Kept and kept.extra == 3
    kept.own = 1
    assert kept.__dict__ == {"own": 1}
    loud = session.add_region("loud", cls=Loud)
    with pytest.raises(KeyError):
        with loud as entered:
            assert entered is loud
            raise KeyError
    assert Loud.log == ["in", KeyError]
    assert counts(loud) == counts(kept) == (1, 1)
    with pytest.raises(TypeError, match="subclass of Region"):
        session.add_region("x", cls=int)


def test_a_subclass_in_python_may_silence_exceptions(session):
    class Quiet(_record.Region):
        def __exit__(self, *args):
            super().__exit__(*args)
            return True

    with session.add_region("quiet", cls=Quiet):
        raise ValueError


def test_contextdecorator_can_be_mixed_in(session):
    class Both(_record.Region, contextlib.ContextDecorator):
        pass

    region = session.add_region("both", cls=Both)

    @region
    def work():
        return 3

    assert work() == 3
    assert counts(region) == (1, 1)


def test_a_generator_holds_its_call_open(region):
    def steps():
        with region:
            yield 1
            yield 2

    first, second = steps(), steps()
    next(first), next(second)
    assert counts(region) == (2, 0)
    first.close()
    del second
    gc.collect()
    assert counts(region) == (2, 2)


def test_entered_in_one_thread_it_may_be_left_in_another(region):
    region.begin()
    thread = threading.Thread(target=region.end)
    thread.start()
    thread.join()
    assert counts(region) == (1, 1)


def test_many_threads_lose_no_call(region):
    def work():
        for _ in range(5000):
            with region, region:
                pass

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(region) == (80_000, 80_000)


# ---- references ----


def test_entering_keeps_no_reference(region):
    with region:
        pass  # makes the bound methods
    before = sys.getrefcount(region), sys.getrefcount(None)
    for _ in range(1000):
        with region:
            pass
        region.begin()
        region.end()
        with contextlib.ExitStack() as stack:
            stack.enter_context(region)
    assert sys.getrefcount(region) == before[0]
    assert abs(sys.getrefcount(None) - before[1]) < 100


def test_dropped_regions_are_collected(session):
    region = session.add_region("short")
    with region:
        pass
    dead, gone = weakref.ref(region), []
    weakref.finalize(region, gone.append, 1)
    del session.regions["short"], region
    gc.collect()
    assert dead() is None and gone == [1]


def test_a_region_keeps_its_session():
    session = _record.Session(memory_only=True)
    region = session.add_region("last")
    dead = weakref.ref(session)
    del session
    gc.collect()
    assert dead() is region.session and region.session.live
    with region:
        pass
    assert counts(region) == (1, 1)
    del region
    gc.collect()
    assert dead() is None


def test_a_region_is_not_pickled(region):
    with pytest.raises(TypeError):
        pickle.dumps(region)
