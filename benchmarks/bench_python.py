"""bench_python - what do regions cost from Python, against two clock readings and against 0.7.5?

    python bench_python.py [--peer PYTHON] [--rows NAME,NAME] [--rounds N] [--long]

Run with the package to measure on PYTHONPATH. One worker process per package (ours in this
Python, scope-profiler 0.7.5 in --peer) runs the same code; rounds alternate between them, and
inside a round the variants do. Printed is the minimum over all rounds:

    name, ours in ns (or the unit in the name), ratio, aim, 0.7.5, its ratio

ratio: to what the name says, or else to two time.perf_counter_ns() net of the empty loop, in
the same process.

SPDX-License-Identifier: MIT
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path
from time import perf_counter_ns as now

ROOT = Path(__file__).resolve().parent.parent
LOOPS = 2000  # a slice is short: a busy machine interrupts long ones


# ---- slices: run in a worker; each returns {variant: ns} ----


def per_pass(function, loops=LOOPS):
    start = now()
    function(loops)
    return (now() - start) / loops


def empty(loops):
    for _ in range(loops):
        pass


def clocks(loops):
    clock = now
    for _ in range(loops):
        clock()
        clock()


def timed(**variants):
    """Each variant several times in turn; the least of each."""
    least = dict.fromkeys(variants, float("inf"))
    for _ in range(40):
        for name, function in variants.items():
            least[name] = min(least[name], per_pass(function))
    return least


def start(**options):
    import scope_profiler as sp

    # 0.7.5 has room from the start, as it would in a long run
    sp.setup(deactivate_file_output=True, replace=True, buffer_limit=1 << 17, **options)
    return sp


def with_region(**options):
    region = start(**options).region("work")

    def enter(loops):
        for _ in range(loops):
            with region:
                pass

    return timed(empty=empty, clocks=clocks, it=enter)


def with_threads():
    return with_region(track_threads=True)


def with_async():
    return with_region(track_async=True)


def by_name():
    sp = start()

    def enter(loops):
        for _ in range(loops):
            with sp.region("work"):
                pass

    return timed(empty=empty, clocks=clocks, it=enter)


def by_manager():
    manager = start().ProfileManager

    def enter(loops):
        for _ in range(loops):
            with manager.region("work"):
                pass

    return timed(empty=empty, clocks=clocks, it=enter)


def by_handle():
    sp = start()
    handle = sp.define_region("work")

    def enter(loops):
        for _ in range(loops):
            with handle:
                pass

    return timed(empty=empty, clocks=clocks, it=enter)


def decorated():
    sp = start()

    def bare():
        pass

    wrapped = sp.profile("work")(bare)

    def call_bare(loops):
        for _ in range(loops):
            bare()

    def call_wrapped(loops):
        for _ in range(loops):
            wrapped()

    least = timed(empty=empty, clocks=clocks, bare=call_bare, it=call_wrapped)
    return {**least, "it": least["it"] - least["bare"] + least["empty"]}


def disabled():
    import scope_profiler as sp

    sp.setup(deactivate_profiling=True, replace=True)
    region = sp.region("work")

    def enter(loops):
        for _ in range(loops):
            with region:
                pass

    return timed(empty=empty, clocks=clocks, it=enter)


class Pause:
    def __await__(self):
        yield


def coroutine_step():
    """A task's coroutine, driven by hand: what its step costs, tracked less bare."""
    import asyncio

    async def steps(count):
        for _ in range(count):
            await Pause()

    async def measure():
        task = asyncio.ensure_future(steps(LOOPS + 10))
        send = task.get_coro().send
        begin = now()
        for _ in range(LOOPS):
            send(None)
        elapsed = (now() - begin) / LOOPS
        await task
        return elapsed

    least = {"bare": float("inf"), "it": float("inf"), "empty": 0.0}
    for _ in range(20):
        start()
        least["bare"] = min(least["bare"], asyncio.run(measure()))
        start(track_async=True)
        least["it"] = min(least["it"], asyncio.run(measure()))
    start()
    clock = timed(empty=empty, clocks=clocks)
    return {**least, "it": least["it"] - least["bare"], "clocks": clock["clocks"] - clock["empty"]}


def thread_start():
    def cpu():
        begin = time.process_time_ns()
        for _ in range(300):
            thread = threading.Thread(target=empty, args=(1,))
            thread.start()
            thread.join()
        return (time.process_time_ns() - begin) / 300

    least = {"clocks": float("inf"), "it": float("inf"), "empty": 0.0}
    for _ in range(3):
        start()
        least["clocks"] = min(least["clocks"], cpu())
        start(track_threads=True)
        least["it"] = min(least["it"], cpu())
    start()
    return least


def import_cpu():
    """ms of CPU over a bare interpreter; `clocks` is the bare one."""

    def cpu(code):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3

    bare = min(cpu("pass") for _ in range(8))
    return {
        "empty": bare,
        "clocks": 2 * bare,
        "it": min(cpu("import scope_profiler") for _ in range(8)),
    }


def write_million():
    """s from the last of a million calls to the file closed; its bytes per call."""
    import contextlib
    import tempfile

    import scope_profiler as sp

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.h5")
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
            sp.setup(file_path=path, replace=True)
            region = sp.region("work")
            for _ in range(1_000_000):
                with region:
                    pass
            begin = now()
            sp.finalize()
            elapsed = (now() - begin) / 1e9
        return {"empty": 0.0, "clocks": 0.0, "it": elapsed, "bytes": os.path.getsize(path) / 1e6}


def call_table(lanes=1, calls=2_000_000):
    """ns per call from columns to a nested call table, `calls` calls in groups of four levels."""
    import numpy as np
    from scope_profiler import MPIRegion, Region, build_call_arrays

    depth = 4
    groups = calls // depth
    base = np.arange(groups, dtype=np.int64) * 100
    ids = np.arange(groups, dtype=np.int64) % lanes
    regions = []
    for level in range(depth):
        extra = {"thread_ids": np.zeros(groups, np.int64), "task_ids": ids} if lanes > 1 else {}
        regions.append(
            MPIRegion(f"level {level}", {0: Region(base + level, base + 50 - level, **extra)})
        )
    begin = now()
    table = build_call_arrays(regions, rank=0)
    elapsed = (now() - begin) / calls
    assert len(table) == groups * depth
    return {"empty": 0.0, "clocks": 0.0, "it": elapsed}


def call_table_lanes():
    one, many = call_table(), call_table(100_000)
    return {**many, "clocks": one["it"]}


# name: (slice, aim in words, rounds at most, 0.7.5 too)
ROWS = {
    "with region": (with_region, "<= 0.7 x", 100, True),
    "with sp.region(name)": (by_name, "<= 0.9 x", 100, True),
    "with ProfileManager.region(name)": (by_manager, "<= 1.2 x", 100, True),
    "with handle": (by_handle, "", 100, True),
    "with region, track_threads": (with_threads, "plain + 5 %", 100, True),
    "with region, track_async": (with_async, "plain + 5 %", 100, True),
    "with region, deactivated": (disabled, "", 100, True),
    "decorated call, added": (decorated, "<= 50 ns", 100, True),
    "coroutine step under track_async, added": (coroutine_step, "<= 40 ns", 10, True),
    "thread start + join under track_threads, CPU, to bare": (thread_start, "<= 1.1", 10, True),
    "import, CPU ms over bare Python": (import_cpu, "<= 8", 3, True),
    "finalize of 1 M calls with its file and summary, s": (write_million, "<= 0.1", 1, True),
    "2 M calls to a call table, per call": (call_table, "<= 15 ns", 2, True),
    "the same in 100 000 lanes, to one lane": (call_table_lanes, "<= 1.5", 1, False),
}


def work():
    """Answer each row's name on stdin with one slice of it, as JSON."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the package prints
    for line in sys.stdin:
        try:
            answer = ROWS[line.strip()][0]()
        except Exception as error:  # the row is missing there
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=out, flush=True)


# ---- the parent: rounds alternate between the workers ----


class Worker:
    def __init__(self, python, environment):
        self.process = subprocess.Popen(
            [python, __file__, "--worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            cwd="/tmp",
        )
        self.least, self.error = {}, None

    def run(self, name):
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "it ended"}')
        self.error = answer.pop("error", self.error)
        for variant, value in answer.items():
            self.least[variant] = min(value, self.least.get(variant, value))

    def result(self):
        """net, ratio (None: none)."""
        least, self.least = self.least, {}
        error, self.error = self.error, None
        if error or not least:
            return None, error
        net, base = least["it"] - least["empty"], least["clocks"] - least["empty"]
        return net, net / base if base > 0 else None

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)


def show(net, ratio):
    if net is None:
        return f"missing ({ratio})", ""
    return f"{net:.4g}", "" if ratio is None else f"{ratio:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument(
        "--peer",
        default=str(ROOT / "build" / "venv-0.7.5" / "bin" / "python"),
        help="the Python that has scope-profiler 0.7.5",
    )
    parser.add_argument("--rows", help="only these, by a part of their names, with commas between")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--long", action="store_true", help="0.7.5 in every row: minutes")
    options = parser.parse_args()
    if options.worker:
        return work()
    ours = Worker(sys.executable, os.environ)
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    peer = Worker(options.peer, alone) if os.path.exists(options.peer) else None
    print("name,ours,ratio,aim,0.7.5,ratio of 0.7.5")
    for name, (_, aim, most, both) in ROWS.items():
        if options.rows and not any(part in name for part in options.rows.split(",")):
            continue
        workers = [ours] + ([peer] if peer and (both or options.long) else [])
        for _ in range(min(options.rounds, most)):
            for worker in workers:
                if not worker.error:
                    worker.run(name)
        theirs = show(*peer.result()) if len(workers) > 1 else ("", "")
        print(",".join([name.replace(",", ";"), *show(*ours.result()), aim, *theirs]), flush=True)
    ours.close()
    if peer:
        peer.close()


if __name__ == "__main__":
    main()
