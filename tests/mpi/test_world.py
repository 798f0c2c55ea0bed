"""The MPI world (tree, unify, gather, relay, sums, clocks) against a model.

SPDX-License-Identifier: MIT
"""
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "mpi" / "src"
MODULES = ("world", "gather", "unify", "relay", "tree", "node", "names", "clock_offset", "next",
           "launcher")
SHIFT = 1000  # seconds that rank r's clock is ahead of rank r - 1's


def build(mpi, output):
    return mpi.compile(
        HERE / "programs" / "world_model.c", output, libs=("-lscope",),
        flags=("-std=gnu11", "-D_GNU_SOURCE", f"-DSCOPE_MPI_FAMILY_{mpi.family.upper()}",
               f"-I{SOURCES}", *(SOURCES / f"{name}.c" for name in MODULES)))


@pytest.fixture(scope="module")
def program(mpi, tmp_path_factory):
    return build(mpi, tmp_path_factory.mktemp(f"world-{mpi.family}") / "world_model")


@pytest.mark.mpi
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_world_equals_its_model(mpi, program, ranks):
    assert mpi.mpirun(ranks, [program]).stdout == "ok\n"


@pytest.mark.mpi
@pytest.mark.parametrize("ranks", [6, 13])
def test_every_rank_knows_its_neighbours_in_the_tree(openmpi, tmp_path, ranks):
    """Nodes of equal and of unequal size, filled in blocks, round robin and at random."""
    program = build(openmpi, tmp_path / "world_model")
    assert openmpi.mpirun(ranks, [program, "tree"]).stdout == "ok\n"


def has_time_namespaces():
    return shutil.which("unshare") and subprocess.run(
        ["unshare", "-T", "--monotonic=5", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.mpi
@pytest.mark.skipif(not has_time_namespaces(), reason="needs time namespaces (root)")
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_offsets_of_shifted_clocks_are_found_within_their_bound(mpi, program, ranks):
    shifted = ["sh", "-c", 'exec unshare -T --monotonic=$((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} * '
               f'{SHIFT})) "$0" "$@"', program, "clock"]
    out = mpi.mpirun(ranks, shifted).stdout
    found = {int(r): (int(offset), int(bound)) for r, offset, bound in
             re.findall(r"rank (\d+) offset (-?\d+) bound (-?\d+)", out)}
    assert sorted(found) == list(range(ranks))
    assert found[0] == (0, 0)
    for rank, (offset, bound) in found.items():
        assert abs(offset + rank * SHIFT * 10**9) <= bound
        assert 0 <= bound < 10**9
