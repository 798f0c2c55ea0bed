"""Tags decide which regions record.

SPDX-License-Identifier: MIT
"""
import pytest


@pytest.fixture
def sp_tags(sp, monkeypatch):
    from scope_profiler import _engine

    monkeypatch.setattr(_engine, "OPT_IN_TAGS", set())
    monkeypatch.setattr("scope_profiler.manager.OPT_IN_TAGS", _engine.OPT_IN_TAGS)
    return sp


def recorded(sp, **settings):
    """Which regions record in a run with these settings."""
    sp.setup(output=None, **settings)
    for name, tags in (("slow", ["slow"]), ("both", ["fast", "slow"]), ("fast", "fast"),
                       ("plain", None)):  # fmt: skip
        with sp.region(name, tags=tags):
            pass
    names = sp.recorded_regions()
    sp.reset()
    return names


def test_region_tags_record_only_regions_that_have_one(sp_tags):
    assert recorded(sp_tags) == ("slow", "both", "fast", "plain")
    assert recorded(sp_tags, region_tags=["fast"]) == ("both", "fast")
    assert recorded(sp_tags, region_tags="fast") == ("both", "fast")
    assert recorded(sp_tags, region_tags=["slow", "fast"]) == ("slow", "both", "fast")
    assert recorded(sp_tags, region_tags=[]) == ()


def test_opt_in_tags_record_only_where_they_are_enabled(sp_tags, monkeypatch):
    sp_tags.register_opt_in_tag("slow")
    assert recorded(sp_tags) == ("fast", "plain")
    everything = ("slow", "both", "fast", "plain")
    assert recorded(sp_tags, enable_tags="slow") == everything
    assert recorded(sp_tags, enable_tags=["*"]) == everything
    assert recorded(sp_tags, enable_tags=["other"]) == ("fast", "plain")
    assert recorded(sp_tags, region_tags=["fast"]) == ("fast",)
    assert recorded(sp_tags, region_tags=["slow"]) == ("slow", "both")  # asked for by name
    monkeypatch.setenv("SCOPE_PROFILER_ENABLE_TAGS", "other, slow")
    assert recorded(sp_tags) == everything


def test_opt_in_tags_are_non_empty_strings(sp_tags):
    for wrong in (3, "", None):
        with pytest.raises(TypeError, match="opt-in tags must be non-empty strings"):
            sp_tags.register_opt_in_tag(wrong)


def test_decorated_functions_follow_the_tags_of_each_run(sp_tags):
    sp = sp_tags

    @sp.profile(tags=["slow"])
    def work():
        pass

    seen = []
    for tags in (["slow"], ["fast"], ["slow"]):
        with sp.session(
            output=None, verbose=False, return_results=True, enable_tags=tags
        ) as run:
            work()
        seen.append(run.results["work"].num_calls)
    sp.register_opt_in_tag("slow")
    with sp.session(output=None, verbose=False, return_results=True) as run:
        work()
    assert seen == [1, 1, 1] and "work" not in run.results


def test_tags_reach_results_and_files(sp_tags):
    sp = sp_tags
    with sp.session(output="t.h5", verbose=False, return_results=True) as run:
        with sp.region("a", tags=["x", "ü"]):
            pass
    assert run.results["a"].tags == sp.load("t.h5")["a"].tags == ("x", "ü")
