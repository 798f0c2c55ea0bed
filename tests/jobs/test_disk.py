"""Full disks, size limits, missing directories: the program never notices, nothing is lost silently.

SPDX-License-Identifier: MIT
"""
import shlex
from collections import Counter

import pytest

from support.profile import Profile, ours

CALLS = 20000
EVERYTHING = Counter({"work": CALLS, "inner": CALLS, "main loop": 1})


def fill(folder, leave=0):
    """Use up a small disk but for `leave` bytes."""
    with open(folder / "filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
        if leave:
            file.truncate(max(0, file.tell() - leave))


def test_full_disk_for_the_output(build, place, small_disk):
    disk = small_disk("256k")
    fill(disk)
    result = place.run([build("exits.c"), "return"], SCOPE_OUTPUT=disk / "run.h5")
    assert result.returncode == 0 and result.stdout == ""
    assert len(ours(result.stderr)) == len(result.stderr.splitlines()) == 1
    assert "recover" in result.stderr, "the line says how to get the file after all"
    assert [p.name for p in disk.iterdir()] == ["filler"], "no half file, no temporary one"
    assert place.recover().counts() == EVERYTHING


def test_the_recover_command_of_the_line_works(build, place, small_disk, install):
    disk = small_disk("256k")
    fill(disk)
    result = place.run([build("exits.c"), "return"], SCOPE_OUTPUT=disk / "run.h5")
    line = ours(result.stderr)[0]
    words = shlex.split(line[line.index("scope recover"):].strip("`'\" .)"))
    (disk / "filler").unlink()
    disk.joinpath("x").write_bytes(b"")
    command = [install.scope, *words[1:]]
    if "-o" not in words:
        command += ["-o", place.folder / "got.h5"]
    elif words[words.index("-o") + 1].endswith("FILE"):
        command[command.index("-o") + 1] = place.folder / "got.h5"
    output = command[command.index("-o") + 1]
    if str(output).startswith(str(disk)):
        command[command.index("-o") + 1] = output = place.folder / "got.h5"
    place.run([str(w) for w in command])
    assert Profile(place.folder / output).counts() == EVERYTHING


def test_an_old_file_survives_a_full_disk(build, place, small_disk):
    disk = small_disk("1m")
    old = disk / "run.h5"
    old.write_bytes(b"precious" * 100)
    fill(disk)
    result = place.run([build("exits.c"), "return"], SCOPE_OUTPUT=old)
    assert result.returncode == 0
    assert old.read_bytes() == b"precious" * 100
    assert sorted(p.name for p in disk.iterdir()) == ["filler", "run.h5"]
    assert place.recover().counts() == EVERYTHING


@pytest.mark.parametrize("size", ["64k", "2m", "8m"])
def test_full_disk_for_the_spool(build, place, small_disk, size):
    """What does not fit is counted, or memory takes it; one line at most either way."""
    disk = small_disk(size)
    result = place.run([build("many_threads.c"), 40], SCOPE_SPOOL_DIR=disk)
    assert result.returncode == 0 and len(result.stderr.splitlines()) <= 1
    profile = place.profile()
    made = 100 * 40 * 41
    kept = sum(profile.all_counts().values())
    assert kept <= made
    assert 2 * (made - kept) <= profile.lost() or kept == made, f"kept {kept} of {made}, lost {profile.lost()}"
    if profile.lost():
        assert len(ours(result.stderr)) == 1
    assert not list(disk.rglob("*.spool"))


def test_full_disk_for_the_spool_from_the_start(build, place, small_disk):
    disk = small_disk("64k")
    fill(disk)
    result = place.run([build("exits.c"), "return"], SCOPE_SPOOL_DIR=disk)
    assert result.returncode == 0 and len(result.stderr.splitlines()) <= 1
    counts = place.profile().all_counts()
    assert counts == EVERYTHING or place.profile().lost() > 0


@pytest.mark.parametrize("blocks", [8, 200, 1000, 5000])
def test_file_size_limit(build, place, blocks):
    """ulimit -f in KiB: neither SIGXFSZ nor a wrong exit code; the spool is usable.

    Where not even a spool of 128 KiB may be made all is lost, and that is said."""
    program = build("many_threads.c")
    result = place.run(["bash", "-c", f"ulimit -f {blocks}; exec {shlex.quote(str(program))} 40"])
    assert result.returncode == 0 and result.stdout == ""
    assert len(ours(result.stderr)) == len(result.stderr.splitlines()) <= (2 if blocks < 132 else 1)
    made = 100 * 40 * 41
    if place.output.exists():
        profile = place.profile()
    elif blocks < 132:
        assert "lost" in result.stderr and place.spools() == [] and place.files() == []
        return
    else:
        assert "scope recover" in result.stderr
        profile = place.recover()
    kept = sum(profile.all_counts().values())
    assert kept > 0 and (kept == made or profile.lost() >= 2 * (made - kept) - 80)


def test_a_line_of_ours_meets_the_limit_of_stderr(build, place):
    said = place.folder / "said.txt"
    result = place.run(["sh", "-c", f"ulimit -f 0; exec {build('times.c')} 2> {said}"], check=False)
    assert result.returncode in (0, 1), "the program may fail to print, and no signal ends it"


def test_file_size_limit_for_the_output_alone(build, place):
    """The spool is written before the limit is set; only the output meets it."""
    program = build("exits.c")
    result = place.run(["bash", "-c", f"ulimit -f 100; exec {shlex.quote(str(program))} return"], SCOPE_SPOOL=0)
    assert result.returncode == 0
    assert len(ours(result.stderr)) == len(result.stderr.splitlines()) == 1
    assert place.files() == [], "no half file"


def test_missing_directory_of_the_output(build, place, install):
    target = place.folder / "not" / "there" / "run.h5"
    result = place.run([build("exits.c"), "return"], SCOPE_OUTPUT=target)
    assert result.returncode == 0
    assert 1 <= len(ours(result.stderr)) == len(result.stderr.splitlines()) <= 2
    assert str(target.parent) in result.stderr
    assert place.recover().counts() == EVERYTHING
    refused = place.run([install.scope, "run", "-o", target, "true"], check=False)
    assert refused.returncode not in (0, 1) and str(target.parent) in refused.stderr


def test_directory_that_appears_before_the_end(build, place, tmp_path):
    source = tmp_path / "late.c"
    source.write_text('#include <scope/scope.h>\n#include <sys/stat.h>\nint main(void) { scope_init(NULL);'
                      ' scope_region_begin_name("r"); scope_region_end_name("r"); mkdir("late", 0777);'
                      ' return scope_finalize(); }')
    place.run([place.install.compile(source, tmp_path / "late-program")], SCOPE_OUTPUT="late/run.h5")
    assert Profile(place.folder / "late" / "run.h5").counts() == Counter(r=1)


def test_relative_output_and_a_program_that_changes_directory(place, tmp_path):
    source = tmp_path / "moves.c"
    source.write_text('#include <scope/scope.h>\n#include <unistd.h>\nint main(void) { scope_init(NULL);'
                      ' scope_region_begin_name("r"); scope_region_end_name("r");'
                      ' return chdir("/") || scope_finalize(); }')
    place.run([place.install.compile(source, tmp_path / "moves")], SCOPE_OUTPUT="here.h5")
    assert Profile(place.folder / "here.h5").counts() == Counter(r=1)


def test_no_spool_wanted(build, place):
    result = place.run([build("exits.c"), "return"], SCOPE_SPOOL=0)
    assert place.profile().counts() == EVERYTHING and place.spools() == []
    assert len(result.stderr.splitlines()) <= 1


def test_spool_folder_that_does_not_exist(build, place):
    result = place.run([build("exits.c"), "return"], SCOPE_SPOOL_DIR=place.folder / "no" / "where")
    assert result.returncode == 0 and len(result.stderr.splitlines()) <= 1
    assert place.profile().counts() == EVERYTHING


@pytest.mark.parametrize("policy", ["fold", "stop", "ring"])
def test_budget_policies_keep_the_count(build, place, policy):
    """4 MiB for 16.4 MB of events: folded, stopped or dropped, and every call accounted for."""
    result = place.run([build("many_threads.c"), 50], SCOPE_MAX_BYTES="4M", SCOPE_POLICY=policy)
    profile = place.profile()
    made = 2 * 100 * 50 * 51 // 2
    kept, folded = sum(profile.counts().values()), sum(profile.folded().values())
    assert kept > 0 and len(ours(result.stderr)) == 1
    if policy != "fold":
        assert folded == 0
    missing = 2 * (made - kept - folded)
    assert 0 <= missing <= profile.lost() + 4, f"kept {kept} folded {folded} of {made}, lost {profile.lost()}"


def test_folding_is_exact_on_one_thread(place, tmp_path):
    """A budget far too small and one thread: counts are exact, sums fit."""
    source = tmp_path / "sums.c"
    source.write_text(r'''
#include <scope/scope.h>
int main(void)
{
    scope_region a, b;
    scope_init(NULL);
    scope_region_register("a", &a), scope_region_register("b", &b);
    scope_region_begin_name("around");
    for (int i = 0; i < 1000000; i++) {
        scope_region_begin(a), scope_region_begin(b);
        scope_region_end(b), scope_region_end(a);
    }
    scope_region_end_name("around");
    return scope_finalize();
}
''')
    result = place.run([place.install.compile(source, tmp_path / "sums")], SCOPE_MAX_BYTES="4M")
    profile = place.profile()
    assert profile.lost() == 0
    assert profile.all_counts() == Counter(a=1_000_000, b=1_000_000, around=1)
    assert sum(profile.folded().values()) > 0 and len(ours(result.stderr)) == 1
    around = profile.select("around")[0]
    names = [profile.names[i] for i in profile.scope["folded/region_ids"]]
    totals = dict(zip(names, profile.scope["folded/totals_ns"].tolist()))
    exclusive = dict(zip(names, profile.scope["folded/exclusives_ns"].tolist()))
    assert 0 < totals["b"] <= totals["a"] <= profile.duration[around]
    assert abs(exclusive["a"] - (totals["a"] - totals["b"])) <= 0.01 * totals["a"]
