"""One region over all ranks that have it, and its pooled statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ._columns import (
    NOTHING,
    NS_PER_SECOND,
    SUMMARIZED,
    check_percentile,
    derived,
    percentile_seconds,
)
from ._region import Region

__all__ = ["MPIRegion", "NS_PER_SECOND", "Region"]


def selected_ranks(ranks: Any) -> set[int] | None:
    """One rank or several as a set; None: all."""
    if ranks is None:
        return None
    return {int(rank) for rank in ([ranks] if np.ndim(ranks) == 0 else ranks)}


class MPIRegion:
    """A region by rank. `color` is free for whoever draws it; None at first."""

    def __init__(self, name: str, regions: dict[int, Region]) -> None:
        self._name = name
        self._regions = regions
        self.color: Any = None

    name: str = derived(lambda self: self._name)
    regions: dict[int, Region] = derived(lambda self: self._regions)

    @property
    def ranks(self) -> list[int]:
        return sorted(self._regions)

    def __getitem__(self, rank: int) -> Region:
        try:
            return self._regions[rank]
        except KeyError:
            raise KeyError(
                f"region {self._name!r} is not on rank {rank}; it is on {self.ranks}"
            ) from None

    def __contains__(self, rank: object) -> bool:
        return rank in self._regions

    def __iter__(self) -> Iterator[int]:
        return iter(self.ranks)

    def __len__(self) -> int:
        return len(self._regions)

    def _each(self) -> list[Region]:
        if len(self._regions) == 1:
            return [*self._regions.values()]
        return [self._regions[rank] for rank in self.ranks]

    def _with_calls(self) -> list[Region]:
        return [region for region in self._each() if region.num_calls]

    # ---- per rank ----

    def num_calls_per_rank(self) -> dict[int, int]:
        return {rank: region.num_calls for rank, region in self._regions.items()}

    def total_durations(self) -> dict[int, float]:
        return {rank: region.total_duration for rank, region in self._regions.items()}

    def average_durations(self) -> dict[int, float]:
        return {rank: region.average_duration for rank, region in self._regions.items()}

    def min_durations(self) -> dict[int, float]:
        return {rank: region.min_duration for rank, region in self._regions.items()}

    def max_durations(self) -> dict[int, float]:
        return {rank: region.max_duration for rank, region in self._regions.items()}

    # ---- pooled over ranks: rank after rank, seconds ----

    def _pooled(self, name: str) -> np.ndarray:
        parts = [getattr(region, name) for region in self._each()]
        return np.concatenate(parts) if parts else NOTHING / NS_PER_SECOND

    durations: np.ndarray = derived(lambda self: self._pooled("durations"))
    inclusive_durations = durations
    exclusive_durations: np.ndarray = derived(lambda self: self._pooled("exclusive_durations"))

    @property
    def gpu_durations(self) -> np.ndarray | None:
        parts = [r.gpu_durations for r in self._each() if r.gpu_durations is not None]
        return np.concatenate(parts) if parts else None

    @property
    def num_calls(self) -> int:
        return sum(region.num_calls for region in self._each())

    @property
    def total_duration(self) -> float:
        return sum((region.total_duration for region in self._each()), 0.0)

    inclusive_duration = total_duration

    @property
    def exclusive_duration(self) -> float:
        """Raises NestingError where calls of a rank do not nest."""
        return sum((region.exclusive_duration for region in self._each()), 0.0)

    total_exclusive_duration = exclusive_duration

    @property
    def average_duration(self) -> float:
        return self.total_duration / self.num_calls if self.num_calls else 0.0

    @property
    def min_duration(self) -> float:
        return min((region.min_duration for region in self._with_calls()), default=0.0)

    @property
    def max_duration(self) -> float:
        return max((region.max_duration for region in self._with_calls()), default=0.0)

    @property
    def first_start_time(self) -> float:
        """Clock of time.perf_counter, not relative to the run."""
        return min((region.first_start_time for region in self._with_calls()), default=0.0)

    @property
    def last_end_time(self) -> float:
        return max((region.last_end_time for region in self._with_calls()), default=0.0)

    @property
    def first_duration(self) -> float:
        """First call of the rank that started it first."""
        regions = self._with_calls()
        return min(regions, key=lambda r: r.first_start_time).first_duration if regions else 0.0

    @property
    def last_duration(self) -> float:
        """Last call of the rank that left it last."""
        regions = self._with_calls()
        return max(regions, key=lambda r: r.last_end_time).last_duration if regions else 0.0

    @property
    def std_duration(self) -> float:
        """Population standard deviation; 0.0 of an aggregated run, which keeps none."""
        regions = self._with_calls()
        if not regions or any(r.stored_summary and "m2" not in r.stored_summary for r in regions):
            return 0.0
        calls, mean = self.num_calls, self.average_duration
        squares = sum(
            r.num_calls * (r.std_duration**2 + (r.average_duration - mean) ** 2) for r in regions
        )
        return float((squares / calls) ** 0.5)

    def percentile_duration(self, percentile: float) -> float | None:
        """Of the calls of all ranks; None where single calls are not kept."""
        q = check_percentile(percentile)
        regions = self._each()
        if any(region.stored_summary is not None for region in regions):
            return None
        parts = [region.durations_ns for region in regions] or [NOTHING]
        return percentile_seconds(parts[0] if len(parts) == 1 else np.concatenate(parts), q)

    p50_duration: float | None = derived(lambda self: self.percentile_duration(50))
    p95_duration: float | None = derived(lambda self: self.percentile_duration(95))
    p99_duration: float | None = derived(lambda self: self.percentile_duration(99))

    @property
    def rank_imbalance(self) -> float:
        """Longest rank's total over the mean total; 0.0 for fewer than two ranks with calls."""
        if len(self._regions) < 2:
            return 0.0
        totals = [t for t in (r.total_duration for r in self._each()) if t > 0]
        mean = sum(totals) / len(totals) if totals else 0.0
        return max(totals) / mean if len(totals) > 1 else 0.0

    @property
    def rank_imbalance_pct(self) -> float:
        """By how many per cent the longest rank is above the mean."""
        imbalance = self.rank_imbalance
        return (imbalance - 1.0) * 100.0 if imbalance else 0.0

    @property
    def gpu_total_duration(self) -> float | None:
        known = [r.gpu_total_duration for r in self._each() if r.has_gpu_timing]
        return sum(part or 0.0 for part in known) if known else None

    @property
    def gpu_average_duration(self) -> float | None:
        total = self.gpu_total_duration
        count = sum(region._gpu()[0] for region in self._each())
        return None if total is None else total / (count or 1)

    # ---- what there is ----

    has_timing: bool = derived(lambda self: self.num_calls > 0)
    has_event_data: bool = derived(lambda self: all(r.has_event_data for r in self._each()))
    has_gpu_timing: bool = derived(lambda self: any(r.has_gpu_timing for r in self._each()))
    has_source: bool = derived(lambda self: any(r.has_source for r in self._each()))

    def _first_known(self, name: str, default: Any) -> Any:
        values = (getattr(region, name) for region in self._each())
        return next((value for value in values if value not in (None, ())), default)

    source_file: str | None = derived(lambda self: self._first_known("source_file", None))
    source_lineno: int | None = derived(lambda self: self._first_known("source_lineno", None))
    source_text: str | None = derived(lambda self: self._first_known("source_text", None))
    tags: tuple[str, ...] = derived(lambda self: self._first_known("tags", ()))

    def get_summary(self) -> dict[str, Any]:
        """The pooled statistics as one dict. Raises NestingError."""
        row: dict[str, Any] = {
            "name": self._name,
            "num_ranks": len(self),
            "num_calls": self.num_calls,
        }
        for name in SUMMARIZED:
            row[f"{name}_duration"] = getattr(self, f"{name}_duration")
        if self.has_gpu_timing:
            row["gpu_total_duration"] = self.gpu_total_duration
            row["gpu_average_duration"] = self.gpu_average_duration
        return row

    def events(self, ranks: Any = None, origin: float = 0.0) -> list[dict[str, Any]]:
        """One dict per call, rank after rank. Raises EventDataUnavailableError."""
        wanted = selected_ranks(ranks)
        rows: list[dict[str, Any]] = []
        for rank in self.ranks:
            if wanted is None or rank in wanted:
                for event in self._regions[rank].events(origin):
                    rows.append({"name": self._name, "rank": rank, **event})
        return rows

    def _twin(self) -> MPIRegion:
        """The same calls in an object of its own, for another result set."""
        twin = MPIRegion(self._name, {rank: r._twin() for rank, r in self._regions.items()})
        twin.color = self.color
        return twin

    def __repr__(self) -> str:
        return (
            f"<MPIRegion {self._name!r}: {self.num_calls} calls on {len(self)} rank(s), "
            f"total {self.total_duration:g} s, avg {self.average_duration:g} s>"
        )
