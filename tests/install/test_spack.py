"""The Spack recipe: it loads, its variants are CMake's options; with Spack, it installs.

SPDX-License-Identifier: MIT
"""

import os
import re
import sys
import types
from pathlib import Path

import pytest

from support.jobs import run

ROOT = Path(__file__).resolve().parents[2]
REPO = ROOT / "spack" / "spack_repo" / "scope"
RECIPE = REPO / "packages" / "scope_profiler" / "package.py"
OPTIONAL = {"SCOPE_MPI", "SCOPE_HDF5", "SCOPE_FORTRAN", "SCOPE_HWLOC", "SCOPE_PYTHON"}


class Headers:
    directories = ["/mpi/include"]


class Command:
    path = "/python/bin/python3"


class Spec:
    """As much of a concrete spec as the recipe asks for."""

    def __init__(self, variants, mpi="openmpi", name="scope-profiler"):
        self.variants, self.mpi, self.name = variants, mpi, name
        self.headers, self.command = Headers(), Command()

    def satisfies(self, text):
        return self.variants[text[1:]] == (text[0] == "+")

    def __getitem__(self, name):
        return Spec({}, name=self.mpi if name == "mpi" else name)


def load(cmake_in_builtin):
    """Run the recipe on a Spack of a few lines; returns its class and what it declared."""
    declared = {"version": {}, "variant": {}, "depends_on": {}, "license": {}, "conflicts": {}}

    class CMakePackage:
        def define_from_variant(self, option, variant):
            return f"-D{option}={'ON' if self.spec.variants[variant] else 'OFF'}"

        def define(self, option, value):
            value = ("ON" if value else "OFF") if isinstance(value, bool) else value
            return f"-D{option}={';'.join(value) if isinstance(value, list) else value}"

    package = types.ModuleType("spack.package")
    for directive, into in declared.items():
        setattr(package, directive, lambda name, into=into, **kwargs: into.setdefault(name, kwargs))
    modules = {"spack": types.ModuleType("spack"), "spack.package": package}
    if cmake_in_builtin:
        names = "spack_repo.builtin.build_systems.cmake".split(".")
        for end in range(1, len(names) + 1):
            modules[".".join(names[:end])] = types.ModuleType(".".join(names[:end]))
        modules[".".join(names)].CMakePackage = CMakePackage
    else:
        package.CMakePackage = CMakePackage
    saved = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    namespace = {"__file__": str(RECIPE), "__name__": "package"}
    try:
        exec(compile(RECIPE.read_text(), str(RECIPE), "exec"), namespace)
    finally:
        for name, module in saved.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
    return namespace["ScopeProfiler"], declared


@pytest.mark.parametrize("cmake_in_builtin", [True, False], ids=["spack 1", "spack 0.23"])
def test_the_recipe_loads(cmake_in_builtin):
    package, declared = load(cmake_in_builtin)
    assert declared["version"] and declared["license"]
    assert Path(package.git.removeprefix("file://")) == ROOT


def test_k27_every_variant_is_a_cmake_option_and_the_reverse():
    package, declared = load(True)
    options = set(re.findall(r"option\((SCOPE_\w+)", (ROOT / "CMakeLists.txt").read_text()))
    assert {f"SCOPE_{name.upper()}" for name in declared["variant"]} == options & OPTIONAL
    recipe = package()
    recipe.spec = Spec(dict.fromkeys(declared["variant"], True))
    used = {word[2:].split("=")[0] for word in recipe.cmake_args()}
    used -= {"CMAKE_INSTALL_LIBDIR", "Python_EXECUTABLE"}  # CMake's own
    cached = set(
        re.findall(
            r"set\((SCOPE_\w+) .* CACHE",
            "\n".join(
                (ROOT / path).read_text() for path in ("CMakeLists.txt", "mpi/CMakeLists.txt")
            ),
        )
    )
    assert used <= options | cached, used - options - cached
    assert (
        "-DSCOPE_MPI=ON" in recipe.cmake_args()
        and "-DSCOPE_MPI_FAMILIES=ompi" in recipe.cmake_args()
    )


def test_what_is_switched_off_is_passed_on():
    package, declared = load(True)
    recipe = package()
    recipe.spec = Spec(dict.fromkeys(declared["variant"], False))
    for name in declared["variant"]:
        assert f"-DSCOPE_{name.upper()}=OFF" in recipe.cmake_args()
    assert not any("FAMILIES" in word for word in recipe.cmake_args())
    recipe.spec = Spec(dict.fromkeys(declared["variant"], True), mpi="mvapich2")
    assert "-DSCOPE_MPI_FAMILIES=mpich" in recipe.cmake_args()
    assert "-DSCOPE_MPI_MPICH_INCLUDES=/mpi/include" in recipe.cmake_args()


def test_every_optional_dependency_is_conditional():
    _, declared = load(True)
    for library, variant in (("mpi", "+mpi"), ("hwloc@2:", "+hwloc"), ("fortran", "+fortran"),
                             ("python@3.10:", "+python"), ("py-numpy", "+python")):
        assert declared["depends_on"][library]["when"] == variant
    assert declared["depends_on"]["hdf5@1.10: ~mpi"]["when"] == "+hdf5"


def test_the_repository_is_described_for_package_api_2():
    text = (REPO / "repo.yaml").read_text()
    assert "namespace: scope" in text and "api: v2.0" in text
    assert RECIPE.parent.name == "scope_profiler" and RECIPE.parents[2].parent.name == "spack_repo"


def test_k27_spack_installs_it(tmp_path):
    if not os.environ.get("SPACK_ROOT"):
        pytest.skip("SPACK_ROOT is not set: no Spack to install with")
    spack = Path(os.environ["SPACK_ROOT"]) / "bin" / "spack"
    env = dict(
        os.environ, SPACK_USER_CONFIG_PATH=str(tmp_path), SPACK_USER_CACHE_PATH=str(tmp_path)
    )
    run([spack, "repo", "add", REPO], env=env, timeout=300)
    for variants in ("~mpi", "+mpi", "+mpi~hdf5", "+python"):
        run([spack, "spec", f"scope-profiler{variants}"], env=env, timeout=1200)
    run([spack, "install", "--test=root", "scope-profiler"], env=env, timeout=7200)
