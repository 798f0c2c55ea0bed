"""The same calls, asked the same questions, under this package and under 0.7.5.

SPDX-License-Identifier: MIT
"""
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
REFERENCE = ROOT / "build" / "venv-0.7.5" / "bin" / "python"
DESCRIBE = ROOT / "tests" / "support" / "describe_results.py"
sys.path.insert(0, str(ROOT / "tests"))
from support.random_calls import call_set  # noqa: E402

pytestmark = pytest.mark.skipif(not REFERENCE.exists(), reason="scope-profiler 0.7.5 is not here")


def ask(python, cases, keep_path):
    environment = dict(os.environ)
    if not keep_path:
        environment.pop("PYTHONPATH", None)
    done = subprocess.run([str(python), str(DESCRIBE)], input=json.dumps(cases), text=True,
                          capture_output=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def differences(ours, theirs, where=""):
    """Paths at which the two differ; floats up to rounding (a nanosecond here is 1e-9)."""
    if isinstance(theirs, float) or isinstance(ours, float):
        same = isinstance(ours, (int, float)) and isinstance(theirs, (int, float)) and (
            math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12))
        return [] if same else [f"{where}: {ours!r}, 0.7.5 {theirs!r}"]
    if isinstance(theirs, dict) and isinstance(ours, dict):
        if list(theirs) != list(ours) and set(theirs) != set(ours):
            return [f"{where}: keys {list(ours)}, 0.7.5 {list(theirs)}"]
        return [d for key in theirs for d in differences(ours[key], theirs[key], f"{where}/{key}")]
    if isinstance(theirs, list) and isinstance(ours, list):
        if len(theirs) != len(ours):
            return [f"{where}: {len(ours)} values, 0.7.5 {len(theirs)}: {ours} {theirs}"]
        return [d for i, (a, b) in enumerate(zip(ours, theirs))
                for d in differences(a, b, f"{where}[{i}]")]
    return [] if ours == theirs else [f"{where}: {ours!r}, 0.7.5 {theirs!r}"]


def comparable(told):
    """0.7.5 reports plain durations as exclusive times, of all ranks, after it has once said
    that some calls do not nest: leave those out."""
    if isinstance(told["summary"][0], list):
        return told
    told = {key: value for key, value in told.items()
            if key not in ("regions", "summary") and "printed" not in key}
    told["ranks"] = {
        rank: {key: value for key, value in about.items() if key in
               ("graph", "stack", "arrays", "lanes", "labels")}
        for rank, about in told["ranks"].items()}
    return told


@pytest.mark.parametrize("block", range(3))
def test_random_call_sets_give_the_same_answers_in_both(block):
    cases = [call_set(seed) for seed in range(block * 16, block * 16 + 16)]
    ours, theirs = ask(sys.executable, cases, True), ask(REFERENCE, cases, False)
    found = []
    for number, (a, b) in enumerate(zip(ours, theirs)):
        found += differences(comparable(a), comparable(b), f"seed {block * 16 + number}")
    assert not found, "\n".join(found[:40])
