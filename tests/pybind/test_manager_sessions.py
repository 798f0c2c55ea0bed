"""Sessions, pauses and ends of the default manager.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys

import pytest

from support.runs import QUIET, counts


# ---- sessions ----


def test_a_session_is_a_region_around_its_block(sp):
    with sp.session(**QUIET) as run:
        assert run.results is None
        with sp.region("outer"), sp.region("inner"):
            pass
    results = run.results
    assert results.region_names == ["scope_profiler.session", "outer", "inner"]
    assert [call["depth"] for call in results.call_graph()] == [0, 1, 2]
    assert results is sp.last_results()
    metadata = results.metadata
    assert metadata["start_time_ns"] <= results.minimum_start_time * 1e9 + 1
    assert metadata["finalize_time_ns"] >= metadata["start_time_ns"]


def test_an_exception_passes_and_the_file_is_written(sp):
    with pytest.raises(KeyError, match="mine"):
        with sp.session(output="run.h5", verbose=False):
            with sp.region("a"):
                raise KeyError("mine")
    assert counts(sp.load("run.h5")) == {"scope_profiler.session": 1, "a": 1}


def test_a_nested_session_is_refused_and_the_outer_one_goes_on(sp):
    with sp.session(output="run.h5", verbose=False):
        with pytest.raises(RuntimeError):
            with sp.session(output=None):
                pass
        with sp.region("a"):
            pass
    assert counts(sp.load("run.h5"))["a"] == 1


def test_a_session_decorates_a_function_a_run_per_call(sp):
    session = sp.session(**QUIET)

    @session
    def work(value):
        """Doc."""
        with sp.region("a"):
            return value

    assert work(4) == 4 and work(5) == 5
    assert work.__name__ == "work" and work.__doc__ == "Doc." and session.results is None
    assert counts(sp.last_results()) == {"scope_profiler.session": 1, "a": 1}


def test_a_session_decorates_a_coroutine_function_over_its_steps(sp):
    import asyncio
    import inspect

    @sp.session(**QUIET)
    async def work():
        with sp.region("a"):
            await asyncio.sleep(0)
        return 6

    assert inspect.iscoroutinefunction(work)
    assert asyncio.run(work()) == 6
    assert counts(sp.last_results())["a"] == 1


def test_run_gives_the_value_and_keeps_the_results(sp):
    assert sp.run(lambda a, b: a + b, 1, 2, output="run.h5") == 3
    assert sp.last_results().region_names == ["scope_profiler.session"]
    assert os.path.exists("run.h5")
    with pytest.raises(TypeError, match="Unknown profiling setting"):
        sp.run(print, output="run.h5", surely_not=3)


# ---- pause ----


def test_paused_scopes_record_nothing_also_when_left_later(sp):
    sp.setup(output=None)
    region = sp.region("a")
    sp.ProfileManager.pause()
    assert sp.ProfileManager.get_config().paused
    with region:
        sp.ProfileManager.resume()
        with region:
            pass
    assert region.num_calls == 1 and not sp.ProfileManager.get_config().paused
    sp.ProfileManager.pause()
    sp.ProfileManager.pause()
    sp.ProfileManager.resume()  # one is enough
    with region:
        pass
    assert counts(sp.finalize(verbose=False, return_results=True)) == {"a": 2}


def test_pause_with_an_open_scope_names_it_and_exempts_the_session(sp):
    with sp.session(**QUIET):
        sp.ProfileManager.pause()
        sp.ProfileManager.resume()
        with sp.region("open"):
            with pytest.raises(
                RuntimeError, match="cannot pause while profiling scopes are active: 'open'"
            ):
                sp.ProfileManager.pause()


def test_sample_every_records_some_steps(sp):
    sp.setup(output=None)
    region = sp.region("a")
    seen = []
    with sp.ProfileManager.sample_every(3, start=1) as step:
        for timestep in range(8):
            with step(timestep) as recorded:
                with region:
                    pass
            seen.append((recorded, region.num_calls))
    assert seen == [(False, 0), (True, 1), (False, 1), (False, 1), (True, 2), (False, 2),
                    (False, 2), (True, 3)]  # fmt: skip
    assert not sp.ProfileManager.get_config().paused
    with pytest.raises(ValueError, match="every must be a positive integer"):
        with sp.ProfileManager.sample_every(0):
            pass
    with sp.ProfileManager.sample_every(2) as step:
        for wrong in ("a", 1.0, True):
            with pytest.raises(TypeError, match="timestep must be an integer"):
                with step(wrong):
                    pass


def test_auto_finalize_writes_when_the_process_ends(sp):
    code = "import scope_profiler as sp\nsp.setup(output='a.h5', auto_finalize=True)\n" \
           "with sp.region('r'): pass\n"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and "a.h5" in done.stdout
    assert counts(sp.load("a.h5")) == {"r": 1}
    code = "import scope_profiler as sp\nsp.setup(output='b.h5')\nwith sp.region('r'): pass\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and not done.stdout and not done.stderr
    assert not os.path.exists("b.h5")


def test_a_forked_child_that_exits_leaves_the_file_to_its_parent(sp):
    code = """
import os, sys, scope_profiler as sp
sp.setup(output='a.h5', auto_finalize=True)
with sp.region('r'): pass
if not os.fork():
    sys.exit(0)
os.wait()
assert not os.path.exists('a.h5')
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert counts(sp.load("a.h5")) == {"r": 1}
