"""Who waited for whom in MPI, of a call table, as dicts."""

from __future__ import annotations

from typing import Any

from . import _read

NS_PER_SECOND = 1e9
NO_REGION = 0xFFFFFFFF


def _sum(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "num_waits": row["count"],
        "total_duration": row["total_ns"] / NS_PER_SECOND,
        "max_duration": row["maximum_ns"] / NS_PER_SECOND,
        "clock_bound": row["bound_ns"] / NS_PER_SECOND,
        "num_short": row["short_count"],
        "short_duration": row["short_ns"] / NS_PER_SECOND,
        "num_unknown": row["unknown_count"],
        "unknown_duration": row["unknown_ns"] / NS_PER_SECOND,
    }


def as_dicts(table: _read.Table, each: bool = False) -> dict[str, Any]:
    """What ProfilingResults.waits() says."""
    names = table.part("regions")
    made = _read.waits(table, each=each)
    kinds = made["kinds"]

    def name(region: int) -> str | None:
        return None if region == NO_REGION else names[region]

    result = {
        **_sum(made["total"][0]),
        "mpi_duration": sum(row["mpi_ns"] for row in made["ranks"]) / NS_PER_SECOND,
        "duration": sum(row["span_ns"] for row in made["ranks"]) / NS_PER_SECOND,
        "calls": [
            {
                "rank": row["rank"],
                "name": names[row["call"]],
                "kind": kinds[row["kind"]],
                **_sum(row),
            }
            for row in made["calls"]
        ],
        "regions": [
            {"rank": row["rank"], "name": name(row["region"]), **_sum(row)}
            for row in made["regions"]
        ],
        "causes": [
            {
                "rank": row["rank"],
                "name": name(row["region"]),
                "total_duration": row["total_ns"] / NS_PER_SECOND,
            }
            for row in sorted(made["causes"], key=lambda row: -row["total_ns"])
        ],
        "ranks": [
            {
                "rank": row["rank"],
                "duration": row["span_ns"] / NS_PER_SECOND,
                "mpi_duration": row["mpi_ns"] / NS_PER_SECOND,
                "waited_duration": row["waited_ns"] / NS_PER_SECOND,
                "caused_duration": row["caused_ns"] / NS_PER_SECOND,
            }
            for row in made["ranks"]
        ],
        "num_sent": made["sent_count"],
        "num_received": made["received_count"],
        "num_collective": made["collective_count"],
        "num_nonblocking": made["nonblocking_count"],
        "num_unposted": made["unposted_count"],
        "unmatched": {key: made[f"unmatched_{key}"] for key in ("sent", "received", "collective")},
    }
    if each:
        starts = memoryview(table.column("start_ns") or b"")
        origin = table.part("start_time_ns")
        result["waits"] = [
            {
                "rank": row["rank"],
                "name": names[row["call"]],
                "kind": kinds[row["kind"]],
                "region": name(row["region"]),
                "start_time": (starts[row["row"]] - origin) / NS_PER_SECOND,
                "duration": row["ns"] / NS_PER_SECOND,
                "clock_bound": row["bound_ns"] / NS_PER_SECOND if row["bound_ns"] >= 0 else None,
                "late_rank": row["late_rank"],
            }
            for row in made["rows"]
        ]
    return result
