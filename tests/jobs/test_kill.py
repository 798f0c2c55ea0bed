"""Every way to die that takes a rank of an MPI job, or all of it, and kills at the rename of the output.

Kills at any moment: test_crash.py; processes without MPI: test_spool.py.

SPDX-License-Identifier: MIT
"""
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from support.jobs import run
from support.profile import OPEN, Profile

EXIT_FAST, MPI_ABORT, KILLED = 2, 4, 6  # scope_end_kind of files
RANKS = 3
DEATHS = [("kill", KILLED, 0), ("segv", KILLED, 0), ("abort", KILLED, 0), ("_exit", EXIT_FAST, 3),
          ("quick_exit", EXIT_FAST, 3), ("mpi_abort", MPI_ABORT, 3), ("address space", KILLED, 0), ("data", KILLED, 0)]


def ends(profile):
    """{rank: (end kind, end value)}."""
    columns = (profile.scope[f"ranks/{name}"].tolist() for name in ("ranks", "end_kinds", "end_values"))
    return {rank: end for rank, *end in zip(*columns)}


def check_all_ranks(profile, after=0):
    """All that deaths.c recorded, on every rank, and what it had open."""
    assert profile.ranks() == list(range(RANKS)) and profile.mpi_size == RANKS
    for rank in range(RANKS):
        counts = profile.all_counts(rank)
        assert counts["work"] == 1000 and counts["main loop"] == 1 and counts["MPI_Barrier"] == 1
        assert counts["after"] == (after if rank == 1 else 0)
        row, = profile.select("main loop", rank)
        assert profile.flags[row] & OPEN
        last = profile.scope["ranks/last_event_ns"][profile.scope["ranks/ranks"].tolist().index(rank)]
        assert last > 0
    assert {*zip(profile.scope["open_calls/ranks"].tolist(), profile.scope["open_calls/region_ids"].tolist())} >= \
        {(rank, profile.names.index("main loop")) for rank in range(RANKS)}


def recover_when_all_are_dead(place):
    """Some launchers end before the last of their ranks."""
    until = time.monotonic() + 300
    while "running" in run([place.install.scope, "recover", "--list", place.spool]).stdout:
        assert time.monotonic() < until, "a rank is not killed"
        time.sleep(0.05)
    return place.recover()


@pytest.mark.mpi
@pytest.mark.parametrize("how, kind, value", DEATHS, ids=[how for how, *_ in DEATHS])
def test_one_rank_dies_and_all_are_recovered(mpi, build, place, how, kind, value):
    result = place.mpirun(mpi, RANKS, [build("deaths.c", mpi=mpi), how, place.folder], check=False)
    assert result.returncode != 0 and not place.output.exists()
    profile = recover_when_all_are_dead(place)
    check_all_ranks(profile, after=500 if how in ("address space", "data") else 0)
    assert ends(profile)[1] == [kind, value]
    assert {kind for kind, _ in ends(profile).values()} <= {kind, KILLED}


def wait_until_all_wait(place):
    until = time.monotonic() + 300
    while len(list(place.folder.glob("ready.*"))) < RANKS:
        assert time.monotonic() < until, "the job did not start"
        time.sleep(0.01)


@pytest.mark.mpi
def test_a_rank_hangs_and_the_launcher_is_told_to_end(mpi, build, place):
    with subprocess.Popen([f"mpirun.{mpi.suffix}", "-n", str(RANKS), build("deaths.c", mpi=mpi), "hang", place.folder],
                          env=place.environment(), cwd=place.folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as launcher:
        try:
            wait_until_all_wait(place)
            launcher.send_signal(signal.SIGTERM)
            launcher.wait(300) # MPICH's then says 0
        finally:
            if launcher.poll() is None:
                os.killpg(launcher.pid, signal.SIGKILL)
    profile = recover_when_all_are_dead(place)
    check_all_ranks(profile)
    assert {kind for kind, _ in ends(profile).values()} == {KILLED}


@pytest.mark.mpi
def test_a_rank_hangs_until_the_launchers_time_is_over(mpi, build, place):
    """A limit that is too short for this machine to start three ranks in is made longer."""
    program = build("deaths.c", mpi=mpi)
    for seconds in (4, 16, 64):
        limit = ["--timeout", seconds] if mpi.family == "ompi" else []
        result = place.run([f"mpirun.{mpi.suffix}", *limit, "-n", RANKS, program, "hang", place.folder],
                           check=False, timeout=300, MPIEXEC_TIMEOUT=seconds)
        assert result.returncode != 0
        if len(list(place.folder.glob("ready.*"))) == RANKS:
            break
        for left in [*place.folder.glob("ready.*"), *place.spools()]:
            left.unlink()
    check_all_ranks(place.recover())


@pytest.fixture
def memory_group():
    """The folder of a control group that may use 256 MiB; removed after the test."""
    for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        folder = Path(root) / f"scope-test-{os.getpid()}"
        try:
            folder.mkdir()
            (folder / limit).write_text(str(256 << 20))
        except OSError:
            if folder.exists():
                folder.rmdir()
            continue
        for swap, value in (("memory.swappiness", "0"), ("memory.swap.max", "0")):
            if (folder / swap).exists():
                (folder / swap).write_text(value)
        yield folder
        for _ in range(100): # processes that were killed are a moment on their way out
            try:
                folder.rmdir()
                break
            except OSError:
                time.sleep(0.05)
        return
    pytest.skip("no memory control group can be made here")


@pytest.mark.mpi
def test_the_kernel_kills_a_rank_for_its_memory(mpi, build, place, memory_group):
    """The group of a batch system's job: its limit kills the rank that takes too much."""
    script = place.folder / "rank.sh"
    script.write_text('#!/bin/sh\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ] && '
                      f'echo $$ > {memory_group}/cgroup.procs\nexec "$@"\n')
    script.chmod(0o755)
    result = place.mpirun(mpi, RANKS, [script, build("deaths.c", mpi=mpi), "memory", place.folder], check=False)
    assert result.returncode != 0
    profile = place.recover()
    check_all_ranks(profile)
    assert ends(profile)[1] == [KILLED, 0]


@pytest.mark.mpi
def test_copies_that_mpi_abort_made_are_no_ranks_of_their_own(mpi, build, place, install):
    """The spool, the copy beside the output and a collected one are one recording."""
    place.mpirun(mpi, RANKS, [build("deaths.c", mpi=mpi), "mpi_abort", place.folder], check=False)
    copy, = place.folder.glob("*.spool")
    original, = place.spool.rglob(copy.name)
    assert copy.stat().st_mode & 0o777 == 0o600
    meeting = place.folder / "meeting"
    meeting.mkdir()
    run([install.scope, "recover", "--collect", meeting, place.spool], env=place.environment())
    said = run([install.scope, "recover", place.folder, place.spool, meeting, "-o", "all.h5"], cwd=place.folder,
               env=place.environment()).stdout
    assert f"{RANKS} of {RANKS} ranks" in said and said.count("rank 1: MPI_Abort(3)") == 1
    check_all_ranks(place.profile("all.h5"))
    listed = run([install.scope, "recover", "--list", place.folder, place.spool, meeting]).stdout
    assert f"{RANKS} of {RANKS} ranks" in listed and listed.count("MPI_Abort(3)") == 1
    assert str(original) in listed or str(meeting / copy.name) in listed, "not the copy, which may have less"
    shutil.rmtree(place.spool)
    shutil.rmtree(meeting)
    alone = place.recover(place.folder, output="alone.h5") # of a node that is gone
    assert alone.all_counts(1)["work"] == 1000 and ends(alone) == {1: [MPI_ABORT, 3]}
    run([install.scope, "recover", "--remove", copy, "-o", "again.h5"], cwd=place.folder)
    assert not copy.exists()


def test_remove_takes_copies_too(build, place, install):
    place.run([build("exits.c"), "kill"], check=False)
    meeting = place.folder / "meeting"
    meeting.mkdir()
    run([install.scope, "recover", "--collect", meeting, place.spool])
    run([install.scope, "recover", "--remove", place.spool, meeting, "-o", place.folder / "x.h5"])
    assert place.spools() == [] and list(meeting.iterdir()) == []


def test_collect_makes_its_folder_and_takes_the_run_asked_for(build, place):
    """As the last line of a batch script: nobody has made the folder, and other runs left spools."""
    for output in ("a.h5", "b.h5"):
        place.run([build("exits.c"), "kill"], check=False, SCOPE_OUTPUT=place.folder / output)
    one, other = sorted(place.spools())
    digits, = re.findall("run ([0-9a-f]{8})", run([place.install.scope, "recover", "--list", one]).stdout)
    meeting = place.folder / "meeting"
    said = run([place.install.scope, "recover", "--collect", meeting, "--run", digits, place.spool]).stdout
    assert "1 recording copied" in said and [path.name for path in meeting.iterdir()] == [one.name]
    said = run([place.install.scope, "recover", "--collect", meeting, place.spool]).stdout
    assert "1 recording copied" in said and len(list(meeting.iterdir())) == 2
    none = run([place.install.scope, "recover", "--collect", place.folder / "no" / "folder", place.spool], check=False)
    assert none.returncode == 1 and none.stderr.count("\n") == 1 and "no/folder: cannot be made" in none.stderr


@pytest.fixture(scope="session")
def no_rename(tmp_path_factory):
    """A launcher whose program the kernel kills at its first rename."""
    program = tmp_path_factory.mktemp("no_rename") / "no_rename"
    run(["gcc", "-O1", "-Wall", __file__.replace("test_kill.py", "no_rename.c"), "-o", program])
    if run([program, "true"], check=False).returncode == 77:
        pytest.skip("no seccomp filters here")
    return program


def old_file(place, build):
    place.run([build("exits.c"), "return"])
    return place.output.read_bytes()


def test_killed_between_fsync_and_rename_leaves_the_old_file(build, place, no_rename):
    before = old_file(place, build)
    result = place.run([no_rename, build("many_threads.c"), 10], check=False)
    assert result.returncode == -31, "killed at the rename (SIGSYS)"
    assert place.output.read_bytes() == before
    assert place.recover().counts()["shared"] == 100 * 10 * 11 // 2
    assert place.output.read_bytes() == before
    place.run([build("many_threads.c"), 10])
    assert Profile(place.output).counts()["shared"] == 100 * 10 * 11 // 2, "a later run is not hindered"


@pytest.mark.mpi
def test_rank_0_killed_at_the_rename(mpi, build, place, no_rename):
    """Killed at the moment nothing says the new file is there: every rank's spool stays."""
    before = old_file(place, build)
    program = build("ranks.c", ["-pthread"], mpi=mpi)
    launcher = place.folder / "rank0.sh"
    launcher.write_text(f'#!/bin/sh\nif [ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 0 ]\nthen exec {no_rename} "$@"\n'
                        'else exec "$@"\nfi\n')
    launcher.chmod(0o755)
    result = place.mpirun(mpi, 2, [launcher, program], check=False)
    if result.returncode == 0:
        pytest.fail("no rename in rank 0")
    assert place.output.read_bytes() == before
    profile = place.recover()
    assert profile.own_counts(0)["common"] == 10
    assert profile.mpi_counts(1)["MPI_Init_thread"] == 1
    assert place.output.read_bytes() == before


def test_killed_again_and_again_with_one_spool_folder(build, place):
    """Old spools of other runs in the folder neither hurt nor mix with a new one."""
    for i in range(5):
        place.run([build("exits.c"), "kill"], check=False)
    assert len(place.spools()) == 5
    place.run([build("many_threads.c"), 3])
    assert place.profile().counts()["shared"] == 600
    assert len(place.spools()) == 5, "a good run removes its own spool only"
