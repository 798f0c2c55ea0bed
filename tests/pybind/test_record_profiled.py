"""A wrapped plain function behaves as the function, and each of its calls is recorded.

SPDX-License-Identifier: MIT
"""

import abc
import copy
import functools
import gc
import inspect
import multiprocessing
import pickle
import pydoc
import subprocess
import sys
import threading
import typing
import weakref

import pytest

from scope_profiler import _record

session = _record.Session(memory_only=True)


def profiled(function):
    return _record.Profiled(function, lambda: session.add_region(function.__name__))


def counts(name):
    region = session.regions[name]
    return region.num_calls, region.num_exits


@profiled
def scale(value: int, factor: "int" = 2, *rest, key: float = 1.0, **more) -> int:
    """Scale it."""
    return value * factor


scale.own = "mine"


def spawned(value):
    return scale(value)


def test_it_returns_what_the_function_returns():
    before = counts("scale")[0] if "scale" in session.regions else 0
    assert scale(3) == 6
    assert scale(3, 5) == 15
    assert scale(value=3, factor=4, key=2, other=1) == 12
    assert scale(*[1, 2, 3], **{"key": 1}) == 2
    assert counts("scale") == (before + 4, before + 4)


def test_an_error_of_the_function_goes_on():
    @profiled
    def fails():
        raise KeyError("x")

    with pytest.raises(KeyError, match="x"):
        fails()
    with pytest.raises(TypeError):
        fails(1)
    assert counts("fails") == (2, 2)


def test_recursion_is_one_call_per_level():
    @profiled
    def descend(levels):
        return descend(levels - 1) if levels else counts("descend")

    assert descend(100) == (101, 0)
    assert counts("descend") == (101, 101)

    @profiled
    def forever():
        forever()

    with pytest.raises(RecursionError):
        forever()
    calls, exits = counts("forever")
    assert calls == exits > 100


def test_it_has_the_functions_attributes():
    function = scale.__wrapped__
    for name in (
        "__name__",
        "__qualname__",
        "__module__",
        "__doc__",
        "__annotations__",
        "__defaults__",
        "__kwdefaults__",
        "__code__",
        "__globals__",
        "__closure__",
    ):
        assert getattr(scale, name) == getattr(function, name), name
    assert inspect.signature(scale) == inspect.signature(function)
    assert typing.get_type_hints(scale) == typing.get_type_hints(function)
    assert inspect.unwrap(scale) is function
    assert inspect.getsource(scale) == inspect.getsource(function)
    assert inspect.getdoc(scale) == "Scale it."
    assert inspect.isroutine(scale) and callable(scale)
    assert "scale(value: int" in pydoc.render_doc(scale, renderer=pydoc.plaintext)
    assert repr(scale).startswith("<function scale at 0x")
    with pytest.raises(AttributeError):
        scale.nothing


def test_its_own_attributes_can_be_set():
    @profiled
    def worker():
        pass

    worker.tag = 3
    worker.__name__ = "other"
    worker.__doc__ = "new"
    assert (worker.tag, worker.__name__, worker.__doc__) == (3, "other", "new")
    assert worker.__wrapped__.__name__ == "worker"
    del worker.tag
    assert not hasattr(worker, "tag")


def test_what_the_function_had_is_there():
    def function():
        pass

    function.mark = [1]
    made = profiled(function)
    assert made.mark is function.mark
    function.later = 2
    assert made.later == 2
    assert vars(made)["__wrapped__"] is function


def test_other_decorators_go_around_it_and_below():
    @functools.lru_cache
    @profiled
    def cached(value):
        return value + 1

    assert (cached(1), cached(1), counts("cached")) == (2, 2, (1, 1))

    @functools.wraps(scale)
    def outer(*args, **kwargs):
        return scale(*args, **kwargs)

    assert outer.__name__ == "scale" and outer.own == "mine"
    assert inspect.signature(outer) == inspect.signature(scale)

    @profiled
    @functools.wraps(scale)
    def around(*args):
        return scale(*args)

    assert around(2) == 4 and around.__wrapped__.__wrapped__ is scale


def test_it_binds_as_a_method():
    class Thing:
        @profiled
        def method(self, value, *, key=0):
            return self, value, key

        @staticmethod
        @profiled
        def static(value):
            return value

        @classmethod
        @profiled
        def of_class(cls, value):
            return cls, value

        @property
        @profiled
        def prop(self):
            return 7

        @profiled
        def __call__(self):
            return "called"

    class Other(Thing):
        def method(self, value):
            return super().method(value)

    thing = Thing()
    assert thing.method(1, key=2) == (thing, 1, 2)
    assert Thing.method(thing, 3) == (thing, 3, 0)
    bound = thing.method
    assert inspect.ismethod(bound) and bound.__self__ is thing and bound(4) == (thing, 4, 0)
    assert bound.__name__ == "method" and str(inspect.signature(bound)) == "(value, *, key=0)"
    assert (thing.static(5), Thing.of_class(6), thing.prop) == (5, (Thing, 6), 7)
    assert thing() == "called"
    other = Other()
    assert other.method(8) == (other, 8, 0)
    assert counts("method") == (4, 4)
    assert Thing.method is Thing.__dict__["method"]
    assert Thing.method.__get__(None, Thing) is Thing.method


def test_abstract_methods_stay_abstract():
    class Base(abc.ABC):
        @profiled
        @abc.abstractmethod
        def must(self):
            pass

    with pytest.raises(TypeError, match="abstract"):
        Base()


def test_it_is_pickled_by_its_name():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(scale, protocol)) is scale
    assert copy.copy(scale) is scale and copy.deepcopy(scale) is scale

    @profiled
    def local():
        pass

    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(local)


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_other_processes_call_it(method):
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map_async(scale, [1, 2, 3]).get(60) == [2, 4, 6]
        assert pool.map_async(spawned, [4]).get(60) == [8]


def test_without_a_region_it_calls_the_function():
    def function(value):
        return value

    answers = [None, session.add_region("disabled", enabled=False)]
    made = _record.Profiled(function, lambda: answers[0])
    assert made(1) == 1
    answers.pop(0)
    assert made(2) == 2
    _record.rebind()
    assert made(3) == 3
    assert counts("disabled") == (0, 0)


def test_it_asks_again_after_a_rebind_alone():
    asked = []

    def resolve():
        asked.append(1)
        return session.add_region("asked")

    made = _record.Profiled(len, resolve)
    assert [made("ab"), made("abc")] == [2, 3]
    _record.rebind()
    made("")
    assert len(asked) == 2 and counts("asked") == (3, 3)


def test_a_session_may_end_inside_a_call():
    mine = _record.Session(memory_only=True)
    region = mine.add_region("inside")

    def function():
        mine.close()
        later = _record.Session(memory_only=True)  # may get the same place
        made.other = later.add_region("inside")
        _record.rebind()

    made = _record.Profiled(function, lambda: region)
    made()
    assert (region.num_calls, region.num_exits) == (1, 1)
    assert (made.other.num_calls, made.other.num_exits) == (0, 0)
    made.other.session.close()


def test_an_error_of_resolve_goes_on_and_it_asks_again():
    answers = [LookupError("no"), 3, None]

    def resolve():
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    made = _record.Profiled(len, resolve)
    with pytest.raises(LookupError):
        made("a")
    with pytest.raises(TypeError, match="resolve"):
        made("a")
    assert made("a") == 1


def test_a_subclass_of_region_is_entered_by_its_own_methods():
    class Loud(_record.Region):
        log = []

        def __enter__(self):
            self.log.append("in")
            return super().__enter__()

        def __exit__(self, kind, value, traceback):
            self.log.append((kind, str(value)))
            return super().__exit__(kind, value, traceback)

    region = session.add_region("loud", cls=Loud)

    def function(value):
        if value:
            raise ValueError(value)
        return "fine"

    made = _record.Profiled(function, lambda: region)
    assert made(0) == "fine"
    with pytest.raises(ValueError, match="7"):
        made(7)
    assert Loud.log == ["in", (None, "None"), "in", (ValueError, "7")]
    assert counts("loud") == (2, 2)


def test_generators_and_builtins_can_be_wrapped_too():
    @profiled
    def steps():
        yield 1

    assert list(steps()) == [1]
    made = _record.Profiled(max, lambda: session.add_region("max"))
    assert made(1, 2) == made([2, 1]) == 2 and made.__name__ == "max"
    made = _record.Profiled(functools.partial(int, base=2), lambda: session.add_region("partial"))
    assert made("11") == 3


def test_arguments_are_checked():
    for wrong in [(), (len,), (3, len), (len, len, len)]:
        with pytest.raises(TypeError):
            _record.Profiled(*wrong)


def test_calling_keeps_no_reference():
    region = session.add_region("counted")
    argument = object()
    made = _record.Profiled(lambda *args, **kwargs: args, lambda: region)
    made(argument)
    watched = (made, made.__wrapped__, region, argument)
    before = [sys.getrefcount(each) for each in watched]
    for _ in range(1000):
        made(argument, key=argument)
        made.__call__(argument)
        made.__get__(argument)()
    assert [sys.getrefcount(each) for each in watched] == before


def test_a_dropped_one_is_collected():
    def function():
        pass

    made = _record.Profiled(function, lambda: session.add_region("dropped"))
    function.me = made  # a cycle
    made()
    dead = weakref.ref(made)
    del made, function
    gc.collect()
    assert dead() is None


def test_many_threads_lose_no_call():
    @profiled
    def busy(value):
        return value

    def work():
        for i in range(5000):
            assert busy(i) == i
            if i % 500 == 0:
                _record.rebind()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts("busy") == (40_000, 40_000)


def test_a_call_has_no_python_frame_of_its_own():
    @profiled
    def where():
        return [frame.function for frame in inspect.stack()[:2]]

    assert where() == ["where", "test_a_call_has_no_python_frame_of_its_own"]


def test_the_interpreter_may_end_inside_a_call():
    script = """if True:
        import atexit, threading, time
        from scope_profiler import _record
        session = _record.Session(memory_only=True)
        made = _record.Profiled(time.sleep, lambda: session.add_region("a"))
        handle = _record.Handle("a", lambda: session.add_region("a"))
        def work():
            while True:
                with handle, session.region("b"):
                    made(0.0001)
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        atexit.register(made, 0.01)
        time.sleep(0.2)
    """
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", script], timeout=300, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_deep_recursion_is_an_error_and_no_crash():
    script = """if True:
        import sys, threading
        from scope_profiler import _record
        session = _record.Session(memory_only=True)
        def descend(levels):
            return levels and 1 + wrapped(levels - 1)
        wrapped = _record.Profiled(descend, lambda: session.add_region("a"))
        def work():
            try:
                wrapped(200_000)
            except RecursionError:
                region = session.regions["a"]
                print(region.num_calls == region.num_exits)
            assert wrapped(100) == 100
        sys.setrecursionlimit(10**6)
        work()
        threading.stack_size(512 * 1024)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    """
    done = subprocess.run(
        [sys.executable, "-c", script], timeout=300, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\nTrue\n", "")
