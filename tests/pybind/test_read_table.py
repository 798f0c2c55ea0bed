"""_read: tables of parts, columns, nesting, statistics.

SPDX-License-Identifier: MIT
"""
import ctypes
import gc
import pathlib
import random
import re
import threading

import numpy as np
import pytest

from scope_profiler import _read


def int64(*values):
    return np.array(values, dtype=np.int64)


def parts(**changes):
    """Two regions on two ranks: outer around two inner ones, each."""
    made = {
        "rank_count": 2,
        "regions": ["outer", "inner"],
        "pairs": [
            {"rank": 0, "region": 0, "first": 0, "count": 1, "tags": ["hot"], "source_line": 7,
             "source_file": "a.py", "source_text": "with ...", "event_metadata": '[{"n": 1}]'},
            {"rank": 0, "region": 1, "first": 1, "count": 2},
            {"rank": 1, "region": 0, "first": 3, "count": 1},
        ],
        "columns": {"start_ns": int64(100, 110, 150, 120), "duration_ns": int64(90, 20, 30, 5)},
        "metadata": {"label": "x", "mpi_size": 2, "modules": ["a", "b"], "none": []},
        "start_time_ns": 50,
    }
    made.update(changes)
    return made


# ---- parts ----


def test_parts_come_back_as_they_went_in():
    table = _read.Table(parts())
    found = table.parts()
    assert found["regions"] == ["outer", "inner"]
    assert found["metadata"] == parts()["metadata"]
    assert found["rank_count"] == 2 and found["start_time_ns"] == 50
    first = found["pairs"][0]
    for key, value in parts()["pairs"][0].items():
        assert first[key] == value
    assert first["statistics"] == (90, 90, 90, 90, 90, 100, 190, 90.0, 0.0)
    assert found["pairs"][1]["event_metadata"] == "" and found["pairs"][1]["tags"] == []
    assert len(table) == 4 and not table.nests and not table.is_aggregate
    again = _read.Table(found)
    assert again.part("pairs") == found["pairs"]


def test_a_part_alone_is_what_parts_has():
    table = _read.Table(parts())
    for name, value in table.parts().items():
        if name != "columns":
            assert table.part(name) == value
    with pytest.raises(ValueError, match="no part 'nothing'"):
        table.part("nothing")


def test_every_row_kind_comes_back():
    rows = {
        "threads": [{"rank": 0, "index": 0, "name": "Main\udc80", "ident": 5, "native_id": 6,
                     "daemon": 1, "start_ns": 60, "end_ns": -1, "cpu_ns": 9, "last_cpu": 2,
                     "flags": 3, "binding": "0-1"}],
        "tasks": [{"rank": 0, "index": 0, "kind": "task", "name": "Task-1", "coro_name": "main",
                   "thread_index": 0, "created_ns": 70, "done_ns": -1, "steps": 4,
                   "running_ns": 5, "suspended_ns": 6}],
        "sums": [{"rank": 0, "region": 1, "lane": -2, "count": 3, "total_ns": 4, "minimum_ns": 1,
                  "maximum_ns": 2, "exclusive_ns": 4, "await_ns": 0, "first_ns": 1, "last_ns": 9,
                  "bytes": 0, "histogram": [1] + [0] * 63}],
        "ranks": [{"rank": 0, "host": "h", "program": "p", "pid": 4, "drift": 0.5, "bound_ns": 3}],
        "marks": [{"rank": 0, "name": "m", "thread": 0, "task": -1, "time_ns": 99, "value": 0.0}],
        "counters": [{"rank": 1, "name": "c", "thread": 0, "task": -1, "time_ns": 9, "value": 1.5}],
        "communicators": [{"rank": 0, "id": 0, "parent": -1, "size": 2, "rank_in": 0,
                           "name": "MPI_COMM_WORLD"}],
        "misuse": [{"rank": 0, "region": 0, "implied": 1, "crossed": 2, "orphans": 3}],
    }
    table = _read.Table(parts(topology='{"cores": 2}', **rows))
    for name, given in rows.items():
        (found,), (row,) = table.part(name), given
        assert {key: found[key] for key in row} == row
    assert table.part("topology") == '{"cores": 2}'


def test_pairs_are_sorted_by_rank_and_rows_follow_them():
    given = parts()
    given["pairs"] = given["pairs"][::-1]
    table = _read.Table(given)
    assert [(p["rank"], p["region"], p["first"]) for p in table.part("pairs")] == [
        (0, 1, 0), (0, 0, 2), (1, 0, 3)]
    assert list(np.asarray(table.column("start_ns"))) == [110, 150, 100, 120]


def test_rows_of_no_pair_are_left_out():
    given = parts()
    del given["pairs"][1]
    table = _read.Table(given)
    assert list(np.asarray(table.column("start_ns"))) == [100, 120]


def test_lanes_are_sorted_by_rank_and_index():
    rows = [{"rank": 1, "index": 0, "name": "b"}, {"rank": 0, "index": 1, "name": "c"},
            {"rank": 0, "index": 0, "name": "a"}]
    table = _read.Table(parts(threads=rows))
    assert [row["name"] for row in table.part("threads")] == ["a", "c", "b"]
    assert _read.lane_label(table, 0, -3) == "c"


def test_any_text_comes_back():
    names = ["", "a/b", "日本", "\udc80\udcff", "new\nline", "\x00nul", "x" * 100000, "🙂"]
    table = _read.Table({"regions": names, "pairs": [], "metadata": {n + "k": n for n in names}})
    assert table.part("regions") == names
    assert table.part("metadata") == {n + "k": n for n in names}


def test_tags_of_any_text_come_back():
    tags = ["", '"', "\\", "日本", "\udc80", "a,b", "\n"]
    table = _read.Table({"regions": ["r"], "pairs": [{"region": 0, "tags": tags}]})
    assert table.part("pairs")[0]["tags"] == tags


def test_integers_beyond_64_bits_become_text():
    table = _read.Table({"regions": [], "pairs": [], "metadata": {"n": 2**70, "m": -(2**63)}})
    assert table.part("metadata") == {"n": str(2**70), "m": -(2**63)}


def test_numpy_integers_are_integers():
    table = _read.Table({"regions": ["r"], "rank_count": np.int32(3), "metadata": {"a": np.int64(5)},
                         "pairs": [{"region": np.uint32(0), "rank": np.int64(2)}]})
    assert table.part("rank_count") == 3 and table.part("metadata") == {"a": 5}


@pytest.mark.parametrize(("changes", "error"), [
    ({"nothing": 1}, ValueError),
    ({"regions": [1]}, TypeError),
    ({"regions": 5}, TypeError),
    ({"pairs": [1]}, TypeError),
    ({"pairs": [{"rank": "x"}]}, TypeError),
    ({"pairs": [{"rank": 2**40}]}, ValueError),
    ({"pairs": [{"rank": -1}]}, ValueError),
    ({"pairs": [{"rank": 1 << 30}]}, ValueError),
    ({"pairs": [{"region": 2}]}, ValueError),
    ({"pairs": [{"region": -1}]}, ValueError),
    ({"pairs": [{"first": 3, "count": 2}]}, ValueError),
    ({"pairs": [{"first": -1}]}, ValueError),
    ({"pairs": [{"first": 2**62, "count": 2**62}]}, ValueError),
    ({"pairs": [{"count": 2}, {"region": 1, "first": 1, "count": 1}]}, ValueError),
    ({"pairs": [{"region": 1}, {"region": 1}]}, ValueError),
    ({"pairs": [{"tags": "abc"}]}, TypeError),
    ({"pairs": [{"tags": [1]}]}, TypeError),
    ({"pairs": [{"tags": 5}]}, TypeError),
    ({"pairs": [{"statistics": (1, 2)}]}, TypeError),
    ({"pairs": [{"source_file": 1}]}, TypeError),
    ({"pairs": None}, TypeError),
    ({"columns": []}, TypeError),
    ({"columns": {"start_ns": int64(1)}}, ValueError),
    ({"columns": {"start_ns": int64(1), "duration_ns": int64(1, 2)}}, ValueError),
    ({"columns": {"start_ns": [1], "duration_ns": [1]}}, TypeError),
    ({"columns": {"start_ns": np.array([1.0]), "duration_ns": int64(1)}}, TypeError),
    ({"columns": {"start_ns": np.array([1], np.int32), "duration_ns": int64(1)}}, TypeError),
    ({"columns": {"start_ns": np.array([1], ">i8"), "duration_ns": int64(1)}}, TypeError),
    ({"columns": {"start_ns": int64(1, 2, 3)[::2], "duration_ns": int64(1, 2)}}, TypeError),
    ({"columns": {"start_ns": int64(1).reshape(1, 1), "duration_ns": int64(1)}}, TypeError),
    ({"columns": {"other": int64(1)}}, ValueError),
    ({"columns": {1: int64(1)}}, TypeError),
    ({"columns": {"start_ns": int64(*[2**62 + 1] * 4), "duration_ns": int64(*[0] * 4)}}, ValueError),
    ({"columns": {"start_ns": int64(*[0] * 4), "duration_ns": int64(*[0] * 4),
                  "call_ids": int64(*[0] * 4)}}, ValueError),
    ({"columns": {"start_ns": int64(*[0] * 4), "duration_ns": int64(*[0] * 4),
                  "mpi_comms": np.zeros(4, np.int32)}}, ValueError),
    ({"sums": [{"region": 9}]}, ValueError),
    ({"sums": [{"histogram": [1]}]}, ValueError),
    ({"misuse": [{"region": 9}]}, ValueError),
    ({"threads": [{"rank": 2**31}]}, ValueError),
    ({"threads": [{"name": b"x"}]}, TypeError),
    ({"ranks": [{"drift": "x"}]}, TypeError),
    ({"metadata": {"a": 1.5}}, TypeError),
    ({"metadata": {1: "a"}}, TypeError),
    ({"metadata": {"a": [1]}}, TypeError),
    ({"metadata": 5}, (TypeError, AttributeError)),
    ({"rank_count": -1}, ValueError),
    ({"rank_count": 2**30}, ValueError),
    ({"rank_count": "x"}, TypeError),
    ({"start_time_ns": 2**64}, OverflowError),
    ({"topology": 3}, TypeError),
])
def test_parts_that_are_wrong_are_refused(changes, error):
    with pytest.raises(error):
        _read.Table(parts(**changes))


def test_a_table_wants_a_mapping():
    for wrong in (None, 5, "x", {1: 2}):
        with pytest.raises((TypeError, AttributeError, ValueError)):
            _read.Table(wrong)


# ---- columns ----


def test_columns_are_views_without_a_copy_and_keep_their_table():
    table = _read.Table(parts())
    column = table.column("start_ns")
    view = np.asarray(column)
    assert view.dtype == np.int64 and not view.flags.writeable
    assert np.asarray(table.column("start_ns")).ctypes.data == view.ctypes.data
    assert len(column) == 4 and memoryview(column).format == "q"
    del table, column
    gc.collect()
    assert list(view) == [100, 110, 150, 120]
    with pytest.raises(ValueError):
        view[0] = 1


def test_a_column_refuses_to_be_written():
    column = _read.Table(parts()).column("start_ns")
    with pytest.raises((BufferError, TypeError)):
        memoryview(column)[0] = 1
    with pytest.raises((BufferError, TypeError)):
        ctypes.c_char.from_buffer(column)


def test_columns_that_were_not_recorded_are_none():
    table = _read.Table(parts())
    for name in ("call_ids", "parent_ids", "thread_ids", "task_ids", "await_ns", "flags",
                 "mpi_bytes", "mpi_peers", "mpi_comms", "gpu_ns"):
        assert table.column(name) is None
    with pytest.raises(ValueError):
        table.column("nothing")
    with pytest.raises(TypeError):
        table.column(5)


def test_columns_of_other_sizes_keep_their_type():
    more = {**parts()["columns"], "flags": np.array([0, 1, 2, 4], np.uint8),
            "mpi_peers": np.array([-1, 0, 1, -1], np.int32)}
    table = _read.Table(parts(columns=more))
    assert np.asarray(table.column("flags")).dtype == np.uint8
    assert np.asarray(table.column("mpi_peers")).dtype == np.int32
    assert list(np.asarray(table.column("mpi_peers"))) == [-1, 0, 1, -1]


def test_an_empty_table_has_empty_columns():
    table = _read.Table({"regions": [], "pairs": []})
    assert np.asarray(table.column("start_ns")).size == 0
    assert table.nest() and np.asarray(table.exclusive()).size == 0


def test_types_are_not_made_or_changed_from_outside():
    with pytest.raises(TypeError):
        _read.Column()
    with pytest.raises(TypeError):
        _read.Column.x = 1
    with pytest.raises(TypeError):
        type("Sub", (_read.Table,), {})


# ---- replace ----


def test_replace_changes_what_it_names_and_nothing_else():
    table = _read.Table(parts())
    other = table.replace(metadata={"a": 1})
    assert other.part("metadata") == {"a": 1}
    assert table.part("metadata") == parts()["metadata"]
    assert other.part("pairs") == table.part("pairs")
    ours, theirs = (np.asarray(t.column("start_ns")).ctypes.data for t in (table, other))
    assert ours == theirs
    del table
    gc.collect()
    assert list(np.asarray(other.column("start_ns"))) == [100, 110, 150, 120]


def test_replace_checks_as_a_new_table_does():
    table = _read.Table(parts())
    with pytest.raises(ValueError):
        table.replace(regions=["outer"])
    with pytest.raises(ValueError):
        table.replace(columns={"start_ns": int64(1)})
    with pytest.raises(TypeError):
        table.replace({"regions": []})
    assert table.replace().part("regions") == ["outer", "inner"]


def test_replacing_pairs_drops_rows_without_changing_the_first_table():
    table = _read.Table(parts())
    other = table.replace(pairs=[p for p in table.part("pairs") if p["region"] == 1])
    assert list(np.asarray(other.column("start_ns"))) == [110, 150]
    assert len(table) == 4


def test_a_column_can_be_added_and_taken_away():
    table = _read.Table(parts())
    more = table.replace(columns={"thread_ids": int64(0, 0, 0, 1)})
    assert list(np.asarray(more.column("thread_ids"))) == [0, 0, 0, 1]
    assert more.replace(columns={"thread_ids": None}).column("thread_ids") is None


# ---- nesting ----


def test_nesting_gives_ids_parents_and_exclusive_times():
    table = _read.Table(parts())
    assert table.nest(10) and table.nests
    assert list(np.asarray(table.column("call_ids"))) == [10, 11, 12, 10]
    assert list(np.asarray(table.column("parent_ids"))) == [-1, 10, 10, -1]
    assert list(np.asarray(table.exclusive())) == [40, 20, 30, 5]
    assert [p["exclusive_ns"] for p in table.part("pairs")] == [40, 50, 5]
    assert table.nesting_error(0) == ""


def test_old_columns_stay_what_they_were_when_a_table_nests_again():
    table = _read.Table(parts())
    table.nest(10)
    before = np.asarray(table.column("call_ids"))
    table.nest(20)
    assert list(before) == [10, 11, 12, 10]
    assert list(np.asarray(table.column("call_ids"))) == [20, 21, 22, 20]


def test_calls_that_do_not_nest_are_told():
    given = parts(columns={"start_ns": int64(100, 150, 500, 1), "duration_ns": int64(90, 60, 1, 1)})
    table = _read.Table(given)
    assert table.nest() is False
    with pytest.raises(_read.NestingClash) as clash:
        table.exclusive()
    assert {clash.value.first, clash.value.second} == {0, 1}
    assert "'outer' call 0" in table.nesting_error(0) and "'inner' call 0" in table.nesting_error(0)
    assert table.nesting_error(1) == ""
    for rank in (-1, 2):
        with pytest.raises(ValueError):
            table.nesting_error(rank)


def test_a_call_that_ends_before_it_starts_is_told():
    given = parts(columns={"start_ns": int64(1, 2, 3, 4), "duration_ns": int64(1, -5, 1, 1)})
    table = _read.Table(given)
    assert not table.nest()
    assert "ends before it starts" in table.nesting_error(0)


def test_lanes_keep_overlapping_calls_apart():
    columns = {"start_ns": int64(100, 150, 200, 1), "duration_ns": int64(90, 60, 1, 1),
               "thread_ids": int64(0, 1, 1, 0)}
    table = _read.Table(parts(columns=columns))
    assert table.nest()
    assert list(np.asarray(table.exclusive())) == [90, 59, 1, 1]


def test_bare_columns_nest():
    order, depth, parent, exclusive = map(np.asarray, _read.nest(
        int64(5, 0, 5), int64(2, 10, 5)))
    assert list(order) == [1, 2, 0] and list(depth) == [0, 1, 2]
    assert list(parent) == [-1, 0, 1] and list(exclusive) == [5, 3, 2]
    with pytest.raises(_read.NestingClash) as clash:
        _read.nest(int64(0, 5), int64(10, 10))
    assert (clash.value.first, clash.value.second) == (0, 1)
    assert isinstance(clash.value, ValueError)
    apart = _read.nest(int64(0, 5), int64(10, 10), int64(0, 1))
    assert list(np.asarray(apart[2])) == [-1, -1]


def test_nest_refuses_what_is_no_column():
    with pytest.raises(ValueError):
        _read.nest(int64(1), int64(1, 2))
    with pytest.raises(ValueError):
        _read.nest(int64(1), int64(1), int64())
    with pytest.raises(TypeError):
        _read.nest([1], [2])
    assert [len(c) for c in _read.nest(int64(), int64())] == [0] * 4


# ---- statistics ----


@pytest.mark.parametrize("q", [0, 1, 33.3, 50, 95, 100])
def test_percentiles_are_those_of_numpy(q):
    values = np.random.default_rng(1).integers(0, 10**12, 1000)
    assert _read.percentile(values, q) == pytest.approx(np.percentile(values, q), rel=1e-12)


def test_percentiles_of_nothing_and_outside_of_100():
    assert _read.percentile(int64(), 50) == 0.0
    for q in (-1, 100.1, float("nan")):
        with pytest.raises(ValueError):
            _read.percentile(int64(1), q)


def test_summaries_by_region_rank_and_lane():
    table = _read.Table(parts())
    table.nest()
    rows = {row["name"]: row for row in _read.summarize(table)}
    assert rows["outer"]["call_count"] == 2 and rows["outer"]["rank_count"] == 2
    assert rows["inner"]["total_ns"] == 50 and rows["inner"]["p50_ns"] == 25.0
    assert [(r["name"], r["rank"]) for r in _read.summarize(table, "rank")] == [
        ("outer", 0), ("inner", 0), ("outer", 1)]
    assert len(_read.summarize(table, by="lane")) == 3
    with pytest.raises(ValueError):
        _read.summarize(table, "nothing")
    with pytest.raises(TypeError):
        _read.summarize({})


def test_summaries_say_what_the_recorder_took_where_asked():
    row = {"rank": 0, "overhead_pair_ns": 5.0, "overhead_inside_ns": 2.0,
           "overhead_long_pair_ns": 4.0, "overhead_long_inside_ns": 1.0}
    table = _read.Table(parts(ranks=[row]))
    table.nest()
    assert table.parts()["ranks"][0]["overhead_long_inside_ns"] == 1.0
    assert all(r["overhead_ns"] == -1 for r in _read.summarize(table, "rank"))
    rows = {(r["name"], r["rank"]): r for r in _read.summarize(table, "rank", overhead=True)}
    inner, outer = rows["inner", 0], rows["outer", 0]
    assert inner["overhead_ns"] == 4 * inner["call_count"]
    assert outer["corrected_total_ns"] == outer["total_ns"] - outer["call_count"] - inner["overhead_ns"]
    assert outer["corrected_exclusive_ns"] == outer["exclusive_ns"] - outer["call_count"] - 3 * inner["call_count"]
    assert rows["outer", 1]["overhead_ns"] == rows["outer", 1]["corrected_total_ns"] == -1


def test_an_aggregate_has_sums_and_no_rows():
    table = _read.Table(parts())
    table.nest()
    sums = table.aggregate()
    assert sums.is_aggregate and len(sums) == 0
    assert [(s["rank"], s["region"], s["count"], s["total_ns"]) for s in sums.part("sums")] == [
        (0, 0, 1, 90), (0, 1, 2, 50), (1, 0, 1, 5)]
    again = _read.Table(sums.parts())
    assert again.part("sums") == sums.part("sums") and again.is_aggregate
    assert sums.nest() is False and sums.nesting_error(0) == ""


def test_a_missing_file_is_a_file_error_and_a_file_not_found_error(tmp_path):
    for call in (lambda: _read.open_file(str(tmp_path / "a")),
                 lambda: _read.open_json(tmp_path / "a"),
                 lambda: _read.write_file(tmp_path / "b" / "a", _read.Table(parts()))):
        with pytest.raises(FileNotFoundError) as error:
            call()
        assert isinstance(error.value, _read.FileError) and error.value.status == -5
        assert str(tmp_path) in str(error.value)


# ---- threads, damage ----


def test_one_table_serves_many_threads():
    rng = np.random.default_rng(0)
    starts = np.sort(rng.integers(0, 10**6, 20000))
    table = _read.Table({
        "regions": ["r"], "pairs": [{"region": 0, "count": 20000}],
        "columns": {"start_ns": starts, "duration_ns": np.zeros(20000, np.int64)}})
    failed = []

    def use():
        try:
            for _ in range(10):
                table.nest()
                assert np.asarray(table.column("call_ids")).size == 20000
                assert np.asarray(table.exclusive()).sum() == 0
                table.replace(metadata={"a": 1}).parts()
                _read.summarize(table)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def test_parts_of_random_shape_never_crash():
    rng = random.Random(3)
    values = [None, 0, 1, -1, 2**31, 2**63, -2**63, "x", b"x", [], {}, [None], [{}], ["a"], 1.5,
              int64(1, 2), int64(), {"rank": 1}, [{"rank": 1, "region": 0, "count": 2}],
              {"start_ns": int64(1, 2), "duration_ns": int64(1, 1)}, object()]
    keys = list(_read.Table(parts()).parts())
    made = 0
    for _ in range(3000):
        given = {key: rng.choice(values) for key in rng.sample(keys, rng.randrange(5))}
        if rng.random() < 0.5:
            given = {**parts(), **given}
        try:
            table = _read.Table(given)
        except (ValueError, TypeError, OverflowError, AttributeError):
            continue
        made += 1
        table.nest()
        table.parts()
        _read.summarize(table)
    assert made > 10


def test_code_that_runs_meanwhile_cannot_pull_the_parts_away():
    given = parts()

    class Sly:
        def __index__(self):
            given["pairs"].clear()
            given["columns"].clear()
            given.clear()
            return 1

    given["rank_count"] = Sly()
    given["pairs"][1]["region"] = Sly()
    table = _read.Table(given)
    table.nest()


def test_the_statuses_have_the_numbers_of_the_library():
    header = pathlib.Path(__file__).parents[2] / "runtime/include/scope/status.h"
    listed = dict(re.findall(r"^ +X\((\w+), +(-?\d+),", header.read_text(), re.M))
    assert len(listed) >= 14
    assert {name: str(getattr(_read, name)) for name in listed} == listed
    with pytest.raises(_read.FileError) as error:
        _read.open_file("/nowhere/at/all.h5")
    assert error.value.status == _read.ERR_MISSING
