"""Random call sets: several ranks and lanes, recursion, calls of no length, ties.

SPDX-License-Identifier: MIT
"""
import random


def nested(random_, begin, end, depth, names, calls):
    """Fill [begin, end) with calls that nest, outer ones before those inside them."""
    at = begin
    while at < end and len(calls) < 60:
        start = at + random_.choice([0, 0, random_.randint(0, max(1, (end - at) // 3))])
        stop = min(end, start + random_.choice([0, 1, random_.randint(0, max(1, end - start))]))
        if start > end:
            return
        calls.append((random_.choice(names), start, stop))
        if depth and stop > start and random_.random() < 0.7:
            nested(random_, start, stop, depth - 1, names, calls)
        at = stop + random_.choice([0, random_.randint(0, 50)]) + (stop == start)


def lane_calls(random_, names):
    calls = []
    nested(random_, 1_000_000 + random_.randint(0, 500), 1_000_000 + random_.randint(600, 9000),
           random_.randint(0, 5), names, calls)
    return calls


def call_set(seed):
    """What describe_results reads. Lanes with odd seeds; some sets clash on purpose."""
    random_ = random.Random(seed)
    names = list("abcdef")[: random_.randint(1, 6)]
    ranks = random_.choice([[0], [0], [0, 1], [0, 1, 2]])
    lanes = seed % 2 == 1
    tasks_too = lanes and random_.random() < 0.6
    clash = random_.random() < 0.15
    regions, threads, tasks = [], {}, {}
    for rank in ranks:
        thread_count = random_.randint(1, 4) if lanes else 1
        task_count = random_.randint(0, 4) if tasks_too else 0
        pool = []  # name, start, end, thread, task
        for thread in range(thread_count):
            pool += [(*call, thread, -1) for call in lane_calls(random_, names)]
        for task in range(task_count):
            home = task % thread_count
            pool += [(*call, home, task) for call in lane_calls(random_, names)]
        if clash:
            pool += [("a", 1_000_000, 1_000_700, 0, -1), ("b", 1_000_300, 1_001_900, 0, -1)]
        for number, name in enumerate(random_.sample(names, len(names))):
            mine = [call for call in pool if call[0] == name]
            if not mine:  # 0.7.5 sorts a region that is empty on one rank to the front
                continue
            row = {
                "name": name, "rank": rank,
                "start": [call[1] for call in mine], "end": [call[2] for call in mine],
                "source_file": random_.choice([None, f"{name}.py"]),
                "source_lineno": random_.choice([None, number]),
                "tags": {"a": ["x"], "b": ["y", "z"]}.get(name, []),
            }
            if lanes and random_.random() < 0.9:
                row["thread_ids"] = [call[3] for call in mine]
                if tasks_too:
                    row["task_ids"] = [call[4] for call in mine]
                    row["await_times"] = [random_.randint(0, 9) if call[4] >= 0 else 0
                                          for call in mine]
            if random_.random() < 0.2:
                row["event_metadata"] = [random_.choice([{}, {"step": i}])
                                         for i in range(len(mine))]
            if mine and random_.random() < 0.1:
                row["gpu_durations"] = [random_.choice([0, 5, 8]) for _ in mine]
            regions.append(row)
        if lanes:
            threads[rank] = [
                {"index": i, "rank": rank, "name": f"thread-{i}", "ident": 10 + i,
                 "native_id": 100 + i, "daemon": i % 2, "start_ns": 5 * i,
                 "end_ns": random_.choice([-1, 9000]), "cpu_ns": 77 * i}
                for i in range(thread_count)]
        if task_count:
            tasks[rank] = [
                {"index": i, "rank": rank, "kind": "task", "name": f"Task-{i}",
                 "coro_name": random_.choice(["main", "Pool.fetch", "<lambda>"]),
                 "thread_index": i % thread_count, "created_ns": 3, "done_ns": 9, "steps": 4,
                 "running_ns": 5, "suspended_ns": 1}
                for i in range(task_count)]
    metadata = random_.choice([
        {}, {"start_time_ns": 999_000, "finalize_time_ns": 2_000_000},
        {"start_time_ns": 999_000, "label": "night run", "num_nodes": 2}])
    return {"regions": regions, "threads": threads, "tasks": tasks, "metadata": metadata}
