"""What a program of the tests says that it called, beside what its profile says.

SPDX-License-Identifier: MIT
"""
from collections import defaultdict

KINDS = ["-", "sent", "received", "posted", "collective", "read", "written", "remote"]


def listed(folder, rank):
    """{name: [(bytes, peer, kind)]} of expected.<rank>, in the order of the calls."""
    rows = defaultdict(list)
    for line in (folder / f"expected.{rank}").read_text().splitlines():
        name, size, peer, kind = line.split()
        rows[name].append((int(size), int(peer), kind))
    return dict(rows)


def recorded(profile, rank):
    """The same of a profile."""
    columns, rows = profile.columns, {}
    for name in profile.counts(rank):
        found = profile.select(name, rank)
        rows[name] = list(zip(columns["mpi_bytes"][found].tolist(), columns["mpi_peers"][found].tolist(),
                              [KINDS[kind] for kind in columns["mpi_kinds"][found]]))
    return rows
