"""Nesting: CallArrays, lanes, stacks of dicts, and what does not nest.

SPDX-License-Identifier: MIT
"""
import copy
import pickle
import random

import numpy as np
import pytest

from scope_profiler.call_stack import (
    CallArrays,
    build_call_arrays,
    build_call_stack,
    call_stack_children,
    call_stack_roots,
    exclusive_totals_ns,
    regions_from_snapshot,
    split_by_lane,
)
from scope_profiler.errors import NestingError
from scope_profiler.mpi_region import MPIRegion
from scope_profiler.region import Region


def regions(**columns):
    """MPIRegions of name=(starts, ends[, thread_ids[, task_ids]]) on rank 0."""
    made = []
    for name, (start, end, *lanes) in columns.items():
        threads, tasks = (*lanes, None, None)[:2]
        made.append(MPIRegion(name, {0: Region(np.array(start, np.int64), np.array(end, np.int64),
                                               thread_ids=threads, task_ids=tasks)}))
    return made


def test_calls_come_by_start_then_longest_first_then_as_given():
    calls = build_call_arrays(regions(a=([0, 5, 10], [10, 5, 10]), b=([0, 10], [0, 20])), 0)
    assert calls.names == ["a", "b"] and len(calls) == 5
    assert calls.region_index.tolist() == [0, 1, 0, 1, 0]
    assert calls.call_index.tolist() == [0, 0, 1, 1, 2]
    assert calls.depth.tolist() == [0, 1, 1, 0, 1]
    assert calls.parent.tolist() == [-1, 0, 0, -1, 3]
    assert calls.exclusive_ns.tolist() == [10, 0, 0, 10, 0]
    assert calls.lane.size == 0
    assert all(c.dtype == np.int64 for c in calls[3:])


def test_calls_that_touch_are_siblings():
    calls = build_call_arrays(regions(a=([0, 5], [5, 9])), 0)
    assert calls.parent.tolist() == [-1, -1]


def test_call_arrays_are_tuples_whose_length_is_the_number_of_calls():
    calls = build_call_arrays(regions(a=([0, 1], [9, 3])), 0)
    assert isinstance(calls, tuple) and len(calls) == 2
    assert [*calls][0] == ["a"] and calls._fields[-1] == "lane"
    assert calls._replace(names=["z"]).names == ["z"] and calls._asdict()["names"] == ["a"]
    assert CallArrays._make(tuple(calls)).start_ns is calls.start_ns
    for again in (copy.copy(calls), copy.deepcopy(calls), pickle.loads(pickle.dumps(calls))):
        assert type(again) is CallArrays and again.start_ns.tolist() == [0, 1]


@pytest.mark.parametrize("given", [[], regions(a=([], [])), regions(a=([0], [1]))])
def test_no_calls_make_empty_arrays(given):
    calls = build_call_arrays(given, 7)
    assert len(calls) == 0 and calls.start_ns.dtype == np.int64
    assert split_by_lane(calls) == [] and build_call_stack(given, 7) == []


def test_any_iterable_of_regions_will_do():
    assert build_call_arrays(iter(regions(a=([0], [1]))), 0).names == ["a"]
    assert len(build_call_stack(iter(regions(a=([0], [1]))), 0)) == 1


@pytest.mark.parametrize("columns, names", [
    ({"a": ([5], [3])}, ["call 0 of 'a' [5, 3]"]),
    ({"a": ([0], [5]), "b": ([3], [8])}, ["call 0 of 'a' [0, 5]", "call 0 of 'b' [3, 8]"]),
    ({"a": ([0, 20, 21], [5, 30, 40])}, ["call 1 of 'a'", "call 2 of 'a'"]),
])
def test_calls_that_do_not_nest_are_named(columns, names):
    with pytest.raises(NestingError) as caught:
        build_call_arrays(regions(**columns), 0)
    assert all(name in str(caught.value) for name in names)
    assert isinstance(caught.value, ValueError)


def test_lanes_are_tasks_threads_and_the_unknown():
    calls = build_call_arrays(regions(
        a=([0, 1, 2], [9, 8, 7], [0, 1, 0], [-1, -1, 0]), b=([3], [20])), 0)
    assert calls.lane.tolist() == [-2, -3, 0, -1]
    assert calls.depth.tolist() == [0, 0, 0, 0]


def test_splitting_gives_each_lane_its_own_parents():
    made = regions(a=([0, 1, 4], [9, 8, 5], [0, 1, 1]), b=([2, 3], [6, 5], [0, 1], [-1, 0]))
    calls = build_call_arrays(made, 0)
    parts = split_by_lane(calls)
    assert [lane for lane, _ in parts] == [-3, -2, 0]
    for lane, part in parts:
        assert set(part.lane.tolist()) == {lane} and part.names == ["a", "b"]
        for place, parent in enumerate(part.parent.tolist()):
            if parent >= 0:
                assert part.start_ns[parent] <= part.start_ns[place]
                assert part.depth[parent] == part.depth[place] - 1
    assert sum(len(part) for _, part in parts) == len(calls)
    assert parts[0][1].parent.tolist() == [-1, 0]


def test_without_lanes_there_is_one_part():
    calls = build_call_arrays(regions(a=([0], [1])), 0)
    assert split_by_lane(calls) == [(-1, calls)]


def test_random_lanes_nest_as_a_model_says():
    random_ = random.Random(5)
    starts, ends, lanes, model = [], [], [], {}

    def fill(lane, begin, end, path):
        while begin < end - 2 and random_.random() < 0.8:
            begin = random_.randrange(begin, end - 1)
            stop = random_.randrange(begin + 1, end)
            model[lane, begin, stop] = path
            starts.append(begin), ends.append(stop), lanes.append(lane)
            fill(lane, begin, stop, [*path, (begin, stop)])
            begin = stop

    for lane in range(40):
        fill(lane, 0, 500, [])
    calls = build_call_arrays(regions(a=(starts, ends, [0] * len(lanes), lanes)), 0)
    for place in range(len(calls)):
        chain, at = [], int(calls.parent[place])
        while at >= 0:
            chain.append((int(calls.start_ns[at]), int(calls.end_ns[at])))
            at = int(calls.parent[at])
        key = (int(calls.lane[place]), int(calls.start_ns[place]), int(calls.end_ns[place]))
        if len({k for k in model if k[:2] == key[:2]}) == 1:  # no ties on this lane
            assert chain[::-1] == model[key] and calls.depth[place] == len(chain)
    assert calls.exclusive_ns.sum() == sum(
        int(calls.end_ns[i] - calls.start_ns[i]) for i in np.flatnonzero(calls.parent < 0))


def test_a_stack_of_dicts_has_paths_and_places():
    made = regions(a=([0], [2_000_000_000]), b=([1_000_000_000], [1_500_000_000]))
    made[1].color = "red"
    stack = build_call_stack(made, 0, origin=1.0)
    assert stack[1] == {
        "call_id": 1, "name": "b", "call_index": 0, "start": 0.0, "end": 0.5, "duration": 0.5,
        "inclusive_duration": 0.5, "exclusive_duration": 0.5, "depth": 1, "parent": 0,
        "call_path": "a > b", "source_file": None, "source_lineno": None, "lane": -1,
        "color": "red"}
    assert stack[0]["exclusive_duration"] == 1.5 and stack[0]["parent"] is None
    assert call_stack_roots(stack) == [0] and call_stack_children(stack) == [[1], []]
    assert call_stack_roots([]) == [] and call_stack_children([]) == []


def test_snapshots_are_regions_by_name():
    snapshot = {"a": (np.array([1, 3]), np.array([5, 4])), "b": (np.array([2]), np.array([5]))}
    assert exclusive_totals_ns(snapshot) == {"a": 2, "b": 2}
    assert exclusive_totals_ns(snapshot, 3) == {"a": 2, "b": 2}
    assert exclusive_totals_ns({}) == {}
    assert exclusive_totals_ns({"a": ([], [])}) == {"a": 0}
    made = regions_from_snapshot(snapshot, 2)
    assert [(r.name, r.ranks) for r in made] == [("a", [2]), ("b", [2])]
    threads = (np.array([1, 3]), np.array([5, 9]), None, None, None, np.array([0, 1]))
    assert exclusive_totals_ns({"a": threads}) == {"a": 10}
    with pytest.raises(NestingError):
        exclusive_totals_ns({"a": threads[:2]})


def test_a_hundred_thousand_lanes_of_two_million_calls():
    """Minutes where each lane costs a pass over the calls; the limit is generous."""
    lanes = np.repeat(np.arange(100_000), 20)
    place = np.tile(np.arange(20), 100_000)
    start = lanes * 7 + place
    end = lanes * 7 + 60 - place
    one = Region(start, end, thread_ids=np.zeros_like(lanes), task_ids=lanes)
    calls = build_call_arrays([MPIRegion("a", {0: one})], 0)
    parts = split_by_lane(calls)
    assert len(calls) == 2_000_000 and len(parts) == 100_000
    assert int(calls.depth.max()) == 19
    assert calls.exclusive_ns.sum() == 60 * 100_000
    assert parts[99_999][1].parent.tolist() == list(range(-1, 19))
