"""Ranks that are killed at any moment, and kills between the write and the rename.

SPDX-License-Identifier: MIT
"""
import random
import struct
from collections import Counter

import pytest

from support.jobs import run
from support.profile import OPEN, Profile

KILLED = 6  # scope_end_kind of files
KINDS = {"a": "a", "b": "b", "s": "MPI_Sendrecv"}


def lists(folder, ranks):
    """What each rank itself says had ended: {rank: Counter}."""
    result = {}
    for rank in range(ranks):
        path = folder / f"list.{rank}"
        if not path.exists():
            continue
        with open(path, "rb") as file:
            count = struct.unpack("q", file.read(8))[0]
            kinds = file.read(count).decode()
        result[rank] = Counter(KINDS[k] for k in kinds)
    return result


def kill_one(place, mpi, program, seed, ranks, victim, **extra):
    source = random.Random(seed)
    calls = source.choice([1, source.randrange(2, 2000), source.randrange(2000, 200000), 0, 0])
    microseconds = source.randrange(50, 300000)
    result = place.mpirun(mpi, ranks, [program, victim, calls, microseconds, place.folder], check=False,
                          **extra)
    assert result.returncode != 0
    said = lists(place.folder, ranks)
    assert said[victim].total() > 0 or not calls
    if calls:
        assert said[victim].total() == calls
    profile = place.recover(output=f"recovered-{seed}.h5")
    assert not place.output.exists()
    for rank, wanted in said.items():
        rows = profile.rank == rank
        finished = Counter(profile.names[r] for r in profile.region[rows & ((profile.flags & OPEN) == 0)])
        finished += profile.folded(rank)
        for name, count in wanted.items():
            assert count <= finished[name] <= count + 1, \
                f"seed {seed} rank {rank} {name}: {finished[name]} recovered, {count} had ended"
    assert profile.mpi_size == ranks, "the file knows how many ranks there were"
    kinds = dict(zip(profile.scope["ranks/ranks"].tolist(), profile.scope["ranks/end_kinds"].tolist()))
    assert kinds.get(victim) == KILLED
    return said


@pytest.mark.mpi
@pytest.mark.parametrize("seed", [*range(1, 4), *(pytest.param(s, marks=pytest.mark.long) for s in range(4, 101))])
def test_kill_9_of_rank_2_of_4(openmpi, build, place, seed):
    kill_one(place, openmpi, build("kill.c", mpi=openmpi), seed, 4, 2)


@pytest.mark.mpi
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(s, marks=pytest.mark.long) for s in range(3, 31))])
def test_kill_9_of_rank_1_of_2(mpi, build, place, seed):
    if mpi.family != "mpich":
        pytest.skip("Open MPI: with 4 ranks")
    kill_one(place, mpi, build("kill.c", mpi=mpi), 1000 + seed, 2, 1)


@pytest.mark.mpi
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(s, marks=pytest.mark.long) for s in range(3, 41))])
def test_kill_9_while_calls_are_folded(openmpi, build, place, seed):
    """A budget of 2 MiB: the sums in the spool are exact at every moment."""
    said = kill_one(place, openmpi, build("kill.c", mpi=openmpi), 2000 + seed, 3, 1, SCOPE_MAX_BYTES="2M")
    assert said


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
