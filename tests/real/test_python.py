"""Programs with libraries nobody here wrote: output unchanged, profiles consistent, and the
same counts and structure as scope-profiler 0.7.5 finds in them.

SPDX-License-Identifier: MIT
"""
import importlib.util
import json
import sys
from pathlib import Path

import pytest

from support.jobs import run

HERE = Path(__file__).parent / "python"
PEER = Path(__file__).resolve().parents[2] / "build" / "venv-0.7.5" / "bin" / "python"

pytestmark = pytest.mark.real


@pytest.fixture(autouse=True)
def has_package(install):
    if importlib.util.find_spec("scope_profiler") is None:
        pytest.skip("the install has no Python package for this Python")


def profile(script, python, folder, *arguments):
    """Run the script; its output and what its profile says."""
    output = folder / "run.h5"
    folder.mkdir(exist_ok=True)
    env = {"PYTHONPATH": None} if python == PEER else {}
    from support.jobs import environment
    said = run([python, HERE / script, output, *arguments], env=environment(**env), cwd=folder)
    summary = run([python, HERE / "summary.py", output], env=environment(**env))
    return said.stdout, json.loads(summary.stdout)


def both(script, tmp_path, *arguments, needs=None):
    if needs and importlib.util.find_spec(needs) is None:
        pytest.skip(f"no {needs} here")
    mine = profile(script, sys.executable, tmp_path / "ours", *arguments)
    assert mine[1]["errors"] == []
    theirs = None
    if PEER.exists() and (not needs or run([PEER, "-c", f"import {needs}"], check=False).returncode == 0):
        theirs = profile(script, PEER, tmp_path / "theirs", *arguments)
        assert mine[0] == theirs[0]
    return mine[1], theirs[1] if theirs else None


def test_aiohttp_serves_200_concurrent_requests(tmp_path):
    ours, theirs = both("aiohttp_app.py", tmp_path, needs="aiohttp")
    assert ours["counts"] == {"scope_profiler.session": 1, "handle": 200, "fetch": 200, "read": 200}
    assert ours["edges"]["fetch > read"] == 200 and ours["coroutines"]["fetch"] == 200
    if theirs:
        assert {name: ours[name] for name in ("counts", "edges", "coroutines")} == \
            {name: theirs[name] for name in ("counts", "edges", "coroutines")}


def test_uvloop_runs_tasks_that_fail_and_time_out(tmp_path):
    ours, theirs = both("uvloop_app.py", tmp_path, needs="uvloop")
    assert ours["counts"] == {"scope_profiler.session": 1, "work": 50, "compute": 50, "slow": 1}
    assert ours["edges"]["work > compute"] == 50 and ours["unfinished"] == 0
    if theirs: # the main coroutine was a task before that package saw the loop
        assert ours["counts"] == theirs["counts"] and ours["edges"] == theirs["edges"]


def test_a_gevent_pool_keeps_its_greenlets_apart(tmp_path):
    ours, theirs = both("gevent_app.py", tmp_path, needs="gevent")
    assert ours["counts"] == {"scope_profiler.session": 1, "work": 60, "compute": 60}
    assert ours["edges"] == {" > scope_profiler.session": 1, " > work": 60, "work > compute": 60}
    if theirs: # which loses what spans the first switch: the session itself
        del ours["counts"]["scope_profiler.session"]
        theirs["counts"].pop("scope_profiler.session", None)
        assert ours["counts"] == theirs["counts"]


def test_executors_threads_and_tasks_share_one_timeline(tmp_path):
    ours, theirs = both("futures_app.py", tmp_path)
    assert ours["counts"] == {"scope_profiler.session": 1, "square": 120, "inner": 120, "offload": 1}
    assert ours["edges"]["square > inner"] == 120
    workers = [name for name in ours["threads"] if name.startswith("worker")]
    assert 1 <= len(workers) <= 4 and not set(workers) & set(ours["alive"])
    if theirs:
        assert ours["counts"] == theirs["counts"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_pool_of_processes_writes_a_file_each(tmp_path, method):
    ours, theirs = both("pool_app.py", tmp_path, method)
    assert ours["counts"] == {"scope_profiler.session": 1, "parent": 1}
    for number in range(6):
        worker = run([sys.executable, HERE / "summary.py", tmp_path / "ours" / f"run.h5.{number}.h5"])
        assert json.loads(worker.stdout)["counts"] == {"scope_profiler.session": 1, "work": 1}
    if theirs:
        assert ours["counts"] == theirs["counts"] and ours["edges"] == theirs["edges"]
