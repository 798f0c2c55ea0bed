"""Random operations of ranks x threads, recorded by libscope: replay equals a model.

SPDX-License-Identifier: MIT
"""
import json
import os
import struct
from pathlib import Path

import pytest

from analysis.model import CROSSED, IMPLIED, OPEN, Model, generate
from support.jobs import environment, run

ROOT = Path(__file__).resolve().parent.parent.parent
SLACK_NS = 3000  # a calibration point is two clock readings, one after the other


@pytest.fixture(scope="session")
def tools(install, tmp_path_factory):
    """The driver, linked with the install, and a replay built from these sources."""
    folder = tmp_path_factory.mktemp("tools")
    driver = install.compile(ROOT / "tests/analysis/operations.c", folder / "operations",
                             flags=["-pthread"])
    dump = folder / "replay_dump"
    sources = [*sorted((ROOT / "analysis/src").glob("*.c")),
               *(ROOT / "runtime/src" / name for name in ("decode.c", "lane.c", "proc.c"))]
    run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", f"-I{ROOT}/runtime/include",
         f"-I{ROOT}/analysis/include", ROOT / "tests/support/replay_dump.c", *sources, "-o", dump,
         "-lm", "-lz"], timeout=300)
    return driver, dump


def record(driver, dump, folder, operations, **options):
    """Run the operations; the table that their spool replays to, and the log."""
    script, log, spools = folder / "script", folder / "log", folder / "spool"
    script.write_text("".join(f"{t} {name} {n}\n" for t, name, n in operations))
    spools.mkdir(mode=0o700)
    result = run([driver, script, log], timeout=300, cwd=folder,
                 env=environment(SCOPE_SPOOL_DIR=spools, **options))
    assert result.stdout == ""
    (spool,) = spools.rglob("*.spool")
    table = json.loads(run([dump, spool]).stdout)
    times = list(struct.iter_unpack("<qq", log.read_bytes()))
    assert len(times) == len(operations)
    return table, times




def lane_of(task, thread):
    return ("task", task) if task >= 0 else ("thread", thread)


def check(table, times, model):
    names = table["regions"]
    task_of = {int(row["name"].split()[1]): row["index"] for row in table["tasks"]}
    expected, got = {}, {}
    for call in model.calls:
        lane = lane_of(task_of[call.task] if call.task >= 0 else -1, call.thread)
        expected.setdefault(lane, []).append(call)
    for row in table["calls"]:
        got.setdefault(lane_of(row["task"], row["thread"]), []).append(row)
    assert len(table["calls"]) == len(model.calls)
    assert sorted(map(len, got.values())) == sorted(map(len, expected.values()))
    thread_of = {}  # of the script: index in the file, where threads are in order of their start
    for lane, calls in expected.items():
        # a thread's lane is the one with its calls, which no other has: the times say it
        candidates = [lane] if lane[0] == "task" else [key for key in got if key[0] == "thread"]
        key = next((key for key in candidates if matches(got[key], calls, names, times)), None)
        assert key, (lane, [explain(got[key], calls, names) for key in candidates])
        if lane[0] == "thread":
            thread_of[lane[1]] = key[1]
        check_awaits(got[key], calls, model, times)
    for lane, calls in expected.items():  # calls of a task are on the thread that began them
        if lane[0] == "task":
            for row, call in in_order(got[lane], calls):
                assert row["thread"] == thread_of.get(call.thread, row["thread"])
    orphans = {names[m["region"]]: m["orphans"] for m in table["misuse"] if m["orphans"]}
    assert orphans == {f"r{region}": count for region, count in model.orphans.items()}
    for flag, name in ((IMPLIED, "implied"), (CROSSED, "crossed")):
        assert sum(m[name] for m in table["misuse"]) == sum(
            1 for call in model.calls if call.flags == flag)
    check_tasks(table, times, model, task_of)
    assert len(table["points"]) == len(model.marks)
    assert table["rank"]["dropped"] == 0 and table["rank"]["holes"] == 0


def in_order(rows, calls):
    """Rows of one lane in order of entry; calls that started in one ns as the model has them."""
    rows = sorted(rows, key=lambda row: row["start"])
    return zip(rows, sorted(calls, key=lambda call: call.begin))


def within(time, operation):
    return operation[0] - SLACK_NS <= time <= operation[1] + SLACK_NS


def matches(rows, calls, names, times):
    if len(rows) != len(calls):
        return False
    for row, call in in_order(rows, calls):
        if names[row["region"]] != f"r{call.region}" or row["flags"] != call.flags:
            return False
        if not within(row["start"], times[call.begin]):
            return False
        if call.end is not None and not within(row["start"] + row["duration"], times[call.end]):
            return False
    return True


def explain(rows, calls, names):
    return [(names[row["region"]], row["flags"], f"r{call.region}", call.flags)
            for row, call in in_order(rows, calls)
            if (names[row["region"]], row["flags"]) != (f"r{call.region}", call.flags)][:5]


def check_awaits(rows, calls, model, times):
    for row, call in in_order(rows, calls):
        if call.flags & OPEN:
            continue
        gaps = model.awaits(call)
        low = sum(times[resume][0] - times[suspend][1] for suspend, resume in gaps)
        high = sum(times[resume][1] - times[suspend][0] for suspend, resume in gaps)
        assert low - SLACK_NS <= row["await"] <= high + SLACK_NS


def check_tasks(table, times, model, task_of):
    assert len(table["tasks"]) == len(model.tasks)
    for number, task in model.tasks.items():
        row = table["tasks"][task_of[number]]
        assert row["name"] == f"task {number}"
        assert within(row["created"], times[task.new])
        assert row["steps"] == len(task.steps)
        assert (row["done"] >= 0) == (task.done is not None)
        if task.done is not None:
            low = sum(times[s[1]][0] - times[s[0]][1] for s in task.steps)
            high = sum(times[s[1]][1] - times[s[0]][0] for s in task.steps)
            assert low - SLACK_NS <= row["running"] <= high + SLACK_NS


@pytest.mark.parametrize("rank", range(4))
def test_replay_equals_the_model(rank, tools, tmp_path):
    """4 ranks x 4 threads; each rank is a process of its own."""
    seed = int(os.environ.get("SCOPE_TEST_SEED", "1")) * 100 + rank
    operations = generate(seed, threads=4, length=3000)
    table, times = record(*tools, tmp_path, operations)
    check(table, times, Model(operations))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 1030))
def test_many_seeds(seed, tools, tmp_path):
    operations = generate(seed, threads=1 + seed % 6, length=2000 + seed % 7 * 3000,
                          tasks=seed % 9, regions=2 + seed % 20)
    table, times = record(*tools, tmp_path, operations)
    check(table, times, Model(operations))


def bounds(calls, times):
    """Least and most that these calls can have lasted together."""
    closed = [call for call in calls if call.end is not None]
    low = sum(max(0, times[c.end][0] - times[c.begin][1] - SLACK_NS) for c in closed)
    high = sum(times[c.end][1] - times[c.begin][0] + SLACK_NS for c in closed)
    return low, high


@pytest.mark.parametrize("threads", [1, 3])
def test_folded_and_detailed_calls_are_the_model_together(threads, tools, tmp_path):
    """A budget that holds a small part: every call is a row or in the sums, once. (Where
    calls of a task that moves cross each other, fold may pair them in another way.)"""
    operations = generate(77, threads=threads, length=60000, tasks=3, begins=0.38, pinned=True)
    table, times = record(*tools, tmp_path, operations, SCOPE_MAX_BYTES="384K",
                          SCOPE_POLICY="fold")
    model = Model(operations)
    assert table["rank"]["folded"] > 5000
    names = table["regions"]
    for region in range(8):
        calls = [call for call in model.calls if call.region == region]
        rows = [row for row in table["calls"] if names[row["region"]] == f"r{region}"]
        sums = [row for row in table["sums"] if names[row["region"]] == f"r{region}"]
        assert len(rows) + sum(row["count"] for row in sums) == len(calls)
        low, high = bounds(calls, times)
        total = sum(row["duration"] for row in rows if not row["flags"] & OPEN)
        total += sum(row["total"] for row in sums)
        assert low <= total <= high
    assert sum(row["count"] for row in table["sums"]) == table["rank"]["folded"]
    misuse = {names[m["region"]]: m for m in table["misuse"]}
    for flag, name in ((IMPLIED, "implied"), (CROSSED, "crossed")):
        assert sum(m[name] for m in misuse.values()) == sum(
            1 for call in model.calls if call.flags == flag)
    assert {n: m["orphans"] for n, m in misuse.items() if m["orphans"]} == {
        f"r{region}": count for region, count in model.orphans.items()}
    by_name = {row["name"]: row for row in table["tasks"]}
    for number, task in model.tasks.items():
        row = by_name[f"task {number}"]
        assert row["steps"] == len(task.steps)
        assert (row["done"] >= 0) == (task.done is not None)
        assert within(row["created"], times[task.new])
