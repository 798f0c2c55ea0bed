"""A rank of three is killed at any moment: nothing that had ended is lost, the old file stays.

A seed says which MPI, which language, which rank, and when: while it records, while calls
are folded, at one of the profiler's MPI calls at the end, at one of the system calls on the
output. What had ended is known from each rank's own account (crash.c), and each file is read
by four readers.

SPDX-License-Identifier: MIT
"""
import json
import random
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from support.jobs import FAMILIES, Mpi, environment, read_075, run
from support.profile import OPEN, Profile

try:
    import scope_profiler as sp
except ImportError:
    sp = None

HERE = Path(__file__).resolve().parent
KILLED = 6  # scope_end_kind of files
KINDS = {"a": "a", "b": "b", "s": "MPI_Sendrecv"}
LANGUAGES = ("c", "fortran", "python")
PHASES = ("running", "fold", "gather", "output")
RANKS = 3


class Plan:
    """What a seed means. Twelve seeds in a row have every language, MPI and phase pair."""

    def __init__(self, seed):
        source = random.Random(seed)
        self.seed = seed
        self.family = FAMILIES[seed % 2]
        self.language = LANGUAGES[seed % 3]
        self.phase = PHASES[(seed + seed // 12) // 2 % 4]
        self.victim = source.randrange(RANKS)
        self.loosely = source.randrange(2)
        fold = self.phase == "fold"
        self.rounds = 12000 if fold else 150
        most = self.rounds * 21
        self.calls = source.randrange(most * 2 // 3, most) if fold else source.choice(
            [1, source.randrange(2, most // 10), source.randrange(most // 10, most)])
        if self.phase in ("gather", "output"):
            self.calls = 0
        self.point = source.randrange(1, 13)
        self.system_call = source.randrange(1, 41 if self.victim == 0 else 13)

    def __str__(self):
        return f"{self.seed}-{self.family}-{self.language}-{self.phase}"


@pytest.fixture(scope="module")
def family(install):
    """family("ompi") -> that MPI, or a skip."""
    families = {name: Mpi(name, install) for name in FAMILIES}

    def get(name):
        if not families[name].available():
            pytest.skip(f"{name}: no mpicc.{families[name].suffix}")
        return families[name]

    return get


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    """kill_at_syscall; the library of each MPI."""
    folder, made = tmp_path_factory.mktemp("crash"), {}

    def get(mpi=None):
        key = mpi.suffix if mpi else "kill_at"
        if key not in made:
            made[key] = folder / (f"crash.{key}.so" if mpi else key)
            if mpi:
                run([f"mpicc.{mpi.suffix}", "-O2", "-Wall", "-shared", "-fPIC", HERE / "crash.c", "-o", made[key],
                     "-pthread", "-ldl"], timeout=300)
            else:
                run(["gcc", "-O1", "-Wall", HERE.parent / "support/kill_at_syscall.c", "-o", made[key]], timeout=300)
        return made[key]

    return get


def command_of(language, mpi, build, tools, folder):
    """(program, environment) of one language."""
    library = tools(mpi)
    if language == "c":
        return [build("crash_c.c", mpi=mpi, libs=[library, f"-lscope_mpi_{mpi.family}", "-lscope"])], {}
    if language == "fortran":
        return [build("crash_fortran.f90", mpi=mpi, libs=[library, "-lscope_fortran",
                                                          f"-lscope_mpi_{mpi.family}", "-lscope"])], {}
    if sp is None:
        pytest.skip("this install has no Python package")
    pytest.importorskip("mpi4py")
    extra = {}
    if mpi.family == "mpich":  # the name that mpi4py of pip looks for; Debian has another
        source = next(Path("/usr/lib").glob("*/libmpich.so.12"), None)
        if source is None:
            pytest.skip("no libmpich.so.12")
        names = folder / "mpich"
        names.mkdir(exist_ok=True)
        if not (names / "libmpi.so.12").is_symlink():
            (names / "libmpi.so.12").symlink_to(source)
        extra = {"LD_LIBRARY_PATH": names, "MPI4PY_MPIABI": "mpich"}
    return [sys.executable, HERE / "crash_python.py"], extra


def accounts(folder):
    """What each rank itself says had ended: {rank: Counter}; and its PMPI calls."""
    ended, points = {}, {}
    for path in folder.glob("account.*"):
        data = path.read_bytes()
        if len(data) < 16:
            continue
        rank = int(path.suffix[1:])
        count, points[rank] = struct.unpack_from("<2q", data)
        kinds = Counter(data[16:16 + count].decode())
        ended[rank] = Counter({KINDS[kind]: number for kind, number in kinds.items()})
    return ended, points


class Job:
    """One start of the three ranks."""

    def __init__(self, place, plan, mpi, build, tools):
        self.place, self.plan, self.mpi = place, plan, mpi
        self.output = place.folder / "out" / "run.h5"
        self.killer = tools()
        self.program, self.extra = command_of(plan.language, mpi, build, tools, place.folder)
        self.library = tools(mpi)
        self.log = place.folder / "system_calls"
        self.output.parent.mkdir()

    def start(self):
        plan, place = self.plan, self.place
        for path in [*place.folder.glob("account.*"), *place.spools()]:
            path.unlink()
        command = [*self.program, place.folder, plan.victim, plan.calls, plan.loosely,
                   plan.point if plan.phase == "gather" else 0, plan.rounds]
        script = place.folder / "rank.sh"
        before = ""
        if plan.phase == "output":
            before = (f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = {plan.victim} ] && exec {self.killer} '
                      f'-n {plan.system_call} -l {self.log} -p {self.output.parent} '
                      f'env "LD_PRELOAD={self.library}" "$@"\n')
        script.write_text(f'#!/bin/sh\n{before}export LD_PRELOAD={self.library}\nexec "$@"\n')
        script.chmod(0o755)
        return place.mpirun(self.mpi, RANKS, [script, *command], check=False, SCOPE_OUTPUT=self.output,
                            SCOPE_MAX_BYTES="1M" if plan.phase == "fold" else None,
                            SCOPE_THROTTLE=0 if plan.phase == "fold" else None, SCOPE_GATHER_TIMEOUT=10,
                            **self.extra)

    def start_until_killed(self):
        """A number that was too large becomes one that is not."""
        old = self.output.read_bytes()
        result = self.start()
        if result.returncode == 0:
            plan = self.plan
            assert plan.phase in ("gather", "output"), "the program came to its end"
            if plan.phase == "gather":
                total = accounts(self.place.folder)[1][plan.victim]
                plan.point = (plan.point - 1) % total + 1
            else:
                total = int(self.log.read_text().splitlines()[-2].split()[0])
                plan.system_call = (plan.system_call - 1) % total + 1
            self.output.write_bytes(old)
            result = self.start()
        if result.returncode == 77 or "ptrace" in result.stderr:
            pytest.skip("no ptrace here")
        assert result.returncode != 0
        if self.plan.phase == "output":
            assert self.log.read_text().splitlines()[-1] == "killed"


# ---- readers ----

def read_by_tool(install, path):
    """{rank: Counter} of all calls, folded ones included."""
    shown = json.loads(run([install.scope, "inspect", "--json", path]).stdout)
    return {row["rank"]: +Counter({r["name"]: r["num_calls"] for r in row["regions"]}) for row in shown["ranks"]}


def read_by_package(path):
    results = sp.read_h5(path)
    return {rank: +Counter({name: results[name][rank].num_calls for name in results.region_names
                            if rank in results[name].ranks}) for rank in range(RANKS)}


class Old:
    """scope-profiler 0.7.5, asked again and again."""

    CODE = """
import json, sys
import scope_profiler as s
for line in sys.stdin:
    results = s.read_h5(line.strip())
    counts = {}
    for name in results.region_names:
        for rank in results[name].ranks:
            counts.setdefault(rank, {})[name] = int(results[name][rank].num_calls)
    print(json.dumps(counts), flush=True)
"""

    def __init__(self, python):
        self.process = subprocess.Popen([python, "-c", self.CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment(PYTHONPATH=None))

    def read(self, path):
        print(path, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        assert line, "0.7.5 cannot read the file"
        return {int(rank): Counter(counts) for rank, counts in json.loads(line).items()}


@pytest.fixture(scope="module")
def old():
    python = read_075("import sys; print(sys.executable)")
    if python is None:
        yield None
        return
    reader = Old(python.stdout.strip())
    yield reader
    reader.process.stdin.close()
    reader.process.wait(300)


def check_readers(install, old, profile):
    """Four readers, one content."""
    rows = {rank: profile.counts(rank) for rank in profile.ranks()}
    everything = {rank: profile.all_counts(rank) for rank in range(RANKS)}
    tool = read_by_tool(install, profile.path)
    assert {rank: tool.get(rank, Counter()) for rank in range(RANKS)} == everything
    if sp is not None:
        assert read_by_package(profile.path) == everything
    if old is not None:
        assert {rank: +counts for rank, counts in old.read(profile.path).items() if +counts} == rows


# ---- the test ----

def recover(place, job):
    """The file with everything: a recovered one, or the new output where that is complete."""
    target = place.folder / "recovered.h5"
    said = run([place.install.scope, "recover", place.spool, "-o", target], check=False, env=place.environment())
    if target.exists():
        assert said.returncode == 0, said.stderr
        return Profile(target).check(), said.stdout
    assert "nothing to do" in said.stdout or not place.spools(), said.stdout + said.stderr
    return Profile(job.output).check(), None


@pytest.mark.mpi
@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(s, marks=pytest.mark.long) for s in range(20, 200))])
def test_a_rank_of_three_is_killed(seed, family, build, tools, place, install, old):
    plan = Plan(seed)
    mpi = family(plan.family)
    job = Job(place, plan, mpi, build, tools)
    job.output.write_bytes(b"the file of the last run, which was good")
    before = job.output.read_bytes()
    job.start_until_killed()
    said, _ = accounts(place.folder)
    assert plan.victim in said
    if plan.calls and not plan.loosely:
        assert said[plan.victim].total() == plan.calls
    left = job.output.read_bytes()
    profile, text = recover(place, job)
    assert job.output.read_bytes() == left, "recover with -o touches no other file"
    if left != before:
        assert plan.phase in ("gather", "output")
        profile = Profile(job.output).check()
    for rank in range(RANKS):
        rows = profile.rank == rank
        ended = Counter(profile.names[r] for r in profile.region[rows & ((profile.flags & OPEN) == 0)])
        ended += profile.folded(rank)
        for name, count in said.get(rank, Counter()).items():
            assert count <= ended[name] <= count + 1, f"{plan} rank {rank} {name}: {ended[name]}, {count} had ended"
    assert profile.mpi_size == RANKS
    if plan.phase in ("running", "fold"):
        kinds = dict(zip(profile.scope["ranks/ranks"].tolist(), profile.scope["ranks/end_kinds"].tolist()))
        assert kinds[plan.victim] == KILLED and f"rank {plan.victim}: killed" in text
        assert sum(profile.scope["ranks/holes"].tolist()) <= RANKS, "at most the event that was being written"
    if plan.phase == "fold":
        assert profile.folded(plan.victim).total() > 0
    check_readers(install, old, profile)
