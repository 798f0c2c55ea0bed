"""Results that are copied, sent to another process, or merged.

SPDX-License-Identifier: MIT
"""
import copy
import pickle

import numpy as np
import pytest

from scope_profiler.errors import NestingError
from scope_profiler.mpi_region import MPIRegion
from scope_profiler.region import Region
from scope_profiler.results import ProfilingResults, from_table, merge_results
from support.results import lanes, region, results, same_answers


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
