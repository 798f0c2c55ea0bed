"""ProfilingResults, MPIRegion and Region: by hand, of a call table, copied, merged.

SPDX-License-Identifier: MIT
"""
import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

from scope_profiler import _read
from scope_profiler.errors import EventDataUnavailableError, NestingError
from scope_profiler.mpi_region import MPIRegion
from scope_profiler.region import Region
from scope_profiler.results import ProfilingResults, from_table, merge_results
from support.overlap import overlap

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


def test_exclusive_time_leaves_out_calls_of_other_regions_of_the_set():
    made = results()
    assert made["outer"][0].exclusive_durations_ns.tolist() == [40 * MS, 80 * MS, 150 * MS]
    assert made["outer"].exclusive_duration == pytest.approx(0.28)
    assert made["inner"].total_exclusive_duration == pytest.approx(0.07)


def test_a_region_by_itself_has_its_durations_as_exclusive_times():
    assert region([0, 1], [10, 5]).exclusive_durations_ns.tolist() == [10 * MS, 4 * MS]


def test_a_stored_exclusive_total_is_used():
    made = results(exclusive_totals={"outer": {0: 3, 1: -1}, "gone": {0: 1}})
    assert made["outer"][0].exclusive_duration == 3e-9
    assert made["outer"][1].exclusive_duration == pytest.approx(0.01)


def test_columns_are_seconds_and_their_ns_are_int64():
    one = region([0, 100], [50, 190], await_times=[0, 5], gpu_durations=[7, 8])
    for name in ("start_times", "end_times", "durations", "inclusive_durations",
                 "exclusive_durations", "gpu_durations", "await_times"):
        ns = getattr(one, name + "_ns")
        assert ns.dtype == np.int64
        assert (getattr(one, name) == ns / 1e9).all()


def test_an_empty_region_has_zeros():
    empty = region([], [])
    assert not empty.has_timing and len(empty) == 0
    for name in ("total", "average", "min", "max", "first", "last", "std", "exclusive", "p50"):
        assert getattr(empty, f"{name}_duration") == 0.0
    assert empty.first_start_time == 0.0 and empty.events() == []


@pytest.mark.parametrize("q", [-1, 100.1, float("nan")])
def test_percentiles_are_between_0_and_100(q):
    with pytest.raises(ValueError):
        region([0], [1]).percentile_duration(q)
    with pytest.raises(ValueError):
        MPIRegion("m", {0: region([0], [1])}).percentile_duration(q)


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError):
        region([0, 1], [2])
    with pytest.raises(ValueError):
        region([0, 1], [2, 3], thread_ids=[0])
    with pytest.raises(ValueError):
        region([0, 1], [2, 3], event_metadata=[{}])
    with pytest.raises(TypeError):
        Region(["a"], ["b"])


def test_unknown_names_and_ranks_are_named_in_the_error():
    made = results()
    with pytest.raises(KeyError, match="outer.*inner"):
        made["nope"]
    with pytest.raises(KeyError, match=r"\[0, 1\]"):
        made["outer"][5]
    assert "nope" not in made and 5 not in made["outer"]


def test_get_regions_takes_regexes_and_sorts_by_first_start():
    made = ProfilingResults({
        "z": MPIRegion("z", {0: region([5], [6])}), "a": MPIRegion("a", {0: region([1], [2])}),
        "ab": MPIRegion("ab", {0: region([1], [2]), 1: region([], [])})})
    assert [r.name for r in made.get_regions()] == ["a", "ab", "z"]
    assert [r.name for r in made] == ["z", "a", "ab"]
    assert [r.name for r in made.get_regions("a", ["ab"])] == ["a"]
    assert made.get_regions(include=[]) == []
    with pytest.raises(Exception):
        made.get_regions(include="(")


def test_times_of_the_run_come_from_its_metadata_else_from_its_calls():
    made = results()
    assert made.run_start_time == -0.005 and made.time_origin == -0.005
    assert made.total_time == pytest.approx(0.505)
    assert made.startup_time == pytest.approx(0.005)
    bare = ProfilingResults({"a": MPIRegion("a", {0: region([3], [9])})},
                            metadata={"start_time_ns": "?"})
    assert bare.run_start_time is None and bare.total_time is None
    assert bare.time_origin == 0.003 and bare.time_span == pytest.approx(0.006)
    nothing = ProfilingResults({})
    assert nothing.minimum_start_time == nothing.time_origin == nothing.time_span == 0.0


def test_the_label_can_be_set_and_taken_away(tmp_path):
    made = results(file_path=tmp_path / "run.h5")
    assert made.display_label == "night"
    made.label = None
    assert made.label is None and "label" not in made.metadata
    assert made.display_label == "run" and made.default_title().endswith("run.h5 (2 ranks)")


def test_events_are_relative_to_the_setup_unless_told_otherwise():
    made = results()
    assert made.events("inner")[0]["start"] == pytest.approx(0.015)
    assert made.events("inner", relative=False)[0]["start"] == pytest.approx(0.01)
    assert made.events("inner", origin=0.01)[0]["start"] == pytest.approx(0.0)
    assert made.events("outer", ranks=1)[0]["rank"] == 1
    assert [e.get("metadata") for e in made.events("inner")] == [{"k": 1}, None, {"k": 2}]


def test_events_have_ids_and_lanes_where_they_were_recorded():
    one = region([0, 1], [9, 3], call_ids=[4, 5], parent_ids=[-1, 4], thread_ids=[0, 0],
                 task_ids=[-1, 0], await_times=[0, 2])
    assert one.events()[1].items() >= {"call_id": 5, "parent_id": 4, "thread": 0, "task": 0,
                                       "await_duration": 2e-9}.items()


def test_the_call_graph_skips_over_regions_that_are_left_out():
    made = ProfilingResults({
        "a": MPIRegion("a", {0: region([0], [10], call_ids=[7], parent_ids=[-1])}),
        "b": MPIRegion("b", {0: region([2], [8], call_ids=[8], parent_ids=[7])}),
        "c": MPIRegion("c", {0: region([3], [4], call_ids=[9], parent_ids=[8])})})
    graph = made.call_graph(exclude="b")
    assert [(c["name"], c["call_id"], c["parent_id"], c["depth"]) for c in graph] == [
        ("a", 7, None, 0), ("c", 9, 7, 1)]
    assert [c["parent_id"] for c in made.call_graph(include="c")] == [None]


def test_a_parent_that_an_earlier_finalize_reported_makes_a_root():
    made = ProfilingResults(
        {"b": MPIRegion("b", {0: region([2], [8], call_ids=[7], parent_ids=[3])})})
    assert made.call_graph()[0]["parent_id"] is None


def test_calls_that_overlap_raise_and_keep_their_timings():
    made = ProfilingResults({"a": MPIRegion("a", {0: region([0], [20])}),
                             "b": MPIRegion("b", {0: region([10], [30])})})
    for _ in range(2):  # the same answer each time
        for question in (made.summary, made.call_graph, made.call_stack, made["a"].get_summary,
                         lambda: made["a"].exclusive_duration,
                         lambda: made["b"][0].exclusive_durations):
            with pytest.raises(NestingError, match="'a'.*'b'|'b'.*'a'"):
                question()
    assert made["a"].total_duration == 0.02 and len(made.events()) == 2


def test_one_rank_that_overlaps_does_not_spoil_another():
    made = ProfilingResults({"a": MPIRegion("a", {0: region([0], [20]), 1: region([0], [20])}),
                             "b": MPIRegion("b", {0: region([10], [30]), 1: region([5], [6])})})
    for one in (made, from_table(made._table())):
        assert one["a"][1].exclusive_duration == pytest.approx(0.019)
        with pytest.raises(NestingError):
            one["a"][0].exclusive_duration


def test_threads_and_tasks_do_not_nest_with_each_other():
    made = lanes()
    assert [call["depth"] for call in made.call_stack()] == [0, 0, 0, 1, 0, 1]
    assert made["a"][0].exclusive_durations_ns.tolist() == [10 * MS, 13 * MS, 2 * MS, 7 * MS]


def test_for_thread_is_an_ordinary_region():
    one = lanes()["a"][0]
    assert one.threads == [0, 1] and one.has_thread_data
    part = one.for_thread(1)
    assert part.num_calls == 1 and part.total_duration == 0.015
    assert part.exclusive_durations_ns.tolist() == [13 * MS]
    assert one.for_thread(0).await_times_ns.tolist() == [0, 7, 8]
    assert one.for_thread(9).num_calls == 0
    with pytest.raises(ValueError, match="track_threads"):
        region([0], [1]).for_thread(0)


def test_sets_of_other_ranks_print_nothing(capsys):
    results(is_root=False).print_summary()
    assert capsys.readouterr().out == ""


# ---- of a call table, and back ----


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


def thread_row(index):
    return {"rank": 0, "index": index, "name": f"T{index}", "ident": 1, "native_id": 2,
            "daemon": 0, "start_ns": 0, "end_ns": 90 * MS, "cpu_ns": 5}


def task_row(index, thread):
    return {"rank": 0, "index": index, "kind": "task", "name": f"Task-{index}",
            "coro_name": "Pool.fetch", "thread_index": thread, "created_ns": 1, "done_ns": -1,
            "steps": 3, "running_ns": 4, "suspended_ns": 5}


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


# ---- copies ----


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("of_table", [False, True])
def test_copies_give_the_same_answers(copied, of_table):
    for make in (results, lanes):
        made = from_table(make()._table()) if of_table else make()
        made["a" if "a" in made else "outer"].color = "red"
        again = copied(made)
        same_answers(again, made)
        assert again._source is None
        first = made.region_names[0]
        assert again[first].color == "red"
        mpi_region, one = copied(made[first]), copied(made[first][0])
        assert mpi_region.get_summary() == made[first].get_summary()
        assert one.exclusive_durations_ns.tolist() == \
            made[first][0].exclusive_durations_ns.tolist()
        assert one.events() == made[first][0].events()


def test_copies_of_calls_that_do_not_nest_say_so_too():
    made = ProfilingResults({"a": MPIRegion("a", {0: region([0], [20])}),
                             "b": MPIRegion("b", {0: region([10], [30])})})
    for again in (copy.deepcopy(made), copy.deepcopy(made["a"]), copy.deepcopy(made["a"][0])):
        with pytest.raises(NestingError):
            again.summary() if again is made else getattr(again, "get_summary", None)() \
                if not isinstance(again, ProfilingResults) else again.summary()


def test_a_copy_of_a_part_does_not_carry_the_whole_table():
    many = np.arange(100_000, dtype=np.int64)
    made = from_table(ProfilingResults({
        "many": MPIRegion("many", {0: Region(many * 10, many * 10 + 5)}),
        "few": MPIRegion("few", {0: Region(many[:3] * 10 + 1, many[:3] * 10 + 2)}),
    })._table())
    assert len(pickle.dumps(made["few"])) < 10_000


# ---- several sets ----


def test_merged_results_nest_the_regions_of_all_sets():
    python = ProfilingResults({"a": MPIRegion("a", {0: region([0], [10])})},
                              metadata={"x": 1, "y": 2}, num_ranks=1, file_path="a.h5")
    native = ProfilingResults({"b": MPIRegion("b", {0: region([2], [4])})},
                              metadata={"x": 3, "z": 3}, num_ranks=4)
    both = merge_results(python, native, label="both")
    assert both["a"].exclusive_duration == pytest.approx(0.008)
    assert python["a"].exclusive_duration == pytest.approx(0.010)
    assert both.metadata == {"x": 1, "y": 2, "z": 3, "label": "both"}
    assert both.num_ranks == 4 and str(both.file_path) == "a.h5" and both.threads == {}
    assert [c["depth"] for c in from_table(both._table()).call_graph()] == [0, 1]


def test_ids_of_two_recordings_of_one_rank_are_not_mixed():
    sets = [from_table(ProfilingResults(
        {name: MPIRegion(name, {0: region([at], [at + width])})})._table())
        for name, at, width in (("a", 0, 10), ("b", 2, 3))]
    assert sets[0]["a"][0].call_ids.tolist() == [0] == sets[1]["b"][0].call_ids.tolist()
    both = merge_results(*sets)
    assert [(c["call_id"], c["parent_id"]) for c in both.call_graph()] == [(0, None), (1, 0)]
    assert both["a"].exclusive_duration == pytest.approx(0.007)
    assert sets[0]["a"].exclusive_duration == pytest.approx(0.010)


def test_merging_refuses_one_name_twice_and_nothing_at_all():
    with pytest.raises(ValueError):
        merge_results()
    with pytest.raises(ValueError, match="outer"):
        merge_results(results(), results())
    other = ProfilingResults({"d": MPIRegion("d", {0: region([0], [1])})}, is_root=False)
    assert merge_results(results(), other).region_names == ["outer", "inner"]
    assert not merge_results(other).is_root


# ---- pandas ----


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    made = results()
    frame = made.to_dataframe()
    assert list(frame["name"]) == ["outer", "inner"] and "p95_duration" in frame
    per_rank = made.to_dataframe(per_rank=True)
    assert list(zip(per_rank["name"], per_rank["rank"])) == [
        ("outer", 0), ("outer", 1), ("inner", 0)]
    assert len(made.to_events_dataframe(include="inner")) == 3
    empty = ProfilingResults({}).to_events_dataframe()
    assert list(empty.columns) == ["name", "rank", "call_index", "start", "end", "duration"]
    assert isinstance(empty, pandas.DataFrame)


def test_data_frames_name_pandas_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pandas"):
        results().to_dataframe()


# ---- of a run ----


def test_threads_that_overlap_without_tracking(sp, capsys):
    with pytest.warns(RuntimeWarning, match="call graph not recorded"):
        with sp.session(file_path="run.h5", return_results=True, verbose=False) as run:
            overlap(sp.region, 0.05)
    for made in (run.results, sp.load("run.h5")):
        assert made["a"][0].call_ids is None and made.threads == {}
        assert made["a"].total_duration >= 0.05
        for question in (made.call_graph, made.summary, lambda: made["a"].exclusive_duration):
            with pytest.raises(NestingError):
                question()
        made.print_summary(columns=["region", "total"])
        assert "(own)" not in capsys.readouterr().out


@pytest.mark.parametrize("tracking", [{}, {"track_threads": True}, {"track_async": True}])
def test_sums_per_lane_of_a_run(sp, tracking):
    import threading

    def solve():
        with sp.region("solve"):
            pass

    with sp.session(file_path="run.h5", aggregation_mode="per_lane", return_results=True,
                    verbose=False, **tracking) as run:
        thread = threading.Thread(target=solve)
        thread.start()
        thread.join()
        solve()
    for made in (run.results, sp.load("run.h5")):
        one = made["solve"][0]
        assert one.num_calls == 2 and made.events() == []
        assert one.threads == ([0, 1] if tracking else [])
        assert [one.for_thread(i).num_calls for i in one.threads] == [1] * len(one.threads)
        assert [row["num_calls"] for row in made.thread_summary()] == (
            [2, 1] if tracking else [])


def test_results_of_a_run_can_be_sent_to_another_process(sp):
    import threading

    with sp.session(file_path="run.h5", track_async=True, return_results=True,
                    verbose=False) as run:
        thread = threading.Thread(target=lambda: sp.region("a").__enter__(), name="worker")
        with sp.region("b"), sp.metadata(step=3):
            with sp.region("c"):
                pass
        thread.start()
        thread.join()
    again = pickle.loads(pickle.dumps(run.results))
    assert again.summary() == run.results.summary()
    assert again.events() == run.results.events()
    assert again.thread_summary() == run.results.thread_summary()
    assert [t.name for t in again.threads[0]] == ["MainThread", "worker"]
    assert again["c"][0].event_metadata == ({"step": 3},)


# ---- imports ----


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_module_of_results_imports_no_numpy():
    assert python("import sys, scope_profiler.results; "
                  "print('numpy' in sys.modules, 'json' in sys.modules)") == ["False", "False"]


def test_the_region_call_stays_one_whatever_is_imported():
    assert python("""
import scope_profiler as sp
before = sp.region
import scope_profiler.region, scope_profiler.results, scope_profiler.mpi_region
from scope_profiler.region import Region, EventDataUnavailableError, NS_PER_SECOND
from scope_profiler import region
print(sp.region is before, callable(region), sp.Region is Region, Region.__module__)
""") == ["True", "True", "True", "scope_profiler.region"]


# ---- what the recorder took ----


def test_overhead_is_told_beside_the_times_as_recorded(sp, tmp_path):
    sp.ProfileManager.setup(file_path=str(tmp_path / "out.h5"))
    with sp.region("outer"):
        for _ in range(50):
            with sp.region("inner"):
                pass
    live = sp.ProfileManager.finalize(verbose=False, return_results=True)
    for made in (live, sp.read_h5(tmp_path / "out.h5")):
        rows = {row["name"]: row for row in made.overhead()}
        assert rows["inner"]["num_calls"] == 50 and rows["inner"]["overhead_duration"] > 0
        outer = rows["outer"]
        assert outer["total_duration"] == pytest.approx(made["outer"][0].durations.sum())
        assert 0 <= outer["corrected_exclusive_duration"] <= outer["corrected_duration"]
        assert [row["name"] for row in made.overhead(include="inn")] == ["inner"]
        assert made.overhead(include="outer") == [outer]  # what is inside counts, chosen or not
        assert not any("overhead" in key for row in made.summary() for key in row)
        assert not any("overhead" in key for key in made.metadata)


def test_overhead_of_results_made_by_hand_is_unknown():
    for row in results().overhead():
        assert row["overhead_duration"] is None and row["corrected_duration"] is None
