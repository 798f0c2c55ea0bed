"""Results of a call table, and back: the same answers, nothing copied.

SPDX-License-Identifier: MIT
"""
import json

import numpy as np
import pytest

from scope_profiler import _read
from scope_profiler.errors import EventDataUnavailableError
from scope_profiler.results import from_table
from support.results import MS, lanes, results, same_answers, task_row, thread_row


@pytest.mark.parametrize("make", [results, lanes])
def test_a_table_gives_the_same_answers(make):
    made = make()
    same_answers(from_table(made._table()), made)


def test_columns_of_a_table_are_views_that_cannot_be_written():
    table = results()._table()
    one = from_table(table)
    starts = one["outer"][0].start_times_ns
    assert starts.base is not None and not starts.flags.writeable
    with pytest.raises(ValueError):
        starts[0] = 1
    address = np.asarray(table.column("start_ns")).__array_interface__["data"][0]
    assert starts.__array_interface__["data"][0] == address
    del table, one
    assert starts.tolist() == [0, 100 * MS, 200 * MS]


def test_statistics_of_a_table_touch_no_row():
    class Untouched:
        def get(self, name):
            assert name == "gpu_ns", "a column of the table"  # which it does not have

    one = from_table(results()._table())
    for mpi_region in one:
        for rank in mpi_region:
            mpi_region[rank]._rows = Untouched()
    row = one["outer"].get_summary()
    assert row["num_calls"] == 4 and row["exclusive_duration"] == pytest.approx(0.28)
    assert one["outer"].std_duration > 0 and one["outer"].first_start_time == 0.0


def test_making_results_of_a_table_does_not_look_at_it():
    class Closed:
        def __getattribute__(self, name):
            raise AssertionError(f"asked the table for {name}")

    made = from_table(Closed(), file_path="run.h5")
    assert made.is_root and str(made.file_path) == "run.h5" and made.has_event_data


def test_regions_do_not_ask_for_tasks():
    class NoTasks:
        def __init__(self, table):
            self.table = table
            self.is_aggregate, self.column = table.is_aggregate, table.column

        def part(self, name):
            assert name not in ("threads", "tasks")
            return self.table.part(name)

    made = from_table(NoTasks(results()._table()))
    assert len(made.events()) == 7 and made.num_ranks == 2 and made.label == "night"


def test_lane_labels_are_those_of_the_exports():
    parts = lanes()._table().parts()
    parts["threads"] = [thread_row(0), thread_row(1)]
    parts["tasks"] = [task_row(0, 0), {**task_row(1, 1), "coro_name": ""},
                      {**task_row(2, -1), "coro_name": "main.<locals>.f"}]
    table = _read.Table(parts)
    made = from_table(table)
    for lane in range(-6, 5):
        assert made.lane_label(lane) == _read.lane_label(table, 0, lane)


def test_metadata_that_was_changed_goes_into_the_table():
    one = from_table(results()._table())
    assert one._table() is one._source.table
    one.label = "day"
    one.metadata["numbers"] = [1, 2]
    one.metadata["small"] = np.int64(4)
    assert one._table().part("metadata").items() >= {
        "label": "day", "numbers": ["1", "2"], "small": 4}.items()


def test_some_regions_and_ranks_of_a_table():
    for made in (results(), from_table(results()._table())):
        part = from_table(made._table(include="outer", ranks=[1]))
        assert part.region_names == ["outer"] and part["outer"].ranks == [1]
        assert part["outer"][1].start_times_ns.tolist() == [10 * MS]
        part = from_table(made._table(exclude="outer"))
        assert part.events("inner")[2]["metadata"] == {"k": 2}


def test_tags_sources_and_metadata_of_calls_survive_the_table():
    one = from_table(results()._table())["outer"][0]
    assert one.tags == ("x", "y") and one.source_file == "f.py" and one.source_lineno == 3
    assert one.source_text is None and one.event_metadata == ({}, {}, {})


def test_objects_in_metadata_of_calls_can_be_given_beside_the_table():
    thing = object()
    one = from_table(results()._table(), event_metadata={(0, "inner"): [{"o": thing}, {}, {}]})
    assert one["inner"][0].event_metadata[0]["o"] is thing
    assert json.loads(one._table().part("pairs")[1]["event_metadata"])[0]["o"] == str(thing)


def test_statistics_without_calls():
    full = results()
    one = from_table(full._table(), event_data_available=False)
    assert not one.has_event_data and not one["outer"][0].has_event_data
    for question in (one.events, one.call_graph, one.call_stack, one["outer"].events,
                     one["outer"][0].events):
        with pytest.raises(EventDataUnavailableError, match="read_h5"):
            question()
    mine, theirs = one.summary(), full.summary()
    for row, expected in zip(mine, theirs):
        assert row["p95"] is None
        for key in ("num_calls", "total_duration", "exclusive_duration", "min_duration",
                    "max_duration", "first_duration", "last_duration", "tags"):
            assert row[key] == pytest.approx(expected[key])
        assert row["std_duration"] == pytest.approx(expected["std_duration"])
    assert from_table(one._table()).summary()[0]["total_duration"] == pytest.approx(
        theirs[0]["total_duration"])


@pytest.mark.parametrize("per_lane", [False, True])
def test_an_aggregated_run_keeps_sums(per_lane):
    full = results()
    one = from_table(full._table().aggregate(per_lane))
    assert one.has_event_data and one.events() == [] and one.call_graph() == []
    assert one["outer"][0].durations.size == 0 and one["outer"][0].p95_duration is None
    for row, expected in zip(one.summary(), full.summary()):
        for key in ("name", "num_calls", "total_duration", "exclusive_duration", "min_duration",
                    "max_duration", "average_duration", "rank_imbalance", "tags"):
            assert row[key] == pytest.approx(expected[key])
        assert row["std_duration"] == 0.0 and row["p50"] is None
    assert set(one["outer"][0].stored_summary) == {"count", "total", "minimum", "maximum",
                                                   "exclusive"}
    again = from_table(one._table(include="outer"))
    assert again.summary() == one.summary("outer")


def test_sums_per_lane_answer_for_each_thread():
    parts = lanes()._table().parts()
    parts["tasks"] = [task_row(0, 0), task_row(1, 0)]
    parts["threads"] = [thread_row(0), thread_row(1)]
    full = from_table(_read.Table(parts))
    one = from_table(_read.Table(parts).aggregate(True))
    for name in ("a", "b"):
        assert one[name][0].threads == full[name][0].threads
        for thread in (0, 1):
            part, expected = one[name][0].for_thread(thread), full[name][0].for_thread(thread)
            assert part.num_calls == expected.num_calls
            assert part.total_duration == pytest.approx(expected.total_duration)
            assert part.exclusive_duration == pytest.approx(expected.exclusive_duration)
        assert one[name][0].for_thread(7).num_calls == 0
    assert one.thread_summary() == full.thread_summary()
    with pytest.raises(ValueError):
        from_table(_read.Table(parts).aggregate(False))["a"][0].for_thread(0)


def test_threads_and_tasks_of_a_table():
    parts = lanes()._table().parts()
    parts.update(threads=[thread_row(0), thread_row(1)], tasks=[task_row(0, 0), task_row(1, 0)],
                 start_time_ns=-2)
    one = from_table(_read.Table(parts))
    thread, task = one.threads[0][1], one.tasks[0][1]
    assert thread.name == "T1" and thread.wall_time == pytest.approx(0.09)
    assert thread.start_time == 2e-9 and not thread.alive
    assert task.created_time == 3e-9 and task.done_time is None and not task.done
    assert one.lane_label(-3) == "T1" and one.lane_label(1) == "Task-1 (fetch) on T0"
    assert one.lane_label(-1) == "unknown lane" and one.lane_label(9) == "task 9"
    rows = one.thread_summary()
    assert [row["num_calls"] for row in rows] == [4, 2]
    assert [row["region_time"] for row in rows] == pytest.approx([0.020, 0.015])
    assert one.thread_summary(3) == []
    again = from_table(one._table(include="a"))
    assert [vars(t) if hasattr(t, "__dict__") else repr(t) for t in again.threads[0]] == [
        vars(t) if hasattr(t, "__dict__") else repr(t) for t in one.threads[0]]


def test_calls_that_a_bounded_recording_folded_count_in_the_statistics():
    parts = results()._table().parts()
    parts["sums"] = [{"rank": 0, "region": 1, "lane": -1, "count": 5, "total_ns": 500 * MS,
                      "minimum_ns": 1, "maximum_ns": 400 * MS, "exclusive_ns": 500 * MS,
                      "await_ns": 0, "first_ns": 0, "last_ns": 0}]
    one = from_table(_read.Table(parts))["inner"][0]
    assert one.num_calls == 8 and one.durations.size == 3
    assert one.total_duration == pytest.approx(0.57) and one.min_duration == 1e-9
    assert one.max_duration == 0.4 and one.exclusive_duration == pytest.approx(0.57)
