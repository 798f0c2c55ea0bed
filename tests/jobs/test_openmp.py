"""OpenMP programs: begin and end inside parallel regions, workers as lanes.

SPDX-License-Identifier: MIT
"""
import shutil
from collections import Counter

import pytest

from support.profile import ours


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
