"""Ranks whose clocks differ by hours are on one clock in the file.

A time namespace per rank gives each a CLOCK_MONOTONIC of its own, as on nodes.

SPDX-License-Identifier: MIT
"""
from pathlib import Path

import pytest

from support.jobs import environment
from support.profile import Profile
from test_world import SHIFT, has_time_namespaces

pytestmark = [pytest.mark.mpi, pytest.mark.skipif(not has_time_namespaces(),
                                                  reason="needs time namespaces (root)")]
PROGRAMS = Path(__file__).resolve().parent / "programs"
RANKS = 3


def shifted(program, seconds):
    return ["sh", "-c", 'exec unshare -T --monotonic=$((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} * '
            f'{seconds})) "$0" "$@"', program]


@pytest.mark.parametrize("partial", [None, "0"], ids=["end_only", "start_and_end"])
@pytest.mark.parametrize("seconds", [SHIFT, -1], ids=["ahead", "behind"])
def test_calls_of_all_ranks_lie_on_one_clock(mpi, tmp_path, partial, seconds):
    program = mpi.compile(PROGRAMS / "job.c", tmp_path / "job")
    mpi.mpirun(RANKS, shifted(program, seconds), cwd=tmp_path,
               env=environment(SCOPE_SPOOL_DIR=tmp_path, SCOPE_PARTIAL=partial))
    profile = Profile(tmp_path / "profiling_data.h5").check()
    bound = profile.scope["clock/bound_ns"]
    offset = profile.scope["clock/offset_ns"]
    assert bound[0] == 0 and offset[0] == 0
    for rank in range(1, RANKS):
        assert 0 < bound[rank] < 10**9
        assert abs(offset[rank] + rank * seconds * 10**9) <= bound[rank]
    for name in ("MPI_Barrier", "MPI_Finalize"):  # in both all ranks are inside at one time
        rows = [profile.select(name, rank)[0] for rank in range(RANKS)]
        begin, end = max(profile.start[rows]), min(profile.end[rows])
        assert begin <= end + 2 * max(bound), name
    assert profile.end.max() - profile.start_time_ns < 60 * 10**9


@pytest.mark.parametrize("partial", [None, "0"], ids=["end_only", "start_and_end"])
def test_k33_no_receive_ends_before_its_send_begins(mpi, tmp_path, partial):
    """Within what the file says of its own error; clocks are hours apart, ranks start late."""
    rounds = 20
    program = mpi.compile(PROGRAMS / "ring.c", tmp_path / "ring")
    mpi.mpirun(RANKS, [*shifted(program, SHIFT), rounds], cwd=tmp_path,
               env=environment(SCOPE_SPOOL_DIR=tmp_path, SCOPE_PARTIAL=partial))
    profile = Profile(tmp_path / "profiling_data.h5").check()
    bound = profile.scope["clock/bound_ns"]
    for rank in range(RANKS):
        left = (rank - 1) % RANKS
        sends, receives = profile.select("MPI_Send", left), profile.select("MPI_Recv", rank)
        assert len(sends) == len(receives) == rounds
        slack = bound[left] + bound[rank]
        assert (profile.end[receives] + slack >= profile.start[sends]).all()
        assert slack < 10**9, "far less than the clocks differ by"
    assert (profile.end <= profile.start_time_ns + 60 * 10**9).all()


def test_ranks_of_one_clock_have_no_offset(mpi, tmp_path):
    program = mpi.compile(PROGRAMS / "job.c", tmp_path / "job")
    mpi.mpirun(RANKS, [program], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    profile = Profile(tmp_path / "profiling_data.h5").check()
    for name in ("offset_ns", "bound_ns", "drift"):
        assert profile.scope[f"clock/{name}"].tolist() == [0] * RANKS
