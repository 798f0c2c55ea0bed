"""Who waited for whom, in results.

SPDX-License-Identifier: MIT
"""
import json

import numpy as np
import pytest

import scope_profiler as sp
from scope_profiler import _read
from scope_profiler.results import from_table
from support import trace_events

SENT, RECEIVED, COLLECTIVE = 1, 2, 4


def parts(**changes):
    """Rank 0 receives what rank 1 sends after `solve`, then both meet; rank 1 comes first.

    Rows: 0 step, 1 MPI_Recv, 2 MPI_Barrier of rank 0; 3 solve, 4 MPI_Send, 5 MPI_Barrier of rank 1.
    """
    world = {"id": 0, "parent": -1, "size": 2, "serial": 0, "members": 9, "name": "world"}
    made = {
        "rank_count": 2,
        "start_time_ns": 1000,
        "regions": ["step", "MPI_Recv", "MPI_Barrier", "solve", "MPI_Send"],
        "pairs": [{"rank": rank, "region": region, "first": row, "count": 1}
                  for row, (rank, region) in enumerate(((0, 0), (0, 1), (0, 2), (1, 3), (1, 4), (1, 2)))],
        "columns": {
            "start_ns": np.array([1000, 1100, 2500, 1000, 1700, 2200], np.int64),
            "duration_ns": np.array([900, 800, 200, 500, 100, 500], np.int64),
            "mpi_peers": np.array([-1, 1, -1, -1, 0, -1], np.int32),
            "mpi_comms": np.array([-1, 0, 0, -1, 1, 1], np.int32),
            "mpi_tags": np.array([-1, 5, 0, -1, 5, 0], np.int32),
            "mpi_kinds": np.array([0, RECEIVED, COLLECTIVE, 0, SENT, COLLECTIVE], np.uint8),
        },
        "communicators": [{"rank": rank, "rank_in": rank, **world} for rank in range(2)],
        "ranks": [{"rank": rank, "host": "node", "end_kind": 1, "bound_ns": 30} for rank in range(2)],
    }
    made.update(changes)
    return made


def results(**changes):
    table = _read.Table(parts(**changes))
    table.nest()
    return from_table(table)


def test_results_say_who_waited_for_whom():
    waits = results().waits(each=True)
    assert (waits["num_waits"], waits["total_duration"]) == (2, pytest.approx(900e-9))
    assert waits["max_duration"] == pytest.approx(600e-9)
    assert waits["mpi_duration"] == pytest.approx(1600e-9)
    assert waits["duration"] == pytest.approx(3400e-9)
    assert (waits["clock_bound"], waits["num_short"], waits["num_unknown"]) == (0, 0, 0)
    assert [(row["rank"], row["name"], row["kind"], row["num_waits"]) for row in waits["calls"]] == [
        (0, "MPI_Recv", "late sender", 1), (1, "MPI_Barrier", "all to all", 1)]
    assert [(row["rank"], row["name"]) for row in waits["regions"]] == [(0, "step"), (1, None)]
    assert [(row["rank"], row["name"]) for row in waits["causes"]] == [(1, "solve"), (0, None), (1, None)]
    assert [row["total_duration"] for row in waits["causes"]] == pytest.approx([400e-9, 300e-9, 200e-9])
    assert [row["waited_duration"] for row in waits["ranks"]] == pytest.approx([600e-9, 300e-9])
    assert [row["caused_duration"] for row in waits["ranks"]] == pytest.approx([300e-9, 600e-9])
    assert (waits["num_sent"], waits["num_received"], waits["num_collective"]) == (1, 1, 2)
    assert waits["unmatched"] == {"sent": {}, "received": {}, "collective": {}}
    first, second = waits["waits"]
    assert first == {"rank": 0, "name": "MPI_Recv", "kind": "late sender", "region": "step",
                     "start_time": pytest.approx(100e-9), "duration": pytest.approx(600e-9),
                     "clock_bound": 0.0, "late_rank": 1}
    assert (second["rank"], second["late_rank"], second["region"]) == (1, 0, None)
    assert "waits" not in results().waits()


def test_a_message_is_an_arrow_in_a_trace(tmp_path):
    def flows(**options):
        (path,) = sp.export_chrome_trace(results(), tmp_path / "o.json", verbose=False, **options)
        return trace_events.check_flows(trace_events.check(json.loads(path.read_text()))["traceEvents"])
    (send, receive), = flows(ranks=[0, 1])
    assert (send["pid"], trace_events.ns(send)) == (1, 700)
    assert (receive["pid"], trace_events.ns(receive)) == (0, 899)
    assert flows(ranks=[0, 1], arrows=False) == flows() == []


def test_waits_are_as_exact_as_the_clocks():
    hosts = [{"rank": rank, "host": f"node{rank}", "end_kind": 1, "bound_ns": 200} for rank in range(2)]
    waits = results(ranks=hosts).waits(each=True)
    assert (waits["clock_bound"], waits["num_short"]) == (pytest.approx(800e-9), 1)
    hosts[1]["bound_ns"] = -1
    waits = results(ranks=hosts).waits(each=True)
    assert (waits["num_unknown"], waits["unknown_duration"]) == (2, pytest.approx(900e-9))
    assert [row["clock_bound"] for row in waits["waits"]] == [None, None]


def test_what_has_no_partner_is_counted():
    given = parts()
    given["pairs"] = given["pairs"][:3]  # rank 1 recorded nothing
    waits = from_table(_read.Table(given)).waits()
    assert waits["num_waits"] == 0
    assert waits["unmatched"] == {"sent": {}, "received": {"rank not recorded": 1},
                                  "collective": {"ranks missing": 1}}


def test_results_without_mpi_have_none():
    waits = sp.ProfilingResults({}).waits(each=True)
    assert (waits["num_waits"], waits["calls"], waits["causes"], waits["waits"]) == (0, [], [], [])
    aggregate = from_table(_read.Table(parts()).aggregate()).waits()
    assert (aggregate["num_waits"], aggregate["num_collective"]) == (0, 0)
