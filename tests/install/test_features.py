"""Builds without a feature, or without any: every library loads, and what is there works.

SPDX-License-Identifier: MIT
"""
import re
import sys
from pathlib import Path

import pytest

from support.jobs import Install, environment, run
from support.profile import Profile, ours

ROOT = Path(__file__).resolve().parents[2]
FEATURES = ("MPI", "HDF5", "FORTRAN", "HWLOC")
PROGRAM = r"""
#include <scope/scope.h>
int main(void)
{
    scope_init(NULL);
    {
        SCOPE_REGION("work");
    }
    scope_finalize();
    return 0;
}
"""


def libraries(install):
    return sorted(p for p in install.lib.rglob("*.so*") if not p.is_symlink())


def check_symbols(path):
    """Nothing is missing, whoever asks for all of it at once."""
    text = run(["ldd", "-r", path], check=False)
    missing = [line for line in (text.stdout + text.stderr).splitlines()
               if "undefined symbol" in line or "not found" in line]
    if "site-packages" in str(path):  # the interpreter has those
        missing = [line for line in missing if not re.search(r"undefined symbol: _?Py", line)]
    assert missing == [], path
    if "site-packages" not in str(path):
        code = f"import ctypes, os; ctypes.CDLL({str(path)!r}, mode=os.RTLD_NOW | os.RTLD_LOCAL)"
        assert run([sys.executable, "-c", code]).stderr == "", path


def check_works(install, folder):
    """A program that is linked, one that is only preloaded; the file or the spool is there."""
    source = folder / "program.c"
    source.write_text(PROGRAM)
    program = install.compile(source, folder / "program")
    for command, preload in ((["true"], "yes"), ([program], "no"), ([program], "yes")):
        env = {"LD_PRELOAD": install.lib / "libscope.so"} if preload == "yes" else {}
        result = run(command, cwd=folder, env=environment(SCOPE_SPOOL_DIR=folder, LD_BIND_NOW=1, **env))
        assert result.stdout == ""
        output, spools = folder / "profiling_data.h5", list(folder.rglob("*.spool"))
        if command == ["true"]:
            assert result.stderr == "" and not output.exists() and not spools
        elif (install.lib / "scope" / "libscope_hdf5_writer.so").exists():
            assert result.stderr == "" and not spools
            assert Profile(output).check().counts() == {"work": 1}
            output.unlink()
        else:
            line, = ours(result.stderr)
            assert "libscope_hdf5_writer.so is not installed" in line and "the recording is kept" in line
            spool, = spools
            spool.unlink()


def test_k38_every_installed_library_has_all_its_symbols(install):
    for path in libraries(install):
        check_symbols(path)
    text = run(["ldd", "-r", install.scope], check=False)
    assert "undefined symbol" not in text.stdout + text.stderr and "not found" not in text.stdout


@pytest.mark.parametrize("without", [
    FEATURES, *(pytest.param((feature,), marks=pytest.mark.long) for feature in FEATURES)], ids="+".join)
def test_k38_a_build_without(without, tmp_path):
    prefix, build = tmp_path / "prefix", tmp_path / "build"
    run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={prefix}",
         "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Debug", *(f"-DSCOPE_{name}=OFF" for name in without)],
        timeout=300)
    run(["ninja", "-C", build, "-j", "2", "install"], timeout=900)
    install = Install(prefix)
    found = " ".join(path.name for path in libraries(install))
    for feature, name in zip(FEATURES, ("libscope_mpi_", "libscope_hdf5", "libscope_fortran", "libscope_hwloc")):
        assert (name in found) is (feature not in without), feature
    for path in libraries(install):
        check_symbols(path)
    (tmp_path / "work").mkdir()
    check_works(install, tmp_path / "work")
