"""Names of modes that this version does not have: they exist, and say so when used."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class PerfEventError(RuntimeError):
    """Hardware counters cannot be opened."""


def _refuse(name: str, what: str) -> NoReturn:
    raise NotImplementedError(f"{name}: this version of scope-profiler does not have {what}")


def _function(name: str, what: str) -> Any:
    def later(*args: Any, **kwargs: Any) -> NoReturn:
        _refuse(name, what)

    later.__name__ = later.__qualname__ = name
    later.__doc__ = f"Of {what}, which this version does not have: NotImplementedError."
    return later


class LikwidRegionResult:
    """Of LIKWID counters, which this version does not have."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse("LikwidRegionResult", "LIKWID counters")


class PerfEventTotals:
    """Of perf events, which this version does not have."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _refuse("PerfEventTotals", "hardware counters through perf events")


collect_roofline_points = _function("collect_roofline_points", "roofline plots")
create_html_report = _function("create_html_report", "the HTML report")
export_flamegraph_svg = _function("export_flamegraph_svg", "the SVG flame graph")
for _name in (
    "duration_timeseries", "durations", "flame", "flame_chart", "flame_graph", "gantt",
    "perf_events", "rank_heatmap", "roofline", "scaling_efficiency", "speedup", "weak_scaling",
    "weak_scaling_efficiency",
):  # fmt: skip
    globals()[f"plot_{_name}"] = _function(f"plot_{_name}", "plots")
del _name
