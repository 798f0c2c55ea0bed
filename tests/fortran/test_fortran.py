"""What Fortran programs record, read back from the file.

SPDX-License-Identifier: MIT
"""

from collections import Counter
from pathlib import Path

import h5py
import pytest

from support.jobs import environment, run
from support.profile import Profile

PROGRAMS = Path(__file__).parent / "programs"
LIBS = ("-lscope_fortran", "-lscope")


@pytest.fixture
def record(install, tmp_path):
    """Compile a program, run it, return its output and its profile."""

    def do(name, *flags, compiler="gfortran", **env):
        program = install.compile(PROGRAMS / f"{name}.f90", tmp_path / name, flags, LIBS, compiler)
        result = run(
            [program], cwd=tmp_path, env=environment(SCOPE_OUTPUT=tmp_path / "out.h5", **env)
        )
        assert result.stderr == ""
        return result.stdout, Profile(tmp_path / "out.h5").check()

    return do


def test_names_have_any_length_and_any_bytes(record):
    _, profile = record("names")
    expected = {}
    for length in range(1, 10001, 13):
        name = bytes(ord("a") + (i * i + length) % 26 for i in range(1, length + 1))
        expected[name] = 2
    expected[bytes(range(256))] = 1
    expected[b"  in  the middle"] = 1
    exact = profile.exact_names or [name.encode() for name in profile.names]
    counts = Counter({exact[i]: int((profile.region == i).sum()) for i in range(len(exact))})
    assert counts == expected


def test_openmp_threads_are_lanes_of_their_own(record):
    _, profile = record("openmp", "-fopenmp")
    threads, rounds = 6, 500
    counts = profile.counts()
    assert counts == {
        "all": 1,
        "handle": threads * rounds,
        "name": threads * rounds,
        "iteration": 100,
        **{f"thread {t}": 1 for t in range(threads)},
    }
    lanes = set()
    for t in range(threads):
        (row,) = profile.select(f"thread {t}")
        lane = profile.thread[row]
        lanes.add(int(lane))
        for name in ("handle", "name"):
            rows = profile.select(name)
            inside = rows[profile.thread[rows] == lane]
            assert len(inside) == rounds
            assert (profile.start[inside] >= profile.start[row]).all()
            assert (profile.end[inside] <= profile.end[row]).all()
    assert len(lanes) == threads
    assert len(profile.threads) >= threads


def test_every_procedure_of_the_module(record, install, tmp_path):
    stdout, profile = record("all_calls")
    before, inside_begin, inside_end, after = map(int, stdout.split())
    assert profile.counts() == {
        "timed": 1,
        "(unregistered)": 1,
        "in the task": 1,
        "in the thread": 1,
    }
    (row,) = profile.select("timed")
    assert before <= profile.start[row] <= inside_begin
    assert inside_end <= profile.end[row] <= after
    assert profile.metadata["label"] == "from Fortran"
    with h5py.File(profile.path) as file:
        index = file["rank_region_index"]
        pair = index["region_ids"][()].tolist().index(profile.names.index("timed"))
        assert index["source_lines"][pair] == 27
        assert index["source_files"].asstr()[pair] == "all_calls.f90"
        assert index["tags"].asstr()[pair] == '["numerics"]'
    (task,) = profile.tasks
    assert (task["name"], task["coro_name"], task["steps"]) == ("a task", "its code", 2)
    (row,) = profile.select("in the task")
    assert profile.columns["task_ids"][row] == task["index"]
    assert profile.columns["await_ns"][row] == task["suspended_ns"] > 0


def test_a_program_that_is_switched_off_leaves_nothing(install, tmp_path):
    program = install.compile(PROGRAMS / "names.f90", tmp_path / "names", (), LIBS, "gfortran")
    result = run(
        [program],
        cwd=tmp_path,
        env=environment(SCOPE_ENABLE=0, SCOPE_OUTPUT=tmp_path / "out.h5"),
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert not (tmp_path / "out.h5").exists()


@pytest.mark.mpi
@pytest.mark.parametrize("binding", ["mpif", "mpi", "mpi_f08"])
def test_programs_of_every_binding_link_the_same_library(binding, mpi, tmp_path):
    program = mpi.compile(
        PROGRAMS / f"bindings_{binding}.f90",
        tmp_path / binding,
        libs=(f"-lscope_mpi_{mpi.family}", *LIBS),
    )
    result = mpi.mpirun(2, [program], env=environment(SCOPE_OUTPUT=tmp_path / "out.h5"))
    assert result.stdout == result.stderr == ""
    profile = Profile(tmp_path / "out.h5").check()
    assert profile.mpi_size == 2
    assert profile.own_counts(0) == {"round": 5}
    assert profile.own_counts(1) == {"round": 5, "only on rank 1": 1}
