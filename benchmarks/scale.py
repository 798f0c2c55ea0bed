"""What does the end of a job cost each rank, by the number of ranks?

Counts what Open MPI's monitoring component sees, below all collectives: messages and
bytes of each rank, sent and received, with the profiler less those of the same job without it. Of
all ranks the greatest is printed, and rank 0's. Takes minutes: not part of `./run bench`.

    python3 benchmarks/scale.py build/install --ranks 2 4 8 16 32 64 128 256

SPDX-License-Identifier: MIT
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = ROOT / "tests" / "mpi" / "programs" / "scale.c"
SKEW = ROOT / "tests" / "support" / "skew.c"
TRIES = 3  # mpirun loses a rank now and then, with PID 0, where some 200 begin at once on few cores
SENT = re.compile(r"[EI]\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs sent")
# ranks per node; 0: all ranks are on one
PLACEMENTS = {"one": 0, "nodes": 8, "alone": 1}


def compile_all(prefix, folder):
    mpicc = ["mpicc.openmpi", "-O2"]
    subprocess.run([*mpicc, "-DPLAIN", PROGRAM, "-o", folder / "plain"], check=True)
    subprocess.run([*mpicc, f"-I{prefix}/include", PROGRAM, "-o", folder / "scale", f"-L{prefix}/lib",
                    f"-Wl,-rpath,{prefix}/lib", "-lscope_mpi_ompi", "-lscope"], check=True)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", SKEW, "-o", folder / "libskew.so"], check=True)


def environment(folder, ranks, placement):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("SCOPE_", "SKEW_"))}
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_rmaps_base_oversubscribe="1", SCOPE_SPOOL_DIR=str(folder), SCOPE_MAX_BYTES="16M")
    per_node = PLACEMENTS[placement]
    if per_node and per_node < ranks:
        nodes = -(-ranks // per_node)
        env.update(LD_PRELOAD=str(folder / "libskew.so"), SCOPE_CLOCK="monotonic",
                   SKEW_OFFSETS_NS=",".join("0" * nodes), SKEW_RANKS_PER_NODE=str(per_node))
    return env


def count(folder, program, ranks, placement, kind, timeout):
    """{rank: (messages, bytes, peers)} of all traffic, and rank 0's memory in KiB."""
    for _ in range(TRIES):
        for old in folder.glob("count.*"):
            old.unlink()
        done = subprocess.run(
            ["mpirun.openmpi", "-n", str(ranks), "--mca", "pml_monitoring_enable", "1",
             "--mca", "pml_monitoring_enable_output", "3",
             "--mca", "pml_monitoring_filename", str(folder / "count"), folder / program, kind],
            cwd=folder, env=environment(folder, ranks, placement), timeout=timeout, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.stdout.strip().isdigit() and len(list(folder.glob("count.*"))) == ranks:
            break
    else:
        raise RuntimeError(f"rc {done.returncode}: {ranks} ranks of {program}: {done.stderr[-2000:]}")
    messages, size, peers = Counter(), Counter(), {rank: set() for rank in range(ranks)}
    for rank in range(ranks):
        for source, target, length, number in SENT.findall((folder / f"count.{rank}.prof").read_text()):
            for one, other in ((int(source), int(target)), (int(target), int(source))):
                messages[one] += int(number)
                size[one] += int(length)
                peers[one].add(other)
    return {r: (messages[r], size[r], len(peers[r])) for r in range(ranks)}, int(done.stdout)


plain_counts = {}  # by ranks: always the same


def measure(folder, ranks, placement, kind, timeout=600):
    """What the profiler adds: the greatest of all ranks, and rank 0's."""
    if ranks not in plain_counts:
        plain_counts[ranks] = count(folder, "plain", ranks, "one", kind, timeout)
    plain, before = plain_counts[ranks]
    ours, after = count(folder, "scale", ranks, placement, kind, timeout)
    added = {r: tuple(a - b for a, b in zip(ours[r][:2], plain[r][:2])) for r in ours}
    return {
        "messages": max(m for m, _ in added.values()), "bytes": max(b for _, b in added.values()),
        "messages_0": added[0][0], "bytes_0": added[0][1],
        "peers": max(p for _, _, p in ours.values()), "memory_0": after - before,
        "file": (folder / "profiling_data.h5").stat().st_size,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix", type=Path)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4, 8, 16, 32, 64])
    parser.add_argument("--placements", nargs="+", default=list(PLACEMENTS), choices=list(PLACEMENTS))
    parser.add_argument("--names", nargs="+", default=["same", "disjoint", "unused", "none"])
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one job")
    options = parser.parse_args()
    print("ranks placement names     messages    bytes  messages of 0  bytes of 0  KiB of 0  peers  file")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compile_all(options.prefix.resolve(), folder)
        for placement in options.placements:
            for kind in options.names:
                for ranks in options.ranks:
                    found = measure(folder, ranks, placement, kind, options.timeout)
                    print(f"{ranks:5} {placement:9} {kind:9} {found['messages']:8} {found['bytes']:8} "
                          f"{found['messages_0']:14} {found['bytes_0']:11} {found['memory_0']:9} "
                          f"{found['peers']:6} {found['file']:8}")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
