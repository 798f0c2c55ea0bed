"""What a profile says, without times: printed as JSON by whichever scope_profiler runs this.

    python summary.py FILE.h5

SPDX-License-Identifier: MIT
"""
import json
import sys
from collections import Counter

from scope_profiler import build_call_arrays, read_h5


def edges(results, rank):
    """How often each region was called directly inside which."""
    calls = build_call_arrays(results.get_regions(), rank)
    names = [calls.names[i] for i in calls.region_index]
    inside = Counter(f"{names[parent] if parent >= 0 else ''} > {name}"
                     for name, parent in zip(names, calls.parent))
    return dict(inside)


def main():
    results = read_h5(sys.argv[1])
    threads, tasks = results.threads.get(0, []), results.tasks.get(0, [])
    print(json.dumps({
        "counts": {name: results[name][0].num_calls for name in results.region_names},
        "edges": edges(results, 0),
        "tasks": Counter(task.kind for task in tasks),
        "unfinished": sum(not task.done for task in tasks),
        "coroutines": Counter(task.coro_name for task in tasks if task.kind == "task"),
        "threads": sorted(thread.name for thread in threads),
        "alive": sorted(thread.name for thread in threads if thread.alive),
        "errors": check(results, threads, tasks),
    }, sort_keys=True))


def check(results, threads, tasks):
    """What cannot be."""
    errors = []
    for task in tasks:
        if task.done and task.running_time + task.awaiting_time > task.wall_time + 1e-5:
            errors.append(f"{task.name}: runs and awaits longer than it lives")
    for thread in threads:
        if not thread.alive and thread.end_time < thread.start_time:
            errors.append(f"{thread.name}: ends before it starts")
    for name in results.region_names:
        region = results[name][0]
        if (region.durations < 0).any():
            errors.append(f"{name}: negative duration")
        if region.await_times is not None and (region.await_times > region.durations + 1e-6).any():
            errors.append(f"{name}: awaits longer than it lasts")
    return errors


if __name__ == "__main__":
    main()
