"""mpi4py programs under both MPIs: one file with all ranks, lanes in it, and nobody hangs.

SPDX-License-Identifier: MIT
"""
import importlib.util
import json
import sys
from pathlib import Path

import pytest

from support.jobs import environment, run

sp = pytest.importorskip("scope_profiler")
pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(importlib.util.find_spec("mpi4py") is None, reason="no mpi4py here"),
]


@pytest.fixture
def mpirun(mpi, tmp_path):
    """mpirun(code, ranks=2, ...) -> what the ranks printed, as one list of JSON values by rank."""
    libraries = tmp_path / "mpich"
    libraries.mkdir()
    extra = {}
    if mpi.family == "mpich":  # the name that mpi4py of pip looks for; Debian has another
        source = next(Path("/usr/lib").glob("*/libmpich.so.12"), None)
        if source is None:
            pytest.skip("no libmpich.so.12")
        (libraries / "libmpi.so.12").symlink_to(source)
        extra = {"LD_LIBRARY_PATH": libraries, "MPI4PY_MPIABI": "mpich"}

    def place(**env):
        return environment(**extra, SCOPE_SPOOL_DIR=tmp_path, **env)

    def go(code, ranks=2, before=(), check=True, timeout=300, **env):
        script = tmp_path / "script.py"
        script.write_text(PRELUDE + code)
        result = mpi.mpirun(ranks, [*before, sys.executable, script], timeout, check, tmp_path, place(**env))
        said = {}
        for line in result.stdout.splitlines():
            if line.startswith("@"):
                rank, value = json.loads(line[1:])
                said[rank] = value
        result.said = [said.get(rank) for rank in range(ranks)]
        return result

    go.place = place
    return go


PRELUDE = """\
import json, os, sys, threading, time, warnings
from mpi4py import MPI
import scope_profiler as sp
comm = MPI.COMM_WORLD
rank = comm.rank
def say(value):
    os.write(1, ("@" + json.dumps([rank, value]) + "\\n").encode())
def counts(results):
    return {name: {r: results[name][r].num_calls for r in results[name].ranks} for name in results.region_names}
def leave_after_rank_0():  # without MPI_Finalize; a launcher ends the others then
    if rank == 0:
        open("rank 0 is done", "w").close()
    until = time.monotonic() + 200
    while not os.path.exists("rank 0 is done") and time.monotonic() < until:
        time.sleep(0.05)
    os._exit(0)
"""


def counts(results):
    return {name: {r: results[name][r].num_calls for r in results[name].ranks}
            for name in results.region_names}


LANES = """
def work():
    with sp.region("thread"):
        pass
with sp.session(output=OUTPUT, verbose=False, return_results=True, track_threads=True) as run:
    with sp.region("all"):
        comm.barrier()
    for _ in range(rank + 1):
        with sp.region(f"only {rank}"):
            pass
    thread = threading.Thread(target=work, name=f"worker {rank}")
    thread.start()
    thread.join()
results = run.results
say([results.is_root, counts(results), {r: [t.name for t in ts] for r, ts in results.threads.items()},
     {r: len(results.call_graph(r)) for r in range(results.num_ranks)}])
"""


@pytest.mark.parametrize("output", ["run.h5", "run.json.gz", None])
def test_rank_0_has_all_ranks_and_their_lanes(mpirun, tmp_path, output):
    said = mpirun(f"OUTPUT = {output!r}" + LANES).said
    assert said[1] == [False, {}, {}, {}]
    expected = {"scope_profiler.session": {"0": 1, "1": 1}, "all": {"0": 1, "1": 1}, "only 0": {"0": 1},
                "thread": {"0": 1, "1": 1}, "only 1": {"1": 2}}
    assert said[0] == [True, expected, {"0": ["MainThread", "worker 0"], "1": ["MainThread", "worker 1"]},
                       {"0": 4, "1": 5}]
    if output:
        results = sp.load(tmp_path / output)
        assert counts(results) == {name: {int(r): n for r, n in of.items()}
                                   for name, of in expected.items()}
        assert results.num_ranks == 2 and [t.name for t in results.threads[1]] == ["MainThread", "worker 1"]
        for r in (0, 1):  # lanes are on the calls' own timeline
            thread = results.threads[r][1]
            call = [e for e in results.events(ranks=[r]) if e["name"] == "thread"][0]
            assert thread.start_time <= call["start"] <= call["end"] <= thread.end_time


def test_four_ranks_of_which_one_records_nothing(mpirun, mpi):
    if mpi.family == "mpich":
        pytest.skip("MPICH: slow with more ranks than cores")
    said = mpirun("""
sp.setup(output="run.h5")
if rank != 2:
    with sp.region("work"):
        pass
results = sp.finalize(verbose=False, return_results=True)
say(counts(results))
""", ranks=4).said
    assert said == [{"work": {"0": 1, "1": 1, "3": 1}}, {}, {}, {}]


def test_checkpoints_report_what_is_new_on_every_rank(mpirun, tmp_path):
    said = mpirun("""
sp.setup(output="run.h5")
found = []
for turn in range(3):
    for _ in range(turn + rank):
        with sp.region("work"):
            pass
    found.append(counts(sp.finalize(verbose=False, return_results=True)))
say(found)
""").said
    assert said[0] == [{"work": {"1": 1}}, {"work": {"0": 1, "1": 2}}, {"work": {"0": 2, "1": 3}}]
    assert counts(sp.read_h5(tmp_path / "run.h5")) == {"work": {0: 2, 1: 3}}


def test_aggregation_has_sums_of_every_rank(mpirun, tmp_path):
    mpirun("""
with sp.session(output="run.h5", verbose=False, aggregation_mode=True):
    for _ in range(100 * (rank + 1)):
        with sp.region("work"):
            pass
""")
    results = sp.read_h5(tmp_path / "run.h5")
    assert counts(results)["work"] == {0: 100, 1: 200}
    assert results["work"].total_duration > 0


def test_metadata_of_calls_comes_from_every_rank(mpirun, tmp_path):
    mpirun("""
with sp.session(output="run.h5", verbose=False, label="mine"):
    with sp.metadata(rank=rank):
        with sp.region("work", tags=["io"]):
            pass
""")
    results = sp.read_h5(tmp_path / "run.h5")
    assert [results["work"][r].event_metadata for r in (0, 1)] == [({"rank": 0},), ({"rank": 1},)]
    assert results["work"].tags == ("io",) and results.label == "mine"


def test_a_missing_folder_fails_on_every_rank_and_nobody_waits(mpirun):
    said = mpirun("""
try:
    with sp.session(output="missing/run.h5", verbose=False):
        with sp.region("work"):
            pass
except Exception as error:
    say(type(error).__name__)
sp.reset()
""").said
    assert said == ["FileNotFoundError", "RuntimeError"]


def test_a_rank_whose_calls_overlap_keeps_its_times(mpirun, tmp_path):
    said = mpirun("""
first, second = threading.Event(), threading.Event()
def overlap(name, waits, tells):
    with sp.region(name):
        tells.set()
        waits.wait(300)
def turn(name):
    first.wait(300)
    with sp.region(name):
        second.set()
        thread.join(300)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with sp.session(output="run.h5", verbose=False):
        if rank == 1:
            thread = threading.Thread(target=overlap, args=("a", second, first))
            other = threading.Thread(target=turn, args=("b",))
            thread.start()
            other.start()
            other.join(300)
say([w.category.__name__ for w in caught if "call graph" in str(w.message)])
""").said
    assert said == [[], ["RuntimeWarning"]]
    results = sp.read_h5(tmp_path / "run.h5")
    assert counts(results) == {"scope_profiler.session": {0: 1, 1: 1}, "a": {1: 1}, "b": {1: 1}}
    assert len(results.call_graph(0)) == 1
    with pytest.raises(sp.NestingError):
        results.call_graph(1)


def test_a_rank_that_does_not_come_leaves_the_others_with_their_own_files(mpirun, tmp_path):
    said = mpirun("""
sp.setup(output="run.h5")
with sp.region("work"):
    pass
if rank == 0:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sp.finalize(verbose=False)
    say([str(w.message) for w in caught])
leave_after_rank_0()
""", SCOPE_GATHER_TIMEOUT=1, check=False).said
    assert len(said[0]) == 1 and "SCOPE_GATHER_TIMEOUT" in said[0][0]
    assert counts(sp.read_h5(tmp_path / "run.rank0.h5")) == {"work": {0: 1}}


def test_a_warning_that_is_an_error_costs_a_rank_no_file(mpirun, tmp_path):
    said = mpirun("""
warnings.simplefilter("error")
sp.setup(output=f"run{rank}.h5")
with sp.region("work"):
    pass
try:
    sp.finalize(verbose=False)
except RuntimeWarning:
    say("told")
""").said
    assert said == ["told", "told"]
    for rank in (0, 1):
        assert counts(sp.read_h5(tmp_path / f"run{rank}.rank{rank}.h5")) == {"work": {rank: 1}}


def test_a_filter_that_hdf5_lacks_costs_the_ranks_nothing(mpirun, tmp_path):
    mpirun("""
warnings.simplefilter("ignore")
with sp.session(output="run.h5", verbose=False, hdf5_compression="zstd"):
    with sp.region("work"):
        pass
""")
    assert counts(sp.read_h5(tmp_path / "run.h5"))["work"] == {0: 1, 1: 1}


def test_later_checkpoints_of_a_lonely_rank_keep_their_name(mpirun, tmp_path):
    mpirun("""
warnings.simplefilter("ignore")
sp.setup(output="run.h5")
for name in ("a", "b"):
    with sp.region(name):
        pass
    if rank == 0:
        sp.finalize(verbose=False)
leave_after_rank_0()
""", SCOPE_GATHER_TIMEOUT=1, check=False)
    assert [path.name for path in tmp_path.glob("*.h5")] == ["run.rank0.h5"]
    assert counts(sp.read_h5(tmp_path / "run.rank0.h5")) == {"b": {0: 1}}


@pytest.mark.parametrize("finalized", [False, True])
def test_a_finalize_after_mpi_has_ended_writes_a_file_per_rank(mpirun, tmp_path, finalized):
    said = mpirun(f"FINALIZED = {finalized}" + """
sp.setup(output="run.h5")
with sp.region("before"):
    pass
if FINALIZED:
    sp.finalize(verbose=False)
with sp.region("after"):
    pass
MPI.Finalize()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    sp.finalize(verbose=False)
say([str(w.message) for w in caught])
""").said
    assert all(len(one) == 1 and "MPI has ended" in one[0] for one in said)
    for rank in (0, 1):
        found = counts(sp.read_h5(tmp_path / f"run.rank{rank}.h5"))
        assert found["after"] == {rank: 1} and ("before" in found) is not finalized


@pytest.mark.parametrize("settings", [
    'output="run.h5" if rank else None', 'output="run.json" if rank else "run.h5"',
    'output=f"run{rank}.h5"', 'output="run.h5", aggregation_mode=bool(rank)'])
def test_ranks_that_are_set_up_differently_lose_nothing(mpirun, tmp_path, settings):
    said = mpirun(f"""
sp.setup({settings})
with sp.region("work"):
    pass
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    results = sp.finalize(verbose=False, return_results=True)
say([counts(results), sum("different outputs" in str(w.message) for w in caught)])
""").said
    assert [one[0] for one in said] == [{"work": {"0": 1}}, {"work": {"1": 1}}]
    files = list(tmp_path.glob("run*"))
    assert len(files) == sum(one[1] for one in said) >= 1
    assert all(counts(sp.load(path))["work"] for path in files)


def test_what_one_rank_wants_back_is_no_matter_of_the_others(mpirun):
    said = mpirun("""
sp.setup(output=None)
with sp.region("work"):
    pass
results = sp.finalize(verbose=False, return_results=rank == 0)
say(None if results is None else counts(results))
""").said
    assert said == [{"work": {"0": 1, "1": 1}}, None]


def test_a_rank_0_that_cannot_join_the_profiles_leaves_nobody_waiting(mpirun):
    said = mpirun("""
from scope_profiler import _read
def no_room(tables):
    raise MemoryError("no room")
if rank == 0:
    _read.merge = no_room
try:
    with sp.session(output="run.json", verbose=False):
        with sp.region("a"):
            pass
except Exception as error:
    say(type(error).__name__)
""").said
    assert said == ["MemoryError", "RuntimeError"]


def test_children_of_a_rank_are_no_ranks(mpirun, tmp_path):
    said = mpirun("""
import multiprocessing
def work(number):
    manager = sp.ProfileManager()
    with manager.session(output=f"child {number}.h5", verbose=False):
        with manager.region("work"):
            pass
    return number
if __name__ == "__main__":
    with sp.session(output="run.h5", verbose=False):
        process = multiprocessing.Process(target=work, args=(rank,))
        process.start()
        process.join()
    say(process.exitcode)
""").said
    assert said == [0, 0]
    for number in (0, 1):
        assert counts(sp.read_h5(tmp_path / f"child {number}.h5"))["work"] == {0: 1}


CALLS = """
other = 1 - rank
with sp.session(output="run.h5", verbose=False, profile_mpi_calls=True, SETTINGS):
    comm = MPI.COMM_WORLD
    comm.barrier()
    comm.bcast(bytearray(10), root=1)
    if rank == 0:
        comm.Send(bytearray(b"12345"), dest=1, tag=7)
        comm.isend("text", dest=1, tag=8).wait()
    else:
        comm.Recv(bytearray(5), source=MPI.ANY_SOURCE, tag=7)
        comm.irecv(source=0, tag=8).wait()
    half = comm.Split(rank)
    half.allreduce(1)
say(type(MPI.COMM_WORLD).__name__)
"""


def test_calls_of_mpi4py_are_regions(mpirun, tmp_path):
    said = mpirun(CALLS.replace("SETTINGS", "")).said
    assert said == ["Intracomm", "Intracomm"]
    results = sp.read_h5(tmp_path / "run.h5")
    found = {}
    for name, of in counts(results).items():
        what = sp.parse_mpi_region(name)
        if what:
            found.setdefault(what[:6], {}).update(of)  # ids of communicators are each rank's own
            assert "mpi" in results[name].tags and f"mpi.bytes:{what.bytes}" in results[name].tags
    assert found == {
        ("barrier", "collective", 0, -1, -1, -1): {0: 1, 1: 1},
        ("bcast", "collective", 10, -1, 1, -1): {0: 1, 1: 1},
        ("send", "point-to-point", 5, 1, -1, 7): {0: 1},
        ("isend", "point-to-point", -1, 1, -1, 8): {0: 1},
        ("wait", "wait", -1, 1, -1, 8): {0: 1},
        ("recv", "point-to-point", 5, -1, -1, 7): {1: 1},
        ("irecv", "point-to-point", -1, 0, -1, 8): {1: 1},
        ("wait", "wait", -1, 0, -1, 8): {1: 1},
        ("allreduce", "collective", -1, -1, -1, -1): {0: 1, 1: 1},
    }


# ---- who writes: plain, preloaded, scope run; finalized never, once, twice ----

WHO = """
sp.setup(output="run.h5")
with sp.region("python"):
    comm.barrier()
for _ in range(FINALIZED):
    sp.finalize(verbose=False)
    with sp.region("after"):
        pass
"""


@pytest.mark.parametrize("finalized", [0, 1, 2])
@pytest.mark.parametrize("started", ["plain", "preloaded", "scope run"])
def test_the_file_is_the_one_that_python_wants(mpirun, mpi, install, tmp_path, started, finalized):
    env, before = {}, []
    if started == "preloaded":
        before = ["env", f"LD_PRELOAD={install.lib}/libscope.so.0:{mpi.library}"]
    elif started == "scope run":
        before = [install.scope, "run"]
        env["SCOPE_MPI_FAMILY"] = mpi.family
    mpirun(WHO.replace("FINALIZED", str(finalized)), before=before,
           SCOPE_OUTPUT=tmp_path / "c.h5", **env)
    files = sorted(path.name for path in tmp_path.glob("*.h5"))
    if finalized:
        assert files == ["run.h5"]
        found = counts(sp.read_h5(tmp_path / "run.h5"))
        assert found["python" if finalized == 1 else "after"] == {0: 1, 1: 1}
        assert started == "plain" or finalized == 2 or found["MPI_Barrier"] == {0: 1, 1: 1}
    elif started == "plain":
        assert files == []
    else:
        assert files == ["c.h5"]
        found = counts(sp.read_h5(tmp_path / "c.h5"))
        assert found["python"] == {0: 1, 1: 1} and found["MPI_Barrier"] == {0: 1, 1: 1}
    assert list(tmp_path.rglob("*.spool")) == []


FORTRAN = """
program coupled
    use mpi
    implicit none
    integer :: ierr, i, value
    call MPI_Init(ierr)
    value = 1
    do i = 1, 3
        call MPI_Allreduce(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
    end do
    call MPI_Finalize(ierr)
end program
"""

COUPLED = """
from array import array
from mpi4py import MPI
import scope_profiler as sp
value = array("i", [MPI.COMM_WORLD.rank])
def work(times):
    for _ in range(times):
        with sp.region("python"):
            MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, value, MPI.MAX)
if HOW == "nothing":
    for _ in range(3):
        MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, value, MPI.MAX)
elif HOW == "setup":
    sp.setup(output="python.h5")
    work(3)
elif HOW == "session":
    with sp.session(output="python.h5", verbose=False, return_results=True) as run:
        work(3)
    assert run.results["python"][MPI.COMM_WORLD.rank].num_calls == 3
elif HOW == "checkpoints":
    sp.setup(output="python.h5")
    work(3)  # after the last call of MPI: the other program has to come to its end
    for _ in range(2):
        sp.finalize(verbose=False)
        with sp.region("python"):
            pass
elif HOW == "json":
    with sp.session(output="python.json", verbose=False):
        work(3)
elif HOW == "no output":
    with sp.session(output=None, verbose=False):
        work(3)
"""


@pytest.fixture
def coupled(mpirun, mpi, install, tmp_path):
    """coupled(how, scope_run, first) -> what was said, and which rank is the Python program's."""
    (tmp_path / "a.f90").write_text(FORTRAN)
    program = mpi.compile(tmp_path / "a.f90", tmp_path / "a", (),
                          ("-Wl,--no-as-needed", f"-lscope_mpi_{mpi.family}", "-lscope"))
    script = tmp_path / "b.py"
    env = mpirun.place(SCOPE_OUTPUT="run.h5", SCOPE_MPI_FAMILY=mpi.family)

    def go(how, scope_run=True, first="fortran", each=1):
        script.write_text(f"HOW = {how!r}" + COUPLED)
        python = [*([install.scope, "run"] if scope_run else []), sys.executable, script]
        both = [program], python
        one, other = both if first == "fortran" else both[::-1]
        result = run([f"mpirun.{mpi.suffix}", "-n", each, *one, ":", "-n", each, *other], 300, True, tmp_path, env)
        assert list(tmp_path.rglob("*.spool")) == []
        return result.stderr

    return go


def of_rank(path, rank):
    return {name: of[rank] for name, of in counts(sp.read_h5(path)).items() if rank in of}


FORTRAN_CALLS = {"MPI_Init": 1, "MPI_Allreduce": 3, "MPI_Finalize": 1}
PYTHON_CALLS = {"MPI_Init_thread": 1, "MPI_Allreduce": 3, "MPI_Finalize": 1}


@pytest.mark.parametrize("how", ["nothing", "setup"])
def test_k23_a_program_in_fortran_and_one_in_python(coupled, tmp_path, how):
    assert coupled(how) == ""
    python = {"python": 3} if how == "setup" else {}
    assert [path.name for path in tmp_path.glob("*.h5")] == ["run.h5"]
    assert of_rank(tmp_path / "run.h5", 0) == FORTRAN_CALLS
    assert of_rank(tmp_path / "run.h5", 1) == {**PYTHON_CALLS, **python}


def test_two_ranks_of_each_program_make_one_file(coupled, mpi, tmp_path):
    if mpi.family == "mpich":
        pytest.skip("MPICH: slow with more ranks than cores")
    coupled("session", each=2)
    assert [path.name for path in tmp_path.glob("*.h5")] == ["run.h5"]
    for rank in (0, 1):
        assert of_rank(tmp_path / "run.h5", rank) == FORTRAN_CALLS
        assert of_rank(tmp_path / "run.h5", 2 + rank) == {
            **PYTHON_CALLS, "python": 3, "scope_profiler.session": 1}


@pytest.mark.parametrize("first", ["fortran", "python"])
@pytest.mark.parametrize("scope_run", [True, False])
def test_a_session_beside_ranks_without_one_ends_in_mpi_finalize(coupled, tmp_path, scope_run, first):
    """One file under rank 0's name, whoever that is; MPI calls of Python with `scope run`."""
    said = coupled("session", scope_run, first)
    assert said.count("MPI_Finalize writes one of all ranks") == 1
    name = "run.h5" if first == "fortran" else "python.h5"
    assert [path.name for path in tmp_path.glob("*.h5")] == [name]
    fortran = int(first == "python")
    assert of_rank(tmp_path / name, fortran) == FORTRAN_CALLS
    python = {"python": 3, "scope_profiler.session": 1, **(PYTHON_CALLS if scope_run else {})}
    assert of_rank(tmp_path / name, 1 - fortran) == python


def test_checkpoints_beside_ranks_without_sessions_are_kept_for_the_one_file(coupled, tmp_path):
    coupled("checkpoints", False)
    assert of_rank(tmp_path / "run.h5", 1) == {"python": 5}


@pytest.mark.parametrize("first", ["fortran", "python"])
@pytest.mark.parametrize("how", ["json", "no output"])
def test_what_mpi_finalize_cannot_write_python_writes(coupled, tmp_path, how, first):
    said = coupled(how, False, first)
    fortran = int(first == "python")
    assert [path.name for path in tmp_path.glob("*.h5")] == ["run.h5"]
    assert of_rank(tmp_path / "run.h5", fortran) == FORTRAN_CALLS
    assert of_rank(tmp_path / "run.h5", 1 - fortran) == {}
    alone = tmp_path / f"python.rank{1 - fortran}.json"
    assert alone.exists() == (how == "json") == ("JSON" in said)
    if how == "json":
        assert counts(sp.load(alone))["python"] == {1 - fortran: 3}


@pytest.mark.parametrize("mode", ["direct", "parallel", "per_rank"])
def test_the_output_mode_is_as_asked_or_the_file_says_why(mpirun, tmp_path, mode):
    result = mpirun(f"""
sp.setup(file_path="run.h5", output_mode={mode!r})
for _ in range(3 + rank):
    with sp.region("solve"):
        pass
sp.finalize()
say(rank)
""")
    assert result.said == [0, 1]
    results = sp.read_h5(tmp_path / "run.h5")
    assert counts(results)["solve"] == {0: 3, 1: 4}
    assert (tmp_path / "run.rank1.h5").exists() == (mode == "per_rank")
    import h5py

    with h5py.File(tmp_path / "run.h5") as file:
        written, reason = file["metadata"].attrs["output_mode"], file["metadata"].attrs["output_mode_reason"]
    assert (written, reason) == (mode, "asked for") or (written == "direct" and "parallel was asked for" in reason)


@pytest.mark.parametrize("mode, seen", [("parallel", True), ("per_rank", True), ("per_rank", False)])
def test_rank_0_has_the_results_of_all_in_every_output_mode(mpi, mpirun, tmp_path, mode, seen):
    """Also where the files of other ranks are on disks that it does not see."""
    result = mpirun(f"""
import os
from scope_profiler import _read
write = _read.write_collective
def elsewhere(*args, **kwargs):
    write(*args, **kwargs)
    if rank and not {seen}:
        os.rename("run.rank1.h5", "away.h5")
    comm.Barrier()
_read.write_collective = elsewhere
sp.setup(file_path="run.h5", output_mode={mode!r})
for _ in range(3 + rank):
    with sp.region("solve"):
        pass
results = sp.finalize(return_results=True)
say({{r: results["solve"][r].num_calls for r in results["solve"].ranks}} if rank == 0 else None)
""")
    assert result.said[0] == {"0": 3, "1": 4}
    if (mpi.install.lib / "scope" / f"libscope_hdf5_writer_{mpi.family}.so").exists():
        import h5py

        with h5py.File(tmp_path / "run.h5") as file:
            assert file["metadata"].attrs["output_mode"] == mode
