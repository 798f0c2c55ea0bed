"""HDF5 and JSON files: read, written, rewritten, refused.

SPDX-License-Identifier: MIT
"""
import gzip
import json
import os
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

import scope_profiler as sp
from scope_profiler import _read
from scope_profiler.h5reader import CorruptProfileError, SummaryDataUnavailable
from scope_profiler.h5schema import HDF5SchemaError, read_schema_version
from scope_profiler.results import from_table

DATA = Path(__file__).resolve().parents[1] / "data"
OLD = DATA / "schema3_scope_profiler_0.7.5.h5"


def table(**changes):
    parts = {
        "regions": ["outer", "inner/日本"],
        "pairs": [
            {"region": 0, "count": 1, "tags": ["hot"], "source_file": "a.py", "source_line": 3,
             "source_text": "with", "event_metadata": '[{"step": 1}]'},
            {"region": 1, "first": 1, "count": 2},
        ],
        "columns": {"start_ns": np.array([1000, 1100, 1500]),
                    "duration_ns": np.array([900, 200, 300]),
                    "thread_ids": np.array([0, 0, 0]), "task_ids": np.array([-1, -1, -1]),
                    "await_ns": np.array([0, 0, 0])},
        "threads": [{"index": 0, "name": "MainThread", "ident": 5, "native_id": 6,
                     "start_ns": 900, "end_ns": -1, "cpu_ns": 7}],
        "tasks": [{"index": 0, "kind": "task", "name": "Task-1", "coro_name": "main",
                   "thread_index": 0, "created_ns": 950, "done_ns": 1900, "steps": 2,
                   "running_ns": 30, "suspended_ns": 40}],
        "metadata": {"label": "a label", "start_time_ns": 900, "finalize_time_ns": 2000,
                     "mpi_size": 1, "modules": ["x", "y"]},
        "start_time_ns": 900, "end_time_ns": 2000, "rank_count": 1,
    }
    parts.update(changes)
    made = _read.Table(parts)
    made.nest()
    return made


@pytest.fixture
def results():
    return from_table(table())


def columns(path):
    read = sp.load(path)
    return {
        region.name: {rank: (list(region[rank].start_times_ns), list(region[rank].end_times_ns),
                             region[rank].call_ids, region[rank].tags)
                      for rank in region}
        for region in read
    }


# ---- there and back ----


@pytest.mark.parametrize("name", ["a.h5", "a.json", "a.json.gz", "a.profile"])
def test_a_written_profile_reads_the_same(results, tmp_path, name):
    path = sp.write_profile(results, tmp_path / name)
    assert path == tmp_path / name
    again = sp.read_profile(path)
    assert again.region_names == results.region_names and again.label == "a label"
    assert again.metadata["modules"] == ["x", "y"] and again.metadata["mpi_size"] == 1
    for region in results:
        ours, theirs = region[0], again[region.name][0]
        for field in ("start_times_ns", "end_times_ns", "call_ids", "parent_ids", "thread_ids",
                      "task_ids", "await_times_ns", "exclusive_durations_ns"):
            assert list(getattr(ours, field)) == list(getattr(theirs, field)), field
        for field in ("tags", "source_file", "source_lineno", "source_text", "event_metadata"):
            assert getattr(ours, field) == getattr(theirs, field), field
    assert [t.name for t in again.threads[0]] == ["MainThread"]
    assert again.tasks[0][0].suspended_ns if hasattr(again.tasks[0][0], "suspended_ns") else True
    assert again.tasks[0][0].awaiting_time == results.tasks[0][0].awaiting_time
    assert again.summary() == results.summary()
    assert again.call_graph() == results.call_graph()


@pytest.mark.parametrize("options", [
    {}, {"compression": "gzip"}, {"compression": "gzip", "level": 9}, {"compression": "auto"},
    {"compression": "none"}, {"chunk_size": 2}, {"compression": "gzip", "chunk_size": 1}])
def test_every_way_to_store_reads_the_same(results, tmp_path, options):
    sp.write_profile(results, tmp_path / "a.h5", **options)
    sp.write_profile(results, tmp_path / "b.h5")
    assert columns(tmp_path / "a.h5").keys() == columns(tmp_path / "b.h5").keys()
    assert sp.read_h5(tmp_path / "a.h5").summary() == results.summary()


def test_load_goes_by_content_whatever_the_name(results, tmp_path):
    sp.write_profile(results, tmp_path / "a.h5")
    sp.write_profile(results, tmp_path / "a.json")
    sp.write_profile(results, tmp_path / "a.json.gz")
    for source, format in (("a.h5", "hdf5"), ("a.json", "json"), ("a.json.gz", "json")):
        shutil.copy(tmp_path / source, tmp_path / "renamed.html")
        assert sp.sniff_profile_format(tmp_path / "renamed.html") == format
        assert sp.load(tmp_path / "renamed.html").region_names == results.region_names
    for text in ("<html>", "  \n<!doctype html>", "\ufeff<html>"):
        (tmp_path / "b.h5").write_text(text, encoding="utf-8")
        assert sp.sniff_profile_format(tmp_path / "b.h5") == "html"
        with pytest.raises(ValueError, match="HTML"):
            sp.load(tmp_path / "b.h5")


def test_a_result_of_one_rank_of_many_keeps_its_rank(tmp_path):
    made = table(rank_count=4, metadata={"mpi_size": 4},
                 pairs=[{"rank": 2, "region": 1, "count": 3}], threads=[], tasks=[],
                 columns={"start_ns": np.arange(3), "duration_ns": np.zeros(3, np.int64)})
    for name in ("a.h5", "a.json"):
        sp.write_profile(from_table(made), tmp_path / name)
        again = sp.load(tmp_path / name)
        assert again.num_ranks == 4 and again["inner/日本"].ranks == [2]


def test_any_name_comes_back_from_a_file(tmp_path):
    names = ["a/b", "new\nline", "日本", "\udc80x", "🙂", " ", "x" * 5000, "."]
    made = table(regions=names, pairs=[{"region": n} for n in range(len(names))], columns={},
                 threads=[], tasks=[])
    sp.write_profile(from_table(made), tmp_path / "a.h5")
    assert sp.load(tmp_path / "a.h5").region_names == names
    sp.write_profile(from_table(made), tmp_path / "a.json")  # is UTF-8, whatever the names are
    names[3] = r"\x80x"
    assert sp.load(tmp_path / "a.json").region_names == names


@pytest.mark.parametrize("name", ["a.h5", "a.json"])
def test_a_call_that_ends_before_it_starts_comes_back_but_does_not_nest(name, tmp_path):
    made = _read.Table({"regions": ["a"], "pairs": [{"region": 0, "count": 1}],
                        "columns": {"start_ns": np.array([100]), "duration_ns": np.array([-50])}})
    again = sp.load(sp.write_profile(from_table(made), tmp_path / name))
    assert list(again["a"][0].durations_ns) == [-50]
    with pytest.raises(sp.NestingError):
        again.call_graph()


def test_gzipped_json_is_the_same_bytes_each_time(results, tmp_path):
    sp.write_json(results, tmp_path / "a.json.gz")
    first = (tmp_path / "a.json.gz").read_bytes()
    sp.write_json(results, tmp_path / "a.json.gz")
    sp.write_json(results, tmp_path / "b.json.gz")
    assert first == (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()
    assert first[4:8] == b"\0\0\0\0"
    assert json.loads(gzip.decompress(first))["format"] == "scope-profiler-profile"


def test_the_json_document_has_the_fields_of_the_format(results, tmp_path):
    sp.write_json(results, tmp_path / "a.json", indent=2)
    text = (tmp_path / "a.json").read_text()
    assert text.startswith('{\n  "format"')
    found = json.loads(text)
    assert found["format_version"] == 1 and found["time_unit"] == "nanoseconds"
    assert found["num_ranks"] == 1 and found["event_data_available"] is True
    assert found["metadata"]["label"] == "a label"
    outer = found["regions"][0]
    assert outer["name"] == "outer" and outer["start_times_ns"] == [1000]
    assert outer["tags"] == ["hot"] and outer["event_metadata"] == [{"step": 1}]
    assert found["threads"]["0"][0]["name"] == "MainThread"
    from scope_profiler.json_export import build_json_document

    assert build_json_document(results) == found


# ---- what is refused ----


@pytest.mark.parametrize("read", [sp.read_h5, sp.read_h5_summary, sp.read_json, sp.load,
                                  sp.read_profile, sp.sniff_profile_format])
def test_a_missing_file_is_told(read, tmp_path):
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "nothing.h5")


@pytest.mark.parametrize("content", [b"", b"junk", b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + b"\0" * 5000])
def test_what_is_no_hdf5_is_corrupt(content, tmp_path):
    path = tmp_path / "a.h5"
    path.write_bytes(content)
    for read in (sp.read_h5, sp.read_h5_summary, sp.load, sp.read_profile):
        with pytest.raises(CorruptProfileError, match="a.h5"):
            read(path)
    assert issubclass(CorruptProfileError, OSError)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"format": "x"}', '"x"', "nothing",
                                  '{"format": "scope-profiler-profile", "format_version": 99}',
                                  '{"format": "scope-profiler-profile", "format_version": "x"}'])
def test_what_is_no_profile_in_json_is_told(text, tmp_path):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(sp.JSONProfileError, match="a.json"):
        sp.read_json(tmp_path / "a.json")
    (tmp_path / "a.json.gz").write_bytes(b"\x1f\x8bjunk")
    with pytest.raises(sp.JSONProfileError):
        sp.load(tmp_path / "a.json.gz")
    assert issubclass(sp.JSONProfileError, ValueError)


def test_a_folder_is_no_file(tmp_path):
    for read in (sp.read_h5, sp.load, sp.read_json):
        with pytest.raises(OSError):
            read(tmp_path)


@pytest.mark.parametrize(("schema", "sentence"), [(9, "newer|9"), (0, "0"), ("x", "schema"), (True, "schema")])
def test_other_schemas_are_told(schema, sentence, tmp_path):
    h5py = pytest.importorskip("h5py")
    shutil.copy(OLD, tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        file.attrs["scope_profiler_schema"] = schema
        with pytest.raises(HDF5SchemaError):
            read_schema_version(file)
    for read in (sp.read_h5, sp.read_h5_summary, sp.load):
        with pytest.raises(HDF5SchemaError, match=sentence):
            read(tmp_path / "a.h5")
    assert issubclass(HDF5SchemaError, ValueError)


def test_writing_into_a_missing_folder_is_refused_but_json_makes_it(results, tmp_path):
    with pytest.raises(FileNotFoundError):
        sp.write_profile(results, tmp_path / "nothing" / "a.h5")
    assert not (tmp_path / "nothing").exists()
    sp.write_profile(results, tmp_path / "made" / "a.json")
    assert (tmp_path / "made" / "a.json").exists()


def test_options_that_are_wrong_are_refused_and_leave_nothing(results, tmp_path):
    for options in ({"compression": "nothing"}, {"compression": "gzip", "level": 10},
                    {"chunk_size": -1}, {"compression": "zstd", "level": 23}):
        with pytest.raises((ValueError, OSError)):
            sp.write_profile(results, tmp_path / "a.h5", **options)
    with pytest.raises(TypeError):
        sp.write_profile(results, tmp_path / "a.h5", nothing=1)
    with pytest.raises(NotImplementedError):
        sp.write_profile(results, tmp_path / "a.html")
    assert os.listdir(tmp_path) == []


def test_a_failed_write_leaves_the_file_that_was_there(results, tmp_path):
    sp.write_profile(results, tmp_path / "a.h5")
    before = (tmp_path / "a.h5").read_bytes()
    with pytest.raises((ValueError, OSError)):
        sp.write_profile(results, tmp_path / "a.h5", compression="nothing")
    assert (tmp_path / "a.h5").read_bytes() == before
    assert os.listdir(tmp_path) == ["a.h5"]


# ---- summaries ----


def test_a_summary_has_statistics_and_no_calls():
    whole, short = sp.read_h5(OLD), sp.read_h5_summary(OLD)
    assert not short.has_event_data and whole.has_event_data
    assert short.region_names == whole.region_names and short.num_ranks == whole.num_ranks
    for name in whole.region_names:
        ours, theirs = short[name][0], whole[name][0]
        for field in ("num_calls", "total_duration", "min_duration", "max_duration",
                      "first_duration", "last_duration", "exclusive_duration", "std_duration"):
            assert getattr(ours, field) == pytest.approx(getattr(theirs, field)), field
        assert ours.tags == theirs.tags and ours.p50_duration is None
        with pytest.raises(sp.EventDataUnavailableError):
            ours.events()
    assert [t.name for t in short.threads[0]] == [t.name for t in whole.threads[0]]


def test_a_summary_can_be_of_some_regions_and_ranks():
    assert sp.read_h5_summary(OLD, regions="step").region_names == ["step"]
    assert sp.read_h5_summary(OLD, regions=["step", "nothing"]).region_names == ["step"]
    assert sp.read_h5_summary(OLD, regions="s.*").region_names == []
    assert len(sp.read_h5_summary(OLD, ranks=0)) == 4
    none = sp.read_h5_summary(OLD, ranks=[3])
    assert len(none) == 0 and none.num_ranks == 1 and none.threads == {}
    with pytest.raises(ValueError):
        sp.read_h5_summary(OLD, ranks="x")


def test_a_file_without_statistics_is_read_whole_or_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    shutil.copy(OLD, tmp_path / "old.h5")
    with h5py.File(tmp_path / "old.h5", "r+") as file:
        del file["rank_region_index/summary_statistics"]
    with h5py.File(tmp_path / "old.h5", "r") as file, h5py.File(tmp_path / "a.h5", "w") as copy:
        for name in file:
            file.copy(name, copy)
        copy.attrs.update(file.attrs)
    read = sp.read_h5_summary(tmp_path / "a.h5")
    assert read.has_event_data and read["step"].num_calls == 3
    assert read["step"].total_duration == sp.read_h5(OLD)["step"].total_duration
    with pytest.raises(SummaryDataUnavailable):
        sp.read_h5_summary(tmp_path / "a.h5", fallback=False)


def test_verbose_says_what_was_read(results, tmp_path, capsys):
    sp.write_profile(results, tmp_path / "a.json")
    sp.read_json(tmp_path / "a.json", verbose=True)
    sp.read_h5(OLD, verbose=True)
    assert capsys.readouterr().out == (
        f"Read {tmp_path / 'a.json'}: 2 regions, 1 rank\nRead {OLD}: 4 regions, 1 rank\n")


# ---- old schemas, made by hand ----


def test_schema_1_is_read(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_group("metadata").attrs["label"] = "old"
        for rank in (0, 1):
            group = file.create_group(f"rank{rank}/regions/b")
            group["start_times"] = np.array([100, 200]) + rank
            group["end_times"] = np.array([150, 290]) + rank
            group.attrs["source_file"] = "a.py"
            group.attrs["source_lineno"] = 4
            group.attrs["tags"] = ["x", "y"]
            more = file.create_group(f"rank{rank}/regions/a")
            more["start_times"], more["end_times"] = np.array([110]), np.array([120])
    read = sp.load(tmp_path / "a.h5")
    assert read.num_ranks == 2 and read.label == "old" and read.region_names == ["a", "b"]
    assert list(read["b"][1].start_times_ns) == [101, 201]
    assert list(read["b"][1].end_times_ns) == [151, 291]
    assert read["b"][0].tags == ("x", "y") and read["b"][0].source_lineno == 4
    with pytest.raises(SummaryDataUnavailable):
        sp.read_h5_summary(tmp_path / "a.h5", fallback=False)
    assert sp.read_h5_summary(tmp_path / "a.h5")["b"].num_calls == 4


def test_schema_2_is_read(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.attrs["scope_profiler_schema"] = 2
        file.attrs["storage_layout"] = "columnar"
        file.create_group("metadata").attrs["source"] = "native"
        text = h5py.string_dtype()
        file["region_table/names"] = np.array(["a", "b"], dtype=text)
        index = file.create_group("rank_region_index")
        for name, values in {"region_ids": [0, 1], "ranks": [0, 0]}.items():
            index[name] = np.array(values, np.uint32)
        for name, values in {"event_offsets": [0, 2], "event_counts": [2, 1]}.items():
            index[name] = np.array(values, np.uint64)
        index["source_lines"] = np.array([-1, 7])
        for name, values in {"source_files": ["", "b.c"], "source_texts": ["", ""],
                             "tags": ["[]", "[]"]}.items():
            index[name] = np.array(values, dtype=text)
        file["events/start_times"] = np.array([100, 200, 110])
        file["events/end_times"] = np.array([150, 290, 120])
    read = sp.load(tmp_path / "a.h5")
    assert list(read["a"][0].end_times_ns) == [150, 290]
    assert read["b"][0].source_lineno == 7 and read["b"][0].source_file == "b.c"
    assert read["a"][0].exclusive_duration == pytest.approx(130e-9)


# ---- beside others ----


def test_h5py_in_the_same_process_does_not_matter(results, tmp_path):
    h5py = pytest.importorskip("h5py")
    sp.write_profile(results, tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r") as file:
        names = [name.decode() for name in file["region_table/names"][:]]
        assert sp.read_h5(tmp_path / "a.h5").region_names == names
    sp.write_profile(results, tmp_path / "b.h5")
    with h5py.File(tmp_path / "b.h5", "r") as file:
        assert file.attrs["scope_profiler_schema"] == 3


def test_many_threads_read_and_write_at_once(results, tmp_path):
    failed = []

    def work(number):
        try:
            path = tmp_path / f"{number}.h5"
            for _ in range(5):
                sp.write_profile(results, path, compression="gzip")
                assert sp.read_h5(path).summary() == results.summary()
                with pytest.raises(CorruptProfileError, match="not an HDF5"):
                    sp.read_h5(__file__)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
