"""Full disks, size limits, missing directories: the program never notices, nothing is lost silently.

SPDX-License-Identifier: MIT
"""
import errno
import importlib.util
import os
import shlex
import signal
import sys
from collections import Counter

import pytest

from support.jobs import read_075, run
from support.profile import Profile, ours
from tools.programs import inspect_json

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


# ---- the disk fills, or is limited, while the program runs ----

# Threads that make calls without end until the disk is full, and as many again after it.
FILLS = r"""
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long calls, names;
static void *work(void *number)
{
    char name[64];
    scope_region region;
    snprintf(name, sizeof name, "of %ld", (long)number);
    scope_region_register(name, &region);
    for (long i = 0; i < calls; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
    for (long i = 0; i < names; i++) {
        snprintf(name, sizeof name, "name %ld of %ld, as long as many are", i, (long)number);
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    const long threads = atol(argv[1]);
    pthread_t ids[64];
    calls = atol(argv[2]);
    names = argc > 3 ? atol(argv[3]) : 0;
    scope_init(NULL);
    for (long i = 1; i < threads; i++)
        pthread_create(&ids[i], NULL, work, (void *)i);
    work((void *)0);
    for (long i = 1; i < threads; i++)
        pthread_join(ids[i], NULL);
    return scope_finalize();
}
"""


@pytest.fixture(scope="session")
def fills(install, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fills")
    (folder / "fills.c").write_text(FILLS)
    return install.compile(folder / "fills.c", folder / "fills", ["-pthread"])


def one_line(result, *texts):
    """The program is well, and one line of ours says what became of its calls."""
    assert result.returncode == 0 and result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == len(ours(result.stderr)) == 1, result.stderr
    for text in texts:
        assert text in lines[0]
    return lines[0]


@pytest.mark.parametrize("size, threads", [("2m", 1), ("4m", 1), ("16m", 8), ("16m", 40)])
def test_a_spool_disk_that_fills_up_folds(fills, place, small_disk, size, threads):
    """More is wanted than the disk has, whatever the budget: exact sums take the oldest calls' place."""
    calls = 2_000_000 // threads
    result = place.run([fills, threads, calls], SCOPE_SPOOL_DIR=small_disk(size), SCOPE_MAX_BYTES="1G",
                       SCOPE_THROTTLE=0)
    one_line(result, "calls folded into sums")
    profile = place.profile()
    assert profile.lost() == 0
    assert profile.all_counts() == Counter({f"of {i}": calls for i in range(threads)})
    assert sum(profile.folded().values()) > 0 and sum(profile.counts().values()) > 1000


def test_a_spool_disk_that_another_fills_up_folds(fills, place, small_disk, tmp_path):
    """It is full from one moment to the next, while segments have room left."""
    disk = small_disk("32m")
    (disk / "theirs").write_bytes(b"x" * (27 << 20))
    result = place.run([fills, 4, 500_000], SCOPE_SPOOL_DIR=disk, SCOPE_MAX_BYTES="1G", SCOPE_THROTTLE=0)
    one_line(result, "calls folded into sums")
    profile = place.profile()
    assert profile.lost() == 0 and sum(profile.all_counts().values()) == 2_000_000


def test_names_on_a_full_spool_disk(fills, place, small_disk):
    """Definitions do not fit: their calls are counted as dropped or are (other), the known ones stay exact."""
    result = place.run([fills, 2, 200_000, 50_000], SCOPE_SPOOL_DIR=small_disk("4m"), SCOPE_MAX_BYTES="1G")
    assert result.returncode == 0 and len(result.stderr.splitlines()) == len(ours(result.stderr)) == 1
    profile = Profile(place.output)
    counts = profile.all_counts()
    assert counts["of 0"] == counts["of 1"] == 200_000
    named = sum(counts.values()) - 400_000
    assert named + profile.lost() // 2 >= 100_000 - 2, (named, profile.lost())
    assert named <= 100_000


# On a disk that the main thread has filled: what begins after that has no place in the file.
LATE = r"""
#include <pthread.h>
#include <scope/scope.h>
#include <scope/task.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static void calls(const char *name, long count)
{
    scope_region region;
    scope_region_register(name, &region);
    for (long i = 0; i < count; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
}
static void *names(void *unused)
{
    char name[64];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "one of many names, number %d", i);
        calls(name, 1);
    }
    return unused;
}
static void *few(void *unused)
{
    calls("short", 10);
    return unused;
}
static void *many(void *unused)
{
    char name[32];
    for (int i = 0; i < 50 * 20; i++) {
        snprintf(name, sizeof name, "region %d", i % 50);
        calls(name, 20);
    }
    return unused;
}
static void tasks(void)
{
    for (int i = 0; i < 5000; i++) {
        scope_task task = scope_task_new("task", "code");
        scope_task_resume(task);
        calls("in task", 1);
        scope_task_suspend(task);
        scope_task_done(task);
    }
}
int main(int argc, char **argv)
{
    pthread_t ids[16];
    scope_init(NULL);
    calls("main", atol(argv[1]));
    if (strcmp(argv[2], "names") == 0) {
        pthread_create(&ids[0], NULL, names, NULL);
        pthread_join(ids[0], NULL);
    } else if (strcmp(argv[2], "threads") == 0) {
        for (int i = 0; i < 1000; i++) {
            pthread_create(&ids[0], NULL, few, NULL);
            pthread_join(ids[0], NULL);
        }
    } else if (strcmp(argv[2], "lanes") == 0) {
        for (int i = 0; i < 16; i++)
            pthread_create(&ids[i], NULL, many, NULL);
        for (int i = 0; i < 16; i++)
            pthread_join(ids[i], NULL);
    } else if (strcmp(argv[2], "tasks") == 0) {
        tasks();
    } else if (strcmp(argv[2], "forks") == 0) {
        for (int i = 0; i < 5; i++) {
            const pid_t child = fork();
            if (!child) {
                calls("child", 10);
                exit(0);
            }
            waitpid(child, NULL, 0);
        }
    }
    if (argc > 3)
        raise(SIGKILL);
    return scope_finalize();
}
"""
LATE_CALLS = {"names": 3000, "threads": 10_000, "lanes": 320_000, "tasks": 5000}


@pytest.fixture(scope="session")
def late(install, tmp_path_factory):
    folder = tmp_path_factory.mktemp("late")
    (folder / "late.c").write_text(LATE)
    return install.compile(folder / "late.c", folder / "late", ["-pthread"])


@pytest.mark.parametrize("what", LATE_CALLS)
def test_what_begins_on_a_full_spool_disk(late, place, small_disk, what):
    """Exact at the end of the program: what has no place in the file lies in memory."""
    result = place.run([late, 300_000, what], SCOPE_SPOOL_DIR=small_disk("1100k"), SCOPE_THROTTLE=0)
    one_line(result, "calls folded into sums")
    profile = place.profile()
    counts = profile.all_counts()
    assert profile.lost() == 0 and counts.pop("main") == 300_000
    assert sum(counts.values()) == LATE_CALLS[what]


@pytest.mark.parametrize("what", LATE_CALLS)
def test_a_kill_on_a_full_spool_disk_says_what_is_missing(late, place, small_disk, what):
    """What lay in memory is gone, and counted: never silently."""
    disk = small_disk("1100k")
    result = place.run([late, 300_000, what, "kill"], check=False, SCOPE_SPOOL_DIR=disk, SCOPE_THROTTLE=0)
    assert result.returncode == -signal.SIGKILL
    profile = place.recover(disk)
    kept, made = sum(profile.all_counts().values()), 300_000 + LATE_CALLS[what]
    said = profile.lost() + int(profile.scope["ranks/holes"][0])
    assert kept <= made <= kept + (said + 1) // 2, (kept, said)
    assert profile.all_counts()["main"] == 300_000, "folded in the file"


@pytest.mark.parametrize("leave", [200, 600])
def test_a_nearly_full_spool_disk_has_a_small_spool(late, place, small_disk, leave):
    """Not enough for a usual first segment: a smaller one keeps exact sums under a kill."""
    disk = small_disk("2m")
    (disk / f"scope-{os.geteuid()}").mkdir(mode=0o700)
    fill(disk, leave << 10)
    result = place.run([late, 300_000, "no", "kill"], check=False, SCOPE_SPOOL_DIR=disk, SCOPE_THROTTLE=0)
    assert result.returncode == -signal.SIGKILL and result.stderr == ""
    profile = place.recover(disk)
    assert profile.all_counts() == Counter(main=300_000) and profile.lost() == 0


def test_children_in_memory_say_nothing_each(late, place, small_disk):
    """One line of the first process, however many it forks."""
    disk = small_disk("256k")
    (disk / f"scope-{os.geteuid()}").mkdir(mode=0o700)
    fill(disk)
    result = place.run([late, 100, "forks"], SCOPE_SPOOL_DIR=disk)
    one_line(result, "recording in memory: no space in", "a kill would lose it")
    assert len([name for name in place.files() if name.startswith("run.h5")]) == 6


QUOTA = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/types.h>
/* A user's quota: no more than QUOTA_BYTES of a file. */
int fallocate(int fd, int mode, off_t offset, off_t length)
{
    (void)mode;
    if (offset + length > atol(getenv("QUOTA_BYTES"))) {
        errno = atoi(getenv("QUOTA_ERROR"));
        return -1;
    }
    return posix_fallocate(fd, offset, length);
}
int fallocate64(int fd, int mode, off_t offset, off_t length) { return fallocate(fd, mode, offset, length); }
"""


@pytest.mark.parametrize("error", ["EDQUOT", "ENOSPC", "EOPNOTSUPP", "EIO"])
@pytest.mark.parametrize("quota", [0, 3 << 20])
def test_a_quota_folds_too(fills, place, tmp_path, error, quota):
    (tmp_path / "quota.c").write_text(QUOTA)
    run(["gcc", "-shared", "-fPIC", "-O1", tmp_path / "quota.c", "-o", tmp_path / "quota.so"])
    result = place.run([fills, 2, 500_000], SCOPE_MAX_BYTES="1G", LD_PRELOAD=tmp_path / "quota.so", QUOTA_BYTES=quota,
                       QUOTA_ERROR=getattr(errno, error), SCOPE_THROTTLE=0)
    profile = place.profile()
    assert profile.lost() == 0 and profile.all_counts() == Counter({"of 0": 500_000, "of 1": 500_000})
    if quota:
        one_line(result, "calls folded into sums")
    else:
        why = "reserves no space" if error == "EOPNOTSUPP" else "recording in memory: no space in"
        one_line(result, why, f"(error {getattr(errno, error)}); a kill would lose it")
    assert place.spools() == []


def test_the_spool_folder_is_removed_while_it_runs(place, tmp_path):
    """The file lives on without a name; nothing is said, for nothing is lost."""
    source = tmp_path / "removed.c"
    source.write_text(FILLS.replace("    for (long i = 1; i < threads; i++)\n        pthread_create",
                                    '    work((void *)0);\n'
                                    '    if (system("rm -r $SCOPE_SPOOL_DIR"))\n        return 1;\n'
                                    "    for (long i = 1; i < threads; i++)\n        pthread_create"))
    program = place.install.compile(source, tmp_path / "removed", ["-pthread"])
    result = place.run([program, 2, 200_000], SCOPE_THROTTLE=0)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "") and not place.spool.exists()
    assert place.profile().counts() == Counter({"of 0": 400_000, "of 1": 200_000})


@pytest.mark.parametrize("calls", [20_000_000, *(pytest.param(10**n, marks=pytest.mark.long) for n in (8, 9))])
def test_any_number_of_calls_in_64_megabytes(place, tmp_path, calls):
    """Memory and disk stay flat, counts exact; the report, the file and both readers tell the parts."""
    source = tmp_path / "endless.c"
    source.write_text(r"""
#include <scope/scope.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static long rss_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    fclose(file);
    return kib;
}
static long spool_kib(void)
{
    char pattern[512];
    glob_t found;
    struct stat info = {0};
    snprintf(pattern, sizeof pattern, "%s/scope-*/*.spool", getenv("SCOPE_SPOOL_DIR"));
    if (glob(pattern, 0, NULL, &found) == 0)
        stat(found.gl_pathv[0], &info);
    globfree(&found);
    return info.st_blocks / 2;
}
int main(int argc, char **argv)
{
    const long calls = atol(argv[1]), steps = 20;
    scope_region a, b;
    scope_init(NULL);
    scope_region_register("a", &a), scope_region_register("b", &b);
    for (long step = 1; step <= steps; step++) {
        for (long i = 0; i < calls / steps / 2; i++) {
            scope_region_begin(a), scope_region_begin(b);
            scope_region_end(b), scope_region_end(a);
        }
        printf("%ld %ld\n", rss_kib(), spool_kib());
    }
    return scope_finalize();
}
""")
    program = place.install.compile(source, tmp_path / "endless")
    result = place.run([program, calls], timeout=1800, SCOPE_MAX_BYTES="64M", SCOPE_THROTTLE=0)
    sizes = [tuple(map(int, line.split())) for line in result.stdout.splitlines()]
    half = len(sizes) // 2
    assert max(spool for _, spool in sizes) <= (66 << 10) + 64, "no more disk than it was told"
    assert len({spool for _, spool in sizes[half:]}) == 1, "the spool does not grow any more"
    assert max(rss for rss, _ in sizes[half:]) <= sizes[half][0] + 512, sizes
    assert max(rss for rss, _ in sizes) <= (64 << 10) + 16384
    profile = Profile(place.output)
    detailed, folded = profile.counts(), profile.folded()
    assert profile.lost() == 0 and detailed + folded == Counter(a=calls // 2, b=calls // 2)
    assert detailed["a"] > 100_000
    assert ours(result.stderr) == [f"scope: {place.output}: {sum(folded.values())} calls folded into sums"]
    seen = inspect_json(place.install, run, place.output)
    assert {r["name"]: r["num_calls"] for r in seen["regions"]} == dict(a=calls // 2, b=calls // 2)
    text = run([place.install.scope, "inspect", place.output]).stdout
    note = next(line for line in text.splitlines() if "calls are kept as sums only" in line)
    assert "".join(c for c in note.split(" calls")[0] if c.isdigit()) == str(sum(folded.values()))
    count = f"""
import scope_profiler as sp
print(sp.__version__, {{r['name']: r['num_calls'] for r in sp.read_h5({str(place.output)!r}).summary()}})"""
    if importlib.util.find_spec("scope_profiler"):
        assert eval(run([sys.executable, "-c", count]).stdout.split(" ", 1)[1]) == dict(a=calls // 2, b=calls // 2)
    theirs = read_075(count)
    if theirs is not None:
        version, counts = theirs.stdout.split(" ", 1)
        assert version == "0.7.5" and eval(counts) == dict(detailed), "0.7.5 has the detailed part"
