"""What does the end of a job cost each rank, by the number of ranks?

Counts messages and bytes of each rank, sent and received, below all collectives: with the profiler
less those of the same job without it. Open MPI's monitoring component counts them, of MPICH what
passes UCX (ucx_traffic.c; bytes only where they are sent). Of all ranks the greatest is printed, and
rank 0's. Takes minutes: not part of `./run bench`.

    python3 benchmarks/scale.py build/install --ranks 2 4 8 16 32 64 128 256

SCOPE_COMPRESSION=gzip is passed on: all event columns go through rank 0.

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
SUPPORT = ROOT / "tests" / "support"
# PMIx_Finalize waits 2 s for mpirun's answer; whoever goes without one counts as a rank that died, and
# all are killed. So mpirun comes before the ranks, and what it lost after our end goes again.
BEHIND_MPIRUN = ["nice", "-n", "10"]
TRIES = 5
SENT = re.compile(r"[EI]\t(\d+)\t(\d+)\t(\d+) bytes\t(\d+) msgs sent")
PROFILE = "profiling_data.h5"
# ranks per node; 0: all ranks are on one
PLACEMENTS = {"one": 0, "nodes": 8, "alone": 1}


def compile_all(prefix, folder, mpi="openmpi"):
    mpicc = [f"mpicc.{mpi}", "-O2"]
    family = {"openmpi": "ompi", "mpich": "mpich"}[mpi]
    subprocess.run([*mpicc, "-DPLAIN", PROGRAM, "-o", folder / f"plain.{mpi}"], check=True)
    subprocess.run([*mpicc, f"-I{prefix}/include", PROGRAM, "-o", folder / f"scale.{mpi}",
                    f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", f"-lscope_mpi_{family}", "-lscope"],
                   check=True)
    for name in ("skew", "ucx_traffic"):
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", SUPPORT / f"{name}.c",
                        "-o", folder / f"lib{name}.so"], check=True)


def environment(folder, ranks, placement, mpi):
    env = {k: v for k, v in os.environ.items()
           if k == "SCOPE_COMPRESSION" or not k.startswith(("SCOPE_", "SKEW_"))}
    env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_rmaps_base_oversubscribe="1", SCOPE_SPOOL_DIR=str(folder), SCOPE_MAX_BYTES="16M")
    preload = [folder / "libucx_traffic.so"] if mpi == "mpich" else []
    per_node = PLACEMENTS[placement]
    if per_node and per_node < ranks:
        nodes = -(-ranks // per_node)
        preload.append(folder / "libskew.so")
        env.update(SCOPE_CLOCK="monotonic", SKEW_OFFSETS_NS=",".join("0" * nodes),
                   SKEW_RANKS_PER_NODE=str(per_node))
    if mpi == "mpich":
        env.update(MPIR_CVAR_NOLOCAL="1", TRAFFIC_DIR=str(folder))
    return {**env, "LD_PRELOAD": ":".join(map(str, preload))}


def mpirun(folder, ranks, mpi):
    monitoring = ["--mca", "pml_monitoring_enable", "1", "--mca", "pml_monitoring_enable_output", "3",
                  "--mca", "pml_monitoring_filename", str(folder / "count")]
    return [f"mpirun.{mpi}", "-n", str(ranks), *(monitoring if mpi == "openmpi" else []), *BEHIND_MPIRUN]


def traffic(folder, ranks, mpi):
    """{rank: (messages, bytes, peers)}"""
    messages, size, peers = Counter(), Counter(), {rank: set() for rank in range(ranks)}
    for rank in range(ranks):
        if mpi == "mpich":
            sent, sent_bytes, received, endpoints = map(int, (folder / f"count.{rank}").read_text().split())
            messages[rank], size[rank], peers[rank] = sent + received, sent_bytes, range(endpoints)
            continue
        for source, target, length, number in SENT.findall((folder / f"count.{rank}.prof").read_text()):
            for one, other in ((int(source), int(target)), (int(target), int(source))):
                messages[one] += int(number)
                size[one] += int(length)
                peers[one].add(other)
    return {r: (messages[r], size[r], len(peers[r])) for r in range(ranks)}


def count(folder, program, ranks, placement, kind, timeout, mpi):
    """{rank: (messages, bytes, peers)} of all traffic, and {rank: memory in KiB}."""
    for _ in range(TRIES):
        for old in [*folder.glob("count.*"), *folder.glob(PROFILE)]:
            old.unlink()
        done = subprocess.run(
            [*mpirun(folder, ranks, mpi), folder / f"{program}.{mpi}", kind],
            cwd=folder, env=environment(folder, ranks, placement, mpi), timeout=timeout, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        is_past_our_end = program == "plain" or (folder / PROFILE).exists()
        if not (is_past_our_end and "with PID 0" in done.stderr):
            break
        print(f"{ranks} ranks of {program}: mpirun lost one at the end; again", file=sys.stderr)
    memory = {int(r): int(kib) for r, kib in re.findall(r"^(\d+) (\d+)$", done.stdout, re.M)}
    if done.returncode or len(list(folder.glob("count.*"))) != ranks or len(memory) != ranks:
        raise RuntimeError(f"rc {done.returncode}: {ranks} ranks of {program}: {done.stderr[-2000:]}")
    return traffic(folder, ranks, mpi), memory


plain_counts = {}  # always the same


def measure(folder, ranks, placement, kind, timeout=600, mpi="openmpi"):
    """What the profiler adds: the greatest of all ranks, and rank 0's."""
    if (mpi, ranks) not in plain_counts:
        plain_counts[mpi, ranks] = count(folder, "plain", ranks, "one", kind, timeout, mpi)
    plain, before = plain_counts[mpi, ranks]
    ours, after = count(folder, "scale", ranks, placement, kind, timeout, mpi)
    added = {r: tuple(a - b for a, b in zip(ours[r][:2], plain[r][:2])) for r in ours}
    return {
        "messages": max(m for m, _ in added.values()), "bytes": max(b for _, b in added.values()),
        "messages_0": added[0][0], "bytes_0": added[0][1],
        "peers": max(p for _, _, p in ours.values()), "memory_0": after[0] - before[0],
        "memory": max(after[r] - before[r] for r in after if r),
        "file": (folder / PROFILE).stat().st_size,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prefix", type=Path)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4, 8, 16, 32, 64])
    parser.add_argument("--placements", nargs="+", default=list(PLACEMENTS), choices=list(PLACEMENTS))
    parser.add_argument("--names", nargs="+", default=["same", "disjoint", "unused", "none"])
    parser.add_argument("--mpi", default="openmpi", choices=["openmpi", "mpich"])
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one job")
    options = parser.parse_args()
    print("ranks placement names     messages    bytes  messages of 0  bytes of 0  KiB of 0  of others  "
          "peers  file")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compile_all(options.prefix.resolve(), folder, options.mpi)
        for placement in options.placements:
            for kind in options.names:
                for ranks in options.ranks:
                    found = measure(folder, ranks, placement, kind, options.timeout, options.mpi)
                    print(f"{ranks:5} {placement:9} {kind:9} {found['messages']:8} {found['bytes']:8} "
                          f"{found['messages_0']:14} {found['bytes_0']:11} {found['memory_0']:9} "
                          f"{found['memory']:10} "
                          f"{found['peers']:6} {found['file']:8}")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
