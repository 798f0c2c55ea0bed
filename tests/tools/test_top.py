"""`scope top` on running programs: what they are in, who waits for whom, and nothing left behind.

SPDX-License-Identifier: MIT
"""
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest

from support.jobs import PYTHON, environment, run
from tools.programs import build

# Does what it reads: c 1000 calls, o begins a region and stays in it, e ends it, t a thread that
# stays in one, s sums (tiny calls without end), a executes itself anew, k kills itself, x ends by
# _exit, q executes itself anew, which records nothing before it has read a byte. Answers each.
OBEDIENT = r"""
#include <scope/scope.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static scope_region work, stay, helper;
static void *thread(void *in)
{
    char byte;
    scope_region_begin(helper);
    scope_region_begin_name("deep");
    if (write(((int *)in)[1], "t", 1) != 1 || read(((int *)in)[2], &byte, 1) < 0)
        return NULL;
    return in;
}
int main(int argc, char **argv)
{
    int there[2], back[2];
    pthread_t id;
    if (getenv("WAIT_FOR_A_BYTE") && (write(1, ".", 1) != 1 || getchar() == EOF))
        return 0;
    scope_init(NULL);
    if (argc > 1 && write(1, ".", 1) != 1)
        return 1;
    scope_region_register("work", &work);
    scope_region_register("stay", &stay);
    scope_region_register("helper", &helper);
    if (pipe(there) || pipe(back))
        return 1;
    static int ends[3];
    ends[1] = there[1], ends[2] = back[0];
    for (int c; (c = getchar()) != EOF;) {
        char byte;
        const int calls = c == 'c' ? 1000 : c == 's' ? 200000 : 0;
        if (c == 'k')
            raise(SIGKILL);
        if (c == 'x')
            _exit(3);
        if (c == 'a')
            return execl(argv[0], argv[0], "anew", (char *)NULL);
        if (c == 'q') {
            setenv("WAIT_FOR_A_BYTE", "1", 1);
            return execl(argv[0], argv[0], "anew", (char *)NULL);
        }
        for (int i = 0; i < calls; i++) {
            scope_region_begin(work);
            scope_region_end(work);
        }
        if (c == 'o')
            scope_region_begin(stay);
        if (c == 'e')
            scope_region_end(stay);
        if (c == 't' && (pthread_create(&id, NULL, thread, ends) || read(there[0], &byte, 1) != 1))
            return 1;
        putchar('.');
        fflush(stdout);
    }
    return 0;
}
"""

# The last rank does not come to the barrier before it can read a byte.
LATE = r"""
#include <mpi.h>
#include <scope/scope.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 2) { /* pairs, too: who is in another communicator is not missed */
        MPI_Comm half;
        MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
        MPI_Comm_set_name(half, rank ? "others" : "alone");
        MPI_Barrier(half);
        scope_region_begin_name("solve");
        if (rank == 1)
            MPI_Barrier(half);
        while (access(argv[1], F_OK))
            usleep(10000);
        if (rank == 2)
            MPI_Barrier(half);
        scope_region_end_name("solve");
    }
    scope_region_begin_name("solve");
    while (rank == size - 1 && access(argv[1], F_OK))
        usleep(10000);
    MPI_Barrier(MPI_COMM_WORLD);
    scope_region_end_name("solve");
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture(scope="module")
def obedient(install, tmp_path_factory):
    return build(install, tmp_path_factory.mktemp("obedient"), "obedient", OBEDIENT, flags=("-pthread",))


class Program:
    def __init__(self, program, folder, **extra):
        self.process = subprocess.Popen([program], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=environment(SCOPE_SPOOL_DIR=folder, **extra))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait(30)
        self.process.stdin.close()
        self.process.stdout.close()

    def do(self, words):
        for word in words:
            self.process.stdin.write(word.encode())
            self.process.stdin.flush()
            assert self.process.stdout.read(1) == b"."

    def last(self, word):
        self.process.stdin.write(word.encode())
        self.process.stdin.flush()
        self.process.wait(30)

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(30) == 0


def top(install, *words, check=True, **extra):
    return run([install.scope, "top", *words], check=check, env=environment(**extra))


def look(install, *words, **extra):
    return json.loads(top(install, "--once", "--json", "-d", "0.1", *words, **extra).stdout)


def region(seen, name):
    found = [r for r in seen["regions"] if r["name"] == name]
    return found[0] if found else None


class Top:
    """`scope top` that goes on."""

    def __init__(self, install, *words):
        self.process = subprocess.Popen([install.scope, "top", *words], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, env=environment())

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait(30)

    def looks(self):
        """One JSON document after the other."""
        text = ""
        for line in self.process.stdout:
            text += line
            if line.startswith("}"):
                yield json.loads(text)
                text = ""

    def until(self, looks, holds):
        for _, seen in zip(range(300), looks):
            if holds(seen):
                return seen
        raise AssertionError("never seen")


# ---- what is seen ----

def test_a_program_that_executes_another_is_one_process(install, obedient, tmp_path):
    with Program(obedient, tmp_path) as program:
        program.do("cacac")  # what ended before `scope top` came
        seen = look(install, tmp_path)
        assert [(rank["pid"], rank["state"]) for rank in seen["ranks"]] == [(program.process.pid, "running")]
        assert "\n1 process here: 1 running;" in top(install, "-1", "-d", "0.1", tmp_path).stdout


def test_a_program_that_executes_another_has_not_ended(install, obedient, tmp_path):
    """Though nothing records for a while."""
    with Program(obedient, tmp_path) as program, Top(install, "--json", "-d", "0.1", tmp_path) as watching:
        program.do("c")
        looks = watching.looks()
        watching.until(looks, lambda seen: region(seen, "work"))
        program.do("q")
        for _ in range(3):
            seen = watching.until(looks, lambda seen: seen["ranks"][0]["state"] != "running")
            assert seen["ranks"][0]["state"] == "executed another program" and not seen["ended"]
        program.do("nc")
        watching.until(looks, lambda seen: seen["ranks"][0]["state"] == "running"
                       and region(seen, "work")["since_start"]["calls"] == 1000)
        program.end()
        assert watching.until(looks, lambda seen: seen["ended"])["ranks"][0]["state"] == "finished"


def test_regions_since_the_start_and_what_a_program_is_in(install, obedient, tmp_path):
    with Program(obedient, tmp_path) as program:
        program.do("cco")
        seen = look(install, tmp_path)
        assert region(seen, "work")["since_start"]["calls"] == 2000
        stay = region(seen, "stay")
        assert stay["open"] == 1 and stay["since_start"]["calls"] == 0
        assert 0 < stay["since_start"]["exclusive"] and 0 < stay["last"]["exclusive"] <= seen["interval"] * 1.01
        assert seen["program"] == "obedient" and not seen["ended"] and seen["waits"] == []
        rank, = seen["ranks"]
        assert rank["state"] == "running" and rank["pid"] == program.process.pid
        assert rank["since_start"]["calls"] == 2000 and rank["since_start"]["events"] >= 4001
        assert rank["threads"][0]["open"] == ["stay"] and rank["threads"][0]["main"]
        text = top(install, "-1", "-d", "0.1", tmp_path).stdout
        assert re.search(r"(?m)^work +0 .* 2000 ", text) and "1 running" in text and "\x1b" not in text
        assert re.search(rf"(?m)^{program.process.pid} .* stay$", text)
        assert all(len(line) <= 80 for line in text.splitlines())
        program.do("e")
        assert look(install, tmp_path)["ranks"][0]["threads"][0]["open"] == []


def test_without_a_name_the_run_that_records_here(install, obedient, tmp_path):
    """In /tmp others may record, too: then there is a list, which has ours."""
    places = dict(SCOPE_SPOOL_DIR=tmp_path, TMPDIR=tmp_path)
    with Program(obedient, tmp_path, SCOPE_RUN_ID="ab" * 16) as first:
        first.do("c")
        one = top(install, "-1", "-d", "0.1", check=False, **places)
        assert "run abababab" in one.stdout and (one.returncode == 0 or "several runs" in one.stderr)
        with Program(obedient, tmp_path, SCOPE_RUN_ID="cd" * 16) as second:
            second.do("cc")
            several = top(install, "-1", tmp_path, check=False)
            assert several.returncode == 1 and "several runs" in several.stderr
            assert "run abababab" in several.stdout and "run cdcdcdcd" in several.stdout
            assert look(install, "abab", **places)["run"] == "ab" * 16
            assert look(install, "--newest", tmp_path)["run"] == "cd" * 16
    none = top(install, "-1", "abab", check=False, **places)
    assert none.returncode == 0 and "has ended: 1 killed" in none.stdout
    gone = top(install, "-1", "ab" * 15, check=False, SCOPE_SPOOL_DIR=tmp_path / "none")
    assert gone.returncode == 1 and "no run " + "ab" * 15 in gone.stderr
    wrong = top(install, "-1", "nothing.spool", check=False)
    assert wrong.returncode == 1 and "no such file, and no run id" in wrong.stderr


def test_threads_are_seen_one_by_one(install, obedient, tmp_path):
    with Program(obedient, tmp_path) as program:
        program.do("ot")
        rank, = look(install, tmp_path)["ranks"]
        assert [t["open"] for t in rank["threads"]] == [["stay"], ["helper", "deep"]]
        assert [t["main"] for t in rank["threads"]] == [True, False]
        text = top(install, "-1", "-t", "-d", "0.1", tmp_path).stdout
        assert "2 threads" in text and re.search(r"(?m) stay$", text) and re.search(r"(?m)helper > deep$", text)
        assert "deep" not in top(install, "-1", "-n", "1", "-d", "0.1", tmp_path).stdout


@pytest.mark.parametrize("extra", [{}, dict(SCOPE_MAX_BYTES="2M"), dict(SCOPE_MAX_BYTES="2M", SCOPE_THROTTLE="0"),
                                   dict(SCOPE_THROTTLE="1000:1000000")],
                         ids=["plain", "small", "folded", "sums"])
def test_no_call_is_lost_or_counted_twice(install, obedient, tmp_path, extra):
    with Program(obedient, tmp_path, **extra) as program:
        program.do("s")
        with Top(install, "--json", "-d", "0.1", tmp_path) as other:
            looks = other.looks()
            other.until(looks, lambda s: region(s, "work")["since_start"]["calls"] == 200000)
            program.do("sss")
            seen = other.until(looks, lambda s: region(s, "work")["since_start"]["calls"] >= 800000)
            assert region(seen, "work")["since_start"]["calls"] == 800000
            assert seen["ranks"][0]["missed_chunks"] == 0
            late = look(install, tmp_path)
            assert region(late, "work")["since_start"]["calls"] == 800000
            program.end()
            last = list(looks)[-1]
            assert last["ended"] and last["ranks"][0]["state"] == "finished"
            assert other.process.wait(30) == 0


def test_policies_that_give_events_up_are_said(install, obedient, tmp_path):
    for policy in ("stop", "ring"):
        folder = tmp_path / policy
        folder.mkdir()
        with Program(obedient, folder, SCOPE_MAX_BYTES="1M", SCOPE_POLICY=policy, SCOPE_THROTTLE="0") as program:
            program.do("sso")
            seen = look(install, folder)
            calls = region(seen, "work")["since_start"]["calls"]
            assert 0 < calls < 400000
            if policy == "stop":
                assert seen["ranks"][0]["dropped_events"] > 0
                assert "events dropped" in top(install, "-1", "-d", "0.1", folder).stdout
            else:
                assert seen["ranks"][0]["threads"][0]["open"] == ["stay"]


# ---- ends ----

def test_ranks_that_come_and_go_while_they_are_watched(install, obedient, tmp_path):
    job = dict(SCOPE_RUN_ID="ef" * 16, PMI_SIZE=3, SCOPE_OUTPUT=tmp_path / "job.h5")

    def states(seen):
        return {r["rank"]: r["state"] for r in seen["ranks"]}
    with Program(obedient, tmp_path, PMI_RANK=0, **job) as first:
        first.do("c")
        with Top(install, "--json", "-d", "0.1", tmp_path) as other:
            looks = other.looks()
            other.until(looks, lambda s: states(s) == {0: "running"})
            with Program(obedient, tmp_path, PMI_RANK=2, **job) as third, \
                    Program(obedient, tmp_path, PMI_RANK=1, **job) as second:
                second.do("cc")
                third.do("ccc")
                seen = other.until(looks, lambda s: region(s, "work")["since_start"]["calls"] == 6000)
                assert states(seen) == {0: "running", 1: "running", 2: "running"}
                second.last("k")
                seen = other.until(looks, lambda s: states(s)[1] == "killed")
                assert region(seen, "work")["since_start"]["calls"] == 6000
                third.last("x")
                other.until(looks, lambda s: states(s)[2] == "_exit(3)")
            first.end()
            last = list(looks)[-1]
            assert last["ended"] and states(last) == {0: "finished", 1: "killed", 2: "_exit(3)"}
            assert other.process.wait(30) == 0
    text = top(install, "-1", tmp_path).stdout
    assert re.search(r"run efefefef has ended: 1 killed, 1 _exit\(3\); scope recover makes a file", text)


def test_a_single_spool_of_a_killed_program(install, obedient, tmp_path):
    with Program(obedient, tmp_path) as program:
        program.do("co")
        program.last("k")
    spool, = tmp_path.rglob("*.spool")
    before = spool.read_bytes()
    seen = look(install, spool)
    assert seen["ended"] and seen["ranks"][0]["state"] == "killed"
    assert region(seen, "work")["since_start"]["calls"] == 1000
    assert spool.read_bytes() == before, "only read"
    assert "has ended: 1 killed" in top(install, spool).stdout


# ---- MPI ----

def watch_late(install, mpi, tmp_path, folder, *words):
    """The look that says who waits, then a text of it; the job goes on and ends well."""
    (folder / "late.c").write_text(LATE)
    program = mpi.compile(folder / "late.c", folder / f"late_{mpi.family}")
    go = tmp_path / "go"
    job = subprocess.Popen([f"mpirun.{mpi.suffix}", "-n", "3", program, go, *words], cwd=tmp_path,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
                           env=environment(SCOPE_SPOOL_DIR=tmp_path))
    try:
        limit = time.monotonic() + 60
        while len(list(tmp_path.rglob("*.spool"))) < 3 and job.poll() is None and time.monotonic() < limit:
            time.sleep(0.1)
        with Top(install, "--json", "-d", "0.3", tmp_path) as other:
            seen = other.until(other.looks(), lambda s: any(len(w["ranks"]) == (1 if words else 2)
                                                            for w in s["waits"]))
        text = top(install, "-1", "-d", "0.1", tmp_path).stdout
        go.touch()
        said = job.communicate(timeout=60)[0]
        assert job.returncode == 0, said
    finally:
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait(30)
    return seen, text


@pytest.mark.mpi
def test_who_stands_in_a_barrier_and_who_does_not_come(install, mpi, tmp_path):
    seen, text = watch_late(install, mpi, tmp_path, tmp_path)
    wait, = seen["waits"]
    assert wait["call"] == "MPI_Barrier" and wait["communicator"] == "MPI_COMM_WORLD"
    assert wait["ranks"] == [0, 1] and wait["elsewhere"] == 0 and wait["since"] >= 1
    absent, = wait["absent"]
    assert absent["rank"] == 2 and absent["in"] == "solve"
    assert [r["awaited"] for r in seen["ranks"]] == [False, False, True]
    assert [r["waits"] for r in seen["ranks"]] == [True, True, False]
    assert seen["ranks"][0]["threads"][0]["open"] == ["solve", "MPI_Barrier"]
    assert region(seen, "MPI_Barrier")["mpi"] and region(seen, "MPI_Barrier")["since_start"]["calls"] == 15
    assert re.search(r"(?m)^rank 2 in solve since [\d.]+ s; ranks 0-1 wait in MPI_Barrier \(MPI_COMM_WORLD\)", text)
    assert re.search(r"(?m)^ +\*2 .* solve$", text)
    assert re.search(r"(?m)^ +!0 .* solve > MPI_Barrier$", text)


@pytest.mark.mpi
def test_who_is_in_another_communicator_is_not_missed(install, openmpi, tmp_path):
    seen, _ = watch_late(install, openmpi, tmp_path, tmp_path, "split")
    wait, = [w for w in seen["waits"]]
    assert wait["communicator"] == "others" and wait["ranks"] == [1] and wait["elsewhere"] == 0
    assert [a["rank"] for a in wait["absent"]] == [2]


# ---- Python ----

PROGRAM = """
import sys
from scope_profiler import ProfileManager as PM
with PM.session(output="t.h5", track_threads=True, verbose=False):
    @PM.profile
    def step():
        pass
    for _ in range(500):
        step()
    with PM.profile_region("solve"):
        print("there", flush=True)
        sys.stdin.readline()
"""


def test_a_python_program(install, tmp_path):
    if run([PYTHON, "-c", "import scope_profiler"], check=False).returncode:
        pytest.skip("the install has no package for this Python")
    process = subprocess.Popen([PYTHON, "-c", PROGRAM], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               env=environment(SCOPE_SPOOL_DIR=tmp_path), text=True)
    try:
        assert process.stdout.readline() == "there\n"
        if not list(tmp_path.rglob("*.spool")):
            pytest.skip("this session keeps its recording in memory")
        seen = look(install, tmp_path)
        assert region(seen, "step")["since_start"]["calls"] == 500
        assert seen["ranks"][0]["threads"][0]["open"][-1] == "solve"
        process.communicate("\n", timeout=60)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait(30)


# ---- terminals and pipes ----

class Terminal:
    def __init__(self, install, *words, rows=30, columns=80):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen([install.scope, "top", *words], stdin=slave, stdout=slave, stderr=slave,
                                        start_new_session=True, env=environment(TERM="xterm", LC_ALL="C"))
        self.text = ""

    def until(self, pattern):
        while not re.search(pattern, self.text):
            self.text += os.read(self.master, 65536).decode()
        return self.text

    def press(self, key):
        os.write(self.master, key.encode())

    def end(self):
        """What it still writes is read meanwhile: a terminal that nobody reads would hold it up."""
        os.set_blocking(self.master, False)
        give_up = time.monotonic() + 60
        ended = False
        while not ended:
            assert time.monotonic() < give_up
            ended = self.process.poll() is not None
            try:
                self.text += os.read(self.master, 1 << 20).decode()
            except BlockingIOError:
                time.sleep(0.01)
        code = self.process.returncode
        assert termios.tcgetattr(self.slave) == self.before
        assert self.text.count("\x1b[?1049h") == self.text.count("\x1b[?1049l") == 1
        assert self.text.rindex("\x1b[?25h") > self.text.rindex("\x1b[?25l")
        os.close(self.slave)
        os.close(self.master)
        return code


@pytest.mark.parametrize("how", ["q", "interrupt"])
def test_a_terminal_is_as_it_was_before(install, obedient, tmp_path, how):
    with Program(obedient, tmp_path) as program:
        program.do("c")
        screen = Terminal(install, "-d", "0.1", tmp_path)
        screen.until(r"work")
        program.do("c")
        screen.until(r"work.* 2000 ")
        screen.press("t")
        screen.until(r"thread +MPI")
        fcntl.ioctl(screen.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 60, 0, 0))
        screen.process.send_signal(signal.SIGWINCH)
        program.do("c")
        screen.until(r"work.* 3000 ")
        if how == "q":
            screen.press("q")
        else:
            screen.process.send_signal(signal.SIGINT)
        assert screen.end() == 0
        program.do("c")
        program.end()


def test_the_end_of_the_run_ends_the_screen(install, obedient, tmp_path):
    with Program(obedient, tmp_path) as program:
        program.do("c")
        screen = Terminal(install, "-d", "0.1", tmp_path)
        screen.until(r"work")
        program.end()
        assert screen.end() == 0
    assert "has ended: 1 finished" in screen.text.rsplit("\x1b[?1049l", 1)[1]


def test_a_reader_that_goes_away_ends_it(install, obedient, tmp_path):
    with Program(obedient, tmp_path) as program:
        program.do("c")
        done = run(["sh", "-c", f"{install.scope} top -d 0.1 {tmp_path} | head -1"], timeout=30)
        assert done.stdout.startswith("run ") and done.stderr == ""


@pytest.mark.parametrize("words", [["-d", "0"], ["-d", "x"], ["-n", "x"], ["-s", "odd"], ["-r", "x"], ["-i", "0"],
                                   ["a", "b"]])
def test_wrong_use(install, words):
    done = top(install, *words, check=False)
    assert done.returncode == 2 and "--help" in done.stderr


# ---- a long time ----

SPINNING = r"""
#include <scope/scope.h>
int main(void)
{
    scope_region outer, tiny;
    scope_init(NULL);
    scope_region_register("outer", &outer);
    scope_region_register("tiny", &tiny);
    for (;;) {
        scope_region_begin(outer);
        for (int i = 0; i < 100; i++) {
            scope_region_begin(tiny);
            scope_region_end(tiny);
        }
        scope_region_end(outer);
    }
}
"""


def own_memory_kib(pid):
    return int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


@pytest.mark.long
@pytest.mark.parametrize("policy", ["fold", "ring"])
def test_memory_does_not_grow_with_time(install, tmp_path, policy):
    program = build(install, tmp_path, "spinning", SPINNING)
    job = subprocess.Popen([program], cwd=tmp_path, env=environment(
        SCOPE_SPOOL_DIR=tmp_path, SCOPE_MAX_BYTES="64M", SCOPE_POLICY=policy))
    try:
        while not list(tmp_path.rglob("*.spool")):
            time.sleep(0.05)
        with Top(install, "--json", "-d", "0.2", tmp_path) as other:
            sizes = []
            for number, seen in zip(range(150), other.looks()):
                if number % 10 == 9:
                    sizes.append(own_memory_kib(other.process.pid))
            assert region(seen, "tiny")["since_start"]["calls"] > 1000000
            assert max(sizes[5:]) <= max(sizes[:5]) + 512, sizes
    finally:
        job.kill()
        job.wait(30)
