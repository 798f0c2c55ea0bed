"""`scope inspect --comm` and `--matrix`: who moved how much to whom.

SPDX-License-Identifier: MIT
"""
import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import h5py
import numpy as np
import pytest

from support import messages, trace_events
from support.jobs import environment, read_075, run
from support.profile import Profile
from tools.programs import build, inspect_json

pytestmark = pytest.mark.mpi
HERE = Path(__file__).resolve().parent
RANKS, ROUNDS, LARGE = 4, 5, 2 << 20
WORLD, EVEN, ODD, BACKWARD = (0, 1, 2, 3), (0, 2), (1, 3), (3, 2, 1, 0)
COLLECTIVE = {"MPI_Comm_split", "MPI_Comm_dup", "MPI_Comm_free"}


def expected():
    """The messages of comm.c, as support.messages has them; without those that make communicators."""
    sums = {}

    def add(rank, function, kind, members, peer, count, size):
        sums[rank, function, kind, members, peer] = [count, count * size]
    for rank in range(RANKS):
        add(rank, "MPI_Sendrecv", "sent", WORLD, (rank + 1) % RANKS, ROUNDS, 400)
        add(rank, "MPI_Sendrecv", "received", WORLD, (rank - 1) % RANKS, ROUNDS, 400)
        if rank:
            sums[rank, "MPI_Send", "sent", WORLD, 0] = [4, 129 + LARGE]
            sums[0, "MPI_Recv", "received", WORLD, rank] = [4, 129 + LARGE]
        for peer in range(RANKS):
            add(rank, "MPI_Irecv", "posted", WORLD, peer, 1, 0)
            add(rank, "MPI_Isend", "sent", WORLD, peer, 1, 8)
            add(rank, "MPI_Waitall", "received", WORLD, peer, 1, 8)
        half, other = ODD if rank % 2 else EVEN, (rank + 2) % 4
        add(rank, "MPI_Startall", "sent", half, other, ROUNDS, 2)
        add(rank, "MPI_Startall", "posted", half, other, ROUNDS, 0)
        add(rank, "MPI_Waitall", "received", half, other, ROUNDS, 2)
        add(rank, "MPI_Bcast", "collective", half, half[1], 1, 8000)
        add(rank, "MPI_Allreduce", "collective", BACKWARD, -1, 1, 12)
        add(rank, "MPI_Barrier", "collective", BACKWARD, -1, 1, 0)
        add(rank, "MPI_Gather", "collective", WORLD, 3, 1, 4)
    return sums


def without_constructors(sums):
    return {key: value for key, value in sums.items() if key[1] not in COLLECTIVE}


@pytest.fixture(scope="module")
def program(mpi, tmp_path_factory):
    return mpi.compile(HERE / "comm.c", tmp_path_factory.mktemp(f"comm-{mpi.family}") / "comm",
                       ("-Wno-stringop-overflow",), ())  # MPICH's header and MPI_STATUSES_IGNORE


def job(mpi, install, program, folder, *before, **env):
    mpi.mpirun(RANKS, [*before, install.scope, "run", "-o", folder / "out.h5", program, ROUNDS], cwd=folder,
               env=environment(**env))
    return folder / "out.h5"


@pytest.fixture(scope="module")
def profile(mpi, install, program, tmp_path_factory):
    """The file of comm.c, and what a library below the profiler counted meanwhile."""
    folder = tmp_path_factory.mktemp(f"profile-{mpi.family}")
    (folder / "counts").mkdir()
    path = job(mpi, install, program, folder, LD_PRELOAD=messages.build_counter(mpi, folder),
               COUNT_MESSAGES_DIR=folder / "counts")
    return path


def inspect(install, path, *words):
    return run([install.scope, "inspect", "--colour=never", *words, path],
               env=environment(COLUMNS="80", LC_ALL="C.UTF-8")).stdout


def test_each_message_is_what_the_program_did(profile):
    found = messages.recorded(Profile(profile))
    assert messages.difference(expected(), without_constructors(found)) == {}
    counts = messages.counted(profile.parent / "counts")
    assert messages.difference(without_constructors(counts), without_constructors(found)) == {}


def test_json_and_python_have_the_same_sums(profile, install):
    import scope_profiler as sp

    told = inspect_json(install, run, profile)["communication"]
    messages.check_sums(told, messages.recorded(Profile(profile)))
    assert sp.read_h5(profile).communication() == told
    assert told["untold"] == []
    named = {c["name"]: c for c in told["communicators"]}
    world = told["communicators"].index(named["MPI_COMM_WORLD"])
    for name, ranks in (("even", EVEN), ("odd", ODD), ("backward", BACKWARD)):
        assert named[name]["ranks"] == list(ranks) and named[name]["size"] == len(ranks)
        assert named[name]["parent"] == world
    assert named["MPI_COMM_WORLD"]["ranks"] == list(WORLD) and named["MPI_COMM_WORLD"]["parent"] is None
    once = Counter((tuple(c["ranks"]), c["name"]) for c in told["communicators"])
    assert all(count == 1 for count in once.values()), "a line for each communicator, not for each rank"


def test_sizes_have_classes(profile, install):
    peers = inspect_json(install, run, profile)["communication"]["peers"]
    world = next(p["communicator"] for p in peers if p["kind"] == "sent" and p["bytes"] == LARGE)
    sizes = Counter()
    for row in peers:
        if row["kind"] == "sent" and row["communicator"] == world:
            sizes[row["max_bytes"]] += row["num_messages"]
    # 3 ranks x (0, 64, 65, 2 MiB), 16 of 8 bytes, a ring of 400
    assert sizes == {0: 3, 64: 3 + 16, 1024: 3 + RANKS * ROUNDS, 1 << 22: 3}


def test_the_file_has_the_sums(profile, install):
    told = inspect_json(install, run, profile)["communication"]
    with h5py.File(profile) as file:
        names = [n.decode() for n in file["region_table/names"][:]]
        own = {name: {k: v[:].tolist() for k, v in file["scope/communication"][name].items()}
               for name in ("functions", "peers", "ranks")}
    members = messages.communicators(Profile(profile))

    def rows(table, **columns):
        values = [own[table][column] for column in columns.values()]
        return Counter(zip(*values))
    functions = Counter({(r, members[c], names[f], messages.KINDS[k], *values): n for (r, c, f, k, *values), n in rows(
        "functions", r="ranks", c="comms", f="region_ids", k="kinds", n="calls", m="messages", b="bytes",
        t="totals_ns").items()})
    assert functions == Counter(
        (f["rank"], tuple(told["communicators"][f["communicator"]]["ranks"]), f["name"], f["kind"], f["num_calls"],
         f["num_messages"], f["bytes"], round(f["total_duration"] * 1e9)) for f in told["functions"])
    limits = (0, 64, 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26, None)
    peers = Counter({(r, members[c], messages.KINDS[k], p, limits[s], *values): n for (r, c, k, p, s, *values), n in rows(
        "peers", r="ranks", c="comms", k="kinds", p="peers", s="size_classes", m="messages", b="bytes").items()})
    assert peers == Counter(
        (p["rank"], tuple(told["communicators"][p["communicator"]]["ranks"]), p["kind"], p["peer"], p["max_bytes"],
         p["num_messages"], p["bytes"]) for p in told["peers"])
    assert own["ranks"] == {"ranks": [0, 1, 2, 3], "listed": [1] * 4, "untold_calls": [0] * 4,
                            "untold_bytes": [0] * 4, "lost_events": [0] * 4}


def test_comm_shows_communicators_functions_and_sizes(profile, install):
    shown = inspect(install, profile, "--comm")
    assert max(map(len, shown.splitlines())) <= 80
    squeezed = re.sub(" +", " ", shown)
    for line in (r"0 MPI_COMM_WORLD - 4 0-3 ", r"\d+ even 0 2 0,2 \d+ 15.6 KiB .* 10 20 B", r"\d+ odd 0 2 1,3 ",
                 r"\d+ backward 0 4 3-0 \d+ 48 B .* - -", r"\d+ - 0 4 0-3 \d+ 16 B",
                 r"0 MPI_Send sent 12 12 6.00 MiB 512 KiB", r"\d+ MPI_Bcast collective 2 2 15.6 KiB",
                 r"0 MPI_Waitall received 4 16 128 B", r"0 MPI_COMM_WORLD 3 19 23 - - 3 - -"):
        assert re.search(f"(?m)^{line}", squeezed), (line, shown)
    assert "All ranks" not in shown and "MPI_Comm_set_name" not in shown
    only = re.sub(" +", " ", inspect(install, profile, "--comm", "--region=MPI_Bcast", "--rank=1"))
    assert re.search(r"(?m)^\d+ MPI_Bcast collective 1 1 7.81 KiB", only) and "MPI_Send" not in only


def test_matrix_shows_ranks_that_fit(profile, install):
    shown = inspect(install, profile, "--matrix")
    assert re.search(r"Bytes from row to column\nrank +0 +1 +2 +3\n"
                     r" +0 +8 +2.0K +18 +8\n +1 +2.0M +8 +2.0K +18\n"
                     r" +2 +2.0M +8 +8 +2.0K\n +3 +2.0M +18 +8 +8\n", shown), shown
    assert re.search(r"Messages from row to column\nrank +0 +1 +2 +3\n +0 +1 +6 +6 +1\n", shown)
    assert "Pairs of ranks" not in shown


def test_csv_has_every_sum(profile, install):
    told = inspect_json(install, run, profile)["communication"]

    def lines(word):
        return list(csv.DictReader(io.StringIO(inspect(install, profile, "--csv", word))))

    def text(value):
        return "" if value is None else str(value)
    for word, rows in (("--comm", told["functions"]), ("--matrix", told["peers"])):
        found = lines(word)
        assert len(found) == len(rows)
        for line, row in zip(found, rows):
            assert line.pop("communicator_name") == told["communicators"][row["communicator"]]["name"]
            duration = row.pop("total_duration", None)
            if duration is not None:
                assert float(line.pop("total_duration")) == pytest.approx(duration, abs=1e-9)
            assert line == {key: text(value) for key, value in row.items()}
    wrong = run([install.scope, "inspect", "--csv", "--comm", "--matrix", profile], check=False)
    assert wrong.returncode == 2 and "takes one of" in wrong.stderr


def test_other_formats_take_messages_along(profile, install, tmp_path):
    told = inspect_json(install, run, profile)["communication"]
    run([install.scope, "export", "json", profile, "-o", tmp_path / "x.json"])
    assert inspect_json(install, run, tmp_path / "x.json")["communication"] == told
    run([install.scope, "merge", profile, "-o", tmp_path / "again.h5"])
    assert inspect_json(install, run, tmp_path / "again.h5")["communication"] == told
    with h5py.File(profile) as one, h5py.File(tmp_path / "again.h5") as two:
        for name in ("functions", "peers", "ranks"):
            for column in one["scope/communication"][name]:
                left, right = (sorted(f[f"scope/communication/{name}/{column}"][:].tolist()) for f in (one, two))
                assert left == right or column == "region_ids", (name, column)
    run([install.scope, "export", "chrome-trace", profile, "-o", tmp_path / "x.trace"])
    events = trace_events.check(json.loads((tmp_path / "x.trace").read_text()))["traceEvents"]
    send = next(e for e in events if e["name"] == "MPI_Send" and e["args"]["mpi_bytes"] == 65)
    assert send["args"] | {"mpi_peer": 0, "mpi_kind": "sent", "mpi_tag": 2, "mpi_communicator": "MPI_COMM_WORLD"} \
        == send["args"]


def test_each_message_is_an_arrow_in_a_trace(profile, install, tmp_path):
    run([install.scope, "export", "chrome-trace", profile, "-o", tmp_path / "x.trace"])
    events = trace_events.check(json.loads((tmp_path / "x.trace").read_text()))["traceEvents"]
    flows = Counter((one["pid"], two["pid"]) for one, two in trace_events.check_flows(events))
    sent = Counter()
    for (rank, _, kind, _, peer), (count, _) in expected().items():
        if kind == "sent":
            sent[rank, peer] += count
    assert flows == sent
    run([install.scope, "export", "chrome-trace", "--no-arrows", profile, "-o", tmp_path / "y.trace"])
    without = trace_events.check(json.loads((tmp_path / "y.trace").read_text()))["traceEvents"]
    assert without == [event for event in events if event["ph"] not in "sf"]
    run([install.scope, "export", "chrome-trace", "-r0,2", profile, "-o", tmp_path / "z.trace"])
    events = trace_events.check(json.loads((tmp_path / "z.trace").read_text()))["traceEvents"]
    flows = Counter((one["pid"], two["pid"]) for one, two in trace_events.check_flows(events))
    assert flows == {pair: count for pair, count in sent.items() if set(pair) <= {0, 2}}


def test_the_old_package_still_reads_it(profile):
    done = read_075(f"import scope_profiler as sp; r = sp.read_h5({str(profile)!r}); "
                    "print(r['MPI_Sendrecv'].num_calls, r.num_ranks)")
    if done is None:
        pytest.skip("no scope-profiler 0.7.5")
    assert done.stdout.split() == [str(RANKS * ROUNDS), str(RANKS)]


def test_files_and_windows(mpi, install, tmp_path):
    program = mpi.compile(HERE / "comm_files.c", tmp_path / "files", (), ())
    (tmp_path / "counts").mkdir()
    mpi.mpirun(RANKS, [install.scope, "run", "-o", tmp_path / "out.h5", program, tmp_path / "data"],
               env=environment(LD_PRELOAD=messages.build_counter(mpi, tmp_path), COUNT_MESSAGES_DIR=tmp_path / "counts"))
    kinds = ("read", "written", "remote")
    found = {key: value for key, value in messages.recorded(Profile(tmp_path / "out.h5")).items() if key[2] in kinds}
    wanted = {}
    for rank in range(RANKS):
        wanted[rank, "MPI_File_write_at_all", "written", WORLD, -1] = [1, 100 * (rank + 1)]
        wanted[rank, "MPI_File_read_at", "read", WORLD, -1] = [1, 400]
        wanted[rank, "MPI_File_read_at_all", "read", WORLD, -1] = [1, 50]
        for name, size in (("MPI_Put", 24), ("MPI_Get", 4), ("MPI_Accumulate", 8)):
            wanted[rank, name, "remote", BACKWARD, (rank - 1) % 4] = [1, size]
    assert messages.difference(wanted, found) == {}
    counts = {key: value for key, value in messages.counted(tmp_path / "counts").items() if key[2] in kinds}
    assert messages.difference(counts, found) == {}
    messages.check_sums(inspect_json(install, run, tmp_path / "out.h5")["communication"],
                        messages.recorded(Profile(tmp_path / "out.h5")))
    shown = re.sub(" +", " ", inspect(install, tmp_path / "out.h5", "--comm", "--matrix"))
    assert re.search(r"(?m)^0 MPI_COMM_WORLD 8 1.76 KiB 4 0.98 KiB - - ?$", shown), shown
    assert re.search(r"(?m)^\d+ \S.* - - - - 12 144 B ?$", shown), shown
    assert re.search(r"one-sided calls of row on column\n ?rank 0 1 2 3\n 0 - - - 36\n 1 36 - - -\n", shown), shown


def test_calls_that_are_sums_are_told(openmpi, install, tmp_path):
    """More than the budget holds: nothing is silently left out."""
    rounds = 12_000
    program = openmpi.compile(HERE / "comm.c", tmp_path / "comm", (), ())
    openmpi.mpirun(RANKS, [install.scope, "run", "-o", tmp_path / "out.h5", program, rounds],
                   env=environment(SCOPE_MAX_BYTES="1M"))
    profile = Profile(tmp_path / "out.h5")
    folded = {rank: sum(n for name, n in profile.folded(rank).items() if name.startswith("MPI_")) for rank in WORLD}
    told = inspect_json(install, run, tmp_path / "out.h5")["communication"]
    assert all(folded.values())
    assert {row["rank"]: row["num_calls"] for row in told["untold"]} == folded
    assert profile.scope["communication/ranks/untold_calls"].tolist() == [folded[rank] for rank in WORLD]
    sent = {rank: sum(f["bytes"] for f in told["functions"] if f["rank"] == rank and f["name"] == "MPI_Sendrecv")
            for rank in WORLD}
    sums = {row["rank"]: row["bytes"] for row in told["untold"]}
    assert all(sent[rank] < 800 * rounds and sums[rank] > 0 for rank in WORLD)
    shown = inspect(install, tmp_path / "out.h5", "--comm")
    assert f"{sum(folded.values())} MPI calls on 4 ranks are kept as sums only" in shown


def test_files_without_mpi_have_none(install, tmp_path):
    from tools.programs import REGIONS

    run([build(install, tmp_path, "regions", REGIONS)], env=environment(SCOPE_OUTPUT=tmp_path / "out.h5"))
    assert "no calls on communicators" in inspect(install, tmp_path / "out.h5", "--comm")
    assert "Messages between ranks\nnone" in inspect(install, tmp_path / "out.h5", "--matrix")
    with h5py.File(tmp_path / "out.h5") as file:
        assert "communication" not in file["scope"]


def test_of_many_calls_readers_work_it_out(install, tmp_path):
    """More than 2^20: it would make the end of a job slower."""
    from scope_profiler import _read

    for count, listed in ((1 << 20, 1), ((1 << 20) + 1, 0)):
        ones = np.ones(count, np.int32)
        table = {"regions": ["MPI_Send"], "pairs": [{"rank": 1, "region": 0, "first": 0, "count": count}],
                 "columns": {"start_ns": np.arange(count, dtype=np.int64) * 9, "duration_ns": ones.astype(np.int64),
                             "mpi_bytes": ones.astype(np.int64), "mpi_peers": ones, "mpi_comms": -ones,
                             "mpi_kinds": ones.astype(np.uint8)}}
        _read.write_file(str(tmp_path / "x.h5"), _read.Table(table))
        with h5py.File(tmp_path / "x.h5") as file:
            own = file["scope/communication"]
            assert {name: int(column[0]) for name, column in own["ranks"].items()} == {
                "ranks": 1, "listed": listed,
                **dict.fromkeys(("untold_calls", "untold_bytes", "lost_events"), listed - 1)}
            assert ("peers" in own) == ("functions" in own) == bool(listed)
        assert inspect_json(install, run, tmp_path / "x.h5")["communication"]["peers"] == [
            {"rank": 1, "communicator": None, "kind": "sent", "peer": 1, "max_bytes": 64, "num_messages": count,
             "bytes": count}]


def grid(ranks, hosts):
    """A table of `ranks` ranks that each sent 1 kB to the next, once more to rank 0."""
    pairs = [{"rank": r, "region": 0, "first": 2 * r, "count": 2} for r in range(ranks)]
    peers = np.array([[(r + 1) % ranks, 0] for r in range(ranks)], np.int32).ravel()
    size = 2 * ranks
    return {"regions": ["MPI_Send"], "pairs": pairs, "rank_count": ranks,
            "columns": {"start_ns": np.arange(size, dtype=np.int64) * 100, "duration_ns": np.full(size, 50, np.int64),
                        "mpi_bytes": np.full(size, 1000, np.int64), "mpi_peers": peers,
                        "mpi_comms": np.full(size, -1, np.int32), "mpi_kinds": np.full(size, 1, np.uint8)},
            "ranks": [{"rank": r, "host": f"node{r * hosts // ranks}"} for r in range(ranks)]}


@pytest.mark.parametrize("hosts", [1, 4])
def test_a_thousand_ranks_are_readable(install, tmp_path, hosts):
    from scope_profiler import _read

    _read.write_file(str(tmp_path / "big.h5"), _read.Table(grid(1000, hosts)))
    shown = inspect(install, tmp_path / "big.h5", "--comm", "--matrix")
    lines = shown.splitlines()
    assert len(lines) < 70 and max(map(len, lines)) <= 80
    if hosts > 1:
        assert re.search(r"(?m)^A  node0 +487K +1.0K +- +-$", shown), shown
        assert re.search(r"(?m)^D  node3 +245K +- +- +243K$", shown), shown
    else:
        assert re.search(r"(?m)^A  0-124 +243K +1.0K +- ", shown), shown
        assert re.search(r"(?m)^H  875-999 +123K ", shown), shown
    assert re.search(r"(?m)^ +999 +0 +2 +1.95 KiB ", shown)  # the most, first of the pairs
    assert "1979 more pairs: --limit=0 shows all" in shown
