"""2 million calls in 100 000 tasks, from recording to files: all there, and in linear time.

SPDX-License-Identifier: MIT
"""
import asyncio
import time

import numpy as np

import scope_profiler as sp
from scope_profiler.call_stack import split_by_lane

TASKS, CALLS, TOGETHER = 100_000, 20, 1000  # tasks, calls in each, tasks that live at a time
COUNTS = {"outer": TASKS, "middle": 6 * TASKS, "inner": 6 * TASKS, "other": 7 * TASKS}
PARENTS = {"outer": None, "middle": "outer", "inner": "middle", "other": "outer"}
GUARD_S = 600  # of CPU time; what is quadratic takes hours


async def task():
    region = sp.region
    with region("outer"):
        for _ in range(6):
            with region("middle"), region("inner"):
                pass
            with region("other"):
                pass
        await asyncio.sleep(0)
        with region("other"):
            pass


async def main():
    for _ in range(TASKS // TOGETHER):
        await asyncio.gather(*(task() for _ in range(TOGETHER)))


def check_arrays(results):
    calls = sp.build_call_arrays(results.get_regions(), 0)
    assert len(calls) == TASKS * CALLS
    lanes, counts = np.unique(calls.lane, return_counts=True)
    assert len(lanes) == TASKS and (counts == CALLS).all()
    number = {name: calls.names.index(name) for name in COUNTS}
    for name, parent in PARENTS.items():
        parents = calls.parent[calls.region_index == number[name]]
        if parent is None:
            assert (parents == -1).all()
        else:
            assert (calls.region_index[parents] == number[parent]).all()
            assert (calls.lane[parents] == calls.lane[calls.region_index == number[name]]).all()
    split = split_by_lane(calls)
    assert len(split) == TASKS and all(len(one) == CALLS for _, one in split)


def check_graph(results):
    nodes = results.call_graph(rank=0)
    assert len(nodes) == TASKS * CALLS
    names = {node["call_id"]: node["name"] for node in nodes}
    assert len(names) == len(nodes)
    for node in nodes[:: len(nodes) // 1000]:
        assert names.get(node["parent_id"]) == PARENTS[node["name"]]


def check(results):
    rows = {row.get("name") or row.get("region"): row["num_calls"] for row in results.summary()}
    assert rows == COUNTS
    check_arrays(results)
    tasks = results.tasks[0]
    assert sum(one.coro_name == "task" for one in tasks) == TASKS and all(one.done for one in tasks)


def test_two_million_calls_in_a_hundred_thousand_tasks(sp, tmp_path):
    sp.setup(output=tmp_path / "many.h5", track_async=True)
    asyncio.run(main())
    begin = time.process_time()
    recorded = sp.finalize(verbose=False, return_results=True)
    check(recorded)
    check_graph(recorded)
    check(sp.read_h5(tmp_path / "many.h5"))
    sp.write_profile(recorded, tmp_path / "copy.h5")
    assert (tmp_path / "copy.h5").stat().st_size > 2_000_000
    sp.export_speedscope(recorded, tmp_path / "many.speedscope.json", verbose=False)
    sp.export_chrome_trace(recorded, tmp_path / "many.trace.json", verbose=False)
    sp.export_prof(recorded, tmp_path / "many.prof", verbose=False)
    assert time.process_time() - begin < GUARD_S
    for path in tmp_path.iterdir():  # a gigabyte that nobody needs any more
        path.unlink()
