"""The command line: what each command writes, prints and returns.

SPDX-License-Identifier: MIT
"""
import gzip
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from scope_profiler import cli
from scope_profiler.mpi_region import MPIRegion
from scope_profiler.profile_io import load, write_profile
from scope_profiler.region import Region
from scope_profiler.results import ProfilingResults

SCRIPT = """
import sys, helper
import scope_profiler as sp
print("arguments", sys.argv[1:], __name__)
with sp.region("outer", tags=["wanted"]):
    helper.work()
with sp.region("other"):
    pass
if "exit" in sys.argv: sys.exit(3)
if "message" in sys.argv: sys.exit("that went wrong")
if "raise" in sys.argv: raise ValueError("boom")
"""
HELPER = "def work():\n    return inner()\ndef inner():\n    return 1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "helper.py").write_text(HELPER)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*words):
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("SCOPE_PROFILER_")}
    return subprocess.run([sys.executable, "-m", "scope_profiler", *map(str, words)],
                          capture_output=True, text=True, timeout=300, env=environment)


def called(path):
    return {region.name: region.num_calls for region in load(path)}


def profile(path, label=None, **totals):
    """A profile whose regions take so many ms on each of the ranks."""
    at, regions = 0, {}
    for name, values in totals.items():
        ranks = {}
        for rank, total in enumerate(values if isinstance(values, (list, tuple)) else [values]):
            ranks[rank] = Region(np.array([at], np.int64), np.array([at + total * 10**6], np.int64))
        at += 10**9
        regions[name] = MPIRegion(name, ranks)
    write_profile(ProfilingResults(regions, {"label": label} if label else {}), path)
    return str(path)


# ---- run ----


def test_run_gives_the_script_its_arguments_and_writes_its_regions(folder):
    done = command("run", "-o", "run.h5", "script.py", "-x", "--label", "y")
    assert done.returncode == 0, done.stderr
    assert "arguments ['-x', '--label', 'y'] __main__" in done.stdout
    assert "outer" in done.stdout and "run.h5" in done.stdout  # the summary
    assert called("run.h5") == {"outer": 1, "other": 1}


def test_run_writes_the_default_file_and_is_quiet_if_told(folder):
    done = command("run", "-q", "script.py")
    assert done.stdout == "arguments [] __main__\n" and done.stderr == ""
    assert called("profiling_data.h5") == {"outer": 1, "other": 1}


@pytest.mark.parametrize("how, code, words", [
    ("exit", 3, ""), ("message", 1, "that went wrong\n"), ("raise", 1, "ValueError: boom\n")])
def test_run_ends_as_the_script_ends_and_writes_its_file(folder, how, code, words):
    done = command("run", "-q", "-o", "run.h5", "script.py", how)
    assert done.returncode == code and done.stderr.endswith(words)
    assert called("run.h5") == {"outer": 1, "other": 1}
    if how == "raise":  # as Python shows it, none of our own frames in it
        plain = subprocess.run([sys.executable, "script.py", how], capture_output=True, text=True,
                               timeout=300)
        assert done.stderr.count("File") == plain.stderr.count("File") == 1
        assert 'script.py", line 11' in done.stderr


def test_run_takes_what_stands_before_the_script_and_leaves_the_rest(folder):
    done = command("run", "-q", "-o", "run.json.gz", "--", "script.py", "-o", "b")
    assert "arguments ['-o', 'b']" in done.stdout
    assert json.loads(gzip.open("run.json.gz").read())["format"] == "scope-profiler-profile"
    assert not os.path.exists("b")


@pytest.mark.parametrize("options, expected", [
    (["--recursive"], {"script.py", "outer", "other", "__main__.<module>", "helper.<module>",
                       "helper.work", "helper.inner"}),
    (["--recursive", "--include", "*.w*"], {"script.py", "outer", "other", "helper.work"}),
    (["--recursive", "--exclude", "*.inner"], {"script.py", "outer", "other", "helper.work",
                                               "__main__.<module>", "helper.<module>"}),
    (["--entrypoint", "main"], None),
    (["--tag", "wanted"], {"outer"}),
    (["--tag", "no such"], set()),
])
def test_run_chooses_what_is_recorded(folder, options, expected):
    done = command("run", "-q", "-o", "run.h5", *options, "script.py")
    assert done.returncode == 0, done.stderr
    found = set(called("run.h5"))
    assert found == expected if expected is not None else "outer" in found


def test_run_waits_for_threads_and_records_them(folder):
    (folder / "late.py").write_text(
        "import threading, time\nimport scope_profiler as sp\n"
        "def work():\n    time.sleep(0.3)\n    with sp.region('late'): pass\n"
        "threading.Thread(target=work).start()\n")
    assert command("run", "-q", "-o", "run.h5", "late.py").returncode == 0
    assert called("run.h5") == {"late": 1}


@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver"])
def test_run_leaves_multiprocessing_in_the_script_alone(folder, how):
    (folder / "many.py").write_text(
        "import multiprocessing, sys\n"
        "def square(x): return x * x\n"
        "if __name__ == '__main__':\n"
        f"    with multiprocessing.get_context({how!r}).Pool(2) as pool:\n"
        "        print(pool.map(square, [1, 2, 3]))\n")
    done = command("run", "-q", "-o", "run.h5", "many.py")
    assert done.returncode == 0 and done.stdout == "[1, 4, 9]\n", done.stderr


@pytest.mark.parametrize("lines, own", [
    ("sp.finalize(verbose=False)", "run.h5"),
    ("sp.setup(file_path='own.h5', replace=True)\n"
     "with sp.region('mine'): pass\n"
     "sp.finalize(verbose=False)", "own.h5"),
    ("sp.finalize(verbose=False); sp.reset()", "run.h5")])
def test_run_keeps_a_file_that_the_script_wrote(folder, lines, own):
    (folder / "own.py").write_text(
        "import scope_profiler as sp\nwith sp.region('a'): pass\n" + lines + "\n")
    done = command("run", "-q", "-o", "run.h5", "own.py")
    assert done.returncode == 0, done.stderr
    assert called(own) == {"mine" if own == "own.h5" else "a": 1}


def test_run_writes_what_came_after_a_checkpoint_of_the_script(folder):
    (folder / "own.py").write_text(
        "import scope_profiler as sp\nwith sp.region('a'): pass\n"
        "sp.finalize(verbose=False)\nwith sp.region('b'): pass\n")
    assert command("run", "-q", "-o", "run.h5", "own.py").returncode == 0
    assert called("run.h5") == {"b": 1}


def test_run_all_records_other_peoples_functions_too(folder):
    command("run", "-q", "-o", "run.h5", "--all", "script.py")
    assert any(name.startswith("importlib.") for name in called("run.h5"))


def test_run_aggregates_and_labels(folder):
    done = command("run", "-q", "-o", "run.h5", "--aggregation-mode", "--label", "night",
                   "--buffer-limit", "16", "script.py")
    assert done.returncode == 0, done.stderr
    made = load("run.h5")
    assert made.label == "night" and made["outer"].num_calls == 1 and made.events() == []


def test_run_takes_settings_from_a_file(folder):
    (folder / "profile.toml").write_text('[profiling]\nlabel = "night"\nrecursive_profile = true\n')
    done = command("run", "-q", "--config", "profile.toml", "-o", "a.h5", "script.py")
    assert done.returncode == 0, done.stderr
    assert load("a.h5").label == "night" and "helper.work" in load("a.h5")
    command("run", "-q", "--config", "profile.toml", "--no-recursive", "-o", "b.h5", "script.py")
    assert "helper.work" not in load("b.h5")


def test_run_without_output_writes_nothing(folder):
    done = command("run", "--no-output", "script.py")
    assert done.returncode == 0 and "outer" in done.stdout
    assert sorted(os.listdir()) in (["helper.py", "script.py"],
                                    ["__pycache__", "helper.py", "script.py"])


@pytest.mark.parametrize("words, code, told", [
    (["nope.py"], 1, "nope.py"),
    (["-o", "no/such.h5", "script.py"], 1, "there is no folder"),
    (["--config", "nope.toml", "script.py"], 1, "nope.toml"),
    (["--line-profile", "script.py"], 2, "line"),
    (["--memory-profile", "script.py"], 2, "mem"),
    (["-o", "report.html", "script.py"], 2, "HTML"),
    (["-o", "a.h5", "--no-output", "script.py"], 2, "not allowed"),
    (["--buffer-limit", "x", "script.py"], 2, "invalid int"),
    ([], 2, "required"),
])
def test_run_says_what_it_cannot_do_before_the_script_starts(folder, words, code, told):
    done = command("run", *words)
    assert done.returncode == code and told in done.stderr
    assert "arguments" not in done.stdout and "Traceback" not in done.stderr


# ---- the others, in this process ----


def test_without_a_command_there_is_help(capsys):
    assert cli.main([]) == 1
    assert "import-native" in capsys.readouterr().out


@pytest.mark.parametrize("words, code", [
    (["--version"], 0), (["--help"], 0), (["nope"], 2), (["run", "--help"], 0),
    (["inspect"], 2), (["export"], 2), (["export", "nope", "x"], 2), (["diff", "a"], 2),
    (["inspect", "x.h5", "--columns", "nope"], 2)])
def test_wrong_words_end_with_argparses_codes(words, code, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    assert (end.value.code or 0) == code


@pytest.mark.parametrize("words", [
    ["plot", "default", "x.h5"], ["report", "x.h5"], ["catalogue"], ["site"], ["tui"],
    ["line-profile", "x"], ["benchmark", "run"], ["native-lines"],
    ["export", "flamegraph", "x.h5"], ["export", "plot-data", "x.h5"]])
def test_commands_of_later_versions_say_so_in_one_sentence(words, capsys):
    assert cli.main(words) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and "does not have" in told.err


def test_inspect_prints_metadata_and_regions(tmp_path, capsys):
    path = profile(tmp_path / "a.h5", "night", solve=[5, 7], read=3)
    assert cli.main(["inspect", path]) == 0
    told = capsys.readouterr().out
    assert "label" in told and "night" in told and "solve" in told and "2 rank(s)" in told
    assert cli.main(["inspect", path, "--metadata-only"]) == 0
    assert "solve" not in capsys.readouterr().out
    assert cli.main(["inspect", path, "--regions-only", "--include", "so", "--ranks", "1",
                     "--columns", "region", "total", "--sort", "total"]) == 0
    told = capsys.readouterr().out
    assert "night" not in told and "0.007000" in told and "read" not in told


def test_inspect_writes_metadata_as_json(tmp_path, capsys):
    paths = [profile(tmp_path / f"{n}.h5", n, solve=5) for n in "ab"]
    out = tmp_path / "metadata.json"
    assert cli.main(["inspect", "-q", str(tmp_path / "*.h5"), "--export-metadata", str(out)]) == 0
    assert capsys.readouterr().out == ""
    files = json.loads(out.read_text())["files"]
    assert [file["metadata"]["label"] for file in files] == ["a", "b"]
    assert [file["file_path"] for file in files] == paths


def test_inspect_prints_stored_source(tmp_path, capsys):
    region = Region(np.array([0]), np.array([5]), source_file="s.py", source_lineno=7,
                    source_text="with region('a'):\n    pass")
    path = tmp_path / "a.h5"
    write_profile(ProfilingResults({"a": MPIRegion("a", {0: region})}), path)
    assert cli.main(["inspect", str(path), "--source", "a"]) == 0
    told = capsys.readouterr().out
    assert "s.py:7" in told and "  with region('a'):" in told
    assert cli.main(["inspect", str(path), "--source", "nope"]) == 2
    assert "nope" in capsys.readouterr().err


@pytest.mark.parametrize("words", [
    ["inspect", "{bad}"], ["diff", "{good}", "{bad}"], ["check", "{bad}", "{good}"],
    ["check", "nope.h5", "{good}"], ["inspect", "{good}", "--ranks", "x"],
    ["inspect", "{good}", "--include", "("], ["export", "json", "{bad}", "-o", "out"],
    ["export", "speedscope", "{good}", "-o", "out", "--include", "nothing"],
    ["export", "prof", "{good}", "-o", "out", "--ranks", "9"],
    ["import-native", "nope", "-o", "x.h5"]])
def test_files_and_filters_that_will_not_do_give_a_sentence_and_2(tmp_path, words, capsys,
                                                                  monkeypatch):
    monkeypatch.chdir(tmp_path)
    bad = tmp_path / "bad.h5"
    bad.write_bytes(b"\x89HDF\r\n\x1a\nnot really")
    good = profile(tmp_path / "good.h5", solve=5)
    assert cli.main([word.format(bad=bad, good=good) for word in words]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"scope-profiler {words[0]}") and "Traceback" not in told


@pytest.mark.parametrize("kind, name", [
    ("speedscope", "profile.speedscope.json"), ("chrome-trace", "profile.trace.json"),
    ("prof", "profile_rank0.prof"), ("json", "profile.json")])
def test_export_writes_into_a_folder(tmp_path, kind, name, capsys):
    path = profile(tmp_path / "a.h5", solve=5, read=3)
    assert cli.main(["export", kind, path, "-o", str(tmp_path / "deep" / "out")]) == 0
    assert os.listdir(tmp_path / "deep" / "out") == [name]
    assert str(tmp_path / "deep" / "out" / name) in capsys.readouterr().out


def test_export_of_several_files_takes_labels_and_options(tmp_path, capsys):
    paths = [profile(tmp_path / f"{n}.h5", solve=5, read=3) for n in "ab"]
    out = tmp_path / "out"
    assert cli.main(["export", "json", *paths, "-o", str(out), "--gzip", "--label", "one",
                     "--label", "two", "--include", "so"]) == 0
    assert sorted(os.listdir(out)) == ["profile_one.json.gz", "profile_two.json.gz"]
    assert load(out / "profile_one.json.gz").region_names == ["solve"]
    with pytest.raises(SystemExit):
        cli.main(["export", "json", *paths, "-o", str(out), "--label", "one"])


def test_diff_lists_the_largest_difference_first(tmp_path, capsys):
    a = profile(tmp_path / "a.h5", solve=10, read=100, gone=1)
    b = profile(tmp_path / "b.h5", solve=15, read=101, new=2)
    assert cli.main(["diff", a, b]) == 0
    told = capsys.readouterr().out
    order = [told.index(name + " ") for name in ("solve", "read", "gone")]
    assert order == sorted(order)
    assert "+50%" in told and "Only in a: gone" in told and "Only in b: new" in told
    assert cli.main(["diff", a, b, "--threshold", "5", "--sort", "name"]) == 0
    assert "read" not in capsys.readouterr().out
    assert cli.main(["diff", a, b, "--metric", "calls", "--include", "solve"]) == 0
    assert "calls (a)" in capsys.readouterr().out


def test_check_fails_beyond_the_budget_only(tmp_path, capsys):
    a = profile(tmp_path / "a.h5", solve=10, read=100)
    b = profile(tmp_path / "b.h5", solve=11, read=90, new=2)
    assert cli.main(["check", a, a]) == 0
    assert "PASS" in capsys.readouterr().out
    assert cli.main(["check", a, b]) == 1
    told = capsys.readouterr().out
    assert "FAIL" in told and "Budget violations: solve" in told
    assert cli.main(["check", a, b, "--max-regression", "10.5"]) == 0
    assert cli.main(["check", a, b, "--max-regression", "10.5", "--fail-on-new"]) == 1
    assert cli.main(["check", a, b, "--exclude", "solve"]) == 0
    assert cli.main(["check", b, a]) == 1  # read grew


def test_ranks_restrict_a_check(tmp_path):
    a = profile(tmp_path / "a.h5", solve=[10, 10])
    b = profile(tmp_path / "b.h5", solve=[10, 20])
    assert cli.main(["check", a, b]) == 1
    assert cli.main(["check", a, b, "--ranks", "0"]) == 0


def test_native_files_become_one_profile(tmp_path, capsys):
    for rank in (0, 1):
        region = Region(np.array([0, 50]), np.array([10, 60 + rank]))
        write_profile(ProfilingResults({"c": MPIRegion("c", {rank: region})}),
                      tmp_path / f"job_rank{rank:05d}.h5")
    out = str(tmp_path / "joined.h5")
    assert cli.main(["import-native", str(tmp_path), "-o", out]) == 0
    assert "c (4x)" in capsys.readouterr().out
    made = load(out)
    assert made["c"].ranks == [0, 1] and made.label == "joined"
    python = profile(tmp_path / "python.h5", "py", solve=5)
    assert cli.main(["import-native", "-q", str(tmp_path), "-o", out, "--merge", python,
                     "--label", "both"]) == 0
    assert capsys.readouterr().out == ""
    assert load(out).label == "both" and set(load(out).region_names) == {"solve", "c"}


def test_a_closed_pipe_is_no_traceback(tmp_path):
    path = profile(tmp_path / "a.h5", **{f"r{i}": 1 for i in range(3000)})
    done = subprocess.run(f"{sys.executable} -m scope_profiler inspect {path} | head -1",
                          shell=True, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
