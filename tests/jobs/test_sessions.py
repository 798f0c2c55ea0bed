"""Pause, flush, sessions side by side, one recording after the other.

SPDX-License-Identifier: MIT
"""
from collections import Counter

from support.profile import Profile


def test_paused_calls_are_not_recorded(build, place):
    result = place.run([build("sessions.c"), "pause"])
    assert result.stderr == "", "an end whose begin fell into a pause is no orphan"
    profile = place.profile()
    assert profile.counts() == Counter({"before": 3, "spans": 1, "after": 4, "ends while paused": 1, "last": 2})
    assert not profile.flags.any()
    spans, after = profile.select("spans")[0], profile.select("after")
    assert profile.start[spans] <= profile.start[after].min() <= profile.end[after].max() <= profile.end[spans]


def test_flush_writes_what_is_there_and_the_end_holds_all(build, place):
    result = place.run([build("sessions.c"), "flush"], FLUSHED=place.output)
    assert result.stderr == ""
    middle = Profile(place.folder / "run.h5.copy").check().counts()
    assert middle["before flush"] == 100 and middle["in thread"] == 50 and middle["after flush"] == 0
    assert place.profile().counts() == Counter(
        {"before flush": 100, "open at flush": 1, "in thread": 50, "after flush": 200, "after second": 10})
    assert place.files() == ["run.h5", "run.h5.copy"] and place.spools() == []


def test_two_explicit_sessions_beside_the_process(build, place):
    result = place.run([build("sessions.c"), "explicit", place.folder / "one.h5", place.folder / "two.h5"])
    assert result.stderr == ""
    assert place.profile().counts() == Counter(process=3000)
    assert place.profile("one.h5").counts() == Counter(both=3000)
    assert place.profile("two.h5").counts() == Counter({"both": 3000, "only two": 3000, "after one": 1})
    assert place.spools() == []


def test_init_after_finalize_opens_a_new_recording(build, place):
    result = place.run([build("sessions.c"), "again", place.folder / "one.h5", place.folder / "two.h5"])
    assert result.stderr == ""
    one, two = place.profile("one.h5"), place.profile("two.h5")
    assert one.counts() == Counter({"kept handle": 10, "first": 7, "in thread": 50})
    assert two.counts() == Counter({"kept handle": 20, "second": 7, "in thread": 50})
    assert len(one.threads) == len(two.threads) == 2
    assert one.end.max() <= two.start_time_ns
    assert place.spools() == []


def test_filter_leaves_regions_out(build, place):
    result = place.run([build("sessions.c"), "explicit", place.folder / "one.h5", place.folder / "two.h5"],
                       SCOPE_FILTER="-both")
    assert result.stderr == ""
    assert place.profile("two.h5").counts() == Counter({"only two": 3000, "after one": 1})


def test_empty_output_name_writes_no_file(build, place):
    result = place.run([build("sessions.c"), "pause"], SCOPE_OUTPUT="")
    assert result.stderr == "" and place.files() == [] and place.spools() == []


def test_letters_in_the_output_name(build, place):
    place.run([build("sessions.c"), "pause"], SCOPE_OUTPUT="out-%x-%5r-%n-%%.h5")
    names = place.files()
    assert len(names) == 1 and names[0].endswith("-00000-1-%.h5") and "sessions" in names[0]


def test_unknown_variable_is_said_once(build, place):
    result = place.run([build("sessions.c"), "pause"], SCOPE_OUTPTU="x", SCOPE_FLITER="y", SCOPE_ROOT="/x",
                       SCOPE_PROFILER_X="1")
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and "SCOPE_OUTPTU" in lines[0] and "SCOPE_FLITER" in lines[0]
    assert "SCOPE_ROOT" not in lines[0]


def test_a_value_that_cannot_be_used_is_said_and_the_default_taken(build, place):
    result = place.run([build("exits.c"), "return"], SCOPE_MAX_BYTES="much", SCOPE_POLICY="maybe")
    for name in ("SCOPE_MAX_BYTES", "SCOPE_POLICY"):
        assert len([line for line in result.stderr.splitlines() if name in line]) == 1
    assert place.profile().counts()["work"] == 20000
    assert place.run([build("sessions.c"), "pause"], check=False, SCOPE_MAX_BYTES="much").returncode == 2, \
        "scope_init says so too"


def test_a_later_recording_of_one_name_gets_another(build, place):
    name = place.folder / "one.h5"
    result = place.run([build("sessions.c"), "again", name, name])
    assert result.stderr == ""
    assert place.profile("one.h5").counts()["first"] == 7
    assert place.profile("one.2.h5").counts()["second"] == 7
    assert place.spools() == []
