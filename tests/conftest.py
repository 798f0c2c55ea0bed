"""Fixtures that every integration test uses: the install, both MPIs, peers.

SPDX-License-Identifier: MIT
"""
import os
import sys
from pathlib import Path

import pytest

from support.jobs import FAMILIES, Install, Mpi


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also the soak, scale and many-kill sets")
    parser.addoption("--prefix", default=os.environ.get("SCOPE_TEST_PREFIX"), help="install to test")


def package_folder(config):
    """site-packages of the install under test, for this Python; None: it has none."""
    root = Path(__file__).resolve().parent.parent
    prefix = Path(config.getoption("--prefix") or root / "build" / "install").resolve()
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    folder = prefix / "lib" / version / "site-packages"
    return folder if (folder / "scope_profiler").is_dir() else None


def pytest_configure(config):
    folder = package_folder(config)
    if folder:  # for this process and for those that tests start
        sys.path.insert(0, str(folder))
        os.environ["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    for marker in ("long: only with --long", "real: programs from Debian", "mpi: runs mpirun"):
        config.addinivalue_line("markers", marker)


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    for item in items:
        if "long" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="only with --long"))


@pytest.fixture(scope="session")
def install(request):
    """The install under test (a prefix made by `./run build`)."""
    root = Path(__file__).resolve().parent.parent
    prefix = Path(request.config.getoption("--prefix") or root / "build" / "install").resolve()
    if not (prefix / "bin" / "scope").exists():
        pytest.exit(f"no install in {prefix}: ./run build makes one", returncode=2)
    return Install(prefix)


@pytest.fixture(scope="session", params=FAMILIES)
def mpi(request, install):
    """One MPI family after the other: compile and run with it."""
    family = Mpi(request.param, install)
    if not family.available():
        pytest.skip(f"{request.param}: no mpicc.{family.suffix}")
    return family


@pytest.fixture(scope="session")
def openmpi(install):
    """Open MPI alone, for what needs many synchronising ranks on few cores."""
    family = Mpi("ompi", install)
    if not family.available():
        pytest.skip("no Open MPI")
    return family
