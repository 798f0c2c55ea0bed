"""scope inspect: what it prints is what is in the file.

SPDX-License-Identifier: MIT
"""
import csv
import io
import json
import os
import pty
import subprocess

import h5py
import numpy as np
import pytest

from support.jobs import environment, run
from tools.programs import REGIONS, THREADS, build, inspect_json, read_rows, write_profile


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return write_profile(tmp_path_factory.mktemp("profile") / "two.h5", ranks=3)


@pytest.fixture(scope="module")
def recorded(install, tmp_path_factory):
    """A file that the runtime wrote."""
    folder = tmp_path_factory.mktemp("recorded")
    program = build(install, folder, "regions", REGIONS)
    run([program], cwd=folder)
    return folder / "profiling_data.h5"


def inspect(install, *words, check=True, **extra):
    return run([install.scope, "inspect", *words], check=check, env=environment(**extra))


@pytest.mark.parametrize("which", ["profile", "recorded"])
def test_json_equals_numbers_from_the_columns(install, request, which):
    path = request.getfixturevalue(which)
    rows = read_rows(path)
    shown = inspect_json(install, run, path)
    names = list(dict.fromkeys(name for _, name in rows))
    assert len(shown["regions"]) == len(names)
    for region in shown["regions"]:
        parts = [v for (_, name), v in rows.items() if name == region["name"]]
        if not parts:
            continue
        every = np.concatenate(parts)
        assert region["num_calls"] == len(every)
        assert region["num_ranks"] == len(parts)
        assert region["total_duration"] == pytest.approx(every.sum() / 1e9, abs=1e-12)
        assert region["inclusive_duration"] == region["total_duration"]
        assert region["min_duration"] == pytest.approx(every.min() / 1e9, abs=1e-12)
        assert region["max_duration"] == pytest.approx(every.max() / 1e9, abs=1e-12)
        assert region["average_duration"] == pytest.approx(every.mean() / 1e9)
        assert region["std_duration"] == pytest.approx(every.std() / 1e9, abs=1e-15)
        for q in (50, 95, 99):
            assert region[f"p{q}"] == region[f"p{q}_duration"]
            assert region[f"p{q}"] == pytest.approx(np.percentile(every, q) / 1e9)
        totals = [part.sum() for part in parts]
        imbalance = max(totals) / np.mean(totals) if len(totals) > 1 else 0.0
        assert region["rank_imbalance"] == pytest.approx(imbalance)
        percent = 100 * (imbalance - 1) if imbalance else 0.0
        assert region["rank_imbalance_pct"] == region["imbalance"] == pytest.approx(percent)
    assert sum(r["share"] for r in shown["regions"]) == pytest.approx(1)


def test_keys_are_those_of_pythons_summary(install, profile):
    keys = ("name num_ranks num_calls total_duration inclusive_duration exclusive_duration average_duration "
            "min_duration max_duration first_duration last_duration std_duration p50_duration p95_duration "
            "p99_duration tags rank_imbalance rank_imbalance_pct p50 p95 p99 imbalance").split()
    for region in inspect_json(install, run, profile)["regions"]:
        assert set(keys) <= set(region)


def test_exclusive_times_add_up(install, recorded):
    shown = {r["name"]: r for r in inspect_json(install, run, recorded)["regions"]}
    assert shown["outer"]["num_calls"] == 3 and shown["inner"]["num_calls"] == 15
    inside = shown["outer"]["total_duration"] - shown["inner"]["total_duration"]
    assert shown["outer"]["exclusive_duration"] == pytest.approx(inside, abs=1e-9)


def test_ranks_and_regions_are_chosen(install, profile):
    rows = read_rows(profile)
    shown = inspect_json(install, run, profile, "--rank=1", "--region=solve")
    assert [r["name"] for r in shown["regions"]] == ["solve"]
    assert [r["rank"] for r in shown["ranks"]] == [1]
    assert shown["regions"][0]["num_calls"] == len(rows[1, "solve"])
    text = inspect(install, "-r", "0,2", "-g", "-solve", profile).stdout
    assert "Rank 0" in text and "Rank 1" not in text and "Rank 2" in text
    assert "other" in text and "solve" not in text


@pytest.mark.parametrize("rank", ["x", "1-", "-1", "2-1", "", "1,,2", "1;2"])
def test_a_wrong_list_of_ranks_is_refused(install, profile, rank):
    done = inspect(install, f"--rank={rank}", profile, check=False)
    assert done.returncode == 2 and "--rank" in done.stderr


def test_a_rank_that_is_not_there_shows_nothing(install, profile):
    assert inspect_json(install, run, profile, "--rank=77")["regions"] == []
    done = inspect(install, "--rank=77", profile)
    assert done.returncode == 0 and "no such rank: ranks are 0-2" in done.stdout


def test_without_mpi_calls_waits_say_what_records_them(install, profile):
    assert "no MPI calls in this profile: scope run, or -lscope_mpi" in inspect(install, "--waits", profile).stdout


def test_a_region_that_is_not_there_is_said(install, profile):
    for view in ([], ["--waits"], ["--comm"]):
        done = inspect(install, "--region=slove,x*", *view, profile)
        assert "no such region: none here passes --region=slove,x*" in done.stdout
    assert "no such region" not in inspect(install, "--region=slove,s*", profile).stdout


def test_sort_orders_rows(install, tmp_path):
    path = write_profile(tmp_path / "many.h5", ranks=1, names=("c", "a", "b"), calls=3)
    key = {"name": lambda r: r["name"], "calls": lambda r: -r["num_calls"],
           "total": lambda r: -r["total_duration"], "mean": lambda r: -r["average_duration"],
           "max": lambda r: -r["max_duration"], "min": lambda r: -r["min_duration"]}
    for word, by in key.items():
        shown = inspect_json(install, run, path, f"--sort={word}")["regions"]
        assert shown == sorted(shown, key=by), word
    assert [r["name"] for r in inspect_json(install, run, path)["regions"]] == ["c", "a", "b"]
    done = inspect(install, "--sort=beauty", path, check=False)
    assert done.returncode == 2 and "exclusive" in done.stderr


def test_csv_has_a_line_per_rank_and_region(install, profile):
    rows = read_rows(profile)
    lines = list(csv.DictReader(io.StringIO(inspect(install, "--csv", profile).stdout)))
    found = {(l["rank"], l["name"]): l for l in lines}
    assert len(lines) == len(found) == len(rows) + 2
    for (rank, name), durations in rows.items():
        line = found[str(rank), name]
        assert int(line["num_calls"]) == len(durations)
        assert float(line["total_duration"]) == pytest.approx(durations.sum() / 1e9, abs=1e-12)
    assert int(found["all", "solve"]["num_calls"]) == sum(len(d) for (_, n), d in rows.items() if n == "solve")
    lanes = list(csv.DictReader(io.StringIO(inspect(install, "--csv", "--lanes", profile).stdout)))
    assert {l["lane"] for l in lanes} == {"unknown lane"}


def test_tables_fit_80_columns_and_have_no_colour_in_a_pipe(install, profile, recorded, tmp_path):
    long = write_profile(tmp_path / "long.h5", ranks=2, names=("a_very_long_region_name_" * 6, "日本語" * 20, "x"))
    for path in (profile, recorded, long):
        text = inspect(install, "--lanes", path, COLUMNS=None, LC_ALL="C.UTF-8").stdout
        assert "\x1b" not in text and "%" in text
        for line in text.splitlines()[2:]:
            wide = sum(2 if ord(c) > 0x2e80 else 1 for c in line)
            assert wide <= 80, line
    assert "a_very_long_region_name_" * 6 in inspect(install, "--wide", long).stdout
    narrow = inspect(install, long, COLUMNS="60").stdout.splitlines()
    assert all(len(line) <= 80 for line in narrow)


def test_colour_on_a_terminal_only(install, profile):
    def on_terminal(**extra):
        leader, follower = pty.openpty()
        process = subprocess.Popen([install.scope, "inspect", profile], stdout=follower, stderr=follower,
                                   env=environment(TERM="xterm", **extra))
        os.close(follower)
        text = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        os.close(leader)
        assert process.wait(300) == 0
        return text
    assert b"\x1b[1m" in on_terminal()
    assert b"\x1b" not in on_terminal(NO_COLOR="1")
    assert "\x1b[1m" in inspect(install, "--colour=always", profile).stdout


def test_ascii_where_the_locale_is(install, profile):
    text = inspect(install, profile, LC_ALL="C").stdout
    assert text.isascii()
    assert "ns" in text


def test_names_of_any_bytes(install, recorded):
    text = inspect(install, recorded, LC_ALL="C.UTF-8").stdout
    assert r"odd \n name ä \xff" in text
    shown = inspect_json(install, run, recorded)
    assert "odd \n name ä \\xff" in [r["name"] for r in shown["regions"]]
    list(csv.reader(io.StringIO(inspect(install, "--csv", recorded).stdout), strict=True))


def test_a_long_table_is_cut_and_says_so(install, tmp_path):
    path = write_profile(tmp_path / "many.h5", ranks=1, names=[f"region{i}" for i in range(100)], calls=1)
    text = inspect(install, path).stdout
    assert "60 more regions" in text
    assert len(inspect(install, "--limit=0", path).stdout.splitlines()) > 100
    assert "97 more regions" in inspect(install, "-n3", path).stdout


def test_label_and_default_file(install, tmp_path):
    write_profile(tmp_path / "profiling_data.h5", label="the label")
    done = run([install.scope, "inspect"], cwd=tmp_path)
    assert done.stdout.startswith("the label")
    assert json.loads(run([install.scope, "inspect", "--json"], cwd=tmp_path).stdout)["label"] == "the label"


def test_several_files(install, profile, recorded):
    text = inspect(install, profile, recorded).stdout
    assert "two.h5" in text and "regions" in text
    done = inspect(install, profile, "/nonexistent.h5", check=False)
    assert done.returncode == 1 and "two.h5" in done.stdout


def test_what_is_no_profile_is_one_clear_line(install, tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("hello\n" * 100)
    whole = write_profile(tmp_path / "whole.h5").read_bytes()
    (tmp_path / "cut.h5").write_bytes(whole[:len(whole) // 2])
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["x"] = [1, 2, 3]
    os.mkfifo(tmp_path / "fifo")
    for name in ("missing", "empty", "text", "cut.h5", "other.h5", "fifo", "."):
        done = inspect(install, tmp_path / name, check=False)
        assert done.returncode == 1, name
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1 and str(tmp_path) in done.stderr, done.stderr


def test_flipped_bytes_never_crash(install, tmp_path):
    whole = bytearray(write_profile(tmp_path / "whole.h5").read_bytes())
    random = np.random.default_rng(5)
    for _ in range(60):
        broken = bytearray(whole)
        for at in random.integers(0, len(whole), 8):
            broken[at] ^= int(random.integers(1, 256))
        (tmp_path / "broken.h5").write_bytes(broken)
        done = inspect(install, tmp_path / "broken.h5", check=False)
        assert done.returncode in (0, 1), done.stderr


def test_no_calls_at_all(install, tmp_path):
    with h5py.File(write_profile(tmp_path / "none.h5"), "r+") as file:
        for name in list(file["rank_region_index"]):
            data = file["rank_region_index"][name]
            kind = data.dtype
            del file["rank_region_index"][name]
            file["rank_region_index"].create_dataset(name, shape=(0,), dtype=kind)
    assert "no calls" in inspect(install, tmp_path / "none.h5").stdout
    assert inspect_json(install, run, tmp_path / "none.h5")["regions"] == []


def test_of_many_ranks_the_extremes_are_shown(install, tmp_path):
    path = write_profile(tmp_path / "many.h5", ranks=40, names=("solve",))
    work = {rank: durations.sum() for (rank, _), durations in read_rows(path).items()}
    order = sorted(work, key=lambda rank: (-work[rank], rank))

    def shown(*words):
        lines = inspect(install, *words, path).stdout.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("Ranks"))
        rows = [line for line in lines[at + 2:] if line.lstrip()[:1].isdigit()]
        ranks = [int(line.split()[0]) for line in rows if "more rank" not in line]
        return lines[at], ranks, [line for line in rows if "more rank" in line]
    heading, ranks, more = shown()
    assert ranks == order[:16] + order[-16:]
    assert "16 slowest and 16 fastest of 40" in heading and "8 more ranks" in more[0]
    assert shown("-n5")[1] == order[:3] + order[-2:]
    assert shown("--limit=0") == ("Ranks", list(range(40)), [])


def test_threads_of_one_name_are_numbered(install, tmp_path):
    program = build(install, tmp_path, "heat", THREADS, flags=["-pthread"])
    run([program], cwd=tmp_path)
    path = tmp_path / "profiling_data.h5"
    threads = inspect_json(install, run, path)["threads"]
    assert [t["name"] for t in threads] == [threads[0]["name"]] + ["heat"] * 3
    unlike = threads[0]["name"] != "heat"
    expected = {threads[0]["name"], "heat", "heat #2", "heat #3"} | (set() if unlike else {"heat #4"})
    lines = csv.DictReader(io.StringIO(inspect(install, "--csv", "--lanes", path).stdout))
    assert {line["lane"] for line in lines} == expected
    text = inspect(install, "--lanes", path).stdout
    assert all(name in text for name in expected)


def test_an_early_end_is_no_kill(install, tmp_path):
    program = build(install, tmp_path, "early", THREADS, flags=["-pthread"])
    run([program, "3"], cwd=tmp_path, check=False, env=environment(SCOPE_SPOOL_DIR=tmp_path))
    spool, = tmp_path.glob("**/*.spool")
    text = inspect(install, spool).stdout
    assert "ended by _exit" in text and "killed" not in text
    found = inspect_json(install, run, spool)["warnings"]
    assert (found["ended_early_ranks"], found["unfinished_ranks"]) == (1, 0)


KILLED = r"""
#include <scope/scope.h>

#include <signal.h>

int main(void)
{
    scope_init(NULL);
    scope_region_begin_name("main");
    for (int i = 0; i < 5; i++) {
        const double until = i + 1;
        scope_region_begin_name("step");
        for (volatile int k = 0; k < 100000; k++)
            ;
        scope_region_end_name("step");
        scope_counter("residual", 1 / until);
    }
    scope_region_begin_name("step");
    return raise(SIGKILL);
}
"""


@pytest.fixture(scope="module")
def killed(install, tmp_path_factory):
    """A recovered file; the last event of the process was the begin of a call."""
    folder = tmp_path_factory.mktemp("killed")
    program = build(install, folder, "killed", KILLED)
    run([program], cwd=folder, check=False, env=environment(SCOPE_SPOOL_DIR=folder))
    run([install.scope, "recover", folder, "-o", folder / "killed.h5"], cwd=folder, env=environment())
    return folder / "killed.h5"


def test_calls_that_had_not_ended_are_named_and_in_no_mean(install, killed):
    text = inspect(install, killed, LC_ALL="C.UTF-8").stdout
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.split()[:1] in (["step"], ["main"])}
    shown = inspect_json(install, run, killed)
    step = next(r for r in shown["regions"] if r["name"] == "step")
    assert step["num_calls"] == 6 and step["num_open"] == 1 and step["min_duration"] == 0
    assert rows["step"][1] == "6" and rows["step"][4][0] != "0"
    assert rows["main"][-4:-2] == ["-", "-"]
    assert [call["name"] for call in shown["ranks"][0]["open_calls"]] == ["main", "step"]
    assert shown["ranks"][0]["open_calls"][1]["duration"] == 0
    note = next(line for line in text.splitlines() if "still open" in line)
    assert "2 calls" in note and "the innermost: step" in note and "is not known" in note


def test_each_rank_says_what_it_was_in(install, killed, tmp_path):
    path = tmp_path / "two.h5"
    run([install.scope, "merge", "--renumber", killed, killed, "-o", path])
    table = inspect(install, path).stdout.split("Ranks")[1]
    assert "open call" in table and sum("killed" in line and line.endswith("step +1") for line in table.splitlines()) == 2
    assert "step (rank 0), step (rank 1)" in inspect(install, path).stdout


def test_counters_are_shown(install, killed, profile):
    (counter,) = inspect_json(install, run, killed)["counters"]
    assert counter == {"name": "residual", "num_values": 5, "first": 1, "last": 0.2, "min": 0.2, "max": 1}
    text = inspect(install, killed).stdout
    assert text.split("Counters")[1].splitlines()[2].split() == ["residual", "5", "1", "0.2", "0.2", "1"]
    assert "Counters" not in inspect(install, profile).stdout and inspect_json(install, run, profile)["counters"] == []


# ---- what the recorder took ----

PAIR, INSIDE = "overhead_pair_ns", "overhead_inside_ns"
LONG_PAIR, LONG_INSIDE = "overhead_long_pair_ns", "overhead_long_inside_ns"


def costing(recorded, path, **figures):
    """The recorded file with other figures of what a call costs."""
    path.write_bytes(recorded.read_bytes())
    with h5py.File(path, "r+") as file:
        for name, value in figures.items():
            file["scope/ranks"][name][:] = value
    return path


def test_a_file_says_what_a_call_costs(install, recorded):
    with h5py.File(recorded) as file:
        pair, inside, long_pair, long_inside = (
            float(file["scope/ranks"][name][0]) for name in (PAIR, INSIDE, LONG_PAIR, LONG_INSIDE))
        assert "scope_overhead_pair_ns" not in file["metadata"].attrs
    assert 0 < inside <= pair and long_pair >= 0 and -pair <= long_inside <= pair
    rank = inspect_json(install, run, recorded)["ranks"][0]
    assert rank["overhead_per_call"] == pytest.approx(pair / 1e9)
    assert rank["overhead_inside_call"] == pytest.approx(inside / 1e9)


def test_corrected_times_are_those_of_the_columns(install, recorded, tmp_path):
    path = costing(recorded, tmp_path / "costing.h5", **{PAIR: 2000.0, INSIDE: 800.0, LONG_PAIR: 500.0, LONG_INSIDE: 0.0})
    shown = {r["name"]: r for r in inspect_json(install, run, path)["regions"]}
    outer, inner = shown["outer"], shown["inner"]  # of 1 ms and more: long calls
    near = {"abs": 2e-9}
    assert inner["overhead_duration"] == pytest.approx(15 * 500e-9, **near)
    assert inner["corrected_duration"] == pytest.approx(inner["total_duration"], **near)
    assert outer["overhead_duration"] == pytest.approx(3 * 500e-9, **near)
    assert outer["corrected_duration"] == pytest.approx(outer["total_duration"] - 15 * 500e-9, **near)
    assert outer["corrected_exclusive_duration"] == pytest.approx(
        max(0, outer["exclusive_duration"] - 15 * 500e-9), **near)
    lines = {line["name"]: line for line in csv.DictReader(io.StringIO(inspect(install, "--csv", path).stdout))
             if line["rank"] == "all"}
    for name in ("outer", "inner"):
        for key in ("overhead_duration", "corrected_duration", "corrected_exclusive_duration"):
            assert float(lines[name][key]) == pytest.approx(shown[name][key], **near)


def test_a_note_names_what_recording_changed_most(install, recorded, tmp_path):
    dear = costing(recorded, tmp_path / "dear.h5", **{PAIR: 5e8, INSIDE: 0.0, LONG_PAIR: 5e8, LONG_INSIDE: 0.0})
    text = inspect(install, dear).stdout
    note = next(line for line in text.splitlines() if "recording took" in line)
    assert "inner (15 calls of " in note and "outer (3 calls of " in note
    assert note.index("inner") < note.index("outer") and "--overhead" in note
    assert "net total" not in text
    cheap = costing(recorded, tmp_path / "cheap.h5", **{PAIR: 1.0, INSIDE: 0.5, LONG_PAIR: 1.0, LONG_INSIDE: 0.5})
    assert "recording took" not in inspect(install, cheap).stdout
    only = inspect(install, "--region=inner", dear).stdout
    assert "SCOPE_FILTER=-inner leaves it out" in only


def test_overhead_is_a_table_of_its_own(install, recorded, tmp_path):
    text = inspect(install, "--overhead", recorded).stdout
    assert "net total" in text and "overhead" in text and "share" not in text
    assert "in total" in text and "total - in total" in inspect(install, "--help").stdout
    assert all(len(line) <= 80 for line in text.splitlines() if "note:" not in line)
    unknown = costing(recorded, tmp_path / "unknown.h5", **{PAIR: 0.0})
    assert "does not say what its recorder took" in inspect(install, "-o", unknown).stdout
    assert inspect_json(install, run, unknown)["regions"][0]["overhead_duration"] is None
    assert inspect_json(install, run, unknown)["ranks"][0]["overhead_per_call"] is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 1e300, 5e-324])
def test_figures_that_cannot_be_are_none(install, recorded, tmp_path, value):
    for name in (PAIR, INSIDE, LONG_PAIR, LONG_INSIDE):
        path = costing(recorded, tmp_path / "odd.h5", **{name: value})
        for words in (["--json"], ["--csv"], ["-o"], []):
            done = inspect(install, *words, path)
            assert "nan" not in done.stdout.lower() and "inf" not in done.stdout.replace("info", "").lower()
        json.loads(inspect(install, "--json", path).stdout)


def test_a_file_of_others_has_no_overhead(install, profile):
    region = inspect_json(install, run, profile)["regions"][0]
    assert region["overhead_duration"] is None and region["corrected_duration"] is None
    assert "recording took" not in inspect(install, profile).stdout
