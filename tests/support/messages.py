"""Messages of MPI calls: as the counting library saw them, and as a profile has them.

A key is (rank, function, kind, ranks of the communicator, peer), a value [messages, bytes].

SPDX-License-Identifier: MIT
"""
from collections import defaultdict
from pathlib import Path

import numpy as np

from support.jobs import run
from support.profile import Profile

COMPLETIONS = ("send completed", "collective completed")  # of what an earlier call moved
KINDS = ("other", "sent", "received", "posted", "collective", "read", "written", "remote", *COMPLETIONS)
SOURCE = Path(__file__).resolve().parent / "count_messages.c"


def build_counter(mpi, folder):
    """The counting library for this MPI."""
    library = Path(folder) / f"libcount_messages_{mpi.family}.so"
    run([f"mpicc.{mpi.suffix}", "-O1", "-shared", "-fPIC", SOURCE, "-o", library, "-ldl"])
    return library


def counted(folder):
    """What the library left in its folder ($COUNT_MESSAGES_DIR)."""
    sums = defaultdict(lambda: [0, 0])
    for path in Path(folder).iterdir():
        for line in path.read_text().splitlines():
            rank, function, kind, members, peer, messages, size = line.split()
            key = int(rank), function, kind, tuple(map(int, members.split(","))), int(peer)
            sums[key][0] += int(messages)
            sums[key][1] += int(size)
    return dict(sums)


def communicators(profile):
    """The members of each row of /scope/communicators: those with its hash and serial."""
    table = {name.split("/")[1]: column.tolist() for name, column in profile.scope.items()
             if name.startswith("communicators/") and "@" not in name}
    same = defaultdict(list)
    rows = list(zip(table["members"], table["serials"], table["own_ranks"], table["ranks"]))
    for members, serial, own, rank in rows:
        same[members, serial].append((own, rank))
    return [tuple(rank for _, rank in sorted(same[members, serial])) for members, serial, _, _ in rows]


def recorded(profile, but=("other", *COMPLETIONS)):
    """What the columns and /scope/messages of a file say."""
    sums = defaultdict(lambda: [0, 0])
    members = communicators(profile)
    listed = profile.scope.get("messages/rows", np.zeros(0, int))
    has_list = set(listed.tolist())

    def add(row, kind, communicator, peer, size):
        if KINDS[kind] not in but:
            key = (int(profile.rank[row]), profile.names[profile.region[row]], KINDS[kind],
                   members[communicator] if communicator >= 0 else None, int(peer))
            sums[key][0] += 1
            sums[key][1] += int(size)
    columns = [profile.columns[f"mpi_{name}"].tolist() for name in ("kinds", "comms", "peers", "bytes")]
    for row, values in enumerate(zip(*columns)):
        if row not in has_list:
            add(row, *values)
    lists = [profile.scope[f"messages/{name}"].tolist() for name in ("kinds", "comms", "peers", "bytes")] \
        if has_list else []
    for row, values in zip(listed.tolist(), zip(*lists)):
        add(row, *values)
    return dict(sums)


def difference(left, right):
    """{key: (left, right)} of what is not the same."""
    return {key: (left.get(key), right.get(key)) for key in left.keys() | right.keys()
            if left.get(key) != right.get(key)}


def size_class(size):
    """The limit of a message's class; None: the last."""
    return next((limit for limit in (0, 64, 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26) if size <= limit), None)


def summed(rows, keys, values):
    """Rows of dicts added up: {values of `keys`: sums of `values`}."""
    sums = defaultdict(lambda: [0] * len(values))
    for row in rows:
        at = sums[tuple(row[key] for key in keys)]
        for i, name in enumerate(values):
            at[i] += row[name]
    return dict(sums)


def check_sums(communication, messages):
    """`scope inspect --json` has the same sums as the rows, of functions and of peers."""
    members = [tuple(c["ranks"]) for c in communication["communicators"]]

    def told(rows, keys):
        return summed([dict(row, members=members[row["communicator"]]) for row in rows if row["kind"] != "other"
                       and row["communicator"] is not None], keys, ("num_messages", "bytes"))
    rows = [dict(zip(("rank", "name", "kind", "members", "peer", "num_messages", "bytes"), [*key, *value]))
            for key, value in messages.items() if key[3] is not None]
    by_function = ("rank", "name", "kind", "members")
    assert told(communication["functions"], by_function) == summed(rows, by_function, ("num_messages", "bytes"))
    by_peer = ("rank", "kind", "members", "peer")
    files = {"read", "written"}
    moved = [dict(row, peer=None if row["kind"] in files else row["peer"]) for row in rows
             if row["kind"] in {"sent", "received", "remote"} | files]
    assert told(communication["peers"], by_peer) == summed(moved, by_peer, ("num_messages", "bytes"))


def check(counts, path, but=lambda key: False):
    """The file says of each message what was counted."""
    profile = Profile(path)
    found = recorded(profile)
    same = difference({k: v for k, v in counts.items() if not but(k)},
                      {k: v for k, v in found.items() if not but(k)})
    assert not same, f"(counted, recorded): {same}"
    return found
