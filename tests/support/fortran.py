"""The Fortran programs of tests/mpi/programs: built and run once in each binding, and which
of an MPI's Fortran procedures they call.

SPDX-License-Identifier: MIT
"""
import re
import sys
from collections import namedtuple
from functools import cache
from pathlib import Path

from support.jobs import environment, run

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "tests" / "mpi" / "programs"
RANKS = 3
SOURCES = {
    "calls": ["rows.F90", "collectives.F90", "calls.F90"],
    "every": ["rows.F90", "windows.F90", "neighbours.F90", "communicators.F90", "files.F90",
              "persistent.F90", "every.F90"],
    "processes": ["rows.F90", "processes.F90"],
}
# How to choose a binding, and how the names of its procedures end.
Binding = namedtuple("Binding", "flags endings")
BINDINGS = {
    "mpifh": Binding(["-DMPIFH", "-fallow-argument-mismatch"], ["_"]),
    "mpi": Binding(["-DUSE_MPI"], ["_", "_cptr_"]),
    "mpi_f08": Binding(["-DUSE_F08"], ["_f08_", "_f08ts_"]),
    "mpi_f08-large": Binding(["-DUSE_F08", "-DLARGE"], ["_f08_large_", "_f08ts_large_"]),
}
LIBRARIES = {
    "ompi": ["libmpi_mpifh.so", "libmpi_usempi_ignore_tkr.so", "libmpi_usempif08.so"],
    "mpich": ["libmpichfort.so", "libmpifort.so"],
}
_kept = {}  # what was built and run already


@cache
def recorded_calls():
    """{name in lower case: call} of calls.txt."""
    sys.path.insert(0, str(ROOT / "mpi" / "src"))
    try:
        import generate
    finally:
        sys.path.pop(0)
    by_hand, files = generate.parse(generate.HERE / "calls.txt")
    by_hand = {name: generate.Call(name, since, False, False, None, [], "-", "-")
               for name, since in by_hand.items()}
    return {name.lower(): call for name, call in by_hand.items()} | \
        {call.name.lower(): call for calls in files.values() for call in calls}


def call_of(symbol, endings=None):
    """The call, as in calls.txt in lower case, that a Fortran symbol is of; None: of none."""
    found = re.fullmatch(r"mpi_(.+?)(_f08ts_large_|_f08_large_|_f08ts_|_f08_|_cptr_|_)", symbol)
    if found and found[1] in recorded_calls() and (endings is None or found[2] in endings):
        return found[1]
    return None


def _symbols(flag, path):
    return {line.split()[-1].split("@")[0] for line in run(["nm", "-D", flag, path]).stdout.splitlines()}


@cache
def _offered(suffix, family):
    paths = [Path(run([f"mpifort.{suffix}", f"-print-file-name={name}"]).stdout.strip())
             for name in LIBRARIES[family]]
    return frozenset().union(*(_symbols("--defined-only", path) for path in paths if path.exists()))


def offered(mpi, binding):
    """The symbols of recorded calls that the MPI has for a binding."""
    endings = BINDINGS[binding].endings
    return {symbol for symbol in _offered(mpi.suffix, mpi.family) if call_of(symbol, endings)}


def called(program, binding):
    """The symbols of recorded calls that a program refers to."""
    endings = BINDINGS[binding].endings
    return {symbol for symbol in _symbols("--undefined-only", program) if call_of(symbol, endings)}


def built(mpi, name, binding, temporary):
    """The program, without the profiler. `temporary`: tmp_path_factory."""
    key = (mpi.family, name, binding)
    if key not in _kept:
        folder = temporary.mktemp("-".join(key))
        first, *others = (PROGRAMS / source for source in SOURCES[name])
        calls = {call_of(symbol) for symbol in offered(mpi, binding)}
        flags = [*others, *BINDINGS[binding].flags, "-O0", "-ffree-line-length-none", "-w", f"-J{folder}"]
        flags += ["-DMPI4"] if "send_init" in calls and "bcast_init" in calls else []
        flags += ["-DFILES"] if "file_read" in calls else []
        _kept[key] = mpi.compile(first, folder / name, flags, ())
    return _kept[key]


def run_profiled(mpi, program, folder):
    """A run in a new folder with the profiler preloaded, which adds nothing to the output."""
    folder.mkdir()
    result = mpi.mpirun(RANKS, ["env", f"LD_PRELOAD={mpi.library}", program], cwd=folder,
                        env=environment(SCOPE_SPOOL_DIR=folder))
    assert (result.stdout, result.stderr) == ("", "")
    return folder


def profiled(mpi, name, binding, temporary):
    """The folder of such a run of one of the programs."""
    key = (mpi.family, name, binding, "profiled")
    if key not in _kept:
        program = built(mpi, name, binding, temporary)
        _kept[key] = run_profiled(mpi, program, temporary.mktemp("-".join(key)) / "run")
    return _kept[key]
