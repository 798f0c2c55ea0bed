"""Exports: speedscope, Chrome, pstats; names of files, lanes, errors.

SPDX-License-Identifier: MIT
"""
import json
import marshal
import pstats

import numpy as np
import pytest

import scope_profiler as sp
from scope_profiler import _read
from scope_profiler.results import ProfilingResults, from_table

EXPORTS = {
    "speedscope": (sp.export_speedscope, "o.speedscope.json", " (view at https://www.speedscope.app)"),
    "chrome": (sp.export_chrome_trace, "o.trace.json", " (open with Perfetto or chrome://tracing)"),
    "prof": (sp.export_prof, "o.prof", None),
    "json": (sp.export_json, "o.json", ""),
    "json.gz": (sp.export_json, "o.json.gz", ""),
}
every = pytest.mark.parametrize("format", EXPORTS)


def run(label="data", ranks=1, lanes=True, **changes):
    """outer { inner inner } on the main thread and a task, per rank."""
    pairs, starts, durations, threads, tasks = [], [], [], [], []
    for rank in range(ranks):
        for region, calls in enumerate([[(1000, 900, 0, -1), (3000, 500, 0, 0)],
                                        [(1100, 200, 0, -1), (1500, 300, 0, -1)]]):
            pairs.append({"rank": rank, "region": region, "first": len(starts), "count": len(calls),
                          "source_file": "a.py", "source_line": 3 + region})
            for start, duration, thread, task in calls:
                starts.append(start)
                durations.append(duration)
                threads.append(thread)
                tasks.append(task)
    parts = {
        "regions": ["outer", "inner"], "pairs": pairs, "rank_count": ranks,
        "columns": {"start_ns": np.array(starts), "duration_ns": np.array(durations)},
        "metadata": {"start_time_ns": 0, **({"label": label} if label else {})},
    }
    if lanes:
        parts["columns"].update(thread_ids=np.array(threads), task_ids=np.array(tasks))
        parts["threads"] = [{"rank": rank, "index": 0, "name": "MainThread"} for rank in range(ranks)]
        parts["tasks"] = [{"rank": rank, "index": 0, "kind": "task", "name": "Task-1",
                           "coro_name": "mod.fetch", "thread_index": 0} for rank in range(ranks)]
    parts.update(changes)
    table = _read.Table(parts)
    table.nest()
    return from_table(table)


def clashing():
    return run(lanes=False, columns={"start_ns": np.array([0, 100, 50, 60]),
                                     "duration_ns": np.array([60, 10, 30, 5])})


# ---- what all have in common ----


@every
def test_the_folder_is_made_and_a_line_printed(format, tmp_path, capsys):
    export, name, hint = EXPORTS[format]
    written = export(run(), tmp_path / "a" / "b" / name)
    path = tmp_path / "a" / "b" / (name if format != "prof" else "o_rank0.prof")
    assert written == [path] and path.stat().st_size > 0
    hint = f" (view with: snakeviz {path})" if hint is None else hint
    assert capsys.readouterr().out == f"Wrote {path}{hint}\n"


@every
def test_quiet_is_quiet(format, tmp_path, capsys):
    export, name, _ = EXPORTS[format]
    export(run(), tmp_path / name, verbose=False)
    assert capsys.readouterr().out == ""


@every
def test_several_runs_have_their_labels_in_the_names(format, tmp_path):
    export, name, _ = EXPORTS[format]
    runs = [run("My Label/1 é"), run("x"), run("x")]
    written = export(runs, tmp_path / name, verbose=False)
    suffix = "_rank0.prof" if format == "prof" else name[1:]
    assert [path.name for path in written] == [
        f"o_My_Label_1_é{suffix}", f"o_x{suffix}", f"o_x_2{suffix}"]


@every
def test_no_results_are_refused_and_other_ranks_skipped(format, tmp_path):
    export, name, _ = EXPORTS[format]
    with pytest.raises(ValueError):
        export([], tmp_path / name)
    elsewhere = ProfilingResults({}, is_root=False)
    assert export(elsewhere, tmp_path / name) == []
    assert len(export([elsewhere, run()], tmp_path / name, verbose=False)) == 1
    with pytest.raises(TypeError):
        export("nothing", tmp_path / name)


@pytest.mark.parametrize("format", ["speedscope", "chrome", "prof"])
def test_a_rank_that_is_not_there_is_refused(format, tmp_path):
    export, name, _ = EXPORTS[format]
    for ranks in (1, [0, 1], -1):
        with pytest.raises(ValueError, match="rank"):
            export(run(), tmp_path / name, ranks=ranks)
    assert export(run(ranks=2), tmp_path / name, ranks=[1], verbose=False)
    assert list(tmp_path.iterdir())


@pytest.mark.parametrize("format", ["speedscope", "prof"])
def test_no_region_left_is_refused(format, tmp_path):
    export, name, _ = EXPORTS[format]
    for filters in ({"include": "nothing"}, {"exclude": ".*"}):
        with pytest.raises(ValueError, match="no region"):
            export(run(), tmp_path / name, **filters)
    with pytest.raises(ValueError):
        export(ProfilingResults({}), tmp_path / name)


@pytest.mark.parametrize("format", ["speedscope", "chrome", "prof"])
def test_calls_that_do_not_nest_are_refused_and_nothing_is_written(format, tmp_path):
    export, name, _ = EXPORTS[format]
    if format == "chrome":
        assert export(clashing(), tmp_path / name, verbose=False)  # tracks may hold them
        return
    with pytest.raises(sp.NestingError, match="outer.*inner|inner.*outer"):
        export(clashing(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", ["speedscope", "prof"])
def test_statistics_alone_are_refused(format, tmp_path):
    export, name, _ = EXPORTS[format]
    table = run()._table().aggregate()
    for results in (from_table(table), from_table(run()._table(), event_data_available=False)):
        with pytest.raises(ValueError, match="statistics only"):
            export(results, tmp_path / name)


def test_chrome_needs_the_calls_too(tmp_path):
    results = from_table(run()._table(), event_data_available=False)
    with pytest.raises(sp.EventDataUnavailableError):
        sp.export_chrome_trace(results, tmp_path / "o.json")


@pytest.mark.parametrize(("name", "written"), [
    ("plain", "plain.speedscope.json"), ("a.b.c.json", "a.b.c.json"), ("a.txt", "a.txt")])
def test_a_name_without_suffix_gets_one(name, written, tmp_path):
    assert sp.export_speedscope(run(), tmp_path / name, verbose=False) == [tmp_path / written]
    assert sp.export_speedscope([run("q"), run("r")], tmp_path / "a.b.c", verbose=False)[0].name == "a_q.b.c"


def test_prof_files_keep_dots_in_their_names(tmp_path):
    written = sp.export_prof(run(ranks=2), tmp_path / "x.y.prof", ranks=[0, 1], verbose=False)
    assert [path.name for path in written] == ["x.y_rank0.prof", "x.y_rank1.prof"]
    assert sp.export_prof(run(), tmp_path / "noext", verbose=False)[0].name == "noext_rank0.prof"


def test_a_label_that_makes_no_name_still_makes_a_file(tmp_path):
    written = sp.export_json([run("///"), run("///"), run("..")], tmp_path / "s.json", verbose=False)
    assert len(set(written)) == 3 and all(path.parent == tmp_path for path in written)


# ---- speedscope ----


def test_speedscope_has_a_profile_for_each_lane_with_calls(tmp_path):
    (path,) = sp.export_speedscope(run(ranks=2), tmp_path / "o.json", ranks=[0, 1], verbose=False)
    document = json.loads(path.read_text())
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert document["name"] == "data" and document["activeProfileIndex"] == 0
    assert document["exporter"].startswith("scope-profiler@")
    assert [p["name"] for p in document["profiles"]] == [
        f"rank {rank} - {lane}" for rank in (0, 1)
        for lane in ("MainThread", "Task-1 (fetch) on MainThread")]
    assert [f["name"] for f in document["shared"]["frames"]] == ["outer", "inner"]
    for profile in document["profiles"]:
        balanced(profile)
    assert document["profiles"][0]["startValue"] == 0.0


def balanced(profile):
    """Opened and closed in turn, never backwards, within the profile's span."""
    stack, last = [], profile["startValue"]
    assert profile["type"] == "evented" and profile["unit"] == "seconds"
    for event in profile["events"]:
        assert last <= event["at"] <= profile["endValue"]
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert event["type"] == "C" and stack.pop() == event["frame"]
    assert not stack


def test_speedscope_without_lanes_has_one_profile_a_rank(tmp_path):
    (path,) = sp.export_speedscope(run(lanes=False), tmp_path / "o.json", verbose=False)
    assert [p["name"] for p in json.loads(path.read_text())["profiles"]] == ["rank 0"]


def test_speedscope_keeps_filtered_regions_out(tmp_path):
    (path,) = sp.export_speedscope(run(), tmp_path / "o.json", include="inn", verbose=False)
    document = json.loads(path.read_text())
    assert [f["name"] for f in document["shared"]["frames"]] == ["inner"]
    for profile in document["profiles"]:
        balanced(profile)


def test_any_region_name_is_exported(tmp_path):
    names = ['"quoted"', "back\\slash", "new\nline", "日本", "\udc80", "\x01", "x" * 5000, ""]
    table = _read.Table({
        "regions": names, "metadata": {"label": "l"},
        "pairs": [{"region": n, "first": n, "count": 1} for n in range(len(names))],
        "columns": {"start_ns": np.arange(len(names)) * 10, "duration_ns": np.full(len(names), 5)}})
    table.nest()
    results = from_table(table)
    names[4] = r"\x80"  # JSON is UTF-8, whatever the names are
    (path,) = sp.export_speedscope(results, tmp_path / "o.json", verbose=False)
    found = json.loads(path.read_text(encoding="utf-8"))["shared"]["frames"]
    assert [frame["name"] for frame in found] == names
    (path,) = sp.export_chrome_trace(results, tmp_path / "o.json", verbose=False)
    found = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    assert [e["name"] for e in found if e["ph"] == "X"] == names
    for path in sp.export_prof(results, tmp_path / "o.prof", verbose=False):
        pstats.Stats(str(path))


# ---- chrome ----


def test_chrome_has_a_track_for_each_lane_and_an_event_for_each_call(tmp_path):
    (path,) = sp.export_chrome_trace(run(), tmp_path / "o.json", verbose=False)
    document = json.loads(path.read_text())
    assert document["displayTimeUnit"] == "ms" and document["metadata"]["name"] == "data"
    events = document["traceEvents"]
    names = {(e["name"], e["args"]["name"]) for e in events if e["ph"] == "M"}
    assert ("process_name", "rank 0") in names and ("thread_name", "MainThread") in names
    assert ("thread_name", "Task-1 (fetch) on MainThread") in names
    calls = [e for e in events if e["ph"] == "X"]
    assert len(calls) == 4
    first = next(e for e in calls if e["name"] == "outer")
    assert first["ts"] == 1.0 and first["dur"] == 0.9 and first["cat"] == "scope-profiler"
    assert first["args"]["call_index"] == 0 and first["args"]["source_file"] == "a.py"


# ---- pstats ----


def test_pstats_reads_the_file_and_times_add_up(tmp_path):
    (path,) = sp.export_prof(run(), tmp_path / "o.prof", verbose=False)
    stats = sp.load_prof(path)
    assert isinstance(stats, pstats.Stats)
    by_name = {key[2]: value for key, value in stats.stats.items()}
    assert by_name["outer"][:2] == (2, 2) and by_name["outer"][3] == pytest.approx(1400e-9)
    assert by_name["outer"][2] == pytest.approx(900e-9)
    assert by_name["outer > inner"][3] == pytest.approx(500e-9)
    assert by_name["<data rank 0>"][:2] == (1, 1)
    assert sum(value[2] for value in by_name.values()) == pytest.approx(1400e-9)


def test_call_paths_can_be_left_out(tmp_path):
    (path,) = sp.export_prof(run(), tmp_path / "o.prof", call_paths=False, verbose=False)
    assert {key[2] for key in sp.load_prof(path).stats} == {"outer", "inner", "<data rank 0>"}


def test_to_pstats_needs_no_file():
    found = sp.to_pstats([run(), run(ranks=2)], ranks=0)
    assert list(found) == [("data", 0), ("data (2)", 0)]
    found = sp.to_pstats(run(ranks=2), ranks=[0, 1])
    assert list(found) == [("data", 0), ("data", 1)]
    assert all(isinstance(stats, pstats.Stats) for stats in found.values())
    with pytest.raises(ValueError):
        sp.to_pstats([])
    assert sp.to_pstats(ProfilingResults({}, is_root=False)) == {}


def test_what_is_no_prof_file_is_told(tmp_path):
    with pytest.raises(FileNotFoundError):
        sp.load_prof(tmp_path / "nothing.prof")
    for content in (b"", b"junk", marshal.dumps([1]), marshal.dumps("x"), b"\x00" * 20):
        (tmp_path / "a.prof").write_bytes(content)
        with pytest.raises(ValueError, match="a.prof"):
            sp.load_prof(tmp_path / "a.prof")
