"""Regions, handles and factories of the default manager.

SPDX-License-Identifier: MIT
"""
import contextlib
import os
import subprocess
import sys

import numpy as np
import pytest

from support.runs import QUIET, counts


# ---- regions ----


def test_one_name_is_one_region_with_one_set_of_tags(sp):
    sp.setup(output=None)
    region = sp.region("a", tags=["x", "y"])
    assert sp.region("a") is region and sp.region("a", tags=("x", "y")) is region
    assert region.tags == ("x", "y")
    with pytest.raises(ValueError, match=r"already has tags \('x', 'y'\)"):
        sp.region("a", tags=["x"])
    assert sp.region("b", tags="one").tags == ("one",)
    with pytest.raises(TypeError, match="a tag is a str"):
        sp.region("c", tags=[1])


def test_a_region_says_where_it_was_first_used(sp, tmp_path):
    sp.setup(output=None)
    with sp.region("a") as region:
        pass
    assert os.path.basename(region.source_file) == os.path.basename(__file__)
    assert region.source_lineno > 0 and region.source_text is None and region.has_source
    assert region.config is sp.ProfileManager.get_config()
    sp.setup(output=None, replace=True, capture_region_source=True, metadata_detail="full")
    with sp.region("a") as region:
        value = 1
    assert value == 1
    assert region.source_file == __file__
    assert region.source_text.startswith('with sp.region("a") as region:\n    value = 1')


def test_source_paths_are_relative_unless_all_is_asked_for(sp, tmp_path):
    code = "import scope_profiler as sp\nwith sp.region('a') as region: pass\n"
    (tmp_path / "package").mkdir()
    path = tmp_path / "package" / "module.py"
    path.write_text(code)
    sp.setup(output=None)
    names = {}
    exec(compile(code, str(path), "exec"), names)
    assert names["region"].source_file == os.path.join("package", "module.py")
    assert names["region"].source_lineno == 2
    sp.setup(output=None, replace=True)
    exec(compile(code, "/nowhere/that/is/module.py", "exec"), names)
    assert names["region"].source_file == "module.py"


def test_calls_are_counted_at_entry_and_read_while_open(sp):
    sp.setup(output=None)
    region = sp.region("a")
    with region:
        assert region.num_calls == region.ptr == 1
        assert len(region.start_times) == 1 and region.end_times.tolist() == [0]
        with region:
            assert region.ptr == 2 and region.end_times.tolist() == [0, 0]
    starts, ends = region.start_times, region.end_times
    assert starts.dtype == ends.dtype == np.int64
    assert starts[0] <= starts[1] <= ends[1] <= ends[0]
    assert region.get_durations_numpy().tolist() == (ends - starts).tolist()


def test_appended_calls_have_exactly_their_times(sp):
    with sp.session(**QUIET) as run:
        sp.region("a").append(1_000_000_007, 1_000_000_012)
        region = sp.region("a")
        region.append(12_345_678_901_234_567, 12_345_678_901_234_569)
        assert region.num_calls == 2
        assert sorted(region.start_times.tolist()) == [1_000_000_007, 12_345_678_901_234_567]
    calls = run.results["a"][0]
    assert calls.start_times_ns.tolist() == [1_000_000_007, 12_345_678_901_234_567]
    assert calls.durations_ns.tolist() == [5, 2]


def test_recursion_is_one_call_per_level(sp):
    def down(level):
        with sp.region("down"):
            if level:
                down(level - 1)

    with sp.session(**QUIET) as run:
        down(4)
    calls = run.results["down"][0]
    assert calls.num_calls == 5
    assert calls.exclusive_durations.sum() == pytest.approx(calls.durations[0])


def test_get_all_regions_and_the_names_keep_the_order_of_registration(sp):
    with sp.session(**QUIET) as run:
        sp.region("never")
        for name in ("b", "a"):
            with sp.region(name):
                pass
        assert list(sp.ProfileManager.get_all_regions()) == [
            "scope_profiler.session", "never", "b", "a"]  # fmt: skip
        assert sp.recorded_regions() == ("scope_profiler.session", "b", "a")
        assert sp.ProfileManager.get_region("a").num_calls == 1
    assert run.results.region_names == ["scope_profiler.session", "b", "a"]


def test_wrap_makes_each_call_of_a_function_one_of_the_region(sp):
    with sp.session(**QUIET) as run:
        assert [sp.region("a").wrap(str)(n) for n in range(3)] == ["0", "1", "2"]
    assert counts(run.results)["a"] == 3


# ---- handles and factories ----


def test_a_handle_survives_setups(sp):
    handle = sp.define_region("defined", tags=["t"])
    assert isinstance(handle, sp.RegionHandle)
    with handle:
        pass
    for _ in range(2):
        with sp.session(**QUIET) as run:
            with handle as region:
                assert region.tags == ("t",)
        assert counts(run.results) == {"scope_profiler.session": 1, "defined": 1}
        assert run.results["defined"].tags == ("t",)
    sp.reset()
    sp.setup(output=None)
    assert sp.registered_regions() == ("defined",)


def test_a_name_is_defined_one_way(sp):
    sp.define_region("d", tags="z")
    assert sp.define_region("d", tags=["z"]) is not None
    with pytest.raises(ValueError, match="was already defined differently"):
        sp.define_region("d", tags="y")


def test_a_factory_gives_scopes_with_values(sp):
    factory = sp.region_factory("step", tags="loop")
    with sp.session(**QUIET) as run:
        with factory(step=1), factory():
            pass
    calls = run.results["step"][0]
    assert calls.event_metadata == ({"step": 1}, {"step": 1})
    assert calls.tags == ("loop",)
    with pytest.raises(TypeError):
        factory(3)


# ---- calls that do not nest ----


@pytest.mark.parametrize("settings", [{}, {"track_threads": True}])
def test_a_generator_that_holds_a_region_over_a_yield_keeps_both_times(sp, settings):
    def numbers():
        with sp.region("held"):
            yield 1

    with pytest.warns(RuntimeWarning, match="call graph not recorded: ") as caught:
        with sp.session(**QUIET, **settings) as run:
            one = numbers()
            next(one)
            with sp.region("other"):
                next(one, None)
    assert caught[0].filename == __file__
    held, other = run.results["held"][0], run.results["other"][0]
    assert held.call_ids is None and held.num_calls == other.num_calls == 1
    assert held.start_times_ns[0] < other.start_times_ns[0] < held.end_times_ns[0]
    assert held.end_times_ns[0] < other.end_times_ns[0]
    with pytest.raises(sp.NestingError):
        run.results.call_graph()


@pytest.mark.parametrize("tracked, calls", [(False, 2), (True, 1)])
def test_a_region_left_in_another_thread_counts_where_threads_are_not_told_apart(
    sp, tracked, calls
):
    import threading

    with sp.session(track_threads=tracked, **QUIET) as run:
        region = sp.region("a")
        region.__enter__()
        thread = threading.Thread(target=region.__exit__, args=(None, None, None))
        thread.start()
        thread.join()
        with region:
            pass
    assert counts(run.results)["a"] == calls


# ---- with C in the same process ----


def test_regions_of_c_are_on_the_same_timeline(sp, install):
    """A library of the process records before and inside Python's run."""
    code = f"""
import ctypes
lib = ctypes.CDLL({os.fspath(install.prefix / "lib" / "libscope.so")!r})
lib.scope_init(None)
region = ctypes.c_int32()
lib.scope_region_register(b"from_c", ctypes.byref(region))
def call():
    lib.scope_region_begin(region)
    lib.scope_region_end(region)
call()
import scope_profiler as sp
sp.setup(output="python.h5")
with sp.region("from_python"):
    call()
results = sp.finalize(verbose=False, return_results=True)
assert results.threads == {{}}
print([(call["name"], call["depth"]) for call in results.call_graph()])
print(min(event["start"] for event in results.events()) >= 0)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300,
        env={**os.environ, "SCOPE_OUTPUT": "c.h5"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[('from_c', 0), ('from_python', 0), ('from_c', 1)]\nTrue\n"
    assert os.listdir() == ["python.h5"]


def test_regions_work_in_exit_stacks(sp):
    with sp.session(**QUIET) as run:
        with contextlib.ExitStack() as stack:
            for name in "abc":
                stack.enter_context(sp.region(name))
    assert [call["depth"] for call in run.results.call_graph()] == [0, 1, 2, 3]
