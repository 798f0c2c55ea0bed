"""Profiles recorded and described by this package or by scope-profiler 0.7.5.

SPDX-License-Identifier: MIT
"""
import json
import math
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUPPORT = ROOT / "tests" / "support"
PYTHON_075 = Path(os.environ.get("SCOPE_TEST_PYTHON_075")
                  or ROOT / "build" / "venv-0.7.5" / "bin" / "python")
HAS_075 = PYTHON_075.exists()


def start(python, *arguments, timeout=300):
    """Output of a script under this package (sys.executable) or under 0.7.5."""
    environment = dict(os.environ)
    if Path(python) == PYTHON_075:
        environment.pop("PYTHONPATH", None)
    done = subprocess.run([str(python), *map(str, arguments)], text=True, capture_output=True,
                          timeout=timeout, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def record(python, folder, kinds, suffix=".h5"):
    start(python, SUPPORT / "record_profile.py", folder, suffix, *kinds)


def describe(python, *paths):
    return json.loads(start(python, SUPPORT / "describe_profile.py", *paths))


def describe_here(path):
    from support.describe_profile import describe as whole

    return json.loads(json.dumps(whole(str(path)), default=str))


def differences(ours, theirs, where=""):
    """Where two descriptions differ; floats by no more than rounding (a nanosecond is 1e-9)."""
    if isinstance(ours, float) or isinstance(theirs, float):
        same = isinstance(ours, (int, float)) and isinstance(theirs, (int, float)) and (
            math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9))
        return [] if same else [f"{where}: {ours!r}, then {theirs!r}"]
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if set(ours) != set(theirs):
            return [f"{where}: keys {sorted(ours)}, then {sorted(theirs)}"]
        return [d for key in ours for d in differences(ours[key], theirs[key], f"{where}/{key}")]
    if isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            return [f"{where}: {len(ours)} items, then {len(theirs)}"]
        return [d for i, (a, b) in enumerate(zip(ours, theirs))
                for d in differences(a, b, f"{where}[{i}]")]
    return [] if ours == theirs else [f"{where}: {ours!r}, then {theirs!r}"]
