"""Threads, event loops and greenlets at random, against a model that the test keeps itself.

Every lane opens a region of its own name and inside it a random tree of regions, some left by
exceptions, with switches to other lanes in between. What each lane did, in order and depth, is
what the profile must say.

SPDX-License-Identifier: MIT
"""
import asyncio
import random
import threading
import time

import pytest

from scope_profiler import ProfileManager, build_call_arrays

greenlet = pytest.importorskip("greenlet")

NAMES = [f"work {i}" for i in range(7)]
THREADS = 16
LANES = 6  # tasks or greenlets at a time in each thread


class Planned(Exception):
    """Leaves a region on purpose."""


class Lane:
    """One task's or greenlet's random walk, and the model of it: (name, depth) as entered."""

    def __init__(self, name, seed):
        self.name, self.random, self.model = name, random.Random(seed), []

    def steps(self):
        """Yields where another lane may run."""
        with ProfileManager.region(self.name):
            self.model.append((self.name, 0))
            for _ in range(self.random.randrange(1, 4)):
                yield from self.enter(1)
                yield

    def enter(self, depth):
        name = self.random.choice(NAMES)
        try:
            with ProfileManager.region(name):
                self.model.append((name, depth))
                while depth < 6 and self.random.random() < 0.5:
                    if self.random.random() < 0.5:
                        yield
                    yield from self.enter(depth + 1)
                if self.random.random() < 0.2:
                    raise Planned
        except Planned:
            pass


async def as_task(lane):
    for _ in lane.steps():
        await asyncio.sleep(0 if lane.random.random() < 0.9 else 0.001)


def run_loop(lanes):
    async def all_of_them():
        await asyncio.gather(*(as_task(lane) for lane in lanes))
    asyncio.run(all_of_them())


def run_greenlets(lanes):
    def body(lane):
        for _ in lane.steps():
            hub.switch()

    hub = greenlet.getcurrent()
    living = [greenlet.greenlet(body) for _ in lanes]
    started = {one: lane for one, lane in zip(living, lanes)}
    order = random.Random(len(lanes))
    while living:
        one = order.choice(living)
        one.switch(*([started.pop(one)] if one in started else []))
        living = [one for one in living if not one.dead]


def worker(number, until, done):
    chance = random.Random(number)
    with ProfileManager.region(f"thread {number}"):
        for turn in range(10**9):
            lanes = [Lane(f"lane {number}.{turn}.{i}", chance.random()) for i in range(LANES)]
            (run_loop if chance.random() < 0.5 else run_greenlets)(lanes)
            done.extend(lanes)
            if time.monotonic() > until:
                return


def lanes_of(results):
    """Per outermost region of a lane: its calls in order, as (name, depth below it)."""
    calls = build_call_arrays(results.get_regions(), rank=0)
    names = [calls.names[i] for i in calls.region_index.tolist()]
    found, by_lane = {}, {}
    for name, depth, lane in zip(names, calls.depth.tolist(), calls.lane.tolist()):
        if name.startswith("lane "):
            by_lane[lane] = found[name] = []
            base = depth
            by_lane[lane, "base"] = base
        if lane in by_lane and not name.startswith("thread "):
            by_lane[lane].append((name, depth - by_lane[lane, "base"]))
    return found


def test_random_lanes_are_what_the_model_says(request):
    seconds = 60 if request.config.getoption("--long") else 3
    done = []
    with ProfileManager.session(output=None, track_async=True, verbose=False,
                                return_results=True) as run:
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=worker, args=(i, until, done)) for i in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(seconds + 300)
    assert not any(thread.is_alive() for thread in threads)
    found = lanes_of(run.results)
    assert len(found) == len(done) > THREADS
    wrong = [lane.name for lane in done if found[lane.name] != lane.model]
    assert wrong == []
    assert {thread.name for thread in run.results.threads[0] if not thread.alive} >= \
        {thread.name for thread in threads}
    assert all(task.done for task in run.results.tasks[0] if task.kind == "task")
