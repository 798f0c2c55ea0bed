"""Programs nobody here wrote, unmodified, under `scope run`.

Each test runs the program on the same input bare, with `scope run`, with a counting
library alone, and with both. Exit code and output (times masked) must be the same,
and every rank's calls per MPI function must be what was counted. A second library below
the profiler counts messages and bytes per function, communicator and peer.

SPDX-License-Identifier: MIT
"""
import json
import re
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from support import messages
from support.jobs import environment, run
from support.profile import Profile, ours

pytestmark = [pytest.mark.real, pytest.mark.mpi]

HERE = Path(__file__).resolve().parent
LAMMPS_MELT = Path("/usr/share/lammps/examples/melt/in.melt")
SCALAPACK = Path("/usr/lib/x86_64-linux-gnu/scalapack")
NUMBER = re.compile(r"[-+]?\d[\d.:]*(?:[eED][-+]?\d+)?|\bnan\b|\binf\b")


@pytest.fixture(scope="session")
def counter(tmp_path_factory):
    """The counting library, and a function that reads what it counted."""
    library = tmp_path_factory.mktemp("count") / "libcount_mpi.so"
    run(["gcc", "-O1", "-shared", "-fPIC", HERE.parent / "support/count_mpi.c", "-o", library, "-ldl"])
    return library


@pytest.fixture(scope="session")
def message_counters(tmp_path_factory):
    """The library that counts messages, of each MPI that is asked for."""
    made = {}

    def counter_of(mpi):
        if mpi.family not in made:
            made[mpi.family] = messages.build_counter(mpi, tmp_path_factory.mktemp("messages"))
        return made[mpi.family]
    return counter_of


def counted(folder):
    """{rank: Counter of calls per function} of the lines that the counting library left."""
    result = defaultdict(Counter)
    for path in Path(folder).iterdir():
        for line in path.read_text().splitlines():
            rank, name, count = line.split()
            result[int(rank)][name] += int(count)
    return dict(result)


def recorded(profile):
    """The same of a profile."""
    return {rank: profile.mpi_counts(rank) for rank in profile.ranks()}


class Job:
    """One program in a folder of its own, run with one MPI in several ways."""

    def __init__(self, mpi, folder, command, prepare, ranks=2):
        self.mpi, self.folder, self.command, self.prepare, self.ranks = mpi, folder, command, prepare, ranks

    def start(self, name, before=(), **extra):
        cwd = self.folder / name
        cwd.mkdir()
        self.prepare(cwd)
        result = self.mpi.mpirun(self.ranks, [*before, *self.command], timeout=100, check=False, cwd=cwd,
                                 env=environment(**extra))
        return cwd, result

    def count_with(self, library, name, before=(), **extra):
        counts = self.folder / f"{name}.counts"
        counts.mkdir()
        cwd, result = self.start(name, before, COUNT_MPI_DIR=counts, LD_PRELOAD=library, **extra)
        return cwd, result, counted(counts)

    def count_both(self, libraries, before):
        """Calls and messages of one run: the two libraries one behind the other."""
        folders = [self.folder / "both.counts", self.folder / "both.messages"]
        for folder in folders:
            folder.mkdir()
        cwd, result = self.start("both", before, COUNT_MPI_DIR=folders[0], COUNT_MESSAGES_DIR=folders[1],
                                 LD_PRELOAD=":".join(map(str, libraries)))
        assert result.returncode == 0, result.stderr[-2000:]
        return cwd, counted(folders[0]), messages.counted(folders[1])


# How often a program polls depends on the moment: compared within one run only.
POLLS = {"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Iprobe", "MPI_Improbe"}


def same_counts(counts, profile, but=()):
    """Each rank's calls per function: what was counted is what the file says."""
    assert sorted(counts) == profile.ranks()
    wrong = {(rank, name): (count, profile.mpi_counts(rank)[name]) for rank, calls in counts.items()
             for name, count in calls.items() if name not in but and profile.mpi_counts(rank)[name] != count}
    assert not wrong, f"(counted, recorded): {wrong}"
    assert all(sum(calls.values()) > 10 for calls in counts.values())


# What the library that counts messages does not know: how many there are is checked all the same.
UNCOUNTED = {"MPI_Comm_free", "MPI_Init", "MPI_Init_thread", "MPI_Finalize"}


def same_messages(counts, install, path):
    """Messages and bytes by function, communicator and peer, and the sums that are made of them."""
    found = messages.check(counts, path, but=lambda key: key[1] in UNCOUNTED)
    told = json.loads(run([install.scope, "inspect", "--json", path]).stdout)["communication"]
    messages.check_sums(told, found)
    assert told["untold"] == []
    assert {key[2] for key in found} > {"collective"}


def compare(job, counters, install, mask, repeatable=True, outputs=()):
    """Run one job bare, profiled, and counted both ways; returns the profile.

    mask(text) gives what must not change. A program whose number of calls depends
    on its own timing (not repeatable) is counted in the profiled run only.
    """
    scope_run = [install.scope, "run", "-o", "run.h5"]
    bare_folder, bare = job.start("bare")
    assert bare.returncode == 0, f"the program itself fails here: {bare.stdout[-500:]}{bare.stderr[-500:]}"
    folder, profiled = job.start("profiled", scope_run)
    assert profiled.returncode == bare.returncode, profiled.stderr[-2000:]
    assert ours(profiled.stderr) == [] and "scope:" not in profiled.stdout
    assert mask(profiled.stdout) == mask(bare.stdout)
    assert mask(profiled.stderr) == mask(bare.stderr)
    for name in outputs:
        assert mask((folder / name).read_text()) == mask((bare_folder / name).read_text())
    left = {p.name for p in folder.iterdir()} - {p.name for p in bare_folder.iterdir()}
    assert left == {"run.h5"}, "something else was left behind"
    profile = Profile(folder / "run.h5").check()
    assert profile.mpi_size == job.ranks and profile.ranks() == list(range(job.ranks))

    both_folder, below, moved = job.count_both(counters, scope_run)
    same_counts(below, Profile(both_folder / "run.h5"))
    same_messages(moved, install, both_folder / "run.h5")
    if repeatable:
        same_counts(job.count_with(counters[0], "counted")[2], profile, POLLS)
    return profile


def skeleton(text):
    """Text without its numbers and without how wide they were."""
    return re.sub(r"[ \t]+", " ", NUMBER.sub("#", text))


def test_lammps_melt(openmpi, counter, message_counters, install, tmp_path):
    if not shutil.which("lmp") or not LAMMPS_MELT.exists():
        pytest.skip("no lammps, lammps-examples")

    def prepare(cwd):
        (cwd / "in.melt").write_text(re.sub(r"(?m)^run\s+\d+", "run 60", LAMMPS_MELT.read_text()))

    def mask(text):
        """The physics must be the same to the last digit; the breakdown of times may not."""
        timing = re.compile(r"CPU|Loop time|Performance|Total wall|^(Pair|Neigh|Comm|Output|Modify|Other) +\|")
        lines = text.splitlines()
        return [skeleton(line) if timing.search(line) else line for line in lines]

    profile = compare(Job(openmpi, tmp_path, ["lmp", "-in", "in.melt"], prepare), (counter, message_counters(openmpi)),
                      install, mask,
                      outputs=["log.lammps"])
    assert profile.mpi_counts(0)["MPI_Allreduce"] > 10


def test_hpcc(openmpi, counter, message_counters, install, tmp_path):
    if not shutil.which("hpcc"):
        pytest.skip("no hpcc")

    def mask(text):
        """hpcc prints little but times and rates, in lines whose order depends on them;
        PTRANS has a line of CPU time only where it was not 0."""
        return Counter(skeleton(line) for line in text.splitlines()
                       if not re.search(r"WARNING|precision|granularity|microseconds|clock ticks|^CPU ", line))

    compare(Job(openmpi, tmp_path, ["hpcc"], lambda cwd: shutil.copy(HERE / "hpccinf.txt", cwd)),
            (counter, message_counters(openmpi)), install, mask, repeatable=False, outputs=["hpccoutf.txt"])


def small_grids(text):
    """A scalapack .dat file for 2 ranks: the grids 1 x 2 and 2 x 1."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if re.search(r"number of process grids", line, re.I):
            lines[at] = "2 number of process grids"
            lines[at + 1], lines[at + 2] = "1 2 values of P", "2 1 values of Q"
    return "\n".join(lines) + "\n"


def blacs_inputs(text):
    """A BLACS tester .dat file for 2 ranks, without the test that ends in an abort."""
    text = text.replace("'T'                             Run AUX?", "'F'   Run AUX?")
    text = re.sub(r"(?m)^\d+ +Number of precisions\n.*$", "2 Number of precisions\n'I' 'D' Values", text)
    text = re.sub(r"(?m)^\d+ +Number of grids\n.*\n.*$",
                  "2 Number of grids\n1 2 NPROW\n2 1 NPCOL", text)
    return re.sub(r"(?m)^\d+ +Number of matrices", "3 Number of matrices", text)


SCALAPACK_TESTS = {
    # name: (folder, program, inputs, how an input is made small)
    "blacs-c": ("BLACS", "xCbtest", ("bt", "sdrv", "bsbr", "comb"), blacs_inputs),
    "blacs-fortran": ("BLACS", "xFbtest", ("bt", "sdrv", "bsbr", "comb"), blacs_inputs),
    "pblas": ("PBLAS", "dpb1tst", ("PDBLAS1TST",), str),
    "lu": (".", "xdlu", ("LU",), small_grids),
    "qr": (".", "xdqr", ("QR",), small_grids),
}


@pytest.mark.parametrize("name", SCALAPACK_TESTS)
def test_scalapack(mpi, counter, message_counters, install, tmp_path, name):
    folder, program, inputs, small = SCALAPACK_TESTS[name]
    source = SCALAPACK / f"{mpi.suffix}-tests" / folder
    if not (source / program).exists():
        pytest.skip("no scalapack-mpi-test")

    def prepare(cwd):
        for stem in inputs:
            (cwd / f"{stem}.dat").write_text(small((source / f"{stem}.dat").read_text()))

    def mask(text):
        """Times are columns of numbers behind the problem's parameters; the checks
        print residuals. What passed and what failed must be the same, line by line.
        Ranks' warnings come in any order."""
        return Counter(skeleton(line) for line in text.splitlines())

    profile = compare(Job(mpi, tmp_path, [source / program], prepare), (counter, message_counters(mpi)), install,
                      mask)
    assert sum(profile.mpi_counts(0).values()) > 100


def test_own_calls_of_the_library_are_not_counted(mpi, counter, install, tmp_path):
    """The counter below us sees the program's calls and ours; above us, only the program's."""
    source = tmp_path / "quiet.c"
    source.write_text("#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v);"
                      " for (int i = 0; i < 7; i++) MPI_Barrier(MPI_COMM_WORLD); return MPI_Finalize(); }")
    program = mpi.compile(source, tmp_path / "quiet", libs=())
    job = Job(mpi, tmp_path, [program], lambda cwd: None)
    folder, result, below = job.count_with(counter, "profiled", [install.scope, "run", "-o", "run.h5"])
    assert result.returncode == 0
    assert recorded(Profile(folder / "run.h5")) == {
        rank: Counter(MPI_Init=1, MPI_Finalize=1, MPI_Barrier=7) for rank in range(2)}
    assert all(calls["MPI_Barrier"] == 7 for calls in below.values()), "our own traffic must use PMPI_"

