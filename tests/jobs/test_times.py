"""The times in the file are the program's own times.

SPDX-License-Identifier: MIT
"""
import pytest


@pytest.mark.parametrize("clock, slack_ns", [("monotonic", 0), ("auto", 20_000)])
def test_calls_lie_between_the_programs_own_readings(build, place, clock, slack_ns):
    """With CLOCK_MONOTONIC exactly; a CPU counter is mapped to it between two fixed points."""
    result = place.run([build("times.c"), 300], SCOPE_CLOCK=clock)
    profile = place.profile()
    rows = profile.select("timed")
    brackets = [tuple(map(int, line.split())) for line in result.stdout.splitlines()]
    assert len(rows) == len(brackets) == 300
    for row, (before, began, ends, ended) in zip(rows, brackets):
        assert before - slack_ns <= profile.start[row] <= began + slack_ns
        assert ends - slack_ns <= profile.end[row] <= ended + slack_ns


def test_k34_without_a_usable_counter_the_clock_is_switched_silently(build, place):
    result = place.run([build("times.c"), 5], SCOPE_CLOCK="monotonic")
    assert result.stderr == ""
    profile = place.profile()
    everything = {**profile.metadata, **profile.scope}
    assert any("clock" in key and "monotonic" in str(value).lower() for key, value in everything.items()), \
        "the file says which clock it was"
