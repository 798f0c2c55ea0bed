"""Ranks whose clocks differ by hours are on one clock in the file.

A time namespace per rank gives each a CLOCK_MONOTONIC of its own, as on nodes; or
support/skew.c does, whose clocks also run at different rates.

SPDX-License-Identifier: MIT
"""
import time
from pathlib import Path

import pytest

from support.jobs import environment, run
from support.profile import Profile
from test_world import SHIFT, has_time_namespaces

pytestmark = pytest.mark.mpi
needs_namespaces = pytest.mark.skipif(not has_time_namespaces(), reason="needs time namespaces (root)")
PROGRAMS = Path(__file__).resolve().parent / "programs"
SUPPORT = PROGRAMS.parents[1] / "support"
RANKS = 3


def shifted(program, seconds):
    return ["sh", "-c", 'exec unshare -T --monotonic=$((${OMPI_COMM_WORLD_RANK:-$PMI_RANK} * '
            f'{seconds})) "$0" "$@"', program]


@needs_namespaces
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


@needs_namespaces
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


# ---- clocks that are off by milliseconds and run at their own rates ----

OFFSETS_NS, PPM = (2_000_000, -5_000_000, 5_000_000, 0), (0, 50, -50, 20)


@pytest.fixture(scope="module")
def skew(tmp_path_factory):
    library = tmp_path_factory.mktemp("skew") / "libskew.so"
    run(["gcc", "-O2", "-shared", "-fPIC", SUPPORT / "skew.c", "-o", library])
    return library


class Clocks:
    """The true times of a job's marks, and what each rank's clock shows at a true time."""

    def __init__(self, mpi, skew, folder, ranks, partial, round_ms=10, rounds=60, **more):
        self.anchor_ns = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        self.node = [r // int(more.get("SKEW_RANKS_PER_NODE", 1)) % len(PPM) for r in range(ranks)]
        if "SKEW_ROUND_ROBIN" in more:
            self.node = [r % len(PPM) for r in range(ranks)]
        program = mpi.compile(PROGRAMS / "skewed.c", folder / "skewed", libs=(
            f"-lscope_mpi_{mpi.family}", "-lscope", "-ldl"))
        out = mpi.mpirun(ranks, [program, rounds, round_ms], cwd=folder, env=environment(
            SCOPE_SPOOL_DIR=folder, SCOPE_PARTIAL=partial, SCOPE_CLOCK="monotonic",
            LD_PRELOAD=skew, SKEW_OFFSETS_NS=",".join(map(str, OFFSETS_NS)),
            SKEW_PPM=",".join(map(str, PPM)), SKEW_ANCHOR_NS=self.anchor_ns, **more)).stdout
        marks = [tuple(map(int, line.split())) for line in out.splitlines()]
        self.marks = [[m[1:] for m in marks if m[0] == r] for r in range(ranks)]
        assert [len(m) for m in self.marks] == [rounds] * ranks
        self.ranks, self.profile = ranks, Profile(folder / "profiling_data.h5").check()
        self.bound = self.profile.scope["clock/bound_ns"].tolist()

    def shown(self, rank, true_ns):
        """What `rank`'s clock shows; exact but for the last ns."""
        node = self.node[rank]
        return true_ns + OFFSETS_NS[node] + (true_ns - self.anchor_ns) * PPM[node] / 1e6

    def error_ns(self, rank):
        """How wrong a mark of `rank` can be placed on rank 0's clock: (least, most) that is sure."""
        rows = self.profile.select("mark", rank)
        worst = 0
        for row, (before, after) in zip(rows, self.marks[rank]):
            worst = max(worst, self.shown(0, before) - self.profile.start[row],
                        self.profile.end[row] - self.shown(0, after))
        return worst

    def line_error_ns(self, rank):
        """The same from the file's line alone, at the marks: no reading of a clock is in it."""
        scope, node = self.profile.scope, self.node[rank]
        offset, drift, at = (scope[f"clock/{n}"][rank] for n in ("offset_ns", "drift", "at_ns"))
        rows = self.profile.select("mark", rank)
        worst = 0.0
        for placed in self.profile.start[rows[[0, -1]]].tolist():
            mine = placed - int(offset)  # nearly; exact below, as drift is small
            mine = placed - int(offset) - drift * (mine - int(at))
            slope = 1 + PPM[node] / 1e6
            true_ns = self.anchor_ns + (mine - self.anchor_ns - OFFSETS_NS[node]) / slope
            worst = max(worst, abs(self.shown(0, true_ns) - placed))
        return worst

    def check_messages(self):
        """No message arrives before it is sent, within what the file says of its own error."""
        profile, most = self.profile, 0
        for rank in range(self.ranks):
            for peer in (rank - 1, rank + 1):
                if not 0 <= peer < self.ranks:
                    continue
                sends = [r for r in profile.select("MPI_Send", rank)
                         if profile.columns["mpi_peers"][r] == peer]
                receives = [r for r in profile.select("MPI_Recv", peer)
                            if profile.columns["mpi_peers"][r] == rank]
                assert len(sends) == len(receives) == len(self.marks[0])
                early = (profile.start[sends] - profile.end[receives]).max()
                assert early <= self.bound[rank] + self.bound[peer]
                most = max(most, early)
        return most


@pytest.mark.parametrize("ranks", [2, 4])
def test_skewed_clocks_are_one_after_correction(mpi, skew, tmp_path, ranks):
    """+-5 ms and +-50 ppm: off by less than 1 us, or than the measured round trips."""
    if mpi.family == "mpich" and ranks > 2:
        pytest.skip("MPICH spins: with more ranks than cores its round trips are time slices")
    clocks = Clocks(mpi, skew, tmp_path, ranks, "0")
    assert clocks.profile.scope["clock/hosts"][0] == b"node0"
    clocks.check_messages()
    for rank in range(ranks):
        error, line = clocks.error_ns(rank), clocks.line_error_ns(rank)
        print(f"{mpi.family} rank {rank}: off by {line:.0f} ns, bound {clocks.bound[rank]} ns")
        assert line <= max(1000, clocks.bound[rank])
        assert error <= max(1000, clocks.bound[rank])
    assert clocks.bound[0] == 0


def test_without_a_start_the_bound_says_what_is_not_known(mpi, skew, tmp_path):
    clocks = Clocks(mpi, skew, tmp_path, 2, None)
    assert clocks.profile.scope["clock/drift"].tolist() == [0, 0]
    assert clocks.line_error_ns(1) <= clocks.bound[1]
    assert clocks.error_ns(1) <= clocks.bound[1]
    length = clocks.marks[1][-1][1] - clocks.marks[1][0][0]
    assert clocks.bound[1] >= 1e-4 * length, "of two clocks that may drift by 100 ppm"
    clocks.check_messages()


@pytest.mark.parametrize("placement", [{"SKEW_RANKS_PER_NODE": "3"}, {"SKEW_ROUND_ROBIN": "1"}],
                         ids=["blocks", "round_robin"])
def test_ranks_of_a_node_share_its_line(openmpi, skew, tmp_path, placement):
    ranks = 6
    clocks = Clocks(openmpi, skew, tmp_path, ranks, "0", **placement)
    assert len(set(clocks.node)) > 1
    lines = {}
    for rank in range(ranks):
        line = [clocks.profile.scope[f"clock/{n}"][rank] for n in ("offset_ns", "drift", "at_ns")]
        assert lines.setdefault(clocks.node[rank], line) == line
        assert clocks.line_error_ns(rank) <= max(1000, clocks.bound[rank])
        if clocks.node[rank] == 0:
            assert clocks.bound[rank] == 0
    clocks.check_messages()
