"""Compile small programs and run them, alone or under an MPI, with a time limit.

SPDX-License-Identifier: MIT
"""
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

FAMILIES = ("ompi", "mpich")

QUIET = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


def environment(**extra):
    """This environment without SCOPE_ variables, plus `extra` (None removes one)."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCOPE_")}
    env.update(QUIET)
    for name, value in extra.items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = str(value)
    return env


def run(command, timeout=300, check=True, cwd=None, env=None, **kwargs):
    """subprocess.run with text output, whose whole process group dies at the limit."""
    process = subprocess.Popen(
        [str(word) for word in command], cwd=cwd, env=env if env is not None else environment(),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        errors="surrogateescape", start_new_session=True, **kwargs)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(f"hung for {timeout} s: {command}\n{out[-2000:]}\n{err[-2000:]}")
    result = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check and result.returncode:
        raise AssertionError(f"rc {result.returncode}: {command}\n{out[-4000:]}\n{err[-4000:]}")
    return result


class Install:
    """An installed prefix: where its pieces are, and how to link with it."""

    def __init__(self, prefix):
        self.prefix = Path(prefix)
        self.scope = self.prefix / "bin" / "scope"
        self.lib = self.prefix / "lib"
        self.include = self.prefix / "include"

    def compile(self, source, output, flags=(), libs=("-lscope",), compiler="gcc"):
        """Compile and link one source against the install, with an rpath."""
        command = [compiler, "-O2", "-g", "-Wall", f"-I{self.include}", source, "-o", output,
                   *flags, f"-L{self.lib}", f"-Wl,-rpath,{self.lib}", *libs]
        run(command, timeout=300)
        return Path(output)


class Mpi:
    """One MPI family (`ompi` or `mpich`) and the install that is tested with it."""

    def __init__(self, family, install):
        self.family = family
        self.suffix = {"ompi": "openmpi", "mpich": "mpich"}[family]
        self.install = install
        self.library = install.lib / f"libscope_mpi_{family}.so"

    def available(self):
        return shutil.which(f"mpicc.{self.suffix}") is not None

    def compile(self, source, output, flags=(), libs=None, language=None):
        """mpicc or mpifort (by suffix of `source`), linked with our libraries unless
        libs says otherwise; libs=() leaves the program without the profiler."""
        fortran = (language or Path(source).suffix) in (".f90", ".F90", ".f")
        compiler = f"{'mpifort' if fortran else 'mpicc'}.{self.suffix}"
        if libs is None:
            libs = [f"-lscope_mpi_{self.family}", "-lscope"]
        return self.install.compile(source, output, flags, libs, compiler)

    def mpirun(self, ranks, command, timeout=300, check=True, cwd=None, env=None):
        """mpirun -n ranks command, ended after `timeout` seconds."""
        return run([f"mpirun.{self.suffix}", "-n", ranks, *command], timeout, check, cwd, env)


def read_075(code, timeout=300, **kwargs):
    """Run Python `code` where scope-profiler 0.7.5 is installed; None: it is not here."""
    root = Path(__file__).resolve().parents[2]
    for python in (os.environ.get("SCOPE_TEST_PYTHON_075"), root / "build/venv-0.7.5/bin/python"):
        if python and Path(python).exists():
            # PYTHONPATH would give it this package instead
            kwargs.setdefault("env", environment(PYTHONPATH=None))
            return run([python, "-c", code], timeout, **kwargs)
    return None


PYTHON = sys.executable
