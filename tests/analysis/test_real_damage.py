"""Spool files of real runs: cut, damaged, read while they are written.

SPDX-License-Identifier: MIT
"""
import json
import random
import resource
import subprocess
import time

import pytest

from analysis.model import OPEN, generate
from analysis.test_model import record, tools  # noqa: F401
from support.jobs import environment, run

LIVE = r"""
#include <pthread.h>
#include <scope/scope.h>
#include <stdio.h>
#include <unistd.h>
static void *work(void *arg)
{
    for (int i = 0; i < 60000; i++) {
        scope_region_begin_name("outer");
        scope_region_begin_name("inner");
        scope_region_end_name("inner");
        scope_region_end_name("outer");
        if (i % 10 == 0)
            usleep(100);
        if (i == 30000 && !arg)
            getchar(); /* somebody has looked */
    }
    return arg;
}
int main(void)
{
    pthread_t thread;
    scope_init(NULL);
    pthread_create(&thread, NULL, work, &thread);
    work(NULL);
    pthread_join(thread, NULL);
    puts("done");
    fflush(stdout);
    pause();
}
"""


def limits():
    """A reader that allocates or loops without bound is stopped, and that is seen."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def dump(tool, spool):
    """The table, None if the file was refused; never a crash, never a hang."""
    result = subprocess.run([tool, spool], capture_output=True, timeout=300, preexec_fn=limits)
    assert result.returncode in (0, 2, 3, 5, 6, 7), (result.returncode, result.stderr)
    return json.loads(result.stdout) if result.returncode == 0 else None


def settled(table):
    """Per lane the regions of the calls whose end is settled, in order of that end."""
    lanes = {}
    for row in table["calls"]:
        if row["task"] < 0 and not row["flags"]:
            lanes.setdefault(row["thread"], []).append(
                (row["start"] + row["duration"], -row["id"], table["regions"][row["region"]]))
    return {lane: [row[2] for row in sorted(rows)] for lane, rows in lanes.items()}


@pytest.fixture(scope="module")
def spool(tools, tmp_path_factory):  # noqa: F811
    """A spool of three threads whose calls all nest, and its table."""
    folder = tmp_path_factory.mktemp("spool")
    operations = []
    for step in range(1500):
        for thread in range(3):
            for region in (0, 1 + step % 5):
                operations.append((thread, "begin", region))
            if step % 7 == 0:
                operations.append((thread, "mark", 1))
            for region in (1 + step % 5, 0):
                operations.append((thread, "end", region))
    table, _ = record(*tools, folder, operations)
    (path,) = (folder / "spool").rglob("*.spool")
    return path, table


def test_a_cut_spool_gives_prefixes(tools, spool, tmp_path):  # noqa: F811
    path, whole = spool
    data = path.read_bytes().rstrip(b"\0") + bytes(16)
    names = settled(whole)
    cut_file = tmp_path / "cut.spool"
    rng = random.Random(2)
    cuts = sorted({rng.randrange(0, len(data)) // 8 * 8 for _ in range(150)} | {0, 4096, 16384})
    before = {}
    for cut in cuts:
        cut_file.write_bytes(data[:cut])
        table = dump(tools[1], cut_file)
        if table is None:
            continue
        for thread, rows in settled(table).items():
            assert rows == names[thread][:len(rows)]
            assert len(rows) >= before.get(thread, 0)
            before[thread] = len(rows)


def test_a_damaged_spool_is_read_as_far_as_it_goes(tools, spool, tmp_path):  # noqa: F811
    data = bytearray(spool[0].read_bytes().rstrip(b"\0") + bytes(4096))
    damaged_file = tmp_path / "damaged.spool"
    rng = random.Random(3)
    read = 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(rng.randint(1, 30)):
            place = rng.randrange(len(damaged)) if rng.random() < 0.6 else rng.randrange(20000)
            damaged[place] ^= 1 << rng.randrange(8)
        damaged_file.write_bytes(damaged)
        read += dump(tools[1], damaged_file) is not None
    assert read > 50


@pytest.mark.parametrize("budget", ["512K", "256M"])
def test_a_spool_is_read_while_it_is_written(budget, tools, install, tmp_path):  # noqa: F811
    """Each look holds at least what the one before held, every call once."""
    source = tmp_path / "live.c"
    source.write_text(LIVE)
    program = install.compile(source, tmp_path / "live", flags=["-pthread"])
    (tmp_path / "spool").mkdir(mode=0o700)
    process = subprocess.Popen(
        [program], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=environment(SCOPE_SPOOL_DIR=tmp_path / "spool", SCOPE_MAX_BYTES=budget))
    try:
        seen, looks, end = 0, 0, time.monotonic() + 300
        while time.monotonic() < end and seen < 240000:
            spools = list((tmp_path / "spool").rglob("*.spool"))
            table = dump(tools[1], spools[0]) if spools else None
            if table is None:
                continue
            looks += 1
            if looks == 1:
                process.stdin.write(b"\n")
                process.stdin.flush()
            done = sum(1 for row in table["calls"] if not row["flags"] & OPEN)
            done += sum(row["count"] for row in table["sums"])
            assert done >= seen
            assert all(row["duration"] >= 0 for row in table["calls"])
            assert {row["flags"] for row in table["calls"]} <= {0, OPEN}
            assert not table["misuse"]
            seen = done
        assert looks >= 2
        assert process.stdout.readline() == b"done\n"
        (path,) = (tmp_path / "spool").rglob("*.spool")
        table = dump(tools[1], path)
        done = len(table["calls"]) + sum(row["count"] for row in table["sums"])
        assert done == 240000
        assert table["rank"]["dropped"] == 0
    finally:
        process.kill()
        process.wait()
