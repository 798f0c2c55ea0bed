"""pytest --scope-profile, in a pytest of its own.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys

import pytest

from scope_profiler.profile_io import load

TESTS = """
import pytest
import scope_profiler as sp

class TestGroup:
    @pytest.mark.parametrize("value", [1, 2])
    def test_values(self, value):
        with sp.session(file_path="own.h5", verbose=False, replace=True):
            with sp.region("inside"):
                pass

def test_fails(): assert 0
def test_skips(): pytest.skip("so")
"""
PASS = "test_x.py::TestGroup::test_values[1]"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "test_x.py").write_text(TESTS)
    return tmp_path


def run(folder, *options):
    environment = dict(os.environ, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", PYTEST_ADDOPTS="")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
         "-p", "scope_profiler.pytest_plugin", *options, "test_x.py"],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def test_calls_of_tests_become_regions(folder):
    done = run(folder, "--scope-profile")
    assert done.returncode == 1 and "wrote pytest-profile.h5" in done.stdout
    made = load(folder / "pytest-profile.h5")
    assert [r.name for r in made] == [
        f"pytest::{PASS}::call", f"pytest::{PASS[:-2]}2]::call",
        "pytest::test_x.py::test_fails::call", "pytest::test_x.py::test_skips::call"]
    assert made.label == "pytest" and all(r.num_calls == 1 for r in made)
    assert made[f"pytest::{PASS}::call"].source_file == "test_x.py"


def test_setup_and_teardown_are_recorded_if_asked_for(folder):
    run(folder, "--scope-profile", "--scope-profile-phases", "all", "--scope-profile-out", "o.json",
        "-k", "values")
    assert [r.name for r in load(folder / "o.json")][:3] == [
        f"pytest::{PASS}::{phase}" for phase in ("setup", "call", "teardown")]


def test_tests_that_profile_record_for_themselves(folder):
    run(folder, "--scope-profile", "-k", "values")
    assert "inside" in load(folder / "own.h5")
    assert "inside" not in load(folder / "pytest-profile.h5")


def test_nothing_happens_without_the_option(folder):
    done = run(folder, "--scope-profile-out", "o.h5")
    assert "scope-profiler" not in done.stdout and not (folder / "o.h5").exists()
    done = run(folder, "--scope-profile", "--collect-only")
    assert done.returncode == 0 and not (folder / "pytest-profile.h5").exists()


def test_settings_come_from_a_file(folder):
    (folder / "p.toml").write_text("[profiling]\naggregation_mode = true\n")
    run(folder, "--scope-profile", "--scope-profile-config", "p.toml", "-k", "values")
    made = load(folder / "pytest-profile.h5")
    assert made[f"pytest::{PASS}::call"].num_calls == 1 and made.events() == []


@pytest.mark.parametrize("options, told", [
    (["--scope-profile-out", "no/o.h5"], "no folder"),
    (["--scope-profile-config", "nope.toml"], "nope.toml"),
    (["--scope-profile-phases", "zz"], "zz")])
def test_what_cannot_be_done_is_a_usage_error(folder, options, told):
    done = run(folder, "--scope-profile", *options)
    assert done.returncode == 4 and told in done.stderr and "INTERNAL" not in done.stderr


def test_xdist_is_refused(folder):
    (folder / "conftest.py").write_text(
        "def pytest_addoption(parser):\n"
        "    parser.addoption('--dist', default='no')\n"
        "    parser.addoption('--numprocesses', type=int)\n")
    for options in (["--dist", "load"], ["--numprocesses", "2"]):
        done = run(folder, "--scope-profile", *options)
        assert done.returncode == 4 and "xdist" in done.stderr


def test_a_file_that_cannot_be_written_leaves_the_tests_results(folder):
    (folder / "o.h5").mkdir()
    done = run(folder, "--scope-profile", "--scope-profile-out", "o.h5", "-k", "values")
    assert done.returncode == 0 and "2 passed" in done.stdout
    assert "nothing was written" in done.stdout
