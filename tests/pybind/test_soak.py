"""Sessions, managers, threads, event loops and greenlets in a loop: counts exact, nothing grows.

Rounds are counted, the clock only ends the loop; what the process holds is compared between rounds.

SPDX-License-Identifier: MIT
"""
import asyncio
import gc
import os
import threading
import time
from pathlib import Path

import pytest

from scope_profiler import ProfileManager, read_h5, region

greenlet = pytest.importorskip("greenlet")

THREADS, TASKS, GREENLETS, CALLS = 4, 5, 4, 20


def calls(name, count=CALLS):
    for _ in range(count):
        with region(name):
            with region("inner"):
                pass


async def tasks():
    async def one(number):
        with region("in task"):
            await asyncio.sleep(0)
            calls(f"task {number}", 2)
            await asyncio.sleep(0)

    await asyncio.gather(*(one(number) for number in range(TASKS)))


def greenlets():
    hub = greenlet.getcurrent()

    def body():
        with region("in greenlet"):
            hub.switch()
            calls("greenlet", 1)

    living = [greenlet.greenlet(body) for _ in range(GREENLETS)]
    for _ in range(2):
        for one in living:
            one.switch()


def work():
    threads = [threading.Thread(target=calls, args=("thread",)) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    calls("main")
    asyncio.run(tasks())
    greenlets()
    for thread in threads:
        thread.join()


WORK = {"thread": THREADS * CALLS, "main": CALLS, "in task": TASKS, "in greenlet": GREENLETS, "greenlet": GREENLETS,
        **{f"task {number}": 2 for number in range(TASKS)},
        "inner": THREADS * CALLS + CALLS + 2 * TASKS + GREENLETS}


def held(folder):
    gc.collect()
    return {"rss_kb": int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024,
            "descriptors": len(os.listdir("/proc/self/fd")),
            "maps": len(Path("/proc/self/maps").read_text().splitlines()),
            "threads": len(os.listdir("/proc/self/task")),
            "files": sum(1 for path in folder.rglob("*") if path.is_file())}


def one_round(folder, number):
    """A session with a file, one in memory, and one that fails."""
    output = folder / f"run-{number}.h5"
    with ProfileManager.session(output=output, track_async=True, track_threads=True, verbose=False):
        work()
    found = {each.name: each[0].num_calls for each in read_h5(output).get_regions()}
    found.pop("scope_profiler.session", None)
    assert found == WORK
    output.unlink()
    with ProfileManager.session(output=None, verbose=False, return_results=True) as run:
        calls("in memory")
    assert {r.name: r[0].num_calls for r in run.results}["in memory"] == CALLS
    with pytest.raises(ZeroDivisionError):
        with ProfileManager.session(output=None, verbose=False):
            with region("fails"):
                1 / 0


@pytest.mark.parametrize("seconds", [10, pytest.param(300, marks=pytest.mark.long)])
def test_rounds_leave_nothing_behind(tmp_path, monkeypatch, seconds):
    monkeypatch.setenv("SCOPE_SPOOL_DIR", str(tmp_path))
    samples, end = [], time.monotonic() + seconds
    while len(samples) < 24 or time.monotonic() < end:
        one_round(tmp_path, len(samples))
        samples.append(held(tmp_path))
    third = len(samples) // 3
    warm, last = samples[third:2 * third], samples[2 * third:]
    for key, slack in (("descriptors", 0), ("threads", 0), ("files", 0), ("maps", 12),
                       ("rss_kb", 2048 + len(samples))):
        before, after = max(s[key] for s in warm), max(s[key] for s in last)
        assert after <= before + slack, f"{key}: {[s[key] for s in samples[::max(1, third // 8)]]}"
