"""What a rank sends and receives at the end grows with the logarithm of the ranks.

Counted below all collectives: by Open MPI's monitoring component, or where MPICH calls UCX
(benchmarks/scale.py, which prints the whole table).

SPDX-License-Identifier: MIT
"""
import math
import subprocess
import sys
from pathlib import Path

import h5py
import pytest

from support.jobs import Mpi
from support.profile import Profile

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
import scale  # noqa: E402

pytestmark = pytest.mark.mpi
FEW = 4


@pytest.fixture(scope="module")
def folder(openmpi, tmp_path_factory):
    info = subprocess.run(["ompi_info"], capture_output=True, text=True, check=False).stdout
    if "MCA pml: monitoring" not in info:
        pytest.skip("this Open MPI has no monitoring component")
    folder = tmp_path_factory.mktemp("scale")
    scale.compile_all(openmpi.install.prefix, folder)
    return folder


@pytest.fixture(scope="module")
def mpich_folder(install, tmp_path_factory):
    if not Mpi("mpich", install).available():
        pytest.skip("no mpich here")
    if "ucx" not in subprocess.run(["mpichversion"], capture_output=True, text=True, check=False).stdout:
        pytest.skip("this MPICH does not go by UCX")
    folder = tmp_path_factory.mktemp("scale-mpich")
    scale.compile_all(install.prefix, folder, "mpich")
    return folder


def objects(path):
    names = []
    with h5py.File(path, "r") as file:
        file.visit(names.append)
    return names


def check_growth(folder, ranks, placement, kind, mpi="openmpi", row_bytes=0):
    """row_bytes: what of each rank goes through rank 0."""
    few = scale.measure(folder, FEW, placement, kind, mpi=mpi)
    few_objects = objects(folder / "profiling_data.h5")
    many = scale.measure(folder, ranks, placement, kind, mpi=mpi)
    profile = Profile(folder / "profiling_data.h5").check()
    assert profile.ranks() == list(range(ranks))
    for rank in range(ranks):
        calls = profile.own_counts(rank)
        own = f" of rank {rank}" if kind == "disjoint" else ""
        expected = [] if kind in ("none", "unused") else [f"step {i}{own}" for i in range(20)]
        assert calls == dict.fromkeys(expected, 1)
    assert objects(folder / "profiling_data.h5") == few_objects
    log = math.log2(ranks)
    growth = log / math.log2(FEW)
    print(f"{mpi}, {ranks} ranks, {placement}, {kind}: {many}")
    # 8 to 100 trips per comparison of two clocks; names of all ranks pass through few
    trips = 200 * log if placement != "one" else 0
    names = 0 if kind == "same" else ranks * 20 * 40
    assert many["messages"] <= 1.6 * growth * few["messages"] + trips
    assert many["bytes"] <= 1.6 * growth * few["bytes"] + 8 * trips + names + ranks * row_bytes
    assert many["memory"] <= few["memory"] + 4096  # KiB; of a rank that is not rank 0
    # at distances of powers of two; where ranks are sorted by their nodes one more per step of it
    peers = 4 * log if placement == "one" else log * (log + 3) / 2
    assert many["peers"] <= peers
    return many


@pytest.mark.parametrize("placement,kind", [("one", "same"), ("nodes", "disjoint"), ("nodes", "unused"),
                                            ("alone", "none")])
def test_no_rank_hears_of_all_others(folder, placement, kind):
    check_growth(folder, 32, placement, kind)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["same", "disjoint", "none"])
@pytest.mark.parametrize("placement", ["one", "nodes", "alone"])
def test_256_ranks(folder, placement, kind):
    check_growth(folder, 256, placement, kind)


@pytest.mark.long
def test_rank_0_asks_nobody_for_compressed_columns(folder, monkeypatch):
    monkeypatch.setenv("SCOPE_COMPRESSION", "gzip")
    check_growth(folder, 64, "one", "same", row_bytes=20 * 128)


@pytest.mark.long
@pytest.mark.parametrize("placement,kind", [("one", "disjoint"), ("nodes", "same"), ("alone", "none")])
def test_256_ranks_of_mpich(mpich_folder, placement, kind):
    check_growth(mpich_folder, 256, placement, kind, "mpich")
