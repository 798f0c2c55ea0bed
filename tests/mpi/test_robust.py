"""What programs do beside calling MPI in order: record twice, jump out of calls, spawn.

SPDX-License-Identifier: MIT
"""
import json
import re
from pathlib import Path

import h5py
import pytest

from support.jobs import environment, run
from support.profile import Profile

pytestmark = pytest.mark.mpi
PROGRAMS = Path(__file__).resolve().parent / "programs"


def names_of_communicators(profile):
    table = profile.scope["communicators/names"]
    used = {int(row) for row in profile.columns["mpi_comms"]} - {-1}
    return {table[row].decode() for row in used}, {name.decode() for name in table}


def test_a_second_recording_knows_communicators_and_tags(mpi, tmp_path):
    program = mpi.compile(PROGRAMS / "again.c", tmp_path / "again")
    mpi.mpirun(2, [program], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    for rank in range(2):
        first = Profile(tmp_path / f"profiling_data.rank{rank}.h5").check()
        assert first.counts()["MPI_Barrier"] == 1
        assert {"kept", "freed"} <= names_of_communicators(first)[1]
    second = Profile(tmp_path / "profiling_data.h5").check()
    for rank in range(2):
        assert second.counts(rank) == {"MPI_Barrier": 3, "MPI_Comm_split": 1, "MPI_Comm_free": 2,
                                       "MPI_Comm_set_name": 1, "MPI_Finalize": 1}
    used, described = names_of_communicators(second)
    assert used == {"kept", "MPI_COMM_WORLD", "later"}
    assert described == used | {"MPI_COMM_SELF"}  # what was freed before is not in it
    with h5py.File(second.path) as file:
        assert set(file["rank_region_index/tags"].asstr()[()]) == {'["mpi"]'}


def test_calls_after_a_jump_out_of_a_call_are_recorded(mpi, tmp_path):
    program = mpi.compile(PROGRAMS / "jump.c", tmp_path / "jump")
    result = mpi.mpirun(1, [program], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert result.stdout == "jumps 3\n"
    profile = Profile(tmp_path / "profiling_data.h5").check()
    assert profile.counts() == {"MPI_Init": 1, "MPI_Send": 3, "MPI_Barrier": 3, "MPI_Finalize": 1}
    sends, barriers = profile.select("MPI_Send", 0), profile.select("MPI_Barrier", 0)
    for send, barrier in zip(sends, barriers):  # closed where the next call begins
        assert profile.end[send] <= profile.start[barrier]
    assert not profile.flags.any()


def names_parent(install, work, parents, children):
    """The rank of `parents` that the file `children` says it was started by."""
    with h5py.File(work / parents) as file:
        run_id, hosts = file["metadata"].attrs["run_id"], file["scope/clock/hosts"].asstr()[()]
    said = json.loads(run([install.scope, "inspect", "--json", children], cwd=work).stdout)["metadata"]
    rank = int(said["spawned_by_rank"])
    assert said["spawned_by_run"] == run_id and said["spawned_by_host"] == hosts[rank]
    pid, host = said["spawned_by_pid"], said["spawned_by_host"]
    line = f"spawned by rank {rank} of run {run_id} (process {pid} on {host})"
    assert line in run([install.scope, "inspect", children], cwd=work).stdout
    assert "spawned by" not in run([install.scope, "inspect", parents], cwd=work).stdout
    assert "children of MPI_Comm_spawn" in names_of_communicators(Profile(work / parents))[1]
    return rank


@pytest.mark.parametrize("how", ["disconnect", "connected"])
def test_spawned_processes_have_a_file_of_their_own(mpi, install, tmp_path, how):
    program = mpi.compile(PROGRAMS / "spawn.c", tmp_path / "spawn")
    work = tmp_path / "work"
    work.mkdir()
    bare = mpi.compile(PROGRAMS / "spawn.c", tmp_path / "bare", (), ())
    if mpi.mpirun(2, [bare, how], cwd=work, check=False).returncode:
        pytest.skip("this MPI cannot spawn here")
    result = mpi.mpirun(2, [program, how], cwd=work, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    said = sorted(line for line in result.stdout.splitlines() if line[:5] in ("child", "paren"))
    assert said == ["child 0: 2", "child 1: 2", "parent 0: 2", "parent 1: 2"]
    children, parents = sorted(path.name for path in work.iterdir())
    if len(parents) > len(children):
        children, parents = parents, children
    assert parents == "profiling_data.h5"
    assert re.fullmatch(r"profiling_data\.spawn-\d+\.h5", children)
    assert names_parent(install, work, parents, children) == 0
    for name, barriers in ((parents, 0), (children, 1)):
        profile = Profile(work / name).check()
        assert profile.ranks() == [0, 1]
        for rank in range(2):
            counts = profile.counts(rank)
            assert counts["MPI_Allreduce"] == counts["MPI_Finalize"] == 1
            assert counts.get("MPI_Barrier", 0) == barriers


def test_connections_over_a_port_are_recorded(mpi, tmp_path):
    bare = mpi.compile(PROGRAMS / "connect.c", tmp_path / "bare", (), ())
    if mpi.mpirun(2, [bare], cwd=tmp_path, check=False).returncode:
        pytest.skip("this MPI has no ports here")
    program = mpi.compile(PROGRAMS / "connect.c", tmp_path / "connect")
    result = mpi.mpirun(2, [program], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert result.stdout == "received 7\n"
    profile = Profile(tmp_path / "profiling_data.h5").check()
    frame = {"MPI_Init": 1, "MPI_Comm_disconnect": 1, "MPI_Finalize": 1}
    assert profile.counts(0) == frame | {"MPI_Open_port": 1, "MPI_Send": 2, "MPI_Comm_accept": 1,
                                         "MPI_Close_port": 1}
    assert profile.counts(1) == frame | {"MPI_Recv": 2, "MPI_Comm_connect": 1}


@pytest.mark.parametrize("binding", ["mpi", "mpi_f08"])
def test_spawns_of_fortran_keep_what_the_program_tells_its_children(mpi, install, tmp_path, binding):
    """Rank 1 starts two kinds of children, one with an environment of its own."""
    source = PROGRAMS / "spawn.F90"
    flags = (f"-DBINDING={binding}",) + (("-DF08",) if binding == "mpi_f08" else ())
    bare = mpi.compile(source, tmp_path / "bare", flags, ())
    program = mpi.compile(source, tmp_path / "spawn", flags)
    work = tmp_path / "work"
    work.mkdir()
    plain = mpi.mpirun(2, [bare], cwd=work, check=False)
    if plain.returncode:
        pytest.skip("this MPI cannot spawn here")
    result = mpi.mpirun(2, [program], cwd=work, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert sorted(result.stdout.split()) == sorted(plain.stdout.split())
    children, parents = sorted((path.name for path in work.iterdir()), key=len, reverse=True)
    assert names_parent(install, work, parents, children) == 1


@pytest.mark.parametrize("how", ["failed", "unseen"])
def test_handles_of_receives_come_back_with_sends(mpi, tmp_path, how):
    """A receive that failed, or completed unrecorded, lends its place to nobody."""
    program = mpi.compile(PROGRAMS / "reused_request.c", tmp_path / "program")
    mpi.mpirun(2, [program, how], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    profile = Profile(tmp_path / "profiling_data.h5").check()
    for rank in range(2):
        waits = profile.select("MPI_Wait", rank)
        assert len(waits) == 8 and not profile.columns["mpi_bytes"][waits].any()
        assert set(profile.columns["mpi_peers"][waits]) == {-1}
