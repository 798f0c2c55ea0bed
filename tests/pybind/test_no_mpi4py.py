"""Ranks without mpi4py: a file each, and a sentence from one of them.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
import sys

import pytest

import scope_profiler as sp

SCRIPT = """
import sys
sys.modules["mpi4py"] = None # as where it is not installed
import scope_profiler as sp
with sp.session(output="run.h5", verbose=False):
    with sp.region("work"):
        pass
"""


def run_ranks(folder, size, **extra):
    """stderr of each rank, one after the other, as a launcher would start them."""
    said = []
    for rank in range(size):
        variables = {**os.environ, "OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": str(size), **extra}
        done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=folder, env=variables, capture_output=True, text=True,
                              timeout=300)
        assert done.returncode == 0, done.stderr
        said.append(done.stderr)
    return said


def test_each_rank_has_a_file_and_one_says_so(tmp_path):
    said = run_ranks(tmp_path, 2)
    assert said[0].count("mpi4py") == 1 and "run.rank0.h5" in said[0] and "scope merge" in said[0]
    assert said[1] == ""
    assert sorted(os.listdir(tmp_path)) == ["run.rank0.h5", "run.rank1.h5"]
    for rank in range(2):
        assert len(sp.read_h5(tmp_path / f"run.rank{rank}.h5")["work"][rank].durations) == 1


@pytest.mark.parametrize("size, extra", [(1, {}), (2, {"SCOPE_PROFILER_MPI": "0"})])
def test_one_rank_and_ranks_by_themselves_are_as_before(tmp_path, size, extra):
    assert set(run_ranks(tmp_path, size, **extra)) == {""} and os.listdir(tmp_path) == ["run.h5"]
