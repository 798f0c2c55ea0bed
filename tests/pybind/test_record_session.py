"""A session has regions by name, and is the only thing that keeps a recording.

SPDX-License-Identifier: MIT
"""

import contextlib
import gc
import os
import pathlib
import subprocess
import sys
import textwrap
import threading
import weakref

import pytest

from scope_profiler import _record


@pytest.fixture
def session():
    made = _record.Session(memory_only=True)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def no_default():
    yield
    _record.set_default(None, None)


def test_a_new_session_is_live_until_it_is_closed(session):
    assert session.live and not session.adopted and not session.paused
    assert session.lanes == _record.UNTRACKED == 0
    session.close()
    session.close()
    assert not session.live
    with pytest.raises(RuntimeError):
        session.pointer


def test_one_that_is_closed_from_the_start_takes_no_place():
    many = [_record.Session(closed=True, lanes=_record.TASKS) for _ in range(5000)]
    for closed in (many[0], many[-1]):
        with closed.add_region("a") as region:
            assert closed.region("a") is region
        closed.pause(), closed.resume(), closed.metadata("k", "v"), closed.close()
        assert not closed.live and region.num_calls == region.num_exits == 0
        with pytest.raises(RuntimeError):
            closed.pointer
    _record.Session(memory_only=True).close()


def test_the_pointer_is_a_capsule_of_the_recording(session):
    assert "scope_profiler.session" in repr(session.pointer)
    assert session.pointer is session.pointer
    kept = session.pointer
    session.close()
    assert "closed" in repr(kept)


def test_options_are_checked():
    for wrong in [{"lanes": 3}, {"lanes": -1}]:
        with pytest.raises(ValueError):
            _record.Session(**wrong)
    with pytest.raises(TypeError):
        _record.Session(True)
    with pytest.raises(TypeError):
        _record.Session(output=3)
    made = _record.Session(memory_only=True, lanes=_record.TASKS, label="ü", output="/tmp/x%r.h5")
    assert made.lanes == 2
    made.close()


def test_regions_are_in_order_of_registration(session):
    made = [session.add_region(name) for name in ("b", "a", "c")]
    assert list(session.regions) == ["b", "a", "c"]
    assert list(session.regions.values()) == made


def test_a_name_is_registered_once(session):
    first = session.add_region("a", tags=("x",))
    assert session.add_region("a", tags=("y",)) is first
    assert first.tags == ("x",)


def test_the_same_name_has_the_same_id_in_every_session(session):
    other = _record.Session(memory_only=True)
    assert other.add_region("same").id == session.add_region("same").id
    assert other.regions["same"] is not session.regions["same"]
    other.close()


def test_arguments_of_add_region_are_checked(session):
    for wrong in [
        dict(name=3),
        dict(name="a", tags=[1]),
        dict(name="a", tags=3),
        dict(name="a", source_line="x"),
        dict(name="a", source_file=3),
        dict(name="a", cls=3),
        dict(),
    ]:
        with pytest.raises(TypeError):
            session.add_region(**wrong)
    with pytest.raises(TypeError):
        session.add_region("a", ("x",))
    assert session.regions == {}


def test_region_asks_on_miss_for_what_is_not_there(session):
    asked = []

    def on_miss(*arguments):
        asked.append(arguments)
        return session.add_region(arguments[0])

    session.on_miss = on_miss
    region = session.region("a")
    assert session.region("a") is session.region(region_name="a") is region
    assert asked == [("a", None, None)]
    session.region("a", tags=["t"])
    session.region("a", print)
    session.region("b", functions=[len], tags=())
    assert asked[1:] == [("a", None, ["t"]), ("a", print, None), ("b", [len], ())]
    session.close()
    session.region("a")
    assert asked[-1] == ("a", None, None)


def test_an_error_of_on_miss_goes_on(session):
    def on_miss(*arguments):
        raise LookupError(arguments[0])

    session.on_miss = on_miss
    with pytest.raises(LookupError, match="zz"):
        session.region("zz")


def test_without_on_miss_region_makes_one(session):
    assert session.region("new") is session.regions["new"]
    with pytest.raises(TypeError):
        session.region(3)


@pytest.mark.parametrize("find", ["method", "function"])
def test_arguments_of_region_are_checked(session, find):
    _record.set_default(session, None)
    region = session.region if find == "method" else _record.region
    for arguments, named, words in [
        ((), {}, "missing"),
        (("a", None, None, None), {}, "at most 3"),
        (("a",), {"region_name": "b"}, "multiple values"),
        (("a",), {"color": 1}, "unexpected"),
        ((), {"tags": ()}, "missing"),
    ]:
        with pytest.raises(TypeError, match=words):
            region(*arguments, **named)
    with pytest.raises(TypeError):
        region([])
    assert region("a", None, tags=None) is region("a")


def test_the_default_session_is_what_region_looks_into(session):
    with pytest.raises(RuntimeError):
        _record.region("a")
    _record.set_default(None, lambda *arguments: arguments)
    assert _record.region("a", tags="t") == ("a", None, "t")
    _record.set_default(session, lambda *arguments: arguments)
    assert _record.region("a") == ("a", None, None)
    made = session.add_region("a")
    assert _record.region("a") is made
    session.close()
    assert _record.region("a") == ("a", None, None)
    for wrong in [(3, None), (), (session,)]:
        with pytest.raises(TypeError):
            _record.set_default(*wrong)


def test_pausing_twice_is_pausing_once(session):
    region = session.add_region("a")
    session.pause()
    session.pause()
    assert session.paused
    session.resume()
    assert not session.paused
    session.resume()
    with region:
        pass
    assert region.num_calls == 1


def test_a_closed_session_ignores_what_it_is_told(session):
    session.close()
    session.pause()
    session.resume()
    session.bound()
    session.metadata("key", "value")
    assert not session.paused
    assert session.add_region("late").num_calls == 0


def test_metadata_is_text(session):
    session.metadata("key", "value \ud800")
    session.bound()
    with pytest.raises(TypeError):
        session.metadata("key", 3)


def test_a_session_has_attributes_for_its_owner(session):
    assert session.owner is None and session.on_miss is None
    session.owner = owner = object()
    assert session.owner is owner

    class Mine(_record.Session):
        pass

    mine = Mine(memory_only=True)
    mine.anything = 1
    assert mine.live
    mine.close()


def test_a_session_that_nobody_holds_is_closed():
    session = _record.Session(memory_only=True)
    session.owner = session  # a cycle, with its regions a second one
    with session.add_region("a"):
        pass
    dead = weakref.ref(session)
    del session
    gc.collect()
    assert dead() is None


def test_a_thousand_sessions_may_live():
    sessions = [_record.Session(memory_only=True) for _ in range(1000)]
    regions = [session.add_region("a") for session in sessions]
    for region in regions:
        with region:
            pass
    assert {region.num_calls for region in regions} == {1}
    for session in sessions:
        session.close()


def test_ten_thousand_regions_record(session):
    regions = [session.add_region(f"region {i}") for i in range(10_000)]
    for region in regions:
        with region:
            pass
    assert len(session.regions) == 10_000
    assert all(region.num_calls == region.num_exits == 1 for region in regions)


def test_a_later_process_session_ends_the_earlier():
    first = _record.Session(process=True, memory_only=True)
    region = first.add_region("a")
    assert first.live
    second = _record.Session(process=True, memory_only=True)
    assert second.live and not first.live
    with region:
        pass
    assert region.num_calls == 0
    first.close()
    assert second.live
    with second.add_region("a") as again:
        pass
    assert again.num_calls == 1 and again.id == region.id
    second.close()
    assert not second.live


def test_now_is_the_clock_of_perf_counter():
    import time

    before = time.perf_counter_ns()
    assert before <= _record.now_ns() <= time.perf_counter_ns()


def test_a_str_of_a_subclass_is_the_same_name(session):
    import enum

    class Names(str, enum.Enum):
        A = "a"

    class Evil(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            raise AssertionError("compared")

    region = session.region("a")
    assert (
        session.region(Names.A)
        is session.add_region(Names.A)
        is session.region(Evil("a"))
        is region
    )
    assert type(session.add_region(Evil("b")).region_name) is str


@contextlib.contextmanager
def interpreter():
    """A function that runs text in a new one, which shares the GIL."""
    try:
        import _interpreters as interpreters  # 3.13

        made = interpreters.create("legacy")
    except ImportError:
        interpreters = pytest.importorskip("_xxsubinterpreters")
        made = interpreters.create(isolated=False)

    def run(script):
        script = f"import sys; sys.path[:] = {sys.path!r}\n{textwrap.dedent(script)}"
        assert interpreters.run_string(made, script) is None

    yield run
    interpreters.destroy(made)


def test_a_subinterpreter_has_sessions_of_its_own():
    process = _record.Session(process=True, memory_only=True)
    with interpreter() as run:
        run("""
            from scope_profiler import _record
            session = _record.Session(process=True, memory_only=True)
            _record.set_default(session, None)
            with _record.region("a") as region:
                pass
            assert region.num_calls == 1 and session.live
            _record.Profiled(len, lambda: region)("")
            with _record.Handle("a", lambda: region):
                pass
            assert region.num_exits == 3
        """)
    assert process.live
    process.close()


def test_a_forked_child_has_sessions_of_its_own(session):
    tracked = _record.Session(memory_only=True, lanes=_record.THREADS)
    region, other = tracked.add_region("a"), session.add_region("a")
    with region, other:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                with region, other:
                    pass
                mine = _record.Session(memory_only=True)
                with mine.add_region("a") as own:
                    pass
                for each in (tracked, session, mine):
                    each.close()
                status = 0 if own.num_calls == own.num_exits == 1 else 2
            finally:
                os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    with region, other:
        pass
    assert region.num_calls == other.num_exits == 2
    tracked.close()


def test_the_version_is_that_of_libscope():
    header = pathlib.Path(__file__).parents[2] / "runtime/include/scope/version.h"
    assert f'#define SCOPE_VERSION "{_record.VERSION}"' in header.read_text().splitlines()


def test_with_recording_off_a_session_is_not_live():
    code = """if True:
        from scope_profiler import _read, _record
        for process in (False, True):
            session = _record.Session(process=process, memory_only=True, lanes=_record.TASKS)
            with session.region("a") as region:
                pass
            assert not session.live and region.num_calls == region.num_exits == 0
            cursor = _read.Cursor(session.pointer)
            cursor.advance()
            assert len(cursor.table()) == 0
            session.pause(), session.resume(), session.close()
    """
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "SCOPE_ENABLE": "0"}, timeout=300
    )
    assert done.returncode == 0


def test_a_session_that_is_being_collected_makes_no_region():
    import ctypes

    import numpy

    said = []

    def last(_):
        dying = ctypes.cast(address, ctypes.py_object).value
        for make in (dying.region, dying.add_region):
            with pytest.raises(RuntimeError):
                make("b")
            said.append(dying.regions)

    session = _record.Session(memory_only=True)
    session.add_region("a")  # a cycle
    address = id(session)
    session.owner = numpy.zeros(1)  # unknown to the collector: it dies while the session is cleared
    alive = weakref.ref(session.owner, last)
    del session
    gc.collect()
    assert said == [None, None] and alive() is None


def test_a_thread_is_named_in_each_interpreter_that_it_runs():
    from scope_profiler import _read

    def work(session, region, names):
        with interpreter() as run:
            run("""
                from scope_profiler import _read, _record
                theirs = _record.Session(memory_only=True, lanes=_record.THREADS)
                region = theirs.add_region("b")
            """)
            with region:
                pass
            run("""
                with region:
                    pass
                cursor = _read.Cursor(theirs.pointer)
                cursor.advance()
                (row,) = cursor.table().part("threads")
                assert row["name"] != "python", row  # the system's
                theirs.close()
            """)
            cursor = _read.Cursor(session.pointer)
            cursor.advance()
            names.extend(row["name"] for row in cursor.table().part("threads"))

    names = []
    session = _record.Session(memory_only=True, lanes=_record.THREADS)
    region = session.add_region("a")
    thread = threading.Thread(target=work, args=(session, region, names), name="worker-x")
    thread.start()
    thread.join()
    session.close()
    assert names == ["worker-x"]


def test_hooks_of_threads_go_in_together_or_not_at_all(monkeypatch):
    import _thread

    class Refuses:
        start_new_thread = staticmethod(_thread.start_new_thread)

        def __setattr__(self, name, value):
            raise ZeroDivisionError

    both = "_start_new_thread", "_start_joinable_thread"
    names = [name for name in both if hasattr(threading, name)]
    before = [getattr(threading, name) for name in names]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "_thread", Refuses())
        with pytest.raises(ZeroDivisionError):
            _record.install_threads()
    assert [getattr(threading, name) for name in names] == before
    _record.install_threads()
    assert [getattr(threading, name) for name in names] != before
    _record.uninstall_threads()
    assert [getattr(threading, name) for name in names] == before
