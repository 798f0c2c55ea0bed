"""Messages of the end: their number per rank grows with the logarithm of the ranks.

Counted by Open MPI itself (pml_monitoring): every message, those inside
collectives too; what the program sends without the profiler is taken off.

SPDX-License-Identifier: MIT
"""
import re
from collections import Counter
from pathlib import Path

import pytest

from support.jobs import environment, run
from support.profile import Profile

pytestmark = pytest.mark.mpi
PROGRAMS = Path(__file__).resolve().parent / "programs"


@pytest.fixture(scope="module")
def monitored(openmpi):
    if "pml: monitoring" not in run(["ompi_info"]).stdout:
        pytest.skip("this Open MPI has no pml_monitoring")

    def messages(program, ranks, folder, *words):
        """Messages sent and received by each rank."""
        folder.mkdir()
        monitoring = ["--mca", "pml_monitoring_enable", "2", "--mca",
                      "pml_monitoring_enable_output", "3", "--mca", "pml_monitoring_filename", "seen"]
        openmpi.mpirun(ranks, [*monitoring, program, *words], cwd=folder,
                       env=environment(SCOPE_SPOOL_DIR=folder))
        found = Counter()
        for path in folder.glob("seen.*.prof"):
            for source, target, count in re.findall(
                    r"^[EI]\s+(\d+)\s+(\d+)\s+\d+ bytes\s+(\d+) msgs", path.read_text(), re.M):
                found[int(source)] += int(count)
                found[int(target)] += int(count)
        return found
    return messages


@pytest.fixture(scope="module")
def without(openmpi, monitored, tmp_path_factory):
    """Messages of the job without the profiler, by ranks: one barrier and the end."""
    folder = tmp_path_factory.mktemp("bare")
    bare = openmpi.compile(PROGRAMS / "job.c", folder / "bare", ("-DWITHOUT_SCOPE",), ())
    return {ranks: monitored(bare, ranks, folder / str(ranks)) for ranks in (2, 4, 8)}


@pytest.mark.parametrize("how", ["plain", "same"])
def test_messages_per_rank_grow_logarithmically(openmpi, monitored, without, tmp_path, how):
    profiled = openmpi.compile(PROGRAMS / "job.c", tmp_path / "profiled")
    most = {}
    for ranks in (2, 4, 8):
        with_us = monitored(profiled, ranks, tmp_path / f"with{ranks}", how)
        most[ranks] = max(with_us[r] - without[ranks][r] for r in range(ranks))
        assert Profile(tmp_path / f"with{ranks}" / "profiling_data.h5").mpi_size == ranks
    assert most[2] > 0
    # one more level of the tree costs the same each time; growth with the ranks would double
    assert most[8] - most[4] <= 1.5 * max(most[4] - most[2], 8), most
