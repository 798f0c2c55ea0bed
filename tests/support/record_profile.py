"""Profiles of several kinds, recorded by scope-profiler 0.7.5 or by this package.

    python record_profile.py FOLDER SUFFIX KIND...        writes FOLDER/KIND + SUFFIX

SPDX-License-Identifier: MIT
"""
import asyncio
import sys
import threading
import time

from scope_profiler import ProfileManager


def nested(manager):
    with manager.region("outer/日本", tags=["hot", "b"]):
        for step in range(3):
            with manager.metadata(step=step, note="ä"), manager.region("step"):
                with manager.region("inner"):
                    time.sleep(0.001)


def plain(manager):
    with manager.region("outer"):
        for _ in range(5):
            with manager.region("inner"):
                pass
        manager.region("never entered")


def threads(manager):
    workers = [threading.Thread(target=plain, args=(manager,), name=f"w{n}") for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def tasks(manager):
    async def fetch():
        with manager.region("fetch"):
            await asyncio.sleep(0.002)

    async def main():
        await asyncio.gather(*(fetch() for _ in range(3)))

    with manager.region("run"):
        asyncio.run(main())


KINDS = {
    "plain": (plain, {}),
    "metadata": (nested, {"label": "a label", "capture_region_source": True}),
    "threads": (threads, {"track_threads": True}),
    "async": (tasks, {"track_async": True}),
    "aggregate": (plain, {"aggregation_mode": True}),
    "gzip": (plain, {"hdf5_compression": "gzip", "hdf5_compression_level": 6}),
    "chunked": (plain, {"hdf5_chunk_size": 3}),
}

if __name__ == "__main__":
    folder, suffix = sys.argv[1:3]
    for kind in sys.argv[3:]:
        work, options = KINDS[kind]
        manager = ProfileManager()
        with manager.session(file_path=f"{folder}/{kind}{suffix}", verbose=False, **options):
            work(manager)
