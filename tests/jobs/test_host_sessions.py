"""A language runtime has the process session: it writes, or who started the session does.

SPDX-License-Identifier: MIT
"""
import pytest


def work(profile, rank):
    return profile.own_counts(rank)["work"]


@pytest.mark.parametrize("how", ["adopted", "closed"])
def test_an_adopted_session_is_written_by_its_starter(build, place, how):
    result = place.run([build("host_ends.c"), how, place.folder / "host.h5"])
    assert result.stdout == "adopted\n" and result.stderr == ""
    assert work(place.profile(), 0) == 10
    assert place.files() == ["run.h5"] and place.spools() == []


@pytest.mark.parametrize("how", ["all-wrote", "started"])
def test_what_a_host_wrote_or_started_is_not_written_again(build, place, how):
    result = place.run([build("host_ends.c"), how, place.folder / "host.h5"])
    assert result.stdout == ("started\n" if how == "started" else "adopted\n") and result.stderr == ""
    assert place.files() == [] and place.spools() == []


def test_a_killed_host_leaves_its_spool(build, place):
    result = place.run([build("host_ends.c"), "started-killed", place.folder / "host.h5"], check=False)
    assert result.returncode != 0 and len(place.spools()) == 1
    assert work(place.recover(), 0) == 10


@pytest.mark.mpi
@pytest.mark.parametrize("how", ["adopted", "closed"])
def test_ranks_of_a_host_that_wrote_nothing_are_gathered(mpi, build, place, how):
    program = build("host_ends.c", ["-DWITH_MPI"], mpi=mpi)
    result = place.mpirun(mpi, 3, [program, how, place.folder / "host.h5"])
    assert result.stdout == "adopted\n" and result.stderr == ""
    assert [work(place.profile(), r) for r in range(3)] == [10, 11, 12]
    assert place.files() == ["run.h5"] and place.spools() == []


@pytest.mark.mpi
def test_a_rank_whose_host_wrote_joins_with_nothing(mpi, build, place):
    program = build("host_ends.c", ["-DWITH_MPI"], mpi=mpi)
    result = place.mpirun(mpi, 3, [program, "one-wrote", place.folder / "host.h5"])
    assert result.stdout == "adopted\n" and result.stderr == ""
    assert [work(place.profile(), r) for r in range(3)] == [10, 0, 12]
    assert place.files() == ["run.h5"] and place.spools() == []


@pytest.mark.mpi
@pytest.mark.parametrize("how", ["all-wrote", "started"])
def test_no_rank_with_rows_means_no_file(mpi, build, place, how):
    program = build("host_ends.c", ["-DWITH_MPI"], mpi=mpi)
    result = place.mpirun(mpi, 2, [program, how, place.folder / "host.h5"])
    assert result.stderr == ""
    assert place.files() == [] and place.spools() == []
