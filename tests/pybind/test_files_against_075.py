"""Files written by this package and by 0.7.5 say the same in both.

SPDX-License-Identifier: MIT
"""
import copy
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
