"""scope export: what viewers, pstats and scope-profiler 0.7.5 make of it.

SPDX-License-Identifier: MIT
"""
import gzip
import json
import math
import pstats
import subprocess
from collections import Counter
from io import StringIO
from pathlib import Path

import h5py
import pytest

from support import trace_events
from support.jobs import environment, read_075, run
from tools.programs import REGIONS, SESSIONS, THREADS, build, inspect_json, read_rows, write_profile

DATA = Path(__file__).resolve().parents[1] / "data"
THEIRS, OURS, SUMS = (DATA / f"{name}.h5" for name in (
    "schema3_scope_profiler_0.7.5", "schema3_scope_0.8.0", "schema3_sums_scope_0.8.0"))


def export(install, format, *words, check=True, **kwargs):
    return run([install.scope, "export", format, *words], check=check, **kwargs)


def strict(path):
    """JSON as RFC 8259 has it: no NaN, no lone surrogates."""
    def refuse(word):
        raise AssertionError(word)
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rb") as file:
        text = file.read().decode("utf-8")
    document = json.loads(text, parse_constant=refuse)
    json.dumps(document, ensure_ascii=False).encode("utf-8")
    return document


# ---- speedscope, by the rules of https://www.speedscope.app/file-format-schema.json

def check_speedscope(document):
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    assert set(document) <= {"$schema", "exporter", "name", "activeProfileIndex", "shared", "profiles"}
    assert isinstance(document["exporter"], str) and isinstance(document["name"], str)
    assert set(document["shared"]) == {"frames"}
    frames = document["shared"]["frames"]
    for frame in frames:
        assert set(frame) <= {"name", "file", "line", "col"} and isinstance(frame["name"], str)
    assert not document["profiles"] or 0 <= document["activeProfileIndex"] < len(document["profiles"])
    for profile in document["profiles"]:
        assert set(profile) == {"type", "name", "unit", "startValue", "endValue", "events"}
        assert profile["type"] == "evented" and profile["unit"] in (
            "bytes", "microseconds", "milliseconds", "nanoseconds", "none", "seconds")
        assert isinstance(profile["name"], str)
        last, stack = profile["startValue"], []
        for event in profile["events"]:
            assert set(event) == {"type", "frame", "at"}
            assert isinstance(event["frame"], int) and 0 <= event["frame"] < len(frames)
            assert event["at"] >= last and math.isfinite(event["at"])
            last = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                assert event["type"] == "C" and stack.pop() == event["frame"]
        assert not stack and last <= profile["endValue"]
    return document


def test_speedscope_has_a_profile_per_thread_and_task(install, tmp_path):
    export(install, "speedscope", THEIRS, "-o", tmp_path / "o.json")
    document = check_speedscope(strict(tmp_path / "o.json"))
    names = [profile["name"] for profile in document["profiles"]]
    assert names[:3] == ["rank 0 - w1", "rank 0 - w0", "rank 0 - MainThread"]
    assert names[3].startswith("rank 0 - Task-") and names[3].endswith("(fetch) on MainThread")
    assert min(profile["startValue"] for profile in document["profiles"]) == 0
    result = read_075(f"""
import json
from scope_profiler import export_speedscope, read_h5
export_speedscope(read_h5({str(THEIRS)!r}), {str(tmp_path / "theirs.json")!r}, verbose=False)
""")
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    theirs = strict(tmp_path / "theirs.json")
    for side in (document, theirs):
        frames = [frame["name"] for frame in side["shared"]["frames"]]
        side["events"] = [(profile["name"], event["type"], frames[event["frame"]], round(event["at"] * 1e9))
                          for profile in side["profiles"] for event in profile["events"]]
    close = [(a[:3], b[:3], abs(a[3] - b[3])) for a, b in zip(document["events"], theirs["events"])]
    assert len(document["events"]) == len(theirs["events"])
    assert all(a == b and off <= 1000 for a, b, off in close)  # theirs are rounded doubles


def test_speedscope_of_ranks_threads_and_odd_names(install, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    run([program], cwd=tmp_path, env=environment(SCOPE_OUTPUT="r.h5"))
    export(install, "speedscope", tmp_path / "r.h5", "-o", tmp_path / "r.json")
    document = check_speedscope(strict(tmp_path / "r.json"))
    assert "odd \n name ä \\xff" in [frame["name"] for frame in document["shared"]["frames"]]
    run([build(install, tmp_path, "threads", THREADS)], cwd=tmp_path, env=environment(SCOPE_OUTPUT="t.h5"))
    export(install, "speedscope", tmp_path / "t.h5", "-o", tmp_path / "t.json")
    assert len(check_speedscope(strict(tmp_path / "t.json"))["profiles"]) == 4
    many = write_profile(tmp_path / "m.h5", ranks=3)
    export(install, "speedscope", many, "-o", tmp_path / "m.json", "--rank=1-2", "--label", "two of three")
    document = check_speedscope(strict(tmp_path / "m.json"))
    assert [profile["name"] for profile in document["profiles"]] == ["rank 1", "rank 2"]
    assert document["name"] == "two of three"


# ---- Trace Event Format

@pytest.mark.parametrize("path", [THEIRS, OURS, SUMS], ids=lambda path: path.stem)
def test_a_trace_has_an_event_per_call(install, tmp_path, path):
    export(install, "chrome-trace", path, "-o", tmp_path / "o.json")
    document = trace_events.check(strict(tmp_path / "o.json"))
    calls = [event for event in document["traceEvents"] if event["ph"] == "X"]
    rows = {} if path == SUMS else read_rows(path)
    assert len(calls) == sum(len(durations) for durations in rows.values())
    for (rank, name), durations in rows.items():
        mine = [e for e in calls if e["pid"] == rank and e["name"] == name]
        assert [round(e["dur"] * 1000) for e in mine] == durations.tolist()
        assert [e["args"]["call_index"] for e in mine] == list(range(len(mine)))
    if path == OURS:
        assert {e["ph"] for e in document["traceEvents"]} == {"M", "X", "C", "i"}


# ---- pstats

def stats(path):
    text = StringIO()
    read = pstats.Stats(str(path), stream=text)
    read.sort_stats("cumulative").print_stats()
    read.print_callers()
    read.print_callees()
    return read, text.getvalue()


def test_pstats_reads_a_file_per_rank(install, tmp_path):
    profile = write_profile(tmp_path / "p.h5", ranks=2)
    done = export(install, "prof", profile, "-o", tmp_path / "p.prof")
    assert done.stdout.split() == [str(tmp_path / f"p_rank{r}.prof") for r in range(2)]
    for rank in range(2):
        read, text = stats(tmp_path / f"p_rank{rank}.prof")
        assert f"{{p rank {rank}}}" in text  # as pstats shows what is no code
        for (at, name), durations in read_rows(profile).items():
            if at == rank:
                primitive, calls, own, time, callers = read.stats["~", 0, name]
                assert primitive == calls == len(durations)
                assert time == own == pytest.approx(durations.sum() / 1e9)
                assert list(callers) == [("~", 0, f"<p rank {rank}>")]


def test_paths_are_names_unless_not_wanted(install, tmp_path):
    program = build(install, tmp_path, "regions", REGIONS)
    run([program], cwd=tmp_path, env=environment(SCOPE_OUTPUT="r.h5"))
    export(install, "prof", tmp_path / "r.h5", "-o", tmp_path / "r.prof", "-q")
    read, _ = stats(tmp_path / "r_rank0.prof")
    by_name = {key[2]: (key, value) for key, value in read.stats.items()}
    assert set(by_name) == {"<r rank 0>", "outer", "outer > inner", "odd \n name ä \\xff"}
    key, (primitive, calls, _, _, callers) = by_name["outer > inner"]
    assert primitive == calls == 15 and callers[by_name["outer"][0]][0] == 15
    assert key[0].endswith("regions.c") and key[1] > 0
    export(install, "prof", tmp_path / "r.h5", "-o", tmp_path / "r.prof", "--no-call-paths")
    assert {key[2] for key in stats(tmp_path / "r_rank0.prof")[0].stats} == {
        "<r rank 0>", "outer", "inner", "odd \n name ä \\xff"}


def test_every_python_reads_the_marshalled_bytes(install, tmp_path):
    export(install, "prof", THEIRS, "-o", tmp_path / "o.prof")
    code = f"import pstats; print(len(pstats.Stats({str(tmp_path / 'o_rank0.prof')!r}).stats))"
    pythons = sorted(Path.home().glob(".pyenv/versions/3.1*/bin/python"))
    found = {subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=300).stdout.strip()
             for python in pythons}
    assert found <= {str(len(stats(tmp_path / "o_rank0.prof")[0].stats))}


# ---- json

NUMBERS = """
import json
from scope_profiler import read_h5, read_json
def numbers(p):
    return {{"metadata": {{k: (v.item() if hasattr(v, "item") else v if isinstance(v, (str, int)) else list(v))
                          for k, v in p.metadata.items()}},
            "names": list(p.region_names), "num_ranks": p.num_ranks,
            "threads": {{str(r): [[t.index, t.name, t.start_time, t.end_time] for t in rows] for r, rows in p.threads.items()}},
            "tasks": {{str(r): [[t.index, t.name, t.created_time, t.done_time] for t in rows] for r, rows in p.tasks.items()}},
            "regions": [[m.name, r, None if x.call_ids is None else x.call_ids.tolist(), x.start_times_ns.tolist(),
                         x.end_times_ns.tolist(), list(x.tags), x.source_file, x.num_calls, x.total_duration,
                         x.exclusive_duration, list(x.event_metadata or ())]
                        for m in p for r, x in m.regions.items()]}}
print(json.dumps([numbers(read_h5({h5!r})), numbers(read_json({js!r}))]))
"""


@pytest.mark.parametrize("path", [THEIRS, OURS], ids=lambda path: path.stem)
@pytest.mark.parametrize("extra, suffix", [((), ".json"), (("--indent=2",), ".json"), (("--gzip",), ".json.gz")])
def test_0_7_5_reads_the_same_from_our_json(install, tmp_path, path, extra, suffix):
    written = tmp_path / f"o{suffix}"
    export(install, "json", path, "-o", written, *extra)
    strict(written)
    result = read_075(NUMBERS.format(h5=str(path), js=str(written)))
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    expected, found = json.loads(result.stdout)
    assert found == expected


def write_075(path, code):
    result = read_075("import asyncio, threading, scope_profiler as sp\nfrom scope_profiler import ProfileManager as PM\n"
                      + code + f"\nsp.export_json(s.results, {str(path)!r}, verbose=False)\n"
                      + f"sp.write_profile(s.results, {str(path.with_suffix('.copy.json'))!r})")
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    return path


WRITE = {
    "threads": """
def work(n):
    with PM.region("work", tags=["hot", 'q"']):
        for i in range(n):
            with PM.metadata(step=i, x="a"), PM.region("step \\u00e4\\n"): pass
with PM.session(output="t.h5", track_threads=True, verbose=False, return_results=True, label="a label") as s:
    threads = [threading.Thread(target=work, args=(i + 1,), name=f"w{i}") for i in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
""",
    "async": """
async def fetch(n):
    with PM.region("fetch"):
        await asyncio.sleep(0.001 * n)
async def main():
    await asyncio.gather(*(fetch(i) for i in range(3)))
with PM.session(output="a.h5", track_async=True, metadata_detail="full", verbose=False, return_results=True) as s:
    asyncio.run(main())
""",
    "sums": """
with PM.session(output="s.h5", aggregation_mode=True, verbose=False, return_results=True) as s:
    for i in range(5):
        with PM.region("a"), PM.region("b"): pass
""",
}


@pytest.mark.parametrize("kind", WRITE)
def test_json_of_0_7_5_is_read(install, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    path = write_075(tmp_path / "theirs.json", WRITE[kind])
    export(install, "json", path, "-o", tmp_path / "ours.json")
    theirs, ours = json.loads(path.read_text()), strict(tmp_path / "ours.json")
    theirs_regions = {(r["name"], r["rank"]): r for r in theirs["regions"]}
    ours_regions = {(r["name"], r["rank"]): r for r in ours["regions"]}
    assert theirs_regions.keys() == ours_regions.keys()
    for key, region in theirs_regions.items():
        found = ours_regions[key]
        assert {k: found[k] for k in region} == region
    assert {k: v for k, v in ours["metadata"].items()} == theirs["metadata"]
    for lanes in ("threads", "tasks"):
        for rank, rows in theirs.get(lanes, {}).items():
            assert [{k: mine[k] for k in row} for mine, row in zip(ours[lanes][rank], rows)] == rows
    shown = inspect_json(install, run, path)
    assert {r["name"] for r in shown["regions"]} == {name for name, _ in theirs_regions}


def test_inspect_says_that_there_are_only_sums(install):
    shown = inspect_json(install, run, SUMS)
    assert shown["num_calls"] == sum(region["num_calls"] for region in shown["regions"]) > 0
    assert "aggregation mode" in run([install.scope, "inspect", SUMS]).stdout


def test_a_profile_survives_json_and_back(install, tmp_path):
    for path in (OURS, THEIRS, SUMS):
        export(install, "json", path, "-o", tmp_path / "one.json")
        export(install, "json", tmp_path / "one.json", "-o", tmp_path / "two.json.gz", "--label=x")
        assert strict(tmp_path / "one.json") == strict(tmp_path / "two.json.gz")
        run([install.scope, "merge", tmp_path / "two.json.gz", "-o", tmp_path / "back.h5"])
        if path != SUMS:
            before, after = read_rows(path), read_rows(tmp_path / "back.h5")
            assert before.keys() == after.keys()
            assert all((before[key] == after[key]).all() for key in before)


# ---- more calls than a viewer opens

STEPS = r"""
#include <scope/scope.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    const long steps = argc > 1 ? atol(argv[1]) : 0;
    scope_region step, cell;
    scope_region_register("step", &step);
    scope_region_register("cell", &cell);
    scope_init(NULL);
    for (long i = 0; i < steps; i++) {
        scope_region_begin(step);
        for (int k = 0; k < 99; k++) {
            scope_region_begin(cell);
            scope_region_end(cell);
            if (k % 33 == 0)
                scope_counter("k", k);
        }
        scope_mark("done");
        scope_region_end(step);
    }
    return scope_finalize();
}
"""
VIEWS = ("chrome-trace", "speedscope")


def record_steps(install, folder, steps):
    run([build(install, folder, "steps", STEPS), steps], cwd=folder, timeout=300,
        env=environment(SCOPE_OUTPUT="s.h5", SCOPE_SPOOL_DIR=folder, SCOPE_MAX_BYTES=0))
    return folder / "s.h5"


def test_k28_a_view_has_the_longest_calls_and_sums_of_the_others(install, tmp_path):
    profile = record_steps(install, tmp_path, 300)
    words = (profile, "-o", tmp_path / "o.json", "--max-calls=1000")
    done = export(install, "chrome-trace", *words)
    said = "left out: 29000 of 30000 calls, none above "
    assert said in done.stderr and "--max-calls=0" in done.stderr
    document = trace_events.check(strict(tmp_path / "o.json"))
    assert said in document["metadata"]["name"]
    calls = [event for event in document["traceEvents"] if event["ph"] == "X"]
    assert len(calls) == 1000
    rows = read_rows(profile)
    every = sorted((d for durations in rows.values() for d in durations.tolist()), reverse=True)
    assert sorted((round(e["dur"] * 1000) for e in calls), reverse=True) == every[:1000]
    steps = [event for event in calls if event["name"] == "step"]
    left = sum(event["args"].get("left_out_calls", 0) for event in steps)
    shown = sum(1 for event in calls if event["name"] == "cell")
    assert len(steps) == 300 and left == 29700 - shown
    time_left = round(1e9 * sum(event["args"].get("left_out_s", 0) for event in steps))
    assert time_left == sum(rows[0, "cell"].tolist()) - sum(round(e["dur"] * 1000) for e in calls if e["name"] == "cell")
    marks, counters = ([e for e in document["traceEvents"] if e["ph"] == kind] for kind in "iC")
    assert len(marks) == 300 and 200 < len(counters) <= 1000

    export(install, "speedscope", *words, "-q")
    document = check_speedscope(strict(tmp_path / "o.json"))
    assert said in document["name"]
    opened = [e["frame"] for p in document["profiles"] for e in p["events"] if e["type"] == "O"]
    assert len(opened) == 1000


@pytest.mark.parametrize("format", VIEWS)
def test_k28_below_the_limit_nothing_is_left_out(install, tmp_path, format):
    profile = record_steps(install, tmp_path, 20)
    for limit in ((), ("--max-calls=2000",), ("--max-calls=0",)):
        done = export(install, format, profile, "-o", tmp_path / "o.json", *limit)
        assert done.stderr == "" and "left out" not in (tmp_path / "o.json").read_text()
    assert len(set(read_rows(profile))) == 2


def test_k28_of_equal_calls_the_view_takes_evenly(install, tmp_path):
    """All of one length, of two ranks and two regions; the limit cuts through the equals."""
    profile = write_profile(tmp_path / "e.h5", ranks=2, calls=1000)
    with h5py.File(profile, "r+") as file:
        file["events/durations"][...] = 7
    export(install, "chrome-trace", profile, "-o", tmp_path / "o.json", "--max-calls=400")
    calls = [e for e in strict(tmp_path / "o.json")["traceEvents"] if e["ph"] == "X"]
    each = Counter((e["pid"], e["name"]) for e in calls)
    assert len(calls) == 400 and set(each.values()) <= {99, 100, 101} and len(each) == 4
    at = sorted(e["args"]["call_index"] for e in calls if e["pid"] == 0 and e["name"] == "solve")
    assert at[0] < 20 and at[-1] > 980


@pytest.mark.parametrize("format", VIEWS)
@pytest.mark.long
def test_k28_ten_million_calls_make_a_view_that_opens(install, tmp_path, format):
    profile = record_steps(install, tmp_path, 100_000)
    done = export(install, format, profile, "-o", tmp_path / "o.json", timeout=600)
    assert "left out: 9500000 of 10000000 calls" in done.stderr
    assert (tmp_path / "o.json").stat().st_size < 200e6
    document = strict(tmp_path / "o.json")
    trace_events.check(document) if format == "chrome-trace" else check_speedscope(document)


# ---- use

def test_several_files_get_names_of_their_own(install, tmp_path):
    files = [write_profile(tmp_path / f"{name}.h5", ranks=1) for name in ("first.run", "second")]
    export(install, "json", *files, "-o", tmp_path / "all.profile.json.gz")
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "all_first.profile.json.gz", "all_second.profile.json.gz", "first.run.h5", "second.h5"]


def test_spool_files_are_exported_too(install, tmp_path):
    program = build(install, tmp_path, "sessions", SESSIONS)
    run([program], cwd=tmp_path, env=environment(SCOPE_SPOOL_DIR=tmp_path), check=False)
    spool, = tmp_path.rglob("*.spool")
    export(install, "speedscope", spool, "-o", tmp_path / "s.json")
    document = check_speedscope(strict(tmp_path / "s.json"))
    assert sum(e["type"] == "O" for p in document["profiles"] for e in p["events"]) >= 7


def test_what_cannot_be_exported(install, tmp_path):
    profile = write_profile(tmp_path / "a.h5")
    before = sorted(tmp_path.iterdir())
    bad = tmp_path / "bad.json"
    bad.write_text('{"format": "scope-profiler-profile", "format_version": 9}')
    for words, code, text in (
            (("json", profile, "-o", tmp_path / "no" / "x.json"), 1, "no such directory"),
            (("json", tmp_path / "none.h5", "-o", tmp_path / "x.json"), 1, "No such file"),
            (("json", bad, "-o", tmp_path / "x.json"), 1, "upgrade"),
            (("json", profile, "--rank=7", "-o", tmp_path / "x.json"), 1, "no such rank"),
            (("json", profile, "--rank=x", "-o", tmp_path / "x.json"), 2, "expected a list"),
            (("svg", profile, "-o", tmp_path / "x.svg"), 2, "no format 'svg'"),
            (("prof", profile, "--gzip", "-o", tmp_path / "x.prof"), 2, "compressed"),
            (("json", profile), 2, "-o OUT"), (("json", "-o", "x"), 2, "no files"),
            (("json", profile, "-o", profile), 2, "cannot be the output"),
            (("json", profile, "--max-calls=5", "-o", tmp_path / "x.json"), 2, "speedscope and chrome"),
            (("speedscope", profile, "--max-calls=-1", "-o", tmp_path / "x.json"), 2, "expected a number"),
            (("json", profile, "--indent=a", "-o", tmp_path / "x.json"), 2, "expected 0 to 16")):
        done = export(install, *words, check=False)
        assert done.returncode == code and text in done.stderr, (words, done.stderr)
    bad.unlink()
    assert sorted(tmp_path.iterdir()) == before


def test_a_full_disk_leaves_the_old_file(install, tmp_path):
    profile = write_profile(tmp_path / "a.h5", calls=20000)
    (tmp_path / "o.json").write_text("old")
    done = run(["sh", "-c", f"trap '' XFSZ; ulimit -f 8; {install.scope} export json {profile} -o {tmp_path}/o.json"],
               check=False)
    assert done.returncode == 1 and "space" in done.stderr
    assert (tmp_path / "o.json").read_text() == "old" and len(list(tmp_path.iterdir())) == 2
