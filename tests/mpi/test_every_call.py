"""One-sided, file, neighbourhood, persistent and partitioned calls: each has its row.

As test_counts.py, with what each call is (sent, read, remote ...): the programs list
name, bytes, peer and kind, and what they receive does not change.

SPDX-License-Identifier: MIT
"""
from collections import defaultdict
from pathlib import Path

import pytest

from support.jobs import environment
from support.profile import Profile

pytestmark = pytest.mark.mpi
PROGRAMS = Path(__file__).resolve().parent / "programs"
RANKS = 3
KINDS = ["-", "sent", "received", "posted", "collective", "read", "written", "remote"]
FORTRAN = ["-ffree-line-length-none", "-w"]
WARNINGS = ["-Wno-stringop-overflow", "-Wno-stringop-overread"]
BINDINGS = {
    "c": (".c", WARNINGS),
    "large": (".c", ["-DLARGE", *WARNINGS]),
    "mpifh": (".F90", ["-DMPIFH", "-fallow-argument-mismatch", *FORTRAN]),
    "mpi": (".F90", ["-DUSE_MPI", *FORTRAN]),
    "mpi_f08": (".F90", ["-DUSE_F08", *FORTRAN]),
}


@pytest.fixture(scope="module", params=[
    *((name, binding) for name in ("rma", "io", "neighbour") for binding in ("c", "large")),
    *(("more", binding) for binding in ("mpifh", "mpi", "mpi_f08"))], ids="-".join)
def ran(request, mpi, tmp_path_factory):
    """(folder of a run without the profiler, folder of one with it)."""
    name, binding = request.param
    if binding == "large" and mpi.family == "ompi":
        pytest.skip("Open MPI 4 has no large-count forms")
    suffix, flags = BINDINGS[binding]
    folder = tmp_path_factory.mktemp(f"{name}-{mpi.family}-{binding}")
    if suffix == ".F90":
        flags = [*flags, f"-J{folder}"]
    program = mpi.compile(PROGRAMS / (name + suffix), folder / "calls", flags, ())
    for how, preload in (("plain", []), ("profiled", ["env", f"LD_PRELOAD={mpi.library}"])):
        (folder / how).mkdir()
        result = mpi.mpirun(RANKS, [*preload, program], cwd=folder / how,
                            env=environment(SCOPE_SPOOL_DIR=folder))
        assert (result.stdout, result.stderr) == ("", "")
    return folder / "plain", folder / "profiled"


@pytest.fixture(scope="module")
def profile(ran):
    return Profile(ran[1] / "profiling_data.h5").check()


def listed(folder, rank):
    rows = [line.split() for line in (folder / f"expected.{rank}").read_text().splitlines()]
    return [(name, int(size), int(peer), kind) for name, size, peer, kind in rows]


def test_k20_each_call_has_one_row_with_its_bytes_peer_and_kind(ran, profile):
    columns = profile.columns
    for rank in range(RANKS):
        expected = defaultdict(list)
        for name, *row in listed(ran[1], rank):
            expected[name].append(tuple(row))
        assert profile.counts(rank) == {name: len(rows) for name, rows in expected.items()}
        for name, rows in expected.items():
            found = profile.select(name, rank)
            assert list(zip(columns["mpi_bytes"][found].tolist(), columns["mpi_peers"][found].tolist(),
                            [KINDS[k] for k in columns["mpi_kinds"][found]])) == rows, (rank, name)


def test_k19_results_are_the_same_without_the_profiler(ran):
    for rank in range(RANKS):
        lines = [(folder / f"received.{rank}").read_text() for folder in ran]
        assert lines[0] == lines[1] and len(lines[0]) > 100


def test_collective_calls_are_numbered_the_same_on_all_ranks(profile):
    """By who is in the communicator, which of theirs it is, and the number: one call each."""
    scope, columns = profile.scope, profile.columns
    calls = defaultdict(dict)
    for row in (columns["mpi_kinds"] == KINDS.index("collective")).nonzero()[0]:
        comm = columns["mpi_comms"][row]
        key = (int(scope["communicators/members"][comm]), int(scope["communicators/serials"][comm]),
               int(columns["mpi_tags"][row]))
        rank = int(profile.rank[row])
        assert key[0] != 0 and rank not in calls[key]
        calls[key][rank] = profile.names[profile.region[row]]
    assert len(calls) > 10
    for key, names in calls.items():
        assert set(names) == set(range(RANKS)) and len(set(names.values())) == 1, (key, names)
