"""finalize is a cut: what it reports, what comes again, what the file holds.

SPDX-License-Identifier: MIT
"""
import os
import threading

import pytest

from support.runs import counts


def results_of(sp, **settings):
    return sp.finalize(verbose=False, return_results=True, **settings)


def test_without_a_file_the_same_calls_come_again_under_new_ids(sp):
    sp.setup(output=None)
    with sp.region("a"):
        pass
    first = results_of(sp)
    with sp.region("a"):
        pass
    second = results_of(sp)
    assert first["a"][0].call_ids.tolist() == [0]
    assert second["a"][0].call_ids.tolist() == [1, 2]
    assert second["a"][0].start_times_ns[0] == first["a"][0].start_times_ns[0]


def test_a_written_finalize_replaces_the_file_with_what_is_new(sp):
    sp.setup(output="run.h5")
    with sp.region("a"), sp.region("b"):
        pass
    results_of(sp)
    assert counts(sp.load("run.h5")) == {"a": 1, "b": 1}
    region = sp.region("a")
    assert region.num_calls == 1 and region.ptr == 0 and len(region.start_times) == 0
    with region:
        pass
    assert region.num_calls == 2 and region.ptr == 1 and len(region.start_times) == 1
    second = results_of(sp)
    assert counts(second) == {"a": 1}
    assert second["a"][0].call_ids.tolist() == [2]  # ids go on
    assert sp.load("run.h5")["a"][0].call_ids.tolist() == [2]
    results_of(sp)
    assert sp.load("run.h5").region_names == []


@pytest.mark.parametrize("output", [None, "run.h5"])
def test_an_open_call_is_reported_once_it_has_ended(sp, output):
    sp.setup(output=output)
    with sp.region("parent"):
        with sp.region("child"):
            pass
        first = results_of(sp)
        assert counts(first) == {"child": 1}
        assert first["child"][0].parent_ids.tolist() == [-1]
        assert sp.region("parent").ptr == 1 and len(sp.region("parent").start_times) == 1
    second = results_of(sp)
    parent = second["parent"][0]
    assert parent.num_calls == 1
    if output:
        assert counts(second) == {"parent": 1}
        assert parent.exclusive_duration == parent.total_duration
    else:
        assert second["child"][0].parent_ids.tolist() == parent.call_ids.tolist()


def test_a_missing_folder_is_said_and_the_manager_stays_active(sp):
    sp.setup(output="missing/run.h5")
    with sp.region("a"):
        pass
    with pytest.raises(FileNotFoundError, match="missing"):
        sp.finalize(verbose=False)
    assert sp.is_active()
    with pytest.raises(RuntimeError):
        sp.setup(output=None)
    os.mkdir("missing")
    sp.finalize(verbose=False)
    assert counts(sp.load("missing/run.h5")) == {"a": 1}


def test_a_session_goes_on_recording_after_it(sp):
    with sp.session(output=None, verbose=False) as run:
        @sp.profile
        def work():
            pass

        work()
    assert run.results is None and sp.last_results() is None
    work()
    assert counts(results_of(sp))["work"] == 2


def test_regions_of_an_earlier_run_are_no_ops(sp):
    sp.setup(output=None)
    old = sp.region("a")
    with old:
        pass
    results_of(sp)
    sp.setup(output=None)
    with old:
        pass
    assert old.num_calls == 1
    assert results_of(sp).region_names == []


@pytest.mark.parametrize("name", ["run.json", "run.json.gz"])
def test_json_is_written_under_its_own_name(sp, name):
    run = sp.setup(output=name, label="mine")
    assert run.file_path == name
    with sp.region("a"):
        pass
    results = run.finalize(verbose=False)
    assert os.listdir() == [name]
    assert os.fspath(results.file_path) == name
    assert counts(sp.ProfileManager.read_results()) == {"a": 1}
    assert sp.load(name).label == "mine"


@pytest.mark.parametrize("filter", ["lzf", "zstd"])
def test_a_filter_that_is_not_there_loses_no_data(sp, recwarn, filter):
    sp.setup(output="run.h5", hdf5_compression=filter)
    with sp.region("a"):
        pass
    sp.finalize(verbose=False)
    assert counts(sp.load("run.h5")) == {"a": 1}
    for warning in recwarn:
        assert "gzip" in str(warning.message) and warning.filename == __file__
        assert filter == "zstd"  # the other one is always there


def test_the_html_report_is_named_as_missing(sp):
    with pytest.raises(NotImplementedError, match="HTML report"):
        sp.setup(output="run.html")
    assert not sp.is_configured()


def test_aggregation_keeps_counts_and_sums_alone(sp):
    with sp.session(
        output="run.h5", verbose=False, return_results=True, aggregation_mode=True
    ) as run:
        for _ in range(3):
            with sp.region("outer"), sp.region("inner"):
                pass
        with pytest.raises(RuntimeError, match="aggregation mode"):
            with sp.metadata(a=1):
                pass
    for results in (run.results, sp.load("run.h5")):
        outer = results["outer"][0]
        assert outer.num_calls == 3 and len(outer.start_times) == 0
        assert outer.exclusive_duration < outer.total_duration
        assert outer.max_duration >= outer.average_duration >= outer.min_duration > 0


def test_aggregation_per_lane_has_sums_of_each_thread(sp):
    import threading

    def work():
        for _ in range(5):
            with sp.region("work"):
                pass

    with sp.session(
        output=None, verbose=False, return_results=True, aggregation_mode="per_lane",
        track_threads=True,
    ) as run:  # fmt: skip
        threads = [threading.Thread(target=work, name=f"w{n}") for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    calls = run.results["work"][0]
    assert calls.num_calls == 10
    assert [thread.name for thread in run.results.threads[0]] == ["MainThread", "w0", "w1"]
    assert [calls.for_thread(index).num_calls for index in (1, 2)] == [5, 5]


def test_ten_thousand_calls_of_many_checkpoints_are_each_reported_once(sp):
    sp.setup(output="run.h5")
    region, seen = sp.region("a"), 0
    for _ in range(10):
        for _ in range(1000):
            with region:
                pass
        results = results_of(sp)
        assert results["a"][0].call_ids[0] == seen
        seen += results["a"].num_calls
    assert seen == region.num_calls == 10_000


def test_two_threads_that_read_for_the_first_time_have_one_cursor(sp, monkeypatch):
    from scope_profiler import _read

    make, both_make = _read.Cursor, threading.Barrier(2)

    def slow(*args, **settings):
        both_make.wait(300)
        return make(*args, **settings)

    sp.setup(output=None)
    run = sp.ProfileManager._engine.run
    monkeypatch.setattr(_read, "Cursor", slow)
    found = []
    threads = [threading.Thread(target=lambda: found.append(run.cursor())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
    assert len(found) == 2 and found[0] is found[1] is run.cursor()
