"""The default manager before, between and after runs, and managers beside it.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from support.runs import QUIET, counts


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
