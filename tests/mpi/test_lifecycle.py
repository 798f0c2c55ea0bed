"""How a job starts and ends: one file where all ranks end together, and nothing lost where not.

SPDX-License-Identifier: MIT
"""
import itertools
import re
from collections import Counter
from pathlib import Path

import pytest

from support.jobs import environment, run
from support.profile import Profile, ours

pytestmark = pytest.mark.mpi
PROGRAMS = Path(__file__).resolve().parent / "programs"
MPI_LIBRARY = {"ompi": "-lmpi", "mpich": "-lmpich"}


def own(rank, size, idle=1):
    """What job.c records on a rank."""
    if rank == idle:
        return {}
    regions = {"common": rank + 1, f"rank {rank}": 1}
    if rank == size - 1 and rank:
        regions["only on the last"] = 1
    return regions


def files(folder):
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def check_all(path, size, idle=1):
    """One file that holds all ranks' regions, each rank's MPI_Init and barrier once."""
    profile = Profile(path).check()
    assert profile.mpi_size == size
    for rank in range(size):
        assert profile.own_counts(rank) == own(rank, size, idle), rank
    return profile


@pytest.fixture(scope="module")
def build(mpi, tmp_path_factory):
    """build(name, source, ...) compiles once per family and set of arguments."""
    folder, done = tmp_path_factory.mktemp(f"life-{mpi.family}"), {}

    def compile_once(source, flags=(), libs=None):
        key = source, tuple(flags), libs if libs is None else tuple(libs)
        if key not in done:
            done[key] = mpi.compile(PROGRAMS / source, folder / f"p{len(done)}", flags, libs)
        return done[key]
    return compile_once


@pytest.fixture
def env(tmp_path):
    spools = tmp_path / "spools"
    spools.mkdir()
    return environment(SCOPE_SPOOL_DIR=spools, SCOPE_GATHER_TIMEOUT=10)


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "work"
    path.mkdir()
    return path


def spools(env):
    return list(Path(env["SCOPE_SPOOL_DIR"]).rglob("*.spool"))


# ---- all end together

@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize("how", ["plain", "init-first", "closed"])
def test_all_ranks_are_in_one_file(mpi, build, env, folder, ranks, how):
    result = mpi.mpirun(ranks, [build("job.c"), how], cwd=folder, env=env)
    assert sorted(result.stdout.split("\n")) == sorted([f"done {r}" for r in range(ranks)] + [""])
    assert result.stderr == ""
    assert files(folder) == ["profiling_data.h5"] and not spools(env)
    path = folder / "profiling_data.h5"
    if how == "init-first":
        profile = Profile(path).check()
        for rank in range(ranks):
            assert profile.own_counts(rank) == {**own(rank, ranks), "before MPI": 1}
    else:
        profile = check_all(path, ranks)
    for rank in range(ranks):
        mpi_counts = profile.mpi_counts(rank)
        assert mpi_counts["MPI_Init"] == 1 and mpi_counts["MPI_Barrier"] == 1
        assert mpi_counts["MPI_Finalize"] == (how != "closed")
    assert not profile.flags.any()  # MPI_Finalize is no open call


def test_a_job_without_mpirun_is_one_rank(mpi, build, env, folder):
    result = run([build("job.c")], cwd=folder, env=env)
    assert (result.stdout, result.stderr) == ("done 0\n", "")
    check_all(folder / "profiling_data.h5", 1)
    assert files(folder) == ["profiling_data.h5"]


@pytest.mark.parametrize("binding", ["mpif", "mpi", "f08"])
@pytest.mark.parametrize("flags", [(), ("-DTHREADED",)], ids=["init", "init_thread"])
def test_fortran_starts_and_ends_the_run(mpi, build, env, folder, binding, flags):
    program = build("ends.F90", (f"-DBIND_{binding.upper()}", *flags),
                    ("-Wl,--no-as-needed", f"-lscope_mpi_{mpi.family}"))
    result = mpi.mpirun(3, [program], cwd=folder, env=env)
    assert sorted(result.stdout.split("\n")) == ["", "done 0", "done 1", "done 2"]
    assert result.stderr == "" and files(folder) == ["profiling_data.h5"]
    profile = Profile(folder / "profiling_data.h5").check()
    start = "MPI_Init_thread" if flags else "MPI_Init"
    for rank in range(3):
        assert profile.counts(rank) == {start: 1, "MPI_Barrier": 1, "MPI_Finalize": 1}


def test_a_preloaded_library_needs_no_change_of_the_program(mpi, build, env, folder):
    program = build("job.c", ("-DWITHOUT_SCOPE",), ())
    result = mpi.mpirun(3, ["env", f"LD_PRELOAD={mpi.library}", program], cwd=folder, env=env)
    assert result.stderr == "" and files(folder) == ["profiling_data.h5"]
    profile = Profile(folder / "profiling_data.h5").check()
    for rank in range(3):
        assert profile.counts(rank) == {"MPI_Init": 1, "MPI_Barrier": 1, "MPI_Finalize": 1}


@pytest.mark.parametrize("order", list(itertools.permutations(["mpi", "scope_mpi", "scope"])),
                         ids="-".join)
def test_any_link_order_gathers_the_regions(mpi, build, env, folder, order):
    names = {"mpi": MPI_LIBRARY[mpi.family], "scope_mpi": f"-lscope_mpi_{mpi.family}",
             "scope": "-lscope"}
    program = build("job.c", (), ("-Wl,--no-as-needed", *(names[name] for name in order)))
    result = mpi.mpirun(3, [program, "all"], cwd=folder, env=env)
    reached = order.index("scope_mpi") < order.index("mpi")
    lines = ours(result.stderr)
    assert result.stderr.splitlines() == lines and len(lines) == (not reached)
    assert reached or "-lscope_mpi" in lines[0]
    assert files(folder) == ["profiling_data.h5"]
    profile = check_all(folder / "profiling_data.h5", 3, idle=None)
    for rank in range(3):
        assert (profile.mpi_counts(rank)["MPI_Barrier"] == 1) == reached


def test_a_shell_script_between_mpirun_and_the_program_leaves_no_trace(mpi, build, env, folder):
    script = folder / "start.sh"
    script.write_text(f'#!/bin/sh\nuname > /dev/null\n(exit 3)\n"{build("job.c")}" "$@"\n'
                      'rc=$?\n/bin/true\nexit $rc\n')
    result = mpi.mpirun(3, ["env", f"LD_PRELOAD={mpi.library}", "sh", script], cwd=folder, env=env)
    assert result.stderr == "" and files(folder) == ["profiling_data.h5", "start.sh"]
    check_all(folder / "profiling_data.h5", 3)


def test_threads_that_go_on_during_finalize_are_kept_up_to_its_end(mpi, build, env, folder):
    result = mpi.mpirun(2, [build("job.c"), "threads"], cwd=folder, env=env)
    assert result.stderr == "" and files(folder) == ["profiling_data.h5"]
    profile = Profile(folder / "profiling_data.h5").check()
    made = {(int(r), int(t), when): int(n) for r, t, when, n in
            re.findall(r"rank (\d) thread (\d) (before|after) (\d+)", result.stdout)}
    assert len(made) == 16
    for rank, thread in itertools.product(range(2), range(4)):
        kept = profile.own_counts(rank)[f"thread {thread} of rank {rank}"]
        assert made[rank, thread, "before"] <= kept <= made[rank, thread, "after"] + 1
    assert profile.lost() == 0


# ---- some ranks are off

def by_rank(command, **assignments):
    """The command with a shell assignment on one rank: by_rank(c, r2="SCOPE_ENABLE=0")."""
    cases = "".join(f"{rank[1:]}) export {text};; " for rank, text in assignments.items())
    return ["sh", "-c", f'case ${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}} in {cases}esac; exec "$0" "$@"',
            *command]


def test_a_disabled_rank_joins_with_nothing(mpi, build, env, folder):
    command = by_rank([build("job.c")], r2="SCOPE_ENABLE=0")
    result = mpi.mpirun(4, command, cwd=folder, env=env)
    assert ours(result.stderr) == [] and files(folder) == ["profiling_data.h5"]
    profile = Profile(folder / "profiling_data.h5").check()
    assert profile.mpi_size == 4 and profile.ranks() == [0, 1, 3]
    for rank in (0, 1, 3):
        assert profile.own_counts(rank) == own(rank, 4)


def test_rank_0_may_be_the_disabled_one(mpi, build, env, folder):
    result = mpi.mpirun(3, by_rank([build("job.c")], r0="SCOPE_ENABLE=0"), cwd=folder, env=env)
    assert ours(result.stderr) == [] and files(folder) == ["profiling_data.h5"]
    profile = Profile(folder / "profiling_data.h5").check()
    assert profile.mpi_size == 3 and profile.ranks() == [1, 2]


def test_switched_off_everywhere_leaves_nothing(mpi, build, env, folder):
    result = mpi.mpirun(3, [build("job.c")], cwd=folder, env={**env, "SCOPE_ENABLE": "0"})
    assert result.stderr == "" and files(folder) == [] and not spools(env)


# ---- ranks whose options or folders differ: rank 0's name, no hang

@pytest.mark.parametrize("rank_1", ["SCOPE_OUTPUT=own.h5", "SCOPE_OUTPUT=own_%r.h5", "SCOPE_OUTPUT=",
                                    "SCOPE_SPOOL=0"])
def test_rank_0_names_the_file(mpi, build, env, folder, rank_1):
    result = mpi.mpirun(3, by_rank([build("job.c")], r1=rank_1), cwd=folder, env=env)
    assert ours(result.stderr) == [] and files(folder) == ["profiling_data.h5"] and not spools(env)
    check_all(folder / "profiling_data.h5", 3)


def test_each_rank_may_have_its_own_working_directory(mpi, build, env, folder):
    for rank in range(3):
        (folder / f"at{rank}").mkdir()
    command = ["sh", "-c", 'cd at${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; exec "$0"', build("job.c")]
    mpi.mpirun(3, command, cwd=folder, env=env)
    assert files(folder / "at0") == ["profiling_data.h5"] and not spools(env)
    assert files(folder / "at1") == files(folder / "at2") == []
    check_all(folder / "at0" / "profiling_data.h5", 3)


def test_a_pattern_with_the_rank_means_a_file_per_rank(mpi, build, env, folder):
    result = mpi.mpirun(3, [build("job.c"), "all"], cwd=folder, env={**env, "SCOPE_OUTPUT": "x%r.h5"})
    assert ours(result.stderr) == [] and files(folder) == ["x0.h5", "x1.h5", "x2.h5"]
    for rank in range(3):
        assert Profile(folder / f"x{rank}.h5").check().own_counts() == own(rank, 3, idle=None)


def test_no_output_on_rank_0_keeps_the_others_spools(mpi, build, env, folder):
    mpi.mpirun(3, by_rank([build("job.c")], r0="SCOPE_OUTPUT="), cwd=folder, env=env)
    assert files(folder) == [] and len(spools(env)) == 2


def test_a_missing_directory_costs_no_rank_its_recording(mpi, build, env, folder):
    result = mpi.mpirun(3, [build("job.c")], cwd=folder, env={**env, "SCOPE_OUTPUT": "no/such/x.h5"})
    assert sorted(result.stdout.split()) == sorted("done 0 done 1 done 2".split())
    said = ours(result.stderr)
    assert len(said) == 2 and all("no/such" in line for line in said)
    assert files(folder) == [] and len(spools(env)) == 3


# ---- not all end together

def union(folder):
    """Own counts of all per-rank files: {rank: counts}."""
    found = {}
    for path in folder.glob("profiling_data.rank*.h5"):
        rank = int(re.fullmatch(r"profiling_data\.rank(\d+)\.h5", path.name).group(1))
        profile = Profile(path).check()
        assert profile.ranks() in ([rank], [0]), path
        found[rank] = profile.own_counts()
    return found


def test_an_unprofiled_program_in_the_job_costs_the_timeout_only(mpi, build, env, folder):
    profiled, bare = build("job.c"), build("job.c", ("-DWITHOUT_SCOPE",), ())
    result = run([f"mpirun.{mpi.suffix}", "-n", 2, profiled, "all", ":", "-n", 2, bare, "all"],
                 cwd=folder, env={**env, "SCOPE_GATHER_TIMEOUT": "3"})
    out = [line for line in result.stdout.splitlines() if "UCX  WARN" not in line]
    assert sorted(out) == [f"done {rank}" for rank in range(4)]  # UCX names what was given up
    assert len(ours(result.stderr)) == 1 and "SCOPE_GATHER_TIMEOUT" in ours(result.stderr)[0]
    assert union(folder) == {0: own(0, 4), 1: own(1, 4, idle=None)}
    assert files(folder) == ["profiling_data.rank0.h5", "profiling_data.rank1.h5"]


def test_a_rank_that_exits_keeps_its_own_recording(mpi, build, env, folder):
    result = mpi.mpirun(3, [build("job.c"), "exit"], cwd=folder, env=env, check=False)
    assert result.returncode != 0
    assert "profiling_data.h5" not in files(folder)
    path = folder / "profiling_data.rank1.h5"
    assert Profile(path).check().counts()["MPI_Init"] == 1
    for name in files(folder):  # a rank that the launcher let end by itself has its file, too
        assert re.fullmatch(r"profiling_data\.rank\d\.h5", name), name


def test_a_job_without_finalize_writes_a_file_per_rank(mpi, build, env, folder):
    mpi.mpirun(3, [build("job.c"), "no-finalize"], cwd=folder, env=env, check=False)
    assert "profiling_data.h5" not in files(folder)
    found = union(folder)  # the launcher may kill ranks while others exit without finalize
    kept = {rank: counts for rank, counts in found.items() if counts == own(rank, 3)}
    assert kept == found and (len(found) == 3 or spools(env))


def test_abort_leaves_the_spool_beside_the_output(mpi, build, env, folder):
    result = mpi.mpirun(3, [build("job.c"), "abort"], cwd=folder, env=env, check=False)
    assert result.returncode == 5
    assert any(name.endswith(".spool") for name in files(folder))
    run([mpi.install.scope, "recover", folder, "-o", folder / "back.h5"], env=env)
    counts = Profile(folder / "back.h5").counts()
    assert counts["before the abort"] == 1 and counts["MPI_Init"] >= 1


@pytest.mark.parametrize("libs", [None, ("-lscope",)], ids=["scope_mpi", "scope_only"])
def test_without_mpi_init_each_rank_writes_its_own(mpi, build, env, folder, libs):
    result = mpi.mpirun(4, [build("job.c", (), libs), "no-init"], cwd=folder, env=env)
    assert result.stdout == ""
    assert len(ours(result.stderr)) == 1
    assert union(folder) == {r: own(r, 1000) for r in (0, 2, 3)}


def test_the_runtime_alone_under_mpirun_writes_a_file_per_rank(mpi, build, env, folder):
    program = build("job.c", (), ("-lscope",))
    result = mpi.mpirun(4, [program, "init-first"], cwd=folder, env=env)
    assert sorted(result.stdout.split()) == sorted("done 0 done 1 done 2 done 3".split())
    assert len(ours(result.stderr)) == 1
    assert union(folder) == {r: Counter({**own(r, 4), "before MPI": 1}) for r in range(4)}
