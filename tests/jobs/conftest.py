"""Fixtures of tests/jobs: programs built once, a folder and a spool folder per test.

SPDX-License-Identifier: MIT
"""
import os
import subprocess
from pathlib import Path

import pytest

from support.jobs import environment, run
from support.profile import Profile

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def build(install, tmp_path_factory):
    """build("names.c") -> a program linked with -lscope; built once per set of flags."""
    folder, built = tmp_path_factory.mktemp("programs"), {}

    def make(source, flags=(), mpi=None, compiler=None, libs=None):
        key = source, tuple(flags), mpi.family if mpi else "", compiler, tuple(libs) if libs is not None else None
        if key not in built:
            program = folder / f"{len(built)}-{Path(source).stem}"
            if mpi:
                mpi.compile(HERE / source, program, flags, libs)
            else:
                if compiler is None:
                    compiler = "g++" if source.endswith(".cpp") else "gcc"
                install.compile(HERE / source, program, ["-pthread", *flags],
                                ["-lscope"] if libs is None else libs, compiler)
            built[key] = program
        return built[key]

    return make


class Place:
    """Where one test runs: its folder, its output file, its spool folder."""

    def __init__(self, install, folder):
        self.install, self.folder = install, folder
        self.output, self.spool = folder / "run.h5", folder / "spool"
        self.spool.mkdir()

    def environment(self, **extra):
        return environment(**{"SCOPE_OUTPUT": self.output, "SCOPE_SPOOL_DIR": self.spool, **extra})

    def run(self, command, timeout=300, check=True, **extra):
        return run(command, timeout, check, self.folder, self.environment(**extra))

    def mpirun(self, mpi, ranks, command, timeout=300, check=True, **extra):
        return mpi.mpirun(ranks, command, timeout, check, self.folder, self.environment(**extra))

    def profile(self, name="run.h5"):
        return Profile(self.folder / name).check()

    def spools(self):
        return sorted(p for p in self.spool.rglob("*.spool"))

    def files(self):
        """What lies in the folder beside the spools, programs of the test excluded."""
        return sorted(p.name for p in self.folder.iterdir() if p.is_file() and not os.access(p, os.X_OK))

    def recover(self, *what, output="recovered.h5", timeout=300):
        run([self.install.scope, "recover", *(what or [self.spool]), "-o", output], timeout, True, self.folder,
            self.environment())
        return self.profile(output)


@pytest.fixture
def place(install, tmp_path):
    return Place(install, tmp_path)


@pytest.fixture
def small_disk(tmp_path):
    """small_disk("64k") -> a mounted tmpfs of that size; unmounted after the test."""
    mounted = []

    def mount(size):
        folder = tmp_path / f"disk{len(mounted)}"
        folder.mkdir()
        result = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder],
                                capture_output=True, text=True)
        if result.returncode:
            pytest.skip(f"cannot mount a tmpfs here: {result.stderr.strip()}")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "-l", folder], check=False)
