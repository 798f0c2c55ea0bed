"""OpenMP programs: begin and end inside parallel regions, workers as lanes; with a runtime that
tells (OMPT) parallel regions, waiting and tasks.

SPDX-License-Identifier: MIT
"""
import glob
import re
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from support.jobs import run
from support.profile import CROSSED, IMPLIED, OPEN, ours
from test_sanitizers import sanitized  # noqa: F401: a fixture

HERE = Path(__file__).resolve().parent


def check(place, threads, rounds):
    profile = place.profile()
    assert profile.counts() == Counter(round=rounds, parallel=rounds * threads, iteration=64 * rounds)
    lanes = set(profile.thread[profile.select("parallel")].tolist())
    assert len(lanes) == threads
    rows = {t["index"]: t for t in profile.threads}
    for lane in lanes:
        assert rows[lane]["name"]
        assert rows[lane]["cpu_ns"] >= 0
        assert rows[lane]["native_id"] > 0
    assert len({rows[lane]["native_id"] for lane in lanes}) == threads
    main, = [lane for lane in lanes if lane == profile.thread[profile.select("round")[0]]]
    per_lane = Counter(profile.thread[profile.select("parallel")].tolist())
    assert set(per_lane.values()) == {rounds}
    assert rows[main]["cpu_ns"] > 0
    return profile


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("threads, rounds", [
    (4, 20), (16, 20), pytest.param(144, 100, marks=pytest.mark.long, id="k13-144")])
def test_k13_openmp(build, place, compiler, threads, rounds):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    program = build("openmp.c", ["-fopenmp"], compiler=compiler)
    result = place.run([program, rounds], OMP_NUM_THREADS=threads)
    assert ours(result.stderr) == [] and f"threads {threads}" in result.stdout
    check(place, threads, rounds)


def test_k13_openmp_under_asan(build, place):
    program = build("openmp.c", ["-fopenmp", "-fsanitize=address"])
    place.run([program, 10], OMP_NUM_THREADS=32, ASAN_OPTIONS="detect_leaks=0")
    check(place, 32, 10)


def test_preloaded_openmp_program_without_us_is_unchanged(place, install, tmp_path):
    source = tmp_path / "bare.c"
    source.write_text('#include <omp.h>\n#include <stdio.h>\nint main(void) { long sum = 0;\n'
                      '_Pragma("omp parallel for reduction(+:sum)") for (int i = 0; i < 100000; i++) sum += i;\n'
                      'printf("%ld %d\\n", sum, omp_get_max_threads()); return 0; }')
    program = install.compile(source, tmp_path / "bare", ["-fopenmp"], ())
    bare = place.run([program], OMP_NUM_THREADS=8)
    profiled = place.run([install.scope, "run", program], OMP_NUM_THREADS=8)
    assert profiled.stdout == bare.stdout


def test_k14_fortran_begin_and_end_inside_a_parallel_region(build, place, install):
    if not shutil.which("gfortran") or not list(install.lib.glob("libscope_fortran.so*")):
        pytest.skip("no Fortran here")
    program = build("openmp.f90", ["-fopenmp"], compiler="gfortran", libs=["-lscope_fortran", "-lscope"])
    for _ in range(3):
        result = place.run([program], OMP_NUM_THREADS=4)
        assert ours(result.stderr) == [] and "threads 4" in result.stdout
        profile = place.profile()
        assert profile.counts() == Counter({"parallel": 80, "by handle": 64 * 20})
        assert len(set(profile.thread.tolist())) == 4


# ---- what an OpenMP runtime tells (OMPT) ----

SLACK_NS = 100_000  # between the clock that the program read and times that were interpolated


@pytest.fixture(scope="session")
def libomp():
    found = sorted(glob.glob("/usr/lib/*/libomp.so.5") + glob.glob("/usr/lib/llvm-*/lib/libomp.so.5"))
    if not found:
        pytest.skip("no libomp.so.5 (Debian's libomp-dev)")
    return found[0]


@pytest.fixture(params=["clang linked", "clang run", "clang preloaded", "gcc on libomp"])
def start(request, build, install, libomp):
    """start("waits", 3) -> a command and variables: every way to get the recorder and the runtime."""
    compiler, way = request.param.split(" ", 1)
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    linked = way in ("linked", "on libomp")
    program = build("openmp_ompt.c", ["-fopenmp", *(["-DLINKED"] if linked else [])], compiler=compiler,
                    libs=["-lscope"] if linked else [])
    preload = {"preloaded": f"{install.lib}/libscope.so", "on libomp": libomp}.get(way)

    def command(*arguments):
        words = [install.scope, "run", program] if way == "run" else [program]
        return [*words, *arguments], {"SCOPE_OPENMP": 1, **({"LD_PRELOAD": preload} if preload else {})}

    return command


@pytest.fixture
def told(build, libomp):
    """The program, linked, with the runtime that tells."""
    if not shutil.which("clang"):
        pytest.skip("no clang")
    return build("openmp_ompt.c", ["-fopenmp", "-DLINKED"], compiler="clang")


def kinds(profile):
    """Calls by what they are, wherever they are: "OpenMP barrier main+0x5c" is "OpenMP barrier"."""
    result = Counter()
    for name, count in profile.counts().items():
        result[re.sub(r" \S+\+0x[0-9a-f]+$", "", name)] += count
    return result


def whole(profile, open_calls=0):
    """Nothing overlaps, nothing is lost, and all but `open_calls` have an end of their own."""
    for kind in ("implied", "crossed", "orphans"):
        assert not profile.misuse(kind), kind
    assert not np.any(profile.flags & (IMPLIED | CROSSED))
    assert np.count_nonzero(profile.flags & OPEN) == open_calls
    return profile


def lane_names(profile):
    return {row["index"]: row["name"] for row in profile.threads}


def numbers(profile, team):
    """{lane: number in the team} of a team whose first thread is the program's."""
    names, result = lane_names(profile), {}
    for lane in set(profile.thread.tolist()):
        match = re.fullmatch(r"OpenMP (\d+)", names[lane])
        result[lane] = int(match.group(1)) if match else 0
    assert sorted(result.values()) == list(range(team)), names
    return result


def rows_of(profile, kind):
    ids = [i for i, name in enumerate(profile.names) if re.match(rf"{kind}( \S+\+0x[0-9a-f]+)?$", name)]
    return np.nonzero(np.isin(profile.region, ids))[0]


def by_lane(profile, kind):
    """{number of the thread: its calls in time, as (start, end)}"""
    result, number = defaultdict(list), numbers(profile, len(set(profile.thread.tolist())))
    for row in rows_of(profile, kind):
        result[number[profile.thread[row]]].append((profile.start[row], profile.end[row]))
    return {thread: sorted(calls) for thread, calls in result.items()}


def check_waits(profile, stdout, team, rounds):
    """Each wait lies between what its thread read before and after, and ends when the last has come."""
    told = {}
    for line in stdout.splitlines():
        word, *values = line.split()
        if word == "round":
            told[int(values[0]), int(values[1])] = [int(v) for v in values[2:]]
    assert len(told) == team * rounds
    parallel, barrier, end = (by_lane(profile, f"OpenMP {k}") for k in ("parallel", "barrier", "implicit barrier"))
    for round in range(rounds):
        fork, join = told[round, 0][0], told[round, 0][4]
        came = max(told[round, thread][1] for thread in range(team))
        left = max(told[round, thread][3] for thread in range(team))
        for thread in range(team):
            _, before, after, last, _ = told[round, thread]
            start, stop = barrier[thread][round]
            assert before - SLACK_NS <= start and stop <= after + SLACK_NS and stop >= came - SLACK_NS
            start, stop = end[thread][round]
            assert last - SLACK_NS <= start and left - SLACK_NS <= stop <= join + SLACK_NS
            start, stop = parallel[thread][round]
            assert fork - SLACK_NS <= start and left - SLACK_NS <= stop <= join + SLACK_NS


@pytest.mark.parametrize("blocktime", [0, 200])
def test_waiting_at_barriers_is_what_the_program_saw(start, place, blocktime):
    """Also that of threads who sleep when their team ends, and of the last region."""
    command, variables = start("waits", 3, 6)
    result = place.run(command, KMP_BLOCKTIME=blocktime, **variables)
    assert ours(result.stderr) == []
    profile = whole(place.profile())
    counts = kinds(profile)
    # GNU's way into libomp does not say which barrier it is; the program has none but these two
    assert counts == {"OpenMP parallel": 18, "OpenMP barrier": 18, "OpenMP implicit barrier": 18}
    check_waits(profile, result.stdout, 3, 6)
    assert any(re.search(r" waits(\.\S+)?\+0x", name) for name in profile.names)


def test_tasks_are_no_waiting(told, place):
    place.run([told, "tasks", 3, 20], SCOPE_OPENMP=1)
    profile = whole(place.profile())
    counts = kinds(profile)
    assert counts == {"OpenMP parallel": 3, "OpenMP implicit barrier": 6, "OpenMP single": 1,
                      "OpenMP taskwait": 20, "OpenMP task": 40}
    outer = [(profile.thread[r], profile.start[r], profile.end[r])
             for kind in ("implicit barrier", "taskwait", "task") for r in rows_of(profile, f"OpenMP {kind}")]
    for row in rows_of(profile, "OpenMP taskwait"):
        assert any(lane == profile.thread[row] and start <= profile.start[row] and profile.end[row] <= end
                   for lane, start, end in outer if (start, end) != (profile.start[row], profile.end[row]))


def test_a_lock_is_waited_for_until_it_is_had(told, place):
    result = place.run([told, "locks", 3, 50], SCOPE_OPENMP=1)
    assert ours(result.stderr) == []
    counts = kinds(whole(place.profile()))
    assert counts["OpenMP critical wait"] == 150 and counts["OpenMP lock wait"] == 300


WORKS = ("loop", "sections", "single", "taskloop", "distribute")


def works(profile):
    return {kind: count for kind, count in ((k, kinds(profile)[f"OpenMP {k}"]) for k in WORKS) if count}


def check_inside(profile, kind):
    """Each lies in a parallel region of its thread, and in no wait but that of a thread of a teams construct."""
    parallel = [(profile.thread[r], profile.start[r], profile.end[r]) for r in rows_of(profile, "OpenMP (parallel|teams)")]
    for row in rows_of(profile, f"OpenMP {kind}"):
        assert any(lane == profile.thread[row] and start <= profile.start[row] and profile.end[row] <= end
                   for lane, start, end in parallel), kind


def test_worksharing_is_in_its_parallel_region(start, place):
    command, variables = start("works", 3, 5)
    result = place.run(command, **variables)
    assert ours(result.stderr) == []
    profile = whole(place.profile())
    found, gnu = works(profile), "LD_PRELOAD" in variables and "libomp" in str(variables["LD_PRELOAD"])
    # GNU's entry points give sections out as a loop
    assert found == ({"loop": 45, "single": 5, "taskloop": 5} if gnu
                     else {"loop": 30, "sections": 15, "single": 5, "taskloop": 5})
    assert kinds(profile)["OpenMP task"] >= 20
    for kind in found:
        check_inside(profile, kind)
    for row in rows_of(profile, "OpenMP taskloop"):
        assert any(profile.thread[single] == profile.thread[row] and profile.start[single] <= profile.start[row]
                   and profile.end[row] <= profile.end[single] for single in rows_of(profile, "OpenMP single"))
    waits = sorted((profile.thread[r], profile.start[r]) for k in ("barrier", "implicit barrier")
                   for r in rows_of(profile, f"OpenMP {k}"))
    for row in rows_of(profile, "OpenMP single"):  # it has ended where its thread waits
        assert not any(lane == profile.thread[row] and profile.start[row] <= time < profile.end[row] for lane, time in waits)


def test_loops_that_the_compiler_divides(told, place):
    place.run([told, "loops", 3, 5], SCOPE_OPENMP=1)
    profile = whole(place.profile())
    assert works(profile) == {"loop": 30}
    check_inside(profile, "loop")


def test_a_loop_that_is_cancelled_ends_at_its_barrier(start, place):
    command, variables = start("cancels", 3, 5)
    place.run(command, OMP_CANCELLATION="true", **variables)
    profile = whole(place.profile())
    assert works(profile) == {"loop": 15}
    check_inside(profile, "loop")


def test_teams_share_their_loops(told, place):
    result = place.run([told, "leagues", 2, 4], SCOPE_OPENMP=1)
    assert ours(result.stderr) == []
    profile = whole(place.profile())
    found = works(profile)
    # LLVM 14 tells the loop of only those threads that are the first of their team's
    assert found["distribute"] == 8 and found["loop"] in range(8, 17)
    for kind in found:
        check_inside(profile, kind)


def test_lanes_are_named_after_their_number(told, place):
    place.run([told, "nested"], SCOPE_OPENMP=1)
    profile = whole(place.profile())
    names = sorted(lane_names(profile)[lane] for lane in set(profile.thread.tolist()))
    assert [n for n in names if n.startswith("OpenMP")] == ["OpenMP 0.1", "OpenMP 1", "OpenMP 1.1", "OpenMP 2", "OpenMP 2.1"]
    assert kinds(profile)["OpenMP parallel"] == 3 + 6


def test_teams_of_changing_size(told, place):
    place.run([told, "vary", 4, 20], SCOPE_OPENMP=1)
    profile = whole(place.profile())
    assert kinds(profile)["OpenMP parallel"] == 5 * (1 + 2 + 3 + 4)
    assert {t: len(c) for t, c in by_lane(profile, "OpenMP parallel").items()} == {0: 20, 1: 15, 2: 10, 3: 5}


def test_tiny_regions_are_all_counted(told, place):
    place.run([told, "tiny", 2, 6000], SCOPE_OPENMP=1, SCOPE_MAX_BYTES="2M", SCOPE_THROTTLE="1000:1000000")
    profile = place.profile()
    total = profile.counts() + profile.folded()
    assert {name.split(" main")[0]: count for name, count in total.items()} == {
        "OpenMP parallel": 12000, "OpenMP implicit barrier": 12000}
    assert profile.folded()


def test_a_thread_that_exits_in_a_parallel_region(start, place):
    command, variables = start("exit", 3)
    result = place.run(command, check=False, **variables)
    assert result.returncode == 3 and ours(result.stderr) == []
    profile = place.profile()
    assert not profile.misuse("orphans") and not profile.misuse("implied")
    assert kinds(profile)["OpenMP parallel"] in (1, 2, 3)


def test_a_child_has_its_own_parallel_regions(told, place):
    place.run([told, "forks"], SCOPE_OPENMP=1)
    profile = whole(place.profile())
    assert kinds(profile)["OpenMP parallel"] == 3 + 2 + 2
    child, = place.folder.glob("run.h5.child-*")
    assert kinds(whole(place.profile(child.name)))["OpenMP parallel"] == 6


def test_a_session_that_begins_and_ends_inside_parallel_regions(told, place):
    result = place.run([told, "inside", 3], SCOPE_OPENMP=1)
    assert ours(result.stderr) == []
    profile = place.profile()
    for kind in ("implied", "crossed", "orphans"):
        assert not profile.misuse(kind)


def test_sessions_that_end_right_behind_a_parallel_region(told, place):
    result = place.run([told, "sessions", 3, 8], SCOPE_OPENMP=1, KMP_BLOCKTIME=0)
    assert ours(result.stderr) == []
    for name in ["run.h5", *(f"run.{n}.h5" for n in range(2, 9))]:
        profile = whole(place.profile(name))
        assert kinds(profile) == {"OpenMP parallel": 9, "OpenMP barrier": 3, "OpenMP implicit barrier": 9}


def test_a_pause_hides_what_begins_in_it(told, place):
    place.run([told, "pause", 3], SCOPE_OPENMP=1)
    profile = whole(place.profile())
    assert kinds(profile)["OpenMP parallel"] in (6, 7, 8)  # a worker may come to the third one late
    assert kinds(profile)["OpenMP implicit barrier"] >= 6


@pytest.mark.parametrize("filter, left", [
    ("-OpenMP*", {}), ("OpenMP parallel*", {"OpenMP parallel": 9}),
    ("-OpenMP parallel*", {"OpenMP barrier": 9, "OpenMP implicit barrier": 9})])
def test_filters(told, place, filter, left):
    place.run([told, "waits", 3, 3], SCOPE_OPENMP=1, SCOPE_FILTER=filter, KMP_BLOCKTIME=0)
    if left:
        assert kinds(whole(place.profile())) == left
    else:
        assert not place.output.exists()


def test_off_unless_asked_for(told, place):
    result = place.run([told, "waits", 3, 2])
    assert ours(result.stderr) == [] and not place.output.exists()


def test_libgomp_tells_nothing_and_we_say_so(build, place, install):
    program = build("openmp_ompt.c", ["-fopenmp"], libs=[])
    bare = place.run([program, "tiny", 3, 10])
    result = place.run([install.scope, "run", program, "tiny", 3, 10], SCOPE_OPENMP=1)
    assert result.stdout == bare.stdout
    assert any("libgomp tells nothing" in line for line in ours(result.stderr))


def test_as_a_tool_library(build, place, install, libomp):
    """Nothing linked, nothing preloaded: the runtime loads us."""
    if not shutil.which("clang"):
        pytest.skip("no clang")
    program = build("openmp_ompt.c", ["-fopenmp"], compiler="clang", libs=[])
    place.run([program, "waits", 3, 2], SCOPE_OPENMP=1, OMP_TOOL_LIBRARIES=install.lib / "libscope.so")
    assert kinds(whole(place.profile()))["OpenMP parallel"] == 6


@pytest.mark.parametrize("order", ["before", "behind"])
@pytest.mark.parametrize("on", [0, 1])
def test_another_tool_keeps_its_turn(build, place, install, libomp, order, on):
    if not shutil.which("clang"):
        pytest.skip("no clang")
    program = build("openmp_ompt.c", ["-fopenmp"], compiler="clang", libs=[])
    tool = build("openmp_tool.c", ["-shared", "-fPIC"], libs=[])
    libraries = [install.lib / "libscope.so", tool]
    preload = ":".join(map(str, libraries if order == "behind" else libraries[::-1]))
    result = place.run([program, "tiny", 3, 10], SCOPE_OPENMP=on, LD_PRELOAD=preload)
    assert "other tool: 10" in result.stdout
    said = ours(result.stderr)
    # one that stands before us is asked alone, by the runtime: we hear nothing of it
    assert said == [] if not on or order == "before" else "another tool" in said[0]
    assert not place.output.exists()


@pytest.mark.parametrize("compiler, runtime", [("clang", "libomp"), ("gcc", "libomp"), ("gcc", "libgomp")])
def test_beside_mpi(build, mpi, place, libomp, monkeypatch, compiler, runtime):
    """One file: each rank's MPI calls, its threads with their regions, and what the runtime tells."""
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    monkeypatch.setenv("OMPI_CC", compiler)
    monkeypatch.setenv("MPICH_CC", compiler)
    program = build("openmp_mpi.c", ["-fopenmp", f"-DBY_{compiler}"], mpi=mpi)
    preload = {"LD_PRELOAD": libomp} if (compiler, runtime) == ("gcc", "libomp") else {}
    result = place.mpirun(mpi, 2, [program, 5], SCOPE_OPENMP=1, **preload)
    said = ours(result.stderr)
    assert said == [] if runtime == "libomp" else all("libgomp tells nothing" in line for line in said)
    assert [path.name for path in place.folder.glob("*.h5")] == [place.output.name]
    profile = whole(place.profile())
    for rank in range(2):
        counts = profile.counts(rank)
        assert counts["MPI_Allreduce"] == 5 and counts["MPI_Init_thread"] == 1
        assert counts["step"] == 5 and counts["part"] == 10
        lanes = [set(profile.thread[profile.select(name, rank)].tolist()) for name in ("MPI_Allreduce", "part")]
        assert len(lanes[0]) == 1 and len(lanes[1]) == 2 and lanes[0] < lanes[1]
        told = sum(c for n, c in counts.items() if n.startswith("OpenMP parallel main"))
        assert told == (10 if runtime == "libomp" else 0)
    # the same names on both ranks, wherever the program was loaded
    assert len([n for n in profile.names if n.startswith("OpenMP parallel")]) == (runtime == "libomp")


def test_fortran_on_a_runtime_that_tells(build, place, install, libomp):
    if not shutil.which("gfortran") or not list(install.lib.glob("libscope_fortran.so*")):
        pytest.skip("no Fortran here")
    program = build("openmp.f90", ["-fopenmp"], compiler="gfortran", libs=["-lscope_fortran", "-lscope"])
    result = place.run([program], OMP_NUM_THREADS=3, SCOPE_OPENMP=1, LD_PRELOAD=libomp)
    assert ours(result.stderr) == [] and "threads 3" in result.stdout
    counts = kinds(whole(place.profile()))
    assert counts["OpenMP parallel"] == 60 and counts["parallel"] == 60 and counts["by handle"] == 64 * 20


def test_ompt_under_asan(build, place, libomp):
    if not shutil.which("clang"):
        pytest.skip("no clang")
    program = build("openmp_ompt.c", ["-fopenmp", "-DLINKED", "-fsanitize=address"], compiler="clang")
    place.run([program, "waits", 4, 4], SCOPE_OPENMP=1, ASAN_OPTIONS="detect_leaks=0")
    assert kinds(whole(place.profile()))["OpenMP parallel"] == 16


def test_the_recorder_of_openmp_under_asan_too(place, sanitized, libomp, tmp_path):
    """The whole runtime is; libomp is not, which a race detector would not understand."""
    if sanitized.name != "address":
        pytest.skip("libomp is not built for the thread sanitizer")
    program = tmp_path / "openmp_ompt"
    sanitized.install.compile(HERE / "openmp_ompt.c", program, [*sanitized.flags, "-fopenmp", "-DLINKED"])
    asan = run(["gcc", "-print-file-name=libasan.so"]).stdout.strip()
    for what in ("waits", "tasks", "locks", "works", "cancels", "leagues", "nested", "forks", "vary", "pause", "inside", "sessions"):
        environment = sanitized.environment(place, LD_PRELOAD=f"{asan}:{libomp}", SCOPE_OPENMP=1, KMP_BLOCKTIME=0)
        environment["ASAN_OPTIONS"] += ":detect_leaks=0"
        result = place.run([program, what, 3, 4], check=False, **environment)
        sanitized.clean(place, result)
