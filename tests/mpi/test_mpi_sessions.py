"""MPI 4's sessions: a run without MPI_Init has its calls, its ranks and one file, too.

SPDX-License-Identifier: MIT
"""
import re
from pathlib import Path

import pytest

from support.jobs import environment, run
from support.profile import Profile, ours

pytestmark = pytest.mark.mpi
PROGRAMS = Path(__file__).resolve().parent / "programs"
SENDRECV = {"MPI_Allreduce": 1, "MPI_Sendrecv": 1}
CALLS = {"MPI_Session_init": 1, "MPI_Comm_create_from_group": 1, **SENDRECV, "MPI_Comm_free": 1,
         "MPI_Session_finalize": 1}


@pytest.fixture(scope="module")
def program(mpi, tmp_path_factory):
    if mpi.family == "ompi":
        pytest.skip("Open MPI 4 has no sessions")
    folder = tmp_path_factory.mktemp("sessions")
    return {name: mpi.compile(PROGRAMS / "sessions.c", folder / name, (), libs)
            for name, libs in (("with", None), ("without", ("-lscope",)))}


@pytest.fixture
def env(tmp_path):
    (tmp_path / "spools").mkdir()
    return environment(SCOPE_SPOOL_DIR=tmp_path / "spools", SCOPE_GATHER_TIMEOUT=20)


def files(folder):
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def one_file(folder):
    assert files(folder) == ["profiling_data.h5"] and not list(folder.rglob("*.spool"))
    profile = Profile(folder / "profiling_data.h5").check()
    assert profile.mpi_size == 2 and profile.ranks() == [0, 1]
    return profile


@pytest.mark.parametrize("how", ["plain", "overlapping", "threads"])
@pytest.mark.parametrize("partial", ["1", "0"])
def test_the_last_session_ends_the_run_of_all_ranks(mpi, program, env, tmp_path, how, partial):
    result = mpi.mpirun(2, [program["with"], how], cwd=tmp_path, timeout=60,
                        env={**env, "SCOPE_PARTIAL": partial})
    assert (result.stdout.split(), result.stderr) == (["2", "2"], "")
    profile = one_file(tmp_path)
    sessions = {"plain": 1, "overlapping": 2, "threads": 41}[how]
    for rank in (0, 1):
        assert profile.own_counts(rank) == {"work": 1}
        assert profile.mpi_counts(rank) == {
            **CALLS, "MPI_Session_init": sessions, "MPI_Session_finalize": sessions}
        row, = profile.select("MPI_Sendrecv", rank)
        assert profile.columns["mpi_peers"][row] == 1 - rank
    assert not profile.flags.any()
    names = {bytes(n).decode() for n in profile.scope["communicators/names"]}
    assert {"mpi://WORLD", "mpi://SELF"} <= names


@pytest.mark.parametrize("how, calls", [
    ("init-last", {**CALLS, "MPI_Allreduce": 2, "MPI_Sendrecv": 2}),
    ("session-last", {"MPI_Session_init": 1, "MPI_Comm_create_from_group": 1, **SENDRECV})])
def test_with_mpi_init_in_between_mpi_finalize_is_the_end(mpi, program, env, tmp_path, how, calls):
    result = mpi.mpirun(2, [program["with"], how], cwd=tmp_path, timeout=60, env=env)
    assert (result.stdout.split(), result.stderr) == (["2"] * 4, "")
    profile = one_file(tmp_path)
    for rank in (0, 1):
        assert profile.mpi_counts(rank) == {**calls, "MPI_Init": 1, "MPI_Finalize": 1}
    assert b"MPI_COMM_WORLD" in {bytes(n) for n in profile.scope["communicators/names"]}


@pytest.mark.parametrize("binding", ["USE_MPI", "USE_F08"])
def test_sessions_of_fortran(mpi, program, env, tmp_path, binding):
    made = mpi.compile(PROGRAMS / "sessions.F90", tmp_path.parent / f"fortran-{binding}",
                       (f"-D{binding}", "-w", "-fallow-argument-mismatch", "-ffree-line-length-none",
                        f"-J{tmp_path.parent}"),
                       ("-Wl,--no-as-needed", f"-lscope_mpi_{mpi.family}"))
    result = mpi.mpirun(2, [made], cwd=tmp_path, timeout=60, env=env)
    assert (sorted(result.stdout.split("\n")), result.stderr) == (["", "2 0", "2 1"], "")
    profile = one_file(tmp_path)
    for rank in (0, 1):
        assert profile.counts(rank) == {
            "MPI_Session_init": 1, "MPI_Comm_create_from_group": 1, "MPI_Allreduce": 1,
            "MPI_Irecv": 1, "MPI_Isend": 1, "MPI_Waitany": 2, "MPI_Comm_free": 1,
            "MPI_Session_finalize": 1}


def test_a_rank_that_is_off_comes_to_the_end_of_the_others(mpi, program, env, tmp_path):
    off = ["sh", "-c", '[ "$PMI_RANK" = 1 ] && export SCOPE_ENABLE=0; exec "$0"', program["with"]]
    result = mpi.mpirun(2, off, cwd=tmp_path, timeout=60, env=env)
    assert (result.stdout.split(), result.stderr) == (["2", "2"], "")
    assert files(tmp_path) == ["profiling_data.h5"]
    assert Profile(tmp_path / "profiling_data.h5").check().ranks() == [0]


def test_no_communicator_of_all_ranks_is_a_file_of_each(mpi, program, env, tmp_path):
    mpi.mpirun(2, [program["with"], "unmade"], cwd=tmp_path, timeout=60, env=env)
    assert files(tmp_path) == ["profiling_data.rank0.h5", "profiling_data.rank1.h5"]
    for rank in (0, 1):
        profile = Profile(tmp_path / f"profiling_data.rank{rank}.h5").check()
        assert profile.mpi_size == 2
        assert profile.counts(rank) == {"MPI_Session_init": 1, "MPI_Session_finalize": 1}


def test_a_rank_without_the_profiler_costs_the_timeout_only(mpi, program, env, tmp_path):
    result = run([f"mpirun.{mpi.suffix}", "-n", 1, program["with"], ":", "-n", 1, program["without"]],
                 cwd=tmp_path, timeout=60, env={**env, "SCOPE_GATHER_TIMEOUT": "2"})
    said, = ours(result.stderr)
    assert "SCOPE_GATHER_TIMEOUT" in said and files(tmp_path) == ["profiling_data.rank0.h5"]
    assert Profile(tmp_path / "profiling_data.rank0.h5").check().mpi_counts() == CALLS


@pytest.mark.parametrize("how", ["kill", "exit", "never"])
def test_a_rank_that_does_not_close_its_session_ends_the_job_as_without_us(mpi, program, env, tmp_path,
                                                                          how):
    """What the other rank recorded is in a file or in its spool."""
    codes = [mpi.mpirun(2, [program[name], how], cwd=tmp_path, timeout=60, env=env,
                        check=False).returncode for name in ("without", "with")]
    assert codes[0] == codes[1]
    kept = [name for name in files(tmp_path) if re.fullmatch(r"profiling_data\.rank\d\.h5", name)]
    assert files(tmp_path) == kept and len(kept) + len(list(tmp_path.rglob("*.spool"))) == 2
