"""One-sided, file, neighbourhood, persistent and partitioned calls: each has its row.

As test_counts.py, with what each call is (sent, read, remote ...): the programs list
name, bytes, peer and kind, and what they receive does not change.

SPDX-License-Identifier: MIT
"""
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from support import fortran
from support.jobs import environment
from support.profile import Profile
from support.rows import KINDS, listed, recorded

pytestmark = pytest.mark.mpi
PROGRAMS = Path(__file__).resolve().parent / "programs"
RANKS = 3
WARNINGS = ["-Wno-stringop-overflow", "-Wno-stringop-overread"]
C = {"c": WARNINGS, "large": ["-DLARGE", *WARNINGS]}


@pytest.fixture(scope="module", params=[
    *((name, binding) for name in ("rma", "io", "neighbour") for binding in C),
    *(("every", binding) for binding in fortran.BINDINGS)], ids="-".join)
def ran(request, mpi, tmp_path_factory):
    """(the program, folder of a run without the profiler, folder of one with it)."""
    name, binding = request.param
    if "large" in binding and mpi.family == "ompi":
        pytest.skip("Open MPI 4 has no large-count forms")
    folder = tmp_path_factory.mktemp(f"{name}-{mpi.family}-{binding}")
    if binding in C:
        program = mpi.compile(PROGRAMS / f"{name}.c", folder / "calls", C[binding], ())
        profiled = fortran.run_profiled(mpi, program, folder / "profiled")
    else:
        program = fortran.built(mpi, name, binding, tmp_path_factory)
        profiled = fortran.profiled(mpi, name, binding, tmp_path_factory)
    plain = folder / "plain"
    plain.mkdir()
    result = mpi.mpirun(RANKS, [program], cwd=plain, env=environment())
    assert (result.stdout, result.stderr) == ("", "")
    return program, plain, profiled


@pytest.fixture(scope="module")
def profile(ran):
    return Profile(ran[2] / "profiling_data.h5").check()


def test_k20_each_call_has_one_row_with_its_bytes_peer_and_kind(ran, profile):
    for rank in range(RANKS):
        assert recorded(profile, rank) == listed(ran[2], rank)


def test_k19_results_are_the_same_without_the_profiler(ran):
    for rank in range(RANKS):
        lines = [(folder / f"received.{rank}").read_text() for folder in ran[1:]]
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


# How often these are called depends on when the others come.
POLLING = {"MPI_Win_test", "MPI_Request_get_status", "MPI_Iprobe", "MPI_Parrived"}


@pytest.fixture(scope="module")
def counter(install, tmp_path_factory):
    """Another tool: it counts calls, and knows nothing of ours."""
    return install.compile(PROGRAMS.parents[1] / "support" / "count_mpi.c",
                           tmp_path_factory.mktemp("counter") / "libcount_mpi.so",
                           ("-shared", "-fPIC"), ("-ldl",))


@pytest.mark.parametrize("order", ["tool first", "scope first"])
def test_k21_another_tool_in_the_chain_sees_the_same_calls(ran, mpi, counter, order, tmp_path, request):
    if "large" in request.node.callspec.id:
        pytest.skip("the other tool does not know the large-count forms")
    tools = [counter, mpi.library] if order == "tool first" else [mpi.library, counter]
    result = mpi.mpirun(RANKS, ["env", "LD_PRELOAD=" + ":".join(map(str, tools)), ran[0]],
                        cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path, COUNT_MPI_DIR=tmp_path))
    assert (result.stdout, result.stderr) == ("", "")
    counted = defaultdict(Counter)
    for path in tmp_path.glob("[0-9].*"):
        for rank, name, count in (line.split() for line in path.read_text().splitlines()):
            counted[int(rank)][name] = int(count)
    profile = Profile(tmp_path / "profiling_data.h5").check()
    known = {name for names in counted.values() for name in names} - POLLING
    assert len(known) > 15
    for rank in range(RANKS):
        assert (tmp_path / f"received.{rank}").read_text() == (ran[1] / f"received.{rank}").read_text()
        assert {n: c for n, c in profile.counts(rank).items() if n in known} == \
            {n: c for n, c in counted[rank].items() if n in known}
