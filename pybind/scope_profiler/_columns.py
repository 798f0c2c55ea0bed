"""Columns of calls as numpy arrays of int64 nanoseconds, and what is measured from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import NestingError

NS_PER_SECOND = 1e9
derived: Any = property  # `x: float = derived(...)`: type checkers see a float, not Any

# Optional columns, by the name they have in a call table, and what stands for "none" there.
OPTIONAL_COLUMNS = {
    "call_ids": -1,
    "parent_ids": -1,
    "thread_ids": -1,
    "task_ids": -1,
    "await_ns": 0,
    "gpu_ns": -1,
    "flags": 0,
    "mpi_bytes": 0,
    "mpi_peers": -1,
}
STATISTICS = (
    "total",
    "minimum",
    "maximum",
    "first",
    "last",
    "start_minimum",
    "end_maximum",
    "mean",
    "m2",
)
SUMMARIZED = "total inclusive exclusive average min max first last std".split()  # `_duration`s
NOTHING = np.empty(0, dtype=np.int64)
NOTHING.flags.writeable = False


def view(column: Any) -> np.ndarray:
    """A column of C as an array on its memory. Numpy tells `long long` from its int64, which
    is `long`, when it prints."""
    array = np.asarray(column)
    return array.view(np.int64) if array.dtype == np.int64 else array


def as_ns(values: Any, what: str) -> np.ndarray:
    """`values` as a one-dimensional int64 array; floats are rounded to whole nanoseconds."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{what} has {array.ndim} dimensions: one value per call is wanted")
    if array.dtype == np.int64:
        return array
    if array.dtype.kind not in "iufb":
        raise TypeError(f"{what} holds {array.dtype}: whole nanoseconds are wanted")
    return (np.rint(array) if array.dtype.kind == "f" else array).astype(np.int64)


def check_percentile(q: float) -> float:
    """q as a float; ValueError outside 0 to 100."""
    q = float(q)
    if not 0.0 <= q <= 100.0:
        raise ValueError(f"percentile {q:g} is not between 0 and 100")
    return q


def percentile_seconds(durations_ns: np.ndarray, q: float) -> float:
    """Linear interpolation between the two nearest durations, as numpy does; 0.0 of none."""
    if not durations_ns.size:
        return 0.0
    from . import _read

    return _read.percentile(np.ascontiguousarray(durations_ns), q) / NS_PER_SECOND


def measure(start_ns: np.ndarray, duration_ns: np.ndarray) -> dict[str, Any]:
    """The statistics that a file stores for one pair, from its rows."""
    count = duration_ns.size
    if not count:
        return {"count": 0, **dict.fromkeys(STATISTICS, 0)}
    total = int(duration_ns.sum())
    mean = total / count
    return {
        "count": count,
        "total": total,
        "minimum": int(duration_ns.min()),
        "maximum": int(duration_ns.max()),
        "first": int(duration_ns[0]),
        "last": int(duration_ns[-1]),
        "start_minimum": int(start_ns.min()),
        "end_maximum": int((start_ns + duration_ns).max()),
        "mean": mean,
        "m2": float(np.square(duration_ns - mean).sum()),
    }


def lanes_of(thread_ids: np.ndarray, task_ids: np.ndarray | None) -> np.ndarray:
    """The stack that each call belongs to: its task, else -2 - its thread, else -1."""
    lanes = np.where(thread_ids >= 0, -2 - thread_ids, -1)
    return lanes if task_ids is None else np.where(task_ids >= 0, task_ids, lanes)


class Clash:
    """Stands for the nesting of a copied region whose calls do not nest."""

    def __init__(self, message: str) -> None:
        self.message = message

    def __call__(self, region: Any) -> np.ndarray:
        raise NestingError(self.message)
