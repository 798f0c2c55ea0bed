"""`scope recover` beside running ranks, other recovers, other users, and where it may not write.

SPDX-License-Identifier: MIT
"""
import os
import shutil
import signal
import subprocess
from pathlib import Path

import h5py
import pytest

from support.jobs import environment, run
from tools.programs import build, inspect_json

OBEDIENT = r"""
#include <scope/scope.h>
#include <signal.h>
#include <stdio.h>
int main(void)
{
    scope_region work;
    scope_init(NULL);
    scope_region_register("work", &work);
    for (int c; (c = getchar()) != EOF;) {
        if (c == 'k')
            raise(SIGKILL);
        for (int i = 0; i < 100; i++) {
            scope_region_begin(work);
            scope_region_end(work);
        }
        putchar('.');
        fflush(stdout);
    }
    return 0;
}
"""
KILLED, FINISHED, RUNNING = 6, 1, 7


@pytest.fixture(scope="module")
def obedient(install, tmp_path_factory):
    """Records 100 calls for each byte it reads, and answers; k kills it, the end of input ends it."""
    return build(install, tmp_path_factory.mktemp("obedient"), "obedient", OBEDIENT)


class Rank:
    def __init__(self, program, folder, before=(), **extra):
        self.process = subprocess.Popen([*before, program], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=environment(SCOPE_SPOOL_DIR=folder, **extra))

    def work(self, rounds=1):
        for _ in range(rounds):
            self.process.stdin.write(b"w")
            self.process.stdin.flush()
            assert self.process.stdout.read(1) == b"."

    def kill(self):
        self.process.stdin.write(b"k")
        self.process.stdin.close()
        self.process.wait(300)

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(300) == 0


def recover(install, *words, check=True, cwd=None, before=()):
    return run([*before, install.scope, "recover", *words], check=check, cwd=cwd, env=environment())


def work_of(install, path):
    return {rank["rank"]: sum(r["num_calls"] for r in rank["regions"])
            for rank in inspect_json(install, run, path)["ranks"]}


def end_kinds(path):
    with h5py.File(path) as file:
        return dict(zip(file["scope/ranks/ranks"][()].tolist(), file["scope/ranks/end_kinds"][()].tolist()))


def spools(folder):
    return sorted(folder.rglob("*.spool"))


def test_ranks_that_still_run_lose_nothing_and_are_nobody_twice(install, obedient, tmp_path):
    job = dict(SCOPE_RUN_ID="ab" * 16, PMI_SIZE=3, SCOPE_OUTPUT=tmp_path / "job.h5")
    ranks = [Rank(obedient, tmp_path, PMI_RANK=rank, **job) for rank in range(3)]
    try:
        for number, rank in enumerate(ranks):
            rank.work(1 + number)
        ranks[1].kill()
        said = recover(install, "--remove", tmp_path, "-o", tmp_path / "first.h5").stdout
        assert "3 of 3 ranks" in said and said.count(": running") == 2 and said.count(": killed") == 1
        assert work_of(install, tmp_path / "first.h5") == {0: 100, 1: 200, 2: 300}
        assert end_kinds(tmp_path / "first.h5") == {0: RUNNING, 1: KILLED, 2: RUNNING}
        assert len(spools(tmp_path)) == 2, "only the dead one's spool is removed"
        ranks[0].work(4)
        ranks[0].end()
        ranks[2].work(2)
        said = recover(install, tmp_path, "-o", tmp_path / "second.h5").stdout
        assert "rank 0: finished" in said and "rank 1: left nothing" in said and "rank 2: running" in said
        assert work_of(install, tmp_path / "second.h5") == {0: 500, 2: 500} | {1: 0}
        ranks[2].end()
    finally:
        for rank in ranks:
            rank.process.kill()
            rank.process.wait(300)
    assert spools(tmp_path) == []
    for number, calls in ((0, 500), (2, 500)):
        assert work_of(install, tmp_path / f"job.rank{number}.h5")[number] == calls


def test_recovered_again_when_the_others_have_ended(install, obedient, tmp_path):
    """Without --remove: the killed rank from its spool, the others from their own files."""
    job = dict(SCOPE_RUN_ID="cd" * 16, PMI_SIZE=3, SCOPE_OUTPUT=tmp_path / "job.h5")
    ranks = [Rank(obedient, tmp_path, PMI_RANK=rank, **job) for rank in range(3)]
    for rank in ranks:
        rank.work()
    ranks[1].kill()
    recover(install, tmp_path)
    assert end_kinds(tmp_path / "job.h5") == {0: RUNNING, 1: KILLED, 2: RUNNING}
    for rank in (ranks[0], ranks[2]):
        rank.work()
        rank.end()
    again = recover(install, tmp_path, check=False)
    assert again.returncode == 1 and "exists already" in again.stderr
    said = recover(install, tmp_path, "-o", tmp_path / "again.h5").stdout
    assert "3 of 3 ranks" in said and said.count("from its own file") == 2
    assert end_kinds(tmp_path / "again.h5") == {0: FINISHED, 1: KILLED, 2: FINISHED}
    assert work_of(install, tmp_path / "again.h5") == {0: 200, 1: 100, 2: 200}


def test_the_file_of_a_program_that_went_on_takes_the_recovered_ones_place(install, obedient, tmp_path):
    rank = Rank(obedient, tmp_path, SCOPE_OUTPUT=tmp_path / "run.h5")
    rank.work(2)
    recover(install, tmp_path)
    assert work_of(install, tmp_path / "run.h5") == {0: 200} and end_kinds(tmp_path / "run.h5") == {0: RUNNING}
    rank.work(3)
    rank.end()
    assert work_of(install, tmp_path / "run.h5") == {0: 500} and end_kinds(tmp_path / "run.h5") == {0: FINISHED}


def test_who_lives_is_known_without_file_locks(install, obedient, tmp_path):
    """Some file systems have none: then by process number and start."""
    (tmp_path / "locks.c").write_text("""
#include <errno.h>
int fcntl64(int fd, int command, ...) { (void)fd; (void)command; errno = ENOLCK; return -1; }
int fcntl(int fd, int command, ...) { (void)fd; (void)command; errno = ENOLCK; return -1; }
""")
    run(["gcc", "-shared", "-fPIC", "-fno-builtin", "-w", tmp_path / "locks.c", "-o", tmp_path / "locks.so"])
    before = ["env", f"LD_PRELOAD={tmp_path}/locks.so"]
    rank = Rank(obedient, tmp_path)
    rank.work()
    assert "running" in recover(install, "--list", tmp_path, before=before).stdout
    rank.kill()
    assert "killed" in recover(install, "--list", tmp_path, before=before).stdout


@pytest.mark.parametrize("words", [(), ("--remove",)], ids=["keep", "remove"])
def test_several_recovers_at_once_make_one_whole_file(install, obedient, tmp_path, words):
    for number in range(3):
        rank = Rank(obedient, tmp_path, SCOPE_RUN_ID="ef" * 16, PMI_RANK=number, PMI_SIZE=3)
        rank.work(20)
        rank.kill()
    at_once = [subprocess.Popen([install.scope, "recover", *words, tmp_path, "-o", tmp_path / "x.h5"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
               for _ in range(6)]
    for process in at_once:
        said, error = process.communicate(timeout=300)
        gone = any(why in error for why in ("No such", "no spool", "has more of this run than is left"))
        assert process.returncode == 0 or (words and gone), error
    assert work_of(install, tmp_path / "x.h5") == {0: 2000, 1: 2000, 2: 2000}
    assert len(spools(tmp_path)) == (0 if words else 3)
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["x.h5"], "no draft stays"


def test_a_process_id_that_comes_again_takes_no_spool(install, obedient, tmp_path):
    """In pid namespaces, as in containers on one node: pid 1 again and again, in one folder."""
    before = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if run([*before, "true"], check=False).returncode:
        pytest.skip("no pid namespace can be made here")
    for turn in range(4):
        rank = Rank(obedient, tmp_path, before=before)
        rank.work(1 + turn)
        assert len(spools(tmp_path)) == turn + 1, "the program's recording takes nobody's place"
        rank.process.kill()
        rank.process.wait(300)
    at_once = [Rank(obedient, tmp_path, before=before) for _ in range(3)]
    for rank in at_once:
        rank.work()
    assert len(spools(tmp_path)) == 7
    listed = recover(install, "--list", tmp_path).stdout
    assert listed.count("running") == 3, "locks are seen across pid namespaces"
    for rank in at_once:
        rank.end()
    assert len(spools(tmp_path)) == 4
    found = []
    for number, spool in enumerate(spools(tmp_path)):
        recover(install, spool, "-o", tmp_path / f"{number}.h5")
        found += work_of(install, tmp_path / f"{number}.h5").values()
    assert sorted(found) == [100, 200, 300, 400]


# ---- a run that ends while it is recovered ----

@pytest.fixture(scope="module")
def stopping(tmp_path_factory):
    """stopping("fsync") -> a library to preload: stops the process there, until it is told to go on."""
    folder = tmp_path_factory.mktemp("stopping")
    (folder / "stop.c").write_text("""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
static int asked;
#ifdef AT_fsync /* a recovered file is whole, and has no name yet */
int fsync(int fd) { (void)fd; return asked++ ? 0 : raise(SIGSTOP); }
#else /* AT_lock: the second time that it is asked whether the process lives */
static int ask(const char *name, int fd, int command, void *lock)
{
    if (command == F_GETLK && ++asked == 2)
        raise(SIGSTOP);
    return ((int (*)(int, int, ...))dlsym(RTLD_NEXT, name))(fd, command, lock);
}
int fcntl(int fd, int command, ...)
{
    va_list all; va_start(all, command); void *lock = va_arg(all, void *); va_end(all);
    return ask("fcntl", fd, command, lock);
}
int fcntl64(int fd, int command, ...)
{
    va_list all; va_start(all, command); void *lock = va_arg(all, void *); va_end(all);
    return ask("fcntl64", fd, command, lock);
}
#endif
""")

    def make(where):
        library = folder / f"{where}.so"
        run(["gcc", "-shared", "-fPIC", f"-DAT_{where}", folder / "stop.c", "-o", library, "-ldl"])
        return library
    return make


def recover_while(install, library, meanwhile, *words):
    """The exit code and what was said; meanwhile() is called where the library stopped the command."""
    process = subprocess.Popen([install.scope, "recover", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, env=environment(LD_PRELOAD=library))
    try:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status), process.stdout.read()
        meanwhile()
        process.send_signal(signal.SIGCONT)
        said, _ = process.communicate(timeout=300)
    finally:
        process.kill()
        process.wait(300)
    return process.returncode, said


def test_the_file_of_a_run_that_ends_meanwhile_stays(install, obedient, stopping, tmp_path):
    rank = Rank(obedient, tmp_path, SCOPE_OUTPUT=tmp_path / "run.h5")
    rank.work(2)

    def end():
        rank.work(3)
        rank.end()
    code, said = recover_while(install, stopping("fsync"), end, tmp_path)
    assert code == 0 and f"ended meanwhile: all of it is in {tmp_path}/run.h5" in said and "wrote" not in said
    assert work_of(install, tmp_path / "run.h5") == {0: 500} and end_kinds(tmp_path / "run.h5") == {0: FINISHED}
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["run.h5"], "no draft stays"


def test_anothers_file_that_comes_meanwhile_stays(install, obedient, stopping, tmp_path):
    rank = Rank(obedient, tmp_path, SCOPE_OUTPUT=tmp_path / "run.h5")
    rank.work(2)
    rank.kill()
    other = tmp_path / "run.h5"
    code, said = recover_while(install, stopping("fsync"), lambda: other.write_text("precious"), "--remove", tmp_path)
    assert code == 1 and f"{other} exists already: name a file with -o FILE" in said
    assert other.read_text() == "precious" and len(spools(tmp_path)) == 1


def test_a_process_that_ends_while_it_is_read_was_not_killed(install, obedient, stopping, tmp_path):
    rank = Rank(obedient, tmp_path, SCOPE_OUTPUT=tmp_path / "run.h5")
    rank.work(2)

    def end():
        rank.work(3)
        rank.end()
    code, said = recover_while(install, stopping("lock"), end, tmp_path, "-o", tmp_path / "x.h5")
    assert code == 0 and "rank 0: finished" in said
    assert work_of(install, tmp_path / "x.h5") == {0: 500} and end_kinds(tmp_path / "x.h5") == {0: FINISHED}


def test_half_a_run_takes_no_whole_ones_place(install, obedient, stopping, tmp_path):
    """Another recover --remove is faster: its file has all, and has the same name."""
    for number in range(2):
        rank = Rank(obedient, tmp_path, SCOPE_RUN_ID="ef" * 16, PMI_RANK=number, PMI_SIZE=2)
        rank.work(1 + number)
        rank.kill()
    words = ("--remove", tmp_path, "-o", tmp_path / "x.h5")

    def faster():
        recover(install, "-o", tmp_path / "x.h5", tmp_path)
        spools(tmp_path)[0].unlink()
    code, said = recover_while(install, stopping("lock"), faster, *words)
    assert code == 1 and "another scope recover has removed part of this run" in said
    assert work_of(install, tmp_path / "x.h5") == {0: 100, 1: 200} and len(spools(tmp_path)) == 1


def test_a_file_that_has_ranks_no_spool_has_any_more_stays(install, obedient, tmp_path):
    ranks = [Rank(obedient, tmp_path, SCOPE_RUN_ID="ef" * 16, PMI_RANK=number, PMI_SIZE=2) for number in range(2)]
    for rank in ranks:
        rank.work(1)
    ranks[0].kill()
    whole = tmp_path / "x.h5"
    recover(install, "--remove", tmp_path, "-o", whole)
    ranks[1].work(1)
    ranks[1].kill()
    refused = recover(install, "--remove", tmp_path, "-o", whole, check=False)
    assert refused.returncode == 1 and f"{whole} has more of this run than is left here" in refused.stderr
    assert work_of(install, whole) == {0: 100, 1: 100} and len(spools(tmp_path)) == 1
    recover(install, "--force", tmp_path, "-o", whole)
    assert work_of(install, whole)[1] == 200


def test_no_spool_is_taken_for_the_output(install, obedient, tmp_path):
    """Of a folder, too, and one that runs: another run's only copy would be gone."""
    rank = Rank(obedient, tmp_path)
    rank.work(1)
    rank.kill()
    first, = spools(tmp_path)
    rank = Rank(obedient, tmp_path)
    rank.work(2)
    rank.kill()
    before = first.read_bytes()
    for words in ((tmp_path, "-o", first), (next(p for p in spools(tmp_path) if p != first), "-o", first)):
        refused = recover(install, "--force", *words, check=False)
        assert refused.returncode == 2 and f"{first} holds a recording" in refused.stderr
    assert first.read_bytes() == before


def test_a_spool_from_before_an_exec_is_not_running(install, tmp_path):
    """The process has the same number and start, and has become a program that records nothing."""
    program = build(install, tmp_path, "becomes", r"""
#include <scope/scope.h>
#include <unistd.h>
int main(void)
{
    scope_init(NULL);
    scope_region_begin_name("before");
    scope_region_end_name("before");
    execlp("cat", "cat", (char *)NULL);
    return 1;
}
""")
    process = subprocess.Popen([program], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env=environment(SCOPE_SPOOL_DIR=tmp_path))
    try:
        process.stdin.write(b"x")
        process.stdin.flush()
        assert process.stdout.read(1) == b"x", "it is cat now"
        assert "killed" in recover(install, "--list", tmp_path).stdout
        recover(install, "--remove", tmp_path, "-o", tmp_path / "x.h5")
    finally:
        process.kill()
        process.wait(300)
    assert end_kinds(tmp_path / "x.h5") == {0: KILLED} and spools(tmp_path) == []


def test_what_was_copied_while_it_ran_is_collected_again(install, obedient, tmp_path):
    """As by MPI_Abort, or by hand: the same name, the same size, and less in it."""
    rank = Rank(obedient, tmp_path)
    rank.work(1)
    spool, = spools(tmp_path)
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    shutil.copy(spool, meeting)
    rank.work(2)
    rank.kill()
    assert (meeting / spool.name).stat().st_size == spool.stat().st_size
    for said in ("1 recording copied", "0 recordings copied"):
        assert said in recover(install, f"--collect={meeting}", spool.parent).stdout
    recover(install, meeting, "-o", tmp_path / "x.h5")
    assert work_of(install, tmp_path / "x.h5") == {0: 300}


def test_holes_are_not_read(install, obedient, tmp_path):
    """A spool of 2 TiB of nothing: read byte by byte, it would take more than the guard's minute."""
    rank = Rank(obedient, tmp_path)
    rank.work(2)
    rank.kill()
    spool, = spools(tmp_path)
    try:
        os.truncate(spool, 1 << 41)
    except OSError as error:
        pytest.skip(f"no file of 2 TiB here: {error}")
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    for said in ("1 recording copied", "0 recordings copied"):
        assert said in recover(install, f"--collect={meeting}", spool.parent).stdout
    recover(install, meeting, "-o", tmp_path / "x.h5")
    assert work_of(install, tmp_path / "x.h5") == {0: 200} and (meeting / spool.name).stat().st_size == 1 << 41


def test_a_spool_that_was_removed_is_not_said_to_be_kept(install, obedient, tmp_path):
    """A cleaner took it while the program ran, and then its file cannot be written."""
    rank = Rank(obedient, tmp_path, before=("sh", "-c", 'exec "$0" 2> said'), SCOPE_OUTPUT=tmp_path / "no/run.h5")
    rank.work(1)
    spool, = spools(tmp_path)
    shutil.rmtree(spool.parent)
    rank.end()
    said = (tmp_path / "said").read_text()
    assert "run.h5 was not written" in said and "is lost" in said and "scope recover" not in said


def test_ranks_of_several_starts_go_to_the_nearest(install, obedient, tmp_path):
    """One id for all that a script starts: rank 0 ended well the first time, and left nothing."""
    def start(rank, name, rounds):
        process = Rank(obedient, tmp_path, SCOPE_RUN_ID="ad" * 16, PMI_RANK=rank, PMI_SIZE=2,
                       SCOPE_OUTPUT=tmp_path / name)
        process.work(rounds)
        return process
    start(0, "first.h5", 1).end()
    start(1, "first.h5", 2).kill()
    start(1, "second.h5", 3).kill()
    start(0, "second.h5", 4).kill()
    listed = recover(install, "--list", tmp_path).stdout
    assert "1 of 2 ranks" in listed and "2 of 2 ranks" in listed and listed.count("is a guess") == 2
    said = recover(install, tmp_path, "-o", tmp_path / "x.h5").stderr
    assert "which belong together is a guess" in said and "2 runs here" in said
    assert work_of(install, tmp_path / "x.h5") == {0: 400, 1: 300}


# ---- other users ----

@pytest.fixture
def nobody(install, tmp_path):
    """before(...) -> a command as the user nobody, who may enter tmp_path and write into it."""
    if os.getuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can be several users")
    before = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    opened = []
    for folder in [tmp_path, *tmp_path.parents, Path(install.scope), *Path(install.scope).parents]:
        mode = folder.stat().st_mode & 0o7777
        if not mode & 1:
            opened.append((folder, mode))
            folder.chmod(mode | 5)
    tmp_path.chmod(0o777)
    yield before
    for folder, mode in opened:
        folder.chmod(mode)


def test_root_recovers_what_a_user_left_and_a_user_does_not_what_another_did(install, obedient, tmp_path, nobody):
    program = shutil.copy(obedient, tmp_path / "obedient")
    rank = Rank(program, tmp_path, before=nobody)
    if rank.process.poll() is not None:
        pytest.skip("the user nobody cannot start programs here")
    rank.work(3)
    rank.kill()
    spool, = spools(tmp_path)
    assert spool.stat().st_uid == 65534 and spool.stat().st_mode & 0o777 == 0o600
    recover(install, spool.parent, "-o", tmp_path / "root.h5") # named: nobody's file is taken by chance
    assert work_of(install, tmp_path / "root.h5") == {0: 300} and (tmp_path / "root.h5").stat().st_uid == 0
    assert spool.stat().st_uid == 65534
    recover(install, tmp_path, "-o", tmp_path / "nobody.h5", before=nobody)
    assert work_of(install, tmp_path / "nobody.h5") == {0: 300}
    own = Rank(program, tmp_path)
    own.work(1)
    own.kill()
    theirs = next(p for p in spools(tmp_path) if p.stat().st_uid == 0)
    for what in (theirs, theirs.parent):
        refused = recover(install, what, "-o", tmp_path / "x.h5", before=nobody, check=False)
        assert refused.returncode == 1 and "ermission denied" in refused.stderr and not (tmp_path / "x.h5").exists()
    recover(install, tmp_path, "-o", tmp_path / "y.h5", before=nobody) # what it may read, it reads
    assert work_of(install, tmp_path / "y.h5") == {0: 300}


def test_spools_where_nothing_can_be_written(install, obedient, tmp_path):
    """A file system that is read-only by now: everything but --remove works."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"cannot mount a tmpfs here: {mounted.stderr.strip()}")
    try:
        rank = Rank(obedient, disk)
        rank.work(2)
        rank.kill()
        run(["mount", "-o", "remount,ro", disk])
        assert "killed" in recover(install, "--list", disk).stdout
        done = recover(install, "--remove", disk, "-o", tmp_path / "x.h5", check=False)
        assert done.returncode == 1 and "cannot be removed" in done.stderr
        assert work_of(install, tmp_path / "x.h5") == {0: 200}
        refused = recover(install, disk, "-o", disk / "x.h5", check=False)
        assert refused.returncode == 1 and "Read-only" in refused.stderr
    finally:
        subprocess.run(["umount", "-l", disk], check=False)
