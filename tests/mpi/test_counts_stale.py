"""The committed wrappers are what generate.py makes of calls.txt.

SPDX-License-Identifier: MIT
"""
import sys
from pathlib import Path

import pytest

from support.jobs import run

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "mpi" / "src"


def test_wrappers_are_up_to_date(tmp_path):
    run([sys.executable, SOURCES / "generate.py", tmp_path])
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) > 15
    for name in made:
        assert (ROOT / name).read_text() == (tmp_path / name).read_text(), \
            f"{name} is stale: run mpi/src/generate.py"


def test_every_generated_file_is_compiled():
    listed = (SOURCES.parent / "CMakeLists.txt").read_text()
    for path in SOURCES.glob("*.c"):
        if "Written by generate.py" in path.read_text():
            assert f"src/{path.name}" in listed, path.name


@pytest.mark.parametrize("name", ["Send", "Allreduce", "Waitsome", "Comm_split"])
def test_calls_are_listed_once(name):
    lines = [line for line in (SOURCES / "calls.txt").read_text().splitlines()
             if line.split("|")[0].strip() == name]
    assert len(lines) == 1
