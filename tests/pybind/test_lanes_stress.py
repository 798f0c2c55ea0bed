"""Threads x event loops x greenlets, at random, against what the test itself counted.

SPDX-License-Identifier: MIT
"""
import asyncio
import collections
import random
import threading
import time

import pytest

from support.lanes import recorded

greenlet = pytest.importorskip("greenlet")

REGIONS = [f"region-{number}" for number in range(6)]


class Boom(Exception):
    pass


class Model:
    """How often each region was entered on each lane, and inside which other."""

    def __init__(self):
        self.calls = collections.Counter()
        self.nested = collections.Counter()
        self.lock = threading.Lock()

    def add(self, name, parent):
        with self.lock:
            self.calls[name] += 1
            self.nested[name, parent] += 1


def pick(rng):
    return rng.choice(REGIONS)


def plain(manager, model, rng, depth, parent):
    name = pick(rng)
    model.add(name, parent)
    with manager.region(name):
        if depth and rng.random() < 0.5:
            plain(manager, model, rng, depth - 1, name)
        if rng.random() < 0.05:
            raise Boom
        sum(range(rng.randrange(200)))


async def coroutine(manager, model, rng, depth, parent):
    name = pick(rng)
    model.add(name, parent)
    with manager.region(name):
        for _ in range(rng.randrange(3)):
            await asyncio.sleep(rng.choice((0, 0, 0.0005)))
            what = rng.random()
            if what < 0.3 and depth:
                await coroutine(manager, model, rng, depth - 1, name)
            elif what < 0.5 and depth:
                child = asyncio.ensure_future(coroutine(manager, model, rng, depth - 1, None))
                if rng.random() < 0.2:
                    child.cancel()
                await asyncio.gather(child, return_exceptions=True)
            elif what < 0.7:
                await bridge(manager, model, rng)
            elif what < 0.75:
                raise Boom
            else:
                try:
                    plain(manager, model, rng, 2, name)
                except Boom:
                    pass


async def bridge(manager, model, rng):
    """Synchronous code in a greenlet that awaits through the task that started it."""
    def synchronous():
        name = pick(rng)
        model.add(name, None)
        with manager.region(name):
            for _ in range(rng.randrange(3)):
                worker.parent.switch(asyncio.sleep(0))
                try:
                    plain(manager, model, rng, 1, name)
                except Boom:
                    if rng.random() < 0.3:
                        raise

    worker = greenlet.greenlet(synchronous, greenlet.getcurrent())
    awaited = worker.switch()
    while not worker.dead:
        await awaited
        awaited = worker.switch()


def greenlets(manager, model, rng):
    """Greenlets that switch to each other at random, from the thread's own."""
    main = greenlet.getcurrent()

    def work():
        name = pick(rng)
        model.add(name, None)
        with manager.region(name):
            for _ in range(rng.randrange(4)):
                main.switch()
                plain(manager, model, rng, 1, name)

    waiting = [greenlet.greenlet(work) for _ in range(rng.randrange(1, 5))]
    while waiting:
        one = rng.choice(waiting)
        try:
            if rng.random() < 0.1:
                one.throw()
            else:
                one.switch()
        except Boom:
            pass
        waiting = [one for one in waiting if not one.dead]


def thread(manager, model, seed, end):
    rng = random.Random(seed)
    while time.monotonic() < end:
        try:
            what = rng.random()
            if what < 0.4:
                asyncio.run(coroutine(manager, model, rng, 3, None))
            elif what < 0.7:
                greenlets(manager, model, rng)
            else:
                plain(manager, model, rng, 3, None)
        except Boom:
            pass


def storm(seconds, threads):
    model = Model()
    with recorded(track_async=True) as (manager, run):
        end = time.monotonic() + seconds
        workers = [threading.Thread(target=thread, args=(manager, model, seed, end))
                   for seed in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    calls = {region.name: region[0].num_calls for region in run.results}
    calls.pop("scope_profiler.session")
    assert calls == dict(model.calls)
    graph = run.results.call_graph(rank=0)
    names = {call["call_id"]: call["name"] for call in graph}
    nested = collections.Counter((call["name"], names.get(call["parent_id"])) for call in graph)
    nested.pop(("scope_profiler.session", None))
    assert nested == model.nested
    assert not any(worker.alive for worker in run.results.threads[0][1:])
    pending = [task for task in run.tasks() if not task.done and task.kind == "task"]
    assert not pending
    for task in run.tasks():
        if task.done and task.steps:
            assert task.running_time > 0


def test_a_storm_of_lanes_is_recorded_exactly():
    storm(3, 8)


@pytest.mark.long
def test_a_long_storm_of_lanes_is_recorded_exactly():
    storm(60, 16)
