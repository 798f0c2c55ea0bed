"""Each recorded call is called from Fortran in each binding, under each name that the MPI has.

What a test program calls is what it refers to (the symbols that the linker finds) and what its
profile holds: so a call that is new in calls.txt, or a form of it that an MPI brings, fails
here until a program calls it.

SPDX-License-Identifier: MIT
"""
import pytest

from support.fortran import (BINDINGS, PROGRAMS, RANKS, SOURCES, built, call_of, called, offered, profiled,
                             recorded_calls)
from support.jobs import environment, run
from support.profile import Profile
from support.rows import listed, recorded

pytestmark = pytest.mark.mpi
# Not in the programs of support/fortran.py, but here: it ends the program.
APART = {"abort"}


@pytest.fixture(scope="module", params=BINDINGS)
def binding(request, mpi):
    if not offered(mpi, request.param):
        pytest.skip(f"this MPI has no {request.param}")
    return request.param


def lacks(mpi, binding):
    """Calls that may lack in a binding, and why."""
    calls = {name: call for name, call in recorded_calls().items() if call}
    if mpi.family == "ompi":
        return {name for name, call in calls.items() if call.since > 3}  # Open MPI 4 is MPI 3
    if binding == "mpi_f08-large":
        return {name for name in calls if name.startswith("file_")}  # MPICH 4.0 has none for files
    return set()


def test_a_binding_has_every_call_but_those_that_are_known_to_lack(mpi, binding):
    there = {call_of(symbol) for symbol in offered(mpi, binding)}
    names = {name for name, call in recorded_calls().items()
             if "large" not in binding or call and call.large}
    assert names - there - lacks(mpi, binding) == set()
    assert len(there) > (90 if "large" in binding else 180)


def test_each_form_of_a_call_is_called_and_recorded(mpi, binding, tmp_path_factory):
    missing = offered(mpi, binding)
    for name in SOURCES:
        program = built(mpi, name, binding, tmp_path_factory)
        profile = Profile(profiled(mpi, name, binding, tmp_path_factory) / "profiling_data.h5")
        rows = {name.removeprefix("MPI_").lower() for name, count in profile.counts().items() if count}
        missing -= {symbol for symbol in called(program, binding) if call_of(symbol) in rows}
    assert {symbol for symbol in missing if call_of(symbol) not in APART} == set()


def test_k20_processes_started_and_met_have_their_rows(mpi, binding, tmp_path_factory):
    folder = profiled(mpi, "processes", binding, tmp_path_factory)
    profile = Profile(folder / "profiling_data.h5").check()
    for rank in range(RANKS):
        assert recorded(profile, rank) == listed(folder, rank)


def test_k19_processes_are_started_and_met_as_without_the_profiler(mpi, binding, tmp_path_factory, tmp_path):
    program = built(mpi, "processes", binding, tmp_path_factory)
    mpi.mpirun(RANKS, [program], cwd=tmp_path, env=environment())
    folder = profiled(mpi, "processes", binding, tmp_path_factory)
    for rank in range(RANKS):
        said = (folder / f"received.{rank}").read_text()
        assert said == (tmp_path / f"received.{rank}").read_text() and "spawn" in said


@pytest.mark.parametrize("bound", ["MPIF", "MPI", "F08"])
def test_abort_leaves_the_spool_beside_the_output(mpi, install, tmp_path, bound):
    program = mpi.compile(PROGRAMS / "ends.F90", tmp_path / "ends", ["-DABORTING", f"-DBIND_{bound}"], ())
    env = environment(SCOPE_SPOOL_DIR=tmp_path / "spools", SCOPE_GATHER_TIMEOUT=10)
    (tmp_path / "spools").mkdir()
    work = tmp_path / "work"
    work.mkdir()
    result = mpi.mpirun(RANKS, ["env", f"LD_PRELOAD={mpi.library}", program], cwd=work, env=env, check=False)
    assert result.returncode == 5
    assert any(path.suffix == ".spool" for path in work.iterdir())
    run([install.scope, "recover", work, "-o", tmp_path / "back.h5"], env=env)
    assert Profile(tmp_path / "back.h5").counts()["MPI_Init"] >= 1
