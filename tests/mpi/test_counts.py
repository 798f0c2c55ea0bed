"""Every recorded call of C, the large-count forms, mpif.h, mpi and mpi_f08 has its row.

The programs list what they call: name, bytes and peer of each call. A counting
library that knows nothing of ours, preloaded alone, says the same of the names;
and what a program receives does not change.

SPDX-License-Identifier: MIT
"""
from collections import Counter, defaultdict
from pathlib import Path

import h5py
import pytest

from support import fortran
from support.jobs import environment, run
from support.profile import Profile

pytestmark = pytest.mark.mpi
HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
RANKS = 3
# How often these are called depends on when messages arrive.
POLLING = {"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Waitsome", "MPI_Improbe"}
C = {"c": ["-Wno-stringop-overflow"], "large": ["-DLARGE", "-Wno-stringop-overflow"]}


@pytest.fixture(scope="module", params=[*C, *fortran.BINDINGS])
def binding(request, mpi):
    if "large" in request.param and mpi.family == "ompi":
        pytest.skip("Open MPI 4 has no large-count forms")
    return request.param


@pytest.fixture(scope="module")
def program(binding, mpi, tmp_path_factory):
    """One program that calls everything, without the profiler."""
    if binding not in C:
        return fortran.built(mpi, "calls", binding, tmp_path_factory)
    folder = tmp_path_factory.mktemp(f"{mpi.family}-{binding}")
    return mpi.compile(PROGRAMS / "calls.c", folder / "calls", C[binding], ())


@pytest.fixture(scope="module")
def counter(install, tmp_path_factory):
    """A library that counts calls and knows nothing of ours."""
    return install.compile(HERE.parent / "support" / "count_mpi.c",
                           tmp_path_factory.mktemp("counter") / "libcount_mpi.so",
                           ("-shared", "-fPIC"), ("-ldl",))


@pytest.fixture(scope="module")
def plain(mpi, program, counter, tmp_path_factory):
    """The folder of a run without the profiler; the counts are in `counted`."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "counted").mkdir()
    mpi.mpirun(RANKS, ["env", f"LD_PRELOAD={counter}", program], cwd=folder,
               env=environment(COUNT_MPI_DIR=folder / "counted"))
    return folder


@pytest.fixture(scope="module")
def profiled(binding, mpi, program, tmp_path_factory):
    """The folder of a run with the profiler preloaded."""
    if binding not in C:
        return fortran.profiled(mpi, "calls", binding, tmp_path_factory)
    return fortran.run_profiled(mpi, program, tmp_path_factory.mktemp("profiled") / "run")


@pytest.fixture(scope="module")
def profile(profiled):
    return Profile(profiled / "profiling_data.h5").check()


def listed(folder, rank):
    """[(name, bytes, peer)] that the program says it called."""
    rows = [line.split() for line in (folder / f"expected.{rank}").read_text().splitlines()]
    return [(name, int(size), int(peer)) for name, size, peer, *_ in rows]


def recorded(profile, name, rank):
    """[(bytes, peer)] of a name's rows."""
    rows = profile.select(name, rank)
    return list(zip(profile.columns["mpi_bytes"][rows].tolist(),
                    profile.columns["mpi_peers"][rows].tolist()))


def test_k20_each_call_has_one_row_with_its_bytes_and_peer(profiled, profile):
    for rank in range(RANKS):
        expected = defaultdict(list)
        for name, size, peer in listed(profiled, rank):
            expected[name].append((size, peer))
        assert profile.counts(rank) == {name: len(rows) for name, rows in expected.items()}
        for name, rows in expected.items():
            assert recorded(profile, name, rank) == rows, (rank, name)


def test_rows_are_in_the_order_of_the_calls(profiled, profile):
    for rank in range(RANKS):
        rows = [(profile.start[i], profile.names[profile.region[i]])
                for i in range(len(profile.start)) if profile.rank[i] == rank]
        assert [name for _, name in sorted(rows, key=lambda row: row[0])] == \
            [name for name, _, _ in listed(profiled, rank)]


def test_k19_results_are_the_same_without_the_profiler(plain, profiled):
    for rank in range(RANKS):
        assert (profiled / f"received.{rank}").read_bytes() == \
            (plain / f"received.{rank}").read_bytes()
        assert (plain / f"received.{rank}").stat().st_size > 0


def in_place(folder, rank):
    """{collective: what was received} of the calls with MPI_IN_PLACE."""
    lines = (folder / f"received.{rank}").read_text().splitlines()
    return {what: values.split() for what, found, values in (line.partition(" in place") for line in lines) if found}


def test_k19_every_collective_of_fortran_is_called_in_place(profiled, binding):
    """Those that may be, blocking or not; both forms receive the same, and sums are sums."""
    if binding in C:
        pytest.skip("a program in C")
    table = (HERE.parents[1] / "mpi/src/calls.txt").read_text()
    listed = table[table.index("[collective]"):table.index("[request]")].splitlines()
    names = {line.split()[0].lower() for line in listed[1:] if line.strip()} - {"barrier", "bcast"}
    for rank in range(RANKS):
        found = in_place(profiled, rank)
        assert set(found) == names | {f"i{name}" for name in names} and len(names) == 15
        assert all(found[name] == found[f"i{name}"] for name in names)
        assert [int(v) for v in found["allreduce"][:4]] == [300 + 3 * i for i in range(1, 5)]


def test_k20_a_counting_library_says_the_same(plain, profile, binding):
    if "large" in binding:
        pytest.skip("the counting library does not know the large-count forms")
    counted = defaultdict(Counter)
    for path in (plain / "counted").iterdir():
        for rank, name, count in (line.split() for line in path.read_text().splitlines()):
            counted[int(rank)][name] += int(count)
    known = {name for names in counted.values() for name in names} - POLLING
    assert len(known) > 50
    for rank in range(RANKS):
        ours = profile.counts(rank)
        ours["MPI_Barrier"] += 1  # between MPI_Pcontrol(0) and MPI_Pcontrol(1)
        assert {n: c for n, c in ours.items() if n in known} == \
            {n: c for n, c in counted[rank].items() if n in known}


def test_mpi_rows_are_tagged(profile):
    with h5py.File(profile.path) as file:
        assert set(file["rank_region_index/tags"].asstr()[()]) == {'["mpi"]'}


def test_communicators_are_described(profile):
    """Each row names one, by its row in the table, or none (-1)."""
    table = {column: profile.scope[f"communicators/{column}"] for column in
             ("ranks", "ids", "sizes", "own_ranks", "parents", "names")}
    names = [name.decode() for name in table["names"]]
    for rank in range(RANKS):
        used = {int(row) for row in profile.columns["mpi_comms"][profile.rank == rank]} - {-1}
        assert {int(table["ranks"][row]) for row in used} == {rank}
        world, = {int(row) for row in profile.columns["mpi_comms"][profile.select("MPI_Barrier", rank)]}
        assert (table["ids"][world], table["sizes"][world], table["own_ranks"][world],
                names[world]) == (0, RANKS, rank, "MPI_COMM_WORLD")
        by_name = {names[row]: row for row in used}
        self = by_name["MPI_COMM_SELF"]
        assert (table["ids"][self], table["sizes"][self], table["own_ranks"][self]) == (1, 1, 0)
        copy = by_name["a copy"]
        assert (table["sizes"][copy], table["own_ranks"][copy]) == (RANKS, rank)
        assert table["parents"][copy] in (0, world)
        assert len(used) > 20


@pytest.mark.parametrize("rounds", [200])
def test_threads_that_call_mpi_at_once(mpi, tmp_path, rounds):
    """MPI_THREAD_MULTIPLE: counts and bytes are exact, and so are lanes."""
    program = mpi.compile(PROGRAMS / "threads.c", tmp_path / "threads", ("-pthread",), ())
    if mpi.family == "mpich":
        rounds = 20  # MPICH is slow when ranks outnumber cores
    mpi.mpirun(2, ["env", f"LD_PRELOAD={mpi.library}", program, rounds], cwd=tmp_path, timeout=300,
               env=environment(SCOPE_SPOOL_DIR=tmp_path))
    profile = Profile(tmp_path / "profiling_data.h5").check()
    for rank in range(2):
        for line in (tmp_path / f"counted.{rank}").read_text().splitlines():
            name, count, size = line.split()
            rows = recorded(profile, name, rank)
            assert len(rows) == int(count), (rank, name)
            assert sum(moved for moved, _ in rows) == int(size), (rank, name)
        assert len(set(profile.thread[profile.rank == rank].tolist())) == 9


def test_wrappers_reference_no_symbol_of_an_mpi(mpi):
    undefined = run(["nm", "-D", "--undefined-only", mpi.library]).stdout.split()
    assert [s for s in undefined if "mpi_" in s.lower() and not s.startswith("scope_")] == []


@pytest.fixture(scope="module")
def weak(openmpi, tmp_path_factory):
    """A program that looks whether the large-count forms are there; Open MPI 4 has none."""
    return openmpi.compile(PROGRAMS / "weak.c", tmp_path_factory.mktemp("weak") / "weak", (), ())


@pytest.mark.parametrize("families, says", [
    ([], "none"), (["ompi"], "none"), (["mpich"], "ok"), (["mpich", "ompi"], "ok"),
    (["ompi", "mpich"], "ok")], ids=lambda v: "+".join(v) if isinstance(v, list) else v)
def test_large_counts_that_only_another_family_has_become_ordinary_calls(
        openmpi, install, weak, tmp_path, families, says):
    libraries = [install.lib / f"libscope_mpi_{family}.so" for family in families]
    if not all(library.exists() for library in libraries):
        pytest.skip("one of the families is not installed")
    result = openmpi.mpirun(RANKS, ["env", "LD_PRELOAD=" + ":".join(map(str, libraries)), weak],
                            cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert result.stdout.split() == [says] * RANKS
    if "ompi" in families and "mpich" in families:
        profile = Profile(tmp_path / "profiling_data.h5")
        for rank in range(RANKS):
            counts = profile.counts(rank)
            assert (counts["MPI_Send"], counts["MPI_Allgatherv"], counts["MPI_Ialltoallv"]) == (1, 2, 2001)
            assert recorded(profile, "MPI_Send", rank) == [(24, (rank + 1) % RANKS)]
