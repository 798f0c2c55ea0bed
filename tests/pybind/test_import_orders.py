"""The package beside h5py with its own HDF5, and mpi4py, imported in every order.

SPDX-License-Identifier: MIT
"""
import importlib.util
import itertools
import sys
from pathlib import Path

import pytest

from support.jobs import environment, run

sp = pytest.importorskip("scope_profiler")
h5py = pytest.importorskip("h5py")
MODULES = ("h5py", "scope_profiler", *(["mpi4py.MPI"] if importlib.util.find_spec("mpi4py") else []))
USE = """
import scope_profiler as sp
with sp.session(output="run.h5", verbose=False):
    with sp.region("work"):
        pass
assert sp.read_h5("run.h5")["work"][0].num_calls == 1
"""
H5PY = """
import h5py
with h5py.File("own.h5", "w") as file:
    file["x"] = 42
with h5py.File("run.h5") as file:
    assert "scope_profiler_schema" in file.attrs
"""


@pytest.mark.parametrize("order", list(itertools.permutations(MODULES)), ids=" ".join)
def test_k25_every_order_of_imports(tmp_path, order):
    (tmp_path / "script.py").write_text("".join(f"import {name}\n" for name in order) + USE + H5PY)
    result = run([sys.executable, "script.py"], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    assert (result.stdout, result.stderr) == ("", "")
    with h5py.File(tmp_path / "own.h5") as file:
        assert file["x"][()] == 42


@pytest.mark.parametrize("how", ["preloaded", "global"])
def test_k25_a_parallel_hdf5_is_in_the_process_first(tmp_path, how):
    """The wheel of h5py does not import then; our file is written and read all the same."""
    library = next(Path("/usr/lib").glob("*/libhdf5_openmpi.so.103"), None)
    if library is None:
        pytest.skip("no parallel HDF5")
    load = f"import ctypes\nctypes.CDLL({str(library)!r}, mode=ctypes.RTLD_GLOBAL)\n" if how == "global" else ""
    (tmp_path / "script.py").write_text(load + USE)
    env = {"LD_PRELOAD": library} if how == "preloaded" else {}
    result = run([sys.executable, "script.py"], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path, **env))
    assert (result.stdout, result.stderr) == ("", "")
    with h5py.File(tmp_path / "run.h5") as file:
        assert "scope_profiler_schema" in file.attrs
