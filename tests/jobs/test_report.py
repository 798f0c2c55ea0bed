"""What the profiler says: nothing, or one line from one rank, and all of it is in the file.

The texts are compared whole, with docs/messages.md as their list.

SPDX-License-Identifier: MIT
"""
from pathlib import Path

import pytest

MESSAGES = (Path(__file__).resolve().parents[2] / "docs/messages.md").read_text()
SMALL = {"SCOPE_MAX_BYTES": "1M"}

# situation: (argument, options, the counts that its line tells, in order)
SITUATIONS = {
    "nothing": ("clean", {}, []),
    "many calls, enough room": ("many", {}, []),
    "no spool wanted": ("clean", {"SCOPE_SPOOL": 0}, []),
    "no file wanted": ("all", {"SCOPE_OUTPUT": ""}, []),
    "switched off": ("all", {"SCOPE_ENABLE": 0}, []),
    "folded": ("many", SMALL, ["folded"]),
    "stopped": ("many", {**SMALL, "SCOPE_POLICY": "stop"}, ["dropped"]),
    "ring": ("many", {**SMALL, "SCOPE_POLICY": "ring"}, ["dropped"]),
    "orphans": ("orphan", {}, ["orphans"]),
    "implied": ("implied", {}, ["implied"]),
    "crossed": ("crossed", {}, ["crossed"]),
    "everything": ("all", SMALL, ["folded", "orphans", "implied", "crossed"]),
}
TEXTS = {
    "dropped": "{} events dropped",
    "folded": "{} calls folded into sums",
    "orphans": "{} ends without a begin",
    "implied": "{} calls closed by the end of another",
    "crossed": "{} calls that cross another",
}
MISUSE = {"orphans": 3, "implied": 4, "crossed": 5}


def counted(profile, kind):
    """What the file says of it, over all ranks."""
    if kind == "folded":
        return sum(profile.folded().values())
    return profile.lost() if kind == "dropped" else sum(profile.misuse(kind).values())


def expected(place, kinds, actors=1):
    """The one line, made of what the file holds."""
    profile = place.profile()
    found = {kind: counted(profile, kind) for kind in TEXTS}
    assert {kind for kind, count in found.items() if count} == set(kinds)
    for kind in set(kinds) & set(MISUSE):
        assert found[kind] == MISUSE[kind] * actors
    said = ", ".join(TEXTS[kind].format(found[kind]) for kind in kinds)
    return f"scope: {place.output}: {said}\n" if said else ""


@pytest.mark.parametrize("situation", SITUATIONS)
def test_one_process(build, place, situation):
    argument, options, kinds = SITUATIONS[situation]
    result = place.run([build("report.c"), argument], SCOPE_THROTTLE=0, **options)
    assert result.stdout == ""
    if options.get("SCOPE_OUTPUT") == "" or options.get("SCOPE_ENABLE") == 0:
        assert result.stderr == "" and place.files() == []
    else:
        assert result.stderr == expected(place, kinds)
    assert place.spools() == []


@pytest.mark.mpi
@pytest.mark.parametrize("situation", ["nothing", "folded", "stopped", "everything"])
def test_two_ranks(mpi, build, place, situation):
    """Both ranks do it: one line with the sum."""
    argument, options, kinds = SITUATIONS[situation]
    result = place.mpirun(mpi, 2, [build("report.c", ["-DUSE_MPI"], mpi=mpi), argument], SCOPE_THROTTLE=0, **options)
    assert (result.stdout, result.stderr) == ("", expected(place, kinds, actors=2))


@pytest.mark.mpi
@pytest.mark.parametrize("situation", ["folded", "crossed"])
def test_rank_0_speaks_for_another(mpi, build, place, situation):
    argument, options, kinds = SITUATIONS[situation]
    result = place.mpirun(mpi, 2, [build("report.c", ["-DUSE_MPI"], mpi=mpi), argument, 1], SCOPE_THROTTLE=0, **options)
    assert (result.stdout, result.stderr) == ("", expected(place, kinds))


@pytest.mark.mpi
def test_verbose_adds_where_it_records_and_what_it_wrote(mpi, build, place):
    result = place.mpirun(mpi, 2, [build("report.c", ["-DUSE_MPI"], mpi=mpi), "clean"], SCOPE_VERBOSE=1)
    lines = result.stderr.splitlines()
    assert result.stdout == "" and len(lines) == 2
    assert lines[0].startswith(f"scope: recording into {place.spool}/") and lines[0].endswith(".spool")
    assert lines[1] == f"scope: wrote {place.output}"


def test_a_recording_in_memory_is_said_once(build, place):
    missing = place.folder / "no" / "where"
    result = place.run([build("report.c"), "clean"], SCOPE_SPOOL_DIR=missing)
    assert result.stdout == ""
    assert result.stderr == (f"scope: recording in memory: there is no folder {str(missing)[:100]}: make it, or set "
                             "SCOPE_SPOOL_DIR; a kill would lose it\n")
    assert place.profile().metadata["scope_spool"] == "memory"


@pytest.mark.mpi
def test_a_recording_in_memory_is_said_by_one_rank(mpi, build, place):
    result = place.mpirun(mpi, 2, [build("report.c", ["-DUSE_MPI"], mpi=mpi), "clean"],
                          SCOPE_SPOOL_DIR=place.folder / "no" / "where")
    assert result.stdout == "" and len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("scope: recording in memory: ")


def test_a_file_that_cannot_be_written_is_one_line_with_the_way_out(build, place):
    program = build("report.c")
    target = place.folder / f"{program.name[:15]}.h5"
    target.mkdir()
    result = place.run([program, "all"], SCOPE_OUTPUT=place.folder / "%x.h5")
    folder = place.spools()[0]
    assert (result.stdout, result.stderr) == ("", (
        f"scope: {target} was not written: not the name of a regular file; the recording is kept: "
        f"scope recover {folder} -o {target}\n"))


def test_a_folder_is_no_name_for_the_file(build, place):
    result = place.run([build("report.c"), "clean"], SCOPE_OUTPUT=".", check=False)
    assert result.stderr == "scope: SCOPE_OUTPUT=. is not usable (expected: a file name); taking profiling_data.h5\n"
    assert place.profile("profiling_data.h5").counts()


FILTERED = "scope: nothing was recorded: the filter {} leaves out all regions and MPI functions that were called ({}){}\n"


@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("ranks", [1, pytest.param(2, marks=pytest.mark.mpi)])
def test_a_filter_that_leaves_nothing_is_said_once(openmpi, build, place, ranks, old):
    """There is no file; one from before is not this run's."""
    if old:
        place.output.write_bytes(b"old")
    if ranks == 1:
        result = place.run([build("filter_serial.c")], SCOPE_FILTER="nosuch")
    else:
        program = build("filter_ranks.c", ["-pthread"], mpi=openmpi)
        result = place.mpirun(openmpi, ranks, [program, "launcher"], SCOPE_FILTER="nosuch")
    tail = f"; {place.output} is of an earlier run" if old else ""
    assert (result.stdout, result.stderr) == ("", FILTERED.format("nosuch", 3 if ranks == 1 else 5, tail))
    assert place.output.exists() == old


@pytest.mark.mpi
def test_a_filter_that_leaves_one_rank_is_silent(mpi, build, place):
    program = build("filter_ranks.c", ["-pthread"], mpi=mpi)
    result = place.mpirun(mpi, 2, [program, "launcher"], SCOPE_FILTER="solve@1,-*")
    assert (result.stdout, result.stderr) == ("", "") and place.profile().own_counts(1) == {"solve": 20}


def test_every_line_is_in_the_list():
    for text in TEXTS.values():
        assert text.replace("{}", "N") in MESSAGES
    for text in ("recording in memory: WHY; a kill would lose it", "recording into SPOOL", "wrote FILE"):
        assert text in MESSAGES
