"""Each recorded call is called by a C program of the tests, with large counts, too.

What a program calls is what its object refers to. Most programs list their rows, which are
compared (test_counts.py, test_every_call.py); here are those of calls between a part of the
ranks, or with processes that were not there before.

SPDX-License-Identifier: MIT
"""
from pathlib import Path

import pytest

from support.fortran import recorded_calls
from support.jobs import environment, run
from support.profile import Profile
from support.rows import listed, recorded

pytestmark = pytest.mark.mpi
PROGRAMS = Path(__file__).resolve().parent / "programs"
RANKS = 3
# MPICH as Debian builds it (ch4:ucx) has no ports: MPI_Open_port, and with it MPI_Comm_accept,
# MPI_Comm_connect and MPI_Comm_join, fail, and MPI_Comm_spawn waits for ever. Without us, too.
HOW = {"ompi": ["ports"], "mpich": []}


@pytest.fixture(scope="module")
def counter(install, tmp_path_factory):
    """Another tool: it counts calls, and knows nothing of ours."""
    return install.compile(PROGRAMS.parents[1] / "support" / "count_mpi.c",
                           tmp_path_factory.mktemp("counter") / "libcount_mpi.so",
                           ("-shared", "-fPIC", "-O0"), ("-ldl",))


@pytest.mark.parametrize("flags", [(), ("-DLARGE",)], ids=["c", "large"])
def test_calls_of_a_part_of_the_ranks_have_their_rows(mpi, install, counter, tmp_path, flags):
    """Without us, with us, beside another tool: the same results, each call once."""
    if flags and mpi.family == "ompi":
        pytest.skip("Open MPI 4 has no large-count forms")
    program = mpi.compile(PROGRAMS / "few.c", tmp_path / "few", flags, ())
    start = [f"mpirun.{mpi.suffix}", "-n", RANKS]
    preload = lambda *libraries: [*start, "env", "LD_PRELOAD=" + ":".join(map(str, libraries))]
    commands = {"plain": start, "profiled": [install.scope, "run", *start]}  # of children, too
    if not flags:
        commands |= {"tool first": preload(counter, mpi.library),
                     "scope first": preload(mpi.library, counter)}
    results, runs = set(), {}
    for how, command in commands.items():
        folder = tmp_path / how
        folder.mkdir()
        result = run([*command, program, *HOW[mpi.family]], cwd=folder, timeout=60,
                     env=environment(SCOPE_SPOOL_DIR=folder, COUNT_MPI_DIR=folder))
        assert (result.stdout, result.stderr) == ("", ""), how
        results.add(tuple((folder / f"received.{rank}").read_text() for rank in range(RANKS)))
        if how != "plain":
            profile = Profile(folder / "profiling_data.h5").check()
            runs[how] = profile.metadata["run_id"]
            for rank in range(RANKS):
                assert recorded(profile, rank) == listed(folder, rank)
    assert len(results) == 1 and len("".join(results.pop())) > 30
    children = [Profile(path).check() for path in (tmp_path / "profiled").glob("*.spawn-*.h5")]
    assert [child.ranks() for child in children] == ([[0, 1, 2]] if HOW[mpi.family] else [])
    for child in children:
        assert int(child.metadata["spawned_by_rank"]) == 0
        assert child.metadata["spawned_by_run"] == runs["profiled"]


def needed(mpi, source, folder, *flags):
    """The symbols that the object of a program refers to."""
    made = folder / "needed.o"
    run([f"mpicc.{mpi.suffix}", "-c", "-w", f"-I{mpi.install.include}", *flags, source, "-o", made])
    return set(run(["nm", "-u", "--format=just-symbols", made]).stdout.split())


def test_each_recorded_call_is_called_in_c(mpi, tmp_path):
    large = mpi.family != "ompi"  # Open MPI 4 is an MPI 3.1
    made = set()
    for source in sorted(PROGRAMS.glob("*.c")):
        text = source.read_text()
        if source.name == "world_model.c" or not large and "MPI_Session" in text:
            continue  # it calls our own functions; of MPI 4
        made |= needed(mpi, source, tmp_path)
        if large and ("#ifdef LARGE" in text or '"rows.h"' in text):
            made |= needed(mpi, source, tmp_path, "-DLARGE")
    calls = [call for call in recorded_calls().values() if large or call.since == 3]
    names = {f"MPI_{call.name}" for call in calls}
    names |= {f"MPI_{call.name}_c" for call in calls if large and call.large}
    assert len(names) > (250 if large else 150)
    assert names - made == set()
