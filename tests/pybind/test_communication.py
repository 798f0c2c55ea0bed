"""Messages of MPI calls in tables and results.

SPDX-License-Identifier: MIT
"""
import numpy as np
import pytest

import scope_profiler as sp
from scope_profiler import _read
from scope_profiler.results import from_table

SENT, RECEIVED, COLLECTIVE, WRITTEN = 1, 2, 4, 6


def parts(**changes):
    """Rank 0 sends twice, once 100 kB; rank 1 waits for both at once, then both meet.

    Rows: 0, 1 MPI_Send, 2 MPI_Barrier of rank 0; 3 MPI_Waitall, 4 MPI_Barrier of rank 1.
    """
    made = {
        "rank_count": 2,
        "regions": ["MPI_Send", "MPI_Barrier", "MPI_Waitall"],
        "pairs": [
            {"rank": 0, "region": 0, "first": 0, "count": 2},
            {"rank": 0, "region": 1, "first": 2, "count": 1},
            {"rank": 1, "region": 2, "first": 3, "count": 1},
            {"rank": 1, "region": 1, "first": 4, "count": 1},
        ],
        "columns": {
            "start_ns": np.arange(5, dtype=np.int64) * 1000,
            "duration_ns": np.full(5, 500, np.int64),
            "mpi_bytes": np.array([8, 100_000, 0, 100_008, 0], np.int64),
            "mpi_peers": np.array([1, 1, -1, 0, -1], np.int32),
            "mpi_comms": np.array([0, 0, 0, 2, 2], np.int32),
            "mpi_tags": np.array([5, 6, 0, -1, 0], np.int32),
            "mpi_kinds": np.array([SENT, SENT, COLLECTIVE, RECEIVED, COLLECTIVE], np.uint8),
        },
        "communicators": [
            {"rank": 0, "id": 0, "parent": -1, "size": 2, "rank_in": 0, "serial": 0, "members": 9, "name": "world"},
            {"rank": 0, "id": 7, "parent": 0, "size": 1, "rank_in": 0, "serial": 0, "members": 4, "name": "half"},
            {"rank": 1, "id": 0, "parent": -1, "size": 2, "rank_in": 1, "serial": 0, "members": 9, "name": ""},
        ],
        "messages": [
            {"rank": 1, "row": 3, "bytes": 8, "peer": 0, "communicator": 2, "tag": 5, "kind": RECEIVED},
            {"rank": 1, "row": 3, "bytes": 100_000, "peer": 0, "communicator": 2, "tag": 6, "kind": RECEIVED},
        ],
    }
    made.update(changes)
    return made


def test_messages_come_back_as_they_went_in(tmp_path):
    table = _read.Table(parts())
    again = _read.Table(table.parts())
    _read.write_file(str(tmp_path / "x.h5"), table)
    _read.export(table, "json", str(tmp_path / "x.json"))
    for found in (table, again, _read.merge([table]), _read.open_file(str(tmp_path / "x.h5")),
                  _read.open_json(str(tmp_path / "x.json"))):
        assert found.part("messages") == parts()["messages"]
        assert found.part("communicators") == parts()["communicators"]
        for name in ("mpi_tags", "mpi_kinds"):
            assert np.asarray(found.column(name)).tolist() == parts()["columns"][name].tolist()


def test_messages_go_where_their_rows_go():
    given = parts()
    given["pairs"] = [given["pairs"][2], given["pairs"][1]]  # rank 1 first; the rest is left out
    table = _read.Table(given)
    assert np.asarray(table.column("start_ns")).tolist() == [2000, 3000]
    assert [(m["row"], m["bytes"]) for m in table.part("messages")] == [(1, 8), (1, 100_000)]
    given["pairs"] = [given["pairs"][1]]
    assert _read.Table(given).part("messages") == []


def test_a_placed_table_has_messages_of_its_rank():
    given = parts()
    given["pairs"] = [dict(pair, rank=0) for pair in given["pairs"][2:]]
    for name in ("messages", "communicators"):
        given[name] = [dict(row, rank=0) for row in given[name]]
    placed = _read.place(_read.Table(given), 5, 6, (0, 0.0, 0, 0))
    assert {row["rank"] for row in placed.part("messages")} == {5}


@pytest.mark.parametrize("change, sentence", [
    ({"row": 5}, "a call that is not there"), ({"row": 2, "bytes": 1}, "in the order of their rows"),
    ({"communicator": 3}, "a communicator that is not there"), ({"rank": -1}, "an impossible rank")])
def test_wrong_messages_are_refused(change, sentence):
    given = parts()
    given["messages"][1].update(change)
    with pytest.raises(ValueError, match=sentence):
        _read.Table(given)


def test_results_say_who_sent_how_much_to_whom():
    made = from_table(_read.Table(parts())).communication()
    assert made["communicators"] == [
        {"name": "world", "size": 2, "parent": None, "ranks": [0, 1]},
        {"name": "half", "size": 1, "parent": 0, "ranks": [0]}]

    def function(rank, name, kind, calls, messages, size):
        return {"rank": rank, "communicator": 0, "name": name, "kind": kind, "num_calls": calls,
                "num_messages": messages, "bytes": size, "total_duration": 500e-9 * calls}
    assert made["functions"] == [
        function(0, "MPI_Send", "sent", 2, 2, 100_008),
        function(0, "MPI_Barrier", "collective", 1, 1, 0),
        function(1, "MPI_Barrier", "collective", 1, 1, 0),
        function(1, "MPI_Waitall", "received", 1, 2, 100_008)]
    assert [tuple(row.values()) for row in made["peers"]] == [
        (rank, 0, kind, 1 - rank, limit, 1, size) for rank, kind in ((0, "sent"), (1, "received"))
        for limit, size in ((64, 8), (1 << 18, 100_000))]
    assert list(made["peers"][0]) == ["rank", "communicator", "kind", "peer", "max_bytes", "num_messages", "bytes"]
    assert made["untold"] == []


def test_files_have_no_peer_and_the_largest_no_limit():
    given = parts(messages=[])
    given["columns"]["mpi_kinds"][:] = WRITTEN
    given["columns"]["mpi_bytes"][0] = 1 << 30
    given["columns"]["mpi_comms"][:] = -1
    rows = from_table(_read.Table(given)).communication()["peers"]
    assert rows[-1] | {"rank": 0} == {"rank": 0, "communicator": None, "kind": "written", "peer": None,
                                      "max_bytes": 1 << 18, "num_messages": 1, "bytes": 100_008}
    assert next(row for row in rows if row["bytes"] == 1 << 30)["max_bytes"] is None


def test_calls_that_are_sums_are_told():
    sums = [{"rank": 1, "region": 0, "lane": -2, "count": 50, "total_ns": 5, "bytes": 400}]
    ranks = [{"rank": 0, "dropped": 3}, {"rank": 1}]
    made = from_table(_read.Table(parts(sums=sums, ranks=ranks))).communication()
    assert made["untold"] == [{"rank": 0, "num_calls": 0, "bytes": 0, "num_lost": 3},
                              {"rank": 1, "num_calls": 50, "bytes": 400, "num_lost": 0}]
    aggregate = from_table(_read.Table(parts()).aggregate()).communication()
    assert aggregate["functions"] == aggregate["peers"] == []
    assert [(row["rank"], row["num_calls"], row["bytes"]) for row in aggregate["untold"]] == [
        (0, 3, 100_008), (1, 2, 100_008)]


def test_results_without_mpi_have_none():
    assert sp.ProfilingResults({}).communication() == {
        "communicators": [], "functions": [], "peers": [], "untold": []}
