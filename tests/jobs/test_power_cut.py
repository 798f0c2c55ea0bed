"""The output under SIGKILL at each of the writer's system calls, and under a power cut.

A good file is there before. Whatever call the writer is killed at, before or after the
kernel did it, the name holds the old file, to the byte, or the whole new one. A kill loses
no page that was written; a power cut does: for that the order of the calls is looked at.

SPDX-License-Identifier: MIT
"""
import json
import random
import shutil
import sys
from pathlib import Path

import h5py
import pytest

from support.jobs import run
from support.profile import Profile
from tools.programs import inspect_json

HERE = Path(__file__).resolve().parent
CHANGES = {"rename", "unlink", "fsync", "open", "allocate", "link", "truncate"}


@pytest.fixture(scope="session")
def killer(tmp_path_factory):
    program = tmp_path_factory.mktemp("killer") / "kill_at_syscall"
    run(["gcc", "-O1", "-Wall", HERE.parent / "support/kill_at_syscall.c", "-o", program])
    if run([program, "true"], check=False).returncode == 77:
        pytest.skip("no ptrace here")
    return program


class Call:
    """A line of the killer's list."""

    def __init__(self, line):
        head, _, self.new_path = line.partition("\t")
        number, self.process, self.name, self.path = head.split(" ", 3)
        self.number = int(number)

    def __repr__(self):
        return f"{self.number} {self.name} {self.path} {self.new_path}"


class Cut:
    """A writer that is run again and again, over the same old file."""

    def __init__(self, killer, place):
        self.killer, self.place, self.list = killer, place, place.folder / "list"
        self.out = place.folder / "out"
        self.out.mkdir()
        self.target = self.out / "run.h5"
        self.old = None

    def watched(self, number=0, after=False):
        """The words before the program's."""
        return [self.killer, "-n", number, *(["-a"] if after else []), "-l", self.list, "-p", self.out, "-p",
                self.place.spool]

    def calls(self):
        return [Call(line) for line in self.list.read_text().splitlines()[:-1]]

    def was_killed(self):
        return self.list.read_text().endswith("killed\n")

    def moments(self, calls, long, every=1, seed=1):
        """(number, after the call?): before each, after those that change names or the disk."""
        chosen = [(c.number, False) for c in calls]
        chosen += [(c.number, True) for c in calls if long or c.name in CHANGES]
        chosen.sort()
        if long or every == 1:
            return chosen
        sample = set(random.Random(seed).sample(chosen, len(chosen) // every))
        # the ones that decide are always among them
        sample |= {m for c in calls if c.name in ("rename", "unlink") for m in ((c.number, False), (c.number, True))}
        return sorted(sample)

    def check_order(self, calls, target=None, spools=True):
        """What a power cut may not undo: data before the name, the name before the spools go."""
        target = target or self.target
        renames = [c for c in calls if c.name == "rename" and c.new_path == str(target)]
        assert renames, f"{target} was not renamed into place"
        for rename in renames:
            draft = [c for c in calls if c.path == rename.path and c.number < rename.number]
            written = max(c.number for c in draft if c.name in ("write", "truncate", "allocate"))
            # the draft of an earlier file has another name
            synced = max((c.number for c in draft if c.name == "fsync"), default=0)
            assert written < synced, f"not synced after {written}, before {rename}"
            folder = [c.number for c in calls if c.name == "fsync" and c.path == str(Path(target).parent)
                      and c.number > rename.number]
            if spools:
                assert folder, f"the folder was not synced after {rename}"
        gone = [c.number for c in calls if c.name == "unlink" and c.path.endswith(".spool")]
        if spools and gone:
            assert folder[0] < gone[0], "a spool went before the name was safe"
        assert not [c for c in calls if c.path == str(target) and c.name in ("write", "truncate", "unlink")]
        return gone

    def each(self, start, calls, is_new, long, every=1, spools=1, prepare=None):
        """start(number, after) runs the writer; is_new(path) asserts that a file is whole."""
        kept = made = 0
        for number, after in self.moments(calls, long, every):
            self.target.write_bytes(self.old)
            if prepare:
                prepare()
            start(number, after)
            where = f"killed {'after' if after else 'before'} {number}, {calls[number - 1]}"
            assert self.was_killed() or number > len(self.calls()), where
            if self.target.read_bytes() == self.old:
                kept += 1
                if spools:
                    assert len(self.place.spools()) >= spools or number <= first_spool(calls), \
                        f"{where}: no file, and spools are gone"
            else:
                made += 1
                try:
                    is_new(self.target)
                except (OSError, AssertionError) as error:
                    raise AssertionError(where) from error
            if spools:
                for spool in self.place.spools():
                    spool.unlink()
        assert kept and made, (kept, made)


def first_spool(calls):
    """The last call without which there is no usable spool yet."""
    return max((c.number for c in calls if c.name == "allocate" and c.path.endswith(".spool")), default=0)


@pytest.fixture
def cut(killer, place):
    return Cut(killer, place)


@pytest.fixture
def long(request):
    return request.config.getoption("--long")


def has_work(*counts):
    def check(path):
        profile = Profile(path).check()
        for rank in profile.ranks():
            assert profile.own_counts(rank)["work"] in counts
    return check


def cut_program(cut, command, long, every=1, counts=(300,), may_say=None, **extra):
    """A program that writes its own file, from the first to the last of its calls."""
    def start(number, after):
        result = cut.place.run([*cut.watched(number, after), *command], check=False, SCOPE_OUTPUT=cut.target, **extra)
        assert result.stderr == "" or may_say and may_say in result.stderr, result.stderr

    cut.place.run(command, SCOPE_OUTPUT=cut.target, **extra)
    has_work(*counts)(cut.target)
    cut.old = cut.target.read_bytes()
    start(0, False)
    calls = cut.calls()
    assert cut.check_order(calls), "the spool was removed in the end"
    cut.each(start, calls, has_work(*counts), long, every)
    start(0, False)
    has_work(counts[-1])(cut.target)
    assert cut.place.spools() == []
    return calls


def test_k09_a_program_that_exits(cut, build, long):
    cut_program(cut, [build("cut.c"), "exit"], long)
    # what the killed ones left is in nobody's way, and goes once it is surely dead
    drafts = list(cut.out.glob(".run.h5.*.tmp"))
    assert len(drafts) > 20
    run(["touch", "-d", "2 minutes ago", *drafts])
    cut.place.run([build("cut.c"), "exit"], SCOPE_OUTPUT=cut.target)
    assert [p.name for p in cut.out.iterdir()] == ["run.h5"]


def test_the_checkpoint_comes_when_the_name_is_safe(cut, build):
    """Until then recover must make the file again."""
    command = [build("cut.c"), "exit"]
    target = str(cut.target).encode()

    def names_when_killed(number, after=False):
        for spool in cut.place.spools():
            spool.unlink()
        cut.place.run([*cut.watched(number, after), *command], check=False, SCOPE_OUTPUT=cut.target)
        return cut.place.spools()[0].read_bytes().count(target)

    cut.place.run([*cut.watched(), *command], SCOPE_OUTPUT=cut.target)
    calls = cut.calls()
    rename = next(c.number for c in calls if c.name == "rename")
    synced = next(c.number for c in calls if c.name == "fsync" and c.path == str(cut.out))
    gone = next(c.number for c in calls if c.name == "unlink" and c.path.endswith(".spool"))
    before = names_when_killed(rename)
    assert names_when_killed(rename, True) == names_when_killed(synced) == before
    assert names_when_killed(gone) == before + 1


def test_scope_finalize(cut, build, long):
    cut_program(cut, [build("cut.c"), "finalize"], long, every=3)


def test_scope_flush(cut, build, long):
    """Two files in turn: the one so far, then everything."""
    cut_program(cut, [build("cut.c"), "flush"], long, every=3, counts=(200, 300))


def test_a_compressed_file(cut, build, long):
    cut_program(cut, [build("cut.c"), "exit"], long, every=3, SCOPE_COMPRESSION="gzip")


def test_a_file_that_the_helper_makes(cut, build, long):
    """Another HDF5 is in the way: the program is killed, or scope-hdf5-writer is."""
    other = list((Path(h5py.__file__).parents[1] / "h5py.libs").glob("libhdf5-*.so*"))
    if not other:
        pytest.skip("this h5py brings no HDF5 of its own")
    program = build("cut.c", ["-rdynamic", "-Wl,--enable-new-dtags", "-DLOOKS_SANITISED"])
    calls = cut_program(cut, [program, "exit"], long, every=3, may_say="was not written", LD_PRELOAD=other[0])
    assert len({c.process for c in calls}) > 1


PYTHON = """
import sys
import scope_profiler as sp
sp.setup(output=sys.argv[1], aggregation_mode=sys.argv[2] == "aggregate")
for _ in range(300):
    with sp.region("work"):
        pass
sp.finalize(verbose=False)
"""


def cut_python(cut, mode, long, is_new):
    pytest.importorskip("scope_profiler")
    script = cut.place.folder / "record.py"
    script.write_text(PYTHON)
    command = [sys.executable, script, cut.target, mode]

    def start(number, after):
        cut.place.run([*cut.watched(number, after), *command], check=False)

    cut.place.run(command)
    is_new(cut.target)
    cut.old = cut.target.read_bytes()
    start(0, False)
    calls = cut.calls()
    cut.check_order(calls)
    cut.each(start, calls, is_new, long, every=8)


def test_python_finalize(cut, long):
    cut_python(cut, "calls", long, has_work(300))


def test_python_finalize_with_sums_only(cut, install, long):
    def is_new(path):
        regions = inspect_json(install, run, path)["regions"]
        assert next(r["num_calls"] for r in regions if r["name"] == "work") == 300
    cut_python(cut, "aggregate", long, is_new)


@pytest.mark.mpi
@pytest.mark.parametrize("victim", [0, 1])
def test_one_of_two_ranks(mpi, cut, build, long, victim):
    """It dies at a call; the other must not hang, nor remove what it recorded."""
    program = build("cut.c", ["-DUSE_MPI"], mpi=mpi)
    wrapper = cut.place.folder / "rank.sh"

    def start(number, after):
        watched = " ".join(str(w) for w in cut.watched(number, after))
        wrapper.write_text(f'#!/bin/sh\nif [ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = {victim} ]\n'
                           f'then exec {watched} "$@"\nelse exec "$@"\nfi\n')
        wrapper.chmod(0o755)
        result = cut.place.mpirun(mpi, 2, [wrapper, program, "finalize"], check=False, SCOPE_OUTPUT=cut.target)
        assert (result.returncode == 0) == (number == 0)

    cut.place.mpirun(mpi, 2, [program, "finalize"], SCOPE_OUTPUT=cut.target)
    has_work(300)(cut.target)
    cut.old = cut.target.read_bytes()
    start(0, False)
    calls = cut.calls()
    if victim == 0:
        assert cut.check_order(calls)
    else:  # what it wrote into rank 0's draft is synced by itself
        draft = [c for c in calls if c.path.endswith(".tmp")]
        assert max(c.number for c in draft if c.name == "write") < max(c.number for c in draft if c.name == "fsync")
    cut.each(start, calls, has_work(300), long, every=20 if victim == 0 else 10, spools=2)
    start(0, False)
    has_work(300)(cut.target)
    assert cut.place.spools() == []


# ---- the command line ----

def killed_spool(cut, build):
    cut.place.run([build("exits.c"), "kill"], check=False)
    return cut.place.spools()[0]


def cut_command(cut, install, words, long, is_new, every=3, target=None, spools=False, prepare=None):
    command = [install.scope, *words]
    target = target or cut.target
    cut.target = target

    def start(number, after):
        cut.place.run([*cut.watched(number, after), *command], check=False)

    if prepare:
        prepare()
    cut.place.run(command)
    is_new(target)
    cut.old = b"an old file" * 1000
    target.write_bytes(cut.old)
    if prepare:
        prepare()
    start(0, False)
    calls = cut.calls()
    cut.check_order(calls, target, spools)
    cut.each(start, calls, is_new, long, every, int(spools), prepare)


def exits(path):
    assert Profile(path).check().counts() == {"work": 20000, "inner": 20000, "main loop": 1}


def test_recover(cut, build, install, long):
    """The tool is killed: the spools are there until the file is."""
    spool = killed_spool(cut, build)
    copy = shutil.copy(spool, cut.place.folder / "copy")

    def prepare():
        shutil.copy(copy, spool)
    cut_command(cut, install, ["recover", cut.place.spool, "--remove", "-o", cut.target], long, exits, spools=True,
                prepare=prepare)


def test_merge(cut, build, install, long):
    for rank in range(2):
        cut.place.run([build("cut.c"), "exit"], OMPI_COMM_WORLD_RANK=rank, OMPI_COMM_WORLD_SIZE=2,
                      SCOPE_OUTPUT=cut.place.folder / "part%r.h5")

    def is_new(path):
        assert Profile(path).check().counts() == {"work": 600}
    cut_command(cut, install, ["merge", cut.place.folder / "part0.h5", cut.place.folder / "part1.h5", "-o", cut.target],
                long, is_new)


@pytest.mark.parametrize("form", ["speedscope", "chrome-trace", "json", "prof"])
def test_export(cut, build, install, long, form):
    cut.place.run([build("cut.c"), "exit"])
    target, named = cut.out / "export.json", cut.out / "export.json"
    if form == "prof":
        target, named = cut.out / "export_rank0.prof", cut.out / "export.prof"
    whole = []

    def is_new(path):
        if form != "prof":
            json.loads(path.read_text())
        whole.append(path.read_bytes())
        assert whole[0] == whole[-1]
    cut_command(cut, install, ["export", form, cut.place.output, "-o", named], long, is_new, every=1, target=target)
