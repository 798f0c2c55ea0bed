"""Results that a run gives.

SPDX-License-Identifier: MIT
"""
import pytest

from scope_profiler.errors import NestingError
from support.overlap import overlap


def test_threads_that_overlap_without_tracking(sp, capsys):
    with pytest.warns(RuntimeWarning, match="call graph not recorded"):
        with sp.session(file_path="run.h5", return_results=True, verbose=False) as run:
            overlap(sp.region, 0.05)
    for made in (run.results, sp.load("run.h5")):
        assert made["a"][0].call_ids is None and made.threads == {}
        assert made["a"].total_duration >= 0.05
        for question in (made.call_graph, made.summary, lambda: made["a"].exclusive_duration):
            with pytest.raises(NestingError):
                question()
        made.print_summary(columns=["region", "total"])
        assert "(own)" not in capsys.readouterr().out


@pytest.mark.parametrize("tracking", [{}, {"track_threads": True}, {"track_async": True}])
def test_sums_per_lane_of_a_run(sp, tracking):
    import threading

    def solve():
        with sp.region("solve"):
            pass

    with sp.session(file_path="run.h5", aggregation_mode="per_lane", return_results=True,
                    verbose=False, **tracking) as run:
        thread = threading.Thread(target=solve)
        thread.start()
        thread.join()
        solve()
    for made in (run.results, sp.load("run.h5")):
        one = made["solve"][0]
        assert one.num_calls == 2 and made.events() == []
        assert one.threads == ([0, 1] if tracking else [])
        assert [one.for_thread(i).num_calls for i in one.threads] == [1] * len(one.threads)
        assert [row["num_calls"] for row in made.thread_summary()] == (
            [2, 1] if tracking else [])


def test_overhead_is_told_beside_the_times_as_recorded(sp, tmp_path):
    sp.ProfileManager.setup(file_path=str(tmp_path / "out.h5"))
    with sp.region("outer"):
        for _ in range(50):
            with sp.region("inner"):
                pass
    live = sp.ProfileManager.finalize(verbose=False, return_results=True)
    for made in (live, sp.read_h5(tmp_path / "out.h5")):
        rows = {row["name"]: row for row in made.overhead()}
        assert rows["inner"]["num_calls"] == 50 and rows["inner"]["overhead_duration"] > 0
        outer = rows["outer"]
        assert outer["total_duration"] == pytest.approx(made["outer"][0].durations.sum())
        assert 0 <= outer["corrected_exclusive_duration"] <= outer["corrected_duration"]
        assert [row["name"] for row in made.overhead(include="inn")] == ["inner"]
        assert made.overhead(include="outer") == [outer]  # what is inside counts, chosen or not
        assert not any("overhead" in key for row in made.summary() for key in row)
        assert not any("overhead" in key for key in made.metadata)
