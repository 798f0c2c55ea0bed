"""Region names of every kind, and very many of them.

SPDX-License-Identifier: MIT
"""
from collections import Counter

import numpy as np
import pytest

from support.jobs import read_075
from support.profile import Profile, ours


def test_any_name_survives(build, place):
    result = place.run([build("names.c")])
    wanted = Counter({bytes.fromhex(line.split()[0]): int(line.split()[1])
                      for line in result.stdout.splitlines()})
    assert result.stderr == ""
    profile = place.profile()
    counts = Counter()
    for pair, region in enumerate(profile.index["region_ids"].tolist()):
        counts[profile.exact_names[region]] += int(profile.index["event_counts"][pair])
    assert counts == wanted
    assert len(set(profile.names)) == len(wanted), "each name in the table is told from the others"
    for name, exact in zip(profile.names, profile.exact_names):
        name.encode("utf-8")
        try:
            if b"\0" not in exact:
                assert name in (exact.decode("utf-8"), exact.decode("utf-8") + " (2)")
        except UnicodeDecodeError:
            assert "\\x" in name


def test_any_name_is_read_by_0_7_5(build, place):
    place.run([build("names.c")])
    result = read_075("import scope_profiler as s, sys\n"
                      f"r = s.read_h5({str(place.output)!r})\n"
                      "print(sum(len(v) and 1 for v in r.summary()))")
    if result is None:
        pytest.skip("scope-profiler 0.7.5 is not installed")
    assert int(result.stdout.split()[-1]) == len(Profile(place.output).names)


def test_names_in_the_tool(build, place, install):
    place.run([build("names.c")])
    for options in ([], ["--json"], ["--csv"], ["--lanes"]):
        result = place.run([install.scope, "inspect", *options, place.output])
        assert "plain" in result.stdout or "--lanes" in options


def test_more_regions_than_an_event_word_can_number(build, place):
    count = 2**20 + 5
    result = place.run([build("many_regions.c"), count], timeout=120)
    assert result.stderr == ""
    profile = Profile(place.output)
    assert len(profile.names) == count + 1
    assert profile.index["event_counts"].tolist() == [1] * (count + 1)
    numbers = {int(name.split()[1]) for name in profile.names if name != "outer"}
    assert len(numbers) == count
    outer = profile.select("outer")[0]
    assert (profile.start >= profile.start[outer]).all() and (profile.end <= profile.end[outer]).all()
    parents = profile.columns["parent_ids"]
    assert np.count_nonzero(parents == profile.columns["call_ids"][outer]) == count


def test_names_beyond_the_limit_become_other(build, place):
    result = place.run([build("many_regions.c"), 1000], SCOPE_MAX_NAMES=100)
    profile = place.profile()
    assert len(profile.names) <= 102
    assert sum(profile.counts().values()) == 1001
    assert profile.counts()["(other)"] >= 898
    assert len(ours(result.stderr)) <= 1
