"""Results as pandas DataFrames."""

from __future__ import annotations

from typing import Any


def pandas_for(operation: str) -> Any:
    """The pandas module. ImportError, naming the operation, without it."""
    try:
        import pandas  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise ImportError(f"{operation} needs pandas: pip install pandas") from None
    return pandas


def summary_frame(results: Any, include: Any, exclude: Any, per_rank: bool) -> Any:
    """A row per region, or per region and rank."""
    pandas = pandas_for("to_dataframe()")
    if not per_rank:
        return pandas.DataFrame(results.summary(include, exclude))
    return pandas.DataFrame(
        [
            {
                "name": region.name,
                "rank": rank,
                **region[rank].get_summary(),
                **{f"p{q}_duration": region[rank].percentile_duration(q) for q in (50, 95, 99)},
            }
            for region in results.get_regions(include, exclude)
            for rank in region
        ]
    )


def events_frame(
    results: Any, include: Any, exclude: Any, ranks: Any, relative: bool, origin: float | None
) -> Any:
    """A row per call."""
    pandas = pandas_for("to_events_dataframe()")
    rows = results.events(include, exclude, ranks, relative, origin)
    columns = ["name", "rank", "call_index", "start", "end", "duration"]
    return pandas.DataFrame(rows) if rows else pandas.DataFrame(columns=columns)
