"""`profile`: whatever kind of function, one call of it is one call of its region.

SPDX-License-Identifier: MIT
"""
import asyncio
import inspect
import pickle
import time

import pytest

from support.runs import QUIET, counts


def test_it_is_used_with_and_without_a_call_and_names_the_region(sp):
    @sp.profile
    def plain(x, y: int = 2):
        """Doc."""
        return x + y

    @sp.profile()
    def called():
        pass

    @sp.profile("named", tags=["t"])
    def other():
        pass

    assert plain(1) == 3 and plain.__name__ == "plain" and plain.__doc__ == "Doc."
    assert str(inspect.signature(plain)) == "(x, y: int = 2)"
    assert sp.registered_regions() == ("plain", "called", "named")
    with sp.session(**QUIET) as run:
        plain(1), called(), other()
    assert run.results.region_names == ["plain", "called", "named", "scope_profiler.session"]
    plain(1)  # after the session it goes on
    assert sp.ProfileManager.get_region("plain").num_calls == 2
    region = run.results["plain"]
    first = inspect.getsourcelines(plain.__wrapped__)[1]
    assert (region.source_lineno, run.results["named"].tags) == (first, ("t",))


def test_methods_of_every_kind_are_bound_as_they_were(sp):
    class Thing:
        @sp.profile
        def method(self):
            return self

        @staticmethod
        @sp.profile("static")
        def static():
            return 1

        @classmethod
        @sp.profile("class")
        def of_class(cls):
            return cls

        @property
        @sp.profile("property")
        def value(self):
            return 2

    with sp.session(**QUIET) as run:
        thing = Thing()
        assert thing.method() is thing and Thing.method(thing) is thing
        assert (thing.static(), Thing.of_class(), thing.value) == (1, Thing, 2)
    assert counts(run.results) == {
        "method": 2, "static": 1, "class": 1, "property": 1, "scope_profiler.session": 1}  # fmt: skip


def test_a_coroutine_function_stays_one_and_counts_each_call(sp):
    begun = []

    @sp.profile
    async def work(delay):
        """Doc."""
        begun.append(time.perf_counter_ns())
        await asyncio.sleep(delay)
        return delay

    assert inspect.iscoroutinefunction(work) and asyncio.iscoroutinefunction(work)
    assert work.__doc__ == "Doc." and str(inspect.signature(work)) == "(delay)"

    async def main():
        return await asyncio.gather(*(work(0.01) for _ in range(3)))

    assert asyncio.run(main()) == [0.01] * 3  # also with nothing set up
    begun.clear()
    with sp.session(**QUIET) as run:
        asyncio.run(main())
    untracked = run.results["work"][0]
    assert untracked.num_calls == 3  # the creating calls: each over before its body begins
    assert all(end <= begin for end, begin in zip(untracked.end_times_ns.tolist(), begun))
    assert untracked.call_ids is not None
    with sp.session(track_async=True, **QUIET) as run:
        asyncio.run(main())
    tracked = run.results["work"][0]
    assert tracked.num_calls == 3 and min(tracked.durations) >= 0.01  # first step to return
    assert min(tracked.await_times) > 0.005 and len(set(tracked.task_ids.tolist())) == 3


def test_an_exception_in_a_coroutine_ends_its_call(sp):
    @sp.profile(record_outcome=True)
    async def work():
        await asyncio.sleep(0)
        raise KeyError("mine")

    with sp.session(track_async=True, **QUIET) as run:
        with pytest.raises(KeyError, match="mine"):
            asyncio.run(work())
    region = run.results["work"][0]
    assert region.event_metadata == ({"status": "error", "exception": "KeyError"},)


def test_of_generators_the_creating_call_counts(sp):
    @sp.profile
    def numbers():
        yield 1
        yield 2

    @sp.profile
    async def later():
        yield 3

    async def main():
        return [one async for one in later()]

    with sp.session(**QUIET) as run:
        assert list(numbers()) == [1, 2] and asyncio.run(main()) == [3]
    assert counts(run.results)["numbers"] == counts(run.results)["later"] == 1


def test_tags_of_one_name_must_agree(sp):
    @sp.profile("work", tags=["a"])
    def first():
        pass

    with pytest.raises(ValueError, match=r"region 'work' already has tags \('a',\)"):
        sp.profile("work", tags=["b"])(first)

    @sp.profile("work")
    def second():
        pass

    with sp.session(**QUIET) as run:
        first(), second()
    assert counts(run.results)["work"] == 2


@pytest.mark.parametrize("what, words", [
    (5, "not 5"), (int, "not a class"), (staticmethod(len), "put @staticmethod over @profile"),
])  # fmt: skip
def test_what_is_not_a_function_is_refused_where_it_is_decorated(sp, what, words):
    with pytest.raises(TypeError, match=words):
        sp.profile("n")(what)


def test_builtins_can_be_decorated(sp):
    length = sp.profile("length")(len)
    with sp.session(**QUIET) as run:
        assert length([1, 2]) == 2
    assert counts(run.results)["length"] == 1


def pickled(value):
    return value + 1


def test_a_decorated_function_pickles_by_its_name(sp):
    globals()["pickled"] = profiled = sp.profile(pickled)
    try:
        assert pickle.loads(pickle.dumps(profiled)) is profiled
    finally:
        globals()["pickled"] = profiled.__wrapped__


def test_a_decorator_forgotten_by_reset_of_everything_just_calls(sp):
    @sp.profile
    def work():
        return 1

    sp.ProfileManager._reset()
    with sp.session(**QUIET) as run:
        assert work() == 1
    assert counts(run.results) == {"scope_profiler.session": 1}


def test_a_setup_in_the_middle_of_a_call_is_survived(sp):
    @sp.profile
    def work(depth):
        if depth:
            sp.setup(output=None, replace=True)
            work(depth - 1)
        return depth

    sp.setup(output=None)
    assert work(3) == 3
    assert counts(sp.finalize(verbose=False, return_results=True)) == {"work": 1}


# ---- recursive ----


def third():
    return [1]


def second():
    return third()


def traced():
    second()
    return len(third())


def test_recursive_profiling_has_what_the_function_calls(sp):
    import sys

    work = sp.profile("traced", recursive=True)(traced)
    with sp.session(**QUIET) as run:
        assert work() == 1 and sys.getprofile() is None
        second()  # outside of it: not traced
    assert counts(run.results) == {
        "traced": 1, "scope_profiler.session": 1,
        f"{__name__}.second": 1, f"{__name__}.third": 2}  # fmt: skip
    depth = {call["name"]: call["depth"] for call in run.results.call_graph()}
    assert depth[f"{__name__}.second"] == 2


def test_recursive_profile_traces_every_decorated_function(sp):
    import sys

    calls = []

    def watch(frame, event, argument):
        calls.append(event)

    work = sp.profile(traced)
    left_alone = sp.profile("alone", recursive=False)(second)
    with sp.session(recursive_profile=True, **QUIET) as run:
        sys.setprofile(watch)
        work()
        assert sys.getprofile() is watch
        sys.setprofile(None)
        left_alone()
    found = counts(run.results)
    assert found["traced"] == 1 and found[f"{__name__}.third"] == 2 and found["alone"] == 1
    assert "threading" not in " ".join(found)


def test_recursive_profiling_stops_when_the_function_raises(sp):
    import sys

    @sp.profile(recursive=True)
    def work():
        second()
        raise KeyError("mine")

    with sp.session(**QUIET) as run:
        with pytest.raises(KeyError):
            work()
        assert sys.getprofile() is None
    assert counts(run.results)[f"{__name__}.second"] == 1
