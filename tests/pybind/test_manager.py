"""Runs, sessions and regions of the default manager and of managers beside it.

SPDX-License-Identifier: MIT
"""
import contextlib
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

QUIET = {"output": None, "verbose": False, "return_results": True}


def counts(results):
    return {name: results[name].num_calls for name in results.region_names}


# ---- before and after ----


def test_before_setup_nothing_is_configured_and_regions_record_nothing(sp):
    manager = sp.ProfileManager
    assert not sp.is_active() and not sp.is_configured()
    assert sp.last_results() is None
    assert sp.finalize() is None
    empty = sp.finalize(return_results=True)
    assert empty.region_names == [] and empty.is_root
    with sp.region("early") as early:
        pass
    assert (early.num_calls, early.ptr, early.region_name, early.tags) == (0, 0, "early", ())
    assert early.start_times.dtype == np.int64 and len(early.end_times) == 0
    assert sp.registered_regions() == ("early",) and sp.recorded_regions() == ()
    assert manager.get_region("other") is None
    assert not manager.get_config().paused and not sp.is_configured()


def test_pause_and_resume_want_a_setup(sp):
    for call in (sp.ProfileManager.pause, sp.ProfileManager.resume):
        with pytest.raises(RuntimeError, match="setup"):
            call()


def test_the_calls_of_the_module_are_those_of_the_manager(sp):
    for name in (
        "session setup finalize region profile reset is_active is_configured last_results "
        "registered_regions recorded_regions define_region region_factory metadata instrument "
        "profile_command profile_script run setup_from_env register_opt_in_tag"
    ).split():
        assert getattr(sp, name) == getattr(sp.ProfileManager, name), name
    assert sp.ProfileManager.profile_region == sp.ProfileManager.region


def test_a_setup_while_a_run_is_active_is_refused_unless_it_replaces(sp):
    first = sp.setup(output=None)
    with pytest.raises(RuntimeError, match="already configured; finalize it first or pass rep"):
        sp.setup(output=None)
    second = sp.setup(output=None, replace=True)
    assert second.is_active and not first.is_active
    with pytest.raises(RuntimeError, match="this profiling run has been replaced"):
        first.finalize()
    assert second.finalize(verbose=False).region_names == []
    sp.setup(output=None)  # after a finalize it is fine
    sp.reset()
    assert not sp.is_active() and not sp.is_configured()


def test_a_run_is_active_until_reset_also_after_its_session(sp):
    with sp.session(**QUIET):
        assert sp.is_active() and sp.is_configured()
    assert sp.is_active() and sp.is_configured()
    sp.reset()
    assert not sp.is_active() and sp.last_results() is None


def test_deactivated_profiling_makes_every_region_a_no_op(sp):
    run = sp.setup(output="never.h5", deactivate_profiling=True)
    with sp.region("a") as region:
        pass
    assert region.num_calls == 0
    assert not sp.is_active() and sp.is_configured() and not run.is_active
    assert sp.finalize() is None
    assert sp.finalize(return_results=True).region_names == []
    assert not os.path.exists("never.h5")
    with sp.session(deactivate_profiling=True, verbose=False, return_results=True) as session:
        with sp.region("a"):
            pass
    assert session.results.region_names == []


def test_scope_enable_0_is_as_deactivated(tmp_path):
    program = """
        import os, scope_profiler as sp
        run = sp.setup(output="never.h5", track_async=True, auto_finalize=True)
        with sp.region("a") as region, sp.metadata(x=1):
            pass
        print(region.num_calls, sp.is_active(), sp.is_configured(), run.is_active)
        print(sp.finalize(), sp.finalize(return_results=True).region_names)
        own = sp.ProfileManager()
        with own.session(output="own.h5", verbose=False, return_results=True) as session:
            with own.region("a"):
                pass
        print(session.results.region_names, own.is_active())
    """
    environment = {**os.environ, "SCOPE_ENABLE": "0"}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, timeout=300,
                          env=environment, text=True, capture_output=True)  # fmt: skip
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert done.stdout.splitlines() == ["0 False True False", "None []", "[] False"]
    assert os.listdir(tmp_path) == []


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


# ---- several managers ----


def test_managers_record_side_by_side_on_one_name(sp):
    first, second = sp.ProfileManager(), sp.ProfileManager()
    assert isinstance(first, sp.ProfileManager)

    @first.profile("work")
    @second.profile("work")
    def work():
        with sp.region("work"):
            pass

    with first.session(output="first.h5", verbose=False), second.session(**QUIET) as run:
        with sp.session(**QUIET) as default:
            work()
            with first.region("only"):
                pass
        assert not first.get_config() is second.get_config()
    assert counts(sp.load("first.h5")) == {"work": 1, "scope_profiler.session": 1, "only": 1}
    assert counts(run.results) == {"work": 1, "scope_profiler.session": 1}
    assert counts(default.results) == {"scope_profiler.session": 1, "work": 1}
    assert first.is_active() and second.last_results() is run.results
    first.reset()
    assert not first.is_active() and second.is_active()


def test_a_region_callable_kept_from_before_goes_on_working(sp):
    manager = sp.ProfileManager()
    region = manager.region
    with manager.session(**QUIET) as run:
        later = manager.region
        with region("a"):
            pass
    manager.setup(output=None)
    with later("a"), region("b"):
        pass
    assert counts(run.results)["a"] == 1
    assert counts(manager.finalize(verbose=False, return_results=True)) == {"a": 1, "b": 1}


def test_a_dropped_manager_gives_its_recording_back(sp):
    import gc
    import weakref

    manager = sp.ProfileManager()
    manager.setup(output=None)
    session = weakref.ref(manager._engine.run.session)
    del manager
    gc.collect()
    assert session() is None


def test_a_configuration_made_by_hand_can_be_set(sp):
    from scope_profiler.profile_config import ProfilingConfig

    config = ProfilingConfig(deactivate_file_output=True, label="mine")
    sp.ProfileManager.set_config(config)
    assert sp.ProfileManager.get_config() is config and sp.is_active()
    with sp.region("a"):
        pass
    assert sp.finalize(verbose=False, return_results=True).label == "mine"
    with pytest.raises(AttributeError):
        config.label = "other"


def test_regions_work_in_exit_stacks(sp):
    with sp.session(**QUIET) as run:
        with contextlib.ExitStack() as stack:
            for name in "abc":
                stack.enter_context(sp.region(name))
    assert [call["depth"] for call in run.results.call_graph()] == [0, 1, 2, 3]


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
