"""Results made by hand: times in ms, and what two sets have in common.

SPDX-License-Identifier: MIT
"""
import numpy as np

from scope_profiler.mpi_region import MPIRegion
from scope_profiler.region import Region
from scope_profiler.results import ProfilingResults

MS = 1_000_000


def region(starts, ends, **rest):
    return Region(np.array(starts, dtype=np.int64) * MS, np.array(ends, dtype=np.int64) * MS,
                  **rest)


def results(**rest):
    """outer > inner on rank 0, outer alone on rank 1."""
    outer = region([0, 100, 200], [50, 190, 400], tags=("x", "y"), source_file="f.py",
                   source_lineno=3)
    return ProfilingResults(
        {"outer": MPIRegion("outer", {0: outer, 1: region([10], [20])}),
         "inner": MPIRegion("inner", {0: region([10, 110, 250], [20, 120, 300],
                                                event_metadata=[{"k": 1}, {}, {"k": 2}])})},
        metadata={"start_time_ns": -5 * MS, "finalize_time_ns": 500 * MS, "label": "night"},
        **rest)


def lanes():
    """Two threads that overlap, and two tasks on thread 0."""
    return ProfilingResults(
        {"a": MPIRegion("a", {0: region([0, 5, 1, 2], [10, 20, 4, 9],
                                        thread_ids=[0, 1, 0, 0], task_ids=[-1, -1, 0, 1],
                                        await_times=[0, 0, 7, 8])}),
         "b": MPIRegion("b", {0: region([2, 6], [3, 8], thread_ids=[0, 1], task_ids=[0, -1],
                                        await_times=[1, 0])})},
        metadata={"start_time_ns": 0})


def same_answers(one, other):
    assert one.summary() == other.summary()
    assert one.call_graph() == other.call_graph()
    assert one.call_stack() == other.call_stack()
    assert [strip(event) for event in one.events()] == [strip(event) for event in other.events()]
    assert one.metadata == other.metadata
    assert one.region_names == other.region_names and one.num_ranks == other.num_ranks


def strip(event):
    return {key: value for key, value in event.items() if key not in ("call_id", "parent_id")}


def thread_row(index):
    return {"rank": 0, "index": index, "name": f"T{index}", "ident": 1, "native_id": 2,
            "daemon": 0, "start_ns": 0, "end_ns": 90 * MS, "cpu_ns": 5}


def task_row(index, thread):
    return {"rank": 0, "index": index, "kind": "task", "name": f"Task-{index}",
            "coro_name": "Pool.fetch", "thread_index": thread, "created_ns": 1, "done_ns": -1,
            "steps": 3, "running_ns": 4, "suspended_ns": 5}
