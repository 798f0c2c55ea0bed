"""The whole content of files as JSON, by scope-profiler 0.7.5 or by this package.

    python describe_profile.py FILE...        prints a list

SPDX-License-Identifier: MIT
"""
import json
import sys

from scope_profiler.profile_io import load


def whole(values):
    return None if values is None else [int(value) for value in values]


def region(one):
    return {
        "starts": whole(one.start_times_ns), "ends": whole(one.end_times_ns),
        "calls": one.num_calls, "total": one.total_duration, "min": one.min_duration,
        "max": one.max_duration, "exclusive_total": one.exclusive_duration,
        "call_ids": whole(one.call_ids), "parent_ids": whole(one.parent_ids),
        "thread_ids": whole(one.thread_ids), "task_ids": whole(one.task_ids),
        "await_ns": whole(one.await_times_ns), "tags": list(one.tags),
        "source": [one.source_file, one.source_lineno, one.source_text],
        "event_metadata": [dict(each) for each in one.event_metadata or ()],
    }


def lanes(table):
    return {
        str(rank): [
            {name: getattr(row, name) for name in (
                "index", "name", "ident", "native_id", "daemon", "start_time", "end_time",
                "cpu_time", "wall_time", "alive", "kind", "coro_name", "thread_index", "steps",
                "running_time", "awaiting_time", "created_time", "done_time",
            ) if hasattr(row, name)}
            for row in rows
        ]
        for rank, rows in table.items()
    }


def describe(path):
    results = load(path)
    detailed = not any(r[rank].stored_summary for r in results for rank in r)
    return {
        "label": results.label, "names": list(results.region_names),
        "num_ranks": results.num_ranks,
        "metadata": {key: value if isinstance(value, str) else str(value)
                     for key, value in sorted(results.metadata.items())},
        "regions": {r.name: {str(rank): region(r[rank]) for rank in r} for r in results},
        "threads": lanes(results.threads), "tasks": lanes(results.tasks),
        "call_graph": [results.call_graph(rank) for rank in range(results.num_ranks)]
        if detailed else [],
        "events": results.events() if detailed else [],
        "stacks": [results.call_stack(rank) for rank in range(results.num_ranks)]
        if detailed else [],
        "lane_labels": [results.lane_label(lane) for lane in range(-5, 4)],
        "thread_summary": results.thread_summary(),
    }


if __name__ == "__main__":
    print(json.dumps([describe(path) for path in sys.argv[1:]], default=str))
