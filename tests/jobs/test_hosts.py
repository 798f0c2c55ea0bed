"""What host programs do to a process: the profiler must stand it, and the file must be right.

SPDX-License-Identifier: MIT
"""
import time
from collections import Counter

import pytest

from support.profile import Profile, ours

MODES = ["cancel", "small-stacks", "main-ends", "detached", "few-descriptors", "blocked-signals", "alternate-stack",
         "many-children", "remove-directory", "counters", "close-everything"]


def said(result):
    return {name: int(count) for name, count in
            (line.rsplit(" ", 1) for line in result.stdout.splitlines())}


@pytest.mark.parametrize("run_by", ["linked", "scope run"])
@pytest.mark.parametrize("mode", MODES)
def test_host_program(build, place, install, mode, run_by):
    before = [install.scope, "run"] if run_by == "scope run" else []
    result = place.run([*before, build("hosts.c"), mode])
    counts, wanted = place.profile().all_counts(), said(result)
    assert wanted and {name: counts[name] for name in wanted} == wanted
    if mode == "few-descriptors": # memory it is, then
        assert len(ours(result.stderr)) == 1 and "error 24" in result.stderr
    elif mode == "close-everything": # the spool cannot grow any more: sums, all exact
        assert len(ours(result.stderr)) <= 1
    else:
        assert result.stderr == ""
    if mode == "cancel":
        assert counts["cancelled"] == 20
    if mode == "many-children":
        children = [Profile(p).counts()["child"] for p in place.folder.glob("run.h5?*")]
        assert sorted(children) == list(range(1, 61))
    if mode == "close-everything":
        assert all((place.folder / f"mine-{i}").read_bytes() == b"mine" for i in range(20))
    if mode == "counters":
        profile = place.profile()
        assert profile.scope["counters/values"].tolist() == [0.0, -1.5, 1e308, -1e-308, 3.141592653589793]
        assert len(profile.scope["marks/times_ns"]) == 7
    assert place.spools() == []


def test_a_daemon_is_a_process_of_its_own(build, place):
    """daemon(3): the first parent ends by _exit, the child goes on and has its own file."""
    place.run([build("hosts.c"), "daemon"])
    until = time.monotonic() + 300
    while not list(place.folder.glob("run.h5*")) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.2)
    files = {p.name: Profile(p).counts() for p in place.folder.glob("run.h5*")}
    assert Counter({"in daemon": 7}) in files.values()
    assert place.recover().counts() == Counter(work=1), "what ended by _exit lies in its spool"


def test_a_program_that_executes_itself_anew(build, place):
    """The same process id, another image: its file is whole, the first one's calls can be recovered."""
    result = place.run([build("hosts.c"), "run-again"])
    spool, = place.spools()
    assert result.stderr == ("scope: this process recorded before it executed this program: "
                             f"scope recover {spool} -o FILE\n")
    assert place.profile().counts() == Counter({"second image": 12})
    assert place.profile().metadata["scope_recording_before_exec"] == str(spool)
    assert place.recover(spool).counts() == Counter({"first image": 11})


def test_two_runs_of_one_script_do_not_overwrite_each_other(build, place, install):
    """scope run around a shell script: the second program finds the name taken in this run."""
    program = build("many_threads.c")
    place.run([install.scope, "run", "sh", "-c", f"{program} 4 && {program} 6"])
    counts = sorted(Profile(p).counts()["shared"] for p in place.folder.glob("run*.h5*"))
    assert counts == [100 * 4 * 5 // 2, 100 * 6 * 7 // 2]


def test_a_second_run_replaces_the_file_of_the_first(build, place):
    for threads in (4, 6):
        place.run([build("many_threads.c"), threads])
    assert place.profile().counts()["shared"] == 100 * 6 * 7 // 2 and place.files() == ["run.h5"]


def test_plugin_that_is_loaded_and_unloaded(place, install, tmp_path):
    """A library that records comes by dlopen, with libscope, and goes again."""
    (tmp_path / "plugin.c").write_text(
        '#include <scope/scope.h>\nvoid work(void) { SCOPE_REGION("in plug-in"); }\n'
        'void start(void) { scope_init(NULL); }\nvoid stop(void) { scope_finalize(); }\n')
    (tmp_path / "host.c").write_text(r'''
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < 5; i++) {
        void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            return puts(dlerror()), 2;
        if (i == 0)
            ((void (*)(void))dlsym(handle, "start"))();
        for (int k = 0; k < 10; k++)
            ((void (*)(void))dlsym(handle, "work"))();
        if (i == 4)
            ((void (*)(void))dlsym(handle, "stop"))();
        dlclose(handle);
    }
    return argc - 2;
}
''')
    plugin = install.compile(tmp_path / "plugin.c", tmp_path / "plugin.so", ["-shared", "-fPIC"])
    host = install.compile(tmp_path / "host.c", tmp_path / "host", libs=["-ldl"])
    result = place.run([host, plugin])
    assert result.stderr == "" and place.profile().counts() == Counter({"in plug-in": 50})


def test_without_an_environment(build, place):
    result = place.run(["env", "-i", build("many_threads.c"), 3])
    assert result.stderr == "" and place.profile("profiling_data.h5").counts()["shared"] == 600


@pytest.mark.mpi
def test_spawned_mpi_processes(openmpi, place, tmp_path):
    """MPI_Comm_spawn: parents and children are two jobs that nothing joins; none hangs, the
    file of the last is whole. Who wants both says %p or %r in the name."""
    source = tmp_path / "spawn.c"
    source.write_text(r'''
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    MPI_Comm parent, children;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Barrier(MPI_COMM_WORLD);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        MPI_Barrier(children);
        MPI_Comm_disconnect(&children);
    } else {
        MPI_Barrier(parent);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
''')
    program = openmpi.compile(source, tmp_path / "spawn")
    result = place.mpirun(openmpi, 2, [program])
    assert len(ours(result.stderr)) <= 1
    barriers = {Profile(p).mpi_counts(0)["MPI_Barrier"] for p in place.folder.glob("run*.h5*")}
    assert barriers and barriers <= {2, 3}
