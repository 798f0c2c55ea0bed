"""The programs of examples/: built by their own Makefiles, run, their results checked.

SPDX-License-Identifier: MIT
"""

import re
import shutil
from pathlib import Path

import pytest

from support.jobs import Mpi, environment, run
from support.profile import Profile

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HEAT = "after 200 steps: mean temperature 0.485500, residual 0.121036\n"
STEPS, CHECKS = 200, 10


def build(install, name, folder, **variables):
    """make in a copy of the example's folder; returns the copy."""
    copy = folder / name
    shutil.copytree(EXAMPLES / name, copy)
    run(
        ["make", "-C", copy, *(f"{key}={value}" for key, value in variables.items())],
        timeout=300,
        env=environment(PKG_CONFIG_PATH=install.lib / "pkgconfig"),
    )
    return copy


def test_makefiles_have_three_lines():
    for makefile in EXAMPLES.glob("*/Makefile"):
        assert len(makefile.read_text().splitlines()) == 3, makefile


@pytest.mark.mpi
@pytest.mark.parametrize("language, threads", [("c", 2), ("fortran", 3)])
@pytest.mark.parametrize("ranks", [4, 1])
def test_heat(language, threads, ranks, mpi, install, tmp_path):
    folder = build(
        install,
        f"heat_{language}",
        tmp_path,
        SCOPE=f"scope-mpi-{mpi.family}",
        MPICC=f"mpicc.{mpi.suffix}",
        MPIFC=f"mpifort.{mpi.suffix}",
    )
    result = mpi.mpirun(ranks, [f"./heat_{language}"], cwd=folder)
    assert result.stdout == HEAT and result.stderr == ""
    profile = Profile(folder / "profiling_data.h5").check()
    assert profile.mpi_size == ranks
    for rank in range(ranks):
        assert profile.own_counts(rank) == {
            "step": STEPS,
            "halo": STEPS,
            "sweep": STEPS * threads,
            "residual": CHECKS,
            "mean": 1,
        }
        calls = profile.mpi_counts(rank)
        assert calls["MPI_Isend"] == calls["MPI_Irecv"] == 2 * STEPS
        assert calls["MPI_Waitall"] == STEPS and calls["MPI_Allreduce"] == CHECKS + 1
        assert len([t for t in profile.threads if t["ranks"] == rank]) >= threads
        lanes = {int(profile.thread[row]) for row in profile.select("sweep", rank)}
        assert len(lanes) == threads


def test_cpp(install, tmp_path):
    folder = build(install, "cpp", tmp_path)
    result = run(["./mandelbrot"], cwd=folder)
    area = float(re.fullmatch(r"area of the Mandelbrot set: (\S+)\n", result.stdout).group(1))
    assert abs(area - 1.5066) < 0.03 and result.stderr == ""
    profile = Profile(folder / "profiling_data.h5").check()
    assert profile.counts() == {"plane": 1, "thread": 4, "row": 400}
    assert profile.metadata["label"] == "Mandelbrot"
    lanes = {int(profile.thread[row]) for row in profile.select("thread")}
    assert len(lanes) == 4


@pytest.mark.mpi
def test_read_file(openmpi, install, tmp_path):
    heat = build(install, "heat_c", tmp_path, SCOPE="scope-mpi-ompi", MPICC="mpicc.openmpi")
    openmpi.mpirun(4, ["./heat_c"], cwd=heat)
    folder = build(install, "read_file", tmp_path)
    lines = run(["./totals", heat / "profiling_data.h5"], cwd=folder).stdout.splitlines()
    profile = Profile(heat / "profiling_data.h5")
    assert lines[0] == f"4 ranks, {len(profile.start)} calls"
    rows = {(int(words[0]), words[1]): words[2:] for words in (line.split() for line in lines[2:])}
    assert len(rows) == len(profile.index["ranks"])
    for (rank, name), (count, total, longest) in rows.items():
        durations = profile.duration[profile.select(name, rank)]
        assert int(count) == len(durations)
        assert abs(float(total) - durations.sum() * 1e-9) < 1e-6
        assert abs(float(longest) - durations.max() * 1e-9) < 1e-6
    assert run(["./totals", tmp_path / "none.h5"], cwd=folder, check=False).returncode == 1
