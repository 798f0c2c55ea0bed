"""fork, vfork, spawn and exec: each process has its own calls and nobody else's.

SPDX-License-Identifier: MIT
"""
from collections import Counter

import pytest

from support.profile import Profile, ours

PARENT = Counter({"parent before": 10, "parent after": 20})


def profiles(place):
    """{file name: counts} of all that was written."""
    return {p.name: Profile(p).check().counts() for p in sorted(place.folder.glob("*.h5*"))}


def split(place):
    """(the parent's counts, [counts of each other file])."""
    found = profiles(place)
    assert "run.h5" in found, found
    return found.pop("run.h5"), list(found.values())


@pytest.mark.parametrize("mode", ["fork", "nested"])
def test_k16_a_forked_child_has_only_its_own_calls(build, place, mode):
    result = place.run([build("fork.c"), mode])
    assert ours(result.stderr) == []
    parent, children = split(place)
    assert parent == PARENT + Counter({"open at fork": 1})
    assert Counter(child=5) in children
    if mode == "nested":
        assert Counter(grandchild=6) in children
    assert len(children) == (2 if mode == "nested" else 1)
    assert place.spools() == []


def test_a_child_that_ends_by__exit_leaves_its_spool(build, place):
    place.run([build("fork.c"), "_exit"])
    parent, children = split(place)
    assert parent == PARENT + Counter({"open at fork": 1})
    if not children:
        assert len(place.spools()) == 1
        assert place.recover().counts() == Counter(child=5)


def test_a_silent_child_leaves_nothing(build, place):
    result = place.run([build("fork.c"), "silent"])
    assert result.stderr == "" and profiles(place) == {"run.h5": PARENT} and place.spools() == []


def test_fork_in_a_thread_while_another_records(build, place):
    place.run([build("fork.c"), "thread"], SCOPE_THROTTLE=0)
    parent, children = split(place)
    assert parent["open at fork"] == 5 and parent["parent after"] == 20
    assert parent["child"] == 0 and parent["meanwhile"] % 10 == 0
    assert children == [Counter(child=5)] * 5


@pytest.mark.parametrize("mode", ["vfork", "spawn"])
def test_vfork_and_spawn_change_nothing(build, place, mode):
    result = place.run([build("fork.c"), mode])
    assert result.stderr == "" and profiles(place) == {"run.h5": PARENT} and place.spools() == []


def test_an_execd_child_that_records_does_not_take_the_parents_name(build, place, install):
    result = place.run([install.scope, "run", build("fork.c"), "exec"])
    pid = result.stdout.strip()
    found = profiles(place)
    assert found.pop("run.h5") == PARENT, found
    assert list(found.values()) == [Counter(leaf=4)]
    name, = found
    assert ".child-" in name and f".child-{pid}" not in name


def test_an_execd_child_without_scope_run_leaves_the_parents_file_whole(build, place):
    """Two programs that nothing joins, told to write one name: the last one's file is there, whole."""
    place.run([build("fork.c"), "exec"])
    assert profiles(place)["run.h5"] == PARENT


def test_two_processes_at_once_never_write_one_name(build, place):
    """The same program twice at the same time, without MPI and with one output name."""
    program = build("many_threads.c")
    place.run(["sh", "-c", f"{program} 4 & {program} 6 & wait"])
    counts = [c["shared"] for c in profiles(place).values()]
    assert set(counts) <= {100 * 4 * 5 // 2, 100 * 6 * 7 // 2} and counts


@pytest.mark.mpi
def test_system_and_popen_in_an_mpi_program(mpi, build, place, install, tmp_path):
    source = tmp_path / "shells.c"
    source.write_text(r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    char line[64] = "";
    MPI_Init(&argc, &argv);
    if (system("uname > /dev/null"))
        return 2;
    FILE *pipe = popen("echo hello", "r");
    if (!pipe || !fgets(line, sizeof line, pipe) || pclose(pipe))
        return 3;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
''')
    program = mpi.compile(source, tmp_path / "shells", libs=())
    result = place.mpirun(mpi, 2, [install.scope, "run", program])
    assert ours(result.stderr) == [] and place.files() == ["run.h5", "shells.c"]
    profile = place.profile()
    assert [profile.mpi_counts(r)["MPI_Barrier"] for r in range(2)] == [1, 1]


def test_a_child_keeps_the_descriptors_of_a_program_that_closed_ours(build, place):
    place.run([build("own_descriptors.c"), place.folder / "own.txt"])


DROPS = r"""
#include <pthread.h>
#include <scope/scope.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static atomic_int left = 3;
static void *work(void *calls)
{
    scope_region region;
    scope_region_register("work", &region);
    for (long i = 0; i < (long)calls; i++) {
        scope_region_begin(region);
        scope_region_end(region);
    }
    atomic_fetch_sub(&left, 1);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t ids[3];
    scope_init(NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&ids[i], NULL, work, (void *)atol(argv[1]));
    while (atomic_load(&left)) {
        const pid_t child = fork();
        if (!child)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(ids[i], NULL);
    return argc ? raise(SIGKILL) : 1;
}
"""


def test_what_is_dropped_during_a_fork_is_counted_before_a_kill(place, tmp_path):
    """Other threads go on while one forks; nobody gets to add their counts up afterwards."""
    source, made = tmp_path / "drops.c", 3 * 1_000_000
    source.write_text(DROPS)
    program = place.install.compile(source, tmp_path / "drops", ["-pthread"])
    place.run([program, 1_000_000], check=False, SCOPE_POLICY="stop", SCOPE_MAX_BYTES="1M", SCOPE_THROTTLE=0)
    profile = place.recover()
    kept, missing = sum(profile.counts().values()), 2 * made - profile.lost()
    assert 2 * kept >= missing, "none is neither kept nor counted"
    assert 2 * kept <= 1.01 * missing, "a call whose END alone was dropped is kept, too"
