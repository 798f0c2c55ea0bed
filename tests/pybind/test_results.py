"""ProfilingResults, MPIRegion and Region, made by hand.

SPDX-License-Identifier: MIT
"""
import subprocess
import sys

import numpy as np
import pytest

from scope_profiler.errors import NestingError
from scope_profiler.mpi_region import MPIRegion
from scope_profiler.region import Region
from scope_profiler.results import ProfilingResults, from_table
from support.results import MS, lanes, region, results


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


def test_overhead_of_results_made_by_hand_is_unknown():
    for row in results().overhead():
        assert row["overhead_duration"] is None and row["corrected_duration"] is None
