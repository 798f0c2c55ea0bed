"""The plug-ins link what they should, export one symbol, and get along with another HDF5.

SPDX-License-Identifier: MIT
"""
import glob
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import h5py
import pytest

from support.jobs import environment, run

RECORD = r"""
#include <scope/scope.h>
int main(void)
{
    scope_init(NULL);
    for (int i = 0; i < 5; i++) {
        SCOPE_REGION("solve");
    }
    return scope_finalize();
}
"""

SHALLOW = r"""
#include <dlfcn.h>
#include <scope/sink.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL; /* not DEEPBIND */
    scope_sink_write_fn *write = plugin ? (scope_sink_write_fn *)dlsym(plugin, SCOPE_SINK_SYMBOL) : NULL;
    scope_world world = *scope_world_serial();
    scope_sink_request request = {sizeof request, NULL, 1, &world, "shallow.h5", "auto", "none", 0};
    scope_sink_report report;
    const scope_status status = write ? write(&request, &report) : 1;
    printf("%d %s\n", status, status ? report.message : "");
    return 0;
}
"""

OWN_HDF5 = r"""
#include <scope/scope.h>
#include <hdf5.h>
#include <stdio.h>
static herr_t show(hid_t stack, void *data) { (void)stack, (void)data; return 0; }
int main(void)
{
    H5E_auto2_t function = NULL;
    H5Eset_auto2(H5E_DEFAULT, show, NULL);
    hid_t file = H5Fcreate("own.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate(H5S_SCALAR);
    int value = 42;
    scope_init(NULL);
    {
        SCOPE_REGION("solve");
    }
    if (scope_finalize() != SCOPE_OK) /* while a file of the program is open */
        return 2;
    H5Eget_auto2(H5E_DEFAULT, &function, NULL);
    hid_t set = H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set < 0 || H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0 || function != show)
        return 3;
    H5Dclose(set);
    H5Sclose(space);
    return H5Fclose(file) < 0; /* nothing of ours keeps it open */
}
"""


def needed(library):
    lines = run(["readelf", "-d", library]).stdout.splitlines()
    return [line.split("[")[1].rstrip("]") for line in lines if "(NEEDED)" in line]


def exported(library):
    lines = run(["nm", "-D", "--defined-only", library]).stdout.splitlines()
    return {line.split()[2].split("@")[0] for line in lines if line.split()[1] in "TDBRVW"}


def test_each_plugin_has_one_symbol(install):
    assert exported(install.lib / "scope" / "libscope_hdf5_writer.so") == {"scope_sink_write", "scope_sink_write_calls"}
    assert exported(install.lib / "scope" / "libscope_hwloc.so") == {"scope_topology"}
    for parallel in (install.lib / "scope").glob("libscope_hdf5_writer_*.so"):
        assert exported(parallel) == {"scope_hdf5_write_parallel"}


def test_the_writer_links_a_serial_hdf5_and_nothing_of_ours(install):
    libraries = needed(install.lib / "scope" / "libscope_hdf5_writer.so")
    hdf5 = [name for name in libraries if "hdf5" in name]
    assert len(hdf5) == 1 and "mpi" not in hdf5[0]
    assert not any("scope" in name or "mpi" in name for name in libraries)


def test_the_reading_library_exports_its_headers_alone(install):
    library = install.lib / "libscope_hdf5.so"
    names = exported(library)
    assert {"scope_file_open", "scope_file_write", "scope_calls_merge", "scope_summarize", "scope_lane_label",
            "scope_status_text"} <= names
    assert all(name.startswith(("scope_file_", "scope_calls_", "scope_summar", "scope_lane_label", "scope_status_text"))
               for name in names), names
    assert not any("libscope" in name for name in needed(library))


@pytest.fixture
def program(install, tmp_path):
    source = tmp_path / "record.c"
    source.write_text(RECORD)
    return install.compile(source, tmp_path / "record")


def recorded(path):
    with h5py.File(path) as f:
        return [n.decode() for n in f["region_table/names"][()]], len(f["events/durations"])


def h5py_hdf5():
    """h5py's own HDF5: without symbol versions, so when it is global it takes everybody's calls."""
    return glob.glob(str(Path(h5py.__file__).parents[1] / "h5py.libs" / "libhdf5-*.so*"))


def test_another_hdf5_that_is_preloaded_is_not_used(program, tmp_path):
    others = [name for family in ("openmpi", "mpich") for name in glob.glob(f"/usr/lib/*/libhdf5_{family}.so.*")[:1]]
    others += h5py_hdf5()
    if not others:
        pytest.skip("no other HDF5 is installed")
    for other in others:
        result = run([program], cwd=tmp_path, env=environment(LD_PRELOAD=other))
        assert result.stdout == "" and result.stderr == ""
        assert recorded(tmp_path / "profiling_data.h5") == (["solve"], 5)
        (tmp_path / "profiling_data.h5").unlink()


def test_an_hdf5_in_the_way_without_a_helper_is_an_error_and_not_an_abort(install, tmp_path):
    others = h5py_hdf5()
    if not others:
        pytest.skip("this h5py brings no HDF5 of its own")
    (tmp_path / "shallow.c").write_text(SHALLOW)
    program = install.compile(tmp_path / "shallow.c", tmp_path / "shallow", libs=("-lscope", "-ldl"))
    plugin = install.lib / "scope" / "libscope_hdf5_writer.so"
    assert run([program, plugin], cwd=tmp_path).stdout.startswith("0 ")
    (tmp_path / "shallow.h5").unlink()
    lonely = shutil.copy(plugin, tmp_path)  # without scope-hdf5-writer beside it
    result = run([program, lonely], cwd=tmp_path, env=environment(LD_PRELOAD=others[0]))
    assert result.stdout.startswith("-10 ") and "another HDF5" in result.stdout
    assert "scope-hdf5-writer: not installed" in result.stdout
    helper = tmp_path / "scope-hdf5-writer"
    for text in ("#!/bin/sh\nexit 1\n", "#!/bin/sh\nkill -9 $$\n", "#!/no/such/shell\n"):
        helper.write_text(text)
        helper.chmod(0o755)
        result = run([program, lonely], cwd=tmp_path, env=environment(LD_PRELOAD=others[0]))
        assert result.stdout.startswith("-10 ") and "scope-hdf5-writer" in result.stdout, text
    assert not list(tmp_path.glob("*.h5")) and not list(tmp_path.glob(".*.tmp"))


ASAN = """
void __asan_init(void) {} /* libscope then opens plug-ins without DEEPBIND */
"""


@pytest.fixture
def behind(install, tmp_path):
    """A program in which h5py's HDF5 takes the place of the writer's."""
    others = h5py_hdf5()
    if not others:
        pytest.skip("this h5py brings no HDF5 of its own")
    (tmp_path / "behind.c").write_text(RECORD + ASAN)
    program = install.compile(tmp_path / "behind.c", tmp_path / "behind", flags=["-rdynamic", "-Wl,--enable-new-dtags"])
    return lambda **extra: run([program], cwd=tmp_path, check=False, env=environment(
        LD_PRELOAD=others[0], SCOPE_SPOOL_DIR=tmp_path / "spool", **extra))


@pytest.mark.parametrize("compression", ["none", "gzip"])
def test_with_an_hdf5_in_the_way_a_helper_makes_the_file(behind, tmp_path, compression):
    (tmp_path / "spool").mkdir()
    result = behind(SCOPE_COMPRESSION=compression)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert recorded(tmp_path / "profiling_data.h5") == (["solve"], 5)
    assert not list(tmp_path.rglob("*.spool"))


def test_without_the_helper_the_spool_stays_and_recover_makes_the_file(install, behind, tmp_path):
    (tmp_path / "spool").mkdir()
    (tmp_path / "lib/scope").mkdir(parents=True)
    for library in install.lib.glob("libscope.so*"):
        shutil.copy(library, tmp_path / "lib")
    shutil.copy(install.lib / "scope" / "libscope_hdf5_writer.so", tmp_path / "lib/scope")
    result = behind(LD_LIBRARY_PATH=tmp_path / "lib")
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and "another HDF5" in lines[0] and lines[0].count("profiling_data.h5") == 2
    assert not (tmp_path / "profiling_data.h5").exists() and list(tmp_path.rglob("*.spool"))
    command = shlex.split(lines[0].split("the recording is kept: ")[1])
    assert command[:2] == ["scope", "recover"]
    run([install.scope, *command[1:]], cwd=tmp_path)
    assert recorded(tmp_path / "profiling_data.h5") == (["solve"], 5)


def test_a_program_with_its_own_hdf5_keeps_its_files_and_error_handler(install, tmp_path):
    flags = run(["pkg-config", "--cflags", "--libs", "hdf5-serial"], check=False).stdout.split()
    if not flags:
        pytest.skip("pkg-config knows no hdf5-serial")
    source = tmp_path / "own.c"
    source.write_text(OWN_HDF5)
    program = install.compile(source, tmp_path / "own", flags=[f for f in flags if f.startswith("-I")],
                              libs=["-lscope", *(f for f in flags if not f.startswith("-I"))])
    result = run([program], cwd=tmp_path)
    assert result.stderr == ""
    with h5py.File(tmp_path / "own.h5") as f:
        assert f["x"][()] == 42
    assert recorded(tmp_path / "profiling_data.h5") == (["solve"], 1)


@pytest.mark.parametrize("order", ["before", "after"])
def test_h5py_in_the_same_process_works(install, tmp_path, order):
    use = "import h5py\nwith h5py.File('py.h5', 'w') as f: f['x'] = 42\n"
    record = f"""
import ctypes
scope = ctypes.CDLL({str(install.lib / 'libscope.so')!r}, mode=ctypes.RTLD_GLOBAL)
assert scope.scope_init(None) == 0
for _ in range(3):
    scope.scope_region_begin_name(b"solve"); scope.scope_region_end_name(b"solve")
assert scope.scope_finalize() == 0
"""
    code = use + record + use if order == "before" else record + use
    result = run([sys.executable, "-c", code], cwd=tmp_path)
    assert result.stderr == ""
    with h5py.File(tmp_path / "py.h5") as f:
        assert f["x"][()] == 42
    assert recorded(tmp_path / "profiling_data.h5") == (["solve"], 3)


def test_the_topology_of_the_machine_is_in_the_file(program, tmp_path):
    run([program], cwd=tmp_path, env=environment(HWLOC_SYNTHETIC="package:2 numa:1 core:4 pu:2"))
    with h5py.File(tmp_path / "profiling_data.h5") as f:
        topology = json.loads(f["scope/topology"][()])
    assert (topology["packages"], topology["numa_nodes"], topology["cores"], topology["pus"]) == (2, 2, 8, 16)
    run([program], cwd=tmp_path)
    with h5py.File(tmp_path / "profiling_data.h5") as f:
        topology = json.loads(f["scope/topology"][()])
    pus = int(subprocess.run(["nproc", "--all"], capture_output=True, text=True, check=True).stdout)
    assert topology["pus"] == pus and topology["source"].startswith("hwloc")
