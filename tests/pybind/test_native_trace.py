"""Native traces: .spt files made by hand, joined, converted, folded in.

SPDX-License-Identifier: MIT
"""
import os
import random
import struct

import numpy as np
import pytest

import scope_profiler as sp
from scope_profiler import _read, native_trace
from scope_profiler.native_trace import TraceFormatError
from scope_profiler.results import from_table
from support.child import in_a_child

REGIONS = [("a", "f.c", 3, [1000, 5000], [2000, 9000]), ("b/日本", "", -1, [5500], [6000])]


def trace(rank=0, regions=REGIONS, version=2, order="<"):
    data = b"SCOPEPRF" + struct.pack(order + "iiq", version, rank, len(regions))
    for name, file, line, starts, ends in regions:
        data += struct.pack(order + "i", len(name.encode())) + name.encode()
        if version == 2:
            data += struct.pack(order + "i", len(file)) + file.encode()
            data += struct.pack(order + "i", line)
        data += struct.pack(order + "q", len(starts))
        data += np.array(starts, order + "i8").tobytes() + np.array(ends, order + "i8").tobytes()
    return data


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "traces"
    made.mkdir()
    (made / "run_rank00000.spt").write_bytes(trace())
    (made / "run_rank00001.spt").write_bytes(trace(1, order=">", version=1))
    return made


# ---- one file ----


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_trace_of_either_version_and_byte_order_is_read(version, order, tmp_path):
    path = tmp_path / "a.spt"
    path.write_bytes(trace(3, version=version, order=order))
    rank, regions = native_trace.read_trace(path)
    assert rank == 3 and list(regions) == ["a", "b/日本"]
    assert list(regions["a"].start_times) == [1000, 5000]
    assert list(regions["a"].end_times) == [2000, 9000]
    known = version == 2
    assert regions["a"].source_file == ("f.c" if known else None)
    assert regions["a"].source_lineno == (3 if known else None)
    assert regions["b/日本"].source_file is None and regions["b/日本"].source_lineno is None


def test_a_trace_without_regions_is_read(tmp_path):
    (tmp_path / "a.spt").write_bytes(trace(2, []))
    assert native_trace.read_trace(tmp_path / "a.spt") == (2, {})


@pytest.mark.parametrize("content", [
    b"", b"SCOPEPRF", trace()[:20], b"X" * 40, b"SCOPEPRF" + struct.pack("<iiq", 9, 0, 0),
    b"SCOPEPRF" + struct.pack("<iiq", 0, 0, 0), trace()[:-1], trace() + b"x", trace()[:60],
    b"SCOPEPRF" + struct.pack("<iiq", 2, 0, 2**62), b"SCOPEPRF" + struct.pack("<iiq", 2, 0, -1),
    b"SCOPEPRF" + struct.pack("<iiqi", 2, 0, 1, -5), b"SCOPEPRF" + struct.pack("<iiqi", 2, 0, 1, 2**31 - 1),
    trace(-1), trace(2**30), trace(regions=[("a", "", -1, [2**62 + 1], [2**62 + 1])])])
def test_a_damaged_trace_is_told(content, tmp_path):
    path = tmp_path / "a.spt"
    path.write_bytes(content)
    for read in (native_trace.read_trace, native_trace.load_traces):
        with pytest.raises(TraceFormatError, match="a.spt"):
            read(path)
    assert issubclass(TraceFormatError, ValueError)


def test_a_call_that_ends_before_it_starts_has_no_call_graph(tmp_path):
    (tmp_path / "a.spt").write_bytes(trace(regions=[("a", "", -1, [5], [1])]))
    run = native_trace.load_traces(tmp_path / "a.spt")
    assert list(run["a"][0].end_times_ns) == [1]
    with pytest.raises(sp.NestingError, match="before it starts"):
        run.call_graph()


def test_a_missing_trace_is_told(tmp_path):
    for read in (native_trace.read_trace, native_trace.find_traces, native_trace.load_traces):
        with pytest.raises(FileNotFoundError):
            read(tmp_path / "nothing.spt")


# ---- several files ----


def test_a_folder_stands_for_its_traces(folder):
    both = [folder / "run_rank00000.spt", folder / "run_rank00001.spt"]
    assert native_trace.find_traces(folder) == both
    assert native_trace.find_traces([both[1], folder]) == [both[1], both[0]]
    assert native_trace.find_traces(str(both[0])) == [both[0]]
    (folder / "other.h5").write_bytes(b"")
    (folder / "run_rank00007.h5").write_bytes(b"")
    assert native_trace.find_traces(folder) == [*both, folder / "run_rank00007.h5"]
    with pytest.raises(FileNotFoundError):
        native_trace.find_traces(folder / "*.spt")
    (folder / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no .spt"):
        native_trace.find_traces(folder / "empty")


def test_traces_join_into_one_run(folder):
    run = native_trace.load_traces(folder)
    assert run.num_ranks == 2 and run.region_names == ["a", "b/日本"]
    assert run.metadata["source"] == "native" and run.metadata["trace_format_version"] == 2
    assert run.metadata["start_time_ns"] == 1000 and run.label is None
    assert list(run["a"][1].start_times_ns) == [1000, 5000]
    assert run["a"][0].source_lineno == 3 and run["a"][1].source_lineno is None
    assert run["a"][0].thread_ids is None and run.threads == {}
    assert run["a"][0].exclusive_duration == pytest.approx(4.5e-6)
    assert [row["parent_id"] for row in run.call_graph()] == [None, None, 1]
    assert native_trace.load_traces([folder], label="L").label == "L"


def test_two_traces_of_one_rank_are_refused(folder, tmp_path):
    (tmp_path / "other.spt").write_bytes(trace())
    with pytest.raises(TraceFormatError, match="rank 0"):
        native_trace.load_traces([folder, tmp_path / "other.spt"])


def test_traces_convert_into_any_format(folder, tmp_path):
    for name in ("out.h5", "out.json", "out.json.gz"):
        assert native_trace.convert_traces(folder, tmp_path / name) == tmp_path / name
        read = sp.load(tmp_path / name)
        assert read.label == "out" and read.num_ranks == 2
        assert list(read["b/日本"][1].end_times_ns) == [6000]
    native_trace.convert_traces([folder], tmp_path / "out.h5", label="mine")
    assert sp.load(tmp_path / "out.h5").label == "mine"
    with pytest.raises(FileNotFoundError):
        native_trace.convert_traces(folder, tmp_path / "nothing" / "out.h5")


def test_per_rank_hdf5_files_join_too(folder, tmp_path):
    native_trace.convert_traces(folder / "run_rank00000.spt", tmp_path / "x_rank00000.h5")
    run = native_trace.load_traces([tmp_path, folder / "run_rank00001.spt"])
    assert run.num_ranks == 2 and run["a"].ranks == [0, 1]
    ranks, metadata = native_trace.read_native_h5(tmp_path / "x_rank00000.h5")
    assert list(ranks) == [0] and list(ranks[0]) == ["a", "b/日本"]
    assert metadata["source"] == "native"
    ranks, metadata = native_trace.read_native_ranks(folder / "run_rank00001.spt")
    assert list(ranks) == [1] and ranks[1]["a"].num_calls == 2 and metadata == {}


# ---- folded into a Python run ----


def python_run(**changes):
    parts = {
        "regions": ["root"], "rank_count": 2,
        "pairs": [{"region": 0, "count": 1}, {"rank": 1, "region": 0, "first": 1, "count": 1}],
        "columns": {"start_ns": np.array([0, 0]), "duration_ns": np.array([10000, 10000]),
                    "thread_ids": np.array([0, 0]), "task_ids": np.array([-1, -1]),
                    "await_ns": np.array([0, 0])},
    }
    parts.update(changes)
    return _read.Table(parts)


def test_a_ranks_trace_is_folded_in_on_no_lane(folder):
    table = native_trace.fold_in(python_run(), folder, rank=1, first_call_id=7)
    assert min(np.asarray(table.column("call_ids"))) == 7
    run = from_table(table)
    assert run.region_names == ["root", "a", "b/日本"] and run["a"].ranks == [1]
    assert list(run["a"][1].thread_ids) == [-1, -1] and list(run["a"][1].task_ids) == [-1, -1]
    assert list(run["a"][1].start_times_ns) == [1000, 5000]
    assert list(run["root"][1].thread_ids) == [0]
    assert run["a"][1].exclusive_duration == pytest.approx(4.5e-6)


def test_without_lanes_native_calls_nest_in_python_calls(folder):
    columns = {"start_ns": np.array([0, 0]), "duration_ns": np.array([10000, 10000])}
    table = native_trace.fold_in(python_run(columns=columns), folder)
    assert table.nests
    run = from_table(table)
    assert run["root"][0].exclusive_duration == pytest.approx(5e-6)


def test_one_name_on_both_sides_is_refused(folder):
    with pytest.raises(ValueError, match="'a'"):
        native_trace.fold_in(python_run(regions=["a"]), folder)


def test_files_of_other_ranks_are_left_out(folder):
    table = native_trace.fold_in(python_run(), folder / "run_rank00001.spt", rank=0)
    assert table.part("regions") == ["root"]


def test_a_session_folds_its_native_traces_in(folder, tmp_path):
    manager = sp.ProfileManager()
    with manager.session(output=tmp_path / "a.h5", native_traces=folder, verbose=False,
                         return_results=True) as run:
        with manager.region("python"):
            pass
    for results in (run.results, sp.read_h5(tmp_path / "a.h5")):
        assert results.region_names == ["scope_profiler.session", "python", "a", "b/日本"]
        assert results["a"][0].num_calls == 2 and results["a"].ranks == [0]
    other = sp.ProfileManager()
    with pytest.raises(ValueError, match="'a'"):
        with other.session(output=None, native_traces=[str(folder)], verbose=False):
            with other.region("a"):
                pass
    other.reset()


# ---- damage ----


def damaged(data, rng):
    data = bytearray(data)
    for _ in range(rng.randrange(1, 8)):
        kind = rng.randrange(3)
        if kind == 0 and data:
            data[rng.randrange(len(data))] = rng.randrange(256)
        elif kind == 1:
            del data[rng.randrange(len(data) + 1):]
        else:
            at = rng.randrange(len(data) + 1)
            data[at:at] = rng.randbytes(rng.randrange(9))
    return bytes(data)


@in_a_child
def test_damaged_traces_never_crash(tmp_path):
    rng = random.Random(5)
    path = tmp_path / "a.spt"
    for _ in range(2000):
        path.write_bytes(damaged(trace(order=rng.choice("<>")), rng))
        try:
            native_trace.load_traces(path).summary()
        except (TraceFormatError, sp.NestingError):
            pass


@in_a_child
def test_damaged_json_never_crashes(tmp_path):
    rng = random.Random(6)
    sp.write_json(from_table(python_run()), tmp_path / "good.json")
    good = (tmp_path / "good.json").read_bytes()
    for turn in range(2000):
        path = tmp_path / ("a.json" if turn % 2 else "a.json.gz")
        path.write_bytes(damaged(good, rng))
        try:
            results = sp.read_json(path)
        except sp.JSONProfileError:
            continue
        try:
            results.summary()
        except sp.NestingError:
            pass


@in_a_child
def test_damaged_hdf5_never_crashes(tmp_path):
    rng = random.Random(7)
    sp.write_profile(from_table(python_run()), tmp_path / "good.h5")
    good = (tmp_path / "good.h5").read_bytes()
    for _ in range(int(os.environ.get("SCOPE_TEST_DAMAGE", 60))):
        (tmp_path / "a.h5").write_bytes(damaged(good, rng))
        try:
            sp.read_h5(tmp_path / "a.h5").summary()
        except (OSError, ValueError):
            pass
