"""A process that has another hwloc: what the file says of the machine is right or not there.

SPDX-License-Identifier: MIT
"""
import json
import os

import h5py
import pytest

from support.jobs import environment, run
from support.profile import Profile

OLD = r"""
/* hwloc 1.11 as far as its names go: the same functions, other structures. */
#include <stdio.h>
#include <stdlib.h>
unsigned hwloc_get_api_version(void) { return 0x00010b06; }
static int wrong(const char *name) { fprintf(stderr, "old hwloc: %s\n", name); abort(); }
#define OLD(name) int name(void) { return wrong(#name); }
OLD(hwloc_topology_init) OLD(hwloc_topology_load) OLD(hwloc_topology_destroy) OLD(hwloc_get_type_depth)
OLD(hwloc_get_nbobjs_by_depth) OLD(hwloc_get_obj_by_depth) OLD(hwloc_obj_get_info_by_name)
OLD(hwloc_topology_set_io_types_filter) OLD(hwloc_get_nbobjs_by_type) OLD(hwloc_get_obj_by_type)
OLD(hwloc_bitmap_alloc) OLD(hwloc_bitmap_free) OLD(hwloc_get_cpubind) OLD(hwloc_get_root_obj)
"""

PROGRAM = r"""
#include <scope/scope.h>
unsigned hwloc_get_api_version(void);
int main(void)
{
    scope_init(NULL);
    {
        SCOPE_REGION("work");
    }
    return scope_finalize() != SCOPE_OK || hwloc_get_api_version() >> 16 != 1;
}
"""


@pytest.fixture(scope="module")
def old_hwloc(tmp_path_factory):
    folder = tmp_path_factory.mktemp("old")
    (folder / "old.c").write_text(OLD)
    run(["gcc", "-shared", "-fPIC", folder / "old.c", "-Wl,-soname,libhwloc.so.5", "-o", folder / "libhwloc.so.5"])
    return folder / "libhwloc.so.5"


def check(program, folder, **env):
    """Nothing said, the calls are there, and of the machine what is true or nothing."""
    result = run([program], cwd=folder, env=environment(SCOPE_SPOOL_DIR=folder, **env))
    assert (result.stdout, result.stderr) == ("", "")
    output = folder / "profiling_data.h5"
    assert Profile(output).check().counts() == {"work": 1}
    with h5py.File(output) as file:
        if "topology" not in file["scope"]:
            return None
        topology = json.loads(file["scope/topology"][()])
    assert topology["source"].startswith("hwloc 2.") and topology["pus"] == os.cpu_count()
    return topology


@pytest.mark.parametrize("how", ["linked", "preloaded"])
def test_k39_a_program_with_an_old_hwloc(install, old_hwloc, tmp_path, how):
    """Its functions are found first by everything that is loaded after it."""
    (tmp_path / "program.c").write_text(PROGRAM)
    program = install.compile(tmp_path / "program.c", tmp_path / "program", (),
                              ["-lscope", old_hwloc, f"-Wl,-rpath,{old_hwloc.parent}"])
    env = {} if how == "linked" else {"LD_PRELOAD": old_hwloc}
    topology = check(program, tmp_path, **env)
    if (install.lib / "scope" / "libscope_hwloc.so").exists():
        assert topology, "it has its own hwloc"


def test_k39_under_a_sanitizer_the_machine_is_left_out(install, old_hwloc, tmp_path):
    """There nothing may be bound deeply, so the old one is all that is found."""
    (tmp_path / "program.c").write_text(PROGRAM)
    program = install.compile(tmp_path / "program.c", tmp_path / "program", ["-fsanitize=address"],
                              ["-lscope", old_hwloc, f"-Wl,-rpath,{old_hwloc.parent}"])
    assert check(program, tmp_path, ASAN_OPTIONS="detect_leaks=0") is None
