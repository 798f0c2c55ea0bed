"""_read gives back what it takes: memory does not grow, whatever ends in an error.

SPDX-License-Identifier: MIT
"""
import gc
import os
import sys

import numpy as np
import pytest

from scope_profiler import _read, _record


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(work, rounds):
    """Bytes that the second half of many rounds adds; references, where Python counts them."""
    for _ in range(rounds):
        work()
    gc.collect()
    references = getattr(sys, "gettotalrefcount", lambda: 0)
    before, counted = resident_bytes(), references()
    for _ in range(rounds):
        work()
    gc.collect()
    assert references() - counted < rounds
    return resident_bytes() - before


COUNT = 5000
PARTS = {
    "regions": ["a", "b"],
    "pairs": [{"region": 0, "count": COUNT, "tags": ["x"], "source_text": "y" * 1000},
              {"region": 1, "first": COUNT, "count": 0}],
    "columns": {"start_ns": np.arange(COUNT), "duration_ns": np.zeros(COUNT, np.int64)},
    "metadata": {"k": "v" * 1000, "l": ["a", "b"]},
    "threads": [{"rank": 0, "index": 0, "name": "n" * 1000}],
}


def use_table():
    table = _read.Table(PARTS)
    table.nest()
    table.nest()
    table.exclusive()
    table.parts()
    other = table.replace(metadata={})
    np.asarray(other.column("start_ns"))
    table.aggregate()
    _read.summarize(table)
    _read.lane_label(table, 0, -2)
    _read.nest(PARTS["columns"]["start_ns"], PARTS["columns"]["duration_ns"])
    _read.percentile(PARTS["columns"]["start_ns"], 50)


def refuse_table():
    for wrong in ({"pairs": [{"region": 9}]}, {"threads": [{"name": 5}]}, {"metadata": {"a": 1.5}},
                  {"columns": {"start_ns": PARTS["columns"]["start_ns"], "flags": "x"}}):
        with pytest.raises((ValueError, TypeError)):
            _read.Table({**PARTS, **wrong})
    for call in (lambda: _read.open_file("/nowhere"), lambda: _read.open_json("/nowhere"),
                 lambda: _read.open_trace("/nowhere")):
        with pytest.raises(OSError):
            call()
    with pytest.raises(_read.NestingClash):
        _read.nest(np.array([0, 5]), np.array([10, 10]))


def use_cursor():
    session = _record.Session(memory_only=True)
    region = session.add_region("a")
    cursor = _read.Cursor(session.pointer, untracked=True)
    for _ in range(3):
        with region:
            pass
        cursor.advance()
        cursor.table([region.id])
        cursor.region(region.id)
        cursor.lanes()
        cursor.checkpoint("/nowhere", 1)
    session.close()


@pytest.mark.parametrize(("work", "rounds", "limit"), [
    (use_table, 300, 4 << 20), (refuse_table, 300, 4 << 20), (use_cursor, 300, 6 << 20)])
def test_memory_does_not_grow(work, rounds, limit):
    assert growth(work, rounds) < limit


def test_files_are_given_back(tmp_path):
    path = str(tmp_path / "a.h5")
    _read.write_file(path, _read.Table(PARTS))

    def work():
        np.asarray(_read.open_file(path).column("start_ns"))

    descriptors = len(os.listdir("/proc/self/fd"))
    assert growth(work, 40) < 8 << 20
    assert len(os.listdir("/proc/self/fd")) <= descriptors + 1
