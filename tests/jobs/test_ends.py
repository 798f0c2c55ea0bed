"""Cancelled threads, handlers that jump away or exit, ends that meet, forks without end.

Each program says how many calls there must be at least and at most; what is in the file, in
the spool, or counted as lost is compared with that.

SPDX-License-Identifier: MIT
"""
import shutil
import subprocess
from collections import Counter

import pytest

from support.profile import Profile, ours

ASAN = ["-fsanitize=address,undefined", "-fno-omit-frame-pointer"]


def said(result):
    """{name: (least, most)} of the program's "name least most" lines."""
    lines = [line.rsplit(" ", 2) for line in result.stdout.splitlines()]
    return {name: (int(least), int(most)) for name, least, most in lines}


def everything(place):
    """What is in the output, and in the spools that are left, each as a Profile."""
    files = [Profile(p).check() for p in sorted(place.folder.glob("*.h5*"))]
    return files + [place.recover(spool, output=f"recovered-{i}")
                    for i, spool in enumerate(place.spools())]


def check(result, profile):
    wanted, counts, lost = said(result), profile.all_counts(), profile.lost()
    assert wanted
    missing = sum(max(0, least - counts[name]) for name, (least, _) in wanted.items())
    assert 2 * missing <= lost, f"{wanted} {counts} lost {lost}"
    for name, (_, most) in wanted.items():
        assert counts[name] <= most, name


def lines_of_loss(result):
    return [line for line in ours(result.stderr) if "without a begin" not in line and "folded" not in line]


@pytest.mark.parametrize("mode", ["cancel", "cancel-asynchronous"])
def test_cancelled_threads_take_no_lock_with_them(build, place, mode):
    """Not under AddressSanitizer: it takes the stack of a cancelled thread for overrun."""
    result = place.run([build("ends.c"), mode, 20], SCOPE_MAX_BYTES="4M")
    assert lines_of_loss(result) == []
    check(result, Profile(place.output))
    assert place.spools() == []


def test_a_thread_cancelled_where_its_signals_were_just_blocked(build, place):
    """The system calls of the start, cancellation points all, do not wait for a signal that is blocked."""
    place.run([build("cancel_held.c")])
    assert place.profile().counts() == {"main": 5}
    assert place.spools() == []


def test_threads_cancelled_while_they_start_and_end(build, place):
    """None takes the end of its lanes with it, and the end of the recording finds no dead thread's."""
    result = place.run([build("cancel_short.c"), 3, 1000], SCOPE_MAX_BYTES="64M")
    assert lines_of_loss(result) == []
    check(result, Profile(place.output))
    assert place.spools() == []


@pytest.mark.parametrize("threads", [1, 3])
def test_the_end_comes_beside_threads_that_flush_on(build, place, threads):
    """It waits in line: by then each thread may have flushed once or twice, not as often as it likes."""
    result = place.run([build("flush_loop.c"), place.output, threads])
    assert result.stderr == ""
    assert int(result.stdout) < 100
    assert place.profile().counts() == {"work": 1000}


def test_a_handler_between_any_two_instructions_of_a_first_event(build, place):
    """One that starts the thread's first chunk there: the event that it interrupted has no place yet."""
    result = place.run([build("single_step.c"), 300])
    if result.stdout == "-1\n":
        pytest.skip("no trap flag on this processor")
    check(result, Profile(place.output))
    assert place.spools() == []


def test_handlers_that_jump_away(build, place):
    """siglongjmp out of anything of ours: nobody waits for ever, the thread goes on recording."""
    result = place.run([build("ends.c"), "jump", 100], SCOPE_MAX_BYTES="4M")
    assert lines_of_loss(result) == []
    check(result, Profile(place.output))
    assert place.spools() == []


@pytest.mark.parametrize("flags", [(), ASAN], ids=["plain", "asan"])
@pytest.mark.parametrize("mode", ["exit", "return", "main-thread-exits", "finalize-at-once"])
def test_threads_that_go_on_at_the_end(build, place, mode, flags):
    """8 threads record, register names, start threads, open sessions; each call that had ended is there."""
    result = place.run([build("ends.c", flags), mode], ASAN_OPTIONS="detect_leaks=0", SCOPE_MAX_BYTES="4M")
    assert lines_of_loss(result) == []
    check(result, Profile(place.output))
    assert place.files() == ["run.h5"] and place.spools() == []


def test_quick_exit_leaves_the_spool_with_all_of_it(build, place):
    result = place.run([build("ends.c"), "quick_exit"], SCOPE_MAX_BYTES="4M")
    assert place.files() == []
    profile, = everything(place)
    check(result, profile)


def exit_in_handler(place, command, **options):
    """exit(3): no hang, no file, one line; what scope recover makes of the spool, and what it says."""
    result = place.run([*command], timeout=300, check=False, **options)
    assert result.returncode == 3, result.stderr
    line, = ours(result.stderr)
    spool, = place.spools()
    assert "exit() in a signal handler" in line and line.endswith(f"scope recover {spool}")
    assert place.files() == []
    profile, = everything(place)
    assert list(profile.scope["ranks/end_kinds"]) == [2] and list(profile.scope["ranks/end_values"]) == [3]
    return result, profile


HOW = ["", "nodefer", "altstack"]


@pytest.mark.parametrize("when", range(6))
def test_exit_in_a_signal_handler(build, place, when):
    """The handler came anywhere in the recorder."""
    counts = exit_in_handler(place, [build("ends.c"), "exit-in-handler", 97 * when, HOW[when % 3]],
                             SCOPE_MAX_BYTES="4M")[1].all_counts()
    assert counts["in handler"] == 1 and counts["open"] == 1 and counts["loop"] > 0


@pytest.mark.parametrize("when", range(6))
def test_exit_in_a_signal_handler_that_came_in_malloc(build, place, when):
    """The heap is locked by what was interrupted."""
    result, profile = exit_in_handler(
        place, [build("ends.c"), "exit-in-handler-of-malloc", 97 * when, HOW[when % 3]])
    check(result, profile)
    assert profile.counts()["in handler"] == 1


def test_exit_in_a_signal_handler_without_a_spool(build, place):
    result = place.run([build("ends.c"), "exit-in-handler-of-malloc", 5], timeout=300, check=False, SCOPE_SPOOL="0")
    assert result.returncode == 3 and place.spools() == [] and place.files() == []
    line, = ours(result.stderr)
    assert "in memory and is lost" in line


@pytest.mark.parametrize("when", [1, 20, 60])
def test_exit_in_a_signal_handler_that_came_while_the_file_was_written(build, place, when):
    """A file, or the spool; or both, where the file had its name already."""
    result = place.run([build("ends.c"), "exit-in-handler-while-writing", when], timeout=300, check=False)
    assert result.returncode == 3
    assert len(place.spools()) == sum("scope recover" in line for line in ours(result.stderr))
    profiles = [place.profile()] if place.output.exists() else []
    profiles += [place.recover(spool) for spool in place.spools()]
    assert profiles
    for profile in profiles:
        check(result, profile)


def test_exit_with_all_signals_blocked_writes_the_file(build, place):
    result = place.run([build("ends.c"), "exit-with-all-blocked"], check=False)
    assert result.returncode == 3 and ours(result.stderr) == [] and place.spools() == []
    check(result, place.profile())


@pytest.mark.parametrize("when", range(4))
def test_finalize_in_a_signal_handler(build, place, when):
    result = place.run([build("ends.c"), "finalize-in-handler", 97 * when], timeout=300, SCOPE_MAX_BYTES="4M")
    check(result, Profile(place.output))
    assert place.spools() == []


def test_finalize_inside_a_region_and_twice(build, place):
    result = place.run([build("ends.c"), "finalize-inside"])
    check(result, place.profile())
    assert place.profile().counts()["work"] == 6 and place.spools() == []


def test_sessions_again_and_again_while_threads_record(build, place):
    place.run([build("ends.c"), "again-and-again"], SCOPE_MAX_BYTES="4M")
    for i in range(10):
        assert Profile(place.folder / f"round-{i}.h5").all_counts()[f"round {i}"] == 10 + i
    assert place.spools() == []


def test_a_program_that_closed_the_spool_is_still_alive(place, install, tmp_path):
    """Its lock went with the descriptor: recover must not take the spool from under it."""
    (tmp_path / "closes.c").write_text(r'''
#include <scope/scope.h>
#include <unistd.h>
static void calls(int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name("work");
        scope_region_end_name("work");
    }
}
int main(void)
{
    char byte;
    scope_init(NULL);
    calls(5);
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    calls(6);
    if (write(1, "x", 1) != 1 || read(0, &byte, 1) != 1)
        return 2;
    calls(7);
    _exit(0);
}
''')
    program = install.compile(tmp_path / "closes.c", tmp_path / "closes")
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=place.folder,
                               env=place.environment())
    try:
        assert process.stdout.read(1) == b"x"
        assert place.recover("--remove", place.spool).counts() == Counter(work=11)
        assert len(place.spools()) == 1, "it is still in use"
        process.stdin.write(b"x")
        process.stdin.flush()
        assert process.stdout.read() == b"" # it has ended, nobody has waited for it
        assert place.recover("--remove", place.spool).counts() == Counter(work=18)
        assert place.spools() == []
    finally:
        process.kill()
        process.communicate()


def test_the_spool_grows_after_the_program_closed_it(place, install, tmp_path):
    """It is opened again by its name, and locked: all calls are there, none folded."""
    (tmp_path / "closes.c").write_text(r'''
#include <scope/scope.h>
#include <unistd.h>
int main(void)
{
    scope_init(NULL);
    for (int i = 0; i < 600000; i++) {
        scope_region_begin_name("work");
        scope_region_end_name("work");
        if (i == 100)
            for (int fd = 3; fd < 1024; fd++)
                close(fd);
    }
    _exit(0);
}
''')
    program = install.compile(tmp_path / "closes.c", tmp_path / "closes")
    place.run([program], SCOPE_THROTTLE=0, SCOPE_MAX_BYTES="64M")
    profile = place.recover()
    assert profile.counts() == Counter(work=600000) and profile.lost() == 0


# ---- libraries ----

LIBRARY = r'''
#include <scope/scope.h>
static void calls(const char *name, int count)
{
    for (int i = 0; i < count; i++) {
        scope_region_begin_name(name);
        scope_region_end_name(name);
    }
}
__attribute__((constructor)) static void first(void) { scope_init(0); calls("constructor", 3); }
__attribute__((destructor)) static void last(void) { calls("destructor", 2); scope_finalize(); }
void work(void) { calls("work", 10); }
'''


def test_a_library_starts_and_ends_it(place, install, tmp_path):
    """In its constructor and destructor; the program says scope_finalize too, twice."""
    (tmp_path / "own.c").write_text(LIBRARY)
    install.compile(tmp_path / "own.c", tmp_path / "libown.so", ["-shared", "-fPIC"])
    (tmp_path / "main.c").write_text("#include <scope/scope.h>\nvoid work(void);\nint main(int argc, char **argv)\n"
                                     "{ (void)argv; work(); if (argc > 1) { scope_finalize(); scope_finalize(); } }\n")
    program = install.compile(tmp_path / "main.c", tmp_path / "main",
                              [f"-L{tmp_path}", f"-Wl,-rpath,{tmp_path}"], ["-lown", "-lscope"])
    assert place.run([program, "finalize"]).stderr == ""
    assert place.profile().counts() == Counter(constructor=3, work=10)
    place.output.unlink()
    assert place.run([program]).stderr == ""
    counts = place.profile().counts()
    assert counts["constructor"] == 3 and counts["work"] == 10
    assert place.spools() == []


def test_libraries_come_and_go_while_threads_that_used_them_live(place, install, tmp_path):
    """dlopen and dlclose of a library that records, and of ours: handlers and destructors stay."""
    (tmp_path / "plugin.c").write_text(LIBRARY.replace("destructor)) static", "unused)) static"))
    plugin = install.compile(tmp_path / "plugin.c", tmp_path / "plugin.so", ["-shared", "-fPIC"])
    (tmp_path / "host.c").write_text(r'''
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static atomic_int stop;
static void *lives(void *work)
{
    ((void (*)(void))work)();
    while (!atomic_load(&stop))
        usleep(100);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t ids[20];
    for (int i = 0; i < 20; i++) {
        void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        void *runtime = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
        if (!plugin || !runtime)
            return puts(dlerror()), 2;
        void *work = dlsym(plugin, "work");
        if (i % 2)
            ((void (*)(void))work)();
        if (pthread_create(&ids[i], NULL, lives, work))
            return 3;
        if (i < 19) {
            dlclose(runtime);
            dlclose(runtime = dlopen(argv[2], RTLD_NOW));
        }
        usleep(2000);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 20; i++)
        pthread_join(ids[i], NULL);
    for (int i = 0; i < 60; i++) {
        void *plugin = dlopen(argv[1], RTLD_NOW);
        dlclose(plugin);
        dlclose(plugin);
    }
    return argc - 3;
}
''')
    host = install.compile(tmp_path / "host.c", tmp_path / "host", ["-pthread"], ["-ldl"])
    result = place.run([host, plugin, install.lib / "libscope.so"])
    assert ours(result.stderr) == [] and place.profile().counts()["work"] == 10 * 30
    assert place.spools() == []


def test_no_library_of_ours_is_ever_unmapped(install):
    """Their handlers of exit and fork, and their destructors of threads, must stay."""
    if not shutil.which("readelf"):
        pytest.skip("no readelf here")
    from support.jobs import run
    names = ["libscope.so", *(f"libscope_mpi_{family}.so" for family in ("ompi", "mpich"))]
    found = [install.lib / name for name in names if (install.lib / name).exists()]
    assert found
    for library in found:
        assert "NODELETE" in run(["readelf", "-d", library]).stdout, library.name


# ---- forks ----

def check_children(place, result, parent_name="run.h5"):
    """Every child has its own 5 calls, and nobody else's; the parent has none of theirs."""
    fast, slow = map(int, result.stdout.splitlines()[-1].split()[1:])
    files = {p.name: Profile(p) for p in place.folder.glob("run.h5*")}
    parent = files.pop(parent_name)
    assert parent.all_counts()["child"] == 0 and parent.all_counts()["parent"] > 0
    assert len(files) == slow and len(place.spools()) == fast
    assert all(p.counts() == Counter(child=5) for p in files.values())
    for i, spool in enumerate(place.spools()):
        if i % max(1, fast // 20) == 0: # each takes a process of its own
            assert place.recover(spool, output=f"recovered-{i}").counts() == Counter(child=5)
    return parent


@pytest.mark.parametrize("often", [90, pytest.param(10_000, marks=pytest.mark.long)])
def test_fork_in_a_loop(build, place, often):
    if often > 1000 and shutil.disk_usage(place.spool).free < 4 << 30:
        pytest.skip("less than 4 GB for the children's spools")
    result = place.run([build("forks.c"), "loop", often], timeout=1800, SCOPE_MAX_BYTES="256K")
    assert result.stdout.splitlines()[0].split()[:2] == ["descriptors", "0"]
    assert int(result.stdout.splitlines()[0].split()[3]) <= 4, "no map is left by a fork"
    assert check_children(place, result).all_counts()["parent"] == 10 + often - 3
    assert ours(result.stderr) == []


@pytest.mark.parametrize("mode, often", [("at-once", 40), ("handlers", 30)])
def test_forks_beside_everything_else(build, place, mode, often):
    result = place.run([build("forks.c"), mode, often], SCOPE_MAX_BYTES="1M")
    check_children(place, result)


def test_fork_where_a_handler_jumped_out_of_the_writing_of_a_file(build, place):
    """The lock of starts and ends is taken for ever: a fork goes on after 5 s, its child writes nothing by itself."""
    result = place.run([build("forks.c"), "beside-a-jump"], SCOPE_MAX_BYTES="1M")
    assert result.stdout.split() == ["children", "1", "1"]
    line, = [line for line in ours(result.stderr) if "forked while its parent wrote a file" in line]
    assert "scope recover" in line
    own = [profile.counts() for profile in everything(place)]
    assert own.count(Counter(child=5)) == 2


def test_a_daemon_forks_twice_inside_a_call(build, place):
    result = place.run([build("forks.c"), "twice"])
    files = {p.name: Profile(p) for p in place.folder.glob("run.h5*")}
    assert files.pop("run.h5").counts() == Counter(parent=11)
    grandchild, = files.values()
    assert grandchild.counts() == Counter(child=5)
    assert sum(grandchild.scope["misuse/orphans"]) == 1, "the parent's call is not the child's"
    spool, = place.spools()
    assert place.recover(spool).counts() == Counter(child=5)
    assert len(ours(result.stderr)) == 1
