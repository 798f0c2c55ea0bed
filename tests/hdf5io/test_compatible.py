"""Every file reads the same with h5py, with scope-profiler 0.7.5 and with us, both ways.

SPDX-License-Identifier: MIT
"""
import json
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest

from support.jobs import read_075, run

SUPPORT = Path(__file__).resolve().parents[1] / "support"
THREADS, TASKS, MPI, POINTS, MISUSE, FOLDED, OPEN, LONG_TEXT, ALL = 1, 2, 4, 8, 16, 32, 64, 128, 255
SOURCE, GPU = 256, 512

# What 0.7.5 makes of a file, as JSON: per rank and region the exact times in ns.
DESCRIBE = """
import json, sys
from scope_profiler import NestingError, read_h5
p = read_h5({path!r})
def nested(make, otherwise):
    try:
        return make()
    except NestingError:
        return otherwise
out = {{"num_ranks": p.num_ranks, "names": list(p.region_names), "summary": nested(p.summary, []),
        "threads": {{str(r): [[t.index, t.name] for t in rows] for r, rows in p.threads.items()}} if p.threads else {{}},
        "tasks": {{str(r): [[t.index, t.name] for t in rows] for r, rows in p.tasks.items()}} if p.tasks else {{}},
        "call_graphs": {{str(r): nested(lambda: p.call_graph(r), []) for r in range(p.num_ranks)}} if p.has_event_data else {{}},
        "thread_summary": [p.thread_summary(r) for r in sorted(p.threads)] if p.threads else []}}
regions = {{}}
for name in p.region_names:
    mine = p.get_region(name)
    regions[name] = {{str(r): {{"starts": [int(x) for x in mine[r].start_times_ns],
                               "ends": [int(x) for x in mine[r].end_times_ns]}} for r in mine.regions}}
out["regions"] = regions
print(json.dumps(out, default=str))
"""


@pytest.fixture(scope="session")
def programs(install, tmp_path_factory):
    """The dumper and the maker, built against the installed libscope_hdf5."""
    folder = tmp_path_factory.mktemp("programs")
    install.compile(SUPPORT / "file_dump.c", folder / "dump", libs=("-lscope_hdf5",))
    install.compile(SUPPORT / "file_make.c", folder / "make", flags=(SUPPORT / "tables.c",), libs=("-lscope_hdf5",))
    return folder


@pytest.fixture
def dump(programs):
    return lambda path: json.loads(run([programs / "dump", path]).stdout)


@pytest.fixture
def make(programs, tmp_path):
    def made(ranks, regions, calls, with_, compression="none", *more):
        path = tmp_path / "made.h5"
        run([programs / "make", path, ranks, regions, calls, with_, compression, *more])
        return path
    return made


def describe(path):
    """0.7.5's view of a file; skips where 0.7.5 is not installed."""
    result = read_075(DESCRIBE.format(path=str(path)))
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    return json.loads(result.stdout.splitlines()[-1])


def text(dumped):
    """The dumper prints bytes as Latin-1 characters."""
    return dumped.encode("latin-1").decode()


def our_times(ours):
    """{name: {rank: (starts, ends)}} of a dump."""
    times = {}
    if ours["is_aggregate"]:
        return times
    for pair in ours["pairs"]:
        rows = slice(pair["first"], pair["first"] + pair["count"])
        starts = ours["start_ns"][rows]
        ends = [s + d for s, d in zip(starts, ours["duration_ns"][rows])]
        name = text(ours["regions"][pair["region"]])
        times.setdefault(name, {})[str(pair["rank"])] = {"starts": starts, "ends": ends}
    return times


def h5py_times(path):
    """The same straight from the columns."""
    times = {}
    with h5py.File(path) as f:
        if "region_table" not in f:  # schema 1
            for rank in (name for name in f if name.startswith("rank")):
                for name, group in f[rank]["regions"].items():
                    times.setdefault(name, {})[rank[4:]] = {"starts": group["start_times"][()].tolist(),
                                                            "ends": group["end_times"][()].tolist()}
            return times
        names = [n.decode() for n in f["region_table/names"][()]]
        index, events = f["rank_region_index"], f["events"]
        if f.attrs["storage_layout"] == "aggregate":
            return {}
        for region, rank, first, count in zip(*(index[c][()] for c in (
                "region_ids", "ranks", "event_offsets", "event_counts"))):
            rows = slice(int(first), int(first + count))
            if "start_times" in events:  # schema 2
                starts, ends = events["start_times"][rows], events["end_times"][rows]
            else:
                starts = np.cumsum(events["start_deltas"][rows])
                ends = starts + events["durations"][rows]
            times.setdefault(names[region], {})[str(rank)] = {"starts": starts.tolist(), "ends": ends.tolist()}
    return times


def check_same(path, dump):
    ours, theirs = dump(path), describe(path)
    assert our_times(ours) == h5py_times(path)
    if not ours["is_aggregate"]:
        assert our_times(ours) == theirs["regions"]
    assert ours["rank_count"] == (theirs["num_ranks"] if theirs["names"] else 1)
    for rank, rows in theirs["threads"].items():
        assert rows == [[t["index"], text(t["name"])] for t in ours["threads"] if t["rank"] == int(rank)]
    for rank, rows in theirs["tasks"].items():
        assert rows == [[t["index"], text(t["name"])] for t in ours["tasks"] if t["rank"] == int(rank)]
    for row in theirs["summary"]:
        pairs = [p for p in ours["pairs"] if text(ours["regions"][p["region"]]) == row["name"]]
        assert row["num_calls"] == sum(p["count"] for p in pairs)
        assert row["total_duration"] == pytest.approx(sum(p["total"] for p in pairs) * 1e-9, rel=1e-12)
        assert row["min_duration"] == pytest.approx(min(p["minimum"] for p in pairs) * 1e-9, rel=1e-12)
        if all(p["exclusive_ns"] >= 0 for p in pairs):
            assert row["exclusive_duration"] == pytest.approx(sum(p["exclusive_ns"] for p in pairs) * 1e-9, rel=1e-9)
    return ours, theirs


@pytest.mark.parametrize("with_", [0, THREADS, TASKS | THREADS, MPI | THREADS, ALL])
@pytest.mark.parametrize("compression", ["none", "gzip"])
def test_our_files_read_the_same_everywhere(make, dump, with_, compression):
    path = make(3, 4, 50, with_, compression)
    ours, theirs = check_same(path, dump)
    assert len(ours["regions"]) == 4
    for rank, graph in theirs["call_graphs"].items():
        parents = {node["call_id"]: node["parent_id"] for node in graph}
        mine = {}
        for pair in ours["pairs"]:
            if pair["rank"] == int(rank):
                for row in range(pair["first"], pair["first"] + pair["count"]):
                    parent = ours["parent_ids"][row]
                    mine[ours["call_ids"][row]] = None if parent < 0 else parent
        assert parents == mine


@pytest.mark.parametrize("with_", [0, THREADS, ALL | SOURCE | GPU])
def test_our_sums_read_the_same_everywhere(make, dump, with_):
    path = make(3, 4, 50, with_, "none", 0, "sums")
    ours, theirs = check_same(path, dump)
    assert ours["is_aggregate"] == 1 and len(theirs["names"]) == 4
    assert {row["name"]: row["num_calls"] for row in theirs["summary"]}["region 2"] == 150
    with h5py.File(path) as f:
        index = f["rank_region_index"]
        assert index["aggregate_counts"].dtype == np.dtype("u8") and len(index["region_ids"]) == 12
        for name in ("event_offsets", "event_counts", "source_lines", "source_files", "source_texts", "tags",
                     "summary_statistics"):
            assert index[name].shape == (0,), name
        assert f["events/start_deltas"].shape == f["events/durations"].shape == (0,)


@pytest.mark.parametrize("compression, chunk", [("none", 16), ("gzip", 16), ("gzip", 100000), ("auto", 7)])
def test_chunks_are_as_asked_for_and_read_everywhere(make, dump, compression, chunk):
    path = make(3, 4, 50, ALL | SOURCE | GPU, compression, chunk)
    check_same(path, dump)
    with h5py.File(path) as f:
        for name, column in f["events"].items():
            assert column.chunks == (chunk,), name
            assert column.compression == ("gzip" if compression == "gzip" else None), name


def test_source_texts_and_metadata_of_calls_reach_075(make, dump):
    path = make(2, 2, 3, LONG_TEXT | SOURCE | GPU)
    ours, _ = check_same(path, dump)
    result = read_075(f"""
import json
from scope_profiler import read_h5
r = read_h5({str(path)!r}).get_region("region 1")[1]
print(json.dumps([r.source_text, list(r.event_metadata), [int(x) for x in r.gpu_durations_ns]]))
""")
    text_, metadata, gpu = json.loads(result.stdout)
    at, pair = [(i, p) for i, p in enumerate(ours["pairs"]) if p["rank"] == 1 and p["region"] == 1][0]
    assert text_ == text(ours["source_texts"][at]) == "with region:  # 1\n    pass\n"
    assert metadata == json.loads(text(ours["event_metadata"][at])) and len(metadata) == 3
    assert gpu == ours["gpu_ns"][pair["first"]:pair["first"] + 3]


def test_lzf_is_that_of_h5py(make, dump):
    path = make(2, 3, 40000, THREADS, "lzf")
    check_same(path, dump)
    with h5py.File(path) as f:
        assert f["events/start_deltas"].compression == "lzf"
        assert f["events/durations"].id.get_storage_size() < f["events/durations"].nbytes / 3


def test_a_filter_that_only_hdf5_has_is_used_where_it_has_it(programs, dump, tmp_path):
    path = tmp_path / "zstd.h5"
    result = run([programs / "make", path, 2, 3, 500, THREADS, "zstd"], check=False)
    if result.returncode == 0:
        assert our_times(dump(path))
    else:
        assert "zstd" in result.stderr and "gzip" in result.stderr and not path.exists()


def test_a_large_file_reads_the_same_everywhere(make, dump):
    check_same(make(2, 3, 40000, THREADS, "auto"), dump)


def test_an_empty_file_reads_everywhere(make, dump):
    path = make(1, 0, 0, 0)
    assert dump(path)["count"] == 0
    assert describe(path)["names"] == []


def test_scope_profiler_inspect_shows_our_file(make):
    path = make(2, 3, 10, ALL)
    python = read_075("import sys; print(sys.executable)")
    if python is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    program = Path(python.stdout.strip()).with_name("scope-profiler")
    result = run([program, "inspect", path])
    assert "region 2" in result.stdout and "2 rank(s), 3 region(s)" in result.stdout


def test_metadata_has_the_keys_that_are_always_there(make):
    with h5py.File(make(2, 2, 3, THREADS)) as f:
        attributes = dict(f["metadata"].attrs)
        assert f.attrs["scope_profiler_schema"] == 3 and f.attrs["storage_layout"] == "columnar"
        assert f.attrs["scope_profiler_schema"].dtype == np.int64
    for key in ("timestamp", "platform", "chip_information", "python_version", "scope_profiler_version"):
        assert isinstance(attributes[key], str), key
    for key in ("omp_num_threads", "mpi_size", "total_cores", "num_nodes", "start_time_ns", "finalize_time_ns"):
        assert attributes[key].dtype == np.int64, key
    assert attributes["timestamp"].endswith("+00:00")
    assert attributes["mpi_size"] == 2 and attributes["python_version"] == ""


def test_h5dump_reads_every_byte(make):
    result = run(["h5dump", make(2, 3, 5, ALL)])
    for name in ("start_deltas", "call_flags", "communicators", "histograms", "open_calls", "region_names_ends"):
        assert name in result.stdout


def test_types_are_those_of_the_specification(make):
    wanted = {"events/start_deltas": "i8", "events/durations": "i8", "events/call_ids": "i8", "events/thread_ids": "i8",
              "events/mpi_bytes": "i8", "events/mpi_peers": "i4", "events/mpi_comms": "i4", "events/call_flags": "u1",
              "rank_region_index/region_ids": "u4", "rank_region_index/ranks": "u4",
              "rank_region_index/event_offsets": "u8", "rank_region_index/event_counts": "u8",
              "rank_region_index/source_lines": "i8", "rank_region_index/exclusive_totals": "i8",
              "thread_table/ranks": "u4", "thread_table/index": "i8", "thread_table/daemon": "i1",
              "thread_table/start_ns": "i8", "task_table/steps": "i8"}
    with h5py.File(make(2, 3, 5, ALL)) as f:
        for path, kind in wanted.items():
            assert f[path].dtype == np.dtype(kind), path
        statistics = f["rank_region_index/summary_statistics"].dtype
        assert statistics.itemsize == 88 and statistics.names == (
            "total", "minimum", "maximum", "first", "last", "start_minimum", "end_maximum", "gpu_count", "gpu_total",
            "mean", "m2")
        assert h5py.check_string_dtype(f["region_table/names"].dtype).encoding == "utf-8"


def test_a_region_with_misuse_alone_does_not_trouble_075(install, dump, tmp_path):
    source = tmp_path / "orphan.c"
    source.write_text("""
#include <scope/scope.h>
int main(void)
{
    scope_region region;
    scope_init(NULL);
    scope_region_register("orphan", &region);
    scope_region_end(region);
    {
        SCOPE_REGION("solve");
    }
    return scope_finalize();
}
""")
    run([install.compile(source, tmp_path / "orphan")], cwd=tmp_path)
    ours, theirs = check_same(tmp_path / "profiling_data.h5", dump)
    assert theirs["names"] == ["solve"] and sorted(ours["regions"]) == ["orphan", "solve"]


# ---- what 0.7.5 writes

WRITE = {
    "plain": """
with ProfileManager.session(output=path):
    for i in range(20):
        with ProfileManager.region("outer/x"):
            with ProfileManager.region("inner", tags=["hot"]):
                pass
""",
    "threads": """
import threading
def work(n):
    with ProfileManager.region("work"):
        for _ in range(n):
            with ProfileManager.region("step"): pass
with ProfileManager.session(output=path, track_threads=True):
    threads = [threading.Thread(target=work, args=(i + 1,), name=f"w{i}") for i in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    with ProfileManager.region("main"): pass
""",
    "async": """
import asyncio
async def fetch(n):
    with ProfileManager.region("fetch"):
        await asyncio.sleep(0.001 * n)
async def main():
    await asyncio.gather(*(fetch(i) for i in range(4)))
with ProfileManager.session(output=path, track_async=True):
    asyncio.run(main())
""",
    "gzip": """
with ProfileManager.session(output=path, hdf5_compression="gzip", hdf5_chunk_size=64):
    for i in range(3000):
        with ProfileManager.region("r%d" % (i % 7)): pass
""",
    "lzf": """
with ProfileManager.session(output=path, hdf5_compression="lzf"):
    for i in range(3000):
        with ProfileManager.region("r%d" % (i % 7)): pass
""",
    "chunked": """
with ProfileManager.session(output=path, hdf5_chunk_size=16):
    for i in range(1000):
        with ProfileManager.region("r"): pass
""",
    "auto": """
with ProfileManager.session(output=path, hdf5_compression="auto"):
    for i in range(20000):
        with ProfileManager.region("r"): pass
""",
    "overlapping": """
import threading, time, warnings
def work(delay):
    time.sleep(delay)
    with ProfileManager.region("work%g" % delay): time.sleep(0.03)
warnings.simplefilter("ignore")
with ProfileManager.session(output=path):
    threads = [threading.Thread(target=work, args=(i * 0.01,)) for i in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
""",
    "metadata": """
with ProfileManager.session(output=path, capture_region_source=True):
    for i in range(3):
        with ProfileManager.metadata(step=i, name='q"uote'):
            with ProfileManager.region("r", tags=["a", 'b "c"']): pass
""",
    "empty": """
ProfileManager.setup(file_path=path)
ProfileManager.finalize(verbose=False)
""",
    "full": """
with ProfileManager.session(output=path, metadata_detail="full", capture_region_source=True, label="full one"):
    with ProfileManager.region("日本\\nzwei"): pass
""",
}


def write_075(path, code):
    result = read_075("import sys\nfrom scope_profiler import ProfileManager\npath = " + repr(str(path)) + "\n" + code)
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    return path


@pytest.mark.parametrize("kind", WRITE)
def test_files_of_075_read_the_same(tmp_path, dump, kind):
    path = write_075(tmp_path / "theirs.h5", WRITE[kind])
    ours, _ = check_same(path, dump)
    with h5py.File(path) as f:
        events = f["events"]
        for column, mine in (("call_ids", "call_ids"), ("parent_ids", "parent_ids"), ("thread_ids", "thread_ids"),
                             ("task_ids", "task_ids"), ("await_ns", "await_ns")):
            assert (column in events) == (mine in ours), column
            if column in events:
                assert events[column][()].tolist() == ours[mine], column
        assert f["rank_region_index/exclusive_totals"][()].tolist() == [p["exclusive_ns"] for p in ours["pairs"]]
        start = int(f["metadata"].attrs["start_time_ns"])
        if "thread_table" in f:
            assert f["thread_table/cpu_ns"][()].tolist() == [t["cpu_ns"] for t in ours["threads"]]
            assert [int(s) + start for s in f["thread_table/start_ns"]] == [t["start_ns"] for t in ours["threads"]]
        if "task_table" in f:
            assert f["task_table/steps"][()].tolist() == [t["steps"] for t in ours["tasks"]]
            assert [int(s) + start for s in f["task_table/created_ns"]] == [t["created_ns"] for t in ours["tasks"]]


def test_aggregates_of_075_read_as_sums(tmp_path, dump):
    path = write_075(tmp_path / "sums.h5", """
with ProfileManager.session(output=path, aggregation_mode=True):
    for i in range(10):
        with ProfileManager.region("a"):
            with ProfileManager.region("b"): pass
""")
    ours = dump(path)
    counts = {ours["regions"][s["region"]]: s["count"] for s in ours["sums"]}
    assert counts["a"] == 10 and counts["b"] == 10
    with h5py.File(path) as f:
        assert f["rank_region_index/aggregate_totals"][()].tolist() == [s["total_ns"] for s in ours["sums"]]


def test_absolute_times_of_schema_2_read_the_same(tmp_path, dump, make):
    path = make(2, 3, 5, 0)
    old = tmp_path / "schema2.h5"
    expected = our_times(dump(path))
    with h5py.File(path) as f, h5py.File(old, "w") as g:
        g.attrs["scope_profiler_schema"] = np.int64(2)
        g.create_group("metadata")
        g["region_table/names"] = f["region_table/names"][()]
        for name in ("region_ids", "ranks", "event_offsets", "event_counts", "source_lines", "source_files",
                     "source_texts", "tags"):
            g[f"rank_region_index/{name}"] = f[f"rank_region_index/{name}"][()]
        starts, durations = f["events/start_deltas"][()], f["events/durations"][()]
        for first, count in zip(f["rank_region_index/event_offsets"], f["rank_region_index/event_counts"]):
            rows = slice(int(first), int(first + count))
            starts[rows] = np.cumsum(starts[rows])
        g["events/start_times"] = starts
        g["events/end_times"] = starts + durations
    ours = dump(old)
    assert our_times(ours) == expected
    assert [p["total"] for p in ours["pairs"]] == [p["total"] for p in dump(path)["pairs"]]


# ---- files of released versions

DATA = sorted((SUPPORT.parent / "data").glob("*.h5"))


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.stem)
def test_files_of_released_versions_read_as_ever(path, dump):
    ours, expected = dump(path), json.loads(path.with_suffix(".json").read_text())
    assert set(expected) <= set(ours)
    for key, value in expected.items():
        assert ours[key] == value, key
    assert our_times(ours) == h5py_times(path)
    check_same(path, dump)


def test_there_is_a_file_of_every_writer():
    assert {path.stem for path in DATA} >= {"schema1_by_hand", "schema2_by_hand", "schema2_fixed_strings_by_hand",
                                            "schema3_scope_0.8.0", "schema3_sums_scope_0.8.0",
                                            "schema3_scope_profiler_0.7.5"}


# ---- errors

@pytest.mark.parametrize("change, words", [
    (lambda f: f.attrs.__setitem__("scope_profiler_schema", np.int64(4)), "newer"),
    (lambda f: f.attrs.__setitem__("scope_profiler_schema", np.int64(0)), "schema 0"),
    (lambda f: f.attrs.__setitem__("scope_profiler_schema", "three"), "not a number"),
    (lambda f: f.__delitem__("events"), "missing"),
    (lambda f: f.__delitem__("events/durations"), "missing"),
    (lambda f: f.__delitem__("region_table"), "missing"),
    (lambda f: f.__delitem__("rank_region_index/event_offsets"), "missing"),
    (lambda f: f["rank_region_index/event_counts"].__setitem__(0, 10 ** 6), "index"),
    (lambda f: f["rank_region_index/event_offsets"].__setitem__(1, 0), "index"),
    (lambda f: f["rank_region_index/region_ids"].__setitem__(0, 77), "index"),
    (lambda f: f["rank_region_index/ranks"].__setitem__(0, 2 ** 32 - 1), "rank"),
    (lambda f: f["events/durations"].__setitem__(0, 2 ** 63 - 1), "time"),
])
def test_a_file_that_contradicts_itself_is_refused_with_a_reason(programs, make, change, words):
    path = make(2, 3, 5, THREADS)
    with h5py.File(path, "r+") as f:
        change(f)
    result = run([programs / "dump", path], check=False)
    assert result.returncode == 1 and words in result.stderr and str(path) in result.stderr


def test_other_files_are_refused_with_a_reason(programs, tmp_path):
    (tmp_path / "text.h5").write_text("not HDF5")
    (tmp_path / "empty.h5").touch()
    with h5py.File(tmp_path / "foreign.h5", "w") as f:
        f["x"] = 1
    with h5py.File(tmp_path / "schema1.h5", "w") as f:
        f["rank0/regions/solve/start_times"] = [1, 2]
        f["rank0/regions/solve/end_times"] = [2]
    assert "end_times" in run([programs / "dump", tmp_path / "schema1.h5"], check=False).stderr
    for name in ("text.h5", "empty.h5", "foreign.h5", "schema1.h5", "absent.h5", "."):
        result = run([programs / "dump", tmp_path / name], check=False)
        assert result.returncode == 1, name
        assert str(tmp_path) in result.stderr


@pytest.mark.parametrize("way", ["external link", "soft link", "external storage", "virtual", "virtual, unlimited"])
def test_nothing_is_read_from_another_file(programs, make, tmp_path, way):
    """HDF5 would open what a file names: here a pipe, for which it waits."""
    path, elsewhere = make(1, 2, 20, ALL), tmp_path / "elsewhere"
    subprocess.run(["mkfifo", elsewhere], check=True)
    with h5py.File(path, "r+") as file:
        rows, type_ = file["events/durations"].shape, file["events/durations"].dtype
        del file["events/durations"]
        if way == "external link":
            file["events/durations"] = h5py.ExternalLink(str(elsewhere), "/x")
        elif way == "soft link":
            file["away"] = h5py.ExternalLink(str(elsewhere), "/")
            file["events/durations"] = h5py.SoftLink("/away/x")
        elif way == "external storage":
            file.create_dataset("events/durations", rows, type_, external=[(str(elsewhere), 0, h5py.h5f.UNLIMITED)])
        elif way == "virtual":
            layout = h5py.VirtualLayout(rows, type_)
            layout[:] = h5py.VirtualSource(str(elsewhere), "x", rows)
            file.create_virtual_dataset("events/durations", layout)
        else:  # its very length depends on the other file
            unlimited = h5py.h5s.create_simple((0,), (h5py.h5s.UNLIMITED,))
            unlimited.select_hyperslab((0,), (h5py.h5s.UNLIMITED,))
            stored = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            stored.set_virtual(unlimited, bytes(elsewhere), b"x", unlimited)
            h5py.h5d.create(file.id, b"/events/durations", h5py.h5t.py_create(type_), unlimited, stored)
    result = run([programs / "dump", path], timeout=120, check=False)
    assert result.returncode == 1 and "made.h5: /events/" in result.stderr


def test_a_region_of_schema_1_may_have_slashes_in_its_name(dump, tmp_path):
    with h5py.File(tmp_path / "schema1.h5", "w") as f:
        f.create_group("rank10")  # recorded nothing
        for rank, name, start in ((2, "a/b", 1), (2, "a", 2), (0, "a/b/c", 3), (2, "z" * 300, 4)):
            f[f"rank{rank}/regions/{name}/start_times"] = [start]
            f[f"rank{rank}/regions/{name}/end_times"] = [start + 5]
    ours = dump(tmp_path / "schema1.h5")
    assert our_times(ours) == {"a/b/c": {"0": {"starts": [3], "ends": [8]}}, "a": {"2": {"starts": [2], "ends": [7]}},
                               "a/b": {"2": {"starts": [1], "ends": [6]}},
                               "z" * 300: {"2": {"starts": [4], "ends": [9]}}}
    assert ours["rank_count"] == 3


@pytest.mark.parametrize("name", ["schema1_by_hand", "schema2_by_hand", "schema3_sums_scope_0.8.0"])
def test_damaged_files_of_old_schemas_never_crash_the_reader(programs, tmp_path, name):
    good = (SUPPORT.parent / "data" / f"{name}.h5").read_bytes()
    generator = np.random.default_rng(2)
    bad = tmp_path / "bad.h5"
    for _ in range(60):
        data = bytearray(good)
        for at in generator.integers(0, len(data), generator.integers(1, 8)):
            data[at] ^= 1 << generator.integers(8)
        bad.write_bytes(data)
        result = subprocess.run([programs / "dump", bad], capture_output=True, timeout=300)
        assert result.returncode in (0, 1), result
        assert result.returncode == 0 or result.stderr.count(b"\n") == 1, result.stderr[:2000]


def test_damaged_files_of_075_never_crash_the_reader(programs, tmp_path):
    path = write_075(tmp_path / "theirs.h5", WRITE["threads"])
    good = bytearray(path.read_bytes())
    generator = np.random.default_rng(1)
    bad = tmp_path / "bad.h5"
    for _ in range(150):
        data = bytearray(good)
        for at in generator.integers(0, len(data), generator.integers(1, 8)):
            data[at] ^= 1 << generator.integers(8)
        bad.write_bytes(data)
        result = subprocess.run([programs / "dump", bad], capture_output=True, timeout=300)
        assert result.returncode in (0, 1), result
        assert result.returncode == 0 or result.stderr.count(b"\n") == 1, result.stderr[:2000]
