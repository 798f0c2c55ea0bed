"""The layers of ARCHITECTURE.md hold: in the includes, in DT_NEEDED, in what is exported.

SPDX-License-Identifier: MIT
"""

import re
from pathlib import Path

import pytest

from support.jobs import run

ROOT = Path(__file__).resolve().parents[2]
LAYERS = {"runtime": 0, "analysis": 1, "mpi": 2, "hdf5io": 2, "tools": 3, "fortran": 3, "pybind": 3}
FOREIGN = {  # a header of somebody else's library: the only files that may include it
    r"mpi\.h": r"mpi/src/.*|hdf5io/src/(.*parallel.*|held_errors\.c)",
    r"hdf5(_hl)?\.h|H5\w*public\.h": r"hdf5io/src/.*",
    r"hwloc(/.*)?\.h": r"runtime/src/topology_hwloc\.c",
    r"Python\.h|numpy/.*": r"pybind/.*",
}

C_LIBRARY = {
    "libc.so.6",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
    "libpthread.so.0",
    "libdl.so.2",
}
SYSTEM = C_LIBRARY | {"libm.so.6", "libz.so.1"}
FORTRAN = SYSTEM | {"libgfortran.so.5", "libgcc_s.so.1", "libquadmath.so.0"}
# What libscope takes over from libc, to see threads and fast exits.
INTERPOSED = {"pthread_create", "thrd_create", "exit", "_exit", "_Exit", "quick_exit", "pthread_setname_np",
              "ompt_start_tool"}  # and what an OpenMP runtime looks for


def sources():
    for folder in LAYERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".c", ".h", ".cpp", ".hpp", ".inc"):
                yield path


def owner_of(including, name, quoted):
    """The folder whose header this is; None: not one of ours."""
    if quoted and (including.parent / name).exists():
        return including.relative_to(ROOT).parts[0]
    for folder in LAYERS:
        for place in ("include", "src"):
            if (ROOT / folder / place / name).exists():
                return folder
    return None


def test_includes_only_go_down_the_layers():
    wrong, seen = [], 0
    for path in sources():
        relative = path.relative_to(ROOT)
        folder = relative.parts[0]
        for mark, name in re.findall(
            r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', path.read_text(), re.M
        ):
            owner = owner_of(path, name, mark == '"')
            seen += 1
            if owner and owner != folder and LAYERS[owner] >= LAYERS[folder]:
                wrong.append(f"{relative} includes {name} of {owner}/")
            for header, allowed in FOREIGN.items():
                if re.fullmatch(header, name) and not re.fullmatch(allowed, str(relative)):
                    wrong.append(f"{relative} includes <{name}>")
    assert seen > 100 and not wrong, "\n".join(wrong)


def libraries(install):
    """Real files (no links) of lib/ and lib/scope/."""
    return sorted(
        p
        for p in (*install.lib.glob("libscope*.so*"), *install.lib.glob("scope/*.so*"))
        if not p.is_symlink()
    )


def needed(library):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", run(["readelf", "-d", library]).stdout))


def exported(library):
    """Names that the library defines for others, without symbol versions."""
    lines = run(["nm", "-D", "--defined-only", "--format=posix", library]).stdout.splitlines()
    return {line.split()[0].split("@")[0] for line in lines if line.split()[1] != "A"}


def stem(library):
    return library.name.split(".so")[0]


def find(install, name):
    found = [p for p in libraries(install) if stem(p) == name]
    if not found:
        pytest.skip(f"{name} is not in this install")
    return found[0]


def is_hdf5(name):
    return name.startswith("libhdf5")


def test_the_install_has_the_libraries_of_the_design(install):
    names = {stem(p) for p in libraries(install)}
    assert {"libscope", "libscope_fortran", "libscope_hdf5", "libscope_hdf5_writer"} <= names
    assert any(n.startswith("libscope_mpi_") for n in names)


def test_k22_libscope_needs_the_c_library_alone(install):
    assert needed(find(install, "libscope")) <= C_LIBRARY


@pytest.mark.parametrize("family", ["ompi", "mpich", "abi"])
def test_libscope_mpi_needs_libscope_and_no_mpi(family, install):
    needs = needed(find(install, f"libscope_mpi_{family}"))
    assert "libscope.so.0" in needs and needs <= SYSTEM | {"libscope.so.0"}


def test_libscope_fortran_needs_libscope_and_the_language(install):
    needs = needed(find(install, "libscope_fortran"))
    assert "libscope.so.0" in needs and needs <= FORTRAN | {"libscope.so.0"}


def test_libscope_hdf5_needs_no_mpi(install):
    others = needed(find(install, "libscope_hdf5")) - SYSTEM - {"libscope.so.0"}
    assert others and all(is_hdf5(n) and "openmpi" not in n and "mpich" not in n for n in others)


def test_plugins_link_no_libscope(install):
    plugins = [p for p in libraries(install) if p.parent.name == "scope"]
    assert plugins
    for plugin in plugins:
        others = needed(plugin) - SYSTEM
        if stem(plugin) == "libscope_hwloc":
            assert {n.split(".so")[0] for n in others} == {"libhwloc"}
        elif "hdf5" in stem(plugin):
            assert others and not any("scope" in n for n in others)
            if stem(plugin) == "libscope_hdf5_writer":
                assert all(is_hdf5(n) and "mpi" not in n for n in others), others
            else:  # of one MPI family, and the parallel HDF5 of that
                assert any(is_hdf5(n) for n in others)
                assert all(n.startswith(("libhdf5", "libmpi")) for n in others), others
        else:
            pytest.fail(f"{plugin} is no plug-in of the design")


def test_nothing_that_is_preloaded_brings_hdf5_mpi_or_hwloc(install):
    for library in libraries(install):
        if library.parent == install.lib and stem(library) != "libscope_hdf5":
            for name in needed(library):
                assert not re.match(
                    r"lib(hdf5|mpi|mpich|hwloc|open-)", name
                ), f"{library.name} needs {name}"


def test_exported_names_are_ours_or_taken_over_on_purpose(install):
    for library in libraries(install):
        names, name = exported(library), stem(library)
        if library.parent.name == "scope":
            allowed = {"libscope_hwloc": {"scope_topology"},
                       "libscope_hdf5_writer": {"scope_sink_write", "scope_sink_write_calls"},
                       }.get(name, {"scope_hdf5_write_parallel"})
            assert names == allowed, f"{library.name} exports {sorted(names ^ allowed)}"
            continue
        ours = {
            "libscope": r"scope_\w+",
            "libscope_hdf5": r"scope_\w+",
            "libscope_fortran": r"__scope_MOD_\w+|scope_\w+",
        }.get(name, r"(MPI_|mpi_|scope_)\w+")
        odd = sorted(n for n in names if not re.fullmatch(ours, n))
        if name == "libscope":
            odd = [n for n in odd if n not in INTERPOSED]
        assert not odd, f"{library.name} exports {odd}"


def test_sonames_have_the_abi_version_0(install):
    for library in libraries(install):
        if library.parent == install.lib:
            soname = re.search(r"\(SONAME\).*\[(.*)\]", run(["readelf", "-d", library]).stdout)
            assert soname and soname.group(1) == f"{stem(library)}.so.0"


def test_every_library_finds_its_neighbours(install):
    """RPATH is relative, or a folder of HDF5, hwloc or MPI; never a build tree."""
    for library in libraries(install):
        for path in re.findall(
            r"\(R(?:UN)?PATH\).*\[(.*)\]", run(["readelf", "-d", library]).stdout
        ):
            for word in path.split(":"):
                foreign = [found for name in ("hdf5", "hwloc", "mpi") for found in Path(word).glob(f"lib{name}*.so*")]
                assert word.startswith("$ORIGIN") or foreign, f"{library.name}: {word}"
