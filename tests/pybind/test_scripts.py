"""Whole programs and modules: run_script, profile_script, instrument.

SPDX-License-Identifier: MIT
"""
import sys
import types

import pytest

QUIET = {"output": None, "verbose": False, "return_results": True}
SCRIPT = '''
import sys
def leaf(n): return n
def work(n):
    for i in range(n): leaf(i)
    return sorted([leaf(2), leaf(1)], key=lambda x: x)
class A:
    def meth(self): return leaf(1)
def main():
    print('args', sys.argv[1:], __name__)
    work(3); A().meth()
    import json; json.dumps({'a': [1]})
if __name__ == '__main__':
    main()
'''
FUNCTIONS = {
    "scope_profiler.session": 1, "script.py": 1, "__main__.<module>": 1, "__main__.A": 1,
    "__main__.main": 1, "__main__.work": 1, "__main__.leaf": 6,
    "__main__.work.<locals>.<lambda>": 2, "__main__.A.meth": 1,
}  # fmt: skip


@pytest.fixture
def script(sp, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    return "script.py"


def counts(results):
    return {name: results[name].num_calls for name in results.region_names}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no qualified names in code objects")
def test_a_script_runs_as_main_and_its_functions_are_regions(sp, script, capsys):
    before = sys.argv, sys.path[:]
    with sp.session(**QUIET) as run:
        sp.ProfileManager.run_script(script, ["x", "y"])
    assert capsys.readouterr().out == "args ['x', 'y'] __main__\n"
    assert counts(run.results) == FUNCTIONS
    assert (sys.argv, sys.path) == before


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no qualified names in code objects")
def test_patterns_and_entry_point_choose_among_them(sp, script):
    def found(**settings):
        with sp.session(**QUIET) as run:
            sp.ProfileManager.run_script(script, **settings)
        return set(counts(run.results)) - {"scope_profiler.session"}

    assert found(recursive=False, region_name="root") == set()
    assert found(include_patterns=["*leaf*"]) == {"script.py", "__main__.leaf"}
    assert "work" in found(entrypoint="work")
    assert "__main__.leaf" not in found(exclude_patterns=["*leaf*"])
    assert "root" in found(region_name="root")
    everything = found(only_user_code=False)
    assert "json.dumps" in everything and len(everything) > len(FUNCTIONS)


def test_a_script_that_is_not_there_is_said(sp):
    with pytest.raises(FileNotFoundError, match="nope.py"):
        sp.ProfileManager.run_script("nope.py")


def test_profile_script_has_its_run_and_the_results(sp, script):
    results = sp.profile_script(script, script_args=["z"], output="s.h5")
    assert results.region_names == [] and sp.load("s.h5").region_names == []
    sp.reset()
    results = sp.profile_script(script, output="s.h5", recursive_profile=True)
    assert counts(results)["script.py"] == 1
    with pytest.raises(TypeError, match="Unknown profiling setting"):
        sp.profile_script(script, verbose=False)


def test_a_script_that_exits_leaves_its_results(sp, tmp_path):
    (tmp_path / "exits.py").write_text(
        "import sys, scope_profiler as sp\nwith sp.region('r'): pass\nsys.exit(3)\n"
    )
    with pytest.raises(SystemExit, match="3"):
        sp.profile_script("exits.py", output="s.h5")
    assert counts(sp.load("s.h5")) == {"r": 1}


def test_profile_command_runs_a_new_process_and_has_its_results(sp, script):
    done = sp.profile_command([script, "1"], output="c.h5", recursive=True)
    assert done.args[1:] == [
        "-m", "scope_profiler", "run", "-q", "-o", "c.h5", "--recursive", script, "1"]  # fmt: skip
    assert done.returncode == 0 and "__main__.leaf" in done.profile_results.region_names
    done = sp.profile_command([sys.executable, script], output="d.h5")
    assert done.args[1:] == ["-m", "scope_profiler", "run", "-q", "-o", "d.h5", script]
    assert done.returncode == 0
    failed = sp.profile_command(["nope.py"], output="e.h5")
    assert failed.returncode == 1 and failed.profile_results is None


def module():
    made = types.ModuleType("made")
    exec(
        "from json import dumps\nX = 1\ndef a(): return b()\ndef b(): return 1\n"
        "def _hidden(): return 2\nasync def co(): return 1\n"
        "class K:\n    def m(self): return 1\n    @staticmethod\n    def s(): return 2\n",
        made.__dict__,
    )
    return made


def test_instrument_decorates_the_functions_of_a_module_in_place(sp):
    made = module()
    wrapped = sp.instrument(made)
    assert sorted(wrapped) == ["_hidden", "a", "b", "co", "dumps"]
    assert made.a is wrapped["a"]
    assert sp.instrument(made) == {}  # once is enough
    with sp.session(**QUIET) as run:
        made.a()
    assert counts(run.results) == {"made.a": 1, "made.b": 1, "scope_profiler.session": 1}


def test_instrument_chooses_by_name_and_takes_classes(sp):
    made = module()
    chosen = sp.instrument(made, include=("a", "_*"), exclude="_h*", prefix="p", tags=["t"])
    assert list(chosen) == ["a"]
    assert sp.region("p.a").tags == ("t",)
    assert list(sp.instrument(made.K)) == ["m"]
    assert made.K().m() == 1 and "K.m" in sp.registered_regions()
    with pytest.raises(TypeError, match="takes a module or a class"):
        sp.instrument("made")
