"""A region that is called without end for next to nothing: exact sums, and all else stays.

SPDX-License-Identifier: MIT
"""
import re

import pytest

from support.jobs import read_075, run
from support.profile import ours
from tools.programs import inspect_json

OUTERS = 1000


def sentence(place, folded):
    return (f"scope: {place.output}: {folded} calls folded into sums ({folded} of tiny_fn, "
            "too many and too short to keep each; SCOPE_THROTTLE=0 does)")


def check(place, result, outers, each):
    """Counts are exact, every call of outer is there, and time adds up."""
    profile = place.profile()
    tiny = outers * each
    assert profile.all_counts() == {"outer": outers, "tiny_fn": tiny}
    assert profile.counts()["outer"] == outers and profile.folded()["outer"] == 0
    assert profile.lost() == 0
    folded = profile.folded()["tiny_fn"]
    assert folded > tiny - 4_000_000 and folded > 0
    assert ours(result.stderr) == [sentence(place, folded)]
    regions = {r["name"]: r for r in inspect_json(place.install, run, place.output)["regions"]}
    assert regions["tiny_fn"]["num_calls"] == tiny and regions["tiny_fn"]["num_folded"] == folded
    assert regions["tiny_fn"]["num_kept"] == tiny - folded
    own = regions["outer"]["exclusive_duration"] + regions["tiny_fn"]["total_duration"]
    assert own == pytest.approx(regions["outer"]["total_duration"], rel=1e-6)
    return profile


def test_a_hundred_million_calls_leave_the_others_their_detail(build, place):
    result = place.run([build("tiny.c"), OUTERS, 100_000], timeout=300, SCOPE_MAX_BYTES="64M")
    check(place, result, OUTERS, 100_000)
    assert int(re.search(r"grew (-?\d+)", result.stdout)[1]) < 4096, "memory is flat"


def test_what_an_eighth_of_the_budget_holds_is_kept(build, place):
    result = place.run([build("tiny.c"), 100, 12_000], SCOPE_MAX_BYTES="1G")
    assert place.profile().counts() == {"outer": 100, "tiny_fn": 1_200_000} and not ours(result.stderr)


def test_075_reads_the_part_with_detail(build, place):
    place.run([build("tiny.c"), 100, 50_000], SCOPE_MAX_BYTES="64M")
    profile = place.profile()
    assert profile.all_counts() == {"outer": 100, "tiny_fn": 5_000_000}
    code = ("import scope_profiler as s\n"
            f"print({{r['name']: r['num_calls'] for r in s.read_h5({str(place.output)!r}).summary()}})")
    printed = read_075(code)
    if printed is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    assert eval(printed.stdout) == dict(profile.counts())


def test_a_file_in_the_middle_has_every_call_once(build, place):
    result = place.run([build("tiny.c"), OUTERS, 10_000, "flush"], timeout=300, SCOPE_MAX_BYTES="64M",
                       SCOPE_THROTTLE="100000:100000")
    profile = place.profile()
    assert profile.all_counts() == {"outer": OUTERS, "tiny_fn": OUTERS * 10_000}
    folded = profile.folded()
    assert folded["tiny_fn"] > 0, "by the throttle, until the first file, and by the budget"
    (line,) = ours(result.stderr)
    assert line.startswith(f"scope: {place.output}: {folded.total()} calls folded into sums")


@pytest.mark.long
def test_a_billion_calls(build, place):
    result = place.run([build("tiny.c"), OUTERS, 1_000_000], timeout=1800, SCOPE_MAX_BYTES="64M")
    check(place, result, OUTERS, 1_000_000)
    assert int(re.search(r"grew (-?\d+)", result.stdout)[1]) < 4096, "memory is flat"
