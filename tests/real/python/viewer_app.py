"""Threads and tasks with regions of every name, exported for each viewer.

    python viewer_app.py FOLDER

SPDX-License-Identifier: MIT
"""
import asyncio
import sys
import threading
from pathlib import Path

import scope_profiler as sp

NAMES = ["plain", 'say "yes"', "it's", "back\\slash", "new\nline", "tab\tbed", "</script><b>bold</b>",
         "&amp; <i>", "日本 é 🚀", "${x} #{y} %s", "../up", "null"]


def work():
    for name in NAMES:
        with sp.region(name):
            with sp.region("inner"):
                sum(range(1000))


async def fetch(name):
    with sp.region("fetch"):
        await asyncio.sleep(0.002)
        with sp.region(name):
            await asyncio.sleep(0.001)


async def main():
    await asyncio.gather(*(asyncio.create_task(fetch(name), name=f"task {name}") for name in NAMES[:8]))


def record(path):
    with sp.session(output=path, label="odd </title> & names", track_async=True, verbose=False):
        threads = [threading.Thread(target=work, name=f"thread {number} <&>") for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        work()
        asyncio.run(main())


folder = Path(sys.argv[1])
record(folder / "run.h5")
results = sp.read_h5(folder / "run.h5")
sp.export_speedscope(results, folder / "run.speedscope.json", verbose=False)
sp.export_chrome_trace(results, folder / "run.trace.json", verbose=False)
sp.export_prof(results, folder / "run.prof", verbose=False)
# snakeviz 2.2 puts names into a script as they are: this one ends it, with anybody's file.
sp.export_prof(results, folder / "tame.prof", exclude=".*script", verbose=False)
