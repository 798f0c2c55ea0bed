"""The committed wrappers are what generate.py makes of calls.txt.

SPDX-License-Identifier: MIT
"""
import re
import shutil
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


def headers():
    """Names of all procedures that the MPIs here declare, without MPI_ and _c."""
    names = set()
    for compiler, question in (("mpicc.openmpi", "--showme:incdirs"), ("mpicc.mpich", "-compile_info")):
        if not shutil.which(compiler):
            continue
        for folder in re.findall(r"/[^ ]+", run([compiler, question]).stdout):
            for path in (Path(folder.strip()) / name for name in ("mpi.h", "mpi_proto.h")):
                if path.exists():
                    names |= set(re.findall(r"\bMPI_([A-Z][a-z]\w*|T_\w+)\s*\(", path.read_text()))
    return {name.removesuffix("_c") for name in names}


def test_every_procedure_is_recorded_or_has_a_reason():
    declared = headers()
    if not declared:
        pytest.skip("no MPI")
    recorded = set(re.findall(r'"MPI_(\w+)"', (SOURCES / "calls.c").read_text()))
    outside = [line.split(" | ")[0] for line in (SOURCES / "outside.txt").read_text().splitlines()
               if line and not line.startswith("#")]
    assert len(declared) > 380 and len(recorded) > 200
    reasons = {name: [p for p in outside if re.fullmatch(p, name)] for name in declared | recorded}
    types = {"Aint", "Count", "Comm", "Offset"}  # casts in macros
    assert {n for n in declared - recorded - types if not reasons[n]} == set()
    assert {n for n in recorded if reasons[n]} == set()
