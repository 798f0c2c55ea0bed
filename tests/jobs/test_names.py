"""Region names of every kind, and very many of them.

SPDX-License-Identifier: MIT
"""
import json
import pstats
import struct
from collections import Counter

import numpy as np
import pytest

from support.jobs import PYTHON, read_075, run
from support.profile import Profile, ours


def test_any_name_survives(build, place):
    result = place.run([build("names.c")])
    wanted = Counter({bytes.fromhex(line.split()[0]): int(line.split()[1])
                      for line in result.stdout.splitlines()})
    assert result.stderr == ""
    profile = place.profile()
    counts = Counter()
    for pair, region in enumerate(profile.index["region_ids"].tolist()):
        counts[profile.exact_names[region]] += int(profile.index["event_counts"][pair])
    assert counts == wanted
    assert len(set(profile.names)) == len(wanted), "each name in the table is told from the others"
    for name, exact in zip(profile.names, profile.exact_names):
        name.encode("utf-8")
        try:
            if b"\0" not in exact:
                assert name in (exact.decode("utf-8"), exact.decode("utf-8") + " (2)")
        except UnicodeDecodeError:
            assert "\\x" in name


def test_any_name_is_read_by_0_7_5(build, place):
    place.run([build("names.c")])
    result = read_075("import scope_profiler as s, sys\n"
                      f"r = s.read_h5({str(place.output)!r})\n"
                      "print(sum(len(v) and 1 for v in r.summary()))")
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    assert int(result.stdout.split()[-1]) == len(Profile(place.output).names)


def test_names_in_the_tool(build, place, install):
    place.run([build("names.c")])
    for options in ([], ["--json"], ["--csv"], ["--lanes"]):
        result = place.run([install.scope, "inspect", *options, place.output])
        assert "plain" in result.stdout or "--lanes" in options


def test_more_regions_than_an_event_word_can_number(build, place):
    count = 2**20 + 5
    result = place.run([build("many_regions.c"), count], timeout=300)
    assert result.stderr == ""
    profile = Profile(place.output)
    assert len(profile.names) == count + 1
    assert profile.index["event_counts"].tolist() == [1] * (count + 1)
    numbers = {int(name.split()[1]) for name in profile.names if name != "outer"}
    assert len(numbers) == count
    outer = profile.select("outer")[0]
    assert (profile.start >= profile.start[outer]).all() and (profile.end <= profile.end[outer]).all()
    parents = profile.columns["parent_ids"]
    assert np.count_nonzero(parents == profile.columns["call_ids"][outer]) == count


def test_names_beyond_the_limit_become_other(build, place):
    result = place.run([build("many_regions.c"), 1000], SCOPE_MAX_NAMES=100)
    profile = place.profile()
    assert len(profile.names) <= 102
    assert sum(profile.counts().values()) == 1001
    assert profile.counts()["(other)"] >= 898
    assert len(ours(result.stderr)) <= 1


def check_many(install, folder, path, count, prefix):
    """Every name once, in the file, in what inspect tells and in every export."""
    profile = Profile(path)
    names = {name for name in profile.names if name.startswith(prefix)}
    assert len(names) == count and set(profile.index["event_counts"].tolist()) == {1}
    shown = run([install.scope, "inspect", path], 120).stdout
    assert f"{len(profile.names) - 40} more regions" in shown and len(shown.splitlines()) < 90
    for format in ("speedscope", "chrome-trace", "json"):
        written = folder / f"many.{format}"
        all_calls = [] if format == "json" else ["--max-calls=0"]
        run([install.scope, "export", format, *all_calls, path, "-o", written], 240)
        document = json.loads(written.read_bytes())
        found = {"speedscope": lambda d: [frame["name"] for frame in d["shared"]["frames"]],
                 "chrome-trace": lambda d: [e["name"] for e in d["traceEvents"] if e["ph"] == "X"],
                 "json": lambda d: [region["name"] for region in d["regions"]]}[format](document)
        assert Counter(found) == Counter(profile.names), format
        written.unlink()
    run([install.scope, "export", "prof", path, "-o", folder / "many.prof"], 240)
    keys = pstats.Stats(str(folder / "many_rank0.prof")).stats
    assert {key[2].split(" > ")[-1] for key in keys} >= names
    lines = run([install.scope, "inspect", "--csv", path], 240).stdout.splitlines()
    assert sum(line.startswith("all,") for line in lines) == len(profile.names)


MANY = pytest.mark.parametrize("count", [50_000, pytest.param(1_000_000, marks=pytest.mark.long)])


@MANY
def test_very_many_names_from_threads(build, place, install, count):
    result = place.run([build("many_names.c"), count, 4], timeout=300)
    assert result.stderr == ""
    assert 0 < int(result.stdout) < 60_000 + count * 3 // 4, "KiB: some hundred bytes a name, with its call"
    check_many(install, place.folder, place.output, count, "region number ")
    assert place.spools() == []


@MANY
def test_0_7_5_reads_very_many_names(build, place, count):
    place.run([build("many_names.c"), count, 4], timeout=300)
    result = read_075("import scope_profiler as s\n"
                      f"r = s.read_h5({str(place.output)!r})\nprint(len(r.region_names))", timeout=1200)
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    assert int(result.stdout) == count


@MANY
def test_very_many_names_in_fortran(place, install, tmp_path, count):
    source = tmp_path / "many.f90"
    source.write_text("""
program many
    use scope
    implicit none
    integer :: i
    character(len=40) :: name
    call scope_init()
    do i = 1, """ + str(count) + """
        write (name, '(a,i0)') 'fortran ', i
        call scope_region_begin(trim(name))
        call scope_region_end(trim(name))
    end do
    call scope_finalize()
end program
""")
    modules = next(install.prefix.rglob("scope.mod"), None)
    if modules is None:
        pytest.skip("no Fortran module in the install")
    program = install.compile(source, tmp_path / "many", [f"-I{modules.parent}"], ["-lscope_fortran", "-lscope"],
                              "gfortran")
    assert place.run([program], timeout=300).stderr == ""
    names = set(Profile(place.output).names)
    assert names == {f"fortran {i}" for i in range(1, count + 1)}


@MANY
def test_very_many_names_in_python(place, count):
    pytest.importorskip("scope_profiler")
    place.run([PYTHON, "-c", f"""
from scope_profiler import ProfileManager as PM
with PM.session(output={str(place.output)!r}, verbose=False):
    for i in range({count}):
        with PM.region(f"python {{i}}"):
            pass
"""], timeout=300)
    names = {name for name in Profile(place.output).names if name.startswith("python ")}
    assert names == {f"python {i}" for i in range(count)}


@pytest.mark.parametrize("count", [15, pytest.param(100, marks=pytest.mark.long)])
def test_names_of_a_megabyte(build, place, install, count):
    """Each names a region, a mark, a counter, a tag and a task."""
    names = [f"{i:03} ".encode() + b"m" * (1 << 20) for i in range(count)]
    (place.folder / "names").write_bytes(b"".join(struct.pack("<I", len(n)) + n for n in names))
    result = place.run([build("any_names.c"), place.folder / "names", "end"], timeout=300)
    profile = Profile(place.output)
    assert [n for n in profile.exact_names if not n.startswith(b"in a ")] == names
    assert len(ours(result.stderr)) <= 1
    assert len(place.run([install.scope, "inspect", place.output]).stdout) < 100_000
