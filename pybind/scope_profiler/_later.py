"""Names of modes that this version does not have: they exist, and say so when used."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


class PerfEventError(RuntimeError):
    """Hardware counters cannot be opened."""


def _refuse(name: str, what: str) -> NoReturn:
    raise NotImplementedError(f"{name}: this version of scope-profiler does not have {what}")


class CounterResults:
    """What results say of counters of other tools, which files of 0.7.5 may hold."""

    _likwid: dict[int, dict[str, Any]]
    _perf_events: dict[int, dict[str, Any]]
    _file_path: str

    @property
    def has_likwid(self) -> bool:
        return bool(self._likwid)

    @property
    def likwid_ranks(self) -> list[int]:
        return sorted(self._likwid)

    @property
    def has_perf_events(self) -> bool:
        return bool(self._perf_events)

    def get_likwid_regions(self, rank: int | None = None) -> dict[Any, Any]:
        return self._likwid if rank is None else self._likwid.get(rank, {})

    def get_likwid_region(self, tag: str, rank: int = 0) -> Any:
        regions = self.get_likwid_regions(rank)
        if tag not in regions:
            raise KeyError(f"no LIKWID region {tag!r} on rank {rank}; there are: {list(regions)}")
        return regions[tag]

    def likwid_to_dataframe(self) -> Any:
        """Raises ImportError without pandas, NotImplementedError where there is LIKWID data."""
        self._refuse_likwid()
        from ._frames import pandas_for

        return pandas_for("likwid_to_dataframe()").DataFrame()

    def print_likwid_summary(self, stream: Any = None) -> None:
        """Raises NotImplementedError where there is LIKWID data."""
        self._refuse_likwid()
        print(f"No LIKWID data in {self._file_path or '.'}", file=stream)

    def _refuse_likwid(self) -> None:
        if self._likwid:
            raise NotImplementedError("tables of LIKWID counters are not there yet")

    def get_perf_events(self, rank: int | None = None) -> dict[Any, Any]:
        return self._perf_events if rank is None else self._perf_events.get(rank, {})


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
