"""Two profiles region by region: differences, and whether a budget was kept."""

from __future__ import annotations

import sys
from typing import Any

from ._boxes import print_table
from .summary import region_row

METRICS = (
    "gpu_total",
    "gpu_avg",
    "total",
    "avg",
    "min",
    "max",
    "p50",
    "p95",
    "p99",
    "imbalance",
    "calls",
)
_UNITS = {"calls": "", "imbalance": " [%]"}


class Difference:
    """One region: its figure in a and in b; None: not there."""

    def __init__(self, name: str, a: float | None, b: float | None) -> None:
        self.name, self.a, self.b = name, a, b
        self.delta = (b or 0.0) - (a or 0.0)

    @property
    def percent(self) -> float | None:
        """Growth over a; None where there is nothing to compare with."""
        if self.a is None:
            return None
        if not self.a:
            return 0.0 if not self.delta else float("inf")
        return self.delta / self.a * 100.0

    def beyond(self, budget: float, fail_on_new: bool) -> bool:
        """Whether it grew by more than `budget` per cent, or is new where that counts."""
        if self.a is None:
            return fail_on_new
        return self.b is not None and (self.percent or 0.0) > budget


def compare(
    a: Any,
    b: Any,
    metric: str = "total",
    include: Any = None,
    exclude: Any = None,
    ranks: Any = None,
) -> list[Difference]:
    """Regions of either, the one that differs most first."""

    def figures(results: Any) -> dict[str, float]:
        found = {}
        for region in results.get_regions(include, exclude):
            value = region_row(region, ranks)[metric]
            if value is not None:
                found[region.name] = value
        return found

    of_a, of_b = figures(a), figures(b)
    rows = [Difference(name, of_a.get(name), of_b.get(name)) for name in {**of_a, **of_b}]
    return sorted(rows, key=lambda row: (row.a is None, -abs(row.delta), row.name))


def sort_differences(rows: list[Difference], sort: str) -> list[Difference]:
    """By "name", by "pct", or as compare() leaves them."""
    if sort == "name":
        return sorted(rows, key=lambda row: row.name)
    if sort == "pct":
        return sorted(rows, key=lambda row: -abs(row.percent or 0.0))
    return rows


def print_differences(rows: list[Difference], metric: str, stream: Any = None) -> None:
    stream = sys.stdout if stream is None else stream
    unit = _UNITS.get(metric, " [s]")

    def number(value: float | None, form: str = "g") -> str:
        return "-" if value is None else format(value, form)

    if rows:
        print_table(
            ["region", f"{metric}{unit} (a)", f"{metric}{unit} (b)", "delta", "delta [%]"],
            [
                [
                    row.name,
                    number(row.a),
                    number(row.b),
                    number(row.delta, "+g"),
                    number(row.percent, "+.4g") + ("%" if row.percent is not None else ""),
                ]
                for row in rows
            ],
            ["left", *["right"] * 4],
            stream,
        )
    for which, names in (
        ("a", [row.name for row in rows if row.b is None]),
        ("b", [row.name for row in rows if row.a is None]),
    ):
        if names:
            print(f"  Only in {which}: {', '.join(names)}", file=stream)
    if not rows:
        print("  (no regions to compare)", file=stream)
