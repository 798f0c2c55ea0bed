"""The messages of a call table as lists of dicts."""

from __future__ import annotations

from typing import Any

from . import _read

NS_PER_SECOND = 1e9
KINDS = ("other", "sent", "received", "posted", "collective", "read", "written", "remote")
MAX_BYTES = (0, 64, 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26, None)  # of each size class


def _known(number: int) -> int | None:
    return number if number >= 0 else None


def as_dicts(table: _read.Table) -> dict[str, list[dict[str, Any]]]:
    """What ProfilingResults.communication() says."""
    names = table.part("regions")
    made = _read.communication(table)
    return {
        "communicators": [
            {
                "name": row["name"],
                "size": _known(row["size"]),
                "parent": _known(row["parent"]),
                "ranks": row["ranks"],
            }
            for row in made["communicators"]
        ],
        "functions": [
            {
                "rank": row["rank"],
                "communicator": _known(row["communicator"]),
                "name": names[row["region"]],
                "kind": KINDS[row["kind"]],
                "num_calls": row["call_count"],
                "num_messages": row["message_count"],
                "bytes": row["bytes"],
                "total_duration": row["total_ns"] / NS_PER_SECOND,
            }
            for row in made["functions"]
        ],
        "peers": [
            {
                "rank": row["rank"],
                "communicator": _known(row["communicator"]),
                "kind": KINDS[row["kind"]],
                "peer": _known(row["peer"]),
                "max_bytes": MAX_BYTES[row["size_class"]],
                "num_messages": row["message_count"],
                "bytes": row["bytes"],
            }
            for row in made["peers"]
        ],
        "untold": [
            {
                "rank": row["rank"],
                "num_calls": row["call_count"],
                "bytes": row["bytes"],
                "num_lost": row["lost_count"],
            }
            for row in made["untold"]
        ],
    }
