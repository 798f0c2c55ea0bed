"""Metadata scopes: which calls get which values.

SPDX-License-Identifier: MIT
"""
import threading

import pytest

from support.runs import QUIET


def values(results, name):
    return [dict(one) for one in results[name][0].event_metadata]


def test_the_inner_scope_wins_and_only_calls_wholly_inside_count(sp):
    with sp.session(**QUIET) as run:
        with sp.metadata(outer=1, shared="outer"):
            with sp.region("a"):
                with sp.metadata(shared="inner"):
                    with sp.region("b"):
                        pass
        with sp.region("a"):
            with sp.metadata(late=1):
                pass
    assert values(run.results, "a") == [{"outer": 1, "shared": "outer"}, {}]
    assert values(run.results, "b") == [{"outer": 1, "shared": "inner"}]
    assert values(run.results, "scope_profiler.session") == [{}]


def test_without_a_scope_there_is_no_column(sp):
    with sp.session(output="m.h5", verbose=False, return_results=True) as run:
        with sp.region("a"):
            pass
    assert not any(run.results["a"][0].event_metadata)
    assert not any(sp.load("m.h5")["a"][0].event_metadata)


def test_objects_are_kept_in_memory_and_written_as_text(sp):
    import numpy as np

    thing = object()
    with sp.session(output="m.h5", verbose=False, return_results=True) as run:
        with sp.metadata(thing=thing, number=np.int64(3), list=np.arange(2)):
            with sp.region("a"):
                pass
    assert values(run.results, "a")[0]["thing"] is thing
    stored = values(sp.load("m.h5"), "a")[0]
    assert stored == {"thing": repr(thing), "number": 3, "list": [0, 1]}


def test_finalize_and_a_later_write_say_the_same_of_every_value(sp):
    import json

    import numpy as np

    class Mute:
        def __repr__(self):
            raise RuntimeError("no words")

    given = {"array": np.arange(3), "key": {("a", 1): 2}, "thing": object(), "mute": Mute()}
    for key, value in given.items():
        with sp.session(output="a.json", verbose=False, return_results=True) as run:
            with sp.metadata(**{key: value}):
                with sp.region("r"):
                    pass
        sp.write_profile(run.results, "b.json")
        sp.write_profile(sp.ProfilingResults({"r": run.results["r"]}), "c.json")
        written = [values(sp.load(name), "r") for name in ("a.json", "b.json", "c.json")]
        assert written[0] == written[1] == written[2]
        assert list(written[0][0]) == [key]
        assert key != "array" or written[0][0][key] == [0, 1, 2]
        json.dumps(written)


def test_values_that_json_has_no_form_for_are_written_as_their_repr(sp):
    ring = {}
    ring["self"] = ring
    with sp.session(output="m.h5", verbose=False):
        with sp.metadata(keys={(1, 2): 3}, ring=ring, nan=float("nan")):
            with sp.region("a"):
                pass
    stored = values(sp.load("m.h5"), "a")[0]
    assert stored["keys"] == "{(1, 2): 3}" and stored["ring"] == "{'self': {...}}"


def test_a_scope_holds_for_the_calls_of_other_threads(sp):
    def work():
        with sp.region("work"):
            pass

    with sp.session(track_threads=True, **QUIET) as run:
        with sp.metadata(step=1):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
        work()
    assert sorted(map(str, values(run.results, "work"))) == ["{'step': 1}", "{}"]


def test_scopes_that_overlap_without_nesting_are_told_apart(sp):
    first, second = sp.metadata(x=1, a=1), sp.metadata(x=2, b=2)
    with sp.session(**QUIET) as run:
        first.__enter__()
        with sp.region("r"):
            pass
        second.__enter__()
        with sp.region("r"):
            pass
        first.__exit__(None, None, None)
        with sp.region("r"):
            pass
        second.__exit__(None, None, None)
        with sp.region("r"):
            pass
    assert values(run.results, "r") == [{"x": 1, "a": 1}, {"x": 2, "a": 1, "b": 2},
                                        {"x": 2, "b": 2}, {}]  # fmt: skip


def test_a_scope_can_be_entered_again_and_inside_itself(sp):
    scope = sp.metadata(a=1)
    with sp.session(**QUIET) as run:
        with scope, scope, sp.region("r"):
            pass
        with scope, sp.region("r"):
            pass
    assert values(run.results, "r") == [{"a": 1}, {"a": 1}]


def test_many_scopes_are_joined_to_their_own_calls(sp):
    with sp.session(**QUIET) as run:
        region, other = sp.region("r"), sp.region("o")
        for step in range(5000):
            with sp.metadata(step=step):
                with region:
                    pass
            with other:
                pass
    assert [one.get("step") for one in values(run.results, "r")] == list(range(5000))
    assert not any(run.results["o"][0].event_metadata)


def test_after_a_written_finalize_only_later_calls_are_joined(sp):
    sp.setup(output="m.h5")
    with sp.metadata(part=1), sp.region("r"):
        pass
    with sp.metadata(part=2):
        sp.finalize(verbose=False)
        with sp.region("r"):
            pass
    later = sp.finalize(verbose=False, return_results=True)
    assert values(later, "r") == [{"part": 2}]
    assert len(sp.ProfileManager._engine.scopes) == 0


def test_a_decorated_function_gets_its_values_and_outcome(sp):
    @sp.profile("fixed", metadata={"k": 1}, record_outcome=True)
    def fixed(bad=False):
        if bad:
            raise KeyError("x")

    @sp.profile(metadata=lambda *args, **kwargs: {"given": len(args), **kwargs})
    def called(*args, **kwargs):
        return "value"

    @sp.profile(record_outcome=True)
    def outcome():
        pass

    with sp.session(**QUIET) as run:
        fixed()
        with pytest.raises(KeyError):
            fixed(bad=True)
        with sp.metadata(outer=1, k=0):
            fixed()
        assert called(1, 2, z=3) == "value"
        outcome()
    assert values(run.results, "fixed") == [
        {"k": 1, "status": "ok"},
        {"k": 1, "status": "error", "exception": "KeyError"},
        {"outer": 1, "k": 1, "status": "ok"},
    ]
    assert values(run.results, "called") == [{"given": 2, "z": 3}]
    assert values(run.results, "outcome") == [{"status": "ok"}]


def test_values_that_are_no_mapping_are_refused(sp):
    with pytest.raises(TypeError, match="metadata is a dict or a callable"):
        sp.profile("x", metadata=5)

    @sp.profile(metadata=lambda: 5)
    def wrong():
        pass

    with sp.session(**QUIET):
        with pytest.raises(TypeError, match="must return a mapping"):
            wrong()
    sp.reset()
    wrong()  # nothing is recorded: it is just called


def test_metadata_before_setup_does_nothing(sp):
    sp.ProfileManager.get_config()
    with sp.metadata(a=1), sp.region("r"):
        pass
    assert not sp.is_configured() and not sp.ProfileManager._engine.scopes


def test_any_name_can_be_a_value(sp):
    with sp.session(**QUIET) as run:
        with sp.metadata(cls=1, self=2, region_name=3), sp.region_factory("r")(self=4):
            pass
    assert values(run.results, "r") == [{"cls": 1, "self": 4, "region_name": 3}]


def test_a_region_that_cannot_be_entered_leaves_no_scope_behind(sp):
    from scope_profiler._scopes import Joined

    class Refuses:
        def __enter__(self):
            raise RuntimeError("not now")

    class Breaks:
        def __enter__(self):
            pass

        def __exit__(self, *what):
            raise RuntimeError("not now")

    with sp.session(**QUIET) as run:
        for region in (Refuses(), Breaks()):
            with pytest.raises(RuntimeError, match="not now"):
                with Joined(sp.metadata(x=1), region):
                    pass
        with sp.region("later"):
            pass
    assert values(run.results, "later") == [{}]
