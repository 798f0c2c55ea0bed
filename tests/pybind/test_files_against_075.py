"""Files written by this package and by 0.7.5 say the same in both.

SPDX-License-Identifier: MIT
"""
import copy
import json
import sys

import pytest

import scope_profiler as sp
from support.profiles import HAS_075, PYTHON_075, describe, describe_here, differences, record

pytestmark = pytest.mark.skipif(not HAS_075, reason="scope-profiler 0.7.5 is not here")
KINDS = ("plain", "metadata", "threads", "async", "aggregate", "gzip", "chunked")
REWRITTEN = ("metadata", "async", "threads", "aggregate")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """{(by, kind, suffix): path}: recorded by us and by 0.7.5, and 0.7.5's rewritten by us."""
    folder = tmp_path_factory.mktemp("files")
    found = {}
    for by, python in (("ours", sys.executable), ("theirs", PYTHON_075)):
        (folder / by).mkdir()
        record(python, folder / by, KINDS)
        record(python, folder / by, REWRITTEN, ".json")
        found.update({(by, kind, ".h5"): folder / by / f"{kind}.h5" for kind in KINDS})
        found.update({(by, kind, ".json"): folder / by / f"{kind}.json" for kind in REWRITTEN})
    (folder / "rewritten").mkdir()
    for kind in KINDS:
        for suffix in (".h5", ".json", ".json.gz"):
            path = folder / "rewritten" / f"{kind}{suffix}"
            sp.write_profile(sp.load(found["theirs", kind, ".h5"]), path)
            found["rewritten", kind, suffix] = path
    return found


@pytest.fixture(scope="module")
def theirs(files):
    """What 0.7.5 says about each file."""
    return dict(zip(files, describe(PYTHON_075, *files.values())))


def comparable(description):
    """0.7.5 loses the sources of an aggregated run."""
    description = copy.deepcopy(description)
    for ranks in description["regions"].values():
        for region in ranks.values():
            if not region["starts"]:
                region["source"] = None
    return description


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", ["ours", "theirs"])
def test_a_file_says_the_same_in_both(files, theirs, by, kind):
    ours = describe_here(files[by, kind, ".h5"])
    assert ours["names"]
    assert not differences(comparable(ours), comparable(theirs[by, kind, ".h5"]))


@pytest.mark.parametrize("kind", REWRITTEN)
@pytest.mark.parametrize("by", ["ours", "theirs"])
def test_a_json_file_says_the_same_in_both(files, theirs, by, kind):
    assert not differences(describe_here(files[by, kind, ".json"]), theirs[by, kind, ".json"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suffix", [".h5", ".json", ".json.gz"])
def test_a_rewritten_file_keeps_everything(files, theirs, suffix, kind):
    first = theirs["theirs", kind, ".h5"]
    assert not differences(describe_here(files["rewritten", kind, suffix]), first)
    assert not differences(theirs["rewritten", kind, suffix], first)


def test_a_file_through_json_and_back_is_the_same(files, tmp_path):
    sp.write_profile(sp.load(files["ours", "async", ".h5"]), tmp_path / "b.json")
    sp.write_profile(sp.load(tmp_path / "b.json"), tmp_path / "c.h5")
    assert not differences(
        describe_here(tmp_path / "c.h5"), describe_here(files["ours", "async", ".h5"]))


# ---- random runs ----


def plain_runs(count):
    """Random results of several ranks and lanes that nest and in which each region is complete."""
    from support.describe_results import results_of
    from support.random_calls import call_set

    made = []
    for seed in range(1000):
        rows = call_set(seed)["regions"]
        complete = len({"thread_ids" in row for row in rows}) == 1
        numbered = all(row["source_file"] or row["source_lineno"] is None for row in rows)
        results = results_of(call_set(seed)) if complete and numbered else None
        try:
            if results is not None:
                results.summary()
                made.append(results)
        except sp.NestingError:
            pass
        if len(made) == count:
            return made
    raise AssertionError("too few call sets fit")


def without_ids(description):
    """What results have that were never in a file: no ids, little metadata. Which of two calls
    of the same interval is the outer one is settled when they are numbered."""
    description = copy.deepcopy(description)
    for key in ("metadata", "num_ranks", "call_graph", "stacks", "thread_summary"):
        del description[key]
    for ranks in description["regions"].values():
        for region in ranks.values():
            region["call_ids"] = region["parent_ids"] = region["exclusive_total"] = None
    for event in description["events"]:
        event.pop("call_id", None), event.pop("parent_id", None)
    return description


def test_random_runs_say_the_same_in_both_and_as_they_were(tmp_path):
    from support.describe_profile import describe_results

    runs = plain_runs(20)
    paths = []
    for number, run in enumerate(runs):
        for suffix in (".h5", ".json"):
            paths.append((run, sp.write_profile(run, tmp_path / f"{number}{suffix}")))
    found = describe(PYTHON_075, *[path for _, path in paths])
    for (run, path), theirs in zip(paths, found):
        ours = describe_here(path)
        if theirs["thread_summary"] == "IndexError":  # threads that have no calls
            theirs["thread_summary"] = ours["thread_summary"]
        assert not differences(ours, theirs)
        before = json.loads(json.dumps(describe_results(run), default=str))
        assert not differences(without_ids(ours), without_ids(before))
