"""Every option of the table does something that can be seen; a new one needs a row here.

SPDX-License-Identifier: MIT
"""
import re
from pathlib import Path

import h5py
import pytest

from support.jobs import run
from support.profile import ours

HERE = Path(__file__).resolve().parent


class Bench:
    """One program run with and without an option."""

    def __init__(self, build, place, request):
        self.build, self.place, self.request = build, place, request

    def __call__(self, *arguments, source="many_regions.c", check=True, **options):
        """Our lines of a run that records 100 regions once each, or what `source` does."""
        command = [self.build(source), *(arguments or [100])]
        return ours(self.place.run(command, check=check, **options).stderr)

    def profile(self):
        return self.place.profile()

    def metadata(self, key):
        return self.profile().metadata.get(key)

    def mpi(self):
        return self.request.getfixturevalue("openmpi")


def output(bench):
    bench(SCOPE_OUTPUT=bench.place.folder / "named-%x.h5")
    assert len(bench.place.files()) == 1 and bench.place.files()[0].startswith("named-")


def enable(bench):
    bench(SCOPE_ENABLE=0)
    assert bench.place.files() == []


def label(bench):
    bench(SCOPE_LABEL="a label of its own")
    assert "a label of its own" in run([bench.place.install.scope, "inspect", bench.place.output]).stdout


def filter_(bench):
    bench(SCOPE_FILTER="-region 9*")
    assert "region 9" not in bench.profile().counts() and bench.profile().counts()["region 8"] == 1


def spool(bench):
    bench()
    assert bench.metadata("scope_spool") == "file"
    bench(SCOPE_SPOOL=0)
    assert bench.metadata("scope_spool") == "memory"


def spool_dir(bench):
    lines = bench(SCOPE_SPOOL_DIR=bench.place.folder, SCOPE_VERBOSE=1)
    assert any(f"recording into {bench.place.folder}/scope-" in line for line in lines)


def max_bytes(bench):
    bench(SCOPE_MAX_BYTES="64M")
    assert bench.metadata("scope_max_bytes") == str(64 << 20)


def max_lanes(bench):
    bench(50, source="short_threads.c")
    one_by_one = len(bench.profile().threads)
    bench(50, source="short_threads.c", SCOPE_MAX_LANES=10)
    assert len(bench.profile().threads) < one_by_one


def max_names(bench):
    bench(SCOPE_MAX_NAMES=50)
    assert bench.profile().counts()["(other)"] >= 50


def policy(bench):
    tight = dict(SCOPE_MAX_BYTES="1M")
    bench(200_000, **tight)
    assert bench.profile().lost() == 0
    bench(200_000, SCOPE_POLICY="stop", **tight)
    assert bench.profile().lost() > 0


def throttle(bench):
    calls = dict(outer=100, tiny_fn=100_000)
    bench(100, 1000, source="tiny.c", SCOPE_THROTTLE="1000:1000000")
    assert bench.profile().all_counts() == calls and bench.profile().folded()["tiny_fn"] > 0
    bench(100, 1000, source="tiny.c", SCOPE_THROTTLE=0)
    assert bench.profile().counts() == calls


def output_mode(bench):
    """One way to write is there: both words mean it, any other is refused and said."""
    assert bench(SCOPE_OUTPUT_MODE="direct") == [] and bench.profile().counts()["region 8"] == 1
    lines = bench(SCOPE_OUTPUT_MODE="gathered", check=False) # scope_init says so too
    assert len(lines) == 1 and lines[0].startswith("scope: SCOPE_OUTPUT_MODE=gathered is not usable")


def compression(bench, **level):
    bench(20_000, SCOPE_COMPRESSION="gzip", **level)
    with h5py.File(bench.place.output) as file:
        column = file["events/durations"]
        assert column.compression == "gzip"
        return column.compression_opts


def compression_level(bench):
    assert compression(bench) == 4
    assert compression(bench, SCOPE_COMPRESSION_LEVEL=9) == 9


def clock(bench):
    bench(SCOPE_CLOCK="monotonic")
    assert bench.metadata("scope_clock") == "monotonic"


def mpi_family(bench):
    def preloaded(**options):
        return bench.place.run([bench.place.install.scope, "run", "--print", "sh"], **options).stdout

    assert "libscope_mpi" not in preloaded(SCOPE_MPI_FAMILY="none")
    bench.mpi() # skips where this install has no wrappers for it
    assert "libscope_mpi_ompi" in preloaded(SCOPE_MPI_FAMILY="ompi")


def gather_timeout(bench):
    mpi = bench.mpi()
    program = bench.build("endings.c", mpi=mpi)
    bare = bench.build("endings.c", ["-DSCOPE_DISABLE"], mpi=mpi, libs=())
    result = bench.place.run([f"mpirun.{mpi.suffix}", "-n", 1, program, "plain", ":", "-n", 1, bare, "plain"],
                             SCOPE_GATHER_TIMEOUT=1.5)
    assert "within 1.5 s" in result.stderr


def partial(bench):
    """Clocks are compared in MPI_Init too: on one more communicator of our own."""
    mpi = bench.mpi()
    library, program = bench.place.folder / "count.so", bench.build("endings.c", mpi=mpi)
    run(["gcc", "-O1", "-shared", "-fPIC", HERE / "create_count.c", "-o", library, "-ldl"])

    def creates(**options):
        said = bench.place.mpirun(mpi, 2, ["env", f"LD_PRELOAD={library}", program, "plain"], **options).stdout
        return [int(n) for n in re.findall(r"creates (\d+)", said)]

    assert [n + 1 for n in creates()] == creates(SCOPE_PARTIAL=0) and len(creates()) == 2


def openmp(bench):
    """GNU's runtime tells nothing, and that is said; what others tell: test_openmp.py."""
    program = bench.build("openmp.c", ["-fopenmp"])
    assert ours(bench.place.run([program, 2]).stderr) == []
    assert "libgomp tells nothing" in ours(bench.place.run([program, 2], SCOPE_OPENMP=1).stderr)[0]


def verbose(bench):
    assert bench() == []
    assert f"scope: wrote {bench.place.output}" in bench(SCOPE_VERBOSE=1)


EFFECTS = {
    "SCOPE_OUTPUT": output, "SCOPE_ENABLE": enable, "SCOPE_LABEL": label, "SCOPE_FILTER": filter_,
    "SCOPE_SPOOL": spool, "SCOPE_SPOOL_DIR": spool_dir, "SCOPE_MAX_BYTES": max_bytes, "SCOPE_MAX_LANES": max_lanes,
    "SCOPE_MAX_NAMES": max_names, "SCOPE_POLICY": policy, "SCOPE_THROTTLE": throttle, "SCOPE_OUTPUT_MODE": output_mode,
    "SCOPE_COMPRESSION": compression, "SCOPE_COMPRESSION_LEVEL": compression_level, "SCOPE_CLOCK": clock,
    "SCOPE_MPI_FAMILY": mpi_family, "SCOPE_GATHER_TIMEOUT": gather_timeout, "SCOPE_PARTIAL": partial,
    "SCOPE_OPENMP": openmp, "SCOPE_VERBOSE": verbose,
}


@pytest.mark.parametrize("name", EFFECTS)
def test_setting_it_can_be_seen(name, build, place, request):
    EFFECTS[name](Bench(build, place, request))


def test_every_option_has_a_row_here(install):
    table = run([install.scope, "info", "--table"]).stdout
    assert sorted(re.findall(r"^\| `(SCOPE_\w+)`", table, re.M)) == sorted(EFFECTS)
