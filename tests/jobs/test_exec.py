"""Programs that record and start or become others: no file takes the place of another's.

SPDX-License-Identifier: MIT
"""
from collections import Counter

import pytest

from support.jobs import run
from support.profile import Profile

PARENT = Counter(before=3, after=2)


def files(place):
    return {p.name: Profile(p).check().counts() for p in sorted(place.folder.glob("*.h5*"))}


@pytest.mark.parametrize("between", ["", "exec ", "env -u SCOPE_RUN_ID sh -c 'exec "],
                         ids=["shell", "exec", "two shells"])
def test_a_program_that_a_recording_one_starts_has_a_name_of_its_own(build, place, between):
    """Without scope run nothing is handed down: it finds its ancestor's spool."""
    program = build("exec.c")
    result = place.run([program, "run", f"{between}{program} leaf 5{between.count(chr(39)) * chr(39)}"])
    assert result.stderr == "" and place.spools() == []
    found = files(place)
    assert found.pop("run.h5") == PARENT, found
    (name, counts), = found.items()
    assert name.startswith("run.h5.child-") and counts == Counter(leaf=5)


def test_a_program_that_was_given_another_name_keeps_it(build, place):
    program = build("exec.c")
    place.run([program, "run", f"SCOPE_OUTPUT={place.folder}/leaf.h5 {program} leaf 5"])
    assert files(place) == {"run.h5": PARENT, "leaf.h5": Counter(leaf=5)}


def test_after_the_parent_has_written_its_file_the_name_is_free(build, place):
    """Two programs of one script: the second one's file takes the first one's place, as ever."""
    program = build("exec.c")
    place.run(["sh", "-c", f"{program} leaf 3; {program} leaf 5"])
    assert files(place) == {"run.h5": Counter(leaf=5)}


def test_a_dead_ancestors_spool_is_nobodys_rival(build, place):
    place.run([build("exits.c"), "kill"], check=False)
    place.run([build("exec.c"), "leaf", 5])
    assert files(place) == {"run.h5": Counter(leaf=5)} and len(place.spools()) == 1


@pytest.mark.parametrize("by", ["itself", "scope run", "one run id"])
def test_both_images_of_a_process_are_kept(build, place, install, by):
    """exec: one pid, and with scope run one run id. The second one's file is not the first one's."""
    before = [install.scope, "run"] if by == "scope run" else []
    result = place.run([*before, build("exec.c"), "become", 5],
                       SCOPE_RUN_ID="ab" * 16 if by == "one run id" else None)
    spool, = place.spools()
    assert result.stderr == ("scope: this process recorded before it executed this program: "
                             f"scope recover {spool} -o FILE\n")
    assert files(place) == {"run.h5": Counter(leaf=5)}
    refused = run([install.scope, "recover", "--remove", spool], check=False, cwd=place.folder,
                  env=place.environment())
    assert refused.returncode == 1 and "exists already" in refused.stderr and spool.exists()
    assert place.recover(spool).counts() == Counter(first=4)
    assert files(place)["run.h5"] == Counter(leaf=5)


def test_each_image_of_a_process_names_the_spool_of_the_one_before(build, place):
    """Each finds the spools of all before it, in the order of the folder, which is any."""
    result = place.run([build("exec.c"), "chain", 8])
    spools = sorted(place.spools(), key=lambda path: int(path.stem.rsplit("-", 1)[1]))
    assert len(spools) == 9
    assert result.stderr == "".join("scope: this process recorded before it executed this program: "
                                    f"scope recover {spool} -o FILE\n" for spool in spools)
    assert place.recover(spools[-1]).counts() == Counter(first=4) and files(place)["run.h5"] == Counter(leaf=9)


@pytest.mark.parametrize("run_by", ["itself", "scope run"])
def test_a_program_that_becomes_one_that_records_nothing(build, place, install, run_by):
    """The spool has all. Preloaded, the new program says so, and not that nothing was recorded."""
    before = [install.scope, "run"] if run_by == "scope run" else []
    result = place.run([*before, build("exec.c"), "replace", "exec true"])
    spool, = place.spools()
    line = f"scope: this process recorded before it executed this program: scope recover {spool} -o FILE\n"
    assert result.stderr == (line if before else "") and files(place) == {}
    assert place.recover().counts() == Counter(first=4)


def test_a_file_that_the_first_image_wrote_is_not_replaced(build, place):
    result = place.run([build("exec.c"), "finalize", 5])
    assert result.stderr == "" and place.spools() == []
    assert files(place) == {"run.h5": Counter(first=4), "run.2.h5": Counter(leaf=5)}
    place.run([build("exec.c"), "leaf", 6])
    assert files(place)["run.h5"] == Counter(leaf=6), "the next process writes as ever"


def test_none_of_many_files_that_the_first_image_wrote_is_replaced(build, place):
    """Their names together take more than a few pages."""
    folder = place.folder / ("long" * 60)
    folder.mkdir()
    place.run([build("exec.c"), "many", 5], SCOPE_OUTPUT=folder / "run.h5")
    written = {path.name: Profile(path).check().counts() for path in folder.iterdir()}
    assert written.pop("run.42.h5") == Counter(leaf=5)
    assert len(written) == 41 and all(counts == Counter(first=4) for counts in written.values())


@pytest.mark.mpi
def test_ranks_that_record_and_then_become_the_mpi_program(mpi, build, place):
    result = place.mpirun(mpi, 2, [build("exec.c", ["-DWITH_MPI"], mpi=mpi), "rank", 5])
    assert len([line for line in result.stderr.splitlines() if "recorded before it executed" in line]) == 1
    profile = place.profile()
    assert [profile.own_counts(rank) for rank in range(2)] == [Counter(second=5), Counter(second=6)]
    assert len(place.spools()) == 2
    first = place.recover()
    assert [first.own_counts(rank) for rank in range(2)] == [Counter(first=4)] * 2
