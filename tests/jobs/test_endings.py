"""Every way in which an MPI job starts and ends: one file, or the outcome that is promised.

SPDX-License-Identifier: MIT
"""
import json
import re
import shutil
import subprocess
import time
from collections import Counter

import h5py
import pytest

from support.profile import Profile, ours

pytestmark = pytest.mark.mpi


def tool_lines(result):
    """Our lines; the launcher may have put its own marks before them."""
    return [line for line in result.stderr.splitlines() if re.match(r"(\[[^]]*\])? ?scope:", line)]


def work(profile, rank):
    return profile.own_counts(rank)["work"]


def test_plain(mpi, build, place):
    result = place.mpirun(mpi, 3, [build("endings.c", mpi=mpi), "plain"])
    assert result.stdout == "done\n" and result.stderr == "", "a clean run says nothing"
    profile = place.profile()
    assert [work(profile, r) for r in range(3)] == [10, 11, 12]
    assert all(profile.mpi_counts(r) == Counter(MPI_Init=1, MPI_Barrier=1, MPI_Finalize=1) for r in range(3))
    assert place.files() == ["run.h5"] and place.spools() == []


def test_preloaded_program_that_knows_nothing(mpi, build, place, install):
    program = build("plain_mpi.c", mpi=mpi, libs=())
    bare = place.mpirun(mpi, 2, [program])
    for before in (["mpirun", "scope"], ["scope", "mpirun"]):
        if before[0] == "mpirun":
            result = place.mpirun(mpi, 2, [install.scope, "run", program])
        else:
            result = place.run([install.scope, "run", f"mpirun.{mpi.suffix}", "-n", 2, program])
        assert result.stdout == bare.stdout and result.stderr == bare.stderr
        profile = place.profile()
        for rank in range(2):
            assert profile.mpi_counts(rank) == Counter(MPI_Init=1, MPI_Barrier=5, MPI_Allreduce=5, MPI_Finalize=1)
        assert place.files() == ["run.h5"] and place.spools() == []
        place.output.unlink()


def test_scope_finalize_before_mpi_finalize(mpi, build, place):
    result = place.mpirun(mpi, 2, [build("endings.c", mpi=mpi), "finalize-first"])
    assert result.stderr == ""
    profile = place.profile()
    assert [work(profile, r) for r in range(2)] == [10, 11]
    assert place.files() == ["run.h5"]


def test_k01_regions_around_mpi_init_and_finalize(mpi, build, place):
    result = place.mpirun(mpi, 2, [build("endings.c", mpi=mpi), "early"])
    assert result.stdout == "done\n" and len(tool_lines(result)) <= 1
    profile = place.profile()
    for rank in range(2):
        assert work(profile, rank) == 11 + rank
        around = profile.select("around", rank)
        assert len(around) == 1 and profile.flags[around[0]] & 4, "open when the run ended"
        init = profile.select("MPI_Init", rank)[0]
        assert profile.start[around[0]] <= profile.start[init]


def test_k01_c_plus_plus_objects_that_outlive_mpi(mpi, build, place):
    program = place.folder / "static"
    from support.jobs import run
    here = __file__.rsplit("/", 1)[0]
    run([f"mpicxx.{mpi.suffix}", "-std=c++17", "-O1", "-DWITH_MPI", f"-I{place.install.include}",
         f"{here}/static_object.cpp", "-o", program, f"-L{place.install.lib}", f"-Wl,-rpath,{place.install.lib}",
         f"-lscope_mpi_{mpi.family}", "-lscope"], timeout=300)
    result = place.mpirun(mpi, 2, [program])
    assert result.stdout.replace("\n", "") == "done" * 2 and len(tool_lines(result)) <= 1
    profile = place.profile()
    for rank in range(2):
        assert profile.own_counts(rank) == Counter({"block": 1, "throws": 3, "static in main": 1})


@pytest.mark.parametrize("order", ["before", "after", "after, as needed", "core only", "preloaded"])
def test_k02_link_orders(mpi, build, place, install, order):
    """Before or after libmpi, with --as-needed, libscope alone, preloaded: one file each time.

    Where the wrappers cannot be reached one line says what to change."""
    ours_first = [f"-lscope_mpi_{mpi.family}", "-lscope"]
    libmpi = "-lmpi" if mpi.family == "ompi" else "-lmpich"
    libs = {"before": ours_first, "after": ["-Wl,--no-as-needed", libmpi, *ours_first],
            "after, as needed": ["-Wl,--as-needed", libmpi, *ours_first], "core only": ["-lscope"],
            "preloaded": ["-lscope"]}[order]
    program = build("endings.c", mpi=mpi, libs=libs)
    before = [install.scope, "run"] if order == "preloaded" else []
    result = place.mpirun(mpi, 2, [*before, program, "plain"])
    assert result.stdout == "done\n"
    lines = tool_lines(result)
    if order in ("before", "preloaded"):
        assert lines == []
    elif order == "after":
        assert len(lines) == 1 and "-lscope_mpi" in lines[0]
    profile_files = [n for n in place.files() if ".h5" in n]
    if order in ("before", "after", "preloaded"):
        assert profile_files == ["run.h5"]
        profile = place.profile()
        assert [work(profile, r) for r in range(2)] == [10, 11]
        if order != "after":
            assert profile.mpi_counts(1) == Counter(MPI_Init=1, MPI_Barrier=1, MPI_Finalize=1)
    else: # nobody starts a session or can gather: no file, or one that is not half
        assert all(Profile(place.folder / n).own_counts() for n in profile_files)


def test_libscope_alone_under_mpirun_writes_a_file_per_rank(mpi, build, place, install):
    """-lscope only, four ranks, scope_init by the program: names with .rank<r>, one line, merge joins."""
    program = build("endings.c", mpi=mpi, libs=["-lscope"])
    result = place.mpirun(mpi, 4, [program, "no-init"])
    names = [n for n in place.files() if n.endswith(".h5")]
    assert names == [f"run.rank{r}.h5" for r in range(4)]
    assert len(tool_lines(result)) == 1 and "scope merge" in tool_lines(result)[0]
    for rank, name in enumerate(names):
        assert place.profile(name).ranks() == [rank]
    place.run([install.scope, "merge", *names, "-o", "merged.h5"])
    merged = place.profile("merged.h5")
    assert [work(merged, r) for r in range(4)] == [10, 11, 12, 13] and merged.mpi_size == 4


def test_k04_mpi_init_never_called(mpi, build, place):
    """-lscope_mpi, but a program that never initialises MPI, with and without a launcher."""
    program = build("endings.c", mpi=mpi)
    result = place.run([program, "no-init"])
    assert len(tool_lines(result)) <= 1
    assert place.files() == ["run.h5"] and work(place.profile(), 0) == 10
    place.output.unlink()
    result = place.mpirun(mpi, 2, [program, "no-init"])
    assert place.files() == ["run.rank0.h5", "run.rank1.h5"] and len(tool_lines(result)) == 1


def test_k17_singleton_start(mpi, build, place, install):
    """Without mpirun, preloaded and linked: Open MPI forks a daemon that inherits us."""
    for command in ([build("endings.c", mpi=mpi), "plain"],
                    [install.scope, "run", build("plain_mpi.c", mpi=mpi, libs=())]):
        result = place.run(command, timeout=300)
        assert tool_lines(result) == [] and place.files() == ["run.h5"]
        profile = place.profile()
        assert profile.mpi_size == 1 and profile.mpi_counts(0)["MPI_Barrier"] >= 1
        assert place.spools() == []
        place.output.unlink()


def test_exit_on_one_rank_while_another_waits(mpi, build, place):
    """No collective in atexit: the job ends as it does without us, and nothing is lost."""
    result = place.mpirun(mpi, 3, [build("endings.c", mpi=mpi), "exit"], check=False, SCOPE_GATHER_TIMEOUT=10)
    assert result.returncode != 0
    counts = everything_that_is_left(place)
    assert counts[1]["work"] == 11
    assert counts[0]["work"] == 10 and counts[2]["work"] == 12


def everything_that_is_left(place):
    """{rank: counts}, from files of single ranks and from spools."""
    found = {}
    for name in place.files():
        if ".h5" in name:
            profile = Profile(place.folder / name)
            for rank in profile.ranks():
                found[rank] = profile.own_counts(rank)
    if place.spools():
        profile = place.recover()
        for rank in profile.ranks():
            found[rank] = max(found.get(rank, Counter()), profile.own_counts(rank), key=lambda c: c.total())
    return found


def test_k07_one_rank_is_killed_and_its_node_is_lost(mpi, build, place, install):
    """What is there opens, and the rank of which nothing is left is named, also in the file."""
    nodes = ["sh", "-c", 'SCOPE_SPOOL_DIR="$SCOPE_SPOOL_DIR/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}"; mkdir "$SCOPE_SPOOL_DIR"; '
             'export SCOPE_SPOOL_DIR; exec "$0" "$@"']
    place.mpirun(mpi, 4, [*nodes, build("deaths.c", mpi=mpi), "kill", place.folder], check=False)
    until_all_are_dead(place)
    shutil.rmtree(place.spool / "1")
    said = place.run([install.scope, "recover", *place.spool.iterdir(), "-o", "left.h5"]).stdout
    assert "3 of 4 ranks" in said and "rank 1: left nothing" in said
    profile = place.profile("left.h5")
    assert profile.ranks() == [0, 2, 3] and profile.mpi_size == 4
    assert all(profile.all_counts(rank)["work"] == 1000 for rank in (0, 2, 3))
    shown = json.loads(place.run([install.scope, "inspect", "--json", "left.h5"]).stdout)
    assert shown["num_ranks"] == 4 and shown["warnings"]["recovered"]
    assert [rank["num_calls"] > 0 for rank in shown["ranks"]] == [True, False, True, True]


def until_all_are_dead(place):
    """Some launchers end before the last of their ranks."""
    until = time.monotonic() + 300
    while "running" in place.run([place.install.scope, "recover", "--list", *place.spool.iterdir()]).stdout:
        assert time.monotonic() < until, "a rank is not killed"
        time.sleep(0.05)


KINDS = [["regions", "threads", "tasks", "counters", "marks"], [], ["counters"], ["threads"], ["tasks", "marks"]]


def test_k08_ranks_without_lanes_tasks_or_counters_are_joined(build, place, install):
    """Each rank's recording lacks other tables, one has none at all; none ended in MPI_Finalize."""
    program = build("mixed.c", ["-pthread"])
    for rank, kinds in enumerate(KINDS):
        place.run([program, *kinds], check=False, PMI_RANK=rank, PMI_SIZE=len(KINDS), SCOPE_RUN_ID="ab" * 16)
    profile = place.recover()
    assert profile.mpi_size == len(KINDS)
    wanted = {"regions": "region", "threads": "in a thread", "tasks": "in a task"}
    for rank, kinds in enumerate(KINDS):
        assert profile.counts(rank) == Counter(wanted[kind] for kind in kinds if kind in wanted), rank
        for table, kind in (("counters", "counters"), ("marks", "marks")):
            found = profile.scope.get(f"{table}/ranks", [])
            assert list(found).count(rank) == (kind in kinds), (rank, table)
    merged = place.run([install.scope, "inspect", "--json", "recovered.h5"]).stdout
    assert json.loads(merged)["num_ranks"] == len(KINDS)


@pytest.mark.parametrize("how", ["linked", "preloaded too"])
@pytest.mark.parametrize("order", ["before", "after"])
def test_k05_an_hdf5_file_left_open_at_exit(build, place, install, order, how):
    """HDF5's own handler and ours at the end of one process: it ends, with both files."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "hdf5-serial"], capture_output=True, text=True,
                           check=False).stdout.split()
    if not flags:
        pytest.skip("pkg-config knows no hdf5-serial")
    program = build("open_file.c", [flag for flag in flags if flag.startswith("-I")],
                    libs=["-lscope", *(flag for flag in flags if not flag.startswith("-I"))])
    result = place.run([*([install.scope, "run"] if how != "linked" else []), program, order], timeout=300)
    assert (result.stdout, result.stderr) == ("", "")
    with h5py.File(place.folder / "own.h5") as file:
        assert file["x"][()] == 42
    assert place.profile().counts() == Counter(write=1) and place.spools() == []


def test_mpi_abort(mpi, build, place):
    result = place.mpirun(mpi, 3, [build("endings.c", mpi=mpi), "abort"], check=False)
    assert result.returncode == 5
    assert list(place.folder.glob("*.spool")), "its spool was copied beside the output first"
    profile = place.recover(place.spool, *place.folder.glob("*.spool")) if place.spools() else \
        place.recover(*place.folder.glob("*.spool"))
    assert work(profile, 1) == 11
    kinds = dict(zip(profile.scope["ranks/ranks"].tolist(),
                     zip(profile.scope["ranks/end_kinds"].tolist(), profile.scope["ranks/end_values"].tolist())))
    assert kinds[1] == (4, 5)


def test_a_program_without_us_in_the_job(mpi, build, place):
    """MPMD with one program unprofiled: the others give up after the timeout and keep their own."""
    with_us, without = build("endings.c", mpi=mpi), build("endings.c", ["-DSCOPE_DISABLE"], mpi=mpi, libs=())
    result = place.run([f"mpirun.{mpi.suffix}", "-n", 1, with_us, "plain", ":", "-n", 1, without, "plain"],
                       SCOPE_GATHER_TIMEOUT=3)
    said = [line for line in result.stdout.splitlines() if "UCX" not in line] # of the barrier that we gave up
    assert said == ["done"] and len(tool_lines(result)) >= 1
    assert everything_that_is_left(place)[0]["work"] == 10


def test_a_wrapper_script_around_one_rank(mpi, build, place, install):
    """scope run around a shell script on every rank: the script's program has the rank."""
    script = place.folder / "job.sh"
    script.write_text(f'#!/bin/sh\nuname >/dev/null\n{build("plain_mpi.c", mpi=mpi, libs=())} 3\nrc=$?\ntrue\nexit $rc\n')
    script.chmod(0o755)
    result = place.mpirun(mpi, 2, [install.scope, "run", script])
    assert tool_lines(result) == [] and place.files() == ["run.h5"]
    profile = place.profile()
    assert [profile.mpi_counts(r)["MPI_Barrier"] for r in range(2)] == [3, 3]


@pytest.mark.parametrize("seed", [1, 2])
def test_k24_k30_ranks_with_different_regions(mpi, build, place, seed):
    """Disjoint random region sets, a rank with none, threads' own names: the union, exactly."""
    check_different_regions(mpi, 8 if mpi.family == "ompi" else 3, build, place, seed)


@pytest.mark.parametrize("ranks", [1, pytest.param(64, marks=pytest.mark.long)])
def test_k24_k30_one_rank_and_many(openmpi, build, place, ranks):
    check_different_regions(openmpi, ranks, build, place, 3)


def check_different_regions(mpi, ranks, build, place, seed):
    result = place.mpirun(mpi, ranks, [build("ranks.c", ["-pthread"], mpi=mpi), seed], timeout=300)
    wanted = {rank: Counter() for rank in range(ranks)}
    for line in result.stdout.splitlines():
        rank, name, count = line.split("|")
        wanted[int(rank)][name] += int(count)
    profile = place.profile()
    assert {rank: profile.own_counts(rank) for rank in range(ranks)} == wanted
    assert profile.own_counts(ranks - 1)["only on the last rank"] == 7
    if ranks > 1:
        assert not wanted[1] and profile.mpi_counts(1) == Counter(MPI_Init_thread=1, MPI_Finalize=1)
    lanes = Counter(t["ranks"] for t in profile.threads)
    assert all(lanes[rank] == 1 + (rank % 4 if rank != 1 else 0) for rank in range(ranks))


def test_k24_ranks_without_any_row(mpi, build, place):
    """MPI filtered away: rank 1 has no row at all and is still a rank of the job."""
    place.mpirun(mpi, 3, [build("ranks.c", ["-pthread"], mpi=mpi)], SCOPE_FILTER="-MPI_*")
    profile = place.profile()
    assert profile.ranks() == [0, 2] and profile.mpi_size == 3
    assert profile.counts(2)["only on a worker of the last rank"] == 10


def test_one_rank_disabled_still_takes_part(mpi, build, place, tmp_path):
    script = place.folder / "off.sh"
    script.write_text('#!/bin/sh\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ] && export SCOPE_ENABLE=0\nexec "$@"\n')
    script.chmod(0o755)
    result = place.mpirun(mpi, 3, [script, build("endings.c", mpi=mpi), "plain"], SCOPE_GATHER_TIMEOUT=20)
    assert result.stdout == "done\n"
    profile = place.profile()
    assert profile.ranks() == [0, 2] and work(profile, 2) == 12


def test_one_rank_that_cannot_make_its_spool(mpi, build, place):
    script = place.folder / "nospool.sh"
    script.write_text('#!/bin/sh\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ] && '
                      'export SCOPE_SPOOL_DIR=/proc/none\nexec "$@"\n')
    script.chmod(0o755)
    place.mpirun(mpi, 2, [script, build("endings.c", mpi=mpi), "plain"])
    profile = place.profile()
    assert [work(profile, r) for r in range(2)] == [10, 11]


def test_full_disk_for_the_output_of_a_job(mpi, build, place, small_disk):
    """An error on every rank, spools stay, one line, the program's own exit code."""
    disk = small_disk("16k")
    result = place.mpirun(mpi, 2, [build("endings.c", mpi=mpi), "plain"], SCOPE_OUTPUT=disk / "run.h5")
    assert result.stdout == "done\n" and len(tool_lines(result)) == len(result.stderr.splitlines()) == 1
    assert list(disk.iterdir()) == []
    profile = place.recover()
    assert [work(profile, r) for r in range(2)] == [10, 11]


def test_the_name_is_rank_0s(mpi, build, place):
    """%x differs between the programs of a job: one file, named after rank 0's program."""
    programs = [shutil.copy(build("endings.c", mpi=mpi), place.folder / name) for name in ("first", "second")]
    result = place.run([f"mpirun.{mpi.suffix}", "-n", 1, programs[0], "plain", ":", "-n", 1, programs[1], "plain"],
                       SCOPE_OUTPUT=place.folder / "%x.h5")
    assert result.stdout == "done\n" and tool_lines(result) == []
    assert place.files() == ["first.h5"] and place.spools() == []
    profile = place.profile("first.h5")
    assert [work(profile, r) for r in range(2)] == [10, 11]


@pytest.mark.parametrize("rank_0", ["SCOPE_ENABLE=0", "SCOPE_SPOOL=0"])
def test_the_line_on_failure_speaks_of_all_ranks(mpi, build, place, rank_0):
    """No file can be made; rank 0 has no spool, but rank 1 keeps one: that is what the line says."""
    script = place.folder / "first.sh"
    script.write_text(f'#!/bin/sh\n[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = 0 ] && export {rank_0}\nexec "$@"\n')
    script.chmod(0o755)
    result = place.mpirun(mpi, 2, [script, build("endings.c", mpi=mpi), "plain"],
                          SCOPE_OUTPUT="/proc/none/run.h5", SCOPE_GATHER_TIMEOUT=20)
    lines = [line for line in tool_lines(result) if "was not written" in line]
    assert result.stdout == "done\n" and len(lines) == 1
    assert "the recording is kept: scope recover " in lines[0]
    assert ("that of 1 rank was in memory and is lost" in lines[0]) == (rank_0 == "SCOPE_SPOOL=0")
    folder, run_id = re.search("scope recover (\\S+) --run=([0-9a-f]{12}) -o ", lines[0]).groups()
    assert run_id
    assert work(place.recover(folder), 1) == 11


@pytest.mark.parametrize("order", ["tool first", "scope first", "pmpi tool behind"])
def test_k21_two_tools_in_the_chain(mpi, build, place, install, order):
    tool = place.folder / "tool.so"
    here = __file__.rsplit("/", 1)[0]
    from support.jobs import run
    run([f"mpicc.{mpi.suffix}", "-O1", "-shared", "-fPIC", *(["-DPMPI"] if "pmpi" in order else []),
         f"{here}/second_tool.c", "-o", tool, "-ldl"])
    program = build("plain_mpi.c", mpi=mpi, libs=())
    scope = f"{install.lib}/libscope.so:{mpi.library}"
    preload = f"{tool}:{scope}" if order == "tool first" else f"{scope}:{tool}"
    result = place.mpirun(mpi, 2, ["env", f"LD_PRELOAD={preload}", program])
    said = sorted(line for line in result.stderr.splitlines() if "tool" in line)
    assert [line.split("tool ")[1] for line in said] == ["0 5 5", "1 5 5"]
    profile = place.profile()
    for rank in range(2):
        assert profile.mpi_counts(rank) == Counter(MPI_Init=1, MPI_Barrier=5, MPI_Allreduce=5, MPI_Finalize=1)


def test_k26_a_program_with_open_hdf5_ids(openmpi, build, place):
    """HDF5 initialised before MPI_Init, an id left open: both files complete.

    HDF5 1.10 itself then calls MPI after MPI_Finalize and the program fails; it
    must do so with us exactly as it does without. Whether rank 0's line is out
    before the launcher ends it for the other rank's failure is a race."""
    flags, hdf5 = ["-I/usr/include/hdf5/openmpi"], ["-L/usr/lib/x86_64-linux-gnu/hdf5/openmpi", "-lhdf5"]
    program = build("hdf5_app.c", flags, mpi=openmpi, libs=["-lscope_mpi_ompi", "-lscope", *hdf5])
    bare = build("hdf5_app.c", [*flags, "-DSCOPE_DISABLE"], mpi=openmpi, libs=hdf5)
    alone = place.mpirun(openmpi, 2, [bare, place.folder / "alone.h5"], check=False)
    result = place.mpirun(openmpi, 2, [program, place.folder / "data.h5"], check=False)
    assert result.stdout in ("done\n", "") and tool_lines(result) == []
    assert bool(result.returncode) == bool(alone.returncode)
    with h5py.File(place.folder / "data.h5") as file:
        assert file["ranks"][()].tolist() == [0, 1]
    profile = place.profile()
    assert [profile.own_counts(r) for r in range(2)] == [Counter(write=1)] * 2


@pytest.mark.parametrize("ranks", [16, pytest.param(64, marks=pytest.mark.long)])
def test_k29_many_ranks_one_file_few_words(openmpi, build, place, ranks):
    result = place.mpirun(openmpi, ranks, [build("endings.c", mpi=openmpi), "plain"], timeout=300)
    assert len(result.stderr.splitlines()) <= 1 and result.stdout == "done\n"
    assert place.files() == ["run.h5"] and place.spools() == []
    profile = place.profile()
    assert [work(profile, r) for r in range(ranks)] == [10 + r for r in range(ranks)]


@pytest.mark.parametrize("policy", ["fold", "stop", "ring"])
def test_k35_ten_million_calls_before_mpi_init_in_4_mib(openmpi, build, place, policy):
    count = 10_000_000
    result = place.mpirun(openmpi, 2, [build("early_events.c", mpi=openmpi), count], SCOPE_MAX_BYTES="4M",
                          SCOPE_POLICY=policy, timeout=300)
    assert len(tool_lines(result)) == 1, "said once for the job"
    profile = place.profile()
    for rank in range(2):
        counts, lost = profile.all_counts(rank), profile.lost(rank)
        if policy == "fold":
            assert counts["early"] == count and lost == 0 and counts["late"] == 1
        else:
            assert 0 < counts["early"] < count
            assert 2 * (count - counts["early"]) <= lost + 2
            if policy == "ring":
                assert counts["late"] == 1, "the latest calls are kept"


def test_wrong_family_preloaded_stands_aside(mpi, build, place, install):
    """The other family's library in the chain: one line, the program's own results."""
    other = "mpich" if mpi.family == "ompi" else "ompi"
    library = install.lib / f"libscope_mpi_{other}.so"
    if not library.exists():
        pytest.skip(f"no {other} library in this install")
    program = build("plain_mpi.c", mpi=mpi, libs=())
    bare = place.mpirun(mpi, 2, [program])
    result = place.mpirun(mpi, 2, ["env", f"LD_PRELOAD={install.lib}/libscope.so:{library}", program])
    assert result.stdout == bare.stdout and len(tool_lines(result)) == 1
    for command in (["true"], ["sh", "-c", "echo hi"], ["python3", "-c", "print('hi')"]):
        result = place.run(["env", f"LD_PRELOAD={install.lib}/libscope.so:{library}", *command])
        assert result.stderr == "" and place.files() in ([], ["run.h5"])


def test_partial_0_on_one_rank_only(mpi, build, place):
    """The others do not meet it in MPI_Init: it gives up in a sentence, and so does the end."""
    script = place.folder / "partial.sh"
    script.write_text('#!/bin/sh\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 1 ] && export SCOPE_PARTIAL=0\nexec "$@"\n')
    script.chmod(0o755)
    result = place.mpirun(mpi, 2, [script, build("endings.c", mpi=mpi), "plain"], SCOPE_GATHER_TIMEOUT=2)
    assert [line for line in ours(result.stderr) if "SCOPE_PARTIAL" in line] == [
        "scope: SCOPE_PARTIAL=0, but not every rank came to MPI_Init with it within 2 s (SCOPE_GATHER_TIMEOUT): "
        "each rank keeps its own recording"]
    assert {rank: work["work"] for rank, work in everything_that_is_left(place).items()} == {0: 10, 1: 11}
