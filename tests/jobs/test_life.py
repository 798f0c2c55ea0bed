"""Events at every time of a process's life: only those of the run are recorded, none hurts.

SPDX-License-Identifier: MIT
"""
from collections import Counter

import pytest

from support.profile import IMPLIED, OPEN, Profile, ours


def test_k12_before_init_and_after_finalize_is_silent(build, place):
    result = place.run([build("life.c")])
    assert result.stderr == "" and result.stdout == "done\n"
    assert place.profile().counts() == Counter(recorded=4, macro=2)
    assert place.files() == ["run.h5"] and place.spools() == []


def test_without_finalize_atexit_handlers_are_recorded(build, place):
    """The file is written last of all, so even what destructors of the program do is in it."""
    result = place.run([build("life.c"), "exit"])
    assert result.stderr == "" and result.stdout == "done\n"
    counts = place.profile().counts()
    assert counts["recorded"] == 4
    assert counts["in atexit"] == 8 and counts["in destructor"] == 2
    assert counts["before init"] == counts["in constructor"] == 0


def test_static_objects_and_exceptions(build, place):
    result = place.run([build("static_object.cpp", ["-std=c++17"])])
    assert result.stdout == "done\n"
    profile = place.profile()
    assert profile.counts() == Counter({"block": 1, "throws": 3, "static in main": 1})
    assert profile.flags[profile.select("static in main")[0]] == OPEN
    assert not profile.flags[profile.select("throws")].any(), "a scope left by an exception is closed"


@pytest.mark.parametrize("mode", ["", "-DWITH_MPI"])
def test_k03_anything_after_the_end(build, place, openmpi, mode):
    """1000 times begin, thread, fork, flush, finalize after the end."""
    mpi = openmpi if mode else None
    program = build("after_end.c", ["-pthread", *([mode] if mode else [])], mpi=mpi)
    result = place.mpirun(mpi, 2, [program, 1000]) if mpi else place.run([program, 1000])
    assert result.stdout.split() == ["done"] * (2 if mpi else 1)
    assert ours(result.stderr) == []
    profile = place.profile()
    assert profile.own_counts() == Counter(recorded=2 if mpi else 1)
    assert place.files() == ["run.h5"] and place.spools() == []


def test_k03_anything_after_the_end_under_asan(build, place):
    program = build("after_end.c", ["-fsanitize=address", "-fno-omit-frame-pointer"])
    result = place.run([program, 1000], ASAN_OPTIONS="detect_leaks=0")
    assert result.stdout == "done\n" and result.stderr == ""
    assert place.profile().counts() == Counter(recorded=1)


def test_disabled_leaves_nothing(build, place):
    result = place.run([build("life.c")], SCOPE_ENABLE=0)
    assert result.stdout == "done\n" and result.stderr == ""
    assert place.files() == [] and place.spools() == []


def test_compiled_out_needs_no_library(build, place):
    result = place.run([build("life.c", ["-DSCOPE_DISABLE"], libs=())])
    assert result.stdout == "done\n" and place.files() == []


def test_program_that_records_nothing_leaves_nothing(place, install):
    for command in (["true"], ["sh", "-c", "uname >/dev/null; exit 0"]):
        place.run([install.scope, "run", *command], SCOPE_OUTPUT=None)
        assert place.files() == [] and place.spools() == []


def test_exit_code_is_the_programs(place, install):
    assert place.run([install.scope, "run", "sh", "-c", "exit 5"], check=False).returncode == 5
    assert place.run([install.scope, "run", "sh", "-c", "kill -9 $$"], check=False).returncode == -9


IDLE = ["scope: regions were called, but nothing started the profiler: call scope_init, link -lscope_mpi or use scope run"]


def test_verbose_says_when_nothing_started_the_profiler(build, place, install):
    """Once, and only where a session was never started though regions were called."""
    program = build("idle.c")
    for how in ("macro", "handle", "name"):
        assert ours(place.run([program, how], SCOPE_VERBOSE=1).stderr) == IDLE, how
        assert place.run([program, how]).stderr == ""
        assert place.run([program, how], SCOPE_VERBOSE=1, SCOPE_ENABLE=0).stderr == ""
    assert place.run([program], SCOPE_VERBOSE=1).stderr == "", "no region, nothing to say"
    for started in ([program, "init"], [program, "session"], [install.scope, "run", program, "macro"]):
        assert not set(IDLE) & set(ours(place.run(started, SCOPE_VERBOSE=1).stderr)), started


def test_deep_nesting(build, place):
    result = place.run([build("misuse.c"), "deep"])
    assert result.stderr == ""
    profile = place.profile()
    assert profile.counts()["recursive"] == 1000
    assert all(profile.counts()[f"level {i}"] == 1 for i in range(1000))
    ids, parents = profile.columns["call_ids"], profile.columns["parent_ids"]
    for i in range(1, 1000):
        child, parent = profile.select(f"level {i}")[0], profile.select(f"level {i - 1}")[0]
        assert parents[child] == ids[parent]


def test_k10_unmatched_end_hurts_nobody_else(build, place):
    result = place.run([build("misuse.c"), "unmatched"])
    profile = place.profile()
    assert profile.counts() == Counter({"before": 1, "after": 1, "other lane": 1, "later": 1})
    assert sum(profile.scope.get("misuse/orphans", [])) == 8
    lines = ours(result.stderr)
    assert len(lines) == 1 and "8" in lines[0], "said once, on one line"


def test_k11_early_return_becomes_an_implied_end(build, place):
    result = place.run([build("misuse.c"), "implied"])
    profile = place.profile()
    assert profile.counts() == Counter(A=4, forgotten=4, inner=4, next=1)
    forgotten, a = profile.select("forgotten"), profile.select("A")
    assert [int(f) for f in profile.flags[forgotten]] == [0, IMPLIED, 0, IMPLIED]
    assert profile.misuse("implied") == Counter(forgotten=2)
    for i in (1, 3):
        assert profile.end[forgotten[i]] == profile.end[a[i]], "a forgotten call ends with its parent"
    parents = profile.columns["parent_ids"]
    assert parents[profile.select("next")[0]] == -1, "what follows is nobody's child"
    assert len(ours(result.stderr)) == 1


def test_crossing_calls_keep_their_intervals(build, place):
    place.run([build("misuse.c"), "crossing"])
    profile = place.profile()
    assert profile.counts() == Counter(A=1, B=1, C=1, D=2)
    a, b = profile.select("A")[0], profile.select("B")[0]
    assert profile.start[a] <= profile.start[b] <= profile.end[a] <= profile.end[b]
    assert profile.misuse("crossed") == Counter(B=1)
    assert profile.misuse("implied") == Counter(D=1)


def test_open_calls_end_with_the_run(build, place):
    place.run([build("misuse.c"), "open"])
    profile = place.profile()
    assert profile.counts() == Counter(outer=1, inner=1, closed=1)
    for name in ("outer", "inner"):
        assert profile.flags[profile.select(name)[0]] == OPEN
    assert sorted(profile.names[i] for i in profile.scope["open_calls/region_ids"]) == ["inner", "outer"]
    assert profile.end[profile.select("outer")[0]] >= profile.end[profile.select("closed")[0]]


@pytest.mark.parametrize("threads", [1, 2])
def test_signal_handlers_that_record(build, place, threads):
    """Handlers on top of the hot path: exact counts, or loss that is counted."""
    result = place.run([build("storm.c"), 0.2, threads])
    made = {name: int(count) for name, count in (line.split() for line in result.stdout.splitlines())}
    profile = Profile(place.output)
    counts = profile.all_counts()
    assert made["handler"] > 100
    missing = sum(made.values()) - sum(counts[name] for name in made)
    assert all(counts[name] <= made[name] for name in made)
    assert missing <= profile.lost(), f"{made} {counts} lost {profile.lost()}"
    assert profile.lost() <= 2 * made["handler"], "the interrupted code loses nothing by it"
    if profile.lost() == 0:
        assert len(ours(result.stderr)) == 0


@pytest.mark.parametrize("how, code", [("exit", 7), ("flush", 0), ("finalize", 0)])
def test_the_smallest_stack_is_enough(build, place, how, code):
    result = place.run([build("small_stack.c"), how], check=False)
    assert (result.returncode, result.stderr) == (code, "")
    assert place.profile().counts()["small"] == 1 and place.spools() == []
