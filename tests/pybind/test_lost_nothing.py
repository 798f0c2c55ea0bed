"""What goes wrong around a run costs no data, and no more than it must of the program.

SPDX-License-Identifier: MIT
"""
import os
import sys
import threading
import warnings

import pytest

import scope_profiler as sp
from support.jobs import environment, run


@pytest.fixture(autouse=True)
def clean(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    sp.ProfileManager._reset()


def python(code, check=True, **env):
    return run([sys.executable, "-c", code], check=check, env=environment(**env), cwd=os.getcwd())


def test_a_forked_child_that_leaves_its_parents_block_writes_nothing():
    result = python("""
import os, sys
import scope_profiler as sp
with sp.session(output="run.h5", verbose=False):
    with sp.region("before"):
        pass
    child = os.fork()
    if not child:
        with sp.region("child"):
            pass
        sys.exit(3)
    print(os.waitpid(child, 0)[1] >> 8)
    with sp.region("after"):
        pass
""")
    assert result.stdout == "3\n" and os.listdir() == ["run.h5"]
    assert sp.read_h5("run.h5").region_names == ["scope_profiler.session", "before", "after"]


def test_a_forked_child_that_finalizes_has_a_file_of_its_own():
    result = python("""
import os
import scope_profiler as sp
sp.setup(output="run.h5")
with sp.region("before"):
    pass
child = os.fork()
with sp.region("after"):
    pass
sp.finalize(verbose=False)
if child:
    print(child)
    os.waitpid(child, 0)
else:
    os._exit(0)
""")
    child = result.stdout.split()[0]
    assert sorted(os.listdir()) == [f"run.child-{child}.h5", "run.h5"]
    assert sp.read_h5("run.h5").region_names == ["before", "after"]
    assert "after" in sp.read_h5(f"run.child-{child}.h5").region_names


@pytest.mark.parametrize("bad", [{"label": "a\0b"}, {"output": "a\0b.h5"}])
def test_a_setting_that_cannot_be_leaves_the_running_profile_alone(bad):
    sp.setup(output=None)
    with sp.region("kept"):
        pass
    with pytest.raises(ValueError, match="NUL"):
        sp.setup(replace=True, **bad)
    assert sp.finalize(verbose=False, return_results=True).region_names == ["kept"]


def test_a_file_name_that_is_not_utf_8_is_written():
    name = os.fsdecode(b"bad\xff.h5")
    with sp.session(output=name, verbose=False, label="also \udcff"):
        pass
    assert os.listdir() == [name]
    assert sp.read_h5(name).region_names == ["scope_profiler.session"]


def overlap():
    first, second = threading.Event(), threading.Event()

    def outer():
        with sp.region("outer"):
            first.set()
            second.wait(300)

    def inner():
        first.wait(300)
        with sp.region("inner"):
            second.set()
            thread.join(300)

    thread, other = threading.Thread(target=outer), threading.Thread(target=inner)
    thread.start()
    other.start()
    other.join(300)


def test_a_warning_that_is_an_error_comes_when_the_file_is_there():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="call graph"):
            with sp.session(output="run.h5", verbose=False):
                overlap()
    assert sp.read_h5("run.h5").region_names == ["scope_profiler.session", "outer", "inner"]


def test_what_ends_the_block_decides_the_exit_code():
    result = python("""
import sys
import scope_profiler as sp
with sp.session(output="missing/run.h5", verbose=False):
    sys.exit(5)
""", check=False)
    assert result.returncode == 5 and "was not written" in result.stderr


def test_a_failed_write_takes_no_call_ids():
    sp.setup(output="missing/run.h5")
    with sp.region("work"):
        pass
    with pytest.raises(FileNotFoundError):
        sp.finalize(verbose=False)
    os.mkdir("missing")
    results = sp.finalize(verbose=False, return_results=True)
    assert results["work"][0].call_ids.tolist() == [0]


def test_finalizes_of_many_threads_report_each_call_once():
    sp.setup(output="run.h5", track_threads=True)
    found, calls = [], 2000

    def record():
        for _ in range(calls):
            with sp.region("work"):
                pass

    def report():
        for _ in range(10):
            results = sp.finalize(verbose=False, return_results=True)
            found.append(results["work"].num_calls if "work" in results else 0)

    threads = [threading.Thread(target=target) for target in (record, record, report, report)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    report()
    assert sum(found) == 2 * calls


def test_regions_are_had_while_another_thread_sets_up_and_resets():
    errors, over = [], threading.Event()

    def record():
        while not over.is_set():
            try:
                with sp.region(f"work {len(errors)}"):
                    pass
            except BaseException as error:
                errors.append(error)
                return

    threads = [threading.Thread(target=record) for _ in range(3)]
    for thread in threads:
        thread.start()
    for turn in range(200):
        sp.setup(output=None, replace=True)
        if turn % 3 == 0:
            sp.reset()
    over.set()
    for thread in threads:
        thread.join(300)
    assert errors == []


def test_calls_that_were_folded_are_in_every_table():
    result = python("""
import warnings
import scope_profiler as sp
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with sp.session(output="run.h5") as run:
        step = sp.region("step")
        for _ in range(300_000):
            with step:
                pass
print([str(w.message) for w in caught])
""", SCOPE_MAX_BYTES="1M")
    assert "calls are known as exact sums only" in result.stdout.splitlines()[-1]
    assert "300000" in result.stdout
    results = sp.read_h5("run.h5")
    assert results["step"].num_calls == 300_000


def test_a_run_that_ended_well_is_not_called_killed(install):
    with sp.session(output="run.h5", verbose=False):
        pass
    text = run([install.scope, "inspect", "run.h5"]).stdout
    assert "killed" not in text


def test_hooks_of_a_class_may_be_decorated():
    class Base:
        @sp.profile
        def __init_subclass__(cls, **keywords):
            cls.known = sorted(keywords)

        @sp.profile
        def __class_getitem__(cls, item):
            return cls, item

    class Child(Base, a=1):
        pass

    assert Child.known == ["a"] and Child[3] == (Child, 3)


def test_a_region_all_of_whose_calls_were_folded_is_a_region():
    result = python("""
import importlib.util, warnings
import scope_profiler as sp
warnings.simplefilter("ignore")
with sp.session(output="run.h5", verbose=False, return_results=True) as run:
    with sp.region("early"):
        pass
    step = sp.region("step")
    for _ in range(300_000):
        with step:
            pass
for results in (run.results, sp.read_h5("run.h5")):
    print(results["early"].num_calls, results["early"][0].num_calls, results["step"].num_calls)
    assert results["early"][0].total_duration > 0
    results.summary()
    if importlib.util.find_spec("pandas"):
        assert "step" in set(results.to_dataframe()["name"])
""", SCOPE_MAX_BYTES="1M")
    assert result.stdout.splitlines() == ["1 1 300000"] * 2
